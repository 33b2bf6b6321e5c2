package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Diagnosable is a fit whose rows can be diagnosed, such as *mlreg.OLS.
type Diagnosable interface {
	Fitted(d *mlreg.Design) ([]float64, error)
	Influence(d *mlreg.Design) (*mlreg.Influence, error)
	DoF() float64
}

// DiagnosticsSettings are the options of Diagnostics and its panels. Nil and
// zero fields are the defaults.
type DiagnosticsSettings struct {
	// Level is the level of the band of the QQ plot; the default is 0.95.
	Level float64
	// Extremes is the number of rows that each panel labels: those farthest
	// out. The default is 3; a negative number means none.
	Extremes int
	// RowNames label the rows; the default is Design.RowNames, their numbers in
	// the frame.
	RowNames []string
	// CookLevels are the Cook's distances whose contours are drawn; the
	// default nil is 0.5 and 1, and an empty slice draws none.
	CookLevels []float64
}

// Diagnostics draws the four plots that show whether a linear model suits its
// data, R's plot(lm): ResidualsFitted, QQ, ScaleLocation and ResidualsLeverage,
// one panel each. The design d is the one that was fitted.
//
//	plotting.Show(plotting.Diagnostics(ols, d, nil))
//
// From 5,000 rows on, hexagons show how many rows lie where, darker where there are more; the QQ plot draws the
// 200 rows at both ends, and some of those between.
//
// Rows with leverage 1 or weight 0 have no standardized residual; they are left
// out and named below the panel. Errors: those of the fit's Influence,
// mlreg.ErrSetting for a level not between 0 and 1, mlreg.ErrShape for a wrong
// number of row names, mlreg.ErrNoData if no row has a standardized residual.
func Diagnostics(fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*Figure, error) {
	rows, err := diagnose("diagnostics", fit, d, settings)
	if err != nil {
		return nil, err
	}
	var panels []*plot.Plot
	for _, draw := range []func() (*plot.Plot, error){rows.residualsFitted, rows.qq, rows.scaleLocation, rows.residualsLeverage} {
		p, err := draw()
		if err != nil {
			return nil, err
		}
		panels = append(panels, p)
	}
	f := Grid(2, panels...)
	f.Width, f.Height = look.PageWidth, 7.2
	if len(rows.fitted) >= manyPoints {
		f.Note = "Hexagons are darker where they have more rows; the QQ plot has the ends, and some rows between."
	}
	return f, nil
}

// ResidualsFitted draws residuals against fitted values with a smooth curve
// through them (see Smooth). Where the mean is modeled well, the curve stays
// near zero. Residuals are y - yhat, not multiplied by the root of a weight.
// Errors are those of Diagnostics.
func ResidualsFitted(fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*plot.Plot, error) {
	return diagnosePanel("residuals against fitted", fit, d, settings, (*diagnosed).residualsFitted)
}

// QQ draws the standardized residuals in their order r_(1) <= ... <= r_(n)
// against the quantiles that a normal sample has there, with a pointwise (not
// simultaneous) band: the i-th smallest of n independent uniform values is
// Beta(i, n+1-i), so at the level 1-a
//
//	Phi^-1(Beta quantile a/2) <= r_(i) <= Phi^-1(Beta quantile 1-a/2).
//
// The line is y = x and the abscissae are Phi^-1((i - c)/(n + 1 - 2c)), c = 3/8
// for n <= 10 and 1/2 above. The band takes the standardized residuals as an
// independent standard normal sample, which they are nearly if n is much larger
// than the number of coefficients. Errors are those of Diagnostics.
//
// David and Nagaraja, Order Statistics (3rd ed., 2003), section 2.1; the
// abscissae are R's ppoints.
func QQ(fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*plot.Plot, error) {
	return diagnosePanel("QQ plot", fit, d, settings, (*diagnosed).qq)
}

// ScaleLocation draws the roots of the absolute standardized residuals against
// fitted values with a smooth curve through them. Where the noise has the same
// variance everywhere, the curve is level. Errors are those of Diagnostics.
func ScaleLocation(fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*plot.Plot, error) {
	return diagnosePanel("scale-location plot", fit, d, settings, (*diagnosed).scaleLocation)
}

// ResidualsLeverage draws standardized residuals r against leverages h with a
// smooth curve, and the contours on which Cook's distance r^2/p h/(1-h) has the
// values CookLevels, as far as the plot reaches. Deleting a row beyond a
// contour moves the fit by much. Errors are those of Diagnostics.
func ResidualsLeverage(fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*plot.Plot, error) {
	return diagnosePanel("residuals against leverage", fit, d, settings, (*diagnosed).residualsLeverage)
}

// CooksDistance draws the Cook's distance of every row as a stem,
//
//	D_i = r_i^2/p h_i/(1-h_i)
//
// with the standardized residual r_i, the leverage h_i and p the number of
// coefficients, in the order of the design, and names the largest. (Cook 1977,
// Technometrics 19, 15-18.) Errors are those of Diagnostics.
func CooksDistance(fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*plot.Plot, error) {
	return diagnosePanel("Cook's distance", fit, d, settings, (*diagnosed).cooksDistance)
}

func diagnosePanel(what string, fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings, panel func(*diagnosed) (*plot.Plot, error)) (*plot.Plot, error) {
	rows, err := diagnose(what, fit, d, settings)
	if err != nil {
		return nil, err
	}
	return panel(rows)
}

// diagnosed holds the rows that have a standardized residual.
type diagnosed struct {
	DiagnosticsSettings
	fitted, residual, standardized, leverage, cook []float64
	number                                         []int // of the row in the frame, from 1
	dof                                            float64
	omitted                                        string // the rows left out, as text
}

func diagnose(what string, fit Diagnosable, d *mlreg.Design, settings *DiagnosticsSettings) (*diagnosed, error) {
	if check.IsNil(fit) || d == nil {
		return nil, check.Nothing(what, "the design or the fit is nil")
	}
	rows := diagnosed{DiagnosticsSettings: check.OrDefaults(settings)}
	if err := rows.complete(); err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	fitted, err := fit.Fitted(d)
	if err != nil {
		return nil, err
	}
	inf, err := fit.Influence(d)
	if err != nil {
		return nil, err
	}
	names := rows.RowNames
	if names == nil {
		names = d.RowNames()
	}
	if len(names) != len(fitted) {
		return nil, fmt.Errorf("plotting: %s: %w: %d names for %d rows", what, mlreg.ErrShape, len(names), len(fitted))
	}
	rows.dof, rows.RowNames = fit.DoF(), nil
	var omitted []string
	for i, r := range inf.Standardized {
		if !check.IsFinite(r) {
			omitted = append(omitted, names[i])
			continue
		}
		rows.fitted = append(rows.fitted, fitted[i])
		rows.residual = append(rows.residual, inf.Residuals[i])
		rows.standardized = append(rows.standardized, r)
		rows.leverage = append(rows.leverage, inf.Leverage[i])
		rows.cook = append(rows.cook, inf.CooksDistance[i])
		rows.number = append(rows.number, d.RowNumber(i))
		rows.RowNames = append(rows.RowNames, names[i])
	}
	if len(rows.number) == 0 {
		return nil, check.Nothing(what, "no row has a standardized residual; every leverage is 1, or the fit is perfect")
	}
	rows.omitted = omittedRows(omitted)
	return &rows, nil
}

// complete puts defaults for zeros, and refuses settings out of range.
func (s *DiagnosticsSettings) complete() error {
	s.Level = cmp.Or(s.Level, 0.95)
	if !(s.Level > 0 && s.Level < 1) {
		return fmt.Errorf("%w: Level = %v; it lies between 0 and 1", mlreg.ErrSetting, s.Level)
	}
	s.Extremes = cmp.Or(s.Extremes, 3)
	if s.CookLevels == nil {
		s.CookLevels = []float64{0.5, 1}
	}
	for _, c := range s.CookLevels {
		if !(c > 0) || math.IsInf(c, 1) {
			return fmt.Errorf("%w: Cook's distance %v has no contour", mlreg.ErrSetting, c)
		}
	}
	return nil
}

// omittedRows says which rows are left out, on a line of its own.
func omittedRows(names []string) string {
	const most = 6
	switch n := len(names); {
	case n == 0:
		return ""
	case n > most:
		return fmt.Sprintf("\n(left out: %d rows of leverage 1 or weight 0)", n)
	}
	return "\n(left out, leverage 1 or weight 0: " + strings.Join(names, ", ") + ")"
}

// extremes labels the points of the largest values, clear of the lines given.
func (rows *diagnosed) extremes(x, y, by []float64, lines ...Line) rowLabels {
	l := rowLabels{x: x, y: y, lines: lines, labeled: largest(rows.Extremes, by)}
	for _, i := range l.labeled {
		l.names = append(l.names, rows.RowNames[i])
	}
	if len(x) < manyPoints {
		return l
	}
	l.x, l.y = nil, nil // the labeled rows, and the hexagons
	for k, i := range l.labeled {
		l.x, l.y, l.labeled[k] = append(l.x, x[i]), append(l.y, y[i]), k
	}
	_, cells := diagnosticHexagons(x, y)
	for _, h := range cells {
		l.x, l.y = append(l.x, h.x), append(l.y, h.y)
	}
	return l
}

// diagnosticHexagons counts the rows in hexagons of a panel.
func diagnosticHexagons(x, y []float64) (hexGrid, []hexagon) {
	const across, shades = 24, 6 // few edges and colors make a small picture
	grid := newHexGrid(x, y, across, 0.62)
	all := grid.bin([]chartCell{{x: x, y: y}})
	largest := 1
	for _, h := range all {
		largest = max(largest, h.rows())
	}
	for i, h := range all {
		all[i].fill = mix(Blue, math.Ceil(shades*countShade(h.rows(), largest))/shades)
	}
	return grid, all
}

// points draws the rows, smaller and fainter if there are many, and from manyPoints on hexagons that are
// darker where there are more.
func (rows *diagnosed) points(x, y []float64) Layer {
	if len(x) >= manyPoints {
		grid, all := diagnosticHexagons(x, y)
		return drawn{hexagons{grid, all, true}}
	}
	return rows.faint(x, y)
}

// faint draws a point for every row.
func (rows *diagnosed) faint(x, y []float64) Points {
	crowd := math.Pow(math.Max(1, float64(len(x))/500), 0.25)
	return Points{X: x, Y: y, Color: Fade(Blue, math.Max(1/crowd, 0.25)), Radius: math.Max(2.6/crowd, 0.8)}
}

// smooth returns the line of Smooth.
func smooth(x, y []float64) Line {
	xs, ys := lowess(x, y, defaultSpan, robustSteps)
	xs, ys = sparse(xs, ys)
	return Line{X: xs, Y: ys, Name: "smooth", Color: Vermillion}
}

// sparse leaves points of a smooth curve out that are nearer to each other than can be seen, since the time to
// draw a line grows with the square of its points.
func sparse(x, y []float64) (xs, ys []float64) {
	n := len(x)
	if n < manyPoints {
		return x, y
	}
	apart := (x[n-1] - x[0]) / 500
	for i, v := range x {
		if i == 0 || i == n-1 || v-xs[len(xs)-1] >= apart {
			xs, ys = append(xs, v), append(ys, y[i])
		}
	}
	return xs, ys
}

func (rows *diagnosed) residualsFitted() (*plot.Plot, error) {
	return rows.overFitted(Labels{Title: "Residuals against fitted", X: "fitted value", Y: "residual"}, rows.residual)
}

// overFitted draws residuals over the fitted values, with a smooth curve and the names of the largest.
func (rows *diagnosed) overFitted(labels Labels, y []float64) (*plot.Plot, error) {
	x, curve := rows.fitted, smooth(rows.fitted, y)
	labels.X += rows.omitted
	return Draw(labels, HLine{Y: 0}, rows.points(x, y), curve, drawn{rows.extremes(x, y, format.Each(y, math.Abs), curve)})
}

func (rows *diagnosed) scaleLocation() (*plot.Plot, error) {
	x, y := rows.fitted, format.Each(rows.standardized, func(r float64) float64 { return math.Sqrt(math.Abs(r)) })
	curve := smooth(x, y)
	p, err := Draw(Labels{Title: "Scale-location", X: "fitted value" + rows.omitted, Y: "√|standardized residual|"},
		rows.points(x, y), curve, drawn{rows.extremes(x, y, y, curve)})
	if err == nil {
		p.Y.Min = 0
	}
	return p, err
}

func (rows *diagnosed) qq() (*plot.Plot, error) {
	r := rows.standardized
	order := largest(len(r), r)
	slices.Reverse(order)
	n := len(r)
	x := make([]float64, n)
	var sorted, lower, upper, sample []float64
	for k, i := range order {
		x[i] = normalScore(k+1, n)
		if !shownRank(k, n) {
			continue
		}
		low, high := normalOrderLimits(k+1, n, rows.Level)
		sorted, lower, upper, sample = append(sorted, x[i]), append(lower, low), append(upper, high), append(sample, r[i])
	}
	points := Points{X: sorted, Y: sample, Color: Fade(Blue, 0.6), Radius: 1.4}
	if n < manyPoints {
		points = rows.faint(x, r)
	}
	diagonal := Line{X: sorted, Y: sorted, Color: Gray, Dashed: true, Width: 1}
	return Draw(Labels{Title: "Normal QQ", X: "normal quantile" + rows.omitted, Y: "standardized residual"},
		Ribbon{X: sorted, Lower: lower, Upper: upper, Name: format.Number(100*rows.Level, 6) + "% band, pointwise", Color: Gray, Opacity: 0.3},
		diagonal, points, drawn{rows.extremes(x, r, format.Each(r, math.Abs), diagonal)})
}

// shownRank reports whether a QQ plot of n rows draws the row of a rank, counted from 0: of many rows all of
// the 200 at both ends, and some of the others, which lie close together on a rising curve.
func shownRank(k, n int) bool {
	const ends, between = 200, 600
	return n < manyPoints || k < ends || k >= n-ends || k%(n/between) == 0
}

// normalScore returns the abscissa of the i-th smallest of n values.
func normalScore(i, n int) float64 {
	c := 0.5
	if n <= 10 {
		c = 3. / 8
	}
	return dist.NormalQuantile((float64(i) - c) / (float64(n) + 1 - 2*c))
}

// normalOrderLimits returns limits between which the i-th smallest of n
// standard normal values lies with the probability level.
func normalOrderLimits(i, n int, level float64) (lower, upper float64) {
	// The i-th smallest of n uniform values is Beta(i, n+1-i), and so its odds are F times i/(n+1-i).
	below, above := float64(i), float64(n+1-i)
	quantile := func(p float64) float64 {
		odds := below / above * dist.FQuantile(1-p, 2*below, 2*above)
		return dist.NormalQuantile(odds / (1 + odds))
	}
	return quantile((1 - level) / 2), quantile((1 + level) / 2)
}

func (rows *diagnosed) residualsLeverage() (*plot.Plot, error) {
	h, r := rows.leverage, rows.standardized
	xmax := math.Min(1.12*slices.Max(h), 1)
	low, high := slices.Min(r), slices.Max(r)
	low, high = math.Min(low-0.08*(high-low), 0), math.Max(high+0.08*(high-low), 0)
	curve, contours := smooth(h, r), rows.cookContours(xmax, low, high)
	labels := rows.extremes(h, r, rows.cook, append(contours, curve)...)
	layers := []Layer{HLine{Y: 0}, rows.points(h, r), curve}
	for i, line := range contours {
		end := len(line.X) - 1
		note := Note{X: line.X[end], Y: line.Y[end], Text: line.Name, Side: LowerLeft}
		// The smallest distance is written inside of its contours.
		if inside := line.Name == contours[0].Name; inside == (note.Y < 0) {
			note.Side = UpperLeft
		}
		labels.notes = append(labels.notes, note)
		if line.Name = ""; i == 0 {
			line.Name = "Cook's distance"
		}
		layers = append(layers, line)
	}
	layers = append(layers, drawn{labels})
	x := "leverage" + rows.omitted
	if len(contours) == 0 && len(rows.CookLevels) > 0 {
		x += " (Cook's distance below " + format.Number(slices.Min(rows.CookLevels), 3) + ")"
	}
	p, err := Draw(Labels{Title: "Residuals against leverage", X: x, Y: "standardized residual"}, layers...)
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, xmax, low, high
	return p, nil
}

// cookContours returns the parts of the contours r = -+sqrt(c p (1-h)/h) that lie
// inside the plot, named by their c.
func (rows *diagnosed) cookContours(xmax, low, high float64) []Line {
	var contours []Line
	for _, c := range slices.Sorted(slices.Values(rows.CookLevels)) {
		for _, edge := range []float64{high, low} {
			cp := c * rows.dof
			from := cp / (cp + edge*edge) // where the contour enters the plot
			if from >= xmax {
				continue
			}
			l := Line{X: Range(from, xmax, 120), Name: format.Number(c, 3), Color: Black, Dashed: true, Width: 1}
			for _, h := range l.X {
				l.Y = append(l.Y, math.Copysign(math.Sqrt(cp*(1-h)/h), edge))
			}
			contours = append(contours, l)
		}
	}
	return contours
}

func (rows *diagnosed) cooksDistance() (*plot.Plot, error) {
	x := make([]float64, len(rows.number))
	stems := make([]Line, len(rows.number))
	for i, k := range rows.number {
		x[i] = float64(k)
		stems[i] = Line{X: []float64{x[i], x[i]}, Y: []float64{0, rows.cook[i]}}
	}
	return Draw(Labels{Title: "Cook's distance", X: "row" + rows.omitted, Y: "Cook's distance"},
		Stems{X: x, Y: rows.cook}, drawn{rows.extremes(x, rows.cook, rows.cook, stems...)})
}
