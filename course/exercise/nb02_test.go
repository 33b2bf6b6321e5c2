package exercise

import (
	"math"
	"testing"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

func init() {
	answers["02.1"] = func(t *testing.T) any { // where erf is 0.99, by bisection
		low, high := 0.0, 10.0
		for range 60 {
			if mid := (low + high) / 2; math.Erf(mid/math.Sqrt2) < 0.99 {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	answers["02.2"] = func(t *testing.T) any { // the squares of n even steps of 10/n sum to 100 (n - 1/n)/12
		n := 2
		for 2*1.959963984540054*2/math.Sqrt(100*(float64(n)-1/float64(n))/12) > 0.1 {
			n++
		}
		return n
	}
	answers["02.3"] = func(t *testing.T) any { // Student's density with 4 degrees of freedom
		density := func(x float64) float64 { return 3. / 8 * math.Pow(1+x*x/4, -2.5) }
		return quad.Fixed(density, -1.959963984540054, 1.959963984540054, 60, nil, 0)
	}
	answers["02b.1"] = func(t *testing.T) any {
		x, y := men(t, "", predictors...)
		sd := make([]float64, 9)
		for j := 1; j < 9; j++ {
			sd[j] = math.Sqrt(stat.PopVariance(mat.Col(nil, j, x), nil))
		}
		w := normalEquations(t, x, y)
		r := residuals(x, y, w)
		rss := 0.0
		for _, e := range r {
			rss += e * e
		}
		var xx, inverse mat.Dense
		xx.Mul(x.T(), x)
		if err := inverse.Inverse(&xx); err != nil {
			t.Fatal(err)
		}
		a, b := sd[1], sd[5] // lcavol and svi
		variance := rss / 88 * (a*a*inverse.At(1, 1) + b*b*inverse.At(5, 5) - 2*a*b*inverse.At(1, 5))
		return 2 * distuv.StudentsT{Sigma: 1, Nu: 88}.Survival((a*w[1]-b*w[5])/math.Sqrt(variance))
	}
	answers["02b.2"] = func(t *testing.T) any { // by QR, the columns about their means
		rows := must.M1(frames.Where(datasets.Longley(), "Year != 1962"))
		names := []string{"GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year"}
		x := mat.NewDense(rows.Nrow(), len(names), nil)
		for j, name := range names {
			v := must.M1(frames.Floats(rows, name))
			floats.AddConst(-stat.Mean(v, nil), v)
			x.SetCol(j, v)
		}
		y := must.M1(frames.Floats(rows, "Employed"))
		var w mat.VecDense
		if err := w.SolveVec(x, mat.NewVecDense(len(y), y)); err != nil {
			t.Fatal(err)
		}
		return w.AtVec(5)
	}
	answers["02b.3"] = func(t *testing.T) any { // the sandwich of a line
		x, y := men(t, "", "lcavol")
		r := residuals(x, y, normalEquations(t, x, y))
		v := mat.Col(nil, 1, x)
		floats.AddConst(-stat.Mean(v, nil), v)
		squares, sum := floats.Dot(v, v), 0.0
		for i, e := range r {
			leverage := 1/float64(len(r)) + v[i]*v[i]/squares
			sum += math.Pow(v[i]*e/(1-leverage), 2)
		}
		return math.Sqrt(sum) / squares
	}
	answers["02.5"] = func(t *testing.T) any { // where the variance of the mean is four times the least
		x, _ := men(t, "", "lcavol")
		var xx, inverse mat.Dense
		xx.Mul(x.T(), x)
		if err := inverse.Inverse(&xx); err != nil {
			t.Fatal(err)
		}
		variance := func(at float64) float64 {
			a := mat.NewVecDense(2, []float64{1, at})
			return mat.Inner(a, &inverse, a)
		}
		mean := stat.Mean(mat.Col(nil, 1, x), nil)
		low, high := 0.0, 10.0
		for range 60 {
			if mid := (low + high) / 2; variance(mean+mid) < 4*variance(mean) {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	answers["02.4"] = func(t *testing.T) any { // how often a second estimate is within the limits of a first: 83%
		within := 2*distuv.UnitNormal.CDF(1.959964/math.Sqrt2) - 1
		return map[bool]string{true: "c", false: "b"}[math.Abs(within-0.95) < 0.01]
	}
}
