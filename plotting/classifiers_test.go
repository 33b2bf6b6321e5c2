package plotting

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

// mails are 240 e-mails of five words, the first two more frequent in spam, the
// third and fourth in ham.
func mails(t *testing.T) *mlreg.Design {
	t.Helper()
	var y []float64
	x := mat.NewDense(240, 5, nil)
	for i := range 240 {
		spam := i % 3 / 2
		y = append(y, float64(spam))
		for j, share := range [5][2]int{{2, 20}, {3, 14}, {22, 4}, {15, 1}, {9, 10}} {
			if (i*i*(7+2*j)+i*(3+j))%31 < share[spam] {
				x.Set(i, j, 1)
			}
		}
	}
	d := get(mlreg.NewDesign(x, y, "won", "$", "meeting", "minutes", "the"))(t)
	d.Classes = []string{"ham", "spam"}
	return d
}

func filters(t *testing.T) (*mlreg.Design, *mlreg.NaiveBayes, *mlreg.Logistic) {
	t.Helper()
	d := mails(t)
	filter := get(mlreg.FitNaiveBayes(d, 1, nil))(t)
	logistic := get(mlreg.FitLogistic(d, nil))(t)
	return d, filter, logistic
}

func TestGoldenInformative(t *testing.T) {
	d, filter, _ := filters(t)
	f := get(InformativePlot(filter, "spam", 5))(t)
	checkImage(t, "informative", f)
	f = get(ExplainPlot(filter, d, 2, 4))(t)
	checkImage(t, "explain", f)
}

func TestGoldenROC(t *testing.T) {
	d, filter, logistic := filters(t)
	var curves []NamedROC
	for _, c := range []struct {
		name string
		fit  mlreg.Classifier
	}{{"naive Bayes", filter}, {"logistic", logistic}} {
		curve := get(mlreg.ROC(c.fit, d))(t)
		curves = append(curves, NamedROC{c.name, curve})
	}
	f := get(ROCPlot(curves, &ROCSettings{Title: "Two filters", Threshold: 0.5}))(t)
	checkImage(t, "roc", f)
}

// The point marked at a threshold is the one that the confusion table counts.
func TestReached(t *testing.T) {
	d, filter, _ := filters(t)
	curve := get(mlreg.ROC(filter, d))(t)
	for _, threshold := range append([]float64{0.01, 0.3, 0.5, 0.9, 1}, curve.Threshold[1:]...) {
		table := get(mlreg.Confusion(filter, d, threshold))(t)
		at := reached(curve, threshold)
		if math.Abs(curve.TPR[at]-table.Recall(1)) > 1e-12 || math.Abs(curve.FPR[at]-1+table.Recall(0)) > 1e-12 {
			t.Errorf("threshold %v: point %v, %v, table %v", threshold, curve.FPR[at], curve.TPR[at], table.Counts)
		}
	}
}

func TestGoldenCalibration(t *testing.T) {
	d, filter, logistic := filters(t)
	a := get(mlreg.Calibration(filter, d, 6))(t)
	b := get(mlreg.Calibration(logistic, d, 6))(t)
	f := get(CalibrationPlot([]NamedCalibration{{"naive Bayes", a}, {"logistic", b}}, "Two filters"))(t)
	checkImage(t, "calibration", f)
}

// Limits of the fractions are those of R's prop.test, and the band is that of fractions
// of true probabilities (testdata/chart.R).
func TestCalibrationLimits(t *testing.T) {
	r := chartReference(t)
	x, y := r["calibration.x"], r["calibration.y"]
	d := get(mlreg.NewDesign(columns(x), y))(t)
	fit := get(mlreg.FitLogistic(d, nil))(t)
	rows := get(mlreg.Calibration(fit, d, 6))(t)
	bars, band, err := calibrationLayers(NamedCalibration{Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "mean probability", bars.X, r["calibration.mean"], 1e-9)
	var limits, width []float64
	for k := range bars.X {
		limits = append(limits, bars.Lower[k], bars.Upper[k])
		width = append(width, band.Lower[k], band.Upper[k])
	}
	near(t, "limits", limits, r["calibration.limits"], 1e-9)
	want := r["calibration.band"]
	for k := range want { // the axis ends there
		want[k] = math.Max(0, math.Min(1, want[k]))
	}
	near(t, "band", width, want, 1e-9)
}

// The area of a curve with ties is Wilcoxon's statistic for each pair of rows.
func TestROCTies(t *testing.T) {
	r := chartReference(t)
	var positive []bool
	for _, y := range r["calibration.y"] {
		positive = append(positive, y == 1)
	}
	curve := get(mlreg.NewROC(r["roc.score"], positive))(t)
	if len(curve.Threshold) >= len(positive)/2 {
		t.Fatal("few ties")
	}
	near(t, "area", []float64{curve.AUC}, r["roc.auc"], 1e-13)
	near(t, "standard error", []float64{curve.StdErr}, r["roc.stderr"], 1e-12)
}

func TestShowClassifiers(t *testing.T) {
	got := record(t)
	d, filter, _ := filters(t)
	table := get(mlreg.Confusion(filter, d, 0))(t)
	rows := get(mlreg.Calibration(filter, d, 4))(t)
	curve := get(mlreg.ROC(filter, d))(t)
	features := get(filter.Informative("ham", 2))(t)
	evidence := get(filter.Explain(d, 0))(t)
	names := strings.Split("a b c d e f g h i j k l", " ")
	prob := mat.NewDense(3, len(names), nil)
	prob.Apply(func(i, j int, _ float64) float64 { return float64(i+j+1) / 20 }, prob)
	three := get(mlreg.NewNaiveBayes([]string{"red", "green", "blue"}, names, []float64{2, 1, 1}, prob))(t)
	Show(filter, three, table, rows, curve, features, evidence)
	var text strings.Builder
	for _, b := range *got {
		text.WriteString(b.Text + "\n")
	}
	golden.Text(t, "classifiers.txt", text.String())
}

func TestClassifierFigureErrors(t *testing.T) {
	d, filter, _ := filters(t)
	empirical := get(mlreg.FitNaiveBayes(d.Rows(0, 1, 2, 5), 0, nil))(t)
	plots := map[string]struct {
		want error
		make func() (*Figure, error)
	}{
		"no filter":     {mlreg.ErrNoData, func() (*Figure, error) { return InformativePlot(nil, "spam", 3) }},
		"no features":   {mlreg.ErrSetting, func() (*Figure, error) { return InformativePlot(filter, "spam", 0) }},
		"no class eggs": {mlreg.ErrLabels, func() (*Figure, error) { return InformativePlot(filter, "eggs", 3) }},
		"infinite":      {mlreg.ErrNotFinite, func() (*Figure, error) { return InformativePlot(empirical, "spam", 5) }},
		"no row":        {mlreg.ErrSetting, func() (*Figure, error) { return ExplainPlot(filter, d, 240, 3) }},
		"row -1":        {mlreg.ErrSetting, func() (*Figure, error) { return ExplainPlot(filter, d, -1, 3) }},
		"nothing":       {mlreg.ErrSetting, func() (*Figure, error) { return ExplainPlot(filter, d, 1, 0) }},
		"no curve":      {mlreg.ErrNoData, func() (*Figure, error) { return ROCPlot(nil, nil) }},
		"nil curve":     {mlreg.ErrNoData, func() (*Figure, error) { return ROCPlot([]NamedROC{{Name: "x"}}, nil) }},
		"lengths": {mlreg.ErrShape, func() (*Figure, error) {
			return ROCPlot([]NamedROC{{"x", &mlreg.ROCCurve{FPR: []float64{0, 1}, TPR: []float64{0}}}}, nil)
		}},
		"no sets":   {mlreg.ErrNoData, func() (*Figure, error) { return CalibrationPlot(nil, "") }},
		"no groups": {mlreg.ErrNoData, func() (*Figure, error) { return CalibrationPlot([]NamedCalibration{{Name: "x"}}, "") }},
		"NaN": {mlreg.ErrSetting, func() (*Figure, error) {
			return CalibrationPlot([]NamedCalibration{{"x", []mlreg.CalibrationRow{{MeanProb: math.NaN()}}}}, "")
		}},
	}
	plots["no rows"] = struct {
		want error
		make func() (*Figure, error)
	}{mlreg.ErrSetting, func() (*Figure, error) {
		return CalibrationPlot([]NamedCalibration{{"x", []mlreg.CalibrationRow{{MeanProb: 0.5}}}}, "")
	}}
	for name, c := range plots {
		if _, err := c.make(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
