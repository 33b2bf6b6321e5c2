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
	// Output:
	// b* = [-0.0116 0.5565]
	// REML criterion 9327.600
	// Variances
	// groups    term         variance  std. dev.  correlation
	// school    (Intercept)   0.09212    0.30351
	// school    standLRT      0.01497    0.12234        0.494
	// Residual                0.55364    0.74407
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
	fmt.Printf("median of tau %.2f\n", must.M1(p.Quantile(0.5)))
	for _, row := range p.GroupCoefs().Rows[:2] {
		fmt.Printf("%s: %.1f ± %.1f\n", row.Group, row.Coef[0], row.StdErr[0])
	}
	// Output:
	// median of tau 5.24
	// A: 11.4 ± 8.3
	// B: 7.9 ± 6.3
}

// Alternation and gradient ascent end at one maximum.
func ExampleFitMultiTaskMAP() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	for _, method := range []mlreg.AscentMethod{mlreg.Alternation, mlreg.GradientAscent} {
		fit := must.M1(mlreg.FitMultiTaskMAP(h.Design, h.Groups, 0.55, []float64{0.3}, &mlreg.MultiTaskMAPSettings{Method: method}))
		fmt.Printf("%.4f after %d iterations\n", fit.Coef(), fit.Iterations())
	}
	// Output:
	// [-0.0129 0.5493] after 6 iterations
	// [-0.0129 0.5493] after 1060 iterations
}

func ExampleCrossValidateMultiTask() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	folds := must.M1(mlreg.KFold(4059, 5, rand.NewPCG(1, 2)))
	cv := must.M1(mlreg.CrossValidateMultiTask(h.Design, h.Groups, folds, 0.55, &mlreg.MultiTaskGrid{SD: []float64{0.05, 0.2, 1}}))
	fmt.Printf("s = %v has the least error %.4f\n", cv.SD()[cv.Min()], cv.Mean()[cv.Min()])
	// Output:
	// s = 0.2 has the least error 0.5726
}
