package frames

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// This file learns the constants of a formula from blocks of rows: of a file or a
// database that package frames/source reads. The rows of a block are computed by the
// same evaluator as those of a frame.

func init() {
	table.Frames.Compile = func(formula string, fields []table.Field, settings any, limits table.Limits) (table.Learner, error) {
		s, _ := settings.(*DesignSettings)
		return newLearner(formula, fields, s, limits)
	}
	table.Frames.Recode = recode
	table.Frames.Where = whereBlocks
	table.Frames.Predict = predictBlocks
	table.Frames.Summarise = summariseBlocks
	table.Frames.WriteCSV = func(w io.Writer, fields []table.Field, point []bool, settings any) (func(*table.Block) error, error) {
		s, _ := settings.(*WriteCSVSettings)
		return writeBlocks(w, fields, point, s)
	}
	table.Frames.Frame = func(b *table.Block) any { return blockFrame(b) }
}

// blockFrame returns a block as a frame.
func blockFrame(b *table.Block) dataframe.DataFrame {
	all := make([]series.Series, len(b.Columns))
	for j, c := range b.Columns {
		from := &column{name: c.Name, typ: c.Type, num: c.Num, low: c.Low, text: c.Text, missing: c.Missing}
		if err := from.stored(); err != nil {
			return dataframe.DataFrame{Err: err}
		}
		all[j] = from.series(c.Name)
	}
	return dataframe.New(all...)
}

// learner learns a formula block after block.
type learner struct {
	model
	fields   []table.Field
	settings DesignSettings
	limits   table.Limits

	needs    []*collected
	pass     int
	passes   int
	since    float64 // the first date; Inf if none
	sinceSet bool    // by SetSince
	anyDays  bool
	counts   table.Counts
	kept     int // rows
}

// collected is what one variable is learned from, block after block.
type collected struct {
	*wanted
	done bool

	distinct distinctValues
	in       [][]float64 // inputs of a basis
	fewest   int         // how many distinct inputs are too few, of a basis whose knots are given
	docs     []string
	moments  *polyMoments // of one input, once it is too long to be kept
	slip     slips
}

func newLearner(formula string, fields []table.Field, settings *DesignSettings, limits table.Limits) (*learner, error) {
	f, err := ParseFormula(formula)
	if err != nil {
		return nil, err
	}
	l := &learner{fields: fields, limits: limits, since: math.Inf(1)}
	if settings != nil {
		l.settings = *settings
	}
	if l.settings.Clusters != "" {
		return nil, errorf(ErrSetting, "a design of a source keeps no clusters; mlreg.OLS.Clustered takes a function that names those of a block")
	}
	if l.model, err = f.on(onFields(fields).names(), &l.settings); err != nil {
		return nil, err
	}
	return l, l.findNeeds()
}

// findNeeds looks up what kind of variable each expression is, and finds text among numbers,
// which is known without rows.
func (l *learner) findNeeds() error {
	e := onFields(l.fields)
	e.whole = false
	if err := l.checkColumns(e); err != nil {
		return err
	}
	if err := numbersIn(e, l.offsets); err != nil {
		return err
	}
	for v := -1; v < len(l.exprs); v++ {
		if err := l.findNeed(e, v); err != nil {
			return err
		}
	}
	l.anyDays = slices.ContainsFunc(l.variables(), func(x expression) bool { return x.usesDays(l.dates) })
	switch {
	case len(l.needs) == 0 && !l.anyDays:
		l.terms.codeFactors()
	case l.anyDays && slices.ContainsFunc(l.needs, func(n *collected) bool { return !n.factor }):
		l.passes = 2 // dates are counted from the first, which the first pass finds
	default:
		l.passes = 1
	}
	return nil
}

// findNeed adds what variable v wants to know of the rows; -1 is the response.
func (l *learner) findNeed(e *evaluator, v int) error {
	if v < 0 {
		if l.response.n == nil {
			return nil
		}
		if _, counts := countsCall(l.response.n); counts {
			return numbersIn(e, l.response.parts())
		}
	}
	n, _, err := l.want(e, v, l.settings.Contrasts)
	switch {
	case err != nil:
		return err
	case n == nil && v < 0:
		return numbersIn(e, []expression{l.response})
	case n == nil:
		return numbersIn(e, l.exprs[v:v+1])
	}
	if !n.factor && basisFunctions[n.fn].fitText == nil {
		_, _, err = n.inputs(e)
	}
	l.needs = append(l.needs, &collected{wanted: n})
	return err
}

// numbersIn returns an error for text where numbers are needed.
func numbersIn(e *evaluator, all []expression) error {
	for _, x := range all {
		if _, err := e.in(x.src).numeric(x.n); err != nil {
			return err
		}
	}
	return nil
}

func (l *learner) dates(col *name) bool {
	k := slices.IndexFunc(l.fields, func(f table.Field) bool { return f.Name == col.name })
	return k >= 0 && l.fields[k].Dates
}

// Columns returns the columns that the formula reads, in the order of the table.
func (l *learner) Columns() []string {
	return inTable(l.used(), l.fields)
}

// Pass reports whether another pass is needed.
func (l *learner) Pass() bool { return l.pass < l.passes }

// blockBuilder returns the builder of a block, its rows selected.
func (l *learner) blockBuilder(block *table.Block) (*builder, error) {
	b := l.builder(onBlock(block))
	b.contrasts, b.learnComplete, b.mayBeNone = l.settings.Contrasts, l.settings.LearnComplete, true
	return b, b.selectRows()
}

// Add learns from a block of the pass.
func (l *learner) Add(block *table.Block) error {
	b, err := l.blockBuilder(block)
	if err != nil {
		return err
	}
	if l.pass == 0 {
		l.counts.Add(countsOf(b.terms))
		l.kept += len(b.eval.rows)
		if l.anyDays && !l.sinceSet {
			l.since = math.Min(l.since, b.firstDate())
		}
	}
	for _, n := range l.needs {
		switch {
		case n.done:
		case n.factor && l.pass == 0:
			err = n.addLevels(b, l.limits.Levels)
		case !n.factor && l.pass == l.passes-1:
			err = n.addValues(b, l.limits.Values)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func countsOf(t *Terms) table.Counts {
	c := table.Counts{N: t.N, Omitted: t.Omitted, Missing: make(map[string]int)}
	for _, m := range t.Missing {
		c.Missing[m.Column] += m.Count
	}
	c.Round(t.Rounded...)
	return c
}

// EndPass takes what the pass found.
func (l *learner) EndPass() error {
	last := l.pass == l.passes-1
	if l.pass == 0 {
		if err := checkCounts(l.counts, l.columns()); err != nil {
			return err
		}
		if !math.IsInf(l.since, 1) && !l.sinceSet {
			l.since = l.setSince(l.since, l.dates)
		}
	}
	for _, n := range l.needs {
		if n.done || !n.factor && !last {
			continue
		}
		if err := l.take(n); err != nil {
			return err
		}
		n.done, n.in, n.docs = true, nil, nil
	}
	if l.pass++; !l.Pass() {
		l.terms.codeFactors()
	}
	return nil
}

// take learns a variable from what was collected.
func (l *learner) take(n *collected) error {
	switch {
	case n.factor:
		e, c := n.standIn(l.kept)
		if err := n.slip.check(e, n.x.n, c); err != nil {
			return err
		}
		return l.takeLevels(n.wanted, e, c)
	case n.moments != nil:
		var err error
		l.terms.Variables[n.v].Basis, err = n.moments.basis(n.fn, n.options)
		return placed(err, n.x)
	}
	return l.takeBasis(n.wanted, n.in, n.docs)
}

// addLevels collects the distinct values of a factor.
func (n *collected) addLevels(b *builder, most int) error {
	e := b.eval.in(n.x.src)
	c, err := e.factorOf(n.x.n)
	if err != nil {
		return err
	}
	if c == nil {
		return nil
	}
	n.slip.add(e, n.x.n, c)
	n.distinct.add(c, b.eval.rows)
	if d := len(n.distinct.kept); d > most {
		return formulaErrorf(ErrLevel, n.x.src, n.x.n, "factor %s has more than %d levels, such as %q in row %d; raise DesignSettings.MaxLevels, or group the levels",
			label(n.x.n), most, n.distinct.column("").at(d-1), e.number1(n.distinct.row))
	}
	return nil
}

// standIn returns a column of the distinct values, and an evaluator whose rows are
// those of values in rows kept, of which there are more if values repeat.
func (n *collected) standIn(kept int) (*evaluator, *column) {
	d := &n.distinct
	c := d.column(label(n.x.n))
	if f, ok := n.x.n.(*call); ok && isFactorCall(f) {
		if o, err := factorArgs(n.x.src, f); err == nil {
			c.name = label(o.args["x"])
		}
	} else if col, ok := stripped(n.x.n).(*name); ok {
		c.name = col.name
	}
	block := &table.Block{N: len(d.kept), Columns: []*table.Column{{Field: table.Field{Name: c.name, Type: c.typ}, Num: c.num, Low: c.low, Text: c.text, Missing: c.missing}}}
	e := onBlock(block).in(n.x.src)
	e.whole, e.rows = false, []int{}
	for i, k := range d.kept {
		if k {
			e.rows = append(e.rows, i)
		}
	}
	if len(e.rows) > 0 && kept > len(e.rows) {
		e.rows = append(e.rows, e.rows[0]) // not every row has a level of its own
	}
	return e, c
}

// distinctValues are the distinct values of a column, by first appearance.
type distinctValues struct {
	table.Column        // the field has the type only, and Missing is not set
	kept         []bool // whether a row that is kept has the value
	row          int    // of the block, where the last was met

	ofText map[string]int
	ofNum  map[float64]int
	ofPair map[[2]float64]int // of whole numbers beyond 2^53
}

// column returns the values as a column.
func (d *distinctValues) column(name string) *column {
	return &column{name: name, typ: d.Type, num: d.Num, low: d.Low, text: d.Text, missing: make([]bool, len(d.kept)), notDates: true}
}

// number returns the index of a number, which is added if it is new.
func (d *distinctValues) number(v, low float64, row int) int {
	k, known := 0, false
	if low == 0 {
		k, known = d.ofNum[v]
	} else {
		k, known = d.ofPair[[2]float64{v, low}]
	}
	if known {
		return k
	}
	k = len(d.kept)
	if low == 0 {
		d.ofNum[v] = k
	} else {
		d.ofPair[[2]float64{v, low}] = k
	}
	d.AppendNumber(v, low)
	d.kept, d.row = append(d.kept, false), row
	return k
}

func (d *distinctValues) add(c *column, kept []int) {
	if d.ofText == nil {
		d.Type, d.ofText, d.ofNum, d.ofPair = c.typ, make(map[string]int), make(map[float64]int), make(map[[2]float64]int)
	}
	last, k := "", -1 // rows often repeat the one before
	next := 0
	for i, missing := range c.missing {
		isKept := next < len(kept) && kept[next] == i
		if isKept {
			next++
		}
		if missing {
			continue
		}
		if d.Type == series.String {
			if k < 0 || c.text[i] != last {
				last = c.text[i]
				var ok bool
				if k, ok = d.ofText[last]; !ok {
					k = len(d.kept)
					own := strings.Clone(last)
					d.ofText[own] = k
					d.Text, d.kept, d.row = append(d.Text, own), append(d.kept, false), i
				}
			}
		} else {
			v, low := c.value(i)
			k = d.number(v+0, low, i) // -0 is 0
		}
		d.kept[k] = d.kept[k] || isKept
	}
}

// addValues collects the inputs of a basis.
func (n *collected) addValues(b *builder, most int) error {
	if n.independent() && len(n.in) > 0 && len(n.in[0]) > n.fewest {
		return nil
	}
	rows, err := b.learningRows(n.x, n.options)
	if err != nil || len(rows) == 0 {
		return err
	}
	in, docs, err := n.inputs(b.eval.onRows(rows))
	if err != nil {
		return err
	}
	if docs != nil {
		if len(n.docs)+len(docs) > most {
			return formulaErrorf(ErrSetting, n.x.src, n.x.n, "%s needs the texts of all rows at once, and there are more than %d", label(n.x.n), most)
		}
		for _, d := range docs {
			n.docs = append(n.docs, strings.Clone(d))
		}
		return nil
	}
	if n.moments != nil {
		return n.moments.add(in[0])
	}
	if n.in == nil {
		n.in = make([][]float64, len(in))
	}
	for k, x := range in {
		n.in[k] = append(n.in[k], x...)
	}
	if n.independent() {
		if n.fn == "ns" || n.fn == "bs" { // whose values must not be too few
			s, err := splineSettings(n.options)
			if err != nil {
				return err
			}
			_, n.fewest = splineKnots(n.fn, s)
			slices.Sort(n.in[0])
			n.in[0] = slices.Compact(n.in[0])
		}
		return nil
	}
	if len(n.in[0])*len(in) <= most {
		return nil
	}
	degree, ok := n.momentsDegree()
	if !ok {
		return formulaErrorf(ErrSetting, n.x.src, n.x.n, "%s needs the values of all rows at once, to find quantiles or prototypes, and there are more than %d%s", label(n.x.n), most, n.cure())
	}
	n.moments = newPolyMoments(degree)
	err = n.moments.add(n.in[0])
	n.in = nil
	return err
}

// independent reports whether the constants are all in the call.
func (n *wanted) independent() bool {
	has := func(args ...string) bool {
		return !slices.ContainsFunc(args, func(a string) bool { return n.options.args[a] == nil })
	}
	switch n.fn {
	case "fourier":
		return true
	case "poly":
		raw, err := n.options.boolean("raw")
		return raw && err == nil
	case "ns", "bs":
		return has("knots", "Boundary.knots")
	}
	return false
}

// momentsDegree returns up to which degree moments of the input are enough.
func (n *wanted) momentsDegree() (int, bool) {
	switch n.fn {
	case "scale":
		return 1, true
	case "poly":
		degree, err := n.options.integer("degree", 1)
		return degree, err == nil
	}
	return 0, false
}

func (n *wanted) cure() string {
	switch n.fn {
	case "ns", "bs":
		return "; give knots = c(...) and Boundary.knots = c(...), for example from the quartiles of Source.Describe"
	case "rbf":
		return "; learn it from a sample, and code the rest with DesignLike"
	}
	return ""
}

// Needs tells what a pass would learn.
func (l *learner) Needs() []table.Need {
	var needs []table.Need
	for _, n := range l.needs {
		if n.done {
			continue
		}
		to := table.Need{Variable: n.v, Text: label(n.x.n), Factor: n.factor, Fn: n.fn}
		if n.factor {
			to.Expr = tree(factorInput(n.x))
		} else {
			n.describe(&to)
		}
		needs = append(needs, to)
	}
	if l.anyDays && l.pass == 0 && !l.sinceSet {
		needs = append(needs, table.Need{Variable: -2, Fn: "since", Columns: l.dayColumns()})
	}
	return needs
}

// describe tells what of the values the constants of a basis follow from.
func (n *wanted) describe(to *table.Need) {
	switch n.fn {
	case "scale", "poly", "ns", "bs", "fourier":
	default:
		return
	}
	if len(n.options.data) != 1 {
		return
	}
	to.Inputs = []*table.Node{tree(n.options.data[0])}
	if n.fn == "ns" || n.fn == "bs" {
		s, err := splineSettings(n.options)
		if err != nil {
			return // as learning says
		}
		to.Knots, to.Distinct = splineKnots(n.fn, s)
		to.Boundary = s.Boundary
	} else if degree, ok := n.momentsDegree(); ok && degree > 0 && !n.independent() {
		to.Degree = degree
		if n.fn == "poly" {
			to.Distinct = degree
		}
	}
}

// splineKnots returns how many knots of a spline are at quantiles, and how many distinct
// values are too few for it: mlreg.NewNaturalSpline and NewBSpline.
func splineKnots(fn string, s *mlreg.SplineSettings) (knots, few int) {
	least := 1
	if fn == "bs" {
		least = s.Degree
	}
	if s.Intercept {
		least++
	}
	columns := least + len(s.Knots)
	if s.DF != 0 && s.Knots == nil {
		columns = s.DF
		knots = max(0, s.DF-least)
	}
	if few = columns; s.Intercept {
		few--
	}
	return knots, max(few, 1)
}

// dayColumns returns the columns of dates used as numbers.
func (l *learner) dayColumns() []string {
	var names []string
	for _, x := range l.variables() {
		walkDays(x.n, func(col *name) {
			if l.dates(col) && !slices.Contains(names, col.name) {
				names = append(names, col.name)
			}
		})
	}
	return names
}

// MaxValues is how many values a pass over rows keeps for the constants that need all.
func (l *learner) MaxValues() int { return l.limits.Values }

// LearnComplete is DesignSettings.LearnComplete.
func (l *learner) LearnComplete() bool { return l.settings.LearnComplete }

// SetSince gives the first date.
func (l *learner) SetSince(first string) (float64, error) {
	if first != "" {
		days, ok := isoDays(first)
		if !ok {
			return 0, fmt.Errorf("frames: %q is no date", first)
		}
		l.since = l.setSince(days, l.dates)
	}
	l.sinceSet, l.passes = true, 1
	l.settle()
	if math.IsInf(l.since, 1) {
		return 0, nil
	}
	return l.since, nil
}

// settle ends the passes if nothing is left to learn.
func (l *learner) settle() {
	if len(l.Needs()) == 0 {
		l.pass = l.passes
		l.terms.codeFactors()
	}
}

// SetBasis gives what the constants of a basis follow from.
func (l *learner) SetBasis(v int, c table.Constants) error {
	k := slices.IndexFunc(l.needs, func(n *collected) bool { return n.v == v && !n.factor })
	if k < 0 {
		return fmt.Errorf("frames: variable %d is no basis", v)
	}
	n := l.needs[k]
	basis, err := n.basisOf(c)
	if err != nil {
		return placed(err, n.x)
	}
	l.terms.Variables[v].Basis = basis
	n.done, n.in, n.moments = true, nil, nil
	l.settle()
	return nil
}

// basisOf is the fit of a basis to values of which the constants are known.
func (n *wanted) basisOf(c table.Constants) (mlreg.Basis, error) {
	fit := func() (mlreg.Basis, error) { return basisFunctions[n.fn].fit([][]float64{c.Distinct}, n.options) }
	switch n.fn {
	case "scale":
		return scaleOf(c, n.options)
	case "poly":
		if len(c.Alpha) > 0 {
			return &mlreg.Poly{N: c.N, Alpha: c.Alpha, Beta: c.Beta, Low: c.Least, High: c.Largest}, nil
		}
	case "ns", "bs":
		s, err := splineSettings(n.options)
		if err != nil {
			return nil, err
		}
		knots, few := splineKnots(n.fn, s)
		if len(c.Distinct) <= few || knots > 0 && c.Knots == nil {
			return fit() // which says what is wrong
		}
		if knots > 0 {
			s.DF, s.Knots = 0, c.Knots
		}
		if s.Boundary == nil {
			s.Boundary = []float64{c.Least, c.Largest}
		}
		if n.fn == "ns" {
			return mlreg.NewNaturalSpline(c.Distinct, s)
		}
		return mlreg.NewBSpline(c.Distinct, s)
	}
	return fit()
}

// scaleOf learns scale of the recurrence of polynomials of degree 1, whose constants are mean
// and variance (about the mean, by n).
func scaleOf(c table.Constants, o *options) (mlreg.Basis, error) {
	center, scale, err := scaleOptions(o)
	if err != nil {
		return nil, err
	}
	mean, squares := c.Alpha[0], c.Beta[0]
	s := &scaled{Scale: 1}
	if center {
		s.Center = mean
	} else {
		squares += mean * mean
	}
	if scale {
		if s.Scale = math.Sqrt(squares * float64(c.N) / float64(c.N-1)); !(s.Scale > 0) {
			return nil, errorf(ErrSetting, "the values do not vary")
		}
	}
	return s, nil
}

// MaxLevels is how many levels a factor may have.
func (l *learner) MaxLevels() int { return l.limits.Levels }

// Exact says that a row is complete if no column that the formula uses is missing.
func (l *learner) Exact() bool {
	return !slices.ContainsFunc(l.variables(), (&coder{}).stops)
}

// factorInput returns the expression whose values are the levels.
func factorInput(x expression) node {
	if f, ok := x.n.(*call); ok && isFactorCall(f) {
		if o, err := factorArgs(x.src, f); err == nil {
			return o.args["x"]
		}
	}
	return x.n
}

// SetLevels gives the distinct values of a factor in rows kept, of which there are as
// many as said: numbers as text, TRUE and FALSE.
func (l *learner) SetLevels(v int, levels []string, rows int) error {
	k := slices.IndexFunc(l.needs, func(n *collected) bool { return n.v == v && n.factor })
	if k < 0 {
		return fmt.Errorf("frames: variable %d is no factor", v)
	}
	n := l.needs[k]
	if len(levels) > l.limits.Levels {
		return formulaErrorf(ErrLevel, n.x.src, n.x.n, "factor %s has more than %d levels, such as %q; raise DesignSettings.MaxLevels, or group the levels", label(n.x.n), l.limits.Levels, levels[l.limits.Levels])
	}
	e := onFields(l.fields).in(n.x.src)
	e.whole = false
	c, err := e.factorOf(n.x.n)
	if err != nil {
		return err
	}
	n.distinct = distinctValues{}
	n.distinct.Type = c.typ
	for _, level := range levels {
		n.distinct.kept = append(n.distinct.kept, true)
		if c.typ == series.String {
			n.distinct.Text = append(n.distinct.Text, level)
			continue
		}
		value, low, ok := table.SplitText(level)
		if !ok {
			if value, ok = dotted.number(level); !ok {
				value = indicator(level == "TRUE")
			}
		}
		n.distinct.AppendNumber(value, low)
	}
	kept := l.kept
	l.kept = rows
	n.slip = slipsOfLevels(e, n)
	err = l.take(n)
	if l.kept = kept; err != nil { // a pass over rows counts them
		return err
	}
	n.done = true
	l.settle()
	return nil
}

// SetCounts gives the counts of rows.
func (l *learner) SetCounts(c table.Counts) { l.counts = c }

// checkCounts returns an error if no row is left, or if a column has no values.
func checkCounts(c table.Counts, used []string) error {
	if c.N == 0 {
		return errorf(ErrNoRows, "there are no rows")
	}
	for _, col := range used {
		if c.Missing[col] == c.N {
			return errorf(ErrMissing, "column %q has no values: all %d are missing", col, c.N)
		}
	}
	if c.Omitted == c.N {
		return noCompleteRow(c.N, missingCounts(c, used))
	}
	return nil
}

// missingCounts returns the counts of missing values in the order in which the formula
// uses the columns, and after them those of expressions.
func missingCounts(c table.Counts, used []string) []MissingCount {
	var counts []MissingCount
	seen := make(map[string]bool)
	for _, col := range used {
		if n := c.Missing[col]; n > 0 {
			counts = append(counts, MissingCount{col, n})
			seen[col] = true
		}
	}
	var rest []string
	for name := range c.Missing {
		if !seen[name] && c.Missing[name] > 0 {
			rest = append(rest, name)
		}
	}
	slices.Sort(rest)
	for _, name := range rest {
		counts = append(counts, MissingCount{name, c.Missing[name]})
	}
	return counts
}

// Coder returns the formula with all that was learned.
func (l *learner) Coder() (table.Coder, error) {
	if l.Pass() {
		return nil, errors.New("frames: the formula has not been learned")
	}
	return newCoder(l.model, l.fields)
}

// slips counts the values of a text column that look like numbers.
type slips struct {
	numbers, present int
	other, marked    slipCell // the first that does not, and the first number with other marks, such as 2,5
	units            unitCounts
	dates            dateSlips
}

func (s *slips) add(e *evaluator, n node, c *column) {
	if f, called := n.(*call); called && isFactorCall(f) || c.typ != series.String {
		return
	}
	if _, named := stripped(n).(*name); !named {
		return
	}
	row, numbers, marked := c.firstText()
	s.numbers += numbers
	s.present += len(c.text) - c.count
	switch {
	case row >= 0 && !marked:
		s.other.take(e.number1(row), c.text[row])
	case row >= 0:
		s.marked.take(e.number1(row), c.text[row])
	}
	for i, cell := range c.text {
		if !c.missing[i] {
			s.units.add(e.number1(i), cell)
			s.dates.add(e.number1(i), cell)
		}
	}
}

// slipsOfLevels returns the slips of a column of which the distinct values are known: those
// of all its values, if all are numbers, have a unit or the form of a date, and otherwise none.
func slipsOfLevels(e *evaluator, n *collected) slips {
	c := n.distinct.column("")
	var s slips
	if _, named := stripped(n.x.n).(*name); !named || c.typ != series.String {
		return s
	}
	s.add(e, n.x.n, c)
	if s.numbers < s.present && s.units.all() < s.present && s.dates.written < s.present {
		return slips{}
	}
	return s
}

// check returns an error if most of the values are dates, numbers, percentages or amounts.
func (s *slips) check(e *evaluator, n node, c *column) error {
	if note := s.dates.note(c.name, s.present); note != "" {
		join := "; to"
		if strings.HasSuffix(note, ", or") {
			join = " to"
		}
		return formulaErrorf(ErrNotNumeric, e.src, n, "%s%s use it as a factor, write factor(%s)", note, join, label(n))
	}
	what := s.units.note(s.present)
	switch {
	case what != "":
	case s.numbers == 0 || !mostly(s.numbers, s.present):
		return nil
	case c.note != "":
		what = c.note
	case s.other.row > 0:
		what = textAmongNumbers(s.numbers, s.present, s.other.row, s.other.cell)
	case s.marked.row > 0:
		what = fmt.Sprintf("text: row %d has %q; if these are numbers, read the file with Decimal or Thousands set", s.marked.row, s.marked.cell)
	default:
		what = "text, though its cells are numbers; read it as numbers"
	}
	return formulaErrorf(ErrNotNumeric, e.src, n, "column %q is %s; to use it as a factor, write factor(%s)", c.name, what, label(n))
}

// polyMoments holds the triangle R of the powers 1, t, t^2 ... of one input, t = (x -
// center)/scale, from which the constants of poly and scale follow: it is what a QR
// factorization of the rows leaves, and takes one pass.
type polyMoments struct {
	degree        int
	n             int
	center, scale float64
	r             [][]float64 // (degree+1) x (degree+1), upper triangle
	low, high     float64
	distinct      map[float64]bool
}

func newPolyMoments(degree int) *polyMoments {
	p := &polyMoments{degree: degree, distinct: make(map[float64]bool), r: make([][]float64, degree+1)}
	for i := range p.r {
		p.r[i] = make([]float64, degree+1)
	}
	return p
}

// add rotates the rows of the powers into the triangle (Givens).
func (p *polyMoments) add(x []float64) error {
	if len(x) == 0 {
		return nil
	}
	if p.n == 0 {
		low, high := slices.Min(x), slices.Max(x)
		p.center, p.scale = low/2+high/2, high/2-low/2
		if !(p.scale > 0) {
			p.scale = 1
		}
		p.low, p.high = low, high
	}
	p.low, p.high = min(p.low, slices.Min(x)), max(p.high, slices.Max(x))
	row := make([]float64, p.degree+1)
	for _, v := range x {
		if len(p.distinct) <= p.degree {
			p.distinct[v] = true
		}
		t := (v - p.center) / p.scale
		row[0] = 1
		for k := range p.degree {
			row[k+1] = row[k] * t
		}
		for k := range row {
			if row[k] == 0 {
				continue
			}
			h := math.Hypot(p.r[k][k], row[k])
			if math.IsInf(h, 0) {
				return errorf(ErrNotFinite, "the input of a polynomial is too large or too small to square; rescale it")
			}
			cos, sin := p.r[k][k]/h, row[k]/h
			for j := k; j < len(row); j++ {
				a, b := p.r[k][j], row[j]
				p.r[k][j], row[j] = cos*a+sin*b, cos*b-sin*a
			}
		}
	}
	p.n += len(x)
	return nil
}

// poly returns the recurrence of the orthogonal polynomials: with the triangle R of the
// powers, alpha_k = R_k,k+1/R_kk - R_k-1,k/R_k-1,k-1 and beta_k = (R_kk/R_k-1,k-1)^2
// (Golub and Welsch 1969, Mathematics of Computation 23, section 4).
func (p *polyMoments) poly() (*mlreg.Poly, error) {
	if len(p.distinct) <= p.degree {
		return nil, errorf(ErrSetting, "a polynomial of degree %d needs more than %d distinct values; there are %d", p.degree, p.degree, len(p.distinct))
	}
	out := &mlreg.Poly{N: p.n, Low: p.low, High: p.high}
	before := 0.0
	for k := range p.degree {
		ratio := p.r[k][k+1] / p.r[k][k]
		out.Alpha = append(out.Alpha, p.center+p.scale*(ratio-before))
		before = ratio
		root := p.scale * p.r[k+1][k+1] / p.r[k][k]
		if !(root*root > 0) || math.IsInf(root*root, 0) {
			return nil, errorf(ErrNotFinite, "the input of a polynomial is too large or too small to square; rescale it")
		}
		out.Beta = append(out.Beta, root*root)
	}
	return out, nil
}

// basis returns the constants of poly or scale.
func (p *polyMoments) basis(fn string, o *options) (mlreg.Basis, error) {
	if fn == "poly" {
		return p.poly()
	}
	ratio, spread := p.r[0][1]/p.r[0][0], p.scale*p.r[1][1]/p.r[0][0]
	return scaleOf(table.Constants{N: p.n, Alpha: []float64{p.center + p.scale*ratio}, Beta: []float64{spread * spread}}, o)
}
