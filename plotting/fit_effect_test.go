package plotting

import (
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// effectOf returns the effect of a column in a least-squares fit of the prostate data.
func effectOf(t *testing.T, formula, over string, s *frames.EffectSettings) *frames.Effect {
	t.Helper()
	df := datasets.Prostate()
	d := get(frames.Design(df, formula))(t)
	fit := get(mlreg.FitOLS(d, nil))(t)
	e := get(frames.Effects(fit, df, over, 0.95, s))(t)
	return e
}

func TestGoldenEffect(t *testing.T) {
	var plots []*plot.Plot
	for _, e := range []*frames.Effect{
		effectOf(t, "lpsa ~ poly(lcavol, 2) + age + factor(svi)", "lcavol", &frames.EffectSettings{Residuals: true}),
		effectOf(t, "lpsa ~ poly(lcavol, 2)*factor(svi) + age", "lcavol", &frames.EffectSettings{By: "svi"}),
		effectOf(t, "lpsa ~ lcavol + factor(gleason)", "gleason", nil),
		effectOf(t, "lpsa ~ lcavol + factor(gleason) + factor(svi)", "gleason", &frames.EffectSettings{By: "svi"}),
	} {
		p := get(Effect(e))(t)
		plots = append(plots, p)
	}
	checkImage(t, "effect", Grid(2, plots...))
}

// The layers have the numbers of the effect.
func TestEffectLayers(t *testing.T) {
	e := effectOf(t, "lpsa ~ lcavol * factor(svi) + age", "lcavol", &frames.EffectSettings{By: "svi", Points: 5})
	f := newEffectFigure(e)
	layers := f.fit("1", Blue)
	band, line := layers[0].(Ribbon), layers[1].(Line)
	if len(layers) != 2 || !slices.Equal(line.Y, e.Fitted[5:]) || !slices.Equal(line.X, e.X[5:]) || !slices.Equal(band.Lower, e.Confidence.Lower[5:]) {
		t.Errorf("layers of svi = 1: %v", layers)
	}
	var n int
	for _, l := range f.observations() {
		n += len(l.(Points).Y)
	}
	if n != 97 {
		t.Errorf("%d observations", n)
	}
	one := newEffectFigure(effectOf(t, "lpsa ~ lcavol", "lcavol", nil)).fit("", Blue)
	if prediction, confidence := one[0].(Ribbon), one[1].(Ribbon); prediction.Name != "95% prediction" || confidence.Name != "95% confidence" {
		t.Errorf("bands %q and %q", prediction.Name, confidence.Name)
	}
	bars := newEffectFigure(effectOf(t, "lpsa ~ factor(svi) + age", "svi", nil)).fit("", Blue)
	if l := bars[1].(ErrorBars); !slices.Equal(l.X, []float64{0, 1}) || l.Lower[0] >= l.Y[0] {
		t.Errorf("limits %v", l)
	}
}

// A fit without a band has a curve alone; a long list of what is held is shortened.
func TestEffectWithoutBand(t *testing.T) {
	df := datasets.Prostate()
	d := get(frames.Design(df, "lpsa ~ . - train"))(t)
	ridge := get(mlreg.FitRidge(d, 1, nil))(t)
	e := get(frames.Effects(ridge, df, "age", 0.9, nil))(t)
	p := get(Effect(e))(t)
	if got := newEffectFigure(e).fit("", Blue); len(got) != 1 || p.X.Label.Text != "age (7 other columns held)" {
		t.Errorf("%d layers, %q", len(got), p.X.Label.Text)
	}
}

func TestEffectErrors(t *testing.T) {
	for _, e := range []*frames.Effect{nil, {}} {
		if _, err := Effect(e); !errors.Is(err, mlreg.ErrNoData) {
			t.Errorf("%v", err)
		}
	}
	for _, e := range []frames.Effect{{Fitted: []float64{1}}, {Fitted: []float64{1}, X: []float64{1}, By: "g", Groups: []string{"a", "b"}}} {
		if _, err := Effect(&e); !errors.Is(err, mlreg.ErrShape) {
			t.Errorf("%v", err)
		}
	}
}

// A design that was made from another frame is refused, whatever its number of rows;
// one of the same inputs with other responses is not.
func TestFitCurvesOfAnotherFrame(t *testing.T) {
	df := wave(t)
	fit := curve(t, df, "y ~ poly(x, 3)")
	x := get(frames.Floats(df, "x"))(t)
	other := make([]float64, len(x))
	for i := range other {
		other[i] = math.Sqrt(x[i] + 0.1)
	}
	moved := get(frames.Frame(frames.Col("x", other), frames.Col("y", df.Col("y").Float())))(t)
	if _, err := FitCurves(moved, nil, fit); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("a frame of other inputs: %v", err)
	}
	flat := get(frames.Frame(frames.Col("x", x), frames.Col("y", make([]float64, len(x)))))(t)
	if _, err := FitCurves(flat, nil, fit); err != nil {
		t.Errorf("a frame of other responses: %v", err)
	}
}
