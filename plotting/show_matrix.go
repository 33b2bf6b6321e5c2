package plotting

import (
	"fmt"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
)

// Sizes up to which vectors and matrices are shown whole.
const (
	wholeVector = 24
	wholeMatrix = 12
	cornerSize  = 6
)

// vectorText writes a vector in a line: [5, 2, -1].
func vectorText(v []float64) string {
	cut := v
	var more string
	if len(v) > wholeVector {
		cut = v[:wholeVector/2]
		more = fmt.Sprintf(", ... %d more", len(v)-len(cut))
	}
	return "[" + strings.Join(format.Numbers(cut, format.Digits), ", ") + more + "]"
}

// matrixBundle renders a matrix as a table without headings, and a vector in a
// line. Of large matrices the top left corner is shown.
func matrixBundle(m mat.Matrix) (Bundle, error) {
	rows, cols := m.Dims()
	if rows == 0 || cols == 0 {
		return Bundle{}, fmt.Errorf("plotting: %w: the matrix is %d x %d", mlreg.ErrNoData, rows, cols)
	}
	if v, ok := m.(mat.Vector); ok {
		return Bundle{Text: vectorText(mat.Col(nil, 0, v))}, nil
	}
	t := &report.Table{}
	r, c := rows, cols
	if rows > wholeMatrix || cols > wholeMatrix {
		r, c = min(rows, cornerSize), min(cols, cornerSize)
		t.Notes = []string{fmt.Sprintf("... top left corner of %d x %d", rows, cols)}
	}
	all := make([]float64, 0, r*c)
	for j := range c {
		for i := range r {
			all = append(all, m.At(i, j))
		}
	}
	cells := format.Numbers(all, format.Digits)
	for j := range c {
		t.Columns = append(t.Columns, report.Column{Cells: cells[j*r : (j+1)*r], Align: report.AlignDecimal})
	}
	return tableBundle(t)
}
