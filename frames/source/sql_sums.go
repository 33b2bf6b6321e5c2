package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
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

// sums computes sums by two passes in one session: counts, means and ranges of the
// columns, then the products of deviations from the means. Rows are put into blocks by
// a hash, so that no sum is of many terms, and blocks are added up here to twice the
// digits.
func (e *sqlEngine) sums(ctx context.Context, q query, p *table.Plan, f *folding) ([]mlreg.Sums, table.Counts, string, error) {
	var counts table.Counts
	w, err := e.write(ctx, q, p)
	if err != nil {
		return nil, counts, "", err
	}
	var sums []mlreg.Sums
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

func (w *sqlPlan) sums(ctx context.Context, s *session, f *folding) ([]mlreg.Sums, table.Counts, string, error) {
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
		return make([]mlreg.Sums, folds), counts, stamp, nil
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
	for from := 0; from < len(w.columns); from += step {
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
	folds []foldSums
	most  int // rows of the largest block
}

type foldSums struct {
	rows    int     // rows
	n       int     // of positive weight
	w, logW twofold // weights
	d       []twofold
	p       []twofold // upper triangle by rows
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

// grouping deals rows to folds, and those to blocks.
type grouping struct {
	folds, blocks int
	key           []binding // the number of the block; nil if there is one
}

// grouping writes how n rows are dealt, of which so many sums are wanted.
func (w *sqlPlan) grouping(n, sums int, f *folding) (by grouping, err error) {
	d := w.e.d
	if by.folds = 1; f != nil {
		by.folds = f.k
	}
	by.blocks = min(1024, n/blockSize+1, max(16, blockValues/(sums*by.folds)))
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
	into func(f *foldSums, x float64)
}

// sumTargets writes the sums of weights, and of deviations by their names and their products.
func (w *sqlPlan) sumTargets(names []string) (targets []sumTarget) {
	times := ""
	if w.weight != "" {
		weight := w.prefix + "w"
		times = weight + " * "
		targets = append(targets,
			sumTarget{"sum(" + weight + ")", func(f *foldSums, x float64) { f.w.add(x) }},
			sumTarget{"sum(CASE WHEN " + weight + " > 0 THEN 1 ELSE 0 END)", func(f *foldSums, x float64) { f.n += int(x) }},
			sumTarget{"sum(" + w.e.d.Ln + "(CASE WHEN " + weight + " > 0 THEN " + weight + " ELSE " + w.e.d.number(1) + " END))", func(f *foldSums, x float64) { f.logW.add(x) }})
	}
	for j := range names {
		targets = append(targets, sumTarget{"sum(" + times + names[j] + ")", func(f *foldSums, x float64) { f.d[j].add(x) }})
	}
	at := 0
	for j := range names {
		for k := j; k < len(names); k++ {
			place := at
			targets = append(targets, sumTarget{"sum(" + times + names[j] + " * " + names[k] + ")", func(f *foldSums, x float64) { f.p[place].add(x) }})
			at++
		}
	}
	return targets
}

// products computes the second pass.
func (w *sqlPlan) products(ctx context.Context, s *session, passes []columnPass, n int, f *folding) (*groupSums, error) {
	m := len(w.columns)
	by, err := w.grouping(n, m*(m+1)/2+m, f)
	if err != nil {
		return nil, err
	}
	g := &groupSums{by: by, folds: make([]foldSums, by.folds)}
	for k := range g.folds {
		g.folds[k].d, g.folds[k].p = make([]twofold, m), make([]twofold, m*(m+1)/2)
	}
	plan := *w
	var items []binding
	key, group := "0", ""
	if by.key != nil {
		plan.bindings = append(append([]binding(nil), w.bindings...), by.key...)
		key, group = w.prefix+"k", w.prefix+"k"
		items = append(items, binding{key, by.key[0].name})
	}
	names := make([]string, m)
	for j, x := range w.columns {
		names[j] = fmt.Sprintf("%sd%d", w.prefix, j)
		items = append(items, binding{names[j], "(" + x + " - " + w.e.d.number(passes[j].shift) + ")"})
	}
	if w.weight != "" {
		items = append(items, binding{w.prefix + "w", w.weight})
	}
	counted := false // the rows of blocks
	for part := range slices.Chunk(w.sumTargets(names), w.e.d.MaxTargets-2) {
		list := []string{key, "count(*)"}
		for _, t := range part {
			list = append(list, t.sql)
		}
		rows := 0
		err := s.each(ctx, plan.from(items, list, group), len(list), func(row []driver.Value) error {
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

// addBlock adds the sums of a block, and its rows if they are to be counted, and returns how many it has.
func (w *sqlPlan) addBlock(g *groupSums, row []driver.Value, targets []sumTarget, counting bool) (int, error) {
	number, _ := numberOf(row[0])
	rows, _ := numberOf(row[1])
	fold := int(number) / g.by.blocks
	if fold < 0 || fold >= g.by.folds {
		return 0, errorf(ErrSource, "%v: a group is %v", w.e, row[0])
	}
	g.most = max(g.most, int(rows))
	f := &g.folds[fold]
	if counting {
		f.rows += int(rows)
		if w.weight == "" {
			f.n += int(rows)
			f.w.add(rows)
		}
	}
	if rows == 0 { // the group of no rows at all
		return 0, nil
	}
	for i, t := range targets {
		x, ok := numberOf(row[2+i])
		if !ok || x-x != 0 {
			return 0, errorf(frames.ErrNotFinite, "a sum of squares or products of the columns of %v is %v; rescale them", w.e, row[2+i])
		}
		t.into(f, x)
	}
	return int(rows), nil
}

// unit is half the distance from 1 to the next float64.
const unit = 1.0 / (1 << 53)

// finish centers the sums. again says that the shifts were too far from the means; they
// are corrected then.
func (g *groupSums) finish(w *sqlPlan, passes []columnPass) (out []mlreg.Sums, again bool, err error) {
	// A deviation, its product with another and with a weight are each rounded once, and a
	// sum of k terms k - 1 times.
	bound := float64(g.most+4) * unit
	if w.e.compensated { // a second term is of order k^2 unit^2
		k := float64(g.most) * unit
		bound = 8*unit + k*k
	}
	for k := range g.folds {
		f := &g.folds[k]
		if f.n == 0 {
			out = append(out, mlreg.Sums{})
			continue
		}
		s, constant, far, err := f.bounds(w, passes, bound, len(g.folds) == 1)
		switch {
		case err != nil:
			return nil, false, err
		case far:
			for j := range passes {
				if !passes[j].exact {
					passes[j].shift += f.d[j].value() / f.w.value()
				}
			}
			return nil, true, nil
		}
		f.fill(&s, passes, constant)
		out = append(out, s)
	}
	return out, false, nil
}

// centered is the sum of products of deviations of columns j and k from their means.
func (f *foldSums) centered(j, k int) float64 {
	m := len(f.d)
	t := f.p[j*m-j*(j-1)/2+k-j]
	dj, q := f.d[j].value(), f.d[k].value()/f.w.value()
	prod := dj * q
	rest := math.FMA(dj, q, -prod)
	return (t.hi - prod) + (t.lo - rest)
}

// bounds states the error of the sums, which is at most bound of their size about the shifts, and which columns
// are constant. far says that the shift of a column takes too many of its digits, where that can be mended.
func (f *foldSums) bounds(w *sqlPlan, passes []columnPass, bound float64, mend bool) (s mlreg.Sums, constant []bool, far bool, err error) {
	m := len(passes)
	p := m - 1
	s = mlreg.Sums{N: f.n, SumWeights: f.w.value(), SumLogWeights: f.logW.value(), RelErr: 4 * unit}
	constant = make([]bool, m)
	for j := range m {
		gross, net := f.p[j*m-j*(j-1)/2].value(), f.centered(j, j)
		err := bound
		if passes[j].exact {
			err = unit
		}
		if gross == 0 || net <= 4*err*gross { // constant in these rows
			constant[j] = true
			far = far || !passes[j].exact && mend && gross > 0
			continue
		}
		if ratio := gross / net; !passes[j].exact && ratio > 4 && mend {
			far = true
		} else if s.RelErr = math.Max(s.RelErr, 2*err*ratio); s.RelErr >= 0.1 {
			return s, nil, false, refuse("the sums of %s have lost all their digits", w.names[j])
		}
		noise := passes[j].noise / math.Sqrt(net)
		switch {
		case !(noise < 0.05):
			return s, nil, false, refuse("the values of %s have lost all their digits", w.names[j])
		case j < p && noise > 0:
			if s.ErrX == nil {
				s.ErrX = make([]float64, p)
			}
			s.ErrX[j] = passes[j].noise
		}
	}
	if ss := f.centered(p, p); ss > 0 && !constant[p] { // of the response: a part of its sums
		noise := passes[p].noise / math.Sqrt(ss)
		s.RelErr += noise * (2 + noise)
	}
	return s, constant, far, nil
}

// fill fills in means and products. Those of constant columns are 0.
func (f *foldSums) fill(s *mlreg.Sums, passes []columnPass, constant []bool) {
	m := len(passes)
	p := m - 1
	s.MeanX, s.MeanXLow, s.SXY = make([]float64, p), make([]float64, p), make([]float64, p)
	for j := range p {
		s.MeanX[j], s.MeanXLow[j] = added(passes[j].shift, f.d[j].value()/f.w.value())
	}
	s.MeanY, s.MeanYLow = added(passes[p].shift, f.d[p].value()/f.w.value())
	if p > 0 {
		s.SXX = mat.NewSymDense(p, nil)
	}
	for j := range m {
		for k := j; k < m; k++ {
			v := 0.0
			if !constant[j] && !constant[k] {
				v = f.centered(j, k)
			}
			switch {
			case k < p:
				s.SXX.SetSym(j, k, v)
			case j < p:
				s.SXY[j] = v
			default:
				s.SYY = v
			}
		}
	}
}
