package plotting

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// BasisFunctions draws the columns of a design with one input against that input:
// the functions g_1(x), g_2(x) ... that a linear model weighs and adds. The
// design was made from df by frames.Design or mlreg.Expand. Up to seven columns
// have their names in the legend. Nil settings are the defaults. Errors are those
// of FitCurves; the design needs no response.
func BasisFunctions(d *mlreg.Design, df dataframe.DataFrame, settings *CurveSettings) (*plot.Plot, error) {
	var s CurveSettings
	if settings != nil {
		s = *settings
	}
	v, err := newOneInput(d, df, s, 0)
	if err != nil {
		return nil, fmt.Errorf("plotting: basis functions: %w", err)
	}
	return Draw(Labels{Title: s.Title, X: v.s.Input, Y: "g(x)"}, v.columns(d.Names, nil)...)
}

// WeightedBasis draws the parts of a linear model: every basis function times
// its weight, w_k g_k(x), the intercept as a level line, and their sum
//
//	f(x) = w_0 + w_1 g_1(x) + w_2 g_2(x) + ...
//
// over the data. d is the design fitted, made from df. Nil settings are the
// defaults. Errors are those of FitCurves, and mlreg.ErrShape if the terms of
// design and fit differ, in names or order.
func WeightedBasis(fit LinearFit, d *mlreg.Design, df dataframe.DataFrame, settings *CurveSettings) (*plot.Plot, error) {
	var s CurveSettings
	if settings != nil {
		s = *settings
	}
	v, line, err := CurveFit{Name: "sum", Fit: fit, Design: d, Color: Black}.line(df, s)
	if err == nil {
		err = check.SameTerms(fit.Names(), d)
	}
	if err != nil {
		return nil, fmt.Errorf("plotting: weighted basis: %w", err)
	}
	v.truth = Gray
	layers := v.columns(d.Names, fit.Slopes())
	if !d.NoIntercept {
		layers = append(layers, HLine{Y: fit.Intercept(), Name: format.Number(fit.Intercept(), 3) + " · 1", Solid: true})
	}
	thick := line.(Line)
	thick.Width = 2.6
	p, err := v.draw(s.Title, append(layers, thick)...)
	if err != nil {
		return nil, err
	}
	margin := 0.03 * (v.s.To - v.s.From)
	p.X.Min, p.X.Max = v.s.From-margin, v.s.To+margin
	return p, nil
}

// LinearFit is a fit y = w_0 + w'g(x).
type LinearFit interface {
	Names() []string // "(Intercept)" first, if there is one
	Intercept() float64
	Slopes() []float64
	Predict(*mlreg.Design) ([]float64, error)
}

// columns returns the columns of the grid as lines, times weights unless nil.
// The lines of aliased terms, whose weights are NaN, are left out.
func (v *oneInput) columns(names []string, weights []float64) []Layer {
	var layers []Layer
	for k, name := range names {
		y := mat.Col(nil, k, v.grid.X)
		if weights != nil {
			if !check.IsFinite(weights[k]) {
				continue
			}
			for i := range y {
				y[i] *= weights[k]
			}
		}
		switch {
		case len(names) > 7:
			name = ""
		case weights != nil:
			name = format.Number(weights[k], 3) + " · " + look.ShortTerm(name)
		default:
			name = look.ShortTerm(name)
		}
		layers = append(layers, Line{X: v.at, Y: y, Name: name, Color: Palette(k), Width: 1.3})
	}
	return layers
}
