package mlreg

import "math"

// averageSigmoid returns the mean of 1/(1 + exp(-eta)) for normal eta. The
// integrand has its nearest poles at a distance of pi/sd from the real axis, in
// units of sd, and so the trapezoidal rule with steps h errs by about
// exp(-2 pi^2/(sd h)) and exp(-2 pi^2/h^2). (Trefethen and Weideman, SIAM Review 56
// (2014), section 5.)
func averageSigmoid(mean, sd float64) float64 {
	if mean > 0 {
		return 1 - averageSigmoid(-mean, sd)
	}
	p, ok := normalAverage(mean, sd, sigmoid)
	if !ok {
		return math.Erfc(-mean/sd/math.Sqrt2) / 2
	}
	return p
}

// normalAverage returns the mean of f(eta) for normal eta of mean at most 0, where f
// has the poles of the sigmoid; false if the sigmoid is a step function, next to the
// Gaussian.
func normalAverage(mean, sd float64, f func(eta float64) float64) (float64, bool) {
	const digits = 34 // -log of the error
	h := math.Min(0.5, 2*math.Pi*math.Pi/digits/math.Max(sd, 1e-300))
	if h < 1e-4 {
		return 0, false
	}
	far := 9 + math.Min(sd, -mean/sd) // from where the integrand is largest
	var sum float64
	for k := -int(far / h); k <= int(far/h); k++ {
		t := float64(k) * h
		sum += f(mean+sd*t) * math.Exp(-t*t/2)
	}
	return sum * h / math.Sqrt(2*math.Pi), true
}

// deviationOfSigmoid returns the standard deviation of 1/(1 + exp(-eta)) for normal
// eta.
func deviationOfSigmoid(mean, sd float64) float64 {
	mean = -math.Abs(mean) // it is the same for 1 - p
	average := averageSigmoid(mean, sd)
	variance, ok := normalAverage(mean, sd, func(eta float64) float64 {
		off := sigmoid(eta) - average
		return off * off
	})
	if !ok {
		variance = average * (1 - average)
	}
	return math.Sqrt(variance)
}
