package plotting

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func TestGoldenFrameColors(t *testing.T) {
	df := measured(t, 48).Drop([]string{"ward"})
	f := must1(HistogramGrid(df, &FrameSettings{Color: "cyl"}))
	checkImage(t, "histogramgrid_color", f)
	f = must1(HistogramGrid(mixed(t), &FrameSettings{Color: "treated", Columns: []string{"ward", "yield"}}))
	checkImage(t, "histogramgrid_bars", f)
	checkImage(t, "scattermatrix_color", must1(ScatterMatrix(measured(t, 48), &FrameSettings{Color: "ward"})).WithSize(6, 5))
	checkImage(t, "scattermatrix_hexagons", must1(ScatterMatrix(measured(t, 6000), &FrameSettings{Columns: []string{"dose", "yield"}})))
}

// Every row with a color and a value is in one bar of one group.
func TestGroupsCount(t *testing.T) {
	s := FrameSettings{Color: "ward"}
	df, groups, err := s.grouped(measured(t, 48))
	if err != nil {
		t.Fatal(err)
	}
	if df.Nrow() != 47 || len(groups.of) != 47 || groups.note != "1 of 48 rows left out: missing values of ward." {
		t.Errorf("%d rows, note %q", df.Nrow(), groups.note)
	}
	columns := get(s.columns(df, numbersAndDates))(t)
	want := map[string]float64{"dose": 46, "yield": 45, "cyl": 47, "day": 47, "heat": 47, "late": 47}
	for _, c := range columns {
		split := groups.split(c.values)
		if n := float64(len(split[0]) + len(split[1])); n != want[c.name] {
			t.Errorf("%s: %v values in groups, want %v", c.name, n, want[c.name])
		}
		cell := newScatterColumn(c, 0)
		cell.divide(groups)
		for k, b := range cell.bars {
			if len(b.tops) != 2 || math.Abs(b.tops[1]-b.height) > 1e-12 || b.tops[0] > b.tops[1] {
				t.Errorf("%s: bar %d of height %v has tops %v", c.name, k, b.height, b.tops)
			}
		}
		delete(want, c.name)
	}
	if len(want) > 0 {
		t.Errorf("not drawn: %v", want)
	}
}

// Histograms on each other add up to the histogram of all.
func TestStackedHistograms(t *testing.T) {
	x, y := lineData(60)
	h := Histogram{X: slices.Concat(x, y)}
	layers := stacked(h.bins(), [][]float64{x, nil, y}, 1, []chartGroup{{color: Blue}, {color: Green}, {color: Orange}})
	if len(layers) != 2 {
		t.Fatalf("%d layers", len(layers))
	}
	p := New("", "", "")
	if err := Add(p, layers[0]); err != nil {
		t.Fatal(err)
	}
	highest := 0.0
	for _, b := range h.bins() {
		highest = math.Max(highest, b.Weight)
	}
	if p.Y.Max != highest {
		t.Errorf("highest %v, want %v", p.Y.Max, highest)
	}
}

func TestFrameColorErrors(t *testing.T) {
	df := measured(t, 48)
	for _, c := range []struct {
		s    FrameSettings
		is   error
		says string
	}{
		{FrameSettings{Color: "wart"}, frames.ErrNoColumn, `"ward"`},
		{FrameSettings{Color: "heat"}, mlreg.ErrSetting, `column "heat" has 48 different values, and is not of categories`},
		{FrameSettings{Color: "heat", Categories: []string{"heat"}}, mlreg.ErrSetting, `"heat" has 48 different values, such as "0"; up to 7`},
	} {
		_, histograms := HistogramGrid(df, &c.s)
		_, matrix := ScatterMatrix(df, &c.s)
		for _, err := range []error{histograms, matrix} {
			if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %v that says %s", err, c.is, c.says)
			}
		}
	}
	if _, err := CorrelationMap(df, &FrameSettings{Color: "ward"}); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "no groups") {
		t.Error(err)
	}
}
