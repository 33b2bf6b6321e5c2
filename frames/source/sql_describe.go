package source

import (
	"cmp"
	"context"
	"database/sql/driver"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// aboutColumn is a column that SQL describes.
type aboutColumn struct {
	*sqlColumn
	value   string // a number, NULL where it is missing; of others the column itself
	finite  string // NULL where it is infinite, too
	n       int
	least   float64 // of those that are finite
	largest float64
	shift   float64 // a mean of these, but for rounding
	low     int     // values of -Inf
	high    int     // values of Inf
	to      ColumnDescription
}

func (c *aboutColumn) number() bool { return c.Type != series.String }

// describeTable describes a table of a database by the route that takes less: see
// Source.Describe. A *notPushed says that rows have to be read, or sampled.
func (s *Source) describeTable(ctx context.Context, e *sqlEngine) (*Description, error) {
	if s.route == Pushed || e.d.Describes {
		return e.description(ctx, s.String(), s.where)
	}
	where, err := e.whereAll(ctx, s.where)
	if err != nil {
		return nil, err
	}
	var d *Description
	err = e.snapshot(ctx, func(held engine) error {
		d, err = s.describeHeld(ctx, held.(*sqlEngine), where)
		return err
	})
	return d, err
}

// describeHeld reads the rows, as many columns at a time as may be held.
func (s *Source) describeHeld(ctx context.Context, e *sqlEngine, where string) (*Description, error) {
	counts := []string{"count(*)"}
	for _, c := range e.columns {
		if c.Huge {
			counts = append(counts, countIf(e.d.Inexact(&c.TypedColumn)))
		}
	}
	row, err := e.totals(ctx, e.held, where, counts...)
	n, err := e.counted(row, err)
	switch {
	case err != nil:
		return nil, err
	case n > mostSorted:
		return nil, refuse("%d rows are too many to hold a column", n)
	case slices.ContainsFunc(row[1:], func(v driver.Value) bool { x, ok := numberOf(v); return ok && x > 0 }):
		return e.description(ctx, s.String(), s.where) // which does not read them
	}
	fields, err := e.fields(ctx)
	if err != nil {
		return nil, err
	}
	var out *Description
	about := make(map[string]ColumnDescription)
	for _, part := range inParts(fields, mostSorted/max(1, n)) {
		d, err := s.describeRows(ctx, e, part, true)
		if err != nil {
			return nil, err
		}
		for _, c := range d.Columns {
			about[c.Name] = c
		}
		if out == nil {
			out = d
		}
		if d.Rows != n {
			return nil, e.otherRows()
		}
	}
	out.Columns = nil
	for j, f := range fields {
		c := about[f.Name]
		if c.Distinct < 0 {
			if c.Distinct, err = e.distinct(ctx, e.held, e.about(e.columns[j]), where); err != nil {
				return nil, err
			}
		}
		out.Columns = append(out.Columns, c)
	}
	return out, nil
}

// inParts divides columns into parts that have at most so many of numbers. Texts, which are not held, are in the first.
func inParts(fields []table.Field, most int) [][]table.Field {
	var numbers, texts []table.Field
	for _, f := range fields {
		if f.Type == series.String {
			texts = append(texts, f)
		} else {
			numbers = append(numbers, f)
		}
	}
	parts := slices.Collect(slices.Chunk(numbers, most))
	if parts == nil {
		return [][]table.Field{texts}
	}
	parts[0] = append(parts[0], texts...)
	return parts
}

// distinct counts the distinct values of a column.
func (e *sqlEngine) distinct(ctx context.Context, s *session, c *aboutColumn, where string) (int, error) {
	row, err := s.one(ctx, "SELECT count(*) FROM (SELECT 1 AS regbook_one FROM "+e.relation+whereClause(where, "("+c.value+") IS NOT NULL")+" GROUP BY "+c.value+") AS regbook_values", 1)
	return e.counted(row, err)
}

// runs counts the distinct values of a column of SQLite and finds its quartiles by one GROUP
// BY in order, which sorts once and holds nothing. SQLite takes several times as long for
// count(DISTINCT) and for LIMIT with an OFFSET.
func (e *sqlEngine) runs(ctx context.Context, s *session, c *aboutColumn, where string) (err error) {
	to := &c.to
	if !c.number() {
		to.Distinct, err = e.distinct(ctx, s, c, where)
		return err
	}
	x := c.value
	if c.Kind == WholeKind { // beyond 2^53
		x = c.Ref
	}
	var pairs [3][]float64
	seen := 0
	to.Distinct = 0
	err = s.each(ctx, "SELECT "+x+", count(*) FROM "+e.relation+whereClause(where, "("+x+") IS NOT NULL")+" GROUP BY "+x+" ORDER BY "+x, 2, func(row []driver.Value) error {
		v, err := e.valueOf(c, row[0])
		if err != nil {
			return err
		}
		n, err := e.valueOf(c, row[1])
		if err != nil {
			return err
		}
		to.Distinct++
		for k, p := range quartiles {
			for h := int(float64(c.n-1)*p) + len(pairs[k]); len(pairs[k]) < 2 && h >= seen && h < seen+int(n); h++ {
				pairs[k] = append(pairs[k], v)
			}
		}
		seen += int(n)
		return nil
	})
	if err != nil {
		return err
	}
	if seen != c.n {
		return e.otherRows()
	}
	for k, q := range to.quartiles() {
		if c.n > 0 {
			*q = mixed(pairs[k], c.n, quartiles[k])
		}
	}
	return nil
}

// description describes the columns by a few queries and those of quantiles. A *notPushed says
// that it cannot.
func (e *sqlEngine) description(ctx context.Context, source string, conditions []table.Condition) (*Description, error) {
	where, err := e.whereAll(ctx, conditions)
	if err != nil {
		return nil, err
	}
	var d *Description
	err = e.computed(ctx, func(s *session) error {
		d, err = e.describeIn(ctx, s, source, where)
		return err
	})
	return d, err
}

func (e *sqlEngine) describeIn(ctx context.Context, s *session, source, where string) (*Description, error) {
	if e.d.ValueType != nil {
		var all sqlColumns
		for _, c := range e.columns {
			told := *c
			told.Huge = false // which is told, and no error
			all = append(all, &told)
		}
		if err := e.checkNumbers(ctx, s, all, where); err != nil {
			return nil, err
		}
	}
	out := &Description{Source: source, Route: Pushed}
	var columns, finite []*aboutColumn // the latter have numbers, all of them finite
	for _, c := range e.columns {
		columns = append(columns, e.about(c))
	}
	const each = 11
	for part := range slices.Chunk(columns, (e.d.MaxTargets-1)/each) {
		if err := e.describePart(ctx, s, out, part, where); err != nil {
			return nil, err
		}
	}
	for _, c := range columns {
		if c.number() && c.n > 0 && c.low+c.high == 0 {
			finite = append(finite, c)
		}
	}
	if err := e.deviations(ctx, s, out.Rows, finite, where); err != nil {
		return nil, err
	}
	for _, c := range columns {
		if err := e.quantiles(ctx, s, c, where); err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, c.to)
	}
	out.Sampled = out.Rows
	return out, nil
}

// quantiles finds the quartiles of a column that no function of the database has found.
func (e *sqlEngine) quantiles(ctx context.Context, s *session, c *aboutColumn, where string) (err error) {
	switch {
	case e.d.CountsRuns:
		return e.runs(ctx, s, c, where)
	case !c.number() || c.n == 0 || c.to.Q25 == c.to.Q25:
		return nil
	}
	for k, q := range c.to.quartiles() {
		if *q, err = e.quantile(ctx, s, c, where, quartiles[k]); err != nil {
			return err
		}
	}
	return nil
}

var quartiles = [3]float64{0.25, 0.5, 0.75}

// quartiles are where those of a column are told.
func (about *ColumnDescription) quartiles() [3]*float64 {
	return [3]*float64{&about.Q25, &about.Median, &about.Q75}
}

// about writes the values of a column.
func (e *sqlEngine) about(col *sqlColumn) *aboutColumn {
	c := &aboutColumn{sqlColumn: col, value: e.readAs(col)}
	switch {
	case col.Kind == TruthKind:
		x, _ := (&compiler{d: e.d}).asNumber(nil, (&compiler{d: e.d}).base(col)) // has no error for a condition
		c.value = x.sql
	case col.Kind == TextKind:
		c.value = e.d.AsText(e.readAs(col))
	case c.number():
		c.value = (&compiler{d: e.d, ieee: true}).base(col).sql
	}
	c.finite = c.value
	if col.Kind == FloatKind && !col.Decimal && !e.d.Finite {
		c.finite = "CASE WHEN " + c.value + " IN (" + e.d.number(math.Inf(1)) + ", " + e.d.number(math.Inf(-1)) + ") THEN NULL ELSE " + c.value + " END"
	}
	return c
}

// describePart counts, and finds the ends of columns.
func (e *sqlEngine) describePart(ctx context.Context, s *session, out *Description, columns []*aboutColumn, where string) error {
	targets := append([]string{"count(*)"}, e.d.aboutTargets(columns)...)
	row, err := e.totals(ctx, s, where, targets...)
	if err != nil {
		return err
	}
	at := 0
	next := func() driver.Value { at++; return row[at-1] }
	number := func() float64 { return numberOrNaN(next()) }
	count := func() int {
		if x := number(); x == x {
			return int(x)
		}
		return 0 // the sum of no rows is NULL
	}
	rows := count()
	switch {
	case rows == 0:
		return errorf(frames.ErrNoRows, "%s has no rows", out.Source)
	case out.Rows > 0 && out.Rows != rows:
		return e.otherRows()
	}
	out.Rows = rows
	nan := math.NaN()
	for _, c := range columns {
		c.n = count()
		to := &c.to
		*to = ColumnDescription{Name: c.Name, Type: c.Type, Dates: c.Dates, Note: c.Note, Missing: rows - c.n, Mean: nan, SD: nan, Min: nan, Max: nan, Q25: nan, Median: nan, Q75: nan}
		if !c.number() {
			ends := &table.Column{Field: c.Field}
			for range 2 {
				if err := appendValue(ends, c.sqlColumn, next()); err != nil {
					return errorf(ErrSource, "%v: column %q: %v", e, c.Name, err)
				}
			}
			if to.Distinct = count(); c.n > 0 {
				to.first, to.last = ends.Text[0], ends.Text[1]
			}
			continue
		}
		to.Min, to.Max, to.Distinct = number(), number(), count()
		c.least, c.largest, c.shift = number(), number(), 2*number() // of halves, which do not leave the range
		if c.shift = math.Max(c.least, math.Min(c.largest, c.shift)); math.IsNaN(c.shift) {
			c.shift = c.least/2 + c.largest/2
		}
		whole := count()
		to.beyond, c.low, c.high = count(), count(), count()
		to.infinite = c.low + c.high
		if c.Type == series.Float && c.n > 0 && whole == c.n {
			to.Type = series.Int
		}
	}
	return nil
}

// aboutTargets are what describePart asks of columns: of each the count, the ends and the distinct
// values, and of numbers the ends and the mean of the finite, how many are whole, how many of these are beyond
// 2^53, and how many are infinite.
func (d *Dialect) aboutTargets(columns []*aboutColumn) (targets []string) {
	for _, c := range columns {
		x := c.value
		distinct := x
		if c.Kind == FloatKind {
			distinct = x + " + " + d.number(0) // a zero has no sign
		} else if c.number() && c.Kind != TruthKind {
			distinct = c.Ref
		}
		counted := "count(DISTINCT " + distinct + ")"
		if d.CountsRuns {
			counted = "0"
		}
		targets = append(targets, "count("+x+")", "min("+x+")", "max("+x+")", counted)
		if !c.number() {
			continue
		}
		targets = append(targets, "min("+c.finite+")", "max("+c.finite+")", "avg("+c.finite+" / 2)",
			countIf(c.finite+" = floor("+c.finite+")"), countIf("abs("+c.finite+") >= "+d.number(1<<53)+" AND "+c.finite+" = floor("+c.finite+")"),
			countIf(x+" < 0 AND ("+c.finite+") IS NULL"), countIf(x+" > 0 AND ("+c.finite+") IS NULL"))
	}
	return targets
}

// deviations finds means and standard deviations of columns of finite numbers, by sums about means that are
// known but for rounding. Databases that have a function find quartiles on the way.
func (e *sqlEngine) deviations(ctx context.Context, s *session, rows int, columns []*aboutColumn, where string) error {
	d := e.d
	function := ""
	if rows <= mostSorted { // which are held or sorted, once for all quartiles
		function = d.Quartiles
	}
	const each = 8
	for part := range slices.Chunk(columns, (d.MaxTargets-1)/each) {
		targets := []string{"count(*)"}
		for _, c := range part {
			targets = append(targets, d.deviationTargets(c, function)...)
		}
		row, err := e.totals(ctx, s, where, targets...)
		if err != nil {
			return err
		}
		if n, _ := numberOf(row[0]); int(n) != rows {
			return e.otherRows()
		}
		at := 0
		number := func() float64 { at++; return numberOrNaN(row[at]) } // behind the count
		for _, c := range part {
			if err := c.deviate(number, function != ""); err != nil {
				return err
			}
		}
	}
	return nil
}

// deviationTargets are the shift of a column, the sums of its deviations from it and of their squares,
// each in two parts, and its quartiles by a function of the database, "" for none.
func (d *Dialect) deviationTargets(c *aboutColumn, function string) []string {
	m := d.number(c.shift)
	off := "(" + c.value + " - " + m + ")"
	far := math.Max(c.largest-c.shift, c.shift-c.least)
	targets := slices.Concat([]string{m}, d.exactSum(off, far, c.n), d.exactSum(off+" * "+off, far*far, c.n))
	if function != "" {
		for k := range quartiles {
			targets = append(targets, fmt.Sprintf(function, c.value, k+1))
		}
	}
	return targets
}

// deviate takes what deviationTargets ask, number by number.
func (c *aboutColumn) deviate(number func() float64, sorted bool) error {
	about, m := &c.to, number()
	sum := number() + number()
	squares := number() + number()
	n := float64(c.n)
	if about.Mean = m + sum/n; about.Min == about.Max {
		about.Mean = about.Min
	}
	if c.n > 1 {
		about.SD = math.Sqrt(math.Max(0, squares-sum*sum/n) / (n - 1))
	}
	if about.Min == about.Max && c.n > 1 {
		about.SD = 0
	}
	if total := about.Mean + squares; total-total != 0 {
		return refuse("a sum of squares of %q leaves the range", c.Name)
	}
	for _, q := range about.quartiles() {
		if sorted {
			*q = number()
		}
	}
	return nil
}

// exactSum writes two sums that add up to that of x: multiples of a power of two that is so
// large that theirs is exact, and what is left of x. Values are at most largest.
func (d *Dialect) exactSum(x string, largest float64, n int) []string {
	_, exponent := math.Frexp(2 * largest * float64(n))
	q := math.Ldexp(1, exponent-53)
	if total := 2 * largest * float64(n); !(q > 1e-300 && total-total == 0) {
		return []string{"sum(" + x + ")", "0"}
	}
	high := "floor((" + x + ") / " + d.number(q) + ") * " + d.number(q)
	return []string{"sum(" + high + ")", "sum(" + x + " - " + high + ")"}
}

const (
	// mostSorted is how many rows a database is asked to sort at once for quantiles.
	mostSorted = 1 << 22
	// mostFetched is how many values of a column are read for them.
	mostFetched = 1 << 16
	// quantileBins is how many bins a bracket is divided into.
	quantileBins = 4096
)

// quantile is mlreg.SampleQuantile of a column, of two of its values in order.
func (e *sqlEngine) quantile(ctx context.Context, s *session, c *aboutColumn, where string, p float64) (float64, error) {
	k := int(float64(c.n-1) * p)
	var pair []float64
	if c.n <= mostSorted {
		text := fmt.Sprintf("SELECT %s AS regbook_value FROM %s%s ORDER BY regbook_value LIMIT %d OFFSET %d", c.value, e.relation, whereClause(where, "("+c.value+") IS NOT NULL"), min(2, c.n-k), k)
		err := s.each(ctx, text, 1, func(row []driver.Value) error {
			v, err := e.valueOf(c, row[0])
			pair = append(pair, v)
			return err
		})
		if err != nil {
			return 0, err
		}
		if len(pair) != min(2, c.n-k) {
			return 0, e.otherRows()
		}
	} else {
		for j := k; j < min(k+2, c.n); j++ {
			v, err := e.orderStatistic(ctx, s, c, where, j)
			if err != nil {
				return 0, err
			}
			pair = append(pair, v)
		}
	}
	return mixed(pair, c.n, p), nil
}

// mixed is the quantile between two values in order, of which the second may be missing.
func mixed(pair []float64, n int, p float64) float64 {
	h := float64(n-1) * p
	return mlreg.SampleQuantile(pair, h-math.Trunc(h))
}

// valueOf returns a number of a column.
func (e *sqlEngine) valueOf(c *aboutColumn, v driver.Value) (float64, error) {
	x, ok := numberOf(v)
	if !ok {
		return 0, errorf(ErrSource, "%v: column %q has %v (%T)", e, c.Name, v, v)
	}
	return x, nil
}

// orderStatistic returns the value of rank k, counted from 0. Bins between the ends are
// counted, those of the bin that has it, and so on until few values are left, which are read:
// no sorting, and no more memory than bins have.
func (e *sqlEngine) orderStatistic(ctx context.Context, s *session, c *aboutColumn, where string, k int) (float64, error) {
	switch {
	case k < c.low:
		return math.Inf(-1), nil
	case k >= c.n-c.high:
		return math.Inf(1), nil
	}
	d, x := e.d, c.finite
	low, high, inside := c.least, c.largest, c.n-c.low-c.high
	for range 100 {
		if low == high {
			return low, nil
		}
		from, to := d.number(low), d.number(high)
		below := "CASE WHEN " + x + " < " + from + " THEN " + d.number(0)
		if inside <= mostFetched {
			return e.fetchedStatistic(ctx, s, c, where, k, low, high)
		}
		half := "(" + x + " / 2 - " + d.number(low/2) + ") / " + d.number(high/2-low/2)
		bin := below + " WHEN " + x + " > " + to + " THEN " + d.number(quantileBins+2) + " ELSE " + d.number(1) + " + floor(" + half + " * " + d.number(quantileBins) + ") END"
		bins, err := e.bins(ctx, s, c, where, bin)
		if err != nil {
			return 0, err
		}
		at, of := c.low, -1
		for i, b := range bins {
			if at+b.n > k {
				of = i
				break
			}
			at += b.n
		}
		if of < 0 {
			return 0, e.otherRows()
		}
		low, high, inside = bins[of].least, bins[of].largest, bins[of].n
	}
	return 0, refuse("the quantiles of %q are not found by bins", c.Name)
}

// foundBin is a bin with numbers: their ends and their count.
type foundBin struct {
	bin, least, largest float64
	n                   int
}

// bins counts the finite numbers of a column by an expression, in its order.
func (e *sqlEngine) bins(ctx context.Context, s *session, c *aboutColumn, where, bin string) (bins []foundBin, err error) {
	x := c.finite
	err = s.each(ctx, "SELECT "+bin+", count("+x+"), min("+x+"), max("+x+") FROM "+e.relation+whereClause(where, "("+x+") IS NOT NULL")+" GROUP BY "+bin, 4, func(row []driver.Value) error {
		var v [4]float64
		for i := range v {
			var ok bool
			if v[i], ok = numberOf(row[i]); !ok {
				return errorf(ErrSource, "%v: a bin of %q is %v (%T)", e, c.Name, row[i], row[i])
			}
		}
		bins = append(bins, foundBin{v[0], v[2], v[3], int(v[1])})
		return nil
	})
	slices.SortFunc(bins, func(a, b foundBin) int { return cmp.Compare(a.bin, b.bin) })
	return bins, err
}

// fetchedStatistic is orderStatistic where so few numbers lie between low and high that they are read.
func (e *sqlEngine) fetchedStatistic(ctx context.Context, s *session, c *aboutColumn, where string, k int, low, high float64) (float64, error) {
	// The numbers are counted as the database reads them, which may be a little off.
	x, from, to := c.finite, e.d.number(low-1e-14*math.Abs(low)), e.d.number(high+1e-14*math.Abs(high))
	row, err := e.totals(ctx, s, where, countIf(x+" < "+from))
	if err != nil {
		return 0, err
	}
	before, _ := numberOf(row[0])
	var values []float64
	err = s.each(ctx, "SELECT "+x+" FROM "+e.relation+whereClause(where, "("+x+") >= "+from, "("+x+") <= "+to), 1, func(row []driver.Value) error {
		v, err := e.valueOf(c, row[0])
		values = append(values, v)
		return err
	})
	if err != nil {
		return 0, err
	}
	slices.Sort(values)
	if at := k - c.low - int(before); at >= 0 && at < len(values) {
		return values[at], nil
	}
	return 0, e.otherRows()
}
