package quantiles

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Prepared are the rows of positive weight of a design as a Problem wants them: columns
// centered if they are far from zero, and scaled to about 1.
type Prepared struct {
	Rows    []int     // of the design
	Weights []float64 // of the rows
	Problem *Problem
	Center  []float64 // of the terms
	Exp     []int     // columns and, last, the response are divided by these powers of 2
	First   int       // 1 with an intercept
	Lasso   int       // rows of the penalty, behind the others
	Factor  []float64 // of the penalty, by term; nil is ones
}

// Prepare prepares rows, whose columns have the names, with rows for a lasso penalty if that is
// wanted. The error is ErrNotFinite for a column that is too large for its center.
func Prepare(r problem.Rows, names []string, lasso bool) (*Prepared, error) {
	p := r.X.Cols
	q := &Prepared{Center: make([]float64, p), Exp: make([]int, p+1)}
	if !r.NoIntercept {
		q.First = 1
	}
	q.Rows, q.Weights = make([]int, 0, len(r.Y)), make([]float64, 0, len(r.Y))
	for i := range r.Y {
		if w := r.Weight(i); w > 0 {
			q.Rows, q.Weights = append(q.Rows, i), append(q.Weights, w)
		}
	}
	if lasso {
		q.Lasso = p
	}
	if c := problem.Conditioning(r); c != nil {
		copy(q.Center, c.Center)
	}
	n, k := len(q.Rows), q.First+p
	stride := max(k, 1)
	a := blas64.General{Rows: n + q.Lasso, Cols: k, Stride: stride, Data: make([]float64, (n+q.Lasso)*stride)}
	q.Problem = &Problem{A: a, Y: make([]float64, n+q.Lasso)}
	for j, x := range q.fill(r) {
		if math.IsInf(x, 0) {
			return nil, fmt.Errorf("%w: the length of term %q is too large or too small for float64; rescale it", fault.ErrNotFinite, names[j])
		}
		_, q.Exp[j] = math.Frexp(x)
		q.Exp[j] = max(q.Exp[j], -1022) // whose power is finite
	}
	q.rescale()
	for j := range q.Lasso {
		a.Data[(n+j)*stride+q.First+j] = 1
	}
	return q, nil
}

// fill copies the rows, less the centers, and returns the largest elements of the columns and,
// last, of the response.
func (q *Prepared) fill(r problem.Rows) []float64 {
	a, y, p, n := q.Problem.A, q.Problem.Y, len(q.Center), len(q.Rows)
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

// rescale divides columns and response by their powers of two.
func (q *Prepared) rescale() {
	a, y, p := q.Problem.A, q.Problem.Y, len(q.Center)
	scale := make([]float64, p+1)
	for j, e := range q.Exp {
		scale[j] = math.Ldexp(1, -e)
	}
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

// Unit is the power of two that the response is divided by.
func (q *Prepared) Unit() int { return q.Exp[len(q.Center)] }

// ToDesign is the matrix that takes coefficients from the problem to the design.
func (q *Prepared) ToDesign() *mat.Dense {
	k, p := q.Problem.A.Cols, len(q.Center)
	t := mat.NewDense(k, k, nil)
	if q.First == 1 {
		t.Set(0, 0, math.Ldexp(1, q.Exp[p]))
	}
	for j := range p {
		v := math.Ldexp(1, q.Exp[p]-q.Exp[j])
		t.Set(q.First+j, q.First+j, v)
		if q.First == 1 {
			t.Set(0, 1+j, -v*q.Center[j])
		}
	}
	return t
}

// Coefficients takes coefficients, and what rounding took from them, from the units of the problem
// to those of the design.
func (q *Prepared) Coefficients(b, low []float64) (coef, coefLow []float64) {
	p := len(q.Center)
	coef, coefLow = make([]float64, q.First+p), make([]float64, q.First+p)
	var b0 dd.Number
	if q.First == 1 {
		b0 = dd.Number{Hi: b[0], Lo: low[0]}.Ldexp(q.Exp[p])
	}
	for j := range p {
		v := dd.Number{Hi: b[q.First+j], Lo: low[q.First+j]}.Ldexp(q.Exp[p] - q.Exp[j])
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

// FromDesign takes coefficients from the units of the design to those of the problem.
func (q *Prepared) FromDesign(coef []float64) []float64 {
	b, slopes := make([]float64, len(coef)), coef[q.First:]
	for j, v := range slopes {
		b[q.First+j] = math.Ldexp(v, q.Exp[j]-q.Unit())
	}
	if q.First == 1 {
		b0 := coef[0]
		for j, v := range slopes {
			b0 += v * q.Center[j]
		}
		b[0] = math.Ldexp(b0, -q.Unit())
	}
	return b
}

// Rates returns the bounds of the duals as low + theta lowRate and high + theta highRate,
// of theta = tau.
func (q *Prepared) Rates() (low, high, lowRate, highRate []float64) {
	n := len(q.Problem.Y)
	low, high, lowRate, highRate = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for r, w := range q.Weights {
		low[r], lowRate[r], highRate[r] = -w, w, w
	}
	return low, high, lowRate, highRate
}

// penalties sets the bounds of the rows of the penalty, in the units of the columns and
// the response of the problem.
func (q *Prepared) penalties(low, high []float64, l1 float64) {
	n := len(q.Rows)
	for j := range q.Lasso {
		l := math.Ldexp(l1, -q.Exp[j])
		if q.Factor != nil {
			l *= q.Factor[j]
		}
		low[n+j], high[n+j] = -l, l
	}
}

// At returns the problem of a quantile and a penalty.
func (q *Prepared) At(tau, l1 float64) *Problem {
	p := *q.Problem
	p.Low, p.High = make([]float64, len(p.Y)), make([]float64, len(p.Y))
	for r, w := range q.Weights {
		p.Low[r], p.High[r] = (tau-1)*w, tau*w
	}
	q.penalties(p.Low, p.High, l1)
	return &p
}
