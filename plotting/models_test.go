package plotting

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/plotting/internal/golden"
)

// tenTerms is the posterior over 1,024 models of data simulated as in Murphy's
// figure 13.1.
func tenTerms(t *testing.T, settings *mlreg.EnumerateSettings) *mlreg.Enumeration {
	t.Helper()
	src := rand.NewPCG(16, 13)
	x := get(datasets.NormalDesign(20, 10, 0, src))(t)
	d := get(datasets.AllSubsets().Draw(x, src))(t)
	e := get(mlreg.EnumerateModels(d, mlreg.SpikeSlab{Pi0: .1, SlabVar: 100, Noise: mlreg.KnownVariance(1)}, settings))(t)
	return e
}

// prostateModels are the posterior over the 256 models of the prostate data, and
// a sample of it.
func prostateModels(t *testing.T) (*mlreg.Enumeration, *mlreg.ModelSample) {
	t.Helper()
	d := get(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))(t)
	e := get(mlreg.EnumerateModels(d, mlreg.BICScore{}, &mlreg.EnumerateSettings{Best: 60, Average: true}))(t)
	m := get(mlreg.SampleModels(d, mlreg.BICScore{}, rand.NewPCG(1, 1), &mlreg.SampleModelsSettings{Sweeps: 200}))(t)
	return e, m
}

func TestGoldenModelProbs(t *testing.T) {
	e := tenTerms(t, &mlreg.EnumerateSettings{Scores: true})
	f := Grid(1, get(ModelProbs(e, 0.1, "Posterior, axis cut at 0.1"))(t))
	f.Width = 7
	checkImage(t, "modelprobs", f)
}

func TestGoldenCertifiedInclusion(t *testing.T) {
	d := get(frames.Design(datasets.DiabetesQuadratic(), "progression ~ (age + sex + bmi + bp + s3 + s5)^2 + s1 + s2 + s4 + s6"))(t)
	c := get(mlreg.CertifyModels(d, mlreg.BICScore{}, rand.NewPCG(1, 2), &mlreg.CertifySettings{Nodes: 60, Proposals: 1 << 14}))(t)
	m := get(mlreg.SampleModels(d, mlreg.BICScore{}, rand.NewPCG(1, 2), &mlreg.SampleModelsSettings{Sweeps: 200}))(t)
	f := get(CertifiedInclusion(c, m, &InclusionSettings{Sorted: true, Truth: []string{"bmi"}}))(t)
	checkImage(t, "certified-inclusion", f)
	if _, err := CertifiedInclusion(nil, nil, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := CertifiedInclusion(c, nil, &InclusionSettings{Truth: []string{"none"}}); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
}

func TestGoldenInclusion(t *testing.T) {
	e := tenTerms(t, nil)
	f := get(InclusionPlot(e, &InclusionSettings{Title: "Inclusion", Truth: []string{"x2", "x3", "x6", "x8", "x9"}}))(t)
	checkImage(t, "inclusion", f)
	exact, sample := prostateModels(t)
	f = get(CompareInclusions([]NamedModels{{"exact", exact}, {"sampled", sample}}, &InclusionSettings{Sorted: true}))(t)
	checkImage(t, "inclusions", f)
	d := get(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))(t)
	stability := get(assess.SelectionStability(d, func(rows *mlreg.Design, _ rand.Source) ([]string, error) {
		fit, err := mlreg.FitStepwise(rows, nil)
		if err != nil {
			return nil, err
		}
		return fit.Final().Terms, nil
	}, rand.NewPCG(1, 2), nil))(t)
	f = get(CompareInclusions([]NamedModels{{"posterior", exact}, {"stepwise on half of the men", stability}}, &InclusionSettings{Sorted: true}))(t)
	checkImage(t, "inclusion-stability", f)
	if _, err := InclusionPlot(stability, nil); err != nil {
		t.Fatal(err)
	}
	sizes := get(SizePlot(exact, "Number of terms"))(t)
	checkImage(t, "sizes", Sized(sizes, 5, 3))
}

func TestGoldenModelSpace(t *testing.T) {
	e, _ := prostateModels(t)
	f := get(ModelSpace(e, &ModelSpaceSettings{Title: "The sixty best models of lpsa"}))(t)
	checkImage(t, "modelspace", f)
	f = get(ModelSpace(e, &ModelSpaceSettings{Most: 12, EqualWidths: true, Unsorted: true}))(t)
	checkImage(t, "modelspace-equal", f)
}

func TestShowModels(t *testing.T) {
	got := record(t)
	e, m := prostateModels(t)
	average := get(e.ModelAverage())(t)
	Show(e, average)
	Show(e.Best()[:3])
	Show(m, tenTerms(t, nil))
	var text strings.Builder
	for _, b := range *got {
		text.WriteString(b.Text + "\n")
	}
	golden.Text(t, "models.txt", text.String())
}

// Of many models the extremes are drawn.
func TestExtremes(t *testing.T) {
	values := make([]float64, 1<<14)
	for i := range values {
		values[i] = float64((i * 7919) % 104729)
	}
	values[5000], values[12001] = -1, 2e6
	at := extremes(values)
	seen := make(map[int]bool)
	for k, i := range at {
		seen[i] = true
		if k > 0 && i < at[k-1] {
			t.Fatalf("%d after %d", i, at[k-1])
		}
	}
	if !seen[5000] || !seen[12001] || len(at) != mostPoints {
		t.Errorf("%d positions, with the least %v, the largest %v", len(at), seen[5000], seen[12001])
	}
}

func TestModelFigureErrors(t *testing.T) {
	e := tenTerms(t, nil)
	var none *mlreg.Enumeration
	plots := func(p *plot.Plot, err error) error { return err }
	figures := func(f *Figure, err error) error { return err }
	for name, c := range map[string]struct{ err, is error }{
		"no scores":     {plots(ModelProbs(e, 0, "")), mlreg.ErrSetting},
		"nil scores":    {plots(ModelProbs(nil, 0, "")), mlreg.ErrNoData},
		"cut":           {plots(ModelProbs(e, 2, "")), mlreg.ErrSetting},
		"nil sizes":     {plots(SizePlot(none, "")), mlreg.ErrNoData},
		"no inclusions": {figures(CompareInclusions(nil, nil)), mlreg.ErrNoData},
		"nil inclusion": {figures(InclusionPlot(none, nil)), mlreg.ErrNoData},
		"truth":         {figures(InclusionPlot(e, &InclusionSettings{Truth: []string{"x11"}})), mlreg.ErrShape},
		"nil space":     {figures(ModelSpace(nil, nil)), mlreg.ErrNoData},
		"most":          {figures(ModelSpace(e, &ModelSpaceSettings{Most: -1})), mlreg.ErrSetting},
	} {
		if !errors.Is(c.err, c.is) {
			t.Errorf("%s: %v, want %v", name, c.err, c.is)
		}
	}
}
