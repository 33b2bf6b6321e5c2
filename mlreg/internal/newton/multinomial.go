package newton

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// Multinomial is the minimization of
//
//	sum_i w_i (log sum_c exp(eta_ic) - eta_i,class(i)) + L2 sum_c |b_c|^2,  eta_i0 = 0,
//
// over m = q-1 times k parameters, in standardized columns
// a_i = (1, (x_i - center)/scale).
type Multinomial struct {
	problem.Scaling
	W       float64    // sum of the weights
	classes int        // q
	first   int        // 1 with an intercept
	index   []int      // the classes of the rows
	a       *mat.Dense // n x k
	weights []float64  // n
	penalty []float64  // k: L2/scale^2
}

// MultinomialPoint is the objective at some parameters.
type MultinomialPoint struct {
	Beta    []float64
	Loss, F float64
	Score   []float64  // minus the gradient of F
	p       *mat.Dense // n x m, without the first class
	least   float64    // the smallest w p_y p_c of a row's class y and another class c
}

// NewMultinomial standardizes the columns of rows with classes 0 to q-1. These are not the rows of a
// problem.Prepared, which centers columns if they are far from zero only, divides by powers of two, and
// leaves rows of weight zero out. The error is a *problem.RangeError.
func NewMultinomial(r problem.Rows, index []int, classes int, l2 float64) (*Multinomial, error) {
	n, p := r.X.Rows, r.X.Cols
	s := &Multinomial{index: index, classes: classes, Scaling: problem.Scaling{Center: make([]float64, p), Scale: make([]float64, p)}}
	if !r.NoIntercept {
		s.first = 1
	}
	s.penalty, s.a = make([]float64, p+s.first), mat.NewDense(n, p+s.first, nil)
	for i := range n {
		s.weights = append(s.weights, r.Weight(i))
		s.W += s.weights[i]
		if s.first == 1 {
			s.a.Set(i, 0, 1)
		}
	}
	col := make([]float64, n)
	for j := range p {
		blas64.Copy(blas64.Vector{N: n, Inc: r.X.Stride, Data: r.X.Data[j:]}, gram.Vector(col))
		var mean float64
		if !r.NoIntercept {
			mean = problem.Centre(col, s.weights, s.W)
		}
		length := blas64.Nrm2(gram.Vector(col)) / math.Sqrt(float64(n))
		if _, ok := problem.Measure(length); !ok {
			return nil, &problem.RangeError{Column: j}
		}
		if length == 0 {
			length = 1
		}
		s.Center[j], s.Scale[j] = mean, length
		s.penalty[j+s.first] = l2 / length / length
		for i, v := range col {
			s.a.Set(i, j+s.first, v/length)
		}
	}
	return s, nil
}

// counts returns the sums of weights of the classes.
func (s *Multinomial) counts() []float64 {
	c := make([]float64, s.classes)
	for i, k := range s.index {
		c[k] += s.weights[i]
	}
	return c
}

// Null returns minus the log-likelihood of intercepts alone.
func (s *Multinomial) Null() float64 {
	if s.first == 0 {
		return s.W * math.Log(float64(s.classes))
	}
	var loss float64
	for _, c := range s.counts() {
		loss -= c * math.Log(c/s.W)
	}
	return loss
}

// At evaluates the objective.
func (s *Multinomial) At(beta []float64) *MultinomialPoint {
	n, k := s.a.Dims()
	m := s.classes - 1
	pt := &MultinomialPoint{Beta: beta, Score: make([]float64, m*k), p: mat.NewDense(n, m, nil), least: math.Inf(1)}
	b := mat.NewDense(m, k, beta)
	pt.p.Mul(s.a, b.T())
	residual := mat.NewDense(n, m, nil)
	eta := make([]float64, s.classes)
	for i := range n {
		eta[0] = 0
		copy(eta[1:], pt.p.RawRowView(i))
		own := eta[s.index[i]]
		w := s.weights[i]
		log := Softmax(eta)
		if w > 0 {
			pt.Loss += w * (log - own)
			for c, p := range eta {
				if c != s.index[i] {
					pt.least = math.Min(pt.least, w*eta[s.index[i]]*p)
				}
			}
		}
		copy(pt.p.RawRowView(i), eta[1:])
		for c, v := range eta[1:] {
			if c+1 == s.index[i] {
				v--
			}
			residual.Set(i, c, -w*v)
		}
	}
	mat.NewDense(m, k, pt.Score).Mul(residual.T(), s.a)
	pt.F = pt.Loss
	for r, v := range beta {
		pt.F += s.penalty[r%k] * v * v
		pt.Score[r] -= 2 * s.penalty[r%k] * v
	}
	return pt
}

// hessian returns the second derivatives at a point, damped by their bound
//
//	(I - 11'/q)/2 x A'WA
//
// (Böhning 1992, Annals of the Institute of Statistical Mathematics 44, 197-200)
// times the given part.
func (s *Multinomial) hessian(pt *MultinomialPoint, damping float64) *mat.SymDense {
	n, k := s.a.Dims()
	m := s.classes - 1
	h := mat.NewSymDense(m*k, nil)
	scaled, block := mat.NewDense(n, k, nil), mat.NewDense(k, k, nil)
	for c := range m {
		for e := c; e < m; e++ {
			for i := range n {
				p := pt.p.RawRowView(i)
				v := -p[c] * p[e]
				bound := -1 / float64(s.classes) / 2
				if c == e {
					v += p[c]
					bound += 0.5
				}
				v = s.weights[i] * (v + damping*bound)
				from, to := s.a.RawRowView(i), scaled.RawRowView(i)
				for j, x := range from {
					to[j] = v * x
				}
			}
			block.Mul(s.a.T(), scaled)
			for i := range k {
				for j := range k {
					if r, t := c*k+i, e*k+j; r <= t {
						h.SetSym(r, t, block.At(i, j))
					}
				}
			}
		}
	}
	for r := range m * k {
		h.SetSym(r, r, h.At(r, r)+2*s.penalty[r%k])
	}
	return h
}

// rootOf returns R with H^-1 = R R', nil if H is singular to working precision.
func rootOf(h *mat.SymDense) *mat.Dense {
	order := h.SymmetricDim()
	keep, r := lsq.Cholesky(h, lsq.AliasSums, 0)
	if len(keep) < order {
		return nil
	}
	_, inverse := lsq.BackSolve(r, make([]float64, order))
	return mat.DenseCopyOf(inverse)
}

// MultinomialSolution is a minimum of the objective, or the best point found.
type MultinomialSolution struct {
	Point      *MultinomialPoint
	Root       []float64 // square, by rows: H^-1 = Root Root'
	Decrement  float64   // sqrt(g'H^-1 g)
	Iterations int
	Converged  bool
}

// Solve minimizes the objective by Newton's method, as Problem.Solve does.
func (s *Multinomial) Solve(settings Settings) (*MultinomialSolution, error) {
	pt := s.At(s.start())
	sol := &MultinomialSolution{}
	doubt := func() error { return nil }
	if settings.Doubt != nil {
		doubt = sync.OnceValue(settings.Doubt)
	}
	for {
		root := rootOf(s.hessian(pt, 0))
		singular := root == nil
		if singular || pt.least < 1e-12 || sol.Iterations == 15 {
			if err := doubt(); err != nil {
				return nil, err
			}
		}
		for damping := 1e-6; root == nil && damping < 1e3; damping *= 10 {
			root = rootOf(s.hessian(pt, damping))
		}
		if root == nil {
			return nil, ErrNotFinite
		}
		half, step := mat.NewVecDense(len(pt.Score), nil), mat.NewVecDense(len(pt.Score), nil)
		half.MulVec(root.T(), mat.NewVecDense(len(pt.Score), pt.Score))
		step.MulVec(root, half)
		last := sol.Decrement
		sol.Point, sol.Root, sol.Decrement = pt, root.RawMatrix().Data, blas64.Nrm2(half.RawVector())
		small := sol.Decrement <= settings.Tol || sol.Iterations > 0 && sol.Decrement < 1e-7 && sol.Decrement > last/2
		if small && !singular {
			sol.Converged = true
			if sol.Decrement*sol.Decrement >= pt.least/100 { // as Point.settles
				return sol, doubt()
			}
			return sol, nil
		}
		var next *MultinomialPoint
		if sol.Iterations < settings.Most {
			if sol.Decrement < settled && !singular { // the objective's rounding would shorten the step
				next = s.along(pt, step.RawVector().Data, 1)
			} else {
				next = s.search(pt, step.RawVector().Data, sol.Decrement)
			}
		}
		if next == nil {
			sol.Converged = sol.Decrement < settled && !singular
			return sol, nil
		}
		pt = next
		sol.Iterations++
	}
}

// start returns the parameters of the model of intercepts alone.
func (s *Multinomial) start() []float64 {
	_, k := s.a.Dims()
	beta := make([]float64, (s.classes-1)*k)
	if s.first == 1 {
		c := s.counts()
		for e := range s.classes - 1 {
			beta[e*k] = math.Log(c[e+1] / c[0])
		}
	}
	return beta
}

// settled is the decrement below which Newton's step is right and the objective, which changes by
// half its square, tells nothing.
const settled = 1e-6

// along returns the point a part of a step away.
func (s *Multinomial) along(pt *MultinomialPoint, step []float64, t float64) *MultinomialPoint {
	beta := slices.Clone(pt.Beta)
	blas64.Axpy(t, gram.Vector(step), gram.Vector(beta))
	return s.At(beta)
}

// search returns a point along the step with an objective low enough, nil if
// there is none that working precision can tell.
func (s *Multinomial) search(pt *MultinomialPoint, step []float64, decrement float64) *MultinomialPoint {
	noise := 16 * unit * (pt.F + 1)
	for t := 1.0; t > 1e-10; t /= 2 {
		if next := s.along(pt, step, t); next.F <= pt.F-1e-4*t*decrement*decrement+noise {
			return next
		}
	}
	return nil
}

// Separation looks for a direction that raises the odds of the class of some row
// and lowers those of none: with rows (i, c), for every class c that is not that of
// i, z = (e_y - e_c) x a_i. It is nil if there is none; its values are in the units
// of the columns given.
func (s *Multinomial) Separation() (*Separation, error) {
	_, k := s.a.Dims()
	m := s.classes - 1
	var rows []int
	for i, w := range s.weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	sep, err := separate(len(rows)*m, m*k, func(z []float64, r int) {
		i, other := rows[r/m], r%m
		own := s.index[i]
		if other >= own {
			other++
		}
		a := s.a.RawRowView(i)
		if own > 0 {
			copy(z[(own-1)*k:], a)
		}
		if other > 0 {
			blas64.Axpy(-1, gram.Vector(a), gram.Vector(z[(other-1)*k:other*k]))
		}
	})
	if sep == nil || err != nil {
		return nil, err
	}
	sep.Values = slices.Clone(sep.Moves)
	s.Unscale(sep.Values, make([]float64, m*k*m*k), s.first == 1)
	for c := range m * s.first {
		sep.Moves[c*k] = sep.Values[c*k]
	}
	return sep, nil
}

// Softmax replaces eta by exp(eta)/sum exp(eta) and returns log sum exp(eta).
func Softmax(eta []float64) (logSum float64) {
	top := slices.Max(eta)
	var sum float64
	for k, v := range eta {
		eta[k] = math.Exp(v - top)
		sum += eta[k]
	}
	for k := range eta {
		eta[k] /= sum
	}
	return top + math.Log(sum)
}
