package source

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// Databases themselves are tested by internal/engines (make engines-test). Here is what
// needs none: what is written, and what is made of answers that a driver replays.

var dialects = []*Dialect{PostgreSQL, DuckDB, ClickHouse, SQLite, MariaDB}

// unquoted reads a quoted name or text as the databases' manuals say, and returns it and
// what stands behind it.
func unquoted(d *Dialect, s string) (text, rest string, ok bool) {
	escapes := d == ClickHouse
	if d == PostgreSQL && strings.HasPrefix(s, "E'") {
		escapes, s = true, s[1:]
	}
	if hexed, is := strings.CutPrefix(s, "_utf8mb4 x'"); is && d == MariaDB {
		digits, rest, ok := strings.Cut(hexed, "'")
		bytes, err := hex.DecodeString(digits)
		return string(bytes), rest, ok && err == nil
	}
	if s == "" {
		return "", "", false
	}
	quote := s[0]
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			if i++; i == len(s) {
				return "", "", false
			}
			b.WriteByte(s[i])
		case s[i] == quote && !(d == ClickHouse) && i+1 < len(s) && s[i+1] == quote:
			b.WriteByte(quote)
			i++
		case s[i] == quote:
			return b.String(), s[i+1:], true
		default:
			b.WriteByte(s[i])
		}
	}
	return "", "", false
}

// FuzzQuoting checks that a name or a text comes back as it was, and that nothing of it
// stands behind its quotes.
func FuzzQuoting(f *testing.F) {
	for _, s := range []string{"a", `x"; DROP TABLE t; --`, `it's`, "tick`", `\`, `\'`, `''`, "ж", "", "a\x00b", "\xff", `"`, "`\\`", "'; --"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, d := range dialects {
			for what, quote := range map[string]func(string) (string, error){"name": d.ident, "text": d.text} {
				got, err := quote(s)
				if err != nil {
					if !strings.ContainsRune(s, 0) && strings.ToValidUTF8(s, "") == s && !(what == "name" && s == "") {
						t.Errorf("%v: the %s %q: %v", d, what, s, err)
					}
					continue
				}
				if back, rest, ok := unquoted(d, got); !ok || back != s || rest != "" {
					t.Errorf("%v: the %s %q is written %s, which is read %q, then %q", d, what, s, got, back, rest)
				}
			}
		}
	})
}

// naked returns what of a statement is not in quotes.
func naked(t *testing.T, d *Dialect, q string) string {
	t.Helper()
	var b strings.Builder
	for q != "" {
		i := strings.IndexAny(q, "'\"`")
		if i < 0 {
			break
		}
		at := i
		if d == PostgreSQL && i > 0 && q[i-1] == 'E' && q[i] == '\'' {
			at--
		}
		_, rest, ok := unquoted(d, q[at:])
		if !ok {
			t.Fatalf("%v: quotes are not closed in %s", d, q)
		}
		b.WriteString(q[:at] + "?")
		q = rest
	}
	return b.String() + q
}

func testEngine(t *testing.T, d *Dialect) *sqlEngine {
	t.Helper()
	e := &sqlEngine{d: d, name: "t"}
	var err error
	parts, err := d.nameParts(`evil"; schema.evil'; table`)
	if e.relation = strings.Join(parts, "."); err != nil {
		t.Fatal(err)
	}
	for _, c := range [][2]string{{"y", "DOUBLE"}, {`evil"x`, "DOUBLE"}, {"evil'g", "TEXT"}, {"evil`k", "BIGINT"}, {`evil\d`, "DATE"}, {"b", "BOOLEAN"}, {"w", "DOUBLE"}} {
		col := d.columnOf(c[0], c[1])
		if col.Ref, err = d.ident(c[0]); err != nil {
			t.Fatal(err)
		}
		e.columns = append(e.columns, col)
	}
	return e
}

// Nothing of a name, a level or a text stands outside of quotes.
func TestNothingUnquoted(t *testing.T) {
	node := func(kind table.NodeKind, text string, args ...*table.Node) *table.Node {
		return &table.Node{Kind: kind, Text: text, Args: args, Src: "evil"}
	}
	for _, d := range dialects {
		e := testEngine(t, d)
		fields, err := e.fields(ctx)
		if err != nil {
			t.Fatal(err)
		}
		where, err := table.Frames.Where("`evil'g` != \"evil'; --\" & `evil\\\\d` > \"2024-01-01\" | `evil\"x` %in% c(1, 2)", fields)
		if err != nil {
			t.Fatal(err)
		}
		p := &table.Plan{
			Names: []string{"a", "b"}, Weights: "w", Exact: true, Used: []string{"y", `evil"x`, "evil'g", "evil`k", `evil\d`, "w"},
			Products:  [][]table.Part{{{Variable: 0}}, {{Variable: 1, Index: 0}, {Variable: 0}}},
			Variables: []table.Variable{{Text: "evil", Expr: node(table.CallNode, "log", node(table.ColumnNode, `evil"x`))}, {Text: "evil", Expr: node(table.ColumnNode, "evil'g"), Levels: []string{"evil'", `evil\'; "`, "evil`"}}},
			Response:  &table.Variable{Text: "evil", Expr: node(table.BinaryNode, "*", node(table.ColumnNode, "evil`k"), node(table.ColumnNode, `evil\d`))},
		}
		w, err := e.write(ctx, query{where: []table.Condition{where}}, p)
		if err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		items, keys := w.deviations(make([]columnPass, len(w.columns)))
		q := w.from(items, append(keys, "sum("+items[1].name+")"), strings.Join(keys, ", "))
		predictions := &predictionPlan{sqlPlan: &sqlPlan{e: e, where: w.where, prefix: e.prefix()}, l: &linearPredictor{names: []string{"b", "a"}, slopes: []float64{1, 2}, link: mlreg.LogitLink}}
		p.Response, p.Weights = nil, ""
		p.Offsets = []*table.Node{node(table.ColumnNode, `evil"x`)}
		if err := predictions.write(p); err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		predictions.passes = make([]columnPass, 2)
		predictions.sum(1)
		column, err := d.ident("evil\"; `p'")
		if err != nil {
			t.Fatal(err)
		}
		predicted := predictions.rows(append(e.refs(), predictions.mean+" AS "+column))
		for _, text := range []string{q, predicted, d.Inexact(&e.columns[3].TypedColumn), d.hash(w.used, 1), d.missing(e.columns[1])} {
			if rest := naked(t, d, text); strings.Contains(rest, "evil") || strings.Contains(rest, ";") || strings.Contains(rest, "--") {
				t.Errorf("%v: outside of quotes there is %s", d, rest)
			}
		}
	}
}

// replay is a driver that answers queries by what they contain.
type replay struct {
	lock    sync.Mutex
	answers []answer
	asked   []string
	ended   int          // transactions
	begin   func() error // nil begins a transaction
}

type answer struct {
	contains string
	columns  []string
	types    []string
	rows     [][]driver.Value
	err      error
	next     func() error // after the rows; nil is io.EOF
	times    int          // it answers so often; 0 is always
	compute  func(q string) [][]driver.Value
}

func (r *replay) Connect(context.Context) (driver.Conn, error) { return r, nil }
func (r *replay) Driver() driver.Driver                        { return nil }
func (r *replay) Prepare(q string) (driver.Stmt, error)        { return nil, errors.New("not prepared") }
func (r *replay) Close() error                                 { return nil }
func (r *replay) Begin() (driver.Tx, error)                    { return r, nil }
func (r *replay) BeginTx(context.Context, driver.TxOptions) (driver.Tx, error) {
	if r.begin != nil {
		return r, r.begin()
	}
	return r, nil
}
func (r *replay) Commit() error   { return errors.New("nothing is to be written") }
func (r *replay) Rollback() error { r.lock.Lock(); defer r.lock.Unlock(); r.ended++; return nil }
func (r *replay) ExecContext(_ context.Context, q string, _ []driver.NamedValue) (driver.Result, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	r.asked = append(r.asked, q)
	return driver.RowsAffected(0), nil
}

func (r *replay) QueryContext(_ context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	version := strings.Contains(q, "version()") // which few tests answer
	if !version {
		r.asked = append(r.asked, q)
	}
	for i := range r.answers {
		a := &r.answers[i]
		if !strings.Contains(q, a.contains) || a.times < 0 || version && !strings.Contains(a.contains, "version") {
			continue
		}
		if a.times > 0 {
			if a.times--; a.times == 0 {
				a.times = -1
			}
		}
		if a.err != nil {
			return nil, a.err
		}
		if a.compute != nil {
			return &replayed{a: &answer{rows: a.compute(q)}, q: q}, nil
		}
		return &replayed{a: a, q: q}, nil
	}
	if version {
		return &replayed{a: &answer{rows: [][]driver.Value{{"PostgreSQL 15.3"}}}, q: q}, nil
	}
	return nil, fmt.Errorf("no answer to %s", q)
}

type replayed struct {
	a  *answer
	q  string
	at int
}

func (r *replayed) Columns() []string {
	switch {
	case r.a.columns == nil && len(r.a.rows) > 0:
		return make([]string, len(r.a.rows[0]))
	case r.a.next != nil:
		return make([]string, targetsOf(r.q))
	}
	return r.a.columns
}

// targetsOf counts the columns that a SELECT asks for.
func targetsOf(q string) int {
	n, depth := 1, 0
	for i, c := range q {
		switch {
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			depth--
		case depth == 0 && c == ',':
			n++
		case depth == 0 && strings.HasPrefix(q[i:], " FROM "):
			return n
		}
	}
	return n
}
func (r *replayed) Close() error { return nil }
func (r *replayed) ColumnTypeDatabaseTypeName(i int) string {
	if i < len(r.a.types) {
		return r.a.types[i]
	}
	return ""
}

func (r *replayed) Next(to []driver.Value) error {
	switch {
	case r.at < len(r.a.rows):
	case r.a.next != nil:
		return r.a.next()
	default:
		return io.EOF
	}
	copy(to, r.a.rows[r.at])
	r.at++
	return nil
}

// described answers what Open asks.
var described = answer{contains: "LIMIT 0", columns: []string{"y", "x", "g", "blob"}, types: []string{"FLOAT8", "FLOAT8", "TEXT", "BYTEA"}}

func opened(t *testing.T, d *Dialect, answers ...answer) (*Source, *replay, error) {
	t.Helper()
	r := &replay{answers: append([]answer{described}, answers...)}
	db := sql.OpenDB(r)
	t.Cleanup(func() { db.Close() })
	s, err := Open(ctx, db, d, "t")
	return s, r, err
}

// The answers of a database that sums y ~ x for (1, 2), (2, 4), (4, 5), by one statement or, where that returns what
// is not finite, by passes.
func sums(sxy any, shift any) []answer {
	first := [][]driver.Value{{int64(3), int64(3), 7., 1., 4., int64(0), int64(0), int64(3), 11., 2., 5., int64(0), int64(0)}}
	return []answer{
		{contains: "regbook_some", rows: first},
		{contains: "regbookm", rows: [][]driver.Value{{int64(0), int64(3), "77", int64(0), int64(0), 1., -1., 5., sxy, 5.}}},
		{contains: "hashfloat8extended", rows: [][]driver.Value{{int64(3), int64(3), "77", int64(0), int64(0)}}},
		{contains: "min(", rows: first},
		{contains: "AS regbook_columns", rows: [][]driver.Value{{int64(0), int64(3), 1., -1., 5., sxy, 5.}}},
		{contains: "SELECT CAST('2' AS double precision)", rows: [][]driver.Value{{shift, 4.}}},
	}
}

func TestReplayedSums(t *testing.T) {
	s, r, err := opened(t, PostgreSQL, sums(4., 2.)...)
	if err != nil {
		t.Fatal(err)
	}
	names, err := s.Names(ctx)
	if err != nil || !slices.Equal(names, []string{"y", "x", "g"}) {
		t.Fatalf("columns %q: %v", names, err)
	}
	d, err := s.Design(ctx, "y ~ x", &DesignSettings{Route: Pushed})
	if err != nil {
		t.Fatal(err)
	}
	m, err := d.Moments()
	if err != nil {
		t.Fatal(err)
	}
	// about the shifts 2 and 4: sums 1 and -1 of squares 5 and 5 and the product 4
	if got := []float64{m.SXX().At(0, 0), m.SXY()[0], m.SYY()}; !slices.Equal(got, []float64{5 - 1./3, 4 + 1./3, 5 - 1./3}) || m.MeanX()[0] != 7./3 || m.MeanY() != 11./3 {
		t.Errorf("sums %v, means %v and %v", got, m.MeanX(), m.MeanY())
	}
	if text := d.String(); !strings.Contains(text, "sums: pushed down (as set)") {
		t.Error(text)
	}
	if d, err = s.Design(ctx, "y ~ x", &DesignSettings{Route: Streamed}); err != nil || !strings.Contains(d.String(), "sums: streamed (as set; the choice would be pushed down: estimated to take 0.") {
		t.Errorf("%v, %v", d, err)
	}
	for _, setting := range []string{"SET LOCAL jit = off", "set_config('enable_sort', 'off', true)", "set_config('jit', 'true', true)"} {
		if !slices.ContainsFunc(r.asked, func(q string) bool { return strings.Contains(q, setting) }) {
			t.Errorf("asked %q", r.asked)
		}
	}
	for _, c := range []struct {
		what    string
		answers []answer
		want    error
	}{
		{"a sum that is infinite", sums(math.Inf(1), 2.), mlreg.ErrNotFinite},
		{"a sum that is NULL", sums(nil, 2.), mlreg.ErrNotFinite},
		{"a number that is read wrong", sums(4., 2.0001), ErrSource},
		{"a connection that is lost", append([]answer{{contains: "min(", err: errors.New("broken pipe")}}, sums(4., 2.)...), ErrSource},
		{"rows that come between passes", append([]answer{sums(nil, 2.)[0], {contains: "min(", rows: [][]driver.Value{{int64(4), int64(4), 7., 1., 4., int64(0), int64(0), int64(4), 11., 2., 5., int64(0), int64(0)}}}}, sums(nil, 2.)...), ErrChanged},
	} {
		s, _, err := opened(t, PostgreSQL, c.answers...)
		if err != nil {
			t.Fatal(err)
		}
		d, err := s.Design(ctx, "y ~ x", &DesignSettings{Route: Pushed})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Moments(); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
}

// The levels of a factor are found by its sums, with one count of the rows; the size of the table tells how many blocks these
// need: one of three rows.
func TestSumsOfAFactor(t *testing.T) {
	s, r, err := opened(t, PostgreSQL,
		answer{contains: "reltuples", rows: [][]driver.Value{{3.}}},
		answer{contains: "count(DISTINCT", rows: [][]driver.Value{{int64(2)}}},
		answer{contains: "regbook_some", rows: [][]driver.Value{{int64(4096), int64(4096), 9557., 1., 4., int64(0), int64(0)}}},
		answer{contains: "regbookm", rows: [][]driver.Value{{int64(0), []byte("b"), int64(1), "47", int64(0), 2., 4.}, {int64(0), []byte("a"), int64(2), "30", int64(0), -1., 1.}}},
		answer{contains: "SELECT CAST('2' AS double precision)", rows: [][]driver.Value{{2.}}})
	if err != nil {
		t.Fatal(err)
	}
	d, err := s.Design(ctx, "y ~ g", &DesignSettings{Route: Pushed})
	if err != nil {
		t.Fatal(err)
	}
	hashes := func() (n int) {
		for _, q := range r.asked {
			n += min(1, strings.Count(q, "hashtextextended"))
		}
		return n
	}
	if n := hashes(); n != 1 {
		t.Errorf("the rows were counted %d times: %q", n, r.asked)
	}
	m, err := d.Moments()
	if err != nil || m.SXY()[0] != 4-7./3 || hashes() != 1 || fmt.Sprint(d.Terms().Columns) != "[gb]" {
		t.Fatalf("%v of %v, %d statements with a hash, error %v", m.SXY(), d.Terms().Columns, hashes(), err)
	}
	if k := slices.IndexFunc(r.asked, func(q string) bool { return strings.Contains(q, "regbookm") }); !strings.Contains(r.asked[k], "(regbookb % 1)") {
		t.Errorf("asked %s", r.asked[k])
	}
}

// Sums that find levels are not asked for where some rows have more of them than a factor may have, and of a table that seems to be
// sorted by them, where an eighth of these rows has half the levels, they are dealt to no more blocks than 256 levels need.
func TestSumsOfManyLevels(t *testing.T) {
	asked := func(set DesignSettings, some, part int64) (string, error) {
		set.Route = Pushed
		s, r, err := opened(t, PostgreSQL,
			answer{contains: "reltuples", rows: [][]driver.Value{{1e6}}},
			answer{contains: "LIMIT 512", rows: [][]driver.Value{{part}}},
			answer{contains: "count(DISTINCT", rows: [][]driver.Value{{some}}},
			answer{contains: "regbook_some", rows: [][]driver.Value{{int64(4096), int64(4096), 9557., 1., 4., int64(0), int64(0)}}},
			answer{contains: "regbookm", err: errors.New("summed")},
			answer{contains: "SELECT CAST('2' AS double precision)", rows: [][]driver.Value{{2.}}},
			answer{contains: "SELECT DISTINCT", rows: [][]driver.Value{{"a"}, {"b"}, {"c"}, {"d"}}},
			answer{contains: "hashtextextended", rows: [][]driver.Value{{int64(1e6), int64(1e6), "77", int64(0), int64(0)}}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Design(ctx, "y ~ g", &set)
		sums := ""
		for _, q := range r.asked {
			if strings.Contains(q, "regbookm") {
				sums = q
			}
		}
		return sums, err
	}
	if sums, err := asked(DesignSettings{MaxLevels: 3}, 4, 4); sums != "" || !errors.Is(err, frames.ErrLevel) {
		t.Errorf("sums in vain: %s, error %v", sums, err)
	}
	for _, c := range []struct {
		some, part int64
		want       string
	}{{2, 2, "(regbookb % 1024)"}, {2, 1, "(regbookb % 16)"}, {3, 1, "(regbookb % 16)"}} {
		if sums, _ := asked(DesignSettings{}, c.some, c.part); !strings.Contains(sums, c.want) {
			t.Errorf("%d levels, %d in an eighth: %s", c.some, c.part, sums)
		}
	}
}

// A driver that does not fit the server is found by rows that are known.
func TestProbeOfClickHouse(t *testing.T) {
	known := make([][]driver.Value, 3000)
	for k := range known {
		known[k] = []driver.Value{int64(k), float64(k) / 7, fmt.Sprint(k), int64(k)}
	}
	known[3][3] = nil
	one := answer{contains: "SELECT 1", rows: [][]driver.Value{{int64(1)}}}
	version := answer{contains: "version()", rows: [][]driver.Value{{"18.16.1"}}}
	if _, r, err := opened(t, ClickHouse, one, version, answer{contains: "system.numbers", rows: known}); err != nil {
		t.Fatal(err)
	} else if k := slices.IndexFunc(r.asked, func(q string) bool { return strings.HasPrefix(q, "SELECT *") }); !strings.Contains(r.asked[k], "skip_unavailable_shards = 0") {
		t.Errorf("asked %s", r.asked[k])
	}
	for what, answers := range map[string][]answer{
		"an old server":    {one, {contains: "version()", rows: [][]driver.Value{{"1.1.54"}}}},
		"fewer rows":       {one, version, {contains: "system.numbers", rows: known[:2999]}},
		"rows in disorder": {one, version, {contains: "system.numbers", rows: slices.Concat(known[:5], known[6:], known[5:6])}},
	} {
		if _, _, err := opened(t, ClickHouse, answers...); !errors.Is(err, ErrSource) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	db := sql.OpenDB(&replay{})
	defer db.Close()
	for what, open := range map[string]func() (*Source, error){
		"no database": func() (*Source, error) { return Open(ctx, nil, DuckDB, "t") },
		"no dialect":  func() (*Source, error) { return Open(ctx, db, nil, "t") },
		"empty":       func() (*Source, error) { return Open(ctx, db, &Dialect{}, "t") },
		"no context":  func() (*Source, error) { return Open(nil, db, DuckDB, "t") }, //lint:ignore SA1012 it is an error
		"no name":     func() (*Source, error) { return Open(ctx, db, DuckDB, "") },
	} {
		if _, err := open(); !errors.Is(err, frames.ErrSetting) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got := fmt.Sprint(PostgreSQL, DuckDB, ClickHouse, SQLite, &Dialect{}); got != "PostgreSQL DuckDB ClickHouse SQLite no dialect" {
		t.Error(got)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Open(cancelled, db, DuckDB, "t"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Sums of blocks, added up, are within the error that they state: against exact
// arithmetic.
func TestStatedErrorOfSums(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 1))
	w := &sqlPlan{e: &sqlEngine{d: DuckDB}, names: []string{"a", "b", "y"}, cells: (&table.Plan{}).Cells()}
	for _, c := range []struct {
		n, blocks int
		off       float64 // of the shifts, in standard deviations
	}{{50, 1, 0}, {5000, 2, 1e-3}, {20000, 4, 0.3}} {
		x := [3][]float64{}
		for i := range c.n {
			a := 1e6 + rnd.NormFloat64()
			x[0], x[1], x[2] = append(x[0], a), append(x[1], math.Exp(3*rnd.NormFloat64())), append(x[2], a*1e-3+float64(i%2)*0.1)
		}
		passes := make([]columnPass, 3)
		for j := range passes {
			mean, sd := 0.0, 0.0
			for _, v := range x[j] {
				mean += v / float64(c.n)
			}
			for _, v := range x[j] {
				sd += (v - mean) * (v - mean) / float64(c.n)
			}
			passes[j].shift = mean + c.off*math.Sqrt(sd)
		}
		f := newCellSums(3)
		g := &groupSums{folds: []map[int]*cellSums{{0: f}}}
		size := c.n / c.blocks
		for b := range c.blocks {
			var d [3]float64
			var p [6]float64
			for i := b * size; i < (b+1)*size; i++ {
				at := 0
				for j := range 3 {
					dj := x[j][i] - passes[j].shift
					d[j] += dj
					for k := j; k < 3; k++ {
						p[at] += dj * (x[k][i] - passes[k].shift)
						at++
					}
				}
			}
			for j, v := range d {
				f.d[j].add(v)
			}
			for j, v := range p {
				f.p[j].add(v)
			}
			g.most = max(g.most, size)
			f.n += size
			f.w.add(float64(size))
		}
		if out, again, err := g.finish(w, passes); err != nil || again || len(out[0]) != 1 {
			t.Fatal(out, again, err)
		}
		s := f.sums(passes, g.bound(w))
		// 1000 bits hold every sum and product
		exact := func(j, k int) *big.Float {
			number := func(v float64) *big.Float { return new(big.Float).SetPrec(1000).SetFloat64(v) }
			sum, a, b := number(0), number(0), number(0)
			for i := range c.n {
				u, v := number(x[j][i]), number(x[k][i])
				a.Add(a, u)
				b.Add(b, v)
				sum.Add(sum, u.Mul(u, v))
			}
			return sum.Sub(sum, a.Mul(a, b).Quo(a, number(float64(c.n))))
		}
		if s.RelErr <= 0 || s.RelErr > 1e-10 {
			t.Errorf("the stated error is %g", s.RelErr)
		}
		var root [3]float64
		for j := range 3 {
			v, _ := exact(j, j).Float64()
			root[j] = math.Sqrt(v)
		}
		for j := range 3 {
			for k := j; k < 3; k++ {
				e := exact(j, k)
				diff, _ := e.Sub(e, new(big.Float).SetFloat64(s.S[3*j+k])).Float64()
				if math.Abs(diff) > s.RelErr*root[j]*root[k] {
					t.Errorf("S_%d%d of %d rows is off by %g, stated are %g", j, k, c.n, diff/(root[j]*root[k]), s.RelErr)
				}
			}
		}
		if c.n == 50 && s.RelErr > 1e-13 {
			t.Errorf("50 rows state the error %g", s.RelErr)
		}
	}
}

// What SQL does not decide or compute is named: the condition with the reason, the column.
func TestWhyNotPushed(t *testing.T) {
	for _, d := range dialects {
		e := testEngine(t, d)
		fields, err := e.fields(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		w, err := table.Frames.Where("log1p(y) > 2", fields)
		if err != nil {
			t.Fatal(err)
		}
		const says = "the condition log1p(y) > 2 is not pushed down: log1p is not written as SQL in a condition"
		_, all := e.whereAll(ctx, []table.Condition{w})
		_, sample := e.sample(context.Background(), query{where: []table.Condition{w}}, 3, 1)
		_, text := e.selected([]table.Condition{w})
		for _, err := range []error{all, sample, text} {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%v: %v", d, err)
			}
		}
		c := &compiler{d: d, columns: e.columns}
		if _, err := c.number(&table.Node{Kind: table.ColumnNode, Text: "evil'g", Src: "`evil'g`"}); !errors.Is(err, frames.ErrNotNumeric) || !strings.Contains(err.Error(), `column "evil'g" is text, not numbers`) {
			t.Errorf("%v: %v", d, err)
		}
	}
}

// Splines written as polynomials between knots are those that the basis evaluates.
func TestPieces(t *testing.T) {
	x := make([]float64, 200)
	for i := range x {
		x[i] = 3 + 20*float64(i)/199
	}
	ns, err := mlreg.NewNaturalSpline(x, &mlreg.SplineSettings{DF: 5})
	if err != nil {
		t.Fatal(err)
	}
	bs, err := mlreg.NewBSpline(x, &mlreg.SplineSettings{DF: 7, Degree: 3, Boundary: []float64{5, 20}})
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		b mlreg.Basis
		p *pieces
	}{"ns": {ns, piecesOf(ns, ns.Knots, ns.Boundary, 3, true)}, "bs": {bs, piecesOf(bs, bs.Knots, bs.Boundary, 3, false)}} {
		for v := 0.0; v < 26; v += 0.37 {
			want := c.b.Eval(nil, v)
			i := 0
			for i < len(c.p.to) && v >= c.p.to[i] {
				i++
			}
			u := (v - c.p.mid[i]) / c.p.half[i]
			for k, coef := range c.p.coef[i] {
				got := 0.0
				for j := len(coef) - 1; j >= 0; j-- {
					got = got*u + coef[j]
				}
				if math.Abs(got-want[k]) > 2e-13*(1+math.Abs(want[k])) {
					t.Errorf("%s %d at %v: %v, want %v", what, k, v, got, want[k])
				}
			}
		}
	}
}

// Types of SQLite that have no name here follow the rules of its manual; what they leave open
// the first value tells.
func TestTypesOfSQLite(t *testing.T) {
	for typ, want := range map[string]Kind{"UNSIGNED BIG INT": WholeKind, "MEDIUMINT": WholeKind, "NATIVE CHARACTER(9)": TextKind, "CLOB": TextKind, "FLOATING": FloatKind, "DECIMAL(10,5)": FloatKind} {
		if c := SQLite.columnOf("x", typ); c.Kind != want || c.Untyped || c.Wide != (want != TextKind) {
			t.Errorf("%s: %+v", typ, c)
		}
	}
	typed := answer{contains: "LIMIT 0", columns: []string{"a", "b", "c", "d"}, types: []string{"", "MONEY", "JSON", ""}}
	answers := []answer{{contains: "sqlite_version", rows: [][]driver.Value{{"3.45.0"}}}, typed}
	for name, found := range map[string]any{"a": "integer", "b": "real", "c": "text", "d": "blob"} {
		answers = append(answers, answer{contains: `typeof("` + name + `")`, rows: [][]driver.Value{{found}}})
	}
	db := sql.OpenDB(&replay{answers: answers})
	defer db.Close()
	s, err := Open(ctx, db, SQLite, "t")
	if err != nil {
		t.Fatal(err)
	}
	e := s.e.(*sqlEngine)
	if len(e.columns) != 3 || e.columns[0].Kind != FloatKind || e.columns[1].Kind != FloatKind || e.columns[2].Kind != TextKind || len(e.others) != 1 {
		t.Errorf("%+v", e.columns)
	}
}
