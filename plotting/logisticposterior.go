package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
)

// LogisticPosteriorSettings are the options of LogisticPosterior.
type LogisticPosteriorSettings struct {
	// Weights are some vectors (w1, w2), each marked by its number in weight
	// space and drawn in data space as the line w1 x1 + w2 x2 = 0. The default
	// is none.
	Weights [][]float64
	// Over is the part of weight space shown; the default reaches four posterior
	// standard deviations from the mode, and to the origin.
	Over Rect
}

// LogisticPosterior shows in four panels how the posterior of a logistic
// regression of two weights, without an intercept, comes about: the data, with
// lines w'x = 0; contours of the log prior; of the log-likelihood; and of the log
// posterior, with those of Laplace's approximation dashed. Contours are where
// the logarithm is so much below its largest value in the panel that a normal
// density is 1, 2, 3 ... standard deviations from its mode: 1/2, 2, 9/2 .... If
// the data are separated, the likelihood has no maximum: the dashed ray is the
// direction in which it grows for ever, that of ridge fits with lambda toward 0.
// (Murphy, Machine Learning: A Probabilistic Perspective, figure 8.5.)
//
// Nil settings are the defaults. Errors: mlreg.ErrShape if the design has not
// two terms or has an intercept, or a vector of Weights not two elements, and
// those of FitBayesLogistic.
func LogisticPosterior(d *mlreg.Design, prior mlreg.GaussianPrior, settings *LogisticPosteriorSettings) (*Figure, error) {
	f, err := logisticPosterior(d, prior, settings)
	if err != nil {
		return nil, fmt.Errorf("plotting: logistic posterior: %w", err)
	}
	return f, nil
}

func logisticPosterior(d *mlreg.Design, prior mlreg.GaussianPrior, settings *LogisticPosteriorSettings) (*Figure, error) {
	var s LogisticPosteriorSettings
	if settings != nil {
		s = *settings
	}
	if d == nil || d.Y == nil {
		return nil, fmt.Errorf("%w: the design is nil or has no response", mlreg.ErrNoData)
	}
	if d.NTerms() != 2 || !d.NoIntercept {
		return nil, fmt.Errorf("%w: the design has %s (intercept: %v); the plane of weights needs two and no intercept", mlreg.ErrShape, plural(d.NTerms(), "term"), !d.NoIntercept)
	}
	for i, w := range s.Weights {
		if len(w) != 2 {
			return nil, fmt.Errorf("%w: vector %d of Weights has %d elements; it is (w1, w2)", mlreg.ErrShape, i+1, len(w))
		}
	}
	post, err := mlreg.FitBayesLogistic(d, prior, nil)
	if err != nil {
		return nil, err
	}
	mode, sd := post.Coef(), post.Posterior().StdDev()
	if s.Over == (Rect{}) {
		reach := func(j int) (low, high float64) {
			return math.Min(0, mode[j]-4*sd[j]), math.Max(0, mode[j]+4*sd[j])
		}
		s.Over.XMin, s.Over.XMax = reach(0)
		s.Over.YMin, s.Over.YMax = reach(1)
	}
	if err := s.Over.check("weights"); err != nil {
		return nil, err
	}
	data, err := separatingLines(d, post.Classes(), s.Weights)
	if err != nil {
		return nil, err
	}
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
	at := Points{X: mode[:1], Y: mode[1:2], Color: Vermillion, Name: "mode"}
	laplace := []Layer{at}
	for q := 1; q <= 3; q++ {
		e := Ellipse{X: mode[0], Y: mode[1], Cov: post.PosteriorCov(), Radius: float64(q), Color: Vermillion, Dashed: true}
		if q == 1 {
			e.Name = "Laplace"
		}
		laplace = append(laplace, e)
	}
	panels := []*plot.Plot{data}
	for _, panel := range []struct {
		title  string
		f      func(x, y float64) float64
		on     []Layer
		radius float64 // of the contours, at most
	}{
		{"Log prior", logPrior, nil, 0},
		{"Log-likelihood", logLik, ray, 0},
		{"Log posterior", logPost, laplace, 3},
	} {
		levels, err := dropLevels(panel.f, s.Over, panel.radius)
		if err != nil {
			return nil, err
		}
		layers := append([]Layer{Contours{F: panel.f, Over: s.Over, Levels: levels, Color: Blue, N: 160}}, panel.on...)
		p, err := weightPanel(panel.title, d.Names, s, layers)
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	f := Grid(2, panels...)
	f.Alt = fmt.Sprintf("data of two classes with lines; log prior, log-likelihood and log posterior of the two weights, with Laplace's approximation at the mode (%s, %s)",
		Number(mode[0], 3), Number(mode[1], 3))
	return f, nil
}

// dropLevels returns the values at q = 1, 2, ... standard deviations of a normal
// density below the largest on the rectangle; if radius is 0, those that fill
// it, doubling from one another.
func dropLevels(f func(x, y float64) float64, over Rect, radius float64) ([]float64, error) {
	g, err := sample("weights", f, over, 60, 60)
	if err != nil {
		return nil, err
	}
	low, high := g.extremes()
	var levels []float64
	if radius > 0 {
		for q := 1.0; q <= radius; q++ {
			levels = append(levels, high-q*q/2)
		}
		return levels, nil
	}
	step := math.Min(0.5, (high-low)/16)
	for drop := step; drop < high-low; drop *= 2 {
		levels = append(levels, high-drop)
	}
	return levels, nil
}

// weightPanel draws layers in weight space, and the numbered weights.
func weightPanel(title string, names []string, s LogisticPosteriorSettings, layers []Layer) (*plot.Plot, error) {
	for i, w := range s.Weights {
		layers = append(layers, Points{X: w[:1], Y: w[1:2], Color: Palette(i + 2), Radius: 6},
			Note{X: w[0], Y: w[1], Text: fmt.Sprint(i + 1), Color: Black, Side: Centered})
	}
	p, err := Draw(Labels{Title: title, X: "weight of " + names[0], Y: "weight of " + names[1]}, layers...)
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = s.Over.XMin, s.Over.XMax, s.Over.YMin, s.Over.YMax
	return p, nil
}

// greatestLikelihood returns the maximum of the likelihood, or the ray along
// which it grows.
func greatestLikelihood(d *mlreg.Design, over Rect) ([]Layer, error) {
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
		return []Layer{Points{X: w[:1], Y: w[1:2], Color: Vermillion, Name: "maximum"}}, nil
	}
	fit, err := mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 1e-6})
	if err != nil {
		return nil, err
	}
	w := fit.Coef()
	length := math.Hypot(over.XMax-over.XMin, over.YMax-over.YMin) / math.Hypot(w[0], w[1])
	return []Layer{Line{X: []float64{0, length * w[0]}, Y: []float64{0, length * w[1]}, Color: Vermillion, Dashed: true, Name: "grows for ever"}}, nil
}

// separatingLines draws the data and the lines w'x = 0.
func separatingLines(d *mlreg.Design, classes []string, weights [][]float64) (*plot.Plot, error) {
	v := &twoInputs{classes: classes, x: mat.Col(nil, 0, d.X), y: mat.Col(nil, 1, d.X)}
	v.s.X, v.s.Y = d.Names[0], d.Names[1]
	v.s.Over.XMin, v.s.Over.XMax = around(v.x)
	v.s.Over.YMin, v.s.Over.YMax = around(v.y)
	if err := v.findClasses(d); err != nil {
		return nil, err
	}
	var layers []Layer
	for i, w := range weights {
		length := math.Hypot(w[0], w[1])
		if !(length > 0) || math.IsInf(length, 1) {
			return nil, fmt.Errorf("%w: the weights %v have no line", mlreg.ErrSetting, w)
		}
		o := v.s.Over
		far := math.Hypot(math.Max(math.Abs(o.XMin), math.Abs(o.XMax)), math.Max(math.Abs(o.YMin), math.Abs(o.YMax))) / length
		layers = append(layers, Line{X: []float64{-far * w[1], far * w[1]}, Y: []float64{far * w[0], -far * w[0]},
			Color: Palette(i + 2), Name: fmt.Sprintf("%d: w = (%s, %s)", i+1, Number(w[0], 3), Number(w[1], 3))})
	}
	return v.draw("Data", layers...)
}
