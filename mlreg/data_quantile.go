package mlreg

// SampleQuantile returns the quantile at probability p, 0 <= p <= 1, of values
// sorted in rising order, by linear interpolation between order statistics:
//
//	(1-f) x_(k) + f x_(k+1),   k + f = 1 + (n-1) p,
//
// type 7 of Hyndman and Fan (1996), The American Statistician 50:361-365, the
// default of R and NumPy. It panics if there are no values or p is outside.
func SampleQuantile(sorted []float64, p float64) float64 {
	if !(p >= 0 && p <= 1) || len(sorted) == 0 {
		panic("mlreg: a sample quantile needs values and a probability from 0 to 1")
	}
	h := float64(len(sorted)-1) * p
	k := int(h)
	if k+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	low, high := sorted[k], sorted[k+1]
	if low == high {
		return low
	}
	f := h - float64(k)
	return (1-f)*low + f*high
}
