package ours

import (
	"math"
	"slices"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
)

// Sparse replaces the response, in whose model every term has a part, by one of
// 20 terms with the same noise:
//
//	y = 1 + x_1 - x_{1+k} + x_{1+2k} - ... - x_{1+19k} + e,   k = p/20 rounded down.
func Sparse(d *mlreg.Design) *mlreg.Design {
	n, p := d.X.Dims()
	s := *d
	s.Y = make([]float64, n)
	for i := range n {
		row := d.X.RawRowView(i)
		s.Y[i] = d.Y[i]
		for j, x := range row {
			s.Y[i] -= float64((j+1)%5-2) / 4 * x
		}
		sign := 1.0
		for k := range 20 {
			s.Y[i] += sign * row[k*(p/20)]
			sign = -sign
		}
	}
	return &s
}

// lassoPathTask fits 100 lambdas down to 0.001 of the largest if there are more
// rows than terms, and to 0.01 if not; the answer is the objectives and the largest gap.
func lassoPathTask(d *mlreg.Design) func() []float64 {
	d = Sparse(d)
	s := &mlreg.PathSettings{Ratio: 0.01}
	if d.NObs() > d.NTerms() {
		s.Ratio = 0.001
	}
	return func() []float64 {
		path := try.Get(mlreg.FitLassoPath(d, s))
		return append(path.Objective(), slices.Max(path.Gap()))
	}
}

// lassoCVTask cross-validates in ten folds; the answer is the mean losses.
func lassoCVTask(d *mlreg.Design) func() []float64 {
	d = Sparse(d)
	assignment := make([]int, d.NObs())
	for i := range assignment {
		assignment[i] = i % 10
	}
	folds := try.Get(mlreg.NewFolds(assignment))
	return func() []float64 {
		cv := try.Get(mlreg.FitLassoCV(d, folds, &mlreg.PathSettings{Ratio: 0.01}, nil))
		return cv.Mean()
	}
}

// ridgePathTask fits 100 lambdas from 100 n to n/1000; the answer is the
// objectives and the largest violation of the optimality conditions.
func ridgePathTask(d *mlreg.Design) func() []float64 {
	d = Sparse(d)
	s := &mlreg.RidgePathSettings{}
	for k := range 100 {
		s.Lambda = append(s.Lambda, float64(d.NObs())*math.Pow(10, 2-5*float64(k)/99))
	}
	return func() []float64 {
		path := try.Get(mlreg.FitRidgePath(d, s))
		return append(path.Objective(), slices.Max(path.KKT()))
	}
}

// gramTask computes the means and cross-products of the columns.
func gramTask(d *mlreg.Design) func() []float64 {
	return func() []float64 {
		m := try.Get(d.Moments())
		return m.SXY()
	}
}

// ladTask fits by least absolute deviations.
func ladTask(d *mlreg.Design) func() []float64 {
	return func() []float64 {
		f := try.Get(quantreg.FitLAD(d, nil))
		return f.Coef()
	}
}
