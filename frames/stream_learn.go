package frames

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

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

// MaxLevels is how many levels a factor may have.
func (l *learner) MaxLevels() int { return l.limits.Levels }

// Exact says that a row is complete if no column that the formula uses is missing.
func (l *learner) Exact() bool {
	return !slices.ContainsFunc(l.variables(), (&coder{}).stops)
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
		return n.tooManyLevels(l.limits.Levels, fmt.Sprintf("%q", levels[l.limits.Levels]))
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

// Coder returns the formula with all that was learned.
func (l *learner) Coder() (table.Coder, error) {
	if l.Pass() {
		return nil, errors.New("frames: the formula has not been learned")
	}
	return newCoder(l.model, l.fields, l.counts.N-l.counts.Omitted)
}
