package exercise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	answers["11.6"] = func(t *testing.T) any {
		low, high := 0.0, 10.0 // by the error function
		for range 100 {
			if d := (low + high) / 2; 0.5*math.Erfc(-d/2/math.Sqrt2) < 0.95 {
				low = d
			} else {
				high = d
			}
		}
		return low
	}
	answers["11.1"] = func(t *testing.T) any { return math.Exp(invasion(t)[1] * math.Log(2)) }
	answers["11.2"] = func(t *testing.T) any {
		// 2 lambda s = sum of x p(wrong) over the six points, at the slope s = log 9.
		s, sum := math.Log(9), 0.0
		for _, x := range []float64{1, 2, 3} {
			sum += x / (1 + math.Exp(s*x))
		}
		return sum / s
	}
	answers["11.7"] = func(t *testing.T) any {
		return averaged(t, 1, 6, [][2]float64{{-3, 8}, {3, -3}, {1, 5}})
	}
	answers["11.8"] = func(t *testing.T) any { return averaged(t, 100, 60, [][2]float64{{2, -6}})[0] }
	answers["11.9"] = func(t *testing.T) any { // from the printed bits of the data: 16.35956 and 15.77446
		return 10*(16.35956-15.77446) - math.Log2(1000)/2
	}
	answers["11.3"] = func(t *testing.T) any {
		w, mean := invasion(t), 0.0
		d := invaded(t)
		for i := range d.Y {
			mean += 1 / (1 + math.Exp(-w[0]-w[1]*d.X.At(i, 0)-w[2]*d.X.At(i, 1))) / float64(len(d.Y))
		}
		return mean
	}
	answers["11.4"] = func(t *testing.T) any {
		// From a probability of one half: odds of one become odds of the factor.
		factor := math.Exp(invasion(t)[1])
		odds := factor * 1
		if p := odds / (1 + odds); p > 0.5*factor {
			return "a"
		}
		return "b"
	}
	answers["11.5"] = func(t *testing.T) any { // the first place from which no threshold has all zeros below all ones
		ones := []float64{1, 2, 3}
		for seventh := 0.5; ; seventh += 0.125 {
			if seventh >= slices.Min(ones) {
				return seventh
			}
		}
	}
}

func invaded(t *testing.T) *mlreg.Design {
	d, err := frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa")
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// invasion returns the coefficients of svi on lcavol and lpsa, by Newton's method.
func invasion(t *testing.T) []float64 {
	d := invaded(t)
	w := mat.NewVecDense(3, nil)
	for range 30 {
		h, g := mat.NewSymDense(3, nil), mat.NewVecDense(3, nil)
		for i, y := range d.Y {
			row := mat.NewVecDense(3, []float64{1, d.X.At(i, 0), d.X.At(i, 1)})
			p := 1 / (1 + math.Exp(-mat.Dot(row, w)))
			h.SymRankOne(h, p*(1-p), row)
			g.AddScaledVec(g, y-p, row)
		}
		var step mat.VecDense
		if err := step.SolveVec(h, g); err != nil {
			t.Fatal(err)
		}
		w.AddVec(w, &step)
	}
	return w.RawVector().Data
}

// averaged are the probabilities of class 1 at places, averaged over the posterior of the
// two weights by a sum over a square grid from -reach to reach.
func averaged(t *testing.T, variance, reach float64, places [][2]float64) []float64 {
	df, err := datasets.Girolami().Draw(30, rand.NewPCG(4, 8))
	if err != nil {
		t.Fatal(err)
	}
	var columns [3][]float64
	for j, name := range []string{"x1", "x2", "y"} {
		if columns[j], err = frames.Floats(df, name); err != nil {
			t.Fatal(err)
		}
	}
	sum, total := make([]float64, len(places)), 0.0
	for a := -reach; a <= reach; a += reach / 150 {
		for b := -reach; b <= reach; b += reach / 150 {
			p := math.Exp(-(a*a + b*b) / (2 * variance))
			for i, y := range columns[2] {
				p *= 1 / (1 + math.Exp(-(2*y-1)*(a*columns[0][i]+b*columns[1][i])))
			}
			total += p
			for k, x := range places {
				sum[k] += p / (1 + math.Exp(-a*x[0]-b*x[1]))
			}
		}
	}
	for k := range sum {
		sum[k] /= total
	}
	return sum
}
