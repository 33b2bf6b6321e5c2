package live

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
)

// The numbers of every frame by one ridge regression with a pair of columns for each
// school beside the pair of all.
func TestPooling(t *testing.T) {
	exam := datasets.Exam()
	school, x, y := exam.Col("school").Float(), exam.Col("standLRT").Float(), exam.Col("normexam").Float()
	const k = 2 + 2*65
	row := func(i int) []float64 {
		r := make([]float64, k)
		r[0], r[1] = 1, x[i]
		j := 2 * int(school[i])
		r[j], r[j+1] = 1, x[i]
		return r
	}
	gram, rhs := mat.NewSymDense(k, nil), mat.NewVecDense(k, nil)
	for i := 0; i < len(y); i += 6 {
		r := mat.NewVecDense(k, row(i))
		gram.SymRankOne(gram, 1, r)
		rhs.AddScaledVec(rhs, y[i], r)
	}
	e := Pooling()
	for _, s := range e.Params[0].Frames {
		a := mat.NewSymDense(k, nil)
		a.CopySym(gram)
		for j := 2; j < k; j++ {
			a.SetSym(j, j, a.At(j, j)+poolingSigma2/(s*s))
		}
		var chol mat.Cholesky
		if !chol.Factorize(a) {
			t.Fatal("singular")
		}
		var w mat.VecDense
		if err := chol.SolveVecTo(&w, rhs); err != nil {
			t.Fatal(err)
		}
		var hat mat.Dense
		if err := chol.SolveTo(&hat, gram); err != nil {
			t.Fatal(err)
		}
		sum, n := 0.0, 0.0
		for i := range y {
			if i%6 != 0 {
				sum += math.Pow(y[i]-mat.Dot(&w, mat.NewVecDense(k, row(i))), 2)
				n++
			}
		}
		wantNumbers(t, e, []float64{s}, sum/n, mat.Trace(&hat))
	}
}
