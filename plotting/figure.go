package plotting

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
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
	// Note stands below all panels, in small print: rows left out, sources.
	Note string

	legend       *legend   // to the right of all panels
	xName, yName string    // of the axes that all panels share
	beside       []*Figure // the parts of a figure of SideBySide, which has no panels
	cells        bool      // axes count cells, and have no other range
	err          error     // of a change that cannot be made
}

// mostColumns is how many columns a figure has at most.
const mostColumns = 1000

// Grid returns a figure of the plots, row by row, with the given number of
// columns. A nil plot leaves its place empty. Drawing a figure of more than 1000 columns
// is mlreg.ErrTooLarge.
func Grid(columns int, plots ...*plot.Plot) *Figure {
	columns = max(1, columns)
	f := &Figure{}
	if columns > mostColumns {
		f.err = fmt.Errorf("plotting: %w: a grid of %d columns; %d are the most", mlreg.ErrTooLarge, columns, mostColumns)
		return f
	}
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

// leaves returns the figures that stand side by side: the figure itself, unless
// SideBySide made it.
func (f *Figure) leaves() []*Figure {
	if f.beside == nil {
		return []*Figure{f}
	}
	var all []*Figure
	for _, part := range f.beside {
		all = append(all, part.leaves()...)
	}
	return all
}

// plots returns the plots of the figure, without those that are nil.
func (f *Figure) plots() []*plot.Plot {
	var all []*plot.Plot
	for _, leaf := range f.leaves() {
		for _, row := range leaf.Panels {
			for _, p := range row {
				if p != nil {
					all = append(all, p)
				}
			}
		}
	}
	return all
}

// sameHeights gives plots a vertical range that covers those of all.
func sameHeights(plots []*plot.Plot) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range plots {
		low, high = math.Min(low, p.Y.Min), math.Max(high, p.Y.Max)
	}
	for _, p := range plots {
		p.Y.Min, p.Y.Max = low, high
	}
}

// check returns an error if the figure has no panel, or rows of different lengths.
func (f *Figure) check() error {
	for _, part := range f.beside {
		if err := part.check(); err != nil {
			return err
		}
	}
	for i, row := range f.Panels {
		if len(row) != len(f.Panels[0]) {
			return fmt.Errorf("plotting: figure %q: %w: row %d has %d panels, row 1 has %d", f.Title, mlreg.ErrShape, i+1, len(row), len(f.Panels[0]))
		}
	}
	if len(f.plots()) == 0 {
		return fmt.Errorf("plotting: figure %q: %w: it has no panels", f.Title, mlreg.ErrNoData)
	}
	return f.err
}

// dims returns the number of rows and columns of a figure without parts.
func (f *Figure) dims() (rows, cols int) {
	rows = len(f.Panels)
	if rows > 0 {
		cols = len(f.Panels[0])
	}
	return rows, cols
}

// size returns the width and height in inches, or the error of check.
func (f *Figure) size() (width, height float64, err error) {
	if err := f.check(); err != nil {
		return 0, 0, err
	}
	width, height = f.Width, f.Height
	if f.beside != nil {
		width, height, err = f.sizeOfParts()
		if err != nil {
			return 0, 0, err
		}
	}
	rows, cols := f.dims()
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

// sizeOfParts returns the size of figures side by side: their widths together, up
// to that of a page, and the height of the tallest, reduced as the widths are.
func (f *Figure) sizeOfParts() (width, height float64, err error) {
	var together, tallest float64
	for _, part := range f.beside {
		w, h, err := part.size()
		if err != nil {
			return 0, 0, err
		}
		together, tallest = together+w, math.Max(tallest, h)
	}
	width, height = f.Width, f.Height
	width = cmp.Or(width, math.Min(together, look.PageWidth))
	height = cmp.Or(height, math.Max(tallest*math.Min(1, width/together), math.Min(tallest, 3)))
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
	return fastPNG(img)
}

// image draws the figure at a resolution in dots an inch.
func (f *Figure) image(dpi int) (img image.Image, err error) {
	err = f.render("png", func(w, h vg.Length) vg.CanvasSizer {
		return newUpright(w, h, dpi)
	}, func(c vg.CanvasSizer) error {
		img = c.(*upright).Image()
		return nil
	})
	return img, err
}

// SVG returns the figure as an SVG file, whose text is drawn as shapes. Errors are those of PNG.
func (f *Figure) SVG() ([]byte, error) { return f.vector("svg") }

// Save writes the figure to a file. Its extension is .png, .svg or .pdf; for .pdf call
// Save of package plotting/pdf, which cells do not pay for otherwise. Text in .svg and
// .pdf files is drawn as shapes, so that it looks the same everywhere. Errors are
// those of PNG, and those of writing the file.
func (f *Figure) Save(path string) error {
	var data []byte
	var err error
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
		data, err = f.PNG()
	case ".svg":
		data, err = f.SVG()
	case ".pdf":
		data, err = f.vector("pdf")
	default:
		err = fmt.Errorf("plotting: cannot write %q: the extension %q is not .png, .svg or .pdf", path, ext)
	}
	if err != nil {
		return err
	}
	return format.Error(os.WriteFile(path, data, 0o644))
}

// vector renders to one of the formats that gonum/plot registers.
func (f *Figure) vector(kind string) ([]byte, error) {
	var buf bytes.Buffer
	var missing error
	err := f.render(kind, func(w, h vg.Length) vg.CanvasSizer {
		if kind == "svg" {
			return newSVG(w, h)
		}
		var c vg.CanvasWriterTo
		if c, missing = draw.NewFormattedCanvas(w, h, kind); missing != nil {
			return nil
		}
		return c
	}, func(c vg.CanvasSizer) error {
		_, err := c.(vg.CanvasWriterTo).WriteTo(&buf)
		return err
	})
	if missing != nil {
		return nil, fmt.Errorf("plotting: this program cannot write %s files: call %[1]s.Save(figure, path) of package plotting/%[1]s", kind)
	}
	return buf.Bytes(), err
}

// render draws the figure on a canvas and hands that to write. What gonum/plot
// panics about, such as a logarithmic axis that reaches zero, is returned as
// an error.
func (f *Figure) render(kind string, canvas func(w, h vg.Length) vg.CanvasSizer, write func(vg.CanvasSizer) error) (err error) {
	width, height, err := f.size()
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("plotting: figure %q cannot be drawn as %s: %v", f.Name(), kind, r)
		}
	}()
	c := canvas(vg.Length(width)*vg.Inch, vg.Length(height)*vg.Inch)
	if c == nil {
		return nil
	}
	page := draw.New(c)
	page.Canvas = bounded{c}
	if kind == "pdf" {
		page.Canvas = outlines{straight{bounded{c}}}
	}
	if kind != "png" { // an image is white
		fillBox(page, color.White, page.Min.X, page.Min.Y, page.Max.X, page.Max.Y)
	}
	if err := f.draw(page); err != nil {
		return err
	}
	return write(c)
}

// Name returns the title of the figure, or that of its first panel.
func (f *Figure) Name() string {
	if f.Title != "" {
		return f.Title
	}
	for _, p := range f.plots() {
		if p.Title.Text != "" {
			return p.Title.Text
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
	width, height, err := f.size()
	if err != nil {
		return Bundle{}, err
	}
	css := func(inches float64) int { return int(math.Round(inches * cssDPI)) }
	return Bundle{Text: "Figure: " + f.Description(), PNG: data, Width: css(width), Height: css(height)}, nil
}

// Description returns the text that stands for the figure where it is not seen: Alt, or what
// the titles, the axes and the note say.
func (f *Figure) Description() string {
	if f.Alt != "" {
		return f.Alt
	}
	parts := given(f.Title)
	for _, part := range f.beside {
		parts = append(parts, part.Description())
	}
	for _, row := range f.Panels {
		for _, p := range row {
			if p != nil {
				parts = append(parts, describe(p))
			}
		}
	}
	return strings.Join(append(parts, given(f.Note)...), "; ")
}

// describe returns a description of a plot in one line.
func describe(p *plot.Plot) string {
	axes := strings.Join(given(p.Y.Label.Text, p.X.Label.Text), " against ")
	s := strings.Join(given(strings.ReplaceAll(p.Title.Text, "\n", " "), axes), ": ")
	s = cmp.Or(s, "a plot without title and labels")
	if _, numeric := p.X.Tick.Marker.(Ticks); numeric && p.X.Min < p.X.Max && p.Y.Min < p.Y.Max && !math.IsInf(p.X.Max-p.X.Min, 0) {
		s += fmt.Sprintf(" (horizontal %s to %s, vertical %s to %s)",
			format.Number(p.X.Min, 3), format.Number(p.X.Max, 3), format.Number(p.Y.Min, 3), format.Number(p.Y.Max, 3))
	}
	return s
}

// given returns the texts that are not empty.
func given(texts ...string) []string {
	var all []string
	for _, s := range texts {
		if s != "" {
			all = append(all, s)
		}
	}
	return all
}

// captioned puts a title before a description.
func captioned(title, text string) string { return strings.Join(given(title, text), ": ") }
