package plotting

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// SubsetPlot draws the residual sum of squares of the models of a search for the
// best subsets against their number of predictors, and joins the best of every size.
// With mlreg.SubsetSettings.Best of at least C(d, d/2) these are all models. For
// a search that was stopped, the bounds are drawn too. (Hastie, Tibshirani and
// Friedman, The Elements of Statistical Learning, 2nd ed., figure 3.5.) The error
// is mlreg.ErrNoData if the search is nil or was a search by a criterion.
func SubsetPlot(f *mlreg.Subsets, title string) (*plot.Plot, error) {
	if f == nil || f.Criterion() != mlreg.ByRSS {
		return nil, check.Nothing("subset plot", "it takes a search for the best subsets of every size")
	}
	var all, bound Points
	var best Line
	for _, m := range f.Models() {
		size := float64(m.Size())
		best.X, best.Y = append(best.X, size), append(best.Y, m.RSS)
		bound.X, bound.Y = append(bound.X, size), append(bound.Y, f.Bound(m.Size()))
		for _, other := range f.BestOfSize(m.Size()) {
			all.X, all.Y = append(all.X, size), append(all.Y, other.RSS)
		}
	}
	best.Color, best.Width = Vermillion, 1.25
	all.Color, all.Radius = Gray, 2
	layers := []Layer{best, Points{X: best.X, Y: best.Y, Color: Vermillion, Name: "best of its size"}}
	if len(all.X) > len(best.X) {
		all.Name = "others"
		layers = append([]Layer{all}, layers...)
	}
	if !f.Proven() {
		bound.Color, bound.Name = Blue, "no model is below"
		layers = append(layers, bound)
	}
	return Draw(Labels{Title: title, X: "number of predictors", Y: "residual sum of squares (RSS)"}, layers...)
}

// CriterionPlots draws Cp, AIC and BIC, the adjusted R2 and the training error of
// models, as mlreg.SubsetModel defines them, against their number of predictors, a panel
// each, with the best marked but for the training error, which only falls. The models are those of a path, such as the Models of
// mlreg.Subsets and mlreg.Stepwise. A criterion leaves a gap where it is not
// defined, for lack of residual degrees of freedom. The error is mlreg.ErrNoData if
// there are no models, or if no model has a value of a criterion.
func CriterionPlots(models []mlreg.SubsetModel, title string) (*Figure, error) {
	if len(models) == 0 {
		return nil, check.Nothing("criteria", "there are no models")
	}
	sizes := format.Each(models, func(m mlreg.SubsetModel) float64 { return float64(m.Size()) })
	type curve struct {
		name  string
		color color.Color
		of    func(mlreg.SubsetModel) float64
	}
	panels := []struct {
		title, y string
		sign     float64 // of what is best: -1 for the largest, 0 for no mark
		curves   []curve
	}{
		{"Training error", "RSS/n", 0, []curve{{"", Blue, func(m mlreg.SubsetModel) float64 { return m.TrainError }}}},
		{"Mallows' Cp", "Cp", 1, []curve{{"", Blue, func(m mlreg.SubsetModel) float64 { return m.Cp }}}},
		{"Information criteria", "AIC, BIC", 1, []curve{
			{"BIC", Blue, func(m mlreg.SubsetModel) float64 { return m.BIC }},
			{"AIC", Green, func(m mlreg.SubsetModel) float64 { return m.AIC }},
		}},
		{"Adjusted R²", "adjusted R²", -1, []curve{{"", Blue, func(m mlreg.SubsetModel) float64 { return m.AdjR2 }}}},
	}
	var plots []*plot.Plot
	for _, panel := range panels {
		var layers []Layer
		marks := Points{Color: Vermillion, Radius: 4, Name: "the choice"}
		for _, c := range panel.curves {
			values := format.Each(models, c.of)
			best := -1
			for i, v := range values {
				if check.IsFinite(v) && (best < 0 || panel.sign*v < panel.sign*values[best]) {
					best = i
				}
			}
			if best < 0 {
				return nil, fmt.Errorf("plotting: criteria: %w: no model has a value of %s", mlreg.ErrNoData, panel.y)
			}
			layers = append(layers, Line{X: sizes, Y: values, Color: c.color, Name: c.name})
			marks.X, marks.Y = append(marks.X, sizes[best]), append(marks.Y, values[best])
		}
		if panel.sign != 0 {
			layers = append(layers, marks)
		}
		p, err := Draw(Labels{Title: panel.title, X: "number of predictors", Y: panel.y}, layers...)
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	f := Grid(2, plots...)
	f.Title = title
	return f, nil
}

// SizeCurve draws the cross-validated error by the number of predictors, the result of
// mlreg.CrossValidateSizes, as CVCurve does. Errors are those of CVCurve.
func SizeCurve(cv *mlreg.SizeCV, title string) (*plot.Plot, error) {
	if cv == nil {
		return nil, check.Nothing("errors by size", "there are no sizes")
	}
	sizes := format.Each(cv.Sizes(), func(size int) float64 { return float64(size) })
	return CVCurve(cv, &CVCurveSettings{Title: title, X: sizes, XName: "number of predictors"})
}
