package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// LaplaceSettings are the options of Laplace.
type LaplaceSettings struct {
	// Grad stores the gradient of the log density at x in grad. The default
	// takes central differences, extrapolated.
	Grad func(grad, x []float64)
	// Hess stores the Hessian of the log density at x, negative definite at a
	// mode, in hess. The default takes differences of Grad, or second
	// differences of the log density.
	Hess func(hess *mat.SymDense, x []float64)
	// Scale are typical distances, one for every coordinate, over which the
	// log density changes by about one; default 1. They matter if coordinates
	// differ by many orders of magnitude.
	Scale []float64
	// MaxIterations bounds the iterations of the search; default 1000.
	MaxIterations int
	// Progress is called after every iteration with the number done and
	// MaxIterations. An error from it stops the search and is returned.
	Progress func(done, total float64) error
}

// LaplaceApproximation is a Gaussian fitted to the mode of a density that need
// not be normalised. It does not change, and survives encoding/gob.
type LaplaceApproximation struct {
	s laplaceState
}

type laplaceState struct {
	Mode       []float64
	LogAtMode  float64
	H          []float64 // d x d, row-major
	R          []float64 // d x d upper triangular, H = R'R
	GradNorm   float64
	Iterations int
}

// HessianError says that the Hessian at the mode found does not curve down in
// some direction, so that there is no Gaussian to fit. It matches
// ErrNotPositiveDefinite.
type HessianError struct {
	Mode      []float64 // where the search ended
	Direction []float64 // of unit length
	Curvature float64   // minus the second derivative of the log density along it, zero or negative up to rounding
}

func (e *HessianError) Error() string {
	why := "a saddle or a minimum; start elsewhere"
	if math.Abs(e.Curvature) < 1e-6 {
		why = "the density is flat along it, and cannot be normalised there; give that direction a prior"
	}
	return fmt.Sprintf("%v: minus the Hessian of the log density at %.4g has curvature %.3g in the direction %.3g: %s",
		ErrNotPositiveDefinite, e.Mode, e.Curvature, e.Direction, why)
}

// Unwrap makes errors.Is(err, ErrNotPositiveDefinite) true.
func (e *HessianError) Unwrap() error { return ErrNotPositiveDefinite }

// Laplace approximates the density p*(x)/Z in d dimensions, given by its
// unnormalised logarithm, by a Gaussian at its mode m:
//
//	H = - second derivatives of ln p* at m,
//	p*(x)/Z ~ N(m, H^-1),   Z ~ p*(m) |H/(2 pi)|^(-1/2).
//
// H is minus the Hessian, which is positive definite at a mode; lecture notes
// that leave the minus out have a negative covariance. In one dimension H is
// c = -(ln p*)”(m) and Z ~ p*(m) sqrt(2 pi/c).
//
// The mode is sought from x0 by Newton's method with a line search, and brought
// to the last digits by plain steps; GradNorm certifies it. The log density may be -Inf
// outside of its support, but not at x0.
//
// Nil settings are the defaults. Errors: ErrShape, ErrSetting, ErrNotFinite;
// ErrBoundary naming the coordinate if the mode is on the boundary of the
// support, where the gradient does not vanish; a *HessianError naming the
// direction if H has a negative or a zero eigenvalue; a *ConvergenceError.
//
// MacKay, Information Theory, Inference, and Learning Algorithms (2003),
// chapter 27; Tierney and Kadane, JASA 81 (1986), 82-86.
func Laplace(logDensity func(x []float64) float64, x0 []float64, settings *LaplaceSettings) (*LaplaceApproximation, error) {
	s, err := newLaplaceSearch(logDensity, x0, settings)
	if err != nil {
		return nil, err
	}
	u, iterations, err := s.climb()
	if err != nil {
		return nil, err
	}
	g, h, err := s.polish(u)
	if err != nil {
		return nil, err
	}
	return s.approximation(u, g, h, iterations)
}

// Laplace1D is Laplace for a density of one variable.
func Laplace1D(logDensity func(x float64) float64, x0 float64, settings *LaplaceSettings) (*LaplaceApproximation, error) {
	if logDensity == nil {
		return nil, fmt.Errorf("%w: the log density is nil", ErrSetting)
	}
	return Laplace(func(x []float64) float64 { return logDensity(x[0]) }, []float64{x0}, settings)
}

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
		return nil, fmt.Errorf("%w: MaxIterations = %d", ErrSetting, s.set.MaxIterations)
	}
	if err := finite("x0", x0); err != nil {
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
		return nil, fmt.Errorf("%w: the log density at x0 = %.4g is %v; start inside of its support", ErrNotFinite, x0, logDensity(x0))
	}
	return s, nil
}

// x returns u in the units of the user.
func (s *laplaceSearch) x(u []float64) []float64 {
	x := slices.Clone(u)
	floats.Mul(x, s.scale)
	return x
}

// climb returns the best point that Newton's method finds, uphill in every
// direction: eigenvalues of H, scaled to a unit diagonal, count by their size
// (Nocedal and Wright, Numerical Optimization, 2nd ed., section 3.4), and
// steps are halved until the log density rises enough, or doubled as long as
// it rises.
func (s *laplaceSearch) climb() (u []float64, iterations int, err error) {
	u = slices.Clone(s.start)
	g := make([]float64, len(u))
	value, decrement := s.f(u), 0.0
	for i := range s.set.MaxIterations {
		s.gradient(g, u)
		if err := finite("the gradient of the log density", g); err != nil {
			return nil, 0, err
		}
		var step []float64
		step, err = s.uphill(u, g)
		if err != nil {
			return nil, 0, err
		}
		if decrement = floats.Dot(g, step); decrement <= 1e-12 {
			return u, i, nil
		}
		next, better := s.lineSearch(u, step, value, decrement)
		if next == nil {
			return u, i, nil
		}
		u, value = next, better
		if math.IsInf(value, 1) || floats.Norm(u, math.Inf(1)) > 1e12 {
			return nil, 0, fmt.Errorf("%w: the log density rises without end, to %.4g at %.4g; it has no mode", ErrBoundary, value, s.x(u))
		}
		if s.set.Progress != nil {
			if err := s.set.Progress(float64(i+1), float64(s.set.MaxIterations)); err != nil {
				return nil, 0, fmt.Errorf("mlreg: search for the mode stopped: %w", err)
			}
		}
	}
	return nil, 0, &ConvergenceError{
		Method: "search for the mode of the log density", Iterations: s.set.MaxIterations,
		Measure: "squared distance in standard deviations", Value: decrement, Tol: 1e-12,
	}
}

// uphill returns the step |H|^-1 g.
func (s *laplaceSearch) uphill(u, g []float64) ([]float64, error) {
	d := len(u)
	h, err := s.hessian(u)
	if err != nil && !errors.Is(err, ErrBoundary) {
		return nil, err
	}
	root := slices.Repeat([]float64{math.Sqrt(math.Max(1, floats.Norm(g, 2)))}, d)
	unit := mat.NewSymDense(d, nil)
	for i := range d {
		if err != nil { // at the edge of the support: along the gradient
			unit.SetSym(i, i, 1)
			continue
		}
		if c := math.Abs(h.At(i, i)); c > 0 {
			root[i] = math.Sqrt(c)
		}
		for j := range i + 1 {
			unit.SetSym(i, j, h.At(i, j)/root[i]/root[j])
		}
	}
	var eig mat.EigenSym
	if !eig.Factorize(unit, true) {
		return nil, errEigenHessian
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	values := eig.Values(nil)
	least := 1e-8 * math.Max(math.Abs(values[0]), math.Abs(values[d-1]))
	if least == 0 {
		least = 1
	}
	step := make([]float64, d)
	for c, l := range values {
		var along float64
		for j := range d {
			along += v.At(j, c) * g[j] / root[j]
		}
		for j := range d {
			step[j] += v.At(j, c) * along / math.Max(math.Abs(l), least) / root[j]
		}
	}
	return step, nil
}

var errEigenHessian = errors.New("mlreg: the eigenvalue decomposition of the Hessian did not converge")

// lineSearch returns a point along step at which the log density is larger,
// nil if rounding hides one.
func (s *laplaceSearch) lineSearch(u, step []float64, value, slope float64) ([]float64, float64) {
	at := func(t float64) ([]float64, float64) {
		next := slices.Clone(u)
		floats.AddScaled(next, t, step)
		return next, s.f(next)
	}
	t := 1.0
	best, top := at(t)
	for ; !(top >= value+1e-4*t*slope); best, top = at(t) {
		if t /= 2; t < 1e-15 {
			return nil, 0
		}
	}
	for t >= 1 {
		t *= 2
		next, v := at(t)
		if !(v > top) || t > 1e15 {
			break
		}
		best, top = next, v
	}
	return best, top
}

// gradient stores the gradient at u: that given, or central differences at two
// steps, extrapolated. At the edge of the support the difference to the inside
// serves.
func (s *laplaceSearch) gradient(grad, u []float64) {
	if s.set.Grad != nil {
		s.set.Grad(grad, s.x(u))
		floats.Mul(grad, s.scale)
		return
	}
	at := slices.Clone(u)
	for j := range grad {
		h := 1e-3 * math.Max(1, math.Abs(u[j]))
		for range 8 {
			wide := s.slope(at, j, h)
			grad[j] = (4*s.slope(at, j, h/2) - wide) / 3
			if !math.IsInf(grad[j], 0) && !math.IsNaN(grad[j]) {
				break
			}
			h /= 16
		}
		if math.IsInf(grad[j], 0) || math.IsNaN(grad[j]) {
			h = 1e-7 * math.Max(1, math.Abs(u[j]))
			here := s.f(at)
			at[j] = u[j] - h
			if below := s.f(at); !math.IsInf(below, 0) {
				grad[j] = (here - below) / h
			} else {
				at[j] = u[j] + h
				grad[j] = (s.f(at) - here) / h
			}
			at[j] = u[j]
		}
	}
}

// slope returns the central difference along coordinate j.
func (s *laplaceSearch) slope(at []float64, j int, h float64) float64 {
	u := at[j]
	at[j] = u + h
	above := s.f(at)
	at[j] = u - h
	below := s.f(at)
	at[j] = u
	return (above - below) / (2 * h)
}

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
		blas64.Trsv(blas.Trans, upper(r), v)
		decrement := squares(step) // squared length of the step in standard deviations
		blas64.Trsv(blas.NoTrans, upper(r), v)
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

// hessian returns H at u.
func (s *laplaceSearch) hessian(u []float64) (*mat.SymDense, error) {
	d := len(u)
	h := mat.NewSymDense(d, nil)
	if s.set.Hess != nil {
		s.set.Hess(h, s.x(u))
		for i := range d {
			for j := i; j < d; j++ {
				h.SetSym(i, j, -h.At(i, j)*s.scale[i]*s.scale[j])
			}
		}
	} else {
		steps, err := s.steps(u)
		if err != nil {
			return nil, err
		}
		if s.set.Grad != nil {
			s.gradientDifferences(h, u, steps)
		} else {
			s.secondDifferences(h, u, steps)
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			if v := h.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%w: element (%d, %d) of the Hessian of the log density at %.4g is %v", ErrNotFinite, i+1, j+1, s.x(u), v)
			}
		}
	}
	return h, nil
}

// steps returns a tenth of a standard deviation for every coordinate, or less
// if the support ends before that.
func (s *laplaceSearch) steps(u []float64) ([]float64, error) {
	steps := make([]float64, len(u))
	at := slices.Clone(u)
	for j := range steps {
		h, least := 1e-3, 1e-8*math.Max(1, math.Abs(u[j]))
		for range 4 {
			c := s.second(at, j, h)
			for ; (math.IsInf(c, 0) || math.IsNaN(c)) && h > least; c = s.second(at, j, h) {
				h /= 4
			}
			if h <= least {
				g := make([]float64, len(u))
				s.gradient(g, u)
				return nil, s.atBoundary(u, j, g[j])
			}
			if c != 0 {
				h = math.Min(math.Max(0.1/math.Sqrt(math.Abs(c)), 100*least), 100)
			}
		}
		for c := s.second(at, j, h); math.IsInf(c, 0) || math.IsNaN(c); c = s.second(at, j, h) {
			h /= 4
		}
		steps[j] = h
	}
	return steps, nil
}

// second returns the second difference along coordinate j.
func (s *laplaceSearch) second(at []float64, j int, h float64) float64 {
	u, here := at[j], s.f(at)
	at[j] = u + h
	above := s.f(at)
	at[j] = u - h
	below := s.f(at)
	at[j] = u
	return ((above - here) + (below - here)) / h / h
}

// extrapolate returns the limit of differences whose error is a series in h^2
// from those at h, h/2 and h/4 (Richardson).
func extrapolate(a, b, c float64) float64 {
	ab, bc := (4*b-a)/3, (4*c-b)/3
	return (16*bc - ab) / 15
}

func (s *laplaceSearch) secondDifferences(h *mat.SymDense, u, steps []float64) {
	at := slices.Clone(u)
	for i := range u {
		pure := func(c float64) float64 { return s.second(at, i, c*steps[i]) }
		h.SetSym(i, i, -extrapolate(pure(1), pure(0.5), pure(0.25)))
		for j := range i {
			mixed := func(c float64) float64 {
				at[i] = u[i] + c*steps[i]
				above := s.slope(at, j, c*steps[j])
				at[i] = u[i] - c*steps[i]
				below := s.slope(at, j, c*steps[j])
				at[i] = u[i]
				return (above - below) / (2 * c * steps[i])
			}
			h.SetSym(i, j, -extrapolate(mixed(1), mixed(0.5), mixed(0.25)))
		}
	}
}

func (s *laplaceSearch) gradientDifferences(h *mat.SymDense, u, steps []float64) {
	d := len(u)
	full := mat.NewDense(d, d, nil)
	at, below := slices.Clone(u), make([]float64, d)
	for i := range u {
		difference := func(c float64) []float64 {
			above := make([]float64, d)
			at[i] = u[i] + c*steps[i]
			s.gradient(above, at)
			at[i] = u[i] - c*steps[i]
			s.gradient(below, at)
			at[i] = u[i]
			floats.Sub(above, below)
			floats.Scale(1/(2*c*steps[i]), above)
			return above
		}
		wide, half, narrow := difference(1), difference(0.5), difference(0.25)
		for j := range u {
			full.Set(i, j, -extrapolate(wide[j], half[j], narrow[j]))
		}
	}
	for i := range d {
		for j := range i + 1 {
			h.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
}

// factor returns R with H = R'R, or names the direction in which H does not
// curve.
func (s *laplaceSearch) factor(u []float64, h *mat.SymDense) (*mat.Dense, error) {
	d := len(u)
	unit := mat.NewSymDense(d, nil) // H with unit diagonal
	root := make([]float64, d)
	for j := range d {
		c := h.At(j, j)
		if c <= s.noise(u[j], c) {
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
func (s *laplaceSearch) noise(u, curvature float64) float64 {
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
	return &LaplaceApproximation{laplaceState{
		Mode: s.x(u), LogAtMode: s.f(u), H: mat.DenseCopyOf(h).RawMatrix().Data, R: r.RawMatrix().Data,
		GradNorm: floats.Norm(g, 2), Iterations: iterations,
	}}, nil
}

// Dim returns d.
func (a *LaplaceApproximation) Dim() int { return len(a.s.Mode) }

// Mode returns m.
func (a *LaplaceApproximation) Mode() []float64 { return slices.Clone(a.s.Mode) }

// Precision returns H, minus the Hessian of the log density at the mode.
func (a *LaplaceApproximation) Precision() *mat.SymDense {
	return mat.NewSymDense(a.Dim(), slices.Clone(a.s.H))
}

// LogAtMode returns ln p*(m).
func (a *LaplaceApproximation) LogAtMode() float64 { return a.s.LogAtMode }

// GradNorm returns the Euclidean norm of the gradient of the log density at
// the mode, which is zero at an exact one.
func (a *LaplaceApproximation) GradNorm() float64 { return a.s.GradNorm }

// Iterations returns the number of iterations that the search took.
func (a *LaplaceApproximation) Iterations() int { return a.s.Iterations }

// LogNormalizer returns the approximation of ln Z,
//
//	ln p*(m) + (d/2) ln(2 pi) - ln|H|/2.
//
// If p* is likelihood times prior, Z is the evidence.
func (a *LaplaceApproximation) LogNormalizer() float64 {
	d := a.Dim()
	log := a.s.LogAtMode + float64(d)/2*math.Log(2*math.Pi)
	for i := range d {
		log -= math.Log(a.s.R[i*d+i])
	}
	return log
}

// LogEvidence is LogNormalizer.
func (a *LaplaceApproximation) LogEvidence() float64 { return a.LogNormalizer() }

// LogQ returns the logarithm of the unnormalised approximation,
//
//	ln Q*(x) = ln p*(m) - (x - m)'H(x - m)/2,
//
// which touches ln p* at the mode. It is NaN if x is not of length Dim.
func (a *LaplaceApproximation) LogQ(x []float64) float64 {
	d := a.Dim()
	if len(x) != d {
		return math.NaN()
	}
	z := make([]float64, d)
	floats.SubTo(z, x, a.s.Mode)
	blas64.Trmv(blas.NoTrans, upper(mat.NewDense(d, d, a.s.R)), blas64.Vector{N: d, Inc: 1, Data: z})
	return a.s.LogAtMode - squares(z)/2
}

// Gaussian returns N(m, H^-1).
func (a *LaplaceApproximation) Gaussian() *Gaussian {
	d := a.Dim()
	rows := mat.NewDense(d, d, nil) // R'^-1
	for j := range d {
		rows.Set(j, j, 1)
	}
	blas64.Trsm(blas.Left, blas.Trans, 1, upper(mat.NewDense(d, d, a.s.R)), rows.RawMatrix())
	return gaussianFromRows(a.Mode(), rows)
}

// Sample returns count draws from Gaussian, one a row.
func (a *LaplaceApproximation) Sample(count int, src rand.Source) (*mat.Dense, error) {
	return a.Gaussian().Sample(count, src)
}

// GobEncode implements gob.GobEncoder.
func (a *LaplaceApproximation) GobEncode() ([]byte, error) { return gobEncode(&a.s) }

// GobDecode implements gob.GobDecoder.
func (a *LaplaceApproximation) GobDecode(b []byte) error { return gobDecode(b, &a.s) }
