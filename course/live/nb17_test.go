package live

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The numbers of every frame, with the exact sum by another formula: half the squared
// differences of all pairs, from sums of scaled integers.
func TestDigitsOfSums(t *testing.T) {
	e := DigitsOfSums()
	for _, power := range e.Params[0].Frames {
		rng := rand.New(rand.NewPCG(e.Seed, uint64(math.Round(2*power))))
		var naive, shifted float64
		for range 20 {
			x := make([]float64, 1000)
			for i := range x {
				x[i] = math.Pow(10, power) + rng.NormFloat64()
			}
			exact := exactSquares(x)
			var q, s float64
			for _, v := range x {
				q, s = q+v*v, s+v
			}
			naive += math.Min(16, math.Max(0, -math.Log10(math.Abs(q-s*s/1000-exact)/exact+1e-16))) / 20
			var d2, d float64
			for _, v := range x {
				r := v - s/1000
				d2, d = d2+r*r, d+r
			}
			shifted += math.Min(16, math.Max(0, -math.Log10(math.Abs(d2-d*d/1000-exact)/exact+1e-16))) / 20
		}
		wantNumbers(t, e, []float64{power}, naive, shifted)
	}
}

// exactSquares is the sum of squares about the mean by integers of 2^-80.
func exactSquares(x []float64) float64 {
	scale := new(big.Float).SetMantExp(big.NewFloat(1), 80)
	sum, squares := new(big.Int), new(big.Int)
	for _, v := range x {
		f := new(big.Float).SetPrec(300).SetFloat64(v)
		i, _ := f.Mul(f, scale).Int(nil)
		sum.Add(sum, i)
		squares.Add(squares, new(big.Int).Mul(i, i))
	}
	squares.Mul(squares, big.NewInt(int64(len(x))))
	squares.Sub(squares, sum.Mul(sum, sum))
	f := new(big.Float).SetPrec(300).SetInt(squares)
	f.Quo(f, big.NewFloat(float64(len(x))))
	f.SetMantExp(f, -160)
	out, _ := f.Float64()
	return out
}
