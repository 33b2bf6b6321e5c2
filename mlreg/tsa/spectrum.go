package tsa

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Spectrum is a spectral density at some frequencies, in cycles per step from 0 to 1/2.
type Spectrum struct {
	Frequency, Density []float64
}

// Periodogram returns the periodogram of x about its mean at the frequencies j/n, R's
// spec.pgram with taper = 0, detrend = FALSE and fast = FALSE:
//
//	I(f) = |sum_t (x_t - mean) exp(-2 pi i f t)|^2 / n,   f = 1/n ... 1/2.
//
// Their mean over all frequencies is the variance. Errors: ErrNoData for fewer than 4
// values, ErrNotFinite for a missing or infinite one, with its row.
func Periodogram(x []float64) (*Spectrum, error) {
	n := len(x)
	if n < 4 {
		return nil, fmt.Errorf("%w: a periodogram of %d values; it needs 4", mlreg.ErrNoData, n)
	}
	for i, v := range x {
		if v-v != 0 {
			return nil, fmt.Errorf("%w: the series is %v in row %d", mlreg.ErrNotFinite, v, i+1)
		}
	}
	mean := meanOf(n, func(t int) float64 { return x[t] })
	about := make([]complex128, n)
	for t, v := range x {
		about[t] = complex(v-mean, 0)
	}
	f := fourierOf(about)
	s := &Spectrum{}
	for j := 1; 2*j <= n; j++ {
		re, im := real(f[j]), imag(f[j])
		s.Frequency = append(s.Frequency, float64(j)/float64(n))
		s.Density = append(s.Density, (re*re+im*im)/float64(n))
	}
	return s, nil
}

// fourierOf returns the discrete Fourier transform, by halves as far as n is even, and for
// an n without small factors by Bluestein's convolution.
func fourierOf(x []complex128) []complex128 {
	n := len(x)
	out := make([]complex128, n)
	switch {
	case n%2 == 0:
		even, odd := make([]complex128, n/2), make([]complex128, n/2)
		for k := range even {
			even[k], odd[k] = x[2*k], x[2*k+1]
		}
		even, odd = fourierOf(even), fourierOf(odd)
		for k := range even {
			turned := turn(-k, n) * odd[k]
			out[k], out[k+n/2] = even[k]+turned, even[k]-turned
		}
		return out
	case n <= 64:
		for j := range out {
			for k, v := range x {
				out[j] += v * turn(-j*k, n)
			}
		}
		return out
	}
	// Bluestein: -2jk = (j-k)^2 - j^2 - k^2.
	size := 1
	for size < 2*n {
		size *= 2
	}
	a, b := make([]complex128, size), make([]complex128, size)
	for k := range n {
		chirp := turn(k*k, 2*n)
		a[k] = x[k] * cmplx.Conj(chirp)
		b[k] = chirp
		if k > 0 {
			b[size-k] = chirp
		}
	}
	a, b = fourierOf(a), fourierOf(b)
	for k := range a {
		a[k] = cmplx.Conj(a[k] * b[k])
	}
	a = fourierOf(a)
	for j := range out {
		out[j] = cmplx.Conj(a[j]) / complex(float64(size), 0) * cmplx.Conj(turn(j*j, 2*n))
	}
	return out
}

// turn returns exp(2 pi i k/n).
func turn(k, n int) complex128 {
	sin, cos := math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
	return complex(cos, sin)
}

// ARSpectrum returns the spectral density of the autoregression x_t = c + sum_i coef_i
// x_{t-i} + noise of variance sigma2, at count frequencies from 0 to 1/2:
//
//	sigma2 / |1 - sum_i coef_i exp(-2 pi i f i)|^2,
//
// which Periodogram estimates; R's spec.ar. Errors: ErrSetting for fewer than 2
// frequencies or a sigma2 that is not positive and finite, ErrNotFinite for a coefficient.
func ARSpectrum(coef []float64, sigma2 float64, count int) (*Spectrum, error) {
	if count < 2 {
		return nil, fmt.Errorf("%w: a spectrum at %d frequencies; take 2 or more", mlreg.ErrSetting, count)
	}
	if !(sigma2 > 0) || math.IsInf(sigma2, 1) {
		return nil, fmt.Errorf("%w: noise variance sigma^2 = %v; it is positive and finite", mlreg.ErrSetting, sigma2)
	}
	if err := args.Finite("the coefficients", coef); err != nil {
		return nil, err
	}
	if err := args.Size(fmt.Sprintf("a spectrum at %d frequencies", count), float64(count), "take fewer"); err != nil {
		return nil, err
	}
	s := &Spectrum{}
	for k := range count {
		f := 0.5 * float64(k) / float64(count-1)
		filter := complex(1, 0)
		for i, v := range coef {
			filter -= complex(v, 0) * cmplx.Exp(complex(0, -2*math.Pi*f*float64(i+1)))
		}
		s.Frequency = append(s.Frequency, f)
		s.Density = append(s.Density, sigma2/(real(filter)*real(filter)+imag(filter)*imag(filter)))
	}
	return s, nil
}

// Peak returns the frequency of largest density, NaN if there is none.
func (s *Spectrum) Peak() float64 {
	if len(s.Density) == 0 {
		return math.NaN()
	}
	return s.Frequency[floats.MaxIdx(s.Density)]
}

// Describe returns the frequencies of largest density as a table, ten at most.
func (s *Spectrum) Describe() *report.Table {
	order := gram.LargestOf(min(10, len(s.Density)), s.Density)
	return tables.Rows("Spectral density: the largest",
		tables.Number("frequency", order, 4, func(k int) float64 { return s.Frequency[k] }),
		tables.Number("period", order, 4, func(k int) float64 { return 1 / s.Frequency[k] }),
		tables.Number("density", order, 4, func(k int) float64 { return s.Density[k] }))
}

// String writes the table as text.
func (s *Spectrum) String() string { return s.Describe().String() }

// Roots say whether the effect of a shock on an autoregression dies out.
type Roots struct {
	// Inverse are the inverse roots of 1 - sum_i coef_i z^i, the largest first: the
	// eigenvalues of the recursion.
	Inverse []complex128
	// Largest is the largest modulus of a root, 0 if there is none.
	Largest float64
}

// Stable tells whether all inverse roots lie inside the unit circle. If not, forecasts
// grow without bound (a modulus above 1) or never forget (1).
func (s *Roots) Stable() bool { return s.Largest < 1 }

// ARRoots returns the inverse roots of an autoregression with the given coefficients of
// lags 1, 2 ... Errors: ErrNotFinite for a coefficient, ErrNotConverged if the eigenvalues
// were not found.
func ARRoots(coef []float64) (*Roots, error) {
	if err := args.Finite("the coefficients", coef); err != nil {
		return nil, err
	}
	q := len(coef)
	for q > 0 && coef[q-1] == 0 {
		q--
	}
	s := &Roots{}
	if q == 0 {
		return s, nil
	}
	companion := mat.NewDense(q, q, nil)
	for i := range q {
		companion.Set(0, i, coef[i])
		if i > 0 {
			companion.Set(i, i-1, 1)
		}
	}
	var eigen mat.Eigen
	if !eigen.Factorize(companion, mat.EigenNone) {
		return nil, fmt.Errorf("%w: the roots of an autoregression of order %d", mlreg.ErrNotConverged, q)
	}
	s.Inverse = eigen.Values(nil)
	slices.SortStableFunc(s.Inverse, func(a, b complex128) int {
		switch x, y := cmplx.Abs(a), cmplx.Abs(b); {
		case x > y*(1+1e-12):
			return -1
		case y > x*(1+1e-12):
			return 1
		}
		return 0
	})
	s.Largest = cmplx.Abs(s.Inverse[0])
	return s, nil
}

// Describe returns the roots as a table: their modulus, and the period at which they turn.
func (s *Roots) Describe() *report.Table {
	t := tables.Rows("Inverse roots of the autoregression",
		tables.Number("modulus", s.Inverse, 4, func(z complex128) float64 { return cmplx.Abs(z) }),
		tables.Blank(tables.Number("period", s.Inverse, 4, func(z complex128) float64 {
			if imag(z) == 0 {
				return math.NaN()
			}
			return 2 * math.Pi / math.Abs(cmplx.Phase(z))
		})))
	verdict := "stable: shocks die out"
	if !s.Stable() {
		verdict = "not stable: shocks do not die out"
	}
	t.Notes = append(t.Notes, verdict)
	return t
}

// String writes the roots as text.
func (s *Roots) String() string { return s.Describe().String() }

// Autoregression returns the coefficients that a fit to l has for lags 1, 2 ... of the
// response itself, zeros where it has no such term: for ARSpectrum and ARRoots. The
// error is ErrNoData for a nil fit.
func (l *Lags) Autoregression(fit mlreg.CoefFit) ([]float64, error) {
	if err := args.Given("the lags", l); err != nil {
		return nil, err
	}
	if err := args.Given("the fit", fit); err != nil {
		return nil, err
	}
	b, names := fit.Coef(), fit.Names()
	var coef []float64
	for _, c := range l.lagged {
		if c.channel != l.response {
			continue
		}
		coef = make([]float64, c.to)
		for lag := max(1, c.from); lag <= c.to; lag++ {
			if j := slices.Index(names, lagName(l.settings.Response, lag)); j >= 0 && !math.IsNaN(b[j]) {
				coef[lag-1] = b[j]
			}
		}
	}
	return coef, nil
}
