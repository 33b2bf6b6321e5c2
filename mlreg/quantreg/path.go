package quantreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/quantiles"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Path is fits along a lasso penalty, by FitPath: one for every lambda of a descending grid. It
// holds no data and does not change.
type Path struct {
	sequence
	along along
}

// along is what a path knows of its penalty.
type along struct {
	Max float64
	KKT []float64
}

// FitPath minimizes, for every lambda of a grid, the loss of Fit with a
// lasso penalty,
//
//	sum_i w_i rho(y_i - b_0 - x_i'b) + lambda sum_j f_j |b_j|.
//
// With tau = 1/2 it is the lasso of least absolute deviations, whose loss is half the sum
// of absolute residuals: a penalty of 2 lambda beside that sum. Each fit is a vertex, on
// which some rows and zero slopes lie, and each starts from the one before: it is exact.
//
// Settings are as for mlreg.FitLassoPath: the grid goes down from LambdaMax, the smallest
// lambda that holds all penalized slopes at zero. Slopes are step functions of lambda, so
// that At of a lambda between two of the grid is an error. NonNegative and Groups are
// mlreg.ErrSetting. Sweeps, if not 0, limits the steps at every lambda. It is meant for up to
// some thousand terms: the memory is that of (n + p) p numbers. Other errors are mlreg.ErrNoTerms
// and those of Fit.
//
// Belloni and Chernozhukov, The Annals of Statistics 39 (2011), 82-130.
func FitPath(d *mlreg.Design, tau float64, settings *mlreg.PathSettings) (*Path, error) {
	set := args.OrDefaults(settings)
	if len(set.NonNegative) > 0 || len(set.Groups) > 0 {
		return nil, fmt.Errorf("%w: PathSettings.NonNegative and Groups are not for quantile regression", mlreg.ErrSetting)
	}
	if err := door.CheckPath(&set); err != nil {
		return nil, err
	}
	q, s, err := newFitting(d, []float64{tau}, &Settings{L1: 1, MaxSteps: set.Sweeps})
	if err != nil {
		return nil, err
	}
	if q.Penalty, err = door.PathPenalty(&set, d); err != nil {
		return nil, err
	}
	run := &pathRun{q: q, tau: tau, s: s}
	largest, err := run.start()
	if err != nil {
		return nil, err
	}
	grid, err := door.PathGrid(&set, d, largest)
	if err != nil {
		return nil, err
	}
	path := &Path{along: along{Max: largest}}
	for k, lambda := range grid {
		err := run.at(lambda, path)
		if err == nil && set.Progress != nil {
			err = set.Progress(float64(k+1), float64(len(grid)))
		}
		if err != nil && path.Len() == 0 {
			return nil, err
		}
		if err != nil {
			return path, err
		}
	}
	return path, nil
}

// pathRun goes through lambdas.
type pathRun struct {
	q    *fitting
	tau  float64
	s    *Settings
	last *quantiles.Solution
}

// start solves for a penalty that holds all slopes at zero, and returns the smallest that
// does, in units of the design.
func (r *pathRun) start() (float64, error) {
	q := r.q
	// No sum of duals is beyond the sum of absolute values of a column.
	a, n := q.A, len(q.Rows)
	sums := make([]float64, q.Lasso)
	for j := range sums {
		for i, w := range q.Weights {
			sums[j] += w * math.Abs(a.Data[i*a.Stride+q.First+j])
		}
	}
	var err error
	if r.last, err = quantiles.Solve(q.At(r.tau, 2*q.LargestL1(sums)+1), nil, r.s.MaxSteps); err != nil {
		return 0, q.singular(err)
	}
	d := r.last.Dual()
	g := make([]float64, a.Cols)
	rows := a
	rows.Rows = n
	blas64.Gemv(blas.Trans, 1, rows, gram.Vector(d[:n]), 0, gram.Vector(g))
	return q.LargestL1(g[q.First:]), nil
}

// at adds the fit at a penalty to the path. It is known by its coefficients, and does not know the
// rows on it.
func (r *pathRun) at(lambda float64, path *Path) error {
	p := r.q.At(r.tau, lambda)
	next, failed := r.last.Rebound(p.Low, p.High, r.s.MaxSteps)
	if next == nil {
		return r.q.singular(failed)
	}
	r.last = next
	s := *r.s
	s.L1 = lambda
	f, err := r.q.fit(r.tau, &s, next, failed)
	if f == nil {
		return err
	}
	f.s.Method, f.s.Passes = "simplex", 0
	f.s.Zero, f.s.ZeroDual, f.s.Basis, f.s.Penalty = nil, nil, 0, nil
	path.add(f)
	path.s.Low[path.Len()-1] = nil
	path.along.KKT = append(path.along.KKT, r.imbalance(path.along.Max))
	return err
}

// imbalance is the largest sum of duals with a column, over LambdaMax.
func (r *pathRun) imbalance(largest float64) float64 {
	a := r.q.A
	g := make([]float64, a.Cols)
	blas64.Gemv(blas.Trans, 1, a, gram.Vector(r.last.Dual()), 0, gram.Vector(g))
	var worst float64
	for j, v := range g[r.q.First:] {
		worst = math.Max(worst, r.q.XUnit[j].Out(math.Abs(v)))
	}
	if largest > 0 {
		return worst / largest
	}
	return 0
}

// Tau returns the quantile fitted.
func (p *Path) Tau() float64 { return p.s.States[0].Tau }

// Lambda returns the grid, descending: the weights of the penalty on absolute slopes.
func (p *Path) Lambda() []float64 { return p.each(func(s state) float64 { return s.L1 }) }

// LambdaMax returns the smallest lambda for which every penalized slope is zero.
func (p *Path) LambdaMax() float64 { return p.along.Max }

// Terms returns the names of the terms; the intercept is not one.
func (p *Path) Terms() []string { return termsOf(&p.head) }

// Slopes returns the slopes as a matrix: a row for every lambda, a column for every term.
func (p *Path) Slopes() *mat.Dense {
	names, terms := len(p.Names()), len(p.Terms())
	return mat.DenseCopyOf(p.Coef().Slice(0, p.Len(), names-terms, names))
}

// Objective returns the minimized sum of loss and penalty at every lambda.
func (p *Path) Objective() []float64 { return p.each(func(s state) float64 { return s.Objective }) }

// KKT returns at every lambda the largest sum of the subgradients with a column, that of the
// penalty included, relative to LambdaMax: zero at a solution.
func (p *Path) KKT() []float64 { return slices.Clone(p.along.KKT) }

// DoF returns at every lambda the number of coefficients that are not zero.
func (p *Path) DoF() []float64 {
	out := make([]float64, p.Len())
	for k := range out {
		out[k] = p.Fit(k).DoF()
	}
	return out
}

// At returns the fit at a lambda of the grid. The error is mlreg.ErrSetting for another: slopes
// are step functions of lambda, which are not interpolated.
func (p *Path) At(lambda float64) (*Quantile, error) {
	if k := slices.Index(p.Lambda(), lambda); k >= 0 {
		return p.Fit(k), nil
	}
	return nil, fmt.Errorf("%w: lambda = %g is not on the grid of the path, and slopes of quantile regression are step functions of lambda; see Fit", mlreg.ErrSetting, lambda)
}

// Raw returns the same path with coefficients in the raw units of the data; see Quantile.Raw.
// Lambda remains that of the design's units.
func (p *Path) Raw() (*Path, error) {
	raw := &Path{along: p.along}
	for k := range p.Len() {
		f, err := p.Fit(k).Raw()
		if err != nil {
			return nil, err
		}
		raw.add(f)
	}
	return raw, nil
}

// GobEncode implements gob.GobEncoder.
func (p *Path) GobEncode() ([]byte, error) { return stream.Encode(p, &p.head, &p.s, &p.along) }

// GobDecode implements gob.GobDecoder.
func (p *Path) GobDecode(b []byte) error {
	return stream.Decode(b, p, p.restored, &p.head, &p.s, &p.along)
}

// restored looks at what gob has filled.
func (p *Path) restored() error {
	if len(p.along.KKT) != p.Len() {
		return fmt.Errorf("%w: %d fits have %d certificates", mlreg.ErrShape, p.Len(), len(p.along.KKT))
	}
	return p.sequence.restored()
}

// Describe returns ten lambdas of the path as a table, from its first to its last: degrees of
// freedom, the number of slopes that are not zero, their L1 norm, and R1. Below it stand the
// numbers of lambdas and observations, and the certificate of the worst lambda.
func (p *Path) Describe() *report.Table {
	rows, slopes := p.shown(), p.Slopes()
	pick := func(v []float64) []float64 { return format.Each(rows, func(k int) float64 { return v[k] }) }
	notes := []string{
		fmt.Sprintf("n = %d, %d lambdas, %s", p.NObs(), p.Len(), format.Plural(len(p.Terms()), "term")),
		"all penalized slopes are zero from λ = " + format.Number(p.LambdaMax(), 6) + " on",
		"at every λ: duality gap at most " + format.PowerAbove(math.Max(slices.Max(p.Gap()), 1e-12)) +
			" of the objective, KKT violated by at most " + format.PowerAbove(math.Max(slices.Max(p.KKT()), 1e-12)),
	}
	return &report.Table{
		Title: tables.Of(fmt.Sprintf("Lasso path of the quantile at τ = %s", format.Number(p.Tau(), 6)), p.Response()),
		Columns: []report.Column{
			tables.Written("λ", pick(p.Lambda()), func(v float64) string { return format.Number(v, format.Digits) }),
			report.DecimalColumn(format.DoF, pick(p.DoF()), 2),
			tables.Int("nonzero", rows, func(k int) int { return len(p.Fit(k).Active()) }),
			tables.Number("Σ|b|", rows, 0, func(k int) float64 { return floats.Norm(slopes.RawRowView(k), 1) }),
			report.DecimalColumn("R1", pick(p.R1()), 4),
		},
		Notes: tables.InScaledUnits(notes, p.Scaling() != nil),
	}
}

// String writes the table of the path as text.
func (p *Path) String() string { return p.Describe().String() }
