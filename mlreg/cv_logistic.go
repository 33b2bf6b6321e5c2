package mlreg

import (
	"fmt"
	"math"
	"slices"
)

// DevianceLoss is the deviance of a row, -2 times the logarithm of the probability
// that was predicted for its class: of the second, y = 1, that is p, and of the first,
// y = 0, it is 1 - p. A probability below 1e-300 counts as that.
func DevianceLoss(y, p float64) float64 {
	if y == 0 {
		p = 1 - p
	}
	return -2 * math.Log(math.Max(p, 1e-300))
}

// ClassError is 1 for a row whose class, y = 1 for the second and 0 for the first, is
// not the one that is predicted if the second has the probability p: that is the
// second if p is above 1/2. Its mean is the rate of misclassification.
func ClassError(y, p float64) float64 {
	if (p > 0.5) == (y == 1) {
		return 0
	}
	return 1
}

// FitLogisticCV is FitLassoCV for the logistic regressions of FitLogisticPath. The
// loss is DevianceLoss unless CVSettings.Loss is another, such as ClassError; the
// mean of the deviance is the one of cv.glmnet. lambda is in proportion to the weight
// of a fold's training rows: the same penalty per observation. The training rows of
// every fold must have both classes, see StratifiedKFold.
//
// Nil path and cv are the defaults. Errors are those of FitLogisticPath and
// CrossValidate, ErrSetting for CVSettings.ResponseScale, and ErrLabels for a fold
// whose training rows are of one class. If some gap was not reached, the result is
// returned together with a *ConvergenceError.
func FitLogisticCV(d *Design, share float64, folds *Folds, path *PathSettings, cv *CVSettings) (*LogisticCV, error) {
	if err := checkShare(share, "FitLogistic"); err != nil {
		return nil, err
	}
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	d = d.WithResponse(d.Response, y)
	d.Classes = slices.Clone(classes)
	var set CVSettings
	if cv != nil {
		set = *cv
	}
	if set.ResponseScale {
		return nil, fmt.Errorf("%w: CVSettings.ResponseScale is for a Gaussian response", ErrSetting)
	}
	deviance := set.Loss == nil
	if deviance {
		set.Loss = DevianceLoss
	}
	_, all, _, err := set.rows(d, folds)
	if err != nil {
		return nil, err
	}
	pen := elasticPenalty{l1: share, l2: 1 - share}
	full, failed := logisticPath(all, pen, path)
	if _, gap := failed.(*ConvergenceError); failed != nil && !gap {
		return nil, failed
	}
	var each PathSettings
	if path != nil {
		each = *path
		each.Progress = nil
	}
	result, err := validatePath(d, full, failed, folds, &set, func(raw *Design, k int, s *CVSettings) (*LogisticPath, error) {
		rows := folds.Train(k)
		train, err := s.standardized(raw.Rows(rows...))
		if err != nil {
			return nil, err
		}
		own := each
		own.Lambda = s.foldGrid(full.Lambda(), raw.part(rows))
		return logisticPath(train, pen, &own)
	})
	if result != nil && deviance {
		result.s.Measure = "mean deviance"
	}
	return result, err
}
