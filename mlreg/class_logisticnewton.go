package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// logisticProblem is the minimisation of
//
//	f(b_0, b) = sum_i w_i log(1 + exp(-s_i eta_i)) + l2 |b|^2
//
// with eta_i = o_i + b_0 + x_i'b and s_i = 2 y_i - 1, over k parameters, b_0
// first if there is an intercept.
type logisticProblem struct {
	rows      gram.Rows // Y is 0 or 1
	offset    []float64 // o, nil for zeros
	l2        float64
	intercept bool
	scaling   *Scaling // of the columns; nil if they are the design's
}

// conditioned brings the columns to a scaling in which the iteration keeps its
// digits, if they need one, and returns the problem as it was.
func (q *logisticProblem) conditioned() *logisticProblem {
	raw := *q
	if s := conditioning(q.rows.X, q.rows.Weights, q.intercept); s != nil {
		q.scaling, q.rows.X = s, s.of(q.rows.X).RawMatrix()
	}
	return &raw
}

// ridge returns the factor of the square of slope j: l2 in the units of the design.
func (q *logisticProblem) ridge(j int) float64 {
	_, scale := q.scaling.at(j)
	return q.l2 / scale / scale
}

func (q *logisticProblem) parameters() int { return q.rows.X.Cols + q.first() }

// first returns the number of parameters before the slopes.
func (q *logisticProblem) first() int {
	if q.intercept {
		return 1
	}
	return 0
}

// work is the number of multiplications of a step.
func (q *logisticProblem) work() float64 {
	return float64(q.rows.X.Rows) * square(float64(q.parameters()))
}

// logisticPoint is f at some parameters.
type logisticPoint struct {
	beta      []float64
	f         float64
	score     []float64 // minus the gradient of f
	curvature []float64 // n: w_i p_i (1-p_i)
	sums      *gram.LogisticSums
}

// at evaluates f.
func (q *logisticProblem) at(beta []float64) *logisticPoint {
	pt := &logisticPoint{beta: beta, curvature: make([]float64, q.rows.X.Rows)}
	b0, b := 0.0, beta
	if q.intercept {
		b0, b = beta[0], beta[1:]
	}
	pt.sums = q.rows.Logistic(pt.curvature, q.offset, b0, b)
	if q.intercept {
		pt.score = append(pt.score, pt.sums.Ones)
	}
	pt.score = append(pt.score, pt.sums.X...)
	pt.f = pt.sums.Loss
	for j, v := range b {
		pt.f += q.ridge(j) * v * v
		pt.score[j+q.first()] -= 2 * q.ridge(j) * v
	}
	return pt
}

// settles tells whether a decrement so small shows that f has a minimum, without
// a penalty. For a direction d that separates the classes, with M the largest
// |a_i'd|, the slope g'd is d'Hd/M at least, and d'Hd is M^2 times the least
// curvature at least, so that everywhere
//
//	decrement^2 >= (g'd)^2/d'Hd >= d'Hd/M^2 >= min_i w_i p_i (1-p_i).
func (pt *logisticPoint) settles(decrement float64) bool {
	least := math.Inf(1)
	for _, c := range pt.curvature {
		if c > 0 {
			least = math.Min(least, c)
		}
	}
	return decrement*decrement < least/100
}

// logisticHessian is H = A'WA + 2 l2 I, A = [1 X], as a root of its inverse.
type logisticHessian struct {
	keep     []int         // columns of A that are not aliased
	root     *mat.TriDense // H^-1 = root root', of the columns kept
	lengths  []float64     // the roots of the diagonal of H
	rounding float64       // relative error of H^-1
	method   string
}

// complete tells whether no column is aliased.
func (h *logisticHessian) complete() bool { return h.root != nil && len(h.keep) == len(h.lengths) }

// decrement returns sqrt(g'H^-1 g), the Newton decrement at the score g.
func (h *logisticHessian) decrement(score []float64) float64 {
	return blas64.Nrm2(vector(h.whiten(score)))
}

func (h *logisticHessian) whiten(score []float64) []float64 {
	u := slices.Clone(score)
	blas64.Trmv(blas.Trans, h.root.RawTriangular(), vector(u))
	return u
}

// step returns H^-1 g.
func (h *logisticHessian) step(score []float64) []float64 {
	u := h.whiten(score)
	blas64.Trmv(blas.NoTrans, h.root.RawTriangular(), vector(u))
	return u
}

// Methods of factoring H.
const (
	methodRows = "QR of weighted rows"
	methodSums = "Cholesky of weighted cross-products"
)

// Up to so many multiplications a Hessian is factored by QR of its rows.
const logisticSmall = 2e6

// hessian factors H for the given curvatures: by QR of the rows sqrt(w_i) a_i if
// they are few, or if the cross-products lose too much; otherwise by Cholesky of
// the cross-products.
func (q *logisticProblem) hessian(curvature []float64) (*logisticHessian, error) {
	if q.rows.X.Cols == 0 {
		w := floats.Sum(curvature)
		h := &logisticHessian{keep: []int{0}, root: mat.NewTriDense(1, mat.Upper, nil), lengths: []float64{math.Sqrt(w)}}
		h.root.SetTri(0, 0, 1/h.lengths[0])
		return h, nil
	}
	if q.work() > logisticSmall && (q.rows.X.Rows > q.rows.X.Cols || q.l2 > 0) {
		h, err := q.hessianOfSums(curvature)
		if err != nil || h.complete() {
			return h, err
		}
	}
	return q.hessianOfRows(curvature)
}

func (q *logisticProblem) hessianOfRows(curvature []float64) (*logisticHessian, error) {
	n, p, k := q.rows.X.Rows, q.rows.X.Cols, q.parameters()
	extra := 0
	if q.l2 > 0 {
		extra = p
	}
	a := mat.NewDense(n+extra, k, nil)
	d := &Design{X: a, Y: make([]float64, n+extra), Weights: slices.Clone(curvature), NoIntercept: true, Names: make([]string, k)}
	for i := range n {
		row := a.RawRowView(i)
		if q.intercept {
			row[0] = 1
		}
		copy(row[q.first():], q.rows.X.Data[i*q.rows.X.Stride:i*q.rows.X.Stride+p])
	}
	for j := range extra {
		a.Set(n+j, j+q.first(), math.Sqrt(2*q.ridge(j)))
		d.Weights = append(d.Weights, 1)
	}
	for j := range k {
		d.Names[j] = fmt.Sprint(j)
	}
	sys, err := newSystem(d)
	if err != nil {
		return nil, err
	}
	sol := sys.QR()
	h := &logisticHessian{keep: sol.Keep, lengths: make([]float64, k), method: methodRows}
	for j := range k {
		h.lengths[j] = math.Ldexp(blas64.Nrm2(column(sys.A, j)), sys.Exp[j])
	}
	if !sol.T.IsEmpty() {
		_, frobenius := lsq.RootLengths(sol.T, sol.Lengths.A)
		h.rounding = 8 * float64(k) * math.Sqrt(float64(n)) * unit * frobenius
		h.root = sol.T
		for c, j := range sol.Keep {
			for i := c; i < len(sol.Keep); i++ {
				h.root.SetTri(c, i, math.Ldexp(h.root.At(c, i), -sys.Exp[j]))
			}
		}
	}
	return h, nil
}

// hessianOfSums factors H from the centred cross-products S and means m,
//
//	H^-1 = T T',  T = [1/sqrt(W) -m'R; 0 R],  R R' = (S + 2 l2 I)^-1.
func (q *logisticProblem) hessianOfSums(curvature []float64) (*logisticHessian, error) {
	sums := gram.Centred(gram.Rows{X: q.rows.X, Weights: curvature})
	p, k := q.rows.X.Cols, q.parameters()
	n := float64(q.rows.X.Rows)
	s := mat.NewSymDense(p, sums.S.Data)
	h := &logisticHessian{lengths: make([]float64, k), method: methodSums}
	if q.intercept {
		h.lengths[0] = math.Sqrt(sums.W)
	}
	centred := make([]float64, p)
	for j := range p {
		raw := s.At(j, j) + sums.W*square(sums.Mean[j])
		if math.IsNaN(raw) || math.IsInf(raw, 0) {
			return nil, fmt.Errorf("%w: the sum of squares of term %d", ErrNotFinite, j+1)
		}
		h.lengths[j+q.first()] = math.Sqrt(raw + 2*q.ridge(j))
		if !q.intercept {
			for i := range j + 1 {
				s.SetSym(i, j, s.At(i, j)+sums.W*sums.Mean[i]*sums.Mean[j])
			}
		}
		s.SetSym(j, j, s.At(j, j)+2*q.ridge(j))
		centred[j] = math.Sqrt(s.At(j, j))
	}
	keep, r := lsq.Cholesky(s, lsq.AliasSums, 0)
	if len(keep) < p || !(sums.W > 0) {
		h.keep = keep
		return h, nil
	}
	_, rinv := lsq.BackSolve(r, make([]float64, p))
	_, frobenius := lsq.RootLengths(rinv, centred)
	block := math.Min(n, 256)
	h.rounding = unit * (math.Min(block, 4*math.Sqrt(block)) + 4*math.Sqrt(n/256+float64(p))) * square(frobenius)
	h.root = rinv
	if q.intercept {
		h.root = mat.NewTriDense(k, mat.Upper, nil)
		h.root.SetTri(0, 0, 1/math.Sqrt(sums.W))
		for j := range p {
			var v float64
			for i := range j + 1 {
				v -= sums.Mean[i] * rinv.At(i, j)
				h.root.SetTri(i+1, j+1, rinv.At(i, j))
			}
			h.root.SetTri(0, j+1, v)
		}
	}
	for j := range k {
		h.keep = append(h.keep, j)
	}
	return h, nil
}

// logisticSolution is a minimum of f with its certificate.
type logisticSolution struct {
	point      *logisticPoint
	hessian    *logisticHessian
	decrement  float64 // sqrt(g'H^-1 g) at the solution
	iterations int
	converged  bool
}

// solve minimises f from the start by Newton's method with a line search, until
// the decrement is tol or as small as rounding lets it be. An older Hessian
// serves as long as it takes the decrement down fast. Where H is singular to
// working precision, the step is that for the bound A'WA/4 + 2 l2 I of H, which
// never overshoots (Böhning and Lindsay 1988). stuck is called once, if the
// iteration looks as if there were no minimum; its error ends it.
func (q *logisticProblem) solve(start []float64, approximate *logisticHessian, tol float64, most int, stuck func(*logisticPoint) error) (*logisticSolution, error) {
	pt := q.at(start)
	if math.IsNaN(pt.f) || math.IsInf(pt.f, 0) {
		return nil, ErrNotFinite
	}
	s := &logisticSolution{}
	h := approximate
	var fresh, bounding, asked bool // whether h is of pt, or the bound; whether stuck was called
	last := math.Inf(1)
	for {
		var err error
		if h == nil {
			if h, err = q.hessian(pt.curvature); err != nil {
				return nil, err
			}
			fresh, bounding = true, false
		}
		singular := !h.complete()
		if singular {
			if h, err = q.hessian(q.boundingCurvature()); err != nil {
				return nil, err
			}
			if !h.complete() {
				s.point, s.hessian = pt, h
				return s, ErrRankDeficient
			}
			bounding = true
		}
		if (singular || pt.sums.Least < 1e-12 || s.iterations == 15) && !asked && stuck != nil {
			asked = true
			if err := stuck(pt); err != nil {
				return nil, err
			}
		}
		s.point, s.hessian, s.decrement = pt, h, h.decrement(pt.score)
		if math.IsNaN(s.decrement) || math.IsInf(s.decrement, 0) {
			return nil, ErrNotFinite
		}
		rounding := math.Min(q.roundingOf(pt, h), 1e-8)
		small := s.decrement <= math.Max(tol, rounding) || (s.decrement < 1e-6 && s.decrement > last/2)
		switch {
		case small && fresh:
			if stuck != nil && !asked && !pt.settles(s.decrement) {
				if err := stuck(pt); err != nil {
					return nil, err
				}
			}
			s.converged = !bounding
			return s, nil
		case !fresh && (small || !worthKeeping(s.decrement/last, s.decrement, tol)):
			h = nil
			continue
		case s.iterations == most:
			return s, nil
		}
		next := q.search(pt, h, bounding)
		switch {
		case next != nil:
		case !fresh:
			h = nil
			continue
		case s.decrement < 1e-6 || bounding: // no descent that working precision can tell
			s.converged = !bounding
			return s, nil
		default: // the Hessian is next to singular
			if h, err = q.hessian(q.boundingCurvature()); err != nil {
				return nil, err
			}
			bounding = true
			continue
		}
		s.iterations++
		last = s.decrement
		pt, fresh = next, false
		if bounding || q.work() < 1e7 { // a Hessian costs no more than a pass or two
			h = nil
		}
	}
}

// worthKeeping tells whether an older Hessian, which takes the decrement down by
// the factor rate, gets to tol in few enough passes. It gets a first try.
func worthKeeping(rate, decrement, tol float64) bool {
	return rate == 0 || rate < 0.5 && math.Log(tol/decrement)/math.Log(rate) < 4
}

// boundingCurvature returns the largest curvatures there are, w_i/4.
func (q *logisticProblem) boundingCurvature() []float64 {
	c := make([]float64, q.rows.X.Rows)
	for i := range c {
		c[i] = 0.25
		if q.rows.Weights != nil {
			c[i] *= q.rows.Weights[i]
		}
	}
	return c
}

// search returns a point along the Newton step with f low enough, nil if there
// is none that working precision can tell. A short step is made longer as long as
// f falls.
func (q *logisticProblem) search(pt *logisticPoint, h *logisticHessian, short bool) *logisticPoint {
	step := h.step(pt.score)
	slope := blas64.Dot(vector(step), vector(pt.score))
	noise := q.sumRounding() * (math.Abs(pt.f) + 1)
	to := func(t float64) *logisticPoint {
		beta := slices.Clone(pt.beta)
		blas64.Axpy(t, vector(step), vector(beta))
		return q.at(beta)
	}
	for t := 1.0; t > 1e-10; t /= 2 {
		next := to(t)
		if !(next.f <= pt.f-1e-4*t*slope+noise) {
			continue
		}
		for short && t < 1e10 {
			t *= 2
			longer := to(t)
			if !(longer.f < next.f) {
				break
			}
			next = longer
		}
		return next
	}
	return nil
}

// sumRounding returns the relative error of a sum over the rows of terms of one
// sign, each right to 8 u.
func (q *logisticProblem) sumRounding() float64 {
	n := float64(q.rows.X.Rows)
	block := math.Min(n, 64)
	return unit * (8 + math.Min(block, 4*math.Sqrt(block)) + 4*math.Sqrt(n/64))
}

// roundingOf bounds the decrement that rounding makes: of eta_i, whose error is
// at most (k+3) u sum_j |a_ij b_j|, of the residuals, 8 u of each, and of their
// sums.
func (q *logisticProblem) roundingOf(pt *logisticPoint, h *logisticHessian) float64 {
	var eta float64
	for j, b := range pt.beta {
		eta += math.Abs(b) * h.lengths[j]
	}
	return unit*float64(len(pt.beta)+3)*eta + q.sumRounding()*math.Sqrt(pt.sums.Pearson)
}
