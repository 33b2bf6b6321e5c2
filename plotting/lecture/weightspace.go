package lecture

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// WeightSpaceSettings are the options of WeightSpace.
type WeightSpaceSettings struct {
	// Truth are the true weights (w0, w1) of simulated data, marked in weight
	// space and drawn as a line in data space. The default is none.
	Truth []float64
	// Over is the part of weight space shown; the default reaches two prior
	// standard deviations from the prior mean, and to the truth.
	Over plotting.Rect
	// Lines is how many lines are drawn from each posterior; the default is 6.
	Lines int
	// Random is the source of the draws; the default nil is rand.NewPCG(0, 1), the
	// same draws every time.
	Random rand.Source
}

// WeightSpace shows Bayesian learning of a line y = w0 + w1 x, its noise
// variance known, as the rows of d arrive one by one. For every count in ns
// there is a row of panels: the likelihood of the newest observation as a
// function of (w0, w1), the posterior after so many observations with the
// ellipse that holds 95%, and lines drawn from that posterior
// over the data so far. A count of 0 shows the prior. The prior is purple, the likelihood and
// its point green, the posterior blue, the truth vermillion; the first row with a point has the legend.
// (Bishop, Pattern Recognition and Machine Learning, figure 3.7.)
//
// The prior is of both weights, the intercept first, as in FitBayes with
// PenalizeIntercept. Nil settings are the defaults. Errors: mlreg.ErrNoData without
// a design or a response; mlreg.ErrShape if it is not a line with an intercept;
// mlreg.ErrSetting for a count that is not one of 0 to n; those of FitBayes.
func WeightSpace(d *mlreg.Design, prior mlreg.GaussianPrior, noise mlreg.KnownVariance, ns []int, settings *WeightSpaceSettings) (*plotting.Figure, error) {
	w := weightSpace{d: d, prior: prior, noise: noise, s: check.OrDefaults(settings)}
	if err := w.check(ns); err != nil {
		return nil, fmt.Errorf("plotting: weight space: %w", err)
	}
	f := &plotting.Figure{Width: look.PageWidth, Height: 3.1 * float64(len(ns))}
	legend := max(0, slices.IndexFunc(ns, func(n int) bool { return n > 0 })) // its row
	for k, n := range ns {
		row, err := w.row(n, k == legend)
		if err != nil {
			return nil, fmt.Errorf("plotting: weight space after %s: %w", check.Plural(n, "observation"), err)
		}
		f.Panels = append(f.Panels, row)
	}
	f.Alt = fmt.Sprintf("learning of the line %s ~ %s after %v observations: likelihood of the newest, posterior of (w0, w1), lines drawn from it",
		d.Response, d.Names[0], ns)
	return f, nil
}

type weightSpace struct {
	d     *mlreg.Design
	prior mlreg.GaussianPrior
	noise mlreg.KnownVariance
	s     WeightSpaceSettings
	start *mlreg.Gaussian
	x     []float64
}

// check fills in the defaults.
func (w *weightSpace) check(ns []int) error {
	switch {
	case w.d == nil || w.d.Y == nil:
		return fmt.Errorf("%w: the design is nil or has no response", mlreg.ErrNoData)
	case w.d.NTerms() != 1 || w.d.NoIntercept:
		return fmt.Errorf("%w: the design has %s; a line has one and an intercept", mlreg.ErrShape, check.Plural(w.d.NTerms(), "term"))
	case w.s.Truth != nil && len(w.s.Truth) != 2:
		return fmt.Errorf("%w: %d true weights for (w0, w1)", mlreg.ErrShape, len(w.s.Truth))
	case len(ns) == 0:
		return fmt.Errorf("%w: no numbers of observations are given", mlreg.ErrSetting)
	case w.s.Lines < 0:
		return fmt.Errorf("%w: Lines = %d", mlreg.ErrSetting, w.s.Lines)
	}
	for _, n := range ns {
		if n < 0 || n > w.d.NObs() {
			return fmt.Errorf("%w: %d observations of %d", mlreg.ErrSetting, n, w.d.NObs())
		}
	}
	w.s.Lines = cmp.Or(w.s.Lines, 6)
	w.s.Random = check.Source(w.s.Random)
	var err error
	if w.start, err = w.prior2(); err != nil {
		return err
	}
	w.x = mat.Col(nil, 0, w.d.X)
	if w.s.Over == (plotting.Rect{}) {
		m, sd := w.start.Mean(), w.start.StdDev()
		const room = 2.55 // standard deviations: the ellipse has 2.45
		lo, hi := []float64{m[0] - room*sd[0], m[1] - room*sd[1]}, []float64{m[0] + room*sd[0], m[1] + room*sd[1]}
		for j, t := range w.s.Truth {
			lo[j], hi[j] = math.Min(lo[j], t-sd[j]/4), math.Max(hi[j], t+sd[j]/4)
		}
		w.s.Over = plotting.Rect{XMin: lo[0], XMax: hi[0], YMin: lo[1], YMax: hi[1]}
	}
	return nil
}

// prior2 returns the prior as a distribution.
func (w *weightSpace) prior2() (*mlreg.Gaussian, error) {
	mean := w.prior.Mean
	if mean == nil {
		mean = []float64{0, 0}
	}
	cov := w.prior.Cov
	if cov == nil {
		if !(w.prior.Tau2 > 0) || math.IsInf(w.prior.Tau2, 1) {
			return nil, fmt.Errorf("%w: prior variance tau^2 = %v", mlreg.ErrSetting, w.prior.Tau2)
		}
		cov = mat.NewDiagDense(2, []float64{w.prior.Tau2, w.prior.Tau2})
	}
	if len(mean) != 2 {
		return nil, fmt.Errorf("%w: a prior mean of %d values for (w0, w1)", mlreg.ErrShape, len(mean))
	}
	return mlreg.NewGaussian(mean, cov)
}

// posterior returns the distribution of the weights after n observations.
func (w *weightSpace) posterior(n int) (*mlreg.Gaussian, error) {
	if n == 0 {
		return w.start, nil
	}
	rows := make([]int, n) // the first
	for i := range rows {
		rows[i] = i
	}
	fit, err := mlreg.FitBayes(w.d.Rows(rows...), w.prior, w.noise, &mlreg.BayesSettings{PenalizeIntercept: true})
	if err != nil {
		return nil, err
	}
	return fit.Posterior()
}

func (w *weightSpace) row(n int, hasLegend bool) ([]*plot.Plot, error) {
	post, err := w.posterior(n)
	if err != nil {
		return nil, err
	}
	likelihood, err := w.likelihood(n)
	if err != nil {
		return nil, err
	}
	title := fmt.Sprintf("Posterior, n = %d", n)
	if n == 0 {
		title = "Prior"
	}
	tint := tintAfter(n)
	mean := post.Mean()
	top := post.LogProb(mean)
	weights, err := w.panel(title,
		plotting.Heat{F: func(w0, w1 float64) float64 { return math.Exp(post.LogProb([]float64{w0, w1}) - top) }, Over: w.s.Over, Color: tint},
		plotting.Ellipse{X: mean[0], Y: mean[1], Cov: post.Cov(), Level: 0.95, Color: tint, Width: 1})
	if err != nil {
		return nil, err
	}
	lines, err := w.dataSpace(n, hasLegend, post)
	if err != nil {
		return nil, err
	}
	return []*plot.Plot{likelihood, weights, lines}, nil
}

// tintAfter is the color of what is known after n observations: the prior's, then the posterior's.
func tintAfter(n int) color.NRGBA {
	if n == 0 {
		return plotting.Purple
	}
	return plotting.Blue
}

// panel draws layers in weight space, and the truth on them.
func (w *weightSpace) panel(title string, layers ...plotting.Layer) (*plot.Plot, error) {
	if t := w.s.Truth; t != nil {
		layers = append(layers, plotting.Points{X: t[:1], Y: t[1:], Color: plotting.Vermillion, Shape: plusGlyph{}, Radius: 5})
	}
	p := plotting.New(title, "intercept w₀", "slope w₁")
	if err := plotting.Add(p, layers...); err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = w.s.Over.XMin, w.s.Over.XMax, w.s.Over.YMin, w.s.Over.YMax
	return p, nil
}

// likelihood draws the likelihood of observation n; for n = 0 there is none.
func (w *weightSpace) likelihood(n int) (*plot.Plot, error) {
	if n == 0 {
		return nil, nil
	}
	newest := w.d.Rows(n - 1)
	if _, err := mlreg.LogLikelihood(newest, w.start.Mean(), float64(w.noise)); err != nil {
		return nil, err
	}
	return w.panel(fmt.Sprintf("Likelihood of point %d", n), plotting.Heat{
		F: func(w0, w1 float64) float64 {
			log, err := mlreg.LogLikelihood(newest, []float64{w0, w1}, float64(w.noise))
			if err != nil {
				return math.NaN()
			}
			return math.Exp(log)
		}, Over: w.s.Over, Color: plotting.Green,
	})
}

// plusGlyph is a cross of thin strokes, since what it marks may be small.
type plusGlyph struct{}

// DrawGlyph implements draw.GlyphDrawer.
func (plusGlyph) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, pt vg.Point) {
	l := draw.LineStyle{Color: style.Color, Width: vg.Points(1)}
	c.StrokeLine2(l, pt.X-style.Radius, pt.Y, pt.X+style.Radius, pt.Y)
	c.StrokeLine2(l, pt.X, pt.Y-style.Radius, pt.X, pt.Y+style.Radius)
}

// dataSpace draws lines from the posterior, with or without the legend of all rows.
func (w *weightSpace) dataSpace(n int, hasLegend bool, post *mlreg.Gaussian) (*plot.Plot, error) {
	draws, err := post.Sample(w.s.Lines, w.s.Random)
	if err != nil {
		return nil, err
	}
	left, right := slices.Min(w.x), slices.Max(w.x)
	ends := []float64{left - 0.05*(right-left), right + 0.05*(right-left)}
	at := func(w0, w1 float64) []float64 { return []float64{w0 + w1*ends[0], w0 + w1*ends[1]} }
	named := func(name string) string {
		if !hasLegend {
			return ""
		}
		return name
	}
	var layers []plotting.Layer
	for i := range w.s.Lines {
		layers = append(layers, plotting.Line{X: ends, Y: at(draws.At(i, 0), draws.At(i, 1)), Color: plotting.Fade(tintAfter(n), 0.6), Width: 1.2})
	}
	if t := w.s.Truth; t != nil {
		layers = append(layers, plotting.Line{X: ends, Y: at(t[0], t[1]), Color: plotting.Vermillion, Dashed: true, Width: 1.2, Name: named("truth")})
	}
	if n > 0 {
		layers = append(layers, plotting.Points{X: w.x[:n], Y: w.d.Y[:n], Color: plotting.Black},
			plotting.Points{X: w.x[n-1 : n], Y: w.d.Y[n-1 : n], Color: plotting.Green, Radius: 4, Name: named("newest point")})
	}
	from := " from the posterior"
	if n == 0 {
		from = " from the prior"
	}
	p := plotting.New(check.Plural(w.s.Lines, "line")+from, w.d.Names[0], w.d.Response)
	if err := plotting.Add(p, layers...); err != nil {
		return nil, err
	}
	low, high := slices.Min(w.d.Y), slices.Max(w.d.Y)
	margin := math.Max(0.4*(high-low), math.Sqrt(float64(w.noise)))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = ends[0], ends[1], low-margin, high+margin
	return p, nil
}
