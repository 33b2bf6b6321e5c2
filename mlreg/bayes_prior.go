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
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// GaussianPrior is the prior of the coefficients for FitBayes. It covers the p
// slopes; with BayesSettings.PenalizeIntercept it has p+1 elements, the intercept
// first.
//
//	w ~ N(Mean, V0)                          if the noise is a KnownVariance
//	w | sigma^2 ~ N(Mean, sigma^2 V0)        if it is InverseGamma
//
// V0 is Tau2 times the identity, or Cov.
type GaussianPrior struct {
	// Tau2 is tau^2 > 0, the variance of every coefficient.
	Tau2 float64
	// Mean is the prior mean; nil is zero.
	Mean []float64
	// Cov is the prior covariance, positive definite, instead of Tau2. A
	// *mat.DiagDense costs no more than Tau2 does.
	Cov mat.Symmetric
}

// priorState is what is stored of a GaussianPrior: of Cov the diagonal, and the upper
// triangle, row after row, unless it is diagonal.
type priorState struct {
	Tau2           float64
	Mean           []float64
	Diagonal, Full []float64
}

func (s *priorState) restored() error {
	if n := len(s.Diagonal); len(s.Full) > 0 && len(s.Full) != n*n {
		return fmt.Errorf("%w: a covariance of order %d has %d values", ErrShape, n, len(s.Full))
	}
	return nil
}

// GobEncode implements gob.GobEncoder.
func (prior GaussianPrior) GobEncode() ([]byte, error) {
	s := priorState{Tau2: prior.Tau2, Mean: prior.Mean}
	if prior.Cov != nil {
		n := prior.Cov.SymmetricDim()
		_, diagonal := prior.Cov.(mat.Diagonal)
		for i := range n {
			s.Diagonal = append(s.Diagonal, prior.Cov.At(i, i))
			if diagonal {
				continue
			}
			s.Full = append(s.Full, make([]float64, i)...) // what SymDense does not read
			for j := i; j < n; j++ {
				s.Full = append(s.Full, prior.Cov.At(i, j))
			}
		}
	}
	return stream.Encode(prior, s)
}

// GobDecode implements gob.GobDecoder. Cov comes back as a *mat.DiagDense or a
// *mat.SymDense.
func (prior *GaussianPrior) GobDecode(b []byte) error {
	var s priorState
	if err := gobDecode(b, prior, &s); err != nil {
		return err
	}
	*prior = GaussianPrior{Tau2: s.Tau2, Mean: s.Mean}
	switch n := len(s.Diagonal); {
	case len(s.Full) > 0:
		prior.Cov = mat.NewSymDense(n, s.Full)
	case n > 0:
		prior.Cov = mat.NewDiagDense(n, s.Diagonal)
	}
	return nil
}

// Noise is the prior knowledge about the noise variance sigma^2: a KnownVariance,
// or an InverseGamma distribution.
type Noise interface {
	// checkNoise reports parameters out of range.
	checkNoise() error
}

// KnownVariance is a known noise variance sigma^2 > 0. The posterior of the
// coefficients is Gaussian.
type KnownVariance float64

func (v KnownVariance) checkNoise() error {
	if !(v > 0) || math.IsInf(float64(v), 1) {
		return fmt.Errorf("%w: noise variance sigma^2 = %v; it is positive and finite", ErrSetting, float64(v))
	}
	return nil
}

// InverseGamma is the conjugate prior of an unknown noise variance,
//
//	p(sigma^2) = b^a / Gamma(a) (sigma^2)^(-a-1) exp(-b/sigma^2),   a = Shape, b = Scale.
//
// Together with w | sigma^2 ~ N(m0, sigma^2 V0) it is the
// normal-inverse-gamma prior; coefficients and predictions are then Student's
// t with 2 a_N degrees of freedom (Murphy, Machine Learning: A Probabilistic
// Perspective, section 7.6.3).
//
// The zero value is the limit a = b = 0, Jeffreys' improper prior
// p(sigma^2) = 1/sigma^2.
type InverseGamma struct {
	Shape, Scale float64
}

func (g InverseGamma) checkNoise() error {
	for _, v := range []float64{g.Shape, g.Scale} {
		if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: InverseGamma{Shape: %v, Scale: %v}; both must be finite and not negative; 0 and 0 give Jeffreys' prior",
				ErrSetting, g.Shape, g.Scale)
		}
	}
	return nil
}

// priorRoot is a prior over k coefficients as mean and a root F of its
// covariance: V0 = F F', F diagonal or F = R' for an upper triangular R.
type priorRoot struct {
	Mean []float64 // k, nil if zero
	Diag []float64 // k, if F is diagonal
	R    []float64 // k x k row-major, if it is not
	K    int
}

// root checks the prior against the names of its coefficients.
func (prior GaussianPrior) root(names []string) (*priorRoot, error) {
	k := len(names)
	f := &priorRoot{K: k}
	if prior.Mean != nil {
		if len(prior.Mean) != k {
			return nil, fmt.Errorf("%w: the prior mean has %d values for the %d coefficients %s",
				ErrShape, len(prior.Mean), k, format.Quoted(names))
		}
		if err := args.Finite("the prior mean", prior.Mean); err != nil {
			return nil, err
		}
		f.Mean = slices.Clone(prior.Mean)
	}
	if prior.Cov == nil {
		if !(prior.Tau2 > 0) || math.IsInf(prior.Tau2, 1) {
			return nil, fmt.Errorf("%w: prior variance tau^2 = %v; it is positive and finite", ErrSetting, prior.Tau2)
		}
		f.Diag = slices.Repeat([]float64{math.Sqrt(prior.Tau2)}, k)
		return f, nil
	}
	if prior.Tau2 != 0 {
		return nil, fmt.Errorf("%w: the prior has both Tau2 = %v and Cov", ErrSetting, prior.Tau2)
	}
	if prior.Cov.SymmetricDim() != k {
		return nil, fmt.Errorf("%w: the prior covariance has order %d for the %d coefficients %s",
			ErrShape, prior.Cov.SymmetricDim(), k, format.Quoted(names))
	}
	if diag, ok := prior.Cov.(mat.Diagonal); ok {
		f.Diag = make([]float64, k)
		for j := range k {
			v := diag.At(j, j)
			if !(v > 0) || math.IsInf(v, 1) {
				return nil, fmt.Errorf("%w: prior variance of %q is %v (pivot %d)", ErrNotPositiveDefinite, names[j], v, j+1)
			}
			f.Diag[j] = math.Sqrt(v)
		}
		return f, nil
	}
	r, err := positiveFactor("the prior covariance", prior.Cov)
	if err != nil {
		return nil, err
	}
	f.R = r.RawMatrix().Data
	return f, nil
}

// over returns the prior with its covariance divided by sigma^2.
func (f *priorRoot) over(sigma2 float64) *priorRoot {
	c := 1 / math.Sqrt(sigma2)
	g := *f
	g.Diag, g.R = slices.Clone(f.Diag), slices.Clone(f.R)
	blas64.Scal(c, blas64.Vector{N: len(g.Diag), Inc: 1, Data: g.Diag})
	blas64.Scal(c, blas64.Vector{N: len(g.R), Inc: 1, Data: g.R})
	return &g
}

// upper views R.
func (f *priorRoot) upper() blas64.Triangular {
	return blas64.Triangular{N: f.K, Stride: f.K, Data: f.R, Uplo: blas.Upper, Diag: blas.NonUnit}
}

// logDet returns log|F|, half of log|V0|.
func (f *priorRoot) logDet() float64 {
	var log float64
	for j := range f.K {
		if f.R == nil {
			log += math.Log(f.Diag[j])
		} else {
			log += math.Log(f.R[j*f.K+j])
		}
	}
	return log
}

// at returns an element of V0.
func (f *priorRoot) at(i, j int) float64 {
	if f.R != nil {
		r := mat.NewDense(f.K, f.K, f.R)
		return blas64.Dot(gram.Column(r, i), gram.Column(r, j))
	}
	if i != j {
		return 0
	}
	return f.Diag[j] * f.Diag[j]
}

// scaleRow multiplies row j of F by c.
func (f *priorRoot) scaleRow(j int, c float64) {
	if f.R == nil {
		f.Diag[j] *= c
		return
	}
	blas64.Scal(c, gram.Column(mat.NewDense(f.K, f.K, f.R), j))
}

// rightOf replaces z (n x k) by z F.
func (f *priorRoot) rightOf(z *mat.Dense) {
	if f.R != nil {
		blas64.Trmm(blas.Right, blas.Trans, 1, f.upper(), z.RawMatrix())
		return
	}
	n, _ := z.Dims()
	for i := range n {
		row := z.RawRowView(i)
		for j, v := range f.Diag {
			row[j] *= v
		}
	}
}

// rightTransposed replaces z (n x k) by z F'.
func (f *priorRoot) rightTransposed(z *mat.Dense) {
	if f.R == nil {
		f.rightOf(z)
		return
	}
	blas64.Trmm(blas.Right, blas.NoTrans, 1, f.upper(), z.RawMatrix())
}

// leftOf replaces z (k x c) by F z.
func (f *priorRoot) leftOf(z *mat.Dense) {
	if f.R != nil {
		blas64.Trmm(blas.Left, blas.Trans, 1, f.upper(), z.RawMatrix())
		return
	}
	for j, v := range f.Diag {
		row := z.RawRowView(j)
		for c := range row {
			row[c] *= v
		}
	}
}

// transposeTimes returns F'v.
func (f *priorRoot) transposeTimes(v []float64) []float64 {
	row := algebra.RowOf(v)
	f.rightOf(row)
	return row.RawRowView(0)
}

// times returns F v.
func (f *priorRoot) times(v []float64) []float64 {
	row := algebra.RowOf(v)
	f.rightTransposed(row)
	return row.RawRowView(0)
}

// inner returns F'G F for a symmetric G, which it destroys.
func (f *priorRoot) inner(g *mat.SymDense) *mat.SymDense {
	if f.R == nil {
		for i := range f.K {
			for j := i; j < f.K; j++ {
				g.SetSym(i, j, f.Diag[i]*g.At(i, j)*f.Diag[j])
			}
		}
		return g
	}
	full := mat.DenseCopyOf(g)
	raw := full.RawMatrix()
	blas64.Trmm(blas.Left, blas.NoTrans, 1, f.upper(), raw)
	blas64.Trmm(blas.Right, blas.Trans, 1, f.upper(), raw)
	return mat.NewSymDense(f.K, raw.Data)
}

// Describe returns the prior as a table that is written in a line.
func (p GaussianPrior) Describe() *report.Table {
	spread, dim := "variance τ² = "+format.Number(p.Tau2, format.Digits)+" each", len(p.Mean)
	var sd []float64
	if p.Cov != nil {
		dim = p.Cov.SymmetricDim()
		spread = fmt.Sprintf("a covariance of order %d", dim)
		sd = format.Each(gram.NumbersTo(dim), func(i int) float64 { return math.Sqrt(p.Cov.At(i, i)) })
	} else {
		dim = max(dim, 1)
		sd = format.Each(gram.NumbersTo(dim), func(int) float64 { return math.Sqrt(p.Tau2) })
	}
	mean, about := make([]float64, dim), "0"
	if len(p.Mean) == dim && p.Mean != nil {
		mean = p.Mean
		about = "a mean of their own"
	}
	return tables.Line("Gaussian prior of the coefficients about "+about+" with "+spread,
		report.NumberColumn("mean", mean, 0), report.NumberColumn(format.StdDev, sd, 0))
}

// String writes the prior in a line.
func (p GaussianPrior) String() string { return p.Describe().String() }

// Describe returns the distribution as a table that is written in a line.
func (g InverseGamma) Describe() *report.Table {
	line := fmt.Sprintf("σ² is inverse gamma with shape %s and scale %s", format.Number(g.Shape, format.Digits), format.Number(g.Scale, format.Digits))
	if g == (InverseGamma{}) {
		line = "σ² has Jeffreys' prior 1/σ²"
	}
	return tables.Line(line, tables.One("shape", g.Shape), tables.One("scale", g.Scale))
}

// String writes the distribution in a line.
func (g InverseGamma) String() string { return g.Describe().String() }

// Describe returns the variance as a table that is written in a line.
func (v KnownVariance) Describe() *report.Table {
	return tables.Line("σ² = "+format.Number(float64(v), format.Digits)+" (known)", tables.One("σ²", float64(v)))
}

// String writes the variance in a line.
func (v KnownVariance) String() string { return v.Describe().String() }
