package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// ModelAverage is a linear predictor whose coefficients are averaged over
// models by their posterior probabilities, that of a candidate being 0 in the
// models without it:
//
//	Coef  E[w|y]  = sum over gamma of p(gamma|y) E[w|y,gamma]
//	VCov  Var[w|y] = sum over gamma of p(gamma|y) E[w w'|y,gamma] - E[w|y] E[w|y]'
//
// It contains the uncertainty within models and between them. Given a model,
// with X, Q, V and G of the score,
//
//	SpikeSlab  mean (X'X + I/V)^-1 X'y,       covariance s2 (X'X + I/V)^-1
//	ZellnerG   mean G/(1+G) least squares,    covariance s2 G/(1+G) (X'X)^-1
//	BICScore   mean least squares,            covariance s2 (X'X)^-1
//
// where s2 is the known noise variance, or the mean of its posterior,
// (b + Q/2)/(a_n - 1), or RSS/(n - k - q) for BICScore. A term that is a
// combination of those before it in the model has the coefficient 0 there. Terms that
// are always in have a flat prior. Rounding moves no coefficient by more than 4
// ScoreError times its StdErr, with the ScoreError of the Enumeration, if that is
// below 0.1; that of a ModelSample has the Monte Carlo error AverageErr. (Hoeting, Madigan, Raftery and Volinsky, Statistical Science 14
// (1999), 382-417, eqs. 5 and 6.)
type ModelAverage struct {
	linear
	s modelAverageState
}

type modelAverageState struct {
	Cov    []float64 // K x K in the order of Names
	Sigma2 float64
	N      int
}

// average turns sums of coefficients into their means and covariances, in the
// units of the design.
func (s *scored) average(sums *enumerate.Sums) *ModelAverage {
	p, d, q := len(s.m.s.Names), len(s.candidates), len(s.always)
	f := &ModelAverage{
		linear: linear{linearState{header: s.m.header(), coefficients: coefficients{B: make([]float64, p)}}},
		s:      modelAverageState{Sigma2: sums.V / sums.W * s.unitQ, N: s.m.s.N},
	}
	cov := mat.NewSymDense(p, nil)
	for i, ci := range s.candidates {
		f.l.B[ci] = sums.Mean[i] / sums.W * s.unit[i]
		for j, cj := range s.candidates[:i+1] {
			cov.SetSym(ci, cj, sums.Second[enumerate.Tri(i)+j]/sums.W*s.unit[i]*s.unit[j]-f.l.B[ci]*f.l.B[cj])
		}
		cov.SetSym(ci, ci, math.Max(cov.At(ci, ci), 0))
	}
	// Given the candidates' w, the always-in have mean b - H w and covariance
	// s2 S_AA^-1, with b and H in the swept moments, of columns of length 1.
	scale := func(i int) float64 { return s.lengths[i] }
	for i, ai := range s.always {
		h := make([]float64, d)
		f.l.B[ai] = s.all.At(i+1, 0) * s.yraw / scale(i)
		for c, cc := range s.candidates {
			h[c] = s.all.At(i+1, q+c+1) * scale(q+c) / scale(i)
			f.l.B[ai] -= h[c] * f.l.B[cc]
		}
		for _, cj := range s.candidates {
			var v float64
			for c, cc := range s.candidates {
				v -= h[c] * cov.At(cc, cj)
			}
			cov.SetSym(ai, cj, v)
		}
		for k, ak := range s.always[:i+1] {
			v := -s.all.At(i+1, k+1) / scale(i) / scale(k) * f.s.Sigma2
			for c, cc := range s.candidates {
				v -= h[c] * cov.At(ak, cc)
			}
			cov.SetSym(ai, ak, v)
		}
	}
	f.setIntercept(cov, s.m)
	return f
}

// setIntercept adds the intercept b_0 = mean(y) - mean(x)'w to the slopes' mean
// and covariance; mean(y) has variance s2/W and is independent of them.
func (f *ModelAverage) setIntercept(slopes *mat.SymDense, m *Moments) {
	if f.l.NoIntercept {
		f.s.Cov = mat.DenseCopyOf(slopes).RawMatrix().Data
		return
	}
	p := len(f.l.B)
	mean := mat.NewVecDense(p, slices.Clone(m.s.MeanX))
	f.l.B0 = m.s.MeanY - mat.Dot(mean, mat.NewVecDense(p, f.l.B))
	full := mat.NewSymDense(p+1, nil)
	var cm mat.VecDense
	cm.MulVec(slopes, mean)
	full.SetSym(0, 0, f.s.Sigma2/m.s.W+mat.Dot(mean, &cm))
	for i := range p {
		full.SetSym(0, i+1, -cm.AtVec(i))
		for j := range i + 1 {
			full.SetSym(i+1, j+1, slopes.At(i, j))
		}
	}
	f.s.Cov = mat.DenseCopyOf(full).RawMatrix().Data
}

// VCov returns the posterior covariance of the coefficients in the order of
// Names.
func (f *ModelAverage) VCov() *mat.SymDense {
	return mat.NewSymDense(len(f.Coef()), slices.Clone(f.s.Cov))
}

// StdErr returns the posterior standard deviations of the coefficients in the
// order of Names.
func (f *ModelAverage) StdErr() []float64 {
	k := len(f.Coef())
	sd := make([]float64, k)
	for j := range sd {
		sd[j] = math.Sqrt(f.s.Cov[j*k+j])
	}
	return sd
}

// Sigma2 returns the posterior mean of the noise variance, averaged over
// models.
func (f *ModelAverage) Sigma2() float64 { return f.s.Sigma2 }

// NObs returns the number of observations.
func (f *ModelAverage) NObs() int { return f.s.N }

// GobEncode implements gob.GobEncoder.
func (f *ModelAverage) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *ModelAverage) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// averageColumns returns the means and standard deviations of the terms.
func averageColumns(f *ModelAverage, terms []string) []report.Column {
	names := f.Names()
	of := func(values []float64) []float64 {
		return format.Each(terms, func(term string) float64 {
			if j := slices.Index(names, term); j >= 0 {
				return values[j]
			}
			return math.NaN() // a group of columns
		})
	}
	return []report.Column{report.NumberColumn("mean", of(f.Coef()), 0), report.NumberColumn(format.StdDev, of(f.StdErr()), 0)}
}

// Describe returns means and standard deviations of the coefficients over all models
// as a table.
func (f *ModelAverage) Describe() *report.Table {
	return &report.Table{
		Title:   tables.Of("Model average", f.Response()),
		Columns: append([]report.Column{report.TextColumn("term", f.Names()...)}, averageColumns(f, f.Names())...),
		Notes: tables.InScaledUnits([]string{
			fmt.Sprintf("n = %d, σ = %s (mean of σ² over models)", f.NObs(), format.Number(math.Sqrt(f.Sigma2()), format.Digits)),
		}, f.Scaling() != nil),
	}
}

// String writes the table of the average as text.
func (f *ModelAverage) String() string { return f.Describe().String() }
