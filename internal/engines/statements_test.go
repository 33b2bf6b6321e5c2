//go:build unix

package engines

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// asked is a pool whose connections keep the queries of rows of tables.
type asked struct {
	driver.Connector
	lock    sync.Mutex
	queries []string
}

type askedConn struct {
	driver.Conn
	pool *asked
}

func (a *asked) Connect(ctx context.Context) (driver.Conn, error) {
	c, err := a.Connector.Connect(ctx)
	return &askedConn{c, a}, err
}

func (c *askedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
}

func (c *askedConn) ExecContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	return c.Conn.(driver.ExecerContext).ExecContext(ctx, q, args)
}

func (c *askedConn) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	c.pool.lock.Lock()
	c.pool.queries = append(c.pool.queries, q)
	c.pool.lock.Unlock()
	return c.Conn.(driver.QueryerContext).QueryContext(ctx, q, args)
}

// scans are the queries since the last call that read more of the table than some rows, or none; how many rows it has databases
// know without them.
func (a *asked) scans(table string) (all []string) {
	a.lock.Lock()
	defer a.lock.Unlock()
	for _, q := range a.queries {
		if strings.Contains(q, table) && !strings.Contains(q, "regbook_some") && !strings.Contains(q, " LIMIT 0") &&
			!strings.Contains(q, "system.") && !strings.Contains(q, "pg_class") && !strings.Contains(q, "duckdb_views") && !strings.HasPrefix(q, "SELECT count(*) FROM ") {
			all = append(all, q)
		}
	}
	a.queries = nil
	return all
}

// watch opens a database so that its queries are kept.
func (d database) watch(t *testing.T) (*asked, *sql.DB) {
	t.Helper()
	dsn, name := "", "duckdb"
	switch d.dialect {
	case source.SQLite:
		name, dsn = "sqlite", t.TempDir()+"/watched.db"
	case source.PostgreSQL:
		name, dsn = "pgx", postgres.on(t).DSN
	case source.ClickHouse:
		name, dsn = "clickhouse", clickhouse.on(t).DSN
	case source.MariaDB:
		name, dsn = "mysql", mariadb.on(t).DSN
	}
	direct := opened(t, name, dsn).Driver()
	pool := &asked{Connector: simple{direct, dsn}}
	if with, ok := direct.(driver.DriverContext); ok {
		pool.Connector = must(with.OpenConnector(dsn))
	}
	db := sql.OpenDB(pool)
	t.Cleanup(func() { db.Close() })
	return pool, db
}

// simple is the connector of a driver that has none.
type simple struct {
	driver driver.Driver
	dsn    string
}

func (s simple) Connect(context.Context) (driver.Conn, error) { return s.driver.Open(s.dsn) }
func (s simple) Driver() driver.Driver                        { return s.driver }

// A database is asked for sums by one statement that reads all rows, whatever it counts and checks besides, and by two
// where the first rows lie about the means; so also if these sums have to find the levels of factors.
func TestStatementsOfSums(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 7))
	const n = 40000
	y, x, step, count, w, g := make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n), make([]float64, n), make([]string, n)
	for i := range n {
		x[i], y[i], w[i], count[i], g[i] = 1e6+rnd.NormFloat64(), rnd.NormFloat64(), float64(rnd.IntN(3)), rnd.IntN(9), string(rune('a'+rnd.IntN(3)))
		if step[i] = rnd.NormFloat64(); i >= 9000 { // each of two shards has more than are looked at before
			step[i] += 1e9
		}
		if i%97 == 5 {
			x[i] = math.NaN()
		}
	}
	df := frame(t, frames.Col("y", y), frames.Col("x", x), frames.Col("step", step), frames.Col("count", count), frames.Col("w", w), frames.Col("g", g))
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			pool, db := d.watch(t)
			table := d.load(t, db, df, nil)
			s := must(source.Open(ctx, db, d.dialect, table))
			for _, c := range []struct {
				formula, weights string
				want             int
			}{
				{"y ~ x", "", 1}, {"y ~ x*count", "", 1}, {"y ~ g*x + count", "w", 1}, {"y ~ log(x) + I(count^2)", "", 1}, {"y ~ step", "", 2}, {"step ~ x + g", "w", 2}, {"y ~ g*factor(count)", "", 1},
			} {
				pool.scans(table)
				design := must(s.Design(ctx, c.formula, &source.DesignSettings{Route: source.Pushed, Weights: c.weights}))
				must(design.Moments())
				if got := pool.scans(table); len(got) != c.want {
					t.Errorf("%s: %d statements, want %d:\n%s", c.formula, len(got), c.want, strings.Join(got, "\n"))
				}
			}
		})
	}
}
