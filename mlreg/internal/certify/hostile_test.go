package certify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// Hostile designs are right or refused, by an error that says why.
func TestHostileDesigns(t *testing.T) {
	base := design{n: 40, d: 8, neighbors: 0.5, score: "g", prior: "half", seed: 1}
	for name, c := range map[string]struct {
		change func(x [][]float64, y []float64)
		score  string
		want   error
	}{
		"duplicate":         {func(x [][]float64, y []float64) { copy(x[5], x[2]) }, "bic", &ColumnError{5}},
		"duplicate, slab":   {func(x [][]float64, y []float64) { copy(x[5], x[2]) }, "slab", nil},
		"sum of two":        {func(x [][]float64, y []float64) { sum(x[6], x[1], x[3], 0) }, "known", &ColumnError{6}},
		"nearly, 1e-3":      {func(x [][]float64, y []float64) { sum(x[6], x[1], x[3], 1e-3) }, "g", nil},
		"nearly, 1e-6":      {func(x [][]float64, y []float64) { sum(x[6], x[1], x[3], 1e-6) }, "g", ErrSingular},
		"nearly, 1e-6 slab": {func(x [][]float64, y []float64) { sum(x[6], x[1], x[3], 1e-6) }, "slab known", nil},
		"zero":              {func(x [][]float64, y []float64) { clear(x[4]) }, "g", &ColumnError{4}},
		"zero, slab":        {func(x [][]float64, y []float64) { clear(x[4]) }, "slab", nil},
		"large":             {func(x [][]float64, y []float64) { scale(x[3], 1e120) }, "g", nil},
		"large, slab":       {func(x [][]float64, y []float64) { scale(x[3], 1e30) }, "slab", nil},
		"small":             {func(x [][]float64, y []float64) { scale(x[3], 1e-120) }, "bic", nil},
		"large y":           {func(x [][]float64, y []float64) { scale(y, 1e110) }, "g", nil},
		"small y, known":    {func(x [][]float64, y []float64) { scale(y, 1e-110) }, "known", nil},
		"zero y":            {func(x [][]float64, y []float64) { clear(y) }, "g", ErrPerfectFit},
		"zero y, known":     {func(x [][]float64, y []float64) { clear(y) }, "known", nil},
		"perfect":           {func(x [][]float64, y []float64) { copy(y, x[2]) }, "bic", ErrPerfectFit},
		"perfect, known":    {func(x [][]float64, y []float64) { copy(y, x[2]) }, "known", nil},
		"nearly perfect":    {func(x [][]float64, y []float64) { sum(y, x[2], x[3], 1e-3) }, "g", nil},
		"no signal":         {func(x [][]float64, y []float64) { noise(y) }, "g", nil},
	} {
		d := base
		d.score = c.score
		x, y := d.data()
		c.change(x, y)
		p := d.of(x, y)
		r, err := Run(p, rand.NewPCG(1, 2), Settings{Nodes: 100, Draws: 5000, leaf: 2, Average: true})
		var column, wanted *ColumnError
		switch {
		case errors.As(c.want, &wanted):
			if !errors.As(err, &column) || *column != *wanted || !errors.Is(err, ErrSingular) {
				t.Errorf("%s: error %v, want %v", name, err, c.want)
			}
		case c.want != nil:
			if !errors.Is(err, c.want) {
				t.Errorf("%s: error %v, want %v", name, err, c.want)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			holds(t, name, r, sumAll(p))
		}
	}
}

func sum(to, a, b []float64, noise float64) {
	for i := range to {
		to[i] = a[i] + b[i] + noise*to[i]
	}
}

func scale(v []float64, by float64) {
	for i := range v {
		v[i] *= by
	}
}

func noise(v []float64) {
	r := rand.New(rand.NewPCG(9, 9))
	for i := range v {
		v[i] = r.NormFloat64()
	}
	standardize(v)
}

// As many columns as leave one degree of freedom, or none.
func TestFewDegreesOfFreedom(t *testing.T) {
	for n := 12; n < 16; n++ {
		c := design{n: n, d: 12, score: "bic", prior: "half", seed: uint64(n)}
		p := c.problem()
		r, err := Run(p, rand.NewPCG(1, 2), Settings{Nodes: 3000, Draws: 20000, leaf: 4})
		if n <= 13 {
			if err == nil {
				t.Errorf("n %d: no error", n)
			}
			continue
		}
		if err != nil {
			t.Fatalf("n %d: %v", n, err)
		}
		holds(t, fmt.Sprint("n ", n), r, sumAll(p))
	}
}

// Where hardly a draw would be accepted, bounds are all there is, and the result says so; if it is hopeless by
// far, before all nodes are made.
func TestHopeless(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range []struct {
		design
		most int
	}{{design{n: 60, d: 50, neighbors: 0.5, score: "g", prior: "half", seed: 2}, 4100}, {design{n: 40, d: 70, neighbors: 0.5, score: "slab", prior: "half", seed: 2}, 2000}} {
		r := get(Run(c.problem(), rand.NewPCG(1, 1), Settings{Nodes: 4000, Draws: 5000}))(t)
		if r.Status != Hopeless || r.Draws != 0 || !(r.Acceptance < leastAcceptance) {
			t.Errorf("%+v: status %v after %d draws, acceptance %g", c, r.Status, r.Draws, r.Acceptance)
		}
		if !(r.Normalizer.Width() > 5) || math.IsInf(r.Normalizer.Width(), 0) || !math.IsNaN(r.Normalizer.Estimate) {
			t.Errorf("%+v: log sum in %+v", c, r.Normalizer)
		}
		if r.Nodes > c.most {
			t.Errorf("%+v: %d nodes before it gave up", c, r.Nodes)
		}
	}
}

// Bad problems and settings are refused.
func TestBadProblems(t *testing.T) {
	for name, change := range map[string]func(p *Problem, s *Settings){
		"no column":       func(p *Problem, _ *Settings) { p.Columns = 0 },
		"short M":         func(p *Problem, _ *Settings) { p.M = p.M[1:] },
		"short Size":      func(p *Problem, _ *Settings) { p.Size = p.Size[1:] },
		"two scores":      func(p *Problem, _ *Settings) { p.Rate = -1 },
		"no score":        func(p *Problem, _ *Settings) { p.Power = 0 },
		"NaN":             func(p *Problem, _ *Settings) { p.M[3] = math.NaN() },
		"infinite":        func(p *Problem, _ *Settings) { p.Size[2] = math.Inf(-1) },
		"column missing":  func(p *Problem, _ *Settings) { p.Units = [][]int{{0}, {1}, {2}, {3}}; p.Size = p.Size[:5] },
		"column twice":    func(p *Problem, _ *Settings) { p.Units = [][]int{{0}, {1, 0}}; p.Size = p.Size[:3] },
		"not definite":    func(p *Problem, _ *Settings) { p.M[packed(2, 1)] = 5 },
		"alpha":           func(_ *Problem, s *Settings) { s.Alpha = 1 },
		"negative draws":  func(_ *Problem, s *Settings) { s.Draws = -1 },
		"width not given": func(_ *Problem, s *Settings) { s.Width = math.NaN() },
	} {
		p, s := design{n: 20, d: 5, score: "g", prior: "half", seed: 2}.problem(), Settings{}
		change(p, &s)
		if _, err := Run(p, rand.NewPCG(1, 1), s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
