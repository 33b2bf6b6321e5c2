package gram

import "github.com/regbook/regbook/mlreg/internal/dd"

// few is the number of columns below which the kernel's call takes longer than its
// sums.
const few = 8

// Combine returns b_0 + sum_j x_ij b_j + add_i for every row of X, with b_0 =
// b0+b0Lo and b_j = b[j]+bLo[j], in about twice the working precision and rounded
// once: see Residuals. A nil add is zero. Y, weights and scales do not count.
func (r Rows) Combine(add []float64, b0, b0Lo float64, b, bLo []float64) []float64 {
	n := r.X.Rows
	sums := make([]float64, n)
	const least, chunks = 1024, 64
	rows := max(least, ceil(n, chunks))
	Parallel(ceil(n, rows), func() func(int) {
		return func(chunk int) {
			for i := chunk * rows; i < min((chunk+1)*rows, n); i++ {
				var s, e float64
				if len(b) < few {
					s, e = combineFew(r.row(i), b0, b0Lo, b, bLo)
				} else {
					s, e = active.dot(r.row(i), b, bLo)
					var e1 float64
					s, e1 = twoSum(s, b0)
					e += e1 + b0Lo
				}
				if add != nil {
					e += add[i]
				}
				sums[i] = s + e
			}
		}
	})
	return sums
}

// combineFew returns b_0 + x'(b+low) as a value and a correction.
func combineFew(x []float64, b0, b0Lo float64, b, low []float64) (s, e float64) {
	s, e = b0, b0Lo
	b, low = b[:len(x)], low[:len(x)]
	for j, v := range x {
		p := float64(v * b[j])
		t := s + p
		z := t - s
		e += (s - (t - z)) + (p - z) + dd.Rest(v, b[j], p) + v*low[j]
		s = t
	}
	return s, e
}
