package descent

// Model is the deviance of data as a smooth convex function of weights, with the
// intercepts, if there are any, at their best.
type Model interface {
	// Weights returns their number.
	Weights() int
	// Length returns the length of the column that weight c multiplies, zero if the
	// deviance does not depend on it.
	Length(c int) float64
	// Null returns the deviance at zero, and the length of the residual there.
	Null() (deviance, residual float64)
	// Intercepts returns those of the last point, for centered columns.
	Intercepts() []float64
	// Noise returns how large rounding makes a derivative by weight c that is zero,
	// at the last weights.
	Noise(c int) float64
	// Move goes to the weights w of the set, all others being zero, and returns the
	// deviance.
	Move(set []int, w []float64) float64
	// Descent writes minus the derivatives by the weights at the last point to u:
	// exactly for those in the set and where the size may exceed limit[c], and to the
	// others an estimate that is at most limit[c] in size.
	Descent(set []int, limit, u []float64)
	// Exact writes minus the derivatives by the weights in the set to u.
	Exact(set []int, u []float64)
	// Cross writes second derivatives, those at the last Renew, to dst[r*stride+c].
	Cross(rows, cols []int, dst []float64, stride int)
	// Renew takes the second derivatives of the last point for Cross, or, for bound,
	// what they never exceed if there is such a number. It reports whether they
	// change at all.
	Renew(bound bool) bool
	// Shrink returns F(s r) - F(r) for the conjugate F of the deviance and minus its
	// derivative r at the last point, where wu is the sum of weights times u.
	Shrink(s, wu float64) float64
}
