package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/blocked"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// RidgeSettings are the options of FitRidge.
type RidgeSettings struct {
	// PenaltyFactor are p positive factors f_j of the penalties of the terms; nil is
	// ones. FitElasticNet with l1 = 0 takes factors of zero too.
	PenaltyFactor []float64
}

// roots returns those of the factors: columns divided by them have factors of one.
func (s *RidgeSettings) roots(d *prepared) ([]float64, error) {
	if s == nil || s.PenaltyFactor == nil {
		return nil, nil
	}
	const rule = "it is positive and finite (FitElasticNet with l1 = 0 takes zeros)"
	if err := d.l.checkFactors(s.PenaltyFactor, func(f float64) bool { return f > 0 }, rule); err != nil {
		return nil, err
	}
	return format.Each(s.PenaltyFactor, math.Sqrt), nil
}

// Ridge is a fit by FitRidge, or a point of a RidgePath. It holds no data and
// does not change.
type Ridge struct {
	linear
	s ridgeState
}

type ridgeState struct {
	N                      int
	Lambda, RSS, Null, DoF float64 // DoF with the intercept
	KKT                    float64
	Method                 string
	By                     []float64 // p: the penalty is Lambda sum_j (By_j b_j)^2; nil is ones
}

// FitRidge minimizes
//
//	RSS(b_0, b) + lambda sum_j f_j b_j^2,   RSS = sum_i w_i (y_i - b_0 - x_i'b)^2,
//
// over the intercept b_0 (unless the design has none), which is not penalized,
// and the p slopes b; the f_j are 1 unless the settings have others. For centered X
// and y the slopes are, with F = diag(f_j),
//
//	b = (X'X + lambda F)^-1 X'y.
//
// They are the mean of the posterior under the prior b ~ N(0, tau^2 F^-1) and noise
// of variance sigma^2 = lambda tau^2; FitBayes gives the rest of it, and
// PosteriorCov its covariance. Slopes are in the units of the design:
// Design.Standardize first if terms have different units. There is no factor of
// 1/n, see FromGlmnet and FromScikit. lambda = 0 is least squares (FitOLS).
//
// A design of at least as many observations as terms is solved by Householder QR
// of X with sqrt(lambda) I below it, as long as that takes less than about a
// second, and by Cholesky of X'X + lambda I if not, as sums are; one of more
// terms by Householder QR of X' = QR, b = Qu with u the ridge regression on R'.
//
// Nil settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite,
// ErrSetting (lambda < 0, a factor that is not positive), ErrRankDeficient
// (lambda = 0).
//
// Hoerl and Kennard, Technometrics 12 (1970), 55-67; Hastie, Tibshirani and
// Friedman, The Elements of Statistical Learning, 2nd ed., section 3.4.1 and
// exercise 18.4.
func FitRidge(data Data, lambda float64, settings *RidgeSettings) (*Ridge, error) {
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	if lambda == 0 {
		return leastSquaresRidge(data)
	}
	d, err := newRidgeData(data, settings.roots)
	if err != nil {
		return nil, err
	}
	r := &Ridge{s: ridgeState{N: d.N, Lambda: lambda, Null: d.Squares(d.YY), By: d.by}}
	l := d.lambda(lambda)
	if l == 0 {
		return leastSquaresRidge(data) // nothing beside the columns, in float64
	}
	var w []float64
	w, r.s.DoF, r.s.Method = d.solve(l)
	violation, rss, err := d.violation(w, l)
	if err != nil {
		return nil, err
	}
	r.s.KKT = violation
	if d.XT.Data != nil {
		r.s.RSS = d.Squares(rss)
	} else {
		r.s.RSS = d.Squares(ridgeSumsRSS(d, w))
	}
	r.linear = d.coefficients(w)
	if !d.l.NoIntercept {
		r.s.DoF++
	}
	return r, nil
}

// solve returns the weights and the degrees of freedom, without the intercept's.
func (d *ridgeData) solve(lambda float64) (w []float64, dof float64, method string) {
	switch {
	case d.XT.Data == nil:
		w, dof = ridgeCholesky(d.G, d.C, lambda)
		return w, dof, "Cholesky of the cross-products"
	case d.XT.Rows <= d.XT.Cols:
		w, dof = ridgeQR(mat.NewDense(d.XT.Rows, d.XT.Cols, d.XT.Data).T(), d.Y, lambda)
		return w, dof, "Householder QR of the augmented rows"
	}
	if d.needsDual(lambda) {
		w, dof = ridgeDual(d, lambda)
		d.longWeights(w, lambda)
		return w, dof, "singular value decomposition"
	}
	w, dof = ridgeTransposed(d, lambda)
	return w, dof, "Householder QR of the transposed rows"
}

// leastSquaresRidge is lambda = 0.
func leastSquaresRidge(data Data) (*Ridge, error) {
	ols, err := FitOLS(data, nil)
	if err != nil {
		return nil, fmt.Errorf("lambda = 0 is least squares: %w", err)
	}
	return &Ridge{ols.linear, ridgeState{
		N: ols.NObs(), RSS: ols.RSS(), Null: ols.TSS(), DoF: ols.DoF(), KKT: ols.Orthogonality(), Method: ols.Method(),
	}}, nil
}

// ridgeCholesky solves (G + lambda I) w = c, and returns trace (G + lambda I)^-1 G.
func ridgeCholesky(g blas64.Symmetric, c []float64, lambda float64) (w []float64, dof float64) {
	a := mat.NewSymDense(g.N, nil)
	raw := a.RawSymmetric()
	for i := range g.N {
		copy(raw.Data[i*raw.Stride+i:(i+1)*raw.Stride], g.Data[i*g.Stride+i:i*g.Stride+g.N])
		raw.Data[i*raw.Stride+i] += lambda
	}
	r, ok := lsq.Factor(a)
	if !ok {
		// Rounding of G outweighs lambda: the eigenvalues below it are rounding.
		return ridgeEigen(g, c, lambda)
	}
	t := lsq.Upper(r)
	w = append([]float64(nil), c...)
	blas64.Trsv(blas.Trans, t, gram.Vector(w))
	blas64.Trsv(blas.NoTrans, t, gram.Vector(w))
	if lambda <= manyTimes {
		return w, float64(g.N) - lambda*inverseSquares(t)
	}
	inverse := mat.DenseCopyOf(lsq.TriangularInverse(t))
	product := algebra.Multiply(mat.DenseCopyOf(algebra.AsSymmetric(g)), inverse, false, false)
	return w, gram.Dot(product.RawMatrix().Data, inverse.RawMatrix().Data)
}

// manyTimes is a penalty, beside columns of length 1 at most, above which the
// degrees of freedom p - lambda trace (X'X + lambda I)^-1 are a small difference.
const manyTimes = 100

// ridgeEigen is ridgeCholesky by eigenvalues, those below zero taken for zero.
func ridgeEigen(g blas64.Symmetric, c []float64, lambda float64) (w []float64, dof float64) {
	values, v, err := algebra.Eigenvectors(mat.NewSymDense(g.N, g.Data), 0)
	if err != nil {
		panic(err)
	}
	w = make([]float64, g.N)
	for k, s := range values {
		col := gram.Column(v, k)
		s = math.Max(s, 0)
		blas64.Axpy(blas64.Dot(col, gram.Vector(c))/(s+lambda), col, gram.Vector(w))
		dof += s / (s + lambda)
	}
	return w, dof
}

// inverseSquares returns the sum of squares of T^-1, trace (T'T)^-1.
func inverseSquares(t blas64.Triangular) float64 {
	t = lsq.TriangularInverse(t).RawTriangular()
	var sum float64
	for i := range t.N {
		row := t.Data[i*t.Stride+i : i*t.Stride+t.N]
		sum += gram.Dot(row, row)
	}
	return sum
}

// ridgeQR solves min |y - Xw|^2 + lambda |w|^2 as the least-squares problem with
// sqrt(lambda) I below X and zeros below y.
func ridgeQR(x mat.Matrix, y []float64, lambda float64) (w []float64, dof float64) {
	n, p := x.Dims()
	a := mat.NewDense(n+p, p, nil)
	a.Slice(0, n, 0, p).(*mat.Dense).Copy(x)
	for j := range p {
		a.Set(n+j, j, math.Sqrt(lambda))
	}
	r, qty := lsq.Triangularize(a, append(slices.Clone(y), make([]float64, p)...))
	t := lsq.Upper(r)
	blas64.Trsv(blas.NoTrans, t, gram.Vector(qty))
	if lambda <= manyTimes {
		return qty, float64(p) - lambda*inverseSquares(t)
	}
	rows := mat.DenseCopyOf(x).RawMatrix() // X T^-1, whose squares are the leverages
	blas64.Trmm(blas.Right, blas.NoTrans, 1, lsq.TriangularInverse(t).RawTriangular(), rows)
	return qty, gram.Dot(rows.Data, rows.Data)
}

// ridgeTransposed solves for p > n: X' = QR, w = Qu.
func ridgeTransposed(d *ridgeData, lambda float64) (w []float64, dof float64) {
	n := d.XT.Cols
	x := mat.NewDense(d.XT.Rows, n, d.XT.Data)
	r, _ := lsq.Triangularize(x, make([]float64, d.XT.Rows))
	u, dof := ridgeQR(r.T(), d.Y, lambda)
	// Q = X'R^-1 if R is invertible, which it is not for centered rows: take Q
	// from the factorization.
	q := lsq.Basis(x)
	w = make([]float64, d.XT.Rows)
	blas64.Gemv(blas.NoTrans, 1, q.RawMatrix(), gram.Vector(u), 0, gram.Vector(w))
	return w, dof
}

// noSquare is the relative size of a squared singular value that is rounding.
const noSquare = 1e-26

// shortColumn is the length, relative to the longest column, below which ridgeTransposed
// gives a weight too few digits.
const shortColumn = 1e-4

// longWeights replaces the weights of long columns, in which the dual's cancel.
func (d *ridgeData) longWeights(w []float64, lambda float64) {
	if lambda < noSquare {
		return
	}
	long, _ := ridgeTransposed(d, lambda)
	for j, v := range long {
		if d.lengths[j] >= shortColumn {
			w[j] = v
		}
	}
}

// needsDual tells whether, of more terms than rows, some are much smaller than
// others, or lambda is nothing beside the singular values that are rounding.
func (d *ridgeData) needsDual(lambda float64) bool {
	if d.XT.Data == nil || d.XT.Rows <= d.XT.Cols {
		return false
	}
	for j := range d.XT.Rows {
		if length := d.lengths[j]; length > 0 && length < shortColumn {
			return true
		}
	}
	return lambda < noSquare
}

// ridgeDual solves for p > n by w = X'a, (XX' + lambda I) a = y, which gives every
// weight the digits that its size allows. Directions that are rounding are left out
// if lambda is, too.
func ridgeDual(d *ridgeData, lambda float64) (w []float64, dof float64) {
	_, values, u, err := blocked.SVD(mat.NewDense(d.XT.Rows, d.XT.Cols, d.XT.Data), mat.SVDThinV)
	if err != nil {
		panic(err) // of finite columns
	}
	a := make([]float64, d.XT.Cols)
	for k, s := range values {
		if limit := noSquare * values[0] * values[0]; s*s <= limit && lambda <= limit {
			continue
		}
		blas64.Axpy(blas64.Dot(gram.Column(u, k), gram.Vector(d.Y))/(s*s+lambda), gram.Column(u, k), gram.Vector(a))
		dof += s * s / (s*s + lambda)
	}
	w = make([]float64, d.XT.Rows)
	blas64.Gemv(blas.NoTrans, 1, d.XT, gram.Vector(a), 0, gram.Vector(w))
	return w, dof
}

// ridgeSumsRSS returns y'y - 2 w'c + w'Gw.
func ridgeSumsRSS(d *ridgeData, w []float64) float64 {
	g := append([]float64(nil), d.C...)
	blas64.Symv(-1, d.G, gram.Vector(w), 1, gram.Vector(g))
	return math.Max(d.YY-gram.Dot(w, d.C)-gram.Dot(w, g), 0)
}

func (*Ridge) of(s *pathState, p *pathPoint) *Ridge {
	return &Ridge{linear{p.linear(s.L)}, ridgeState{
		N: s.N, Lambda: p.Lambda, RSS: p.Loss, Null: s.Null, DoF: p.DoF, KKT: p.KKT, Method: "spectrum of the design",
	}}
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *Ridge) NObs() int { return f.s.N }

// Lambda returns the penalty.
func (f *Ridge) Lambda() float64 { return f.s.Lambda }

// RSS returns the residual sum of squares, weighted if the design is.
func (f *Ridge) RSS() float64 { return f.s.RSS }

// NullRSS returns the residual sum of squares of the null model: of
// y - mean(y), or of y in a fit without intercept.
func (f *Ridge) NullRSS() float64 { return f.s.Null }

// R2 returns 1 - RSS/NullRSS.
func (f *Ridge) R2() float64 { return 1 - f.s.RSS/f.s.Null }

// DoF returns the degrees of freedom, the trace of the matrix that makes fitted
// values of the response,
//
//	sum_k s_k^2/(s_k^2 + lambda),
//
// with the singular values s_k of the centered X F^(-1/2), plus 1 for the intercept.
func (f *Ridge) DoF() float64 { return f.s.DoF }

// DoFResidual returns NObs - DoF.
func (f *Ridge) DoFResidual() float64 { return float64(f.s.N) - f.s.DoF }

// GCV returns the generalized cross-validation score, see the function GCV.
func (f *Ridge) GCV() float64 { return GCV(f) }

// KKT certifies the fit: the largest violation of X'(y - Xb) = lambda F b by a
// term, relative to |x_j||y|, X and y centered.
func (f *Ridge) KKT() float64 { return f.s.KKT }

// Method names the algorithm that solved the fit.
func (f *Ridge) Method() string { return f.s.Method }

// Leverage returns the diagonal of the matrix H with yhat = H y,
//
//	h_ii = w_i (1/W + x_i'(X'X + lambda F)^-1 x_i),
//
// X centered, W the sum of weights (no 1/W without intercept). d must be the rows
// that were fitted, as X'X is computed from them: a fit holds no data.
// LOOResiduals and LOOMSE use it. Errors are those of Predict.
func (f *Ridge) Leverage(d *Design) ([]float64, error) {
	h, err := f.leverages(d, f.s.By, []float64{f.s.Lambda})
	if err != nil {
		return nil, err
	}
	return h[0], nil
}

// leverages returns the leverages of the rows of d at every lambda, with the columns
// divided by the numbers given.
func (f *linear) leverages(d *Design, by, lambdas []float64) ([][]float64, error) {
	rows, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	rows = rows.WithResponse(f.l.Response, make([]float64, d.NObs()))
	rows.NoIntercept = f.l.NoIntercept
	r, err := ridgeRows(rows, dividedBy(by))
	if err != nil {
		return nil, err
	}
	n, p := d.NObs(), r.XT.Rows
	out := make([][]float64, len(lambdas))
	for k := range out {
		out[k] = make([]float64, n)
		if !f.l.NoIntercept {
			for i := range n {
				out[k][i] = d.Weight(i) / r.W
			}
		}
	}
	// u are the left singular vectors in the columns, or, if a decomposition of
	// X'X does, X times its eigenvectors, whose lengths are s.
	var u *mat.Dense
	var square []float64
	xt := mat.NewDense(p, n, r.XT.Data)
	if n <= 2*p {
		_, s, v, err := blocked.SVD(xt, mat.SVDThinV)
		if err != nil {
			return nil, err
		}
		u = v
		for k, s := range s {
			square = append(square, s*s)
			blas64.Scal(s, gram.Column(u, k))
		}
	} else {
		values, v, err := algebra.Eigenvectors(algebra.Outer(xt), 0)
		if err != nil {
			return nil, err
		}
		u = algebra.Multiply(xt, v, true, false)
		for _, s := range values {
			square = append(square, math.Max(s, 0))
		}
	}
	for k, lambda := range lambdas {
		l := r.lambda(lambda)
		for i := range n {
			for c, v := range u.RawRowView(i) {
				out[k][i] += lsq.Ratio(v*v, square[c]+l)
			}
		}
	}
	return out, nil
}

// PosteriorCov returns the covariance of the slopes given the data, for a flat
// prior of the intercept, slopes a priori N(0, sigma2/lambda F^-1) and noise of
// variance sigma2,
//
//	sigma2 (X'X + lambda F)^-1,
//
// X centered. The data must be those fitted. Errors: ErrSetting (sigma2 not
// positive), ErrRankDeficient, and those of the data. (Murphy, Machine Learning,
// section 7.6.)
func (f *Ridge) PosteriorCov(data Data, sigma2 float64) (*mat.SymDense, error) {
	if !(sigma2 > 0) || math.IsInf(sigma2, 0) {
		return nil, fmt.Errorf("%w: sigma2 = %v; a variance is positive and finite", ErrSetting, sigma2)
	}
	d, err := ridgeSums(data, dividedBy(f.s.By))
	if err != nil {
		return nil, err
	}
	a := mat.NewSymDense(d.G.N, d.G.Data)
	for j := range d.G.N {
		a.SetSym(j, j, a.At(j, j)+d.lambda(f.s.Lambda))
	}
	r, ok := lsq.Factor(a)
	if !ok {
		return nil, fmt.Errorf("%w: lambda = %g is nothing beside the rounding of X'X", ErrRankDeficient, f.s.Lambda)
	}
	v := algebra.Outer(mat.DenseCopyOf(lsq.TriangularInverse(lsq.Upper(r))))
	v.ScaleSym((2 * d.unit).In(sigma2), v)
	for i, a := range d.by {
		for j := range i + 1 {
			v.SetSym(i, j, v.At(i, j)/(a*d.by[j]))
		}
	}
	return v, nil
}

// Raw returns the same fit with coefficients in the raw units of the data; see
// OLS.Raw. Lambda remains that of the design's units.
func (f *Ridge) Raw() (*Ridge, error) {
	raw := *f
	l, err := f.l.raw()
	if err != nil {
		return nil, err
	}
	raw.l = *l
	if scaling := f.l.Scaling; scaling != nil {
		raw.s.By = slices.Clone(scaling.Scale)
		for j, v := range f.s.By {
			raw.s.By[j] *= v
		}
	}
	return &raw, nil
}

// GobEncode implements gob.GobEncoder.
func (f *Ridge) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *Ridge) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Describe returns the table of the coefficients, with the size of the fit, the method
// and its certificate.
func (f *Ridge) Describe() *report.Table {
	return describePenalized(f, fmt.Sprintf("Ridge fit of %s at λ = %s", f.Response(), format.Number(f.Lambda(), 6)),
		sizeOf(f)+", GCV = "+format.Number(f.GCV(), 4), f.Method()+", "+gapText(math.NaN(), f.KKT(), ""))
}

// String writes the table of the fit as text.
func (f *Ridge) String() string { return f.Describe().String() }
