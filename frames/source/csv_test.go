package source

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// write writes a file and opens it.
func write(t testing.TB, text string) (string, *Source) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := CSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	return path, s
}

// A file gives the moments of the frame that ReadCSV makes of it, packed or not.
func TestCSVIsItsFrame(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "nasty.csv")
	if err := frames.WriteCSV(path, nastyFile(t), nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	zipped := filepath.Join(dir, "nasty.csv.gz")
	file, err := os.Create(zipped)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(file)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	table, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, path := range []string{path, zipped} {
		s, err := CSV(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i, formula := range formulas {
			if i%5 == 4 || k == 0 && !testing.Short() {
				sameDesign(t, s, table.Frame, formula, nil, 1e-12)
			}
		}
	}
	if err := os.WriteFile(zipped, []byte("\x1f\x8b"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = CSV(zipped, nil)
	wantError(t, err, frames.ErrCSV, "damaged")
}

func wantError(t *testing.T, err, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Errorf("error %v is not of the kind %v", err, kind)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
}

// long is a table of two megabytes, more than one piece, whose last rows are others than the first.
// Its cells are long, so that its rows are few.
func long(first, last string) string {
	groups := []string{strings.Repeat("a", 1000), strings.Repeat("b", 1000)}
	var b strings.Builder
	b.WriteString("y,x,g\n")
	for i := range 2_200 {
		fmt.Fprintf(&b, "%d,%s,%s\n", i*i%1013, first, groups[i%2])
	}
	b.WriteString(last)
	return b.String()
}

// A column whose first megabytes are numbers may be text after all.
func TestTypesOfLateCells(t *testing.T) {
	_, s := write(t, long("1", "3,abc,a\n"))
	d, err := s.Design(ctx, "y ~ factor(x)")
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Terms().Variables[0].Levels; len(got) != 2 || got[1] != "abc" {
		t.Errorf("levels %q", got)
	}
	_, err = s.Design(ctx, "y ~ log(x)")
	wantError(t, err, frames.ErrNotNumeric, `row 2201 has "abc"`)
}

func TestCSVSourceErrors(t *testing.T) {
	for _, test := range []struct {
		text, formula string
		kind          error
		parts         []string
	}{
		{long("1", "3,4\n"), "y ~ x", frames.ErrCSV, []string{"line 2202 has 2 cells"}},
		{long("1", "3,\"4"), "y ~ x", frames.ErrCSV, []string{"not closed", "2202"}},
		{long("1", "3,4,\xe4\u00e4\n"), "y ~ x", frames.ErrCSV, []string{"line 2202", "UTF-8"}},
		{long("1", "3,Inf,a\n"), "y ~ x", mlreg.ErrNotFinite, []string{"row 2201"}},
		{long("1", "3,0,a\n"), "y ~ log(x)", frames.ErrNotFinite, []string{"row 2201", "x = 0"}},
		{long("1", ""), "y ~ z", frames.ErrNoColumn, []string{"z"}},
		{long("1", ""), "y ~ g + log(g)", frames.ErrNotNumeric, []string{"g"}},
		{long("NA", ""), "y ~ x", frames.ErrMissing, []string{"x", "2200"}},
		{long("1", ""), "y ~ factor(x)", frames.ErrLevel, []string{"one level"}},
	} {
		_, s := write(t, test.text)
		d, err := s.Design(ctx, test.formula)
		if err == nil {
			_, err = d.Moments()
		}
		wantError(t, err, test.kind, test.parts...)
	}
	for _, text := range []string{"", "a,b\n"} {
		path := filepath.Join(t.TempDir(), "t.csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := CSV(path, nil)
		wantError(t, err, frames.ErrCSV)
	}
	_, err := CSV("no such file.csv", nil)
	wantError(t, err, os.ErrNotExist)
}

// A file that changes between passes is refused, also if its size does not.
func TestChangedFile(t *testing.T) {
	path, s := write(t, long("1", "5,2,a\n"))
	d, err := s.Design(ctx, "y ~ x + g")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(long("1", "5,3,a\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = d.Moments()
	wantError(t, err, ErrChanged, "t.csv")
	if err := os.WriteFile(path, []byte(long("1", "5,abc,a\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	wantError(t, d.EachBlock(func(*mlreg.Design) error { return nil }), ErrChanged)
}

// What reads a part of a file, or describes it, refuses one that was written meanwhile.
func TestWrittenFile(t *testing.T) {
	path, s := write(t, long("1", "5,2,a\n"))
	if _, err := s.Describe(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(long("1", "5,3,a\n6,3,a\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := s.Head(ctx, 3)
	wantError(t, err, ErrChanged, "t.csv", "open it again")
	_, err = s.Sample(ctx, 3, 1)
	wantError(t, err, ErrChanged)
	_, err = s.Describe(ctx)
	wantError(t, err, ErrChanged)
	_, err = s.Histogram(ctx, "x", 4)
	wantError(t, err, ErrChanged)
	_, err = s.GroupBy("g").Count(ctx)
	wantError(t, err, ErrChanged)
	if s, err = CSV(path, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(ctx, 3); err != nil {
		t.Error(err)
	}
}

func TestCanceledPass(t *testing.T) {
	_, s := write(t, long("1", ""))
	c, cancel := context.WithCancel(ctx)
	d, err := s.Design(c, "y ~ x")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	err = d.EachBlock(func(*mlreg.Design) error {
		if blocks++; blocks == 1 {
			cancel()
		}
		return nil
	})
	wantError(t, err, context.Canceled)
	if blocks > 1 {
		t.Errorf("%d blocks after the end", blocks)
	}
	if _, err = s.Design(ctx, "y ~ x + g"); err != nil {
		t.Errorf("the source is not usable afterwards: %v", err)
	}
}

// Folds are disjoint, have all rows, and keep equal keys together.
func TestFolds(t *testing.T) {
	df := nasty(t, 3000)
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(ctx, "y ~ b + `the group`")
	if err != nil {
		t.Fatal(err)
	}
	all, err := d.Moments()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"", "day"} {
		folds, err := d.Folds(5, key, 1)
		if err != nil {
			t.Fatal(err)
		}
		sum := folds[0]
		for _, f := range folds[1:] {
			if f.NObs() < all.NObs()/10 {
				t.Errorf("a fold has %d rows of %d", f.NObs(), all.NObs())
			}
			if sum, err = sum.Merge(f); err != nil {
				t.Fatal(err)
			}
		}
		sameMoments(t, "folds by "+key, sum, all, 1e-12)
	}
	_, err = d.Folds(5, "dayy", 1)
	wantError(t, err, frames.ErrNoColumn)
	_, err = d.Folds(1, "", 1)
	wantError(t, err, frames.ErrSetting)
}

// A formula that needs no first pass meets the late cell in the pass of its sums, or of
// its rows, and is read again; rows are never handed on twice.
func TestLateCellsInTheOnlyPass(t *testing.T) {
	_, s := write(t, long("1", "3,abc,a\n"))
	d, err := s.Design(ctx, "y ~ x")
	if err != nil {
		t.Fatal(err)
	}
	_, err = d.Moments()
	wantError(t, err, frames.ErrNotNumeric, `row 2201 has "abc"`, "factor(x)")
	_, s = write(t, long("1", "3,2,abc\n"))
	d, err = s.Design(ctx, "y ~ x")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	err = d.EachBlock(func(b *mlreg.Design) error {
		rows += b.NObs()
		return nil
	})
	if err != nil || rows != 2_201 {
		t.Errorf("%d rows, %v", rows, err)
	}
	_, s = write(t, long("1", "abc,1,a\n"))
	d, err = s.Design(ctx, "y ~ g")
	if err == nil {
		err = d.EachBlock(func(*mlreg.Design) error { t.Error("a block of a design that is wrong"); return errors.New("stop") })
	}
	wantError(t, err, frames.ErrNotNumeric, "abc")
	_, s = write(t, long("1", "1,2,a\n"))
	if d, err = s.Design(ctx, "y ~ x"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Folds(3, "g", 1); err != nil {
		t.Error(err)
	}
}

// Names and cells in quotes, integers beyond 2^53, and what is no number.
func TestNastyCells(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	text := "y,\"a \"\"b\"\"; c\",big,\u00e9t\u00e9\n1,\"x, y\",9007199254740993,\"1\"\n2,\"two\nlines\",9007199254740995, 2\n4,\"x, y\",9223372036854775807,NA\n7,\"two\nlines\",1,5\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := CSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	sameDesign(t, s, c.Frame, "y ~ `a \"b\"; c` + \u00e9t\u00e9", nil, 1e-12)
	d, err := s.Describe(ctx)
	if err != nil || !strings.Contains(d.String(), "3 integers are 2^53 or more") {
		t.Errorf("%v, %v", d, err)
	}
	h, err := s.Head(ctx, 2)
	if err != nil || h.Elem(1, 1).String() != "two\nlines" || h.Elem(1, 2).String() != "9007199254740995" {
		t.Errorf("%v, %v", h, err)
	}
}
