package exercise

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

func init() {
	answers["10.1"] = func(t *testing.T) any {
		x, y, train := prostateTable(t)
		var w mat.VecDense
		var rows []float64
		var response []float64
		for i := range y {
			if train[i] && i != 46 {
				rows, response = append(append(rows, 1), x[i]...), append(response, y[i])
			}
		}
		if err := w.SolveVec(mat.NewDense(len(response), 9, rows), mat.NewVecDense(len(response), response)); err != nil {
			t.Fatal(err)
		}
		var sum float64
		for i := range y {
			if !train[i] {
				row := append([]float64{1}, x[i]...)
				e := y[i] - mat.Dot(mat.NewVecDense(9, row), &w)
				sum += e * e / 30
			}
		}
		return sum
	}
	answers["10.2"] = func(t *testing.T) any {
		var log float64
		for k := 1.0; k <= 20; k++ {
			log += math.Log10((47 + k) / k)
		}
		return log
	}
	answers["10.3"] = func(t *testing.T) any {
		x, y, train := prostateTable(t)
		var z [][]float64
		var r []float64
		for i := range y {
			if train[i] {
				z, r = append(z, append([]float64(nil), x[i]...)), append(r, y[i])
			}
		}
		for j := range 8 {
			var mean, variance float64
			for i := range z {
				mean += z[i][j] / 67
			}
			for i := range z {
				variance += (z[i][j] - mean) * (z[i][j] - mean) / 67
			}
			for i := range z {
				z[i][j] = (z[i][j] - mean) / math.Sqrt(variance)
			}
		}
		// Gradient steps on RSS + 5 |w|^2 about the mean of y.
		var mean float64
		for _, v := range r {
			mean += v / 67
		}
		w := make([]float64, 8)
		for range 20000 {
			gradient := make([]float64, 8)
			for i := range z {
				e := r[i] - mean
				for j := range w {
					e -= z[i][j] * w[j]
				}
				for j := range w {
					gradient[j] -= e * z[i][j]
				}
			}
			for j := range w {
				w[j] -= 1e-3 * (gradient[j] + 5*w[j])
			}
		}
		return w[5]
	}
	answers["10.4"] = func(t *testing.T) any {
		x, y, train := prostateTable(t)
		var rows [][]float64
		var response []float64
		for i := range y {
			if train[i] {
				rows, response = append(rows, x[i]), append(response, y[i])
			}
		}
		least := math.Inf(1)
		for lambda := 0.12; lambda < 120; lambda *= 1.1 {
			var sum float64
			for fold := range 10 {
				predict := lassoWithout(rows, response, lambda, func(i int) bool { return 10*i/67 == fold })
				for i := range rows {
					if 10*i/67 == fold {
						sum += math.Pow(response[i]-predict(rows[i]), 2) / 67
					}
				}
			}
			least = min(least, sum)
		}
		return least
	}
	answers["10.5"] = func(t *testing.T) any {
		// The two other sentences are about sex itself and about other patients. Of all patients least squares on
		// the ten measurements has a weight of sex that is far from zero.
		d, err := frames.Design(datasets.Diabetes(), "progression ~ .")
		if err != nil {
			t.Fatal(err)
		}
		fit, err := mlreg.FitOLS(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if sex := fit.Coef()[2] / fit.StdErr()[2]; math.Abs(sex) < 2 {
			return "a"
		}
		return "b"
	}
}

// prostateTable returns the eight predictors of every man, lpsa, and who is for training.
func prostateTable(t *testing.T) (x [][]float64, y []float64, train []bool) {
	t.Helper()
	df := datasets.Prostate()
	x = make([][]float64, df.Nrow())
	for _, name := range df.Names()[:8] {
		for i, v := range df.Col(name).Float() {
			x[i] = append(x[i], v)
		}
	}
	for _, mark := range df.Col("train").Records() {
		train = append(train, mark == "T")
	}
	return x, df.Col("lpsa").Float(), train
}

// lassoWithout is the lasso by coordinate descent on the rows that are not held out, each
// column with mean 0 and variance 1; lambda is stated for all rows.
func lassoWithout(x [][]float64, y []float64, lambda float64, held func(i int) bool) (predict func(row []float64) float64) {
	p := len(x[0])
	mean, sd := make([]float64, p), make([]float64, p)
	var n, meanY float64
	for i := range x {
		if !held(i) {
			n, meanY = n+1, meanY+y[i]
		}
	}
	meanY /= n
	for j := range p {
		var squares float64
		for i := range x {
			if !held(i) {
				mean[j], squares = mean[j]+x[i][j]/n, squares+x[i][j]*x[i][j]/n
			}
		}
		sd[j] = math.Sqrt(squares - mean[j]*mean[j])
	}
	w := make([]float64, p)
	predict = func(row []float64) float64 {
		sum := meanY
		for j := range w {
			sum += w[j] * (row[j] - mean[j]) / sd[j]
		}
		return sum
	}
	penalty := lambda / float64(2*len(x)) // of half the mean square
	for range 40 {
		for j := range w {
			var c float64 // of column j with what the others leave
			for i := range x {
				if !held(i) {
					c += (x[i][j] - mean[j]) / sd[j] * (y[i] - predict(x[i])) / n
				}
			}
			c += w[j]
			w[j] = math.Copysign(max(math.Abs(c)-penalty, 0), c)
		}
	}
	return predict
}
