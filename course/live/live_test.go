package live

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// wantNumbers holds the numbers of a view against those wanted, to the digits that it states.
func wantNumbers(t *testing.T, e *Explorable, values []float64, want ...float64) {
	t.Helper()
	view, err := e.Draw(values, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(want) != len(view.Numbers) {
		t.Fatalf("%s has %d numbers, %d wanted", e.ID, len(view.Numbers), len(want))
	}
	for i, n := range view.Numbers {
		unit := math.Pow(10, math.Floor(math.Log10(math.Max(math.Abs(want[i]), 1e-300)))-float64(n.Digits-1))
		if !(math.Abs(n.Value-want[i]) <= 0.5*unit) {
			t.Errorf("%s at %g: %s, %.*g wanted", e.ID, values, n, n.Digits+2, want[i])
		}
	}
}

// grid calls f with every frame of the slider.
func (e *Explorable) grid(f func(values []float64)) {
	var walk func(values []float64)
	walk = func(values []float64) {
		if len(values) == len(e.Params) {
			f(append([]float64(nil), values...))
			return
		}
		p := e.Params[len(values)]
		list := p.frames()
		if len(values) >= 2 || list == nil {
			list = []float64{p.Default} // as Slider has it
		}
		for _, v := range list {
			walk(append(values, v))
		}
	}
	walk(nil)
}

// Every exported function that returns an explorable is registered, by the file of its notebook.
func TestAllAreRegistered(t *testing.T) {
	byFile := map[string]int{}
	for _, f := range exported.Functions(t, ".") {
		result := f.Type.Results
		if result == nil || len(result.List) != 1 || f.Name.Name == "All" {
			continue
		}
		if star, ok := result.List[0].Type.(*ast.StarExpr); ok {
			if id, ok := star.X.(*ast.Ident); ok && id.Name == "Explorable" {
				byFile[f.Name.Name]++
			}
		}
	}
	if len(byFile) != len(registered) {
		t.Errorf("%d explorables are registered; there are functions for %d: %v", len(registered), len(byFile), byFile)
	}
	files, err := filepath.Glob("nb*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range All() {
		number, topic, _ := strings.Cut(e.ID, ".")
		if file := "nb" + number + "_" + topic + ".go"; !strings.Contains(strings.Join(files, " "), file) {
			t.Errorf("%s is not in %s", e.ID, file)
		}
	}
}

// What holds of every explorable: parameters with their default among the frames, numbers with the
// same names at every point, axes that stand still, a sentence, and the same view again.
func TestExplorables(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range All() {
		t.Run(e.ID, func(t *testing.T) {
			if seen[e.ID] || e.Title == "" || e.Seed == 0 || len(e.Params) == 0 {
				t.Errorf("an ID of its own, a title, a seed that is not 0 and parameters: %+v", e)
			}
			seen[e.ID] = true
			e.remember()
			for _, p := range e.Params {
				checkParam(t, p)
			}
			var first *View
			e.grid(func(values []float64) {
				view, err := e.Draw(values, nil)
				if err != nil {
					t.Fatalf("%g: %v", values, err)
				}
				if first == nil {
					first = view
				}
				e.compare(t, values, first, view)
			})
			if first == nil {
				t.Fatal("no frames")
			}
			for _, values := range e.corners() {
				view, err := e.Draw(values, &DrawSettings{Seed: 4711})
				if err != nil {
					t.Errorf("%g with another seed: %v", values, err)
					continue
				}
				again, err := e.Draw(values, &DrawSettings{Seed: 4711})
				if err != nil || !reflect.DeepEqual(view.Numbers, again.Numbers) || view.Sentence != again.Sentence {
					t.Errorf("%g: another view the second time: %v", values, err)
				}
			}
			slider, err := e.Slider()
			if err != nil {
				t.Fatal(err)
			}
			bundles, err := slider.Bundles()
			if err != nil {
				t.Fatal(err)
			}
			view, err := e.Draw(nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			if still := bundles[0].Text; !strings.Contains(still, view.Sentence) {
				t.Errorf("the still is %q, at the defaults it is %q", still, view.Sentence)
			}
		})
	}
}

// remember has the frames drawn once for all that looks at them.
func (e *Explorable) remember() {
	draw, drawn := e.draw, map[string]*View{}
	e.draw = func(at Point) *View {
		key := fmt.Sprint(at.values)
		if at.Seed != e.Seed {
			return draw(at)
		}
		if drawn[key] == nil {
			drawn[key] = draw(at)
		}
		return drawn[key]
	}
}

func checkParam(t *testing.T, p Param) {
	t.Helper()
	if p.Name == "" || p.Label == "" || len(p.frames()) == 1 {
		t.Errorf("a name, a label and frames, or none: %+v", p)
	}
	if p.Texts != nil && len(p.Texts) != len(p.Values) {
		t.Errorf("%s has %d texts for %d values", p.Name, len(p.Texts), len(p.Values))
	}
	if p.Values == nil && (!(p.Min < p.Max) || !(p.Step > 0) || p.Log && (p.Min <= 0 || p.Step <= 1)) {
		t.Errorf("%s goes from %g to %g by %g", p.Name, p.Min, p.Max, p.Step)
	}
	in := p.frames() == nil && p.check(p.Default) == nil
	for _, v := range p.frames() {
		if err := p.check(v); err != nil {
			t.Errorf("frame: %v", err)
		}
		in = in || v == p.Default
	}
	if !in {
		t.Errorf("%s: the default %g is none of the frames %g", p.Name, p.Default, p.frames())
	}
}

// corners returns the defaults and the ends of every parameter.
func (e *Explorable) corners() [][]float64 {
	all := [][]float64{e.Defaults()}
	for i, p := range e.Params {
		ends := []float64{p.Min, p.Max}
		if p.Values != nil {
			ends = []float64{p.Values[0], p.Values[len(p.Values)-1]}
		}
		for _, v := range ends {
			values := e.Defaults()
			values[i] = v
			all = append(all, values)
		}
	}
	return all
}

// compare holds a view against the first.
func (e *Explorable) compare(t *testing.T, values []float64, first, view *View) {
	t.Helper()
	if !strings.HasSuffix(view.Sentence, ".") || view.Figure.Alt != view.Sentence {
		t.Errorf("%g: a sentence, which describes the figure: %q", values, view.Sentence)
	}
	if len(view.Numbers) != len(first.Numbers) || len(view.Numbers) == 0 {
		t.Fatalf("%g: numbers %v, at first %v", values, view.Numbers, first.Numbers)
	}
	for i, n := range view.Numbers {
		if n.Name != first.Numbers[i].Name || n.Unit != first.Numbers[i].Unit || math.IsNaN(n.Value) || math.IsInf(n.Value, 0) || n.Digits < 1 {
			t.Errorf("%g: number %+v, at first %+v", values, n, first.Numbers[i])
		}
	}
	if e.FreeAxes {
		return
	}
	for r, row := range view.Figure.Panels {
		for c, p := range row {
			q := first.Figure.Panels[r][c]
			if p == nil || q == nil {
				continue
			}
			if p.X.Min != q.X.Min || p.X.Max != q.X.Max || p.Y.Min != q.Y.Min || p.Y.Max != q.Y.Max {
				t.Errorf("%g: panel %d, %d: the axes go from (%g, %g) to (%g, %g), at first from (%g, %g) to (%g, %g): set them in draw",
					values, r, c, p.X.Min, p.Y.Min, p.X.Max, p.Y.Max, q.X.Min, q.Y.Min, q.X.Max, q.Y.Max)
			}
		}
	}
}

// Values that a parameter cannot have are refused, and an error of Progress ends the work.
func TestDrawRefuses(t *testing.T) {
	e := LassoPath()
	for _, c := range []struct {
		values []float64
		want   error
	}{
		{[]float64{}, mlreg.ErrShape}, {[]float64{1, 2}, mlreg.ErrShape},
		{[]float64{0.1}, mlreg.ErrSetting}, {[]float64{121}, mlreg.ErrSetting}, {[]float64{math.NaN()}, mlreg.ErrSetting},
	} {
		if _, err := e.Draw(c.values, nil); !errors.Is(err, c.want) {
			t.Errorf("%g: %v, %v wanted", c.values, err, c.want)
		}
	}
	choice := &Explorable{ID: "x", Params: []Param{{Name: "k", Values: []float64{1, 3}}}}
	if _, err := choice.Draw([]float64{2}, nil); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("2 of 1 and 3: %v", err)
	}
	stop := errors.New("stop")
	slow := &Explorable{ID: "x", draw: func(at Point) *View { try.Check(at.Progress(1, 2)); return nil }}
	if _, err := slow.Draw(nil, &DrawSettings{Progress: func(_, _ float64) error { return stop }}); !errors.Is(err, stop) {
		t.Errorf("Progress: %v", err)
	}
}

// Two parameters are two sliders, whose frames are drawn at both; a third keeps its default.
func TestTwoParameters(t *testing.T) {
	e := &Explorable{ID: "x", Title: "x", Seed: 1, Params: []Param{
		{Name: "a", Label: "α", Values: []float64{1, 2, 3}, Default: 2},
		{Name: "b", Label: "β", Values: []float64{0, 1}, Texts: []string{"no", "yes"}, Default: 1},
		{Name: "c", Label: "γ", Values: []float64{7, 8}, Default: 8},
	}, draw: func(at Point) *View {
		p := plotting.New("", "", "")
		p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
		return &View{Figure: plotting.Grid(1, p), Sentence: fmt.Sprint("drawn at ", at.values, ".")}
	}}
	slider, err := e.Slider()
	if err != nil {
		t.Fatal(err)
	}
	bundles, err := slider.Bundles()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := bundles[0].Text, "Figure: drawn at [2 1 8]. (α = 2, β: yes)"; got != want {
		t.Errorf("the still is %q, want %q", got, want)
	}
	want := "data-alts=\"drawn at [1 0 8]. (α = 1, β: no)\ndrawn at [1 1 8]. (α = 1, β: yes)\n"
	if !strings.Contains(bundles[1].HTML, want) {
		t.Errorf("no %q in %.400q", want, bundles[1].HTML)
	}
}

// A parameter reads as a reader knows it.
func TestParamText(t *testing.T) {
	choice := Param{Label: "signal", Values: []float64{0, 1}, Texts: []string{"along", "across"}}
	if got := choice.Text(1); got != "signal: across" {
		t.Error(got)
	}
	if got := (Param{Label: "n", Unit: "rows"}).Text(20); got != "n = 20 rows" {
		t.Error(got)
	}
}

// A notebook shows an explorable by its slider.
func ExampleLassoPath() {
	plotting.Show(LassoPath().Slider())
	// Output:
	// Figure: At λ = 20 the lasso keeps 5 of 8 weights, RSS 36.17; the objective is 56.276, and the bound below which no weights get is 56.276. (λ = 20)
	// Slider: 13 frames, from λ = 110 to λ = 0.5
}

// Random says whether another seed draws something else.
func TestRandom(t *testing.T) {
	for _, e := range All() {
		var svg [2][]byte
		for k := range svg {
			view, err := e.Draw(nil, &DrawSettings{Seed: e.Seed + uint64(k)})
			if err != nil {
				t.Fatal(err)
			}
			if svg[k], err = view.Figure.SVG(); err != nil {
				t.Fatal(err)
			}
		}
		if changed := !bytes.Equal(svg[0], svg[1]); changed != e.Random {
			t.Errorf("%s: Random is %t, but another seed changes the figure: %t", e.ID, e.Random, changed)
		}
	}
}
