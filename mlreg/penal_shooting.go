package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
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
	s, err := args.OrDefaults(settings).checked()
	if err != nil {
		return nil, err
	}
	m, err := sumsOf(data)
	if err != nil {
		return nil, err
	}
	w := make([]float64, len(m.s.Names))
	if !s.FromZero && lambda > 0 {
		ridge, err := FitRidge(data, lambda, nil)
		if err != nil {
			return nil, err
		}
		w = ridge.Slopes()
	}
	f := &Shooting{s: shootingState{N: m.s.N, Lambda: lambda}}
	change := f.sweep(newShooter(m, lambda, w), s)
	f.l = linearState{header: m.header(), coefficients: coefficients{B: w}}
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

// checked returns the settings with their defaults.
func (s ShootingSettings) checked() (ShootingSettings, error) {
	if s.Tol < 0 || math.IsNaN(s.Tol) || s.Sweeps < 0 {
		return s, fmt.Errorf("%w: Tol = %v, Sweeps = %d; neither is negative", ErrSetting, s.Tol, s.Sweeps)
	}
	if s.Random != nil {
		if err := args.Given("the source of randomness", s.Random); err != nil {
			return s, err
		}
	}
	if s.Tol == 0 {
		s.Tol = 1e-4
	}
	if s.Sweeps == 0 {
		s.Sweeps = defaultSweeps
	}
	return s, nil
}

// sweep takes the terms one after the other until the slopes change by less than
// Tol, and returns by how much they changed in the last sweep.
func (f *Shooting) sweep(shooter *shooter, s ShootingSettings) (change float64) {
	order := gram.NumbersTo(len(shooter.w))
	f.s.Trace, f.s.Objectives = slices.Clone(shooter.w), []float64{shooter.objective()}
	var random *rand.Rand
	if s.Random != nil {
		random = rand.New(s.Random)
	}
	change = math.Inf(1)
	for sweep := 0; sweep < s.Sweeps && change >= s.Tol; sweep++ {
		if random != nil {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		change = 0
		for _, j := range order {
			change += shooter.step(j)
		}
		f.s.Trace = append(f.s.Trace, shooter.w...)
		f.s.Change = append(f.s.Change, change)
		f.s.Objectives = append(f.s.Objectives, shooter.objective())
	}
	return change
}

// A shooter minimizes y'y - 2w'X'y + w'X'Xw + lambda sum_j |w_j| over one slope at
// a time.
type shooter struct {
	xx     *mat.SymDense
	xy     []float64
	yy     float64
	lambda float64
	w      []float64
}

func newShooter(m *Moments, lambda float64, w []float64) *shooter {
	g, xy, yy := m.s.About(m.s.NoIntercept)
	return &shooter{xx: mat.NewSymDense(g.N, g.Data), xy: xy, yy: yy, lambda: lambda, w: w}
}

// product returns sum_k (X'X)_jk w_k.
func (s *shooter) product(j int) float64 {
	var sum float64
	for k, v := range s.w {
		sum += s.xx.At(j, k) * v
	}
	return sum
}

func (s *shooter) objective() float64 {
	sum := s.yy
	for j, v := range s.w {
		sum += v*(s.product(j)-2*s.xy[j]) + s.lambda*math.Abs(v)
	}
	return sum
}

// step minimizes over slope j and returns by how much it changed. A term that is
// zero in every row has no slope.
func (s *shooter) step(j int) (change float64) {
	a := 2 * s.xx.At(j, j)
	if a == 0 {
		s.w[j] = 0
		return 0
	}
	c := 2 * (s.xy[j] - s.product(j) + s.xx.At(j, j)*s.w[j])
	next := 0.0
	if math.Abs(c) > s.lambda {
		next = (c-math.Copysign(s.lambda, c))/a + 0 // 0 for -0
	}
	change = math.Abs(next - s.w[j])
	s.w[j] = next
	return change
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
func (f *Shooting) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Shooting) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Describe returns the table of the coefficients, with the number of sweeps, how far
// the last one went, and the objective.
func (f *Shooting) Describe() *report.Table {
	t := &report.Table{
		Title:   fmt.Sprintf("Lasso of %s at λ = %s by the shooting algorithm", f.Response(), format.Number(f.Lambda(), 6)),
		Columns: []report.Column{report.TextColumn("term", f.Names()...), tables.Estimates(f.Coef())},
	}
	if change := f.Change(); len(change) > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s, the last changed the slopes by %s in all", format.Plural(f.Sweeps(), "sweep"), format.Number(change[len(change)-1], 2)))
	}
	objective := f.Objective()
	t.Notes = append(t.Notes, "RSS + λΣ|b| = "+format.Number(objective[len(objective)-1], 6)+", without a certificate")
	return t
}

// String writes the table of the fit as text.
func (f *Shooting) String() string { return f.Describe().String() }
