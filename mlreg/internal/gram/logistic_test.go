package gram

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

func TestExpMinus(t *testing.T) {
	for i := range 400000 {
		v := float64(i) / 500
		if want := math.Exp(-v); math.Abs(expMinus(v)-want) > 0x1p-51*want {
			t.Fatalf("exp(-%v) = %v, want %v", v, expMinus(v), want)
		}
	}
	if expMinus(0) != 1 || expMinus(1e4) != 0 || expMinus(math.Inf(1)) != 0 || !math.IsNaN(expMinus(math.NaN())) {
		t.Error("limits")
	}
}

// logisticRows returns rows with labels, and weights and offsets if asked for.
func logisticRows(rng *rand.Rand, n, p int, extra bool) (r Rows, offset, b []float64) {
	r = random(rng, n, p, 0, true, extra)
	for i, y := range r.Y {
		r.Y[i] = 0
		if y > 0 {
			r.Y[i] = 1
		}
		if extra {
			offset = append(offset, 30*rng.NormFloat64())
		}
	}
	if extra {
		r.Weights[n/2] = 0
	}
	for range p {
		b = append(b, rng.NormFloat64())
	}
	return r, offset, b
}

func TestLogisticSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for _, shape := range [][2]int{{1, 1}, {2, 3}, {64, 2}, {65, 7}, {1500, 5}, {3000, 0}} {
		for _, extra := range []bool{false, true} {
			n, p := shape[0], shape[1]
			r, offset, b := logisticRows(rng, n, p, extra)
			curvature := make([]float64, n)
			got := r.Losses(Logistic{r.Y, r.Weights}, curvature, offset, 0.3, b)
			etas, residual := make([]float64, n), make([]float64, n)
			want := LossSums{X: make([]float64, p), Least: math.Inf(1)}
			for i := range n {
				eta := 0.3
				if offset != nil {
					eta += offset[i]
				}
				for j, v := range r.row(i) {
					eta += v * b[j]
				}
				etas[i] = eta
				w, sign := r.weight(i), 2*r.Y[i]-1
				wrong := 1 / (1 + math.Exp(sign*eta))
				v := math.Exp(-math.Abs(eta)) / square(1+math.Exp(-math.Abs(eta)))
				if d := math.Abs(curvature[i] - w*v); d > 1e-13*w*v {
					t.Fatalf("curvature %v at %v, want %v", curvature[i], eta, w*v)
				}
				if w == 0 {
					continue
				}
				want.Loss += w * (math.Max(-sign*eta, 0) + math.Log1p(math.Exp(-math.Abs(eta))))
				want.Ones += w * sign * wrong
				want.Curvature += w * v
				want.Pearson += w * math.Exp(-sign*eta)
				want.Least = math.Min(want.Least, v)
				want.Largest = math.Max(want.Largest, math.Abs(eta))
				for j, x := range r.row(i) {
					want.X[j] += w * sign * wrong * x
				}
			}
			near := func(what string, got, want float64) {
				if math.Abs(got-want) > 1e-11*(math.Abs(want)+1) && want != got {
					t.Errorf("%v: %s = %v, want %v", shape, what, got, want)
				}
			}
			near("loss", got.Loss, want.Loss)
			near("ones", got.Ones, want.Ones)
			near("curvature", got.Curvature, want.Curvature)
			at := r.LogisticAt(residual, etas)
			near("loss at eta", at.Loss, want.Loss)
			near("curvature at eta", at.Curvature, want.Curvature)
			var ones float64
			for _, v := range residual {
				ones += v
			}
			near("residuals at eta", ones, want.Ones)
			near("Pearson", got.Pearson, want.Pearson)
			near("least", got.Least, want.Least)
			near("largest", got.Largest, want.Largest)
			for j := range p {
				near("x", got.X[j], want.X[j])
			}
		}
	}
}

func square(x float64) float64 { return x * x }

// The loss of rows far on their side is kept to all its digits, and that of rows
// far on the wrong side is no infinity.
func TestLogisticSumsFarOut(t *testing.T) {
	r := Rows{X: random(rand.New(rand.NewPCG(1, 1)), 2, 0, 0, false, false).X, Y: []float64{1, 0}}
	curvature := make([]float64, 2)
	for _, b0 := range []float64{40, 600, 1e4} {
		s := r.Losses(Logistic{r.Y, r.Weights}, curvature, []float64{0, -2 * b0}, b0, nil)
		if want := 2 * math.Log1p(math.Exp(-b0)); math.Abs(s.Loss-want) > 1e-14*want {
			t.Errorf("loss at %v: %v, want %v", b0, s.Loss, want)
		}
		s = r.Losses(Logistic{r.Y, r.Weights}, curvature, []float64{-2 * b0, 0}, b0, nil)
		if s.Loss != 2*b0 || s.Ones != 0 {
			t.Errorf("loss on the wrong side at %v: %v", b0, s)
		}
	}
}

func TestLogisticSumsSameBitsOnAnyProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	r, offset, b := logisticRows(rand.New(rand.NewPCG(2, 1)), 20000, 9, true)
	curvature := make([]float64, 20000)
	var want *LossSums
	for _, procs := range []int{1, 2, 5} {
		runtime.GOMAXPROCS(procs)
		got := r.Losses(Logistic{r.Y, r.Weights}, curvature, offset, 1, b)
		if want == nil {
			want = got
		}
		if got.Loss != want.Loss || got.Ones != want.Ones || !slices.Equal(got.X, want.X) {
			t.Errorf("other bits on %d processors", procs)
		}
	}
}

func BenchmarkLogistic(b *testing.B) {
	r, _, beta := logisticRows(rand.New(rand.NewPCG(1, 2)), 200000, 50, false)
	curvature := make([]float64, 200000)
	for b.Loop() {
		r.Losses(Logistic{r.Y, r.Weights}, curvature, nil, 0, beta)
	}
}
