package mlreg

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// LinearGaussian is the linear Gaussian system
//
//	x ~ N(mu, S)          (k)
//	y | x ~ N(A x + b, Sy)   (q)
//
// It does not change. (Murphy, Machine Learning: A Probabilistic Perspective,
// section 4.4.)
type LinearGaussian struct {
	prior *Gaussian
	a     *mat.Dense // q x k
	b     []float64  // q
	noise *Gaussian  // N(0, Sy)
}

// NewLinearGaussian returns the system with prior N(mu, S) and likelihood
// N(A x + b, noise), where A is q x k; a nil b is zero. The error names the sizes
// that do not match (ErrShape), or the pivot at which the noise covariance is not
// positive definite (ErrNotPositiveDefinite).
func NewLinearGaussian(prior *Gaussian, a mat.Matrix, b []float64, noise mat.Symmetric) (*LinearGaussian, error) {
	if prior == nil || args.Given("the matrix", a) != nil {
		return nil, fmt.Errorf("%w: the prior or the matrix is nil", ErrShape)
	}
	q, k := a.Dims()
	if b == nil {
		b = make([]float64, q)
	}
	if err := checkSystem(q, k, prior, b, order(noise)); err != nil {
		return nil, err
	}
	ac := mat.DenseCopyOf(a)
	if err := args.Finite("A, row by row,", ac.RawMatrix().Data); err != nil {
		return nil, err
	}
	if err := args.Finite("b", b); err != nil {
		return nil, err
	}
	r, err := positiveFactor("the noise covariance", noise)
	if err != nil {
		return nil, err
	}
	return &LinearGaussian{
		prior: prior, a: ac, b: slices.Clone(b),
		noise: &Gaussian{store[Gaussian](gaussianState{make([]float64, q), r.RawMatrix().Data})},
	}, nil
}

// checkSystem looks at the sizes of what belongs to a q x k matrix A.
func checkSystem(q, k int, prior *Gaussian, b []float64, noise int) error {
	if k != prior.Dim() || len(b) != q || noise != q {
		return fmt.Errorf("%w: A is %d x %d, the prior is of %d dimensions, b of length %d, the noise covariance of order %d",
			ErrShape, q, k, prior.Dim(), len(b), noise)
	}
	return nil
}

// Prior returns N(mu, S).
func (s *LinearGaussian) Prior() *Gaussian { return s.prior }

// Likelihood returns the distribution of y at x, N(A x + b, Sy). It is an
// error if x does not have k values (ErrShape) or one is not finite.
func (s *LinearGaussian) Likelihood(x []float64) (*Gaussian, error) {
	if len(x) != s.prior.Dim() {
		return nil, fmt.Errorf("%w: x has %d values, the system takes %d", ErrShape, len(x), s.prior.Dim())
	}
	if err := args.Finite("x", x); err != nil {
		return nil, err
	}
	return &Gaussian{store[Gaussian](gaussianState{s.at(x), s.noise.s.T})}, nil
}

// at returns A x + b.
func (s *LinearGaussian) at(x []float64) []float64 {
	y := slices.Clone(s.b)
	blas64.Gemv(blas.NoTrans, 1, s.a.RawMatrix(), blas64.Vector{N: len(x), Inc: 1, Data: x}, 1,
		blas64.Vector{N: len(y), Inc: 1, Data: y})
	return y
}

// Posterior returns the distribution of x given y,
//
//	S_N^-1 = S^-1 + A' Sy^-1 A,   mu_N = S_N (A' Sy^-1 (y - b) + S^-1 mu)
//
// (Murphy eq. 4.125), by Householder QR of the whitened system: with S = LL'
// and Sy = MM', B = M^-1 A L, and (B; I) = QR, it is
//
//	S_N = (L R^-1)(L R^-1)',   mu_N = mu + L R^-1 Q'(M^-1 (y - b - A mu); 0).
//
// It is an error if y does not have q values (ErrShape) or one is not finite.
func (s *LinearGaussian) Posterior(y []float64) (*Gaussian, error) {
	if err := s.checkY(y); err != nil {
		return nil, err
	}
	q, k := s.a.Dims()
	e := s.at(s.prior.s.Mean)
	for i := range e {
		e[i] = y[i] - e[i]
	}
	m := lsq.Upper(s.noise.factor())
	blas64.Trsv(blas.Trans, m, blas64.Vector{N: q, Inc: 1, Data: e})
	b := s.spread()
	algebra.SolveTransposed(m, b.RawMatrix())
	stacked := mat.NewDense(q+k, k, nil)
	stacked.Slice(0, q, 0, k).(*mat.Dense).Copy(b)
	for j := range k {
		stacked.Set(q+j, j, 1)
	}
	r, qty := triangularize(stacked, append(e, make([]float64, k)...))
	t := s.prior.factor()
	u := blas64.Vector{N: k, Inc: 1, Data: qty}
	blas64.Trsv(blas.NoTrans, lsq.Upper(r), u)
	blas64.Trmv(blas.Trans, lsq.Upper(t), u)
	mean := s.prior.Mean()
	for j, v := range u.Data {
		mean[j] += v
	}
	rows := mat.DenseCopyOf(t)
	algebra.SolveTransposed(lsq.Upper(r), rows.RawMatrix())
	return gaussianFromRows(mean, rows), nil
}

// spread returns A L, where L L' is the prior covariance.
func (s *LinearGaussian) spread() *mat.Dense {
	al := mat.DenseCopyOf(s.a)
	blas64.Trmm(blas.Right, blas.Trans, 1, lsq.Upper(s.prior.factor()), al.RawMatrix())
	return al
}

func (s *LinearGaussian) checkY(y []float64) error {
	if len(y) != len(s.b) {
		return fmt.Errorf("%w: y has %d values, the system gives %d", ErrShape, len(y), len(s.b))
	}
	return args.Finite("y", y)
}

// Marginal returns the distribution of y, N(A mu + b, Sy + A S A') (Murphy eq.
// 4.126).
func (s *LinearGaussian) Marginal() *Gaussian {
	q, k := s.a.Dims()
	rows := mat.NewDense(q+k, q, nil)
	rows.Slice(0, q, 0, q).(*mat.Dense).Copy(s.noise.factor())
	rows.Slice(q, q+k, 0, q).(*mat.Dense).Copy(s.spread().T())
	return gaussianFromRows(s.at(s.prior.s.Mean), rows)
}

// Joint returns the distribution of (x, y) in k + q dimensions, x first; its
// covariance is [S, S A'; A S, Sy + A S A'] (Murphy eq. 4.128).
func (s *LinearGaussian) Joint() *Gaussian {
	q, k := s.a.Dims()
	t := mat.NewDense(k+q, k+q, nil)
	t.Slice(0, k, 0, k).(*mat.Dense).Copy(s.prior.factor())
	t.Slice(0, k, k, k+q).(*mat.Dense).Copy(s.spread().T())
	t.Slice(k, k+q, k, k+q).(*mat.Dense).Copy(s.noise.factor())
	return &Gaussian{store[Gaussian](gaussianState{append(s.prior.Mean(), s.at(s.prior.s.Mean)...), t.RawMatrix().Data})}
}

// Predictive returns the distribution of a new observation a x + b + noise given y:
// the marginal of the system whose prior is Posterior(y). A nil b is zero.
func (s *LinearGaussian) Predictive(y []float64, a mat.Matrix, b []float64, noise mat.Symmetric) (*Gaussian, error) {
	posterior, err := s.Posterior(y)
	if err != nil {
		return nil, err
	}
	next, err := NewLinearGaussian(posterior, a, b, noise)
	if err != nil {
		return nil, err
	}
	return next.Marginal(), nil
}

// LogEvidence returns log p(y), the marginal's log density at y.
func (s *LinearGaussian) LogEvidence(y []float64) (float64, error) {
	if err := s.checkY(y); err != nil {
		return 0, err
	}
	return s.Marginal().LogProb(y), nil
}

// GobEncode implements gob.GobEncoder.
func (s *LinearGaussian) GobEncode() ([]byte, error) {
	return stream.Encode(s, s.prior, s.a, s.b, s.noise)
}

// GobDecode implements gob.GobDecoder.
func (s *LinearGaussian) GobDecode(b []byte) error {
	return gobDecode(b, s, &s.prior, &s.a, &s.b, &s.noise)
}

func (s *LinearGaussian) restored() error {
	q, k := s.a.Dims()
	return checkSystem(q, k, s.prior, s.b, s.noise.Dim())
}

// Describe returns the system as a table: a row for each value of y with its
// coefficients in x, the constant, and the standard deviation of its noise.
func (s *LinearGaussian) Describe() *report.Table {
	q, k := s.a.Dims()
	t := &report.Table{Title: "Linear Gaussian system, y = A x + b + noise", Columns: []report.Column{
		tables.Text("value", gram.NumbersTo(q), func(i int) string { return fmt.Sprintf("y%d", i+1) }),
	}}
	for j := range min(k, wholeCov) {
		t.Columns = append(t.Columns, tables.Number(fmt.Sprintf("x%d", j+1), gram.NumbersTo(q), 0, func(i int) float64 { return s.a.At(i, j) }))
	}
	t.Columns = append(t.Columns, report.NumberColumn("b", s.b, 0), report.NumberColumn("noise "+format.StdDev, s.noise.StdDev(), 0))
	if k > wholeCov {
		t.Notes = []string{fmt.Sprintf("... %d more columns of A", k-wholeCov)}
	}
	if k <= wholeCov {
		t.Notes = append(t.Notes, "x has the prior mean "+format.Brackets(s.prior.Mean())+" and standard deviations "+format.Brackets(s.prior.StdDev()))
	}
	return t
}

// String writes the system as text.
func (s *LinearGaussian) String() string { return s.Describe().String() }
