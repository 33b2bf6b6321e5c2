package plotting

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// InteractiveSettings are the options of Interactive.
type InteractiveSettings struct {
	// Labels are the texts beside the slider, one for each value, with its unit
	// if it has one. The default is "name = value" with four significant digits,
	// or as many as distinguish the values.
	Labels []string
	// Still is the frame shown as a static picture above the slider, counted
	// from 1; the default 0 is the middle frame.
	Still int
	// FreeAxes lets each frame have its own axis ranges. By default a panel has
	// the same ranges in all frames, which cover all data.
	FreeAxes bool
	// MaxBytes is the largest total size of the frames in the notebook; the
	// default 0 is 1 MB.
	MaxBytes int
	// Progress, if not nil, is called after every frame with the number of
	// frames drawn. An error from it stops the drawing.
	Progress func(done, total float64) error
}

// InteractiveFigure is a figure with a slider, or with two. Show displays it.
type InteractiveFigure struct {
	sliders []Slider // with their labels
	frames  []*Figure
	still   int
	most    int
}

// Slider is one of the two sliders of InteractivePair.
type Slider struct {
	Name   string
	Values []float64
	Labels []string // as in InteractiveSettings, for each of Values
}

// Interactive returns a figure with a slider: one frame for each value of the
// named parameter, such as the degree of a polynomial or a penalty. The
// function draws a frame: it is called once with each index of values, and
// returns a plot or a figure.
//
//	plotting.Show(plotting.Interactive("λ", lambdas, func(i int) (*plot.Plot, error) {
//		return plotting.Draw(labels, points, plotting.Line{X: grid, Y: curves[i]})
//	}, nil))
//
// To keep the legend in one place in all frames, set its place, for example
// p.Legend.Top = true.
//
// Interactive draws all frames at once, so the slider needs no kernel: it works in
// JupyterLab, in classic Notebook, in VS Code and in exported HTML, with the mouse,
// with a finger, with the arrow keys and for screen readers. A static picture of
// one frame comes first, for readers on paper and for pages that allow no scripts.
// On such pages a line of text and the first frame replace the slider.
//
// Frames have 120 dots per inch, or fewer, down to 72, if they would take more than
// MaxBytes; twenty of the usual size take about 0.5 MB. Errors: those of drawing,
// with the value; mlreg.ErrNoData for fewer than two values; mlreg.ErrShape if the
// number of labels differs from the number of values, or if frames differ in size
// or panels; mlreg.ErrSetting for a name that is empty, for Still and, from Show,
// for frames that take more than MaxBytes at 72 dots; from Show, mlreg.ErrTooLarge for
// frames of more than 2^26 pixels at 72 dots (100 of 12 x 10 inches). If Progress returns an error,
// or a frame ErrInterrupted, Interactive returns that error. It also returns the
// figure of the frames drawn so far, if there are at least two.
func Interactive[F *plot.Plot | *Figure](name string, values []float64, frame func(i int) (F, error), settings *InteractiveSettings) (*InteractiveFigure, error) {
	one := Slider{Name: name, Values: values, Labels: check.OrDefaults(settings).Labels}
	var drawn func(i int) (any, error)
	if frame != nil {
		drawn = func(i int) (any, error) {
			f, err := frame(i)
			return anyFigure(f), err
		}
	}
	return interactive([]Slider{one}, drawn, settings)
}

// InteractivePair returns a figure with two sliders: a frame for every value of the
// first with every value of the second. The function draws a frame from the index of either
// value. Everything else is as for Interactive, whose Labels are here those of
// the sliders, and Still counts the frames with the second slider moving first.
//
//	degree := plotting.Slider{Name: "degree", Values: []float64{1, 3, 5}}
//	rows := plotting.Slider{Name: "n", Values: []float64{10, 20, 40, 80}}
//	plotting.Show(plotting.InteractivePair(degree, rows, func(i, j int) (*plot.Plot, error) {
//		return fitted(degree.Values[i], rows.Values[j])
//	}, nil))
//
// The frames are drawn all at once and count together against MaxBytes: few values for
// each slider, say five, leave them sharp. Where the drawing is stopped, the figure has the
// values of the first slider for which all is drawn. Errors: those of Interactive, and
// mlreg.ErrSetting for Labels in the settings.
func InteractivePair[F *plot.Plot | *Figure](first, second Slider, frame func(i, j int) (F, error), settings *InteractiveSettings) (*InteractiveFigure, error) {
	if check.OrDefaults(settings).Labels != nil {
		return nil, fmt.Errorf("plotting: interactive figure of %s and %s: %w: Labels are those of the sliders", format.Line(first.Name), format.Line(second.Name), mlreg.ErrSetting)
	}
	var drawn func(i int) (any, error)
	if frame != nil {
		drawn = func(i int) (any, error) {
			f, err := frame(i/len(second.Values), i%len(second.Values))
			return anyFigure(f), err
		}
	}
	return interactive([]Slider{first, second}, drawn, settings)
}

// anyFigure returns a plot or figure, nil if it is.
func anyFigure[F *plot.Plot | *Figure](f F) any {
	if f == nil {
		return nil
	}
	return f
}

// interactive is Interactive for any number of sliders, the last of which moves first.
func interactive(sliders []Slider, frame func(i int) (any, error), settings *InteractiveSettings) (*InteractiveFigure, error) {
	set := check.OrDefaults(settings)
	f := &InteractiveFigure{still: set.Still - 1, most: set.MaxBytes}
	row := 1 // frames of one value of the first slider
	for k, s := range sliders {
		s, err := s.labelled(frame != nil)
		if err != nil {
			return nil, err
		}
		f.sliders = append(f.sliders, s)
		if k > 0 {
			row *= len(s.Values)
		}
	}
	name, n := f.name(), f.count()
	switch {
	case set.Still < 0 || set.Still > n:
		return nil, fmt.Errorf("plotting: interactive figure of %s: %w: Still is %d; frames are counted from 1 to %d", name, mlreg.ErrSetting, set.Still, n)
	case set.MaxBytes < 0:
		return nil, fmt.Errorf("plotting: interactive figure of %s: %w: MaxBytes is %d", name, mlreg.ErrSetting, set.MaxBytes)
	}
	if set.Still == 0 {
		f.still = 0
		for _, s := range f.sliders {
			f.still = f.still*len(s.Values) + (len(s.Values)-1)/2
		}
	}
	f.most = cmp.Or(f.most, 1<<20)
	stopped, err := f.draw(frame, set.Progress)
	if err != nil {
		return nil, err
	}
	whole := len(f.frames) / row
	if whole < 2 {
		return nil, stopped
	}
	first := &f.sliders[0]
	first.Values, first.Labels = first.Values[:whole], first.Labels[:whole]
	f.frames = f.frames[:whole*row]
	f.still = min(f.still, len(f.frames)-1)
	if err := f.check(); err != nil {
		return nil, err
	}
	if !set.FreeAxes {
		f.fixAxes()
	}
	return f, stopped
}

// draw draws the frames, one after the other, until one or progress stops it: those until then remain.
func (f *InteractiveFigure) draw(frame func(i int) (any, error), progress func(done, total float64) error) (stopped, err error) {
	n := f.count()
	for i := 0; i < n && stopped == nil; i++ {
		drawn, err := frame(i)
		if err == nil && drawn == nil {
			err = errors.New("the function returned nil")
		}
		if err != nil {
			err = f.failed(i, err)
			if !errors.Is(err, ErrInterrupted) {
				return nil, err
			}
			return err, nil
		}
		f.frames = append(f.frames, figureOf(drawn))
		if progress != nil {
			stopped = progress(float64(i+1), float64(n))
		}
	}
	return stopped, nil
}

// labelled returns the slider with a name of one line and a label for every value.
func (s Slider) labelled(drawn bool) (Slider, error) {
	s.Name = strings.TrimSpace(format.Line(s.Name))
	n := len(s.Values)
	switch {
	case s.Name == "":
		return s, fmt.Errorf("plotting: interactive figure: %w: the name is empty; the slider shows it", mlreg.ErrSetting)
	case !drawn:
		return s, fmt.Errorf("plotting: interactive figure of %s: %w: the drawing function is nil", s.Name, mlreg.ErrSetting)
	case n < 2:
		return s, fmt.Errorf("plotting: interactive figure of %s: %w: %s; a slider needs two", s.Name, mlreg.ErrNoData, check.Plural(n, "value"))
	case s.Labels != nil && len(s.Labels) != n:
		return s, fmt.Errorf("plotting: interactive figure of %s: %w: %s and %s", s.Name, mlreg.ErrShape, check.Plural(len(s.Labels), "label"), check.Plural(n, "value"))
	}
	labels := s.Labels
	if labels == nil {
		labels = valueLabels(s.Name, s.Values)
	}
	s.Labels = nil
	for _, l := range labels {
		s.Labels = append(s.Labels, format.Line(l))
	}
	return s, nil
}

// name returns the names of the sliders.
func (f *InteractiveFigure) name() string {
	var names []string
	for _, s := range f.sliders {
		names = append(names, s.Name)
	}
	return strings.Join(names, " and ")
}

// count returns the number of frames, of which some may not be drawn yet.
func (f *InteractiveFigure) count() int {
	n := 1
	for _, s := range f.sliders {
		n *= len(s.Labels)
	}
	return n
}

// label returns what the sliders say at a frame.
func (f *InteractiveFigure) label(i int) string {
	labels := make([]string, len(f.sliders))
	for k := len(f.sliders) - 1; k >= 0; k-- {
		n := len(f.sliders[k].Labels)
		labels[k] = f.sliders[k].Labels[i%n]
		i /= n
	}
	return strings.Join(labels, ", ")
}

// valueLabels returns "name = value" for every value, with so many digits that
// different values have different labels.
func valueLabels(name string, values []float64) []string {
	for digits := format.Digits; ; digits++ {
		labels := make([]string, len(values))
		value := map[string]float64{}
		clash := false
		for i, v := range values {
			labels[i] = name + " = " + format.Number(v, digits)
			other, seen := value[labels[i]]
			clash = clash || seen && other != v && digits < 17 // float64s differ in 17 digits
			value[labels[i]] = v
		}
		if !clash {
			return labels
		}
	}
}

// figureOf returns a figure of panels that may be changed without changing the
// user's.
func figureOf(drawn any) *Figure {
	if p, ok := drawn.(*plot.Plot); ok {
		return Grid(1, p).clone()
	}
	return drawn.(*Figure).clone()
}

// failed says which frame an error is of.
func (f *InteractiveFigure) failed(i int, err error) error {
	return fmt.Errorf("plotting: interactive figure, frame %d of %d (%s): %w", i+1, f.count(), f.label(i), err)
}

// check holds the size and panels of all frames against the first's.
func (f *InteractiveFigure) check() error {
	var first string
	for i, frame := range f.frames {
		width, height, err := frame.size()
		if err != nil {
			return f.failed(i, err)
		}
		layout := fmt.Sprintf("%v x %v inches with ", width, height)
		for k, leaf := range frame.leaves() {
			if k > 0 {
				layout += " and "
			}
			rows, cols := leaf.dims()
			layout += fmt.Sprintf("%d x %d panels", rows, cols)
			for r, row := range leaf.Panels {
				for c, p := range row {
					if p == nil {
						layout += fmt.Sprintf(", panel %d of row %d empty", c+1, r+1)
					}
				}
			}
		}
		if i == 0 {
			first = layout
		}
		if layout != first {
			return fmt.Errorf("plotting: interactive figure: %w: frame %d (%s) has %s, the first has %s", mlreg.ErrShape, i+1, f.label(i), layout, first)
		}
	}
	return nil
}

// fixAxes gives every panel the union of the ranges that it has in the frames.
func (f *InteractiveFigure) fixAxes() {
	for k, first := range f.frames[0].plots() {
		x, y := first.X, first.Y
		for _, frame := range f.frames {
			p := frame.plots()[k]
			x.Min, x.Max = math.Min(x.Min, p.X.Min), math.Max(x.Max, p.X.Max)
			y.Min, y.Max = math.Min(y.Min, p.Y.Min), math.Max(y.Max, p.Y.Max)
		}
		for _, frame := range f.frames {
			p := frame.plots()[k]
			p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = x.Min, x.Max, y.Min, y.Max
		}
	}
}

// Resolutions of the frames in dots an inch.
const (
	frameDPI       = 120
	lowestFrameDPI = 72
)

const (
	mostPixels = 1 << 26 // of all frames together: some seconds
	mostTries  = 4       // resolutions that are tried before the lowest
)

// pictures returns the frames as PNG in base64.
func (f *InteractiveFigure) pictures() ([]string, error) {
	dpi, err := f.startDPI()
	if err != nil {
		return nil, err
	}
	for tries := 1; ; tries++ {
		var pictures []string
		total := 0
		for i, frame := range f.frames {
			img, err := frame.image(dpi)
			if err != nil {
				return nil, f.failed(i, err)
			}
			png, err := compactPNG(img)
			if err != nil {
				return nil, f.failed(i, err)
			}
			pictures = append(pictures, base64.StdEncoding.EncodeToString(png))
			if total += len(pictures[i]); total > f.most {
				break
			}
		}
		switch {
		case total <= f.most:
			return pictures, nil
		case dpi == lowestFrameDPI:
			return nil, fmt.Errorf("plotting: interactive figure of %s: %w: %d of %d frames take %d bytes at %d dots an inch, MaxBytes is %d: draw fewer frames, or smaller ones",
				f.name(), mlreg.ErrSetting, len(pictures), len(f.frames), total, dpi, f.most)
		}
		// The bytes of a line drawing grow about as its resolution does.
		all := float64(total) * float64(len(f.frames)) / float64(len(pictures))
		dpi = max(lowestFrameDPI, min(dpi-1, int(float64(dpi)*float64(f.most)/all)))
		if tries >= mostTries {
			dpi = lowestFrameDPI
		}
	}
}

// startDPI returns the resolution to draw the frames at first: frameDPI, or less for
// frames that have more than mostPixels together then. The frames are of one size.
func (f *InteractiveFigure) startDPI() (int, error) {
	width, height, err := f.frames[0].size()
	if err != nil {
		return 0, f.failed(0, err)
	}
	inches := width * height * float64(len(f.frames))
	dpi := int(math.Min(frameDPI, math.Sqrt(mostPixels/inches)))
	if dpi < lowestFrameDPI {
		return 0, fmt.Errorf("plotting: interactive figure of %s: %w: %d frames of %v x %v inches have %.3g pixels at %d dots an inch, and at most 2^26 are drawn: draw fewer frames, or smaller ones",
			f.name(), mlreg.ErrTooLarge, len(f.frames), width, height, inches*lowestFrameDPI*lowestFrameDPI, lowestFrameDPI)
	}
	return dpi, nil
}

// Bundles returns the two outputs of the figure: the static picture, and the
// slider.
func (f *InteractiveFigure) Bundles() ([]Bundle, error) {
	still, err := f.frames[f.still].Bundle()
	if err != nil {
		return nil, f.failed(f.still, err)
	}
	still.Text += " (" + f.label(f.still) + ")"
	pictures, err := f.pictures()
	if err != nil {
		return nil, err
	}
	var alts []string
	for i, frame := range f.frames {
		alts = append(alts, format.Line(frame.Description())+" ("+f.label(i)+")")
	}
	n := len(f.frames)
	slider := Bundle{Text: fmt.Sprintf("Slider: %d frames, from %s to %s", n, f.label(0), f.label(n-1))}
	lists := fmt.Sprintf(`data-alts="%s" data-frames="%s"`, format.EscapeHTML(strings.Join(alts, "\n")), strings.Join(pictures, "\n"))
	var controls string
	if len(f.sliders) == 1 {
		controls = "<div " + hiddenControls + ">" + f.sliders[0].html(lists+` `, moveOne) + "</div>"
	} else {
		slider.Text = strings.Replace(slider.Text, "Slider", "Two sliders", 1)
		controls = "<div " + hiddenControls + " " + lists + ">\n"
		row := n
		for _, s := range f.sliders {
			row /= len(s.Labels)
			controls += "<div>" + s.html(fmt.Sprintf(`data-row="%d" `, row), moveTwo) + "</div>\n"
		}
		controls += "</div>"
	}
	slider.HTML = fmt.Sprintf(sliderHTML, still.Width, controls, format.HTML(f.label(0)), n, pictures[0], format.EscapeHTML(alts[0]), still.Width, still.Height)
	return []Bundle{still, slider}, nil
}

// html returns the slider's control and the text beside it.
func (s Slider) html(data, move string) string {
	return fmt.Sprintf(controlHTML, format.EscapeHTML(s.Name), format.EscapeHTML(s.Labels[0]), len(s.Labels)-1,
		format.EscapeHTML(strings.Join(s.Labels, "\n")), data, move, format.HTML(s.Labels[0]))
}

// sliderHTML is the page of the sliders. It holds the frames in an attribute, so
// that where a page's attributes are not trusted nothing is left but the
// first frame. It has no script element and no ids: pages forbid the former, and
// a figure may be shown twice.
//
// The controls are hidden until the first frame has loaded and its script shows
// them in place of the line that stands for them: twice, since of what is not trusted
// classic Notebook drops the style and JupyterLab the attribute. width and
// height keep the place of a frame that loads. The other styles are those that
// classic Notebook would choose otherwise.
const (
	sliderHTML = `<div style="max-width:%[1]dpx">
%[2]s
<p>A slider through %[4]d frames stands here where scripts may run: in a notebook that is trusted, or after running the cell. Its first frame, %[3]s:</p>
<img src="data:image/png;base64,%[5]s" alt="%[6]s" width="%[7]d" height="%[8]d" style="width:100%%;height:auto" ` +
		`onload="const slider=this.parentNode.firstElementChild;slider.hidden=false;slider.style.display='';this.previousElementSibling.hidden=true">
</div>`
	hiddenControls = `hidden style="display:none"`
)

// controlHTML is a slider and its text. Arrow keys would select cells: data-lm-...
// keeps them from JupyterLab, and onkeydown from VS Code. JupyterLab also takes the
// ring off what has the focus; outline gives it back. Without autocomplete a
// browser that restores forms would move the slider and not the frame.
const controlHTML = `<input type="range" aria-label="%[1]s" aria-valuetext="%[2]s" min="0" max="%[3]d" step="1" value="0" autocomplete="off" ` +
	`style="display:inline-block;width:20em;max-width:60%%;vertical-align:middle;outline:revert" data-lm-suppress-shortcuts="true" onkeydown="if(event.key!=='Escape')event.stopPropagation()" ` +
	`data-labels="%[4]s" %[5]soninput="%[6]s"> <span aria-hidden="true">%[7]s</span>`

// What a control does when it moves. Where there are two, the frames are those of
// the box around both, and data-row is the number of frames from one value to the next.
const (
	moveOne = `const at=list=>this.dataset[list].split('\n')[this.value],img=this.parentNode.nextElementSibling.nextElementSibling;` +
		`img.src='data:image/png;base64,'+at('frames');img.alt=at('alts');` +
		`this.setAttribute('aria-valuetext',this.nextElementSibling.textContent=at('labels'))`
	moveTwo = `const box=this.parentNode.parentNode,img=box.nextElementSibling.nextElementSibling;let i=0;` +
		`for(const s of box.querySelectorAll('input'))i+=s.value*s.dataset.row;` +
		`img.src='data:image/png;base64,'+box.dataset.frames.split('\n')[i];img.alt=box.dataset.alts.split('\n')[i];` +
		`this.setAttribute('aria-valuetext',this.nextElementSibling.textContent=this.dataset.labels.split('\n')[this.value])`
)
