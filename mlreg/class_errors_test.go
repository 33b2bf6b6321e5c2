package mlreg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/regbook/regbook/mlreg/report"
)

// scikit-learn, and DeLong's variance by its definition; see testdata/logistic.py.
func TestClassifierAgainstPython(t *testing.T) {
	want := classifierReferences(t)
	d := births(t)
	f := fitLogistic(t, d, nil)
	r := get(ROC(f, d))(t)
	near(t, "AUC", r.AUC, want.ROC["auc"][0], 1e-13)
	near(t, "its standard error", r.StdErr, want.ROC["stderr"][0], 1e-12)
	nearAll(t, "FPR", r.FPR, want.ROC["fpr"], 1e-14)
	nearAll(t, "TPR", r.TPR, want.ROC["tpr"], 1e-14)
	limits := get(r.ConfInt(0.95))(t)
	near(t, "limits", (limits.Upper-limits.Lower)/2/1.959963984540054, r.StdErr, 1e-12)
	b := get(BrierScore(f, d))(t)
	near(t, "Brier score", b, want.Brier[0], 1e-12)
	c := get(Confusion(f, d, 0.4))(t)
	for i, v := range want.Confusion {
		if c.Counts[i/2][i%2] != int(v) {
			t.Errorf("count %d is %d, want %v", i, c.Counts[i/2][i%2], v)
		}
	}
	tn, fp, fn, tp := want.Confusion[0], want.Confusion[1], want.Confusion[2], want.Confusion[3]
	near(t, "accuracy", c.Accuracy(), (tn+tp)/189, 1e-15)
	near(t, "error rate", c.ErrorRate(), (fn+fp)/189, 1e-14)
	near(t, "sensitivity", c.Recall(1), tp/(tp+fn), 1e-15)
	near(t, "specificity", c.Recall(0), tn/(tn+fp), 1e-15)
	near(t, "precision", c.Precision(1), tp/(tp+fp), 1e-15)
	near(t, "F1", c.F1(1), 2*tp/(2*tp+fp+fn), 1e-14)
}

// The area is the fraction of pairs in order, ties counting one half, and that
// below the curve by the trapezoidal rule; a rising transformation of the scores
// leaves it alone, and swapping the classes gives the rest.
func TestROC(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 50 {
		n := 2 + rng.IntN(30)
		score, rising, positive := make([]float64, n), make([]float64, n), make([]bool, n)
		for i := range n {
			score[i] = float64(rng.IntN(8))
			rising[i] = math.Exp(score[i])
			positive[i] = rng.IntN(2) == 0
		}
		positive[0], positive[1] = true, false
		r := get(NewROC(score, positive))(t)
		var pairs, area float64
		for i := range n {
			for j := range n {
				if positive[i] && !positive[j] {
					switch {
					case score[i] > score[j]:
						pairs++
					case score[i] == score[j]:
						pairs += 0.5
					}
				}
			}
		}
		for k := 1; k < len(r.FPR); k++ {
			area += (r.FPR[k] - r.FPR[k-1]) * (r.TPR[k] + r.TPR[k-1]) / 2
		}
		near(t, "pairs in order", r.AUC, pairs/float64(r.Positives*r.Negatives), 1e-13)
		near(t, "area", r.AUC, area, 1e-13)
		other, err := NewROC(rising, positive)
		if err != nil || other.AUC != r.AUC {
			t.Errorf("a rising transformation changes the area: %v, %v, %v", other, r, err)
		}
		for i := range positive {
			positive[i] = !positive[i]
		}
		if other, err = NewROC(score, positive); err != nil {
			t.Fatal(err)
		}
		near(t, "classes swapped", other.AUC, 1-r.AUC, 1e-13)
		near(t, "its standard error", other.StdErr, r.StdErr, 1e-12)
	}
	_, err := NewROC([]float64{1, 2}, []bool{true, true})
	wantErr(t, err, ErrLabels, "2 positives and 0 negatives")
	_, err = NewROC([]float64{1, math.NaN()}, []bool{true, false})
	wantErr(t, err, ErrNotFinite, "row 2")
	_, err = NewROC([]float64{1}, []bool{true, false})
	wantErr(t, err, ErrShape)
}

func TestCalibration(t *testing.T) {
	d := births(t)
	f := fitLogistic(t, d, nil)
	rows := get(Calibration(f, d, 10))(t)
	n, events, expected := 0, 0.0, 0.0
	last := math.Inf(-1)
	for _, r := range rows {
		n += r.N
		events += r.Fraction * float64(r.N)
		expected += r.MeanProb * float64(r.N)
		if r.Lower <= last || r.Upper < r.Lower || r.MeanProb < r.Lower || r.MeanProb > r.Upper || r.N < 10 {
			t.Errorf("row %+v after one that ends at %v", r, last)
		}
		last = r.Upper
	}
	if n != 189 {
		t.Errorf("%d rows in all", n)
	}
	near(t, "events", events, 59, 1e-12)
	near(t, "expected events", expected, 59, 1e-10) // maximum likelihood with an intercept
	constant := &Logistic{logit: logit{linear: linear{linearState{header: header{Names: []string{"age"}, Response: "low"}, coefficients: coefficients{B: []float64{0}}}}}}
	constant.c.Classes, constant.s.Root = []string{"0", "1"}, make([]float64, 4)
	rows, err := Calibration(constant, d, 10)
	if err != nil || len(rows) != 1 || rows[0].N != 189 || rows[0].MeanProb != 0.5 {
		t.Errorf("rows of equal probability: %v, %v", rows, err)
	}
	near(t, "standard deviation", rows[0].StdErr, 0.5/math.Sqrt(189), 1e-14)
	_, err = Calibration(f, d, 0)
	wantErr(t, err, ErrSetting, "0 groups")
	_, err = Calibration(f, d, 190)
	wantErr(t, err, ErrSetting, "190 groups")
}

func TestNewCalibration(t *testing.T) {
	p, came := []float64{0.9, 0.1, 0.7, 0.3}, []bool{true, false, false, true}
	rows := get(NewCalibration(p, came, 2))(t)
	want := report.Rows[CalibrationRow]{
		{0.1, 0.3, 2, 0.2, 0.5, math.Sqrt(0.09+0.21) / 2},
		{0.7, 0.9, 2, 0.8, 0.5, math.Sqrt(0.09+0.21) / 2},
	}
	for i, r := range rows {
		w := want[i]
		nearAll(t, "group", []float64{r.Lower, r.Upper, r.MeanProb, r.Fraction, r.StdErr}, []float64{w.Lower, w.Upper, w.MeanProb, w.Fraction, w.StdErr}, 1e-14)
	}
	_, err := NewCalibration(p, came[:3], 2)
	wantErr(t, err, ErrShape, "4 probabilities and 3")
	_, err = NewCalibration([]float64{0.5, math.NaN()}, came[:2], 1)
	wantErr(t, err, ErrSetting, "probability 2 is NaN")
	_, err = NewCalibration([]float64{-0.1}, came[:1], 1)
	wantErr(t, err, ErrSetting, "probability 1 is -0.1")
	_, err = NewCalibration(nil, nil, 1)
	wantErr(t, err, ErrSetting, "1 groups of 0")
}

func TestConfusionBadInput(t *testing.T) {
	d := births(t)
	f := fitLogistic(t, d, nil)
	_, err := Confusion(f, d, 1.5)
	wantErr(t, err, ErrSetting, "1.5")
	_, err = Confusion(f, d, math.NaN())
	wantErr(t, err, ErrSetting)
	bad := births(t)
	bad.Y[2] = 2
	_, err = Confusion(f, bad, 0)
	wantErr(t, err, ErrLabels, "row 3")
	none := births(t)
	none.Y = nil
	_, err = ROC(f, none)
	wantErr(t, err, ErrNoData)
	if k := putIn([]float64{0.2, 0.4, 0.4}, 0.5); k != 1 {
		t.Errorf("of equals, class %d", k)
	}
	named := births(t)
	named.Classes = []string{"normal", "low"}
	g := fitLogistic(t, named, nil)
	if !slices.Equal(g.Classes(), named.Classes) || !slices.Equal(g.Coef(), f.Coef()) {
		t.Errorf("named classes: %q", g.Classes())
	}
	c, err := Confusion(g, named, 0)
	if err != nil || c.N() != 189 || c.Threshold != 0.5 {
		t.Errorf("%+v, %v", c, err)
	}
	_, err = Confusion(g, d, 0)
	wantErr(t, err, ErrLabels, `"normal", "low"`)
	three := births(t)
	three.Classes = []string{"a", "b", "c"}
	_, err = FitOLS(three, nil)
	wantErr(t, err, ErrSetting, `"a", "b", "c"`)
	three.Y[0] = 2.5
	if err := three.Check(); err == nil {
		t.Error("a class of 2.5")
	}
}
