//go:build unix

package engines

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// Frames and files become tables to the bit, whole or not at all.
func TestLoadFrame(t *testing.T) {
	n := 3000
	df := nasty(t, n)
	id, long, at, inf := make([]int, n), make([]int, n), make([]string, n), make([]float64, n)
	for i := range n {
		id[i], long[i], at[i] = i, math.MaxInt64-i, fmt.Sprintf("2024-%02d-%02d %02d:%02d:%02d", 1+i%12, 1+i%28, i%24, i%60, i%59)
		inf[i] = math.Inf(1 - 2*(i%2))
		if i%5 > 0 {
			inf[i] = 1 / float64(i)
		}
	}
	df = df.CBind(must(frames.Frame(frames.Col("id", id), frames.Col("long", long), frames.Col("at", at), frames.Col("endless", inf))))
	file := filepath.Join(t.TempDir(), "rows.csv")
	if err := frames.WriteCSV(file, df, nil); err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		if d.dialect.Finite {
			if _, err := source.Load(ctx, db, d.dialect, "infinite", must(source.Frame(df)), nil); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), `"endless"`) {
				t.Errorf("a number that the database has not: %v", err)
			}
		}
		file, df := file, finite(t, d, df)
		if d.dialect.Finite {
			file = filepath.Join(t.TempDir(), "finite.csv")
			if err := frames.WriteCSV(file, df, nil); err != nil {
				t.Fatal(err)
			}
		}
		for what, from := range map[string]*source.Source{"frame": must(source.Frame(df)), "file": must(source.CSV(file, nil))} {
			name := `loaded "` + what + `" '; --`
			quoted := `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
			s := must(source.Load(ctx, db, d.dialect, quoted, from, nil))
			got := must(frames.Sort(must(s.Head(ctx, n+1)), "id"))
			if got.Nrow() != n || got.Ncol() != df.Ncol() {
				t.Fatalf("%s: %d x %d", what, got.Nrow(), got.Ncol())
			}
			for j, name := range df.Names() {
				truth := name == "flag" && d.numbers() // 1 and 0
				for i := range n {
					a, b := got.Elem(i, j), df.Elem(i, j)
					if a.IsNA() != b.IsNA() || math.Float64bits(a.Float()) != math.Float64bits(b.Float()) && !a.IsNA() && name != "day" && name != "at" && name != "class" && !strings.HasPrefix(name, "the") || !truth && a.String() != b.String() {
						t.Fatalf("%s: %s of row %d is %v, want %v", what, name, i+1, a, b)
					}
				}
				if a, b := got.Types()[j], df.Types()[j]; a != b && !truth {
					t.Errorf("%s: %s is of %v, want %v", what, name, a, b)
				}
			}
			if _, err := source.Load(ctx, db, d.dialect, quoted, from, nil); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "Replace") {
				t.Errorf("a table that exists: %v", err)
			}
			bad := must(from.With(ctx, "z = log(2990.5 - id)"))
			for _, settings := range []*source.TableSettings{nil, {Replace: true}} {
				target := map[bool]string{true: "never", false: quoted}[settings == nil]
				if _, err := source.Load(ctx, db, d.dialect, target, bad, settings); !errors.Is(err, frames.ErrNotFinite) {
					t.Errorf("rows that end in an error: %v", err)
				}
			}
			if _, err := source.Open(ctx, db, d.dialect, "never"); !errors.Is(err, source.ErrSource) {
				t.Errorf("a table that failed is there: %v", err)
			}
			if left := must(must(source.Open(ctx, db, d.dialect, quoted)).NRow(ctx)); left != n {
				t.Errorf("the table that was not replaced has %d rows", left)
			}
			some := must(from.Where(ctx, "id < 100"))
			if left := must(must(source.Load(ctx, db, d.dialect, quoted, some, &source.TableSettings{Replace: true})).NRow(ctx)); left != 100 {
				t.Errorf("the table that was replaced has %d rows", left)
			}
		}
		allBack(t, db)
	})
}

// Tables are loaded and made by a pool of one connection.
func TestTablesByOneConnection(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		db.SetMaxOpenConns(1)
		ctx, cancel := context.WithTimeout(ctx, time.Minute)
		defer cancel()
		tables++
		name := fmt.Sprint("one_connection", tables)
		df, err := frames.Frame(frames.Col("x", []float64{1, 2, 3}))
		if err != nil {
			t.Fatal(err)
		}
		from, err := source.Frame(df)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		for _, settings := range []*source.TableSettings{nil, {Replace: true}} {
			if _, err := source.Load(ctx, db, d.dialect, name, from, settings); err != nil {
				t.Fatalf("%+v: %v", settings, err)
			}
		}
		s, err := source.Open(ctx, db, d.dialect, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, settings := range []*source.TableSettings{nil, {Replace: true}} {
			made, err := s.CreateTable(ctx, name+"made", settings)
			if err != nil {
				t.Fatalf("%+v: %v", settings, err)
			}
			if n, err := made.NRow(ctx); err != nil || n != 3 {
				t.Errorf("%d rows: %v", n, err)
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("it waited for another connection: %v", took)
		}
	})
}
