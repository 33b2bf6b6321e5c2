package problem

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Scaled is the weighted least-squares problem min |y - A b| with A = [1 X], or X
// without an intercept, and every column and y divided by a power of two to a
// length of about 1, so that no sum of squares overflows or underflows. Scaling so
// costs no digit. It holds no copy of the rows: it reads them.
type Scaled struct {
	Units // that columns and y are divided by

	N       int       // rows of positive weight
	Lengths []float64 // k, of the columns divided
	YLength float64

	rows    Rows
	penalty []float64
	factors []float64 // k+1: the inverses of the units
}

// Scale measures the rows of positive weight, and below them those of a penalty, if
// there is one: penalty[j] in column j of X, zeros elsewhere, so that
// |y - A b|^2 is that of the rows and sum_j (penalty[j] b_j)^2. Without a response it is zero.
func Scale(r Rows, penalty []float64) (*Scaled, error) {
	s := &Scaled{rows: r, penalty: penalty}
	k := s.Columns()
	lengths := make([]float64, k+1)
	s.factors = make([]float64, k+1)
	for j := range s.factors {
		s.factors[j] = 1
	}
	block := blas64.General{Rows: min(s.Rows(), heightOfBlock), Cols: k + 1, Stride: k + 1}
	block.Data = make([]float64, block.Rows*block.Stride)
	for start := 0; start < s.Rows(); {
		var got int
		got, start = s.Read(block, start, s.Rows())
		for j := range lengths {
			lengths[j] = math.Hypot(lengths[j], blas64.Nrm2(blas64.Vector{N: got, Inc: block.Stride, Data: block.Data[j:]}))
		}
		s.N += got
	}
	units := make([]Unit, k+1)
	for j, length := range lengths {
		u, ok := Measure(length)
		if !ok && j == k {
			return nil, &RangeError{Column: Response}
		}
		if !ok {
			return nil, &RangeError{Column: j - s.offset()}
		}
		units[j], lengths[j] = u, u.In(length)
	}
	s.Units = Units{units[:k], units[k]}
	s.factors = s.Inverses()
	s.Lengths, s.YLength = lengths[:k], lengths[k]
	return s, nil
}

// ScaleBy returns the problem of rows that are some of many, in units that suit all.
// Nothing is measured.
func ScaleBy(r Rows, units Units) *Scaled {
	return &Scaled{rows: r, Units: units, factors: units.Inverses()}
}

// heightOfBlock is the number of rows that are measured at a time.
const heightOfBlock = 2048

// offset is the number of columns before those of X.
func (s *Scaled) offset() int {
	if s.rows.NoIntercept {
		return 0
	}
	return 1
}

// Terms returns the number of columns of X.
func (s *Scaled) Terms() int { return s.rows.X.Cols }

// Columns returns k.
func (s *Scaled) Columns() int { return s.rows.X.Cols + s.offset() }

// Rows returns the number of rows, those of weight zero and of the penalty among them.
func (s *Scaled) Rows() int { return s.rows.X.Rows + len(s.penalty) }

// y returns the response of row i.
func (s *Scaled) y(i int) float64 {
	if s.rows.Y == nil {
		return 0
	}
	return s.rows.Y[i]
}

// each calls take for the rows from start on and before end, those of weight zero left
// out, as long as there is room, with how many came before. It returns how many there were,
// and the row after the last.
func (s *Scaled) each(start, end, room int, take func(row, before int)) (got, next int) {
	for ; start < end && got < room; start++ {
		if start < s.rows.X.Rows && s.rows.Weight(start) == 0 {
			continue
		}
		take(start, got)
		got++
	}
	return got, start
}

// Read copies scaled rows [A y] from row start on and before end, those of weight zero
// left out, into block, which has k+1 columns, until it is full. It returns how many,
// and the row after the last.
func (s *Scaled) Read(block blas64.General, start, end int) (got, next int) {
	r, first, k := &s.rows, s.offset(), s.Columns()
	return s.each(start, end, block.Rows, func(i, before int) {
		row := block.Data[before*block.Stride : before*block.Stride+k+1]
		if j := i - r.X.Rows; j >= 0 { // of the penalty
			clear(row)
			row[j+first] = s.penalty[j] * s.factors[j+first]
			return
		}
		root := math.Sqrt(r.Weight(i))
		if first == 1 {
			row[0] = root * s.factors[0]
		}
		for j, x := range r.X.Data[i*r.X.Stride : i*r.X.Stride+r.X.Cols] {
			row[j+first] = root * x * s.factors[j+first]
		}
		row[k] = root * s.y(i) * s.factors[k]
	})
}

// ReadTwofold is Read in double-double arithmetic, from the rows themselves, so that
// sqrt(w_i) x_ij is not rounded: into columns, of equal length, from element top on.
func (s *Scaled) ReadTwofold(columns []dd.Vector, top, start, end int) (got, next int) {
	r, first, k := &s.rows, s.offset(), s.Columns()
	return s.each(start, end, len(columns[0].Hi)-top, func(i, before int) {
		at := top + before
		if j := i - r.X.Rows; j >= 0 {
			for _, c := range columns {
				c.Set(at, dd.Number{})
			}
			columns[j+first].Set(at, s.XUnit[j+first].InTwofold(dd.Of(s.penalty[j])))
			return
		}
		root := dd.Of(r.Weight(i)).Sqrt()
		if first == 1 {
			columns[0].Set(at, s.XUnit[0].InTwofold(root))
		}
		for j := range r.X.Cols {
			columns[j+first].Set(at, s.XUnit[j+first].InTwofold(root.Mul(r.At(i, j))))
		}
		columns[k].Set(at, s.YUnit.InTwofold(root.Mul(dd.Of(s.y(i)))))
	})
}

// Remainder returns |r|^2 and A'r of what the combination b + low leaves of column j, r = a_j - A (b + low),
// the rows as they are and not what Read rounds them to. An element of r is rounded once; see
// gram.Rows.Residuals.
func (s *Scaled) Remainder(j int, b, low []float64) (squares float64, products []float64) {
	x, first := s.rows.X, s.offset()
	column := make([]float64, x.Rows)
	for i := range column {
		column[i] = 1
		if j >= first {
			column[i] = x.Data[i*x.Stride+j-first]
		}
	}
	rows := gram.Rows{X: x, Y: column, Weights: s.rows.Weights, Scale: append(slices.Clone(s.factors[first:s.Columns()]), s.factors[j])}
	var ones, onesLow float64
	if first == 1 {
		ones, onesLow = b[0]*s.factors[0], low[0]*s.factors[0]
	}
	g := rows.Residuals(nil, ones, onesLow, b[first:], low[first:])
	if first == 1 {
		products = append(products, g.Ones*s.factors[0])
	}
	squares, products = g.RSS, append(products, g.X...)
	for i, v := range s.penalty {
		v *= s.factors[i+first]
		r := -v * (b[i+first] + low[i+first])
		if i+first == j {
			r += v
		}
		squares += r * r
		products[i+first] += v * r
	}
	return squares, products
}

// Cosines returns |a_j'r| / (|a_j| |y|) for the residual r of the rows, in their units, 0
// where a length is 0.
func (s *Scaled) Cosines(residual []float64) []float64 {
	r, first := &s.rows, s.offset()
	sums := make([]float64, s.Columns())
	for i, v := range residual {
		root := math.Sqrt(r.Weight(i))
		if root == 0 {
			continue
		}
		v = s.YUnit.In(root * v)
		if first == 1 {
			sums[0] += v * (root * s.factors[0])
		}
		for j, x := range r.X.Data[i*r.X.Stride : i*r.X.Stride+r.X.Cols] {
			sums[j+first] += v * (root * x * s.factors[j+first])
		}
	}
	for j, length := range s.Lengths {
		if length > 0 && s.YLength > 0 {
			sums[j] = math.Abs(sums[j]) / length / s.YLength
		} else {
			sums[j] = 0
		}
	}
	return sums
}
