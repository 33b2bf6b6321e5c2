package frames

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/mat"
)

// learningRows returns the rows on which the basis of x is learned. In all of them
// the columns of x are not missing. Rows that are not kept count only if the data of
// the basis are finite there.
func (b *builder) learningRows(x expression, o *options) ([]int, error) {
	if b.learnComplete || b.terms.Omitted == 0 {
		return b.eval.rows, nil
	}
	used, err := b.columnsOf(x)
	if err != nil {
		return nil, err
	}
	present := slices.DeleteFunc(allRows(b.terms.N), func(i int) bool {
		return slices.ContainsFunc(used, func(c *column) bool { return c.missing[i] })
	})
	if basisFunctions[o.call.fn].fitText != nil {
		return present, nil
	}
	e := b.eval.in(x.src).onRows(present)
	e.undefined = kept
	in, err := e.numericInput(o)
	if err != nil {
		return nil, err
	}
	var rows []int
	for k, row := range present {
		_, kept := slices.BinarySearch(b.eval.rows, row)
		if kept || !slices.ContainsFunc(in, func(x []float64) bool { return x[k]-x[k] != 0 }) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// respond computes the response: numbers, or the codes of its classes, whose
// levels are learned if they are not known.
func (b *builder) respond() ([]float64, error) {
	x := b.response
	e := b.eval.in(x.src)
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

// placed adds to an error the place in the formula where it arose, unless it
// has one.
func placed(err error, x expression) error {
	var shown *FormulaError
	if err == nil || errors.As(err, &shown) {
		return err
	}
	message, kind := withoutPlace(err)
	return formulaErrorf(kind, x.src, x.n, "%s: %s", label(x.n), message)
}

// numericInput computes the data of a basis.
func (e *evaluator) numericInput(o *options) ([][]float64, error) {
	in := make([][]float64, len(o.data))
	for i, n := range o.data {
		var err error
		if in[i], err = e.numeric(n); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// textInput returns the text column that is the data of words().
func (e *evaluator) textInput(o *options) ([]string, error) {
	col, ok := o.data[0].(*name)
	if !ok {
		return nil, formulaErrorf(ErrSyntax, e.src, o.data[0], "%s takes the name of a text column", o.call.fn)
	}
	return e.texts(col)
}

// coded is a variable computed on the rows: columns of numbers, or the codes
// of a factor.
type coded struct {
	names  []string
	cols   [][]float64
	low    [][]float64 // what rounding took from cols; nil if not known
	codes  []int
	levels []string
	coding Contrasts
	matrix [][]float64 // of the contrasts, a row for every level; nil for those of treatments
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
	if c.matrix != nil && !full {
		return c.names[0] + c.coding.suffix(k)
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
	if c.matrix != nil && !full {
		for i, code := range c.codes {
			multiplyAt(x, low, i, c.matrix[code][k], 0)
		}
		return
	}
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
		var rest float64
		if c.low != nil {
			rest = c.low[k][i]
		}
		multiplyAt(x, low, i, v, rest)
	}
}

// multiplyAt multiplies x + low by v + rest in row i; low may be nil.
func multiplyAt(x, low []float64, i int, v, rest float64) {
	if low == nil {
		x[i] *= v
		return
	}
	x[i], low[i] = times(x[i], low[i], v, rest)
}

// code computes variable v.
func (b *builder) code(v int) (*coded, error) {
	x, variable := b.exprs[v], b.terms.Variables[v]
	e := b.eval.in(x.src)
	c := &coded{names: []string{variable.Text}}
	switch {
	case variable.Levels != nil:
		col, err := e.factorOf(x.n)
		if col == nil && err == nil { // the new rows have dates where texts were learned
			col, err = e.computed(x.n)
		}
		if err != nil {
			return nil, err
		}
		if err := c.takeFactor(x, variable); err != nil {
			return nil, err
		}
		c.codes, err = e.codes(x.n, col, variable.Levels)
		return c, err
	case variable.Basis != nil || variable.Words != nil:
		return b.codeBasis(x, variable)
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

// takeFactor takes the levels and the contrasts that were learned of a factor.
func (c *coded) takeFactor(x expression, v Variable) (err error) {
	c.levels, c.coding = v.Levels, v.Contrasts
	c.matrix, err = c.coding.matrix(len(c.levels))
	return placed(err, x)
}

// codeBasis computes the columns of a function such as poly.
func (b *builder) codeBasis(x expression, v Variable) (*coded, error) {
	e := b.eval.in(x.src)
	n, ok := x.n.(*call)
	if !ok {
		return nil, fmt.Errorf("frames: %s is not a call", v.Text)
	}
	f := basisFunctions[n.fn]
	o, err := matchArgs(e.src, n, f.params)
	if err != nil {
		return nil, err
	}
	if v.Words != nil {
		docs, err := e.textInput(o)
		if err != nil {
			return nil, err
		}
		return b.codeWords(v, docs), nil
	}
	in, err := e.numericInput(o)
	if err != nil {
		return nil, err
	}
	if e, ok := table.RangeOf(v.Text, v.Basis); ok {
		if e = table.Beyond(e, in[0]); e.Rows > 0 {
			b.terms.Beyond = append(b.terms.Beyond, e)
		}
	}
	data := columnsOf(in)
	if m := len(v.Basis.Eval(nil, data.RawRowView(0)...)); float64(m)*float64(len(b.eval.rows)) > maxValues {
		return nil, tooLarge(v.Text, float64(m), len(b.eval.rows))
	}
	m, low, err := mlreg.EvalRows(v.Basis, data)
	if err != nil {
		return nil, placed(err, x)
	}
	c := &coded{cols: columns(m), low: columns(low)}
	for _, col := range c.cols {
		if err := e.finite(x.n, col); err != nil {
			return nil, err
		}
	}
	c.names = basisNames(x, v, len(c.cols))
	return c, nil
}

// basisNames returns the names of the m columns of a function such as poly.
func basisNames(x expression, v Variable, m int) []string {
	if lags, ok := v.Basis.(*lagColumns); ok {
		return lags.Names()
	}
	suffixes := numbers(m)
	if n, ok := x.n.(*call); ok && basisFunctions[n.fn].suffixes != nil {
		suffixes = basisFunctions[n.fn].suffixes(v.Basis)
	}
	names := make([]string, len(suffixes))
	for k, suffix := range suffixes {
		names[k] = v.Text + suffix
	}
	return names
}

// numbers returns 1, 2 ... m as text, or no text if m is 1.
func numbers(m int) []string {
	if m == 1 {
		return []string{""}
	}
	texts := make([]string, m)
	for k := range texts {
		texts[k] = strconv.Itoa(k + 1)
	}
	return texts
}

// columnsOf returns columns as a matrix.
func columnsOf(cols [][]float64) *mat.Dense {
	m := mat.NewDense(len(cols[0]), len(cols), nil)
	for j, col := range cols {
		m.SetCol(j, col)
	}
	return m
}

// columns returns the columns of a matrix, nil if it is nil.
func columns(m *mat.Dense) [][]float64 {
	if m == nil {
		return nil
	}
	_, k := m.Dims()
	cols := make([][]float64, k)
	for j := range cols {
		cols[j] = mat.Col(nil, j, m)
	}
	return cols
}
