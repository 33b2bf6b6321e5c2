package mlreg

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
)

// standardDiabetes has the diabetes data in columns of mean 0 and variance 1 that know of
// no scaling.
func standardDiabetes(t *testing.T) *Design {
	t.Helper()
	d := csvDesign(t, "diabetes.csv", "progression", "age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")
	d = get(d.Standardize(nil))(t)
	d.Scaling = nil
	return d
}

// R's glmnet and lm, see testdata/relaxed.R: rows and sums, weighted or not, paths and
// single fits, and their cross-validation.
func TestRelaxedLassoAgainstR(t *testing.T) {
	var ref struct {
		Lambda []float64
		Folds  int
		Fits   []struct {
			Weighted bool
			Gamma    float64
			Coef     [][]float64
			RSS      []float64
		}
		CV []struct {
			Gamma    float64
			Mean, SE []float64
		}
	}
	const tol = 1e-7 // glmnet's lasso at thresh = 1e-20 keeps that
	readJSON(t, "relaxed.json", &ref)
	if len(ref.Fits) != 8 || len(ref.CV) != 4 {
		t.Fatalf("%d fits, %d cross-validations", len(ref.Fits), len(ref.CV))
	}
	d := standardDiabetes(t)
	weighted := d.Rows(seq(d.NObs())...)
	for i := range d.NObs() {
		weighted.Weights = append(weighted.Weights, []float64{1, 2, 0.5}[i%3])
	}
	grid, _, err := FromGlmnetPath(d, "gaussian", ref.Lambda, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range ref.Fits {
		own, unit := d, 1.0
		if r.Weighted {
			own = weighted
			unit = 0
			for _, w := range own.Weights {
				unit += w / float64(d.NObs())
			}
		}
		for _, data := range []Data{own, get(own.Moments())(t)} {
			name := fmt.Sprintf("gamma %v, weighted %v, %T", r.Gamma, r.Weighted, data)
			path := get(FitRelaxedLassoPath(data, r.Gamma, &PathSettings{Lambda: scaledGrid(grid, unit), Gap: 1e-15}))(t)
			for k := range grid {
				nearAll(t, name, path.Fit(k).Coef(), r.Coef[k], tol)
				near(t, name+", RSS", path.Fit(k).RSS(), unit*r.RSS[k], tol)
				one := get(FitRelaxedLasso(data, grid[k]*unit, r.Gamma, &LassoSettings{Gap: 1e-15}))(t)
				nearAll(t, name+", alone", one.Coef(), r.Coef[k], tol)
			}
		}
	}
	var fold []int
	for i := range d.NObs() {
		fold = append(fold, i%ref.Folds)
	}
	folds := get(NewFolds(fold))(t)
	for _, r := range ref.CV {
		cv := get(FitRelaxedLassoCV(d, folds, r.Gamma, &PathSettings{Lambda: grid, Gap: 1e-15}, nil))(t)
		nearAll(t, fmt.Sprintf("cvm at gamma %v", r.Gamma), cv.Mean(), r.Mean, tol)
		nearAll(t, fmt.Sprintf("cvsd at gamma %v", r.Gamma), cv.StdErr(), r.SE, tol)
	}
}

// Its ends are the lasso and least squares on its terms; between them, residuals,
// certificates and slopes are what they claim to be. With more terms than rows too.
func TestRelaxedLassoIsWhatItClaims(t *testing.T) {
	for seed := range uint64(6) {
		d := correlatedDesign(t, seed, 40, []int{8, 60}[seed%2], 0.6, 1)
		settings := &PathSettings{Count: 12, Ratio: 0.05}
		lasso := get(FitLassoPath(d, settings))(t)
		for _, gamma := range []float64{0, 0.3, 1} {
			path := get(FitRelaxedLassoPath(d, gamma, settings))(t)
			for k := range path.Len() {
				f, from := path.Fit(k), lasso.Fit(k)
				want := from.Coef()
				if terms := from.Active(); len(terms) > 0 {
					least := get(FitOLS(get(d.Select(terms...))(t), nil))(t)
					at := map[string]float64{InterceptName: least.Intercept()}
					for j, name := range terms {
						at[name] = least.Slopes()[j]
					}
					for j, name := range from.Names() {
						want[j] = gamma*want[j] + (1-gamma)*at[name]
					}
				}
				nearAll(t, "coefficients", f.Coef(), want, 1e-9)
				var rss float64
				for _, r := range get(f.Residuals(d))(t) {
					rss += r * r
				}
				near(t, "RSS", f.RSS(), rss, 1e-9)
				if f.Gap() != from.Gap() || f.KKT() < from.KKT() || f.DoF() != float64(len(f.Active())+1) || f.Gamma() != gamma || f.NObs() != 40 {
					t.Errorf("gap %v of %v, KKT %v of %v, dof %v, gamma %v", f.Gap(), from.Gap(), f.KKT(), from.KKT(), f.DoF(), f.Gamma())
				}
			}
		}
	}
}

func TestRelaxedLassoInRawUnits(t *testing.T) {
	raw := csvDesign(t, "diabetes.csv", "progression", "age", "bmi", "bp", "s5")
	d := get(raw.Standardize(nil))(t)
	f := get(FitRelaxedLasso(d, 2000, 0.5, nil))(t)
	nearAll(t, "predictions", get(get(f.Raw())(t).Predict(raw))(t), get(f.Predict(raw))(t), 1e-12)
	if title := f.Describe().Title; title != "Relaxed lasso fit of progression at λ = 2000, γ = 0.5" {
		t.Error(title)
	}
	path := get(FitRelaxedLassoPath(d, 0.5, nil))(t)
	if !strings.HasPrefix(path.String(), "Relaxed lasso path (γ = 0.5) of progression") {
		t.Error(path)
	}
}

// What a relaxed lasso has not, it refuses.
func TestRelaxedLassoRefusals(t *testing.T) {
	d := standardDiabetes(t)
	for _, gamma := range []float64{-0.1, 1.1, math.NaN(), math.Inf(1)} {
		_, err := FitRelaxedLassoPath(d, gamma, nil)
		_, one := FitRelaxedLasso(d, 1, gamma, nil)
		if !errors.Is(err, ErrSetting) || !errors.Is(one, ErrSetting) {
			t.Errorf("gamma %v: %v, %v", gamma, err, one)
		}
	}
	_, err := FitRelaxedLasso(d, 1, 0.5, &LassoSettings{NonNegative: []string{"bmi"}})
	if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "NonNegative") {
		t.Error(err)
	}
	path := get(FitRelaxedLassoPath(d, 0, nil))(t)
	lambda := path.Lambda()
	if _, err := path.At((lambda[3] + lambda[4]) / 2); !errors.Is(err, ErrSetting) {
		t.Errorf("between two lambdas: %v", err)
	}
	if f := get(path.At(lambda[3]))(t); f.Lambda() != lambda[3] {
		t.Error(f.Lambda())
	}
	if _, err := path.Constraint(lambda[3]); !errors.Is(err, ErrSetting) {
		t.Errorf("a constraint: %v", err)
	}
	wantError(t, "a penalty", errorOf(path.Penalty(10)), ErrSetting, "a relaxed lasso is not")
	if !math.IsNaN(path.Objective()[3]) {
		t.Error("a relaxed lasso has an objective")
	}
}
