package descent

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Whatever columns have come and gone, L L' is the matrix of those that are
// there; dependent ones are refused.
func TestFactorComesAndGoes(t *testing.T) {
	const n, p = 40, 30
	rnd := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(n, p, nil)
	for i := range n {
		for j := range p - 1 {
			x.Set(i, j, rnd.NormFloat64())
		}
		x.Set(i, p-1, x.At(i, 0)-2*x.At(i, 1))
	}
	var g mat.Dense
	g.Mul(x.T(), x)
	var f factor
	in := make([]bool, p)
	refused := 0
	for range 3000 {
		j := rnd.IntN(p)
		if in[j] {
			for c, id := range f.id {
				if id == j {
					f.remove(c)
					break
				}
			}
			in[j] = false
		} else {
			cross := make([]float64, 0, p)
			for _, id := range f.id {
				cross = append(cross, g.At(id, j))
			}
			in[j] = f.append(j, cross, g.At(j, j))
			if !in[j] {
				refused++
				if !(in[p-1] || j == p-1) {
					t.Fatalf("column %d refused among independent ones", j)
				}
			}
		}
		for a, i := range f.id {
			for b, j := range f.id[:a+1] {
				var sum float64
				for c := range f.rows[b] {
					sum += f.rows[a][c] * f.rows[b][c]
				}
				if math.Abs(sum-g.At(i, j)) > 1e-10 {
					t.Fatalf("element (%d, %d) is %g, want %g", i, j, sum, g.At(i, j))
				}
			}
		}
	}
	if refused == 0 {
		t.Error("no column was refused; the test is for nothing")
	}
	b := make([]float64, f.len())
	for i := range b {
		b[i] = float64(i + 1)
	}
	f.solve(b)
	for r, i := range f.id {
		var sum float64
		for c, j := range f.id {
			sum += g.At(i, j) * b[c]
		}
		if math.Abs(sum-float64(r+1)) > 1e-9 {
			t.Errorf("row %d of the solution gives %g", r, sum)
		}
	}
}
