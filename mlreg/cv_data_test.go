package mlreg

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// foldsOfBoth returns a design, folds of its rows, and the same as sums.
func foldsOfBoth(t *testing.T, d *Design, k int) (rows, sums *Folds) {
	t.Helper()
	rows = get(KFold(d.NObs(), k, rand.NewPCG(5, 6)))(t)
	var moments []*Moments
	for i := range k {
		moments = append(moments, get(d.Rows(rows.Test(i)...).Moments())(t))
	}
	return rows, get(MomentFolds(moments...))(t)
}

// Cross-validation on the sums of the folds is that on their rows, to rounding, whatever
// the settings.
func TestCrossValidationOfSumsIsThatOfRows(t *testing.T) {
	plain := correlatedDesign(t, 3, 90, 5, 0.6, 1)
	for j := range plain.NObs() {
		plain.X.Set(j, 2, 50+20*plain.X.At(j, 2))
	}
	scaled := get(plain.Standardize(nil))(t)
	origin := *plain
	origin.NoIntercept = true
	weighted := *plain
	for i := range plain.NObs() {
		weighted.Weights = append(weighted.Weights, 0.5+float64(i%4))
	}
	for name, c := range map[string]struct {
		d  *Design
		cv *CVSettings
	}{
		"plain": {plain, nil}, "standardized": {plain, &CVSettings{Standardize: &StandardizeSettings{DDoF: 1}}},
		"scaled": {scaled, nil}, "same lambda": {plain, &CVSettings{SameLambda: true}},
		"response scale": {plain, &CVSettings{ResponseScale: true, Standardize: &StandardizeSettings{}}},
		"no intercept":   {&origin, nil}, "weights": {&weighted, nil},
		"weighted scale": {&weighted, &CVSettings{Standardize: &StandardizeSettings{Weighted: true}}},
	} {
		rows, sums := foldsOfBoth(t, c.d, 6)
		same := func(what string, got, want *CV) {
			t.Helper()
			nearAll(t, name+", "+what, got.Mean(), want.Mean(), 1e-9)
			nearAll(t, name+", "+what+": standard error", got.StdErr(), want.StdErr(), 1e-7)
			if got.Measure() != want.Measure() {
				t.Errorf("%s, %s: %q, want %q", name, what, got.Measure(), want.Measure())
			}
		}
		path := &PathSettings{Count: 12, Gap: 1e-14}
		a, b := get(FitLassoCV(nil, sums, path, c.cv))(t), get(FitLassoCV(c.d, rows, path, c.cv))(t)
		same("lasso", a.CV, b.CV)
		nearAll(t, name+", lambda", a.Lambda(), b.Lambda(), 1e-12)
		for k, s := range a.FitMin().Slopes() {
			near(t, name+", slope", s, b.FitMin().Slopes()[k], 1e-7)
		}
		same("elastic net", get(FitElasticNetCV(nil, 0.3, sums, path, c.cv))(t).CV, get(FitElasticNetCV(c.d, 0.3, rows, path, c.cv))(t).CV)
		same("ridge", get(FitRidgeCV(nil, sums, &RidgePathSettings{Count: 9}, c.cv))(t).CV, get(FitRidgeCV(c.d, rows, &RidgePathSettings{Count: 9}, c.cv))(t).CV)
		if name != "response scale" {
			same("relaxed lasso", get(FitRelaxedLassoCV(nil, sums, 0.3, path, c.cv))(t).CV, get(FitRelaxedLassoCV(c.d, rows, 0.3, path, c.cv))(t).CV)
		}
	}
}

// The mean squared error from sums is that of the residuals, for a fit with fewer terms, in
// another order and scaling.
func TestMeanSquaredErrorFromSums(t *testing.T) {
	d := correlatedDesign(t, 4, 60, 4, 0.5, 1)
	train, test := d.Rows(sequence(40)...), d.Rows(40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50)
	m := get(test.Moments())(t)
	some := get(get(train.Select("x3", "x1"))(t).Standardize(nil))(t)
	for _, f := range []CoefFit{get(FitOLS(train, nil))(t), get(FitRidge(some, 2, nil))(t)} {
		want := get(TestError(f, test, SquaredLoss))(t).Mean
		near(t, "mean squared error", get(m.MeanSquaredError(f))(t), want, 1e-12)
	}
	wantError(t, "missing term", errorOf(get(m.Select("x1"))(t).MeanSquaredError(get(FitOLS(train, nil))(t))), ErrShape, "x2")
	wantError(t, "nil fit", errorOf(m.MeanSquaredError(nil)), ErrNoData, "nil")
	wantError(t, "no rows", errorOf(NewMoments(d).MeanSquaredError(get(FitOLS(train, nil))(t))), ErrNoData, "no rows")
}

func sequence(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// A learning curve is that of fits to the rows of the folds.
func TestLearningCurve(t *testing.T) {
	d := correlatedDesign(t, 3, 60, 3, 0.6, 1)
	rows, sums := foldsOfBoth(t, d, 4)
	fit := func(train Data) (*OLS, error) { return FitOLS(train, nil) }
	c := get(FitLearningCurve(nil, sums, fit))(t)
	again := get(FitLearningCurve(d, rows, fit))(t)
	nearAll(t, "rows and sums", again.Test, c.Test, 1e-12)
	if !slices.Equal(c.NObs, []float64{15, 30, 45}) || c.Folds != 4 {
		t.Fatalf("%v of %d folds", c.NObs, c.Folds)
	}
	var test, train float64
	for k := range 4 {
		var of []int
		for step := range 2 {
			of = append(of, rows.Test((k+step+1)%4)...)
		}
		f := get(FitOLS(d.Rows(of...), nil))(t)
		train += get(TestError(f, d.Rows(of...), SquaredLoss))(t).Mean / 4
		test += get(TestError(f, d.Rows(rows.Test(k)...), SquaredLoss))(t).Mean / 4
	}
	near(t, "training error", c.Train[1], train, 1e-12)
	near(t, "test error", c.Test[1], test, 1e-12)
	if c.TestErr[1] <= 0 || c.TrainErr[1] <= 0 {
		t.Errorf("standard errors %v, %v", c.TrainErr, c.TestErr)
	}
	wantError(t, "one fold", errorOf(FitLearningCurve(d, get(RandomValidationSet(60, 9, rand.NewPCG(1, 2)))(t), fit)), ErrSetting, "1 fold")
	wantError(t, "no folds", errorOf(FitLearningCurve(d, nil, fit)), ErrNoData, "nil")
}

// What sums cannot do is refused.
func TestCrossValidationOfSumsRefuses(t *testing.T) {
	d := correlatedDesign(t, 3, 40, 3, 0.6, 1)
	rows, sums := foldsOfBoth(t, d, 4)
	wantError(t, "loss", errorOf(FitLassoCV(nil, sums, nil, &CVSettings{Loss: ClassError})), ErrNeedsRows, "MomentFolds")
	wantError(t, "AUC", errorOf(FitRidgeCV(nil, sums, nil, &CVSettings{AUC: true})), ErrNeedsRows, "MomentFolds")
	wantError(t, "nil data", errorOf(FitLassoCV(nil, rows, nil, nil)), ErrNoData, "nil")
	wantError(t, "sums and folds of rows", errorOf(FitLassoCV(get(d.Moments())(t), rows, nil, nil)), ErrShape, "MomentFolds")
	weights := *d
	for i := range d.NObs() {
		weights.Weights = append(weights.Weights, 1+float64(i%3))
	}
	_, weighted := foldsOfBoth(t, &weights, 4)
	wantError(t, "unweighted scale of weighted sums", errorOf(FitLassoCV(nil, weighted, nil, &CVSettings{Standardize: &StandardizeSettings{}})), ErrNeedsRows, "Weighted")
}

// Standardized moments are those of the standardized rows, and lead back to raw units.
func TestStandardizedMoments(t *testing.T) {
	d := correlatedDesign(t, 3, 50, 3, 0.6, 1)
	for i := range d.NObs() {
		d.X.Set(i, 1, 100+d.X.At(i, 1)) // Design.Standardize keeps fewer digits of larger means
	}
	weights := *d
	for i := range d.NObs() {
		weights.Weights = append(weights.Weights, float64(i%3))
	}
	for _, s := range []*StandardizeSettings{nil, {DDoF: 1}, {CenterOnly: true}, {ScaleOnly: true}, {Weighted: true, DDoF: 1}} {
		of := d
		if s != nil && s.Weighted {
			of = &weights
		}
		m := get(get(of.Moments())(t).Standardize(s))(t)
		z := get(of.Standardize(s))(t)
		want := get(z.Moments())(t)
		nearAll(t, "centers", m.Scaling().Center, z.Scaling.Center, 1e-14)
		nearAll(t, "scales", m.Scaling().Scale, z.Scaling.Scale, 1e-13)
		for j := range 3 {
			near(t, "sxy", m.SXY()[j], want.SXY()[j], 1e-12)
			for k := range 3 {
				near(t, "sxx", m.SXX().At(j, k), want.SXX().At(j, k), 1e-12)
			}
		}
		f, rows := get(FitOLS(m, nil))(t), get(FitOLS(of, nil))(t)
		nearAll(t, "raw coefficients", get(f.Raw())(t).Coef(), rows.Coef(), 1e-9)
		nearAll(t, "predictions", get(f.Predict(of))(t), get(rows.Predict(of))(t), 1e-9)
	}
	constant := *d
	constant.X = algebra.NewDense(50, 3)
	m := get(constant.Moments())(t)
	wantError(t, "constant", errorOf(m.Standardize(nil)), ErrConstant, "x1")
	wantError(t, "both", errorOf(m.Standardize(&StandardizeSettings{CenterOnly: true, ScaleOnly: true})), ErrSetting, "ScaleOnly")
	wantError(t, "nil", errorOf((*Moments)(nil).Standardize(nil)), ErrNoData, "nil")
	wantError(t, "no rows", errorOf(NewMoments(d).Standardize(nil)), ErrNoData, "no rows")
	wantError(t, "DDoF", errorOf(m.Standardize(&StandardizeSettings{DDoF: 50})), ErrSetting, "DDoF")
	wantError(t, "another scaling", errorOf(m.Rescale(&Scaling{Center: []float64{1}, Scale: []float64{1}})), ErrShape, "3 columns")
}

// Without folds a cross-validation is that of standardized columns and of DefaultFolds, which keep clusters
// together and give every fold its share of a class.
func TestCVWithoutFolds(t *testing.T) {
	d := randomDesign(t, 31, 83, 4)
	for i := range d.NObs() {
		d.X.Set(i, 1, 50*d.X.At(i, 1)+3)
	}
	folds := get(KFold(83, 10, rand.NewPCG(1, 1)))(t)
	standard := get(d.Standardize(nil))(t)
	got, want := get(FitLassoCV(d, nil, nil, nil))(t), get(FitLassoCV(standard, folds, nil, nil))(t)
	nearAll(t, "lasso", got.FoldLoss().RawMatrix().Data, want.FoldLoss().RawMatrix().Data, 1e-10)
	nearAll(t, "coefficients", get(got.FitOneSE().Raw())(t).Coef(), get(want.FitOneSE().Raw())(t).Coef(), 1e-10)
	same := get(FitLassoCV(standard, nil, nil, nil))(t)
	nearAll(t, "of a design that is standardized", same.FoldLoss().RawMatrix().Data, want.FoldLoss().RawMatrix().Data, 0)
	ridge, scaled := get(FitRidgeCV(d, nil, nil, nil))(t), get(FitRidgeCV(standard, folds, nil, nil))(t)
	nearAll(t, "ridge", ridge.FoldLoss().RawMatrix().Data, scaled.FoldLoss().RawMatrix().Data, 1e-8)
	raw := get(FitLassoCV(d, nil, nil, &CVSettings{Standardize: &StandardizeSettings{CenterOnly: true}}))(t)
	nearAll(t, "not scaled", raw.FoldLoss().RawMatrix().Data, get(FitLassoCV(d, folds, nil, nil))(t).FoldLoss().RawMatrix().Data, 1e-10)

	for i := range d.NObs() {
		d.Clusters = append(d.Clusters, string(rune('a'+i%17)))
	}
	clustered, of := get(DefaultFolds(d))(t), map[string]int{}
	if clustered.Len() != 10 {
		t.Fatalf("%d folds of 17 clusters", clustered.Len())
	}
	for i, fold := range clustered.Assignment() {
		if was, ok := of[d.Clusters[i]]; ok && was != fold {
			t.Fatalf("cluster %s is in folds %d and %d", d.Clusters[i], was, fold)
		}
		of[d.Clusters[i]] = fold
	}
	b := births(t)
	share := get(FitLogisticCV(b, 1, nil, nil, nil))(t)
	f := get(StratifiedKFold(b.Y, 10, rand.NewPCG(1, 1)))(t)
	nearAll(t, "classes", share.Mean(), get(FitLogisticCV(get(b.Standardize(nil))(t), 1, f, nil, nil))(t).Mean(), 1e-10)
	if small := get(DefaultFolds(d.Rows(0, 1, 2)))(t); small.Len() != 3 {
		t.Errorf("%d folds of three rows", small.Len())
	}
	if _, err := DefaultFolds(nil); !errors.Is(err, ErrNoData) {
		t.Errorf("a nil design: %v", err)
	}
}
