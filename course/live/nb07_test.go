package live

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// The errors are those of least squares on the columns chosen, by the normal equations' solution
// from QR, and no other column lowers the training error more.
func TestGreedySize(t *testing.T) {
	g := fitBumps(Point{Seed: 76})
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
	criteria := wantCriteria(t, g)
	e := GreedySize()
	for _, frame := range e.Params[0].Frames {
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
		for c, values := range criteria {
			best, sign := 0, 1.0
			if sizeCriteria[c] == "adjusted R²" {
				sign = -1
			}
			for size, v := range values {
				if sign*v < sign*values[best] {
					best = size
				}
			}
			at := []float64{frame, float64(c)}
			wantNumbers(t, e, at, train, mse(with(test, -1), w, y), values[k], float64(best))
			view, err := e.Draw(at, nil)
			if err != nil {
				t.Fatal(err)
			}
			if a, b := fmt.Sprintf("With %d functions ", k), fmt.Sprintf("By %s, %s here, the number chosen is %d.", sizeCriteria[c], format.Number(values[k], 3), best); !strings.HasPrefix(view.Figure.Alt, a) || !strings.HasSuffix(view.Figure.Alt, b) {
				t.Errorf("%g: %q, wanted from %q to %q", at, view.Figure.Alt, a, b)
			}
		}
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

// wantCriteria returns the criteria of GreedySize for none to forty functions: from residual sums
// of squares by QR, and from ten choices, each tested on the rows that it has not seen.
func wantCriteria(t *testing.T, g greedyBumps) [][]float64 {
	t.Helper()
	residuals := func(train, test *mlreg.Design, terms []string) (squares float64) {
		chosen := func(d *mlreg.Design) *mat.Dense {
			a := mat.NewDense(d.NObs(), len(terms)+1, nil)
			for i := range d.NObs() {
				a.Set(i, 0, 1)
			}
			for c, name := range terms {
				a.SetCol(c+1, mat.Col(nil, slices.Index(d.Names, name), d.X))
			}
			return a
		}
		var w, r mat.VecDense
		if err := w.SolveVec(chosen(train), mat.NewVecDense(train.NObs(), train.Y)); err != nil {
			t.Logf("%d functions: %v", len(terms), err)
		}
		r.MulVec(chosen(test), &w)
		r.SubVec(mat.NewVecDense(test.NObs(), test.Y), &r)
		return mat.Dot(&r, &r)
	}
	const n = 50
	want := make([][]float64, 5)
	tss := residuals(g.train, g.train, nil)
	for k := range 41 {
		rss, r := residuals(g.train, g.train, g.fit.Terms()[:k]), float64(k+1)
		minus2 := n * (math.Log(2*math.Pi*rss/n) + 1) // -2 log likelihood, which has r weights and a variance
		want[0] = append(want[0], minus2+2*(r+1))
		want[1] = append(want[1], minus2+math.Log(n)*(r+1))
		want[2] = append(want[2], rss/0.01+2*r-n)
		want[3] = append(want[3], 1-rss/(n-r)/(tss/(n-1)))
	}
	folds, err := mlreg.KFold(n, 10, Point{Seed: 76}.Source(3))
	if err != nil {
		t.Fatal(err)
	}
	want[4] = make([]float64, 41)
	for fold := range folds.Len() {
		train, test := g.train.Rows(folds.Train(fold)...), g.train.Rows(folds.Test(fold)...)
		fit, err := mlreg.FitGreedy(train, &mlreg.GreedySettings{MaxTerms: 40})
		if err != nil {
			t.Fatal(err)
		}
		for k := range want[4] {
			want[4][k] += residuals(train, test, fit.Terms()[:k]) / n
		}
	}
	return want
}
