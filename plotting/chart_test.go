package plotting

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/hostile"
)

// chartReference returns the numbers of testdata/chart.txt, from R.
func chartReference(t *testing.T) map[string][]float64 {
	t.Helper()
	file := get(os.Open("testdata/chart.txt"))(t)
	defer file.Close()
	all := map[string][]float64{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		var values []float64
		for _, f := range fields[1:] {
			v := get(strconv.ParseFloat(f, 64))(t)
			values = append(values, v)
		}
		all[fields[0]] = values
	}
	if len(all) == 0 {
		t.Fatal("no references")
	}
	return all
}

// near compares numbers with those of R, of which there are as many.
func near(t *testing.T, what string, got, want []float64, relative float64) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= relative*math.Max(1e-3, math.Abs(want[i]))) {
			t.Errorf("%s[%d] = %.15g, want %.15g", what, i, got[i], want[i])
		}
	}
}

// Local lines are R's loess of degree 1, computed directly (testdata/chart.R).
func TestLocalLines(t *testing.T) {
	r := chartReference(t)
	for _, name := range []string{"loess.cars", "loess.uneven", "loess.ties"} {
		l := newLocalLines(r[name+".x"], r[name+".y"], r[name+".span"][0])
		sigma, delta := l.scatter()
		near(t, name+" sigma", []float64{sigma}, r[name+".sigma"], 1e-10)
		near(t, name+" delta", []float64{delta}, r[name+".delta"], 1e-10)
		var fit, se []float64
		for _, at := range r[name+".at"] {
			value, squares, _ := l.at(at)
			fit, se = append(fit, value), append(se, sigma*math.Sqrt(squares))
		}
		near(t, name+" fit", fit, r[name+".fit"], 1e-10)
		near(t, name+" se", se, r[name+".se"], 1e-10)
	}
}

// With many rows the leverages between the places are close to those at the rows.
func TestLocalLinesInterpolate(t *testing.T) {
	var x, y []float64
	for i := range loessRows + 1 {
		u := float64(i) / loessRows
		x, y = append(x, u*u), append(y, math.Sin(6*u)+float64(i*37%101)/50)
	}
	l := newLocalLines(x, y, 0.3)
	sigma, delta := l.scatter()
	short := &localLines{x: l.x, y: l.y, nearest: l.nearest}
	rss, exact := 0.0, float64(len(x))
	for i, at := range x {
		value, squares, own := short.at(at)
		rss, exact = rss+(y[i]-value)*(y[i]-value), exact+squares-2*own
	}
	near(t, "delta", []float64{delta}, []float64{exact}, 1e-4)
	near(t, "sigma", []float64{sigma}, []float64{math.Sqrt(rss / exact)}, 1e-4)
}

func TestLinearTrend(t *testing.T) {
	r := chartReference(t)
	x, y := r["loess.cars.x"], r["loess.cars.y"]
	got := get(linearTrend(x, y, 0.9))(t)
	var band []float64
	for _, values := range [][]float64{got.y, got.lower, got.upper} {
		for _, at := range r["line.at"] {
			k := slices.IndexFunc(got.x, func(v float64) bool { return v >= at-1e-9 })
			if math.Abs(got.x[k]-at) > 1e-9 {
				t.Fatalf("the trend is not computed at %v", at)
			}
			band = append(band, values[k])
		}
	}
	near(t, "band", band, r["line.band"], 1e-10)
}

// Box plots show R's boxplot.stats.
func TestBoxStats(t *testing.T) {
	r := chartReference(t)
	for _, name := range []string{"box.odd", "box.even", "box.beyond", "box.one", "box.two", "box.ties"} {
		v := r[name+".v"]
		s := newBoxStats(v)
		near(t, name, []float64{s.lowest, s.hinge1, s.median, s.hinge3, s.highest}, r[name+".stats"], 1e-15)
		out := []float64{float64(len(s.outside))}
		for _, i := range s.outside {
			out = append(out, v[i])
		}
		near(t, name+" beyond", out, r[name+".out"], 1e-15)
	}
}

// Densities are the sum over the values, which R's density() has from bins.
func TestKernelDensity(t *testing.T) {
	r := chartReference(t)
	for _, name := range []string{"density.faithful", "density.ties", "density.narrow", "density.tails"} {
		v, h := r[name+".v"], 0.0
		if name == "density.narrow" {
			h = 1.5
		} else {
			near(t, name+" bandwidth", []float64{bandwidth(slices.Sorted(slices.Values(v)))}, r[name+".bw"], 1e-13)
		}
		x, f := kernelDensity(v, h)
		var got []float64
		for _, k := range []int{1, 50, 101, 151, 240, 301} {
			got = append(got, f[k-1])
		}
		near(t, name, got, r[name+".f"], 1e-11)
		near(t, name+" binned", got, r[name+".binned"], 0.02)
		area := 0.0
		for k := range x[1:] {
			area += (x[k+1] - x[k]) * (f[k] + f[k+1]) / 2
		}
		near(t, name+" area", []float64{area}, []float64{1}, 5e-3)
	}
	if x, _ := kernelDensity([]float64{2, 2, 2}, 0); x != nil {
		t.Error("a density of one value")
	}
}

// A density of many values, which are counted in bins first, is that of the values.
func TestKernelDensityBinned(t *testing.T) {
	var v []float64
	for i := range densityValues {
		u := (float64(i) + 0.5) / densityValues
		v = append(v, -math.Log(u)-2*math.Log(1-u))
	}
	x, f := kernelDensity(v, 0.3)
	// Dividing a value between two places errs by step^2/8 of the second derivative at most,
	// which is about the density over h^2.
	step := (slices.Max(v) - slices.Min(v)) / (densityBins - 1)
	bound := step * step / 8 * slices.Max(f) / (0.3 * 0.3)
	for _, k := range []int{5, 60, 200, 280} {
		sum := 0.0
		for _, value := range v {
			u := (x[k] - value) / 0.3
			sum += math.Exp(-u*u/2) / (densityValues * 0.3 * math.Sqrt(2*math.Pi))
		}
		if math.Abs(f[k]-sum) > bound {
			t.Errorf("at %v: %v, want %v", x[k], f[k], sum)
		}
	}
}

// Limits are those of t.test and of prop.test without correction.
func TestLimits(t *testing.T) {
	r := chartReference(t)
	s := meanLimits(r["mean.v"], 0.9)
	near(t, "mean", []float64{s.mean, s.lower, s.upper}, r["mean.limits"], 1e-10)
	if s = meanLimits([]float64{3}, 0.9); s.mean != 3 || !math.IsNaN(s.lower) || !math.IsNaN(s.upper) {
		t.Errorf("one value: %+v", s)
	}
	for _, c := range [][2]int{{0, 12}, {5, 12}, {12, 12}, {1, 1}, {430, 1000}} {
		lower, upper := wilson(float64(c[0])/float64(c[1]), float64(c[1]), 0.95)
		near(t, fmt.Sprint(c), []float64{lower, upper}, r[fmt.Sprintf("wilson.%d.%d", c[0], c[1])], 1e-9)
	}
	if s = shareLimits([]float64{0, 1, 1, 0, 1}, 0.95); s.mean != 0.6 || !(s.lower < 0.3 && s.upper > 0.85) {
		t.Errorf("share %+v", s)
	}
}

// measured is a frame of two numbers, groups and panels with missing values, and
// days.
func measured(t *testing.T, n int) dataframe.DataFrame {
	t.Helper()
	x, y := lineData(n)
	group, ward, day, heat := make([]int, n), make([]string, n), make([]string, n), make([]float64, n)
	for i := range n {
		group[i] = 4 + 2*(i*5%7%3)
		ward[i] = []string{"surgery", "day clinic"}[i%2]
		day[i] = timeOf(float64(19000 + 3*i)).Format("2006-01-02")
		heat[i] = x[i] * y[i]
	}
	late := make([]bool, n)
	for i := range n {
		late[i] = x[i] > 6
	}
	x[3], y[7], y[8], ward[5] = math.NaN(), math.NaN(), math.NaN(), "NaN"
	return frame(t, frames.Col("dose", x), frames.Col("yield", y), frames.Col("cyl", group), frames.Col("ward", ward),
		frames.Col("day", day), frames.Col("heat", heat), frames.Col("late", late))
}

func TestGoldenCharts(t *testing.T) {
	small, large := measured(t, 48), measured(t, 6000)
	for name, c := range map[string]struct {
		df   dataframe.DataFrame
		x, y string
		s    ChartSettings
	}{
		"chart_points":    {small, "dose", "yield", ChartSettings{Color: "heat"}},
		"chart_lines":     {small, "day", "yield", ChartSettings{Color: "ward", Labels: Labels{Title: "Yield by day", Y: "yield (kg)"}}},
		"chart_trends":    {small, "dose", "yield", ChartSettings{Marks: AsPoints | AsLinear | AsSmooth}},
		"chart_panels":    {small, "dose", "yield", ChartSettings{Marks: AsPoints | AsLinear, Color: "ward", Panels: "cyl", PanelColumns: 2}},
		"chart_hexagons":  {large, "dose", "yield", ChartSettings{}},
		"chart_majority":  {large, "dose", "yield", ChartSettings{Color: "cyl"}},
		"chart_counts":    {small, "ward", "", ChartSettings{Color: "cyl"}},
		"chart_histogram": {small, "yield", "", ChartSettings{Color: "ward"}},
		"chart_density":   {small, "yield", "", ChartSettings{Marks: AsHistogram | AsDensity, Panels: "cyl"}},
		"chart_densities": {small, "yield", "", ChartSettings{Marks: AsDensity, Color: "ward"}},
		"chart_bars":      {small, "cyl", "yield", ChartSettings{Marks: AsBars, Color: "ward"}},
		"chart_shares":    {small, "ward", "late", ChartSettings{Marks: AsMeans, Color: "cyl"}},
		"chart_means":     {small, "cyl", "yield", ChartSettings{Marks: AsMeans | AsStrip, Panels: "ward"}},
		"chart_boxes":     {small, "ward", "yield", ChartSettings{}},
		"chart_strip":     {small, "cyl", "yield", ChartSettings{Marks: AsBoxes | AsStrip, Color: "cyl"}},
		"chart_strips":    {large, "ward", "yield", ChartSettings{Marks: AsStrip, Color: "cyl"}},
	} {
		f, err := Chart(c.df, c.x, c.y, &c.s)
		if err != nil {
			t.Fatal(name, err)
		}
		checkImage(t, name, f)
	}
}

// Rows that are not complete are left out, and the note says how many and why.
func TestChartLeavesOut(t *testing.T) {
	f := get(Chart(measured(t, 48), "dose", "yield", &ChartSettings{Panels: "ward"}))(t)
	if want := "4 of 48 rows left out: missing values of dose (1), yield (2), ward (1)."; f.Note != want {
		t.Errorf("note %q, want %q", f.Note, want)
	}
	f, err := Chart(measured(t, 48), "dose", "heat", nil)
	if err != nil || f.Note != "1 of 48 rows left out: missing values of dose (1)." {
		t.Errorf("note %q, %v", f.Note, err)
	}
}

// Few values are groups, whether they are whole or not; many are shades.
func TestChartColors(t *testing.T) {
	df := frame(t, frames.Col("u", []float64{1, 2, 3, 4, 5, 6}), frames.Col("v", []float64{1, 2, 3, 2, 1, 0}), frames.Col("few", []float64{0.5, 1, 0.5, 1, 2, 2}))
	for _, c := range []struct {
		color      string
		categories []string
		groups     int
		shaded     bool
	}{{"few", nil, 3, false}, {"u", nil, 1, true}, {"few", []string{}, 1, true}, {"u", []string{"u"}, 6, false}} {
		chart := &chart{s: ChartSettings{Color: c.color, Categories: c.categories, Marks: AsPoints}}
		if err := chart.read(df, "u", "v"); err != nil {
			t.Fatal(err)
		}
		if err := chart.group(); err != nil {
			t.Fatal(err)
		}
		if len(chart.groups) != c.groups || (chart.shade != nil) != c.shaded {
			t.Errorf("%s, categories %v: %d groups, shaded %v", c.color, c.categories, len(chart.groups), chart.shade != nil)
		}
	}
}

// Panels are in the order of their values and have common axes, with labels at the
// edge.
func TestChartPanels(t *testing.T) {
	df := measured(t, 48)
	f := get(Chart(df, "dose", "yield", &ChartSettings{Panels: "cyl", PanelColumns: 2}))(t)
	var titles []string
	plots := f.plots()
	for _, p := range plots {
		titles = append(titles, p.Title.Text)
		if p.X.Min != plots[0].X.Min || p.X.Max != plots[0].X.Max || p.Y.Min != plots[0].Y.Min || p.Y.Max != plots[0].Y.Max {
			t.Errorf("ranges differ")
		}
	}
	if want := []string{"cyl = 4", "cyl = 6", "cyl = 8"}; !slices.Equal(titles, want) || len(f.Panels) != 2 {
		t.Errorf("panels %q", titles)
	}
	for k, labeled := range []bool{false, true, true} {
		if _, without := plots[k].X.Tick.Marker.(unlabeled); without == labeled {
			t.Errorf("panel %d: labels below: %v", k, !without)
		}
	}
}

// A long line keeps its ends, its highest and lowest points and its gaps.
func TestThinned(t *testing.T) {
	n := 5 * linePoints
	x, y := Range(0, 7, n), make([]float64, n)
	for i := range y {
		y[i] = math.Sin(float64(i*i%977)) + x[i]
	}
	y[n/3], y[n/2], y[n/2+1] = 40, -30, math.NaN()
	xs, ys := thinned(x, y)
	if len(xs) > linePoints || len(xs) < 3*lineColumns {
		t.Errorf("%d points", len(xs))
	}
	k, low := slices.Index(ys, 40), slices.Index(ys, -30)
	if k < 0 || xs[k] != x[n/3] || low < 0 || xs[low] != x[n/2] || !math.IsNaN(ys[low+1]) || xs[0] != x[0] || ys[0] != y[0] || xs[len(xs)-1] != x[n-1] || !slices.IsSorted(xs) {
		t.Error("points are lost")
	}
	if short, _ := thinned(x[:100], y[:100]); len(short) != 100 {
		t.Error("a short line has changed")
	}
}

// A line of many rows is drawn in time.
func TestLongLine(t *testing.T) {
	n := 100_000
	x, y := Range(0, 1, n), make([]float64, n)
	for i := range y {
		y[i] = float64(i * 7919 % 10007)
	}
	df := frame(t, frames.Col("u", x), frames.Col("v", y))
	hostile.Within(t, "a line of 100,000 rows", func() {
		if _, err := must1(Chart(df, "u", "v", &ChartSettings{Marks: AsLines})).PNG(); err != nil {
			t.Error(err)
		}
	})
}

// Every row is in one hexagon, the one whose center is nearest.
func TestHexagons(t *testing.T) {
	x, y := lineData(500)
	g := newHexGrid(x, y, 10, 0.6)
	all := g.bin([]chartCell{{x: x[:200], y: y[:200]}, {x: x[200:], y: y[200:]}})
	total := 0
	for _, h := range all {
		total += h.rows()
	}
	if total != 500 {
		t.Errorf("%d rows in hexagons", total)
	}
	distance := func(h hexagon, i int) float64 {
		return math.Hypot((x[i]-h.x)/g.width, math.Sqrt(3)*(y[i]-h.y)/g.height)
	}
	for i := range x {
		nearest := slices.MinFunc(all, func(a, b hexagon) int {
			return int(math.Copysign(1, distance(a, i)-distance(b, i)))
		})
		place := g.center(x[i], y[i])
		if at := (hexagon{x: g.x0 + g.width*float64(place[0])/2, y: g.y0 + g.height*float64(place[1])/2}); math.Abs(distance(at, i)-distance(nearest, i)) > 1e-9 || distance(at, i) > 1/math.Sqrt(3)+1e-9 {
			t.Errorf("row %d is at %v of its hexagon, and %v of the nearest", i, distance(at, i), distance(nearest, i))
		}
	}
}

func TestChartErrors(t *testing.T) {
	df := measured(t, 48)
	n := df.Nrow()
	none, bad := slices.Repeat([]float64{math.NaN()}, n), slices.Repeat([]float64{1}, n)
	bad[4] = math.Inf(1)
	df = df.Mutate(series.New(none, series.Float, "none")).Mutate(series.New(bad, series.Float, "bad"))
	half, other := slices.Clone(none), slices.Clone(none)
	half[0], other[1] = 1, 1
	df = df.Mutate(series.New(half, series.Float, "half")).Mutate(series.New(other, series.Float, "other"))
	many := make([]string, 100_000)
	for i := range many {
		many[i] = fmt.Sprint("patient ", i)
	}
	crowd := frame(t, frames.Col("id", many), frames.Col("x", make([]float64, len(many))), frames.Col("y", make([]float64, len(many))))
	empty := dataframe.New(series.New([]float64{}, series.Float, "y"))
	for _, c := range []struct {
		df   dataframe.DataFrame
		x, y string
		s    *ChartSettings
		is   error
		says string
	}{
		{empty, "y", "y", nil, mlreg.ErrNoData, "no rows"},
		{dataframe.DataFrame{}, "y", "y", nil, mlreg.ErrNoData, "no rows"},
		{dataframe.DataFrame{Err: errors.New("broken")}, "y", "y", nil, nil, "broken"},
		{df, "", "yield", nil, mlreg.ErrSetting, "horizontal axis is empty"},
		{df, "doze", "yield", nil, frames.ErrNoColumn, `"dose"`},
		{df, "dose", "yield", &ChartSettings{Color: "wart"}, frames.ErrNoColumn, `"ward"`},
		{df, "none", "yield", nil, mlreg.ErrNoData, `"none" has no values`},
		{df, "half", "other", nil, mlreg.ErrNoData, "no row is complete; 48 of 48 rows left out: missing values of half (47), other (47)"},
		{df, "dose", "bad", nil, mlreg.ErrNotFinite, `"bad" is +Inf in row 5`},
		{df, "dose", "ward", &ChartSettings{Marks: AsPoints}, mlreg.ErrSetting, `column "ward" is text, such as "day clinic"`},
		{df, "dose", "yield", &ChartSettings{Marks: 1 << 30}, mlreg.ErrSetting, "cannot be drawn together"},
		{df, "dose", "yield", &ChartSettings{Marks: AsPoints | AsBoxes}, mlreg.ErrSetting, "points and boxes cannot be drawn together"},
		{df, "ward", "yield", &ChartSettings{Marks: AsBars | AsBoxes}, mlreg.ErrSetting, "bars cover boxes"},
		{df, "dose", "", &ChartSettings{Marks: AsPoints}, mlreg.ErrSetting, "Marks (points) need a column on the vertical axis"},
		{df, "ward", "", &ChartSettings{Marks: AsBoxes}, mlreg.ErrSetting, "Marks (boxes) need a column on the vertical axis"},
		{df, "dose", "yield", &ChartSettings{Marks: AsDensity}, mlreg.ErrSetting, `Marks (density) take one column; leave "yield" out`},
		{df, "ward", "", &ChartSettings{Marks: AsHistogram}, mlreg.ErrSetting, "AsBars counts texts"},
		{df, "dose", "", &ChartSettings{Marks: AsHistogram | AsDensity, Color: "cyl"}, mlreg.ErrSetting, "leave out"},
		{df, "dose", "", &ChartSettings{Marks: AsHistogram, Color: "heat"}, mlreg.ErrSetting, `Color: column "heat" has 48 different values`},
		{df, "yield", "ward", &ChartSettings{Marks: AsBoxes}, mlreg.ErrSetting, `"ward" is text: put it on the horizontal axis`},
		{df, "ward", "day", &ChartSettings{Marks: AsBoxes, Bins: -1}, mlreg.ErrSetting, "Bins = -1"},
		{df, "dose", "", &ChartSettings{Bandwidth: -1}, mlreg.ErrSetting, "Bandwidth = -1"},
		{df, "dose", "yield", &ChartSettings{Marks: AsLines, Color: "heat"}, mlreg.ErrSetting, `Color: column "heat" has 48`},
		{df, "heat", "yield", &ChartSettings{Marks: AsBoxes}, mlreg.ErrSetting, `the horizontal axis: column "heat" has 48`},
		{crowd, "id", "", nil, mlreg.ErrSetting, `"id" has 100000 categories`},
		{df, "dose", "yield", &ChartSettings{Level: 1.5}, mlreg.ErrSetting, "Level = 1.5"},
		{df, "dose", "yield", &ChartSettings{Span: math.NaN()}, mlreg.ErrSetting, "Span = NaN"},
		{df, "dose", "yield", &ChartSettings{PanelColumns: -1}, mlreg.ErrSetting, "PanelColumns = -1"},
		{df, "dose", "yield", &ChartSettings{Categories: []string{"cyl"}}, mlreg.ErrSetting, `category "cyl"`},
		{crowd, "x", "y", &ChartSettings{Color: "id"}, mlreg.ErrSetting, `"id" has 100000 categories, such as "patient 0"; up to 7`},
		{crowd, "x", "y", &ChartSettings{Panels: "id"}, mlreg.ErrSetting, `"id" has 100000 categories, such as "patient 0"; up to 30`},
		{df, "dose", "yield", &ChartSettings{Panels: "heat"}, mlreg.ErrSetting, `"heat" has 48 different values`},
	} {
		_, err := Chart(c.df, c.x, c.y, c.s)
		if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %v that says %s", err, c.is, c.says)
		}
	}
}

// A column of true/false is a share over categories of numbers, too.
func TestChartTruths(t *testing.T) {
	df := frame(t, frames.Col("k", []int{0, 0, 1, 1, 2, 2}), frames.Col("late", []bool{true, false, true, true, false, false}))
	for _, marks := range []Marks{AsBars, AsMeans} {
		if _, err := Chart(df, "k", "late", &ChartSettings{Marks: marks}); err != nil {
			t.Errorf("%v: %v", marks, err)
		}
	}
}

// Charts of hostile numbers are drawn, or refused with an error.
func TestChartHostile(t *testing.T) {
	for _, c := range hostile.Ranges {
		a, b := c[0], c[1]
		df := dataframe.New(series.New([]float64{a, b, a, b, a, (a + b) / 2, a}, series.Float, "u"), series.New([]float64{b, b, a, a, a, 1, 2}, series.Float, "v"),
			series.New([]string{"k", "l", "k", "l", "k", "l", "k"}, series.String, "g"))
		for _, s := range append(chartsOfNumbers, chartsOfCategories...) {
			what := fmt.Sprintf("%s of %v and %v", s.Marks, a, b)
			hostile.Within(t, what, func() {
				f, err := Chart(df, "u", vertical(s), &s)
				if err == nil {
					_, err = f.WithSize(2, 2).PNG()
				}
				if err != nil && strings.Contains(err.Error(), "runtime error") {
					t.Errorf("%s: %v", what, err)
				}
			})
		}
	}
}

var chartsOfNumbers = []ChartSettings{
	{Marks: AsPoints}, {Marks: AsPoints, Color: "g"}, {Marks: AsPoints, Color: "u"}, {Marks: AsLines, Panels: "g"},
	{Marks: AsLinear}, {Marks: AsSmooth, Color: "g"},
}

// Of one column, or of few values of u.
var chartsOfCategories = []ChartSettings{
	{Marks: AsHistogram, Panels: "g"}, {Marks: AsDensity}, {Marks: AsHistogram | AsDensity}, {Marks: AsHistogram, Color: "g"},
	{Marks: AsBars, Color: "g", Bins: 3}, {Marks: AsBars}, {Marks: AsMeans | AsBoxes | AsStrip}, {Marks: AsBoxes, Panels: "g"},
}

// vertical is the column on the vertical axis of such a chart.
func vertical(s ChartSettings) string {
	if s.Marks&(AsHistogram|AsDensity) != 0 || s.Marks == AsBars && s.Color != "" {
		return ""
	}
	return "v"
}

// A row, and columns that do not vary, are drawn.
func TestChartSmall(t *testing.T) {
	for name, df := range map[string]dataframe.DataFrame{
		"one row":  frame(t, frames.Col("u", []float64{3}), frames.Col("v", []float64{5}), frames.Col("g", []string{"a"})),
		"constant": frame(t, frames.Col("u", []float64{2, 2, 2, 2.0}), frames.Col("v", []float64{1, 1, 1, 1.0}), frames.Col("g", []string{"a", "a", "b", "b"})),
	} {
		for _, s := range append(chartsOfNumbers, chartsOfCategories...) {
			f, err := Chart(df, "u", vertical(s), &s)
			if err == nil {
				_, err = f.PNG()
			}
			if err != nil {
				t.Errorf("%s of %s: %v", s.Marks, name, err)
			}
		}
	}
}

func TestChartIsReproducible(t *testing.T) {
	df := measured(t, 6000)
	var first []byte
	for range 2 {
		f := get(Chart(df, "dose", "yield", &ChartSettings{Color: "cyl", Panels: "ward", Marks: AsPoints | AsSmooth}))(t)
		data := get(f.WithSize(4, 3).PNG())(t)
		if first != nil && !bytes.Equal(first, data) {
			t.Fatal("the same data gave other bytes")
		}
		first = data
	}
}
