package live

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, PriorWidth) }

// PriorWidth is the posterior of a line through twenty points, or fewer and others that the
// reader adds, its intercept under the prior too, for every prior variance: the line with its
// bands, and the weights.
func PriorWidth() *Explorable {
	return &Explorable{
		ID: "04.prior_width", Title: "How wide is the prior?", Seed: 4, Random: true,
		Params: []Param{{
			Name: "tau2", Label: "τ²", Min: 1e-6, Max: 100, Step: 1.1, Log: true,
			Frames: []float64{1e-5, 4e-5, 1e-4, 4e-4, 0.001, 0.004, 0.01, 0.04, 0.1, 0.4, 1, 4, 10}, Default: 0.004,
		},
			{Name: "mean", Label: "prior mean of w₁", Min: -1, Max: 1, Step: 0.05, Default: 0},
			{Name: "n", Label: "points to begin with", Min: 3, Max: 20, Step: 1, Default: 20},
		},
		MaxBytes: 600_000, MaxPoints: 20,
		draw: drawPriorWidth,
	}
}

// linePoints are the first of twenty points of y = -0.3 + 0.5 x with noise of variance 0.04, and the
// reader's.
func linePoints(at Point) (df dataframe.DataFrame, d *mlreg.Design) {
	line := datasets.CurveModel{F: func(x float64) float64 { return -0.3 + 0.5*x }, Sigma2: 0.04}
	df = try.Get(line.Uniform(20, -1, 1, at.Source(23)).Draw(at.Source(123)))
	x := try.Get(frames.Floats(df, "x"))
	y := try.Get(frames.Floats(df, "y"))
	n := int(math.Round(at.Value("n")))
	ownX, ownY := at.Own()
	df = try.Get(frames.Frame(frames.Col("x", slices.Concat(x[:n], ownX)), frames.Col("y", slices.Concat(y[:n], ownY))))
	d = try.Get(frames.Design(df, "y ~ x"))
	return df, d
}

// pointsOutside counts the points out of the predictive limits at 95%.
func pointsOutside(fit *mlreg.Bayes, d *mlreg.Design) float64 {
	limits := try.Get(fit.Predictive(d, 0.95))
	held := try.Get(limits.Coverage(d.Y))
	return math.Round(float64(d.NObs()) * (1 - held))
}

func drawPriorWidth(at Point) *View {
	df, d := linePoints(at)
	mean := at.Value("mean")
	posterior := func(tau2 float64) (*mlreg.Bayes, error) {
		return mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: tau2, Mean: []float64{0, mean}}, mlreg.KnownVariance(0.04), &mlreg.BayesSettings{PenalizeIntercept: true})
	}
	tau2 := at.Value("tau2")
	fit := try.Get(posterior(tau2))
	ols := try.Get(mlreg.FitOLS(d, nil))
	outside := pointsOutside(fit, d)
	var w0, w1 []float64
	for _, e := range plotting.Range(-6, 2, 81) {
		f := try.Get(posterior(math.Pow(10, e)))
		w0, w1 = append(w0, f.Coef()[0]), append(w1, f.Coef()[1])
	}
	bands := try.Get(plotting.PredictivePlot(fit, d, df, &plotting.PredictiveSettings{
		Level: 0.95, From: -1.5, To: 1.5, Title: fmt.Sprintf("τ² = %.4g, λ = %.4g: bands of 95%%", tau2, fit.Lambda()),
	}))
	bands.Y.Min, bands.Y.Max = -1.8, 1.8
	bands.Legend.Top, bands.Legend.Left, bands.Legend.XOffs, bands.Legend.YOffs = true, true, 8, -4
	least, w := ols.Coef(), fit.Coef()
	weights := priorAndPosterior(fit, tau2, mean, least, w0, w1)
	figure := plotting.Grid(2, bands, weights)
	figure.Height = 4
	view := &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "λ", Value: fit.Lambda(), Digits: 4},
			{Name: "w₀", Value: w[0], Digits: 3}, {Name: "w₁", Value: w[1], Digits: 3},
			{Name: "weights set by the data", Value: fit.EffectiveParameters(), Digits: 3},
			{Name: "points outside the band of new observations", Value: outside, Digits: 2},
		},
		Sentence: fmt.Sprintf("With τ² = %.4g, λ = %.4g the line is %.3f %+.3f x, where least squares has %.3f %+.3f x; the data set %.2f of 2 weights, and %.0f of %d points are outside the band of 95%%.",
			tau2, fit.Lambda(), w[0], w[1], least[0], least[1], fit.EffectiveParameters(), outside, d.NObs()),
	}
	view.own(at, bands)
	return view
}

// priorAndPosterior draws the ellipses of both in the plane of the weights, with the way of the posterior
// mean, (w0, w1), from no prior variance to a large one.
func priorAndPosterior(fit *mlreg.Bayes, tau2, mean float64, least, w0, w1 []float64) *plot.Plot {
	w := fit.Coef()
	p := try.Get(plotting.Draw(plotting.Labels{
		Title: fmt.Sprintf("%.2f of 2 weights set by the data", fit.EffectiveParameters()), X: "intercept w₀", Y: "slope w₁",
	},
		plotting.Line{X: w0, Y: w1, Color: plotting.Gray, Width: 1, Name: "mean, all τ²"},
		plotting.Ellipse{X: w[0], Y: w[1], Cov: fit.PosteriorCov(), Level: 0.95, Color: plotting.Blue, Name: "posterior"},
		plotting.Ellipse{Y: mean, Cov: mat.NewDiagDense(2, []float64{tau2, tau2}), Level: 0.95, Color: plotting.Purple, Dashed: true, Name: "prior"},
		plotting.Points{X: least[:1], Y: least[1:], Color: plotting.Black, Radius: 3, Name: "least squares"}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.75, 0.75, -0.18, 1.0
	return p
}
