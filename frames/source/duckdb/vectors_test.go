//go:build linux

package duckdb

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// onConnection calls f with a connection of an engine in memory, in a transaction.
func onConnection(t *testing.T, f func(conn any, exec func(query string) error)) {
	t.Helper()
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := func(query string) error {
		_, err := conn.ExecContext(ctx, query)
		return err
	}
	var raw any
	if err := errors.Join(exec("BEGIN TRANSACTION"), conn.Raw(func(c any) error { raw = c; return nil })); err != nil {
		t.Fatal(err)
	}
	f(raw, exec)
	if err := exec("ROLLBACK"); err != nil {
		t.Error(err)
	}
}

// The values of vectors are those that the driver hands on one by one.
func TestVectors(t *testing.T) {
	const query = `SELECT CASE WHEN i % 7 = 0 THEN NULL WHEN i % 11 = 0 THEN CAST('NaN' AS DOUBLE) ELSE i / 3 END AS x,
 CASE WHEN i % 5 <> 0 THEN i % 3 = 0 END AS b,
 CASE WHEN i % 4 <> 0 THEN repeat('жe', CAST(i % 30 AS BIGINT)) END AS s,
 DATE '1960-02-28' + CAST(i AS INTEGER) AS d,
 TIMESTAMP '1969-12-31 23:59:59.123456' + to_microseconds(i * 1234567) AS us,
 CAST(TIMESTAMP '1969-12-31 23:59:50' + to_seconds(i) AS TIMESTAMP_S) AS s1,
 CAST(TIMESTAMP '1969-12-31 23:59:59.5' + to_milliseconds(i * 77) AS TIMESTAMP_MS) AS ms,
 CAST(TIMESTAMP '1969-12-31 23:59:59.25' + to_microseconds(i * 3) AS TIMESTAMP_NS) AS ns,
 CAST(TIMESTAMP '2024-05-05 01:02:03' + to_hours(i) AS TIMESTAMPTZ) AS tz,
 1.5::DOUBLE AS always
 FROM range(10000) AS t(i) ORDER BY i`
	onConnection(t, func(conn any, exec func(string) error) {
		rows, err := conn.(driver.QueryerContext).QueryContext(ctx, query, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var want [][]driver.Value
		for row := make([]driver.Value, 10); ; {
			err := rows.Next(row)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, append([]driver.Value(nil), row...))
		}
		rows.Close()
		n, calls := 0, 0
		err = readVectors(ctx, conn, query, func(rows int, columns []vectors.Column) error {
			calls++
			for i := range rows {
				for j, c := range columns {
					var got any
					switch {
					case c.Missing != nil && c.Missing[i]:
					case c.Num != nil:
						got = c.Num[i]
					case c.Bool != nil:
						got = c.Bool[i]
					case c.Text != nil:
						got = c.Text[i]
					default:
						got = c.Time[i]
					}
					w := want[n+i][j]
					if x, ok := w.(float64); ok && math.IsNaN(x) {
						w, got = "NaN", fmt.Sprint(got)
					}
					if at, ok := w.(time.Time); ok {
						if to, ok := got.(time.Time); ok && to.Equal(at) && to.Location() == time.UTC {
							continue
						}
					}
					if got != w {
						t.Fatalf("row %d, column %d: %v (%T), want %v (%T)", n+i, j, got, got, w, w)
					}
				}
			}
			n += rows
			return nil
		})
		if err != nil || n != 10000 || calls < 2 {
			t.Errorf("%d rows in %d calls, error %v", n, calls, err)
		}
	})
}

// What stops a result leaves the connection usable.
func TestVectorsStop(t *testing.T) {
	onConnection(t, func(conn any, exec func(string) error) {
		count := func() {
			t.Helper()
			n := 0
			err := readVectors(ctx, conn, "SELECT CAST(i AS DOUBLE) FROM range(5000) AS t(i)", func(rows int, _ []vectors.Column) error { n += rows; return nil })
			if err != nil || n != 5000 {
				t.Errorf("then %d rows, error %v", n, err)
			}
		}
		count()
		// Rows arrive before the result is complete: this one never is.
		const many = "SELECT CAST(i AS DOUBLE) FROM range(1000000000000) AS t(i)"
		enough := errors.New("enough")
		if err := readVectors(ctx, conn, many, func(int, []vectors.Column) error { return enough }); err != enough {
			t.Errorf("stopped by the reader: %v", err)
		}
		count()
		inner, cancel := context.WithCancel(ctx)
		calls := 0
		err := readVectors(inner, conn, many, func(int, []vectors.Column) error {
			if calls++; calls == 3 {
				cancel()
			}
			return nil
		})
		if !errors.Is(err, context.Canceled) || calls != 3 {
			t.Errorf("cancelled: %v after %d calls", err, calls)
		}
		count()
		// A query that does not end is interrupted, whether or not the engine has begun with it: of
		// twenty times some are before.
		late, cancel := context.WithDeadline(ctx, time.Now())
		defer cancel()
		for range 20 {
			for why, over := range map[error]context.Context{context.Canceled: inner, context.DeadlineExceeded: late} {
				err = readVectors(over, conn, "SELECT sum(sin(i)) FROM range(100000000000) AS t(i)", func(int, []vectors.Column) error { return nil })
				if !errors.Is(err, why) {
					t.Errorf("%v, want %v", err, why)
				}
				_ = exec("ROLLBACK") // errors end a transaction, if it has begun
			}
		}
		count()
		for _, query := range []string{"SELECT 1.5::DECIMAL(5, 2)", "SELECT [1.0, 2.0]"} {
			if err := readVectors(ctx, conn, query, func(int, []vectors.Column) error { t.Error("called"); return nil }); !errors.Is(err, vectors.ErrNot) {
				t.Errorf("%s: %v", query, err)
			}
		}
		if err := readVectors(ctx, "another driver", many, nil); !errors.Is(err, vectors.ErrNot) {
			t.Error(err)
		}
		n := 0
		err = readVectors(ctx, conn, "SELECT CASE WHEN i = 900000 THEN error('row is bad') ELSE CAST(i AS DOUBLE) END FROM range(1000000) AS t(i)", func(rows int, _ []vectors.Column) error { n += rows; return nil })
		if err == nil || !strings.Contains(err.Error(), "row is bad") || n >= 1000000 {
			t.Errorf("late: error %v after %d rows", err, n)
		}
		count()
		if err := readVectors(ctx, conn, "SELECT nothing", nil); err == nil || !strings.Contains(err.Error(), "Binder Error") {
			t.Error(err)
		}
		count()
		if err := exec("BEGIN TRANSACTION"); err != nil {
			t.Error(err)
		}
	})
}

// Sums of few columns of a large table are pushed down, of a view they are streamed; the
// route is said.
func TestRouteOfTable(t *testing.T) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{
		"CREATE TABLE large AS SELECT sin(i) AS x, cos(3 * i) AS y FROM range(300000) AS t(i)",
		"CREATE TABLE small AS SELECT * FROM large LIMIT 1000",
		"CREATE VIEW seen AS SELECT * FROM large",
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		relation, formula string
		want              source.Route
		why               string
	}{
		{"large", "y ~ x", source.Pushed, "estimated"},
		{"large", "y ~ bs(x, df = 12)", source.Streamed, "estimated"},
		{"small", "y ~ x", source.Streamed, "estimated"},
		{"seen", "y ~ x", source.Streamed, "sums may read DuckDB table seen twice"},
	} {
		s, err := source.Open(ctx, db, source.DuckDB, c.relation)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Design(ctx, c.formula)
		if err != nil {
			t.Fatal(err)
		}
		if d.Route() != c.want || !strings.Contains(d.String(), "sums: "+c.want.String()+" ("+c.why) {
			t.Errorf("%s of %s: %v", c.formula, c.relation, d)
		}
		if _, err := d.Moments(); err != nil || d.Route() != c.want {
			t.Errorf("%s of %s: %v, error %v", c.formula, c.relation, d.Route(), err)
		}
	}
}
