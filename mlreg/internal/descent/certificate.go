package descent

import "math"

// certify returns the certificate of the weights, given the gradients.
//
// For any theta of length n,
//
//	D(theta) = 2 theta'y - |theta|^2 - sum_j C_j(2 x_j'theta) <= min P,
//
// where C_j(u) = max_w (u w - L1_j |w| - L2_j w^2) is (|u| - L1_j)_+^2 / (4 L2_j)
// for L2_j > 0, and for L2_j = 0 is 0 if |u| <= L1_j and infinite if not; |u| is
// max(u, 0) if w is not negative (Fenchel's duality; for L2 = 0 the dual of Kim
// and others, 2007, IEEE Journal of Selected Topics in Signal Processing 1,
// eq. 11). With theta = s r, r = y - Xw,
//
//	P(w) - D(s r) = (1-s)^2 |r|^2
//	              + sum_j (L1_j |w_j| + L2_j w_j^2 - 2 s w_j x_j'r + C_j(2 s x_j'r)),
//
// a sum of terms that are not negative, so that a gap near zero loses no digits.
// Two values of s are tried: 1, and the largest that makes s r feasible for every
// column, that is (with rounding of x_j'r forgiven) makes every C_j zero.
func (s *Solver) certify(pen *Elastic) Certificate {
	c := Certificate{RSS: s.work.rss, Objective: s.work.rss}
	data := math.Sqrt(s.null)
	for i, j := range s.set {
		c.Objective += pen.L1[j]*math.Abs(s.values[i]) + pen.l2(j)*s.values[i]*s.values[i]
		data += math.Sqrt(s.square[j]) * math.Abs(s.values[i])
	}
	ylen := math.Sqrt(s.null)
	scale := 1.0 // feasible for all
	one := 1.0   // feasible for those with L2 = 0
	var infeasible []int
	for j := range s.g {
		size := pen.size(j, s.g[j])
		if !(size > s.limit[j]) && s.w[j] == 0 {
			continue
		}
		length := math.Sqrt(s.square[j])
		if length == 0 {
			continue
		}
		slack := rounding * length * data
		if size > s.limit[j]+slack {
			ratio := (s.limit[j] + slack) / size
			scale = math.Min(scale, ratio)
			if pen.l2(j) == 0 {
				one = math.Min(one, ratio)
			}
			infeasible = append(infeasible, j)
		}
		c.KKT = math.Max(c.KKT, s.violation(pen, j)/(length*ylen))
	}
	c.Gap = s.gap(pen, scale, nil)
	if one > scale {
		c.Gap = math.Min(c.Gap, s.gap(pen, one, infeasible))
	}
	return c
}

// gap returns P(w) - D(scale r); the C_j of the given columns may not be zero.
func (s *Solver) gap(pen *Elastic, scale float64, infeasible []int) float64 {
	gap := (1 - scale) * (1 - scale) * s.work.rss
	for i, j := range s.set {
		w := s.values[i]
		gap += pen.L1[j]*math.Abs(w) + w*(pen.l2(j)*w-2*scale*s.g[j])
	}
	for _, j := range infeasible {
		if excess := 2*scale*pen.size(j, s.g[j]) - pen.L1[j]; excess > 0 && pen.l2(j) > 0 {
			gap += excess * excess / (4 * pen.l2(j))
		}
	}
	return math.Max(gap, 0)
}

// violation returns how far column j is from the optimality conditions.
func (s *Solver) violation(pen *Elastic, j int) float64 {
	w := s.w[j]
	if w == 0 {
		return math.Max(pen.size(j, s.g[j])-s.limit[j], 0)
	}
	return math.Abs(s.g[j] - pen.l2(j)*w - math.Copysign(s.limit[j], w))
}
