package live

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/limit"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// checkSimulation refuses counts below 1, simulations that draw more than 2^28 numbers, and
// a nil source.
func checkSimulation(what string, source bool, numbers float64, counts ...int) error {
	for _, n := range counts {
		if n < 1 {
			return fmt.Errorf("live: %w: %s with a count of %d; counts are 1 or more", mlreg.ErrSetting, what, n)
		}
	}
	switch {
	case !source:
		return fmt.Errorf("live: %w: the source of randomness is nil; rand.NewPCG(1, 2) is one", mlreg.ErrSetting)
	case limit.Exceeded(numbers):
		return fmt.Errorf("live: %w: %s", mlreg.ErrTooLarge, limit.Text(what, numbers, "take fewer rows or repeats"))
	}
	return nil
}

// gaussianRows are n rows of p standard normal columns and a response of equal slopes
// and standard normal noise.
func gaussianRows(n, p int, slope float64, random *rand.Rand) (*mlreg.Design, error) {
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	for i := range y {
		y[i] = random.NormFloat64()
		row := x.RawRowView(i)
		for j := range row {
			row[j] = random.NormFloat64()
			y[i] += slope * row[j]
		}
	}
	return mlreg.NewDesign(x, y)
}

// Coins are n rows of n standard normal columns with a label of 1 or -1 that has nothing to
// do with them. Errors: mlreg.ErrSetting for a count below 1 or a nil source, mlreg.ErrTooLarge.
func Coins(n int, random *rand.Rand) (*mlreg.Design, error) {
	if err := checkSimulation("coins", random != nil, float64(n)*float64(n), n); err != nil {
		return nil, err
	}
	d, err := gaussianRows(n, n, 0, random)
	if err != nil {
		return nil, err
	}
	for i, y := range d.Y {
		d.Y[i] = math.Copysign(1, y)
	}
	return d, nil
}

// Uniforms are n uniform numbers, as the response of a design. Errors: those of Coins.
func Uniforms(n int, src rand.Source) (*mlreg.Design, error) {
	if err := checkSimulation("a design of uniform numbers", src != nil, float64(n), n); err != nil {
		return nil, err
	}
	random := rand.New(src)
	y := make([]float64, n)
	for i := range y {
		y[i] = random.Float64()
	}
	return mlreg.NewDesign(mat.NewDense(n, 1, append([]float64(nil), y...)), y, "x")
}

// DistanceOfEDF is the mean over samples of n uniform numbers of sup|F_n - F|, the
// largest distance between their distribution function and the true one. Errors: those of
// Coins.
func DistanceOfEDF(n, samples int, src rand.Source) (mean float64, err error) {
	if err := checkSimulation("distances of distribution functions", src != nil, float64(n)*float64(samples), n, samples); err != nil {
		return 0, err
	}
	for range samples {
		d, err := Uniforms(n, src)
		if err != nil {
			return 0, err
		}
		f, err := assess.NewEDF(d.Y)
		if err != nil {
			return 0, err
		}
		mean += f.Distance(func(x float64) float64 { return x }) / float64(samples)
	}
	return mean, nil
}
