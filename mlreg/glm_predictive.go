package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/glm"
)

// PredictionBand returns limits for a new observation at every row a = (1, x) of d: the
// quantiles (1-level)/2 and (1+level)/2 of the distribution of the family, averaged over the error of
// the linear predictor,
//
//	P(Y <= y) = integral F(y; g^-1(eta), phi/w) N(eta; a'b, a' VCov a) d eta.
//
// The integral is computed by Gauss's quadrature and the quantiles by root finding, to 8 digits; nothing is
// simulated. F is the distribution of Poisson, Binomial, Gamma or InverseGaussian at
// Dispersion, whose own error it leaves out: of few rows, gamma and inverse Gaussian limits are
// somewhat narrow. A linear predictor out of the range of the link counts as that of the
// end of the range of means. The weight w of a row in d, 1 if d has none, divides
// the variance phi; of shares it is the number of trials, which a band needs, and of counts 1. Limits of counts and shares are values that they can have, so that the
// probability between them, both included, is at least level. Fitted is the mean, and StdErr
//
//	sqrt(phi V(mu)/w + (mu'(eta) s)^2),   s^2 = a' VCov a.
//
// Errors: those of LinkBand; ErrSetting for a quasi-family, which has no distribution, for a weight of
// zero, for shares without numbers of trials (Design.Weights) or with fractions of them, and for weighted counts; ErrLabels for a
// response of classes, one of which a new observation is.
//
// Meeker, Hahn and Escobar, Statistical Intervals, 2nd ed. (2017), section 2.3, on prediction
// intervals that average over the error of estimates.
func (f *GLM) PredictionBand(d *Design, level float64) (*Band, error) {
	if err := f.c.predictable(); err != nil {
		return nil, err
	}
	link, err := f.LinkBand(d, level)
	if err != nil {
		return nil, err
	}
	return predictive(f.c, d, level, f.Dispersion(), link.Fitted, link.StdErr)
}

// PredictionBand returns limits for a new observation at every row of d: see
// GLM.PredictionBand, with the posterior of the linear predictor for its error. Fitted is Predict.
// Errors are those of Predict and of GLM.PredictionBand.
func (f *BayesGLM) PredictionBand(d *Design, level float64) (*Band, error) {
	if err := f.c.predictable(); err != nil {
		return nil, err
	}
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	mean, sd, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	b, err := predictive(f.c, d, level, 1, mean, sd)
	if err != nil {
		return nil, err
	}
	b.Fitted, err = f.Predict(d)
	return valid(b, err)
}

// predictable refuses a response without quantiles.
func (s glmState) predictable() error {
	switch {
	case s.Classes != nil:
		return fmt.Errorf("%w: a new observation is one of the classes %q and %q; ConfidenceBand has limits of its probability", ErrLabels, s.Classes[0], s.Classes[1])
	case s.Family.quasi():
		return fmt.Errorf("%w: the %v family is a mean and a variance and has no distribution, of which limits of a new observation are quantiles", ErrSetting, s.Family)
	}
	return nil
}

// predictive returns the limits of new observations whose linear predictors have given means and
// standard deviations.
func predictive(s glmState, d *Design, level, phi float64, eta, sd []float64) (*Band, error) {
	b := &Band{Kind: Prediction, Level: level}
	kind := s.Family.kind()
	if kind == glm.Binomial && d.Weights == nil {
		return nil, fmt.Errorf("%w: limits of a new share need its number of trials, which is the weight of the row (Design.Weights; of cbind(yes, no) in a formula yes + no)", ErrSetting)
	}
	for i := range eta {
		w := d.Weight(i)
		if w == 0 {
			return nil, fmt.Errorf("%w: the weight of row %d is 0, and a new observation there has no limits", ErrSetting, d.RowNumber(i))
		}
		each, err := s.Family.dispersed(w, phi)
		if err != nil {
			return nil, fmt.Errorf("%w: row %d: %v", ErrSetting, d.RowNumber(i), err)
		}
		p := glm.Predictive{Family: glm.Family{Kind: kind, Link: glm.Link(s.Link)}, Eta: eta[i], SD: sd[i], Phi: each}
		mu, _ := p.Link.Mean(p.Eta)
		b.Fitted, b.StdErr = append(b.Fitted, mu), append(b.StdErr, p.StdDev())
		b.Lower = append(b.Lower, p.Quantile((1+level)/2))
		b.Upper = append(b.Upper, p.Quantile((1-level)/2))
	}
	return b, nil
}
