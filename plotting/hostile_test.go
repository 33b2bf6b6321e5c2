package plotting

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/hostile"
)

// Whatever the range, marks are few, finite, ascending, labeled apart, and in it.
func TestTicksHostile(t *testing.T) {
	tickers := []plot.Ticker{
		Ticks{}, Ticks{Target: 1}, Ticks{Target: 2}, Ticks{Target: 8}, Ticks{Target: 20}, Ticks{Target: 21}, Ticks{Target: math.MaxInt}, Ticks{Target: -3},
		Ticks{Whole: true}, Ticks{Whole: true, Target: 30}, LogTicks{},
	}
	for _, ticker := range tickers {
		for _, c := range hostile.Ranges {
			what := fmt.Sprintf("%#v of %v to %v", ticker, c[0], c[1])
			var marks []plot.Tick
			hostile.Within(t, what, func() { marks = ticker.Ticks(c[0], c[1]) })
			low, high := min(c[0], c[1]), max(c[0], c[1])
			checkMarks(t, what, marks, low, high)
			ticks, linear := ticker.(Ticks)
			switch ends := check.IsFinite(low) && check.IsFinite(high); {
			case !ends && len(marks) > 0:
				t.Errorf("%s: %d marks", what, len(marks))
			case ends && linear && !ticks.Whole && low < high && len(marks) < 2:
				t.Errorf("%s: %d marks", what, len(marks))
			case ends && linear && !ticks.Whole && low == high && (len(marks) != 1 || marks[0].Value != low):
				t.Errorf("%s: %v", what, marks)
			}
		}
	}
}

func checkMarks(t *testing.T, what string, marks []plot.Tick, low, high float64) {
	t.Helper()
	if len(marks) > 2*mostTicks {
		t.Errorf("%s: %d marks", what, len(marks))
	}
	slack := 0.0
	if check.IsFinite(high - low) {
		slack = math.Max(1e-9*(high-low), math.Nextafter(high, math.Inf(1))-high)
	}
	for i, m := range marks {
		if !check.IsFinite(m.Value) || m.Value < low-slack || m.Value > high+slack {
			t.Errorf("%s: a mark at %v", what, m.Value)
		}
		if i > 0 && !(m.Value > marks[i-1].Value) {
			t.Errorf("%s: %v follows %v", what, m.Value, marks[i-1].Value)
		}
		if m.Label != "" && slices.ContainsFunc(marks[:i], func(o plot.Tick) bool { return o.Label == m.Label }) {
			t.Errorf("%s: %q twice", what, m.Label)
		}
	}
}

// Marks at the ends say which number each is.
func TestTicksOfNeighbours(t *testing.T) {
	marks := Ticks{}.Ticks(0.3, math.Nextafter(0.3, 1))
	want := []plot.Tick{{Value: 0.3, Label: "0.3"}, {Value: math.Nextafter(0.3, 1), Label: "0.30000000000000004"}}
	if !slices.Equal(marks, want) {
		t.Errorf("marks %v, want %v", marks, want)
	}
	if got := len(Ticks{Target: 100}.Ticks(0, 1)); got != 101 {
		t.Errorf("%d marks, want 101", got)
	}
	// Wide enough for round numbers, if only just.
	if marks := (Ticks{}).Ticks(1, 1+1e-13); len(marks) < 5 {
		t.Errorf("marks %v", marks)
	}
}

// Figures of hostile numbers are drawn, or refused with an error.
func TestFiguresHostile(t *testing.T) {
	figures := map[string]func(a, b float64) (*plot.Plot, error){
		"points": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Points{X: []float64{a, b}, Y: []float64{b, a}})
		},
		"line": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Line{X: []float64{a, b, a}, Y: []float64{1, 2, 3}})
		},
		"log axes": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Points{X: []float64{a, b}, Y: []float64{b, a}}, LogX{}, LogY{})
		},
		"histogram": func(a, b float64) (*plot.Plot, error) { return Draw(Labels{}, Histogram{X: []float64{a, b, b, a, a}}) },
		"bins": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Histogram{X: []float64{a, b}, Bins: 7, Density: true})
		},
		"curve": func(a, b float64) (*plot.Plot, error) { return Draw(Labels{}, Curve{F: math.Sin, From: a, To: b}) },
		"smooth": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Smooth{X: []float64{a, b, a, b, a}, Y: []float64{b, a, 1, 2, 3}})
		},
		"contours": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Contours{F: func(x, y float64) float64 { return a + (b-a)*(x*x+y*y)/2 }, Over: Rect{-1, 1, -1, 1}, Levels: []float64{a, a/2 + b/2, b}, N: 10})
		},
		"contours over": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Contours{F: func(x, y float64) float64 { return x + y }, Over: Rect{a, b, a, b}, Levels: []float64{a, a/2 + b/2, b}, N: 10})
		},
		"heat map": func(a, b float64) (*plot.Plot, error) {
			f, err := HeatMap(mat.NewDense(2, 2, []float64{a, b, b, a}), nil)
			if err != nil {
				return nil, err
			}
			return f.Panels[0][0], nil
		},
		"ellipse": func(a, b float64) (*plot.Plot, error) {
			return Draw(Labels{}, Ellipse{X: a, Y: b, Cov: mat.NewSymDense(2, []float64{1, 0, 0, 1}), Radius: 1})
		},
	}
	for name, figure := range figures {
		for _, c := range hostile.Ranges {
			what := fmt.Sprintf("%s of %v and %v", name, c[0], c[1])
			hostile.Within(t, what, func() {
				p, err := figure(c[0], c[1])
				if err == nil {
					_, err = Sized(p, 4, 2).PNG()
				}
				if err != nil && strings.Contains(err.Error(), "runtime error") {
					t.Errorf("%s: %v", what, err)
				}
			})
		}
	}
}

// Figures of several panels.
func TestFiguresHostileWhole(t *testing.T) {
	for _, c := range hostile.Ranges {
		a, b := c[0], c[1]
		group := series.New([]string{"k", "l", "k", "l", "k"}, series.String, "g")
		df := dataframe.New(series.New([]float64{a, b, a, b, a}, series.Float, "u"), series.New([]float64{b, b, a, a, a}, series.Float, "v"))
		for name, figure := range map[string]func() (*Figure, error){
			"scatter matrix": func() (*Figure, error) { return ScatterMatrix(df, nil) },
			"histograms":     func() (*Figure, error) { return HistogramGrid(df, nil) },
			"colors":         func() (*Figure, error) { return ScatterMatrix(df.Mutate(group), &FrameSettings{Color: "g"}) },
			"stacks":         func() (*Figure, error) { return HistogramGrid(df.Mutate(group), &FrameSettings{Color: "g"}) },
		} {
			what := fmt.Sprintf("%s of %v and %v", name, a, b)
			hostile.Within(t, what, func() {
				f, err := figure()
				if err == nil {
					f.Width, f.Height = 3, 3
					_, err = f.PNG()
				}
				if err != nil && strings.Contains(err.Error(), "runtime error") {
					t.Errorf("%s: %v", what, err)
				}
			})
		}
	}
}

// Bars that reach far off the page are cut off; a point that is nowhere is an error.
func TestFarOffThePage(t *testing.T) {
	p := get(Draw(Labels{}, Histogram{X: []float64{0, 0.5, 1e12, 3e12}, Bins: 3}))(t)
	p.X.Max = 1
	hostile.Within(t, "bars", func() {
		for _, format := range []string{"a.png", "a.svg", "a.pdf"} {
			if err := Sized(p, 3, 2).Save(filepath.Join(t.TempDir(), format)); err != nil {
				t.Error(err)
			}
		}
	})
	path := vg.Path{{Type: vg.MoveComp, Pos: vg.Point{X: 1e9, Y: -2e9}}, {Type: vg.LineComp, Pos: vg.Point{X: 3, Y: 4}}}
	got := onPage(path)
	if want := (vg.Point{X: farthest, Y: -farthest}); got[0].Pos != want || got[1].Pos != path[1].Pos || path[0].Pos.X != 1e9 {
		t.Errorf("%v becomes %v", path, got)
	}
	p.X.Min, p.X.Max = 0, math.Inf(1)
	if _, err := Grid(1, p).PNG(); !errors.Is(err, mlreg.ErrNotFinite) || !strings.Contains(err.Error(), "the x axis goes from 0 to +Inf") {
		t.Errorf("error %v", err)
	}
}
