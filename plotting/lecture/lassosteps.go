package lecture

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
)

// OneCoordinate draws the lasso's objective RSS + lambda |w| of a design with a single
// term, as a function of its weight w, for one or more penalties: a parabola with a kink at zero, which
// becomes deeper with lambda until the minimum, a point, slides into it. Errors:
// mlreg.ErrNoData without a design or a penalty, mlreg.ErrShape if the design does not
// have one term, and those of FitLasso.
func OneCoordinate(d *mlreg.Design, lambda ...float64) (_ *plotting.Figure, err error) {
	defer check.Named("one coordinate", &err)
	m, err := momentsOfOne(d)
	if err != nil {
		return nil, err
	}
	if len(lambda) == 0 {
		return nil, fmt.Errorf("%w: no penalties", mlreg.ErrNoData)
	}
	least := m.SXY()[0] / m.SXX().At(0, 0)
	from, to := math.Min(-0.5*least, 1.5*least), math.Max(-0.5*least, 1.5*least)
	var panels []*plot.Plot
	for _, l := range lambda {
		fit, err := mlreg.FitLasso(d, l, &mlreg.LassoSettings{Gap: 1e-12})
		if err != nil {
			return nil, err
		}
		w := fit.Slopes()[0]
		objective := func(w float64) float64 { return rssOf(m, w) + l*math.Abs(w) }
		p, err := plotting.Draw(plotting.Labels{
			Title: fmt.Sprintf("λ = %s, w = %s", format.Number(l, 3), format.Number(w, 3)),
			X:     "weight of " + d.Names[0], Y: "RSS + λ|w|",
		}, plotting.Curve{F: objective, From: from, To: to}, plotting.VLine{X: 0},
			plotting.Points{X: []float64{w}, Y: []float64{objective(w)}, Color: plotting.Vermillion, Radius: 4})
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	f := plotting.Grid(min(3, len(panels)), panels...)
	f.ShareY = true
	f.Alt = fmt.Sprintf("the objective RSS + λ|w| against the weight of %s for λ = %v, with its minimum", d.Names[0], lambda)
	return f, nil
}

// momentsOfOne returns the moments of a design of one term.
func momentsOfOne(d *mlreg.Design) (*mlreg.Moments, error) {
	if d == nil {
		return nil, fmt.Errorf("%w: the design is nil", mlreg.ErrNoData)
	}
	if d.NTerms() != 1 {
		return nil, fmt.Errorf("%w: the design has %s, not 1; see Design.Select", mlreg.ErrShape, check.Plural(d.NTerms(), "term"))
	}
	return d.Moments()
}

// rssOf is the residual sum of squares at some weights, the intercept fitted.
func rssOf(m *mlreg.Moments, w ...float64) float64 {
	v, xx := mat.NewVecDense(len(w), w), m.SXX()
	return m.SYY() - 2*floats.Dot(w, m.SXY()) + mat.Inner(v, xx, v)
}

// ShootingSteps draws how the shooting algorithm gets to the lasso at lambda: the weights after
// every sweep, and beside them the change of the weights by every sweep and the objective above
// its minimum, on a logarithmic scale. The minimum is that of FitLasso at a gap of 1e-12; what
// is nearer to it than that, relative to the null model's RSS, is not drawn. Nil settings are the
// defaults. Errors are those of ShootingAlgorithm and FitLasso.
func ShootingSteps(d *mlreg.Design, lambda float64, settings *mlreg.ShootingSettings) (_ *plotting.Figure, err error) {
	defer check.Named("steps of the shooting algorithm", &err)
	if d == nil {
		return nil, fmt.Errorf("%w: the design is nil", mlreg.ErrNoData)
	}
	steps, err := mlreg.ShootingAlgorithm(d, lambda, settings)
	if err != nil {
		return nil, err
	}
	best, err := mlreg.FitLasso(d, lambda, &mlreg.LassoSettings{Gap: 1e-12})
	if err != nil {
		return nil, err
	}
	trace := steps.Trace()
	sweeps := plotting.Range(0, float64(steps.Sweeps()), steps.Sweeps()+1)
	var layers []plotting.Layer
	for j, name := range d.Names {
		layers = append(layers, plotting.Line{X: sweeps, Y: mat.Col(nil, j, trace), Name: name, Dashed: j%8 == 7})
	}
	left, err := plotting.Draw(plotting.Labels{Title: "Weights after every sweep", X: "sweep", Y: "weight"}, layers...)
	if err != nil {
		return nil, err
	}
	objective := steps.Objective()
	floats.AddConst(-best.Objective(), objective)
	n := 0
	for n < len(objective) && objective[n] > 1e-12*best.NullRSS() {
		n++
	}
	tol := 1e-4
	if settings != nil && settings.Tol > 0 {
		tol = settings.Tol
	}
	layers = []plotting.Layer{plotting.LogY{}, plotting.Line{X: sweeps[1:], Y: steps.Change(), Name: "Σ|change of a weight|"}, plotting.HLine{Y: tol, Name: "tol"}}
	if n > 1 {
		layers = append(layers, plotting.Line{X: sweeps[:n], Y: objective[:n], Name: "objective − minimum"})
	}
	right, err := plotting.Draw(plotting.Labels{Title: "Progress", X: "sweep", Y: "size, logarithmic scale"}, layers...)
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, left, right)
	f.Height = 3.4
	f.Alt = fmt.Sprintf("weights after each of %s of the shooting algorithm at λ = %s, and its progress",
		check.Plural(steps.Sweeps(), "sweep"), format.Number(lambda, 4))
	return f, nil
}
