package frames

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// summaryFunction is a function such as mean that makes one value of those of
// a group. One of of, rows and pairs is set, or the function is n().
type summaryFunction struct {
	params []string
	// of returns the summary of the values that are not missing, NaN for a missing
	// one, with the constant of the call, such as the level of a quantile. It may
	// reorder x.
	of func(x []float64, p float64) float64
	// pair is of for values of which some are whole numbers beyond 2^53, given as pairs; nil
	// if of is taken of their differences from the first of them.
	pair func(x [][2]float64, p float64) (num, low float64)
	// least is how many values it needs; with fewer, the summary is missing.
	least int
	// row returns the row of the group whose value is the summary.
	row func(c *column, rows []int32) int32
	// pairs is of for two columns.
	pairs func(x, y []float64) float64
	// weights says that the second column has weights: a missing one is not left out.
	weights bool
	typ     series.Type // of the summary; "" is that of the column
}

// summaryFunctions are those of Grouped.Summarise.
var summaryFunctions = map[string]summaryFunction{
	"n":             {typ: series.Int},
	"n_distinct":    {params: []string{"x", "na.rm"}, typ: series.Int},
	"mean":          {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return meanOf(x) }, pair: pairMean, least: 1, typ: series.Float},
	"median":        {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return quantileOf(x, .5) }, pair: pairMedian, least: 1, typ: series.Float},
	"quantile":      {params: []string{"x", "probs", "na.rm"}, of: quantileOf, pair: pairQuantile, least: 1, typ: series.Float},
	"IQR":           {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return quantileOf(x, .75) - quantileOf(x, .25) }, least: 1, typ: series.Float},
	"mad":           {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return madOf(x) }, least: 1, typ: series.Float},
	"sd":            {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return math.Sqrt(varianceOf(x)) }, least: 2, typ: series.Float},
	"var":           {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return varianceOf(x) }, least: 2, typ: series.Float},
	"sum":           {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return sumOf(x) }, pair: pairSum},
	"any":           {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return indicator(slices.ContainsFunc(x, isTrue)) }, typ: series.Bool},
	"all":           {params: []string{"x", "na.rm"}, of: func(x []float64, _ float64) float64 { return indicator(!slices.Contains(x, 0)) }, typ: series.Bool},
	"min":           {params: []string{"x", "na.rm"}, row: extreme(-1)},
	"max":           {params: []string{"x", "na.rm"}, row: extreme(1)},
	"first":         {params: []string{"x", "na.rm"}, row: func(_ *column, rows []int32) int32 { return rows[0] }},
	"last":          {params: []string{"x", "na.rm"}, row: func(_ *column, rows []int32) int32 { return rows[len(rows)-1] }},
	"cor":           {params: []string{"x", "y", "na.rm"}, pairs: correlationOf, least: 2, typ: series.Float},
	"weighted.mean": {params: []string{"x", "w", "na.rm"}, pairs: weightedMeanOf, weights: true, least: 1, typ: series.Float},
}

// summary checks a call such as mean(x, na.rm = TRUE).
func (c checker) summary(n *call, f summaryFunction) error {
	if len(f.params) == 0 {
		if len(n.args) > 0 {
			return c.fail(n, "n() counts rows and has no arguments; values that are not missing are sum(!is.na(%s))", label(n.args[0].value))
		}
		return nil
	}
	o, err := matchArgs(c.src, n, f.params)
	if err != nil {
		return err
	}
	if _, err := o.boolean("na.rm"); err != nil {
		return err
	}
	if slices.Contains(f.params, "probs") {
		switch p, given, err := o.real("probs"); {
		case err != nil:
			return err
		case !given:
			return c.fail(n, "quantile needs its level: quantile(%s, 0.25)", label(o.args["x"]))
		case p < 0 || p > 1:
			return c.fail(o.args["probs"], "the level of a quantile is between 0 and 1, not %s", label(o.args["probs"]))
		}
	}
	inner := checker{c.src, ofBlocks} // without summaries
	for k, param := range f.params[:len(f.params)-1] {
		at := o.args[param]
		switch {
		case at == nil:
			return c.fail(n, "argument %q is missing: %s", param, usage(n.fn, f.params))
		case param == "probs":
		case k == 0:
			err = inner.comparable(at)
		default:
			err = inner.arithmetic(at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// kindOfSummary returns the type of a summary.
func (e *evaluator) kindOfSummary(n *call, f summaryFunction) (series.Type, error) {
	if f.typ != "" {
		return f.typ, nil
	}
	o, err := matchArgs(e.src, n, f.params)
	if err != nil {
		return "", err
	}
	kind, err := e.ofRows().kind(o.args["x"])
	if f.of != nil && kind == series.Bool { // a count
		kind = series.Int
	}
	return kind, err
}

// ofRows returns the evaluator of all rows, for the values that a summary takes.
func (e *evaluator) ofRows() *evaluator {
	other := e.onRows(nil)
	other.whole, other.keys = true, nil
	return other
}

// summary returns, for every row of the evaluator, the summary of its group.
func (e *evaluator) summary(n *call) (*column, error) {
	g := e.inGroups()
	v := g.cache[n]
	if v == nil {
		var err error
		if v, err = e.summarise(n, g); err != nil {
			return nil, err
		}
		g.cache[n] = v
	}
	c := e.same(v.typ, func(c *column, i int) { c.take(i, v, int(g.ids[e.row(i)])) })
	c.whole = v.whole
	return c, nil
}

// summarise returns the summary of every group.
func (e *evaluator) summarise(n *call, g *grouping) (*column, error) {
	f := summaryFunctions[n.fn]
	typ, err := e.kindOfSummary(n, f)
	if err != nil {
		return nil, err
	}
	out := blank(typ, g.n)
	if len(f.params) == 0 {
		for k := range out.num {
			out.num[k] = float64(len(g.rowsOf(k)))
		}
		return out, nil
	}
	o, err := matchArgs(e.src, n, f.params)
	if err != nil {
		return nil, err
	}
	drop, err := o.boolean("na.rm")
	if err != nil {
		return nil, err
	}
	p, _, err := o.real("probs")
	if err != nil {
		return nil, err
	}
	rows := e.ofRows()
	switch {
	case f.of != nil:
		s, err := rows.sampleOf(o.args["x"], g)
		if err != nil {
			return nil, err
		}
		s.summarise(out, f, p, drop)
		if out.whole = s.whole && f.typ == ""; out.typ == series.Int && out.notInt() >= 0 { // a sum beyond 64 bits
			out.typ = series.Float
		}
	case f.pairs != nil:
		err = rows.summarisePairs(out, f, o, g, drop)
	default:
		var c *column
		if c, err = rows.evaluate(o.args["x"]); err != nil {
			return nil, err
		}
		if f.row == nil {
			countDistinct(out, c, g, drop)
			return out, nil
		}
		pick(out, f, c, g, drop)
		out.whole = c.whole
	}
	return out, err
}

// sample has the values of an expression by group, those that are missing left
// out.
type sample struct {
	values []float64
	low    []float64 // what rounding took from them; nil if nothing
	whole  bool      // they are whole numbers
	starts []int     // where the values of a group start
	gaps   []bool    // whether values of a group are missing
}

// sampleOf computes an expression and sorts its values by group.
func (e *evaluator) sampleOf(n node, g *grouping) (*sample, error) {
	key := label(n)
	if s := g.data[key]; s != nil {
		return s, nil
	}
	c, err := e.number(n)
	if err != nil {
		return nil, err
	}
	s := &sample{values: make([]float64, 0, len(g.ids)), starts: make([]int, g.n+1), gaps: make([]bool, g.n), whole: c.isWhole()}
	if c.complete && c.low == nil {
		s.values, s.starts = s.values[:len(g.ids)], g.starts
		for i, row := range g.order {
			s.values[i] = c.num[row]
		}
		g.data[key] = s
		return s, nil
	}
	for k := range g.n {
		for _, row := range g.rowsOf(k) {
			if c.missing[row] {
				s.gaps[k] = true
				continue
			}
			s.values = append(s.values, c.num[row])
			if c.low != nil {
				s.low = append(s.low, c.low[row])
			}
		}
		s.starts[k+1] = len(s.values)
	}
	g.data[key] = s
	return s, nil
}

// summarise fills out with the summary of every group.
func (s *sample) summarise(out *column, f summaryFunction, p float64, drop bool) {
	var scratch []float64
	for k := range out.num {
		from, to := s.starts[k], s.starts[k+1]
		x := s.values[from:to]
		if s.gaps[k] && !drop && !s.decided(x, f, out.typ) || len(x) < f.least {
			out.missing[k] = true
			continue
		}
		if f.pair != nil && (s.low != nil || f.typ == "" && s.whole && slices.ContainsFunc(x, sumsBeyond(len(x)))) {
			num, low := f.pair(s.pairs(from, to), p)
			out.set(k, num, low)
		} else {
			scratch = s.scratch(scratch[:0], from, to, out.typ)
			out.num[k] = f.of(scratch, p)
		}
		out.missing[k] = math.IsNaN(out.num[k])
	}
}

// sumsBeyond reports whether n numbers of the size of a value may add up to 2^53.
func sumsBeyond(n int) func(v float64) bool {
	return func(v float64) bool { return math.Abs(v)*float64(n) >= table.Exact }
}

// pairs returns values as pairs.
func (s *sample) pairs(from, to int) [][2]float64 {
	x := make([][2]float64, 0, to-from)
	for i := from; i < to; i++ {
		x = append(x, [2]float64{s.values[i]})
		if s.low != nil {
			x[i-from][1] = s.low[i]
		}
	}
	return x
}

// scratch appends values that a summary may reorder. Of whole numbers beyond 2^53 they are
// differences from the first value, of which deviations and ranges are those of the numbers.
func (s *sample) scratch(x []float64, from, to int, typ series.Type) []float64 {
	x = append(x, s.values[from:to]...)
	if s.low != nil && typ != series.Bool {
		for i := range x {
			x[i] = (s.values[from+i] - s.values[from]) + (s.low[from+i] - s.low[from])
		}
	}
	return x
}

func pairSum(x [][2]float64, _ float64) (num, low float64) {
	t := sumPairs(x)
	return t.pair()
}

func sumPairs(x [][2]float64) (t runningSum) {
	for _, v := range x {
		t.add(v[0], v[1])
	}
	return t
}

func pairMean(x [][2]float64, _ float64) (num, low float64) {
	t := sumPairs(x)
	return t.mean(float64(len(x))), 0
}

func pairMedian(x [][2]float64, _ float64) (num, low float64) { return pairQuantile(x, .5) }

// pairQuantile is quantileOf: a whole number if the quantile is one of the values, or the
// mean of two integers whose sum is even.
func pairQuantile(x [][2]float64, p float64) (num, low float64) {
	slices.SortFunc(x, func(a, b [2]float64) int { return table.Compare(a[0], a[1], b[0], b[1]) })
	h := float64(len(x)-1) * p
	k := int(h)
	a := x[k]
	if k+1 >= len(x) || h == float64(k) {
		return a[0], a[1]
	}
	b, part := x[k+1], h-float64(k)
	i, isA := table.Int(a[0], a[1])
	j, isB := table.Int(b[0], b[1])
	if rest := i%2 + j%2; isA && isB && part == .5 && rest%2 == 0 {
		return table.SplitInt(int64(i/2 + j/2 + rest/2))
	}
	return a[0] + (a[1] + part*((b[0]-a[0])+(b[1]-a[1]))), 0
}

// decided reports whether any or all does not depend on what is missing.
func (s *sample) decided(x []float64, f summaryFunction, typ series.Type) bool {
	return typ == series.Bool && (f.of(x, 0) != f.of(nil, 0))
}

// summarisePairs fills out with a summary of two columns.
func (e *evaluator) summarisePairs(out *column, f summaryFunction, o *options, g *grouping, drop bool) error {
	a, err := e.number(o.args[f.params[0]])
	if err != nil {
		return err
	}
	b, err := e.number(o.args[f.params[1]])
	if err != nil {
		return err
	}
	var x, y []float64
	for k := range out.num {
		x, y = x[:0], y[:0]
		first := -1
		for _, row := range g.rowsOf(k) {
			if a.missing[row] || b.missing[row] {
				if left := drop && (a.missing[row] || !f.weights); !left {
					out.missing[k] = true
				}
				continue
			}
			if first < 0 {
				first = int(row)
			}
			x = append(x, a.since(first, int(row)))
			if f.weights {
				y = append(y, b.num[row])
			} else {
				y = append(y, b.since(first, int(row)))
			}
		}
		if out.missing[k] = out.missing[k] || len(x) < f.least; !out.missing[k] {
			if out.num[k] = f.pairs(x, y); f.weights && a.low != nil {
				out.num[k] += a.num[first]
			}
			out.missing[k] = math.IsNaN(out.num[k])
		}
	}
	return nil
}

// countDistinct fills out with the number of distinct values; those that are
// missing count as one, unless they are dropped.
func countDistinct(out, c *column, g *grouping, drop bool) {
	n := c.numbered(false)
	seen := make([]int32, n.n+1) // by value, 1 + the last group that has it; missing values are last
	for k := range out.num {
		for _, row := range g.rowsOf(k) {
			id := n.ids[row]
			if id < 0 {
				if id = int32(n.n); drop {
					continue
				}
			}
			if seen[id] != int32(k+1) {
				seen[id] = int32(k + 1)
				out.num[k]++
			}
		}
	}
}

// pick fills out with the value of one row of every group.
func pick(out *column, f summaryFunction, c *column, g *grouping, drop bool) {
	var present []int32
	for k := range out.missing {
		rows := g.rowsOf(k)
		if drop {
			present = present[:0]
			for _, row := range rows {
				if !c.missing[row] {
					present = append(present, row)
				}
			}
			rows = present
		}
		if len(rows) == 0 {
			out.missing[k] = true
			continue
		}
		out.take(k, c, int(f.row(c, rows)))
	}
}

// extreme returns the row of the smallest (-1) or largest (1) value, or the
// first row in which it is missing.
func extreme(sign int) func(c *column, rows []int32) int32 {
	return func(c *column, rows []int32) int32 {
		best := rows[0]
		for _, row := range rows {
			switch {
			case c.missing[row]:
				return row
			case c.typ == series.String && strings.Compare(c.text[row], c.text[best]) == sign,
				c.typ != series.String && (sign < 0 && c.num[row] < c.num[best] || sign > 0 && c.num[row] > c.num[best]),
				c.low != nil && c.compare(int(row), int(best)) == sign:
				best = row
			}
		}
		return best
	}
}

// since returns the number of a row, or its difference from that of the first row in a
// column that has whole numbers beyond 2^53.
func (c *column) since(first, row int) float64 {
	if c.low == nil {
		return c.num[row]
	}
	return (c.num[row] - c.num[first]) + (c.low[row] - c.low[first])
}

func isTrue(v float64) bool { return v != 0 }

// sumOf sums with Neumaier's compensation (1974, ZAMM 54:39-51).
func sumOf(x []float64) float64 {
	var t runningSum
	for _, v := range x {
		t.addFloat(v)
	}
	return t.float()
}

// meanOf corrects the mean by the mean of what is left, as R does.
func meanOf(x []float64) float64 {
	n := float64(len(x))
	var sum, rest float64
	for _, v := range x {
		sum += v / n
	}
	for _, v := range x {
		rest += v - sum
	}
	if math.IsNaN(rest) || math.IsInf(rest, 0) {
		return sum
	}
	return sum + rest/n
}

// varianceOf is sum (x - mean)^2 / (n-1).
func varianceOf(x []float64) float64 {
	mean := meanOf(x)
	var ss, drift float64
	for _, v := range x {
		ss += (v - mean) * (v - mean)
		drift += v - mean
	}
	n := float64(len(x))
	return math.Max(0, ss-drift*drift/n) / (n - 1)
}

// quantileOf is mlreg.SampleQuantile of values in any order, which it reorders.
func quantileOf(x []float64, p float64) float64 {
	h := float64(len(x)-1) * p
	k := int(h)
	selectSmallest(x, k)
	if k+1 >= len(x) {
		return x[k]
	}
	return mlreg.SampleQuantile([]float64{x[k], slices.Min(x[k+1:])}, h-float64(k))
}

// madOf is the median of |x - median| times 1.4826, R's mad.
func madOf(x []float64) float64 {
	center := quantileOf(x, .5)
	for i, v := range x {
		x[i] = math.Abs(v - center)
	}
	return 1.4826 * quantileOf(x, .5)
}

// selectSmallest puts the k-th smallest of x, counted from 0, at its place, none
// larger before it and none smaller after it: Hoare's quickselect with the
// median of three.
func selectSmallest(x []float64, k int) {
	low, high := 0, len(x)-1
	for high-low > 12 {
		a, b, c := x[low], x[low+(high-low)/2], x[high]
		pivot := max(min(a, b), min(max(a, b), c))
		i, j := low, high
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return
		}
	}
	slices.Sort(x[low : high+1])
}

// correlationOf is Pearson's correlation, NaN if a column is constant.
func correlationOf(x, y []float64) float64 {
	a, b := meanOf(x), meanOf(y)
	var xx, xy, yy float64
	for i, v := range x {
		xx += (v - a) * (v - a)
		xy += (v - a) * (y[i] - b)
		yy += (y[i] - b) * (y[i] - b)
	}
	if xx == 0 || yy == 0 {
		return math.NaN()
	}
	return max(-1, min(1, xy/math.Sqrt(xx)/math.Sqrt(yy)))
}

func weightedMeanOf(x, w []float64) float64 {
	total := sumOf(w)
	parts := make([]float64, len(x))
	for i, v := range x {
		parts[i] = v * (w[i] / total)
	}
	return sumOf(parts)
}
