package descent

// Datafit is the loss of n rows, a convex function of q linear predictors of each:
// half the deviance, so that it is zero for a perfect fit. A new family is a new
// Datafit: solvers do not know which one they have.
//
// A number for every linear predictor and row is q slices of n; a second derivative
// is q(q+1)/2 of them, those of the predictors k <= l at pair(q, k, l).
type Datafit interface {
	// Predictors returns q.
	Predictors() int
	// Weight returns the weight of a row; one of weight zero takes no part.
	Weight(i int) float64
	// At writes minus the derivatives of the loss at eta to r, and the sums of them,
	// of the loss and of its second derivatives to s.
	At(eta, r [][]float64, s *Totals)
	// Curvatures writes the second derivatives of rows from first on, as many as c has room
	// for, where minus the derivatives of all rows are r: so no one need keep them.
	Curvatures(first int, r, c [][]float64)
	// Bound returns what the curvature of row i, the largest eigenvalue of its second
	// derivatives, never exceeds; infinite if there is no such number.
	Bound(i int) float64
	// Conjugate returns max_u (-theta'u - loss of row i at u), the conjugate of the
	// loss at -theta, for theta between zero and a residual that At returned.
	Conjugate(i int, theta []float64) float64
	// Scale returns the sum and the length, over rows, of the numbers that residuals
	// are differences of: rounding is relative to them.
	Scale() (sum, length float64)
}

// Totals are sums over rows.
type Totals struct {
	Loss float64
	R    []float64 // q: residuals
	C    []float64 // q(q+1)/2: second derivatives
}

// pair is the position of the predictors k <= l among all pairs.
func pair(q, k, l int) int { return k*q - k*(k-1)/2 + l - k }

// newTotals returns room for the sums of q predictors.
func newTotals(q int) *Totals {
	return &Totals{R: make([]float64, q), C: make([]float64, q*(q+1)/2)}
}

// perRow are n numbers for each of q predictors.
func perRow(q, n int) [][]float64 {
	all := make([]float64, q*n)
	out := make([][]float64, q)
	for k := range out {
		out[k] = all[k*n : (k+1)*n : (k+1)*n]
	}
	return out
}

// one is a response of each row, and its weights, nil for ones: what the losses of
// one linear predictor have.
type one struct {
	y, weights []float64
}

// Predictors implements Datafit.
func (o *one) Predictors() int { return 1 }

// Weight implements Datafit.
func (o *one) Weight(i int) float64 {
	if o.weights == nil {
		return 1
	}
	return o.weights[i]
}
