package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ShootingSettings are the options of ShootingAlgorithm.
type ShootingSettings struct {
	// Random, if not nil, makes every sweep take the terms in another random
	// order. The default takes them in the order of the design.
	Random rand.Source
	// FromZero starts at zero. The default starts at ridge regression with the
	// same lambda.
	FromZero bool
	// Tol stops when sum_j |w_j - w_j of the sweep before| is less. The default 0
	// is 1e-4.
	Tol float64
	// Sweeps is the largest number of sweeps. The default 0 is 10,000.
	Sweeps int
}

// Shooting is the lasso by ShootingAlgorithm, with all its steps. It holds no
// data and does not change.
type Shooting struct {
	linear
	s shootingState
}

type shootingState struct {
	N                  int
	Lambda             float64
	Trace              []float64 // slopes after every sweep, the start first
	Change, Objectives []float64
}

// ShootingAlgorithm minimizes RSS + lambda sum_j |w_j| by the plain coordinate
// descent of lectures: for one j after another, with
//
//	a_j = 2 sum_i x_ij^2,   c_j = 2 sum_i x_ij (y_i - sum_{k != j} x_ik w_k),
//	w_j = soft(c_j/a_j, lambda/a_j),   soft(z, t) = sign(z) max(|z| - t, 0),
//
// X and y centered if there is an intercept, until a sweep changes the slopes by
// less than Tol in all. (With a_j = sum_i x_ij^2, as some slides have it, the step
// would be twice too long.) It is for seeing how the algorithm goes: it stops
// when it slows down, without a certificate, and takes many sweeps if columns are
// correlated: as columns are that have means and no intercept to take them off.
// The scale of a column does not matter to it, only to the penalty and to Tol.
//
// If it does not stop within the allowed sweeps, the last of them is returned
// together with a *ConvergenceError. Nil settings are the defaults. Errors:
// ErrNoData, ErrShape, ErrNotFinite, ErrSetting.
//
// Fu, Journal of Computational and Graphical Statistics 7 (1998), 397-416;
// Murphy, Machine Learning (2012), algorithm 13.1.
func ShootingAlgorithm(data Data, lambda float64, settings *ShootingSettings) (*Shooting, error) {
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	s := orDefaults(settings)
	if s.Tol < 0 || math.IsNaN(s.Tol) || s.Sweeps < 0 {
		return nil, fmt.Errorf("%w: Tol = %v, Sweeps = %d", ErrSetting, s.Tol, s.Sweeps)
	}
	if s.Tol == 0 {
		s.Tol = 1e-4
	}
	if s.Sweeps == 0 {
		s.Sweeps = defaultSweeps
	}
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	w, order := make([]float64, len(m.s.Names)), make([]int, len(m.s.Names))
	if !s.FromZero && lambda > 0 {
		ridge, err := FitRidge(data, lambda, nil)
		if err != nil {
			return nil, err
		}
		w = ridge.Slopes()
	}
	for j := range order {
		order[j] = j
	}
	shuffle := func() {}
	if s.Random != nil {
		rnd := rand.New(s.Random)
		shuffle = func() { rnd.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] }) }
	}

	g, xy, yy := m.s.About(m.s.NoIntercept)
	xx := mat.NewSymDense(g.N, g.Data)
	product := func(j int) float64 { // sum_k (X'X)_jk w_k
		var sum float64
		for k, v := range w {
			sum += xx.At(j, k) * v
		}
		return sum
	}
	objective := func() float64 {
		sum := yy
		for j, v := range w {
			sum += v*(product(j)-2*xy[j]) + lambda*math.Abs(v)
		}
		return sum
	}
	f := &Shooting{s: shootingState{N: m.s.N, Lambda: lambda, Trace: slices.Clone(w), Objectives: []float64{objective()}}}
	change := math.Inf(1)
	for sweep := 0; sweep < s.Sweeps && change >= s.Tol; sweep++ {
		shuffle()
		change = 0
		for _, j := range order {
			a := 2 * xx.At(j, j)
			if a == 0 {
				w[j] = 0
				continue
			}
			c := 2 * (xy[j] - product(j) + xx.At(j, j)*w[j])
			next := 0.0
			if math.Abs(c) > lambda {
				next = (c-math.Copysign(lambda, c))/a + 0 // 0 for -0
			}
			change += math.Abs(next - w[j])
			w[j] = next
		}
		f.s.Trace = append(f.s.Trace, w...)
		f.s.Change = append(f.s.Change, change)
		f.s.Objectives = append(f.s.Objectives, objective())
	}
	f.l = linearState{header: m.s.header.clone(), coefficients: coefficients{B: w}}
	if !m.s.NoIntercept {
		f.l.B0 = m.s.MeanY
		for j, v := range w {
			f.l.B0 -= v * m.s.MeanX[j]
		}
	}
	if change >= s.Tol {
		return f, &ConvergenceError{
			Method: "the shooting algorithm", Iterations: len(f.s.Change), Measure: "change of the slopes in a sweep", Value: change, Tol: s.Tol,
		}
	}
	return f, nil
}

// Lambda returns the penalty.
func (f *Shooting) Lambda() float64 { return f.s.Lambda }

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Shooting) NObs() int { return f.s.N }

// Sweeps returns the number of sweeps.
func (f *Shooting) Sweeps() int { return len(f.s.Change) }

// Trace returns the slopes at the start and after every sweep, a row for each, a
// column for every term.
func (f *Shooting) Trace() *mat.Dense {
	return mat.NewDense(f.Sweeps()+1, len(f.l.B), slices.Clone(f.s.Trace))
}

// Change returns sum_j |w_j - w_j of the sweep before| for every sweep.
func (f *Shooting) Change() []float64 { return slices.Clone(f.s.Change) }

// Objective returns RSS plus penalty at the start and after every sweep: it never
// increases.
func (f *Shooting) Objective() []float64 { return slices.Clone(f.s.Objectives) }

// GobEncode implements gob.GobEncoder.
func (f *Shooting) GobEncode() ([]byte, error) { return gobEncode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Shooting) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }
