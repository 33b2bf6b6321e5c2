package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// cvCases are designs and settings of all kinds.
func cvCases(t testing.TB) map[string]struct {
	d *Design
	s CVSettings
} {
	type c = struct {
		d *Design
		s CVSettings
	}
	tall, wide := correlatedDesign(t, 1, 60, 8, 0.5, 1), correlatedDesign(t, 2, 30, 50, 0.5, 1)
	weigh := func(d *Design) *Design {
		w := *d
		w.Weights = make([]float64, d.NObs())
		for i := range w.Weights {
			w.Weights[i] = float64(i%4) / 2
		}
		return &w
	}
	without := func(d *Design) *Design {
		w := *d
		w.NoIntercept = true
		return &w
	}
	std := CVSettings{Standardize: &StandardizeSettings{DDoF: 1}}
	return map[string]c{
		"tall": {tall, CVSettings{}}, "wide": {wide, CVSettings{}},
		"tall standardized": {tall, std}, "wide standardized": {wide, std},
		"tall weighted": {weigh(tall), CVSettings{SameLambda: true}}, "wide weighted": {weigh(wide), CVSettings{}},
		"tall weighted standardized": {weigh(tall), std}, "wide weighted standardized": {weigh(wide), std},
		"tall through the origin": {without(tall), CVSettings{SameLambda: true}}, "wide through the origin": {without(wide), CVSettings{}},
		"tall scaled": {get(tall.Standardize(nil))(t), CVSettings{}}, "wide scaled": {get(wide.Standardize(nil))(t), CVSettings{}},
	}
}

// The fast cross-validations are what fitting the rows of every fold gives.
func TestFitCVIsCrossValidate(t *testing.T) {
	for name, c := range cvCases(t) {
		folds := get(KFold(c.d.NObs(), 5, rand.NewPCG(3, 4)))(t)
		of := folds.Assignment()
		of[0], of[7] = -1, -1
		folds = get(NewFolds(of))(t)
		part := func(train *Design) float64 {
			if c.s.SameLambda {
				return 1
			}
			var w, total float64
			for i := range c.d.NObs() {
				total += c.d.Weight(i)
			}
			for i := range train.NObs() {
				w += train.Weight(i)
			}
			return w / total
		}
		settings := &PathSettings{Count: 15, Gap: 1e-12, AlwaysIn: []string{"x2"}, PenaltyFactor: make([]float64, c.d.NTerms())}
		for j := range settings.PenaltyFactor {
			settings.PenaltyFactor[j] = 1 + float64(j%3)
		}
		fast := get(FitElasticNetCV(c.d, 0.8, folds, settings, &c.s))(t)
		slow := get(CrossValidate(c.d, folds, func(train *Design) ([]*ElasticNet, error) {
			s := *settings
			s.Lambda = scaledGrid(fast.Path.Lambda(), part(train))
			path, err := FitElasticNetPath(train, 0.8, &s)
			if err != nil {
				return nil, err
			}
			var fits []*ElasticNet
			for k := range path.Len() {
				fits = append(fits, path.Fit(k))
			}
			return fits, nil
		}, &c.s))(t)
		nearAll(t, name+": elastic net", fast.FoldLoss().RawMatrix().Data, slow.FoldLoss().RawMatrix().Data, 1e-7)

		ridge := get(FitRidgeCV(c.d, folds, &RidgePathSettings{Count: 12}, &c.s))(t)
		slow = get(CrossValidate(c.d, folds, func(train *Design) ([]*Ridge, error) {
			var fits []*Ridge
			for _, l := range ridge.Path.Lambda() {
				f, err := FitRidge(train, l*part(train), nil)
				if err != nil {
					return nil, err
				}
				fits = append(fits, f)
			}
			return fits, nil
		}, &c.s))(t)
		nearAll(t, name+": ridge", ridge.FoldLoss().RawMatrix().Data, slow.FoldLoss().RawMatrix().Data, 1e-8)
		if k := ridge.OneSE(); ridge.LambdaOneSE() != ridge.Path.Lambda()[k] || ridge.LambdaMin() != ridge.FitMin().Lambda() || ridge.FitOneSE().Lambda() < ridge.LambdaMin() {
			t.Errorf("%s: lambdas of the rules", name)
		}
	}
}

// Leaving out one is the closed form.
func TestCrossValidateLeaveOneOut(t *testing.T) {
	d := correlatedDesign(t, 3, 25, 4, 0.5, 1)
	folds := get(LeaveOneOut(25))(t)
	lambdas := []float64{30, 2, 0.1}
	cv := get(FitRidgeCV(d, folds, &RidgePathSettings{Lambda: lambdas}, &CVSettings{SameLambda: true}))(t)
	nearAll(t, "leave-one-out", cv.Mean(), get(cv.Path.LOO(d))(t), 1e-9)
	ols := get(CrossValidate(d, folds, func(train *Design) ([]*OLS, error) {
		f, err := FitOLS(train, nil)
		return []*OLS{f}, err
	}, nil))(t)
	near(t, "leave-one-out of least squares", ols.Mean()[0], get(LOOMSE(get(FitOLS(d, nil))(t), d))(t), 1e-11)
}

// The mean is over rows, the standard error is glmnet's over folds and that of a
// mean over the rows of a validation set.
func TestCVSums(t *testing.T) {
	d := get(NewDesign(mat.NewDense(6, 1, []float64{1, 2, 3, 4, 5, 6}), []float64{1, 0, 2, 5, 3, 3}))(t)
	zero := func(*Design) ([]constant, error) { return []constant{0, 3}, nil }
	cv := get(CrossValidate(d, get(NewFolds([]int{0, 0, 1, 1, 1, -1}))(t), zero, nil))(t)
	nearAll(t, "fold losses", cv.FoldLoss().RawMatrix().Data, []float64{0.5, 6.5, 38. / 3, 5. / 3}, 1e-15)
	nearAll(t, "mean", cv.Mean(), []float64{39. / 5, 18. / 5}, 1e-15)
	a, b := 0.5-39./5, 38./3-39./5
	near(t, "standard error", cv.StdErr()[0], math.Sqrt(0.4*a*a+0.6*b*b), 1e-14)
	cv = get(CrossValidate(d, get(ValidationSet([]bool{true, true, true, false, false, false}))(t), zero, &CVSettings{
		Loss: func(y, yhat float64) float64 { return math.Abs(y - yhat) },
	}))(t)
	near(t, "mean of a validation set", cv.Mean()[0], 1, 1e-15)
	near(t, "standard error of a validation set", cv.StdErr()[0], 1/math.Sqrt(3), 1e-14)
	var back CV
	throughGob(t, cv, &back)
	nearAll(t, "mean", back.Mean(), cv.Mean(), 0)
	if back.Len() != 2 || back.Folds() != 1 {
		t.Error("sizes are lost")
	}
}

// constant predicts itself.
type constant float64

func (c constant) Predict(d *Design) ([]float64, error) {
	y := make([]float64, d.NObs())
	for i := range y {
		y[i] = float64(c)
	}
	return y, nil
}

// The rule of one standard error picks the simpler side, always: no candidate
// before it qualifies, it does itself, and the minimum is never before it.
func TestOneStandardErrorRule(t *testing.T) {
	rnd := rand.New(rand.NewPCG(4, 5))
	strict := 0
	for range 500 {
		folds, candidates := 2+rnd.IntN(8), 1+rnd.IntN(30)
		c := &CV{store[CV](cvState{Folds: folds, Candidates: candidates})}
		for range folds {
			c.s.Weight = append(c.s.Weight, 1+rnd.Float64())
			for j := range candidates {
				x := float64(j)/float64(candidates) - 0.7
				c.s.Loss = append(c.s.Loss, 1+x*x+0.3*rnd.Float64())
			}
		}
		best, one := c.Min(), c.OneSE()
		mean, se := c.Mean(), c.StdErr()
		for j, m := range mean {
			if m < mean[best] || m == mean[best] && j < best {
				t.Fatalf("candidate %d is better than %d", j, best)
			}
			if within := m <= mean[best]+se[best]; within && j < one || !within && j == one {
				t.Fatalf("candidate %d of %v: limit %g, rule picked %d", j, mean, mean[best]+se[best], one)
			}
		}
		if one > best {
			t.Fatalf("the rule picked %d after the minimum %d", one, best)
		}
		if one < best {
			strict++
		}
	}
	if strict < 100 {
		t.Errorf("the rule differed from the minimum %d times only", strict)
	}
	d := correlatedDesign(t, 3, 80, 20, 0.5, 2)
	cv := get(FitLassoCV(d, get(KFold(80, 10, rand.NewPCG(1, 1)))(t), nil, nil))(t)
	if cv.LambdaOneSE() <= cv.LambdaMin() || len(cv.FitOneSE().Active()) > len(cv.FitMin().Active()) {
		t.Errorf("lambda %g with %d terms, and %g with %d", cv.LambdaOneSE(), len(cv.FitOneSE().Active()), cv.LambdaMin(), len(cv.FitMin().Active()))
	}
}

// What is learned from held-out rows shows: a fit that sees only noise must not
// predict better than the mean, and folds are scaled by their own rows.
func TestCrossValidateScalesByTrainingRows(t *testing.T) {
	d := correlatedDesign(t, 3, 30, 4, 0.5, 2)
	folds := get(KFold(30, 3, rand.NewPCG(1, 1)))(t)
	for _, data := range []*Design{d, get(d.Standardize(nil))(t)} {
		get(CrossValidate(data, folds, func(train *Design) ([]*OLS, error) {
			for j := range 4 {
				mean, sd, _ := meanDeviation(mat.Col(nil, j, train.X), train.NObs())
				if math.Abs(mean) > 1e-14 || math.Abs(sd-1) > 1e-14 {
					return nil, fmt.Errorf("column %d has mean %g and deviation %g", j, mean, sd)
				}
			}
			f, err := FitOLS(train, nil)
			return []*OLS{f}, err
		}, &CVSettings{Standardize: &StandardizeSettings{}}))(t)
	}
}

// A column that varies in one fold only, and a fold whose response does not vary,
// do no harm.
func TestCrossValidateWithoutVariation(t *testing.T) {
	for _, p := range []int{5, 60} {
		d := correlatedDesign(t, 3, 30, p, 0.5, 2)
		of := make([]int, 30)
		for i := range of {
			of[i] = i % 3
			d.X.Set(i, 1, 7.1)
			if of[i] == 0 {
				d.X.Set(i, 1, 1000*math.Sin(float64(i)))
			} else {
				d.Y[i] = 3.3
			}
		}
		folds := get(NewFolds(of))(t)
		for _, s := range []*CVSettings{nil, {Standardize: &StandardizeSettings{}}} {
			settings := &PathSettings{Count: 10, Gap: 1e-12}
			fast := get(FitLassoCV(d, folds, settings, s))(t)
			if got := fast.FoldLoss().At(0, 9); !(got > 0 && got < 1e3) {
				t.Errorf("p = %d: loss %g", p, got)
			}
			nearAll(t, "fold trained on a constant response", mat.Row(nil, 0, fast.FoldLoss()),
				repeated(mean2(d, folds.Test(0), 3.3), 10), 1e-9)
			get(FitRidgeCV(d, folds, nil, s))(t)
		}
	}
}

// What subtraction leaves of a column that is constant in the training rows is
// zero, not rounding.
func TestTrainMomentsOfConstantColumn(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 3))
	for seed := range uint64(20) {
		d := correlatedDesign(t, seed, 30, 4, 0.5, 1)
		constant := 10 * rnd.NormFloat64()
		for i := range 30 {
			d.X.Set(i, 2, constant)
			if i < 7 {
				d.X.Set(i, 2, 100*rnd.NormFloat64())
			}
		}
		of := make([]int, 30)
		for i := range of {
			of[i] = min(1, i/7)
		}
		m := get(get(newFoldSums(d, get(NewFolds(of))(t)))(t).train(0))(t)
		for j := range 4 {
			if v := m.SXX().At(2, j); v != 0 || m.SXY()[2] != 0 {
				t.Errorf("seed %d: cross-product %d is %g", seed, j, v)
			}
		}
	}
}

func mean2(d *Design, rows []int, c float64) float64 {
	var sum float64
	for _, i := range rows {
		sum += (d.Y[i] - c) * (d.Y[i] - c) / float64(len(rows))
	}
	return sum
}

func repeated(v float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func TestCrossValidateBadInput(t *testing.T) {
	d := correlatedDesign(t, 3, 30, 4, 0.5, 2)
	folds := get(KFold(30, 3, rand.NewPCG(1, 1)))(t)
	fit := func(train *Design) ([]*OLS, error) {
		f, err := FitOLS(train, nil)
		return []*OLS{f}, err
	}
	wantError(t, "rows", errorOf(CrossValidate(d.Rows(0, 1, 2), folds, fit, nil)), ErrShape, "30 rows")
	wantError(t, "folds", errorOf(CrossValidate(d, nil, fit, nil)), ErrNoData, "folds are nil")
	wantError(t, "design", errorOf(FitLassoCV(nil, folds, nil, nil)), ErrNoData, "nil")
	wantError(t, "share", errorOf(FitElasticNetCV(d, 0, folds, nil, nil)), ErrSetting, "share")
	wantError(t, "none", errorOf(CrossValidate(d, folds, func(*Design) ([]*OLS, error) { return nil, nil }, nil)), ErrNoData, "fold 0")
	wantError(t, "DDoF", errorOf(CrossValidate(d, folds, fit, &CVSettings{Standardize: &StandardizeSettings{DDoF: 20}})), ErrSetting, "DDoF")
	bad := errors.New("bad")
	wantError(t, "fit", errorOf(CrossValidate(d, folds, func(train *Design) ([]*OLS, error) { return nil, bad }, nil)), bad, "fold ")
	done := 0.0
	wantError(t, "progress", errorOf(FitLassoCV(d, folds, nil, &CVSettings{Progress: func(d, total float64) error {
		done = d
		if d == 2 || total != 3 {
			return bad
		}
		return nil
	}})), bad)
	if done != 2 {
		t.Errorf("stopped after %g folds", done)
	}
}

// A path with its cross-validation survives encoding.
func TestPathCVGob(t *testing.T) {
	d := correlatedDesign(t, 3, 40, 5, 0.5, 2)
	folds := get(KFold(40, 5, rand.NewPCG(1, 1)))(t)
	lasso, ridge := get(FitLassoCV(d, folds, nil, nil))(t), get(FitRidgeCV(d, folds, nil, nil))(t)
	var buf bytes.Buffer
	enc, dec := gob.NewEncoder(&buf), gob.NewDecoder(&buf)
	must(t, enc, enc.Encode(lasso))
	must(t, enc, enc.Encode(ridge))
	l, r := new(LassoCV), new(RidgeCV)
	must(t, l, dec.Decode(l))
	must(t, r, dec.Decode(r))
	nearAll(t, "lasso", l.FitMin().Coef(), lasso.FitMin().Coef(), 0)
	nearAll(t, "lasso", l.StdErr(), lasso.StdErr(), 0)
	nearAll(t, "ridge", r.FitOneSE().Coef(), ridge.FitOneSE().Coef(), 0)
	nearAll(t, "shrinkage", r.Path.Shrinkage(3), ridge.Path.Shrinkage(3), 0)
}

func TestNewCV(t *testing.T) {
	loss := mat.NewDense(2, 2, []float64{1, 3, 2, 8})
	cv := get(NewCV("mean squared error", 3, loss, []float64{1, 3}))(t)
	nearAll(t, "mean", cv.Mean(), []float64{1.75, 6.75}, 1e-15)
	nearAll(t, "standard error", cv.StdErr(), []float64{math.Sqrt(3.0 / 16), 5 * math.Sqrt(3.0/16)}, 1e-15)
	if cv.Folds() != 2 || cv.Planned() != 3 || cv.Len() != 2 || cv.Measure() != "mean squared error" {
		t.Errorf("%v", cv)
	}
	alone := get(NewCV("", 1, mat.NewDense(1, 2, []float64{2, 1}), []float64{1}))(t)
	if se := alone.StdErr(); !math.IsNaN(se[0]) || !math.IsNaN(se[1]) || alone.OneSE() != 1 {
		t.Errorf("one fold: standard errors %v, candidate %d", se, alone.OneSE())
	}
	wantError(t, "nil", errorOf(NewCV("", 1, nil, nil)), ErrNoData, "nil")
	wantError(t, "empty", errorOf(NewCV("", 1, &mat.Dense{}, nil)), ErrNoData, "0 x 0")
	wantError(t, "weights", errorOf(NewCV("", 2, loss, []float64{1})), ErrShape, "1 weights of 2 folds")
	wantError(t, "planned", errorOf(NewCV("", 1, loss, []float64{1, 1})), ErrSetting, "2 folds are done")
	wantError(t, "weight", errorOf(NewCV("", 2, loss, []float64{1, 0})), ErrSetting, "fold 1 weighs 0")
	wantError(t, "loss", errorOf(NewCV("", 2, mat.NewDense(2, 1, []float64{1, math.NaN()}), []float64{1, 1})), ErrNotFinite, "candidate 0 in fold 1")
}
