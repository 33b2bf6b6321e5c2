package descent

// Source is the data of a problem.
type Source interface {
	// Terms returns p, the number of columns.
	Terms() int
	// Null returns |y|^2.
	Null() float64
	// Square returns |x_j|^2.
	Square(j int) float64
	// Cross writes x_j'x_k, for the columns j in rows and k in cols, to
	// dst[r*stride+c].
	Cross(rows, cols []int, dst []float64, stride int)
	// Residual takes weights of the columns in set, all others being zero,
	// and returns |y - Xw|^2. It writes x_j'(y - Xw) to g[j] if j is in set or
	// if its absolute value may exceed limit[j]; to the others, an estimate that
	// is at most limit[j] in size. A nil limit asks for all of them.
	Residual(set []int, w, limit, g []float64) (rss float64)
	// Exact writes x_j'(y - Xw), with the w of the last Residual, to g[j] for the
	// columns in set.
	Exact(set []int, g []float64)
	// Gradients writes X'v to g, for v = y if set is nil, and v = X_set w if not.
	Gradients(set []int, w, g []float64)
}
