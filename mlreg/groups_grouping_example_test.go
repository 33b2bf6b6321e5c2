package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
)

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

// The slopes of the first two schools, with their limits.
func ExampleGroupCoefs_Limits() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))
	var schools *mlreg.GroupCoefs = must.M1(fit.GroupCoefs("school"))
	for _, l := range must.M1(schools.Limits("standLRT", 0.95))[:2] {
		fmt.Printf("slope of school %s: %.3f to %.3f\n", l.Term, l.Lower, l.Upper)
	}
	// Output:
	// slope of school 1: 0.555 to 0.810
	// slope of school 2: 0.590 to 0.854
}

// Intercepts and slopes that vary with one variance each, and a pupil of a new school.
func ExampleGroupPredictive() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	varying := []mlreg.Varying{{Level: "school", Shape: mlreg.DiagonalCovariance}}
	fit := must.M1(hier.Fit(h.Design, h.Groups, &hier.Settings{Varying: varying}))
	var p *mlreg.GroupPredictive = must.M1(fit.PredictGroups(h.Design.Rows(0), must.M1(mlreg.NewGrouping("school", []int{99})), 0.95))
	fmt.Printf("%.3f %q\n", p.Mean, p.Seen)
	// Output:
	// [0.337] [""]
}
