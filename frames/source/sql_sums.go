package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/compressed"
)

// refuses returns why the sums of a plan cannot be computed by SQL.
func (e *sqlEngine) refuses(ctx context.Context, q query, p *table.Plan) error {
	_, err := e.write(ctx, q, p)
	var not *notPushed
	if errors.As(err, &not) {
		return err
	}
	return nil // other errors are those of sums
}

// sums computes the sums of cells by two passes in one session: counts, means and ranges of the
// numbers, then the products of deviations from the means, by one GROUP BY of the factors. Rows of a
// cell are put into blocks by a hash, so that no sum is of many terms, and blocks are added up here to
// twice the digits.
func (e *sqlEngine) sums(ctx context.Context, q query, p *table.Plan, f *folding) ([][]compressed.Cell, table.Counts, string, error) {
	var counts table.Counts
	w, err := e.write(ctx, q, p)
	if err != nil {
		return nil, counts, "", err
	}
	var sums [][]compressed.Cell
	var stamp string
	err = e.computed(ctx, func(s *session) error {
		sums, counts, stamp, err = w.sums(ctx, s, f)
		return err
	})
	return sums, counts, stamp, err
}

// stamp is that of sums of the plan, "" where there is none.
func (e *sqlEngine) stamp(ctx context.Context, q query, p *table.Plan) (stamp string, err error) {
	where, err := e.whereAll(ctx, q.where)
	var not *notPushed
	switch {
	case errors.As(err, &not):
		return "", nil
	case err != nil:
		return "", err
	}
	w := &sqlPlan{e: e, prefix: e.prefix(), where: where}
	used := *p
	used.Weights = ""
	if p.Weights != "" && !slices.Contains(p.Used, p.Weights) {
		used.Used = append(slices.Clone(p.Used), p.Weights)
	}
	if err := w.uses(&used); err != nil {
		return "", err
	}
	err = e.within(ctx, func(s *session) error {
		_, stamp, err = w.count(ctx, s)
		return err
	})
	return stamp, err
}

// outOfRange tells whether a database refused to compute a value, as PostgreSQL does
// where others give an infinite one, or 0.
func (d *Dialect) outOfRange(err error) bool {
	var q *queryError
	return d.Overflow != nil && errors.As(err, &q) && d.Overflow(q.err)
}

// from writes a SELECT of values, computed of bindings of the rows that are complete.
func (w *sqlPlan) from(items []binding, targets []string, group string) string {
	where := whereClause(w.where, w.complete)
	after := ""
	if group != "" {
		after = " GROUP BY " + group
	}
	list := func(all []binding) string {
		parts := make([]string, len(all))
		for i, b := range all {
			parts[i] = b.sql + " AS " + b.name
		}
		return strings.Join(parts, ", ")
	}
	if w.e.d.OneLevel {
		return "WITH " + list(append(append([]binding(nil), w.bindings...), items...)) +
			" SELECT " + strings.Join(targets, ", ") + " FROM " + w.e.relation + where + after
	}
	fence := w.e.d.Fence
	return "SELECT " + strings.Join(targets, ", ") + " FROM (SELECT " + list(items) + " FROM (SELECT " + list(w.bindings) + " FROM " +
		w.e.relation + where + fence + ") AS regbook_rows" + fence + ") AS regbook_columns" + after
}

// column is the first pass over a column of the design.
type columnPass struct {
	shift float64
	// least and largest are the range of the values.
	least, largest float64

	exact bool    // whole numbers whose sums are exact
	noise float64 // length of a vector that is no shorter than that of the errors of the values
}

func (w *sqlPlan) sums(ctx context.Context, s *session, f *folding) ([][]compressed.Cell, table.Counts, string, error) {
	folds := 1
	if f != nil {
		folds = f.k
	}
	counts, stamp, err := w.count(ctx, s)
	if err != nil {
		return nil, counts, "", err
	}
	n := counts.N - counts.Omitted
	if n == 0 {
		return make([][]compressed.Cell, folds), counts, stamp, nil
	}
	passes, err := w.first(ctx, s, n)
	if err != nil {
		return nil, counts, "", err
	}
	counts.AddBeyond(w.beyond...)
	for range 3 {
		g, err := w.products(ctx, s, passes, n, f)
		if err != nil {
			return nil, counts, "", err
		}
		sums, again, err := g.finish(w, passes)
		if err != nil {
			return nil, counts, "", err
		}
		if !again {
			if s.tx == nil {
				if _, now, err := w.count(ctx, s); err != nil || now != stamp {
					return nil, counts, "", errors.Join(err, w.changed())
				}
			}
			return sums, counts, stamp, nil
		}
	}
	return nil, counts, "", refuse("the means found by the first pass are too far off")
}

func (w *sqlPlan) changed() error {
	return errorf(ErrChanged, "%v has changed between two passes, and %v has no transactions; compute it again when nobody writes", w.e, w.e.d)
}

// count counts rows and missing values, and refuses what SQL would round. The stamp has a checksum of the complete rows.
func (w *sqlPlan) count(ctx context.Context, s *session) (table.Counts, string, error) {
	d := w.e.d
	counts := table.Counts{Missing: make(map[string]int)}
	if err := w.e.checkNumbers(ctx, s, w.used, w.where); err != nil {
		return counts, "", err
	}
	if err := w.e.certain(ctx, s, w.doubts, w.where); err != nil {
		return counts, "", err
	}
	targets := []string{"count(*)"}
	complete := w.complete
	if complete == "" {
		complete = "(1=1)"
	}
	targets = append(targets, "sum(CASE WHEN "+complete+" THEN 1 ELSE 0 END)")
	if h := d.stampHash(w.used); h != "" {
		targets = append(targets, d.HashSum("CASE WHEN "+complete+" THEN "+h+" END"))
	} else {
		targets = append(targets, "''")
	}
	for _, c := range w.used {
		targets = append(targets, "sum(CASE WHEN "+d.missing(c)+" THEN 1 ELSE 0 END)")
	}
	for _, c := range w.alone {
		targets = append(targets, "sum(CASE WHEN "+d.Inexact(&c.TypedColumn)+" THEN 1 ELSE 0 END)")
	}
	row, err := s.one(ctx, "SELECT "+strings.Join(targets, ", ")+" FROM "+w.e.relation+whereClause(w.where), len(targets))
	if err != nil {
		return counts, "", err
	}
	number := func(v any) int {
		x, _ := numberOf(v) // NULL of no rows is 0
		return int(x)
	}
	counts.N = number(row[0])
	counts.Omitted = counts.N - number(row[1])
	for j, c := range w.used {
		if k := number(row[3+j]); k > 0 {
			counts.Missing[c.Name] = k
		}
	}
	for j, c := range w.alone {
		if number(row[3+len(w.used)+j]) > 0 {
			counts.Round(c.Name)
		}
	}
	return counts, fmt.Sprintf(pushedStamp+"%d %d %v", counts.N, counts.Omitted, row[2]), nil
}

// firstEach is how many numbers the first pass asks of a column: how many values there are, their sum, least and
// largest, how many are not whole, and the sum of squares of their errors.
const firstEach = 6

// first finds mean and range of every column.
func (w *sqlPlan) first(ctx context.Context, s *session, n int) ([]columnPass, error) {
	passes := make([]columnPass, len(w.columns))
	step := max(1, (w.e.d.MaxTargets-len(w.factors)-8)/firstEach)
	for from := 0; from == 0 || from < len(w.columns); from += step {
		to := min(len(w.columns), from+step)
		items, targets := w.firstTargets(from, to)
		row, err := s.one(ctx, w.from(items, targets, ""), len(targets))
		if err != nil {
			return nil, err
		}
		if numberOrNaN(row[0]) != float64(n) {
			return nil, w.changed()
		}
		if from == 0 {
			if err := w.checkLevels(ctx, s, row[1+firstEach*to:]); err != nil {
				return nil, err
			}
			if err := w.checkWeights(row); err != nil {
				return nil, err
			}
		}
		for j := from; j < to; j++ {
			if passes[j], err = w.firstOf(j, n, row[1+firstEach*(j-from):]); err != nil {
				return nil, err
			}
		}
	}
	if err := w.findBeyond(ctx, s); err != nil {
		return nil, err
	}
	return passes, w.agree(ctx, s, passes)
}

// firstTargets writes what the first pass asks of some columns; with the first of them, how many rows have an
// unknown level of each factor, and the range of the weights.
func (w *sqlPlan) firstTargets(from, to int) (items []binding, targets []string) {
	targets = []string{"count(*)"}
	weighted := false
	for j := from; j < to; j++ {
		x := fmt.Sprintf("%sx%d", w.prefix, j)
		items = append(items, binding{x, w.columns[j]})
		targets = append(targets, "count("+x+")", "sum("+x+")", "min("+x+")", "max("+x+")", "sum(CASE WHEN "+x+" = floor("+x+") THEN 0 ELSE 1 END)")
		if w.off[j] == "" {
			targets = append(targets, "0")
			continue
		}
		off := fmt.Sprintf("%so%d", w.prefix, j)
		items = append(items, binding{off, w.off[j]})
		if w.weight == "" {
			targets = append(targets, "sum("+off+" * "+off+")")
		} else {
			targets = append(targets, "sum("+w.prefix+"w * "+off+" * "+off+")")
			weighted = true
		}
	}
	if from == 0 {
		for k, f := range w.factors {
			x := fmt.Sprintf("%sf%d", w.prefix, k)
			items = append(items, binding{x, f.code})
			targets = append(targets, "sum(CASE WHEN "+x+" IS NULL THEN 1 ELSE 0 END)")
		}
		if w.weight != "" {
			x := w.prefix + "w"
			weighted = true
			targets = append(targets, "min("+x+")", "max("+x+")")
		}
	}
	if weighted {
		items = append(items, binding{w.prefix + "w", w.weight})
	}
	return items, targets
}

// checkWeights looks at the range of the weights, the last two numbers of a row.
func (w *sqlPlan) checkWeights(row []driver.Value) error {
	if w.weight == "" {
		return nil
	}
	if low := numberOrNaN(row[len(row)-2]); low < 0 {
		return errorf(frames.ErrSetting, "a weight is %v; weights must not be negative", low)
	}
	if high := numberOrNaN(row[len(row)-1]); math.IsInf(high, 0) {
		return errorf(frames.ErrNotFinite, "a weight is %v", high)
	}
	return nil
}

// firstOf is what the first pass found of column j.
func (w *sqlPlan) firstOf(j, n int, found []driver.Value) (pass columnPass, err error) {
	count, sum, low, high := numberOrNaN(found[0]), numberOrNaN(found[1]), numberOrNaN(found[2]), numberOrNaN(found[3])
	bad := n - int(count)
	if bad > 0 || math.IsInf(low, 0) || math.IsInf(high, 0) || math.IsNaN(low) || math.IsNaN(high) {
		what := "is infinite"
		if bad > 0 {
			what = fmt.Sprintf("is not defined in %d of %d complete rows", bad, n)
		}
		return pass, errorf(frames.ErrNotFinite, "%s %s: its values lie between %v and %v", w.names[j], what, low, high)
	}
	mean := sum / float64(n)
	if math.IsInf(mean, 0) || math.IsNaN(mean) {
		mean = low/2 + high/2
	}
	mean = math.Max(low, math.Min(high, mean))
	if broken := numberOrNaN(found[4]); broken == 0 && math.Abs(mean) < 1<<52 {
		mean = math.Round(mean)
		r := math.Max(high-mean, mean-low)
		pass.exact = r*r*float64(n) < 1<<53 && w.weight == ""
	}
	pass.shift, pass.least, pass.largest = mean, low, high
	if pass.noise = unit * math.Sqrt(numberOrNaN(found[5])); math.IsNaN(pass.noise) {
		pass.noise = math.Inf(1)
	}
	return pass, nil
}

// findBeyond counts the complete rows beyond the range of a basis.
func (w *sqlPlan) findBeyond(ctx context.Context, s *session) error {
	d := w.e.d
	const each = 3
	w.beyond = nil
	for part := range slices.Chunk(w.ranged, max(1, d.MaxTargets/each)) {
		var items []binding
		var targets []string
		for k, r := range part {
			x := fmt.Sprintf("%sr%d", w.prefix, k)
			items = append(items, binding{x, r.x})
			targets = append(targets, "min("+x+")", "max("+x+")", "sum(CASE WHEN "+x+" < "+d.number(r.Low)+" OR "+x+" > "+d.number(r.High)+" THEN 1 ELSE 0 END)")
		}
		row, err := s.one(ctx, w.from(items, targets, ""), len(targets))
		if err != nil {
			return err
		}
		for k, r := range part {
			ends := []float64{numberOrNaN(row[each*k]), numberOrNaN(row[each*k+1])}
			if e := table.Beyond(r.Extrapolation, ends); e.Rows > 0 { // not all databases read every digit of the range
				e.Rows = int(numberOrNaN(row[each*k+2]))
				w.beyond = append(w.beyond, e)
			}
		}
	}
	return nil
}

// agree replaces the shifts by those that the database reads: not all read the
// digits of a number correctly.
func (w *sqlPlan) agree(ctx context.Context, s *session, passes []columnPass) error {
	step := w.e.d.MaxTargets
	for from := 0; from < len(passes); from += step {
		to := min(len(passes), from+step)
		targets := make([]string, 0, step)
		for _, p := range passes[from:to] {
			targets = append(targets, w.e.d.number(p.shift))
		}
		row, err := s.one(ctx, "SELECT "+strings.Join(targets, ", "), len(targets))
		if err != nil {
			return err
		}
		for j, v := range row {
			x, ok := numberOf(v)
			if p := passes[from+j]; !ok || math.Abs(x-p.shift) > 1e-13*math.Abs(p.shift) {
				return errorf(ErrSource, "%v reads the number %v as %v", w.e, p.shift, v)
			}
			passes[from+j].shift = x
		}
	}
	return nil
}

// checkLevels names a level that the plan does not know.
func (w *sqlPlan) checkLevels(ctx context.Context, s *session, unknown []driver.Value) error {
	for k, f := range w.factors {
		if x, _ := numberOf(unknown[k]); x == 0 {
			continue
		}
		var code string
		for _, b := range w.bindings {
			if b.name == f.code {
				code = b.sql
			}
		}
		row, err := s.one(ctx, "SELECT "+f.value+" FROM "+w.e.relation+whereClause(w.where, w.complete, "("+code+") IS NULL")+" LIMIT 1", 1)
		if err != nil {
			return err
		}
		level := fmt.Sprint(row[0])
		if text, ok := textOf(row[0]); ok {
			level = text
		}
		return errorf(frames.ErrLevel, "level %q of %s was not seen in training; the levels are %q", level, f.text, f.levels)
	}
	return nil
}

// groupSums are sums of groups of rows: about shifts, to twice the digits.
type groupSums struct {
	by    grouping
	folds []map[int]*cellSums // by the number of the cell
	most  int                 // rows of the largest block
}

// cellSums are those of a cell.
type cellSums struct {
	n       int     // rows of positive weight
	w, logW twofold // weights
	d       []twofold
	p       []twofold // upper triangle by rows
	noise   []float64 // sums of squares of the errors of values, in units of 2^-53
}

func newCellSums(m int) *cellSums {
	return &cellSums{d: make([]twofold, m), p: make([]twofold, m*(m+1)/2), noise: make([]float64, m)}
}

// twofold is a number of twice the digits.
type twofold struct{ hi, lo float64 }

func (t *twofold) add(x float64) {
	s := t.hi + x
	b := s - t.hi
	t.lo += (t.hi - (s - b)) + (x - b)
	t.hi = s
}

func (t twofold) value() float64 { return t.hi + t.lo }

func (t *twofold) plus(u twofold) {
	t.add(u.hi)
	t.lo += u.lo
}

// added returns a + b, and what rounding took from it.
func added(a, b float64) (sum, low float64) {
	t := twofold{hi: a}
	t.add(b)
	return t.hi, t.lo
}

// blockSize is how many rows a block should have, and blockValues how many sums all
// blocks together, which a processor's cache holds.
const (
	blockSize   = 256
	blockValues = 1 << 16
)

// grouping deals the rows of a cell to folds, and those to blocks.
type grouping struct {
	folds, blocks int
	key           []binding // the number of the block; nil if there is one
}

// grouping writes how n rows in so many levels of an absorbed factor are dealt, of which so many sums are wanted in
// a cell.
func (w *sqlPlan) grouping(n, levels, sums int, f *folding) (by grouping, err error) {
	d := w.e.d
	if by.folds = 1; f != nil {
		by.folds = f.k
	}
	cells := max(1, min(n/blockSize, levels*int(w.cells.Most())))
	by.blocks = min(1024, n/(cells*blockSize)+1, max(1, 16/cells, blockValues/(sums*by.folds*cells)))
	if d.RowHash == nil {
		by.blocks = 1
	}
	if by.folds == 1 && by.blocks == 1 {
		return by, nil
	}
	fold, block := "0", "0"
	if f != nil {
		if fold, err = w.fold(f); err != nil {
			return by, err
		}
	}
	if by.blocks > 1 {
		some := w.used
		if d.BlockHashes > 0 {
			some = some[:min(d.BlockHashes, len(some))]
		}
		block = fmt.Sprintf("(coalesce(%s, 0) %% %d)", d.hash(some, 0xb10c), by.blocks)
	}
	by.key = []binding{{w.prefix + "g", fmt.Sprintf("(%s * %d + %s)", fold, by.blocks, block)}}
	return by, nil
}

// fold writes the number of the fold of a row.
func (w *sqlPlan) fold(f *folding) (string, error) {
	columns := w.used
	if f.key != "" {
		columns = nil
		for k := range w.e.columns {
			if w.e.columns[k].Name == f.key {
				columns = append(columns, &w.e.columns[k])
			}
		}
	}
	h := w.e.d.hash(columns, f.seed^0xf01d)
	if h == "" {
		return "", refuse("%v has no hash function for folds", w.e.d)
	}
	return fmt.Sprintf("(coalesce(%s, 0) %% %d)", h, f.k), nil
}

// sumTarget is a sum, and what takes its value in a block.
type sumTarget struct {
	sql  string
	into func(f *cellSums, x float64)
}

// sumTargets writes the sums of weights, and of deviations by their names and their products.
func (w *sqlPlan) sumTargets(names []string) (targets []sumTarget) {
	times := ""
	if w.weight != "" {
		weight := w.prefix + "w"
		times = weight + " * "
		targets = append(targets,
			sumTarget{"sum(" + weight + ")", func(f *cellSums, x float64) { f.w.add(x) }},
			sumTarget{"sum(CASE WHEN " + weight + " > 0 THEN 1 ELSE 0 END)", func(f *cellSums, x float64) { f.n += int(x) }},
			sumTarget{"sum(" + w.e.d.Ln + "(CASE WHEN " + weight + " > 0 THEN " + weight + " ELSE " + w.e.d.number(1) + " END))", func(f *cellSums, x float64) { f.logW.add(x) }})
	}
	for j := range names {
		targets = append(targets, sumTarget{"sum(" + times + names[j] + ")", func(f *cellSums, x float64) { f.d[j].add(x) }})
	}
	for j, off := range w.off {
		if off != "" {
			o := fmt.Sprintf("%so%d", w.prefix, j)
			targets = append(targets, sumTarget{"sum(" + times + o + " * " + o + ")", func(f *cellSums, x float64) { f.noise[j] += x }})
		}
	}
	at := 0
	for j := range names {
		for k := j; k < len(names); k++ {
			place := at
			targets = append(targets, sumTarget{"sum(" + times + names[j] + " * " + names[k] + ")", func(f *cellSums, x float64) { f.p[place].add(x) }})
			at++
		}
	}
	return targets
}

// products computes the second pass.
func (w *sqlPlan) products(ctx context.Context, s *session, passes []columnPass, n int, f *folding) (*groupSums, error) {
	m := len(w.columns)
	levels, err := w.countLevels(ctx, s)
	if err != nil {
		return nil, err
	}
	by, err := w.grouping(n, levels, m*(m+1)/2+m, f)
	if err != nil {
		return nil, err
	}
	g := &groupSums{by: by, folds: make([]map[int]*cellSums, by.folds)}
	for k := range g.folds {
		g.folds[k] = make(map[int]*cellSums)
	}
	plan := *w
	items, keys := w.deviations(passes)
	group := keys
	if by.key == nil {
		keys = append([]string{"0"}, keys...)
	} else {
		plan.bindings = append(append([]binding(nil), w.bindings...), by.key...)
		items = append(items, binding{w.prefix + "k", by.key[0].name})
		keys = append([]string{w.prefix + "k"}, keys...)
		group = keys
	}
	names := make([]string, m)
	for j := range names {
		names[j] = fmt.Sprintf("%sd%d", w.prefix, j)
	}
	counted := false // the rows of blocks
	for part := range slices.Chunk(w.sumTargets(names), w.e.d.MaxTargets-len(keys)-1) {
		list := append(slices.Clone(keys), "count(*)")
		for _, t := range part {
			list = append(list, t.sql)
		}
		rows := 0
		err := s.each(ctx, plan.from(items, list, strings.Join(group, ", ")), len(list), func(row []driver.Value) error {
			count, err := w.addBlock(g, row, part, !counted)
			rows += count
			return err
		})
		if err != nil {
			return nil, err
		}
		if rows != n {
			return nil, w.changed()
		}
		counted = true
	}
	return g, nil
}

// countLevels counts the levels of an absorbed factor, 1 if there is none.
func (w *sqlPlan) countLevels(ctx context.Context, s *session) (int, error) {
	if w.absorbed == nil || w.e.d.RowHash == nil {
		return 1, nil
	}
	name := w.prefix + "c0"
	row, err := s.one(ctx, w.from([]binding{{name, w.keys[0].sql}}, []string{"count(DISTINCT " + name + ")"}, ""), 1)
	if err != nil {
		return 0, err
	}
	levels, _ := numberOf(row[0])
	return max(1, int(levels)), nil
}

// deviations writes the keys of the factors, and what sums are of.
func (w *sqlPlan) deviations(passes []columnPass) (items []binding, keys []string) {
	for k, key := range w.keys {
		name := fmt.Sprintf("%sc%d", w.prefix, k)
		items, keys = append(items, binding{name, key.sql}), append(keys, name)
	}
	for j, x := range w.columns {
		items = append(items, binding{fmt.Sprintf("%sd%d", w.prefix, j), "(" + x + " - " + w.e.d.number(passes[j].shift) + ")"})
		if w.off[j] != "" {
			items = append(items, binding{fmt.Sprintf("%so%d", w.prefix, j), w.off[j]})
		}
	}
	if w.weight != "" {
		items = append(items, binding{w.prefix + "w", w.weight})
	}
	return items, keys
}

// addBlock adds the sums of a block, and its rows if they are to be counted, and returns how many it has.
func (w *sqlPlan) addBlock(g *groupSums, row []driver.Value, targets []sumTarget, counting bool) (int, error) {
	number, _ := numberOf(row[0])
	first := 1 + len(w.keys)
	rows, _ := numberOf(row[first])
	fold := int(number) / g.by.blocks
	if fold < 0 || fold >= g.by.folds {
		return 0, errorf(ErrSource, "%v: a group is %v", w.e, row[0])
	}
	if rows == 0 { // the group of no rows at all
		return 0, nil
	}
	g.most = max(g.most, int(rows))
	cell, err := w.cellOf(row[1:first])
	if err != nil {
		return 0, err
	}
	f := g.folds[fold][cell]
	if f == nil {
		f = newCellSums(len(w.columns))
		g.folds[fold][cell] = f
	}
	if counting && w.weight == "" {
		f.n += int(rows)
		f.w.add(rows)
	}
	for i, t := range targets {
		x, ok := numberOf(row[first+1+i])
		if !ok || x-x != 0 {
			return 0, errorf(frames.ErrNotFinite, "a sum of squares or products of the columns of %v is %v; rescale them", w.e, row[first+1+i])
		}
		t.into(f, x)
	}
	return int(rows), nil
}

// cellOf returns the number of the cell of values of the keys, beyond which, by multiples of the number of cells, are
// those of other levels of an absorbed factor.
func (w *sqlPlan) cellOf(values []driver.Value) (int, error) {
	from := 0
	if w.absorbed != nil {
		level, err := w.keys[0].learned(values[0])
		if err != nil {
			return 0, err
		}
		from = level * int(w.cells.Most())
		w.absorbed = w.keys[0].levels
	}
	keys := w.keys[len(w.keys)-len(w.cells.Factors):]
	levels := make([]int, len(keys))
	for k := range keys {
		var err error
		if levels[k], err = keys[k].level(values[len(values)-len(keys)+k]); err != nil {
			return 0, err
		}
	}
	return from + w.cells.Cell(levels), nil
}

// unit is half the distance from 1 to the next float64.
const unit = 1.0 / (1 << 53)

// bound is that of the errors of sums. A deviation, its product with another and with a weight are each rounded once,
// and a sum of k terms k - 1 times.
func (g *groupSums) bound(w *sqlPlan) float64 {
	if w.e.compensated { // a second term is of order k^2 unit^2
		k := float64(g.most) * unit
		return 8*unit + k*k
	}
	return float64(g.most+4) * unit
}

// finish makes the sums of cells. again says that the shifts were too far from the means; they
// are corrected then.
func (g *groupSums) finish(w *sqlPlan, passes []columnPass) (out [][]compressed.Cell, again bool, err error) {
	bound := g.bound(w)
	for _, cells := range g.folds {
		total := newCellSums(len(passes))
		for _, c := range cells {
			total.plus(c)
		}
		if total.n == 0 {
			out = append(out, nil)
			continue
		}
		constant, noise, far, err := total.check(w, passes, bound, len(g.folds) == 1)
		switch {
		case err != nil:
			return nil, false, err
		case far:
			for j := range passes {
				if !passes[j].exact {
					passes[j].shift += total.d[j].value() / total.w.value()
				}
			}
			return nil, true, nil
		}
		var sums []compressed.Cell
		for _, cell := range slices.Sorted(maps.Keys(cells)) {
			c := cells[cell]
			if c.n == 0 {
				continue
			}
			for j := range passes {
				if constant[j] {
					c.setConstant(j, total.d[j].value()/total.w.value())
				}
			}
			of := c.sums(passes, bound)
			of.RelErr += noise
			most := int(w.cells.Most())
			found := compressed.Cell{Sums: compressed.SumsOf(of), Columns: w.cells.Columns(cell % most)}
			if w.absorbed != nil {
				found.Level = w.absorbed[cell/most]
			}
			sums = append(sums, found)
		}
		out = append(out, sums)
	}
	return out, false, nil
}

// plus adds the sums of another cell.
func (f *cellSums) plus(o *cellSums) {
	f.n += o.n
	f.w.plus(o.w)
	for j := range f.d {
		f.d[j].plus(o.d[j])
		f.noise[j] += o.noise[j]
	}
	for i := range f.p {
		f.p[i].plus(o.p[i])
	}
}

// at is where the product of columns j and k >= j stands.
func (f *cellSums) at(j, k int) int {
	m := len(f.d)
	return j*m - j*(j-1)/2 + k - j
}

// centered is the sum of products of deviations of columns j and k from their means.
func (f *cellSums) centered(j, k int) float64 {
	t := f.p[f.at(j, k)]
	dj, q := f.d[j].value(), f.d[k].value()/f.w.value()
	prod := dj * q
	rest := math.FMA(dj, q, -prod)
	return (t.hi - prod) + (t.lo - rest)
}

// setConstant has all values of a column be at a distance from its shift.
func (f *cellSums) setConstant(j int, off float64) {
	f.d[j] = twofold{hi: off * f.w.value()}
	for k := range f.d {
		f.p[f.at(min(j, k), max(j, k))] = twofold{}
	}
}

// check looks at the sums of all rows, which columns are constant, and what the errors of the response take from its
// sums. far says that the shift of a column takes too many of its digits, where that can be mended.
func (f *cellSums) check(w *sqlPlan, passes []columnPass, bound float64, mend bool) (constant []bool, response float64, far bool, err error) {
	constant = make([]bool, len(passes))
	for j, pass := range passes {
		gross, net := f.p[f.at(j, j)].value(), f.centered(j, j)
		err := bound
		if pass.exact {
			err = unit
		}
		if gross == 0 || net <= 4*err*gross { // constant in these rows
			constant[j] = true
			far = far || !pass.exact && mend && gross > 0
			continue
		}
		if ratio := gross / net; !pass.exact && ratio > 4 && mend {
			far = true
		} else if 2*err*ratio >= 0.1 {
			return nil, 0, false, refuse("the sums of %s have lost all their digits", w.names[j])
		}
		noise := unit * math.Sqrt(f.noise[j]/net)
		if !(noise < 0.05) {
			return nil, 0, false, refuse("the values of %s have lost all their digits", w.names[j])
		}
		if j == len(passes)-1 {
			response = noise * (2 + noise)
		}
	}
	return constant, response, far, nil
}

// sums centers the sums. A product is wrong by bound of its size about the shifts, and so is a sum of deviations, which the
// correction takes as far as the mean is from the shift; a column of whole numbers is not.
func (f *cellSums) sums(passes []columnPass, bound float64) *compressed.Sums {
	m := len(passes)
	s := &compressed.Sums{N: f.n, W: f.w.value(), LogW: f.logW.value(), S: make([]float64, m*m), Gross: make([]float64, m), Lost: make([]float64, m-1), RelErr: 4 * unit}
	for j, pass := range passes {
		mean, low := added(pass.shift, f.d[j].value()/s.W)
		s.Mean, s.Low = append(s.Mean, mean), append(s.Low, low)
		if s.Gross[j] = f.p[f.at(j, j)].value(); s.Gross[j] > 0 {
			err := bound
			if pass.exact {
				err = unit
			}
			far := math.Abs(f.d[j].value()) / math.Sqrt(s.W*s.Gross[j])
			s.RelErr = math.Max(s.RelErr, 4*unit+err*(1+2*math.Min(1, far)))
		}
		if j < m-1 {
			s.Lost[j] = unit * math.Sqrt(f.noise[j])
		}
		for k := j; k < m; k++ {
			s.S[j*m+k] = f.centered(j, k)
		}
	}
	return s
}
