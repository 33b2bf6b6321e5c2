package exercise

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
)

// men returns columns of the prostate data, of the training men, of the others, or of all.
func men(t *testing.T, train string, names ...string) (x *mat.Dense, y []float64) {
	df := datasets.Prostate()
	mask := df.Col("train").Records()
	rows := 0
	var values []float64
	for i, m := range mask {
		if train != "" && m != train {
			continue
		}
		rows++
		values = append(values, 1)
		for _, name := range names {
			s := df.Col(name)
			if s.Err != nil {
				t.Fatal(s.Err)
			}
			values = append(values, s.Elem(i).Float())
		}
		y = append(y, df.Col("lpsa").Elem(i).Float())
	}
	return mat.NewDense(rows, len(names)+1, values), y
}

// normalEquations returns the least-squares weights of y on the columns of x.
func normalEquations(t *testing.T, x *mat.Dense, y []float64) []float64 {
	var xx mat.Dense
	var xy, w mat.VecDense
	xx.Mul(x.T(), x)
	xy.MulVec(x.T(), mat.NewVecDense(len(y), y))
	if err := w.SolveVec(&xx, &xy); err != nil {
		t.Fatal(err)
	}
	return w.RawVector().Data
}

// residuals returns y - X w.
func residuals(x *mat.Dense, y, w []float64) []float64 {
	var fitted mat.VecDense
	fitted.MulVec(x, mat.NewVecDense(len(w), w))
	r := make([]float64, len(y))
	return floats.SubTo(r, y, fitted.RawVector().Data)
}

var predictors = []string{"lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"}

func init() {
	answers["01.1"] = func(t *testing.T) any { // x₁ and x₂ - 2 are orthogonal
		y, e1, e2 := []float64{0, 6, 0}, []float64{1, 1, 1}, []float64{-1, 0, 1}
		p := make([]float64, 3)
		floats.AddScaled(p, floats.Dot(y, e1)/3, e1)
		floats.AddScaled(p, floats.Dot(y, e2)/2, e2)
		return p
	}
	answers["01.2"] = func(t *testing.T) any {
		x, y := men(t, "T", "lcavol", "lweight")
		w := normalEquations(t, x, y)
		x, y = men(t, "F", "lcavol", "lweight")
		r := residuals(x, y, w)
		return floats.Dot(r, r) / float64(len(r))
	}
	answers["01.3"] = func(t *testing.T) any {
		x, y := men(t, "T", predictors...)
		r := residuals(x, y, normalEquations(t, x, y))
		return 1 - floats.Dot(r, r)/(float64(len(y))*stat.PopVariance(y, nil))
	}
	answers["01.4"] = func(t *testing.T) any {
		x, y := men(t, "", "lcavol")
		return func(c float64) float64 {
			moved := append([]float64(nil), y...)
			floats.AddScaled(moved, c, mat.Col(nil, 1, x))
			_, slope := stat.LinearRegression(mat.Col(nil, 1, x), moved, nil, false)
			return slope
		}
	}
	answers["01.5"] = func(t *testing.T) any {
		x, _ := men(t, "", "lcavol")
		var xx, inverse mat.Dense
		xx.Mul(x.T(), x)
		if err := inverse.Inverse(&xx); err != nil {
			t.Fatal(err)
		}
		return func(at float64) float64 {
			a := mat.NewVecDense(2, []float64{1, at})
			return mat.Inner(a, &inverse, a)
		}
	}
	answers["01.6"] = func(t *testing.T) any {
		x, y := men(t, "", "lcavol")
		last := len(y) - 1
		x.Set(last, 1, 1000*x.At(last, 1))
		at := mat.Col(nil, 1, x)
		_, slope := stat.LinearRegression(at, y, nil, false)
		mean, variance := stat.PopMeanVariance(at, nil)
		d := at[last] - mean
		return []float64{slope, (1 + d*d/variance) / float64(len(y))}
	}
}
