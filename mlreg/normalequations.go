package mlreg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack/lapack64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// normalEquations are G b = c for the columns of X, centred if there is an
// intercept, scaled like a system's: G = X'X, c = X'y, yy = y'y.
type normalEquations struct {
	*problem.Problem
	m   *Moments
	g   *mat.SymDense // G
	exp []int         // of the columns of A = [1 X] or X

	lengths struct {
		centred, raw []float64 // of the columns of X, about their means and as they are
		one, y       float64   // of the column of ones, and of y as it is
		// What the sums were made of: the lengths of X and y that their rounding errors
		// are relative to, and those of what the sums lack of the columns.
		gross  []float64
		grossY float64
		lost   []float64
	}
}

func newNormalEquations(m *Moments) *normalEquations {
	s := &m.s
	d := problem.FromSums(&s.Sums, s.NoIntercept)
	e := &normalEquations{Problem: d, m: m, g: &mat.SymDense{}}
	if d.Terms() > 0 {
		e.g.SetRawSymmetric(d.G)
	}
	e.exp = append(make([]int, e.offset()), d.Exp...)
	e.measure()
	return e
}

// measure sets the lengths.
func (e *normalEquations) measure() {
	s := &e.m.s
	l := &e.lengths
	about := math.Sqrt(s.W)
	if s.NoIntercept {
		about = 0 // sums are about zero as they are
	} else {
		l.one = about
	}
	for j, mean := range e.twofoldMeans() {
		length := math.Sqrt(e.g.At(j, j))
		l.centred = append(l.centred, length)
		l.raw = append(l.raw, math.Hypot(length, about*mean.Hi))
		l.gross = append(l.gross, math.Max(length, math.Ldexp(math.Sqrt(s.GrossOf(j)), -e.exp[j+e.offset()])))
		l.lost = append(l.lost, math.Ldexp(s.LostOf(j), -e.exp[j+e.offset()]))
	}
	l.grossY = math.Max(math.Sqrt(e.YY), math.Ldexp(math.Sqrt(s.GrossOf(len(s.Names))), -e.YExp))
	l.y = math.Hypot(math.Sqrt(e.YY), about*math.Ldexp(s.MeanY, -e.YExp))
}

// kept returns the lengths of the kept columns of A, of y and of the residual.
func (e *normalEquations) kept(keep []int, rss float64) lengths {
	l := lengths{y: e.lengths.y, r: math.Sqrt(rss)}
	for _, j := range keep {
		if j < e.offset() {
			l.a = append(l.a, e.lengths.one)
		} else {
			l.a = append(l.a, e.lengths.raw[j-e.offset()])
		}
	}
	return l
}

// offset returns the number of columns of A = [1 X] before those of X.
func (e *normalEquations) offset() int {
	if e.m.s.NoIntercept {
		return 0
	}
	return 1
}

// twofoldMeans returns the means of the columns in the units of the equations, to
// twice the digits.
func (e *normalEquations) twofoldMeans() []dd.Number {
	means := make([]dd.Number, len(e.C))
	for j := range means {
		means[j] = e.m.s.MeanOf(j).Ldexp(-e.exp[j+e.offset()])
	}
	return means
}

// centredRoot returns the T of the slopes: (X'X)^-1 = T T' for centred X.
func (e *normalEquations) centredRoot(sol *solution) *mat.TriDense {
	if e.offset() == 0 {
		return sol.rinv
	}
	raw := sol.rinv.RawTriangular()
	var t mat.TriDense
	if raw.N--; raw.N > 0 {
		raw.Data = raw.Data[raw.Stride+1:]
	}
	t.SetRawTriangular(raw)
	return &t
}

// rounding returns the error of the cross-products and their factor, relative to
// the gross lengths, with some to spare. Rows are summed in blocks of some 256: a
// sum of m terms is wrong by at most m roundings, and by about the root of m if
// they are random. A merge is a rounding, too.
func (e *normalEquations) rounding() float64 {
	n := float64(max(e.m.s.N, e.m.s.GrossN))
	block := math.Min(n, 256)
	return unit * (math.Min(block, 4*math.Sqrt(block)) + 4*math.Sqrt(n/256+float64(len(e.C)+e.m.s.Steps)))
}

// solve factors G = R'R, leaving aliased columns out, and solves for the
// slopes and the intercept.
func (e *normalEquations) solve() *solution {
	s := &e.m.s
	keep, r := cholesky(e.varying(), aliasSums, roundingOfSums)
	k := len(keep)
	rhs := make([]float64, k)
	for i, j := range keep {
		rhs[i] = e.C[j]
	}
	if k > 0 {
		blas64.Trsv(blas.Trans, upper(r), vector(rhs))
	}
	sol := &solution{keep: keep, rest: e.rest(keep, r)}
	sol.b, sol.rinv = backSolve(r, rhs)
	sol.bLow, sol.rinvLow = make([]float64, k), lowTriangle(k)
	sol.rss, sol.bounds = e.fit(sol)
	if s.NoIntercept {
		sol.cond = conditionNumber(r, sol.rinv)
		sol.lengths = e.kept(keep, sol.rss)
		e.countLost(sol)
		return sol
	}
	// A'A for A = [1 X] has the factor [sqrt(W), sqrt(W) mean'; 0, R], and b_0 is
	// mean_y - mean'b.
	full := mat.NewDense(k+1, k+1, nil)
	rinv, rinvLow := mat.NewTriDense(k+1, mat.Upper, nil), mat.NewTriDense(k+1, mat.Upper, nil)
	root := math.Sqrt(s.W)
	full.Set(0, 0, root)
	rinv.SetTri(0, 0, 1/root)
	b0 := dd.Of(s.MeanY).Add(dd.Of(s.MeanYLow)).Ldexp(-e.YExp)
	size, spread := math.Abs(b0.Hi), e.lengths.grossY
	all, means := []int{0}, e.twofoldMeans()
	first := dd.NewVector(k) // the row of the intercept in the inverse: -mean'T
	for i, j := range keep {
		all = append(all, j+1)
		mean := means[j]
		full.Set(0, i+1, root*mean.Hi)
		copy(full.RawRowView(i + 1)[i+1:], r.RawRowView(i)[i:])
		for c := i; c < k; c++ {
			rinv.SetTri(i+1, c+1, sol.rinv.At(i, c))
			first.Set(c, first.At(c).Sub(mean.Mul(dd.Of(sol.rinv.At(i, c)))))
		}
		b0 = b0.Sub(mean.Mul(dd.Of(sol.b[i])))
		size += math.Abs(mean.Hi * sol.b[i])
		spread += e.lengths.gross[j] * math.Abs(sol.b[i])
	}
	for i, rest := range sol.rest {
		sol.rest[i] = append([]float64{0}, rest...) // of a centred column
	}
	for c := range k {
		rinv.SetTri(0, c+1, first.Hi[c])
		rinvLow.SetTri(0, c+1, first.Lo[c])
	}
	// The means are known to twice the digits but for those of what they are the
	// centres of.
	sol.bounds.first = e.rounding()*spread*math.Sqrt(math.Max(s.W, s.GrossW))/s.W + 4*float64(k+2)*dd.Eps*size
	sol = &solution{
		keep: all, rest: sol.rest, b: append([]float64{b0.Hi}, sol.b...), bLow: append([]float64{b0.Lo}, sol.bLow...), rinv: rinv, rinvLow: rinvLow,
		cond: conditionNumber(full, rinv), rss: sol.rss, lengths: e.kept(all, sol.rss), bounds: sol.bounds,
	}
	e.countLost(sol)
	return sol
}

// lowTriangle returns a triangle of zeros.
func lowTriangle(k int) *mat.TriDense {
	if k == 0 {
		return &mat.TriDense{}
	}
	return mat.NewTriDense(k, mat.Upper, nil)
}

// countLost adds to the bounds that the sums lack what rounding took from the
// columns.
func (e *normalEquations) countLost(sol *solution) {
	if e.m.s.Lost == nil {
		return
	}
	lost := make([]float64, len(sol.keep))
	for c, j := range sol.keep {
		if j >= e.offset() {
			lost[c] = e.lengths.lost[j-e.offset()]
		}
	}
	sol.bounds = sol.bounds.perturbed(lost, sol.rinv, sol.b, math.Sqrt(sol.rss))
}

// varying returns the equations' matrix with 0 for the squared length of a column
// that does not vary, to aliasRows of its length, so that it is aliased with the
// intercept as it is to a fit to rows.
func (e *normalEquations) varying() *mat.SymDense {
	g := e.g
	for j, length := range e.lengths.centred {
		if length > aliasRows*e.lengths.raw[j] {
			continue
		}
		if g == e.g {
			g = newSym(len(e.C))
			g.CopySym(e.g)
		}
		g.SetSym(j, j, 0)
	}
	return g
}

// rest returns the columns that are not kept in the orthonormal basis of the kept
// ones, whose factor is r.
func (e *normalEquations) rest(keep []int, r *mat.Dense) [][]float64 {
	var rest [][]float64
	for j := range e.C {
		before, kept := slices.BinarySearch(keep, j)
		if kept {
			continue
		}
		v := make([]float64, before)
		for i, q := range keep[:before] {
			v[i] = e.g.At(q, j)
		}
		if before > 0 {
			t := upper(r)
			t.N = before
			blas64.Trsv(blas.Trans, t, vector(v))
		}
		rest = append(rest, v)
	}
	return rest
}

// upper views a square matrix as upper triangular.
func upper(r *mat.Dense) blas64.Triangular {
	raw := r.RawMatrix()
	return blas64.Triangular{N: raw.Rows, Stride: raw.Stride, Data: raw.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
}

// cholesky factors the kept rows and columns of g as R'R. A column is kept if
// the squared length of its part orthogonal to those kept before it exceeds
// tol^2 times its own, and noise times the square of the lengths that cancel in it,
// |x_j| + sum_i |c_i| |x_i| for the combination c of those kept that is next to it.
func cholesky(g *mat.SymDense, tol, noise float64) (keep []int, r *mat.Dense) {
	p := g.SymmetricDim()
	if p == 0 {
		return nil, &mat.Dense{}
	}
	clear := tol * tol // of noise
	if noise > 0 {
		clear = math.Max(clear, 1e-10)
	}
	f := mat.NewSymDense(p, nil)
	f.CopySym(g)
	if t, ok := lapack64.Potrf(f.RawSymmetric()); ok {
		full := true
		r = mat.NewDense(p, p, nil)
		for j := range p {
			copy(r.RawRowView(j)[j:], t.Data[j*t.Stride+j:j*t.Stride+p])
			keep = append(keep, j)
			d := r.At(j, j)
			full = full && d*d > clear*g.At(j, j)
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
		if rest > tol*tol*g.At(j, j) && (rest > clear*g.At(j, j) || rest > noise*cancelled(g, factor, keep, v, j)) {
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

// cancelled returns (|x_j| + sum_i |c_i| |x_i|)^2 for the c with factor c = v.
func cancelled(g *mat.SymDense, factor *mat.Dense, keep []int, v []float64, j int) float64 {
	c := slices.Clone(v)
	if t := upper(factor); len(c) > 0 {
		t.N = len(c)
		blas64.Trsv(blas.NoTrans, t, vector(c))
	}
	length := math.Sqrt(g.At(j, j))
	for i, q := range keep {
		length += math.Abs(c[i]) * math.Sqrt(g.At(q, q))
	}
	return length * length
}

// fit returns the residual sum of squares of the slopes, and the bounds of
// their errors: those of the cross-products, magnified by (X'X)^-1.
func (e *normalEquations) fit(sol *solution) (rss float64, bounds certificate) {
	rest := e.gradient(sol.keep, sol.b)
	rss = e.YY
	l := lengths{y: e.lengths.grossY}
	for c, j := range sol.keep {
		rss -= sol.b[c] * (e.C[j] + rest[j])
		l.a = append(l.a, e.lengths.gross[j])
	}
	rss = math.Max(rss, 0)
	size := e.rounding() * l.data(sol.b)
	amplified, frobenius := rootLengths(sol.rinv, l.a)
	rho := e.rounding() * square(frobenius)
	if rho >= 1 { // the bounds hold to first order in rho
		return rss, certificate{residual: math.Inf(1), stderr: math.Inf(1), root: 1}
	}
	return rss, certificate{
		residual: size * amplified / (1 - rho),
		stderr:   (rho + ratio(size*l.data(sol.b), rss)) / (1 - rho),
		root:     float64(len(sol.keep)) * unit * (1 + frobenius),
	}
}

// gradient returns c - G b = X'r for the slopes b of the columns kept.
func (e *normalEquations) gradient(keep []int, b []float64) []float64 {
	all := make([]float64, len(e.C))
	for c, j := range keep {
		all[j] = b[c]
	}
	rest := slices.Clone(e.C)
	if len(rest) > 0 {
		blas64.Symv(-1, e.g.RawSymmetric(), vector(all), 1, vector(rest))
	}
	return rest
}

// orthogonality returns max_j |x_j'r| / (|x_j| |y|).
func (e *normalEquations) orthogonality(sol *solution) float64 {
	offset := e.offset()
	keep := make([]int, 0, len(sol.keep))
	for _, j := range sol.keep[offset:] {
		keep = append(keep, j-offset)
	}
	var worst float64
	for j, v := range e.gradient(keep, sol.b[offset:]) {
		if length := math.Sqrt(e.g.At(j, j) * e.YY); length > 0 {
			worst = math.Max(worst, math.Abs(v)/length)
		}
	}
	return worst
}
