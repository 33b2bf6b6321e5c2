package frames

import (
	"errors"
	"fmt"
	"strings"
)

// learn fits variable v on the rows kept: its levels or its basis.
func (b *builder) learn(v int) error {
	x := b.exprs[v]
	e := b.in(x.src)
	c, err := e.factorOf(x.n)
	if err != nil {
		return err
	}
	variable := &b.terms.Variables[v]
	if isFactor(x.n, c) {
		if err := e.checkSlip(x.n, c); err != nil {
			return err
		}
		variable.Levels, err = e.learnLevels(x.n, c)
		return err
	}
	n, ok := x.n.(*call)
	if !ok {
		return nil
	}
	f, ok := basisFunctions[n.fn]
	if !ok {
		return nil
	}
	o, in, err := e.basisInput(n, f)
	if err != nil {
		return err
	}
	variable.Basis, err = f.fit(in, o)
	return placed(err, x)
}

// respond computes the response: numbers, or the codes of its classes, whose
// levels are learnt if they are not known.
func (b *builder) respond() ([]float64, error) {
	x := b.response
	e := b.in(x.src)
	c, err := e.factorOf(x.n)
	if err != nil {
		return nil, err
	}
	if !isFactor(x.n, c) {
		return e.numeric(x.n)
	}
	if err := e.checkSlip(x.n, c); err != nil {
		return nil, err
	}
	if b.terms.Classes == nil {
		if b.terms.Classes, err = e.learnClasses(x.n, c); err != nil {
			return nil, err
		}
	}
	codes, err := e.codes(x.n, c, b.terms.Classes)
	if err != nil {
		return nil, err
	}
	y := make([]float64, len(codes))
	for i, k := range codes {
		y[i] = float64(k)
	}
	return y, nil
}

// placed shows where in the formula an error arose, if it does not yet.
func placed(err error, x expression) error {
	var shown *FormulaError
	if err == nil || errors.As(err, &shown) {
		return err
	}
	kind := ErrSetting
	var k *kindError
	if errors.As(err, &k) {
		kind = k.kind
	}
	return formulaErrorf(kind, x.src, x.n, "%s: %s", label(x.n), strings.TrimPrefix(err.Error(), "frames: "))
}

// basisInput computes the data arguments of a basis.
func (e *evaluator) basisInput(n *call, f basisFunction) (*options, []values, error) {
	o, err := matchArgs(e.src, n, f.params, f.data)
	if err != nil {
		return nil, nil, err
	}
	in := make([]values, f.data)
	for i, p := range f.params[:f.data] {
		if col, ok := o.args[p].(*name); ok && f.text {
			in[i].text, err = e.texts(col)
		} else {
			in[i].num, err = e.numeric(o.args[p])
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return o, in, nil
}

// coded is a variable computed on the rows: columns of numbers, or the codes
// of a factor.
type coded struct {
	names  []string
	cols   [][]float64
	low    [][]float64 // what rounding took from cols; nil if not known
	codes  []int
	levels []string
}

// columns returns how many columns the variable has in a term.
func (c *coded) columns(full bool) int {
	switch {
	case c.levels == nil:
		return len(c.cols)
	case full:
		return len(c.levels)
	}
	return len(c.levels) - 1
}

// name returns what column k of the variable is called in a term.
func (c *coded) name(k int, full bool) string {
	if c.levels == nil {
		return c.names[k]
	}
	return c.names[0] + c.levels[c.level(k, full)]
}

func (c *coded) level(k int, full bool) int {
	if full {
		return k
	}
	return k + 1
}

// multiply multiplies x + low by column k of the variable; low may be nil.
func (c *coded) multiply(x, low []float64, k int, full bool) {
	if c.levels != nil {
		level := c.level(k, full)
		for i, code := range c.codes {
			if code != level {
				x[i] = 0
				if low != nil {
					low[i] = 0
				}
			}
		}
		return
	}
	for i, v := range c.cols[k] {
		if low == nil {
			x[i] *= v
			continue
		}
		var rest float64
		if c.low != nil {
			rest = c.low[k][i]
		}
		x[i], low[i] = times(x[i], low[i], v, rest)
	}
}

// code computes variable v.
func (b *builder) code(v int) (*coded, error) {
	x, variable := b.exprs[v], b.terms.Variables[v]
	e := b.in(x.src)
	c := &coded{names: []string{variable.Text}}
	switch {
	case variable.Levels != nil:
		col, err := e.factorOf(x.n)
		if err != nil {
			return nil, err
		}
		c.levels = variable.Levels
		c.codes, err = e.codes(x.n, col, variable.Levels)
		return c, err
	case variable.Basis != nil:
		n, ok := x.n.(*call)
		if !ok {
			return nil, fmt.Errorf("frames: %s is not a call", variable.Text)
		}
		_, in, err := e.basisInput(n, basisFunctions[n.fn])
		if err != nil {
			return nil, err
		}
		c.names = nil
		for _, suffix := range variable.Basis.Columns() {
			c.names = append(c.names, variable.Text+suffix)
		}
		if p, ok := variable.Basis.(*Poly); ok {
			c.low = p.powersLow(in[0].num)
		}
		c.cols, err = variable.Basis.expand(in)
		return c, placed(err, x)
	}
	num, err := e.numeric(x.n)
	if err != nil {
		return nil, err
	}
	c.cols = [][]float64{num}
	low, err := e.powerLow(x.n)
	if low != nil {
		c.low = [][]float64{low}
	}
	return c, err
}
