package plotting

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// SubsetPlot draws the residual sum of squares of the models of a search for the
// best subsets against their number of terms, and joins the best of every size.
// With mlreg.SubsetSettings.Best large, that is all models (C(d, d/2) suffices).
// Of a search that was stopped the bounds are drawn too. (Hastie, Tibshirani and
// Friedman, The Elements of Statistical Learning, 2nd ed., figure 3.5.) The error
// is mlreg.ErrNoData if there is no search, or one by a criterion.
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
	return Draw(Labels{Title: title, X: "number of terms", Y: "residual sum of squares"}, layers...)
}

// CriterionPlots draws Cp, AIC and BIC, the adjusted R2 and the training error of
// models, as mlreg.SubsetModel defines them, against their number of terms, a panel
// each, with the best marked. The models are those of a path, such as the Models
// of mlreg.Subsets and mlreg.Stepwise. Criteria that are not defined for a model,
// for want of a residual degree of freedom, leave a gap. The error is
// mlreg.ErrNoData if there are no models, or none with a value of a criterion.
func CriterionPlots(models []mlreg.SubsetModel, title string) (*Figure, error) {
	if len(models) == 0 {
		return nil, check.Nothing("criteria", "there are no models")
	}
	sizes := cells(models, func(m mlreg.SubsetModel) float64 { return float64(m.Size()) })
	type curve struct {
		name  string
		color color.Color
		of    func(mlreg.SubsetModel) float64
	}
	panels := []struct {
		title, y string
		sign     float64 // of what is best: -1 for the largest
		curves   []curve
	}{
		{"Training error", "RSS/n", 1, []curve{{"", Blue, func(m mlreg.SubsetModel) float64 { return m.TrainError }}}},
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
		marks := Points{Color: Vermillion, Radius: 4}
		for _, c := range panel.curves {
			values := cells(models, c.of)
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
		p, err := Draw(Labels{Title: panel.title, X: "number of terms", Y: panel.y}, append(layers, marks)...)
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	f := Grid(2, plots...)
	f.Title = title
	return f, nil
}

// SizeCurve draws the cross-validated error by the number of terms, the result of
// mlreg.CrossValidateSizes, as CVCurve does. Errors are those of CVCurve.
func SizeCurve(cv *mlreg.SizeCV, title string) (*plot.Plot, error) {
	if cv == nil {
		return nil, check.Nothing("errors by size", "there are no sizes")
	}
	sizes := cells(cv.Sizes(), func(size int) float64 { return float64(size) })
	return CVCurve(cv, &CVSettings{Title: title, X: sizes, XName: "number of terms"})
}

// SubsetTable returns models as a table: their terms and the numbers that
// compare them. Show displays the models of an *mlreg.Subsets so, with how they
// were found. The error is mlreg.ErrNoData if there are none.
func SubsetTable(models []mlreg.SubsetModel) (*Table, error) {
	if len(models) == 0 {
		return nil, check.Nothing("table of subsets", "there are no models")
	}
	number := func(name string, of func(mlreg.SubsetModel) float64, decimals int) Column {
		return Column{Name: name, Align: AlignDecimal, Cells: cells(models, func(m mlreg.SubsetModel) string { return format.Decimal(of(m), decimals) })}
	}
	return NewTable("",
		IntColumn("size", cells(models, mlreg.SubsetModel.Size)...),
		NumberColumn("RSS", cells(models, func(m mlreg.SubsetModel) float64 { return m.RSS }), defaultDigits+1),
		number("R²", func(m mlreg.SubsetModel) float64 { return m.R2 }, 4),
		number("adj. R²", func(m mlreg.SubsetModel) float64 { return m.AdjR2 }, 4),
		number("Cp", func(m mlreg.SubsetModel) float64 { return m.Cp }, 2),
		number("AIC", func(m mlreg.SubsetModel) float64 { return m.AIC }, 2),
		number("BIC", func(m mlreg.SubsetModel) float64 { return m.BIC }, 2),
		TextColumn("terms", cells(models, func(m mlreg.SubsetModel) string { return format.Set(m.Terms) })...))
}

// subsetsTable is the table of a search for the best subsets.
func subsetsTable(f *mlreg.Subsets) (*Table, error) {
	t, err := SubsetTable(f.Models())
	if err != nil {
		return nil, err
	}
	t.Title = "Best subsets"
	if f.Response() != "" {
		t.Title += " for " + f.Response()
	}
	all := math.Ldexp(1, len(f.Terms()))
	found := "proven to be the best"
	if !f.Proven() {
		found = "stopped: the best of those seen"
	}
	t.Notes = []string{fmt.Sprintf("%s; %s of %s models were looked at", found, format.Grouped(f.Visited()), format.Grouped(all))}
	return t, nil
}

// stepwiseTable is the table of the path of a stepwise selection.
func stepwiseTable(f *mlreg.Stepwise) (*Table, error) {
	steps := f.Steps()
	columns := []Column{
		TextColumn("step", cells(steps, func(s mlreg.Step) string {
			switch {
			case s.Change.Term == "":
				return "start"
			case s.Change.Drop:
				return "− " + s.Change.Term
			}
			return "+ " + s.Change.Term
		})...),
	}
	if c := f.Criterion(); c != mlreg.ByRSS { // which has a column anyway
		name := c.String()
		if c == mlreg.ByAdjR2 {
			name = "criterion" // its negative
		}
		columns = append(columns, NumberColumn(name, cells(steps, func(s mlreg.Step) float64 { return s.Value }), defaultDigits+1))
	}
	columns = append(columns,
		NumberColumn("RSS", cells(steps, func(s mlreg.Step) float64 { return s.Model.RSS }), defaultDigits+1),
		TextColumn("terms", cells(steps, func(s mlreg.Step) string { return format.Set(s.Model.Terms) })...))
	t, err := NewTable(fmt.Sprintf("Selection, %s, by %s", f.Direction(), f.Criterion()), columns...)
	if err != nil {
		return nil, err
	}
	t.Notes = []string{fmt.Sprintf("%s; %s models were looked at", f.Stopped(), format.Grouped(f.Visited())), "selected " + format.Set(f.Final().Terms)}
	return t, nil
}

// filterTable is the table of terms ranked by what each explains on its own.
func filterTable(rows []mlreg.FilterRow) (*Table, error) {
	number := func(name string, of func(mlreg.FilterRow) float64) Column {
		return NumberColumn(name, cells(rows, of), defaultDigits)
	}
	return NewTable("Terms by what each explains alone",
		TextColumn("term", cells(rows, func(r mlreg.FilterRow) string { return r.Term })...),
		number("estimate", func(r mlreg.FilterRow) float64 { return r.Coef }),
		number("loss", func(r mlreg.FilterRow) float64 { return r.Loss }),
		number("R²", func(r mlreg.FilterRow) float64 { return r.R2 }),
		number("F", func(r mlreg.FilterRow) float64 { return r.F }),
		PColumn("p", cells(rows, func(r mlreg.FilterRow) float64 { return r.P })))
}

// greedyTable is the table of the choices from a dictionary.
func greedyTable(f *mlreg.Greedy) (*Table, error) {
	steps := f.Steps()
	t, err := NewTable("Terms chosen from a dictionary",
		TextColumn("term", cells(steps, func(s mlreg.GreedyStep) string { return s.Term })...),
		NumberColumn("training error", cells(steps, func(s mlreg.GreedyStep) float64 { return s.TrainError }), defaultDigits),
		blankNA(NumberColumn("test error", cells(steps, func(s mlreg.GreedyStep) float64 { return s.TestError }), defaultDigits)))
	if err != nil {
		return nil, err
	}
	t.Notes = []string{fmt.Sprintf("%s; %s models were compared", f.Stopped(), format.Grouped(f.Visited()))}
	if k := f.BestSize(); k < f.Size() {
		t.Notes = append(t.Notes, "least test error with "+check.Plural(k, "term"))
	}
	return t, nil
}

// sizeTable is the table of cross-validated errors by size.
func sizeTable(cv *mlreg.SizeCV) (*Table, error) {
	t, err := NewTable("Cross-validated error by number of terms",
		IntColumn("size", cv.Sizes()...),
		NumberColumn("error", cv.Mean(), defaultDigits),
		NumberColumn("std. error", cv.StdErr(), 3))
	if err != nil {
		return nil, err
	}
	t.Notes = []string{fmt.Sprintf("least error with %s; within one standard error of it with %d", check.Plural(cv.SizeMin(), "term"), cv.SizeOneSE())}
	return t, nil
}
