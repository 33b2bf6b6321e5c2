package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// cv.glmnet, see testdata/logisticcv.R.
func TestLogisticCVAgainstGlmnet(t *testing.T) {
	var want map[string]struct {
		CVM, CVSD []float64
		Min, One  float64
	}
	readJSON(t, "logisticcv.json", &want)
	d := csvDesign(t, "birthwt.csv", "low", "age", "lwt", "smoke", "ptl", "ht", "ui")
	for j, s := range []float64{5, 30, 0.5, 0.5, 0.25, 0.35} {
		for i := range d.NObs() {
			d.X.Set(i, j, d.X.At(i, j)/s)
		}
	}
	of := make([]int, d.NObs())
	for i := range of {
		of[i] = i % 5
	}
	folds := get(NewFolds(of))(t)
	for _, c := range []struct {
		name        string
		share, unit float64 // lambda over glmnet's, times n
		loss        func(y, p float64) float64
		measure     string
	}{
		{"deviance1", 1, 1, nil, "mean deviance"}, {"class1", 1, 1, ClassError, "mean loss"},
		{"deviance0.5", 2. / 3, 0.75, nil, "mean deviance"}, {"class0.5", 2. / 3, 0.75, ClassError, "mean loss"},
	} {
		grid := make([]float64, 10)
		for k := range grid {
			grid[k] = 18 * math.Pow(0.7, float64(k)) * c.unit
		}
		cv := get(FitLogisticCV(d, c.share, folds, &PathSettings{Lambda: grid, Gap: 1e-12}, &CVSettings{Loss: c.loss}))(t)
		nearAll(t, c.name, cv.Mean(), want[c.name].CVM, 1e-6)
		nearAll(t, c.name+", standard error", cv.StdErr(), want[c.name].CVSD, 1e-4)
		near(t, c.name+", least", cv.LambdaMin(), want[c.name].Min*c.unit, 1e-9)
		near(t, c.name+", one standard error", cv.LambdaOneSE(), want[c.name].One*c.unit, 1e-9)
		if cv.Measure() != c.measure {
			t.Errorf("%s: %q", c.name, cv.Measure())
		}
	}
}

// Labels of -1 and 1 and of classes, designs that are standardized and those that
// folds standardize, and other solvers of the same fits agree; a result survives gob.
func TestLogisticCVEquivalences(t *testing.T) {
	d := births(t)
	folds := get(StratifiedKFold(d.Y, 4, rand.NewPCG(1, 2)))(t)
	grid := &PathSettings{Lambda: []float64{8, 4, 2}, Gap: 1e-10}
	cv := get(FitLogisticCV(d, 1, folds, grid, &CVSettings{Standardize: &StandardizeSettings{}}))(t)
	scaled := get(FitLogisticCV(get(d.Standardize(nil))(t), 1, folds, grid, nil))(t)
	nearAll(t, "standardized", scaled.Mean(), cv.Mean(), 1e-12)
	signs := births(t)
	for i, y := range signs.Y {
		signs.Y[i] = 2*y - 1
	}
	nearAll(t, "signs", get(FitLogisticCV(signs, 1, folds, grid, &CVSettings{Standardize: &StandardizeSettings{}}))(t).Mean(), cv.Mean(), 0)
	var sum float64
	for k := range folds.Len() {
		train := get(d.Rows(folds.Train(k)...).Standardize(nil))(t)
		f := get(FitLogisticElasticNet(train, 4*float64(train.NObs())/float64(d.NObs()), 0, &LassoSettings{Gap: 1e-10}))(t)
		rows := get(f.LogLikRows(d.Rows(folds.Test(k)...)))(t)
		for _, l := range rows {
			sum -= 2 * l / float64(d.NObs())
		}
	}
	near(t, "mean deviance", cv.Mean()[1], sum, 1e-8)
	var buf bytes.Buffer
	back := new(LogisticCV)
	must(t, back, gob.NewEncoder(&buf).Encode(cv))
	must(t, back, gob.NewDecoder(&buf).Decode(back))
	nearAll(t, "decoded", back.FitMin().Coef(), cv.FitMin().Coef(), 0)
}

func TestLogisticCVBadInput(t *testing.T) {
	d := births(t)
	folds := get(KFold(d.NObs(), 4, rand.NewPCG(1, 2)))(t)
	wantError(t, "share", errorOf(FitLogisticCV(d, 0, folds, nil, nil)), ErrSetting, "FitLogistic")
	wantError(t, "response scale", errorOf(FitLogisticCV(d, 1, folds, nil, &CVSettings{ResponseScale: true})), ErrSetting, "ResponseScale")
	wantError(t, "nil", errorOf(FitLogisticCV(nil, 1, folds, nil, nil)), ErrNoData, "nil")
	held := make([]bool, d.NObs())
	for i, y := range d.Y {
		held[i] = y == 1
	}
	one := get(ValidationSet(held))(t)
	wantError(t, "one class", errorOf(FitLogisticCV(d, 1, one, nil, nil)), ErrLabels, "fold 0")
	if DevianceLoss(1, 0) > 1400 || ClassError(1, 0.5) != 1 || ClassError(0, 0.5) != 0 {
		t.Error("losses at the ends")
	}
}

// cv.glmnet(type.measure = "auc"), see testdata/logisticcv.R.
func TestLogisticCVAreaAgainstGlmnet(t *testing.T) {
	var want map[string]struct {
		CVM, CVSD []float64
		Min, One  float64
	}
	readJSON(t, "logisticcv.json", &want)
	for _, name := range []string{"auc", "aucweighted"} {
		d := csvDesign(t, "prostate.csv", "svi", "lcavol", "lweight", "age", "lpsa")
		of := make([]int, d.NObs())
		for i := range of {
			of[i] = i % 5
			d.X.Set(i, 1, d.X.At(i, 1)/0.5)
			d.X.Set(i, 2, d.X.At(i, 2)/7)
			if name == "aucweighted" {
				d.Weights = append(d.Weights, float64(1+i%3))
			}
		}
		grid := make([]float64, 10)
		for k := range grid {
			grid[k] = 6 * math.Pow(0.6, float64(k))
		}
		folds := get(NewFolds(of))(t)
		cv := get(FitLogisticCV(d, 1, folds, &PathSettings{Lambda: grid, Gap: 1e-12}, &CVSettings{AUC: true}))(t)
		area := cv.Mean()
		for k, loss := range area {
			area[k] = 1 - loss
		}
		nearAll(t, name, area, want[name].CVM, 1e-12)
		nearAll(t, name+", standard error", cv.StdErr(), want[name].CVSD, 1e-10)
		near(t, name+", largest", cv.LambdaMin(), want[name].Min, 1e-9)
		near(t, name+", one standard error", cv.LambdaOneSE(), want[name].One, 1e-9)
		if cv.Measure() != "1 - AUC" {
			t.Error(cv.Measure())
		}
	}
}

// The area of a validation set, and of CrossValidate, is that of ROC; ties count one
// half; a weight of 2 is two rows, and one of 0 is none.
func TestCVAreaIsROC(t *testing.T) {
	d := births(t)
	held := make([]bool, d.NObs())
	for i := range held {
		held[i] = i%3 == 0
	}
	fit := func(train *Design) ([]*Logistic, error) {
		f, err := FitLogistic(train, nil)
		return []*Logistic{f}, err
	}
	one := get(ValidationSet(held))(t)
	cv := get(CrossValidate(d, one, fit, &CVSettings{AUC: true}))(t)
	f := get(FitLogistic(d.Rows(one.Train(0)...), nil))(t)
	roc := get(ROC(f, d.Rows(one.Test(0)...)))(t)
	near(t, "area", 1-cv.Mean()[0], roc.AUC, 1e-12)
	near(t, "standard error", cv.StdErr()[0], roc.StdErr, 1e-12)

	score, positive := []float64{3, 2, 2, 1, 9, 9}, []bool{true, true, false, false, true, false}
	counts := []float64{1, 2, 1, 3, 0, 0}
	weighted := get(newROC(score, positive, func(i int) float64 { return counts[i] }))(t)
	rows := get(NewROC([]float64{3, 2, 2, 2, 1, 1, 1}, []bool{true, true, true, false, false, false, false}))(t)
	near(t, "weights", weighted.AUC, rows.AUC, 1e-15)
	near(t, "weights, standard error", weighted.StdErr, rows.StdErr, 1e-15)
	near(t, "by hand", weighted.AUC, (4+2*3.5)/12, 1e-15)
}

func TestCVAreaBadInput(t *testing.T) {
	d := births(t)
	folds := get(StratifiedKFold(d.Y, 4, rand.NewPCG(1, 2)))(t)
	area := &CVSettings{AUC: true}
	wantError(t, "two losses", errorOf(FitLogisticCV(d, 1, folds, nil, &CVSettings{AUC: true, Loss: ClassError})), ErrSetting, "AUC and CVSettings.Loss")
	wantError(t, "many classes", errorOf(FitMultinomialCV(d, 1, folds, nil, area)), ErrSetting, "FitLogisticCV")
	held := make([]bool, d.NObs())
	for i := range held {
		held[i] = d.Y[i] == 1 && i%2 == 0
	}
	wantError(t, "a fold of one class", errorOf(FitLogisticCV(d, 1, get(ValidationSet(held))(t), nil, area)), ErrLabels, "fold 0")
	numbers := d.WithResponse("age", mat.Col(nil, 0, d.X))
	wantError(t, "a number", errorOf(FitLassoCV(numbers, folds, nil, area)), ErrLabels, "age")
}

// A row far on the wrong side costs its margin, where 1 - p is zero; cv.glmnet stops at
// p = 1e-5, and DevianceLoss at 1e-300.
func TestLogisticCVFarRow(t *testing.T) {
	d := get(NewDesign(mat.NewDense(9, 1, []float64{-3, -2, -1, 1, 2, -1.5, 0.5, 3, 900}), []float64{0, 0, 0, 0, 1, 1, 1, 1, 0}, "x"))(t)
	held := make([]bool, 9)
	held[8], held[0] = true, true
	one := get(ValidationSet(held))(t)
	path := &PathSettings{Lambda: []float64{1, 0.1}}
	cv := get(FitLogisticCV(d, 1, one, path, &CVSettings{SameLambda: true}))(t)
	train := get(FitLogisticPath(d.Rows(one.Train(0)...), 1, path))(t)
	for k := range 2 {
		f := train.Fit(k)
		eta := get(f.LinearPredictor(d.Rows(0, 8)))(t)
		near(t, "mean deviance", cv.Mean()[k], math.Log1p(math.Exp(eta[0]))+eta[1], 1e-12)
		if eta[1] < 40 {
			t.Errorf("linear predictor %g: the row is not far", eta[1])
		}
	}
}

// Scores that rounding tells apart are ties of the AUC of a fold.
func TestScoresThatRoundingTellsApart(t *testing.T) {
	scores := []float64{0.5, 0.1 + 0.2, 2, 0.3, -0.7, 0.3 + 1e-8}
	if got := tied(scores); got[1] != got[3] || got[0] != 0.5 || got[5] == got[3] || got[4] != -0.7 || got[2] != 2 {
		t.Errorf("%v", got)
	}
	d := &Design{Y: []float64{1, 0, 1, 0}}
	f := get(areaLoss(d, []int{0, 1, 2, 3}, d.Y, mat.NewDense(4, 1, []float64{0.1 + 0.2, 0.3, 0.3, 0.1 + 0.2})))(t)
	if f.mean[0] != 0.5 {
		t.Errorf("1 - AUC is %v of scores that are all the same", f.mean[0])
	}
}
