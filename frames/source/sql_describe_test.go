package source

import (
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// PostgreSQL and SQLite are not asked to sort columns: their rows are read once, and texts of
// more than 1000 values counted by groups. SQLite, if it is forced to compute, sorts every
// column once.
func TestPlansOfDescriptions(t *testing.T) {
	const n = 1500
	rows := make([][]driver.Value, n)
	for i := range rows {
		rows[i] = []driver.Value{float64(i % 1200), float64(i), fmt.Sprint(i)}
	}
	rows[7][0] = nil
	with := func(s *replay, text string) int {
		k := 0
		for _, q := range s.asked {
			k += strings.Count(q, text)
		}
		return k
	}
	for _, d := range []*Dialect{PostgreSQL, SQLite} {
		s, r, err := opened(t, d,
			answer{contains: "GROUP BY", rows: [][]driver.Value{{int64(n)}}},
			answer{contains: "SELECT count(*), sum(", rows: [][]driver.Value{{int64(n), int64(0), int64(0)}}}, // of wide columns
			answer{contains: "SELECT count(*)", rows: [][]driver.Value{{int64(n)}}},
			answer{contains: "typeof", rows: [][]driver.Value{{int64(0), int64(0)}}},
			answer{contains: "sqlite_version", rows: [][]driver.Value{{"3.45.0"}}},
			answer{contains: `"y"`, rows: rows})
		if err != nil {
			t.Fatal(err)
		}
		about, err := s.Describe(ctx)
		if err != nil {
			t.Fatal(err)
		}
		y, x, g := about.Columns[0], about.Columns[1], about.Columns[2]
		if about.Route != Streamed || about.Sampled != n || y.Missing != 1 || y.Distinct != 1200 || x.Distinct != n || x.Median != 749.5 || g.Distinct != n {
			t.Errorf("%v: %+v", d, about)
		}
		if with(r, "ORDER BY")+with(r, "DISTINCT")+with(r, "percentile") > 0 || with(r, "GROUP BY") != 1 || len(r.asked) > 7 {
			t.Errorf("%v: asked %q", d, r.asked)
		}
	}

	// the answers of (2, 1, "a"), (4, 1, "b"), without those of y missing
	s, r, err := opened(t, SQLite,
		answer{contains: `ELSE CAST("y" AS REAL) END, count(*)`, rows: [][]driver.Value{{2., int64(1)}, {4., int64(1)}}},
		answer{contains: `ELSE CAST("x" AS REAL) END, count(*)`, rows: [][]driver.Value{{1., int64(2)}}},
		answer{contains: "regbook_one", rows: [][]driver.Value{{int64(2)}}},
		answer{contains: `ELSE 0 END), sum(CASE WHEN (typeof("x")`, rows: [][]driver.Value{{int64(0), int64(0), int64(0), int64(0)}}},
		answer{contains: "typeof", rows: [][]driver.Value{{int64(0), int64(0)}}},
		answer{contains: "sqlite_version", rows: [][]driver.Value{{"3.45.0"}}},
		answer{contains: "floor((", rows: [][]driver.Value{{int64(2), 3., 0., 0., 2., 0., 1., 0., 0., 0., 0.}}},
		answer{contains: "min(", rows: [][]driver.Value{{int64(2),
			int64(2), 2., 4., int64(0), 2., 4., 1.5, int64(2), int64(0), int64(0), int64(0),
			int64(2), 1., 1., int64(0), 1., 1., 0.5, int64(2), int64(0), int64(0), int64(0),
			int64(2), "a", "b", int64(0)}}})
	if err != nil {
		t.Fatal(err)
	}
	if s, err = s.By(Pushed); err != nil {
		t.Fatal(err)
	}
	about, err := s.Describe(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if y := about.Columns[0]; about.Route != Pushed || y.Q25 != 2.5 || y.Median != 3 || y.Distinct != 2 || y.Mean != 3 || about.Columns[1].Distinct != 1 || about.Columns[2].Distinct != 2 {
		t.Errorf("%+v", about)
	}
	if with(r, "DISTINCT")+with(r, "OFFSET") > 0 || with(r, "GROUP BY") != 3 {
		t.Errorf("asked %q", r.asked)
	}
}

// Columns are read in parts whose numbers may be held.
func TestHeldColumns(t *testing.T) {
	var fields []table.Field
	for j, typ := range []string{"float", "string", "int", "bool", "float", "string", "float"} {
		f := table.Field{Name: fmt.Sprint("c", j), Type: series.Type(typ)}
		fields = append(fields, f)
	}
	for most, want := range map[int][]string{1: {"c0 c1 c5", "c2", "c3", "c4", "c6"}, 2: {"c0 c2 c1 c5", "c3 c4", "c6"}, 9: {"c0 c2 c3 c4 c6 c1 c5"}} {
		var got []string
		for _, part := range inParts(fields, most) {
			got = append(got, strings.Join(namesOf(part), " "))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d: %q", most, got)
		}
	}
	if got := inParts(fields[1:2], 3); len(got) != 1 || len(got[0]) != 1 {
		t.Error(got)
	}
}
