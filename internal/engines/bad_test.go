//go:build unix

package engines

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

func frame(t *testing.T, columns ...frames.Column) dataframe.DataFrame {
	t.Helper()
	df, err := frames.Frame(columns...)
	if err != nil {
		t.Fatal(err)
	}
	return df
}

// moments opens a table and sums a formula by a route.
func moments(s *source.Source, formula string, route source.Route) (*mlreg.Moments, *source.Design, error) {
	d, err := s.Design(ctx, formula, &source.DesignSettings{Route: route})
	if err != nil {
		return nil, nil, err
	}
	m, err := d.Moments()
	return m, d, err
}

var routes = []source.Route{source.Pushed, source.Streamed}

// Names and texts reach SQL in quotes only.
func TestHostileNames(t *testing.T) {
	hostile := []string{`x"; DROP TABLE victim; --`, `a'b`, "tick`tick", `back\slash`, `ж, é 名`, `x.y`, `$1 ? :name`, `{x:Int8}`, `/*`}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		victim := frame(t, frames.Col("v", []float64{1, 2}))
		d.store(t, db, "victim", victim, nil)
		for _, name := range hostile {
			n := 40
			x, y, g := make([]float64, n), make([]float64, n), make([]string, n)
			for i := range n {
				x[i], y[i], g[i] = float64(i*i%13), float64(i%7), hostile[i%len(hostile)]
			}
			df := frame(t, frames.Col("y", y), frames.Col(name, x), frames.Col(name+" group", g))
			relation := "t " + name
			if d.dialect == source.ClickHouse { // its files have the name of the table
				relation = strings.NewReplacer("/", "", `\`, "", "'", "", `"`, "", "`", "").Replace(relation)
			}
			d.store(t, db, relation, df, nil)
			s, err := source.Open(ctx, db, d.dialect, `"`+strings.ReplaceAll(relation, `"`, `""`)+`"`)
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			quoted := "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name) + "`"
			grouped := "`" + strings.NewReplacer(`\`, `\\`, "`", "\\`").Replace(name+" group") + "`"
			for _, route := range routes {
				sameMoments(t, s, df, "y ~ "+quoted+" + "+grouped, &source.DesignSettings{Route: route})
			}
			level := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(name) + `"`
			some, err := s.Where(ctx, grouped+" == "+level+" | "+grouped+" %in% c("+level+")")
			if err != nil {
				t.Errorf("%q: %v", name, err)
				continue
			}
			m, _, err := moments(some, "y ~ "+quoted, source.Pushed)
			if want := (n + len(hostile) - 1) / len(hostile); err != nil || m.NObs() != want && m.NObs() != want-1 {
				t.Errorf("%q: %v rows: %v", name, m, err)
			}
		}
		var left int
		if err := db.QueryRow("SELECT count(*) FROM victim").Scan(&left); err != nil || left != 2 {
			t.Errorf("the victim has %d rows: %v", left, err)
		}
		for _, bad := range []string{"", "a.", ".a", `"a`, `"a"b`, "a\x00b", "a\xffb"} {
			if _, err := source.Open(ctx, db, d.dialect, bad); !errors.Is(err, frames.ErrSetting) {
				t.Errorf("%q: %v", bad, err)
			}
		}
		if _, err := source.Open(ctx, db, d.dialect, `no"such; table`); !errors.Is(err, source.ErrSource) {
			t.Errorf("a table that is not there: %v", err)
		}
	})
}

// What is in the rows and cannot be summed is an error that names it.
func TestBadValues(t *testing.T) {
	inf := math.Inf(1)
	nan := math.NaN()
	df := frame(t,
		frames.Col("y", []float64{1, 2, 4, 3, 5, nan, 2, 1}),
		frames.Col("a", []float64{1, 2, nan, 4, 5, 6, 8, 7}),
		frames.Col("b", []float64{0, 1, 3, 4, -5, 6, nan, 7}),
		frames.Col("pole", []float64{1, inf, 2, 3, 4, 5, 6, 7}),
		frames.Col("text", []string{"p", "q", "p", "q", "NaN", "p", "q", "p"}),
		frames.Col("one", []string{"p", "p", "p", "p", "p", "p", "p", "p"}),
		frames.Col("empty", []float64{nan, nan, nan, nan, nan, nan, nan, nan}),
		frames.Col("big", []float64{1e200, 2e200, -1e200, 0, 1e200, 3e200, 1, 2}),
	)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		if d.dialect.Finite {
			t.Skip("it has no infinite numbers")
		}
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			formula string
			want    error
			text    string
		}{
			{"y ~ pole", mlreg.ErrNotFinite, "pole"},
			{"y ~ log(b)", mlreg.ErrNotFinite, "log(b)"},
			{"y ~ I(a/b)", mlreg.ErrNotFinite, "a/b"},
			{"y ~ sqrt(b)", mlreg.ErrNotFinite, "sqrt(b)"},
			{"log(b) ~ a", mlreg.ErrNotFinite, "log(b)"},
			{"y ~ exp(pole)", mlreg.ErrNotFinite, "pole"},
			{"y ~ big", mlreg.ErrNotFinite, ""},
			{"y ~ I(text + 1)", frames.ErrNotNumeric, "text"},
			{"y ~ log(text)", frames.ErrNotNumeric, "text"},
			{"y ~ one", frames.ErrLevel, "one"},
			{"y ~ empty", frames.ErrMissing, "empty"},
			{"y ~ nothing", frames.ErrNoColumn, "nothing"},
			{"y ~ a +", frames.ErrSyntax, ""},
		} {
			for _, route := range routes {
				_, _, err := moments(s, c.formula, route)
				if !errors.Is(err, c.want) && !(route == source.Pushed && errors.Is(err, frames.ErrSetting) && c.formula == "y ~ big") || err != nil && !strings.Contains(err.Error(), c.text) {
					t.Errorf("%s %v: %v", c.formula, route, err)
				}
				if route == source.Pushed && errors.Is(err, frames.ErrSetting) {
					t.Logf("%s: %v", c.formula, err)
				}
			}
		}
		for _, route := range routes {
			_, design, err := moments(s, "y ~ a + b + text", route)
			if err != nil {
				t.Fatal(err)
			}
			if terms := design.Terms(); terms.N != 8 || terms.Omitted != 4 || fmt.Sprint(terms.Missing) != "[{y 1} {a 1} {b 1} {text 1}]" {
				t.Errorf("%v: %v", route, terms)
			}
			few, err := s.Where(ctx, "a > 100")
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := moments(few, "y ~ b", route); !errors.Is(err, mlreg.ErrNoData) {
				t.Errorf("no rows %v: %v", route, err)
			}
			if _, err := s.Design(ctx, "y ~ factor(a)", &source.DesignSettings{Route: route, MaxLevels: 3}); !errors.Is(err, frames.ErrLevel) || !strings.Contains(err.Error(), "MaxLevels") {
				t.Errorf("more levels than the cap, %v: %v", route, err)
			}
			// 0/0 is missing in a condition, 1/0 infinite
			for _, condition := range []string{"b/b >= 0", "1/b > 5", "log(b) < 0", "!(text == \"p\" & b > 3)", "is.na(b) | is.na(text)", "text != \"p\"", "a %in% c(1, 2, 7)", "sqrt(b) < 2", "exp(big) > 1", "b^2 > 20 & y < 5", "ifelse(is.na(a), TRUE, a > 6)"} {
				some, err := s.Where(ctx, condition)
				if err != nil {
					t.Fatal(err)
				}
				m, err := some.Design(ctx, "y ~ 1", &source.DesignSettings{Route: route})
				if err == nil {
					_, err = m.Moments()
				}
				memory, wrong := frames.Where(df, condition)
				if wrong != nil {
					t.Fatalf("%s: %v", condition, wrong)
				}
				if err != nil || m.Terms().N != memory.Nrow() {
					t.Errorf("%s %v: %v, want %d rows: %v", condition, route, m, memory.Nrow(), err)
				}
			}
		}
	})
}

// In a formula whole numbers that a float64 does not hold are the nearest ones, by every route;
// of decimals they are refused, as far as these have no fraction.
func TestWideNumbers(t *testing.T) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) {
			db := d.open(t)
			wide := map[*source.Dialect][2]string{
				source.DuckDB: {"BIGINT", "DECIMAL(18,4)"}, source.PostgreSQL: {"bigint", "numeric(18,4)"},
				source.SQLite: {"INTEGER", "NUMERIC"}, source.ClickHouse: {"Int64", "Decimal(18,4)"}, source.MariaDB: {"BIGINT", "DECIMAL(18,4)"},
			}[d.dialect]
			create := "CREATE TABLE w (y " + wide[0] + ", id " + wide[0] + ", x " + wide[1] + ")"
			if d.dialect == source.ClickHouse {
				create += " ENGINE = MergeTree ORDER BY y"
			}
			run(t, db, create)
			insert := func(y int, id string) {
				x := fmt.Sprintf("%d.2500", 90071992547409+y)
				if d.dialect == source.ClickHouse {
					x = "toDecimal64('" + x + "', 4)"
				}
				run(t, db, fmt.Sprintf("INSERT INTO w SELECT %d, %s, %s", y, id, x))
			}
			for y, id := range []string{"9007199254740992", "-9007199254740994", "1", "9223372036854774784"} {
				insert(y, id)
			}
			s, err := source.Open(ctx, db, d.dialect, "w")
			if err != nil {
				t.Fatal(err)
			}
			for _, route := range routes {
				if m, _, err := moments(s, "y ~ id + x", route); err != nil || m.MeanX()[1] < 9e13 {
					t.Errorf("%v: %v", route, err)
				}
			}
			for k, id := range []string{"9007199254740993", "-9223372036854775807"} {
				insert(9+k, id)
				for _, route := range routes {
					v := must(strconv.Atoi(id))
					if m, d, err := moments(must(s.Where(ctx, "id == "+id+" | id == 1")), "y ~ id", route); err != nil || m.NObs() != 2 || m.MeanX()[0] != (float64(v)+1)/2 {
						t.Errorf("%s %v: %v, %v", id, route, d, err)
					}
					if _, _, err := moments(s, "y ~ x", route); err != nil {
						t.Errorf("%s %v: %v", id, route, err)
					}
				}
			}
		})
	}
}

// A level that came after the levels were learned is named, whatever the route.
func TestUnknownLevelAndChanges(t *testing.T) {
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		df := frame(t, frames.Col("y", []float64{1, 2, 4, 3, 5, 2}), frames.Col("x", []float64{1, 2, 3, 4, 5, 6}), frames.Col("g", []string{"a", "b", "a", "b", "a", "b"}))
		name := d.load(t, db, df, nil)
		s, err := source.Open(ctx, db, d.dialect, name)
		if err != nil {
			t.Fatal(err)
		}
		var before []*source.Design
		for _, route := range routes {
			for _, formula := range []string{"y ~ x + g", "y ~ poly(x, 2)"} {
				b, err := s.Design(ctx, formula, &source.DesignSettings{Route: route})
				if err != nil {
					t.Fatal(err)
				}
				before = append(before, b)
			}
		}
		plain, err := s.Design(ctx, "y ~ x", &source.DesignSettings{Route: source.Pushed})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := plain.Moments(); err != nil {
			t.Fatal(err)
		}
		insert := d.quoted(name)
		if d.dialect == source.ClickHouse {
			insert = d.quoted(name + " part")
		}
		run(t, db, "INSERT INTO "+insert+" SELECT 1, 7, 'новый'")
		for _, b := range before {
			m, err := b.Moments()
			if b.Route() == source.Pushed && strings.Contains(b.String(), "x + g") && err == nil && m.NObs() == 6 {
				continue // sums that found the levels before the row came
			}
			if !errors.Is(err, source.ErrChanged) && !errors.Is(err, frames.ErrLevel) {
				t.Errorf("%v: %v", b, err)
			}
		}
		if _, err := plain.Folds(2, "", 1); !errors.Is(err, source.ErrChanged) && d.dialect != source.SQLite {
			t.Errorf("folds of a table that has changed: %v", err)
		}
		like, err := source.DesignLike(ctx, before[0], s)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := like.Moments(); !errors.Is(err, frames.ErrLevel) || !strings.Contains(err.Error(), "новый") {
			t.Errorf("a level that training did not have: %v", err)
		}
	})
}

// A countdown is a context that ends when it has been looked at a number of times.
type countdown struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func newCountdown(looks int64) *countdown {
	c := new(countdown)
	c.Context, c.end = context.WithCancel(ctx)
	c.left.Store(looks)
	return c
}

func (c *countdown) look() {
	if c.left.Add(-1) < 0 {
		c.end()
	}
}

func (c *countdown) Done() <-chan struct{} { c.look(); return c.Context.Done() }
func (c *countdown) Err() error            { c.look(); return c.Context.Err() }

// A cancelled context ends a pass, from its first step to its last, and the database works
// afterwards.
func TestCancelled(t *testing.T) {
	df := nasty(t, 9001)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, route := range routes {
			cancelled := 0
			for looks, done := int64(0), false; !done; looks += 1 + looks/2 {
				c := newCountdown(looks)
				design, err := s.Design(c, "y ~ (a + b + wide + count + flag + w)^2 + day", &source.DesignSettings{Route: route})
				if err == nil {
					_, err = design.Moments()
				}
				c.end()
				if done = err == nil; !done {
					cancelled++
				}
				if !done && !errors.Is(err, context.Canceled) {
					t.Fatalf("%v after %d looks: %v", route, looks, err)
				}
			}
			if cancelled < 3 {
				t.Errorf("%v is cancelled %d times only", route, cancelled)
			}
			if _, _, err := moments(s, "y ~ a + b", route); err != nil {
				t.Errorf("%v afterwards: %v", route, err)
			}
		}
		allBack(t, db)
	})
}

// allBack waits until database/sql has taken all connections back, which it does when it sees a cancelled context, or a rollback.
func allBack(t *testing.T, db *sql.DB) {
	t.Helper()
	for end := time.Now().Add(5 * time.Minute); db.Stats().InUse > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d connections are in use", db.Stats().InUse)
		}
	}
}

// What is wrong with a connection never tells its password.
func TestPassword(t *testing.T) {
	for _, c := range []struct {
		d      database
		server *started
	}{{databases[2], postgres}, {databases[3], clickhouse}} {
		t.Run(c.d.name, func(t *testing.T) {
			dsn := c.server.on(t).DSN
			for _, wrong := range []string{strings.Replace(dsn, Password, "wrong-s3cret", 1), strings.Replace(dsn, "127.0.0.1", "127.0.0.1.invalid", 1)} {
				db := opened(t, c.server.s.Driver, wrong)
				_, err := source.Open(ctx, db, c.d.dialect, "t")
				if err == nil || !errors.Is(err, source.ErrSource) || strings.Contains(err.Error(), "s3cret") {
					t.Errorf("error %v", err)
				}
			}
		})
	}
}

// A server that is gone in the middle is an error.
func TestServerGone(t *testing.T) {
	server, err := StartPostgreSQL()
	if errors.Is(err, ErrMissing) {
		t.Skipf("not tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	d := database{"PostgreSQL", source.PostgreSQL, nil}
	db := opened(t, server.Driver, server.DSN)
	s, err := source.Open(ctx, db, d.dialect, d.load(t, db, nasty(t, 9001), nil))
	if err != nil {
		t.Fatal(err)
	}
	design, err := s.Design(ctx, "y ~ a + b")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	err = design.EachBlock(func(*mlreg.Design) error {
		if blocks++; blocks == 1 {
			return server.Kill(0)
		}
		return nil
	})
	if err == nil { // all rows were on the way already
		t.Logf("%d blocks had been read", blocks)
	}
	for _, route := range routes {
		if _, _, err := moments(s, "y ~ a + b", route); !errors.Is(err, source.ErrSource) {
			t.Errorf("%v: %v", route, err)
		}
	}
}

// A shard that is down is an error, not fewer rows.
func TestHalfACluster(t *testing.T) {
	server, err := StartClickHouse()
	if errors.Is(err, ErrMissing) {
		t.Skipf("not tested: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for k, dsn := range server.Shards {
		shard := opened(t, "clickhouse", dsn)
		run(t, shard, "CREATE TABLE part (y Float64, x Float64) ENGINE = MergeTree ORDER BY x")
		run(t, shard, fmt.Sprintf("INSERT INTO part SELECT number %% 7, number * 2 + %d FROM numbers(1000)", k))
	}
	// a user whose profile leaves shards out that are down
	db := opened(t, "clickhouse", server.DSN+"?skip_unavailable_shards=1")
	run(t, db, "CREATE TABLE all AS part ENGINE = Distributed(two, default, part)")
	s, err := source.Open(ctx, db, source.ClickHouse, "all")
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		if m, _, err := moments(s, "y ~ x", route); err != nil || m.NObs() != 2000 {
			t.Fatalf("%v: %v", m, err)
		}
	}
	fit := must(mlreg.FitOLS(must(s.Design(ctx, "y ~ x")), nil))
	scored := must(s.WithPredictions(ctx, fit, "p"))
	if err := server.Kill(1); err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		if m, _, err := moments(s, "y ~ x", route); !errors.Is(err, source.ErrSource) {
			t.Errorf("%v of half a cluster: %v: %v", route, m, err)
		}
		for what, f := range map[string]func(s *source.Source) error{
			"describe":  func(s *source.Source) error { _, err := s.Describe(ctx); return err },
			"head":      func(s *source.Source) error { _, err := s.Head(ctx, 1500); return err },
			"sample":    func(s *source.Source) error { _, err := s.Sample(ctx, 10, 1); return err },
			"count":     func(s *source.Source) error { _, err := s.NRow(ctx); return err },
			"summarise": func(s *source.Source) error { _, err := s.GroupBy("y").Count(ctx); return err },
			"histogram": func(s *source.Source) error { _, err := s.Histogram(ctx, "x", 3); return err },
			"predict": func(s *source.Source) error {
				return source.Predict(ctx, fit, s, func(int, []float64) error { return nil })
			},
			"create": func(s *source.Source) error { _, err := s.CreateTable(ctx, "half", here); return err },
		} {
			if err := f(must(s.By(route))); !errors.Is(err, source.ErrSource) {
				t.Errorf("%s, %v, of half a cluster: %v", what, route, err)
			}
		}
	}
	if _, err := scored.CreateTable(ctx, "half", here); !errors.Is(err, source.ErrSource) {
		t.Errorf("predictions of half a cluster are written: %v", err)
	}
	var left int
	if err := db.QueryRow("SELECT count(*) FROM system.tables WHERE name = 'half' OR name LIKE 'regbook%'").Scan(&left); err != nil || left > 0 {
		t.Errorf("%d tables are left: %v", left, err)
	}
}
