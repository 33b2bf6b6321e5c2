package live

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Terms) }

// Terms is the regression of New York's ozone on the weather, or of its logarithm, with one
// term after the other switched on: what is fitted beside what was measured, and what is left.
func Terms() *Explorable {
	return &Explorable{
		ID: "00.terms", Title: "Terms switched on", Seed: 1,
		Params: []Param{
			{Name: "terms", Label: "terms", Values: []float64{0, 1, 2, 3, 4}, Texts: []string{"none", "heat", "heat, wind", "heat, wind, sun", "heat, wind, sun, month"}, Default: 3},
			{Name: "log", Label: "response", Values: []float64{0, 1}, Texts: []string{"ozone", "log ozone"}},
		},
		FreeAxes: true,
		draw:     drawTerms,
	}
}

var ozoneTerms = []string{"1", "Celsius", "Celsius + Wind", "Celsius + Wind + Solar", "Celsius + Wind + Solar + factor(Month)"}

// ozoneDesign is the design of the days on which everything was measured.
func ozoneDesign(terms int, log bool) *mlreg.Design {
	df := try.Get(frames.With(datasets.AirQuality(), "Month = month(Date)", "Celsius = (Temp - 32)*5/9"))
	complete := try.Get(frames.Complete(df, "Ozone", "Solar", "Wind", "Temp"))
	response := "Ozone"
	if log {
		response = "log(Ozone)"
	}
	return try.Get(frames.Design(complete.Frame, response+" ~ "+ozoneTerms[terms]))
}

func drawTerms(at Point) *View {
	terms, log := int(at.Value("terms")), at.Value("log") == 1
	d := ozoneDesign(terms, log)
	fit := try.Get(mlreg.FitOLS(d, nil))
	fitted := try.Get(fit.Fitted(d))
	residuals := try.Get(fit.Residuals(d))
	name, unit, low, high, rest := "ozone (ppb)", " (ppb)", -40.0, 175.0, 110.0
	if log {
		name, unit, low, high, rest = "log of ozone (ppb)", " (of the log)", -0.2, 5.4, 2.6
	}
	// Rounding leaves the fit of no terms some R² that is not zero.
	r2 := math.Round(fit.R2()*1e9)/1e9 + 0
	left := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("Days and fit: R² = %.3f", r2), X: "fitted " + name, Y: name},
		plotting.Line{X: []float64{low, high}, Y: []float64{low, high}, Color: plotting.Gray, Width: 1},
		plotting.Points{X: fitted, Y: d.Y}))
	right := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("What is left: σ = %.3g", math.Sqrt(fit.Sigma2())), X: "fitted " + name, Y: "residual" + unit},
		plotting.HLine{Y: 0, Solid: true}, plotting.Points{X: fitted, Y: residuals}))
	left.X.Min, left.X.Max, left.Y.Min, left.Y.Max = low, high, low, high
	right.X.Min, right.X.Max, right.Y.Min, right.Y.Max = low, high, -rest, rest
	figure := plotting.Grid(2, left, right)
	figure.Width, figure.Height = 8, 3.6
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "R²", Value: r2, Digits: 4},
			{Name: "σ", Value: math.Sqrt(fit.Sigma2()), Digits: 4},
			{Name: "AIC", Value: mlreg.AIC(fit), Digits: 5},
		},
		Sentence: fmt.Sprintf("The fit %s ~ %s of %d days has R² = %.3f, a residual standard error of %.3g and AIC %.1f.",
			d.Response, ozoneTerms[terms], d.NObs(), r2, math.Sqrt(fit.Sigma2()), mlreg.AIC(fit)),
	}
}
