package hier_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
)

// lme4: lmer(normexam ~ standLRT + (standLRT | school), Exam)
func ExampleFit() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))
	fmt.Printf("b* = %.4f\nREML criterion %.3f\n", fit.Coef(), fit.Criterion())
	fmt.Println(fit.Variances())
	terms, psi, err := fit.GroupCov("school")
	fmt.Printf("%v covariance %.4f %v\n", terms, psi.At(0, 1), err)
	fmt.Printf("REML %t, curvature %.1f; %.1f effective coefficients\n", fit.REML(), fit.Curvature(), fit.EffectiveDoF())
	fmt.Printf("ICC %.3f, R2 %.3f marginal, %.3f conditional\n", fit.ICC(), fit.MarginalR2(), fit.ConditionalR2())
	// Output:
	// b* = [-0.0116 0.5565]
	// REML criterion 9327.600
	// Variances
	// groups    term         variance  std. dev.  correlation
	// school    (Intercept)   0.09212    0.30351
	// school    standLRT      0.01497    0.12234        0.494
	// Residual                0.55364    0.74407
	//
	// [(Intercept) standLRT] covariance 0.0183 <nil>
	// REML true, curvature 15.4; 90.2 effective coefficients
	// ICC [0.162], R2 0.316 marginal, 0.427 conditional
}

// The lines of the first schools, and a pupil of school 1 and of a new one.
func ExampleMultiTask_PredictGroups() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))
	for _, l := range must.M1(must.M1(fit.GroupCoefs("school")).Limits("standLRT", 0.95))[:2] {
		fmt.Printf("slope of school %s: %.3f to %.3f\n", l.Term, l.Lower, l.Upper)
	}
	pupils := h.Design.Rows(0, 0)
	p := must.M1(fit.PredictGroups(pupils, must.M1(mlreg.NewGrouping("school", []int{1, 99})), 0.95))
	fmt.Printf("%.3f %q\n", p.Mean, p.Seen)
	// Output:
	// slope of school 1: 0.555 to 0.810
	// slope of school 2: 0.590 to 0.854
	// [0.786 0.333] ["school" ""]
}

// The same without covariances, by maximum likelihood: settings beside what the formula says.
func ExampleFor() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT || school)"))
	settings := hier.For(h, &hier.Settings{ML: true})
	fmt.Println(settings.Varying[0].Terms, settings.Varying[0].Shape == mlreg.DiagonalCovariance, settings.ML)
	// Output:
	// [(Intercept) standLRT] true true
}

// How many bits of evidence the data give for slopes that differ between schools.
func ExampleMultiTask_LogEvidence() {
	prior := &hier.Settings{Hyperprior: &hier.Hyperprior{Var: 1}}
	one := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	both := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	without := must.M1(hier.Fit(one.Design, one.Groups, hier.For(one, prior)))
	with := must.M1(hier.Fit(both.Design, both.Groups, hier.For(both, prior)))
	fmt.Printf("%.1f bits\n", (with.LogEvidence()-without.LogEvidence())/math.Ln2)
	// Output:
	// 29.7 bits
}

// The eight schools differ less than their errors alone would make them: the variance
// between them is zero, and any small one would be worse.
func ExampleMultiTask_Outward() {
	df := datasets.EightSchools()
	h := must.M1(frames.GroupedDesign(df, "effect ~ (1 | school)"))
	for _, se := range must.M1(frames.Floats(df, "se")) {
		h.Design.Weights = append(h.Design.Weights, 1/(se*se))
	}
	fit := must.M1(hier.Fit(h.Design, h.Groups, &hier.Settings{Sigma2: 1}))
	fmt.Println(fit.Boundary(), fit.Outward() > 0)
	// Output:
	// [the variance of (Intercept) between the groups of school is 0] true
}

// Does the slope vary between schools?
func ExampleTestVariance() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fmt.Println(must.M1(hier.TestVariance(h.Design, h.Groups, hier.For(h, nil), "school", "standLRT")))
	// Output:
	// Test of the variance of standLRT between groups of school
	// statistic  null distribution        p  p of χ²(2)
	//    41.165  χ²(1)/2 + χ²(2)/2  <0.0001     <0.0001
	// p counts that zero is at the edge of the range of a variance
}

// lme4: confint(lmer(normexam ~ standLRT + (1 | school), Exam, REML = FALSE))
func ExampleVarianceLimits() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	for _, l := range must.M1(hier.VarianceLimits(h.Design, h.Groups, hier.For(h, &hier.Settings{ML: true}), 0.95)) {
		fmt.Printf("%s %.4f to %.4f\n", l.Term, l.Lower, l.Upper)
	}
	// Output:
	// sd_(Intercept)|school 0.2508 to 0.3726
	// sigma 0.7359 to 0.7690
}

// The eight schools: estimates with known standard errors.
func ExampleFitVariancePosterior() {
	df := datasets.EightSchools()
	h := must.M1(frames.GroupedDesign(df, "effect ~ (1 | school)"))
	for _, se := range must.M1(frames.Floats(df, "se")) {
		h.Design.Weights = append(h.Design.Weights, 1/(se*se))
	}
	p := must.M1(hier.FitVariancePosterior(h.Design, h.Groups, &hier.Settings{Sigma2: 1}, nil))
	fmt.Printf("median of tau between groups of %s %.2f, p(tau < 5) = %.3f\n", p.Level(), must.M1(p.Quantile(0.5)), p.CDF(5))
	tau, density := p.Density()
	fmt.Printf("density near tau = %.2f: %.3f\n", tau[0], density[0])
	for _, row := range p.GroupCoefs().Rows[:2] {
		fmt.Printf("%s: %.1f ± %.1f\n", row.Group, row.Coef[0], row.StdErr[0])
	}
	// Output:
	// median of tau between groups of school 5.24, p(tau < 5) = 0.481
	// density near tau = 0.00: 0.103
	// A: 11.4 ± 8.3
	// B: 7.9 ± 6.3
}

// Alternation and gradient ascent end at one maximum.
func ExampleFitMAP() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	for _, method := range []hier.AscentMethod{hier.Alternation, hier.GradientAscent} {
		fit := must.M1(hier.FitMAP(h.Design, h.Groups, 0.55, []float64{0.3}, &hier.MAPSettings{Method: method}))
		fmt.Printf("%.4f, school %s %.4f after %d iterations\n", fit.Coef(), fit.Groups()[0], fit.GroupCoef(0), fit.Iterations())
	}
	// Output:
	// [-0.0129 0.5493], school 1 [0.3538 0.7024] after 6 iterations
	// [-0.0129 0.5493], school 1 [0.3538 0.7024] after 1060 iterations
}

// s* of zero is a flat prior.
func ExampleCrossValidate() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	folds := must.M1(mlreg.KFold(4059, 5, rand.NewPCG(1, 2)))
	cv := must.M1(hier.CrossValidate(h.Design, h.Groups, folds, 0.55, &hier.Grid{SD: []float64{0.05, 0.2, 1}}))
	fmt.Println(cv.Describe().Title)
	fmt.Printf("s = %v and s* = %v have the least error %.4f\n", cv.SD()[cv.Min()], cv.HyperSD()[cv.Min()], cv.Mean()[cv.Min()])
	// Output:
	// Cross-validated error by s and s*
	// s = 0.2 and s* = 0 have the least error 0.5726
}

// The table of b* at another level, and what else the fit says of itself.
func ExampleMultiTask_Summary() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, &hier.Settings{ML: true})))
	fmt.Println(must.M1(fit.Summary(0.9)))
	fmt.Printf("%d rows, groups of %v, %d parameters, log L = %.3f\n", fit.NObs(), fit.Levels(), fit.Parameters(), fit.LogLik())
	fmt.Printf("sigma^2 = %.4f, known: %t; standard error of the slope %.4f\n", fit.Sigma2(), fit.SigmaKnown(), math.Sqrt(fit.VCov().At(1, 1)))
	fmt.Println(fit.Gradient() < 1e-3, fit.Decrement() < 1e-9, fit.InferenceDoF(), fit.LogEvidence())
	fmt.Print(must.M1(fit.ConfInt(0.95))[1])
	fmt.Println(must.M1(fit.Table(0.95))[1].Estimate > 0, fit.Describe().Title, fit.Variances()[0].Describe().Title)
	// Output:
	// Multi-task fit of normexam
	// term         estimate  std. error       z        p  lower 90%  upper 90%
	// (Intercept)    0.0024      0.0400   0.060   0.9524    -0.0634     0.0682
	// standLRT       0.5634      0.0125  45.195  <0.0001     0.5429     0.5839
	// between groups of school, (Intercept): s = 0.30353
	// Residual: σ = 0.75215
	// n = 4059, school: 65 groups, effective coefficients 58.61
	// -2 log likelihood = 9357.2432
	// Newton's method, 9 steps: within 1e-16 of the optimum, least curvature 48.6
	//
	// 4059 rows, groups of [school], 4 parameters, log L = -4678.622
	// sigma^2 = 0.5657, known: false; standard error of the slope 0.0125
	// true true +Inf NaN
	// Confidence limits
	// term      lower 95%  upper 95%
	// standLRT    0.53894     0.5878
	// true Multi-task fit of normexam Variances
}

// J rises to its maximum, and the gap says how far it is.
func ExampleMAP_Objective() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(hier.FitMAP(h.Design, h.Groups, 0.55, []float64{0.3}, nil))
	j := fit.Objective()
	fmt.Printf("%d rows, J from %.2f over %.2f to %.4f\n", fit.NObs(), j[0], j[1], j[len(j)-1])
	fmt.Println(fit.Gap() < 1e-6, fit.Gradient() < 1e-2)
	fmt.Println(fit.Describe())
	// Output:
	// 4059 rows, J from -3681.30 over -2030.96 to -2018.3474
	// true true
	// Joint maximum of normexam
	// term         estimate
	// (Intercept)   -0.0129
	// standLRT       0.5493
	// n = 4059, school: 65 groups
	// alternation, 6 iterations: largest derivative 1e-3, objective within 1e-7 of its maximum
}

// How much schools vary, by its posterior.
func ExampleVariancePosterior_Density() {
	h := must.M1(frames.GroupedDesign(datasets.EightSchools(), "effect ~ (1 | school)"))
	for _, se := range must.M1(frames.Floats(datasets.EightSchools(), "se")) {
		h.Design.Weights = append(h.Design.Weights, 1/(se*se))
	}
	p := must.M1(hier.FitVariancePosterior(h.Design, h.Groups, hier.For(h, &hier.Settings{Sigma2: 1}), nil))
	fmt.Println(p.Names(), p.Mode())
	fmt.Printf("standard deviation of tau %.2f\n", p.StdDev())
	fmt.Println(p.Describe())
	// Output:
	// [(Intercept)] 0
	// standard deviation of tau 5.65
	// Posterior of the standard deviation τ of (Intercept) between groups of school
	//  mean  std. dev.  mode  lower 95%  median  upper 95%
	// 6.575       5.65     0     0.2427   5.239      20.75
	// uniform prior of τ; 8 groups; error of the quadrature below 1e-14
}
