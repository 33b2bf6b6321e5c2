package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// laplaceSearch works on u = x/scale.
type laplaceSearch struct {
	f        func(u []float64) float64 // log density; NaN is -Inf
	set      LaplaceSettings
	scale    []float64
	start    []float64
	largestF float64 // largest |f| met, for the rounding of differences
}

func newLaplaceSearch(logDensity func(x []float64) float64, x0 []float64, settings *LaplaceSettings) (*laplaceSearch, error) {
	s := &laplaceSearch{}
	if settings != nil {
		s.set = *settings
	}
	d := len(x0)
	switch {
	case logDensity == nil:
		return nil, fmt.Errorf("%w: the log density is nil", ErrSetting)
	case d == 0:
		return nil, fmt.Errorf("%w: x0 is empty", ErrShape)
	case s.set.Scale != nil && len(s.set.Scale) != d:
		return nil, fmt.Errorf("%w: %d scales for %d coordinates", ErrShape, len(s.set.Scale), d)
	case s.set.MaxIterations < 0:
		return nil, fmt.Errorf("%w: MaxIterations = %d; it is not negative", ErrSetting, s.set.MaxIterations)
	}
	if err := args.Finite("x0", x0); err != nil {
		return nil, err
	}
	if s.set.MaxIterations == 0 {
		s.set.MaxIterations = 1000
	}
	s.scale = slices.Repeat([]float64{1}, d)
	for j, c := range s.set.Scale {
		if !(c > 0) || math.IsInf(c, 1) {
			return nil, fmt.Errorf("%w: scale %d is %v; it is positive and finite", ErrSetting, j+1, c)
		}
		s.scale[j] = c
	}
	s.f = func(u []float64) float64 {
		v := logDensity(s.x(u))
		if math.IsNaN(v) {
			return math.Inf(-1)
		}
		if a := math.Abs(v); a > s.largestF && !math.IsInf(a, 1) {
			s.largestF = a
		}
		return v
	}
	s.start = make([]float64, d)
	for j, x := range x0 {
		s.start[j] = x / s.scale[j]
	}
	if v := s.f(s.start); math.IsInf(v, 0) {
		return nil, fmt.Errorf("%w: the log density at x0 = %.4g is %v; start inside its support", ErrNotFinite, x0, logDensity(x0))
	}
	return s, nil
}

// x returns u in the units of the user.
func (s *laplaceSearch) x(u []float64) []float64 {
	x := slices.Clone(u)
	floats.Mul(x, s.scale)
	return x
}

var errEigenHessian = errors.New("mlreg: the eigenvalue decomposition of the Hessian did not converge")

// polish takes Newton's steps from u, which it changes, as long as they make
// the gradient smaller, and returns gradient and H there.
func (s *laplaceSearch) polish(u []float64) (g []float64, h *mat.SymDense, err error) {
	d := len(u)
	g = make([]float64, d)
	for range 20 {
		if h, err = s.hessian(u); err != nil {
			return nil, nil, err
		}
		s.gradient(g, u)
		r, err := s.factor(u, h)
		if err != nil {
			return nil, nil, s.explain(u, g, err)
		}
		step := slices.Clone(g)
		v := blas64.Vector{N: d, Inc: 1, Data: step}
		blas64.Trsv(blas.Trans, lsq.Upper(r), v)
		decrement := gram.Squares(step) // squared length of the step in standard deviations
		blas64.Trsv(blas.NoTrans, lsq.Upper(r), v)
		next, gNext := slices.Clone(u), make([]float64, d)
		floats.Add(next, step)
		if value := s.f(next); !math.IsInf(value, 0) && value >= s.f(u)-1e-12*s.largestF {
			s.gradient(gNext, next)
			if floats.Norm(gNext, 2) < 0.5*floats.Norm(g, 2) {
				copy(u, next)
				continue
			}
		}
		if decrement > 1e-8 {
			return nil, nil, s.explain(u, g, &ConvergenceError{
				Method: "search for the mode of the log density", Iterations: s.set.MaxIterations,
				Measure: "distance to the mode in standard deviations", Value: math.Sqrt(decrement), Tol: 1e-4,
			})
		}
		return g, h, nil
	}
	return g, h, nil
}

// explain returns what keeps u from being a mode: the boundary of the support
// if the log density rises towards it, or else err.
func (s *laplaceSearch) explain(u, g []float64, err error) error {
	worst := 0
	for j := range g {
		if math.Abs(g[j]) > math.Abs(g[worst]) {
			worst = j
		}
	}
	if floats.Norm(g, 2) < 1e-6 || g[worst] == 0 {
		return err
	}
	at, last := slices.Clone(u), s.f(u)
	for h := 1e-9; h < 1e6; h *= 2 {
		at[worst] = u[worst] + math.Copysign(h, g[worst])
		value := s.f(at)
		if math.IsInf(value, -1) {
			return s.atBoundary(u, worst, g[worst])
		}
		if value < last {
			return err
		}
		last = value
	}
	return fmt.Errorf("%w: the log density rises without end along coordinate %d; it has no mode", ErrBoundary, worst+1)
}

func (s *laplaceSearch) atBoundary(u []float64, j int, slope float64) error {
	return fmt.Errorf("%w: the mode is at the edge of the support in coordinate %d, at %.6g, with slope %.3g: Laplace's method needs it inside; "+
		"transform the coordinate, to its logarithm for example", ErrBoundary, j+1, u[j]*s.scale[j], slope/s.scale[j])
}

// factor returns R with H = R'R, or names the direction in which H does not
// curve.
func (s *laplaceSearch) factor(u []float64, h *mat.SymDense) (*mat.Dense, error) {
	d := len(u)
	unit := mat.NewSymDense(d, nil) // H with unit diagonal
	root := make([]float64, d)
	for j := range d {
		c := h.At(j, j)
		if c <= s.noise(c) {
			direction := make([]float64, d)
			direction[j] = 1
			return nil, &HessianError{s.x(u), direction, c / s.scale[j] / s.scale[j]}
		}
		root[j] = math.Sqrt(c)
	}
	for i := range d {
		for j := i; j < d; j++ {
			unit.SetSym(i, j, h.At(i, j)/root[i]/root[j])
		}
	}
	tol := 1e-8
	if s.set.Hess != nil {
		tol = 1e-13
	}
	var eig mat.EigenSym
	if !eig.Factorize(unit, true) {
		return nil, errEigenHessian
	}
	if eig.Values(nil)[0] <= tol {
		var v mat.Dense
		eig.VectorsTo(&v)
		direction := mat.Col(nil, 0, &v)
		for j := range direction {
			direction[j] *= s.scale[j] / root[j]
		}
		floats.Scale(1/floats.Norm(direction, 2), direction)
		var curvature float64
		for i := range d {
			for j := range d {
				curvature += direction[i] * h.At(i, j) / s.scale[i] / s.scale[j] * direction[j]
			}
		}
		return nil, &HessianError{s.x(u), direction, curvature}
	}
	return positiveFactor("minus the Hessian of the log density", h)
}

// noise returns the curvature that rounding of the log density can feign along
// a coordinate.
func (s *laplaceSearch) noise(curvature float64) float64 {
	if s.set.Hess != nil || s.set.Grad != nil {
		return 0
	}
	h := 100.0
	if curvature > 0 {
		h = math.Min(h, 0.1/math.Sqrt(curvature))
	}
	return 64 * 0x1p-53 * s.largestF / (h * h) * 16
}

// approximation returns the result in the units of the user.
func (s *laplaceSearch) approximation(u, g []float64, h *mat.SymDense, iterations int) (*LaplaceApproximation, error) {
	d := len(u)
	for i := range d {
		g[i] /= s.scale[i]
		for j := i; j < d; j++ {
			h.SetSym(i, j, h.At(i, j)/s.scale[i]/s.scale[j])
		}
	}
	r, err := positiveFactor("minus the Hessian of the log density", h)
	if err != nil {
		return nil, err
	}
	return &LaplaceApproximation{store[LaplaceApproximation](laplaceState{
		Mode: s.x(u), LogAtMode: s.f(u), H: mat.DenseCopyOf(h).RawMatrix().Data, R: r.RawMatrix().Data,
		GradNorm: floats.Norm(g, 2), Iterations: iterations,
	})}, nil
}
