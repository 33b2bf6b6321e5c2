package plotting

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/dist"
)

// groupSummary is the mean of a group, or its share of ones, with its limits.
type groupSummary struct {
	mean, lower, upper float64 // limits are NaN if there are none
}

// meanLimits returns the mean with limits of Student's t, mean -+ t s/sqrt(n).
func meanLimits(y []float64, level float64) groupSummary {
	n := float64(len(y))
	mean, sd := stat.MeanStdDev(y, nil)
	half := math.NaN()
	if n > 1 {
		half = dist.TQuantile(1-level, n-1) * sd / math.Sqrt(n)
	}
	return groupSummary{mean, mean - half, mean + half}
}

// wilson returns the limits of a share of n, those for which the normal test of level
// 1-level does not reject it,
//
//	(p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n).
//
// Wilson (1927), Journal of the American Statistical Association 22, 209-212.
func wilson(share, n, level float64) (lower, upper float64) {
	z := dist.NormalQuantile((1 + level) / 2)
	middle := share + z*z/(2*n)
	half := z * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	scale := 1 + z*z/n
	return math.Max(0, (middle-half)/scale), math.Min(1, (middle+half)/scale)
}

// shareLimits returns the share of ones with Wilson's limits.
func shareLimits(y []float64, level float64) groupSummary {
	share := stat.Mean(y, nil)
	lower, upper := wilson(share, float64(len(y)), level)
	return groupSummary{share, math.Min(lower, share), math.Max(upper, share)}
}
