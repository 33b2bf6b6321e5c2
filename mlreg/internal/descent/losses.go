package descent

import (
	"math"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// rows does what At does, given the loss of a row of weight 1, minus its derivative
// and its second derivative.
func (o *one) rows(eta, r [][]float64, s *Totals, of func(y, eta float64) (loss, residual, curvature float64)) {
	s.Loss, s.R[0], s.C[0] = 0, 0, 0
	for i, v := range eta[0] {
		w := o.Weight(i)
		if w == 0 {
			r[0][i] = 0
			continue
		}
		loss, residual, curvature := of(o.y[i], v)
		r[0][i] = w * residual
		s.Loss += w * loss
		s.R[0] += r[0][i]
		s.C[0] += w * curvature
	}
}

// curvatures does what Curvatures does, given the second derivative of a row of weight 1
// with minus the derivative r.
func (o *one) curvatures(first int, r, c [][]float64, of func(y, r float64) float64) {
	for i := range c[0] {
		w := o.Weight(first + i)
		if w == 0 {
			c[0][i] = 0
			continue
		}
		c[0][i] = w * of(o.y[first+i], r[0][first+i]/w)
	}
}

// Scale implements Datafit.
func (o *one) Scale() (sum, length float64) {
	for i, y := range o.y {
		size := o.Weight(i) * math.Abs(y)
		sum += size
		length += size * size
	}
	return sum, math.Sqrt(length)
}

// Logistic is the loss w log(1 + exp(-s eta)), s = 2y - 1, of a response y of 0 and 1.
type Logistic struct{ one }

// NewLogistic returns the loss of a response y.
func NewLogistic(y, weights []float64) *Logistic { return &Logistic{one{y, weights}} }

// At implements Datafit.
func (f *Logistic) At(eta, r [][]float64, s *Totals) {
	rows := gram.Rows{X: blas64.General{Rows: len(f.y)}, Y: f.y, Weights: f.weights}
	sums := rows.LogisticAt(r[0], eta[0])
	s.Loss, s.R[0], s.C[0] = sums.Loss, sums.Ones, sums.Curvature
}

// Curvatures implements Datafit.
func (f *Logistic) Curvatures(first int, r, c [][]float64) {
	f.curvatures(first, r, c, func(_, r float64) float64 { return math.Abs(r) * (1 - math.Abs(r)) })
}

// Bound implements Datafit.
func (f *Logistic) Bound(i int) float64 { return f.Weight(i) / 4 }

// Conjugate implements Datafit: minus the entropy of the probability |theta|/w of the
// class that row i is not of.
func (f *Logistic) Conjugate(i int, theta []float64) float64 {
	w := f.Weight(i)
	u := math.Abs(theta[0]) / w
	if u >= 1 {
		return 0
	}
	return w * (entropic(u) + (1-u)*math.Log1p(-u))
}

// entropic returns u log u.
func entropic(u float64) float64 {
	if u <= 0 {
		return 0
	}
	return u * math.Log(u)
}

// Scale implements Datafit.
func (f *Logistic) Scale() (sum, length float64) { return scaleOfWeights(&f.one) }

// scaleOfWeights is Scale for residuals that are differences of probabilities.
func scaleOfWeights(o *one) (sum, length float64) {
	for i := range o.y {
		w := o.Weight(i)
		sum += w
		length += w * w
	}
	return sum, math.Sqrt(length)
}

// Poisson is half the deviance of counts y of mean exp(eta),
//
//	w (exp(eta) - y + y (log y - eta)).
type Poisson struct{ one }

// NewPoisson returns the loss of counts y, which are not negative.
func NewPoisson(y, weights []float64) *Poisson { return &Poisson{one{y, weights}} }

// At implements Datafit.
func (f *Poisson) At(eta, r [][]float64, s *Totals) {
	f.rows(eta, r, s, func(y, eta float64) (loss, residual, curvature float64) {
		mu := math.Exp(eta)
		loss = mu - y
		if y > 0 {
			loss += y * (math.Log(y) - eta)
		}
		return loss, y - mu, mu
	})
}

// Curvatures implements Datafit.
func (f *Poisson) Curvatures(first int, r, c [][]float64) {
	f.curvatures(first, r, c, func(y, r float64) float64 { return max(y-r, 0) })
}

// Bound implements Datafit.
func (f *Poisson) Bound(int) float64 { return math.Inf(1) }

// Conjugate implements Datafit: w (m log m - m) with the mean m = y - theta/w, and
// what makes the loss zero for a perfect fit.
func (f *Poisson) Conjugate(i int, theta []float64) float64 {
	w, y := f.Weight(i), f.y[i]
	m := y - theta[0]/w
	return w * (entropic(m) - m - entropic(y) + y)
}

// Multinomial is minus the log-likelihood of q classes,
//
//	P(class k) = exp(eta_k) / sum_l exp(eta_l).
type Multinomial struct {
	one
	class [][]float64 // of every class: 1 for its rows
}

// NewMultinomial returns the loss of the indicators of classes.
func NewMultinomial(classes [][]float64, weights []float64) *Multinomial {
	return &Multinomial{one{classes[0], weights}, classes}
}

// Predictors implements Datafit.
func (f *Multinomial) Predictors() int { return len(f.class) }

// At implements Datafit.
func (f *Multinomial) At(eta, r [][]float64, s *Totals) {
	q := len(f.class)
	const chunk = 256 // rows that a task takes
	parts := make([]*Totals, (len(f.y)+chunk-1)/chunk)
	gram.Each(len(parts), func(task int) {
		t, p := newTotals(q), make([]float64, q)
		for i := task * chunk; i < min((task+1)*chunk, len(f.y)); i++ {
			f.row(i, p, eta, r, t)
		}
		parts[task] = t
	})
	*s = *parts[0]
	for _, t := range parts[1:] {
		s.Loss += t.Loss
		gram.Axpy(1, t.R, s.R)
		gram.Axpy(1, t.C, s.C)
	}
}

// row does a row, with room for its probabilities.
func (f *Multinomial) row(i int, p []float64, eta, r [][]float64, s *Totals) {
	q, w := len(p), f.Weight(i)
	if w == 0 {
		for k := range q {
			r[k][i] = 0
		}
		return
	}
	top := math.Inf(-1)
	for k := range q {
		top = math.Max(top, eta[k][i])
	}
	var sum float64
	for k := range q {
		p[k] = math.Exp(eta[k][i] - top)
		sum += p[k]
	}
	s.Loss += w * (math.Log(sum) + top)
	for k := range q {
		p[k] /= sum
		if f.class[k][i] == 1 {
			s.Loss -= w * eta[k][i]
		}
	}
	at := 0
	for k := range q {
		r[k][i] = w * (f.class[k][i] - p[k])
		s.R[k] += r[k][i]
		for l := k; l < q; l++ {
			s.C[at] += w * covariance(p, k, l)
			at++
		}
	}
}

// covariance is that of the indicators of two classes.
func covariance(p []float64, k, l int) float64 {
	if k == l {
		return p[k] * (1 - p[k])
	}
	return -p[k] * p[l]
}

// Curvatures implements Datafit.
func (f *Multinomial) Curvatures(first int, r, c [][]float64) {
	q := len(f.class)
	p := make([]float64, q)
	for i := range c[0] {
		w := f.Weight(first + i)
		for k := range q {
			p[k] = 0
			if w != 0 {
				p[k] = f.class[k][first+i] - r[k][first+i]/w
			}
		}
		at := 0
		for k := range q {
			for l := k; l < q; l++ {
				c[at][i] = w * covariance(p, k, l)
				at++
			}
		}
	}
}

// Bound implements Datafit.
func (f *Multinomial) Bound(i int) float64 { return f.Weight(i) / 2 }

// Conjugate implements Datafit: minus the entropy of the probabilities that
// theta/w is the residual of.
func (f *Multinomial) Conjugate(i int, theta []float64) float64 {
	w := f.Weight(i)
	var sum float64
	for k, v := range theta {
		sum += entropic(f.class[k][i] - v/w)
	}
	return w * sum
}

// Scale implements Datafit.
func (f *Multinomial) Scale() (sum, length float64) { return scaleOfWeights(&f.one) }
