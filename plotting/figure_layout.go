package plotting

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Space between panels, and between the parts of a figure.
const panelGap, partGap = vg.Length(14), vg.Length(22)

// layout is a figure with the places of its parts on a canvas.
type layout struct {
	f      *Figure
	area   draw.Canvas // of the whole figure
	note   []string    // the lines of the note
	panels [][]*panel
	at     [][]draw.Canvas // of the panels
	parts  []*layout       // of figures side by side
}

// draw draws the figure on the canvas. The error says if an axis has no width that
// float64 holds.
func (f *Figure) draw(c draw.Canvas) error {
	l, err := f.layout(draw.Crop(c, vg.Points(5), -vg.Points(9), vg.Points(5), -vg.Points(6)))
	if err != nil {
		return err
	}
	l.draw()
	return nil
}

// Styles of the texts of a figure.
func figureTitleStyle() text.Style {
	style := New("", "", "").Title.TextStyle
	style.Font.Size, style.YAlign = look.TitleSize+1, text.YTop
	return style
}

func figureNoteStyle() text.Style { return look.Text(look.TickSize-0.5, look.Quiet) }

func sharedNameStyle() text.Style {
	style := look.Text(look.LabelSize, look.Ink)
	style.XAlign = text.XCenter
	return style
}

// layout finds the places of all parts.
func (f *Figure) layout(c draw.Canvas) (*layout, error) {
	l := &layout{f: f, area: c}
	if f.Title != "" {
		c.Max.Y -= figureTitleStyle().Height(f.Title) + vg.Points(8)
	}
	if f.Note != "" {
		style := figureNoteStyle()
		l.note = wrapped(f.Note, style, c.Size().X)
		c.Min.Y += l.noteLine()*vg.Length(len(l.note)) + vg.Points(4)
	}
	if f.beside != nil {
		return l, l.placeParts(c)
	}
	if f.legend != nil {
		c.Max.X -= f.legend.size().X + 2*legendInset
	}
	name := sharedNameStyle().Height("x") + vg.Points(4)
	if f.xName != "" {
		c.Min.Y += name
	}
	if f.yName != "" {
		c.Min.X += name
	}
	return l, l.placePanels(c)
}

// placePanels finds the places of the panels on the canvas.
func (l *layout) placePanels(c draw.Canvas) error {
	f := l.f
	rows, cols := f.dims()
	tiles := draw.Tiles{Rows: rows, Cols: cols, PadX: panelGap, PadY: panelGap}
	l.panels = make([][]*panel, rows)
	plots := make([][]*plot.Plot, rows)
	for i := range rows {
		l.panels[i], plots[i] = make([]*panel, cols), make([]*plot.Plot, cols)
		for j, p := range f.Panels[i] {
			if p != nil {
				l.panels[i][j] = newPanel(p)
				l.panels[i][j].equal = f.EqualAxes
				plots[i][j] = &l.panels[i][j].plot
			}
		}
	}
	f.shareRanges(plots)
	for i := range rows {
		for j, p := range l.panels[i] {
			if p != nil {
				giveWidth(&p.plot.X)
				giveWidth(&p.plot.Y)
				if err := errors.Join(drawable("x", p.plot.X), drawable("y", p.plot.Y)); err != nil {
					return fmt.Errorf("plotting: figure %q: panel %d of row %d: %w", f.Name(), j+1, i+1, err)
				}
				p.prepare(tiles.At(c, j, i))
			}
		}
	}
	l.at = plot.Align(plots, tiles, c)
	return nil
}

// placeParts finds the places of figures side by side, as wide as they are by
// themselves, in the ratio. The data of all begin at one height, and end at one.
func (l *layout) placeParts(c draw.Canvas) error {
	parts := l.f.beside
	widths, sum := make([]float64, len(parts)), 0.0
	for k, part := range parts {
		w, _, err := part.size()
		if err != nil {
			return err
		}
		widths[k], sum = w, sum+w
	}
	free := c.Size().X - partGap*vg.Length(len(parts)-1)
	at := make([]draw.Canvas, len(parts))
	var above, below vg.Length // the most that any part has there
	left := c.Min.X
	for k := range parts {
		at[k] = c
		at[k].Min.X, at[k].Max.X = left, left+free*vg.Length(widths[k]/sum)
		left = at[k].Max.X + partGap
		part, err := parts[k].layout(at[k])
		if err != nil {
			return err
		}
		l.parts = append(l.parts, part)
		data := part.data()
		above, below = max(above, c.Max.Y-data.Max.Y), max(below, data.Min.Y-c.Min.Y)
	}
	for k, part := range l.parts {
		data := part.data()
		at[k].Max.Y -= above - (c.Max.Y - data.Max.Y)
		at[k].Min.Y += below - (data.Min.Y - c.Min.Y)
		var err error
		if l.parts[k], err = parts[k].layout(at[k]); err != nil {
			return err
		}
	}
	return nil
}

// data returns the rectangle that holds the data of all panels.
func (l *layout) data() vg.Rectangle {
	all := vg.Rectangle{Min: l.area.Max, Max: l.area.Min}
	join := func(r vg.Rectangle) {
		all.Min = vg.Point{X: min(all.Min.X, r.Min.X), Y: min(all.Min.Y, r.Min.Y)}
		all.Max = vg.Point{X: max(all.Max.X, r.Max.X), Y: max(all.Max.Y, r.Max.Y)}
	}
	for i, row := range l.panels {
		for j, p := range row {
			if p != nil {
				join(p.plot.DataCanvas(l.at[i][j]).Rectangle)
			}
		}
	}
	for _, part := range l.parts {
		join(part.data())
	}
	return all
}

// draw draws the panels and the texts around them.
func (l *layout) draw() {
	c, f := l.area, l.f
	if f.Title != "" {
		c.FillText(figureTitleStyle(), vg.Point{X: c.Center().X, Y: c.Max.Y}, f.Title)
	}
	y := c.Min.Y + l.noteLine()*vg.Length(len(l.note))
	for _, line := range l.note {
		y -= l.noteLine()
		c.FillText(figureNoteStyle(), vg.Point{X: c.Min.X, Y: y}, line)
	}
	for _, part := range l.parts {
		part.draw()
	}
	for i, row := range l.panels {
		for j, p := range row {
			if p != nil {
				p.draw(l.at[i][j])
			}
		}
	}
	if f.xName == "" && f.yName == "" && f.legend == nil {
		return
	}
	data := l.data()
	if f.xName != "" {
		bottom := c.Min.Y
		if f.Note != "" {
			bottom += l.noteLine()*vg.Length(len(l.note)) + vg.Points(4)
		}
		c.FillText(sharedNameStyle(), vg.Point{X: (data.Min.X + data.Max.X) / 2, Y: bottom}, f.xName)
	}
	if f.yName != "" {
		style := sharedNameStyle()
		style.Rotation, style.YAlign = math.Pi/2, text.YTop
		c.FillText(style, vg.Point{X: c.Min.X, Y: (data.Min.Y + data.Max.Y) / 2}, f.yName)
	}
	if f.legend != nil {
		f.legend.draw(c, vg.Point{X: c.Max.X - legendInset - f.legend.size().X, Y: data.Max.Y})
	}
}

// noteLine returns the height of a line of the note.
func (l *layout) noteLine() vg.Length { return figureNoteStyle().Font.Size * 1.3 }

// wrapped breaks a text at spaces into lines that are no wider than asked, where
// that is possible.
func wrapped(s string, style text.Style, width vg.Length) []string {
	var lines []string
	for word := range strings.FieldsSeq(s) {
		last := len(lines) - 1
		if last >= 0 && style.Width(lines[last]+" "+word) <= width {
			lines[last] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// giveWidth gives an axis of zero width some where gonum/plot, which adds 1 on either
// side, does not: at large numbers, and on a logarithmic axis.
func giveWidth(a *plot.Axis) {
	more := 1e-9 * math.Abs(a.Min)
	switch _, log := a.Scale.(plot.LogScale); {
	case log && math.Log(a.Min) == math.Log(a.Max):
		a.Min, a.Max = a.Min/2, a.Max*2
	case a.Min == a.Max && more > 1:
		a.Min, a.Max = a.Min-more, a.Max+more
	}
}

// drawable returns an error if points on the axis have no place: the range is
// not finite, or too wide for float64. Without data it begins at +Inf and ends at
// -Inf, which gonum/plot replaces by 0.
func drawable(name string, a plot.Axis) error {
	low, high := a.Min, a.Max
	if math.IsInf(low, 1) {
		low = 0
	}
	if math.IsInf(high, -1) {
		high = 0
	}
	if check.IsFinite(high - low) {
		return nil
	}
	return fmt.Errorf("%w: the %s axis goes from %v to %v; scale the values, or set the range", mlreg.ErrNotFinite, name, a.Min, a.Max)
}

// shareRanges gives the panels of a column or row their common range.
func (f *Figure) shareRanges(plots [][]*plot.Plot) {
	for i, row := range plots {
		for j, p := range row {
			if p == nil {
				continue
			}
			for k := range plots {
				if q := plots[k][j]; f.ShareX && q != nil {
					p.X.Min, p.X.Max = math.Min(p.X.Min, q.X.Min), math.Max(p.X.Max, q.X.Max)
				}
			}
			for _, q := range plots[i] {
				if f.ShareY && q != nil {
					p.Y.Min, p.Y.Max = math.Min(p.Y.Min, q.Y.Min), math.Max(p.Y.Max, q.Y.Max)
				}
			}
		}
	}
}
