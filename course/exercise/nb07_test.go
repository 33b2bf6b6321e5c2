package exercise

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
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
		models := 1
		for k := 64; k > 0; k-- {
			models += k
		}
		return models
	}
	answers["07.3"] = func(t *testing.T) any {
		df := datasets.Diabetes()
		names := df.Names()[:10]
		y := df.Col("progression").Float()
		x := make([][]float64, 10)
		for j, name := range names {
			x[j] = df.Col(name).Float()
		}
		folds, err := mlreg.KFold(442, 10, rand.NewPCG(7, 3))
		if err != nil {
			t.Fatal(err)
		}
		var best, greedy float64
		for k := range folds.Len() {
			training, held := folds.Train(k), folds.Test(k)
			least, terms := math.Inf(1), uint(0)
			for subset := range uint(1) << 10 {
				if bits.OnesCount(subset) == 5 {
					if rss, _ := squares(t, x, y, subset, training, nil); rss < least {
						least, terms = rss, subset
					}
				}
			}
			_, e := squares(t, x, y, terms, training, held)
			best += e
			chosen := uint(0)
			for range 5 {
				least, next := math.Inf(1), uint(0)
				for j := range 10 {
					if with := chosen | 1<<j; with != chosen {
						if rss, _ := squares(t, x, y, with, training, nil); rss < least {
							least, next = rss, with
						}
					}
				}
				chosen = next
			}
			_, e = squares(t, x, y, chosen, training, held)
			greedy += e
		}
		return 100 * (greedy/best - 1)
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
