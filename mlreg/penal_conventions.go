package mlreg

import (
	"fmt"
	"math"
)

// FromGlmnet returns the l1 and l2 of FitElasticNet that are glmnet's lambda and
// alpha for a Gaussian response; FromGlmnetPath has the other families. glmnet divides y by its standard deviation s
// (ddof = 0; about zero without an intercept) and then minimizes
//
//	1/(2W) RSS + lambda (alpha |b|_1 + (1-alpha)/2 |b|_2^2)
//
// with W the sum of weights, n without any, and lambda in units of y/s, in which
// the L1 part scales like RSS and the L2 part does not; in units of y:
//
//	l1 = 2 W lambda alpha,   l2 = W lambda (1-alpha)/s.
//
// With standardize = TRUE, glmnet's default, fit Design.Standardize and compare
// Raw, with StandardizeSettings.Weighted if there are weights, and ScaleOnly if
// there is no intercept. For cv.glmnet, see CVSettings.ResponseScale. glmnet makes penalty factors sum to p: what it is given as f_j is
// a PenaltyFactor of p f_j/sum f.
//
// Errors: ErrSetting, ErrConstant (of the response, if alpha < 1), and those of
// the data. (Friedman, Hastie and Tibshirani, Journal of Statistical Software 33
// (2010), eq. 1; glmnet 4.1, "Value" of its help page.)
func FromGlmnet(data Data, lambda, alpha float64) (l1, l2 float64, err error) {
	if err := checkMix("alpha", lambda, alpha); err != nil {
		return 0, 0, err
	}
	w, s, err := responseScale(data)
	if err != nil {
		return 0, 0, err
	}
	l1 = 2 * w * lambda * alpha
	if alpha < 1 {
		if s == 0 {
			return 0, 0, fmt.Errorf("%w: the response; glmnet divides by its deviation", ErrConstant)
		}
		l2 = w * lambda * (1 - alpha) / s
	}
	return l1, l2, nil
}

// ToGlmnet is the inverse of FromGlmnet. alpha is 1 if both penalties are 0. A
// penalty that is negative or not finite is ErrSetting.
func ToGlmnet(data Data, l1, l2 float64) (lambda, alpha float64, err error) {
	if err := checkPenalties(l1, l2); err != nil {
		return 0, 0, err
	}
	w, s, err := responseScale(data)
	if err != nil {
		return 0, 0, err
	}
	a, b := l1/(2*w), l2*s/w // lambda alpha and lambda (1 - alpha)
	if a+b == 0 {
		return 0, 1, nil
	}
	return a + b, a / (a + b), nil
}

// FromGlmnetPath returns what a path is given for glmnet's family, grid lambda and alpha: PathSettings.Lambda, in
// the order of lambda, and the share of
//
//	"gaussian"             FitElasticNetPath, FitElasticNetCV
//	"binomial"             FitLogisticPath, FitLogisticCV, and FitGLMPath of Binomial
//	"multinomial"          FitMultinomialPath, FitMultinomialCV
//	"poisson", "Gamma"     FitGLMPath, FitGLMCV; Gamma is glmnet's family Gamma("log")
//
// With l1 and l2 as in FromGlmnet, for the others than "gaussian"
//
//	l1 = W lambda alpha,   l2 = W lambda (1-alpha)/2,
//
// of shares W being the number of all trials,
//
//	grid = l1 + l2,   share = l1/grid.
//
// For alpha = 0 the share is 0: grid is then RidgePathSettings.Lambda, LogisticSettings.L2,
// MultinomialSettings.L2 or GLMSettings.L2. Errors are those of
// FromGlmnet, with the number of the lambda, ErrNoData for none, and ErrSetting for another family, such as "cox".
func FromGlmnetPath(data Data, family string, lambda []float64, alpha float64) (grid []float64, share float64, err error) {
	if len(lambda) == 0 {
		return nil, 0, fmt.Errorf("%w: no lambda", ErrNoData)
	}
	var l1, l2 float64
	switch family {
	case "gaussian":
		l1, l2, err = FromGlmnet(data, 1, alpha)
	case "binomial", "multinomial", "poisson", "Gamma":
		l1, l2, err = fromGlmnetLikelihood(data, alpha)
	default:
		err = fmt.Errorf("%w: there is no path here of glmnet's family %q; there are gaussian, binomial, multinomial, poisson and Gamma", ErrSetting, family)
	}
	if err != nil {
		return nil, 0, err
	}
	grid = make([]float64, len(lambda))
	for k, l := range lambda {
		if err := checkLambda(fmt.Sprintf("lambda %d", k+1), l); err != nil {
			return nil, 0, err
		}
		grid[k] = l * (l1 + l2)
	}
	return grid, l1 / (l1 + l2), nil
}

// fromGlmnetLikelihood returns the penalties that are glmnet's lambda = 1 and alpha where the loss is a
// log-likelihood divided by the sum of weights.
func fromGlmnetLikelihood(data Data, alpha float64) (l1, l2 float64, err error) {
	if err := checkMix("alpha", 1, alpha); err != nil {
		return 0, 0, err
	}
	d, ok := data.(*Design)
	if !ok {
		return 0, 0, noRowsToDivide(data)
	}
	if err := d.checkTraining(); err != nil {
		return 0, 0, err
	}
	w := d.sumWeights()
	return w * alpha, w * (1 - alpha) / 2, nil
}

// FromScikit returns the l1 and l2 of FitElasticNet that are alpha and l1_ratio
// of scikit-learn's ElasticNet, and of its Lasso for l1_ratio = 1:
//
//	1/(2W) RSS + alpha (l1_ratio |b|_1 + (1-l1_ratio)/2 |b|_2^2),
//	l1 = 2 W alpha l1_ratio,   l2 = W alpha (1-l1_ratio)
//
// with W the sum of weights, n without any. alpha of scikit-learn's Ridge is the
// lambda of FitRidge: it has no factor. Errors: ErrSetting, and those of the data.
func FromScikit(data Data, alpha, l1Ratio float64) (l1, l2 float64, err error) {
	if err := checkMix("l1Ratio", alpha, l1Ratio); err != nil {
		return 0, 0, err
	}
	w, _, err := responseScale(data)
	if err != nil {
		return 0, 0, err
	}
	return 2 * w * alpha * l1Ratio, w * alpha * (1 - l1Ratio), nil
}

// ToScikit is the inverse of FromScikit. l1Ratio is 1 if both penalties are 0. A
// penalty that is negative or not finite is ErrSetting.
func ToScikit(data Data, l1, l2 float64) (alpha, l1Ratio float64, err error) {
	if err := checkPenalties(l1, l2); err != nil {
		return 0, 0, err
	}
	w, _, err := responseScale(data)
	if err != nil {
		return 0, 0, err
	}
	a, b := l1/(2*w), l2/w
	if a+b == 0 {
		return 0, 1, nil
	}
	return a + b, a / (a + b), nil
}

func checkMix(name string, lambda, mix float64) error {
	if !(mix >= 0 && mix <= 1) {
		return fmt.Errorf("%w: %s = %v; it is between 0 and 1", ErrSetting, name, mix)
	}
	return checkLambda("the penalty", lambda)
}

func checkPenalties(l1, l2 float64) error {
	if err := checkLambda("l1", l1); err != nil {
		return err
	}
	return checkLambda("l2", l2)
}

// responseScale returns the sum of weights and the deviation of the response.
func responseScale(data Data) (w, deviation float64, err error) {
	d, ok := data.(*Design)
	if !ok {
		if data == nil {
			return 0, 0, fmt.Errorf("%w: data is nil", ErrNoData)
		}
		m, err := data.Moments()
		if err != nil {
			return 0, 0, err
		}
		if m.s.N == 0 {
			return 0, 0, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
		}
		_, _, yy := m.s.About(m.s.NoIntercept)
		return m.s.W, math.Sqrt(yy / m.s.W), nil
	}
	if err := d.checkFit(); err != nil {
		return 0, 0, err
	}
	d = d.LessOffset()
	w = d.sumWeights()
	ss := d.centeredSquares(d.Y, w)
	if math.IsNaN(ss) || math.IsInf(ss, 0) {
		return 0, 0, d.notFinite(-1)
	}
	return w, math.Sqrt(ss / w), nil
}

func checkLambda(name string, lambda float64) error {
	if !(lambda >= 0) || math.IsInf(lambda, 0) {
		return fmt.Errorf("%w: %s = %v; a penalty is finite and not negative", ErrSetting, name, lambda)
	}
	return nil
}
