//go:build unix

package engines

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// refill makes the table "changing" of 400 rows anew: y, x of the type given, and a group; the
// values of x in rows k and k+7 are exchanged, so that count and sums are the same.
func refill(t *testing.T, d database, db *sql.DB, typ string, k int) {
	t.Helper()
	after := ""
	if d.dialect == source.ClickHouse {
		after = " ENGINE = MergeTree ORDER BY tuple()"
	}
	run(t, db, "DROP TABLE IF EXISTS changing")
	run(t, db, "CREATE TABLE changing (y "+types[d.dialect][0]+", x "+typ+", g "+types[d.dialect][3]+")"+after)
	var y, x, g []string
	for i := range 400 {
		j := i
		switch i {
		case k:
			j = k + 7
		case k + 7:
			j = k
		}
		number := fmt.Sprintf("%d.%d", j*j%101, 1+j%9)
		if typ == types[d.dialect][3] {
			number = "'" + number + "'"
		}
		y, x, g = append(y, fmt.Sprintf("%d.5", i*7%13)), append(x, number), append(g, fmt.Sprintf("'g%d'", i%3))
	}
	if d.dialect == source.ClickHouse { // whose driver waits for the rows of VALUES
		list := func(of []string) string { return "arrayElement([" + strings.Join(of, ", ") + "], n)" }
		run(t, db, "INSERT INTO changing SELECT "+list(y)+", "+list(x)+", "+list(g)+" FROM (SELECT toUInt32(number + 1) AS n FROM system.numbers LIMIT 400)")
		return
	}
	rows := make([]string, len(y))
	for i := range rows {
		rows[i] = "(" + y[i] + ", " + x[i] + ", " + g[i] + ")"
	}
	run(t, db, "INSERT INTO changing VALUES "+strings.Join(rows, ", "))
}

// Rows that change between two passes, of which one is pushed down and the other read, are
// noticed, also where their number and all sums of single columns are the same.
func TestChangesBetweenRoutes(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		float := types[d.dialect][0]
		read := func(m *source.Design) error { return m.EachBlock(func(*mlreg.Design) error { return nil }) }
		sum := func(m *source.Design) error { _, err := m.Moments(); return err }
		fold := func(m *source.Design) error { _, err := m.Folds(3, "", 1); return err }
		for what, passes := range map[string][2]func(*source.Design) error{
			"sums, then rows": {sum, read}, "rows, then sums": {read, sum}, "sums, then folds": {sum, fold}, "folds, then rows": {fold, read},
		} {
			for _, formula := range []string{"y ~ x", "y ~ x + g", "y ~ poly(x, 2)"} {
				refill(t, d, db, float, 0)
				s := must(source.Open(ctx, db, d.dialect, "changing"))
				route := source.Pushed
				if d.dialect == source.SQLite && strings.Contains(what, "folds") {
					route = source.Automatic // it has none
				}
				m := must(s.Design(ctx, formula, &source.DesignSettings{Route: route}))
				if err := errors.Join(passes[0](m), passes[1](m), passes[0](m)); err != nil {
					t.Fatalf("%s of %s that did not change: %v", what, formula, err)
				}
				held := must(m.Moments()) // of the rows as they are
				m = must(s.Design(ctx, formula, &source.DesignSettings{Route: route}))
				if err := passes[0](m); err != nil {
					t.Fatal(what, err)
				}
				refill(t, d, db, float, 40)
				switch err := passes[1](m); {
				case what == "rows, then sums" && formula == "y ~ x + g": // its levels were found by the sums
					if now, err := m.Moments(); err != nil || !floats.EqualApprox(now.SXY(), held.SXY(), 1e-12*floats.Norm(held.SXY(), 2)) {
						t.Errorf("sums of the rows that the design was made of: %v", err)
					}
				case !errors.Is(err, source.ErrChanged):
					t.Errorf("%s of %s: %v", what, formula, err)
				}
			}
		}
		refill(t, d, db, float, 0)
		s := must(source.Open(ctx, db, d.dialect, "changing"))
		m := must(s.Design(ctx, "y ~ x + g", &source.DesignSettings{Route: source.Pushed}))
		fit := must(mlreg.FitOLS(m, nil))
		refill(t, d, db, float, 40)
		if _, err := fit.Robust(m, mlreg.HC3); !errors.Is(err, source.ErrChanged) {
			t.Errorf("robust errors of other rows: %v", err)
		}
		fresh := must(s.Design(ctx, "y ~ x + g", &source.DesignSettings{Route: source.Pushed}))
		want := must(mlreg.FitOLS(must(s.Design(ctx, "y ~ x + g", &source.DesignSettings{Route: source.Pushed})), nil))
		refill(t, d, db, float, 80)
		if fit = must(mlreg.FitOLS(fresh, nil)); !floats.EqualApprox(fit.Coef(), want.Coef(), 1e-12*floats.Norm(want.Coef(), 2)) {
			t.Errorf("a fit of %v, and %v of the rows that the design was made of", fit.Coef(), want.Coef())
		}
		if _, err := fit.Robust(fresh, mlreg.HC3); !errors.Is(err, source.ErrChanged) {
			t.Errorf("robust errors of other rows: %v", err)
		}
	})
}

// A column that has another type than when its table was opened is named.
func TestTypeChanged(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		refill(t, d, db, types[d.dialect][0], 0)
		s := must(source.Open(ctx, db, d.dialect, "changing"))
		plain := must(s.Design(ctx, "y ~ x", &source.DesignSettings{Route: source.Streamed}))
		if err := plain.EachBlock(func(*mlreg.Design) error { return nil }); err != nil {
			t.Fatal(err)
		}
		refill(t, d, db, types[d.dialect][3], 0)
		for what, f := range map[string]func(s *source.Source) error{
			"a later pass":      func(*source.Source) error { return plain.EachBlock(func(*mlreg.Design) error { return nil }) },
			"head":              func(s *source.Source) error { _, err := s.Head(ctx, 3); return err },
			"describe":          func(s *source.Source) error { _, err := s.Describe(ctx); return err },
			"summaries":         func(s *source.Source) error { _, err := s.GroupBy("g").Summarise(ctx, "mean(x)"); return err },
			"a table":           func(s *source.Source) error { _, err := s.CreateTable(ctx, "changing too", nil); return err },
			"sums pushed down":  func(s *source.Source) error { _, _, err := moments(s, "y ~ x", source.Pushed); return err },
			"sums that stream":  func(s *source.Source) error { _, _, err := moments(s, "y ~ x", source.Streamed); return err },
			"levels and a rest": func(s *source.Source) error { _, _, err := moments(s, "y ~ x + g", source.Automatic); return err },
		} {
			if err := f(s); !errors.Is(err, source.ErrChanged) {
				t.Errorf("%s: %v", what, err)
			}
		}
		allBack(t, db)
	})
}

// A database that is opened by the dialect of another is an error that says which answers.
func TestOpenedAsAnother(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		refill(t, d, db, types[d.dialect][0], 0)
		for _, other := range databases {
			if other.dialect == d.dialect {
				continue
			}
			_, err := source.Open(ctx, db, other.dialect, "changing")
			if !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "the database is not "+other.name) {
				t.Errorf("as %s: %v", other.name, err)
			}
		}
	})
}

// A table is written after calls that were cancelled, whose connections the driver closed.
func TestCreateTableAfterCancel(t *testing.T) {
	df := nasty(t, 9001)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
		for k := range 12 {
			some, cancel := context.WithCancel(ctx)
			design := must(s.Design(some, "y ~ a + b", &source.DesignSettings{Route: source.Streamed}))
			err := design.EachBlock(func(*mlreg.Design) error { cancel(); return nil })
			cancel()
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if _, err := s.CreateTable(ctx, fmt.Sprintf("after %d", k), &source.TableSettings{Replace: true, OneServer: true}); err != nil {
				t.Errorf("after cancelled call %d: %v", k+1, err)
			}
		}
	})
}

// The rows of a cluster are written to one server only if that is said.
func TestCreateTableOfACluster(t *testing.T) {
	d := databases[3]
	db := d.open(t)
	s := must(source.Open(ctx, db, d.dialect, d.load(t, db, datasets.Prostate(), nil)))
	if _, err := s.CreateTable(ctx, "one server", nil); !errors.Is(err, frames.ErrSetting) || !strings.Contains(err.Error(), "OneServer") {
		t.Errorf("a table of a cluster: %v", err)
	}
	made := must(s.CreateTable(ctx, "one server", &source.TableSettings{OneServer: true}))
	if n := must(made.NRow(ctx)); n != 97 {
		t.Errorf("%d rows", n)
	}
	if _, err := made.CreateTable(ctx, "one server too", nil); err != nil { // of one server
		t.Error(err)
	}
}
