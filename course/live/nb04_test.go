package live

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The posterior of every frame from the normal equations.
func TestPriorWidth(t *testing.T) {
	e := PriorWidth()
	settings := [][]float64{{0.01, -0.5, 7}, {0.1, 0.75, 3, 1.5, 2, -1, 0.25}}
	for _, tau2 := range e.Params[0].Frames {
		settings = append(settings, []float64{tau2, 0, 20})
	}
	for _, values := range settings {
		_, d := linePoints(Point{Seed: e.Seed, params: e.Params, values: values})
		n, tau2, mean := d.NObs(), values[0], values[1]
		if n != int(values[2])+len(values[3:])/2 {
			t.Fatalf("%d points at %g", n, values)
		}
		lambda := 0.04 / tau2
		var a mat.Dense
		x := mat.NewDense(n, 2, nil)
		for i := range n {
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
		xy.MulVec(x.T(), mat.NewVecDense(n, d.Y))
		xy.SetVec(1, xy.AtVec(1)+lambda*mean)
		w.MulVec(&inverse, &xy)
		outside := 0.
		for i := range n {
			row := mat.NewVecDense(2, []float64{1, d.X.At(i, 0)})
			variance := 0.04 + 0.04*mat.Inner(row, &inverse, row)
			if r := d.Y[i] - mat.Dot(row, &w); r*r > 1.959964*1.959964*variance {
				outside++
			}
		}
		wantNumbers(t, e, values, lambda, w.AtVec(0), w.AtVec(1), mat.Trace(&effective), outside)
	}
}
