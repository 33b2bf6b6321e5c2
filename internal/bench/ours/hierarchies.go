package ours

import (
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
)

// examTask fits intercepts and slopes that vary between the schools of the exam data,
// whatever the design; the answer is the REML criterion.
func examTask(*mlreg.Design) func() []float64 {
	h := try.Get(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT | school)"))
	return criterionOf(h.Design, h.Groups)
}

// groupsTask fits the intercept and the slopes of the first three columns, which vary between
// groups of ten rows, by effect; the answer is the REML criterion.
func groupsTask(d *mlreg.Design) func() []float64 {
	const p = 3
	n := d.NObs()
	if d.NTerms() > p {
		d = &mlreg.Design{X: mat.DenseCopyOf(d.X.Slice(0, n, 0, p)), Y: d.Y, Names: d.Names[:p], Response: d.Response}
	}
	count := n / 10
	labels, y := make([]int, n), make([]float64, n)
	for i := range n {
		labels[i] = i % count
		y[i] = d.Y[i] + effect(labels[i], 0)
		for j := range p {
			y[i] += effect(labels[i], j+1) * d.X.At(i, j)
		}
	}
	groups := try.Get(mlreg.NewGrouping("g", labels))
	return criterionOf(d.WithResponse("y", y), groups)
}

// effect is between -0.8 and 0.8, spread evenly over the groups, another for every column.
func effect(group, column int) float64 {
	return float64((group+1)*(7919+104729*column)%1009)/630 - 0.8
}

func criterionOf(d *mlreg.Design, groups *mlreg.Grouping) func() []float64 {
	return func() []float64 {
		fit := try.Get(hier.Fit(d, groups, nil))
		return []float64{fit.Criterion()}
	}
}
