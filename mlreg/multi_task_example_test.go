package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// lme4: lmer(normexam ~ standLRT + (standLRT | school), Exam)
func ExampleFitMultiTask() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(mlreg.FitMultiTask(h.Design, h.Groups, h.Settings(nil)))
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
	fit := must.M1(mlreg.FitMultiTask(h.Design, h.Groups, h.Settings(nil)))
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

// Sums of the schools instead of the pupils: the same fit.
func ExampleGrouping_WithMoments() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	rows := must.M1(h.Groups.RowsOf("school"))
	var sums []*mlreg.Moments
	for _, of := range rows {
		sums = append(sums, must.M1(h.Design.Rows(of...).Moments()))
	}
	schools := must.M1(mlreg.NewGrouping("school", must.M1(h.Groups.Labels("school"))))
	settings := h.Settings(nil)
	whole := must.M1(mlreg.FitMultiTask(h.Design, h.Groups, settings))
	summed := must.M1(mlreg.FitMultiTask(nil, must.M1(schools.WithMoments(sums...)), settings))
	fmt.Printf("%.6f\n%.6f\n", whole.Coef(), summed.Coef())
	// Output:
	// [0.002323 0.563307]
	// [0.002323 0.563307]
}

// How many bits the data give for slopes that differ between schools.
func ExampleMultiTask_EvidenceBits() {
	prior := &mlreg.MultiTaskSettings{Hyperprior: &mlreg.Hyperprior{Var: 1}}
	one := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	both := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	without := must.M1(mlreg.FitMultiTask(one.Design, one.Groups, one.Settings(prior)))
	with := must.M1(mlreg.FitMultiTask(both.Design, both.Groups, both.Settings(prior)))
	fmt.Printf("%.1f bits\n", must.M1(with.EvidenceBits(without)))
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
	fit := must.M1(mlreg.FitMultiTask(h.Design, h.Groups, &mlreg.MultiTaskSettings{Sigma2: 1}))
	fmt.Println(fit.Boundary(), fit.Outward() > 0)
	// Output:
	// [the variance of (Intercept) between the groups of school is 0] true
}

func ExampleNewGrouping() {
	g := must.M1(mlreg.NewGrouping("school", []int{7, 7, 8, 7}))
	fmt.Println(must.M1(g.Labels("school")), must.M1(g.RowsOf("school")))
	// Output:
	// [7 8] [[0 1 3] [2]]
}

func ExampleNestGroups() {
	g := must.M1(mlreg.NewGrouping("school", []int{7, 7, 8, 8}))
	g = must.M1(mlreg.NestGroups(g, "class", []string{"a", "b", "a", "a"}))
	fmt.Println(g.Levels(), must.M1(g.Labels("school/class")))
	// Output:
	// [school school/class] [7/a 7/b 8/a]
}

// Does the slope vary between schools?
func ExampleTestVariance() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fmt.Println(must.M1(mlreg.TestVariance(h.Design, h.Groups, h.Settings(nil), "school", "standLRT")))
	// Output:
	// Test of the variance of standLRT between groups of school
	// statistic  null distribution        p  p of χ²(2)
	//    41.165  χ²(1)/2 + χ²(2)/2  <0.0001     <0.0001
	// p counts that zero is at the edge of the range of a variance
}

// lme4: confint(lmer(normexam ~ standLRT + (1 | school), Exam, REML = FALSE))
func ExampleVarianceLimits() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	for _, l := range must.M1(mlreg.VarianceLimits(h.Design, h.Groups, h.Settings(&mlreg.MultiTaskSettings{ML: true}), 0.95)) {
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
	p := must.M1(mlreg.FitVariancePosterior(h.Design, h.Groups, &mlreg.MultiTaskSettings{Sigma2: 1}, nil))
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
func ExampleFitMultiTaskMAP() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	for _, method := range []mlreg.AscentMethod{mlreg.Alternation, mlreg.GradientAscent} {
		fit := must.M1(mlreg.FitMultiTaskMAP(h.Design, h.Groups, 0.55, []float64{0.3}, &mlreg.MultiTaskMAPSettings{Method: method}))
		fmt.Printf("%.4f, school %s %.4f after %d iterations\n", fit.Coef(), fit.Groups()[0], fit.GroupCoef(0), fit.Iterations())
	}
	// Output:
	// [-0.0129 0.5493], school 1 [0.3538 0.7024] after 6 iterations
	// [-0.0129 0.5493], school 1 [0.3538 0.7024] after 1060 iterations
}

// s* of zero is a flat prior.
func ExampleCrossValidateMultiTask() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	folds := must.M1(mlreg.KFold(4059, 5, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.CrossValidateMultiTask(h.Design, h.Groups, folds, 0.55, &mlreg.MultiTaskGrid{SD: []float64{0.05, 0.2, 1}}))
	fmt.Printf("s = %v and s* = %v have the least error %.4f\n", cv.SD()[cv.Min()], cv.HyperSD()[cv.Min()], cv.Mean()[cv.Min()])
	// Output:
	// s = 0.2 and s* = 0 have the least error 0.5726
}
