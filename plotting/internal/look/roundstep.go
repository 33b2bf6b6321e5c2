package look

import "math"

// RoundStep returns the round step that cuts [low, high] into the number of
// intervals closest to target, in the ratio.
func RoundStep(low, high float64, target int) float64 {
	raw := (high - low) / float64(target)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	best, bestRatio := power, math.Inf(1)
	for _, m := range [...]float64{1, 2, 5, 10} {
		ratio := math.Abs(math.Log(m * power / raw))
		if ratio < bestRatio {
			best, bestRatio = m*power, ratio
		}
	}
	return best
}
