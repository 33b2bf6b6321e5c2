package live

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The posterior of every frame from the normal equations.
func TestPriorWidth(t *testing.T) {
	e := PriorWidth()
	_, d, err := linePoints(Point{Seed: e.Seed})
	if err != nil {
		t.Fatal(err)
	}
	for _, tau2 := range e.Params[0].Frames {
		lambda := 0.04 / tau2
		var a mat.Dense
		x := mat.NewDense(20, 2, nil)
		for i := range 20 {
			x.SetRow(i, []float64{1, d.X.At(i, 0)})
		}
		a.Mul(x.T(), x)
		gram := mat.DenseCopyOf(&a)
		a.Set(0, 0, a.At(0, 0)+lambda)
		a.Set(1, 1, a.At(1, 1)+lambda)
		var inverse, effective mat.Dense
		if err := inverse.Inverse(&a); err != nil {
			t.Fatal(err)
		}
		effective.Mul(gram, &inverse)
		var xy, w mat.VecDense
		xy.MulVec(x.T(), mat.NewVecDense(20, d.Y))
		w.MulVec(&inverse, &xy)
		outside := 0.
		for i := range 20 {
			row := mat.NewVecDense(2, []float64{1, d.X.At(i, 0)})
			variance := 0.04 + 0.04*mat.Inner(row, &inverse, row)
			if r := d.Y[i] - mat.Dot(row, &w); r*r > 1.959964*1.959964*variance {
				outside++
			}
		}
		wantNumbers(t, e, []float64{tau2}, lambda, w.AtVec(0), w.AtVec(1), mat.Trace(&effective), outside)
	}
}
