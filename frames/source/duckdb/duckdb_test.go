package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/longids"
	"github.com/regbook/regbook/mlreg"
)

var ctx = context.Background()

// written stores the prostate data as CSV, Parquet and a database, under names that have
// to be quoted.
func written(t *testing.T) (csv, parquet, database string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), `it's "data"`)
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	csv, parquet, database = filepath.Join(dir, "p'1.csv"), filepath.Join(dir, "p'1.parquet"), filepath.Join(dir, "p.duckdb")
	if err := frames.WriteCSV(csv, datasets.Prostate(), nil); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("duckdb", database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{"CREATE TABLE men AS SELECT * FROM read_csv(" + source.DuckDB.QuoteText(csv) + ")", "COPY men TO " + source.DuckDB.QuoteText(parquet) + " (FORMAT parquet)"} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return csv, parquet, database
}

// A fit to a file is that of its rows in memory.
func TestFiles(t *testing.T) {
	const formula = "lpsa ~ lcavol + poly(age, 3) + svi:lcp"
	design, err := frames.Design(datasets.Prostate(), formula)
	if err != nil {
		t.Fatal(err)
	}
	want, err := mlreg.FitOLS(design, nil)
	if err != nil {
		t.Fatal(err)
	}
	csv, parquet, database := written(t)
	for name, open := range map[string]func() (*Source, error){
		"CSV":     func() (*Source, error) { return CSV(ctx, csv, &Settings{MemoryLimit: "100MB", Threads: 1}) },
		"Parquet": func() (*Source, error) { return Parquet(ctx, filepath.Join(filepath.Dir(parquet), "*.parquet"), nil) },
		"table":   func() (*Source, error) { return Table(ctx, database, "men", nil) },
	} {
		t.Run(name, func(t *testing.T) {
			s, err := open()
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			for _, route := range []source.Route{source.Automatic, source.Pushed, source.Streamed} {
				d, err := s.Design(ctx, formula, &source.DesignSettings{Route: route})
				if err != nil {
					t.Fatal(err)
				}
				got, err := mlreg.FitOLS(d, nil)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(got.Names(), want.Names()) {
					t.Fatalf("names %q, want %q", got.Names(), want.Names())
				}
				for j, b := range want.Coef() {
					if math.Abs(got.Coef()[j]-b) > 1e-10*math.Abs(b) {
						t.Errorf("%v: coefficient %d is %v, want %v", route, j, got.Coef()[j], b)
					}
				}
			}
		})
	}
}

// Predictions that DuckDB computes are those of the rows in memory.
func TestPredictions(t *testing.T) {
	df := datasets.Prostate()
	csv, parquet, _ := written(t)
	for _, formula := range []string{"lpsa ~ poly(age, 3)*svi + factor(gleason) + ns(lcavol, 3) + log(pgg45 + 1)", "lpsa ~ svi + offset(lcp)"} {
		design, err := frames.Design(df, formula)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := mlreg.FitOLS(design, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := frames.Predict(fit, df)
		if err != nil {
			t.Fatal(err)
		}
		for name, open := range map[string]func() (*Source, error){
			"CSV":     func() (*Source, error) { return CSV(ctx, csv, nil) },
			"Parquet": func() (*Source, error) { return Parquet(ctx, parquet, nil) },
		} {
			t.Run(name+" "+formula, func(t *testing.T) {
				s, err := open()
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				pushed, err := s.By(source.Pushed)
				if err != nil {
					t.Fatal(err)
				}
				p, err := pushed.WithPredictions(ctx, fit, `it's "p"`)
				if err != nil {
					t.Fatal(err)
				}
				got, err := p.Head(ctx, 97)
				if err != nil {
					t.Fatal(err)
				}
				for i, v := range got.Col(`it's "p"`).Float() { // DuckDB keeps the order of a file
					if math.Abs(v-want[i]) > 1e-12*math.Abs(want[i]) {
						t.Errorf("row %d: %.17g, want %.17g", i+1, v, want[i])
					}
				}
				if _, err := p.CreateTable(ctx, "scored", nil); err != nil {
					t.Error(err)
				}
			})
		}
	}
	// A ridge fit's intercept has the digits of a float64, of which a column far from zero
	// takes seven: the rows are predicted in memory.
	t.Run("far from zero", func(t *testing.T) {
		far, err := frames.With(df, "far = age/100 + 1e9")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "far.csv")
		if err := frames.WriteCSV(path, far, nil); err != nil {
			t.Fatal(err)
		}
		s, err := CSV(ctx, path, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		design, err := frames.Design(far, "lpsa ~ far + svi")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := mlreg.FitRidge(design, 0.1, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := frames.Predict(fit, far)
		if err != nil {
			t.Fatal(err)
		}
		p, err := s.WithPredictions(ctx, fit, "p")
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Head(ctx, 97)
		if err != nil {
			t.Fatal(err)
		}
		if values := got.Col("p").Float(); !slices.Equal(values, want) {
			t.Errorf("%v, want %v", values[:3], want[:3])
		}
		if _, err := p.SQL(); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "digits of the sum") {
			t.Error(err)
		}
	})
	_, _, database := written(t)
	s, err := Table(ctx, database, "men", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.CreateTable(ctx, "copy", nil); !errors.Is(err, source.ErrSource) || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a database that is read only: %v", err)
	}
}

// Integers of 16 to 19 digits in files are what they are.
func TestLongIntegers(t *testing.T) {
	rows := longids.Make(500)
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := frames.WriteCSV(path, fatal.On(rows.Frame())(t), nil); err != nil {
		t.Fatal(err)
	}
	s := fatal.On(CSV(ctx, path, nil))(t)
	defer s.Close()
	rows.Check(t, s.Source, source.Pushed, source.Streamed)
}

func TestErrors(t *testing.T) {
	csv, _, database := written(t)
	dir := filepath.Dir(csv)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for name, c := range map[string]struct {
		open func() (*Source, error)
		want error
	}{
		"no file":      {func() (*Source, error) { return CSV(ctx, filepath.Join(dir, "none.csv"), nil) }, source.ErrSource},
		"no name":      {func() (*Source, error) { return Parquet(ctx, "", nil) }, frames.ErrSetting},
		"not Parquet":  {func() (*Source, error) { return Parquet(ctx, csv, nil) }, source.ErrSource},
		"no table":     {func() (*Source, error) { return Table(ctx, database, "women", nil) }, source.ErrSource},
		"an option":    {func() (*Source, error) { return Table(ctx, database+"?threads=1", "men", nil) }, frames.ErrSetting},
		"threads":      {func() (*Source, error) { return CSV(ctx, csv, &Settings{Threads: -1}) }, frames.ErrSetting},
		"memory limit": {func() (*Source, error) { return CSV(ctx, csv, &Settings{MemoryLimit: "1'; DROP"}) }, source.ErrSource},
		"cancelled":    {func() (*Source, error) { return CSV(cancelled, csv, nil) }, context.Canceled},
		"nil context":  {func() (*Source, error) { return CSV(nil, csv, nil) }, frames.ErrSetting}, //lint:ignore SA1012 it is an error
	} {
		if s, err := c.open(); s != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (*Source)(nil).Close(); err != nil {
		t.Error(err)
	}
	s, err := CSV(ctx, csv, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d, err := s.Design(ctx, "lpsa ~ poly(age, 2)")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Moments(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(csv)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(csv, []byte(strings.Replace(string(text), "50", "51", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Folds(2, "", 1); !errors.Is(err, source.ErrChanged) {
		t.Errorf("a file that was written in between: %v", err)
	}
	if err := os.Remove(csv); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Head(ctx, 2); !errors.Is(err, source.ErrSource) {
		t.Errorf("a file that is gone: %v", err)
	}
}

// A file that was written with other columns has changed, and the error names the column.
func TestOtherColumns(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rows, (1).csv")
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	wide := ""
	for k := range 200 { // whose list of columns is long
		wide += fmt.Sprintf(",a%d", k)
	}
	for _, c := range []struct{ before, after, says string }{
		{"x,y\n1,2\n2,4\n3,5\n", "x,y\nq,2\n2,4\n", `column "x" was BIGINT and is VARCHAR`},
		{"x,y\n1,2\n2,4\n3,5\n", "x,y\n1,2\n2,4.5\n", `column "y" was BIGINT and is DOUBLE`},
		{"x,y\n1,2\n2,4\n3,5\n", "x,\"y, z\"\n1,2\n2,4\n", "its columns are x, y, z now"},
		{"x,y\n1,2\n2,4\n3,5\n", "x,z\n1,2\n2,4\n", `column "y" is "z" now`},
		{"x,y,z\n1,2,1\n2,4,3\n3,5,5\n", "x,y\n1,2\n2,4\n", "it had 3 columns and has 2"},
		{"x,y\n1,2\n2,4\n3,5\n", "x,y,z\n1,2,3\n2,4,4\n", "it had 2 columns and has 3"},
		{"x,y" + wide + "\n1,2" + strings.Repeat(",7", 200) + "\n", "x,y" + wide + "\n1,q" + strings.Repeat(",7", 200) + "\n", `column "y" was BIGINT and is VARCHAR`},
	} {
		write(c.before)
		s, err := CSV(context.Background(), file, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Design(context.Background(), "y ~ x")
		if err != nil {
			t.Fatal(err)
		}
		write(c.after)
		_, moments := d.Moments()
		_, head := s.Head(context.Background(), 2)
		for _, err := range []error{moments, head} {
			if !errors.Is(err, source.ErrChanged) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "rows, (1).csv") || strings.Contains(err.Error(), "Binder") {
				t.Errorf("%q written for %q: %v", c.after, c.before, err)
			}
		}
		s.Close()
	}
}

func ExampleCSV() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "men.csv")
	if err := frames.WriteCSV(file, datasets.Prostate(), nil); err != nil {
		fmt.Println(err)
		return
	}
	men, err := CSV(context.Background(), file, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer men.Close()
	d, err := men.Design(context.Background(), "lpsa ~ lcavol")
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", fit.Coef())
	// Output: [1.507 0.719]
}
