package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// blockSummary computes Summarise block after block: for every group and every call of a
// summary function in the expressions it keeps a few sums. In the end there is a frame
// with a row for every group, on which the rest of the expressions is computed.
type blockSummary struct {
	fields []table.Field
	keys   []definition
	wanted []definition
	calls  []*summaryCall
	most   int // groups

	ints map[string]bool // whether Float columns of fields are of integers in a frame of the rows

	index  map[string]int
	values []*column // of the keys, a row for every group
	first  []int     // rows of the table, for messages
}

// summaryCall is a call such as mean(x, na.rm = TRUE), and its sums by group.
type summaryCall struct {
	text string
	fn   string
	call *call
	arg  node // nil for n()
	src  string
	drop bool
	typ  series.Type

	decimal bool // the values may be other than whole
	groups  []groupSums
}

// groupSums are the sums of a group.
type groupSums struct {
	n, gaps       float64 // values, and missing ones
	mean, meanLow float64 // a pair, since a mean far from zero, rounded, would take the digits of the deviations
	ss            float64 // squares of deviations from the mean
	sum           runningSum
	best, bestLow float64 // the least or largest number
	bestText      string
	yes, no       float64 // numbers that are not 0, and those that are
	distinct      map[string]bool
}

func summariseBlocks(keys, summaries []string, fields []table.Field, limits table.Limits) (table.Summary, error) {
	s := &blockSummary{fields: fields, most: limits.Levels, ints: make(map[string]bool), index: make(map[string]int)}
	if len(summaries) == 0 {
		return nil, errorf(ErrSetting, "no summary is given; a summary is for example \"mean(x)\"")
	}
	e := onFields(fields)
	for _, key := range keys {
		x := columnExpression(key)
		d := definition{name: key, src: x.src, n: x.n}
		if !slices.ContainsFunc(fields, func(f table.Field) bool { return f.Name == key }) {
			var err error
			if d, err = parseDefinition(key); err != nil {
				return nil, err
			}
		}
		if err := (checker{d.src, ofBlocks}).comparable(d.n); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(s.keys, func(other definition) bool { return other.name == d.name }) {
			return nil, errorf(ErrSetting, "the key %q is given twice", d.name)
		}
		typ, err := e.in(d.src).kind(d.n)
		if err != nil {
			return nil, err
		}
		s.keys = append(s.keys, d)
		s.values = append(s.values, blank(typ, 0))
	}
	for _, src := range summaries {
		d, err := parseDefinition(src)
		if err != nil {
			return nil, err
		}
		if err := (checker{d.src, ofFrame}).comparable(d.n); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(append(slices.Clone(s.keys), s.wanted...), func(other definition) bool { return other.name == d.name }) {
			return nil, errorf(ErrSetting, "two columns of the result are named %q; name one: \"other = %s\"", d.name, label(d.n))
		}
		if d.n, err = s.takeCalls(e, d); err != nil {
			return nil, err
		}
		s.wanted = append(s.wanted, d)
	}
	return s, nil
}

// takeCalls replaces the calls of summary functions by the names of columns that will have
// their values.
func (s *blockSummary) takeCalls(e *evaluator, d definition) (node, error) {
	var err error
	n := withoutCalls(d.n, func(c *call) node {
		if valueFunctions[c.fn].order {
			err = oneForEveryRow(d.src, c)
			return c
		}
		f, ok := summaryFunctions[c.fn]
		if !ok {
			return nil
		}
		text := label(c)
		if !slices.ContainsFunc(s.calls, func(other *summaryCall) bool { return other.text == text }) {
			call, wrong := newSummaryCall(e.in(d.src), c, f)
			if wrong != nil {
				err = wrong
				return c
			}
			s.calls = append(s.calls, call)
		}
		return &name{c.span, text}
	})
	if err != nil {
		return nil, err
	}
	walkColumns(n, func(col *name) {
		known := slices.ContainsFunc(s.keys, func(k definition) bool { return k.name == col.name }) ||
			slices.ContainsFunc(s.calls, func(c *summaryCall) bool { return c.text == col.name }) || e.constantName(col) != nil
		if !known && err == nil {
			if _, err = e.in(d.src).column(col); err == nil {
				err = formulaErrorf(ErrSetting, d.src, col, "column %q is not summarised; write for example mean(%s)", col.name, nameText(col.name))
			}
		}
	})
	return n, err
}

// withoutCalls returns an expression with calls replaced, nil leaving one as it is.
func withoutCalls(n node, by func(*call) node) node {
	if c, ok := n.(*call); ok {
		if to := by(c); to != nil {
			return to
		}
	}
	return withOperands(n, func(x node) node { return withoutCalls(x, by) })
}

// streamedSummaries are those that one pass over rows in any blocks finds.
var streamedSummaries = []string{"n", "mean", "sum", "sd", "var", "min", "max", "any", "all", "n_distinct"}

func newSummaryCall(e *evaluator, c *call, f summaryFunction) (*summaryCall, error) {
	if !slices.Contains(streamedSummaries, c.fn) {
		return nil, formulaErrorf(ErrSetting, e.src, c, "%s needs all values of a group at once; of a source there are %s", c.fn, strings.Join(streamedSummaries, ", "))
	}
	out := &summaryCall{text: label(c), fn: c.fn, call: c, src: e.src}
	var err error
	if out.typ, err = e.kindOfSummary(c, f); err != nil || len(f.params) == 0 {
		return out, err
	}
	o, err := matchArgs(e.src, c, f.params)
	if err != nil {
		return nil, err
	}
	out.arg = o.args["x"]
	if out.drop, err = o.boolean("na.rm"); err != nil {
		return nil, err
	}
	if f.of != nil {
		_, err = e.number(out.arg)
	}
	return out, err
}

// Columns returns the columns that are read.
func (s *blockSummary) Columns() []string {
	var exprs []expression
	for _, k := range s.keys {
		exprs = append(exprs, expression{k.src, k.n})
	}
	for _, c := range s.calls {
		if c.arg != nil {
			exprs = append(exprs, expression{c.src, c.arg})
		}
	}
	return inTable(exprs, s.fields)
}

// Add adds the rows of a block.
func (s *blockSummary) Add(b *table.Block) error {
	for _, c := range b.Columns {
		if c.Type == series.Float {
			ints, known := s.ints[c.Name]
			s.ints[c.Name] = c.Ints && (ints || !known)
		}
	}
	if b.N == 0 {
		return nil
	}
	for _, f := range s.fields {
		if c := b.Column(f.Name); c != nil && c.Type != f.Type {
			return fmt.Errorf("frames: column %q is of %s in the rows, and of %s in the table: %w", f.Name, c.Type, f.Type, table.ErrTypes)
		}
	}
	e := onBlock(b)
	groups, err := s.groupsOf(e)
	if err != nil {
		return err
	}
	for _, c := range s.calls {
		if err := c.add(e, groups, len(s.first)); err != nil {
			return err
		}
	}
	return nil
}

// groupsOf returns the number of the group of every row; new groups get new ones.
func (s *blockSummary) groupsOf(e *evaluator) ([]int, error) {
	n := e.height()
	keys := make([]*column, len(s.keys))
	for k, d := range s.keys {
		v, err := e.in(d.src).evaluate(d.n)
		if err != nil {
			return nil, err
		}
		keys[k] = e.spread(v)
	}
	groups := make([]int, n)
	var key []byte
	last := -1
	for i := range n {
		if i > 0 && slices.IndexFunc(keys, func(c *column) bool { return !equalRows(c, i, i-1) }) < 0 {
			groups[i] = last
			continue
		}
		key = key[:0]
		for _, c := range keys {
			switch {
			case c.missing[i]:
				key = append(key, 'm')
			case c.typ == series.String:
				key = fmt.Appendf(key, "t%d:%s", len(c.text[i]), c.text[i])
			default:
				num, low := c.value(i)
				if key = fmt.Appendf(key, "n%x,", math.Float64bits(num+0)); low != 0 {
					key = fmt.Appendf(key, "l%x,", math.Float64bits(low))
				}
			}
		}
		id, ok := s.index[string(key)]
		if !ok {
			id = len(s.first)
			if id == s.most {
				return nil, errorf(ErrLevel, "there are more than %d groups, such as that of row %d; group by fewer values", s.most, e.number1(i))
			}
			s.index[string(key)] = id
			s.first = append(s.first, e.number1(i))
			for k, c := range keys {
				to := s.values[k]
				to.whole = c.isWhole() && (id == 0 || to.whole)
				to.missing = append(to.missing, c.missing[i])
				if to.typ == series.String {
					to.text = append(to.text, strings.Clone(c.text[i]))
				} else {
					num, low := c.value(i)
					to.num = append(to.num, 0)
					if to.low != nil {
						to.low = append(to.low, 0)
					}
					to.set(len(to.num)-1, num, low)
				}
			}
		}
		groups[i], last = id, id
	}
	return groups, nil
}

func equalRows(c *column, i, j int) bool {
	switch {
	case c.missing[i] || c.missing[j]:
		return c.missing[i] && c.missing[j]
	case c.typ == series.String:
		return c.text[i] == c.text[j]
	}
	return c.num[i] == c.num[j] && (c.low == nil || c.low[i] == c.low[j])
}

// add adds the values of a block, which has rows of n groups so far.
func (c *summaryCall) add(e *evaluator, groups []int, n int) error {
	c.groups = append(c.groups, make([]groupSums, n-len(c.groups))...)
	if c.arg == nil {
		for _, g := range groups {
			c.groups[g].n++
		}
		return nil
	}
	e = e.in(c.src)
	compute := e.number
	if c.fn == "min" || c.fn == "max" || c.fn == "n_distinct" {
		compute = e.evaluate
	}
	v, err := compute(c.arg)
	if err != nil {
		return err
	}
	v = e.spread(v)
	c.decimal = c.decimal || !v.isWhole()
	for i, k := range groups {
		g := &c.groups[k]
		if v.missing[i] {
			g.gaps++
			continue
		}
		g.n++
		switch {
		case c.fn == "n_distinct":
			if g.distinct == nil {
				g.distinct = make(map[string]bool)
			}
			if text := v.at(i); !g.distinct[text] {
				g.distinct[strings.Clone(text)] = true
			}
		case v.typ == series.String:
			if less := v.text[i] < g.bestText; g.n == 1 || less == (c.fn == "min") && v.text[i] != g.bestText {
				g.bestText = strings.Clone(v.text[i])
			}
		default:
			x, low := v.value(i)
			g.add(x, low, c.fn)
		}
	}
	return nil
}

// add adds a number for the summary fn. Means and sums of squares follow Welford (1962,
// Technometrics 4:419); sums are compensated as those of frames are.
func (g *groupSums) add(x, low float64, fn string) {
	delta := (x - g.mean) + (low - g.meanLow)
	step := g.meanLow + delta/g.n
	mean := g.mean + step
	part := mean - g.mean
	g.mean, g.meanLow = mean, (g.mean-(mean-part))+(step-part)
	g.ss += delta * ((x - g.mean) + (low - g.meanLow))
	g.sum.add(x, low)
	if sign := table.Compare(x, low, g.best, g.bestLow); g.n == 1 || fn == "min" && sign < 0 || fn == "max" && sign > 0 && x == x {
		g.best, g.bestLow = x, low
	}
	if x != 0 {
		g.yes++
	} else {
		g.no++
	}
}

// result returns the values by group.
func (c *summaryCall) result() *column {
	out := blank(c.typ, len(c.groups))
	out.whole = !c.decimal && slices.Contains([]string{"sum", "min", "max"}, c.fn)
	for k := range c.groups {
		g := &c.groups[k]
		gaps := g.gaps > 0 && !c.drop
		switch c.fn {
		case "n":
			out.num[k] = g.n
			continue
		case "n_distinct":
			out.num[k] = float64(len(g.distinct)) + indicator(gaps)
			continue
		case "any":
			out.num[k], out.missing[k] = indicator(g.yes > 0), gaps && g.yes == 0
			continue
		case "all":
			out.num[k], out.missing[k] = indicator(g.no == 0), gaps && g.no == 0
			continue
		case "sum":
			num, low := g.sum.pair()
			if c.decimal && !g.sum.hasLong || low != math.Trunc(low) {
				low = 0
			}
			out.set(k, num, low)
		case "mean":
			out.num[k] = g.mean
			if total := g.sum.float(); total-total == 0 && g.n > 0 {
				out.num[k] = g.sum.mean(g.n)
			} else if math.IsNaN(g.mean) { // of infinite values
				out.num[k] = total
			}
		case "var":
			out.num[k] = g.ss / (g.n - 1)
		case "sd":
			out.num[k] = math.Sqrt(g.ss / (g.n - 1))
		case "min", "max":
			if c.typ == series.String {
				out.text[k] = g.bestText
			} else {
				out.set(k, g.best, g.bestLow)
			}
		}
		least := float64(summaryFunctions[c.fn].least)
		if c.fn == "min" || c.fn == "max" {
			least = 1
		}
		out.missing[k] = gaps || g.n < least || c.typ != series.String && math.IsNaN(out.num[k])
	}
	if c.fn == "sum" && out.typ == series.Int && out.notInt() >= 0 { // beyond 64 bits
		out.typ = series.Float
	}
	return out
}

// Keys returns the keys.
func (s *blockSummary) Keys() []table.Key {
	out := make([]table.Key, len(s.keys))
	for k, d := range s.keys {
		out[k] = table.Key{Field: table.Field{Name: d.name, Type: s.values[k].typ}, Expr: tree(d.n)}
	}
	return out
}

// Calls returns the summaries.
func (s *blockSummary) Calls() []table.Call {
	e := onFields(s.fields)
	out := make([]table.Call, len(s.calls))
	for k, c := range s.calls {
		out[k].Fn = c.fn
		if c.arg != nil {
			out[k].Expr = tree(c.arg)
			typ, err := e.in(c.src).kind(c.arg)
			out[k].Text = err != nil || typ == series.String
		}
	}
	return out
}

// SetGroups takes the groups of an engine.
func (s *blockSummary) SetGroups(keys []*table.Column, sums [][]table.GroupSums) {
	groups := 0
	if len(sums) > 0 {
		groups = len(sums[0])
	}
	for k, c := range keys {
		groups = len(c.Missing)
		s.values[k].missing, s.values[k].num, s.values[k].low, s.values[k].text = c.Missing, c.Num, c.Low, c.Text
	}
	s.first = make([]int, groups)
	e := onFields(s.fields)
	for k, c := range s.calls {
		if c.arg != nil {
			typ, err := e.in(c.src).kind(c.arg)
			c.decimal = err != nil || typ != series.Int && typ != series.Bool
		}
		c.groups = make([]groupSums, groups)
		for i, v := range sums[k] {
			c.groups[i] = groupSums{n: float64(v.N), gaps: float64(v.Missing), mean: v.Mean, ss: v.Squares, sum: runningSum{sum: v.Sum, low: v.SumLow}, best: v.Least}
			if c.fn == "max" {
				c.groups[i].best = v.Largest
			}
		}
	}
}

// types gives keys and calls the types that they have in a frame, in which a column of a file
// of which all numbers are integers is of integers.
func (s *blockSummary) types() error {
	fields := slices.Clone(s.fields)
	for k, f := range fields {
		if s.ints[f.Name] {
			fields[k].Type = series.Int
		}
	}
	e := onFields(fields)
	var err error
	for k, d := range s.keys {
		if s.values[k].typ, err = e.in(d.src).kind(d.n); err != nil {
			return err
		}
	}
	for _, c := range s.calls {
		if c.typ, err = e.in(c.src).kindOfSummary(c.call, summaryFunctions[c.fn]); err != nil {
			return err
		}
	}
	return nil
}

// Result returns the frame of the groups, sorted by their keys.
func (s *blockSummary) Result() (dataframe.DataFrame, error) {
	groups := len(s.first)
	if groups == 0 {
		return dataframe.DataFrame{}, errorf(ErrNoRows, "there are no rows")
	}
	if err := s.types(); err != nil {
		return dataframe.DataFrame{}, err
	}
	b := &table.Block{N: groups}
	add := func(name string, c *column) {
		col := &table.Column{Field: table.Field{Name: name, Type: c.typ}, Num: c.num, Low: c.low, Whole: c.whole, Text: c.text, Missing: c.missing}
		if c.typ == series.String {
			c.notDates = false
			_, col.Dates = c.dates()
		}
		for i, m := range c.missing {
			if m {
				col.Count++
				if c.num != nil {
					c.num[i] = math.NaN()
				}
			}
		}
		b.Columns = append(b.Columns, col)
	}
	for k, d := range s.keys {
		add(d.name, s.values[k])
	}
	for _, c := range s.calls {
		add(c.text, c.result())
	}
	e := onBlock(b)
	var all []series.Series
	for k, d := range s.keys {
		if err := s.values[k].stored(); err != nil {
			return dataframe.DataFrame{}, err
		}
		all = append(all, s.values[k].series(d.name))
	}
	for _, d := range s.wanted {
		v, err := e.in(d.src).evaluate(d.n)
		if err != nil {
			return dataframe.DataFrame{}, err
		}
		v = e.spread(v)
		if err := v.stored(); err != nil {
			return dataframe.DataFrame{}, err
		}
		all = append(all, v.series(d.name))
	}
	df := dataframe.New(all...)
	if df.Err != nil || len(s.keys) == 0 {
		return df, df.Err
	}
	order := make([]string, len(s.keys))
	for k, d := range s.keys {
		order[k] = nameText(d.name)
	}
	return Sort(df, order...)
}
