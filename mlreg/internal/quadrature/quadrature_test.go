package quadrature

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
)

// Nodes and weights are those of gonum's tables: all but a few units in the last place, the weights
// relative to their own size.
func TestAgainstTables(t *testing.T) {
	for _, n := range []int{1, 2, 16, 24, 80, 96} {
		x, w := make([]float64, n), make([]float64, n)
		quad.Legendre{}.FixedLocations(x, w, -1, 1)
		compare(t, "Legendre", Legendre(n), x, w)
		quad.Hermite{}.FixedLocations(x, w, math.Inf(-1), math.Inf(1))
		for i := range x {
			x[i], w[i] = x[i]*math.Sqrt2, w[i]/math.Sqrt(math.Pi)
		}
		compare(t, "Normal", Normal(n), x, w)
	}
}

func compare(t *testing.T, name string, r Rule, x, w []float64) {
	t.Helper()
	n := len(x)
	if x[0] > x[n-1] {
		for i := range n / 2 {
			x[i], x[n-1-i], w[i], w[n-1-i] = x[n-1-i], x[i], w[n-1-i], w[i]
		}
	}
	for i := range n {
		if math.Abs(r.X[i]-x[i]) > 1e-14*math.Max(1, math.Abs(x[n-1])) || math.Abs(r.W[i]-w[i]) > 1e-11*w[i] {
			t.Errorf("%s of %d: node %d is %v, %v, not %v, %v", name, n, i, r.X[i], r.W[i], x[i], w[i])
		}
	}
}

// The rules are exact for the even powers that they have to be exact for, and not for the next.
func TestPowers(t *testing.T) {
	const n = 8
	for power := 0.0; power <= 2*n; power += 2 {
		var straight, normal float64
		for x, w := range Legendre(n).Between(-3, 3) {
			straight += w * math.Pow(x, power)
		}
		r := Normal(n)
		for i, x := range r.X {
			normal += r.W[i] * math.Pow(x, power)
		}
		g, _ := math.Lgamma((power + 1) / 2)
		wantStraight, wantNormal := 2*math.Pow(3, power+1)/(power+1), math.Exp(g+power/2*math.Ln2)/math.Sqrt(math.Pi)
		exact := math.Abs(straight/wantStraight-1) < 1e-13 && math.Abs(normal/wantNormal-1) < 1e-13
		if exact != (power < 2*n) {
			t.Errorf("x^%v: %v, %v; the integrals are %v, %v", power, straight, normal, wantStraight, wantNormal)
		}
	}
}
