package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// Every method's weights are held to what defines them, and the errors are those of the weights: least
// squares and the volume alone by the normal equations, the best pair by trying all, and the average as a sum over all 256
// models. Ridge regression and the lasso are optimal at the penalty that they state.
func TestSplit(t *testing.T) {
	e := Split()
	for _, values := range [][]float64{{1, 30}, {3, 15}, {1000, 60}} {
		at := Point{Seed: e.Seed, params: e.Params, values: values}
		train, test, apart := splitMen(at)
		seen := map[int]bool{}
		for _, i := range apart {
			seen[i] = true
		}
		if len(seen) != int(values[1]) || train.NObs()+len(apart) != 97 {
			t.Fatalf("%d men apart at %g", len(seen), values)
		}
		fits := splitFits(at, train)
		n, p := train.NObs(), train.NTerms()
		mean := stat.Mean(train.Y, nil)
		center := make([]float64, p) // of the training rows, in raw units
		scale := make([]float64, p)
		whole, err := frames.Design(datasets.Prostate(), "lpsa ~ . - train")
		if err != nil {
			t.Fatal(err)
		}
		for j := range p {
			var v []float64
			for i := range 97 {
				if !seen[i] {
					v = append(v, whole.X.At(i, j))
				}
			}
			center[j], scale[j] = stat.PopMeanStdDev(v, nil)
		}
		errorOf := func(w []float64) (mse float64) {
			for i, y := range test.Y {
				fitted := mean
				for j := range p {
					fitted += w[j] * (test.X.At(i, j) - center[j]) / scale[j]
				}
				mse += (y - fitted) * (y - fitted) / float64(test.NObs())
			}
			return mse
		}
		solve := func(set int) (w []float64, rss float64) {
			var terms []int
			for j := range p {
				if set>>j&1 == 1 {
					terms = append(terms, j)
				}
			}
			w = make([]float64, p)
			if len(terms) > 0 {
				x := mat.NewDense(n, len(terms), nil)
				for k, j := range terms {
					x.SetCol(k, mat.Col(nil, j, train.X))
				}
				var b, gram mat.Dense
				gram.Mul(x.T(), x)
				var xy mat.VecDense
				xy.MulVec(x.T(), mat.NewVecDense(n, train.Y))
				if err := b.Solve(&gram, &xy); err != nil {
					t.Fatal(err)
				}
				for k, j := range terms {
					w[j] = b.At(k, 0)
				}
			}
			for i, y := range train.Y {
				r := y - mean - mat.Dot(train.X.RowView(i), mat.NewVecDense(p, w))
				rss += r * r
			}
			return w, rss
		}
		full := 1<<p - 1
		var pair, average []float64
		least, lowest := math.Inf(1), math.Inf(1)
		bic := make([]float64, full+1)
		weights := make([][]float64, full+1)
		for set := range full + 1 {
			w, rss := solve(set)
			size := 0
			for k := set; k > 0; k >>= 1 {
				size += k & 1
			}
			if size == 2 && rss < least {
				least, pair = rss, w
			}
			weights[set], bic[set] = w, float64(n)*math.Log(rss)+float64(size)*math.Log(float64(n))
			lowest = math.Min(lowest, bic[set])
		}
		sum := 0.0
		average = make([]float64, p)
		for set, b := range bic {
			probability := math.Exp((lowest - b) / 2)
			sum += probability
			for j := range p {
				average[j] += probability * weights[set][j]
			}
		}
		for j := range p {
			average[j] /= sum
		}
		ols, _ := solve(full)
		volume, _ := solve(1)
		type penalized interface {
			Lambda() float64
			Slopes() []float64
		}
		ridge, lasso := fits[2].Fit.(penalized), fits[3].Fit.(penalized)
		for j := range p {
			var gradients [2]float64
			for k, f := range []penalized{ridge, lasso} {
				for i, y := range train.Y {
					r := y - mean - mat.Dot(train.X.RowView(i), mat.NewVecDense(p, f.Slopes()))
					gradients[k] += 2 * r * train.X.At(i, j)
				}
			}
			if d := gradients[0] - 2*ridge.Lambda()*ridge.Slopes()[j]; math.Abs(d) > 1e-8 {
				t.Errorf("%g: ridge regression is not at its minimum: %g", values, d)
			}
			if w := lasso.Slopes()[j]; w != 0 && math.Abs(gradients[1]-math.Copysign(lasso.Lambda(), w)) > 1e-3*lasso.Lambda()+1e-3 || math.Abs(gradients[1]) > 1.001*lasso.Lambda()+1e-3 {
				t.Errorf("%g: the lasso is not at its minimum: weight %g, gradient %g, λ = %g", values, w, gradients[1], lasso.Lambda())
			}
		}
		wantNumbers(t, e, values, errorOf(ols), errorOf(pair), errorOf(ridge.Slopes()), errorOf(lasso.Slopes()), errorOf(average), errorOf(volume))
	}
}
