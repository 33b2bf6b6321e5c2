// Package live has the explorables of the course: functions from a few parameters and a
// seed to a figure, the numbers in it and a sentence that says them.
//
//	plotting.Show(live.LassoPath().Slider())
//
// A notebook shows an explorable as a slider through frames drawn beforehand. Whoever can
// run Go draws it at any parameters by [Explorable.Draw], with the same numbers.
package live

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// An Explorable is a figure with parameters that a reader moves.
type Explorable struct {
	ID     string // the notebook's number and a topic: "08.lasso_path"
	Func   string // the function that returns it, which All knows: "LassoPath"
	Title  string
	Params []Param
	Seed   uint64 // that the notebook shows
	Random bool   // whether another seed draws other data
	// MaxBytes is the largest size of the frames that Slider draws; 0 is
	// Interactive's default of 1 MB.
	MaxBytes int
	// FreeAxes says that the axes' ranges change with the parameters.
	FreeAxes bool
	// MaxPoints is how many points of their own readers may add. Each is two more values
	// of Draw, after those of the parameters: its coordinates.
	MaxPoints int
	// Text is the label of a text that readers may type, or empty.
	Text string

	// draw draws at values within the parameters' ranges. Its errors, and those of what it calls, are for
	// Draw to handle: see package try.
	draw func(at Point) *View
}

// A Param is a parameter of an explorable: one of Values, or a number from Min to Max in
// steps of Step.
type Param struct {
	Name   string // by which Point.Value finds it
	Label  string // what a reader sees: "λ", "number of rows"
	Unit   string // "cm", "%", or empty
	Values []float64
	Texts  []string // of Values, if they stand for choices: "toward PC1"
	Cyclic bool     // whether Min follows on Max, as 0 does on 359 degrees
	// Without Values: the range, whose steps are even on the logarithmic scale if Log is
	// set; Step is then the factor between two.
	Min, Max, Step float64
	Log            bool
	// Frames are the values that the notebook's slider has; nil stands for Values. A
	// parameter without both has no slider in the notebook, where it keeps its default.
	Frames  []float64
	Default float64 // one of the frames: that of the still
}

// A Point is where an explorable is drawn.
type Point struct {
	Seed uint64
	// Progress, if not nil, is to be called in work that takes more than some
	// milliseconds; an error from it ends Draw with that error.
	Progress func(done, total float64) error
	// Text is what the reader has typed, or empty.
	Text string

	params []Param
	values []float64
}

// Value returns the parameter of that name. It panics if the explorable has none.
func (p Point) Value(name string) float64 {
	for i, param := range p.params {
		if param.Name == name {
			return p.values[i]
		}
	}
	panic(fmt.Sprintf("live: the explorable has no parameter %q", name))
}

// Own returns the points that the reader has added.
func (p Point) Own() (x, y []float64) {
	for k := len(p.params); k < len(p.values); k += 2 {
		x, y = append(x, p.values[k]), append(y, p.values[k+1])
	}
	return x, y
}

// Source returns a generator of the point's seed; streams of one seed are independent.
func (p Point) Source(stream uint64) rand.Source { return rand.NewPCG(p.Seed, stream) }

// report calls Progress, whose error ends the work.
func (p Point) report(done, total int) {
	if p.Progress != nil {
		try.Check(p.Progress(float64(done), float64(total)))
	}
}

// A View is an explorable drawn at a point.
type View struct {
	Figure *plotting.Figure
	// Numbers are those that the figure shows. Their number and names are the same at
	// every point.
	Numbers []Number
	// Sentence says what the figure shows to a reader who does not see it, with the numbers
	// that matter.
	Sentence string
	// Handles are what a reader can drag in the figure. Where they are is known when
	// the figure has been drawn.
	Handles []*Handle
	// Text is the text that the figure is about, if readers may type one.
	Text string
}

// Number is a number of a view, rounded to the significant digits that are stated and are
// the same on every machine.
type Number struct {
	Name, Unit string
	Value      float64
	Digits     int
}

// String returns the number with its name and unit: "λ = 20".
func (n Number) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s = %s %s", n.Name, format.Number(n.Value, n.Digits), n.Unit))
}

// DrawSettings are the options of Draw.
type DrawSettings struct {
	// Seed draws other data, or others of what is drawn at random; the default 0 is the
	// explorable's own seed, which the notebook shows.
	Seed uint64
	// Progress, if not nil, is called during long work; an error from it stops the work.
	Progress func(done, total float64) error
	// Text is what the reader has typed, for an explorable that has a text; others ignore it.
	Text string
}

// Draw draws the explorable at values of its parameters, in their order, and after them the
// coordinates of the reader's own points; nil values are the defaults, and the last
// parameters may be missing if they have no frames. The same values and seed give the same
// view. The view's figure has the view's sentence as its description.
// Errors: mlreg.ErrShape for another number of values; mlreg.ErrSetting for a value that is not
// among the parameter's values, or outside its range, and for a point that is not finite;
// that of Progress; those of drawing.
func (e *Explorable) Draw(values []float64, settings *DrawSettings) (*View, error) {
	at := Point{Seed: e.Seed, params: e.Params, values: values}
	if settings != nil {
		if settings.Seed != 0 {
			at.Seed = settings.Seed
		}
		at.Progress, at.Text = settings.Progress, settings.Text
	}
	if values == nil {
		at.values = e.Defaults()
	}
	for k := len(values); values != nil && k < len(e.Params) && e.Params[k].frames() == nil; k++ {
		at.values = append(slices.Clip(at.values), e.Params[k].Default)
	}
	own := len(at.values) - len(e.Params)
	if own < 0 || own%2 != 0 || own > 2*e.MaxPoints {
		return nil, fmt.Errorf("live: %q: %w: %d values for %d parameters and at most %d points", e.ID, mlreg.ErrShape, len(values), len(e.Params), e.MaxPoints)
	}
	for _, v := range at.values[len(e.Params):] {
		if math.IsNaN(v) || math.Abs(v) > farthest {
			return nil, fmt.Errorf("live: %q: %w: a point has the coordinate %g", e.ID, mlreg.ErrSetting, v)
		}
	}
	for i, v := range at.values[:len(e.Params)] {
		if err := e.Params[i].check(v); err != nil {
			return nil, fmt.Errorf("live: %q: %w", e.ID, err)
		}
	}
	var view *View
	if err := try.Do(func() { view = e.draw(at) }); err != nil {
		return nil, fmt.Errorf("live: %q: %w", e.ID, err)
	}
	view.Figure.Alt = view.Sentence
	return view, nil
}

// farthest is the largest coordinate of a reader's own point.
const farthest = 1e6

// Defaults returns the default of every parameter.
func (e *Explorable) Defaults() []float64 {
	values := make([]float64, len(e.Params))
	for i, p := range e.Params {
		values[i] = p.Default
	}
	return values
}

// check returns an error for a value that the parameter cannot have.
func (p Param) check(v float64) error {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return fmt.Errorf("%w: %q is %g", mlreg.ErrSetting, p.Name, v)
	case p.Values != nil && !slices.Contains(p.Values, v):
		return fmt.Errorf("%w: %q is %g, which is not one of %g", mlreg.ErrSetting, p.Name, v, p.Values)
	case p.Values == nil && (v < p.Min || v > p.Max):
		return fmt.Errorf("%w: %q is %g; it goes from %g to %g", mlreg.ErrSetting, p.Name, v, p.Min, p.Max)
	}
	return nil
}

// frames returns the values of the slider.
func (p Param) frames() []float64 {
	if p.Frames != nil {
		return p.Frames
	}
	return p.Values
}

// Text returns a value as a reader sees it: "λ = 20".
func (p Param) Text(v float64) string {
	if i := slices.Index(p.Values, v); i >= 0 && p.Texts != nil {
		return p.Label + ": " + p.Texts[i]
	}
	return Number{Name: p.Label, Unit: p.Unit, Value: v, Digits: 4}.String()
}

// Slider returns the explorable as a figure with a slider, or with two, whose frames are those
// of its parameters, drawn by Draw with the explorable's own seed. The still is the frame of
// the defaults. Of more than two parameters the others keep their defaults, as do those
// without frames. Errors are those of Draw and of plotting.Interactive.
func (e *Explorable) Slider() (*plotting.InteractiveFigure, error) {
	moved := e.Params[:min(2, len(e.Params))]
	if k := slices.IndexFunc(moved, func(p Param) bool { return p.frames() == nil }); k >= 0 {
		moved = moved[:k]
	}
	settings := &plotting.InteractiveSettings{MaxBytes: e.MaxBytes, FreeAxes: true}
	sliders := make([]plotting.Slider, len(moved))
	for k, p := range moved {
		values := p.frames()
		sliders[k] = plotting.Slider{Name: p.Label, Values: values}
		for _, v := range values {
			sliders[k].Labels = append(sliders[k].Labels, p.Text(v))
		}
		settings.Still = settings.Still*len(values) + slices.Index(values, p.Default)
	}
	settings.Still++ // counted from 1
	frame := func(at ...int) (*plotting.Figure, error) {
		values := e.Defaults()
		for k, i := range at {
			values[k] = sliders[k].Values[i]
		}
		view, err := e.Draw(values, nil)
		if err != nil {
			return nil, err
		}
		return view.Figure, nil
	}
	if len(sliders) == 2 {
		return plotting.InteractivePair(sliders[0], sliders[1], func(i, j int) (*plotting.Figure, error) { return frame(i, j) }, settings)
	}
	settings.Labels = sliders[0].Labels
	return plotting.Interactive(sliders[0].Name, sliders[0].Values, func(i int) (*plotting.Figure, error) { return frame(i) }, settings)
}

// registered has what All returns; every file of a notebook adds its own.
var registered []func() *Explorable

// All returns every explorable, in the order of their IDs.
func All() []*Explorable {
	var all []*Explorable
	for _, make := range registered {
		e := make()
		name := runtime.FuncForPC(reflect.ValueOf(make).Pointer()).Name()
		e.Func = name[strings.LastIndexByte(name, '.')+1:]
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Explorable) int { return strings.Compare(a.ID, b.ID) })
	return all
}
