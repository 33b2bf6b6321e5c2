package mlreg

import (
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"
)

// normalEquations are G b = c for the columns of X, centred if there is an
// intercept, scaled like a system's: G = X'X, c = X'y, yy = y'y.
type normalEquations struct {
	m    *Moments
	g    *mat.SymDense // p x p
	c    []float64     // p
	yy   float64
	exp  []int // of the columns of A = [1 X] or X
	yexp int
}

func newNormalEquations(m *Moments) *normalEquations {
	s := &m.s
	p := len(s.Names)
	e := &normalEquations{m: m, g: mat.NewSymDense(p, nil), c: make([]float64, p)}
	offset := 0
	if !s.NoIntercept {
		offset = 1
	}
	e.exp = make([]int, p+offset)
	// Without an intercept the sums are about zero, not about the mean.
	raw := func(j, k int) float64 { return s.SXX[j*p+k] }
	rawY := func(j int) float64 { return s.SXY[j] }
	e.yy = s.SYY
	if s.NoIntercept {
		raw = func(j, k int) float64 { return s.SXX[j*p+k] + s.W*s.MeanX[j]*s.MeanX[k] }
		rawY = func(j int) float64 { return s.SXY[j] + s.W*s.MeanX[j]*s.MeanY }
		e.yy += s.W * s.MeanY * s.MeanY
	}
	for j := range p {
		e.exp[j+offset] = halfExponent(raw(j, j))
	}
	e.yexp = halfExponent(e.yy)
	e.yy = math.Ldexp(e.yy, -2*e.yexp)
	for j := range p {
		ej := e.exp[j+offset]
		e.c[j] = math.Ldexp(rawY(j), -ej-e.yexp)
		for k := j; k < p; k++ {
			e.g.SetSym(j, k, math.Ldexp(raw(j, k), -ej-e.exp[k+offset]))
		}
	}
	return e
}

// halfExponent returns e such that the sum of squares ss is about 4^e.
func halfExponent(ss float64) int {
	if ss == 0 {
		return 0
	}
	_, e := math.Frexp(ss)
	return e / 2
}

// solve factors G = R'R, leaving aliased columns out, and solves for the
// slopes and the intercept.
func (e *normalEquations) solve() *solution {
	s := &e.m.s
	p := len(s.Names)
	keep, r := cholesky(e.g, aliasSums)
	k := len(keep)
	slopes := make([]float64, k)
	for i, j := range keep {
		slopes[i] = e.c[j]
	}
	if k > 0 {
		blas64.Trsv(blas.Trans, upper(r), blas64.Vector{N: k, Inc: 1, Data: slopes})
	}
	if s.NoIntercept {
		b, rinv := backSolve(r, slopes)
		return &solution{keep: keep, b: b, rinv: rinv, cond: conditionNumber(r, rinv)}
	}
	// A'A for A = [1 X] has the factor [sqrt(W), sqrt(W) mean'; 0, R].
	full := mat.NewDense(k+1, k+1, nil)
	root := math.Sqrt(s.W)
	rhs := append([]float64{root * math.Ldexp(s.MeanY, -e.yexp)}, slopes...)
	full.Set(0, 0, root)
	all := []int{0}
	for i, j := range keep {
		all = append(all, j+1)
		full.Set(0, i+1, root*math.Ldexp(s.MeanX[j], -e.exp[j+1]))
		copy(full.RawRowView(i + 1)[i+1:], r.RawRowView(i)[i:])
	}
	b, rinv := backSolve(full, rhs)
	if p == 0 {
		return &solution{keep: all, b: b, rinv: rinv, cond: 1}
	}
	return &solution{keep: all, b: b, rinv: rinv, cond: conditionNumber(full, rinv)}
}

// upper views a square matrix as upper triangular.
func upper(r *mat.Dense) blas64.Triangular {
	raw := r.RawMatrix()
	return blas64.Triangular{N: raw.Rows, Stride: raw.Stride, Data: raw.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
}

// cholesky factors the kept rows and columns of g as R'R. A column is kept if
// the squared length of its part orthogonal to those kept before it exceeds
// tol^2 times its own.
func cholesky(g *mat.SymDense, tol float64) (keep []int, r *mat.Dense) {
	p := g.SymmetricDim()
	f := mat.NewSymDense(p, nil)
	f.CopySym(g)
	if t, ok := lapack64.Potrf(f.RawSymmetric()); ok {
		full := true
		r = mat.NewDense(p, p, nil)
		for j := range p {
			copy(r.RawRowView(j)[j:], t.Data[j*t.Stride+j:j*t.Stride+p])
			keep = append(keep, j)
			d := r.At(j, j)
			full = full && d*d > tol*tol*g.At(j, j)
		}
		if full {
			return keep, r
		}
	}
	// Column by column: solve R_kept' v = g_kept,j; what is left of g_jj is the
	// squared length sought.
	keep = keep[:0]
	factor := mat.NewDense(p, p, nil) // rows and columns of kept columns, in order
	for j := range p {
		k := len(keep)
		v := make([]float64, k)
		for i, q := range keep {
			v[i] = g.At(q, j)
		}
		rest := g.At(j, j)
		if k > 0 {
			t := upper(factor)
			t.N = k
			blas64.Trsv(blas.Trans, t, blas64.Vector{N: k, Inc: 1, Data: v})
			for _, x := range v {
				rest -= x * x
			}
		}
		if rest > tol*tol*g.At(j, j) {
			for i, x := range v {
				factor.Set(i, k, x)
			}
			factor.Set(k, k, math.Sqrt(rest))
			keep = append(keep, j)
		}
	}
	if len(keep) == 0 {
		return keep, &mat.Dense{}
	}
	return keep, mat.DenseCopyOf(factor.Slice(0, len(keep), 0, len(keep)))
}

// fit returns the residual and total sums of squares and the orthogonality
// certificate of a solution, in the units of the scaled equations.
func (e *normalEquations) fit(sol *solution) (rss, tss, orth float64) {
	offset := len(e.exp) - len(e.c)
	p := len(e.c)
	b := make([]float64, p)
	for c, j := range sol.keep {
		if j >= offset {
			b[j-offset] = sol.b[c]
		}
	}
	rest := append([]float64(nil), e.c...) // c - G b = X'r
	if p > 0 {
		blas64.Symv(-1, e.g.RawSymmetric(), blas64.Vector{N: p, Inc: 1, Data: b}, 1, blas64.Vector{N: p, Inc: 1, Data: rest})
	}
	rss = e.yy
	for j := range p {
		rss -= b[j] * (e.c[j] + rest[j])
		if gjj := e.g.At(j, j); gjj > 0 && e.yy > 0 {
			orth = math.Max(orth, math.Abs(rest[j])/math.Sqrt(gjj*e.yy))
		}
	}
	return math.Max(rss, 0), e.yy, orth
}
