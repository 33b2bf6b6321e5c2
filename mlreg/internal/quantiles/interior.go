package quantiles

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Interior is a minimum of F(b) + sum_j l2_j b_j^2 by an interior-point method.
type Interior struct {
	Coef       []float64
	Dual       []float64 // within its bounds
	Value, Gap float64   // the objective, and a bound of its distance from the minimum
	Iterations int
}

// ErrIterations says that an interior-point method stopped before its tolerance.
var ErrIterations = errors.New("quantiles: the interior-point method did not converge")

// RangeOfFirst returns the least and the largest first coefficient of the minima, if its column is of ones
// in the first rows and zero in the others, and only it is not penalized: the other coefficients are unique.
func (in *Interior) RangeOfFirst(p *Problem, rows, most int) (low, high float64, err error) {
	b := slices.Clone(in.Coef)
	b[0] = 0
	alone := &Problem{A: blas64.General{Rows: rows, Cols: 1, Stride: 1, Data: slices.Repeat([]float64{1}, rows)},
		Y: p.residuals(b)[:rows], Low: p.Low[:rows], High: p.High[:rows]}
	s, err := Solve(alone, most)
	if err != nil {
		return 0, 0, err
	}
	from, to, unique, err := s.Range(nil, most)
	if err != nil || unique {
		return in.Coef[0], in.Coef[0], err
	}
	return from[0], to[0], nil
}

// SolveRidge minimizes F(b) + sum_j l2_j b_j^2, l2_j >= 0, by Mehrotra's predictor-corrector
// method on the dual
//
//	maximize y'd - sum_j (A_j'd - q_j)^2/(4 l2_j),  low <= d <= high
//
// (A_j'd = q_j where l2_j is zero), until the gap is tol relative to the objective, and then
// solves for the rows that it has found to have residual zero, so that little but rounding is left. The
// errors are a *SingularError, and ErrIterations beside the best point.
//
// Mehrotra, SIAM Journal on Optimization 2 (1992), 575-601.
func SolveRidge(p *Problem, l2 []float64, tol float64, most int) (*Interior, error) {
	n, k := p.A.Rows, p.A.Cols
	s := &interior{p: p, l2: l2, n: n, k: k}
	s.b = p.leastSquares()
	s.d, s.up, s.down = make([]float64, n), make([]float64, n), make([]float64, n)
	r := p.residuals(s.b)
	var mean float64
	for _, x := range r {
		mean += math.Abs(x) / float64(n)
	}
	if mean == 0 {
		mean = 1
	}
	for i, x := range r {
		s.d[i] = (p.Low[i] + p.High[i]) / 2
		s.up[i], s.down[i] = math.Max(x, 0)+0.1*mean, math.Max(-x, 0)+0.1*mean
	}
	var best *Interior
	for it := 0; ; it++ {
		at := s.certified()
		at.Iterations = it
		if best == nil || at.Gap < best.Gap {
			best = at
		}
		if best.Gap <= tol*math.Max(best.Value, 1e-300) {
			return s.polished(best), nil
		}
		if it == most {
			return best, ErrIterations
		}
		if err := s.step(); err != nil {
			if best = s.polished(best); best.Gap <= tol*math.Max(best.Value, 1e-300) {
				return best, nil
			}
			if best.Gap <= math.Sqrt(tol)*best.Value {
				return best, ErrIterations
			}
			return best, err
		}
	}
}

type interior struct {
	p        *Problem
	l2       []float64
	n, k     int
	b, d     []float64
	up, down []float64 // u, v >= 0: y - A b = u - v
}

// open tells whether the row counts: its bounds differ.
func (s *interior) open(i int) bool { return s.p.High[i] > s.p.Low[i] }

// certified returns the point with its gap. What A'd misses is made up for: in
// penalized columns it counts in the dual objective, in the others by its product with b.
func (s *interior) certified() *Interior {
	p := s.p
	r := p.residuals(s.b)
	out := &Interior{Coef: slices.Clone(s.b), Dual: slices.Clone(s.d)}
	for i, x := range r {
		c := p.High[i] * x
		if x < 0 {
			c = p.Low[i] * x
		}
		out.Value += c
		out.Gap += c - s.d[i]*x
	}
	for j, e := range s.gradient(s.d) {
		b := s.b[j]
		if p.Linear != nil {
			out.Value += p.Linear[j] * b
		}
		if s.l2[j] > 0 {
			// l2 b^2 - b g + g^2/(4 l2), g = A_j'd - q_j
			out.Value += s.l2[j] * b * b
			out.Gap += square(2*s.l2[j]*b-e) / (4 * s.l2[j])
		} else {
			out.Gap += math.Abs(e * b)
		}
	}
	return out
}

func square(x float64) float64 { return x * x }

// gradient returns A'd - q.
func (s *interior) gradient(d []float64) []float64 {
	g := make([]float64, s.k)
	if s.k > 0 {
		blas64.Gemv(blas.Trans, 1, s.p.A, gram.Vector(d), 0, gram.Vector(g))
	}
	for j := range g {
		if s.p.Linear != nil {
			g[j] -= s.p.Linear[j]
		}
	}
	return g
}

// polished returns the best of some points from this one on, each of which is the minimum if the rows
// that the one before takes to have residual zero have it, and the others keep their signs. Near the end,
// duals are so near to their bounds that the equations of a step are lost to rounding; these are not.
//
// They are Newton's steps for d = the value in [low, high] that is nearest to d + c r, with residuals r and
// any c > 0 (Qi and Sun, Mathematical Programming 58 (1993), 353-367).
func (s *interior) polished(from *Interior) *Interior {
	const most = 20
	var size float64
	for _, x := range s.p.residuals(from.Coef) {
		size = math.Max(size, math.Abs(x))
	}
	best, last, at := from, math.NaN(), &interior{p: s.p, l2: s.l2, n: s.n, k: s.k, b: from.Coef, d: from.Dual}
	for range most {
		if at = at.onZeroRows(size); at == nil {
			return best
		}
		clamped := *at
		clamped.d = slices.Clone(at.d)
		for i, v := range at.d {
			clamped.d[i] = math.Min(math.Max(v, s.p.Low[i]), s.p.High[i])
		}
		found := clamped.certified()
		if found.Iterations = from.Iterations; found.Gap < best.Gap {
			best = found
		}
		if found.Gap == last {
			return best // the same rows again
		}
		last = found.Gap
	}
	return best
}

// onZeroRows returns the next of the points of polished, the duals of which may be beyond their bounds;
// size is that of residuals. It is nil if the rows determine nothing.
func (s *interior) onZeroRows(size float64) *interior {
	p, k := s.p, s.k
	d := slices.Clone(s.d)
	var widest float64
	var zero []int
	for i, x := range p.residuals(s.b) {
		width := p.High[i] - p.Low[i]
		widest = math.Max(widest, width)
		switch {
		case !s.open(i):
		case x*width > (p.High[i]-d[i])*size:
			d[i] = p.High[i]
		case -x*width > (d[i]-p.Low[i])*size:
			d[i] = p.Low[i]
		default:
			zero, d[i] = append(zero, i), 0
		}
	}
	// A_j'd - q_j = 2 l2_j b_j of all columns, A_i b = y_i of the rows, but for a little that draws b and d to
	// where they are: what nothing determines stays, and equal rows share what is theirs together.
	m := k + len(zero)
	if m == 0 || size == 0 || len(zero) > 4*k+20 {
		return nil
	}
	drawn := 0x1p-30 * size / widest
	h, right := mat.NewDense(m, m, nil), mat.NewVecDense(m, nil)
	for j, g := range s.gradient(d) {
		stays := 0x1p-30 * widest / size * square(s.reach(j))
		h.Set(j, j, -2*s.l2[j]-stays)
		right.SetVec(j, -g-stays*s.b[j])
	}
	for c, i := range zero {
		for j, x := range p.row(i) {
			h.Set(k+c, j, x)
			h.Set(j, k+c, x)
		}
		h.Set(k+c, k+c, drawn)
		right.SetVec(k+c, p.Y[i]+drawn*s.d[i])
	}
	var x mat.VecDense
	if err := x.SolveVec(h, right); err != nil && x.IsEmpty() {
		return nil
	}
	v := x.RawVector().Data
	for c, i := range zero {
		d[i] = v[k+c]
		if j := onlyColumn(p.row(i)); j >= 0 && p.Y[i] == 0 { // a row of a penalty
			v[j] = 0
		}
	}
	return &interior{p: p, l2: s.l2, n: s.n, k: k, b: v[:k], d: d}
}

// reach is the largest absolute value of a column.
func (s *interior) reach(j int) (most float64) {
	for i := range s.n {
		most = math.Max(most, math.Abs(s.p.A.Data[i*s.p.A.Stride+j]))
	}
	return most
}

// interiorStep is a step of all variables, and what it is made of: the weights of the rows, the
// residuals, and Newton's matrix A' weight A + 2 L, factored.
type interiorStep struct {
	*interior
	weight, rho []float64
	slopes      []float64 // gradient at the dual
	factor      mat.Cholesky
}

// change is that of the coefficients, the dual and the multipliers of its bounds.
type change struct{ b, dual, up, down []float64 }

// step makes one step of Mehrotra's method: the predictor says how far mu may come down, and with
// it the corrector goes there. Newton's equations, with t = high - d and s = d - low, are
//
//	A dd - 2 L db = -(A'd - q - 2 L b),
//	A db + du - dv = y - A b - u + v,
//	t du - u dd = mu - u t,  s dv + v dd = mu - v s.
func (s *interior) step() error {
	t, err := s.newStep()
	if err != nil {
		return err
	}
	mu := s.complementarity(0, 0, nil)
	predictor := t.direction(0, nil)
	if predictor == nil {
		return &SingularError{}
	}
	dual, primal := s.lengths(predictor.dual, predictor.up, predictor.down)
	sigma := math.Pow(math.Max(s.complementarity(dual, primal, predictor), 0)/mu, 3)
	by := t.direction(sigma*mu, predictor)
	if by == nil {
		return &SingularError{}
	}
	dual, primal = s.lengths(by.dual, by.up, by.down)
	if s.k > 0 && anyPositive(s.l2) { // a quadratic term couples the two
		dual = math.Min(dual, primal)
		primal = dual
	}
	gram.Axpy(primal, by.b, s.b)
	for i := range s.n {
		if s.open(i) {
			s.d[i] += dual * by.dual[i]
			s.up[i] += primal * by.up[i]
			s.down[i] += primal * by.down[i]
		}
	}
	return nil
}

// complementarity is the mean product of a multiplier and its slack, after a part of a change (nil: none).
func (s *interior) complementarity(dual, primal float64, by *change) float64 {
	var sum float64
	rows := 0
	for i := range s.n {
		if !s.open(i) {
			continue
		}
		d, up, down := s.d[i], s.up[i], s.down[i]
		if by != nil {
			d, up, down = d+dual*by.dual[i], up+primal*by.up[i], down+primal*by.down[i]
		}
		sum += up*(s.p.High[i]-d) + down*(d-s.p.Low[i])
		rows++
	}
	return sum / float64(2*max(rows, 1))
}

// newStep factors Newton's matrix.
func (s *interior) newStep() (*interiorStep, error) {
	n, k := s.n, s.k
	t := &interiorStep{interior: s, weight: make([]float64, n), rho: s.p.residuals(s.b)}
	for i := range n {
		if s.open(i) {
			t.weight[i] = 1 / (s.up[i]/(s.p.High[i]-s.d[i]) + s.down[i]/(s.d[i]-s.p.Low[i]))
		}
	}
	h := mat.NewSymDense(max(k, 1), nil)
	if k == 0 {
		h.SetSym(0, 0, 1)
	}
	scaled := blas64.General{Rows: n, Cols: k, Stride: max(k, 1), Data: make([]float64, n*k)}
	for i := range n {
		gram.Axpy(math.Sqrt(t.weight[i]), s.p.row(i), scaled.Data[i*k:(i+1)*k])
	}
	if k > 0 {
		blas64.Syrk(blas.Trans, 1, scaled, 0, h.RawSymmetric())
	}
	for j := range k {
		h.SetSym(j, j, h.At(j, j)+2*s.l2[j])
	}
	if !t.factor.Factorize(h) {
		return nil, &SingularError{}
	}
	t.slopes = s.gradient(s.d)
	return t, nil
}

// centred returns what the multipliers of a row change by but for the dual's part:
//
//	(target - u t)/t,  (target - v s)/s,
//
// t and s its slacks, less the second order of a predictor (nil: none).
func (t *interiorStep) centred(i int, target float64, predictor *change) (up, down float64) {
	above, below := t.p.High[i]-t.d[i], t.d[i]-t.p.Low[i]
	up, down = target/above-t.up[i], target/below-t.down[i]
	if predictor != nil {
		up += predictor.up[i] * predictor.dual[i] / above
		down -= predictor.down[i] * predictor.dual[i] / below
	}
	return up, down
}

// direction returns Newton's change towards products of the target, nil if the matrix is singular:
//
//	dd = weight (e - A db),  A'dd - 2 L db = -(g - 2 L b),
//
// e the residuals of the equations of the rows.
func (t *interiorStep) direction(target float64, predictor *change) *change {
	n, k := t.n, t.k
	e, weighted := make([]float64, n), make([]float64, n)
	for i := range n {
		if t.open(i) {
			up, down := t.centred(i, target, predictor)
			e[i] = t.rho[i] - t.up[i] + t.down[i] - up + down
			weighted[i] = t.weight[i] * e[i]
		}
	}
	rhs := t.gradientOf(weighted)
	for j := range k {
		rhs[j] += t.slopes[j] - 2*t.l2[j]*t.b[j]
	}
	by := &change{b: make([]float64, k), dual: make([]float64, n), up: make([]float64, n), down: make([]float64, n)}
	ab := make([]float64, n)
	if k > 0 {
		var x mat.VecDense
		if t.factor.SolveVecTo(&x, mat.NewVecDense(k, rhs)) != nil && x.Len() == 0 {
			return nil
		}
		copy(by.b, x.RawVector().Data)
		blas64.Gemv(blas.NoTrans, 1, t.p.A, gram.Vector(by.b), 0, gram.Vector(ab))
	}
	for i := range n {
		if t.open(i) {
			by.dual[i] = t.weight[i] * (e[i] - ab[i])
			up, down := t.centred(i, target, predictor)
			by.up[i] = up + t.up[i]*by.dual[i]/(t.p.High[i]-t.d[i])
			by.down[i] = down - t.down[i]*by.dual[i]/(t.d[i]-t.p.Low[i])
		}
	}
	return by
}

func anyPositive(x []float64) bool {
	return slices.ContainsFunc(x, func(v float64) bool { return v > 0 })
}

func (s *interior) gradientOf(c []float64) []float64 {
	g := make([]float64, s.k)
	if s.k > 0 {
		blas64.Gemv(blas.Trans, 1, s.p.A, gram.Vector(c), 0, gram.Vector(g))
	}
	return g
}

// lengths returns the longest steps that keep the dual within its bounds, and the parts
// of residuals positive, less a little.
func (s *interior) lengths(dD, du, dv []float64) (dual, primal float64) {
	const keep = 0.9995
	dual, primal = 1, 1
	for i := range dD {
		if !s.open(i) {
			continue
		}
		if dD[i] > 0 {
			dual = math.Min(dual, keep*(s.p.High[i]-s.d[i])/dD[i])
		}
		if dD[i] < 0 {
			dual = math.Min(dual, keep*(s.p.Low[i]-s.d[i])/dD[i])
		}
		if du[i] < 0 {
			primal = math.Min(primal, -keep*s.up[i]/du[i])
		}
		if dv[i] < 0 {
			primal = math.Min(primal, -keep*s.down[i]/dv[i])
		}
	}
	return dual, primal
}
