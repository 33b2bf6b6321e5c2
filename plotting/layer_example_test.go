package plotting_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Layers are drawn in order on an ordinary plot.
func ExampleDraw() {
	df := datasets.Prostate()
	lcavol, lpsa := must.M1(frames.Floats(df, "lcavol")), must.M1(frames.Floats(df, "lpsa"))
	p := must.M1(plotting.Draw(plotting.Labels{Title: "97 men", X: "lcavol", Y: "lpsa"},
		plotting.Points{X: lcavol, Y: lpsa, Name: "data"},
		plotting.Curve{F: func(x float64) float64 { return 1.5 + 0.7*x }, From: -1.5, To: 4, Name: "1.5 + 0.7 lcavol"}))
	p.Y.Min = -1
	plotting.Show(p)
	// Output:
	// Figure: 97 men: lpsa against lcavol (horizontal -1.72 to 4.22, vertical -1 to 5.82)
}

// A layer more on a plot there is.
func ExampleAdd() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ lcavol"))
	p := must.M1(plotting.FitLine(d, must.M1(mlreg.FitOLS(d, nil)), 0.95))
	x, y := must.M1(frames.Floats(df, "lcavol")), must.M1(frames.Floats(df, "lpsa"))
	must.M(plotting.Add(p, plotting.Smooth{X: x, Y: y, Name: "LOWESS", Color: plotting.Green, Dashed: true}))
	plotting.Show(p)
	// Output:
	// Figure: lpsa = 1.51 + 0.719 lcavol: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -0.671 to 5.82)
}

func ExampleRange() {
	fmt.Println(plotting.Range(0, 1, 5))
	// Output:
	// [0 0.25 0.5 0.75 1]
}

func ExampleLogRange() {
	fmt.Printf("%.4g\n", plotting.LogRange(0.1, 1000, 5))
	// Output:
	// [0.1 1 10 100 1000]
}

// The two thirds of men to fit and the third to test.
func ExamplePoints() {
	var layers []plotting.Layer
	for _, name := range []string{"T", "F"} {
		men := must.M1(frames.Where(datasets.Prostate(), fmt.Sprintf("train == %q", name)))
		layers = append(layers, plotting.Points{
			X: must.M1(frames.Floats(men, "lcavol")), Y: must.M1(frames.Floats(men, "lpsa")),
			Name: map[string]string{"T": "training", "F": "test"}[name], Radius: 3,
		})
	}
	plotting.Show(plotting.Draw(plotting.Labels{X: "lcavol", Y: "lpsa"}, layers...))
	// Output:
	// Figure: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -0.671 to 5.82)
}

// NaN is a gap.
func ExampleLine() {
	plotting.Show(plotting.Draw(plotting.Labels{Title: "A step", X: "x", Y: "y"},
		plotting.Line{X: []float64{0, 1, 1, 1, 2}, Y: []float64{0, 0, math.NaN(), 1, 1}, Width: 2.5}))
	// Output:
	// Figure: A step: y against x (horizontal -0.08 to 2.08, vertical -0.04 to 1.04)
}

func ExampleCurve() {
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Two densities", X: "x"},
		plotting.Curve{F: distuv.UnitNormal.Prob, From: -4, To: 4, Name: "normal"},
		plotting.Curve{F: distuv.StudentsT{Sigma: 1, Nu: 3}.Prob, From: -4, To: 4, Name: "Student's t, 3 degrees of freedom", Dashed: true}))
	// Output:
	// Figure: Two densities: x (horizontal -4.32 to 4.32, vertical -0.0158 to 0.415)
}

// The confidence band of a line, from its limits.
func ExampleRibbon() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	x := plotting.Range(-1, 4, 50)
	at := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", x)))))
	band := must.M1(ols.ConfidenceBand(at, 0.99))
	plotting.Show(plotting.Draw(plotting.Labels{X: "lcavol", Y: "lpsa"},
		plotting.Ribbon{X: x, Lower: band.Lower, Upper: band.Upper, Name: "99% limits of the mean"},
		plotting.Line{X: x, Y: must.M1(ols.Predict(at)), Name: "least squares"}))
	// Output:
	// Figure: lpsa against lcavol (horizontal -1.2 to 4.2, vertical 0.134 to 5.09)
}

// Eight estimates, each with two standard errors.
func ExampleErrorBars() {
	df := datasets.EightSchools()
	effect, se := must.M1(frames.Floats(df, "effect")), must.M1(frames.Floats(df, "se"))
	var lower, upper []float64
	for i := range effect {
		lower, upper = append(lower, effect[i]-2*se[i]), append(upper, effect[i]+2*se[i])
	}
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Effects of coaching", X: "school", Y: "points"},
		plotting.HLine{Y: 0}, plotting.ErrorBars{X: plotting.Range(1, 8, 8), Y: effect, Lower: lower, Upper: upper}))
	// Output:
	// Figure: Effects of coaching: points against school (horizontal 0.72 to 8.28, vertical -38.7 to 61.7)
}

func ExampleLogX() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "n", Y: "standard error of a mean"},
		plotting.Curve{F: func(n float64) float64 { return 1 / math.Sqrt(n) }, From: 1, To: 1000}, plotting.LogX{}))
	// Output:
	// Figure: standard error of a mean against n
}

func ExampleLogY() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "z", Y: "P(|Z| > z)"},
		plotting.Curve{F: func(z float64) float64 { return math.Erfc(z / math.Sqrt2) }, From: 0, To: 6}, plotting.LogY{}))
	// Output:
	// Figure: P(|Z| > z) against z (horizontal -0.24 to 6.24, vertical 8.85e-10 to 2.23)
}

func ExampleBars() {
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Binomial distribution, n = 3, p = 1/2", X: "successes", Y: "probability"},
		plotting.Bars{X: []float64{0, 1, 2, 3}, Y: []float64{0.125, 0.375, 0.375, 0.125}}))
	// Output:
	// Figure: Binomial distribution, n = 3, p = 1/2: probability against successes (horizontal -0.444 to 3.44, vertical 0 to 0.39)
}

// The leverages of the rows of a fit.
func ExampleStems() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ GNP + Unemployed"))
	leverage := must.M1(must.M1(mlreg.FitOLS(d, nil)).Leverage(d))
	plotting.Show(plotting.Draw(plotting.Labels{X: "row", Y: "leverage"},
		plotting.Stems{X: plotting.Range(1, 16, 16), Y: leverage}, plotting.HLine{Y: 3. / 16, Name: "mean"}))
	// Output:
	// Figure: leverage against row (horizontal 0.4 to 16.6, vertical 0 to 0.371)
}

// The response of 442 patients, beside the normal density of their mean and
// standard deviation.
func ExampleHistogram() {
	y := must.M1(frames.Floats(datasets.Diabetes(), "progression"))
	mean, sd := stat.MeanStdDev(y, nil)
	plotting.Show(plotting.Draw(plotting.Labels{X: "progression", Y: "density"},
		plotting.Histogram{X: y, Density: true, Name: "442 patients"},
		plotting.Curve{F: distuv.Normal{Mu: mean, Sigma: sd}.Prob, From: 0, To: 360, Name: "normal"}))
	// Output:
	// Figure: density against progression (horizontal -14.4 to 374, vertical 0 to 0.00586)
}

// Is the effect of age a line? A smooth curve through the data says.
func ExampleSmooth() {
	df := datasets.Prostate()
	x, y := must.M1(frames.Floats(df, "age")), must.M1(frames.Floats(df, "lbph"))
	plotting.Show(plotting.Draw(plotting.Labels{X: "age", Y: "lbph"},
		plotting.Points{X: x, Y: y}, plotting.Smooth{X: x, Y: y, Span: 0.5, Name: "LOWESS, span 1/2"}))
	// Output:
	// Figure: lbph against age (horizontal 39.5 to 80.5, vertical -1.69 to 2.48)
}

// The joint 95% limits of an intercept and a slope, with sigma estimated.
func ExampleEllipse() {
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol")), nil))
	b := ols.Coef()
	f := distuv.F{D1: 2, D2: ols.DoFResidual()}.Quantile(0.95)
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Joint limits", X: "intercept", Y: "slope"},
		plotting.Points{X: b[:1], Y: b[1:], Name: "estimate"},
		plotting.Ellipse{X: b[0], Y: b[1], Cov: ols.VCov(), Radius: math.Sqrt(2 * f), Name: "95%"}))
	// Output:
	// Figure: Joint limits: slope against intercept (horizontal 1.18 to 1.83, vertical 0.536 to 0.902)
}

// White where the density is 0.
func ExampleHeat() {
	density := func(x, y float64) float64 { return math.Exp(-(x*x + y*y - x*y) / 2) }
	over := plotting.Rect{XMin: -3, XMax: 3, YMin: -3, YMax: 3}
	plotting.Show(plotting.Draw(plotting.Labels{Title: "A density", X: "w₁", Y: "w₂"}, plotting.Heat{F: density, Over: over}))
	// Output:
	// Figure: A density: w₂ against w₁ (horizontal -3.24 to 3.24, vertical -3.24 to 3.24)
}

// The residual sum of squares of two weights.
func ExampleContours() {
	rss := func(w1, w2 float64) float64 { return 10 + 4*math.Pow(w1-1, 2) + math.Pow(w2-2, 2) }
	plotting.Show(plotting.Draw(plotting.Labels{Title: "RSS", X: "w₁", Y: "w₂"},
		plotting.Contours{F: rss, Over: plotting.Rect{XMin: -1, XMax: 3, YMin: -2, YMax: 6}, Levels: []float64{11, 14, 19}},
		plotting.Points{X: []float64{1}, Y: []float64{2}, Name: "least squares"}))
	// Output:
	// Figure: RSS: w₂ against w₁ (horizontal -1.14 to 3.14, vertical -2.28 to 6.28)
}

func ExampleHLine() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "iterations", Y: "loss"},
		plotting.Line{X: []float64{1, 2, 3, 4}, Y: []float64{8, 3, 2.2, 2.05}}, plotting.HLine{Y: 2, Name: "optimum"}))
	// Output:
	// Figure: loss against iterations (horizontal 0.88 to 4.12, vertical 1.76 to 8.24)
}

func ExampleVLine() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "z", Y: "density"},
		plotting.Curve{F: distuv.UnitNormal.Prob, From: -4, To: 4},
		plotting.VLine{X: -1.96}, plotting.VLine{X: 1.96, Name: "95%"}))
	// Output:
	// Figure: density against z (horizontal -4.32 to 4.32, vertical -0.0158 to 0.415)
}

// The name of a point.
func ExampleNote() {
	plotting.Show(plotting.Draw(plotting.Labels{X: "log odds", Y: "probability"},
		plotting.Curve{F: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, From: -5, To: 5},
		plotting.Note{X: 0, Y: 0.5, Text: "even odds", Side: plotting.LowerRight}))
	// Output:
	// Figure: probability against log odds (horizontal -5.4 to 5.4, vertical -0.0328 to 1.03)
}
