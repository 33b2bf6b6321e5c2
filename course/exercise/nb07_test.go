package exercise

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	answers["07.1"] = func(t *testing.T) any {
		none := 1.0
		for range 20 {
			none *= 0.95
		}
		return 1 - none
	}
	answers["07.2"] = func(t *testing.T) any {
		df := datasets.Prostate()
		all := must.M1(frames.Design(df, "lpsa ~ . - train"))
		train, test := must.M2(all.Split(must.M1(frames.Mask(df, "train", "T"))))
		two := must.M1(mlreg.FitOLS(must.M1(train.Select("lcavol", "lweight")), nil))
		errors := must.M1(mlreg.CompareErrors(test, []mlreg.NamedFit{
			{Name: "eight", Fit: must.M1(mlreg.FitOLS(train, nil))}, {Name: "two", Fit: two},
		}))
		if math.Abs(errors[1].Difference) < errors[1].DifferenceErr {
			return "b"
		}
		return ""
	}
	answers["07.3"] = func(t *testing.T) any {
		src := rand.NewPCG(7, 93)
		design := must.M1(datasets.NormalDesign(100, 20, 0, src))
		d := must.M1(datasets.LinearModel{Coef: make([]float64, 20), Sigma: 1}.Draw(design, src))
		x, rows := make([][]float64, 20), make([]int, 100)
		for j := range x {
			x[j] = mat.Col(nil, j, d.X)
		}
		for i := range rows {
			rows[i] = i
		}
		chosen, rss := uint(0), 0.0
		rss, _ = squares(t, x, d.Y, chosen, rows, nil)
		for { // AIC falls if log RSS falls by more than 2/n
			least, next := math.Inf(1), chosen
			for j := range x {
				if with := chosen | 1<<j; with != chosen {
					if e, _ := squares(t, x, d.Y, with, rows, nil); e < least {
						least, next = e, with
					}
				}
			}
			if math.Log(rss/least) <= 2.0/100 {
				return bits.OnesCount(chosen)
			}
			chosen, rss = next, least
		}
	}
	answers["07.4"] = func(t *testing.T) any {
		return func(v float64) float64 {
			cov, varA, varY := 1.0, v+1, 1.0+1.0
			return cov * cov / varA / varY
		}
	}
}

// squares fits least squares with an intercept on some rows, by QR, and returns the sum of
// squares on them and on others.
func squares(t *testing.T, x [][]float64, y []float64, terms uint, rows, others []int) (rss, other float64) {
	t.Helper()
	design := func(rows []int) (*mat.Dense, *mat.VecDense) {
		a, b := mat.NewDense(len(rows), bits.OnesCount(terms)+1, nil), mat.NewVecDense(len(rows), nil)
		for i, r := range rows {
			a.Set(i, 0, 1)
			b.SetVec(i, y[r])
			c := 1
			for j := range x {
				if terms>>j&1 == 1 {
					a.Set(i, c, x[j][r])
					c++
				}
			}
		}
		return a, b
	}
	a, b := design(rows)
	var w, r mat.VecDense
	if err := w.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	r.MulVec(a, &w)
	r.SubVec(b, &r)
	rss = mat.Dot(&r, &r)
	if others != nil {
		a, b = design(others)
		var r mat.VecDense
		r.MulVec(a, &w)
		r.SubVec(b, &r)
		other = mat.Dot(&r, &r)
	}
	return rss, other
}
