package mlreg

import (
	"math"
	"strconv"
	"testing"
)

// glmnet and scikit-learn, given converted penalties, have our coefficients: to
// the tolerance that the programs were run at. Files are made by
// testdata/conventions.R and conventions.py.
func TestConventionsAgainstGlmnet(t *testing.T) {
	var ref struct {
		Fits []struct {
			Lambda, Alpha                       float64
			Standardize, Intercept, NonNegative bool
			Weights, Factor, Coef               []float64
		}
	}
	readJSON(t, "conventions_glmnet.json", &ref)
	if len(ref.Fits) < 20 {
		t.Fatalf("%d fits", len(ref.Fits))
	}
	train, _ := prostate(t)
	for _, r := range ref.Fits {
		d := *train
		d.NoIntercept = !r.Intercept
		if len(r.Weights) > 0 {
			d.Weights = r.Weights
		}
		s := LassoSettings{Gap: 1e-15}
		if len(r.Factor) > 0 {
			var sum float64
			for _, f := range r.Factor {
				sum += f
			}
			for _, f := range r.Factor {
				s.PenaltyFactor = append(s.PenaltyFactor, f*8/sum)
			}
		}
		if r.NonNegative {
			s.NonNegative = d.Names
		}
		data := &d
		if r.Standardize {
			data = get(d.Standardize(nil))(t)
		}
		l1, l2, err := FromGlmnet(data, r.Lambda, r.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		f := get(get(FitElasticNet(data, l1, l2, &s))(t).Raw())(t)
		coef := f.Coef()
		if d.NoIntercept {
			coef = append([]float64{0}, coef...)
		}
		for j, want := range r.Coef {
			if math.Abs(coef[j]-want) > 1e-7*(1+math.Abs(want)) {
				t.Errorf("lambda %g, alpha %g, standardize %v: coefficient %d is %.12g, glmnet has %.12g",
					r.Lambda, r.Alpha, r.Standardize, j, coef[j], want)
			}
		}
		lambda, alpha, err := ToGlmnet(data, l1, l2)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "lambda", lambda, r.Lambda, 1e-14)
		near(t, "alpha", alpha, r.Alpha, 1e-14)
		if r.Alpha == 0 {
			ridge := get(get(FitRidge(data, l2, nil))(t).Raw())(t)
			nearAll(t, "ridge", ridge.Coef(), f.Coef(), 1e-7)
		}
	}
}

func TestConventionsAgainstScikit(t *testing.T) {
	var ref struct {
		Fits []struct {
			Model          string
			Alpha, L1Ratio float64
			Intercept      bool
			Coef           []float64
		}
	}
	readJSON(t, "conventions_sklearn.json", &ref)
	train, _ := prostate(t)
	for _, r := range ref.Fits {
		d := *train
		d.NoIntercept = !r.Intercept
		var f Predictor
		var coef []float64
		if r.Model == "Ridge" {
			ridge := get(FitRidge(&d, r.Alpha, nil))(t)
			f, coef = ridge, ridge.Coef()
		} else {
			l1, l2, err := FromScikit(&d, r.Alpha, r.L1Ratio)
			if err != nil {
				t.Fatal(err)
			}
			net := get(FitElasticNet(&d, l1, l2, &LassoSettings{Gap: 1e-15}))(t)
			f, coef = net, net.Coef()
			alpha, ratio, err := ToScikit(get(d.Moments())(t), l1, l2)
			if err != nil {
				t.Fatal(err)
			}
			near(t, "alpha", alpha, r.Alpha, 1e-14)
			near(t, "l1 ratio", ratio, r.L1Ratio, 1e-14)
		}
		if d.NoIntercept {
			coef = append([]float64{0}, coef...)
		}
		for j, want := range r.Coef {
			if math.Abs(coef[j]-want) > 1e-8*(1+math.Abs(want)) {
				t.Errorf("%s, alpha %g, ratio %g: coefficient %d is %.12g, scikit-learn has %.12g", r.Model, r.Alpha, r.L1Ratio, j, coef[j], want)
			}
		}
		get(f.Predict(train))(t)
	}
}

func TestConventionsBadInput(t *testing.T) {
	train, _ := prostate(t)
	call := func(a, b float64, err error) func(what string, sentinel error, name string) {
		return func(what string, sentinel error, name string) {
			t.Helper()
			if wantError(t, what, err, sentinel, name); a != 0 || b != 0 {
				t.Errorf("%s: %v and %v beside the error", what, a, b)
			}
		}
	}
	call(FromGlmnet(train, 1, 1.1))("alpha", ErrSetting, "alpha = 1.1")
	call(FromGlmnet(train, -1, 1))("lambda", ErrSetting, "-1")
	call(FromGlmnet(nil, 1, 1))("data", ErrNoData, "nil")
	call(ToGlmnet(train, math.NaN(), 1))("l1", ErrSetting, "l1")
	for _, family := range []string{"cox", "mgaussian", ""} {
		_, _, err := FromGlmnetPath(train, family, []float64{1}, 1)
		wantError(t, "family", err, ErrSetting, strconv.Quote(family), "multinomial")
	}
	call(FromScikit(train, 1, -1))("ratio", ErrSetting, "l1Ratio")
	call(FromScikit(nil, 1, 1))("data", ErrNoData, "nil")
	call(ToScikit(train, 1, -1))("l2", ErrSetting, "l2")
	flat := *train
	flat.Y = make([]float64, 67)
	call(FromGlmnet(&flat, 1, 0.5))("constant", ErrConstant, "response")
	if lambda, alpha, err := ToGlmnet(train, 0, 0); lambda != 0 || alpha != 1 || err != nil {
		t.Errorf("no penalty: %v, %v, %v", lambda, alpha, err)
	}
}

// Whole paths of glmnet, and the means and standard errors of cv.glmnet, with and
// without weights, intercept and standardization, for every alpha.
func TestConventionsAgainstCVGlmnet(t *testing.T) {
	var ref struct {
		Weights, Lambda []float64
		Folds           int
		Paths           []struct {
			Alpha                            float64
			Weighted, Intercept, Standardize bool
			Coef                             [][]float64
			CVM, CVSD                        []float64
		}
	}
	readJSON(t, "conventions_cvglmnet.json", &ref)
	if len(ref.Paths) != 32 {
		t.Fatalf("%d paths", len(ref.Paths))
	}
	train, _ := prostate(t)
	var fold []int
	for i := range train.Y {
		fold = append(fold, i%ref.Folds)
	}
	folds := get(NewFolds(fold))(t)
	for _, r := range ref.Paths {
		d := *train
		d.NoIntercept = !r.Intercept
		if r.Weighted {
			d.Weights = ref.Weights
		}
		cv := &CVSettings{ResponseScale: true}
		data := &d
		if r.Standardize {
			cv.Standardize = &StandardizeSettings{Weighted: true, ScaleOnly: !r.Intercept}
			data = get(d.Standardize(cv.Standardize))(t)
		}
		grid, share, err := FromGlmnetPath(data, "gaussian", ref.Lambda, r.Alpha)
		if err != nil {
			t.Fatal(err)
		}
		for k := range grid {
			lambda, alpha, err := ToGlmnet(data, grid[k]*share, grid[k]*(1-share))
			if err != nil {
				t.Fatal(err)
			}
			near(t, "lambda", lambda, ref.Lambda[k], 1e-14)
			near(t, "alpha", alpha, r.Alpha, 1e-14)
		}
		var result *CV
		var coef [][]float64
		if r.Alpha == 0 {
			fit := get(FitRidgeCV(data, folds, &RidgePathSettings{Lambda: grid}, cv))(t)
			result = fit.CV
			for k := range grid {
				coef = append(coef, get(fit.Path.Fit(k).Raw())(t).Coef())
			}
		} else {
			fit := get(FitElasticNetCV(data, share, folds, &PathSettings{Lambda: grid, Gap: 1e-14}, cv))(t)
			result = fit.CV
			for k := range grid {
				coef = append(coef, get(fit.Path.Fit(k).Raw())(t).Coef())
			}
		}
		for k := range grid {
			if !r.Intercept {
				coef[k] = append([]float64{0}, coef[k]...)
			}
			nearAll(t, "coef", coef[k], r.Coef[k], 1e-6)
		}
		nearAll(t, "cvm", result.Mean(), r.CVM, 1e-7)
		nearAll(t, "cvsd", result.StdErr(), r.CVSD, 1e-7)
		if t.Failed() {
			t.Fatalf("alpha %v, weighted %v, intercept %v, standardize %v", r.Alpha, r.Weighted, r.Intercept, r.Standardize)
		}
	}
}
