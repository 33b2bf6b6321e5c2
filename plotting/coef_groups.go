package plotting

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// GroupFit is a fit with coefficients for every group, such as a *hier.MultiTask.
type GroupFit interface {
	Coef() []float64
	GroupCoefs(level string) (*mlreg.GroupCoefs, error)
}

// Caterpillar draws a coefficient of every group of a level ("" the innermost) with its
// limits, in ascending order, and a line at b*. Errors: mlreg.ErrNoData without a fit, those
// of GroupCoefs and Limits for unknown names and the level of the limits.
func Caterpillar(fit GroupFit, groups, term string, level float64) (*Figure, error) {
	const what = "caterpillar plot"
	if check.IsNil(fit) {
		return nil, fmt.Errorf("plotting: %s: %w: the fit is nil", what, mlreg.ErrNoData)
	}
	coefs, err := fit.GroupCoefs(groups)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	limits, err := coefs.Limits(term, level)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	j := slices.Index(coefs.Names, term)
	values := make([]float64, len(limits))
	for k, r := range coefs.Rows {
		values[k] = r.Coef[j]
	}
	order := rising(values)
	star := fit.Coef()[j]
	bars, apart := ErrorBars{Color: Gray, Name: "limits that contain b*"}, ErrorBars{Color: Blue, Name: "limits that do not contain b*"}
	var points Points
	points.Color, points.Radius, points.Name = Black, 1.6, "groups"
	for rank, k := range order {
		x, y := float64(rank+1), values[k]
		points.X, points.Y = append(points.X, x), append(points.Y, y)
		to := &bars
		if star < limits[k].Lower || star > limits[k].Upper {
			to = &apart
		}
		to.X, to.Y = append(to.X, x), append(to.Y, y)
		to.Lower, to.Upper = append(to.Lower, limits[k].Lower), append(to.Upper, limits[k].Upper)
	}
	layers := []Layer{HLine{Y: star, Name: "b*", Color: Vermillion}}
	if len(bars.X) > 0 {
		layers = append(layers, bars)
	}
	if len(apart.X) > 0 {
		layers = append(layers, apart)
	}
	p, err := Draw(Labels{X: "groups of " + coefs.Level + ", in order", Y: term + " with " + format.Number(100*level, 6) + "% limits"}, append(layers, points)...)
	if err != nil {
		return nil, err
	}
	f := Grid(1, p)
	f.Alt = fmt.Sprintf("coefficients of %s in %s in ascending order with limits; those of %d leave b* out", term, check.Plural(len(order), "group"), len(apart.X))
	return f, nil
}

// PartialPooling draws two coefficients of every group three times: no pooling, least
// squares of the group's rows alone; complete pooling, one regression for all rows; and
// partial pooling, b_j of the fit. An arrow leads from the first to the last, for groups
// whose rows determine their own regression, unless that is far outside, which a note says;
// it is the darker and wider the fewer rows the group has.
// Design and grouping are those fitted. Errors:
// mlreg.ErrNoData, mlreg.ErrSetting for an unknown term, those of mlreg.FitOLS for all rows.
func PartialPooling(fit GroupFit, d *mlreg.Design, groups *mlreg.Grouping, x, y string) (*Figure, error) {
	const what = "partial pooling"
	if check.IsNil(fit) || d == nil || groups == nil {
		return nil, fmt.Errorf("plotting: %s: %w: the fit, the design or the grouping is nil", what, mlreg.ErrNoData)
	}
	s, err := newPoolings(fit, d, groups, x, y)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	p, err := Draw(Labels{X: x, Y: y}, s.layers()...)
	if err != nil {
		return nil, err
	}
	f := Grid(1, p)
	if s.far > 0 {
		f.Note = check.Plural(s.far, "group") + " too far out without pooling: no arrow"
	}
	f.Alt = fmt.Sprintf("two coefficients of %s: arrows from those of each group alone to those of partial pooling, around the one of complete pooling",
		check.Plural(len(s.partial.X), "group"))
	return f, nil
}

// poolings are two coefficients of groups, by how much the groups are pooled.
type poolings struct {
	alone, partial, complete Points
	arrows                   pooled // from alone to partial
	far                      int    // groups whose coefficients alone are too far out
}

func newPoolings(fit GroupFit, d *mlreg.Design, groups *mlreg.Grouping, x, y string) (*poolings, error) {
	coefs, err := fit.GroupCoefs("")
	if err != nil {
		return nil, err
	}
	i, j := slices.Index(coefs.Names, x), slices.Index(coefs.Names, y)
	if i < 0 || j < 0 {
		return nil, fmt.Errorf("%w: there is no coefficient %q or no %q", mlreg.ErrSetting, x, y)
	}
	rows, err := groups.RowsOf("")
	if err != nil {
		return nil, err
	}
	if len(rows) != len(coefs.Rows) {
		return nil, fmt.Errorf("%w: the fit has %d groups, and the grouping %d", mlreg.ErrShape, len(coefs.Rows), len(rows))
	}
	all, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return nil, err
	}
	b := all.Coef()
	s := &poolings{
		alone:    Points{Name: "no pooling", Color: Fade(Vermillion, 0.7), Radius: 2},
		partial:  Points{Name: "partial pooling", Color: Blue, Radius: 2.4},
		complete: Points{X: b[i : i+1], Y: b[j : j+1], Name: "complete pooling", Color: Black, Radius: 4},
	}
	shownX, shownY := nearCoefs(coefs, i), nearCoefs(coefs, j)
	for g, r := range coefs.Rows {
		if r.NObs == 0 {
			continue
		}
		s.partial.X, s.partial.Y = append(s.partial.X, r.Coef[i]), append(s.partial.Y, r.Coef[j])
		own, err := mlreg.FitOLS(d.Rows(rows[g]...), nil)
		if err != nil { // its rows do not determine it
			continue
		}
		b := own.Coef()
		if !shownX(b[i]) || !shownY(b[j]) {
			s.far++
			continue
		}
		s.alone.X, s.alone.Y = append(s.alone.X, b[i]), append(s.alone.Y, b[j])
		s.arrows = append(s.arrows, pooledArrow{from: plotter.XY{X: b[i], Y: b[j]}, to: plotter.XY{X: r.Coef[i], Y: r.Coef[j]}, rows: float64(r.NObs)})
	}
	return s, nil
}

func (s *poolings) layers() []Layer {
	if len(s.alone.X) == 0 {
		return []Layer{s.partial, s.complete}
	}
	return []Layer{drawn{s.arrows}, s.alone, s.partial, s.complete}
}

// nearCoefs tells what is no further out than the range of a coefficient of the groups, and one and a half of it
// more on each side.
func nearCoefs(coefs *mlreg.GroupCoefs, coef int) func(v float64) bool {
	low, high := math.Inf(1), math.Inf(-1)
	for _, r := range coefs.Rows {
		low, high = math.Min(low, r.Coef[coef]), math.Max(high, r.Coef[coef])
	}
	return func(v float64) bool { return v >= low-1.5*(high-low) && v <= high+1.5*(high-low) }
}

// pooled are arrows from one point to another.
type pooled []pooledArrow

type pooledArrow struct {
	from, to plotter.XY
	rows     float64 // of the group
}

// Plot implements plot.Plotter.
func (l pooled) Plot(c draw.Canvas, p *plot.Plot) {
	tx, ty := p.Transforms(&c)
	fewest := math.Inf(1)
	for _, a := range l {
		fewest = math.Min(fewest, a.rows)
	}
	for _, a := range l {
		strength := math.Sqrt(fewest / a.rows)
		style := draw.LineStyle{Color: Fade(Black, 0.15+0.7*strength), Width: vg.Points(0.5 + strength)}
		arrow(c, style, vg.Point{X: tx(a.from.X), Y: ty(a.from.Y)}, vg.Point{X: tx(a.to.X), Y: ty(a.to.Y)}, 0, 1, 3.5)
	}
}

// DataRange implements plot.DataRanger.
func (l pooled) DataRange() (xmin, xmax, ymin, ymax float64) {
	var ends plotter.XYs
	for _, a := range l {
		ends = append(ends, a.from, a.to)
	}
	return plotter.XYRange(ends)
}
