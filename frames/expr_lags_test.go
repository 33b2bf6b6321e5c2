package frames

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

func lagFrame() dataframe.DataFrame {
	return dataframe.New(
		series.New([]float64{1, 2, 4, 8, 16, 32, 64, 128}, series.Float, "y"),
		series.New([]float64{1, 0, math.NaN(), 1, 3, 1, 2, 5}, series.Float, "x"),
		series.New([]string{"a", "b", "a", "b", "a", "b", "a", "b"}, series.String, "id"),
		series.New([]int{1, 1, 2, 2, 3, 3, 4, 6}, series.Int, "t"),
		series.New([]string{"2024-01-01", "2024-02-01", "2024-03-01", "2024-04-01", "2024-05-01", "2024-06-01", "2024-07-01", "2024-08-01"}, series.String, "day"),
		series.New([]int{1, 2, 3, 4, 5, 6, 7, 8}, series.Int, "i"),
	)
}

func lagDesign(t *testing.T, formula string) *mlreg.Design {
	t.Helper()
	d := get(Design(lagFrame(), formula))(t)
	return d
}

func TestLagTerms(t *testing.T) {
	for _, c := range []struct {
		formula string
		names   []string
		rows    []int
		first   []float64
	}{
		{"y ~ lag(y, 1)", []string{"lag(y, 1)"}, []int{2, 3, 4, 5, 6, 7, 8}, []float64{1}},
		{"y ~ lag(y, 1:2) + i", []string{"lag(y, 1)", "lag(y, 2)", "i"}, []int{3, 4, 5, 6, 7, 8}, []float64{2, 1, 3}},
		{"y ~ lag(y, c(1, 3)) + lag(x, 0:1)", []string{"lag(y, 1)", "lag(y, 3)", "lag(x, 0)", "lag(x, 1)"}, []int{5, 6, 7, 8}, []float64{8, 2, 3, 1}},
		{"y ~ lag(y, 1, group = id)", []string{"lag(y, 1)"}, []int{3, 4, 5, 6, 7, 8}, []float64{1}},
		// Group b has a gap between times 3 and 6.
		{"y ~ lag(y, 1, group = id, time = t)", []string{"lag(y, 1)"}, []int{3, 4, 5, 6, 7}, []float64{1}},
		{"y ~ lag(y, 2, time = day)", []string{"lag(y, 2)"}, []int{3, 4, 5, 6, 7, 8}, []float64{1}},
		{"y ~ lag(y, 1:2) - lag(y, 2)", []string{"lag(y, 1)"}, []int{2, 3, 4, 5, 6, 7, 8}, []float64{1}},
		{"y ~ i + lag(y, 0:4) - lag(y, c(0, 2)) - lag(x, 1)", []string{"i", "lag(y, 1)", "lag(y, 3)", "lag(y, 4)"}, []int{5, 6, 7, 8}, []float64{5, 8, 2, 1}},
		{"y ~ lag(y, 1:2) + i - lag(y, 1:3)", []string{"i"}, []int{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1}},
		{"y ~ i + lag(y, 1:2, group = id) - lag(y, 1, group = id)", []string{"i", "lag(y, 2)"}, []int{5, 6, 7, 8}, []float64{5, 1}},
		{"y ~ (lag(y, 1:2) + i)^2 - lag(y, 2)", []string{"lag(y, 1)", "i", "lag(y, 1):i", "lag(y, 2):i"}, []int{3, 4, 5, 6, 7, 8}, []float64{2, 3, 6, 3}},
		{"y ~ lag(y, 1:2):i + lag(y, 1) - lag(y, 1:2):i", []string{"lag(y, 1)"}, []int{2, 3, 4, 5, 6, 7, 8}, []float64{1}},
		{"y ~ lag(y, 1):i", []string{"lag(y, 1):i"}, []int{2, 3, 4, 5, 6, 7, 8}, []float64{2}},
		{"log(y) ~ lag(y, 1:2) + fourier(i, 12, 1)", []string{"lag(y, 1)", "lag(y, 2)", "fourier(i, 12, 1)sin1", "fourier(i, 12, 1)cos1"}, []int{3, 4, 5, 6, 7, 8}, nil},
	} {
		d := lagDesign(t, c.formula)
		if !slices.Equal(d.Names, c.names) || !slices.Equal(d.RowNumbers, c.rows) {
			t.Errorf("%s: columns %q, rows %v", c.formula, d.Names, d.RowNumbers)
		}
		if c.first != nil && !slices.Equal(d.X.RawRowView(0), c.first) {
			t.Errorf("%s: first row %v, want %v", c.formula, d.X.RawRowView(0), c.first)
		}
	}
	if d := lagDesign(t, "y ~ lag(y, 1:2)"); d.Coding.Groups()[0].Name != "lag(y, 1:2)" || len(d.Coding.Groups()[0].Terms) != 2 {
		t.Errorf("groups %v", d.Coding.Groups())
	}
	// Rows that are coded alike have the lags that are left.
	removed := lagDesign(t, "y ~ lag(y, 1:5) - lag(y, 3)")
	if like, err := DesignLike(removed, lagFrame()); err != nil || !slices.Equal(like.X.RawMatrix().Data, removed.X.RawMatrix().Data) {
		t.Errorf("%v, %v", like, err)
	}
	if g := removed.Coding.Groups(); len(g) != 1 || g[0].Name != "lag(y, c(1:2, 4:5))" {
		t.Errorf("groups %v", g)
	}
	if f, err := ParseFormula("y ~ lag(y,1:2,group=id)"); err != nil || f.String() != "y ~ lag(y, 1:2, group = id)" {
		t.Errorf("%v, %v", f, err)
	}
}

// New rows are coded as those fitted: with their own rows before them, or a column of lags.
func TestLagsOfNewRows(t *testing.T) {
	d := lagDesign(t, "y ~ lag(y, 1:2)")
	like, err := DesignLike(d, lagFrame())
	if err != nil || !slices.Equal(like.X.RawMatrix().Data, d.X.RawMatrix().Data) {
		t.Errorf("%v", err)
	}
	given := dataframe.New(series.New([]float64{7}, series.Float, "lag(y, 1)"), series.New([]float64{5}, series.Float, "lag(y, 2)"))
	if like, err = DesignLike(d, given); err != nil || !slices.Equal(like.X.RawRowView(0), []float64{7, 5}) {
		t.Errorf("%v, %v", like, err)
	}
	fit := get(mlreg.FitOLS(lagDesign(t, "y ~ lag(y, 1)"), nil))(t)
	p, err := Predict(fit, lagFrame())
	if err != nil || len(p) != 8 && len(p) != 7 {
		t.Errorf("%v, %v", p, err)
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(d); err != nil {
		t.Fatal(err)
	}
	var back mlreg.Design
	if err := gob.NewDecoder(&b).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if like, err = DesignLike(&back, lagFrame()); err != nil || !slices.Equal(like.X.RawMatrix().Data, d.X.RawMatrix().Data) {
		t.Errorf("after gob: %v", err)
	}
}

// A formula of lags has the columns of tsa.NewLags on the same series.
func TestLagsAgainstNewLags(t *testing.T) {
	df := lagFrame()
	for _, s := range []*SeriesSettings{nil, {Group: "id"}, {Group: "id", Time: "t"}, {Time: "day"}} {
		of := get(SeriesOf(df, s, "y", "x"))(t)
		l := get(tsa.NewLags(of, 1, nil))(t)
		how := ""
		if s != nil && s.Group != "" {
			how += ", group = " + s.Group
		}
		if s != nil && s.Time != "" {
			how += ", time = " + s.Time
		}
		want := lagDesign(t, "y ~ lag(y, 1"+how+") + lag(x, 1"+how+")")
		got := l.Design()
		if !slices.Equal(got.Names, want.Names) || got.NObs() != want.NObs() {
			t.Fatalf("%q with %d rows, want %q with %d", got.Names, got.NObs(), want.Names, want.NObs())
		}
		seen := make(map[[3]float64]bool)
		for i := range want.NObs() {
			seen[[3]float64{want.Y[i], want.X.At(i, 0), want.X.At(i, 1)}] = true
		}
		for i := range got.NObs() {
			if !seen[[3]float64{got.Y[i], got.X.At(i, 0), got.X.At(i, 1)}] {
				t.Errorf("%+v: row %d differs", s, i)
			}
		}
	}
}

func TestLagErrors(t *testing.T) {
	df := lagFrame()
	dates := func(name string, days ...string) {
		day, err := df.Col("day").Records(), error(nil)
		copy(day, days)
		df, err = df.Mutate(series.New(day, series.String, name)), df.Err
		if err != nil {
			t.Fatal(err)
		}
	}
	dates("back", "2024-01-01", "2024-03-01", "2024-02-10")
	dates("twice", "2024-01-01", "2024-02-01", "2024-02-01")
	dates("ends", "2023-11-30", "2023-12-31", "2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31", "2024-06-30")
	for formula, want := range map[string]struct {
		kind error
		says string
	}{
		"y ~ lag(y)":                              {ErrSyntax, "how many steps"},
		"y ~ lag(y, -1)":                          {ErrSyntax, "at least 0"},
		"y ~ lag(y, 1.5)":                         {ErrSyntax, "whole number"},
		"y ~ lag(y, 3:1)":                         {ErrSyntax, "smallest first"},
		"y ~ lag(y, c(1, 1))":                     {ErrSyntax, "twice"},
		"y ~ lag(log(y), 1)":                      {ErrSyntax, "not a column"},
		"y ~ lag(y, 1, by = id)":                  {ErrSyntax, `no argument "by"`},
		"y ~ lag(z, 1)":                           {ErrNoColumn, `"z"`},
		"y ~ lag(y, 1, group = z)":                {ErrNoColumn, `"z"`},
		"y ~ lag(id, 1)":                          {ErrNotNumeric, "id"},
		"y ~ lag(y, 0)":                           {ErrResponse, "y"},
		"y ~ I(lag(y, 1)^2)":                      {ErrSyntax, "columns"},
		"y ~ lag(y, 9)":                           {ErrMissing, "lag(y, 9)"},
		"y ~ lag(y, 1, time = t)":                 {ErrSetting, "rows 1 and 2 have the same time"},
		"y ~ lag(y, 1, group = id, time = i)":     {nil, ""},
		"y ~ lag(y, 1, time = x)":                 {ErrMissing, "row 3"},
		"y ~ lag(y, 1, time = back)":              {ErrSetting, "2024-02-10 in row 3 comes after 2024-03-01; sort"},
		"y ~ lag(y, 1, time = twice)":             {ErrSetting, "rows 2 and 3 have the same time 2024-02"},
		"y ~ lag(y, 1, time = ends)":              {nil, ""},
		"y ~ lag(y, 1, time = id)":                {ErrNotNumeric, "dates"},
		"y ~ lag(y, 1:2):i - lag(y, 2):i":         {ErrSyntax, "not removed from a product"},
		"y ~ lag(y, 1:2) - lag(y, 2, group = id)": {ErrSyntax, "lag(y, 2), which is in the model"},
		"lag(y, 1) ~ x":                           {ErrSyntax, "columns"},
	} {
		_, err := Design(df, formula)
		if !errors.Is(err, want.kind) || err != nil && !strings.Contains(err.Error(), want.says) {
			t.Errorf("%s: %v; want %v with %q", formula, err, want.kind, want.says)
		}
	}
	if _, err := SeriesOf(df, nil); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
	if _, err := SeriesOf(df, nil, "id"); !errors.Is(err, ErrNotNumeric) {
		t.Error(err)
	}
	if _, err := SeriesOf(dataframe.DataFrame{}, nil, "y"); err == nil {
		t.Error("no error of an empty frame")
	}
	if _, err := SeriesOf(df, &SeriesSettings{Time: "q"}, "y"); !errors.Is(err, ErrNoColumn) {
		t.Error(err)
	}
}
