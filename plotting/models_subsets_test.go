package plotting

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

func prostateTrain(t *testing.T) *mlreg.Design {
	t.Helper()
	df := datasets.Prostate()
	d := get(frames.Design(df, "lpsa ~ . - train"))(t)
	mask := get(frames.Mask(df, "train", "T"))(t)
	train, _, err := d.Split(mask)
	if err != nil {
		t.Fatal(err)
	}
	return train
}

func prostateSubsets(t *testing.T, best int) *mlreg.Subsets {
	t.Helper()
	f := get(mlreg.FitBestSubsets(prostateTrain(t), &mlreg.SubsetSettings{Best: best}))(t)
	return f
}

func TestGoldenSubsets(t *testing.T) {
	all := get(SubsetPlot(prostateSubsets(t, 70), "All 256 models"))(t)
	checkImage(t, "subsets", Sized(all, 5.5, 3.6))
	f := get(CriterionPlots(prostateSubsets(t, 1).Models(), "Prostate"))(t)
	checkImage(t, "criteria", f)
}

func prostateSizes(t *testing.T) *mlreg.SizeCV {
	t.Helper()
	d := prostateTrain(t)
	folds := get(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 1)))(t)
	cv := get(mlreg.CrossValidateSizes(d, folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		f, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return f.Models(), nil
	}))(t)
	return cv
}

func TestGoldenSizeCurve(t *testing.T) {
	p := get(SizeCurve(prostateSizes(t), "Best subsets"))(t)
	checkImage(t, "sizecurve", Sized(p, 5.5, 3.6))
}

func TestShowSubsets(t *testing.T) {
	got := record(t)
	d := prostateTrain(t)
	filter := get(mlreg.FilterTerms(d))(t)
	both := get(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: mlreg.Bidirectional, Start: []string{"pgg45", "age"}}))(t)
	greedy := get(mlreg.FitGreedy(d, &mlreg.GreedySettings{MaxTerms: 4, Test: d.Rows(0, 5, 10, 15)}))(t)
	Show(prostateSubsets(t, 1), both, filter, greedy, prostateSizes(t))
	var text strings.Builder
	for _, b := range *got {
		text.WriteString(b.Text + "\n")
	}
	golden.Text(t, "subsets.txt", text.String())
}

// A search that was stopped shows its bounds.
func TestSubsetPlotStopped(t *testing.T) {
	enough := errors.New("enough")
	src := rand.NewPCG(1, 2)
	x := get(datasets.NormalDesign(80, 30, 0.9, src))(t)
	d := get(datasets.LinearModel{Coef: make([]float64, 30), Sigma: 1}.Draw(x, src))(t)
	f, err := mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Progress: func(done, total float64) error { return enough }})
	if !errors.Is(err, enough) || f.Proven() {
		t.Fatalf("not stopped: %v", err)
	}
	p := get(SubsetPlot(f, ""))(t)
	if !(p.Y.Min < f.Models()[len(f.Models())-1].RSS) || math.IsInf(p.Y.Min, 0) {
		t.Errorf("vertical axis from %v", p.Y.Min)
	}
	got := record(t)
	Show(f)
	if text := (*got)[0].Text; !strings.Contains(text, "stopped") {
		t.Error(text)
	}
}

func TestSubsetFigureErrors(t *testing.T) {
	byBIC := get(mlreg.FitBestSubsets(prostateTrain(t), &mlreg.SubsetSettings{Criterion: mlreg.ByBIC}))(t)
	if _, err := SubsetPlot(nil, ""); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("nil: %v", err)
	}
	if _, err := SubsetPlot(byBIC, ""); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("by BIC: %v", err)
	}
	if _, err := CriterionPlots(nil, ""); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("no models: %v", err)
	}
	if _, err := CriterionPlots([]mlreg.SubsetModel{{Cp: math.NaN(), TrainError: 1}}, ""); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("no Cp: %v", err)
	}
	if _, err := SizeCurve(nil, ""); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("no sizes: %v", err)
	}
}

// A selection by the RSS has one column of it.
func TestShowStepwiseByRSS(t *testing.T) {
	got := record(t)
	Show(mlreg.FitStepwise(prostateTrain(t), &mlreg.StepwiseSettings{Criterion: mlreg.ByRSS, MaxSteps: 2}))
	if n := strings.Count((*got)[0].Text, " RSS "); n != 1 {
		t.Errorf("%d columns of the RSS in\n%s", n, (*got)[0].Text)
	}
}
