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

	n, gaps  []float64 // values, and missing ones
	mean, ss []float64
	meanLow  []float64 // what rounding took from means of numbers beyond 2^53
	sums     []runningSum
	decimal  bool // the values may be other than whole
	best     []float64
	bestLow  []float64
	bestText []string
	yes, no  []float64
	distinct []map[string]bool
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

// grown returns a slice with a zero for every group.
func grown[T any](x []T, n int) []T {
	return append(x, make([]T, n-len(x))...)
}

// add adds the values of a block. Means and sums of squares follow Welford (1962,
// Technometrics 4:419); sums are compensated as those of frames are.
func (c *summaryCall) add(e *evaluator, groups []int, n int) error {
	c.n, c.gaps = grown(c.n, n), grown(c.gaps, n)
	if c.arg == nil {
		for _, g := range groups {
			c.n[g]++
		}
		return nil
	}
	c.mean, c.meanLow, c.ss, c.sums, c.bestLow = grown(c.mean, n), grown(c.meanLow, n), grown(c.ss, n), grown(c.sums, n), grown(c.bestLow, n)
	c.best, c.bestText, c.yes, c.no, c.distinct = grown(c.best, n), grown(c.bestText, n), grown(c.yes, n), grown(c.no, n), grown(c.distinct, n)
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
	for i, g := range groups {
		if v.missing[i] {
			c.gaps[g]++
			continue
		}
		c.n[g]++
		if c.fn == "n_distinct" {
			if c.distinct[g] == nil {
				c.distinct[g] = make(map[string]bool)
			}
			if text := v.at(i); !c.distinct[g][text] {
				c.distinct[g][strings.Clone(text)] = true
			}
			continue
		}
		if v.typ == series.String {
			if less := v.text[i] < c.bestText[g]; c.n[g] == 1 || less == (c.fn == "min") && v.text[i] != c.bestText[g] {
				c.bestText[g] = strings.Clone(v.text[i])
			}
			continue
		}
		x, low := v.value(i)
		c.addMean(g, x, low)
		c.sums[g].add(x, low)
		if sign := table.Compare(x, low, c.best[g], c.bestLow[g]); c.n[g] == 1 || c.fn == "min" && sign < 0 || c.fn == "max" && sign > 0 && x == x {
			c.best[g], c.bestLow[g] = x, low
		}
		if x != 0 {
			c.yes[g]++
		} else {
			c.no[g]++
		}
	}
	return nil
}

// addMean adds a number to the mean and the sum of squares of a group. The mean is a pair, since one far
// from zero, rounded, would take the digits of the deviations.
func (c *summaryCall) addMean(g int, x, low float64) {
	delta := (x - c.mean[g]) + (low - c.meanLow[g])
	step := c.meanLow[g] + delta/c.n[g]
	mean := c.mean[g] + step
	part := mean - c.mean[g]
	c.mean[g], c.meanLow[g] = mean, (c.mean[g]-(mean-part))+(step-part)
	c.ss[g] += delta * ((x - c.mean[g]) + (low - c.meanLow[g]))
}

// result returns the values by group.
func (c *summaryCall) result(groups int) *column {
	out := blank(c.typ, groups)
	out.whole = !c.decimal && slices.Contains([]string{"sum", "min", "max"}, c.fn)
	for g := range groups {
		n := c.n[g]
		gaps := c.gaps[g] > 0 && !c.drop
		switch c.fn {
		case "n":
			out.num[g] = n
			continue
		case "n_distinct":
			out.num[g] = float64(len(c.distinct[g]))
			if gaps {
				out.num[g]++
			}
			continue
		case "any":
			out.num[g], out.missing[g] = indicator(c.yes[g] > 0), gaps && c.yes[g] == 0
			continue
		case "all":
			out.num[g], out.missing[g] = indicator(c.no[g] == 0), gaps && c.no[g] == 0
			continue
		case "sum":
			num, low := c.sums[g].pair()
			if c.decimal && !c.sums[g].hasLong || low != math.Trunc(low) {
				low = 0
			}
			out.set(g, num, low)
		case "mean":
			out.num[g] = c.mean[g]
			if total := c.sums[g].float(); total-total == 0 && n > 0 {
				out.num[g] = c.sums[g].mean(n)
			} else if math.IsNaN(out.num[g]) { // of infinite values
				out.num[g] = total
			}
		case "var":
			out.num[g] = c.ss[g] / (n - 1)
		case "sd":
			out.num[g] = math.Sqrt(c.ss[g] / (n - 1))
		case "min", "max":
			if c.typ == series.String {
				out.text[g] = c.bestText[g]
			} else {
				out.set(g, c.best[g], c.bestLow[g])
			}
		}
		least := float64(summaryFunctions[c.fn].least)
		if c.fn == "min" || c.fn == "max" {
			least = 1
		}
		out.missing[g] = gaps || n < least || c.typ != series.String && math.IsNaN(out.num[g])
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
		c.n, c.gaps = make([]float64, groups), make([]float64, groups)
		c.mean, c.ss, c.best, c.bestLow = make([]float64, groups), make([]float64, groups), make([]float64, groups), make([]float64, groups)
		c.sums = make([]runningSum, groups)
		for g, v := range sums[k] {
			c.n[g], c.gaps[g] = float64(v.N), float64(v.Missing)
			c.mean[g], c.ss[g], c.sums[g] = v.Mean, v.Squares, runningSum{sum: v.Sum, low: v.SumLow}
			if c.best[g] = v.Least; c.fn == "max" {
				c.best[g] = v.Largest
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
		add(c.text, c.result(groups))
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
