package problem

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Prepared are the rows of positive weight, for a method that goes through them again and again:
// columns are centered if they are far from zero, and their largest values are about 1 in their units.
type Prepared struct {
	Units // of the terms and y

	Rows    []int          // of the data
	Weights []float64      // of the rows; A and Y do not have them before Weigh
	Center  []float64      // of the terms
	First   int            // 1 with an intercept
	A       blas64.General // [1 X], or X without an intercept
	Y       []float64
}

// Prepare prepares rows, with so many rows of zeros below them. The error is a *RangeError for a
// column that is too large for its center.
func Prepare(r Rows, below int) (*Prepared, error) {
	p := r.X.Cols
	q := &Prepared{Center: make([]float64, p)}
	if !r.NoIntercept {
		q.First = 1
	}
	q.Rows, q.Weights = r.Positive()
	if c := Conditioning(r); c != nil {
		q.Center = c.Center
	}
	n, k := len(q.Rows)+below, q.First+p
	stride := max(k, 1)
	q.A, q.Y = blas64.General{Rows: n, Cols: k, Stride: stride, Data: make([]float64, n*stride)}, make([]float64, n)
	const least = -1022 // whose inverse is finite
	units := make([]Unit, p+1)
	for j, x := range q.fill(r) {
		if math.IsInf(x, 0) {
			return nil, &RangeError{Column: j}
		}
		units[j] = max(UnitOf(x), least)
	}
	q.Units = Units{units[:p], units[p]}
	q.rescale()
	return q, nil
}

// fill copies the rows, less the centers, and returns the largest elements of the columns and,
// last, of the response.
func (q *Prepared) fill(r Rows) []float64 {
	a, y, p, n := q.A, q.Y, len(q.Center), len(q.Rows)
	parts := make([][]float64, gram.Chunks(n)) // of every chunk of rows
	gram.EachChunk(n, func() func(chunk, start, end int) {
		return func(chunk, start, end int) {
			largest := make([]float64, p+1)
			for k := start; k < end; k++ {
				i, row := q.Rows[k], a.Data[k*a.Stride:k*a.Stride+a.Cols]
				if q.First == 1 {
					row[0] = 1
				}
				for j, x := range r.X.Data[i*r.X.Stride : i*r.X.Stride+p] {
					x -= q.Center[j]
					row[q.First+j] = x
					if x = math.Abs(x); !(x <= largest[j]) {
						largest[j] = x
					}
				}
				y[k] = r.Y[i]
				largest[p] = math.Max(largest[p], math.Abs(y[k]))
			}
			parts[chunk] = largest
		}
	})
	largest := parts[0]
	for _, part := range parts[1:] {
		for j, x := range part {
			largest[j] = math.Max(largest[j], x)
		}
	}
	return largest
}

// rescale divides columns and response by their units.
func (q *Prepared) rescale() {
	a, y, p := q.A, q.Y, len(q.Center)
	scale := q.Inverses()
	gram.EachChunk(len(q.Rows), func() func(chunk, start, end int) {
		return func(_, start, end int) {
			for r := start; r < end; r++ {
				row := a.Data[r*a.Stride+q.First : r*a.Stride+a.Cols]
				for j, s := range scale[:p] {
					row[j] *= s
				}
				y[r] *= scale[p]
			}
		}
	})
}

// Weigh multiplies the rows by the roots of their weights.
func (q *Prepared) Weigh() {
	for i, w := range q.Weights {
		root := math.Sqrt(w)
		blas64.Scal(root, gram.Vector(q.A.Data[i*q.A.Stride:i*q.A.Stride+q.A.Cols]))
		q.Y[i] *= root
	}
}

// ToRaw is the matrix that takes coefficients from the units of the rows to those of the data.
func (q *Prepared) ToRaw() *mat.Dense {
	k, p := q.A.Cols, len(q.Center)
	t := mat.NewDense(k, k, nil)
	if q.First == 1 {
		t.Set(0, 0, q.YUnit.Float())
	}
	for j := range p {
		v := q.Slope(j, 1)
		t.Set(q.First+j, q.First+j, v)
		if q.First == 1 {
			t.Set(0, 1+j, -v*q.Center[j])
		}
	}
	return t
}

// Coefficients takes coefficients, and what rounding took from them, from the units of the
// rows to those of the data.
func (q *Prepared) Coefficients(b, low []float64) (coef, coefLow []float64) {
	p := len(q.Center)
	coef, coefLow = make([]float64, q.First+p), make([]float64, q.First+p)
	var b0 dd.Number
	if q.First == 1 {
		b0 = q.YUnit.OutTwofold(dd.Number{Hi: b[0], Lo: low[0]})
	}
	for j := range p {
		v := (q.YUnit - q.XUnit[j]).OutTwofold(dd.Number{Hi: b[q.First+j], Lo: low[q.First+j]})
		coef[q.First+j], coefLow[q.First+j] = v.Hi, v.Lo
		if q.Center[j] != 0 {
			b0 = b0.Sub(v.Mul(dd.Of(q.Center[j])))
		}
	}
	if q.First == 1 {
		coef[0], coefLow[0] = b0.Hi, b0.Lo
	}
	return coef, coefLow
}

// FromRaw takes coefficients from the units of the data to those of the rows.
func (q *Prepared) FromRaw(coef []float64) []float64 {
	b, slopes := make([]float64, len(coef)), coef[q.First:]
	for j, v := range slopes {
		b[q.First+j] = q.InSlope(j, v)
	}
	if q.First == 1 {
		b0 := coef[0]
		for j, v := range slopes {
			b0 += v * q.Center[j]
		}
		b[0] = q.YUnit.In(b0)
	}
	return b
}
