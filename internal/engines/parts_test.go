//go:build unix

package engines

import (
	"context"
	"database/sql"
	"database/sql/driver"
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
	rows  map[*watchedConn]int
}

type watchedConn struct {
	*stdlib.Conn
	pool *watched
}

type watchedRows struct {
	driver.Rows
	of *watchedConn
	n  int
}

func (w *watched) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := w.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &watchedConn{c.(*stdlib.Conn), w}, nil
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
	return &watchedRows{Rows: rows, of: c}, nil
}

func (r *watchedRows) Next(to []driver.Value) error {
	err := r.Rows.Next(to)
	if err == nil {
		r.n++
	}
	return err
}

func (r *watchedRows) Close() error {
	r.of.pool.lock.Lock()
	r.of.pool.rows[r.of] += r.n
	r.of.pool.lock.Unlock()
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
		pool := &watched{Connector: must(driver.DriverContext(stdlib.GetDefaultDriver().(driver.DriverContext)).OpenConnector(dsn)), rows: map[*watchedConn]int{}, first: func() {
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
