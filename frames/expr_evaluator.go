package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"
)

// evaluator computes expressions of a formula on rows of a frame, or of a block of a source.
// Each column is read once.
type evaluator struct {
	dataTable
	src       string // the text that the places of nodes refer to
	cols      map[string]*column
	rows      []int     // the rows computed on
	whole     bool      // on all rows, in their order; rows is nil then
	undefined undefined // what becomes of values that are not finite
	block     *block    // of the verbs: the rows computed on, if not all at once
	blockSize int
	// since is the day that is 0 where dates are numbers, in days since 1970-01-01.
	since  float64
	groups *grouping       // for summaries such as mean(x); nil if all rows are one group
	keys   map[string]bool // of Summarise: other columns need a summary; nil elsewhere
}

// size is the number of rows computed on.
func (e *evaluator) size() int {
	switch {
	case e.block != nil:
		return e.blockSize
	case e.whole:
		return e.height()
	}
	return len(e.rows)
}

// row returns the row of the frame of value i.
func (e *evaluator) row(i int) int {
	if e.whole {
		return i
	}
	return e.rows[i]
}

// undefined says what becomes of 0/0, 1/0 and other values that are not finite.
type undefined int

const (
	refused      undefined = iota // an error names the row
	kept                          // their rows may still be omitted because another column is missing
	takenMissing                  // as R's conditions take 0/0; infinite values are kept
)

// in returns the evaluator for nodes of another source text.
func (e *evaluator) in(src string) *evaluator {
	other := *e
	other.src = src
	return &other
}

// column returns the column that a node names.
func (e *evaluator) column(n *name) (*column, error) {
	if c := e.cols[n.name]; c != nil {
		return c, e.isKey(n)
	}
	if !e.has(n.name) {
		if l, ok := laggedOf(n.name); ok {
			return e.lag(n, l)
		}
		if n.name == "NA" {
			return nil, formulaErrorf(ErrNoColumn, e.src, n, "no column \"NA\" in the data; a condition on missing values is is.na(a)")
		}
		if column := e.columnOfText(n.name); column != "" {
			return nil, formulaErrorf(ErrNoColumn, e.src, n, "no column %q in the data; the text of column %q is in quotes: %q", n.name, column, n.name)
		}
		return nil, formulaErrorf(ErrNoColumn, e.src, n, "no column %q in the data%s", n.name, suggestColumn(n.name, e.names()))
	}
	c, err := e.read(n.name)
	if err != nil {
		return nil, err
	}
	e.cols[n.name] = c
	return c, e.isKey(n)
}

// numeric returns the value of an arithmetic expression in every row, for the caller to keep. A
// value that is not finite is an error that names the row and the values of the
// columns behind it.
func (e *evaluator) numeric(n node) ([]float64, error) {
	c, err := e.number(n)
	if err != nil {
		return nil, err
	}
	x := e.spread(c).num
	if _, column := stripped(n).(*name); column && e.whole {
		x = slices.Clone(x)
	}
	return x, e.finite(n, x)
}

// finite reports the first value that is not finite, and the values of the
// columns behind it.
func (e *evaluator) finite(n node, x []float64) error {
	i := slices.IndexFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
	if i < 0 || e.undefined != refused {
		return nil
	}
	return e.notFinite(n, i, x[i])
}

// notFinite is the error of value i that is not finite.
func (e *evaluator) notFinite(n node, i int, v float64) error {
	row := e.row(i)
	if e.keys != nil {
		return formulaErrorf(ErrNotFinite, e.src, n, "%s is %v in the group of row %d%s", label(n), v, e.number1(row), e.groupName(row))
	}
	var where []string
	for _, col := range columnNames(n) {
		if c := e.cols[col]; c != nil && col != label(n) {
			where = append(where, fmt.Sprintf("%s = %s", nameText(col), c.at(row)))
		}
	}
	because := ""
	if len(where) > 0 {
		because = ", where " + strings.Join(where, ", ")
	}
	return formulaErrorf(ErrNotFinite, e.src, n, "%s is %v in row %d%s", label(n), v, e.number1(row), because)
}

// texts returns the text column that a node names.
func (e *evaluator) texts(n *name) ([]string, error) {
	c, err := e.column(n)
	if err != nil {
		return nil, err
	}
	if c.typ != series.String {
		return nil, formulaErrorf(ErrSetting, e.src, n, "column %q is not text", n.name)
	}
	return picked(e.rows, c.text), nil
}
