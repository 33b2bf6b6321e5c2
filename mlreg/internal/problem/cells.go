package problem

import (
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/internal/compressed"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Column is one of a model that is a multiple of a number of a cell, or constant there.
type Column = compressed.Column

// Part has the sums of some of the rows of a model, in which its columns are multiples of fewer ones, or constant.
type Part struct {
	*Sums
	Columns []Column // that are not 0, in their order
}

// column is one of a model in the rows of a part.
type column struct {
	Column
	mean dd.Number
}

// columns returns those of a part that are not 0, and the response as column p.
func (s *Part) columns(p int) []column {
	out := make([]column, 0, len(s.Columns)+1)
	for _, c := range s.Columns {
		mean := dd.Of(c.Times)
		if c.Of >= 0 {
			mean = mean.Mul(s.MeanOf(c.Of))
		}
		out = append(out, column{c, mean})
	}
	response := Column{At: p, Of: len(s.SXY), Times: 1}
	return append(out, column{response, dd.Of(s.MeanY).Add(dd.Of(s.MeanYLow))})
}

// product returns the product of two columns about their means in the rows of a part.
func (s *Part) product(a, b column) float64 {
	if a.Of < 0 || b.Of < 0 {
		return 0
	}
	return a.Times * b.Times * s.Product(min(a.Of, b.Of), max(a.Of, b.Of))
}

// Expand returns the sums of p columns and the response over all parts, which have some row. With the means m_c of
// part c, S = sum_c (S_c + W_c m_c m_c') - W m m' is summed to twice the digits: a column that is 0 in
// some part does not cancel, and the others are taken about their mean first.
func Expand(p int, parts []Part) Sums {
	s := NewSums(p)
	s.MeanXLow, s.Gross, s.MeanErr = make([]float64, p), make([]float64, p+1), make([]float64, p+1)
	mean, center := s.takeMeans(p, parts)
	all, within, lost := dd.NewVector((p+1)*(p+1)), make([]float64, p+1), make([]float64, p)
	for _, part := range parts {
		w, columns := dd.Of(part.W), part.columns(p)
		for i, a := range columns {
			columns[i].mean = a.mean.Sub(dd.Of(center[a.At]))
		}
		for i, a := range columns {
			if a.Of >= 0 {
				s.Gross[a.At] += a.Times * a.Times * part.grossOf(a.Of)
				within[a.At] += part.product(a, a)
				s.MeanErr[a.At] += math.Abs(a.Times) * part.MeanErrOf(a.Of) * part.W / s.W
			}
			if a.Of >= 0 && a.At < p {
				lost[a.At] = math.Hypot(lost[a.At], a.Times*part.LostOf(a.Of))
			}
			wa := w.Mul(a.mean)
			for _, b := range columns[i:] {
				at := a.At*(p+1) + b.At
				all.Set(at, all.At(at).Add(wa.Mul(b.mean)).Add(dd.Of(part.product(a, b))))
			}
		}
	}
	if slices.ContainsFunc(lost, func(v float64) bool { return v > 0 }) {
		s.Lost = lost
	}
	s.takeProducts(all, mean, center)
	for j, ss := range s.Squares() {
		s.Gross[j] += math.Max(0, ss-within[j])
	}
	return s
}

// grossOf is GrossOf, where it is not known what the sums were made of the sum of squares.
func (s *Part) grossOf(j int) float64 {
	if s.Gross != nil {
		return s.Gross[j]
	}
	return s.Product(j, j)
}

// takeMeans sets the means and what is added up of the parts alone. It returns the means, and of columns that no part
// has without a number or constant a center.
func (s *Sums) takeMeans(p int, parts []Part) (mean []dd.Number, center []float64) {
	mean, center = make([]dd.Number, p+1), make([]float64, p+1)
	in := make([]int, p+1)
	var w, logW dd.Number
	for _, part := range parts {
		w, logW = w.Add(dd.Of(part.W)), logW.Add(dd.Of(part.LogW))
		s.N, s.GrossN, s.GrossW = s.N+part.N, s.GrossN+part.GrossN, s.GrossW+part.GrossW
		s.RelErr, s.Steps = math.Max(s.RelErr, part.RelErr), max(s.Steps, part.Steps+1)
		s.Merged = s.Merged || part.Merged || len(parts) > 1
		for _, c := range part.columns(p) {
			mean[c.At] = mean[c.At].Add(c.mean.Mul(dd.Of(part.W)))
			in[c.At]++
		}
	}
	s.W, s.LogW = w.Float(), logW.Float()
	for j := range mean {
		mean[j] = mean[j].Div(w)
		if in[j] == len(parts) {
			center[j] = mean[j].Hi
		}
		if j < p {
			s.MeanX[j], s.MeanXLow[j] = mean[j].Hi, mean[j].Lo
		}
	}
	s.MeanY, s.MeanYLow = mean[p].Hi, mean[p].Lo
	return mean, center
}

// takeProducts sets the products about the means by those about the centers. The rounding of constant columns is
// taken for 0.
func (s *Sums) takeProducts(about dd.Vector, mean []dd.Number, center []float64) {
	const nothing = 0x1p-90
	p, w := len(s.SXY), dd.Of(s.W)
	constant := make([]bool, p+1)
	off := make([]dd.Number, p+1)
	centered := func(j, k int) (v, before float64) {
		sum := about.At(j*(p+1) + k)
		return sum.Sub(w.Mul(off[j]).Mul(off[k])).Float(), sum.Hi
	}
	for j := range off {
		off[j] = mean[j].Sub(dd.Of(center[j]))
		ss, before := centered(j, j)
		constant[j] = ss <= nothing*before
	}
	for j := range off {
		for k := j; k <= p; k++ {
			v, _ := centered(j, k)
			if constant[j] || constant[k] {
				v = 0
			}
			s.SetProduct(j, k, v)
		}
	}
}

// PredictorOf returns the linear predictor of the rows of a cell as coefficients of u = (1, z), with the cell's numbers z less their shifts:
// level is that where all columns are 0, and slopes are of the columns, of which those given are not 0 in the cell.
func PredictorOf(columns []Column, shift []float64, level dd.Number, slopes []float64) []float64 {
	of := make([]float64, 1+len(shift))
	for _, c := range columns {
		value := dd.Of(c.Times)
		if c.Of >= 0 {
			value = value.Mul(dd.Of(shift[c.Of]))
			of[1+c.Of] += c.Times * slopes[c.At]
		}
		level = level.Add(value.Mul(dd.Of(slopes[c.At])))
	}
	of[0] = level.Hi
	return of
}

// Points makes u = (1, z) of the rows of cells, with their numbers z less Shift: those of the first row of positive weight in the first
// rows that it gets, or of the first one if none of these has any. A value that no fit is of does not take digits from the others.
type Points struct{ Shift []float64 }

// Of returns u for the rows x; nil weights are ones.
func (p *Points) Of(x blas64.General, weights []float64) blas64.General {
	row := func(i int) []float64 { return x.Data[i*x.Stride : i*x.Stride+x.Cols] }
	if p.Shift == nil && x.Rows > 0 {
		first := slices.IndexFunc(weights, func(w float64) bool { return w > 0 })
		p.Shift = slices.Clone(row(max(first, 0)))
	}
	k := 1 + x.Cols
	u := blas64.General{Rows: x.Rows, Cols: k, Stride: k, Data: make([]float64, x.Rows*k)}
	for i := range x.Rows {
		u.Data[i*k] = 1
		floats.SubTo(u.Data[i*k+1:(i+1)*k], row(i), p.Shift)
	}
	return u
}

// CellSums are the sums of rows by cell, whose columns are those of the numbers.
type CellSums map[int]*Sums

// Add adds rows without a response, of which of[i] is the cell of row i.
func (s CellSums) Add(x blas64.General, weights []float64, of []int) {
	rows := make(map[int][]int)
	for i, cell := range of {
		rows[cell] = append(rows[cell], i)
	}
	for cell, in := range rows {
		part := Rows{X: blas64.General{Rows: len(in), Cols: x.Cols, Stride: max(x.Cols, 1)}, Y: make([]float64, len(in)), Weights: gram.Take(weights, in)}
		part.X.Data = make([]float64, part.X.Rows*part.X.Stride)
		for k, i := range in {
			copy(part.X.Data[k*part.X.Stride:], x.Data[i*x.Stride:i*x.Stride+x.Cols])
		}
		sums := SumRows(part)
		switch {
		case sums.N == 0:
		case s[cell] == nil:
			s[cell] = &sums
		default:
			s[cell].Merge(&sums)
		}
	}
}

// Expand returns the sums of p columns, of which those given are not 0 in a cell.
func (s CellSums) Expand(p int, columns func(cell int) []Column) Sums {
	if len(s) == 0 {
		return NewSums(p)
	}
	var parts []Part
	for _, cell := range slices.Sorted(maps.Keys(s)) {
		parts = append(parts, Part{s[cell], columns(cell)})
	}
	return Expand(p, parts)
}
