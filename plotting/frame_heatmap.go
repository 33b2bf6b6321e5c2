package plotting

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// HeatMapSettings are the options of HeatMap.
type HeatMapSettings struct {
	Labels
	// Rows and Cols name the rows and columns; the default is their numbers,
	// from 1.
	Rows, Cols []string
	// Min and Max are the values at the ends of the color scale. The default,
	// both 0, is the range of the matrix. If it has values of both signs, the
	// range is made symmetric, so that white is 0.
	Min, Max float64
	// Decimals is the number of decimals in the cells; the default is 2. A
	// matrix with more than 14 rows or columns shows no values.
	Decimals int
	// NoValues leaves the values out.
	NoValues bool
	// Value says what the colors stand for, with its unit; it is written along the color bar.
	Value string
}

// HeatMap draws a matrix as colored cells, its first row on top, with a color bar:
// blue through white to vermillion for values of both signs, white to blue for values
// of one sign. Missing values (NaN) are gray. Nil settings are the defaults. Errors:
// mlreg.ErrNoData for a matrix that is nil or empty, mlreg.ErrShape for names that do
// not match its size, mlreg.ErrNotFinite for a matrix with infinite values or with
// missing values only, mlreg.ErrSetting if Min is not below Max.
func HeatMap(m mat.Matrix, settings *HeatMapSettings) (*Figure, error) {
	s := check.OrDefaults(settings)
	what := layerName("heat map", s.Title)
	if check.IsNil(m) {
		return nil, check.Nothing(what, "the matrix is nil")
	}
	rows, cols := m.Dims()
	if rows == 0 || cols == 0 {
		return nil, fmt.Errorf("plotting: %s: %w: the matrix is %d x %d", what, mlreg.ErrNoData, rows, cols)
	}
	if s.Rows != nil && len(s.Rows) != rows || s.Cols != nil && len(s.Cols) != cols {
		return nil, fmt.Errorf("plotting: %s: %w: %d row names and %d column names for a %d x %d matrix",
			what, mlreg.ErrShape, len(s.Rows), len(s.Cols), rows, cols)
	}
	low, high, err := matrixRange(what, m)
	if err != nil {
		return nil, err
	}
	h := &heatCells{m: m, name: s.Value, decimals: s.Decimals, values: !s.NoValues && max(rows, cols) <= 14}
	if h.decimals <= 0 {
		h.decimals = 2
	}
	h.scale = newColorScale(low, high)
	if s.Min != 0 || s.Max != 0 {
		if !(s.Min < s.Max) || math.IsInf(s.Max-s.Min, 0) {
			return nil, fmt.Errorf("plotting: %s: %w: Min = %v, Max = %v", what, mlreg.ErrSetting, s.Min, s.Max)
		}
		h.scale = colorScale{min: s.Min, max: s.Max, diverging: s.Min < 0 && s.Max > 0}
	}

	p := newBare(s.Title, s.X, s.Y)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, float64(cols), 0, float64(rows)
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.LineStyle.Width, axis.Tick.LineStyle.Width = 0, 0
		axis.Padding = vg.Points(3)
	}
	p.X.Tick.Marker = cellTicks(s.Cols, cols, false)
	p.Y.Tick.Marker = cellTicks(s.Rows, rows, true)
	p.Add(h)
	f := Sized(p, 5.6, 4.6)
	f.cells = true
	f.Alt = fmt.Sprintf("heat map %s: %d x %d matrix with values from %s to %s", s.Title, rows, cols, format.Number(low, 3), format.Number(high, 3))
	return f, nil
}

// matrixRange returns the smallest and largest value, NaN left out.
func matrixRange(what string, m mat.Matrix) (low, high float64, err error) {
	low, high = math.Inf(1), math.Inf(-1)
	rows, cols := m.Dims()
	for i := range rows {
		for j := range cols {
			v := m.At(i, j)
			if math.IsInf(v, 0) {
				return 0, 0, fmt.Errorf("plotting: %s: %w: %v in row %d, column %d", what, mlreg.ErrNotFinite, v, i+1, j+1)
			}
			if !math.IsNaN(v) {
				low, high = math.Min(low, v), math.Max(high, v)
			}
		}
	}
	if low > high {
		return 0, 0, fmt.Errorf("plotting: %s: %w: every value is NaN", what, mlreg.ErrNotFinite)
	}
	return low, high, nil
}

// cellTicks labels the cells of an axis by their names, or by number; of many
// cells, some.
func cellTicks(names []string, n int, down bool) plot.ConstantTicks {
	every := 1
	if n > 30 || names == nil && n > 20 {
		every = int(math.Max(1, look.RoundStep(0, float64(n), 10)))
	}
	var ticks plot.ConstantTicks
	for i := range n {
		if (i+1)%every != 0 && i != 0 {
			continue
		}
		label := strconv.Itoa(i + 1)
		if names != nil {
			label = names[i]
		}
		at := float64(i) + 0.5
		if down {
			at = float64(n) - at
		}
		ticks = append(ticks, plot.Tick{Value: at, Label: label})
	}
	return ticks
}

// colorScale maps values to colors.
type colorScale struct {
	min, max  float64
	diverging bool // white at 0
}

// newColorScale returns the scale for values from low to high.
func newColorScale(low, high float64) colorScale {
	switch {
	case low < 0 && high > 0:
		most := math.Max(-low, high)
		return colorScale{-most, most, true}
	case low == high:
		return colorScale{math.Min(low, 0), math.Max(low, 0) + map[bool]float64{true: 1}[low == 0], low < 0}
	case high <= 0:
		return colorScale{low, 0, true}
	}
	return colorScale{low, high, false}
}

// at returns the color of a value: mixed with white, in equal steps, from the
// color of its sign.
func (s colorScale) at(v float64) color.NRGBA {
	switch {
	case math.IsNaN(v):
		return color.NRGBA{R: 0xBB, G: 0xBB, B: 0xBB, A: 0xFF}
	case s.diverging && v < 0:
		return mix(Blue, v/s.min)
	case s.diverging:
		return mix(Vermillion, v/s.max)
	}
	return mix(Blue, (v-s.min)/(s.max-s.min))
}

// heatCells is the plotter of HeatMap: the cells on integer coordinates, and
// the color bar to the right of them.
type heatCells struct {
	m        mat.Matrix
	scale    colorScale
	name     string // of the color bar
	values   bool
	decimals int
}

const (
	barGap   = vg.Length(14)
	barWidth = vg.Length(11)
)

// Plot implements plot.Plotter.
func (h *heatCells) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	rows, cols := h.m.Dims()
	gap := vg.Length(0.5)
	if max(rows, cols) > 30 {
		gap = -0.15 // overlap, so that no seams show
	}
	style := look.Text(look.TickSize, look.Ink)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	write := h.values && h.fits(&style, trX(1)-trX(0), trY(1)-trY(0))
	for i := range rows {
		for j := range cols {
			v := h.m.At(i, j)
			x0, x1 := trX(float64(j))+gap, trX(float64(j+1))-gap
			y0, y1 := trY(float64(rows-i-1))+gap, trY(float64(rows-i))-gap
			shade := h.scale.at(v)
			fillBox(c, shade, x0, y0, x1, y1)
			if write {
				style.Color = inkOn(shade)
				fillCentered(c, style, vg.Point{X: (x0 + x1) / 2, Y: (y0 + y1) / 2}, format.Decimal(v, h.decimals))
			}
		}
	}
	h.plotBar(c, p.Y.Tick.Label)
}

// fits makes the text small enough for a cell of the size given, and reports
// whether it can be read then.
func (h *heatCells) fits(style *text.Style, width, height vg.Length) bool {
	rows, cols := h.m.Dims()
	var widest vg.Length
	for i := range rows {
		for j := range cols {
			widest = max(widest, style.Width(format.Decimal(h.m.At(i, j), h.decimals)))
		}
	}
	shrink := min(1, 0.88*width/widest, 0.8*height/style.Height("0"))
	style.Font.Size *= shrink
	return style.Font.Size >= 5
}

// inkOn returns black or white, whichever stands out from the color.
func inkOn(c color.NRGBA) color.Color {
	luminance := 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
	if luminance < 130 {
		return color.White
	}
	return look.Ink
}

func (h *heatCells) plotBar(c draw.Canvas, style text.Style) {
	x0, x1 := c.Max.X+barGap, c.Max.X+barGap+barWidth
	const steps = 100
	height := c.Max.Y - c.Min.Y
	at := func(v float64) vg.Length {
		return c.Min.Y + height*vg.Length((v-h.scale.min)/(h.scale.max-h.scale.min))
	}
	for k := range steps {
		v := h.scale.min + (h.scale.max-h.scale.min)*(float64(k)+0.5)/steps
		y := c.Min.Y + height*vg.Length(k)/steps
		fillBox(c, h.scale.at(v), x0, y, x1, c.Max.Y) // the next step covers the rest
	}
	style.XAlign, style.YAlign = text.XLeft, text.YCenter
	for _, t := range h.barTicks() {
		y := at(t.Value)
		c.StrokeLine2(draw.LineStyle{Color: look.Quiet, Width: look.GridWidth}, x1, y, x1+3, y)
		fillCentered(c, style, vg.Point{X: x1 + 5, Y: y}, t.Label)
	}
	if h.name != "" {
		name := barName()
		c.FillText(name, vg.Point{X: x1 + 11 + h.widestTick(style) + name.Height(h.name), Y: (c.Min.Y + c.Max.Y) / 2}, h.name)
	}
}

// barName is the style of the color bar's name, which runs upwards.
func barName() text.Style {
	style := look.Text(look.LabelSize, look.Ink)
	style.Rotation, style.XAlign, style.YAlign = math.Pi/2, text.XCenter, text.YBottom
	return style
}

// widestTick is the width of the color bar's longest number.
func (h *heatCells) widestTick(style text.Style) vg.Length {
	var widest vg.Length
	for _, t := range h.barTicks() {
		widest = max(widest, style.Width(t.Label))
	}
	return widest
}

func (h *heatCells) barTicks() []plot.Tick { return Ticks{Target: 5}.Ticks(h.scale.min, h.scale.max) }

// fillCentered writes digits whose middle is at the height of pt.
func fillCentered(c draw.Canvas, style text.Style, pt vg.Point, txt string) {
	pt.Y += style.FontExtents().Descent
	c.FillText(style, pt, txt)
}

// GlyphBoxes implements plot.GlyphBoxer: it keeps the place of the bar free.
func (h *heatCells) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	margin := barGap + barWidth + 6 + h.widestTick(p.Y.Tick.Label)
	if h.name != "" {
		margin += barName().Height(h.name) + 8
	}
	return rightMargin(margin).GlyphBoxes(p)
}
