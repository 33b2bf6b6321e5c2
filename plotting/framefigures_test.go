package plotting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// mixed is a frame with a column of every kind, and missing values.
func mixed(t *testing.T) dataframe.DataFrame {
	t.Helper()
	x, y := lineData(40)
	x[3], y[7] = math.NaN(), math.NaN()
	var grade, ward = make([]int, 40), make([]string, 40)
	var treated = make([]bool, 40)
	for i := range 40 {
		grade[i] = 6 + i*7%11%4
		ward[i] = []string{"day clinic", "surgery", "outpatients", "intensive care"}[i*5%13%4]
		treated[i] = i%3 == 0
	}
	ward[5] = "NaN"
	return frame(t, frames.Col("dose of the drug", x), frames.Col("yield", y), frames.Col("grade", grade),
		frames.Col("ward", ward), frames.Col("treated", treated))
}

func frame(t *testing.T, columns ...frames.Column) dataframe.DataFrame {
	t.Helper()
	df := get(frames.Frame(columns...))(t)
	return df
}

func TestGoldenHistogramGrid(t *testing.T) {
	f := get(HistogramGrid(mixed(t), &FrameSettings{Title: "Columns of every kind"}))(t)
	checkImage(t, "histogramgrid", f)
}

func TestGoldenScatterMatrix(t *testing.T) {
	f := get(ScatterMatrix(mixed(t), nil))(t)
	f.Width, f.Height = 5, 5
	checkImage(t, "scattermatrix", f)
}

func TestGoldenCorrelationMap(t *testing.T) {
	f := get(CorrelationMap(mixed(t), nil))(t)
	checkImage(t, "correlationmap", f)
}

// Every value that is there is counted once, whatever the kind of its column.
func TestFrameColumnsCount(t *testing.T) {
	columns := get(FrameSettings{}.columns(mixed(t), allKinds))(t)
	want := map[string]float64{"dose of the drug": 39, "yield": 39, "grade": 40, "ward": 39, "treated": 40}
	for _, c := range columns {
		total := 0.0
		if c.levels == nil {
			for _, b := range c.histogram(0).bins() {
				total += b.Weight
			}
		} else {
			for _, n := range c.counts() {
				total += n
			}
		}
		if total != want[c.name] {
			t.Errorf("%s: %v values counted, want %v", c.name, total, want[c.name])
		}
		delete(want, c.name)
	}
	if len(want) > 0 {
		t.Errorf("not drawn: %v", want)
	}
}

// The prostate data: svi and gleason are categories, their counts those of
// table(svi[train]) and table(gleason[train]) in R.
func TestFrameColumnsCategories(t *testing.T) {
	df := get(frames.Where(datasets.Prostate(), "train == 'T'"))(t)
	get := func(s FrameSettings) map[string]frameColumn {
		columns := get(s.columns(df, numbers))(t)
		byName := map[string]frameColumn{}
		for _, c := range columns {
			byName[c.name] = c
		}
		return byName
	}
	all := get(FrameSettings{})
	if _, text := all["train"]; text || len(all) != 9 {
		t.Errorf("%d columns of numbers", len(all))
	}
	for name, want := range map[string]struct {
		labels []string
		counts []float64
	}{"svi": {[]string{"0", "1"}, []float64{52, 15}}, "gleason": {[]string{"6", "7", "8", "9"}, []float64{25, 38, 1, 3}}} {
		if c := all[name]; !slices.Equal(c.labels, want.labels) || !slices.Equal(c.counts(), want.counts) {
			t.Errorf("%s: %v %v", name, c.labels, c.counts())
		}
	}
	if c := all["pgg45"]; c.levels != nil {
		t.Errorf("pgg45 is a category of %v", c.labels)
	}
	chosen := get(FrameSettings{Categories: []string{"pgg45"}})
	if chosen["pgg45"].levels == nil || chosen["svi"].levels != nil {
		t.Error("Categories does not say what the categories are")
	}
	if none := get(FrameSettings{Categories: []string{}}); none["svi"].levels != nil {
		t.Error("empty Categories leaves svi a category")
	}
}

// Sums in decimal arithmetic of 40 digits (testdata/correlations.py).
func TestCorrelations(t *testing.T) {
	df := get(frames.Where(datasets.Prostate(), "train == 'T'"))(t)
	columns := get(FrameSettings{}.columns(df, numbers))(t)
	r, rows, err := correlations(columns)
	if err != nil || rows != 67 {
		t.Fatal(rows, err)
	}
	at := func(name string) int {
		return slices.IndexFunc(columns, func(c frameColumn) bool { return c.name == name })
	}
	for _, c := range []struct {
		a, b string
		want float64
	}{
		{"lcavol", "lpsa", 0.7331551466472075},
		{"lcavol", "lcp", 0.6920430753226344},
		{"gleason", "pgg45", 0.7570564964001194},
		{"svi", "lcp", 0.6712402103032985},
		{"lweight", "lbph", 0.437041536580065},
		{"lbph", "svi", -0.1391467992681044},
		{"age", "lweight", 0.3167234684208604},
	} {
		if got := r.At(at(c.a), at(c.b)); math.Abs(got-c.want) > 1e-14 {
			t.Errorf("%s and %s: %.16g, want %.16g", c.a, c.b, got, c.want)
		}
	}
}

// Rows with a missing value do not count.
func TestCorrelationsComplete(t *testing.T) {
	df := mixed(t)
	columns := get(FrameSettings{Columns: []string{"dose of the drug", "yield"}}.columns(df, numbers))(t)
	r, rows, err := correlations(columns)
	if err != nil || rows != 38 {
		t.Fatalf("%d rows, %v", rows, err)
	}
	var keep []int
	for i := range df.Nrow() {
		if i != 3 && i != 7 {
			keep = append(keep, i)
		}
	}
	columns = get(FrameSettings{Columns: []string{"dose of the drug", "yield"}}.columns(df.Subset(keep), numbers))(t)
	want, _, err := correlations(columns)
	if err != nil || math.Abs(r.At(0, 1)-want.At(0, 1)) > 1e-15 {
		t.Errorf("%v, want %v (%v)", r.At(0, 1), want.At(0, 1), err)
	}
}

func TestFrameFigureErrors(t *testing.T) {
	x, y := lineData(40)
	x[4] = math.Inf(1)
	names := make([]string, 40)
	for i := range names {
		names[i] = fmt.Sprint("patient ", i)
	}
	flat, none := slices.Repeat([]float64{2.5}, 40), slices.Repeat([]float64{math.NaN()}, 40)
	df := frame(t, frames.Col("y", y), frames.Col("bad", x), frames.Col("name", names), frames.Col("flat", flat), frames.Col("none", none))
	gap := slices.Clone(y)
	for i := range gap[:39] {
		gap[i] = math.NaN()
	}
	sparse := frame(t, frames.Col("y", y), frames.Col("gap", gap))
	var wide []frames.Column
	for j := range 17 {
		wide = append(wide, frames.Col(fmt.Sprint("v", j), y))
	}
	type figure func(dataframe.DataFrame, *FrameSettings) (*Figure, error)
	all := []figure{HistogramGrid, ScatterMatrix, CorrelationMap}
	numeric := all[1:]
	take := func(names ...string) *FrameSettings { return &FrameSettings{Columns: names} }
	for _, c := range []struct {
		draw []figure
		df   dataframe.DataFrame
		s    *FrameSettings
		is   error
		says string
	}{
		{all, df, take("y", "yy"), frames.ErrNoColumn, `"yy"`},
		{all, df, take("y", "bad"), mlreg.ErrNotFinite, `"bad" is +Inf in row 5`},
		{all, df, take("y", "none"), mlreg.ErrNoData, `"none"`},
		{all, df, &FrameSettings{Columns: []string{"y"}, Categories: []string{"flat"}}, mlreg.ErrSetting, `"flat"`},
		{all, df, &FrameSettings{Columns: []string{"y"}, Bins: -1}, mlreg.ErrSetting, "Bins = -1"},
		{all, df, take([]string{}...), nil, "no columns"},
		{all, dataframe.New(series.New([]float64{}, series.Float, "y")), nil, frames.ErrNoRows, "no rows"},
		{numeric, df, take("y", "name"), frames.ErrNotNumeric, `"name"`},
		{all[:1], df, take("y", "name"), mlreg.ErrSetting, `"name" has 40 categories, such as "patient 0"`},
		{all[1:2], frame(t, wide...), nil, mlreg.ErrSetting, "17 columns"},
		{all[2:], df, take("y", "flat"), mlreg.ErrConstant, `"flat" is 2.5 in all 40 rows`},
		{all[2:], sparse, take("y", "gap"), mlreg.ErrNoData, "1 row "},
	} {
		for _, draw := range c.draw {
			_, err := draw(c.df, c.s)
			if err == nil || c.is != nil && !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %v that says %s", err, c.is, c.says)
			}
		}
	}
}

// Without Columns, what cannot be drawn does not stand in the way of the rest,
// and the figure says what it is.
func TestFrameFiguresLeaveOut(t *testing.T) {
	_, y := lineData(40)
	names, nan := make([]string, 40), math.NaN()
	for i := range names {
		names[i] = fmt.Sprint("patient ", i)
	}
	df := frame(t, frames.Col("y", y), frames.Col("name", names), frames.Col("flat", slices.Repeat([]int{2}, 40)),
		frames.Col("none", slices.Repeat([]float64{nan}, 40)), frames.Col("z", append([]float64{7}, y[:39]...)))
	for _, c := range []struct {
		draw func(dataframe.DataFrame, *FrameSettings) (*Figure, error)
		says []string
	}{
		{HistogramGrid, []string{"histograms of 5 columns", "name (40 categories)", "none (no values)"}},
		{ScatterMatrix, []string{"of 3 columns", "left out: none (no values)"}},
		{CorrelationMap, []string{"of 2 columns, 40 rows", "left out: flat (constant), none (no values)"}},
	} {
		f := get(c.draw(df, nil))(t)
		if _, err := f.PNG(); err != nil {
			t.Fatal(err)
		}
		for _, says := range c.says {
			if !strings.Contains(f.Alt, says) {
				t.Errorf("%q does not say %q", f.Alt, says)
			}
		}
	}
	_, err := CorrelationMap(df.Select([]string{"flat", "none"}), nil)
	if !errors.Is(err, mlreg.ErrNoData) || !strings.Contains(err.Error(), "flat (constant), none (no values)") {
		t.Error(err)
	}
}

func TestGoldenLeftOut(t *testing.T) {
	df := mixed(t)
	nan := math.NaN()
	notes := make([]string, 40)
	for i := range notes {
		notes[i] = fmt.Sprint("note of day ", i+1)
	}
	df = df.Mutate(series.New(notes, series.String, "notes")).Mutate(series.New(slices.Repeat([]float64{nan}, 40), series.Float, "lost"))
	f := get(HistogramGrid(df, nil))(t)
	checkImage(t, "histogramgrid_leftout", f)
}

// Frames of one column or of one value are drawn.
func TestFrameFiguresSmall(t *testing.T) {
	for name, df := range map[string]dataframe.DataFrame{
		"one value":  frame(t, frames.Col("a", []float64{3})),
		"one column": frame(t, frames.Col("a", []float64{3, 1, 4, 1, 5})),
		"one level":  frame(t, frames.Col("a", []int{2, 2, 2, 2}), frames.Col("b", []float64{1, 2, 3.5, 4})),
	} {
		for _, draw := range []func(dataframe.DataFrame, *FrameSettings) (*Figure, error){HistogramGrid, ScatterMatrix} {
			f, err := draw(df, nil)
			if err != nil {
				t.Fatal(name, err)
			}
			if _, err := f.PNG(); err != nil {
				t.Error(name, err)
			}
		}
	}
}

// The labels of a scatter matrix stand apart.
func TestScatterLabels(t *testing.T) {
	c := newScatterColumn(frameColumn{values: []float64{0, 13000, 4000, 8000}}, 0)
	ticks := c.ticks(14)
	if all := c.apart(ticks, 200); len(all) != len(ticks) {
		t.Errorf("%d of %d labels in a wide cell", len(all), len(ticks))
	}
	if few := c.apart(ticks, 40); len(few) >= len(ticks) || len(few) == 0 {
		t.Errorf("%d of %d labels in a narrow cell", len(few), len(ticks))
	}
}

func TestShorten(t *testing.T) {
	for in, want := range map[string]string{"a\r\nb": "a b", "Ümläute am laufenden Band": "Ümläute am laufende…", "twenty characters ab": "twenty characters ab"} {
		if got := shorten(in); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}

// An axis has two marks or more, wherever it begins.
func TestTicksTwo(t *testing.T) {
	for low := 0.0; low < 100; low += 0.7 {
		for _, width := range []float64{0.013, 1, 47, 65, 320} {
			if marks := (Ticks{Target: 2}).Ticks(low, low+width); len(marks) < 2 {
				t.Fatalf("%v to %v: %v", low, low+width, marks)
			}
		}
	}
}
