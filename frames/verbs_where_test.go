package frames

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// verbsOfR are the answers of base R in testdata/verbs.json, written by R 4.2.2:
// LC_ALL=C Rscript verbs.R > verbs.json
type verbsOfR struct {
	Data  map[string][]any
	Where []struct {
		Src  string
		Rows []int
	}
	With []struct {
		Src, Type string
		Values    []string
	}
	Group []struct {
		Keys   []string
		Rows   []int
		Values []struct {
			Src    string
			Values []string
		}
	}
	Share []struct {
		Src    string
		Values []string
	}
	Sort []struct {
		Keys []string
		Rows []int
	}
}

func readVerbs(t *testing.T) (dataframe.DataFrame, verbsOfR) {
	t.Helper()
	data := get(os.ReadFile("testdata/verbs.json"))(t)
	var ref verbsOfR
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	var cols []series.Series
	for name, typ := range map[string]series.Type{"x": series.Float, "y": series.Float, "k": series.Int, "z": series.Int, "g": series.String, "f": series.Bool} {
		cols = append(cols, series.New(ref.Data[name], typ, name))
	}
	rows := make([]int, len(ref.Data["x"]))
	for i := range rows {
		rows[i] = i + 1
	}
	return dataframe.New(append(cols, series.New(rows, series.Int, "row"))...), ref
}

// rowsOf returns the numbers of the rows of the data.
func rowsOf(t *testing.T, df dataframe.DataFrame) []int {
	t.Helper()
	rows := get(df.Col("row").Int())(t)
	return rows
}

// Where keeps the rows that R's subset keeps, and Sort orders as R's order does.
func TestWhereAndSortLikeR(t *testing.T) {
	df, ref := readVerbs(t)
	for _, c := range ref.Where {
		got, err := Where(df, c.Src)
		if err != nil || !slices.Equal(rowsOf(t, got), c.Rows) {
			t.Errorf("Where %s: %v, %v; R keeps %v", c.Src, got, err, c.Rows)
		}
	}
	for _, c := range ref.Sort {
		got, err := Sort(df, c.Keys...)
		if err != nil || !slices.Equal(rowsOf(t, got), c.Rows) {
			t.Errorf("Sort %q: %v, %v; R's order is %v", c.Keys, rowsOf(t, got), err, c.Rows)
		}
	}
	if len(ref.Where) < 20 || len(ref.Sort) < 8 {
		t.Error("cases are missing")
	}
}

// With computes what R computes, missing where R's is.
func TestWithLikeR(t *testing.T) {
	df, ref := readVerbs(t)
	types := map[series.Type]string{series.Float: "numeric", series.Bool: "logical", series.String: "character"}
	for _, c := range ref.With {
		got, err := With(df, "new = "+c.Src)
		if err != nil {
			t.Errorf("%s: %v", c.Src, err)
			continue
		}
		v, err := copyColumn(got, "new")
		if err != nil || types[v.typ] != c.Type {
			t.Errorf("%s has type %s, %v; R's is %s", c.Src, v.typ, err, c.Type)
			continue
		}
		sameValues(t, c.Src, v, c.Values, 1e-15)
	}
}

// sameValues holds a column to values of R within a relative tolerance.
func sameValues(t *testing.T, what string, v *column, want []string, tolerance float64) {
	t.Helper()
	if len(want) != len(v.missing) {
		t.Errorf("%s has %d values; R has %d", what, len(v.missing), len(want))
		return
	}
	for i, want := range want {
		same := v.at(i) == want
		if w, err := strconv.ParseFloat(want, 64); err == nil && !v.missing[i] && v.num != nil {
			same = math.Abs(v.num[i]-w) <= tolerance*math.Max(1, math.Abs(w)) // sums of values of size 1
		}
		if !same {
			t.Errorf("%s in row %d is %s; R's is %s", what, i+1, v.at(i), want)
		}
	}
}

func TestWithKeepsTypesAndTheFrame(t *testing.T) {
	df := frame(t, Col("id", []int{1<<62 + 1, 2}), Col("x", []float64{1, math.NaN()}), Col("my col", []string{"a", "NaN"}))
	got := get(With(df, "same = id", "x = x + 1", "twice = 2*x", "`a b` = `my col`", "log(x)"))(t)
	if ids, err := got.Col("same").Int(); err != nil || ids[0] != 1<<62+1 {
		t.Errorf("id %v, %v", ids, err)
	}
	if got.Elem(0, 1).Float() != 2 || df.Elem(0, 1).Float() != 1 || got.Elem(0, 4).Float() != 4 {
		t.Errorf("%v from %v", got, df)
	}
	if want := []string{"id", "x", "my col", "same", "twice", "a b", "log(x)"}; !slices.Equal(got.Names(), want) {
		t.Errorf("columns %q", got.Names())
	}
	if !got.Col("a b").IsNaN()[1] || got.Col("a b").IsNaN()[0] {
		t.Errorf("%v", got)
	}
	got.Elem(1, 2).Set("changed")
	if df.Elem(1, 2).String() != "NaN" {
		t.Error("the frame given is changed")
	}
}

// Whatever is wrong, the error names it and says what to write.
func TestVerbErrors(t *testing.T) {
	df := frame(t, Col("mpg", []float64{21, 22.8}), Col("wt", []float64{0, 2.3}), Col("car", []string{"Mazda", "Fiat"}), Col("log", []int{1, 2}))
	where := func(s string) error { _, err := Where(df, s); return err }
	with := func(s ...string) error { _, err := With(df, s...); return err }
	sort := func(s ...string) error { _, err := Sort(df, s...); return err }
	for _, test := range []struct {
		err   error
		kind  error
		parts []string
	}{
		{where("mgp > 20"), ErrNoColumn, []string{`did you mean "mpg"?`, "^^^"}},
		{where("mpg = 21"), ErrSyntax, []string{"write =="}},
		{where("mpg ~ wt"), ErrSyntax, []string{"expression"}},
		{where("car"), ErrSetting, []string{`for example car == "Mazda"`}},
		{where("mpg"), ErrSetting, []string{"for example mpg == 21"}},
		{where(`car == "Maza"`), ErrNoRows, []string{"none of 2 rows", `column "car" has no "Maza"; did you mean "Mazda"?`}},
		{where("car > 3"), ErrNotNumeric, nil},
		{where("mpg > 100"), ErrNoRows, nil},
		{where(""), ErrSyntax, nil},
		{where("mpg > 20 &"), ErrSyntax, nil},
		{where("poly(mpg, 2) > 1"), ErrSyntax, []string{"poly gives columns"}},
		{with("ratio = mpg/wt"), ErrNotFinite, []string{"mpg/wt is +Inf in row 1, where mpg = 21, wt = 0"}},
		{with(), ErrSetting, nil},
		{with("a ="), ErrSyntax, nil},
		{with("a = b"), ErrNoColumn, nil},
		{with("a = car + 1"), ErrNotNumeric, []string{`row 1 has "Mazda"`}},
		{with("`` = 1"), ErrSyntax, nil},
		{sort("mgp"), ErrNoColumn, []string{`did you mean "mpg"?`}},
		{sort("-mgp"), ErrNoColumn, []string{`did you mean "mpg"?`}},
		{sort(), ErrSetting, nil},
	} {
		wantError(t, test.err, test.kind, test.parts...)
	}
	if got, err := Where(df, "log == 2 & log(log) > 0"); err != nil || got.Nrow() != 1 {
		t.Errorf("a column named as a function: %v, %v", got, err)
	}
	empty := dataframe.DataFrame{}
	_, err := Where(empty, "x > 1")
	wantError(t, err, ErrNoRows)
	twice := df.Copy()
	if err := twice.SetNames("a", "a", "b", "c"); err != nil {
		t.Fatal(err)
	}
	_, err = Sort(twice, "b")
	wantError(t, err, ErrSetting, `two columns of the frame are named "a"`)
}

// Integers that float64 would round keep their order.
func TestSortLongIntegers(t *testing.T) {
	df := frame(t, Col("id", []int{1<<60 + 1, 1 << 60, -1 << 60, -1<<60 - 1}))
	got := get(Sort(df, "id"))(t)
	if ids, err := got.Col("id").Int(); err != nil || !slices.IsSorted(ids) {
		t.Errorf("%v, %v", ids, err)
	}
	got, err := Sort(df, "-id")
	if err != nil || got.Elem(0, 0).String() != strconv.Itoa(1<<60+1) {
		t.Errorf("%v, %v", got, err)
	}
}

// Conditions are computed in blocks of rows; the result does not depend on where
// a block ends.
func TestWhereInBlocks(t *testing.T) {
	n := 3*blockRows + 17 + 1<<16
	x, k, row := make([]float64, n), make([]int, n), make([]int, n)
	for i := range x {
		x[i], k[i], row[i] = math.Sin(float64(i)), i%7, i+1
		if i%11 == 0 || i > 2*blockRows && i < 2*blockRows+5 {
			x[i] = math.NaN()
		}
	}
	df := frame(t, Col("x", x), Col("k", k), Col("row", row))
	got := get(Where(df, "!(x > 0.3) & k != 2 | sqrt(k) == 2 & is.na(x)"))(t)
	var want []int
	for i, v := range x {
		if v <= .3 && k[i] != 2 || k[i] == 4 && math.IsNaN(v) {
			want = append(want, i+1)
		}
	}
	if !slices.Equal(rowsOf(t, got), want) {
		t.Error("other rows are kept")
	}
}

// A row keeps the number that row() gave it, whatever becomes of its frame.
func TestRowNumbersAreKept(t *testing.T) {
	df := frame(t, Col("x", []float64{3, 1, math.NaN(), 2}), Col("g", []string{"a", "b", "a", "a"}))
	df, err := With(df, "row = row()")
	if err != nil || df.Types()[2] != series.Int {
		t.Fatalf("%v, %v", df, err)
	}
	some := get(Where(df, `g == "a"`))(t)
	if some, err = Sort(some, "x"); err != nil || !slices.Equal(rowsOf(t, some), []int{4, 1, 3}) {
		t.Errorf("%v, %v", some, err)
	}
	if some, err = Where(df, "row() > 2"); err != nil || !slices.Equal(rowsOf(t, some), []int{3, 4}) {
		t.Errorf("%v, %v", some, err)
	}
	_, err = Design(df, "x ~ row()")
	wantError(t, err, ErrSyntax)
	_, err = With(df, "a = row(x)")
	wantError(t, err, ErrSyntax)
}
