package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// clone returns a copy of the figure whose panels may be changed without changing
// those of f.
func (f *Figure) clone() *Figure {
	g := *f
	g.Panels = make([][]*plot.Plot, len(f.Panels))
	for r, row := range f.Panels {
		for _, p := range row {
			if p != nil {
				copied := *p
				p = &copied
			}
			g.Panels[r] = append(g.Panels[r], p)
		}
	}
	g.beside = nil
	for _, part := range f.beside {
		g.beside = append(g.beside, part.clone())
	}
	return &g
}

// WithLabels returns a copy of the figure with other texts: the title, and the names
// of the axes of all panels. An empty text leaves what there is.
//
//	plotting.Show(must.M1(plotting.ROCPlot(curves, nil)).WithLabels(plotting.Labels{Title: "Two filters"}))
func (f *Figure) WithLabels(labels Labels) *Figure {
	g := f.clone()
	if labels.Title != "" {
		if rows, cols := g.dims(); g.Title == "" && rows*cols == 1 && g.Panels[0][0] != nil {
			g.Panels[0][0].Title.Text = labels.Title
		} else {
			g.Title = labels.Title
		}
	}
	for _, leaf := range g.leaves() {
		leaf.name(labels.X, labels.Y)
	}
	return g
}

// name changes the names of the axes.
func (f *Figure) name(x, y string) {
	if x != "" && f.xName != "" {
		f.xName, x = x, ""
	}
	if y != "" && f.yName != "" {
		f.yName, y = y, ""
	}
	for _, p := range f.plots() {
		if x != "" {
			p.X.Label.Text = x
		}
		if y != "" {
			p.Y.Label.Text = y
		}
	}
}

// WithXRange returns a copy of the figure whose panels have this range on the
// horizontal axis. What lies outside is not drawn. Where an axis has categories, the
// first is at 1; on an axis of dates, days are counted from 1970-01-01. Drawing the
// figure gives mlreg.ErrSetting if low is not below high, or if the axes count cells, as
// those of a heat map.
func (f *Figure) WithXRange(low, high float64) *Figure {
	return f.ranged("horizontal", low, high, func(p *plot.Plot) *plot.Axis { return &p.X })
}

// WithYRange is WithXRange for the vertical axis.
func (f *Figure) WithYRange(low, high float64) *Figure {
	return f.ranged("vertical", low, high, func(p *plot.Plot) *plot.Axis { return &p.Y })
}

func (f *Figure) ranged(name string, low, high float64, axis func(*plot.Plot) *plot.Axis) *Figure {
	g := f.clone()
	if !(low < high) || !check.IsFinite(high-low) {
		g.err = fmt.Errorf("plotting: figure %q: %w: a %s range from %v to %v", f.Name(), mlreg.ErrSetting, name, low, high)
		return g
	}
	for _, leaf := range g.leaves() {
		if leaf.cells {
			g.err = fmt.Errorf("plotting: figure %q: %w: its %s axis counts cells, which have no other range", f.Name(), mlreg.ErrSetting, name)
		}
	}
	for _, p := range g.plots() {
		if a := axis(p); isLogarithmic(a) {
			if low <= 0 {
				g.err = fmt.Errorf("plotting: figure %q: %w: its %s axis is logarithmic, and the range begins at %v", f.Name(), mlreg.ErrSetting, name, low)
				return g
			}
			a.Min, a.Max = math.Log10(low), math.Log10(high)
			continue
		}
		axis(p).Min, axis(p).Max = low, high
	}
	return g
}

// WithSize returns a copy of the figure of this width and height in inches; 0 is the
// default.
func (f *Figure) WithSize(width, height float64) *Figure {
	g := f.clone()
	g.Width, g.Height = width, height
	return g
}

// SideBySide returns a figure of figures and plots in a row: each argument is a
// *Figure or a *plot.Plot; of one, it is a copy. They keep their shapes and legends, and the data of all
// begin and end at the same height. The row is as wide as they are together, up to
// the width of a page, 9.6 inches; WithSize changes that. Errors: mlreg.ErrNoData
// without an argument, or for one that is nil; mlreg.ErrSetting for another type.
//
//	plotting.Show(plotting.SideBySide(must.M1(plotting.ROCPlot(curves, nil)), must.M1(plotting.CalibrationPlot(sets, ""))))
func SideBySide(figures ...any) (*Figure, error) {
	const what = "figures side by side"
	if len(figures) == 0 {
		return nil, check.Nothing(what, "there is none")
	}
	row := &Figure{}
	for k, one := range figures {
		if check.IsNil(one) {
			return nil, check.Nothing(what, fmt.Sprintf("argument %d of %d is nil", k+1, len(figures)))
		}
		switch v := one.(type) {
		case *plot.Plot, *Figure:
			row.beside = append(row.beside, figureOf(v))
		default:
			return nil, fmt.Errorf("plotting: %s: %w: argument %d of %d is a %T; wanted is a *Figure or a *plot.Plot", what, mlreg.ErrSetting, k+1, len(figures), one)
		}
	}
	if len(row.beside) == 1 {
		return row.beside[0], nil
	}
	return row, nil
}
