package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// PredictiveSettings are the options of PredictivePlot and PredictivePanels.
type PredictiveSettings struct {
	// Input names the column of the frame that is the horizontal axis. The
	// default is the only column that is not the response.
	Input string
	// From and To are the ends of the horizontal axis. The default, both 0,
	// extends the range of the data by a quarter on each side.
	From, To float64
	// Level is the probability of the bands; the default is 0.6827, one
	// standard deviation on both sides of the mean if the distribution is
	// normal.
	Level float64
	// Truth is the true function behind simulated data.
	Truth func(x float64) float64
	// Color is the color of mean and inner band in PredictivePlot, and TruthColor that of the truth;
	// the defaults are Blue and Vermillion.
	Color, TruthColor color.Color
	// PlugIn is the fit whose weights PredictivePanels plugs in, such as that of least
	// squares, of maximum likelihood; the default nil is the posterior mean.
	PlugIn interface {
		Predict(*mlreg.Design) ([]float64, error)
	}
	// Samples is the number of functions drawn; the default is 10.
	Samples int
	// Random is the source of the draws; the default nil is rand.NewPCG(0, 1), the
	// same draws every time.
	Random rand.Source
	// Title is that of the figure, or of the plot; the default is none for a
	// figure and the level for a plot.
	Title string
}

// PredictivePlot draws a Bayesian fit of one input: the data, the posterior mean,
// the band for f(x) = E[y|x] and the wider band for a new y. Both are pointwise,
// with the probability Level. The outer band adds the noise; the inner band is
// the uncertainty about f and widens away from the data.
//
// The design d was made by frames.Design from df, or has some of its rows, and was
// fitted; the basis functions of its formula are computed at every x of the curves.
// Nil settings are the defaults. Errors: mlreg.ErrNoData without a fit, a design or
// a response; mlreg.ErrSetting if the input is ambiguous or a setting is out of
// range; those of frames.DesignLike if d needs other columns than the input.
func PredictivePlot(fit *mlreg.Bayes, d *mlreg.Design, df dataframe.DataFrame, settings *PredictiveSettings) (*plot.Plot, error) {
	v, err := newPredictive(fit, d, df, settings)
	if err != nil {
		return nil, err
	}
	full, err := fit.Predictive(v.grid, v.s.Level)
	if err != nil {
		return nil, err
	}
	percent := format.Number(100*v.s.Level, 4) + "%"
	title := cmp.Or(v.s.Title, "Posterior predictive, "+percent)
	curve := v.s.Color
	if curve == nil {
		curve = Blue
	}
	return v.draw(title,
		Ribbon{X: v.at, Lower: full.LowerObs, Upper: full.UpperObs, Color: Gray, Opacity: 0.2, Name: "new y"},
		Ribbon{X: v.at, Lower: full.LowerMean, Upper: full.UpperMean, Color: curve, Opacity: 0.35, Name: "f(x)"},
		Line{X: v.at, Y: full.Mean, Color: curve, Name: "posterior mean"})
}

// PredictivePanels compares the posterior of the weights with their best value,
// in four panels on common axes: the plug-in distribution of a new y, N(w'x,
// sigma^2), whose band has the same width everywhere, w being the posterior mean or the
// weights of the setting PlugIn; the posterior predictive distribution, whose band
// widens away from the data; functions under the plug-in, which are all the same; and
// functions drawn from the posterior.
// (Murphy, Machine Learning: A Probabilistic Perspective, figure 7.12.)
// Arguments and errors are those of PredictivePlot.
func PredictivePanels(fit *mlreg.Bayes, d *mlreg.Design, df dataframe.DataFrame, settings *PredictiveSettings) (*Figure, error) {
	v, err := newPredictive(fit, d, df, settings)
	if err != nil {
		return nil, err
	}
	plug, err := v.plugIn(fit)
	if err != nil {
		return nil, err
	}
	full, err := fit.Predictive(v.grid, v.s.Level)
	if err != nil {
		return nil, err
	}
	sampled, err := fit.SampleFunctions(v.grid, v.s.Samples, check.Source(v.s.Random))
	if err != nil {
		return nil, err
	}
	percent := format.Number(100*v.s.Level, 3) + "%"
	bands := func(p *mlreg.Predictive) []Layer {
		return []Layer{Ribbon{X: v.at, Lower: p.LowerObs, Upper: p.UpperObs, Color: Blue, Opacity: 0.25, Name: "new y, " + percent},
			Line{X: v.at, Y: p.Mean, Color: Blue, Name: "mean"}}
	}
	var functions []Layer
	for s := range v.s.Samples {
		functions = append(functions, Line{X: v.at, Y: mat.Col(nil, s, sampled), Color: Fade(Blue, 0.7), Width: 1.1})
	}
	count := check.Plural(v.s.Samples, "function")
	var panels []*plot.Plot
	for _, panel := range []struct {
		title  string
		layers []Layer
	}{
		{"(a) plug-in", bands(plug)},
		{"(b) posterior predictive", bands(full)},
		{"(c) plug-in: " + count + ", all equal", []Layer{Line{X: v.at, Y: plug.Mean, Color: Blue}}},
		{"(d) " + count + " from the posterior", functions},
	} {
		p, err := v.draw(panel.title, panel.layers...)
		if err != nil {
			return nil, err
		}
		if len(panels) > 0 {
			p.Legend = plot.NewLegend() // the first panel's is that of all
		}
		panels = append(panels, p)
	}
	sameHeights(panels)
	f := Grid(2, panels...)
	f.Title, f.ShareX, f.ShareY, f.Height = v.s.Title, true, true, 6.6
	f.Alt = fmt.Sprintf("plug-in and posterior predictive distribution of %s against %s, bands of %s%%, and %s from each",
		d.Response, v.oneInput.s.Input, format.Number(100*v.s.Level, 4), count)
	return f, nil
}

// plugIn returns the plug-in distribution along the curves: about the posterior mean, or
// about the predictions of the setting PlugIn.
func (v *predictive) plugIn(fit *mlreg.Bayes) (*mlreg.Predictive, error) {
	plug, err := fit.PlugIn(v.grid, v.s.Level)
	if err != nil || check.IsNil(v.s.PlugIn) {
		return plug, err
	}
	mean, err := v.s.PlugIn.Predict(v.grid)
	if err != nil {
		return nil, fmt.Errorf("plotting: predictive: the fit plugged in: %w", err)
	}
	for i, y := range mean {
		shift := y - plug.Mean[i]
		plug.Mean[i], plug.LowerObs[i], plug.UpperObs[i] = y, plug.LowerObs[i]+shift, plug.UpperObs[i]+shift
	}
	return plug, nil
}

// predictive is a Bayesian fit of one input.
type predictive struct {
	*oneInput
	s PredictiveSettings
}

func newPredictive(fit *mlreg.Bayes, d *mlreg.Design, df dataframe.DataFrame, settings *PredictiveSettings) (*predictive, error) {
	v := &predictive{s: check.OrDefaults(settings)}
	if err := v.prepare(fit, d, df); err != nil {
		return nil, fmt.Errorf("plotting: predictive: %w", err)
	}
	return v, nil
}

func (v *predictive) prepare(fit *mlreg.Bayes, d *mlreg.Design, df dataframe.DataFrame) error {
	if fit == nil || d == nil || d.Y == nil {
		return fmt.Errorf("%w: the fit or the design is nil, or the design has no response", mlreg.ErrNoData)
	}
	v.s.Level = cmp.Or(v.s.Level, math.Erf(1/math.Sqrt2))
	v.s.Samples = cmp.Or(v.s.Samples, 10)
	if v.s.Samples < 0 {
		return fmt.Errorf("%w: Samples = %d", mlreg.ErrSetting, v.s.Samples)
	}
	var err error
	v.oneInput, err = newOneInput(d, df, CurveSettings{Input: v.s.Input, From: v.s.From, To: v.s.To, Truth: v.s.Truth, TruthColor: v.s.TruthColor}, 0.25)
	return err
}
