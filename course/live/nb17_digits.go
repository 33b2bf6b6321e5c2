package live

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, DigitsOfSums) }

// DigitsOfSums are the correct digits of a sum of squares about the mean, of 1,000 rows
// whose mean is so many times their standard deviation: by the sum of squares less n times
// the squared mean, and with the rows shifted by their mean first.
func DigitsOfSums() *Explorable {
	return &Explorable{
		ID: "17.digits", Title: "Correct digits of a sum of squares", Seed: 17, Random: true,
		Params: []Param{{
			Name: "power", Label: "log₁₀(mean/standard deviation)", Min: 0, Max: 8, Step: 0.5,
			Frames: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8}, Default: 6,
		}},
		draw: drawDigitsOfSums,
	}
}

const (
	digitsRows, digitsDraws  = 1000, 20
	digitsStep, digitsPoints = 0.5, 17
)

// digitCurve has the digits by the power of ten.
type digitCurve struct{ power, naive, shifted []float64 }

var lastDigits kept[uint64, digitCurve] // by seed

func digitCurveOf(at Point) (c digitCurve) {
	for k := range digitsPoints {
		p := digitsStep * float64(k)
		a, b := meanDigits(math.Pow(10, p), rand.New(at.Source(uint64(k))))
		c.power, c.naive, c.shifted = append(c.power, p), append(c.naive, a), append(c.shifted, b)
		at.report(k+1, digitsPoints)
	}
	return c
}

// digitsOf returns the digits of which the relative error of x is one in the last; none if
// it is larger than 1, 16 if it is exact.
func digitsOf(x, exact float64) float64 {
	return min(16, max(0, -math.Log10(math.Abs(x-exact)/exact+1e-16)))
}

// sumsOfSquares returns the sum of squares about the mean in three ways: in one pass, about
// the rounded mean, and exactly.
func sumsOfSquares(x []float64) (naive, shifted, exact float64) {
	n := float64(len(x))
	var sum, squares float64
	for _, v := range x {
		sum += v
		squares += v * v
	}
	naive = squares - sum*sum/n
	mean := sum / n
	var rest float64
	for _, v := range x {
		d := v - mean
		shifted += d * d
		rest += d
	}
	shifted -= rest * rest / n
	total, square, v2 := new(big.Float).SetPrec(400), new(big.Float).SetPrec(400), new(big.Float).SetPrec(400)
	for _, v := range x { // 400 bits hold these sums exactly
		r := new(big.Float).SetFloat64(v)
		total.Add(total, r)
		square.Add(square, v2.Mul(r, r))
	}
	total.Mul(total, total).Quo(total, new(big.Float).SetFloat64(n))
	exact, _ = square.Sub(square, total).Float64()
	return naive, shifted, exact
}

// meanDigits returns the mean digits over draws of rows.
func meanDigits(ratio float64, rng *rand.Rand) (naive, shifted float64) {
	x := make([]float64, digitsRows)
	for range digitsDraws {
		for i := range x {
			x[i] = ratio + rng.NormFloat64()
		}
		a, b, exact := sumsOfSquares(x)
		naive += digitsOf(a, exact) / digitsDraws
		shifted += digitsOf(b, exact) / digitsDraws
	}
	return naive, shifted
}

func drawDigitsOfSums(at Point) *View {
	c := lastDigits.at(at.Seed, func() digitCurve { return digitCurveOf(at) })
	power, naive, shifted := c.power, c.naive, c.shifted
	here := int(math.Round(at.Value("power") / digitsStep))
	tenths := func(v float64) float64 { return math.Round(10*v) / 10 } // further ones hang on the last bit of single rows
	title := fmt.Sprintf("log₁₀(mean/standard deviation) = %g: %.1f digits or %.1f", power[here], naive[here], shifted[here])
	p := try.Get(plotting.Draw(plotting.Labels{Title: title, X: "log₁₀(mean/standard deviation)", Y: "correct digits of the sum of squares"},
		plotting.Line{X: power, Y: shifted, Name: "rows shifted by their mean"},
		plotting.Line{X: power, Y: naive, Name: "sum of squares less n mean²", Color: plotting.Vermillion},
		plotting.Points{X: []float64{power[here], power[here]}, Y: []float64{naive[here], shifted[here]}, Color: plotting.Black, Radius: 4}))
	p.Y.Min, p.Y.Max = 0, 17
	return &View{
		Figure: plotting.Sized(p, 6, 3.8),
		Numbers: []Number{
			{Name: "digits of the naive sum", Value: tenths(naive[here]), Digits: 2},
			{Name: "digits of the shifted sum", Value: tenths(shifted[here]), Digits: 2},
		},
		Sentence: fmt.Sprintf("If log₁₀(mean/standard deviation) is %g, the sum of squares less n times the squared mean has %.1f correct digits, the sum of the squares of shifted rows %.1f.",
			power[here], naive[here], shifted[here]),
	}
}
