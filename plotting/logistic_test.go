package plotting

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

func TestGoldenLogisticPredictive(t *testing.T) {
	df, d := girolami(t)
	post := get(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 100}, nil))(t)
	f := get(LogisticPredictive(df, d, post, nil))(t)
	checkImage(t, "logisticpredictive", f)
	if _, err := LogisticPredictive(df, d, post, &ClassMapSettings{Draws: 1}); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
	if _, err := LogisticPredictive(df, d, nil, nil); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}

// The lines drawn for the mode itself are where the plug-in is 1/2, with an
// intercept and in scaled columns too.
func TestBoundaries(t *testing.T) {
	df, _ := girolami(t)
	for _, formula := range []string{"y ~ x1 + x2", "y ~ 0 + x1 + x2"} {
		d := coded(t, df, formula)
		scaled := get(d.Standardize(nil))(t)
		post := get(mlreg.FitBayesLogistic(scaled, mlreg.GaussianPrior{Tau2: 10}, nil))(t)
		v := get(newTwoInputs(df, d, post.Classes(), nil))(t)
		p := get(post.PlugIn(v.grid))(t)
		layers := get(v.boundaries(post, mat.NewDense(1, len(post.Coef()), post.Coef())))(t)
		eta := layers[0].(Contours).F
		for _, i := range []int{0, 50, 5050, 9999} {
			x, y := v.at.x[i%classCells], v.at.y[i/classCells]
			if got := 1 / (1 + math.Exp(-eta(x, y))); math.Abs(got-p[i]) > 1e-10 {
				t.Errorf("%s: %v at (%v, %v), the plug-in is %v", formula, got, x, y, p[i])
			}
		}
	}
}

func TestGoldenClassMap(t *testing.T) {
	curved := datasets.LogisticSurface{LogOdds: func(x1, x2 float64) float64 { return 3 - 2*x1 - 1.5*(x1+x2)*(x1+x2) }, Reach: 3}
	df := get(curved.Draw(100, rand.NewPCG(3, 7)))(t)
	d := coded(t, df, "y ~ x1 + x2 + I((x1+x2)^2)")
	fit := get(mlreg.FitLogistic(d, nil))(t)
	two := get(ClassMap(df, d, fit, &ClassMapSettings{Title: "Two classes", Levels: []float64{0.1, 0.9}}))(t)
	df, d = threeClasses(t)
	many := get(mlreg.FitMultinomial(d, nil))(t)
	three := get(ClassMap(df, d, many, &ClassMapSettings{Title: "Three classes"}))(t)
	checkImage(t, "classmap", Grid(2, two, three))
}

// threeClasses are three clouds.
func threeClasses(t *testing.T) (dataframe.DataFrame, *mlreg.Design) {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 3))
	var a, b []float64
	var kind []string
	for k, m := range [][2]float64{{-1, 0}, {1, 0}, {0, 1.5}} {
		for range 30 {
			a, b = append(a, m[0]+0.8*rng.NormFloat64()), append(b, m[1]+0.8*rng.NormFloat64())
			kind = append(kind, []string{"left", "right", "top"}[k])
		}
	}
	df := frame(t, frames.Col("a", a), frames.Col("b", b), frames.Col("kind", kind))
	return df, coded(t, df, "kind ~ a + b")
}

func TestClassMapErrors(t *testing.T) {
	df, d := girolami(t)
	fit := get(mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 1}))(t)
	raw := get(mlreg.NewDesign(d.X, d.Y))(t)
	numbers := *d
	numbers.Y = make([]float64, d.NObs())
	numbers.Y[0] = 3
	for name, c := range map[string]struct {
		d  *mlreg.Design
		f  mlreg.Classifier
		s  *ClassMapSettings
		is error
	}{
		"no design":   {nil, fit, nil, mlreg.ErrNoData},
		"no fit":      {d, nil, nil, mlreg.ErrNoData},
		"nil fit":     {d, (*mlreg.Logistic)(nil), nil, mlreg.ErrNoData},
		"no formula":  {raw, fit, nil, frames.ErrNoRecipe},
		"level":       {d, fit, &ClassMapSettings{Levels: []float64{90}}, mlreg.ErrSetting},
		"rectangle":   {d, fit, &ClassMapSettings{Over: Rect{1, 1, 0, 1}}, mlreg.ErrSetting},
		"other class": {&numbers, fit, nil, mlreg.ErrLabels},
	} {
		if _, err := ClassMap(df, c.d, c.f, c.s); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
	if _, err := ClassMap(df, d, fit, &ClassMapSettings{X: "x1", Y: "z"}); err == nil || !strings.Contains(err.Error(), "z") {
		t.Errorf("unknown column: %v", err)
	}
}

// Summaries of the three logistic fits, and odds ratios.
func TestShowLogistic(t *testing.T) {
	overlapping := datasets.GaussianClasses{Mean: [2][2]float64{{0, 0}, {1, 1}}, SD: [2]float64{1, 1}}
	df := get(overlapping.Draw(40, rand.NewPCG(1, 1)))(t)
	d := coded(t, df, "y ~ x1 + x2")
	fit := get(mlreg.FitLogistic(d, nil))(t)
	odds := get(fit.OddsRatios(0.9))(t)
	if got := record(t); Display(odds) != nil || !strings.Contains((*got)[0].Text, "odds ratio") {
		t.Errorf("odds ratios are shown as %q", *got)
	}
	post := get(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 1}, nil))(t)
	_, d3 := threeClasses(t)
	many := get(mlreg.FitMultinomial(d3, nil))(t)
	var text strings.Builder
	for _, v := range []any{fit, odds, post, many} {
		b := get(bundle(v))(t)
		text.WriteString(b.Text + "\n")
	}
	golden.Text(t, "logistic.txt", text.String())
	if _, err := CoefPlot(fit, 0.95, nil); err != nil {
		t.Error(err)
	}
}

// Lines and averages are of the same draws: those of the source, and without one
// the same every time.
func TestLogisticPredictiveSource(t *testing.T) {
	df, d := girolami(t)
	post := get(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 100}, nil))(t)
	for _, c := range []struct{ given, want rand.Source }{{nil, rand.NewPCG(0, 1)}, {rand.NewPCG(5, 1), rand.NewPCG(5, 1)}} {
		v := get(newTwoInputs(df, d, post.Classes(), &ClassMapSettings{Draws: 3, Random: c.given}))(t)
		draws, average, err := v.posteriorDraws(post)
		if err != nil {
			t.Fatal(err)
		}
		want := get(post.Sample(3, c.want))(t)
		if !mat.Equal(draws, want) {
			t.Errorf("draws %v, want %v", mat.Formatted(draws), mat.Formatted(want))
		}
		eta := get(mlreg.Functions(v.grid, draws))(t)
		for i, p := range average {
			var mean float64
			for s := range 3 {
				mean += 1 / (1 + math.Exp(-eta.At(i, s))) / 3
			}
			if math.Abs(p-mean) > 1e-12 {
				t.Fatalf("row %d: average %v, want %v", i, p, mean)
			}
		}
	}
}
