package live

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/mlreg"
)

// Bias and variance along each component, in closed form.
func TestDirection(t *testing.T) {
	e := Direction()
	for direction := range 3 {
		d, err := DirectionSignal(direction, e.Seed)
		if err != nil {
			t.Fatal(err)
		}
		n, p := d.X.Dims()
		square, along := make([]float64, p), make([]float64, p) // s_k^2, and of f along u_k
		for k := range p {
			z := mat.Col(nil, k, d.X)
			for i, v := range z {
				square[k] += v * v
				along[k] += v * d.Y[i]
			}
			along[k] *= along[k] / square[k]
		}
		var signal float64
		for _, v := range along {
			signal += v / float64(n)
		}
		if math.Abs(signal-2) > 1e-9 {
			t.Errorf("the signal's mean square is %v", signal)
		}
		best, components, rest := signal, 0, signal
		for k := range p {
			rest += (1 - along[k]) / float64(n)
			if rest < best {
				best, components = rest, k+1
			}
		}
		for _, lambda := range e.Params[1].Frames {
			var ridge, dof float64
			for k := range p {
				w := square[k] / (square[k] + lambda)
				ridge += ((1-w)*(1-w)*along[k] + w*w) / float64(n)
				dof += w
			}
			wantNumbers(t, e, []float64{float64(direction), lambda}, ridge, dof, best, float64(components), float64(p)/float64(n))
		}
	}
	if _, err := DirectionSignal(3, 1); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

// Least squares with imagined rows, by QR.
func TestDegree20(t *testing.T) {
	e := Degree20()
	df, d, err := Degree20Data(e.Seed)
	if err != nil {
		t.Fatal(err)
	}
	x, truth := df.Col("x").Float(), datasets.Sine().F
	n, p := d.X.Dims()
	for _, lambda := range []float64{1e-4, 0.1, 100} {
		rows, y := mat.NewDense(n+p, p+1, nil), mat.NewVecDense(n+p, nil)
		for i := range n {
			rows.Set(i, 0, 1)
			for j := range p {
				rows.Set(i, j+1, d.X.At(i, j))
			}
			y.SetVec(i, d.Y[i])
		}
		for j := range p {
			rows.Set(n+j, j+1, math.Sqrt(lambda))
		}
		var w, yhat mat.VecDense
		if err := w.SolveVec(rows, y); err != nil {
			t.Fatal(err)
		}
		yhat.MulVec(rows, &w)
		var rss, off float64
		for i := range n {
			v := yhat.AtVec(i)
			rss += (d.Y[i] - v) * (d.Y[i] - v)
			off += (v - truth(x[i])) * (v - truth(x[i])) / float64(n)
		}
		var svd mat.SVD
		svd.Factorize(d.X, mat.SVDNone)
		dof := 1.0
		for _, s := range svd.Values(nil) {
			dof += s * s / (s*s + lambda)
		}
		wantNumbers(t, e, []float64{lambda}, dof, off, rss)
	}
}
