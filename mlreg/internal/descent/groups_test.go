package descent

import (
	"math"
	"math/rand/v2"
	"testing"
)

// blocksOf cuts p weights into blocks of 1, 2, 3, 1, ...
func blocksOf(p int) [][]int {
	var of [][]int
	for from, size := 0, 1; from < p; size = size%3 + 1 {
		var b []int
		for j := from; j < min(from+size, p); j++ {
			b = append(b, j)
		}
		of = append(of, b)
		from += size
	}
	return of
}

// group is a group lasso, or elastic net for l2 > 0, with the usual factors sqrt(p_g);
// block 1 is free.
func group(of [][]int, l1, l2 float64) *Elastic {
	e := &Elastic{Of: of}
	for b, g := range of {
		f := math.Sqrt(float64(len(g)))
		if b == 1 {
			f = 0
		}
		e.L1, e.L2 = append(e.L1, l1*f), append(e.L2, l2*f)
	}
	return e
}

// box is a penalty that no other code knows: weights between 0 and top, at a price.
type box struct {
	*Elastic
	top, price float64
}

func (x box) Value(_ int, w []float64) float64 { return x.price * w[0] }
func (x box) Prox(_ int, w []float64, step float64) {
	w[0] = min(max(w[0]-step*x.price, 0), x.top)
}
func (x box) Distance(_ int, w, u []float64) float64 {
	switch {
	case w[0] == 0:
		return math.Max(u[0]-x.price, 0)
	case w[0] == x.top:
		return math.Max(x.price-u[0], 0)
	}
	return math.Abs(u[0] - x.price)
}
func (x box) Conjugate(_ int, u []float64, _ float64) float64 {
	return x.top * math.Max(u[0]-x.price, 0)
}
func (x box) Size(_ int, u []float64) float64 { return math.Max(u[0], 0) }
func (x box) Limit(int) float64               { return x.price }
func (x box) Smooth(_ int, w, grad, _ []float64) bool {
	grad[0] += x.price
	return w[0] > 0 && w[0] < x.top
}
func (x box) Crossing(_ int, w, d []float64) float64 {
	if w[0]+d[0] > 0 {
		return 1
	}
	return -w[0] / d[0]
}

// slow minimizes by proximal gradient steps with momentum, of all weights at once,
// and returns the objective.
func slow(m Model, pen Penalty, steps int) float64 {
	p := m.Weights()
	all, none := make([]int, p), make([]float64, p)
	var top float64
	for c := range all {
		all[c], none[c] = c, -1
		top += m.Length(c) * m.Length(c)
	}
	top *= 2 // bounds the second derivatives of squares, and of the losses in these tests
	w, z, u := make([]float64, p), make([]float64, p), make([]float64, p)
	objective := math.Inf(1)
	for k, t := 0, 1.0; k < steps; k++ {
		m.Move(all, z)
		m.Descent(all, none, u)
		next := make([]float64, p)
		for b, of := range pen.Blocks() {
			var part []float64
			for _, c := range of {
				part = append(part, z[c]+u[c]/top)
			}
			pen.Prox(b, part, 1/top)
			for i, c := range of {
				next[c] = part[i]
			}
		}
		now := m.Move(all, next)
		for b, of := range pen.Blocks() {
			var part []float64
			for _, c := range of {
				part = append(part, next[c])
			}
			now += pen.Value(b, part)
		}
		if now > objective {
			t = 1 // start anew
		}
		objective = now
		s := (1 + math.Sqrt(1+4*t*t)) / 2
		for c, v := range next {
			z[c] = v + (t-1)/s*(v-w[c])
		}
		w, t = next, s
	}
	return objective
}

// models are the models that groups are tested on.
func models(seed uint64, n, p int) map[string]func() Model {
	s := simulate(seed, n, p)
	_, sums := problem(seed, n, p)
	units := make([]float64, p)
	for j := range units {
		units[j] = 0.5 + float64(j%3)
	}
	return map[string]func() Model{
		"rows":        func() Model { return NewQuadratic(NewRows(s.Columns), nil) },
		"sums":        func() Model { return NewQuadratic(sums, units) },
		"Huber":       func() Model { return NewLikelihood(s.Columns, newHuber(s.y, s.weights, 0.7), nil, true) },
		"logistic":    func() Model { return NewLikelihood(s.Columns, NewLogistic(s.labels, nil), nil, true) },
		"multinomial": func() Model { return NewLikelihood(s.Columns, NewMultinomial(s.classes, s.weights), nil, true) },
	}
}

// Whatever the loss and the penalty, the solver reaches the minimum that a slow
// method of a few lines finds, from every start, and its gap bounds the distance to it.
func TestProximalReachesTheMinimum(t *testing.T) {
	if testing.Short() {
		t.Skip("compares with a slow method")
	}
	for name, make := range models(11, 40, 9) {
		m := make()
		w := m.Weights()
		of := blocksOf(w)
		for penalty, pens := range map[string]func(l float64) Penalty{
			"groups":  func(l float64) Penalty { return group(of, l, 0) },
			"with L2": func(l float64) Penalty { return group(of, l, l/3) },
			"box":     func(l float64) Penalty { return box{&Elastic{Of: alone(w)}, 0.2, l} },
		} {
			solver := NewProximal(make(), pens(1).Blocks())
			var top float64
			for _, u := range solver.Descent() {
				top = math.Max(top, math.Abs(u))
			}
			for _, share := range []float64{0.5, 0.1, 0.02} {
				pen := pens(share * top)
				c := solver.Solve(pen, Tolerance{1e-11, 10_000})
				want := slow(m, pen, 6000)
				if !c.Done || math.Abs(c.Objective-want) > 1e-9*solver.Null() {
					t.Errorf("%s, %s, %g: %+v, want %.12g (null %g)", name, penalty, share, c, want, solver.Null())
				}
				bounded(t, name+", "+penalty, make(), pen, c.Objective)
			}
		}
	}
}

// bounded checks that objective less gap is at most the minimum, at random weights, and says
// something of it.
func bounded(t *testing.T, name string, m Model, pen Penalty, minimum float64) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	s := NewProximal(m, pen.Blocks())
	s.enter(pen)
	for range 30 {
		s.set, s.values = s.set[:0], s.values[:0]
		for c := range s.w {
			s.w[c] = 0
			if rnd.IntN(2) == 0 {
				s.w[c] = 0.2 * rnd.Float64()
				s.set, s.values = append(s.set, c), append(s.values, s.w[c])
			}
		}
		s.deviance = m.Move(s.set, s.values)
		c := s.check(pen, Tolerance{1e-12, 1})
		if c.Objective-c.Gap > minimum+1e-9*s.null || c.Objective < minimum-1e-9*s.null {
			t.Errorf("%s: objective %g and gap %g, and the minimum is %g", name, c.Objective, c.Gap, minimum)
		}
		if math.IsInf(c.Gap, 1) {
			t.Errorf("%s: rounding made the gap infinite", name)
		}
	}
}

// On data of columns that are equal, or zero, the certificate is reached as well.
func TestProximalOnDependentColumns(t *testing.T) {
	s := simulate(3, 30, 8)
	copy(s.Column(5), s.Column(4))
	copy(s.Column(0), s.Column(7))
	clear(s.Column(2))
	for name, m := range map[string]Model{
		"squares":     NewQuadratic(NewRows(s.Columns), nil),
		"multinomial": NewLikelihood(s.Columns, NewMultinomial(s.classes, nil), nil, true),
		"Poisson":     NewLikelihood(s.Columns, NewPoisson(s.counts, nil), nil, true),
	} {
		of := blocksOf(m.Weights())
		solver := NewProximal(m, of)
		for l := 10.0; l > 0.01; l /= 3 {
			if c := solver.Solve(group(of, l, 0), Tolerance{1e-10, 10_000}); !c.Done {
				t.Errorf("%s, %g: %+v", name, l, c)
			}
		}
		for _, w := range solver.w[2:3] {
			if w != 0 {
				t.Errorf("%s: the weight of a column of zeros is %g", name, w)
			}
		}
	}
}

// A gap of nothing but rounding takes some tens of sweeps, which are counted.
func TestProximalCountsSweeps(t *testing.T) {
	for name, m := range models(3, 30, 8) {
		of := blocksOf(m().Weights())
		if c := NewProximal(m(), of).Solve(group(of, 1, 0), Tolerance{1e-25, 10_000}); c.Sweeps < 1 || c.Sweeps > 100 {
			t.Errorf("%s: %+v", name, c)
		}
	}
}

// alone returns p blocks of one weight.
func alone(p int) (of [][]int) {
	for j := range p {
		of = append(of, []int{j})
	}
	return of
}
