package plotting

import (
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"math"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
)

// InteractiveSettings are the options of Interactive.
type InteractiveSettings struct {
	// Labels are what stands beside the slider, one a value; the default is
	// "name = value" with four significant digits.
	Labels []string
	// Still is the frame that is shown as a picture of its own above the
	// slider, counted from 1; the default 0 is the middle one.
	Still int
	// FreeAxes leaves the ranges of the axes to each frame. By default every
	// panel has the same ranges in all frames, which are those of all data.
	FreeAxes bool
	// MaxBytes is the most that the frames may take in the notebook; the
	// default 0 is 1 MB.
	MaxBytes int
}

// InteractiveFigure is a figure with a slider. Show displays it.
type InteractiveFigure struct {
	name   string
	labels []string
	frames []*Figure
	still  int
	most   int
}

// Interactive returns a figure that the reader moves through with a slider:
// one frame for each value of the parameter named, such as the degree of a
// polynomial or a penalty, drawn by the function given, which is called once
// with each index of values and returns a plot or a figure.
//
//	plotting.Show(plotting.Interactive("λ", lambdas, func(i int) (*plot.Plot, error) {
//		return plotting.Draw(labels, points, plotting.Line{X: grid, Y: curves[i]})
//	}, nil))
//
// A legend whose place is to stay the same in all frames needs one:
// p.Legend.Top = true, say.
//
// All frames are drawn now, and the slider needs no kernel: it works in
// JupyterLab, in classic Notebook, in VS Code and in exported HTML. What is shown
// first is a static picture of one frame, for readers on paper and for
// pages that allow no scripts; there, the slider shows the first frame.
//
// Frames have 120 dots an inch, or fewer, down to 72, where they would take
// more than MaxBytes; twenty of the usual size take about 0.5 MB. Errors: those
// of drawing, with the value; ErrNoData for fewer than two values; ErrShape for
// labels of another number, and for frames that differ in size or panels;
// ErrSetting for Still and for frames that take more than MaxBytes at 72 dots.
func Interactive[F *plot.Plot | *Figure](name string, values []float64, frame func(i int) (F, error), settings *InteractiveSettings) (*InteractiveFigure, error) {
	var set InteractiveSettings
	if settings != nil {
		set = *settings
	}
	switch n := len(values); {
	case n < 2:
		return nil, fmt.Errorf("plotting: interactive figure of %s: %w: %s; a slider needs two", name, mlreg.ErrNoData, plural(n, "value"))
	case set.Labels != nil && len(set.Labels) != n:
		return nil, fmt.Errorf("plotting: interactive figure of %s: %w: %s and %s", name, mlreg.ErrShape, plural(len(set.Labels), "label"), plural(n, "value"))
	case set.Still < 0 || set.Still > n:
		return nil, fmt.Errorf("plotting: interactive figure of %s: %w: Still is %d; frames are counted from 1 to %d", name, mlreg.ErrSetting, set.Still, n)
	case set.MaxBytes < 0:
		return nil, fmt.Errorf("plotting: interactive figure of %s: %w: MaxBytes is %d", name, mlreg.ErrSetting, set.MaxBytes)
	}
	f := &InteractiveFigure{name: name, still: set.Still - 1, most: set.MaxBytes}
	if set.Still == 0 {
		f.still = (len(values) - 1) / 2
	}
	if f.most == 0 {
		f.most = 1 << 20
	}
	for i, v := range values {
		label := fmt.Sprintf("%s = %s", name, Number(v, 4))
		if set.Labels != nil {
			label = strings.Join(strings.Fields(set.Labels[i]), " ")
		}
		drawn, err := frame(i)
		if err == nil && drawn == nil {
			err = errors.New("the function returned nil")
		}
		if err != nil {
			return nil, fmt.Errorf("plotting: interactive figure, frame %d of %d (%s): %w", i+1, len(values), label, err)
		}
		f.labels, f.frames = append(f.labels, label), append(f.frames, figureOf(drawn))
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	if !set.FreeAxes {
		f.fixAxes()
	}
	return f, nil
}

// figureOf returns a figure of panels that may be changed without changing the
// user's.
func figureOf(drawn any) *Figure {
	p, ok := drawn.(*plot.Plot)
	if ok {
		copied := *p
		return Grid(1, &copied)
	}
	f := *drawn.(*Figure)
	f.Panels = make([][]*plot.Plot, len(f.Panels))
	for r, row := range drawn.(*Figure).Panels {
		for _, p := range row {
			if p != nil {
				copied := *p
				p = &copied
			}
			f.Panels[r] = append(f.Panels[r], p)
		}
	}
	return &f
}

// check holds the size and panels of all frames against the first's.
func (f *InteractiveFigure) check() error {
	var first string
	for i, frame := range f.frames {
		rows, cols, err := frame.dims()
		if err != nil {
			return err
		}
		width, height, err := frame.size(rows, cols)
		if err != nil {
			return err
		}
		layout := fmt.Sprintf("%v x %v inches with %d x %d panels", width, height, rows, cols)
		for r, row := range frame.Panels {
			for c, p := range row {
				if (p == nil) != (f.frames[0].Panels[r][c] == nil) {
					layout += fmt.Sprintf(", another panel empty in row %d", r+1)
				}
			}
		}
		if i == 0 {
			first = layout
		}
		if layout != first {
			return fmt.Errorf("plotting: interactive figure: %w: frame %d (%s) has %s, the first has %s", mlreg.ErrShape, i+1, f.labels[i], layout, first)
		}
	}
	return nil
}

// fixAxes gives every panel the union of the ranges that it has in the frames.
func (f *InteractiveFigure) fixAxes() {
	for r, row := range f.frames[0].Panels {
		for c, first := range row {
			if first == nil {
				continue
			}
			x, y := first.X, first.Y
			for _, frame := range f.frames {
				p := frame.Panels[r][c]
				x.Min, x.Max = math.Min(x.Min, p.X.Min), math.Max(x.Max, p.X.Max)
				y.Min, y.Max = math.Min(y.Min, p.Y.Min), math.Max(y.Max, p.Y.Max)
			}
			for _, frame := range f.frames {
				p := frame.Panels[r][c]
				p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.Min, x.Max, y.Min, y.Max
			}
		}
	}
}

// Resolutions of the frames in dots an inch.
const (
	frameDPI       = 120
	lowestFrameDPI = 72
)

// pictures returns the frames as PNG in base64.
func (f *InteractiveFigure) pictures() ([]string, error) {
	for dpi := frameDPI; ; {
		var pictures []string
		total := 0
		for _, frame := range f.frames {
			img, err := frame.image(dpi)
			if err != nil {
				return nil, err
			}
			png, err := compactPNG(img)
			if err != nil {
				return nil, err
			}
			pictures = append(pictures, base64.StdEncoding.EncodeToString(png))
			total += len(pictures[len(pictures)-1])
		}
		switch {
		case total <= f.most:
			return pictures, nil
		case dpi == lowestFrameDPI:
			return nil, fmt.Errorf("plotting: interactive figure of %s: %w: %d frames take %d bytes even at %d dots an inch, MaxBytes is %d: draw fewer frames, or smaller ones",
				f.name, mlreg.ErrSetting, len(f.frames), total, dpi, f.most)
		}
		// The bytes of a line drawing grow about as its resolution does.
		dpi = max(lowestFrameDPI, min(dpi-1, dpi*f.most/total))
	}
}

// Bundles returns the two outputs of the figure: the static picture, and the
// slider.
func (f *InteractiveFigure) Bundles() ([]Bundle, error) {
	still, err := f.frames[f.still].Bundle()
	if err != nil {
		return nil, err
	}
	still.Text += " (" + f.labels[f.still] + ")"
	pictures, err := f.pictures()
	if err != nil {
		return nil, err
	}
	n := len(f.labels)
	slider := Bundle{Text: fmt.Sprintf("Slider: %d frames, from %s to %s", n, f.labels[0], f.labels[n-1])}
	slider.HTML = fmt.Sprintf(sliderHTML, still.Width, escapeHTML(f.name), html.EscapeString(f.name), n-1,
		html.EscapeString(strings.Join(f.labels, "\n")), strings.Join(pictures, ","), escapeHTML(f.labels[0]),
		pictures[0], html.EscapeString(f.frames[0].altText()))
	return []Bundle{still, slider}, nil
}

// sliderHTML holds the frames in an attribute, so that where a page's
// attributes are not trusted nothing is left but the first frame. It has no
// script element and no ids: pages forbid the former, and a figure may be
// shown twice. Styles are those that classic Notebook would choose otherwise.
const sliderHTML = `<div style="max-width:%dpx">
%s <input type="range" aria-label="%s" min="0" max="%d" step="1" value="0" style="display:inline-block;width:20em;max-width:60%%;vertical-align:middle" ` +
	`data-labels="%s" data-frames="%s" oninput="this.nextElementSibling.textContent=this.dataset.labels.split('\n')[this.value];` +
	`this.parentNode.querySelector('img').src='data:image/png;base64,'+this.dataset.frames.split(',')[this.value]"> <span>%s</span>
<img src="data:image/png;base64,%s" alt="%s" style="width:100%%">
</div>`
