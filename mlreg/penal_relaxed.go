package mlreg

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// RelaxedLasso is a fit by FitRelaxedLasso, or a point of a RelaxedLassoPath. It holds
// no data and does not change.
type RelaxedLasso struct {
	linear
	s relaxedState
}

type relaxedState struct {
	Gamma float64
	Lasso penalState // with the RSS and the KKT of the relaxed fit
}

// RelaxedLassoPath is a path of FitRelaxedLassoPath, and RelaxedLassoCV one with its
// cross-validation.
type (
	RelaxedLassoPath = Path[*RelaxedLasso]
	RelaxedLassoCV   = PathCV[*RelaxedLassoPath, *RelaxedLasso]
)

// FitRelaxedLasso lets the lasso choose the terms and takes back some of its shrinkage,
//
//	b = gamma b_lasso + (1 - gamma) b_LS,   0 <= gamma <= 1,
//
// b_lasso the coefficients of FitLasso at lambda, b_LS those of least squares on its
// active terms (FitOLS), intercepts included: gamma = 1 is the lasso, gamma = 0 least
// squares on the terms that it keeps. This is gamma of glmnet's relax = TRUE.
// Meinshausen's relaxed lasso is a lasso of penalty phi lambda on the active terms; it
// is the same at both ends, and in between if no slope changes its sign there.
//
// The fit is certified twice: Gap is that of the lasso, and KKT the larger of its
// violation and that of the normal equations by least squares, FitOLS's Orthogonality.
// If the active terms are linearly dependent, least squares is that of minimum norm.
//
// Nil settings are the defaults. Errors are those of FitLasso, and ErrSetting if gamma
// is not between 0 and 1, or if NonNegative is set, which least squares would not keep.
//
// Meinshausen, Computational Statistics & Data Analysis 52 (2007), 374-393; Hastie,
// Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed., page 91;
// Hastie, Tibshirani and Tibshirani, Statistical Science 35 (2020), 579-592, section 3.4.
func FitRelaxedLasso(data Data, lambda, gamma float64, settings *LassoSettings) (*RelaxedLasso, error) {
	if err := checkLambda("lambda", lambda); err != nil {
		return nil, err
	}
	path, err := FitRelaxedLassoPath(data, gamma, settings.at(lambda))
	if path == nil {
		return nil, err
	}
	return path.Fit(0), err
}

// FitRelaxedLassoPath is FitRelaxedLasso for every lambda of a grid. Its path has fits
// on its grid only: between two lambdas terms may enter, and At, Constraint and Penalty
// are errors (ErrSetting). DoF is the number of coefficients that are not zero, which
// leaves out what the choice of the terms costs if gamma < 1. Errors are those of
// FitLassoPath and FitRelaxedLasso.
func FitRelaxedLassoPath(data Data, gamma float64, settings *PathSettings) (*RelaxedLassoPath, error) {
	s := args.OrDefaults(settings)
	if err := checkGamma(gamma, s.NonNegative); err != nil {
		return nil, err
	}
	lasso, failed := FitLassoPath(data, &s)
	if lasso == nil {
		return nil, failed
	}
	return relaxedPath(&relaxing{data: data}, gamma, lasso, failed)
}

// FitRelaxedLassoCV is FitLassoCV for FitRelaxedLassoPath: in every fold the lasso
// chooses the terms anew. Cross-validate some gammas on the same folds, and keep the one
// of least loss. Errors are those of FitLassoCV and FitRelaxedLasso.
func FitRelaxedLassoCV(data Data, folds *Folds, gamma float64, path *PathSettings, cv *CVSettings) (*RelaxedLassoCV, error) {
	set := args.OrDefaults(path)
	if err := checkGamma(gamma, set.NonNegative); err != nil {
		return nil, err
	}
	c, err := cv.foldsOfPath(data, folds)
	if err != nil {
		return nil, err
	}
	fold, err := c.penalizedFolds(elasticPenalty{l1: 1}, path)
	if err != nil {
		return nil, err
	}
	fit := func(all Data) (*RelaxedLassoPath, error) { return FitRelaxedLassoPath(all, gamma, path) }
	return validatePath(c, fit, (*RelaxedLassoPath).Predict, func(grid []float64, k int) (*RelaxedLassoPath, error) {
		lasso, err := fold(grid, k)
		if lasso == nil {
			return nil, err
		}
		_, train, failed := c.allAndTrain(k)
		if failed != nil {
			return nil, failed
		}
		return relaxedPath(newRelaxing(train), gamma, newPath[*ElasticNet](lasso), err)
	})
}

// checkGamma refuses what is no mixture of the lasso and least squares.
func checkGamma(gamma float64, nonNegative []string) error {
	if !(gamma >= 0 && gamma <= 1) {
		return fmt.Errorf("%w: gamma = %v; it is between 0, least squares on the terms of the lasso, and 1, the lasso", ErrSetting, gamma)
	}
	if len(nonNegative) > 0 && gamma < 1 {
		return fmt.Errorf("%w: NonNegative: least squares on the terms of the lasso may be negative; leave it out, or set gamma = 1", ErrSetting)
	}
	return nil
}

// relaxing is what least squares is fitted to.
type relaxing struct {
	data Data
	sums *Moments // faster than the rows, if enough digits are left; nil for none
}

// newRelaxing are the data of a fold, whose predictions need not all digits.
func newRelaxing(data Data) *relaxing {
	out := &relaxing{data: data}
	if rows, ok := data.(*Design); ok && !preferRows(rows.NObs(), rows.NTerms()) {
		out.sums, _ = rows.Moments() // without sums the rows do
	}
	return out
}

// leastSquares is least squares on some terms, nil for none.
func (r *relaxing) leastSquares(terms []string) (*OLS, error) {
	if len(terms) == 0 {
		return nil, nil
	}
	if r.sums != nil {
		const digits = 8
		some, err := r.sums.Select(terms...)
		if err != nil {
			return nil, err
		}
		if fit, err := FitOLS(some, nil); err == nil {
			if coef, _ := fit.Digits(); coef >= digits {
				return fit, nil
			}
		}
	}
	some, err := selectTerms(r.data, terms)
	if err != nil {
		return nil, err
	}
	return FitOLS(some, &OLSSettings{Aliased: MinimumNorm})
}

// relaxedPath relaxes every point of a path; failed is the error that came with it.
func relaxedPath(data *relaxing, gamma float64, lasso *LassoPath, failed error) (*RelaxedLassoPath, error) {
	out := newPath[*RelaxedLasso](&lasso.s)
	out.s.Relaxed, out.s.Gamma = true, gamma
	out.s.Points = nil
	var before []string
	var least *OLS
	for k, from := range lasso.s.Points {
		l := from.linear(lasso.s.L)
		if terms := l.active(); gamma < 1 && (k == 0 || !slices.Equal(terms, before)) {
			var err error
			if least, err = data.leastSquares(terms); err != nil {
				return nil, errors.Join(err, failed)
			}
			before = terms
		}
		point := *from
		point.Objective = math.NaN()
		if least != nil {
			relaxSlopes(&l, gamma, least)
			point.Intercept, point.Slopes = l.B0, make([]float64, len(from.Terms))
			for i, j := range from.Terms {
				point.Slopes[i] = l.B[j]
			}
			point.Loss, point.KKT = relaxedRSS(gamma, from.Loss, least), max(from.KKT, least.Orthogonality())
			point.DoF = float64(len(least.Coef()))
		}
		out.s.Points = append(out.s.Points, &point)
	}
	return out, failed
}

// relaxSlopes mixes the coefficients of a lasso with those of least squares on its
// active terms.
func relaxSlopes(l *linearState, gamma float64, least *OLS) {
	b := least.Slopes()
	at := 0
	for j, w := range l.B {
		if w != 0 {
			l.B[j] = gamma*w + (1-gamma)*b[at]
			at++
		}
	}
	l.B0 = gamma*l.B0 + (1-gamma)*least.Intercept()
}

// relaxedRSS is the residual sum of squares of the mixture. The residuals of the lasso
// and of least squares differ by a combination of the active terms, which is orthogonal
// to the latter.
func relaxedRSS(gamma, lasso float64, least *OLS) float64 {
	return least.RSS() + gamma*gamma*math.Max(lasso-least.RSS(), 0)
}

func (*RelaxedLasso) of(s *pathState, p *pathPoint) *RelaxedLasso {
	return &RelaxedLasso{linear{p.linear(s.L)}, relaxedState{s.Gamma, p.penalized(s).s}}
}

// NObs returns the number of observations; rows of weight zero do not count.
func (f *RelaxedLasso) NObs() int { return f.s.Lasso.N }

// Lambda returns the penalty of the lasso that chose the terms.
func (f *RelaxedLasso) Lambda() float64 { return f.s.Lasso.Lambda }

// Gamma returns the part of the lasso in the coefficients; the rest is least squares.
func (f *RelaxedLasso) Gamma() float64 { return f.s.Gamma }

// Gap returns the duality gap of the lasso that chose the terms, see Path.Gap.
func (f *RelaxedLasso) Gap() float64 { return f.s.Lasso.Gap }

// KKT returns the larger of two violations: of the optimality conditions by the lasso,
// see Path.KKT, and, if gamma < 1, of the normal equations by least squares on its terms.
func (f *RelaxedLasso) KKT() float64 { return f.s.Lasso.KKT }

// DoF returns the number of coefficients that are not zero, the intercept included. If
// gamma < 1 it leaves out what the choice of the terms costs (Tibshirani, Statistica
// Sinica 25 (2015), 1265-1296).
func (f *RelaxedLasso) DoF() float64 { return f.s.Lasso.DoF }

// RSS returns the residual sum of squares, weighted if the design is.
func (f *RelaxedLasso) RSS() float64 { return f.s.Lasso.Loss }

// NullRSS returns the residual sum of squares of the null model.
func (f *RelaxedLasso) NullRSS() float64 { return f.s.Lasso.Null }

// R2 returns 1 - RSS/NullRSS; NaN if the response does not vary.
func (f *RelaxedLasso) R2() float64 { return 1 - f.RSS()/f.NullRSS() }

// Active returns the names of the terms whose slopes are not zero.
func (f *RelaxedLasso) Active() []string { return f.l.active() }

// Raw returns the same fit with coefficients in the raw units of the data; see
// OLS.Raw. Lambda remains that of the design's units.
func (f *RelaxedLasso) Raw() (*RelaxedLasso, error) {
	l, err := f.l.raw()
	if err != nil {
		return nil, err
	}
	return &RelaxedLasso{linear{*l}, f.s}, nil
}

// GobEncode implements gob.GobEncoder.
func (f *RelaxedLasso) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *RelaxedLasso) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.s) }

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the size of the fit and its two certificates.
func (f *RelaxedLasso) Describe() *report.Table {
	title := fmt.Sprintf("Relaxed lasso fit of %s at λ = %s, γ = %s", f.Response(), format.Number(f.Lambda(), 6), format.Number(f.Gamma(), 6))
	return describePenalized(f, title, sizeOf(f), gapText(f.Gap(), f.KKT(), "null RSS"))
}

// String writes the table of the fit as text.
func (f *RelaxedLasso) String() string { return f.Describe().String() }
