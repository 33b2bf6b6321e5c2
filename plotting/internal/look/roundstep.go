package look

import "math"

// RoundStep returns the round step that cuts [low, high] into the number of
// intervals closest to target, in the ratio.
func RoundStep(low, high float64, target int) float64 {
	raw := (high - low) / float64(target)
	if math.IsInf(raw, 0) { // from -1e308 to 1e308
		raw = math.Min(high/float64(target)-low/float64(target), math.MaxFloat64)
	}
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

// mostMultiples is how many multiples are worth drawing.
const mostMultiples = 10000

// Multiples returns the first and the number of the multiples of step that are in
// [low, high], or outside by slack steps at most: none if they are too many to be
// drawn, or to be counted in float64.
func Multiples(low, high, step, slack float64) (first, n int) {
	from, to := math.Ceil(low/step-slack), math.Floor(high/step+slack)
	if !(to-from >= 0 && to-from < mostMultiples && math.Abs(from) < 1<<53) {
		return 0, 0
	}
	return int(from), int(to-from) + 1
}
