package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
)

func init() {
	answers["08.1"] = func(t *testing.T) any { return secondKnot(prostateTraining(t)) }
	answers["08.2"] = func(t *testing.T) any {
		x, y := prostateTraining(t)
		low, high := 0.0, 100.0
		for high-low > 1e-9 { // the budget falls with the penalty
			mid := (low + high) / 2
			var norm float64
			for _, w := range lassoByShooting(x, y, mid) {
				norm += math.Abs(w)
			}
			if norm > 1 {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	answers["08.3"] = func(t *testing.T) any {
		x, y := prostateTraining(t)
		const lambda = 20
		w := dot(x[0], y) / dot(x[0], x[0])
		theta := make([]float64, len(y))
		for i := range y {
			theta[i] = y[i] - w*x[0][i]
		}
		largest := 0.0
		for _, column := range x {
			largest = math.Max(largest, 2*math.Abs(dot(column, theta)))
		}
		for i := range theta {
			theta[i] *= math.Min(1, lambda/largest)
		}
		fit := lassoByShooting(x, y, lambda)
		objective := 0.0
		r := append([]float64(nil), y...)
		for j, b := range fit {
			objective += lambda * math.Abs(b)
			for i := range r {
				r[i] -= b * x[j][i]
			}
		}
		return objective + dot(r, r) - (2*dot(theta, y) - dot(theta, theta))
	}
	answers["08.4"] = func(t *testing.T) any {
		return func(c float64) float64 { // by golden section, not by the formula
			f := func(w float64) float64 { return w*w - c*w + 3*math.Abs(w) + w*w }
			if f(0) <= math.Min(f(1e-7), f(-1e-7)) {
				return 0
			}
			low, high := -20.0, 20.0
			for range 400 { // derivative by a difference
				mid := (low + high) / 2
				if slope := 4*mid - c + 3*math.Copysign(1, mid); slope > 0 {
					high = mid
				} else {
					low = mid
				}
			}
			return low
		}
	}
}

// prostateTraining returns the columns of the training rows, standardized, and the centered
// response.
func prostateTraining(t *testing.T) (x [][]float64, y []float64) {
	t.Helper()
	df := datasets.Prostate()
	rows := df.Col("train").Records()
	take := func(name string) []float64 {
		var out []float64
		for i, v := range df.Col(name).Float() {
			if rows[i] == "T" {
				out = append(out, v)
			}
		}
		mean := stat.Mean(out, nil)
		for i := range out {
			out[i] -= mean
		}
		return out
	}
	for _, name := range []string{"lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"} {
		column := take(name)
		sd := math.Sqrt(dot(column, column) / float64(len(column)))
		for i := range column {
			column[i] /= sd
		}
		x = append(x, column)
	}
	return x, take("lpsa")
}

func dot(a, b []float64) float64 {
	return mat.Dot(mat.NewVecDense(len(a), a), mat.NewVecDense(len(b), b))
}

// lassoByShooting is coordinate descent of RSS + lambda |w| until nothing moves.
func lassoByShooting(x [][]float64, y []float64, lambda float64) []float64 {
	w, r := make([]float64, len(x)), append([]float64(nil), y...)
	for range 2000 {
		moved := 0.0
		for j, column := range x {
			a := dot(column, column)
			c := dot(column, r) + a*w[j]
			to := math.Copysign(math.Max(math.Abs(c)-lambda/2, 0), c) / a
			for i := range r {
				r[i] -= (to - w[j]) * column[i]
			}
			moved, w[j] = moved+math.Abs(to-w[j]), to
		}
		if moved < 1e-13 {
			break
		}
	}
	return w
}

// secondKnot is where the second term enters: the first lambda, going down, at which a term
// without weight has 2|x'r| = lambda, with the first term's weight by soft thresholding.
func secondKnot(x [][]float64, y []float64) float64 {
	first := 0
	for j := range x {
		if math.Abs(dot(x[j], y)) > math.Abs(dot(x[first], y)) {
			first = j
		}
	}
	best := 0.0
	a, c := dot(x[first], x[first]), dot(x[first], y)
	for j := range x {
		if j == first {
			continue
		}
		// 2|x_j'y - x_j'x_1 (c - s lambda/2)/a| = lambda, on either side
		b, d := dot(x[j], x[first]), dot(x[j], y)
		for _, side := range []float64{1, -1} {
			s := math.Copysign(1, c)
			if l := 2 * (d - b*c/a) / (side - s*b/a); l > best && l < 2*math.Abs(c)*(1-1e-9) {
				best = l
			}
		}
	}
	return best
}
