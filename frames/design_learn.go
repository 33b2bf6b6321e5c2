package frames

import "math"

// wanted is what is learned of one variable from rows: the levels of a factor, or the constants
// of a basis. Frames learn it from all rows at once, sources from what they collect of blocks.
type wanted struct {
	v       int // -1 is the response
	x       expression
	factor  bool
	options *options // of a basis
	fn      string
}

// want returns what is to be learned of variable v, nil if nothing is, and the column of a factor.
func (m *model) want(e *evaluator, v int, contrasts Contrasts) (*wanted, *column, error) {
	n := &wanted{v: v, x: m.response}
	if v >= 0 {
		n.x = m.exprs[v]
	}
	c, err := e.in(n.x.src).factorOf(n.x.n)
	if err != nil {
		return nil, nil, err
	}
	if n.factor = isFactor(n.x.n, c); n.factor {
		if v >= 0 {
			m.terms.Variables[v].Contrasts, err = contrastsOf(n.x.src, n.x.n, contrasts)
		}
		return n, c, err
	}
	f, called := n.x.n.(*call)
	if !called || v < 0 {
		return nil, nil, nil
	}
	basis, known := basisFunctions[f.fn]
	if !known {
		return nil, nil, nil
	}
	n.fn = f.fn
	n.options, err = matchArgs(n.x.src, f, basis.params)
	return n, nil, err
}

// learn learns all variables from the rows that are selected.
func (b *builder) learn() error {
	if first := b.firstDate(); !math.IsInf(first, 1) {
		b.eval.since = b.setSince(first, func(col *name) bool {
			_, dates := b.daysIn(col)
			return dates
		})
	}
	for v := range b.exprs {
		n, c, err := b.want(b.eval, v, b.contrasts)
		if err == nil && n != nil {
			err = b.learnOne(n, c)
		}
		if err != nil {
			return err
		}
	}
	b.terms.codeFactors()
	return nil
}

func (b *builder) learnOne(n *wanted, c *column) error {
	if n.factor {
		e := b.eval.in(n.x.src)
		if err := e.checkSlip(n.x.n, c); err != nil {
			return err
		}
		return b.takeLevels(n, e, c)
	}
	rows, err := b.learningRows(n.x, n.options)
	if err != nil {
		return err
	}
	in, docs, err := n.inputs(b.eval.onRows(rows))
	if err != nil {
		return placed(err, n.x)
	}
	return b.takeBasis(n, in, docs)
}

// inputs returns the numbers or the texts that a basis is learned from.
func (n *wanted) inputs(e *evaluator) (in [][]float64, docs []string, err error) {
	if e = e.in(n.x.src); basisFunctions[n.fn].fitText != nil {
		docs, err = e.textInput(n.options)
	} else {
		in, err = e.numericInput(n.options)
	}
	return in, docs, err
}

// takeLevels learns the levels of a factor, or the classes of the response, in the rows of e.
func (m *model) takeLevels(n *wanted, e *evaluator, c *column) (err error) {
	if n.v < 0 {
		m.terms.Classes, err = e.learnClasses(n.x.n, c)
	} else {
		m.terms.Variables[n.v].Levels, err = e.learnLevels(n.x.n, c)
	}
	return err
}

// takeBasis learns the constants of a basis from its inputs.
func (m *model) takeBasis(n *wanted, in [][]float64, docs []string) (err error) {
	variable, f := &m.terms.Variables[n.v], basisFunctions[n.fn]
	if f.fitText != nil {
		variable.Words, err = f.fitText(docs, n.options)
	} else {
		variable.Basis, err = f.fit(in, n.options)
	}
	return placed(err, n.x)
}

// firstDate returns the first date in the columns of dates that the formula uses as numbers,
// +Inf if there is none.
func (b *builder) firstDate() float64 {
	first := math.Inf(1)
	for _, x := range b.variables() {
		walkDays(x.n, func(col *name) {
			days, _ := b.daysIn(col)
			for _, v := range days {
				if v < first { // NaN where missing
					first = v
				}
			}
		})
	}
	return first
}

// daysIn returns the days of a column that is read, false if it is not one of dates.
func (b *builder) daysIn(col *name) ([]float64, bool) {
	if c := b.eval.cols[col.name]; c != nil {
		return c.dates()
	}
	return nil, false
}
