package lecture

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// LogisticPosteriorSettings are the options of LogisticPosterior.
type LogisticPosteriorSettings struct {
	// Weights are some vectors (w1, w2), each marked by its number in weight
	// space and drawn in data space as the line w1 x1 + w2 x2 = 0. The default
	// is none.
	Weights [][]float64
	// Over is the part of weight space shown; the default reaches four posterior
	// standard deviations from the mode, and to the origin.
	Over plotting.Rect
}

// LogisticPosterior shows in four panels how prior and data give the posterior of
// a logistic regression with two weights and no intercept: the data, with lines
// w'x = 0; contours of the log prior; of the log-likelihood; and of the log
// posterior, with those of Laplace's approximation dashed. Contours of the posterior are 1/2, 2,
// 9/2 ... below its largest logarithm: for a normal density, 1, 2, 3
// ... standard deviations from the mode. In the panels of prior and likelihood each contour is twice as
// far below the largest as the one before. If the data are separated, the
// likelihood has no maximum: the dashed ray is the direction in which it grows
// without end, the limit of ridge fits as lambda goes to 0. (Murphy, Machine
// Learning: A Probabilistic Perspective, figure 8.5.)
//
// Nil settings are the defaults. Errors: mlreg.ErrShape if the design does not
// have two terms or has an intercept, or if a vector of Weights does not have
// two elements, and those of FitBayesLogistic.
func LogisticPosterior(d *mlreg.Design, prior mlreg.GaussianPrior, settings *LogisticPosteriorSettings) (_ *plotting.Figure, err error) {
	defer check.Named("logistic posterior", &err)
	s := check.OrDefaults(settings)
	if err := s.check(d); err != nil {
		return nil, err
	}
	post, err := mlreg.FitBayesLogistic(d, prior, nil)
	if err != nil {
		return nil, err
	}
	mode, sd := post.Coef(), post.Posterior().StdDev()
	if s.Over == (plotting.Rect{}) {
		reach := func(j int) (low, high float64) {
			return math.Min(0, mode[j]-4*sd[j]), math.Max(0, mode[j]+4*sd[j])
		}
		s.Over.XMin, s.Over.XMax = reach(0)
		s.Over.YMin, s.Over.YMax = reach(1)
	}
	data, err := separatingLines(d, post.Classes(), s.Weights)
	if err != nil {
		return nil, err
	}
	panels, err := densityPanels(post, d, s)
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, append([]*plot.Plot{data}, panels...)...)
	f.Alt = fmt.Sprintf("data of two classes with lines; log prior, log-likelihood and log posterior of the two weights, with Laplace's approximation at the mode (%s, %s)",
		format.Number(mode[0], 3), format.Number(mode[1], 3))
	return f, nil
}

// densityPanels are the log prior, the log-likelihood and their sum, over the two weights.
func densityPanels(post *mlreg.BayesLogistic, d *mlreg.Design, s LogisticPosteriorSettings) ([]*plot.Plot, error) {
	logLik := func(x, y float64) float64 {
		l, err := post.LogLikAt(d, []float64{x, y})
		if err != nil {
			return math.NaN()
		}
		return l
	}
	logPrior := func(x, y float64) float64 { return post.LogPriorAt([]float64{x, y}) }
	logPost := func(x, y float64) float64 { return logLik(x, y) + logPrior(x, y) }
	ray, err := greatestLikelihood(d, s.Over)
	if err != nil {
		return nil, err
	}
	likelihoodTitle := "Log-likelihood"
	if _, rises := ray[0].(plotting.Line); rises {
		likelihoodTitle += " (dashed: rises forever)"
	}
	var panels []*plot.Plot
	for _, panel := range []struct {
		title  string
		f      func(x, y float64) float64
		on     []plotting.Layer
		radius float64 // of the contours, at most
	}{
		{"Log prior", logPrior, nil, 0},
		{likelihoodTitle, logLik, ray, 0},
		{"Log posterior", logPost, laplaceEllipses(post), 3},
	} {
		levels, err := dropLevels(panel.f, s.Over, panel.radius)
		if err != nil {
			return nil, err
		}
		layers := append([]plotting.Layer{plotting.Contours{F: panel.f, Over: s.Over, Levels: levels, Color: plotting.Blue, N: 160}}, panel.on...)
		p, err := weightPanel(panel.title, d.Names, s, layers)
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	return panels, nil
}

// check refuses designs that are not of two weights alone, and Weights of other lengths.
func (s *LogisticPosteriorSettings) check(d *mlreg.Design) error {
	if d == nil || d.Y == nil {
		return fmt.Errorf("%w: the design is nil or has no response", mlreg.ErrNoData)
	}
	if d.NTerms() != 2 || !d.NoIntercept {
		return fmt.Errorf("%w: the design has %s (intercept: %v); the plane of weights needs two and no intercept", mlreg.ErrShape, check.Plural(d.NTerms(), "term"), !d.NoIntercept)
	}
	for i, w := range s.Weights {
		if len(w) != 2 {
			return fmt.Errorf("%w: vector %d of Weights has %d elements; it is (w1, w2)", mlreg.ErrShape, i+1, len(w))
		}
	}
	return nil
}

// laplaceEllipses marks the mode, and one to three standard deviations by Laplace's approximation.
func laplaceEllipses(post *mlreg.BayesLogistic) []plotting.Layer {
	mode := post.Coef()
	at := plotting.Points{X: mode[:1], Y: mode[1:2], Color: plotting.Black, Name: "mode"}
	layers := []plotting.Layer{at}
	for q := 1; q <= 3; q++ {
		e := plotting.Ellipse{X: mode[0], Y: mode[1], Cov: post.PosteriorCov(), Radius: float64(q), Color: plotting.Black, Dashed: true}
		if q == 1 {
			e.Name = "Laplace"
		}
		layers = append(layers, e)
	}
	return layers
}

// dropLevels returns the values at q = 1, 2, ... standard deviations of a normal
// density below the largest on the rectangle; if radius is 0, those that fill
// it, doubling from one another.
func dropLevels(f func(x, y float64) float64, over plotting.Rect, radius float64) ([]float64, error) {
	const cells = 60
	low, high := math.Inf(1), math.Inf(-1)
	for i := range cells * cells {
		at := func(from, to float64, k int) float64 { return from + (to-from)*(float64(k)+0.5)/cells }
		v := f(at(over.XMin, over.XMax, i%cells), at(over.YMin, over.YMax, i/cells))
		if math.IsInf(v, 0) {
			return nil, fmt.Errorf("%w: the logarithm is %v in the rectangle of weights", mlreg.ErrNotFinite, v)
		}
		if !math.IsNaN(v) {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	var levels []float64
	if radius > 0 {
		for i := range int(radius) {
			q := float64(i + 1)
			levels = append(levels, high-q*q/2)
		}
		return levels, nil
	}
	step := math.Min(0.5, (high-low)/16)
	for k := range mostDrops {
		if drop := math.Ldexp(step, k); drop > 0 && drop < high-low {
			levels = append(levels, high-drop)
		}
	}
	return levels, nil
}

// mostDrops is how many levels dropLevels returns at most: the last is 2^40 below
// the first.
const mostDrops = 40

// weightPanel draws layers in weight space, and the numbered weights.
func weightPanel(title string, names []string, s LogisticPosteriorSettings, layers []plotting.Layer) (*plot.Plot, error) {
	for i, w := range s.Weights {
		layers = append(layers, plotting.Points{X: w[:1], Y: w[1:2], Color: plotting.Palette(i + 2), Radius: 6},
			plotting.Note{X: w[0], Y: w[1], Text: fmt.Sprint(i + 1), Color: plotting.Black, Side: plotting.Centered})
	}
	p, err := plotting.Draw(plotting.Labels{Title: title, X: "weight of " + names[0], Y: "weight of " + names[1]}, layers...)
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = s.Over.XMin, s.Over.XMax, s.Over.YMin, s.Over.YMax
	return p, nil
}

// greatestLikelihood returns the maximum of the likelihood, or the ray along
// which it grows.
func greatestLikelihood(d *mlreg.Design, over plotting.Rect) ([]plotting.Layer, error) {
	separated, err := mlreg.CheckSeparation(d)
	if err != nil {
		return nil, err
	}
	if separated == nil {
		fit, err := mlreg.FitLogistic(d, nil)
		if err != nil {
			return nil, err
		}
		w := fit.Coef()
		return []plotting.Layer{plotting.Points{X: w[:1], Y: w[1:2], Color: plotting.Black, Name: "maximum"}}, nil
	}
	fit, err := mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 1e-6})
	if err != nil {
		return nil, err
	}
	w := fit.Coef()
	length := math.Hypot(over.XMax-over.XMin, over.YMax-over.YMin) / math.Hypot(w[0], w[1])
	return []plotting.Layer{plotting.Line{X: []float64{0, length * w[0]}, Y: []float64{0, length * w[1]}, Color: plotting.Black, Dashed: true}}, nil
}

// separatingLines draws the data and the lines w'x = 0.
func separatingLines(d *mlreg.Design, classes []string, weights [][]float64) (*plot.Plot, error) {
	x, y := mat.Col(nil, 0, d.X), mat.Col(nil, 1, d.X)
	var over plotting.Rect
	over.XMin, over.XMax = around(x)
	over.YMin, over.YMax = around(y)
	far := math.Hypot(math.Max(math.Abs(over.XMin), math.Abs(over.XMax)), math.Max(math.Abs(over.YMin), math.Abs(over.YMax)))
	var layers []plotting.Layer
	for i, w := range weights {
		length := math.Hypot(w[0], w[1])
		if !(length > 0) || math.IsInf(length, 1) {
			return nil, fmt.Errorf("%w: the weights %v have no line", mlreg.ErrSetting, w)
		}
		reach := far / length
		layers = append(layers, plotting.Line{X: []float64{-reach * w[1], reach * w[1]}, Y: []float64{reach * w[0], -reach * w[0]},
			Color: plotting.Palette(i + 2)}, lineNumber(over, w, i+1))
	}
	label := func(class float64) string {
		if d.Classes == nil {
			return format.Number(class, 15)
		}
		return d.Classes[int(class)]
	}
	for k, name := range classes {
		var of plotting.Points
		for i, class := range d.Y {
			if label(class) == name {
				of.X, of.Y = append(of.X, x[i]), append(of.Y, y[i])
			}
		}
		if len(of.X) > 0 {
			of.Color, of.Name = plotting.Palette(k), name
			layers = append(layers, of)
		}
	}
	p, err := plotting.Draw(plotting.Labels{Title: "Data", X: d.Names[0], Y: d.Names[1]}, layers...)
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = over.XMin, over.XMax, over.YMin, over.YMax
	return p, nil
}

// lineNumber writes the number of a line w'x = 0 where the line leaves the upper part of the rectangle.
func lineNumber(over plotting.Rect, w []float64, number int) plotting.Note {
	const inside = 0.8 // of the way from the origin to the edge
	dx, dy := -w[1], w[0]
	if dy < 0 {
		dx, dy = -dx, -dy
	}
	reach := math.Inf(1)
	if dy > 0 {
		reach = over.YMax / dy
	}
	if dx > 0 {
		reach = math.Min(reach, over.XMax/dx)
	} else if dx < 0 {
		reach = math.Min(reach, over.XMin/dx)
	}
	return plotting.Note{X: inside * reach * dx, Y: inside * reach * dy, Text: fmt.Sprint(number), Color: plotting.Black}
}

// around returns the range of x, and a tenth of it on both sides.
func around(x []float64) (low, high float64) {
	low, high = slices.Min(x), slices.Max(x)
	reach := (high - low) / 10
	return low - reach, high + reach
}
