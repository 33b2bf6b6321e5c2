package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// Kinds of fits, by what they can take that others cannot.
const (
	alone     = 1 << iota // a model without terms
	unsquared             // columns whose squares are no float64
	anySize               // columns of any size
	tiny                  // columns of any small size
	ofRows                // a *Design only
	zeroOne               // columns of 0 and 1 only
	everyRow              // looks at every row, also at those of weight zero
)

type fitOf struct {
	name string
	kind int
	fit  func(Data) error
}

// entry is a fit of a number or, by classes, of two classes.
func entry[T any](name string, kind int, fit func(Data) (T, error)) fitOf {
	return fitOf{name, kind, func(d Data) error { _, err := fit(d); return err }}
}

func entryOfRows[T any](name string, kind int, fit func(*Design) (T, error)) fitOf {
	return fitOf{name, kind | ofRows, func(d Data) error { _, err := fit(d.(*Design)); return err }}
}

func fitsOfANumber(t *testing.T) []fitOf {
	folds := get(KFold(12, 3, rand.NewPCG(1, 1)))(t)
	bic := BICScore{Sigma2: 1}
	return []fitOf{
		entry("FitOLS", alone|unsquared, func(d Data) (*OLS, error) { return FitOLS(d, nil) }),
		entryOfRows("FitAbsorbed", everyRow, func(d *Design) (*Absorbed, error) { return FitAbsorbed(absorbing(d)) }),
		entryOfRows("FitOLS, minimum norm", alone|unsquared, func(d *Design) (*OLS, error) { return FitOLS(d, &OLSSettings{Aliased: MinimumNorm}) }),
		entry("FitRidge", 0, func(d Data) (*Ridge, error) { return FitRidge(d, 1, nil) }),
		entry("FitRidgePath", 0, func(d Data) (*RidgePath, error) { return FitRidgePath(d, nil) }),
		entry("FitLasso", 0, func(d Data) (*Lasso, error) { return FitLasso(d, 1, nil) }),
		entry("FitElasticNet", 0, func(d Data) (*ElasticNet, error) { return FitElasticNet(d, 1, 1, nil) }),
		entry("FitLassoPath", 0, func(d Data) (*LassoPath, error) { return FitLassoPath(d, nil) }),
		entry("FitElasticNetPath", 0, func(d Data) (*ElasticNetPath, error) { return FitElasticNetPath(d, 0.5, nil) }),
		entry("FitRelaxedLasso", 0, func(d Data) (*RelaxedLasso, error) { return FitRelaxedLasso(d, 1, 0.5, nil) }),
		entry("FitRelaxedLassoPath", 0, func(d Data) (*RelaxedLassoPath, error) { return FitRelaxedLassoPath(d, 0.5, nil) }),
		entry("FitLARS", 0, func(d Data) (*LARS, error) { return FitLARS(d, nil) }),
		entry("ShootingAlgorithm", 0, func(d Data) (*Shooting, error) { return ShootingAlgorithm(d, 1, nil) }),
		entry("FitPCR", 0, func(d Data) (*PCR, error) { return FitPCR(d, 1, nil) }),
		entry("FitBayes", alone, func(d Data) (*Bayes, error) { return FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil) }),
		entry("NewEvidenceSurface", 0, func(d Data) (*EvidenceSurface, error) { return NewEvidenceSurface(d, nil) }),
		entry("EnumerateModels", 0, func(d Data) (*Enumeration, error) { return EnumerateModels(d, bic, nil) }),
		entry("SampleModels", 0, func(d Data) (*ModelSample, error) { return SampleModels(d, bic, rand.NewPCG(1, 1), nil) }),
		entry("CertifyModels", 0, func(d Data) (*CertifiedModels, error) {
			return CertifyModels(d, bic, rand.NewPCG(1, 1), &CertifySettings{Nodes: 10, Proposals: 1000})
		}),
		entry("FitBestSubsets", 0, func(d Data) (*Subsets, error) { return FitBestSubsets(d, nil) }),
		entry("FitStepwise", 0, func(d Data) (*Stepwise, error) { return FitStepwise(d, nil) }),
		entry("FilterTerms", 0, FilterTerms),
		entryOfRows("FitGreedy", unsquared, func(d *Design) (*Greedy, error) { return FitGreedy(d, nil) }),
		entryOfRows("FitLassoCV", everyRow, func(d *Design) (*LassoCV, error) { return FitLassoCV(d, folds, nil, nil) }),
		entryOfRows("FitElasticNetCV", everyRow, func(d *Design) (*ElasticNetCV, error) { return FitElasticNetCV(d, 0.5, folds, nil, nil) }),
		entryOfRows("FitRelaxedLassoCV", everyRow, func(d *Design) (*RelaxedLassoCV, error) { return FitRelaxedLassoCV(d, folds, 0.5, nil, nil) }),
		entryOfRows("FitRidgeCV", everyRow, func(d *Design) (*RidgeCV, error) { return FitRidgeCV(d, folds, nil, nil) }),
		entryOfRows("FitGreedyCV", unsquared|everyRow, func(d *Design) (*GreedyCV, error) { return FitGreedyCV(d, folds, nil, nil) }),
		entryOfRows("FitLearningCurve", 0, func(d *Design) (*LearningCurve, error) {
			return FitLearningCurve(d, folds, func(train Data) (*Ridge, error) { return FitRidge(train, 1, nil) })
		}),
	}
}

func fitsOfClasses(t *testing.T) []fitOf {
	folds := get(KFold(12, 3, rand.NewPCG(1, 1)))(t)
	return []fitOf{
		entryOfRows("FitLogisticCV", unsquared|everyRow, func(d *Design) (*LogisticCV, error) { return FitLogisticCV(d, 1, folds, nil, nil) }),
		entryOfRows("FitLogistic", alone|unsquared|anySize|everyRow, func(d *Design) (*Logistic, error) { return FitLogistic(d, nil) }),
		entryOfRows("FitGLM", alone|unsquared|anySize|everyRow, func(d *Design) (*GLM, error) { return FitGLM(d, Binomial, nil) }),
		entryOfRows("FitGLMCV", unsquared|everyRow, func(d *Design) (*GLMCV, error) { return FitGLMCV(d, Binomial, 1, folds, nil, nil) }),
		entryOfRows("FitBayesGLM", alone|unsquared|tiny|everyRow, func(d *Design) (*BayesGLM, error) { return FitBayesGLM(d, Binomial, GaussianPrior{Tau2: 1}, nil) }),
		entryOfRows("FitGLMPath", unsquared, func(d *Design) (*GLMPath, error) { return FitGLMPath(d, Binomial, 1, nil) }),
		entryOfRows("FitLogisticPath", unsquared, func(d *Design) (*LogisticPath, error) { return FitLogisticPath(d, 1, nil) }),
		entryOfRows("FitLogisticElasticNet", unsquared, func(d *Design) (*SparseLogistic, error) { return FitLogisticElasticNet(d, 1, 1, nil) }),
		entryOfRows("FitBayesLogistic", alone|unsquared|tiny|everyRow, func(d *Design) (*BayesLogistic, error) { return FitBayesLogistic(d, GaussianPrior{Tau2: 1}, nil) }),
		entryOfRows("FitMultinomial", alone|unsquared|everyRow, func(d *Design) (*Multinomial, error) { return FitMultinomial(d, nil) }),
		entryOfRows("FitMultinomialPath", unsquared|everyRow, func(d *Design) (*MultinomialPath, error) { return FitMultinomialPath(d, 1, nil) }),
		entryOfRows("FitMultinomialCV", unsquared|everyRow, func(d *Design) (*MultinomialCV, error) { return FitMultinomialCV(d, 1, folds, nil, nil) }),
		entryOfRows("FitNaiveBayes", everyRow|zeroOne, func(d *Design) (*NaiveBayes, error) { return FitNaiveBayes(d, 1, nil) }),
		entryOfRows("CheckSeparation", alone|unsquared|anySize|everyRow, CheckSeparation),
	}
}

// refusal is an input that a fit refuses: with what error, which names what.
type refusal struct {
	what   string
	change func(d *Design)
	want   error
	names  string
	except int // kinds of fits that take it
	only   int // if not 0, the kinds that refuse it
}

func refusals() []refusal {
	nan, inf := math.NaN(), math.Inf(1)
	all := func(d *Design, f func(i int)) {
		for i := range d.NObs() {
			f(i)
		}
	}
	return []refusal{
		{"NaN in X", func(d *Design) { d.X.Set(3, 1, nan) }, ErrNotFinite, `"x2" is NaN in row 4`, 0, 0},
		{"infinity in X", func(d *Design) { d.X.Set(3, 1, inf) }, ErrNotFinite, `"x2" is +Inf in row 4`, 0, 0},
		{"NaN in X without weight", func(d *Design) { d.X.Set(3, 1, nan); d.Weights[3] = 0 }, ErrNotFinite, `"x2" is NaN in row 4`, 0, everyRow},
		{"NaN in Y", func(d *Design) { d.Y[2] = nan }, ErrNotFinite, `"y" is NaN in row 3`, 0, 0},
		{"infinity in Y", func(d *Design) { d.Y[2] = -inf }, ErrNotFinite, `"y" is -Inf in row 3`, 0, 0},
		{"NaN in XLow", func(d *Design) { d.XLow = mat.NewDense(12, 3, nil); d.XLow.Set(1, 1, nan) }, ErrNotFinite, "XLow", 0, 0},
		{"XLow too narrow", func(d *Design) { d.XLow = mat.NewDense(12, 2, nil) }, ErrShape, "XLow is 12 x 2", 0, 0},
		{"NaN weight", func(d *Design) { d.Weights[1] = nan }, ErrSetting, "weight of row 2", 0, 0},
		{"infinite weight", func(d *Design) { d.Weights[1] = inf }, ErrSetting, "weight of row 2", 0, 0},
		{"negative weight", func(d *Design) { d.Weights[1] = -1 }, ErrSetting, "weight of row 2", 0, 0},
		{"weights of zero", func(d *Design) { clear(d.Weights) }, ErrNoData, "weight", 0, 0},
		{"weights near zero", func(d *Design) { all(d, func(i int) { d.Weights[i] = 1e-300 }) }, ErrNotFinite, "weights sum to", 0, 0},
		{"weights too few", func(d *Design) { d.Weights = d.Weights[1:] }, ErrShape, "11 weights", 0, 0},
		{"no response", func(d *Design) { d.Y = nil }, ErrNoData, "no response", 0, 0},
		{"response too short", func(d *Design) { d.Y = d.Y[1:] }, ErrShape, `"y" has 11 values`, 0, 0},
		{"names too few", func(d *Design) { d.Names = d.Names[1:] }, ErrShape, "2 names", 0, 0},
		{"a name twice", func(d *Design) { d.Names[1] = d.Names[0] }, ErrShape, `both named "x1"`, 0, 0},
		{"no rows", func(d *Design) { *d = Design{} }, ErrNoData, "X is 0 x 0", 0, 0},
		{"no terms", func(d *Design) { d.X, d.Names = algebra.NewDense(12, 0), nil }, ErrNoTerms, "", alone, 0},
		{"no terms, no intercept", func(d *Design) { d.X, d.Names, d.NoIntercept = algebra.NewDense(12, 0), nil, true }, ErrNoTerms, "", 0, 0},
		{"a column near the end of float64", func(d *Design) { d.X.Set(3, 1, 1e300) }, ErrNotFinite, `"x2"`, anySize | zeroOne, 0},
		{"a column near zero", func(d *Design) { all(d, func(i int) { d.X.Set(i, 1, 1e-300*d.X.At(i, 1)) }) }, ErrNotFinite, `"x2"`, anySize | tiny | zeroOne, 0},
		{"a column without squares", func(d *Design) { all(d, func(i int) { d.X.Set(i, 1, 1e200*d.X.At(i, 1)) }) }, ErrNotFinite, `"x2"`, unsquared | zeroOne, 0},
	}
}

// Fits refuse the same data with the same error, which names the same culprit,
// unless the table says what they can do that others cannot.
func TestFitsRefuseTheSame(t *testing.T) {
	exported := exportedFits(t)
	for _, fit := range append(fitsOfANumber(t), fitsOfClasses(t)...) {
		delete(exported, fit.name)
	}
	if len(exported) > 0 {
		t.Errorf("%v are not tried", keys(exported))
	}
	number := randomDesign(t, 5, 12, 3)
	number.Weights = slices.Repeat([]float64{1}, 12)
	classes := *number
	classes.Classes, classes.Y = []string{"no", "yes"}, make([]float64, 12)
	for i := range classes.Y {
		classes.Y[i] = float64(i / 2 % 2)
	}
	check := func(fit fitOf, what string, data Data, want error, names string) {
		t.Helper()
		err := fit.fit(data)
		if want == nil && err != nil || !errors.Is(err, want) || want != nil && !strings.Contains(err.Error(), names) {
			t.Errorf("%s of %s: %v; want %v that names %s", fit.name, what, err, want, names)
		}
	}
	each := func(fits []fitOf, good *Design, more ...refusal) {
		fits = slices.DeleteFunc(slices.Clone(fits), func(fit fitOf) bool {
			return !racy(func() { check(fit, "sound data", good, nil, "") })
		})
		for _, r := range append(refusals(), more...) {
			bad := *good
			bad.X, bad.Y, bad.Names, bad.Weights = mat.DenseCopyOf(good.X), slices.Clone(good.Y), slices.Clone(good.Names), slices.Clone(good.Weights)
			r.change(&bad)
			for _, fit := range fits {
				if fit.kind&zeroOne != 0 && r.except&zeroOne != 0 {
					continue // it refuses the column, of numbers, before its size
				}
				if fit.kind&r.except != 0 || r.only != 0 && fit.kind&r.only == 0 {
					check(fit, r.what, &bad, nil, "")
				} else {
					check(fit, r.what, &bad, r.want, r.names)
				}
			}
		}
		for _, fit := range fits {
			check(fit, "a nil design", (*Design)(nil), ErrNoData, "design is nil")
			if fit.kind&ofRows == 0 {
				check(fit, "sound sums", get(good.Moments())(t), nil, "")
				check(fit, "nil", nil, ErrNoData, "data is nil")
				check(fit, "sums of no rows", NewMoments(good), ErrNoData, "no rows")
			}
		}
	}
	each(fitsOfANumber(t), number,
		refusal{"three classes", func(d *Design) {
			d.Classes = []string{"a", "b", "c"}
			for i := range d.Y {
				d.Y[i] = float64(i % 3)
			}
		}, ErrSetting, "3 classes", 0, 0},
		refusal{"a response without squares", func(d *Design) { d.Y[3] = 1e200 }, ErrNotFinite, `"y"`, 0, 0},
		refusal{"a response near zero", func(d *Design) {
			for i := range d.Y {
				d.Y[i] *= 1e-200
			}
		}, ErrNotFinite, `"y"`, 0, 0})
	for _, fit := range fitsOfClasses(t) {
		data := classes
		if fit.kind&zeroOne != 0 {
			data.X = mat.DenseCopyOf(number.X)
			data.X.Apply(func(i, j int, _ float64) float64 { return float64((i + j) % 2) }, data.X)
		}
		each([]fitOf{fit}, &data, refusal{"no such class", func(d *Design) { d.Y[2] = 2 }, ErrSetting, `"y" is 2 in row 3`, 0, 0})
	}
}
