package plotting

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// Resolution of PNG figures, and of the pixels of a web page, in dots an inch.
const (
	figureDPI = 192
	cssDPI    = 96
)

// Size of a figure of one panel, and of each panel of several, in inches.
const (
	singleWidth, singleHeight = 6.4, 4.0
	panelWidth, panelHeight   = 4.3, 3.1
)

// Figure is one or more plots on a page, with aligned axes. Its fields may be
// changed until it is shown or saved.
type Figure struct {
	// Title stands above all panels.
	Title string
	// Alt is the description for readers who do not see the figure. The default
	// gives the titles, labels and ranges of the panels.
	Alt string
	// Width and Height are in inches, 0.5 to 40. The default is 6.4 x 4 for one
	// panel; for several it grows with their number, up to a width of 9.6.
	Width, Height float64
	// Panels are rows of plots, from the top; a nil plot leaves its place
	// empty.
	Panels [][]*plot.Plot
	// EqualAxes gives a unit the same length on both axes of every panel, so
	// that a circle is round: it widens the range of one axis.
	EqualAxes bool
	// ShareX gives all panels of a column the same horizontal range, ShareY
	// all panels of a row the same vertical range.
	ShareX, ShareY bool
}

// Grid returns a figure of the plots, row by row, with the given number of
// columns. A nil plot leaves its place empty.
func Grid(columns int, plots ...*plot.Plot) *Figure {
	columns = max(1, columns)
	f := &Figure{}
	for i, p := range plots {
		if i%columns == 0 {
			f.Panels = append(f.Panels, make([]*plot.Plot, columns))
		}
		f.Panels[i/columns][i%columns] = p
	}
	return f
}

// Sized returns a figure of one plot of the given size in inches.
func Sized(p *plot.Plot, width, height float64) *Figure {
	f := Grid(1, p)
	f.Width, f.Height = width, height
	return f
}

// dims returns the number of rows and columns. The error says if the figure
// has no panel, or rows of different lengths.
func (f *Figure) dims() (rows, cols int, err error) {
	rows = len(f.Panels)
	if rows > 0 {
		cols = len(f.Panels[0])
	}
	drawn := 0
	for i, row := range f.Panels {
		if len(row) != cols {
			return 0, 0, fmt.Errorf("plotting: figure %q: %w: row %d has %d panels, row 1 has %d", f.Title, mlreg.ErrShape, i+1, len(row), cols)
		}
		for _, p := range row {
			if p != nil {
				drawn++
			}
		}
	}
	if drawn == 0 {
		return 0, 0, fmt.Errorf("plotting: figure %q: %w: it has no panels", f.Title, mlreg.ErrNoData)
	}
	return rows, cols, nil
}

// size returns the width and height in inches.
func (f *Figure) size(rows, cols int) (width, height float64, err error) {
	width, height = f.Width, f.Height
	if width == 0 {
		width = singleWidth
		if cols > 1 {
			width = math.Min(float64(cols)*panelWidth, look.PageWidth)
		}
	}
	if height == 0 {
		height = singleHeight
		if rows*cols > 1 {
			height = float64(rows) * math.Min(panelHeight, 0.8*width/float64(cols))
		}
		if rows == 1 && cols > 1 {
			height = math.Max(height, 3)
		}
	}
	if !(width >= 0.5 && width <= 40 && height >= 0.5 && height <= 40) {
		return 0, 0, fmt.Errorf("plotting: figure %q: %w: size %v x %v inches; each side may be 0.5 to 40", f.Title, mlreg.ErrSetting, width, height)
	}
	return width, height, nil
}

// PNG returns the figure at 192 dots an inch, on white. The same figure gives the
// same bytes. Errors: mlreg.ErrNoData without a panel, mlreg.ErrShape for rows of
// different lengths, mlreg.ErrSetting for a size that is out of range, and an
// error for a plot that gonum/plot cannot draw.
func (f *Figure) PNG() ([]byte, error) {
	img, err := f.image(figureDPI)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = png.Encode(&buf, img)
	return buf.Bytes(), err
}

// image draws the figure at a resolution in dots an inch.
func (f *Figure) image(dpi int) (img image.Image, err error) {
	err = f.render("png", func(w, h vg.Length) vg.CanvasSizer {
		return vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	}, func(c vg.CanvasSizer) error {
		img = c.(*vgimg.Canvas).Image()
		return nil
	})
	return img, err
}

// Save writes the figure to a file. Its extension is .png, .svg or .pdf; programs
// built with -tags=minimal cannot write .pdf. Text in .svg and .pdf files is drawn
// as shapes, so that it looks the same everywhere. Errors are those of PNG, and
// those of writing the file.
func (f *Figure) Save(path string) error {
	var data []byte
	var err error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
		data, err = f.PNG()
	case ".svg":
		data, err = f.vector("svg")
	case ".pdf":
		data, err = f.vector("pdf")
	default:
		err = fmt.Errorf("plotting: cannot write %q: the extension %q is not .png, .svg or .pdf", path, ext)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// vector renders to one of the formats that gonum/plot registers.
func (f *Figure) vector(format string) ([]byte, error) {
	var buf bytes.Buffer
	var missing error
	err := f.render(format, func(w, h vg.Length) vg.CanvasSizer {
		if format == "svg" {
			return vgsvg.New(w, h) // registered even in a minimal build
		}
		var c vg.CanvasWriterTo
		if c, missing = draw.NewFormattedCanvas(w, h, format); missing != nil {
			return nil
		}
		return c
	}, func(c vg.CanvasSizer) error {
		_, err := c.(vg.CanvasWriterTo).WriteTo(&buf)
		return err
	})
	if missing != nil {
		return nil, fmt.Errorf("plotting: no %s in this program: build it without -tags=minimal, or save as .svg", format)
	}
	return buf.Bytes(), err
}

// render draws the figure on a canvas and hands that to write. What gonum/plot
// panics about, such as a logarithmic axis that reaches zero, is returned as
// an error.
func (f *Figure) render(format string, canvas func(w, h vg.Length) vg.CanvasSizer, write func(vg.CanvasSizer) error) (err error) {
	rows, cols, err := f.dims()
	if err != nil {
		return err
	}
	width, height, err := f.size(rows, cols)
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("plotting: figure %q cannot be drawn as %s: %v", f.Name(), format, r)
		}
	}()
	c := canvas(vg.Length(width)*vg.Inch, vg.Length(height)*vg.Inch)
	if c == nil {
		return nil
	}
	page := draw.New(c)
	switch format {
	case "png":
		page.Canvas = bounded{c}
	case "svg":
		page.Canvas = outlines{bounded{c}}
	case "pdf":
		page.Canvas = outlines{straight{bounded{c}}}
	}
	if err := f.draw(page, rows, cols); err != nil {
		return err
	}
	return write(c)
}

// draw lays the panels out on the canvas. The error says if an axis has no width
// that float64 holds.
func (f *Figure) draw(c draw.Canvas, rows, cols int) error {
	c.FillPolygon(color.White, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}})
	c = draw.Crop(c, vg.Points(5), -vg.Points(9), vg.Points(5), -vg.Points(6))
	if f.Title != "" {
		style := New("", "", "").Title.TextStyle
		style.Font.Size = look.TitleSize + 1
		style.YAlign = text.YTop
		c.FillText(style, vg.Point{X: c.Center().X, Y: c.Max.Y}, f.Title)
		c.Max.Y -= style.Height(f.Title) + vg.Points(8)
	}
	tiles := draw.Tiles{Rows: rows, Cols: cols, PadX: vg.Points(14), PadY: vg.Points(14)}
	panels := make([][]*panel, rows)
	plots := make([][]*plot.Plot, rows)
	for i := range rows {
		panels[i], plots[i] = make([]*panel, cols), make([]*plot.Plot, cols)
		for j, p := range f.Panels[i] {
			if p != nil {
				panels[i][j] = newPanel(p)
				panels[i][j].equal = f.EqualAxes
				plots[i][j] = &panels[i][j].plot
			}
		}
	}
	f.shareRanges(plots)
	for i := range rows {
		for j, p := range panels[i] {
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
	canvases := plot.Align(plots, tiles, c)
	for i := range rows {
		for j, p := range panels[i] {
			if p != nil {
				p.draw(canvases[i][j])
			}
		}
	}
	return nil
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

// Name returns the title of the figure, or that of its first panel.
func (f *Figure) Name() string {
	if f.Title != "" {
		return f.Title
	}
	for _, row := range f.Panels {
		for _, p := range row {
			if p != nil && p.Title.Text != "" {
				return p.Title.Text
			}
		}
	}
	return ""
}

// Bundle implements Bundler: the PNG, shown at its size in inches, with the
// alternative text.
func (f *Figure) Bundle() (Bundle, error) {
	data, err := f.PNG()
	if err != nil {
		return Bundle{}, err
	}
	rows, cols, err := f.dims()
	if err != nil {
		return Bundle{}, err
	}
	width, height, err := f.size(rows, cols)
	if err != nil {
		return Bundle{}, err
	}
	css := func(inches float64) int { return int(math.Round(inches * cssDPI)) }
	return Bundle{Text: "Figure: " + f.altText(), PNG: data, Width: css(width), Height: css(height)}, nil
}

// altText returns Alt, or what the titles and axes say.
func (f *Figure) altText() string {
	if f.Alt != "" {
		return f.Alt
	}
	var parts []string
	if f.Title != "" {
		parts = append(parts, f.Title)
	}
	for _, row := range f.Panels {
		for _, p := range row {
			if p != nil {
				parts = append(parts, describe(p))
			}
		}
	}
	return strings.Join(parts, "; ")
}

// describe returns a description of a plot in one line.
func describe(p *plot.Plot) string {
	var parts []string
	if p.Title.Text != "" {
		parts = append(parts, strings.ReplaceAll(p.Title.Text, "\n", " "))
	}
	switch x, y := p.X.Label.Text, p.Y.Label.Text; {
	case x != "" && y != "":
		parts = append(parts, fmt.Sprintf("%s against %s", y, x))
	case x != "":
		parts = append(parts, x)
	case y != "":
		parts = append(parts, y)
	}
	if len(parts) == 0 {
		parts = append(parts, "a plot without title and labels")
	}
	s := strings.Join(parts, ": ")
	if _, numeric := p.X.Tick.Marker.(Ticks); numeric && p.X.Min < p.X.Max && p.Y.Min < p.Y.Max && !math.IsInf(p.X.Max-p.X.Min, 0) {
		s += fmt.Sprintf(" (horizontal %s to %s, vertical %s to %s)",
			Number(p.X.Min, 3), Number(p.X.Max, 3), Number(p.Y.Min, 3), Number(p.Y.Max, 3))
	}
	return s
}
