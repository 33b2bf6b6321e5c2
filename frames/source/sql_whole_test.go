package source

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"testing"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// wideEngine is a relation with columns of 64 bits, of 32, of floats and of decimals.
func wideEngine(t *testing.T, d *Dialect) *sqlEngine {
	t.Helper()
	e := &sqlEngine{d: d, name: "t", relation: `"t"`}
	for name, typ := range map[string]string{"id": "BIGINT", "other": "BIGINT", "small": "INT4", "x": "DOUBLE", "price": "DECIMAL(18,4)", "code": "DECIMAL(20,0)"} {
		c := d.columnOf(name, typ)
		c.Ref = name
		e.columns = append(e.columns, c)
	}
	return e
}

// Whole numbers are compared as whole numbers, and what SQL would round is in doubt.
func TestWholeConditions(t *testing.T) {
	for _, d := range []*Dialect{PostgreSQL, DuckDB, ClickHouse} {
		e := wideEngine(t, d)
		fields, err := e.fields(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for condition, want := range map[string]struct {
			sql    string // a part of it; "" if it is not written
			doubts int
		}{
			"id == 12345678901234567":                {"id = 12345678901234567", 0},
			"-9223372036854775807 < id":              {"-9223372036854775807 < id", 0},
			"id <= other":                            {"id <= other", 0},
			"id == small":                            {"id = small", 0},
			"id %in% c(12345678901234567, 3, -5)":    {"id IN (12345678901234567, 3, -5)", 0},
			"id > 0.5":                               {" > ", 0},
			"id %in% c(0.5, 2)":                      {" IN (", 0},
			"id > x":                                 {" > ", 1},
			"id + 1 == 5":                            {" + ", 2},
			"small * small > 10":                     {" * ", 1},
			"small + 2 * small > 10":                 {" + ", 0},
			"ifelse(x > 0, id, other) == 3":          {"CASE", 2},
			"x == 12345678901234567":                 {" = ", 1},
			"x %in% c(1, 12345678901234567)":         {"", 0},
			"price > 3":                              {" > ", 0},
			"code == 3 | price > x":                  {" > ", 0},
			"code > x":                               {" > ", 1},
			"log(id) > 3":                            {"id", 1},
			"id == 123456789012345678901 | id == -1": {"id = -1", 1},
		} {
			w, err := table.Frames.Where(condition, fields)
			if err != nil {
				t.Fatal(err)
			}
			text, doubts, err := e.condition(w)
			if want.sql == "" {
				var not *notPushed
				if !errors.As(err, &not) {
					t.Errorf("%v: %s is written %s: %v", d, condition, text, err)
				}
				continue
			}
			if err != nil || !strings.Contains(text, want.sql) || len(doubts) != want.doubts {
				t.Errorf("%v: %s is written %s, with doubts %q: %v", d, condition, text, doubts, err)
			}
		}
	}
}

// Types that have more than 64 bits, or decimals of many digits, are checked before they are read.
func TestHugeColumns(t *testing.T) {
	for typ, want := range map[string][2]bool{ // wide, huge
		"BIGINT": {true, false}, "UBIGINT": {true, false}, "HUGEINT": {true, true}, "UINT256": {true, true}, "DECIMAL(18,4)": {false, false},
		"DECIMAL(18,2)": {false, true}, "DECIMAL(20,0)": {false, true}, "NUMERIC": {false, true}, "DOUBLE": {false, false}, "INT4": {false, false},
	} {
		if c := DuckDB.columnOf("x", typ); c.Kind == OtherKind || c.Wide != want[0] || c.Huge != want[1] {
			t.Errorf("%s: %+v", typ, c)
		}
	}
}

// What a driver answers keeps its digits: rows, keys and levels.
func TestReplayedIntegers(t *testing.T) {
	typed := answer{contains: "LIMIT 0", columns: []string{"id", "code", "x"}, types: []string{"INT8", "INT8", "FLOAT8"}}
	rows := [][]driver.Value{{int64(12345678901234567), uint64(1<<63 + 1), 1.}, {int64(12345678901234568), []byte("7"), 2.}, {"-12345678901234567", nil, 4.}, {nil, int64(5), 3.}}
	r := &replay{answers: []answer{typed,
		{contains: "SELECT CAST('2' AS double precision)", rows: [][]driver.Value{{2.}}},
		{contains: "count(DISTINCT", rows: [][]driver.Value{{int64(3)}}},
		{contains: "regbook_some", rows: [][]driver.Value{{int64(3), int64(3), 7., 1., 4., int64(0), int64(0)}}},
		{contains: "regbookm", rows: [][]driver.Value{
			{int64(0), int64(12345678901234567), int64(1), "1", int64(0), -1., 1.}, {int64(0), int64(12345678901234568), int64(1), "1", int64(0), 0., 0.}, {int64(0), int64(-12345678901234567), int64(1), "3", int64(0), 2., 4.}}},
		{contains: "SELECT DISTINCT", rows: [][]driver.Value{{int64(12345678901234567)}, {int64(12345678901234568)}, {int64(-12345678901234567)}}},
		{contains: "hashint8extended", rows: [][]driver.Value{{int64(4), int64(3), "5", int64(0), int64(1)}}},
		{contains: "GROUP BY", rows: [][]driver.Value{{int64(12345678901234567), int64(2), int64(0)}, {int64(12345678901234568), int64(1), int64(0)}, {nil, int64(1), int64(0)}}},
		{contains: `SELECT "id", "code", CAST("x"`, rows: rows},
		{contains: "count(*)", rows: [][]driver.Value{{int64(4), int64(3), "5", int64(0), int64(1)}}},
	}}
	db := sql.OpenDB(r)
	defer db.Close()
	s, err := Open(ctx, db, PostgreSQL, "t")
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Head(ctx, 4)
	wantError(t, err, frames.ErrSetting, "code is 9223372036854775809 in row 1")
	groups, err := s.GroupBy("id").Count(ctx)
	if err != nil || groups.Col("id").Type() != series.Int || groups.Elem(0, 0).String() != "12345678901234567" || groups.Elem(1, 1).Float() != 1 {
		t.Errorf("%v: %v", groups, err)
	}
	d, err := s.Design(ctx, "x ~ factor(id)", &DesignSettings{Route: Pushed})
	if err != nil {
		t.Fatal(err)
	}
	if levels := strings.Join(d.Terms().Variables[0].Levels, " "); levels != "-12345678901234567 12345678901234567 12345678901234568" {
		t.Error(levels)
	}
	for _, q := range r.asked {
		if strings.Contains(q, `CAST("id" AS double precision)`) && !strings.Contains(q, "numeric") {
			t.Errorf("rounded: %s", q)
		}
	}
}
