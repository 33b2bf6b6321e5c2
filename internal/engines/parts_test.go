//go:build unix

package engines

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// watched is a pool whose connections count the rows that each reads of parts; first is called before the
// first part is read.
type watched struct {
	driver.Connector
	first func()
	once  sync.Once
	lock  sync.Mutex
	rows  map[any]int // by connection
}

type watchedConn struct {
	*stdlib.Conn
	pool *watched
}

type watchedRows struct {
	driver.Rows
	pool *watched
	of   any
	n    int
}

// named connects by a driver that has no connectors.
type named struct {
	driver driver.Driver
	dsn    string
}

func (n named) Connect(context.Context) (driver.Conn, error) { return n.driver.Open(n.dsn) }
func (n named) Driver() driver.Driver                        { return n.driver }

// shardConn is a connection to ClickHouse, which has no transactions.
type shardConn struct {
	driver.Conn
	pool *watched
}

func (c *shardConn) ExecContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, q, args)
}

func (c *shardConn) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.Conn.(driver.QueryerContext).QueryContext(ctx, q, args)
	if err != nil || !strings.Contains(q, "FROM shardByHash") {
		return rows, err
	}
	return &watchedRows{Rows: rows, pool: c.pool, of: c}, nil
}

func (w *watched) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if pg, ok := c.(*stdlib.Conn); ok {
		return &watchedConn{pg, w}, nil
	}
	return &shardConn{c, w}, nil
}

func (c *watchedConn) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	part := strings.Contains(q, "ctid")
	if part {
		c.pool.once.Do(c.pool.first)
	}
	rows, err := c.Conn.QueryContext(ctx, q, args)
	if err != nil || !part {
		return rows, err
	}
	return &watchedRows{Rows: rows, pool: c.pool, of: c}, nil
}

func (r *watchedRows) Next(to []driver.Value) error {
	err := r.Rows.Next(to)
	if err == nil {
		r.n++
	}
	return err
}

func (r *watchedRows) Close() error {
	r.pool.lock.Lock()
	r.pool.rows[r.of] += r.n
	r.pool.lock.Unlock()
	return r.Rows.Close()
}

// Several connections read the pages of a table of PostgreSQL as they were when the pass began, while another
// writes them, and the fit has the same bits whatever their number is.
func TestConnectionsOfPostgreSQL(t *testing.T) {
	dsn := postgres.on(t).DSN
	direct := opened(t, "pgx", dsn)
	const rows = 400_000
	var want []float64
	for _, n := range []int{1, 2, 3} {
		run(t, direct, "DROP TABLE IF EXISTS pages")
		run(t, direct, "CREATE TABLE pages AS SELECT sin(i) + i % 7 AS y, cos(i * 0.7) AS x, 1e6 + i % 11 AS z, 'group ' || i % 5 AS g FROM generate_series(1, 400000) AS i")
		pool := &watched{Connector: must(driver.DriverContext(stdlib.GetDefaultDriver().(driver.DriverContext)).OpenConnector(dsn)), rows: map[any]int{}, first: func() {
			run(t, direct, "INSERT INTO pages SELECT 1e9, 1, 1, 'group 1' FROM generate_series(1, 1000)")
			run(t, direct, "DELETE FROM pages WHERE z > 1000005")
			run(t, direct, "UPDATE pages SET y = 1e9 WHERE x > 0.5")
		}}
		db := sql.OpenDB(pool)
		s := must(must(source.Open(ctx, db, source.PostgreSQL, "pages")).Connections(n))
		d := must(s.Design(ctx, "y ~ x + z + x:z", &source.DesignSettings{Route: source.Streamed}))
		ols := must(mlreg.FitOLS(must(d.Moments()), nil))
		got := append([]float64{ols.RSS()}, ols.Coef()...)
		if want == nil {
			want = got
		}
		for j := range got {
			if got[j] != want[j] {
				t.Errorf("%d connections: %v, by one %v", n, got, want)
				break
			}
		}
		total := 0
		for _, part := range pool.rows {
			total += part
		}
		if total != rows || len(pool.rows) != n {
			t.Errorf("%d connections: rows %v, %d in all", n, pool.rows, total)
		}
		db.Close()
	}
	// Of rows that nobody writes, one scan has the same fit but for the order of its sums.
	run(t, direct, "DROP TABLE IF EXISTS pages")
	run(t, direct, "CREATE TABLE pages AS SELECT sin(i) + i % 7 AS y, cos(i * 0.7) AS x, 1e6 + i % 11 AS z FROM generate_series(1, 400000) AS i")
	d := must(must(source.Open(ctx, direct, source.PostgreSQL, "pages")).Design(ctx, "y ~ x + z + x:z", &source.DesignSettings{Route: source.Streamed}))
	close := must(mlreg.FitOLS(must(d.Moments()), nil))
	if off := close.RSS()/want[0] - 1; off > 1e-12 || off < -1e-12 {
		t.Errorf("RSS %v by one scan, %v by parts", close.RSS(), want[0])
	}
}

// A connection reads each shard of a ClickHouse, all of its rows, and the fit has the same bits however many read at a time.
func TestConnectionsOfClickHouse(t *testing.T) {
	server := clickhouse.on(t)
	rows := []int{300_000, 170_000}
	for k, dsn := range server.Shards {
		db := opened(t, server.Driver, dsn)
		run(t, db, "DROP TABLE IF EXISTS shardpages")
		run(t, db, "CREATE TABLE shardpages (y Float64, x Float64, z Float64) ENGINE = MergeTree ORDER BY tuple()")
		run(t, db, fmt.Sprintf("INSERT INTO shardpages SELECT sin(number) + number %% 7, cos(number * 0.7 + %d), 1e6 + number %% 11 FROM numbers(%d)", k, rows[k]))
	}
	direct := opened(t, server.Driver, server.DSN)
	run(t, direct, "DROP TABLE IF EXISTS pages")
	run(t, direct, "CREATE TABLE pages AS shardpages ENGINE = Distributed(two, default, shardpages, rand())")
	var want []float64
	for _, n := range []int{1, 2, 3, 2, 1} {
		pool := &watched{Connector: named{direct.Driver(), server.DSN}, rows: map[any]int{}}
		db := sql.OpenDB(pool)
		s := must(must(source.Open(ctx, db, source.ClickHouse, "pages")).Connections(n))
		d := must(s.Design(ctx, "y ~ x + z + x:z", &source.DesignSettings{Route: source.Streamed}))
		ols := must(mlreg.FitOLS(must(d.Moments()), nil))
		got := append([]float64{ols.RSS()}, ols.Coef()...)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d connections: %v, by one %v", n, got, want)
		}
		read := slices.Sorted(maps.Values(pool.rows))
		if !slices.Equal(read, []int{rows[1], rows[0]}) {
			t.Errorf("%d connections read %v rows of the shards' %v", n, read, rows)
		}
		db.Close()
	}
	d := must(must(source.Open(ctx, direct, source.ClickHouse, "pages")).Design(ctx, "y ~ x + z + x:z", &source.DesignSettings{Route: source.Streamed}))
	close := must(mlreg.FitOLS(must(d.Moments()), nil))
	if off := close.RSS()/want[0] - 1; off > 1e-12 || off < -1e-12 || close.NObs() != rows[0]+rows[1] {
		t.Errorf("RSS %v by one scan of %d rows, %v by shards", close.RSS(), close.NObs(), want[0])
	}
	plain := must(must(source.Open(ctx, direct, source.ClickHouse, "shardpages")).Connections(2)) // a table of one server
	if n := must(plain.NRow(ctx)); n != rows[0] {
		t.Errorf("%d rows", n)
	}
	run(t, direct, "CREATE VIEW IF NOT EXISTS viewed AS SELECT * FROM shardpages")
	for name, want := range map[string]int{"pages": rows[0] + rows[1], "shardpages": rows[0], "viewed": 0} {
		if n := must(source.ClickHouse.Rows(ctx, queryOf(direct), []string{name})); n != float64(want) {
			t.Errorf("%s is taken to have %v rows, want %d", name, n, want)
		}
	}
}

// queryOf asks a pool.
func queryOf(db *sql.DB) source.Query {
	return func(ctx context.Context, text string, columns int, row func([]driver.Value) error) error {
		rows, err := db.QueryContext(ctx, text)
		if err != nil {
			return err
		}
		defer rows.Close()
		values, to := make([]driver.Value, columns), make([]any, columns)
		for k := range to {
			to[k] = &values[k]
		}
		for rows.Next() {
			if err := errors.Join(rows.Scan(to...), row(values)); err != nil {
				return err
			}
		}
		return rows.Err()
	}
}
