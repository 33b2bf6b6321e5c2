package mlreg

import (
	"math"

	"gonum.org/v1/gonum/stat/combin"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// Numbers of largest sets of independent candidates, and of operations on them, up
// to which all are looked at for a bound.
const (
	mostBases   = 5000
	mostOnBases = 1e9
)

// scoreRounding bounds what rounding, of the moments and of their elimination,
// can do to the score of any model, in nats; infinity if it has no bound to first
// order.
//
// With the moments M of response and candidates wrong by eta m_i m_j in element
// (i, j), m_i^2 = M_ii, a residual sum of squares Q = v'Mv, v = (1, -b), is wrong by
// eta (sum_i |v_i| m_i)^2. As v'Mv <= Q, |v_i| is at most sqrt(Q (M^-1)_ii), for
// the M^-1 of all candidates and hence of any model's, so that, relatively,
//
//	dQ/Q <= eta (sum_i sqrt(M_ii (M^-1)_ii))^2:
//
// variance inflation factors, that of the response among them. Likewise, log det
// is wrong by eta (sum sqrt(VIF))^2 over the candidates. If candidates are
// combinations of others, M is that of a largest independent set: the worst of
// them.
func (s *scored) scoreRounding() float64 {
	bases := s.bases()
	if len(bases) == 0 {
		return math.Inf(1)
	}
	var worst float64
	for _, basis := range bases {
		nats, independent := s.roundingOf(basis)
		if !independent && len(bases) == 1 {
			return math.Inf(1)
		}
		worst = math.Max(worst, nats)
	}
	return worst + s.fixedRounding()
}

// roundingOf is scoreRounding of the models of the given candidates, if these are
// independent.
func (s *scored) roundingOf(basis []int) (nats float64, independent bool) {
	full := enumerate.NewSweeper(&s.Problem)
	for _, i := range basis {
		full.Flip(i)
	}
	if len(full.Idle()) > 0 {
		return 0, false
	}
	eta := s.rounding + float64(s.D+len(s.always)+4)*dd.Unit
	q, total := full.At(0, 0), s.M[0]
	var slopes, all, lostSlopes, lostAll float64 // sums of roots of inflation factors
	for _, i := range basis {
		own := s.M[enumerate.Tri(i)+i]
		if s.Det {
			own-- // the prior's part is exact
		}
		variance := -full.At(i, i)
		b := full.At(i, 0)
		slopes += s.gross[i] * math.Sqrt(own*variance)
		all += s.gross[i] * math.Sqrt(own*(variance+b*b/q))
		lostSlopes += s.lost[i] * math.Sqrt(own*variance)
		lostAll += s.lost[i] * math.Sqrt(own*(variance+b*b/q))
	}
	if s.Power != 0 {
		all += s.gross[0] * math.Sqrt(total/q)
		nats += math.Abs(s.Power) * logError(eta*all*all+2*lostAll)
	}
	if s.Rate != 0 {
		around := s.gross[0] + slopes
		nats += math.Abs(s.Rate) * math.Ln2 * total * (eta*around*around + 2*lostSlopes)
	}
	if s.Det {
		nats += logError(eta*slopes*slopes+2*lostSlopes) / 2
	}
	return nats, true
}

// logError bounds the error of the logarithm of what is wrong by x, relatively, to
// first order; where that does not hold there is no bound.
func logError(x float64) float64 {
	if !(x < 0.5) {
		return math.Inf(1)
	}
	return -math.Log1p(-x) / (1 - x)
}

// fixedRounding bounds the rounding errors of what all models share, and of the
// logarithms and sums that make a score.
func (s *scored) fixedRounding() float64 {
	n := float64(s.m.s.N)
	size := math.Abs(s.constant) + math.Abs(s.logDet) + (n+math.Abs(s.Power))*(4+math.Abs(math.Log(s.unitQ))+math.Log(n+1))
	for i := 1; i <= s.D; i++ {
		size += math.Abs(math.Log(s.M[enumerate.Tri(i)+i] + 1))
	}
	for _, v := range s.Size {
		size = math.Max(size, math.Abs(v))
	}
	always := 0.0
	for a := range s.always {
		always += s.grossAlways[a] * math.Sqrt(-s.all.At(a+1, a+1))
	}
	return 8*dd.Unit*size + (s.rounding+float64(len(s.always)+4)*dd.Unit)*always*always/2
}

// bases returns the largest independent sets of candidates, by rows from 1, and
// some others; none if there are too many.
func (s *scored) bases() [][]int {
	var candidates []int
	for i := 1; i <= s.D; i++ {
		if s.corr[enumerate.Tri(i)+i] > lsq.AliasSums*lsq.AliasSums {
			candidates = append(candidates, i)
		}
	}
	left := 0
	if !s.Det { // a slab makes all of them independent
		left = len(s.aliased) - (s.D - len(candidates))
	}
	count, d := math.Exp(combin.LogGeneralizedBinomial(float64(len(candidates)), float64(left))), float64(s.D)
	if left > 0 && (count > mostBases || count*d*d*d > mostOnBases) {
		return nil
	}
	var bases [][]int
	var choose func(from int, basis []int)
	size := len(candidates) - left
	choose = func(from int, basis []int) {
		if len(basis) == size {
			bases = append(bases, append([]int{}, basis...))
			return
		}
		for k := from; k <= len(candidates)-(size-len(basis)); k++ {
			choose(k+1, append(basis, candidates[k]))
		}
	}
	choose(0, nil)
	return bases
}

// prepareRounding sets what bounds of rounding errors are made of: the relative
// error of the moments e that the space is of, and the lengths, relative to those
// of response and candidates about what is always in, that it applies to.
func (s *modelSpace) prepareRounding(e *lsq.Equations, order []int) {
	s.rounding = e.Rounding()
	gross, lost := []float64{lsq.Ratio(e.Sizes.GrossY, math.Sqrt(e.YY))}, []float64{0}
	for _, j := range order {
		gross = append(gross, lsq.Ratio(e.Sizes.Gross[j], e.Sizes.Centered[j]))
		lost = append(lost, lsq.Ratio(e.Sizes.Lost[j], e.Sizes.Centered[j]))
	}
	q := len(s.always)
	s.grossAlways = gross[1 : q+1]
	row := func(i int) {
		g, l := gross[i], lost[i]
		for a := 1; a <= q; a++ { // the part along what is always in
			g += gross[a] * math.Abs(s.all.At(a, i))
			l += lost[a] * math.Abs(s.all.At(a, i))
		}
		left := math.Sqrt(math.Max(s.all.At(i, i), 0))
		s.gross, s.lost = append(s.gross, lsq.Ratio(g, left)), append(s.lost, lsq.Ratio(l, left))
	}
	row(0)
	for i := q + 1; i <= len(order); i++ {
		row(i)
	}
}
