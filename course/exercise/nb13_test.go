package exercise

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func init() {
	answers["13.1"] = func(t *testing.T) any { // the least number at which it is half
		n := 460
		for math.Sqrt(0.3*0.7/float64(n)) > math.Sqrt(0.3*0.7/460)/2+1e-15 {
			n++
		}
		return n
	}
	answers["13.2"] = func(t *testing.T) any { // sum over the number of times that he is drawn
		const n = 97
		var sum float64
		for k := 1; k <= n; k++ {
			choose, _ := math.Lgamma(n + 1)
			a, _ := math.Lgamma(float64(k) + 1)
			b, _ := math.Lgamma(float64(n-k) + 1)
			sum += math.Exp(choose - a - b + float64(k)*math.Log(1.0/n) + float64(n-k)*math.Log(1-1.0/n))
		}
		return sum
	}
	answers["13.3"] = func(t *testing.T) any { // differences within two standard errors have either sign
		low, high := -35-2*228.0, -35+2*228.0
		switch {
		case high < 0:
			return "a"
		case low > 0:
			return "b"
		}
		return "c"
	}
	answers["13.4"] = func(t *testing.T) any { // by drawing 194 of 97 men, each as likely
		x, y, _ := prostateTable(t)
		random := rand.New(rand.NewPCG(13, 4))
		spread := func(draws int) float64 {
			var values []float64
			for range 4000 {
				times := make([]float64, len(y))
				for range draws {
					times[random.IntN(len(y))]++
				}
				volume := make([]float64, len(y))
				for i := range y {
					volume[i] = x[i][0]
				}
				values = append(values, stat.Correlation(volume, y, times))
			}
			return stat.StdDev(values, nil)
		}
		return spread(2*len(y)) / spread(len(y))
	}
	answers["13.5"] = func(t *testing.T) any { // all 5^5 draws
		seen := map[[5]int]bool{}
		for code := range 3125 {
			var counts [5]int
			for range 5 {
				counts[code%5]++
				code /= 5
			}
			seen[counts] = true
		}
		return len(seen)
	}
	answers["13.6"] = func(t *testing.T) any { // by bisection
		low, high := 0.0, 0.5
		for range 60 {
			if mid := (low + high) / 2; 100*math.Exp(-2*1000*mid*mid) > 0.05 {
				low = mid
			} else {
				high = mid
			}
		}
		return 0.6 - low
	}
	answers["13.7"] = func(t *testing.T) any {
		n := 1
		for math.Ceil(0.9*float64(n+1)) > float64(n) {
			n++
		}
		return n
	}
	answers["13.8"] = func(t *testing.T) any { // Markov's inequality; (a) and (c) are of one data set
		if bound := 0.64; bound < 1 {
			return "b"
		}
		return "none"
	}
	answers["13.9"] = func(t *testing.T) any { // least squares by QR, and the 91st of 100 residuals
		const n, p, worlds = 100, 50, 200
		random := rand.New(rand.NewPCG(13, 9))
		draw := func() (*mat.Dense, *mat.VecDense) {
			x, y := mat.NewDense(n, 1+p, nil), mat.NewVecDense(n, nil)
			for i := range n {
				x.Set(i, 0, 1)
				y.SetVec(i, random.NormFloat64())
				for j := range p {
					x.Set(i, 1+j, random.NormFloat64())
				}
			}
			return x, y
		}
		held := 0.0
		for range worlds {
			x, y := draw()
			var b, left mat.VecDense
			if err := b.SolveVec(x, y); err != nil {
				t.Fatal(err)
			}
			left.MulVec(x, &b)
			left.SubVec(y, &left)
			sizes := left.RawVector().Data
			for i, r := range sizes {
				sizes[i] = math.Abs(r)
			}
			slices.Sort(sizes)
			q := sizes[int(math.Ceil(0.9*(n+1)))-1]
			x, y = draw()
			left.MulVec(x, &b)
			left.SubVec(y, &left)
			for _, r := range left.RawVector().Data {
				if math.Abs(r) <= q {
					held += 100. / n / worlds
				}
			}
		}
		return held
	}
}
