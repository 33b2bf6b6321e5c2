package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// GLMPath is a path of generalized linear models by FitGLMPath.
type GLMPath = Path[*SparseGLM]

// pathLinks are the links that paths have: those for which the deviance is convex and its
// conjugate known.
var pathLinks = map[glm.Kind]Link{glm.Poisson: LogLink, glm.Binomial: LogitLink, glm.Gamma: LogLink}

// FitGLMPath minimizes
//
//	D(b_0, b)/2 + lambda sum_j f_j (share |b_j| + (1 - share) b_j^2)
//
// for every lambda of a grid, 0 < share <= 1, with the deviance D of FitGLM; the f_j are 1
// unless the settings have others, and the intercept is not penalized. share = 1 is the
// lasso. The family is Poisson or Gamma, with LogLink, Binomial, with LogitLink, or one of
// the quasi-families, whose path is that of the family. There is no factor of 1/n or 1/2,
// and slopes are in the units of the design: Design.Standardize first if terms have
// different units. FromGlmnetPath translates glmnet's lambda, which for the lasso is lambda/n on the
// same columns, with standardize = FALSE. Of family = Gamma("log"), as of any family object,
// glmnet ends its Newton steps at a relative change of 1e-6 in the objective, whatever thresh
// is, which leaves slopes of about four digits: glmnet.control(epsnr = 1e-14, mxitnr = 1000)
// has the rest.
//
// Each fit starts from the one before, and each has its certificate, as those of
// FitLogisticPath have: Gap, KKT. The dual objective is at a multiple s of the residuals
// r_i, with the conjugates of the losses: of counts, with m_i = y_i - s r_i/w_i,
//
//	sum_i w_i (m_i - m_i log m_i + y_i log y_i - y_i),
//
// and the offset times (1-s) r. If the gap is not reached at some lambda, the path is
// returned together with a *ConvergenceError about the first of them.
//
// Errors are those of FitGLM on the response and of FitLassoPath on settings, and
// ErrSetting for InverseGaussian.
//
// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010), section 4.1.
// Method: coordinate descent and Newton steps on a working set, for quadratic models of the
// deviance.
func FitGLMPath(d *Design, family GLMFamily, share float64, settings *PathSettings) (*GLMPath, error) {
	if err := family.checkPath(share); err != nil {
		return nil, err
	}
	path, err := lossPath(d, elasticPenalty{l1: share, l2: 1 - share}, settings, family.penaltyData)
	return newPath[*SparseGLM](path), err
}

// checkPath refuses families that have no path, and what is no share of L1.
func (f GLMFamily) checkPath(share float64) error {
	if err := checkShare(share, "FitGLM"); err != nil {
		return err
	}
	if err := f.check(); err != nil {
		return err
	}
	if pathLinks[f.kind()] == 0 {
		return fmt.Errorf("%w: there is no path of the %v family; Gamma has one, with LogLink", ErrSetting, f)
	}
	return nil
}

// penaltyData brings a design to the form that the solver wants.
func (f GLMFamily) penaltyData(d *Design) (*penaltyData, error) {
	y, err := f.responses(d)
	if err != nil {
		return nil, err
	}
	data, err := lossData(d, y, nil, func(y, weights []float64) descent.Datafit { return descent.NewGLM(f.kind(), y, weights) })
	if err != nil {
		return nil, err
	}
	data.family = f
	return data, nil
}

// family is the family of a path with its link.
func (s *pathState) family() glm.Family {
	return s.Family.with(pathLinks[s.Family.kind()])
}

// FitGLMCV is FitLassoCV for the paths of FitGLMPath. The loss is the deviance of a row,
// GLMFamily.Deviance, unless CVSettings.Loss is another; its mean is the one of cv.glmnet.
// lambda is in proportion to the weight of a fold's training rows: the same penalty per
// observation.
//
// Nil folds, path and cv are the defaults of FitLassoCV. Errors are those of FitGLMPath and CrossValidate, and
// ErrSetting for CVSettings.ResponseScale and CVSettings.AUC. If some gap was not reached,
// the result is returned together with a *ConvergenceError.
func FitGLMCV(d *Design, family GLMFamily, share float64, folds *Folds, path *PathSettings, cv *CVSettings) (*GLMCV, error) {
	if err := family.checkPath(share); err != nil {
		return nil, err
	}
	set := args.OrDefaults(cv)
	if set.AUC {
		return nil, fmt.Errorf("%w: CVSettings.AUC is for two classes; fit them with FitLogisticCV", ErrSetting)
	}
	y, err := family.responses(d)
	if err != nil {
		return nil, err
	}
	predict := (*GLMPath).Predict
	if set.Loss == nil {
		// Of the linear predictor, since a mean may underflow.
		of := family.with(pathLinks[family.kind()])
		predict = (*GLMPath).linearPredictors
		set.Loss, set.measure = func(y, eta float64) float64 {
			loss, _, _ := of.Row(y, eta)
			return 2 * loss
		}, "mean deviance"
	}
	return lossCV(d.labelled(nil, y), folds, path, &set, predict, func(d *Design, s *PathSettings) (*GLMPath, error) {
		return FitGLMPath(d, family, share, s)
	})
}

// GLMCV is a cross-validated path of generalized linear models.
type GLMCV = PathCV[*GLMPath, *SparseGLM]

// SparseGLM is a point of a GLMPath: a generalized linear model with an L1 or elastic net
// penalty. It holds no data and does not change.
type SparseGLM struct {
	linear
	c sparseGLMState
	penalLikelihood
}

type sparseGLMState struct {
	Family GLMFamily
	Link   Link
}

func (*SparseGLM) of(s *pathState, p *pathPoint) *SparseGLM {
	return &SparseGLM{linear{p.linear(s.L)}, sparseGLMState{s.Family, pathLinks[s.Family.kind()]}, penalLikelihood{p.penalized(s)}}
}

// Family returns the family.
func (f *SparseGLM) Family() GLMFamily { return f.c.Family }

// Link returns the link.
func (f *SparseGLM) Link() Link { return f.c.Link }

// LinearPredictor returns eta = o + b_0 + x'b for every row of d; see GLM.LinearPredictor.
func (f *SparseGLM) LinearPredictor(d *Design) ([]float64, error) { return f.linear.Predict(d) }

// InverseLink returns the mean at a linear predictor, and its derivative.
func (f *SparseGLM) InverseLink(eta float64) (mean, slope float64) {
	return glm.Link(f.c.Link).Mean(eta)
}

// Predict returns the mean of the response for every row of d. Errors are those of
// LinearPredictor.
func (f *SparseGLM) Predict(d *Design) ([]float64, error) { return meansOf(f, d) }

// Fitted is Predict.
func (f *SparseGLM) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// Residuals returns y - mu for every row of d, which must have a response (ErrNoData). Other
// errors are those of LinearPredictor.
func (f *SparseGLM) Residuals(d *Design) ([]float64, error) {
	return residualsOf(d, f.l.Response, f.Predict)
}

// Active returns the names of the terms whose slopes are not zero.
func (f *SparseGLM) Active() []string { return f.l.active() }

// Raw returns the same fit with coefficients in the raw units of the data; see OLS.Raw.
func (f *SparseGLM) Raw() (*SparseGLM, error) {
	l, err := f.l.raw()
	if err != nil {
		return nil, err
	}
	return &SparseGLM{linear{*l}, f.c, f.penalLikelihood}, nil
}

// GobEncode implements gob.GobEncoder.
func (f *SparseGLM) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *SparseGLM) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the deviances and the certificate.
func (f *SparseGLM) Describe() *report.Table {
	return describePenalized(f, f.title(f.c.Family.title()+" fit", f.Response()), f.ofDeviance()...)
}

// String writes the table of the fit as text.
func (f *SparseGLM) String() string { return f.Describe().String() }
