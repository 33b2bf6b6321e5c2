package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// The errors are those of least squares on the columns chosen, by the normal equations' solution
// from QR, and no other column lowers the training error more.
func TestGreedySize(t *testing.T) {
	g, err := notebookBumps()
	if err != nil {
		t.Fatal(err)
	}
	x, y := drawBumps(500, Point{Seed: 76}.Source(2))
	test, err := mlreg.ExpandLike(g.train, x, y)
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for j, name := range g.train.Names {
		column[name] = j
	}
	terms := g.fit.Terms()
	for _, frame := range GreedySize().Params[0].Frames {
		k := int(frame)
		with := func(d *mlreg.Design, extra int) *mat.Dense {
			n := d.NObs()
			a := mat.NewDense(n, k+1, nil)
			for i := range n {
				a.Set(i, 0, 1)
				for c, name := range terms[:k] {
					j := column[name]
					if c == k-1 && extra >= 0 {
						j = extra
					}
					a.Set(i, c+1, d.X.At(i, j))
				}
			}
			return a
		}
		mse := func(a *mat.Dense, w mat.Vector, y []float64) float64 {
			var r mat.VecDense
			r.MulVec(a, w)
			r.SubVec(mat.NewVecDense(len(y), y), &r)
			return mat.Dot(&r, &r) / float64(len(y))
		}
		fit := func(a *mat.Dense) *mat.VecDense {
			var w mat.VecDense
			if err := w.SolveVec(a, mat.NewVecDense(50, g.train.Y)); err != nil {
				t.Logf("%d functions: %v", k, err)
			}
			return &w
		}
		a := with(g.train, -1)
		w := fit(a)
		train := mse(a, w, g.train.Y)
		wantNumbers(t, GreedySize(), []float64{frame}, train, mse(with(test, -1), w, y))
		if k > 7 {
			continue
		}
		for j := 0; j < 1000; j += 37 {
			if b := with(g.train, j); mse(b, fit(b), g.train.Y) < train*(1-1e-9) && !math.IsNaN(train) {
				t.Errorf("%d functions: column %d would have been better", k, j)
			}
		}
	}
}
