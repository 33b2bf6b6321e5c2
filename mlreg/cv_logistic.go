package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
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
// loss is DevianceLoss unless CVSettings.Loss is another, such as ClassError, or
// CVSettings.AUC says that it is 1 - AUC; the mean of the deviance is the one of
// cv.glmnet, except that cv.glmnet takes probabilities below 1e-5 for that. lambda is in proportion to the weight
// of a fold's training rows: the same penalty per observation. The training rows of
// every fold must have both classes, see StratifiedKFold.
//
// Nil folds, path and cv are the defaults of FitLassoCV. Errors are those of FitLogisticPath and
// CrossValidate, ErrSetting for CVSettings.ResponseScale, and ErrLabels for a fold with
// training rows of one class only. If some gap was not reached, the result is returned
// together with a *ConvergenceError.
func FitLogisticCV(d *Design, share float64, folds *Folds, path *PathSettings, cv *CVSettings) (*LogisticCV, error) {
	if err := checkShare(share, "FitLogistic"); err != nil {
		return nil, err
	}
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	set, predict := cv.ofClasses(), (*LogisticPath).Predict
	if set.Loss == nil {
		// Of the linear predictor, since 1 - p is zero from 37 on.
		predict = (*LogisticPath).linearPredictors
	}
	if set.Loss == nil && !set.AUC {
		set.Loss, set.measure = logitDeviance, "mean deviance"
	}
	return lossCV(d.labelled(classes, y), folds, path, set, predict, func(d *Design, s *PathSettings) (*LogisticPath, error) {
		return logisticPath(d, elasticPenalty{l1: share, l2: 1 - share}, s)
	})
}

// logitDeviance is DevianceLoss of a linear predictor.
func logitDeviance(y, eta float64) float64 { return -2 * logSigmoid((2*y-1)*eta) }

// FitMultinomialCV is FitLogisticCV for the paths of FitMultinomialPath. The loss is
// the deviance of a row, -2 log P(class of the row), whose mean is the one of
// cv.glmnet, unless CVSettings.Loss is another. That is given y = 1 and, for yhat, the
// probability of the row's class against the likeliest of the others alone,
// p/(p + max of the others): it is above 1/2 if the row is put in its class, so that
// the mean of ClassError is the rate of misclassification. The training rows of every
// fold must have all classes, see StratifiedKFold.
//
// Nil folds, path and cv are the defaults of FitLassoCV. Errors are those of FitMultinomialPath and
// CrossValidate, ErrSetting for CVSettings.ResponseScale and CVSettings.AUC, and
// ErrLabels for a fold whose training rows lack a class. If some gap was not reached, the result is
// returned together with a *ConvergenceError.
func FitMultinomialCV(d *Design, share float64, folds *Folds, path *PathSettings, cv *CVSettings) (*MultinomialCV, error) {
	if err := checkShare(share, "FitMultinomial"); err != nil {
		return nil, err
	}
	classes, y, err := d.codes()
	if err != nil {
		return nil, err
	}
	set := cv.ofClasses()
	if set.AUC {
		return nil, fmt.Errorf("%w: CVSettings.AUC is for two classes; fit them with FitLogisticCV", ErrSetting)
	}
	loss, likeliest := set.Loss, set.Loss != nil
	if !likeliest {
		loss, set.measure = DevianceLoss, "mean deviance"
	}
	set.Loss = func(_, p float64) float64 { return loss(1, p) }
	predict := func(p *MultinomialPath, d *Design) (*mat.Dense, error) { return p.s.against(d, likeliest) }
	return lossCV(d.labelled(classes, y), folds, path, set, predict, func(d *Design, s *PathSettings) (*MultinomialPath, error) {
		return multinomialPath(d, elasticPenalty{l1: share, l2: 1 - share}, s)
	})
}

// ofClasses returns the settings, which may be nil, for a response of classes.
func (s *CVSettings) ofClasses() *CVSettings {
	set := args.OrDefaults(s)
	set.classes = true
	return &set
}

// labelled returns the design with the response y, an index of classes.
func (d *Design) labelled(classes []string, y []float64) *Design {
	sub := *d
	sub.Y, sub.Classes = slices.Clone(y), slices.Clone(classes)
	return &sub
}

// lossCV cross-validates a path of a loss that is not squares. If the response is of classes, the
// training rows of every fold have all of them.
func lossCV[F PathFit[F]](
	d *Design, folds *Folds, path *PathSettings, set *CVSettings,
	predict func(*Path[F], *Design) (*mat.Dense, error), fit func(*Design, *PathSettings) (*Path[F], error),
) (*PathCV[*Path[F], F], error) {
	if set.ResponseScale {
		return nil, fmt.Errorf("%w: CVSettings.ResponseScale is for a Gaussian response", ErrSetting)
	}
	c, err := set.foldsOfPath(d, folds)
	if err != nil {
		return nil, err
	}
	return validatePath(c, func(all Data) (*Path[F], error) { return fit(all.(*Design), path) }, predict, func(grid []float64, k int) (*Path[F], error) {
		train, err := c.standardized(c.train(k))
		if err != nil {
			return nil, err
		}
		return fit(train, c.foldPath(path, grid, k))
	})
}
