package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

func chooseLasso(train *Design, inner *Folds) (Chosen, error) {
	return FitLassoCV(train, inner, nil, nil)
}

// The outer error is that of fits chosen by hand without the fold.
func TestCrossValidateNested(t *testing.T) {
	train, _ := prostate(t)
	outer := get(KFold(67, 4, rand.NewPCG(1, 2)))(t)
	for _, oneSE := range []bool{false, true} {
		got := get(CrossValidateNested(train, outer, rand.NewPCG(3, 4), chooseLasso, SquaredLoss, &NestedSettings{InnerFolds: 5, OneSE: oneSE}))(t)
		src := rand.NewPCG(3, 4)
		var sum float64
		for k := range 4 {
			rest := train.Rows(outer.Train(k)...)
			cv := get(FitLassoCV(rest, get(KFold(rest.NObs(), 5, src))(t), nil, nil))(t)
			fit, at := cv.FitMin(), cv.Min()
			if oneSE {
				fit, at = cv.FitOneSE(), cv.OneSE()
			}
			a := get(TestError(fit, train.Rows(outer.Test(k)...), SquaredLoss))(t)
			near(t, "fold", got.Mean[k], a.Mean, 1e-12)
			near(t, "inner", got.Inner[k], cv.Mean()[at], 1e-12)
			sum += a.Mean * float64(a.N)
		}
		near(t, "outer", got.Outer.Mean, sum/67, 1e-12)
		if got.Outer.N != 67 || !strings.HasPrefix(got.Chosen[0], "λ = ") {
			t.Errorf("%v", got)
		}
	}
}

func bestOfEverySize(data Data) ([]SubsetModel, error) {
	f, err := FitBestSubsets(data, nil)
	if err != nil {
		return nil, err
	}
	return f.Models(), nil
}

// The number of terms is chosen in the folds, the terms from all rows that are not held
// out, and least squares fits them.
func TestCrossValidateNestedSizes(t *testing.T) {
	train, _ := prostate(t)
	outer := get(KFold(67, 4, rand.NewPCG(1, 2)))(t)
	for _, oneSE := range []bool{false, true} {
		src := rand.NewPCG(3, 4)
		got := get(CrossValidateNested(train, outer, rand.NewPCG(3, 4), func(d *Design, inner *Folds) (Chosen, error) {
			return CrossValidateSizes(d, inner, bestOfEverySize)
		}, SquaredLoss, &NestedSettings{InnerFolds: 5, OneSE: oneSE}))(t)
		for k := range 4 {
			rest := train.Rows(outer.Train(k)...)
			cv := get(CrossValidateSizes(rest, get(KFold(rest.NObs(), 5, src))(t), bestOfEverySize))(t)
			at := cv.Min()
			if oneSE {
				at = cv.OneSE()
			}
			model := get(bestOfEverySize(rest))(t)[cv.Sizes()[at]]
			fit := get(FitOLS(get(rest.Select(model.Terms...))(t), nil))(t)
			a := get(TestError(fit, train.Rows(outer.Test(k)...), SquaredLoss))(t)
			near(t, "fold", got.Mean[k], a.Mean, 1e-10)
			near(t, "inner", got.Inner[k], cv.Mean()[at], 1e-12)
		}
	}
	// A search that finds another size in all rows than in the folds.
	odd := func(data Data) ([]SubsetModel, error) {
		models, err := bestOfEverySize(data)
		if data.(*Moments).NObs() == 67 {
			return models[:2], err
		}
		return models[2:3], err
	}
	cv := get(CrossValidateSizes(train, get(KFold(67, 5, rand.NewPCG(1, 2)))(t), odd))(t)
	if _, _, _, err := cv.Chosen(false); !errors.Is(err, ErrNoData) || !strings.Contains(err.Error(), "2 terms") {
		t.Errorf("no model of the size: %v", err)
	}
	// Only the mean, of rows and of sums.
	none := func(Data) ([]SubsetModel, error) { return []SubsetModel{{}}, nil }
	folds := get(KFold(67, 5, rand.NewPCG(1, 2)))(t)
	for _, data := range []Data{train, nil} {
		if data == nil {
			var sums []*Moments
			for k := range 5 {
				sums = append(sums, get(train.Rows(folds.Test(k)...).Moments())(t))
			}
			folds = get(MomentFolds(sums...))(t)
		}
		cv := get(CrossValidateSizes(data, folds, none))(t)
		fit, name, _, err := cv.Chosen(true)
		if err != nil || name != "0 terms" {
			t.Fatalf("%v %v", name, err)
		}
		near(t, "mean", fit.(*OLS).Intercept(), stat.Mean(train.Y, nil), 1e-12)
	}
}

// Every estimator that is cross-validated can be chosen by it; classes stay in all inner
// folds.
func TestCrossValidateNestedTakesEveryCV(t *testing.T) {
	d, classes := randomDesign(t, 1, 40, 3), classDesign(t, 2, 60)
	for name, choose := range map[string]func(*Design, *Folds) (Chosen, error){
		"lasso":       chooseLasso,
		"elastic net": func(d *Design, f *Folds) (Chosen, error) { return FitElasticNetCV(d, 0.5, f, nil, nil) },
		"ridge":       func(d *Design, f *Folds) (Chosen, error) { return FitRidgeCV(d, f, nil, nil) },
		"greedy":      func(d *Design, f *Folds) (Chosen, error) { return FitGreedyCV(d, f, nil, nil) },
		"sizes":       func(d *Design, f *Folds) (Chosen, error) { return CrossValidateSizes(d, f, bestOfEverySize) },
	} {
		got, err := CrossValidateNested(d, get(KFold(40, 3, rand.NewPCG(1, 2)))(t), rand.NewPCG(1, 2), choose, AbsoluteLoss, nil)
		if err != nil || len(got.Mean) != 3 || got.Outer.N != 40 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for name, choose := range map[string]func(*Design, *Folds) (Chosen, error){
		"logistic":    func(d *Design, f *Folds) (Chosen, error) { return FitLogisticCV(d, 1, f, nil, nil) },
		"multinomial": func(d *Design, f *Folds) (Chosen, error) { return FitMultinomialCV(d, 1, f, nil, nil) },
	} {
		folds := get(StratifiedKFold(classes.Y, 3, rand.NewPCG(1, 2)))(t)
		got, err := CrossValidateNested(classes, folds, rand.NewPCG(1, 2), choose, LogLoss, nil)
		if err != nil || len(got.Mean) != 3 || !(got.Outer.Mean < math.Ln2) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// Of a response that nothing explains, the least of many mean losses is too low on
// average, and the error of the outer folds is not below the noise.
func TestNestedOptimism(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	var optimism, outer []float64
	const studies = 60
	for range studies {
		d := randomDesign(t, rnd.Uint64(), 30, 15)
		for i := range d.Y {
			d.Y[i] = rnd.NormFloat64()
		}
		n := get(CrossValidateNested(d, get(KFold(30, 5, rnd))(t), rnd, func(train *Design, inner *Folds) (Chosen, error) {
			return FitGreedyCV(train, inner, &GreedySettings{MaxTerms: 6}, nil)
		}, SquaredLoss, &NestedSettings{InnerFolds: 5}))(t)
		optimism, outer = append(optimism, stat.Mean(n.Mean, nil)-stat.Mean(n.Inner, nil)), append(outer, n.Outer.Mean)
	}
	mean, sd := stat.MeanStdDev(optimism, nil)
	if mean < 3*sd/math.Sqrt(studies) {
		t.Errorf("optimism %v +- %v", mean, sd/math.Sqrt(studies))
	}
	if mean, sd := stat.MeanStdDev(outer, nil); mean < 1-3*sd/math.Sqrt(studies) {
		t.Errorf("outer error %v, and the noise has variance 1", mean)
	}
}

// Repeats average; what the divisions leave uncertain falls with their number.
func TestRepeatCV(t *testing.T) {
	train, _ := prostate(t)
	cv := func(src rand.Source) (*CV, error) {
		c, err := FitRidgeCV(train, get(KFold(67, 10, src))(t), nil, nil)
		if err != nil {
			return nil, err
		}
		return c.CV, nil
	}
	r := get(RepeatCV(6, rand.NewPCG(1, 2), cv))(t)
	src := rand.NewPCG(1, 2)
	var at []float64
	j := r.Min()
	for range 6 {
		at = append(at, get(cv(src))(t).Mean()[j])
	}
	mean, sd := stat.MeanStdDev(at, nil)
	near(t, "mean", r.Mean()[j], mean, 1e-12)
	near(t, "of the divisions", r.SplitErr()[j], sd/math.Sqrt(6), 1e-9)
	if r.OneSE() > j || !(r.StdErr()[j] > r.SplitErr()[j]) {
		t.Errorf("%v", r)
	}
	wantError(t, "once", errorOf(RepeatCV(1, src, cv)), ErrSetting, "1 repeats")
	wantError(t, "no source", errorOf(RepeatCV(3, nil, cv)), ErrSetting, "rand.NewPCG")
	wantError(t, "nothing", errorOf(RepeatCV(3, src, nil)), ErrNoData, "function")
	wantError(t, "nil", errorOf(RepeatCV(3, src, func(rand.Source) (*CV, error) { return nil, nil })), ErrNoData, "repeat 0")
}

// The candidates are the models by the number of terms, chosen anew in every fold.
func TestFitGreedyCV(t *testing.T) {
	d := randomDesign(t, 3, 40, 6)
	folds := get(KFold(40, 5, rand.NewPCG(1, 2)))(t)
	cv := get(FitGreedyCV(d, folds, &GreedySettings{MaxTerms: 4}, nil))(t)
	if cv.Len() != 5 || cv.Greedy.Size() != 4 {
		t.Fatalf("%d candidates, %d terms", cv.Len(), cv.Greedy.Size())
	}
	sums := make([]float64, 5)
	for k := range 5 {
		test := d.Rows(folds.Test(k)...)
		g := get(FitGreedy(d.Rows(folds.Train(k)...), &GreedySettings{MaxTerms: 4}))(t)
		for j := range sums {
			for i, v := range get(g.Predict(test, j))(t) {
				sums[j] += gram.Square(test.Y[i]-v) / 40
			}
		}
	}
	nearAll(t, "mean", cv.Mean(), sums, 1e-12)
	fit, name, mean, err := cv.Chosen(false)
	if err != nil || mean != cv.Mean()[cv.Min()] || !strings.HasSuffix(name, "terms") && name != "1 term" {
		t.Errorf("%s, %v, %v", name, mean, err)
	}
	nearAll(t, "fit", get(fit.(Predictor).Predict(d))(t), get(cv.Greedy.Predict(d, cv.SizeMin()))(t), 1e-14)
	wantError(t, "test rows", errorOf(FitGreedyCV(d, folds, &GreedySettings{Test: d}, nil)), ErrSetting, "Test")
}

func TestCrossValidateNestedBadInput(t *testing.T) {
	d := randomDesign(t, 1, 20, 2)
	folds, src := get(KFold(20, 4, rand.NewPCG(1, 2)))(t), rand.NewPCG(1, 2)
	wantError(t, "nothing chooses", errorOf(CrossValidateNested(d, folds, src, nil, SquaredLoss, nil)), ErrNoData, "chooses")
	wantError(t, "no loss", errorOf(CrossValidateNested(d, folds, src, chooseLasso, nil, nil)), ErrNoData, "loss")
	wantError(t, "no folds", errorOf(CrossValidateNested(d, nil, src, chooseLasso, SquaredLoss, nil)), ErrNoData, "folds")
	wantError(t, "no source", errorOf(CrossValidateNested(d, folds, nil, chooseLasso, SquaredLoss, nil)), ErrSetting, "outer fold 0")
	wantError(t, "inner folds", errorOf(CrossValidateNested(d, folds, src, chooseLasso, SquaredLoss, &NestedSettings{InnerFolds: 16})), ErrSetting, "16 folds of 15 rows")
	wantError(t, "nothing chosen", errorOf(CrossValidateNested(d, folds, src, func(*Design, *Folds) (Chosen, error) { return nil, nil }, SquaredLoss, nil)), ErrNoData, "fold 0")
	wantError(t, "wrong loss", errorOf(CrossValidateNested(d, folds, src, chooseLasso, LogLoss, nil)), ErrLabels, "fold")
	stop := errors.New("enough")
	got, err := CrossValidateNested(d, folds, src, chooseLasso, SquaredLoss, &NestedSettings{Progress: func(done, _ float64) error {
		if done >= 2 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || len(got.Fold) != 2 || got.Planned != 4 || got.Outer.N != 10 {
		t.Errorf("%v, %v", got, err)
	}
}

// The rows of an outer fold take no part in the scaling of the others: whatever their
// predictors are, the choice without them is the same.
func TestCrossValidateNestedScalesAnew(t *testing.T) {
	d := randomDesign(t, 1, 40, 3)
	outer := get(KFold(40, 4, rand.NewPCG(1, 2)))(t)
	choices := func() *NestedCV {
		scaled := get(d.Standardize(nil))(t)
		return get(CrossValidateNested(scaled, outer, rand.NewPCG(3, 4), func(train *Design, inner *Folds) (Chosen, error) {
			return FitRidgeCV(train, inner, nil, nil)
		}, SquaredLoss, nil))(t)
	}
	before := choices()
	for _, i := range outer.Test(0) {
		d.X.Set(i, 0, 1000*d.X.At(i, 0)+5)
	}
	after := choices()
	near(t, "inner loss", after.Inner[0], before.Inner[0], 1e-9)
	if after.Chosen[0] != before.Chosen[0] {
		t.Errorf("%q was chosen, and %q with other rows held out", before.Chosen[0], after.Chosen[0])
	}
}
