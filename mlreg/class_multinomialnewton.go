package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// multinomialProblem is the objective of FitMultinomial in standardised columns
// a_i = (1, (x_i - center)/scale), over m = q-1 times k parameters.
type multinomialProblem struct {
	a             *mat.Dense // n x k
	index         []int
	weights       []float64 // n
	total         float64
	q, first      int
	center, scale []float64 // p
	penalty       []float64 // k: L2/scale^2
}

// multinomialPoint is the objective at some parameters.
type multinomialPoint struct {
	beta    []float64
	loss, f float64
	score   []float64
	p       *mat.Dense // n x m, without the first class
	least   float64    // the smallest w p_y p_c of a row's class y and another class c
}

func newMultinomialProblem(d *Design, index []int, classes int, l2 float64) (*multinomialProblem, error) {
	n, p := d.X.Dims()
	s := &multinomialProblem{index: index, q: classes, center: make([]float64, p), scale: make([]float64, p)}
	if !d.NoIntercept {
		s.first = 1
	}
	s.penalty = make([]float64, p+s.first)
	for i := range n {
		s.weights = append(s.weights, d.weight(i))
		s.total += d.weight(i)
	}
	s.a = mat.NewDense(n, p+s.first, nil)
	col := make([]float64, n)
	for j := range p {
		mat.Col(col, j, d.X)
		var mean float64
		if s.first == 1 {
			mean = problem.Centre(col, s.weights, s.total)
		}
		length := blas64.Nrm2(vector(col)) / math.Sqrt(float64(n))
		if _, ok := problem.Exponent(length); !ok {
			return nil, d.notFinite(j)
		}
		if length == 0 {
			length = 1
		}
		s.center[j], s.scale[j] = mean, length
		s.penalty[j+s.first] = l2 / length / length
		for i, v := range col {
			s.a.Set(i, j+s.first, v/length)
		}
	}
	for i := range n {
		if s.first == 1 {
			s.a.Set(i, 0, 1)
		}
	}
	return s, nil
}

// counts returns the sums of weights of the classes.
func (s *multinomialProblem) counts() []float64 {
	c := make([]float64, s.q)
	for i, k := range s.index {
		c[k] += s.weights[i]
	}
	return c
}

// null returns minus the log-likelihood of intercepts alone.
func (s *multinomialProblem) null() float64 {
	if s.first == 0 {
		return s.total * math.Log(float64(s.q))
	}
	var loss float64
	for _, c := range s.counts() {
		loss -= c * math.Log(c/s.total)
	}
	return loss
}

// at evaluates the objective.
func (s *multinomialProblem) at(beta []float64) *multinomialPoint {
	n, k := s.a.Dims()
	m := s.q - 1
	pt := &multinomialPoint{beta: beta, score: make([]float64, m*k), p: mat.NewDense(n, m, nil), least: math.Inf(1)}
	b := mat.NewDense(m, k, beta)
	pt.p.Mul(s.a, b.T())
	residual := mat.NewDense(n, m, nil)
	eta := make([]float64, s.q)
	for i := range n {
		eta[0] = 0
		copy(eta[1:], pt.p.RawRowView(i))
		own := eta[s.index[i]]
		w := s.weights[i]
		log := softmax(eta)
		if w > 0 {
			pt.loss += w * (log - own)
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
	mat.NewDense(m, k, pt.score).Mul(residual.T(), s.a)
	pt.f = pt.loss
	for r, v := range beta {
		pt.f += s.penalty[r%k] * v * v
		pt.score[r] -= 2 * s.penalty[r%k] * v
	}
	return pt
}

// hessian returns the second derivatives at a point, damped by their bound
//
//	(I - 11'/q)/2 x A'WA
//
// (Böhning 1992, Annals of the Institute of Statistical Mathematics 44, 197-200)
// times the given part.
func (s *multinomialProblem) hessian(pt *multinomialPoint, damping float64) *mat.SymDense {
	n, k := s.a.Dims()
	m := s.q - 1
	h := mat.NewSymDense(m*k, nil)
	scaled, block := mat.NewDense(n, k, nil), mat.NewDense(k, k, nil)
	for c := range m {
		for e := c; e < m; e++ {
			for i := range n {
				p := pt.p.RawRowView(i)
				v := -p[c] * p[e]
				bound := -1 / float64(s.q) / 2
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

// solve minimises the objective by Newton's method. With a *ConvergenceError it
// returns the best point.
func (s *multinomialProblem) solve(f *Multinomial, settings LogisticSettings) (*multinomialPoint, *mat.Dense, error) {
	_, k := s.a.Dims()
	beta := make([]float64, (s.q-1)*k)
	if s.first == 1 {
		c := s.counts()
		for e := range s.q - 1 {
			beta[e*k] = math.Log(c[e+1] / c[0])
		}
	}
	pt := s.at(beta)
	asked := settings.L2 > 0
	for {
		root := rootOf(s.hessian(pt, 0))
		singular := root == nil
		if (singular || pt.least < 1e-12 || f.s.Iterations == 15) && !asked {
			asked = true
			if err := s.separation(f); err != nil {
				return nil, nil, err
			}
		}
		for damping := 1e-6; root == nil && damping < 1e3; damping *= 10 {
			root = rootOf(s.hessian(pt, damping))
		}
		if root == nil {
			return nil, nil, fmt.Errorf("%w: second derivatives of the likelihood leave the range of float64; rescale the terms, or the weights", ErrNotFinite)
		}
		u := slices.Clone(pt.score)
		half := mat.NewVecDense(len(u), nil)
		half.MulVec(root.T(), mat.NewVecDense(len(u), u))
		last := f.s.Decrement
		f.s.Decrement = blas64.Nrm2(vector(half.RawVector().Data))
		step := mat.NewVecDense(len(u), nil)
		step.MulVec(root, half)
		small := f.s.Decrement <= settings.Tol || f.s.Iterations > 0 && f.s.Decrement < 1e-7 && f.s.Decrement > last/2
		if small && !singular {
			// As for two classes, logisticPoint.settles: the estimate exists.
			if !asked && f.s.Decrement*f.s.Decrement >= pt.least/100 {
				if err := s.separation(f); err != nil {
					return nil, nil, err
				}
			}
			return pt, root, nil
		}
		var next *multinomialPoint
		if f.s.Iterations < settings.MaxIterations {
			next = s.search(pt, step.RawVector().Data, f.s.Decrement)
		}
		if next == nil {
			if f.s.Decrement < 1e-6 && !singular {
				return pt, root, nil
			}
			return pt, root, &ConvergenceError{Method: "Newton's method", Iterations: f.s.Iterations, Measure: "decrement", Value: f.s.Decrement, Tol: settings.Tol}
		}
		pt = next
		f.s.Iterations++
	}
}

// search returns a point along the step with an objective low enough, nil if
// there is none that working precision can tell.
func (s *multinomialProblem) search(pt *multinomialPoint, step []float64, decrement float64) *multinomialPoint {
	noise := 16 * unit * (pt.f + 1)
	for t := 1.0; t > 1e-10; t /= 2 {
		beta := slices.Clone(pt.beta)
		blas64.Axpy(t, vector(step), vector(beta))
		if next := s.at(beta); next.f <= pt.f-1e-4*t*decrement*decrement+noise {
			return next
		}
	}
	return nil
}

// separation returns a *SeparationError if some direction raises the odds of the
// class of some row, and lowers those of none: with rows (i, c), for every class c
// that is not that of i, z = (e_y - e_c) x a_i.
func (s *multinomialProblem) separation(f *Multinomial) error {
	_, k := s.a.Dims()
	m := s.q - 1
	var rows []int
	for i, w := range s.weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	sep := newSeparator(len(rows)*m, m*k, func(z []float64, r int) {
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
			blas64.Axpy(-1, vector(a), vector(z[(other-1)*k:other*k]))
		}
	})
	e, err := sep.decide()
	if err != nil {
		return err
	}
	if e == nil {
		return nil
	}
	e.Response, e.Classes = f.s.L.Response, f.s.Classes
	raw := multinomialState{L: f.s.L, Classes: f.s.Classes, B: slices.Clone(sep.delta), Root: make([]float64, m*k*m*k)}
	raw.unscale(s.center, s.scale)
	moves := slices.Clone(sep.delta)
	for c := range m * s.first {
		moves[c*k] = raw.B[c*k]
	}
	e.name(f.Names(), moves, raw.B)
	return e
}
