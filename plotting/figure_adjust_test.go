package plotting

import (
	"errors"
	"strings"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
)

// Changed copies leave the figure as it is.
func TestWith(t *testing.T) {
	f := Grid(1, scatter(t))
	p := f.Panels[0][0]
	x, y := p.X, p.Y
	g := f.WithLabels(Labels{Title: "Other", X: "u"}).WithXRange(1, 2).WithYRange(-1, 3).WithSize(5, 3)
	if p.Title.Text != "A scatter" || p.X.Label.Text != "x" || p.X.Min != x.Min || p.Y.Max != y.Max || f.Width != 0 {
		t.Error("the figure has changed")
	}
	q := g.Panels[0][0]
	if q.Title.Text != "Other" || q.X.Label.Text != "u" || q.Y.Label.Text != "y" || q.X.Min != 1 || q.X.Max != 2 || q.Y.Min != -1 || q.Y.Max != 3 || g.Width != 5 || g.Height != 3 {
		t.Errorf("%+v", q)
	}
	two := Grid(2, scatter(t), scatter(t)).WithLabels(Labels{Title: "Both"})
	if two.Title != "Both" || two.Panels[0][0].Title.Text != "A scatter" {
		t.Error("the title of two panels")
	}
	for _, cells := range []*Figure{must1(HeatMap(hat(t), nil)), must1(ScatterMatrix(mixed(t), nil))} {
		if _, err := cells.WithXRange(0, 1).PNG(); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "counts cells") {
			t.Error(err)
		}
	}
	if one := must1(SideBySide(p)).WithLabels(Labels{Title: "One"}); one.Title != "" || one.Panels[0][0].Title.Text != "One" {
		t.Error("the title of one plot by itself")
	}
	for _, bad := range []*Figure{f.WithXRange(2, 1), f.WithYRange(1, 1), must1(SideBySide(f.WithXRange(0, 0), f))} {
		if _, err := bad.PNG(); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "range from") {
			t.Error(err)
		}
	}
}

func must1[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The names that panels share are changed in one place.
func TestWithLabelsShared(t *testing.T) {
	f := must1(Chart(measured(t, 48), "dose", "yield", &ChartSettings{Panels: "cyl"}))
	g := must1(SideBySide(f, scatter(t))).WithLabels(Labels{X: "u", Y: "v"})
	chart, plain := g.beside[0], g.beside[1].Panels[0][0]
	if chart.xName != "u" || chart.yName != "v" || chart.Panels[0][0].X.Label.Text != "" || plain.X.Label.Text != "u" || f.xName != "dose" {
		t.Errorf("%q %q %q", chart.xName, plain.X.Label.Text, f.xName)
	}
}

// The data of figures side by side begin and end at one height, whatever stands above
// and below them.
func TestGoldenSideBySide(t *testing.T) {
	a := must1(Chart(measured(t, 48), "dose", "yield", &ChartSettings{Color: "cyl"}))
	b := Grid(2, scatter(t), New("An empty plot", "two\nlines", "y"))
	b.Panels[0][1].X.Min, b.Panels[0][1].X.Max, b.Panels[0][1].Y.Min, b.Panels[0][1].Y.Max = 0, 1, 0, 1
	f := must1(SideBySide(a, b, scatter(t))).WithLabels(Labels{Title: "Three figures"})
	if w, h, err := f.size(); err != nil || w != 9.6 || h != 3 {
		t.Errorf("%v x %v, %v", w, h, err)
	}
	checkImage(t, "sidebyside", f)
}

func TestSideBySideErrors(t *testing.T) {
	var none *plot.Plot
	for _, c := range []struct {
		figures []any
		is      error
		says    string
	}{
		{nil, mlreg.ErrNoData, "there is none"},
		{[]any{scatter(t), none}, mlreg.ErrNoData, "argument 2 of 2 is nil"},
		{[]any{"a"}, mlreg.ErrSetting, "argument 1 of 1 is a string"},
	} {
		if _, err := SideBySide(c.figures...); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %v that says %s", err, c.is, c.says)
		}
	}
	if _, err := must1(SideBySide(&Figure{})).PNG(); !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("an empty figure: %v", err)
	}
}

// A slider goes through rows of figures.
func TestInteractiveSideBySide(t *testing.T) {
	f := get(Interactive("k", []float64{1, 2}, func(i int) (*Figure, error) {
		p := scatter(t)
		p.X.Max += float64(i)
		return SideBySide(p, scatter(t))
	}, nil))(t)
	if a, b := f.frames[0].plots(), f.frames[1].plots(); len(a) != 2 || a[0].X.Max != b[0].X.Max {
		t.Error("the ranges of the frames differ")
	}
}
