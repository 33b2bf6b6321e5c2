package exercise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	answers["08.1"] = func(t *testing.T) any {
		x, y := prostateTraining(t)
		want := lassoByShooting(x, y, 20)
		twice := make([][]float64, len(x))
		for j, column := range x {
			twice[j] = append(append([]float64(nil), column...), column...)
		}
		both := append(append([]float64(nil), y...), y...)
		low, high := 0.0, 100.0
		for high-low > 1e-9 { // the first weight falls with the penalty
			mid := (low + high) / 2
			if lassoByShooting(twice, both, mid)[0] > want[0] {
				low = mid
			} else {
				high = mid
			}
		}
		return low
	}
	answers["08.2"] = func(t *testing.T) any {
		if probabilityOfSex(false) > 0.5 && probabilityOfSex(true) < 0.5 {
			return "c" // neither established nor excluded
		}
		return ""
	}
	answers["08.3"] = func(t *testing.T) any {
		x, y := prostateTraining(t)
		small := make([]float64, len(y))
		for i, v := range x[0] {
			small[i] = v / 1000
		}
		x[0] = small
		var kept []string
		for j, w := range lassoByShooting(x, y, 20) {
			if w != 0 {
				kept = append(kept, []string{"lcavol", "lweight", "age", "lbph", "svi", "lcp", "gleason", "pgg45"}[j])
			}
		}
		return kept
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
	answers["08b.1"] = func(t *testing.T) any { // one weight: where its log posterior is highest, and the penalty that agrees
		xx, xy := 67.0, 90.0
		at, best := 0.0, math.Inf(-1)
		for i := range 2000001 {
			w := float64(i) * 1e-6
			if log := -(xx*w*w-2*xy*w)/(2*1.2) - 100./3*w; log > best {
				at, best = w, log
			}
		}
		return math.Round(2*(xy-xx*at)*1e3) / 1e3 // where the slope of RSS + λw is zero
	}
	answers["08b.2"] = func(t *testing.T) any {
		x, y := prostateTraining(t)
		if math.Abs(lassoByShooting(x, y, 20)[0]) < math.Abs(lassoByShooting(x, y, 0)[0]) {
			return "b" // smaller on the same rows: the penalty, not their noise
		}
		return ""
	}
	answers["08b.3"] = func(t *testing.T) any {
		for k := 1; ; k++ { // the first t, by hundredths, at which no neighbor of the kink is lower
			factor := float64(k) / 100
			f := func(x float64) float64 { return x*x/4 + factor*math.Abs(x-1) }
			if f(1) <= f(1-1e-5)+1e-12 && f(1) <= f(1+1e-5)+1e-12 {
				return factor
			}
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

// probabilityOfSex is the probability of inclusion of sex among the 64 terms of the diabetes
// data, on all patients or on 300 of them.
func probabilityOfSex(subset bool) float64 {
	d := must.M1(frames.Design(datasets.DiabetesQuadratic(), "progression ~ ."))
	if subset {
		parts := must.M1(mlreg.RandomValidationSet(442, 142, rand.NewPCG(8, 300)))
		d = d.Rows(parts.Train(0)...)
	}
	sample := must.M1(mlreg.SampleModels(d, mlreg.BICScore{Pi0: 0.1}, rand.NewPCG(8, 7), &mlreg.SampleModelsSettings{Sweeps: 300}))
	return sample.InclusionProb()[slices.Index(d.Names, "sex")]
}
