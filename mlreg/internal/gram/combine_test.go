package gram

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
)

// Sums that cancel to a part in 1e12 are rounded once, for few columns and many.
func TestCombineAgainstRational(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 8))
	for p := range 20 {
		const n = 50
		x := blas64.General{Rows: n, Cols: p, Stride: max(p, 1), Data: make([]float64, n*max(p, 1))}
		b, low := make([]float64, p), make([]float64, p)
		for j := range b {
			b[j] = rnd.NormFloat64() * math.Exp2(float64(rnd.IntN(20)))
			low[j] = b[j] * 0x1p-54 * rnd.Float64()
		}
		b0, b0Lo, add := rnd.NormFloat64(), 1e-18*rnd.NormFloat64(), make([]float64, n)
		for i := range n {
			for j := range p {
				x.Data[i*x.Stride+j] = rnd.NormFloat64()
			}
			if p > 0 { // cancel
				var sum float64
				for j := range p - 1 {
					sum += x.Data[i*x.Stride+j] * b[j]
				}
				x.Data[i*x.Stride+p-1] = -(b0 + sum) / b[p-1] * (1 + 1e-12*rnd.NormFloat64())
			}
			add[i] = 1e-17 * rnd.NormFloat64()
		}
		got := Rows{X: x}.Combine(add, b0, b0Lo, b, low)
		for i := range n {
			exact := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
			want := exact(b0)
			want.Add(want, exact(b0Lo)).Add(want, exact(add[i]))
			size := math.Abs(b0)
			for j := range p {
				v := x.Data[i*x.Stride+j]
				size += math.Abs(v * b[j])
				want.Add(want, new(big.Rat).Mul(exact(v), new(big.Rat).Add(exact(b[j]), exact(low[j]))))
			}
			value, _ := want.Float64()
			if err := math.Abs(got[i] - value); !(err <= 0x1p-52*math.Abs(value)+float64(p*p+1)*0x1p-104*size) {
				t.Errorf("%d columns, row %d: %v, want %v", p, i, got[i], value)
			}
		}
	}
}

func BenchmarkCombine(b *testing.B) {
	for _, p := range []int{3, 6, 8, 12, 40} {
		n := 1 << 18 / p
		x := blas64.General{Rows: n, Cols: p, Stride: p, Data: make([]float64, n*p)}
		coef, low := make([]float64, p), make([]float64, p)
		b.Run(fmt.Sprint(p), func(b *testing.B) {
			for b.Loop() {
				Rows{X: x}.Combine(nil, 1, 0, coef, low)
			}
		})
	}
}
