package plotting_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A regression line with the limits of the mean, and of a new observation.
func ExampleFitLine() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(plotting.FitLine(d, ols, 0.95, mlreg.Confidence, mlreg.Prediction))
	// Output:
	// Figure: lpsa = 1.51 + 0.719 lcavol: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -1.35 to 6.14)
}

// The lines whose slopes are the 95% limits, with sigma known.
func ExampleSlopeLimits() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	known := must.M1(mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 0.6}))
	plotting.Show(plotting.SlopeLimits(d, known, 0.95))
	// Output:
	// Figure: slope 0.719, limits 0.588 and 0.851: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -0.671 to 5.82)
}

// A line and a parabola over data whose truth is known.
func ExampleFitCurves() {
	truth := datasets.PolyVsDegree()
	df := must.M1(truth.Draw(rand.NewPCG(1, 0)))
	fit := func(formula string) plotting.CurveFit {
		d := must.M1(frames.Design(df, formula))
		return plotting.CurveFit{Name: formula, Fit: must.M1(mlreg.FitOLS(d, nil)), Design: d}
	}
	plotting.Show(plotting.FitCurves(df, &plotting.CurveSettings{Title: "Two degrees", Truth: truth.F},
		fit("y ~ x"), fit("y ~ poly(x, 2)")))
	// Output:
	// Figure: Two degrees: y against x (horizontal -0.6 to 20.6, vertical -8.61 to 15.8)
}

// Polynomials of three degrees side by side.
func ExampleFitCurvePanels() {
	df := must.M1(datasets.Sine().Draw(rand.NewPCG(3, 1)))
	var fits []plotting.CurveFit
	for _, degree := range []int{1, 3, 10} {
		d := must.M1(frames.Design(df, fmt.Sprintf("y ~ poly(x, %d)", degree)))
		fits = append(fits, plotting.CurveFit{Name: fmt.Sprint("degree ", degree), Fit: must.M1(mlreg.FitOLS(d, nil)), Design: d})
	}
	f := must.M1(plotting.FitCurvePanels(df, &plotting.CurveSettings{Columns: 3}, fits...))
	for _, p := range f.Panels[0] {
		fmt.Println(p.Title.Text)
	}
	plotting.Show(f)
	// Output:
	// degree 1
	// degree 3
	// degree 10
	// Figure: degree 1: y against x (horizontal -0.03 to 1.03, vertical -2.37 to 1.95); degree 3: y against x (horizontal -0.03 to 1.03, vertical -2.37 to 1.95); degree 10: y against x (horizontal -0.03 to 1.03, vertical -2.37 to 1.95)
}

// The columns of a natural spline.
func ExampleBasisFunctions() {
	df := must.M1(datasets.Sine().Draw(rand.NewPCG(3, 1)))
	d := must.M1(frames.Design(df, "y ~ ns(x, 4)"))
	plotting.Show(plotting.BasisFunctions(d, df, &plotting.CurveSettings{Title: "A natural spline"}))
	// Output:
	// Figure: A natural spline: g(x) against x (horizontal -0.04 to 1.04, vertical -0.38 to 0.756)
}

// Errors of ridge regression on rows that were fitted and rows that were not.
func ExampleErrorCurves() {
	df := datasets.Prostate()
	train := must.M1(frames.Design(must.M1(frames.Where(df, "train == 'T'")), "lpsa ~ . - train"))
	test := must.M1(frames.DesignLike(train, must.M1(frames.Where(df, "train == 'F'"))))
	standard := must.M1(train.Standardize(nil))
	mse := func(d *mlreg.Design, lambda float64) float64 {
		squares := 0.0
		for _, r := range must.M1(must.M1(mlreg.FitRidge(standard, lambda, nil)).Residuals(d)) {
			squares += r * r
		}
		return squares / float64(d.NObs())
	}
	lambdas := []float64{0.1, 1, 10, 100, 1000}
	training, testing := plotting.ErrorCurve{Name: "training", NoMinimum: true}, plotting.ErrorCurve{Name: "test"}
	for _, l := range lambdas {
		training.Values, testing.Values = append(training.Values, mse(train, l)), append(testing.Values, mse(test, l))
	}
	plotting.Show(plotting.ErrorCurves(plotting.Labels{Title: "Ridge regression", X: "λ", Y: "mean squared error"}, lambdas,
		[]plotting.ErrorCurve{training, testing}, plotting.LogX{}))
	// Output:
	// Figure: Ridge regression: mean squared error against λ
}

// The error on new responses is smallest at the degree of the truth.
func ExampleExpectedErrors() {
	truth := datasets.PolyVsDegree()
	exact := must.M1(truth.Exact(nil))
	d := must.M1(frames.Design(exact, "y ~ poly(x, 6)"))
	path := must.M1(mlreg.ExpectedErrorPath(d, d.Y, truth.Sigma2))
	plotting.Show(plotting.ExpectedErrors(plotting.Labels{X: "degree"}, path))
	// Output:
	// Figure: mean squared error against degree (horizontal -0.24 to 6.24, vertical -1.46 to 38)
}
