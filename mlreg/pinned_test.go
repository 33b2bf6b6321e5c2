package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// The leave-one-out error of a path with weights is that of fits without each row.
func TestLOOOfPathWithWeights(t *testing.T) {
	d := randomDesign(t, 5, 14, 3)
	d.Weights = make([]float64, 14)
	for i := range d.Weights {
		d.Weights[i] = 0.2 + float64(i%4)
	}
	d.Weights[3] = 0
	path := get(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{8, 1, 0.1}}))(t)
	loo := get(path.LOO(d))(t)
	for k, lambda := range path.Lambda() {
		var sum, weights float64
		for i, w := range d.Weights {
			var others []int
			for other := range d.Weights {
				if other != i {
					others = append(others, other)
				}
			}
			f := get(FitRidge(d.Rows(others...), lambda, nil))(t)
			r := get(f.Residuals(d.Rows(i)))(t)
			sum += w * r[0] * r[0]
			weights += w
		}
		near(t, "leave-one-out", loo[k], sum/weights, 1e-12)
	}
}

// A change of the columns along a large residual moves the solution as far as
// backwardBound says, and no farther: much farther than a change of the response
// as large, if columns are nearly dependent.
func TestBackwardBoundOfResidual(t *testing.T) {
	const n, eta = 40, 1e-9
	rnd := rand.New(rand.NewPCG(2, 6))
	x, y := mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		v := rnd.NormFloat64()
		x.Set(i, 0, v)
		x.Set(i, 1, v+1e-4*rnd.NormFloat64())
		y[i] = v + 100*rnd.NormFloat64()
	}
	d := get(NewDesign(x, y))(t)
	d.NoIntercept = true
	f := fitted(t, d, nil)
	r := get(f.Residuals(d))(t)
	b := f.Coef()
	size := func(v []float64) float64 { return mat.Norm(mat.NewVecDense(len(v), v), 2) }
	l := lsq.Lengths{A: []float64{size(mat.Col(nil, 0, x)), size(mat.Col(nil, 1, x))}, Y: size(y), R: size(r)}
	// (A'A)^-1 = T T', from the inverse of the triangular factor.
	var qr mat.QR
	qr.Factorize(x)
	var upper mat.Dense
	qr.RTo(&upper)
	var rinv mat.Dense
	if err := rinv.Inverse(upper.Slice(0, 2, 0, 2)); err != nil {
		t.Fatal(err)
	}
	triangle := mat.NewTriDense(2, mat.Upper, []float64{rinv.At(0, 0), rinv.At(0, 1), 0, rinv.At(1, 1)})
	c := lsq.BackwardBound(eta, triangle, b, l)
	worst := make([]float64, 2)
	for _, signs := range [][2]float64{{1, 1}, {1, -1}} {
		moved := mat.DenseCopyOf(x)
		for j, s := range signs {
			for i := range n {
				moved.Set(i, j, x.At(i, j)+s*eta*l.A[j]*r[i]/l.R)
			}
		}
		other := get(NewDesign(moved, y))(t)
		other.NoIntercept = true
		for j, v := range fitted(t, other, nil).Coef() {
			worst[j] = math.Max(worst[j], math.Abs(v-b[j]))
		}
	}
	for j, moved := range worst {
		bound := c.Residual * lsq.RowLength(triangle, j)
		if moved > bound || moved < bound/3 {
			t.Errorf("coefficient %d moves by %g, the bound is %g", j, moved, bound)
		}
	}
}

// What the error of the intercept alone adds counts for the digits.
func TestDigitsCountTheInterceptsError(t *testing.T) {
	f := fitted(t, randomDesign(t, 3, 20, 2), nil)
	before, _ := f.Digits()
	f.s.Bound.First = f.s.YExp.In(1e-6 * math.Abs(f.Coef()[0]))
	after, _ := f.digits(f.s.Bound)
	if before < 13 || after != 6 && after != 5 {
		t.Errorf("%d digits, and %d with an intercept that is wrong by 1e-6 of itself", before, after)
	}
}

// The default grid ends at 1e-4 of its beginning, and at 0.01 if there are more
// terms than observations: not if there are as many.
func TestDefaultRatioOfPaths(t *testing.T) {
	for _, c := range []struct {
		n, p  int
		ratio float64
	}{{12, 11, 1e-4}, {12, 12, 1e-4}, {12, 13, 0.01}} {
		d := randomDesign(t, 6, c.n, c.p)
		lambda := get(FitLassoPath(d, nil))(t).Lambda()
		near(t, "ratio of a lasso path", lambda[len(lambda)-1]/lambda[0], c.ratio, 1e-12)
		for i := range d.Y {
			d.Y[i] = float64(i % 2)
		}
		path, err := FitLogisticPath(d, 1, nil)
		if path == nil {
			t.Fatal(err)
		}
		lambda = path.Lambda()
		near(t, "ratio of a logistic path", lambda[len(lambda)-1]/lambda[0], c.ratio, 1e-12)
	}
}

// The standard error of the mean of four values, by its formula; and those that
// a sampler states are as large as its means differ from chain to chain.
func TestBatchStandardErrors(t *testing.T) {
	sequential(t)
	mean, err := meanError([][]float64{{9, 1}, {9, 2}, {9, 4}, {9, 5}}, 1)
	near(t, "mean", mean, 3, 1e-15)
	near(t, "standard error", err, math.Sqrt(10./3/4), 1e-15)

	d := randomDesign(t, 8, 40, 6)
	const runs = 60
	means, stated := make([][]float64, runs), make([]float64, 6)
	for k := range means {
		m := get(SampleModels(d, BICScore{}, rand.NewPCG(uint64(k), 3), &SampleModelsSettings{Sweeps: 400, Chains: 1}))(t)
		means[k] = m.InclusionProb()
		for j, e := range m.InclusionErr() {
			stated[j] += e * e / runs
		}
	}
	var ratio float64
	for j, e := range stated {
		_, of := meanError(means, j)
		ratio += of * of * runs / e / 6
	}
	if ratio = math.Sqrt(ratio); ratio < 0.8 || ratio > 1.3 {
		t.Errorf("means differ by %.3g of what is stated", ratio)
	}
}

// A row of weight zero leaves sigma as it is: nothing is deleted with it.
func TestDeletedSigmaOfWeightlessRow(t *testing.T) {
	d := randomDesign(t, 9, 15, 2)
	d.Weights = make([]float64, 15)
	for i := range d.Weights {
		d.Weights[i] = float64(i % 3)
	}
	f := fitted(t, d, nil)
	inf := get(f.Influence(d))(t)
	for i, w := range d.Weights {
		if w == 0 {
			near(t, "sigma without the row", inf.Sigma[i], math.Sqrt(f.Sigma2()), 1e-14)
		}
	}
}

// A mean loss that is exactly a standard error above the least is within it.
func TestOneSEOnTheLimit(t *testing.T) {
	c := &CV{store[CV](cvState{Folds: 2, Candidates: 3, Planned: 2, Weight: []float64{1, 1}, Loss: []float64{4, 3, 1, 4, 3, 3}})}
	near(t, "standard error", c.StdErr()[2], 1, 0)
	if c.Min() != 2 || c.OneSE() != 1 {
		t.Errorf("the least loss is of %d, one standard error away is %d", c.Min(), c.OneSE())
	}
}

// The default of PRemove follows a PEnter above it.
func TestDefaultPRemove(t *testing.T) {
	for enter, want := range map[float64]float64{0: 0.10, 0.02: 0.10, 0.3: 0.3} {
		s := StepwiseSettings{Criterion: ByPValue, PEnter: enter}
		if err := s.check(); err != nil || s.PRemove != want {
			t.Errorf("PEnter = %v: PRemove = %v, want %v (%v)", enter, s.PRemove, want, err)
		}
	}
}

// Limits of an area are areas.
func TestROCLimitsAreCutOff(t *testing.T) {
	score := []float64{1, 2, 3, 4, 5, 6}
	for _, flip := range []bool{false, true} {
		positive := make([]bool, 6)
		for i := range positive {
			positive[i] = (i > 2 && i != 3 || i == 2) != flip
		}
		limits, err := get(NewROC(score, positive))(t).ConfInt(0.999)
		if err != nil || !flip && limits.Upper != 1 || flip && limits.Lower != 0 || !(limits.Lower < limits.Upper) {
			t.Errorf("limits %v, %v", limits, err)
		}
	}
}
