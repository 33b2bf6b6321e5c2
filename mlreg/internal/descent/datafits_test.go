package descent

import "math"

// Losses that no fit has: what holds for any Datafit is tested with them, too.

// squares are the loss w (y - eta)^2/2.
type squares struct{ one }

// newSquares returns the loss of a response y.
func newSquares(y, weights []float64) *squares { return &squares{one{y, weights}} }

// At implements Datafit.
func (f *squares) At(eta, r [][]float64, s *Totals) {
	f.rows(eta, r, s, func(y, eta float64) (loss, residual, curvature float64) {
		d := y - eta
		return d * d / 2, d, 1
	})
}

// Curvatures implements Datafit.
func (f *squares) Curvatures(first int, r, c [][]float64) {
	f.curvatures(first, r, c, func(_, _ float64) float64 { return 1 })
}

// Bound implements Datafit.
func (f *squares) Bound(i int) float64 { return f.Weight(i) }

// Conjugate implements Datafit.
func (f *squares) Conjugate(i int, theta []float64) float64 { return f.square(i, theta[0]) }

// square is the conjugate of w (y - eta)^2/2.
func (o *one) square(i int, theta float64) float64 {
	return theta * (theta/(2*o.Weight(i)) - o.y[i])
}

// huber is the loss w d^2/2, d = y - eta, for |d| <= cut, and w cut (|d| - cut/2)
// beyond. (Huber, Annals of Mathematical Statistics 35 (1964), 73-101.)
type huber struct {
	one
	cut float64
}

// newHuber returns the loss of a response y.
func newHuber(y, weights []float64, cut float64) *huber { return &huber{one{y, weights}, cut} }

// At implements Datafit.
func (f *huber) At(eta, r [][]float64, s *Totals) {
	f.rows(eta, r, s, func(y, eta float64) (loss, residual, curvature float64) {
		d := y - eta
		if size := math.Abs(d); size > f.cut {
			return f.cut * (size - f.cut/2), math.Copysign(f.cut, d), 0
		}
		return d * d / 2, d, 1
	})
}

// Curvatures implements Datafit.
func (f *huber) Curvatures(first int, r, c [][]float64) {
	f.curvatures(first, r, c, func(_, r float64) float64 {
		if math.Abs(r) > (1-1e-14)*f.cut { // what weights round
			return 0
		}
		return 1
	})
}

// Bound implements Datafit.
func (f *huber) Bound(i int) float64 { return f.Weight(i) }

// Conjugate implements Datafit: that of squares, for |theta| <= w cut.
func (f *huber) Conjugate(i int, theta []float64) float64 { return f.square(i, theta[0]) }
