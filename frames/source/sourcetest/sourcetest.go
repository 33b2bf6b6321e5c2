// Package sourcetest holds a dialect of package source to a database that runs. It is for tests of whoever
// writes a source.Dialect:
//
//	func TestOther(t *testing.T) {
//		db, err := sql.Open("other", os.Getenv("OTHER_DSN"))
//		if err != nil {
//			t.Fatal(err)
//		}
//		sourcetest.Run(t, Other, db)
//	}
package sourcetest

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// Run tests a dialect on a database of its kind: that types, NULL and NaN, hostile names and levels, and dates
// come back as they were, that sums on hard data have 12 digits by either route, also where the first rows are unlike the rest, that expressions, bases,
// quantiles, groups, samples, folds, logistic and Poisson regressions and predictions are those of a frame in memory, that tables are made
// and loaded whole or not at all, that a pass can be cancelled, and that rows which change between passes are
// noticed. What SQL of the dialect refuses, so that rows are read, is no failure, but for sums
// of plain columns and factors. Each of them is a subtest, which makes tables whose names start with
// "regbook_test" and drops them. The user of db has to be allowed to.
func Run(t *testing.T, dialect *source.Dialect, db *sql.DB) {
	t.Helper()
	h := &harness{d: dialect, db: db}
	for _, c := range []struct {
		name string
		test func(t *testing.T)
	}{
		{"Opens", h.opens}, {"Types", h.types}, {"Missing", h.missing}, {"Names", h.names}, {"Levels", h.levels}, {"Dates", h.dates},
		{"Sums", h.sums}, {"Lies", h.lies}, {"Expressions", h.expressions}, {"Conditions", h.conditions}, {"Quantiles", h.quantiles}, {"Fences", h.fences}, {"Groups", h.groups}, {"Folds", h.folds}, {"Likelihoods", h.likelihoods},
		{"Predictions", h.predictions}, {"Create", h.create}, {"Load", h.load}, {"Changed", h.changed}, {"Cancel", h.cancel},
	} {
		t.Run(c.name, c.test)
	}
}

// harness makes tables of a database.
type harness struct {
	d  *source.Dialect
	db *sql.DB
}

var ctx = context.Background()

// routes are those that all results are computed by.
var routes = []source.Route{source.Pushed, source.Streamed}

// name returns the name of a new table, which is dropped in the end.
func (h *harness) name(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("regbook_test_%08x", rand.Uint32())
	t.Cleanup(func() {
		if _, err := h.db.ExecContext(ctx, "DROP TABLE IF EXISTS "+h.d.QuoteName(name)); err != nil {
			t.Errorf("DROP TABLE: %v", err)
		}
	})
	return name
}

// table loads a frame.
func (h *harness) table(t *testing.T, df dataframe.DataFrame) *source.Source {
	t.Helper()
	s, err := source.Load(ctx, h.db, h.d, h.name(t), must(source.Frame(df))(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// must returns what ends a test by an error.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// frame makes a frame.
func frame(t *testing.T, columns ...frames.Column) dataframe.DataFrame {
	t.Helper()
	return must(frames.Frame(columns...))(t)
}
