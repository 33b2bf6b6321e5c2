package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// PosteriorMean returns the posterior mean in the order of Names.
func (f *Bayes) PosteriorMean() []float64 { return f.Coef() }

// PosteriorCov returns the posterior covariance in the order of Names. If the noise
// variance is unknown, it is the covariance of Student's t: a_N/(a_N - 1) times its
// squared scale, infinite if a_N <= 1. Each call forms the (p+1)^2 numbers.
func (f *Bayes) PosteriorCov() *mat.SymDense {
	cov := f.relativeCov()
	cov.ScaleSym(f.Sigma2(), cov)
	return cov
}

// k returns the number of coefficients under the Gaussian prior.
func (f *Bayes) k() int { return f.s.Prior.K }

// reduction returns T F', the n x k matrix by which the data reduce the prior
// covariance: C = FF' - (TF')'TF'. It is only there if Root is not.
func (f *Bayes) reduction() *mat.Dense {
	tf := mat.NewDense(f.s.Rows, f.k(), slices.Clone(f.s.T))
	f.s.Prior.rightTransposed(tf)
	return tf
}

// relativeCov returns the covariance of all coefficients for sigma^2 = 1.
func (f *Bayes) relativeCov() *mat.SymDense {
	k := f.k()
	c := algebra.NewSym(k)
	switch {
	case k == 0:
	case f.s.Root != nil:
		c = algebra.Outer(mat.NewDense(k, k, f.s.Root))
	default:
		for i := range k {
			for j := i; j < k; j++ {
				c.SetSym(i, j, f.s.Prior.at(i, j))
			}
		}
		explained := algebra.AsSymmetric(algebra.Inner(f.reduction().RawMatrix()))
		for i := range k {
			for j := i; j < k; j++ {
				c.SetSym(i, j, c.At(i, j)-explained.At(i, j))
			}
		}
	}
	if !f.flat() {
		return c
	}
	all := mat.NewSymDense(k+1, nil)
	cx := make([]float64, k)
	x := blas64.Vector{N: k, Inc: 1, Data: f.s.Center}
	if k > 0 {
		blas64.Symv(1, c.RawSymmetric(), x, 0, blas64.Vector{N: k, Inc: 1, Data: cx})
	}
	all.SetSym(0, 0, 1/f.s.W+blas64.Dot(x, blas64.Vector{N: k, Inc: 1, Data: cx}))
	for i := range k {
		all.SetSym(0, i+1, -cx[i])
		for j := i; j < k; j++ {
			all.SetSym(i+1, j+1, c.At(i, j))
		}
	}
	return all
}

// quadratic returns z_i'C z_i for the rows of z (m x k), C the relative
// covariance of the coefficients under the prior. It destroys z if C is held
// by its reduction.
func (f *Bayes) quadratic(z *mat.Dense) []float64 {
	m, k := z.Dims()
	v := make([]float64, m)
	if k == 0 {
		return v
	}
	var product *mat.Dense
	if f.s.Root != nil {
		product = algebra.Multiply(z, mat.NewDense(k, k, f.s.Root), false, false)
	} else {
		f.s.Prior.rightOf(z)
		product = algebra.Multiply(z, mat.NewDense(f.s.Rows, k, f.s.T), false, true)
	}
	for i := range v {
		v[i] = gram.Squares(product.RawRowView(i))
		if f.s.Root == nil {
			v[i] = math.Max(gram.Squares(z.RawRowView(i))-v[i], 0)
		}
	}
	return v
}

// scales returns the relative scales of the coefficients in the order of
// Names, the roots of the diagonal of relativeCov, without forming that.
func (f *Bayes) scales() []float64 {
	k := f.k()
	v := make([]float64, k)
	switch {
	case k == 0:
	case f.s.Root != nil:
		for j := range v {
			v[j] = gram.Squares(f.s.Root[j*k : (j+1)*k])
		}
	default:
		for j := range v {
			v[j] = f.s.Prior.at(j, j)
		}
		tf := f.reduction()
		for i := range f.s.Rows {
			for j, t := range tf.RawRowView(i) {
				v[j] -= t * t
			}
		}
	}
	if f.flat() {
		v = append([]float64{1/f.s.W + f.quadratic(algebra.RowOf(f.s.Center))[0]}, v...)
	}
	for j := range v {
		v[j] = math.Sqrt(math.Max(v[j], 0))
	}
	return v
}

// StdDev returns the posterior standard deviations in the order of Names, the
// roots of the diagonal of PosteriorCov; infinite if a_N <= 1.
func (f *Bayes) StdDev() []float64 {
	sd := f.scales()
	blas64.Scal(math.Sqrt(f.Sigma2()), blas64.Vector{N: len(sd), Inc: 1, Data: sd})
	return sd
}

// CredibleInterval returns, for every coefficient, the central interval with
// posterior probability level, 0 < level < 1 (ErrSetting): normal if the noise
// variance is known, else Student's t with TDoF degrees of freedom.
func (f *Bayes) CredibleInterval(level float64) (report.Rows[Interval], error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	scale := f.scales()
	blas64.Scal(math.Sqrt(f.scale2()), blas64.Vector{N: len(scale), Inc: 1, Data: scale})
	return intervals(f.Names(), f.Coef(), scale, f.TDoF(), level), nil
}

// PosteriorRow is a line of the table of a posterior: mean and standard
// deviation of a coefficient, its credible limits, and the posterior
// probability that it is positive. Level is that of the limits, 0.95 for 95%.
type PosteriorRow struct {
	Term                                            string
	Mean, StdDev, Lower, Upper, ProbPositive, Level float64
}

// Table returns the posterior of the coefficients in the order of Names, with
// central credible limits at the given level.
func (f *Bayes) Table(level float64) (report.Rows[PosteriorRow], error) {
	limits, err := f.CredibleInterval(level)
	if err != nil {
		return nil, err
	}
	mean, scale := f.Coef(), f.scales()
	rows := make([]PosteriorRow, len(limits))
	for j := range rows {
		positive := dist.TTwoSided(mean[j]/(scale[j]*math.Sqrt(f.scale2())), f.TDoF()) / 2
		if mean[j] > 0 {
			positive = 1 - positive
		}
		rows[j] = PosteriorRow{
			Term: limits[j].Term, Mean: mean[j], StdDev: scale[j] * math.Sqrt(f.Sigma2()),
			Lower: limits[j].Lower, Upper: limits[j].Upper, ProbPositive: positive, Level: level,
		}
	}
	return rows, nil
}

// Posterior returns the posterior of the coefficients, in the order of Names,
// as a Gaussian. If the noise variance is unknown, the posterior is Student's t, and
// the call is an error; Sample draws from it.
func (f *Bayes) Posterior() (*Gaussian, error) {
	if !f.SigmaKnown() {
		return nil, fmt.Errorf("%w: the noise variance is unknown, and the posterior is Student's t, not Gaussian; use Sample", ErrSetting)
	}
	return NewGaussian(f.Coef(), f.PosteriorCov())
}

// AsPrior returns the arguments that make this posterior the prior for more data:
// FitBayes(more, prior, noise, settings) is then the posterior given all data. The
// order of the data does not matter, and the log evidences add up. The new prior
// covers the intercept, if there is one.
func (f *Bayes) AsPrior() (prior GaussianPrior, noise Noise, settings *BayesSettings) {
	cov := f.relativeCov()
	noise = f.s.Post
	if f.SigmaKnown() {
		cov.ScaleSym(f.s.Sigma2, cov)
		noise = KnownVariance(f.s.Sigma2)
	}
	return GaussianPrior{Mean: f.Coef(), Cov: cov}, noise, &BayesSettings{PenalizeIntercept: f.HasIntercept()}
}

// Raw returns the same posterior in the raw units of the data, undoing the
// scaling of the design fitted, as OLS.Raw does. The prior is transformed too, so that
// Lambda is NaN. It is an error if a fit without intercept was made to centered
// columns, or if the prior of the intercept would need a p x p matrix that the
// fit does not hold.
func (f *Bayes) Raw() (*Bayes, error) {
	raw := *f
	raw.l.Scaling = nil
	if f.l.Scaling == nil {
		return &raw, nil
	}
	first := f.k() - len(f.l.B)
	raw.l.B = slices.Clone(f.l.B)
	raw.s.Root, raw.s.Center = slices.Clone(f.s.Root), slices.Clone(f.s.Center)
	prior := *f.s.Prior
	prior.Diag, prior.R = slices.Clone(prior.Diag), slices.Clone(prior.R)
	raw.s.Prior, raw.s.Lambda = &prior, math.NaN()
	for j := range raw.l.B {
		center, scale := f.l.Scaling.at(j)
		if center != 0 && f.l.NoIntercept {
			return nil, fmt.Errorf("%w: the fit has no intercept, and term %q was centered at %v; in raw units it needs one",
				ErrShape, f.l.Names[j], center)
		}
		if center != 0 && f.s.Penalize && f.s.Root == nil {
			return nil, fmt.Errorf("%w: the intercept is under the prior, and term %q was centered at %v; fit the raw design", ErrShape, f.l.Names[j], center)
		}
		raw.l.B[j] /= scale
		raw.l.B0 -= raw.l.B[j] * center
		if f.flat() {
			raw.s.Center[j] = f.s.Center[j]*scale + center
		}
		prior.scaleRow(first+j, 1/scale)
		if f.s.Root != nil {
			k := f.k()
			row := blas64.Vector{N: k, Inc: 1, Data: raw.s.Root[(first+j)*k:]}
			blas64.Scal(1/scale, row)
			if f.s.Penalize {
				blas64.Axpy(-center, row, blas64.Vector{N: k, Inc: 1, Data: raw.s.Root})
			}
		}
	}
	return &raw, nil
}

// Tabulate returns the rows as a table.
func (PosteriorRow) Tabulate(r []PosteriorRow) *report.Table {
	mean := format.Each(r, func(r PosteriorRow) float64 { return r.Mean })
	sd := format.Each(r, func(r PosteriorRow) float64 { return r.StdDev })
	unit := tables.Unit(mean, sd)
	lower, upper := tables.Limits(r, func(r PosteriorRow) float64 { return r.Level })
	return tables.Rows("",
		tables.Text("term", r, func(r PosteriorRow) string { return r.Term }),
		unit("mean", mean),
		unit(format.StdDev, sd),
		unit(lower, format.Each(r, func(r PosteriorRow) float64 { return r.Lower })),
		unit(upper, format.Each(r, func(r PosteriorRow) float64 { return r.Upper })),
		tables.Written("P(w > 0)", format.Each(r, func(r PosteriorRow) float64 { return r.ProbPositive }), format.Probability))
}

// String writes the row as text.
func (r PosteriorRow) String() string { return report.Rows[PosteriorRow]{r}.String() }
