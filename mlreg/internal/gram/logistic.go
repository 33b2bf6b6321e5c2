package gram

import "math"

// Logistic is the loss of labels Y of 0 and 1, with weights that are ones if nil,
//
//	w_i log(1 + exp(-(2 y_i - 1) eta_i)).
//
// With p_i = 1/(1 + exp(-eta_i)), r_i = w_i (y_i - p_i) and c_i = w_i p_i (1-p_i). No
// eta overflows: exp is taken of negative numbers only.
type Logistic struct{ Y, Weights []float64 }

// LogisticAt returns the sums of Y of 0 and 1 for known eta, but for X, of which it
// needs the number of rows only. It writes r_i to residual.
func (r Rows) LogisticAt(residual, eta []float64) *LossSums {
	r.X.Cols = 0
	copy(residual, eta)
	fit := Logistic{r.Y, r.Weights}
	return r.losses(func(s *LossSums, first int, buf []float64) {
		fit.Add(s, first, residual[first:first+len(buf)], buf)
	})
}

// Add implements Datafit.
func (l Logistic) Add(s *LossSums, first int, eta, curvature []float64) {
	y, curvature := l.Y[first:first+len(eta)], curvature[:len(eta)]
	product := 1.0 // of 1 + exp(-|eta_i|), at most 2^64
	for i, v := range eta {
		w := 1.0
		if l.Weights != nil {
			w = l.Weights[first+i]
		}
		if w == 0 {
			eta[i], curvature[i] = 0, 0
			continue
		}
		size := math.Abs(v)
		small := expMinus(size)
		near := 1 / (1 + small) // the probability of the likelier class
		far := small * near
		var loss float64
		switch {
		case small < 1e-8:
			loss = small - small*small/2
		case l.Weights == nil:
			product *= 1 + small
		default:
			loss = math.Log1p(small)
		}
		residual, odds := far, small // of a row on its side
		if v > 0 != (y[i] > 0) {
			residual, odds = near, 1/small
			loss += size
		}
		if y[i] == 0 {
			residual = -residual
		}
		s.Loss += w * loss
		s.Pearson += w * odds
		s.Ones += w * residual
		s.Least = min(s.Least, near*far)
		s.Largest = max(s.Largest, size)
		curvature[i] = w * near * far
		s.Curvature += curvature[i]
		eta[i] = w * residual
	}
	s.Loss += math.Log(product)
}

// expMinus returns exp(-v) for v >= 0, to about an ulp, as
// 2^-m 2^(-t/64) exp(-s) with v = (m + t/64) log 2 + s, |s| <= log(2)/128.
func expMinus(v float64) float64 {
	if !(v < 700) {
		return math.Exp(-v)
	}
	const (
		log2Hi = 0x1.62e42fefa0000p-7 // log(2)/64: with k below 2^16, k log2Hi is exact
		log2Lo = 0x1.cf79abc9e3b3ap-46
	)
	k := int(v*(64/math.Ln2) + 0.5)
	s := v - float64(k)*log2Hi - float64(k)*log2Lo
	s2 := s * s
	e := -s + s2*(1./2-s*(1./6)) + s2*s2*(1./24-s*(1./120))
	root := roots[k&63]
	return math.Float64frombits(math.Float64bits(root+root*e) - uint64(k>>6)<<52)
}

// roots are 2^(-t/64).
var roots = func() (r [64]float64) {
	for t := range r {
		r[t] = math.Exp2(-float64(t) / 64)
	}
	return r
}()
