package source

import (
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// groupPlan is a summary written as SQL.
type groupPlan struct {
	*sqlPlan
	items  []binding
	keys   []sqlColumn // as they are read
	joined []string    // what is equal in the rows of a group, and never NULL
	values []groupValue
	of     []int    // the value of a call; -1 is n()
	wrong  []string // 1 where an expression is not defined or infinite, though no column is missing
	read   sqlColumns
}

// groupValue is an expression that is summed.
type groupValue struct {
	name     string
	given    string // the name of the expression as it is, with NaN
	whole    bool   // its values are known to be whole numbers
	sum      bool   // wanted
	centered bool   // the sums about the mean of the group are needed
	split    bool   // its sum is that of two parts, where there are no sums about means
	largest  float64
}

// groups writes a summary as SQL. A *notPushed says why it is none; so may that of compute.
func (e *sqlEngine) groups(ctx context.Context, q query, s table.Summary) (*groupPlan, error) {
	where, err := e.whereAll(ctx, q.where)
	if err != nil {
		return nil, err
	}
	w := &groupPlan{sqlPlan: &sqlPlan{e: e, prefix: e.prefix(), where: where}}
	c := &compiler{d: e.d, columns: e.columns, ieee: true, noDays: true}
	for _, key := range s.Keys() {
		if err := w.key(c, key); err != nil {
			return nil, err
		}
	}
	calls := s.Calls()
	if len(calls) == 0 {
		return nil, refuse("nothing is to be summed")
	}
	for _, call := range calls {
		if err := w.call(c, call); err != nil {
			return nil, err
		}
	}
	if w.read, err = e.columnsOf(q.columns); err != nil {
		return nil, err
	}
	w.doubts = c.doubts
	if len(w.items) == 0 {
		w.items = append(w.items, binding{w.prefix + "one", w.bind("1")})
	}
	if size := len(w.keys) + 8*len(w.values); size > e.d.MaxTargets {
		return nil, refuse("there are too many summaries for one query")
	}
	if lengthOf(w.bindings) > 4*maxSQL {
		return nil, refuse("the summaries are too long for SQL")
	}
	return w, nil
}

// call adds a call, and says which sums of its values are needed.
func (w *groupPlan) call(c *compiler, call table.Call) error {
	switch {
	case call.Expr == nil:
		w.of = append(w.of, -1)
		return nil
	case !slices.Contains([]string{"mean", "sum", "sd", "var", "min", "max"}, call.Fn):
		return refuse("%s is not written as SQL", call.Fn)
	case call.Text:
		return refuse("the %s of texts or dates is not written as SQL", call.Fn)
	}
	x, err := c.number(call.Expr)
	if err != nil {
		return err
	}
	w.check(c, call.Expr, x)
	k := w.value(x.sql)
	w.of = append(w.of, k)
	d, v := w.e.d, &w.values[k]
	if call.Expr.Kind == table.ColumnNode {
		col := c.columns.named(call.Expr.Text)
		v.whole = col != nil && (col.Kind == WholeKind || col.Kind == TruthKind) && d.ValueType == nil
	}
	v.sum = v.sum || call.Fn == "mean" || call.Fn == "sum"
	spread := call.Fn == "sd" || call.Fn == "var"
	if d.NoMoments && spread {
		return refuse("%s is not written as SQL of %v", call.Fn, d)
	}
	v.split = v.split || d.NoMoments && v.sum && !v.whole
	v.centered = v.centered || spread || v.sum && !v.whole && !v.split
	return nil
}

// prefix returns how the names start that a query makes: no column's does.
func (e *sqlEngine) prefix() string {
	prefix := "regbook" + strings.Repeat("_", e.depth) // aliases of ClickHouse are known outside of their SELECT
	for slices.ContainsFunc(e.columns, func(c *sqlColumn) bool {
		return strings.HasPrefix(strings.ToLower(c.Name), prefix)
	}) {
		prefix += "_"
	}
	return prefix
}

// key adds a key.
func (w *groupPlan) key(c *compiler, key table.Key) error {
	d := w.e.d
	x, err := c.compile(key.Expr)
	if err != nil {
		return err
	}
	as := sqlColumn{Field: key.Field}
	w.check(c, key.Expr, x)
	var sql, none string
	switch {
	case x.kind == textValue && key.Type == series.String:
		as.Kind, sql, none = TextKind, x.sql, "''"
	case x.kind == dateValue && key.Expr.Kind == table.ColumnNode && !d.TextDates:
		col := c.columns.named(key.Expr.Text)
		as.Kind, sql, none = col.Kind, w.e.readAs(col), "''"
	case x.whole != "" && key.Type != series.String:
		as.Kind, sql, none = WholeKind, x.whole, "0"
	case (x.kind == numberValue || x.kind == truthValue) && key.Type != series.String:
		if as.Kind = FloatKind; key.Type == series.Bool {
			as.Kind = TruthKind
		}
		if x, err = c.asNumber(key.Expr, x); err != nil {
			return err
		}
		sql, none = x.sql, d.number(0)
	default:
		return refuse("groups by %s are not written as SQL", key.Expr.Src)
	}
	name, given := fmt.Sprintf("%sk%d", w.prefix, len(w.keys)), w.bind(sql)
	w.keys = append(w.keys, as)
	if as.Kind != FloatKind && as.Kind != TruthKind {
		w.items = append(w.items, binding{name, given})
		if as.Kind == DateKind || as.Kind == TimeKind {
			given = d.AsText(given)
		}
	} else { // and a zero has no sign
		given = "CASE WHEN " + d.notNumber(given) + " THEN NULL ELSE " + given + " + " + none + " END"
		w.items = append(w.items, binding{name, given})
	}
	value, missing := name+"v", name+"m"
	w.items = append(w.items, binding{value, "coalesce(" + given + ", " + none + ")"}, binding{missing, "CASE WHEN " + given + " IS NULL THEN 1 ELSE 0 END"})
	w.joined = append(w.joined, value, missing)
	return nil
}

// check counts the rows in which an expression is an error.
func (w *groupPlan) check(c *compiler, n *table.Node, x value) {
	if n.Kind == table.ColumnNode {
		return
	}
	var complete []string
	var walk func(n *table.Node)
	walk = func(n *table.Node) {
		if n.Kind == table.ColumnNode {
			if col := c.columns.named(n.Text); col != nil {
				complete = append(complete, "NOT "+w.e.d.missing(col)+" AND ")
			}
		}
		for _, a := range n.Args {
			walk(a)
		}
		for _, a := range n.Named {
			walk(a)
		}
	}
	walk(n)
	slices.Sort(complete)
	wrong := "(" + x.sql + ") IS NULL"
	if x.kind == numberValue {
		d := w.e.d
		wrong = "(" + wrong + " OR " + d.notNumber("("+x.sql+")")
		if !d.Finite {
			wrong += " OR (" + x.sql + ") IN (" + d.number(math.Inf(1)) + ", " + d.number(math.Inf(-1)) + ")"
		}
		wrong += ")"
	}
	name := fmt.Sprintf("%su%d", w.prefix, len(w.wrong))
	w.items = append(w.items, binding{name, w.bind("CASE WHEN " + strings.Join(slices.Compact(complete), "") + wrong + " THEN 1 ELSE 0 END")})
	w.wrong = append(w.wrong, name)
}

// value adds an expression that is summed.
func (w *groupPlan) value(sql string) int {
	given := w.bind(sql)
	if k := slices.IndexFunc(w.values, func(v groupValue) bool { return v.given == given }); k >= 0 {
		return k
	}
	v := groupValue{name: fmt.Sprintf("%sv%d", w.prefix, len(w.values)), given: given}
	w.items = append(w.items, binding{v.name, "CASE WHEN " + w.e.d.notNumber(given) + " THEN NULL ELSE " + given + " END"})
	w.values = append(w.values, v)
	return len(w.values) - 1
}

// write writes the query: the keys, the number of rows, that of errors in them,
// and eight numbers of every value.
// Deviations are from the means of the groups, which the rows are joined with. Where there are none, a sum is
// that of multiples of a power of two, which is exact, and of what is left.
func (w *groupPlan) write(rows int) string {
	var names []string
	for k := range w.keys {
		names = append(names, fmt.Sprintf("%sk%d", w.prefix, k))
	}
	wrong := "0"
	if len(w.wrong) > 0 {
		wrong = "sum(" + strings.Join(w.wrong, " + ") + ")"
	}
	targets := append(slices.Clone(names), "count(*)", wrong)
	var means []string
	for _, v := range w.values {
		x, mean := v.name, v.name+"mean"
		targets = append(targets, "count("+x+")", "min("+x+")", "max("+x+")")
		sums := []string{"0", "0"}
		rest := "0"
		if v.sum {
			sums = []string{"sum(" + x + ")", "sum(CASE WHEN " + x + " = floor(" + x + ") THEN 0 ELSE 1 END)"}
		}
		if v.split {
			parts := w.e.d.exactSum(x, v.largest, rows)
			sums[0], rest = parts[0], parts[1]
		}
		targets = append(targets, sums...)
		if !v.centered {
			targets = append(targets, "0", rest, "0")
		} else {
			means = append(means, "avg("+x+") AS "+mean)
			off := "(" + x + " - " + mean + ")"
			targets = append(targets, "max("+mean+")", "sum("+off+")", "sum("+off+" * "+off+")")
		}
	}
	limit := fmt.Sprintf(" LIMIT %d", maxGroups+1)
	if len(means) == 0 {
		return w.from(w.items, targets, strings.Join(names, ", ")) + limit
	}
	var all, keys, equal []string
	for _, b := range w.items {
		all = append(all, b.name)
	}
	given := w.from(w.items, all, "")
	for _, j := range w.joined {
		keys = append(keys, j+" AS "+j+"of")
		equal = append(equal, j+" = "+j+"of")
	}
	of := "SELECT " + strings.Join(append(keys, means...), ", ") + " FROM (" + given + ") AS regbook_of"
	if len(keys) == 0 {
		return "SELECT " + strings.Join(targets, ", ") + " FROM (" + given + ") AS regbook_all CROSS JOIN (" + of + ") AS regbook_means"
	}
	return "SELECT " + strings.Join(targets, ", ") + " FROM (" + given + ") AS regbook_all JOIN (" + of + " GROUP BY " + strings.Join(w.joined, ", ") +
		") AS regbook_means ON " + strings.Join(equal, " AND ") + " GROUP BY " + strings.Join(names, ", ") + limit
}

// sizes finds the size of what is summed in two parts, and the number of rows.
func (w *groupPlan) sizes(ctx context.Context, s *session) (rows int, err error) {
	targets := []string{"count(*)"}
	for _, v := range w.values {
		if v.split {
			targets = append(targets, "max(abs("+v.name+"))")
		}
	}
	if len(targets) == 1 {
		return 0, nil
	}
	row, err := s.one(ctx, w.from(w.items, targets, ""), len(targets))
	if err != nil {
		return 0, err
	}
	at := 0
	for k := range w.values {
		if v := &w.values[k]; v.split {
			at++
			v.largest = max(0, numberOrNaN(row[at])) // NULL of no values
			if v.largest != v.largest {
				v.largest = 0
			}
		}
	}
	return w.e.counted(row[:1], nil)
}

// compute computes the groups of a summary.
func (w *groupPlan) compute(ctx context.Context, to table.Summary) error {
	return w.e.computed(ctx, func(s *session) error { return w.run(ctx, s, to) })
}

func (w *groupPlan) run(ctx context.Context, s *session, to table.Summary) error {
	if err := w.e.checkNumbers(ctx, s, w.read, w.where); err != nil {
		return err
	}
	if err := w.e.certain(ctx, s, w.doubts, w.where); err != nil {
		return err
	}
	rows, err := w.sizes(ctx, s)
	if err != nil {
		return err
	}
	keys := make([]*table.Column, len(w.keys))
	for k := range keys {
		keys[k] = &table.Column{Field: w.keys[k].Field}
	}
	sums := make([][]table.GroupSums, len(w.of))
	groups := 0
	err = s.each(ctx, w.write(rows), len(keys)+2+8*len(w.values), func(row []driver.Value) error {
		n, found, err := w.group(row)
		if err != nil || n == 0 { // the group of no rows at all
			return err
		}
		if groups++; groups > maxGroups {
			return errorf(frames.ErrLevel, "there are more than %d groups; group by fewer values", maxGroups)
		}
		for k := range keys {
			if err := appendValue(keys[k], &w.keys[k], row[k]); err != nil {
				return errorf(ErrSource, "%v: the key %q: %v", w.e, keys[k].Name, err)
			}
		}
		for j, k := range w.of {
			if k < 0 {
				sums[j] = append(sums[j], table.GroupSums{N: n})
			} else {
				sums[j] = append(sums[j], found[k])
			}
		}
		return nil
	})
	if err == nil {
		to.SetGroups(keys, sums)
	}
	return err
}

// group reads the number of rows of a group, and the sums of its values.
func (w *groupPlan) group(row []driver.Value) (rows int, found []table.GroupSums, err error) {
	at := len(w.keys)
	n, ok := numberOf(row[at])
	if !ok {
		return 0, nil, errorf(ErrSource, "%v: a count is %v", w.e, row[at])
	}
	if wrong, _ := numberOf(row[at+1]); n > 0 && wrong > 0 {
		return 0, nil, refuse("an expression is not defined in %.0f rows of a group", wrong) // reading tells which
	}
	for k, v := range w.values {
		var x [8]float64
		for i := range x {
			x[i] = math.NaN()
			if got := row[at+2+8*k+i]; got != nil {
				if x[i], ok = numberOf(got); !ok {
					return 0, nil, errorf(ErrSource, "%v: a sum is %v (%T)", w.e, got, got)
				}
			}
		}
		g, err := v.sums(int(n), x)
		if err != nil {
			return 0, nil, err
		}
		found = append(found, g)
	}
	return int(n), found, nil
}

// sums makes the sums of a group of the numbers that write asks for.
func (v *groupValue) sums(rows int, x [8]float64) (table.GroupSums, error) {
	n, low, high := x[0], x[1], x[2]
	g := table.GroupSums{N: int(n), Missing: rows - int(n), Least: low, Largest: high}
	switch {
	case n == 0:
		return g, nil
	case math.IsInf(low, 0) || math.IsInf(high, 0):
		g.Sum = 0
		for _, end := range []float64{low, high} {
			if math.IsInf(end, 0) {
				g.Sum += end
			}
		}
		g.Mean, g.Squares = g.Sum, math.NaN()
		return g, nil
	case low == high:
		g.Mean, g.Sum = low, low*n
		g.SumLow = math.FMA(low, n, -g.Sum)
	case v.split:
		g.Sum, g.SumLow = added(x[3], x[6])
		g.Mean = (g.Sum + g.SumLow) / n
	case v.sum && x[4] == 0 && math.Max(-low, high)*n < 1<<53: // whole numbers, whose sum is exact
		g.Mean, g.Sum = x[3]/n, x[3]
	case v.sum && v.whole:
		return g, refuse("sums of whole numbers are beyond 2^53")
	case v.centered:
		g.Mean = x[5] + x[6]/n
		g.Sum = x[5] * n
		g.SumLow = math.FMA(x[5], n, -g.Sum) + x[6]
	}
	if v.centered && low != high {
		g.Squares = math.Max(0, x[7]-x[6]*x[6]/n)
	}
	if total := g.Sum + g.SumLow + g.Squares; total-total != 0 {
		return g, refuse("a sum is not finite")
	}
	return g, nil
}
