package plotting

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg"
)

// Of so many values and more, a density is computed from counts in so many bins.
const (
	densityValues = 20_000
	densityBins   = 4096
	densityPoints = 301
)

// bandwidth returns the width of the kernel for sorted values by Silverman's rule,
// 0.9 n^(-1/5) min(sd, IQR/1.34), R's bw.nrd0: 0 if all values are the same.
func bandwidth(sorted []float64) float64 {
	sd := stat.StdDev(sorted, nil)
	width := math.Min(sd, (mlreg.SampleQuantile(sorted, 0.75)-mlreg.SampleQuantile(sorted, 0.25))/1.34)
	width = cmp.Or(width, sd)
	return 0.9 * width * math.Pow(float64(len(sorted)), -0.2)
}

// kernelDensity returns the density of values,
//
//	f(x) = 1/(n h) sum of phi((x - x_i)/h),
//
// with the density phi of the normal distribution and the bandwidth h, at equal
// distances from 3h below the smallest to 3h above the largest; h = 0 is Silverman's. It
// returns nil if the values are all the same, and no bandwidth is given.
func kernelDensity(values []float64, h float64) (x, f []float64) {
	sorted := slices.Sorted(slices.Values(values))
	if h == 0 {
		h = bandwidth(sorted)
	}
	if !(h > 0) {
		return nil, nil
	}
	low, high := sorted[0], sorted[len(sorted)-1]
	x = Range(low-3*h, high+3*h, densityPoints)
	at, weight := sorted, []float64(nil)
	if len(sorted) >= densityValues {
		at, weight = binned(sorted)
	}
	n := float64(len(sorted))
	for _, place := range x {
		sum := 0.0
		for k := firstWithin(at, place-9*h); k < len(at) && at[k] <= place+9*h; k++ {
			u := (place - at[k]) / h
			v := math.Exp(-u * u / 2)
			if weight != nil {
				v *= weight[k]
			}
			sum += v
		}
		f = append(f, sum/(n*h*math.Sqrt(2*math.Pi)))
	}
	return x, f
}

func firstWithin(sorted []float64, low float64) int {
	k, _ := slices.BinarySearch(sorted, low)
	return k
}

// binned divides each value between the two places of a grid next to it, in the
// ratio of its distances from them.
func binned(sorted []float64) (at, weight []float64) {
	low, high := sorted[0], sorted[len(sorted)-1]
	at, weight = Range(low, high, densityBins), make([]float64, densityBins)
	step := (high - low) / (densityBins - 1)
	for _, v := range sorted {
		place := 0.0
		if step > 0 {
			place = (v - low) / step
		}
		k := min(int(place), densityBins-2)
		weight[k] += 1 - (place - float64(k))
		weight[k+1] += place - float64(k)
	}
	return at, weight
}
