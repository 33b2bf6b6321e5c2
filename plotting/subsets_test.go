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
	d, err := frames.Design(df, "lpsa ~ . - train")
	if err != nil {
		t.Fatal(err)
	}
	mask, err := frames.Mask(df, "train", "T")
	if err != nil {
		t.Fatal(err)
	}
	train, _, err := d.Split(mask)
	if err != nil {
		t.Fatal(err)
	}
	return train
}

func prostateSubsets(t *testing.T, best int) *mlreg.Subsets {
	t.Helper()
	f, err := mlreg.FitBestSubsets(prostateTrain(t), &mlreg.SubsetSettings{Best: best})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGoldenSubsets(t *testing.T) {
	all, err := SubsetPlot(prostateSubsets(t, 70), "All 256 models")
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "subsets", Sized(all, 5.5, 3.6))
	f, err := CriterionPlots(prostateSubsets(t, 1).Models(), "Prostate")
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "criteria", f)
}

func prostateSizes(t *testing.T) *mlreg.SizeCV {
	t.Helper()
	d := prostateTrain(t)
	folds, err := mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 1))
	if err != nil {
		t.Fatal(err)
	}
	cv, err := mlreg.CrossValidateSizes(d, folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		f, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return f.Models(), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cv
}

func TestGoldenSizeCurve(t *testing.T) {
	p, err := SizeCurve(prostateSizes(t), "Best subsets")
	if err != nil {
		t.Fatal(err)
	}
	checkImage(t, "sizecurve", Sized(p, 5.5, 3.6))
}

func TestShowSubsets(t *testing.T) {
	got := record(t)
	d := prostateTrain(t)
	filter, err := mlreg.FilterTerms(d)
	if err != nil {
		t.Fatal(err)
	}
	both, err := mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: mlreg.Bidirectional, Start: []string{"pgg45", "age"}})
	if err != nil {
		t.Fatal(err)
	}
	greedy, err := mlreg.FitGreedy(d, &mlreg.GreedySettings{MaxTerms: 4, Test: d.Rows(0, 5, 10, 15)})
	if err != nil {
		t.Fatal(err)
	}
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
	x, err := datasets.NormalDesign(80, 30, 0.9, src)
	if err != nil {
		t.Fatal(err)
	}
	d, err := datasets.LinearModel{Coef: make([]float64, 30), Sigma: 1}.Draw(x, src)
	if err != nil {
		t.Fatal(err)
	}
	f, err := mlreg.FitBestSubsets(d, &mlreg.SubsetSettings{Progress: func(done, total float64) error { return enough }})
	if !errors.Is(err, enough) || f.Proven() {
		t.Fatalf("not stopped: %v", err)
	}
	p, err := SubsetPlot(f, "")
	if err != nil {
		t.Fatal(err)
	}
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
	byBIC, err := mlreg.FitBestSubsets(prostateTrain(t), &mlreg.SubsetSettings{Criterion: mlreg.ByBIC})
	if err != nil {
		t.Fatal(err)
	}
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
