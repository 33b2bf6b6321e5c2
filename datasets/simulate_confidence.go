package datasets

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// UnitNoise draws a value from a distribution with mean 0 and variance 1.
type UnitNoise func(src rand.Source) float64

// NormalNoise is noise for LinearModel, N(0, 1).
func NormalNoise(src rand.Source) float64 { return rand.New(src).NormFloat64() }

// UniformNoise is noise for LinearModel, uniform between -sqrt(3) and sqrt(3).
func UniformNoise(src rand.Source) float64 { return math.Sqrt(3) * (2*rand.New(src).Float64() - 1) }

// ExponentialNoise is noise for LinearModel, an exponential variable of mean 1
// minus 1: skewed (skewness 2), and never below -1.
func ExponentialNoise(src rand.Source) float64 { return rand.New(src).ExpFloat64() - 1 }

// LaplaceNoise is noise for LinearModel, with the density
// exp(-sqrt(2)|e|)/sqrt(2): heavier tails than the normal (kurtosis 6 instead of
// 3).
func LaplaceNoise(src rand.Source) float64 {
	rng := rand.New(src)
	e := rng.ExpFloat64() / math.Sqrt2
	if rng.IntN(2) == 0 {
		return -e
	}
	return e
}

// LinearModel is the true model of a simulation,
//
//	y_i = w_0 + x_i'w + s(x_i) e_i,
//
// with independent e_i of mean 0 and variance 1.
type LinearModel struct {
	// Coef are the weights w, the intercept first if the design has one.
	Coef []float64
	// Sigma is the standard deviation s of the noise. SigmaAt, if not nil,
	// replaces it by the standard deviation at the predictors x.
	Sigma   float64
	SigmaAt func(x []float64) float64
	// Noise is the distribution of e; nil is NormalNoise.
	Noise UnitNoise
	// Replicate calls Progress, if it is not nil, after every fit with the
	// number of fits done. An error from it stops the work.
	Progress func(done, total float64) error
}

// Draw returns the design with a response drawn from the model: the rows, names
// and weights of d, which stay as they are, and a new Y. The same source in the
// same state gives the same Y. The error says if Coef
// does not match the terms (mlreg.ErrShape), or which row has a standard
// deviation that is negative or not finite (mlreg.ErrSetting).
func (m LinearModel) Draw(d *mlreg.Design, src rand.Source) (*mlreg.Design, error) {
	if d == nil {
		return nil, errNilDesign
	}
	if err := checkDraw(float64(d.NObs()), src); err != nil {
		return nil, err
	}
	slopes, err := m.slopes(d)
	if err != nil {
		return nil, err
	}
	noise := m.Noise
	if noise == nil {
		noise = NormalNoise
	}
	drawn := make([]float64, d.NObs())
	for i := range drawn {
		x := d.X.RawRowView(i)
		y, sigma := 0.0, m.Sigma
		if !d.NoIntercept {
			y = m.Coef[0]
		}
		for j, v := range x {
			y += slopes[j] * v
		}
		if m.SigmaAt != nil {
			sigma = m.SigmaAt(x)
		}
		if !(sigma >= 0) || math.IsInf(sigma, 1) {
			return nil, fmt.Errorf("datasets: %w: the standard deviation of the noise of row %d is %v", mlreg.ErrSetting, i+1, sigma)
		}
		drawn[i] = y + sigma*noise(src)
	}
	return d.WithResponse(cmp.Or(d.Response, "y"), drawn), nil
}

// slopes returns the weights of the terms of d.
func (m LinearModel) slopes(d *mlreg.Design) ([]float64, error) {
	if d == nil {
		return nil, errNilDesign
	}
	slopes := m.Coef
	if !d.NoIntercept && len(slopes) > 0 {
		slopes = slopes[1:]
	}
	if len(slopes) != d.NTerms() || d.NoIntercept != (len(m.Coef) == d.NTerms()) {
		return nil, fmt.Errorf("datasets: %w: the linear model has %d coefficients and the design %d terms (intercept: %v)",
			mlreg.ErrShape, len(m.Coef), d.NTerms(), !d.NoIntercept)
	}
	return slopes, nil
}

// Replicate draws a response for the rows of d the given number of times, fits
// each, and returns the fits: a sample from the sampling distribution of the
// estimate, given X.
//
//	known := func(d *mlreg.Design) (mlreg.Wald, error) {
//		return mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 1})
//	}
//	r, err := model.Replicate(d, 1000, rand.NewPCG(1, 1), known)
//
// The same source in the same state gives the same fits. Errors are those of Draw
// and fit; mlreg.ErrSetting for less than one replicate, and mlreg.ErrShape if the
// number of coefficients differs between fit and model. If Progress returns an
// error, Replicate returns it with the fits done so far.
func (m LinearModel) Replicate(d *mlreg.Design, replicates int, src rand.Source, fit func(d *mlreg.Design) (mlreg.Wald, error)) (*Replicates, error) {
	if replicates < 1 {
		return nil, fmt.Errorf("datasets: %w: %d replicates; at least 1 is needed", mlreg.ErrSetting, replicates)
	}
	if fit == nil {
		return nil, fmt.Errorf("datasets: %w: the function that fits is nil", mlreg.ErrNoData)
	}
	if err := checkDraw(float64(replicates), src); err != nil {
		return nil, err
	}
	r := &Replicates{Truth: slices.Clone(m.Coef), Fits: make([]mlreg.Wald, replicates)}
	var stopped error
	for i := range r.Fits {
		drawn, err := m.Draw(d, src)
		if err != nil {
			return nil, err
		}
		if r.Fits[i], err = fit(drawn); err != nil {
			return nil, fmt.Errorf("datasets: replicate %d: %w", i+1, err)
		}
		if f := reflect.ValueOf(r.Fits[i]); !f.IsValid() || f.Kind() == reflect.Pointer && f.IsNil() {
			return nil, fmt.Errorf("datasets: %w: the fit of replicate %d is nil", mlreg.ErrNoData, i+1)
		}
		if m.Progress == nil {
			continue
		}
		if stopped = m.Progress(float64(i+1), float64(replicates)); stopped != nil {
			r.Fits = r.Fits[:i+1]
			break
		}
	}
	if got := len(r.Fits[0].Coef()); got != len(r.Truth) {
		return nil, fmt.Errorf("datasets: %w: the fits have %d coefficients and the model has %d", mlreg.ErrShape, got, len(r.Truth))
	}
	return r, stopped
}

// Replicates are fits to independent draws from one LinearModel with
// coefficients Truth.
type Replicates struct {
	Truth []float64
	Fits  []mlreg.Wald
}

// Coef returns the estimates of a term, one for every replicate; the
// intercept is "(Intercept)". The error names a term that the fits do not have.
func (r *Replicates) Coef(term string) ([]float64, error) {
	names := r.Fits[0].Names()
	j := slices.Index(names, term)
	if j < 0 {
		return nil, fmt.Errorf("datasets: %w: no term %q among %q", mlreg.ErrShape, term, names)
	}
	estimates := make([]float64, len(r.Fits))
	for i, f := range r.Fits {
		estimates[i] = f.Coef()[j]
	}
	return estimates, nil
}

// Coverage is the share of replicates whose limits contain the true coefficient
// of a term, with its Monte Carlo standard error sqrt(Rate(1-Rate)/replicates).
type Coverage struct {
	Term         string
	Rate, StdErr float64
}

// Coverage returns, for every term, how often the two-sided limits of
// mlreg.ConfInt contain the truth. Errors are those of ConfInt.
func (r *Replicates) Coverage(level float64) ([]Coverage, error) {
	held := make([]int, len(r.Truth))
	for i, f := range r.Fits {
		intervals, err := mlreg.ConfInt(f, level)
		if err != nil {
			return nil, fmt.Errorf("datasets: replicate %d: %w", i+1, err)
		}
		for j, l := range intervals {
			if l.Lower <= r.Truth[j] && r.Truth[j] <= l.Upper {
				held[j]++
			}
		}
	}
	rates := make([]Coverage, len(held))
	for j, name := range r.Fits[0].Names() {
		rates[j] = newCoverage(name, held[j], len(r.Fits))
	}
	return rates, nil
}

// JointCoverage returns how often the confidence ellipsoid of all coefficients b at once
// contains the truth w,
//
//	(b - w)' VCov^-1 (b - w) <= q,
//
// where q is the quantile at level of chi-squared with k = len(w) degrees of freedom, or,
// if the variance was estimated, of k F(k, InferenceDoF): mlreg.WaldTest does not refuse w.
// The term of the result is "(all)". The ellipse about the truth in which a share level
// of the estimates falls is the same statement, seen from the truth. Errors are those of
// WaldTest; mlreg.ErrSetting for a level that is not between 0 and 1.
func (r *Replicates) JointCoverage(level float64) (Coverage, error) {
	if !(level > 0 && level < 1) {
		return Coverage{}, fmt.Errorf("datasets: %w: level = %v; it lies between 0 and 1", mlreg.ErrSetting, level)
	}
	k := len(r.Truth)
	all := mat.NewDense(k, k, nil)
	for j := range k {
		all.Set(j, j, 1)
	}
	held := 0
	for i, f := range r.Fits {
		test, err := mlreg.WaldTest(f, all, r.Truth)
		if err != nil {
			return Coverage{}, fmt.Errorf("datasets: replicate %d: %w", i+1, err)
		}
		if test.P >= 1-level {
			held++
		}
	}
	return newCoverage("(all)", held, len(r.Fits)), nil
}

func newCoverage(term string, held, replicates int) Coverage {
	n := float64(replicates)
	rate := float64(held) / n
	return Coverage{term, rate, math.Sqrt(rate * (1 - rate) / n)}
}
