package gram

// Combine returns b_0 + sum_j x_ij b_j + add_i for every row of X, with b_0 =
// b0+b0Lo and b_j = b[j]+bLo[j], in about twice the working precision and rounded
// once: see Residuals. A nil add is zero. Y, weights and scales do not count.
func (r Rows) Combine(add []float64, b0, b0Lo float64, b, bLo []float64) []float64 {
	n := r.X.Rows
	sums := make([]float64, n)
	const least, chunks = 1024, 64
	rows := max(least, ceil(n, chunks))
	parallel(ceil(n, rows), func() func(int) {
		return func(chunk int) {
			for i := chunk * rows; i < min((chunk+1)*rows, n); i++ {
				s, e := active.dot(r.row(i), b, bLo)
				s, e1 := twoSum(s, b0)
				e += e1 + b0Lo
				if add != nil {
					e += add[i]
				}
				sums[i] = s + e
			}
		}
	})
	return sums
}
