package frames

import (
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// sameFrames fails the test unless frames have the same names, types and bits.
func sameFrames(t *testing.T, got, want dataframe.DataFrame) {
	t.Helper()
	if got.Nrow() != want.Nrow() || strings.Join(got.Names(), "|") != strings.Join(want.Names(), "|") {
		t.Fatalf("%d rows of %q, want %d of %q", got.Nrow(), got.Names(), want.Nrow(), want.Names())
	}
	for _, name := range want.Names() {
		g, w := got.Col(name), want.Col(name)
		if g.Type() != w.Type() {
			t.Errorf("%q is %s, want %s", name, g.Type(), w.Type())
			continue
		}
		for i := range w.Len() {
			a, b := g.Elem(i), w.Elem(i)
			same := a.IsNA() == b.IsNA() && (a.IsNA() || a.String() == b.String())
			if w.Type() == series.Float && !b.IsNA() {
				same = math.Float64bits(a.Float()) == math.Float64bits(b.Float())
			}
			if !same {
				t.Errorf("%q, row %d: %v, want %v", name, i+1, a, b)
			}
		}
	}
}

func TestWriteCSVRoundTrip(t *testing.T) {
	nan := math.NaN()
	df := get(Frame(
		Col("small", []float64{1e-9, math.SmallestNonzeroFloat64, nan, 0.1, -math.MaxFloat64}),
		Col("whole, and = so on", []float64{2, 0, nan, 1e300, 7}),
		Col("inf", []float64{math.Inf(1), math.Inf(-1), 0.5, nan, math.Copysign(0, -1)}),
		Col("none", []float64{nan, nan, nan, nan, nan}),
		Col("int", []int{1, -2, math.MaxInt64, math.MinInt64, 0}),
		Col("truth", []bool{true, false, true, true, false}),
		Col("text", []string{`a,"b"`, " blank ", "line\nend\r", "naïve", ""}),
	))(t)
	path := filepath.Join(t.TempDir(), "f.csv")
	for _, s := range []WriteCSVSettings{{}, {Delimiter: ';'}, {Delimiter: '\t', NA: "missing"}} {
		if err := WriteCSV(path, df, &s); err != nil {
			t.Fatal(err)
		}
		mark := s.NA
		if mark == "" {
			mark = "NA"
		}
		got := get(ReadCSV(path, &CSVSettings{Delimiter: s.Delimiter, NA: []string{mark}}))(t)
		sameFrames(t, got.Frame, df)
	}
	one := get(Frame(Col("only", []string{"", "b", ""})))(t)
	if err := WriteCSV(path, one, nil); err != nil {
		t.Fatal(err)
	}
	got := get(ReadCSV(path, &CSVSettings{NA: []string{"NA"}}))(t)
	sameFrames(t, got.Frame, one)
}

// FuzzWriteCSV holds what is written to what is read.
func FuzzWriteCSV(f *testing.F) {
	f.Add("a", "b,c", 0.1, uint64(1))
	f.Add("\ufeff", "\"\r\n", math.Inf(1), uint64(2))
	f.Fuzz(func(t *testing.T, name, text string, v float64, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		values := make([]float64, 4)
		for i := range values {
			values[i] = math.Float64frombits(rng.Uint64())
		}
		values[0] = v
		df, err := Frame(Col("v", values), Col("name "+name+".", []string{text, "x", text + "y", "z" + text}))
		if err != nil {
			t.Skip()
		}
		path := filepath.Join(t.TempDir(), "f.csv")
		if err := WriteCSV(path, df, nil); err != nil {
			if text == "NA" && errors.Is(err, ErrSetting) {
				return
			}
			t.Fatal(err)
		}
		got, err := ReadCSV(path, &CSVSettings{Delimiter: ',', NA: []string{"NA"}, Types: map[string]series.Type{}})
		if err != nil {
			if strings.Contains(err.Error(), "UTF-8") {
				return
			}
			t.Fatal(err)
		}
		if strings.TrimSpace(df.Names()[1]) != df.Names()[1] {
			t.Skip() // names lose blanks at their ends
		}
		sameFrames(t, got.Frame, df)
	})
}

func TestWriteCSVRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.csv")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	text := get(Frame(Col("code", []string{"DE", "NA"})))(t)
	for want, write := range map[string]func() error{
		`column "code" has the text "NA" in row 2`: func() error { return WriteCSV(path, text, nil) },
		`Delimiter is '"'`:                         func() error { return WriteCSV(path, text, &WriteCSVSettings{Delimiter: '"'}) },
		"no columns":                               func() error { return WriteCSV(path, dataframe.DataFrame{}, nil) },
		"no such file":                             func() error { return WriteCSV(filepath.Join(dir, "none", "f.csv"), text, nil) },
	} {
		if err := write(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("the file is %q, %v after failures", b, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteCSVSpreadsheet(t *testing.T) {
	df := get(Frame(Col("=name", []string{"=1+1", "@x", "-y", "safe"}), Col("v", []float64{-1.5, 2, 3, 4})))(t)
	var b strings.Builder
	if err := FormatCSV(&b, df, &WriteCSVSettings{Spreadsheet: true}); err != nil {
		t.Fatal(err)
	}
	if want := "'=name,v\n'=1+1,-1.5\n'@x,2\n'-y,3\nsafe,4\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}
