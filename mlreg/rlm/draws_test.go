package rlm

import (
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// interacted is y ~ x*g of rows in some order, with a level of g that the factor starts from.
func interacted(seed uint64, reference int, permuted bool) *mlreg.Design {
	const n, levels = 60, 4
	rnd := rand.New(rand.NewPCG(seed, 5))
	x, y, g := make([]float64, n), make([]float64, n), make([]int, n)
	for i := range n {
		x[i], g[i] = rnd.NormFloat64(), i%levels
		y[i] = float64(g[i]) + x[i]*float64(g[i]-1) + 0.3*rnd.NormFloat64()
		if rnd.IntN(5) < 2 {
			x[i], y[i] = 2+x[i], 10*rnd.NormFloat64()
		}
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	if permuted {
		order = rnd.Perm(n)
	}
	d := &mlreg.Design{X: mat.NewDense(n, 2*levels-1, nil), Y: make([]float64, n), Names: []string{"x"}}
	for row, i := range order {
		d.Y[row] = y[i]
		d.X.Set(row, 0, x[i])
	}
	at := 1
	for level := range levels {
		if level == reference {
			continue
		}
		name := string(rune('a' + level))
		d.Names = append(d.Names, name, "x:"+name)
		for row, i := range order {
			if g[i] == level {
				d.X.Set(row, at, 1)
				d.X.Set(row, at+1, x[i])
			}
		}
		at += 2
	}
	return d
}

// The starts of MM-estimates and of Student's t are the same for any order of the rows, and for
// any level that a factor starts from.
func TestStartsAreThoseOfTheRows(t *testing.T) {
	for seed := range uint64(40) {
		for _, fit := range []struct {
			name string
			of   func(d *mlreg.Design) (float64, error)
		}{
			{"MM", func(d *mlreg.Design) (float64, error) {
				f, err := Fit(d, &Settings{Subsamples: 50})
				if err != nil {
					return 0, err
				}
				return f.Scale(), nil
			}},
			{"Student", func(d *mlreg.Design) (float64, error) {
				f, err := FitStudent(d, &StudentSettings{Nu: 2, Subsamples: 20})
				if err != nil {
					return 0, err
				}
				return f.LogLik(), nil
			}},
		} {
			want := fatal.On(fit.of(interacted(seed, 0, false)))(t)
			for _, d := range []*mlreg.Design{interacted(seed, 2, false), interacted(seed, 0, true), interacted(seed, 3, true)} {
				expect.Near(t, fit.name, fatal.On(fit.of(d))(t), want, 1e-7)
			}
		}
	}
}

// Some of the rows keep their responses.
func TestTake(t *testing.T) {
	r := &robustRows{a: blas64.General{Rows: 3, Cols: 2, Stride: 2, Data: []float64{1, 2, 3, 4, 5, 6}}, y: []float64{7, 8, 9}}
	got := r.take([]int{2, 0})
	if !slices.Equal(got.y, []float64{9, 7}) || !slices.Equal(got.a.Data, []float64{5, 6, 1, 2}) {
		t.Errorf("%v and %v", got.a.Data, got.y)
	}
}
