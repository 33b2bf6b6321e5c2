package dd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// exact returns a as a rational number.
func exact(a Number) *big.Rat {
	r := new(big.Rat).SetFloat64(a.Hi)
	return r.Add(r, new(big.Rat).SetFloat64(a.Lo))
}

// relative returns |got - want| / |scale|.
func relative(got Number, want, scale *big.Rat) float64 {
	d := new(big.Rat).Sub(exact(got), want)
	d.Quo(d, scale)
	f, _ := d.Float64()
	return math.Abs(f)
}

func random(rnd *rand.Rand) Number {
	hi := math.Ldexp(rnd.Float64()-0.5, rnd.IntN(40)-20)
	return normal(hi, hi*0x1p-54*(2*rnd.Float64()-1))
}

// Every operation is right to Eps, against exact rational arithmetic.
func TestOperations(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		a, b := random(rnd), random(rnd)
		x, y := exact(a), exact(b)
		size := new(big.Rat).Add(new(big.Rat).Abs(x), new(big.Rat).Abs(y))
		for name, c := range map[string]struct {
			got         Number
			want, scale *big.Rat
		}{
			"add": {a.Add(b), new(big.Rat).Add(x, y), size},
			"sub": {a.Sub(b), new(big.Rat).Sub(x, y), size},
			"mul": {a.Mul(b), new(big.Rat).Mul(x, y), new(big.Rat).Mul(x, y)},
			"div": {a.Div(b), new(big.Rat).Quo(x, y), new(big.Rat).Quo(x, y)},
		} {
			if e := relative(c.got, c.want, c.scale); e > Eps {
				t.Fatalf("%s: relative error %g for %v and %v", name, e, a, b)
			}
			if c.got.Hi != c.got.Hi+c.got.Lo {
				t.Fatalf("%s: %v is not normal", name, c.got)
			}
		}
		if a.Hi > 0 {
			s := a.Sqrt()
			if e := relative(s.Mul(s), x, x); e > 4*Eps {
				t.Fatalf("sqrt: relative error %g for %v", e, a)
			}
		}
	}
	if (Number{}).Sqrt() != (Number{}) {
		t.Error("the root of 0 is not 0")
	}
	if got := Of(3).Neg().Ldexp(4); got != Of(-48) {
		t.Errorf("-3 2^4 = %v", got)
	}
}

// A product of vectors whose terms cancel keeps the digits of 32-digit
// arithmetic.
func TestVectors(t *testing.T) {
	rnd := rand.New(rand.NewPCG(2, 1))
	for range 200 {
		n := rnd.IntN(60)
		v, w := NewVector(n), NewVector(n)
		sum, size := new(big.Rat), new(big.Rat)
		for i := range n {
			v.Set(i, random(rnd))
			w.Set(i, random(rnd))
			p := new(big.Rat).Mul(exact(v.At(i)), exact(w.At(i)))
			sum.Add(sum, p)
			size.Add(size, p.Abs(p))
		}
		if n > 0 {
			if e := relative(Dot(v, w), sum, size); e > float64(n)*Eps {
				t.Fatalf("dot of %d: error %g", n, e)
			}
		}
		c := random(rnd)
		before := NewVector(n)
		copy(before.Hi, v.Hi)
		copy(before.Lo, v.Lo)
		v.AddScaled(c, w)
		for i := range n {
			p := new(big.Rat).Mul(exact(c), exact(w.At(i)))
			want := new(big.Rat).Add(exact(before.At(i)), p)
			scale := new(big.Rat).Add(new(big.Rat).Abs(exact(before.At(i))), p.Abs(p))
			if e := relative(v.At(i), want, scale); e > 2*Eps {
				t.Fatalf("axpy: error %g", e)
			}
		}
	}
	if got := NewVector(3).Norm(); got != (Number{}) {
		t.Errorf("norm of zeros: %v", got)
	}
}

func BenchmarkDot(b *testing.B) {
	v := NewVector(1000)
	for i := range v.Hi {
		v.Hi[i] = float64(i)
	}
	for b.Loop() {
		Dot(v, v)
	}
}
