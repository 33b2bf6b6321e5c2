package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
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
	// Scale has one typical distance per coordinate, over which the log density
	// changes by about one; default 1. It matters if coordinates differ by many
	// orders of magnitude.
	Scale []float64
	// MaxIterations bounds the iterations of the search; default 1000.
	MaxIterations int
	// Progress, if not nil, is called after every iteration with the number done and
	// MaxIterations, and at the mode with the number done as both. An error from it
	// stops the search and is returned.
	Progress func(done, total float64) error
}

// LaplaceApproximation is a Gaussian fitted at the mode of a density, normalized or
// not. It does not change, and survives encoding/gob.
type LaplaceApproximation struct {
	stored[LaplaceApproximation, laplaceState]
}

type laplaceState struct {
	Mode       []float64
	LogAtMode  float64
	H          []float64 // d x d, row-major
	R          []float64 // d x d upper triangular, H = R'R
	GradNorm   float64
	Iterations int
}

// HessianError says that the log density at the mode found does not curve down in
// some direction, so that no Gaussian fits. It matches
// ErrNotPositiveDefinite.
type HessianError struct {
	Mode      []float64 // where the search ended
	Direction []float64 // of unit length
	Curvature float64   // minus the second derivative of the log density along it, zero or negative up to rounding
}

// Error names the direction and its curvature.
func (e *HessianError) Error() string {
	why := "a saddle or a minimum; start elsewhere"
	if math.Abs(e.Curvature) < 1e-6 {
		why = "the density is flat along it, and cannot be normalized there; give that direction a prior"
	}
	return fmt.Sprintf("%v: minus the Hessian of the log density at %.4g has curvature %.3g in the direction %.3g: %s",
		ErrNotPositiveDefinite, e.Mode, e.Curvature, e.Direction, why)
}

// Unwrap makes errors.Is(err, ErrNotPositiveDefinite) true.
func (e *HessianError) Unwrap() error { return ErrNotPositiveDefinite }

// Laplace approximates the density p*(x)/Z in d dimensions, given by its
// unnormalized logarithm, by a Gaussian at its mode m:
//
//	H = - second derivatives of ln p* at m,
//	p*(x)/Z ~ N(m, H^-1),   Z ~ p*(m) |H/(2 pi)|^(-1/2).
//
// H is minus the Hessian, which is positive definite at a mode; lecture notes
// that leave the minus out have a negative covariance. In one dimension H is a
// number c, and Z ~ p*(m) sqrt(2 pi/c).
//
// The mode is sought from x0 by BFGS, and brought to the last
// digits by Newton's steps; GradNorm certifies it. The log density may be -Inf
// outside its support, but not at x0.
//
// Nil settings are the defaults. Errors: ErrShape, ErrSetting, ErrNotFinite;
// ErrBoundary naming the coordinate if the mode is on the boundary of the
// support, where the gradient does not vanish; a *HessianError naming the
// direction if H has a negative or a zero eigenvalue; a *ConvergenceError
// beside the best approximation.
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
	a, err := s.approximation(u, g, h, iterations)
	if err != nil || s.set.Progress == nil || iterations == s.set.MaxIterations {
		return a, err
	}
	if err := s.set.Progress(float64(iterations), float64(iterations)); err != nil {
		return nil, fmt.Errorf("mlreg: search for the mode stopped: %w", err)
	}
	return a, nil
}

// Laplace1D is Laplace for a density of one variable.
func Laplace1D(logDensity func(x float64) float64, x0 float64, settings *LaplaceSettings) (*LaplaceApproximation, error) {
	if logDensity == nil {
		return nil, fmt.Errorf("%w: the log density is nil", ErrSetting)
	}
	return Laplace(func(x []float64) float64 { return logDensity(x[0]) }, []float64{x0}, settings)
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
// the mode; it is zero at the exact mode.
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

// LogQ returns the logarithm of the unnormalized approximation,
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
	blas64.Trmv(blas.NoTrans, lsq.Upper(mat.NewDense(d, d, a.s.R)), blas64.Vector{N: d, Inc: 1, Data: z})
	return a.s.LogAtMode - gram.Squares(z)/2
}

// Gaussian returns N(m, H^-1).
func (a *LaplaceApproximation) Gaussian() *Gaussian {
	d := a.Dim()
	rows := mat.NewDense(d, d, nil) // R'^-1
	for j := range d {
		rows.Set(j, j, 1)
	}
	algebra.SolveTransposed(lsq.Upper(mat.NewDense(d, d, a.s.R)), rows.RawMatrix())
	return gaussianFromRows(a.Mode(), rows)
}

// Sample returns count draws from Gaussian, one a row.
func (a *LaplaceApproximation) Sample(count int, src rand.Source) (*mat.Dense, error) {
	return a.Gaussian().Sample(count, src)
}

// Describe returns the mode and the standard deviations at it as a table, with the log
// of the normalizing constant and a bound on the gradient.
func (a *LaplaceApproximation) Describe() *report.Table {
	return &report.Table{
		Title: "Laplace approximation",
		Columns: []report.Column{
			tables.Text("coordinate", gram.NumbersTo(a.Dim()), func(i int) string { return fmt.Sprintf("θ%d", i+1) }),
			report.NumberColumn("mode", a.Mode(), 0),
			report.NumberColumn(format.StdDev, a.Gaussian().StdDev(), 0),
		},
		Notes: []string{
			fmt.Sprintf("ln p* at the mode %s, ln Z %s", format.Decimal(a.LogAtMode(), 4), format.Decimal(a.LogNormalizer(), 4)),
			"gradient at the mode at most " + format.PowerAbove(math.Max(a.GradNorm(), 1e-6)),
		},
	}
}

// String writes the approximation as text.
func (a *LaplaceApproximation) String() string { return a.Describe().String() }
