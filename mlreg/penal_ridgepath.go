package mlreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/stream"
)

// RidgePathSettings are the options of FitRidgePath, and of the path that
// FitRidgeCV makes.
type RidgePathSettings struct {
	// Lambda is the grid, ascending or descending. Nil is Count values in
	// constant proportion, from ten times the largest squared singular value of
	// the centered X, where every direction is shrunk elevenfold or more, down to
	// Ratio times that.
	Lambda []float64
	// Count is the number of values of the default grid. The default 0 is 100.
	Count int
	// Ratio is the last value of the default grid in proportion to the first.
	// The default 0 is 1e-5.
	Ratio float64
}

// RidgePath is ridge regression for every lambda: a Path that is exact at any, with
// what the singular values of the centered X tell. It holds no data and does not
// change.
type RidgePath struct {
	Path[*Ridge]
}

// ridgeAnywhere is what gives ridge regression at any lambda.
type ridgeAnywhere struct {
	MeanX     []float64
	MeanY     float64
	Exp, YExp problem.Unit
	Spectrum  ridgeSpectrum
	Basis     []float64 // p x len(D), which gives weights of a solution; nil if it is large
	Undone    *Scaling  // by Raw
}

// FitRidgePath minimizes RSS + lambda sum_j b_j^2 for every lambda of a grid; see
// FitRidge. One decomposition serves all: the singular value decomposition of the
// rows, as long as that takes less than about a second, and otherwise the
// reduction to tridiagonal form of X'X (p x p) or, if p > 2n, of XX' (n x n).
// lambda = 0 needs columns that are linearly independent (ErrRankDeficient), and
// the default grid one that varies (ErrConstant). Nil settings are the defaults.
// Other errors are those of FitRidge.
func FitRidgePath(data Data, settings *RidgePathSettings) (*RidgePath, error) {
	s := args.OrDefaults(settings)
	common := PathSettings{Lambda: s.Lambda, Count: s.Count, Ratio: s.Ratio}
	if err := common.check(); err != nil {
		return nil, err
	}
	d, err := newRidgeData(data, dividedBy(nil))
	if err != nil {
		return nil, err
	}
	return ridgePath(d, s)
}

func ridgePath(d *ridgeData, s RidgePathSettings) (*RidgePath, error) {
	spectrum, err := newRidgeSpectrum(d)
	if err != nil {
		return nil, err
	}
	p := len(d.l.Names)
	r := &ridgeAnywhere{MeanX: d.MeanX, MeanY: d.MeanY, Exp: d.unit, YExp: d.YUnit, Spectrum: *spectrum}
	path := &RidgePath{Path[*Ridge]{pathState{
		L: d.l, N: d.N, Squares: true, L2: 1, Null: d.Squares(d.YY), Max: math.Inf(1), Factor: slices.Repeat([]float64{1}, p), Ridge: r,
	}}}
	grid, err := s.grid((2 * d.unit).Out(spectrum.Square[0]))
	if err != nil {
		return nil, err
	}
	if grid[len(grid)-1] == 0 && !spectrum.full(p) {
		return nil, errNoRidge
	}
	z := mat.NewDense(len(spectrum.D), len(grid), nil)
	for k, lambda := range grid {
		z.SetCol(k, spectrum.solve(d.lambda(lambda)))
	}
	weights := spectrum.back(z)
	r.keepBasis(d)
	r.Spectrum.back, r.Spectrum.basis = nil, nil // they hold data
	kkt := make([]float64, len(grid))
	if err := d.certify(weights, grid, kkt); err != nil {
		return nil, err
	}
	all := gram.NumbersTo(p) // zeros are slopes too
	for k, lambda := range grid {
		point := r.point(lambda, mat.Col(nil, k, z), d.coefficients(weights.RawRowView(k)).l)
		point.Terms, point.KKT = all, kkt[k]
		path.s.Points = append(path.s.Points, point)
	}
	return path, nil
}

var errNoRidge = fmt.Errorf("%w: lambda = 0 is least squares; end the grid above 0, or see FitOLS with MinimumNorm", ErrRankDeficient)

// grid returns the grid in descending order, given the largest squared singular
// value.
func (s *RidgePathSettings) grid(largest float64) ([]float64, error) {
	if s.Lambda != nil {
		return descending(s.Lambda), nil
	}
	if largest == 0 {
		return nil, fmt.Errorf("%w: no column of X varies, so that there is no grid; give Lambda", ErrConstant)
	}
	return geometric(10*largest, cmp.Or(s.Ratio, 1e-5), s.Count), nil
}

// keepBasis keeps what gives slopes at any lambda, unless that takes long, or terms
// are so small beside others that slopes need the data.
func (r *ridgeAnywhere) keepBasis(d *ridgeData) {
	const most, small = 1e7, 1e-4
	k, p := len(r.Spectrum.D), len(d.l.Names)
	if r.Spectrum.basis == nil && float64(p)*float64(k)*float64(k) > most || p*k > most {
		return
	}
	for _, length := range d.lengths {
		if length > 0 && length < small {
			return
		}
	}
	if r.Spectrum.basis != nil {
		r.Basis = r.Spectrum.basis().RawMatrix().Data
		return
	}
	one := mat.NewDense(k, k, nil)
	for i := range k {
		one.Set(i, i, 1)
	}
	r.Basis = mat.DenseCopyOf(r.Spectrum.back(one).T()).RawMatrix().Data
}

// point returns the point of a solution and its coefficients, without its terms.
func (r *ridgeAnywhere) point(lambda float64, z []float64, c linearState) *pathPoint {
	l, squares := (2 * r.Exp).In(lambda), 2*r.YExp
	q := &pathPoint{
		Lambda: lambda, Slopes: c.B, Intercept: c.B0,
		Loss: squares.Out(r.Spectrum.rss(z, l)), DoF: r.Spectrum.dof(l), Gap: math.NaN(), KKT: math.NaN(),
	}
	q.Objective = q.Loss + squares.Out(l*r.Spectrum.norm(z))
	if !c.NoIntercept {
		q.DoF++
	}
	return q
}

// at solves at any lambda.
func (r *ridgeAnywhere) at(s *pathState, lambda float64) (*pathPoint, error) {
	p := len(s.L.Names)
	switch {
	case lambda == 0 && !r.Spectrum.full(p):
		return nil, errNoRidge
	case r.Basis == nil:
		return nil, fmt.Errorf("%w: a path of %d terms keeps slopes at its own lambdas only, and %g is none; put it into the grid, or see FitRidge", ErrNoData, p, lambda)
	}
	z := r.Spectrum.solve((2 * r.Exp).In(lambda))
	w := make([]float64, p)
	blas64.Gemv(blas.NoTrans, 1, blas64.General{Rows: p, Cols: len(z), Stride: len(z), Data: r.Basis}, gram.Vector(z), 0, gram.Vector(w))
	d := &ridgeData{prepared: prepared{l: s.L}, unit: r.Exp}
	d.XUnit = slices.Repeat([]problem.Unit{r.Exp}, p)
	d.MeanX, d.MeanY, d.YUnit = r.MeanX, r.MeanY, r.YExp
	c := d.coefficients(w).l
	if r.Undone != nil {
		c.Scaling = r.Undone
		raw, err := c.raw()
		if err != nil {
			return nil, err
		}
		c = *raw
	}
	point := r.point(lambda, z, c)
	point.Terms = gram.NumbersTo(p)
	return point, nil
}

// constraint returns sum_j b_j^2, in the units of the design.
func (r *ridgeAnywhere) constraint(lambda float64) (float64, error) {
	if err := checkLambda("lambda", lambda); err != nil {
		return 0, err
	}
	z := r.Spectrum.solve((2 * r.Exp).In(lambda))
	return (2 * (r.YExp - r.Exp)).Out(r.Spectrum.norm(z)), nil
}

// certify settles the weights, a row for every lambda, and sets the largest
// violation of the optimality conditions by them.
func (d *ridgeData) certify(weights *mat.Dense, lambda, kkt []float64) error {
	const group = 16 // taken at a time
	bad := make([]error, len(lambda))
	gram.Each((len(lambda)+group-1)/group, func(task int) {
		from, to := task*group, min((task+1)*group, len(lambda))
		var w [][]float64
		for k := from; k < to; k++ {
			w = append(w, weights.RawRowView(k))
		}
		if d.XT.Data != nil {
			for k, v := range w {
				kkt[from+k], _, bad[from+k] = d.violation(v, d.lambda(lambda[from+k]))
			}
		} else {
			for k, g := range d.gradients(w) {
				l := d.lambda(lambda[from+k])
				if d.settle(g, w[k], l) {
					g, _ = d.gradient(w[k])
				}
				kkt[from+k], bad[from+k] = d.worst(g, w[k], l)
			}
		}
		for k, v := range w { // a small term is lost in the spectrum of the others
			if l := d.lambda(lambda[from+k]); l > 0 && (bad[from+k] != nil || d.needsDual(l)) {
				alone, _, _ := d.solve(l)
				copy(v, alone)
				kkt[from+k], _, bad[from+k] = d.violation(v, l)
			}
		}
	})
	return errors.Join(bad...)
}

// SingularValues returns the singular values of the centered X, descending, as
// many as the smaller of n and p.
func (p *RidgePath) SingularValues() []float64 {
	s := make([]float64, len(p.s.Ridge.Spectrum.Square))
	for k, v := range p.s.Ridge.Spectrum.Square {
		s[k] = p.s.Ridge.Exp.Out(math.Sqrt(v))
	}
	return s
}

// Shrinkage returns s_k^2/(s_k^2 + lambda) for every singular value s_k: what
// ridge regression leaves of the part of y along the k-th left singular vector.
// (Elements of Statistical Learning, 2nd ed., eq. 3.47.)
func (p *RidgePath) Shrinkage(lambda float64) []float64 {
	return p.s.Ridge.Spectrum.shrinkage((2 * p.s.Ridge.Exp).In(lambda))
}

// GCV returns the generalized cross-validation score at any lambda > 0, see the
// function GCV.
func (p *RidgePath) GCV(lambda float64) float64 {
	r := p.s.Ridge
	l := (2 * r.Exp).In(lambda)
	q := r.point(lambda, r.Spectrum.solve(l), linearState{header: header{NoIntercept: p.s.L.NoIntercept}})
	return GCV((*Ridge)(nil).of(&p.s, q))
}

// LOO returns the leave-one-out estimate of the mean squared prediction error at
// every lambda of the grid,
//
//	1/W sum_i w_i (r_i/(1 - h_ii))^2,
//
// in closed form from one decomposition of d, which must be the rows fitted; see
// LOOMSE. (Elements of Statistical Learning, 2nd ed., eq. 7.64.)
func (p *RidgePath) LOO(d *Design) ([]float64, error) {
	f := linear{p.s.L}
	h, err := f.leverages(d, nil, p.Lambda())
	if err != nil {
		return nil, err
	}
	out := make([]float64, p.Len())
	for k := range out {
		r, err := p.Fit(k).Residuals(d)
		if err != nil {
			return nil, err
		}
		for i, v := range r {
			if h[k][i] >= lsq.LeverageOne {
				return nil, fmt.Errorf("%w: row %d has leverage 1 at lambda = %g", ErrNotEstimable, i+1, p.s.Points[k].Lambda)
			}
			out[k] += d.Weight(i) * gram.Square(v/(1-h[k][i]))
		}
		out[k] /= d.sumWeights()
	}
	return out, nil
}

// Raw returns the same path with coefficients in the raw units of the data; see
// Path.Raw.
func (p *RidgePath) Raw() (*RidgePath, error) {
	raw, err := p.Path.Raw()
	if err != nil {
		return nil, err
	}
	return &RidgePath{*raw}, nil
}

// GobEncode implements gob.GobEncoder.
func (p *RidgePath) GobEncode() ([]byte, error) { return stream.Encode(p, &p.s) }

// GobDecode implements gob.GobDecoder.
func (p *RidgePath) GobDecode(b []byte) error { return gobDecode(b, p, &p.s) }
