package mlreg_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// hospital has 30 rows with a factor of three levels, the last of which two rows have, and
// three classes.
func hospital() dataframe.DataFrame {
	rnd := rand.New(rand.NewPCG(1, 2))
	var x, y []float64
	var ward, outcome []string
	for i := range 30 {
		x = append(x, rnd.NormFloat64())
		y = append(y, x[i]+rnd.NormFloat64())
		ward = append(ward, []string{"a", "b", "c"}[i/14])
		outcome = append(outcome, []string{"well", "same", "worse"}[i*7%30/13])
	}
	return dataframe.New(series.New(x, series.Float, "x"), series.New(y, series.Float, "y"),
		series.New(ward, series.String, "ward"), series.New(outcome, series.String, "outcome"))
}

// A factor that is coded anew from the rows held out would give a level another column;
// a class that the training rows lack cannot be predicted. Each is named.
func TestErrorsOfForeignCodingsAndAbsentClasses(t *testing.T) {
	df := hospital()
	whole := must.M1(frames.Design(df, "y ~ x + ward"))
	some := must.M1(frames.Design(must.M1(frames.Where(df, "ward != 'c'")), "y ~ x + ward"))
	fit := must.M1(mlreg.FitOLS(some, nil))
	classes := must.M1(frames.Design(df, "outcome ~ x"))
	two := must.M1(frames.Design(must.M1(frames.Where(df, "outcome != 'worse'")), "outcome ~ x"))
	logistic := must.M1(mlreg.FitLogistic(two, nil))
	var without []int
	held := make([]bool, classes.NObs())
	for i, y := range classes.Y {
		if held[i] = classes.Classes[int(y)] == "worse"; !held[i] {
			without = append(without, i)
		}
	}
	fold := must.M1(mlreg.ValidationSet(held))
	chosen := func(train *mlreg.Design, inner *mlreg.Folds) (mlreg.Chosen, error) {
		return mlreg.FitMultinomialCV(train, 1, inner, nil, nil)
	}
	_, foreign := mlreg.TestError(fit, whole, mlreg.SquaredLoss)
	_, foreignLosses := mlreg.RowLosses(fit, whole, mlreg.AbsoluteLoss)
	_, split := assess.SplitConformal(fit, whole, some, 0.9, nil)
	_, jackknife := assess.JackknifePlus(fit, whole, some, 0.9)
	_, more := mlreg.TestError(logistic, classes, mlreg.ZeroOneLoss)
	_, absent := mlreg.FitMultinomial(classes.Rows(without...), nil)
	_, cv := mlreg.FitMultinomialCV(classes, 1, fold, nil, nil)
	_, nested := mlreg.CrossValidateNested(classes, fold, rand.NewPCG(1, 2), chosen, mlreg.LogLoss, nil)
	for what, c := range map[string]struct {
		err  error
		want error
		text string
	}{
		"factor coded anew":                    {foreign, mlreg.ErrCoding, "DesignLike"},
		"losses, factor coded anew":            {foreignLosses, mlreg.ErrCoding, "DesignLike"},
		"split conformal, factor coded anew":   {split, mlreg.ErrCoding, "DesignLike"},
		"jackknife+, factor coded anew":        {jackknife, mlreg.ErrShape, ""},
		"one more class than the fit":          {more, mlreg.ErrLabels, "worse"},
		"no training row of a class":           {absent, mlreg.ErrLabels, `"worse"`},
		"cross-validation without a class":     {cv, mlreg.ErrLabels, "fold 0"},
		"nested, outer fold without the class": {nested, mlreg.ErrLabels, "fold 0"},
	} {
		if !errors.Is(c.err, c.want) || !strings.Contains(c.err.Error(), c.text) {
			t.Errorf("%s: %v", what, c.err)
		}
	}
	// New rows coded like those fitted: the level is unknown, and not another's.
	if _, err := frames.DesignLike(some, df); err == nil || !strings.Contains(err.Error(), `"c"`) {
		t.Errorf("unknown level: %v", err)
	}
	// Classes in another order are the same classes.
	turned := two.Rows(seq(two.NObs())...)
	turned.Classes = []string{two.Classes[1], two.Classes[0]}
	for i := range turned.Y {
		turned.Y[i] = 1 - turned.Y[i]
	}
	for _, loss := range []mlreg.Loss{mlreg.LogLoss, mlreg.ZeroOneLoss, mlreg.BrierLoss} {
		a, b := must.M1(mlreg.TestError(logistic, two, loss)), must.M1(mlreg.TestError(logistic, turned, loss))
		if a.Mean != b.Mean {
			t.Errorf("%v: %v and, classes turned, %v", loss, a.Mean, b.Mean)
		}
	}
}

func seq(n int) (v []int) {
	for i := range n {
		v = append(v, i)
	}
	return v
}
