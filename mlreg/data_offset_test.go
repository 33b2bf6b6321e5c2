package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// offsetDesigns returns rows with an offset, and the same with y - offset for the
// response and none.
func offsetDesigns(t *testing.T, n, p int) (with, less *Design) {
	t.Helper()
	with = randomDesign(t, 4, n, p)
	rng := rand.New(rand.NewPCG(7, 1))
	with.Offset = make([]float64, n)
	y := make([]float64, n)
	for i := range y {
		with.Offset[i] = 3 * rng.NormFloat64()
		y[i] = with.Y[i] - with.Offset[i]
	}
	return with, with.WithResponse("y", y)
}

// Least squares in all its forms fits y - offset, and predicts with the offset added.
func TestOffsetIsTakenFromTheResponse(t *testing.T) {
	with, less := offsetDesigns(t, 40, 4)
	new, _ := offsetDesigns(t, 12, 4)
	bare := *new
	bare.Offset = nil
	type fit interface {
		Coef() []float64
		Predict(*Design) ([]float64, error)
	}
	for name, of := range map[string]func(*Design) fit{
		"OLS":     func(d *Design) fit { return get(FitOLS(d, nil))(t) },
		"moments": func(d *Design) fit { return get(FitOLS(get(d.Moments())(t), nil))(t) },
		"ridge":   func(d *Design) fit { return get(FitRidge(d, 2, nil))(t) },
		"lasso":   func(d *Design) fit { return get(FitLassoPath(d, nil))(t).Fit(20) },
		"Bayes":   func(d *Design) fit { return get(FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(1), nil))(t) },
		"minimum": func(d *Design) fit { return get(FitOLS(d, &OLSSettings{Aliased: MinimumNorm}))(t) },
		"ridge path": func(d *Design) fit {
			return get(FitRidgePath(d, nil))(t).Fit(30)
		},
	} {
		a, b := of(with), of(less)
		nearAll(t, name+" coefficients", a.Coef(), b.Coef(), 1e-10)
		got, want := get(a.Predict(new))(t), get(b.Predict(&bare))(t)
		for i := range want {
			want[i] += new.Offset[i]
		}
		nearAll(t, name+" predictions", got, want, 1e-10)
		if _, err := a.Predict(&bare); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), "offset") {
			t.Errorf("%s predicts rows without an offset: %v", name, err)
		}
		if _, err := b.Predict(new); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), "offset") {
			t.Errorf("%s, of rows without, predicts rows with an offset: %v", name, err)
		}
	}
}

// Residuals, influence, bands and R2 are those of y - offset, as R's.
func TestOffsetOfLeastSquares(t *testing.T) {
	with, less := offsetDesigns(t, 30, 3)
	a, b := get(FitOLS(with, nil))(t), get(FitOLS(less, nil))(t)
	near(t, "R2", a.R2(), b.R2(), 1e-12)
	near(t, "log likelihood", a.LogLik(), b.LogLik(), 1e-12)
	nearAll(t, "residuals", get(a.Residuals(with))(t), get(b.Residuals(less))(t), 1e-10)
	nearAll(t, "Cook", get(a.CooksDistance(with))(t), get(b.CooksDistance(less))(t), 1e-9)
	band, bare := get(a.ConfidenceBand(with, 0.9))(t), get(b.ConfidenceBand(less, 0.9))(t)
	for i, o := range with.Offset {
		near(t, "lower limit", band.Lower[i], bare.Lower[i]+o, 1e-10)
	}
	nearAll(t, "robust", get(a.Robust(with, HC3))(t).StdErr(), get(b.Robust(less, HC3))(t).StdErr(), 1e-10)
	fit := func(d *Design) ([]*OLS, error) {
		f, err := FitOLS(d, nil)
		return []*OLS{f}, err
	}
	folds := get(KFold(30, 5, rand.NewPCG(1, 1)))(t)
	nearAll(t, "cross-validation", get(CrossValidate(with, folds, fit, nil))(t).Mean(), get(CrossValidate(less, folds, fit, nil))(t).Mean(), 1e-10)
}

// An offset of the design is that of a term whose coefficient is 1.
func TestOffsetOfLogisticRegression(t *testing.T) {
	d := randomDesign(t, 5, 200, 3)
	rng := rand.New(rand.NewPCG(2, 2))
	for i := range d.Y {
		d.Y[i] = 0
		if rng.Float64() < sigmoid(d.X.At(i, 0)+d.X.At(i, 1)) {
			d.Y[i] = 1
		}
	}
	rest := withOffset(t, d, "x1")
	own := get(FitLogistic(rest, nil))(t)
	for i, r := range get(own.Residuals(rest))(t) { // the gradient of the likelihood is zero
		near(t, "probability", d.Y[i]-r, sigmoid(d.X.At(i, 0)+own.Coef()[0]+d.X.At(i, 1)*own.Coef()[1]+d.X.At(i, 2)*own.Coef()[2]), 1e-12)
	}

	// The end of a path is the fit without a penalty, and the posterior of a wide prior too.
	path := get(FitLogisticPath(rest, 1, &PathSettings{Lambda: []float64{1e-7}, Gap: 1e-12}))(t)
	nearAll(t, "path", path.Fit(0).Coef(), own.Coef(), 1e-6)
	near(t, "path's null deviance", path.NullDeviance(), own.NullDeviance(), 1e-10)
	nearAll(t, "path's probabilities", get(path.Fit(0).Predict(rest))(t), get(own.Predict(rest))(t), 1e-6)
	near(t, "path's predictions", get(path.Predict(rest))(t).At(3, 0), get(own.Predict(rest))(t)[3], 1e-6)
	bayes := get(FitBayesLogistic(rest, GaussianPrior{Tau2: 1e12}, nil))(t)
	nearAll(t, "mode", bayes.Coef(), own.Coef(), 1e-6)
}

func TestOffsetRefusals(t *testing.T) {
	d := randomDesign(t, 3, 20, 2)
	d.Offset = make([]float64, 19)
	if err := d.Check(); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), "19 offsets for the 20 rows") {
		t.Error(err)
	}
	for name, fit := range map[string]func(*Design) error{
		"OLS":      func(d *Design) error { _, err := FitOLS(d, nil); return err },
		"moments":  func(d *Design) error { _, err := d.Moments(); return err },
		"ridge":    func(d *Design) error { _, err := FitRidge(d, 1, nil); return err },
		"lasso":    func(d *Design) error { _, err := FitLassoPath(d, nil); return err },
		"logistic": func(d *Design) error { _, err := FitLogistic(labelsOf(d), nil); return err },
		"path":     func(d *Design) error { _, err := FitLogisticPath(labelsOf(d), 1, nil); return err },
	} {
		for _, bad := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			d.Offset = make([]float64, 20)
			d.Offset[6] = bad
			if err := fit(d); !errors.Is(err, ErrNotFinite) || !strings.Contains(err.Error(), "row 7") {
				t.Errorf("%s of an offset of %v: %v", name, bad, err)
			}
		}
		d.Offset = make([]float64, 3)
		if err := fit(d); !errors.Is(err, ErrShape) {
			t.Errorf("%s of an offset of another length: %v", name, err)
		}
	}
	d.Offset = make([]float64, 20)
	labels := labelsOf(d)
	for name, err := range map[string]error{
		"multinomial": second(FitMultinomial(labels, nil)), "naive Bayes": second(FitNaiveBayes(labels, 1, nil)), "greedy": second(FitGreedy(d, nil)),
	} {
		if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "offset") {
			t.Errorf("%s with an offset: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// labelsOf returns the rows with labels 0 and 1 by turns.
func labelsOf(d *Design) *Design {
	sub := *d
	sub.Y = make([]float64, len(d.Y))
	for i := range sub.Y {
		sub.Y[i] = float64(i * 7 % 5 % 2)
	}
	return &sub
}
