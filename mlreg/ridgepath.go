package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// RidgePathSettings are the options of FitRidgePath, and of the path that
// FitRidgeCV makes.
type RidgePathSettings struct {
	// Lambda is the grid, ascending or descending. Nil is Count values in
	// constant proportion, from ten times the largest squared singular value of
	// the centred X, where every direction is shrunk elevenfold or more, down to
	// Ratio times that.
	Lambda []float64
	// Count is the number of values of the default grid. The default 0 is 100.
	Count int
	// Ratio is the last value of the default grid in proportion to the first.
	// The default 0 is 1e-5.
	Ratio float64
}

// RidgePath is ridge regression for every lambda: coefficients on a grid,
// descending, and all else in closed form anywhere. It holds no data and does not
// change.
type RidgePath struct {
	s ridgePathState
}

type ridgePathState struct {
	L         linearState // without coefficients
	N         int
	Exp, YExp int
	Spectrum  ridgeSpectrum
	Lambda    []float64
	Intercept []float64
	Slopes    []float64 // a row for every lambda
	KKT       []float64
}

// FitRidgePath minimises RSS + lambda sum_j b_j^2 for every lambda of a grid; see
// FitRidge. One decomposition serves all: the singular value decomposition of the
// rows, as long as that takes less than about a second, and otherwise the
// reduction to tridiagonal form of X'X (p x p) or, if p > 2n, of XX' (n x n).
// lambda = 0 needs columns that are linearly independent (ErrRankDeficient), and
// the default grid one that varies (ErrConstant). Nil settings are the defaults.
// Other errors are those of FitRidge.
func FitRidgePath(data Data, settings *RidgePathSettings) (*RidgePath, error) {
	var s RidgePathSettings
	if settings != nil {
		s = *settings
	}
	common := PathSettings{Lambda: s.Lambda, Count: s.Count, Ratio: s.Ratio}
	if err := common.check(); err != nil {
		return nil, err
	}
	d, err := newRidgeData(data)
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
	path := &RidgePath{ridgePathState{L: d.l, N: d.N, Exp: d.exp, YExp: d.YExp, Spectrum: *spectrum}}
	if s.Lambda != nil {
		path.s.Lambda = descending(s.Lambda)
	} else {
		top := 10 * math.Ldexp(spectrum.Square[0], 2*d.exp)
		if top == 0 {
			return nil, fmt.Errorf("%w: no column of X varies, so that there is no grid; give Lambda", ErrConstant)
		}
		count, ratio := s.Count, s.Ratio
		if count == 0 {
			count = 100
		}
		if ratio == 0 {
			ratio = 1e-5
		}
		path.s.Lambda = geometric(top, ratio, count)
	}
	count := len(path.s.Lambda)
	if path.s.Lambda[count-1] == 0 && !spectrum.full(p) {
		return nil, fmt.Errorf("%w: lambda = 0 is least squares; end the grid above 0, or see FitOLS with MinimumNorm", ErrRankDeficient)
	}
	z := mat.NewDense(len(spectrum.D), count, nil)
	for k, lambda := range path.s.Lambda {
		z.SetCol(k, spectrum.solve(d.lambda(lambda)))
	}
	weights := mat.DenseCopyOf(spectrum.back(z).T())
	path.s.Spectrum.back = nil // it holds data
	path.s.KKT = make([]float64, count)
	if err := d.certify(weights, path.s.Lambda, path.s.KKT); err != nil {
		return nil, err
	}
	for k := range count {
		fit := d.coefficients(weights.RawRowView(k))
		path.s.Slopes = append(path.s.Slopes, fit.l.B...)
		path.s.Intercept = append(path.s.Intercept, fit.l.B0)
	}
	return path, nil
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

// Len returns the number of lambdas of the grid.
func (p *RidgePath) Len() int { return len(p.s.Lambda) }

// NObs returns the number of observations.
func (p *RidgePath) NObs() int { return p.s.N }

// Terms returns the p names of the terms; the intercept is not one.
func (p *RidgePath) Terms() []string { return slices.Clone(p.s.L.Names) }

// Response returns the name of the response.
func (p *RidgePath) Response() string { return p.s.L.Response }

// Scaling returns the scaling of the design fitted, nil if its columns were raw.
func (p *RidgePath) Scaling() *Scaling { return p.s.L.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (p *RidgePath) Coding() *Coding { return p.s.L.Coding }

// Lambda returns the grid, descending.
func (p *RidgePath) Lambda() []float64 { return slices.Clone(p.s.Lambda) }

// Intercept returns the intercept at every lambda of the grid.
func (p *RidgePath) Intercept() []float64 { return slices.Clone(p.s.Intercept) }

// KKT returns the certificate of the coefficients at every lambda of the grid,
// see Ridge.KKT.
func (p *RidgePath) KKT() []float64 { return slices.Clone(p.s.KKT) }

// Slopes returns the slopes as a matrix: a row for every lambda of the grid, a
// column for every term.
func (p *RidgePath) Slopes() *mat.Dense {
	return mat.NewDense(len(p.s.Lambda), len(p.s.L.Names), slices.Clone(p.s.Slopes))
}

// Fit returns the fit at the k-th lambda of the grid.
func (p *RidgePath) Fit(k int) *Ridge {
	l := p.s.L
	terms := len(l.Names)
	l.B = slices.Clone(p.s.Slopes[k*terms : (k+1)*terms])
	l.B0 = p.s.Intercept[k]
	lambda := p.s.Lambda[k]
	return &Ridge{linear{l}, ridgeState{
		N: p.s.N, Lambda: lambda, RSS: p.RSS(lambda), Null: p.NullRSS(), DoF: p.DoF(lambda),
		KKT: p.s.KKT[k], Method: "spectrum of the design",
	}}
}

// SingularValues returns the singular values of the centred X, descending, as
// many as the smaller of n and p.
func (p *RidgePath) SingularValues() []float64 {
	s := make([]float64, len(p.s.Spectrum.Square))
	for k, v := range p.s.Spectrum.Square {
		s[k] = math.Ldexp(math.Sqrt(v), p.s.Exp)
	}
	return s
}

func (p *RidgePath) scaled(lambda float64) float64 { return math.Ldexp(lambda, -2*p.s.Exp) }

func (p *RidgePath) squares(v float64) float64 { return math.Ldexp(v, 2*p.s.YExp) }

// Shrinkage returns s_k^2/(s_k^2 + lambda) for every singular value s_k: what
// ridge regression leaves of the part of y along the k-th left singular vector.
// (Elements of Statistical Learning, 2nd ed., eq. 3.47.)
func (p *RidgePath) Shrinkage(lambda float64) []float64 {
	return p.s.Spectrum.shrinkage(p.scaled(lambda))
}

// DoF returns the degrees of freedom at any lambda, the sum of Shrinkage plus 1
// for the intercept.
func (p *RidgePath) DoF(lambda float64) float64 {
	dof := p.s.Spectrum.dof(p.scaled(lambda))
	if !p.s.L.NoIntercept {
		dof++
	}
	return dof
}

// RSS returns the residual sum of squares at any lambda > 0 (or 0, if the columns
// are independent).
func (p *RidgePath) RSS(lambda float64) float64 {
	l := p.scaled(lambda)
	return p.squares(p.s.Spectrum.rss(p.s.Spectrum.solve(l), l))
}

// NullRSS returns the residual sum of squares of the null model.
func (p *RidgePath) NullRSS() float64 { return p.squares(p.s.Spectrum.YY) }

// GCV returns the generalised cross-validation score at any lambda > 0, see the
// function GCV.
func (p *RidgePath) GCV(lambda float64) float64 {
	return GCV(&Ridge{s: ridgeState{N: p.s.N, RSS: p.RSS(lambda), DoF: p.DoF(lambda)}})
}

// Constraint returns nu = sum_j b_j^2 at any lambda > 0: the fit at lambda is
// also the one of least RSS among all whose sum of squares is nu at most.
func (p *RidgePath) Constraint(lambda float64) float64 {
	z := p.s.Spectrum.solve(p.scaled(lambda))
	return math.Ldexp(p.s.Spectrum.norm(z), 2*(p.s.YExp-p.s.Exp))
}

// Penalty is the inverse of Constraint, to the last digits: the lambda within the
// grid at which the sum of squares of the slopes is nu. The error says if there
// is none.
func (p *RidgePath) Penalty(nu float64) (lambda float64, err error) {
	high, low := p.s.Lambda[0], p.s.Lambda[len(p.s.Lambda)-1]
	least, most := p.Constraint(high), p.Constraint(low)
	if !(nu >= least && nu <= most) {
		return 0, fmt.Errorf("%w: nu = %v is not between %g and %g, the ends of the path", ErrSetting, nu, least, most)
	}
	for {
		mid := (high + low) / 2
		if mid <= low || mid >= high {
			return high, nil
		}
		if p.Constraint(mid) <= nu {
			high = mid
		} else {
			low = mid
		}
	}
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
	h, err := f.leverages(d, p.s.Lambda)
	if err != nil {
		return nil, err
	}
	out := make([]float64, p.Len())
	for k := range out {
		r, err := p.Fit(k).Residuals(d)
		if err != nil {
			return nil, err
		}
		var w float64
		for i, v := range r {
			if h[k][i] >= leverageOne {
				return nil, fmt.Errorf("%w: row %d has leverage 1 at lambda = %g", ErrNotEstimable, i+1, p.s.Lambda[k])
			}
			w += d.weight(i)
			out[k] += d.weight(i) * square(v/(1-h[k][i]))
		}
		out[k] /= w
	}
	return out, nil
}

// Predict returns b_0 + x'b for every row of d (rows of the result) and every
// lambda of the grid (columns). Errors are those of OLS.Predict.
func (p *RidgePath) Predict(d *Design) (*mat.Dense, error) {
	f := linear{p.s.L}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	var yhat mat.Dense
	yhat.Mul(x, p.Slopes().T())
	n, count := yhat.Dims()
	for i := range n {
		for k := range count {
			yhat.Set(i, k, yhat.At(i, k)+p.s.Intercept[k])
		}
	}
	return &yhat, nil
}

// Raw returns the same path with coefficients in the raw units of the data; see
// OLS.Raw. Lambda, and all that is not a coefficient, remains that of the
// design's units.
func (p *RidgePath) Raw() (*RidgePath, error) {
	raw := *p
	raw.s.Slopes, raw.s.Intercept = nil, nil
	for k := range p.s.Lambda {
		fit, err := p.Fit(k).Raw()
		if err != nil {
			return nil, err
		}
		raw.s.Slopes = append(raw.s.Slopes, fit.l.B...)
		raw.s.Intercept = append(raw.s.Intercept, fit.l.B0)
	}
	raw.s.L.Scaling = nil
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (p *RidgePath) GobEncode() ([]byte, error) { return gobEncode(&p.s) }

// GobDecode implements gob.GobDecoder.
func (p *RidgePath) GobDecode(b []byte) error { return gobDecode(b, &p.s) }
