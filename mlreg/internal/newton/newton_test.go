package newton

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/diff/fd"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// logistic returns a random problem of n rows, with weights, offset and penalty if
// asked for, and its labels.
func logistic(seed uint64, n, p int, extra bool) (*Problem, []float64) {
	rng := rand.New(rand.NewPCG(seed, 7))
	x := mat.NewDense(n, p, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return rng.NormFloat64() }, x)
	y := make([]float64, n)
	q := &Problem{X: x.RawMatrix(), Intercept: true}
	for i := range n {
		eta := 0.3 + x.At(i, 0) - x.At(i, p-1)/2
		if rng.Float64() < 1/(1+math.Exp(-eta)) {
			y[i] = 1
		}
		if extra {
			q.Weights = append(q.Weights, 3*rng.Float64())
			q.Offset = append(q.Offset, rng.NormFloat64())
		}
	}
	if extra {
		q.L2, q.Intercept = float64(seed%2)*0.7, seed%3 > 0
	}
	q.Fit = NewLogistic(y, q.Weights)
	return q, y
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*(1+math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestDerivatives(t *testing.T) {
	for seed := range uint64(6) {
		q, _ := logistic(seed, 40, 4, true)
		beta := []float64{0.3, -0.2, 0.5, 0.1, -1}[:q.Parameters()]
		pt := q.At(beta)
		gradient := fd.Gradient(nil, func(b []float64) float64 { return q.At(b).F }, beta, &fd.Settings{Formula: fd.Central})
		for j := range gradient {
			near(t, "score", pt.Score[j], -gradient[j], 1e-6)
		}
		k := len(beta)
		want := mat.NewDense(k, k, nil)
		fd.Jacobian(want, func(to, b []float64) { copy(to, q.At(b).Score) }, beta, &fd.JacobianSettings{Formula: fd.Central})
		for name, hessian := range map[string]func([]float64) (*Hessian, error){"rows": q.hessianOfRows, "sums": q.hessianOfSums} {
			h, err := hessian(pt.Curvature)
			if err != nil {
				t.Fatal(err)
			}
			var inverse, product mat.Dense
			inverse.Mul(h.Root, h.Root.T())
			product.Mul(&inverse, want)
			for i := range k {
				for j := range k {
					one := 0.0
					if i == j {
						one = -1
					}
					near(t, name+": the Hessian's inverse times that by differences", product.At(i, j), one, 1e-6)
				}
				near(t, name+" length", square(h.lengths[i]), -want.At(i, i), 1e-6)
			}
		}
	}
}

// A start from a part of the rows, older Hessians and cross-products lead to the
// minimum that QR of the rows certifies.
func TestLarge(t *testing.T) {
	q, _ := logistic(3, 30000, 30, false)
	b0, _, err := q.Null()
	if err != nil {
		t.Fatal(err)
	}
	start, approximate := q.Start(b0)
	if approximate == nil {
		t.Fatal("no start from a part of the rows")
	}
	s, err := q.Solve(start, approximate, Settings{Tol: 1e-11, Most: 100})
	if err != nil || !s.Converged || s.Hessian.Method != MethodSums {
		t.Fatal(err, s)
	}
	h, err := q.hessianOfRows(s.Point.Curvature)
	if err != nil {
		t.Fatal(err)
	}
	if d := h.Decrement(s.Point.Score); d > 1e-10 {
		t.Errorf("decrement by QR %g", d)
	}
	sums, rows := mat.DenseCopyOf(s.Hessian.Root), mat.DenseCopyOf(h.Root)
	for j := range q.Parameters() {
		near(t, "stderr", mat.Norm(sums.RowView(j), 2), mat.Norm(rows.RowView(j), 2), 1e-11)
	}
}

// counts is the Poisson loss with a log link: no bound of the curvatures, and no
// labels.
type counts struct{ y []float64 }

func (c counts) Add(s *gram.LossSums, first int, eta, curvature []float64) {
	for i, v := range eta {
		mu, y := math.Exp(v), c.y[first+i]
		s.Loss += mu - y*v
		s.Ones += y - mu
		s.Curvature += mu
		s.Pearson += square(y-mu) / mu
		s.Least = min(s.Least, mu)
		s.Largest = max(s.Largest, math.Abs(v))
		curvature[i], eta[i] = mu, y-mu
	}
}

func (c counts) Constant() float64 {
	return math.Log(mat.Sum(mat.NewVecDense(len(c.y), c.y)) / float64(len(c.y)))
}

func (c counts) Bound(curvature []float64) {
	for i := range curvature {
		curvature[i] = math.Exp(c.Constant())
	}
}

func (c counts) Subset(rows []int) Datafit { return counts{gram.Take(c.y, rows)} }

// A saturated model of counts fits the logarithms of the means of its groups.
func TestAnotherDatafit(t *testing.T) {
	x := blas64.General{Rows: 6, Cols: 1, Stride: 1, Data: []float64{0, 0, 0, 1, 1, 1}}
	q := &Problem{X: x, Fit: counts{[]float64{1, 2, 3, 10, 20, 40}}, Intercept: true}
	b0, _, err := q.Null()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "null", b0, math.Log(76.0/6), 1e-14)
	start, approximate := q.Start(b0)
	s, err := q.Solve(start, approximate, Settings{Tol: 1e-12, Most: 50})
	if err != nil || !s.Converged {
		t.Fatal(err)
	}
	near(t, "intercept", s.Point.Beta[0], math.Log(2), 1e-13)
	near(t, "slope", s.Point.Beta[1], math.Log(70.0/6), 1e-13)
	root := mat.DenseCopyOf(s.Hessian.Root)
	near(t, "stderr", mat.Norm(root.RowView(1), 2), math.Sqrt(1./6+1./70), 1e-12)
}

// Doubt is asked once, where the loss falls for ever, and its error ends the search.
func TestDoubt(t *testing.T) {
	x := blas64.General{Rows: 4, Cols: 1, Stride: 1, Data: []float64{1, 2, 3, 4}}
	y := []float64{0, 0, 1, 1}
	q := &Problem{X: x, Fit: NewLogistic(y, nil), Intercept: true}
	asked, end := 0, errors.New("end")
	_, err := q.Solve(make([]float64, 2), nil, Settings{Tol: 1e-11, Most: 100, Doubt: func() error {
		asked++
		return end
	}})
	if err != end || asked != 1 {
		t.Errorf("asked %d times: %v", asked, err)
	}
	found, err := q.Separation(y)
	if err != nil || found == nil || !found.Complete() {
		t.Fatal(found, err)
	}
	for i, v := range x.Data {
		if eta := (2*y[i] - 1) * (found.Values[0] + found.Values[1]*v); !(eta > 0) {
			t.Errorf("row %d has %v", i, eta)
		}
	}
}

func TestMultinomialDerivatives(t *testing.T) {
	binary, _ := logistic(4, 60, 4, false)
	x := mat.NewDense(60, 4, binary.X.Data)
	index, weights := make([]int, 60), make([]float64, 60)
	for i := range index {
		index[i], weights[i] = i*i%7%3, float64(i%3)
	}
	q, err := NewMultinomial(problem.Rows{X: x.RawMatrix(), Weights: weights}, index, 3, 0.5)
	if err != nil {
		t.Fatal(err)
	}
	beta := []float64{0.1, -0.2, 0.3, 0.4, -0.5, 0.2, 0.1, 0, -0.1, 0.3}
	pt := q.At(beta)
	gradient := fd.Gradient(nil, func(b []float64) float64 { return q.At(b).F }, beta, &fd.Settings{Formula: fd.Central})
	for j, g := range gradient {
		near(t, "score", pt.Score[j], -g, 1e-6)
	}
	want := mat.NewDense(10, 10, nil)
	fd.Jacobian(want, func(to, b []float64) { copy(to, q.At(b).Score) }, beta, &fd.JacobianSettings{Formula: fd.Central})
	h := q.hessian(pt, 0)
	bound := q.hessian(pt, 1)
	for i := range 10 {
		for j := range 10 {
			if math.Abs(h.At(i, j)+want.At(i, j)) > 1e-6*(1+math.Abs(h.At(i, j))) {
				t.Errorf("second derivative (%d, %d): %v, by differences %v", i, j, h.At(i, j), -want.At(i, j))
			}
		}
	}
	// Twice a bound minus the Hessian is positive.
	var rest mat.SymDense
	rest.ScaleSym(-2, h)
	rest.AddSym(&rest, bound)
	var chol mat.Cholesky
	if !chol.Factorize(&rest) {
		t.Error("the bound does not bound")
	}
}

func TestSimplexEnds(t *testing.T) {
	a := mat.NewDense(1, 3, []float64{1, -1, -1})
	if _, _, err := simplex([]float64{1, 1, 0}, a, []float64{1}, []int{0}, -1000); err != errCycle {
		t.Errorf("a simplex without steps: %v", err)
	}
	if maximum, _, err := simplex([]float64{1, 1, 0}, a, []float64{1}, []int{0}, 10); err != nil || maximum != 1 {
		t.Errorf("simplex: %v, %v", maximum, err)
	}
}

// Passes decide separation as the program of all rows does: a share between 0 and 1, which no
// direction may move, counts wherever it lies, and a row of weight zero does not.
func TestSeparationByPassesOfShares(t *testing.T) {
	const n = 3 * separationRows
	rows := func(extra ...[3]float64) *Passes { // x, y and weight
		x, y, w := []float64{}, []float64{}, []float64{}
		for i := range n {
			side := float64(i % 2)
			x, y, w = append(x, (2*side-1)*(1+float64(i)/n)), append(y, side), append(w, 1)
		}
		for _, e := range extra {
			x, y, w = append(x, e[0]), append(y, e[1]), append(w, e[2])
		}
		general := blas64.General{Rows: len(x), Cols: 1, Stride: 1, Data: x}
		return &Passes{
			Problem: Problem{X: blas64.General{Rows: len(x), Cols: 1}, Intercept: true},
			Each:    func(use func(Block) error) error { return use(Block{X: general, Y: y, Weights: w}) },
		}
	}
	for _, c := range []struct {
		name      string
		extra     [][3]float64
		separated bool
	}{
		{"two classes apart", nil, true},
		{"a row of weight zero on the wrong side", [][3]float64{{5, 0, 0}}, true},
		{"a row on the wrong side", [][3]float64{{5, 0, 1}}, false},
		{"a share far on the side of the ones", [][3]float64{{5, 0.5, 1}}, false},
		{"a share far on the side of the zeros", [][3]float64{{-5, 0.5, 1}}, false},
	} {
		found, err := rows(c.extra...).Separation([]float64{0, 1})
		if err != nil || (found != nil) != c.separated {
			t.Errorf("%s: %+v, %v", c.name, found, err)
		}
		if found != nil && (found.Rows != n || found.Of != n) {
			t.Errorf("%s: %d of %d rows apart, and there are %d", c.name, found.Rows, found.Of, n)
		}
	}
}

// Away from the minimum, passes over blocks take the largest error of a linear predictor
// over the rows that weigh: |a_i'H^(-1/2)| times the distance.
func TestPassesCertifyTheWorstRow(t *testing.T) {
	all, y := logistic(5, 150, 3, false)
	weights := make([]float64, len(y))
	for i := range weights {
		weights[i] = float64(1 + i%3)
	}
	weights[7], weights[77] = 0, 0
	all.X.Data[7*all.X.Stride], all.X.Data[120*all.X.Stride+1] = 1e3, 9 // the first weighs nothing
	blocks := func(use func(Block) error) error {
		for from := 0; from < len(y); from += 60 {
			to := min(from+60, len(y))
			x := blas64.General{Rows: to - from, Cols: 3, Stride: 3, Data: all.X.Data[3*from : 3*to]}
			if err := use(Block{X: x, Weights: weights[from:to], Fit: NewLogistic(y[from:to], weights[from:to])}); err != nil {
				return err
			}
		}
		return nil
	}
	q := &Passes{Problem: Problem{X: blas64.General{Rows: len(y), Cols: 3}, Intercept: true}, Each: blocks}
	pt, err := q.at([]float64{0.2, 0.9, 0.1, -0.4})
	if err != nil {
		t.Fatal(err)
	}
	h, err := q.hessianAt(pt)
	if err != nil {
		t.Fatal(err)
	}
	c, err := q.certify(&Solution{Point: pt, Hessian: h})
	if err != nil {
		t.Fatal(err)
	}
	var inverse mat.SymDense
	inverse.SymOuterK(1, h.Root)
	var largest float64
	for i, w := range weights {
		if w > 0 {
			row := mat.NewVecDense(4, append([]float64{1}, all.X.Data[3*i:3*i+3]...))
			largest = max(largest, mat.Inner(row, &inverse, row))
		}
	}
	near(t, "distance", c.Distance, h.Decrement(pt.Score), 1e-9)
	near(t, "error of standard errors", c.StdErr, c.Distance*math.Sqrt(largest), 1e-9)
}

// What rounding does to linear predictors is within its bound.
func TestEtaRounding(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 3))
	const n = 300
	for _, k := range []int{1, 2, 30} {
		pt, h := &Point{Beta: make([]float64, k)}, &Hessian{lengths: make([]float64, k)} // of curvatures of 1
		for j := range pt.Beta {
			pt.Beta[j] = rng.NormFloat64()
		}
		var off float64
		for range n {
			var eta float64
			var exact dd.Number
			for j, b := range pt.Beta {
				a := rng.NormFloat64()
				eta += a * b
				exact = exact.Add(dd.Of(a).Mul(dd.Of(b)))
				h.lengths[j] = math.Hypot(h.lengths[j], a)
			}
			off = math.Hypot(off, exact.Sub(dd.Of(eta)).Float())
		}
		if bound := etaRounding(pt, h); off == 0 || off > bound || bound > 100*float64(k)*off {
			t.Errorf("%d coefficients: predictors are off by %g, and at most by %g as bounded", k, off, bound)
		}
	}
}
