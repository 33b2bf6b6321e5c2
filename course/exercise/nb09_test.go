package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
)

func init() {
	answers["09b.1"] = func(t *testing.T) any {
		x, _ := prostateTraining(t)
		var values mat.EigenSym
		values.Factorize(crossProducts(x), false)
		return root(0, 1e4, func(lambda float64) float64 {
			dof := 1.0
			for _, square := range values.Values(nil) {
				dof += square / (square + lambda)
			}
			return 5 - dof
		})
	}
	// glmnet scales the response to variance 1 (divisor n), and lambda with it; its ridge
	// penalty is lambda/2 beside RSS/(2n).
	answers["09b.2"] = func(t *testing.T) any {
		_, y := prostateTraining(t)
		n := float64(len(y))
		return 0.2 * n / math.Sqrt(dot(y, y)/n)
	}
	answers["09.2"] = func(t *testing.T) any {
		x, y := standardized(t)
		return root(1, 50, func(lambda float64) float64 {
			w := ridgeEquations(t, x, y, lambda)
			return w[4] * w[5] // below zero at small penalties
		})
	}
	answers["09.3"] = func(t *testing.T) any {
		return func(s float64) float64 { // the parabola on a fine grid, and its minimum between
			f := func(d float64) float64 { return (1-d)*(1-d)*s*s + d*d }
			low, high := 0.0, 1.0
			for high-low > 1e-9 {
				a, b := low+(high-low)/3, high-(high-low)/3
				if f(a) < f(b) {
					high = b
				} else {
					low = a
				}
			}
			return f(low)
		}
	}
	answers["09.1"] = func(t *testing.T) any {
		low, high := 0.0, 1e4
		for range 60 {
			if mid := (low + high) / 2; 200/(200+mid) > 0.5 {
				low = mid
			} else {
				high = mid
			}
		}
		return math.Round(1e6*low) / 1e6
	}
	answers["09b.3"] = func(t *testing.T) any { // gradient steps on |y - x(a + b)|^2 + 10(a^2 + b^2), from two starts that differ
		x, y, _ := prostateTable(t)
		a, b := 3.0, -1.0
		for range 200000 {
			var gradient float64
			for i := range y {
				gradient += 2 * x[i][0] * (x[i][0]*(a+b) - y[i])
			}
			a, b = a-1e-4*(gradient+20*a), b-1e-4*(gradient+20*b)
		}
		return a / b
	}
}

// root is where a rising function is zero.
func root(low, high float64, f func(float64) float64) float64 {
	for range 200 {
		if mid := (low + high) / 2; f(mid) < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}

func crossProducts(x [][]float64) *mat.SymDense {
	xx := mat.NewSymDense(len(x), nil)
	for i := range x {
		for j := i; j < len(x); j++ {
			xx.SetSym(i, j, dot(x[i], x[j]))
		}
	}
	return xx
}

// ridgeEquations are those of ridge regression of centered columns.
func ridgeEquations(t *testing.T, x [][]float64, y []float64, lambda float64) []float64 {
	xx, xy := crossProducts(x), mat.NewVecDense(len(x), nil)
	for i := range x {
		xx.SetSym(i, i, xx.At(i, i)+lambda)
		xy.SetVec(i, dot(x[i], y))
	}
	var w mat.VecDense
	if err := w.SolveVec(xx, xy); err != nil {
		t.Fatal(err)
	}
	return w.RawVector().Data
}

// standardized returns the ten columns of the diabetes data, of mean 0 and variance 1, and the
// centered response.
func standardized(t *testing.T) (x [][]float64, y []float64) {
	t.Helper()
	df := datasets.Diabetes()
	for _, name := range df.Names() {
		column := df.Col(name).Float()
		var sum float64
		for _, v := range column {
			sum += v / float64(len(column))
		}
		for i := range column {
			column[i] -= sum
		}
		if name == "progression" {
			y = column
			continue
		}
		sd := math.Sqrt(dot(column, column) / float64(len(column)))
		for i := range column {
			column[i] /= sd
		}
		x = append(x, column)
	}
	return x, y
}
