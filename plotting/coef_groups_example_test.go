package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg/hier"
	"github.com/regbook/regbook/plotting"
)

// Bayesian regression as a graph.
func ExamplePlate() {
	plotting.Show(plotting.Plate(frames.Graph{
		{Name: "τ", Fixed: true, Column: 3, Row: 0},
		{Name: "w", Parents: []string{"τ"}, Column: 1.5, Row: 0},
		{Name: "x", Plates: []string{"row"}, Observed: true, Column: 0, Row: 1.6},
		{Name: "σ", Fixed: true, Column: 3, Row: 1.6},
		{Name: "y", Parents: []string{"w", "x", "σ"}, Plates: []string{"row"}, Observed: true, Column: 1.5, Row: 1.6},
	}))
	// Output:
	// Figure: directed model of 5 nodes, observed x, y
}

func ExampleCaterpillar() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))
	plotting.Show(plotting.Caterpillar(fit, "school", "(Intercept)", 0.95))
	// Output:
	// Figure: coefficients of (Intercept) in 65 groups in ascending order with limits; those of 32 leave b* out
}

func ExamplePartialPooling() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))
	plotting.Show(plotting.PartialPooling(fit, h.Design, h.Groups, "(Intercept)", "standLRT"))
	// Output:
	// Figure: two coefficients of 65 groups: arrows from those of each group alone to those of partial pooling, around the one of complete pooling
}
