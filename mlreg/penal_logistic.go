package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/descent"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/report"
)

// LogisticPath is a path of logistic regressions of two classes by
// FitLogisticPath.
type LogisticPath = Path[*SparseLogistic]

// FitLogisticPath minimizes
//
//	sum_i w_i log(1 + exp(-s_i eta_i)) + lambda sum_j f_j (share |b_j| + (1 - share) b_j^2)
//
// for every lambda of a grid, 0 < share <= 1, with eta and s as in FitLogistic; the
// f_j are 1 unless the settings have others, and the intercept is not penalized.
// share = 1 is the lasso. There is no factor of 1/n or 1/2, and slopes are in the
// units of the design: Design.Standardize first if terms have different units. For
// the lasso glmnet's lambda is lambda/n on the same columns, with
// standardize = FALSE (FromGlmnetPath), and the C of scikit-learn's LogisticRegression is 1/lambda.
//
// Each fit starts from the one before, and each has its certificate, as those of
// FitLassoPath have, with NullDeviance/2 in place of the residual sum of squares of
// the null model: Gap, KKT. The grid, and what the settings say of it, is that of
// FitLassoPath; from LambdaMax on all penalized slopes are zero. If the gap is not
// reached at some lambda, the path is returned together with a *ConvergenceError
// about the first of them.
//
// Errors are those of FitLogistic on labels and of FitLassoPath on settings.
// Classes that terms without a penalty separate are not looked for: the path then
// ends in a *ConvergenceError.
//
// Friedman, Hastie and Tibshirani, Journal of Statistical Software 33 (2010),
// section 3. Method: coordinate descent and Newton steps on a working set, for
// quadratic models of the likelihood.
func FitLogisticPath(d *Design, share float64, settings *PathSettings) (*LogisticPath, error) {
	if err := checkShare(share, "FitLogistic"); err != nil {
		return nil, err
	}
	return logisticPath(d, elasticPenalty{l1: share, l2: 1 - share}, settings)
}

// logisticPath goes through lambdas, of which pen are the parts.
func logisticPath(d *Design, pen elasticPenalty, settings *PathSettings) (*LogisticPath, error) {
	path, err := lossPath(d, pen, settings, logisticData)
	return newPath[*SparseLogistic](path), err
}

// lossPath goes through lambdas for a loss that is not squares.
func lossPath(d *Design, pen elasticPenalty, settings *PathSettings, prepared func(*Design) (*penaltyData, error)) (*pathState, error) {
	s := args.OrDefaults(settings)
	if err := s.check(); err != nil {
		return nil, err
	}
	data, err := prepared(d)
	if err != nil {
		return nil, err
	}
	return penalizedPath(data, pen, &s)
}

// FitLogisticElasticNet minimizes
//
//	sum_i w_i log(1 + exp(-s_i eta_i)) + l1 sum_j f_j |b_j| + l2 sum_j f_j b_j^2.
//
// It is a point of FitLogisticPath, and all else is as there, the best fit beside a *ConvergenceError too; l1 is above 0, since
// FitLogistic does l1 = 0.
func FitLogisticElasticNet(d *Design, l1, l2 float64, settings *LassoSettings) (*SparseLogistic, error) {
	if !(l1 > 0) || math.IsInf(l1, 0) || !(l2 >= 0) || math.IsInf(l2, 0) {
		return nil, fmt.Errorf("%w: l1 = %v, l2 = %v; l1 is above 0, l2 not negative, both finite; for l1 = 0 use FitLogistic", ErrSetting, l1, l2)
	}
	lambda := l1 + l2
	path, err := logisticPath(d, elasticPenalty{l1: l1 / lambda, l2: l2 / lambda}, settings.at(lambda))
	if path == nil {
		return nil, err
	}
	return path.Fit(0), err
}

// logisticData brings a design to the form that the solver wants.
func logisticData(d *Design) (*penaltyData, error) {
	classes, y, err := d.binaryLabels()
	if err != nil {
		return nil, err
	}
	return lossData(d, y, classes, func(y, weights []float64) descent.Datafit { return descent.NewLogistic(y, weights) })
}

// lossData prepares the rows of positive weight with a loss of the responses y: of the labels of
// classes, if there are any.
func lossData(d *Design, y []float64, classes []string, loss func(y, weights []float64) descent.Datafit) (*penaltyData, error) {
	rows := new(Design)
	*rows = *d
	rows.Y, rows.Classes = y, nil
	rows = rows.positive()
	of, offset := loss(rows.Y, slices.Clone(rows.Weights)), [][]float64(nil)
	if rows.Offset != nil {
		offset = slices.Repeat([][]float64{slices.Clone(rows.Offset)}, of.Predictors())
	}
	columns, err := preparedRows(rows.withoutWeights().withoutOffset(), nil)
	if err != nil {
		return nil, err
	}
	data := &penaltyData{prepared: *columns, predictors: of.Predictors(), classes: slices.Clone(classes)}
	data.MeanY, data.YUnit = 0, 0
	// The loss is of the responses as they are, and nothing looks at those that were prepared.
	data.Y = rows.Y
	data.likelihood = func(stretch []float64) *descent.Likelihood {
		columns := data.columns()
		for j, u := range stretch {
			blas64.Scal(u, gram.Vector(columns.Column(j)))
		}
		return descent.NewLikelihood(columns, of, offset, !data.l.NoIntercept)
	}
	return data, nil
}

// SparseLogistic is a point of a LogisticPath: a logistic regression of two
// classes with an L1 or elastic net penalty. It holds no data and does not change.
type SparseLogistic struct {
	logit
	penalLikelihood
}

func (*SparseLogistic) of(s *pathState, p *pathPoint) *SparseLogistic {
	return &SparseLogistic{logit{linear{p.linear(s.L)}, logitState{Classes: slices.Clone(s.Classes)}}, penalLikelihood{p.penalized(s)}}
}

// LogLik returns the log-likelihood, without the penalty.
func (f *SparseLogistic) LogLik() float64 { return -f.s.Loss }

// Active returns the names of the terms whose slopes are not zero.
func (f *SparseLogistic) Active() []string { return f.l.active() }

// Raw returns the same fit with coefficients in the raw units of the data; see
// OLS.Raw.
func (f *SparseLogistic) Raw() (*SparseLogistic, error) {
	l, err := f.l.raw()
	if err != nil {
		return nil, err
	}
	return &SparseLogistic{logit{linear{*l}, f.c}, f.penalLikelihood}, nil
}

// GobEncode implements gob.GobEncoder.
func (f *SparseLogistic) GobEncode() ([]byte, error) { return stream.Encode(f, &f.l, &f.c, &f.s) }

// GobDecode implements gob.GobDecoder.
func (f *SparseLogistic) GobDecode(b []byte) error { return gobDecode(b, f, &f.l, &f.c, &f.s) }

// Describe returns the table of the coefficients, without those that are zero if there
// are more than 20, with the deviances and the certificate.
func (f *SparseLogistic) Describe() *report.Table {
	classes := f.Classes()
	title := fmt.Sprintf("%s: log odds of %s against %s", f.title("logistic fit", f.Response()), classes[1], classes[0])
	return describePenalized(f, title, f.ofDeviance()...)
}

// String writes the table of the fit as text.
func (f *SparseLogistic) String() string { return f.Describe().String() }
