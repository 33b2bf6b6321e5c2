package hier

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// schools draws pupils in schools of very different sizes.
func schools(t testing.TB, seed uint64, groups, most int) (*mlreg.Design, *mlreg.Grouping) {
	t.Helper()
	src := rand.New(rand.NewPCG(seed, 4))
	var x, y []float64
	var label []int
	for g := range groups {
		a, b := 1+0.7*src.NormFloat64(), 0.5+0.3*src.NormFloat64()
		for range 1 + src.IntN(most) {
			v := src.NormFloat64()
			x, y, label = append(x, v), append(y, a+b*v+0.8*src.NormFloat64()), append(label, g)
		}
	}
	d := &mlreg.Design{X: algebra.NewDense(len(x), 1), Y: y, Names: []string{"x"}, Response: "y"}
	d.X.SetCol(0, x)
	grouping, err := mlreg.NewGrouping("school", label)
	if err != nil {
		t.Fatal(err)
	}
	return d, grouping
}

// Both iterations end at the posterior mean that Fit computes at once.
func TestFitMAP(t *testing.T) {
	d, g := schools(t, 1, 12, 9)
	const s, hyper, sigma2 = 0.6, 1.5, 0.7
	mean := []float64{0.5, -0.2}
	exact, err := Fit(d, g, &Settings{
		Sigma2: sigma2, Varying: []mlreg.Varying{{Shape: mlreg.EqualVariances, SD: []float64{s}}}, Hyperprior: &Hyperprior{Mean: mean, Var: hyper * hyper},
	})
	if err != nil {
		t.Fatal(err)
	}
	coefs, err := exact.GroupCoefs("")
	if err != nil {
		t.Fatal(err)
	}
	var tops []float64
	for _, method := range []AscentMethod{Alternation, GradientAscent} {
		f, err := FitMAP(d, g, sigma2, []float64{s}, &MAPSettings{Method: method, HyperSD: hyper, Mean: mean, Tol: 1e-15})
		if err != nil {
			t.Fatal(err)
		}
		expect.NearAll(t, "b*", f.Coef(), exact.Coef(), 1e-6)
		for j, row := range coefs.Rows {
			expect.NearAll(t, "b_j", f.GroupCoef(j), row.Coef, 1e-5) // the gap is 1e-14
		}
		objective := f.Objective()
		for k := range objective[1:] {
			if objective[k+1] < objective[k]-1e-12*math.Abs(objective[k]) {
				t.Errorf("method %d: the objective falls in iteration %d", method, k)
			}
		}
		tops = append(tops, objective[len(objective)-1])
		// The gap at the start is what is won.
		short, err := FitMAP(d, g, sigma2, []float64{s}, &MAPSettings{Method: method, HyperSD: hyper, Mean: mean, Iterations: 1, Tol: 1e-15})
		var stopped *mlreg.ConvergenceError
		if !errors.As(err, &stopped) || short == nil {
			t.Fatal(err)
		}
		v := short.Objective()
		expect.Near(t, "gap", short.Gap(), tops[0]-v[len(v)-1], 1e-9)
	}
	expect.Near(t, "maximum", tops[0], tops[1], 1e-12)
	// The objective by its definition.
	want := 0.0
	label := levelsOf(g)[0].Of
	for i, y := range d.Y {
		b := coefs.Rows[label[i]].Coef
		want -= gram.Square(y-b[0]-b[1]*d.X.At(i, 0)) / (2 * sigma2)
	}
	star := exact.Coef()
	for _, row := range coefs.Rows {
		for i, b := range row.Coef {
			want -= gram.Square(b-star[i]) / (2 * s * s)
		}
	}
	for i, b := range star {
		want -= gram.Square(b-mean[i]) / (2 * hyper * hyper)
	}
	expect.Near(t, "objective", tops[0], want, 1e-9)
	// The slip of the lecture: with s in place of s* in the last term b* follows s to mu.
	slip, err := FitMAP(d, g, sigma2, []float64{0.01}, &MAPSettings{HyperSD: 0.01, Iterations: 100000})
	if err != nil {
		t.Fatal(err)
	}
	right, err := FitMAP(d, g, sigma2, []float64{0.01}, &MAPSettings{Iterations: 100000})
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(slip.Intercept()) > 0.05 || right.Intercept() < 0.5 {
		t.Errorf("b* is %v with the slip, %v without", slip.Intercept(), right.Intercept())
	}
}

// Cross-validation at a grid agrees with fits of the training rows.
func TestCrossValidate(t *testing.T) {
	d, g := schools(t, 2, 20, 12)
	folds := fatal.On(mlreg.KFold(d.NObs(), 5, rand.NewPCG(1, 1)))(t)
	cv, err := CrossValidate(d, g, folds, 0.64, &Grid{SD: []float64{1, 0.02, 0.5, 40}, HyperSD: []float64{0, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if cv.Len() != 8 || cv.SD()[0] != 0.02 || cv.HyperSD()[0] != 2 || cv.HyperSD()[1] != 0 {
		t.Fatalf("candidates %v %v", cv.SD(), cv.HyperSD())
	}
	sum, weight := 0.0, 0.0
	for k := range folds.Len() {
		fit, err := cv.Fit(d.Rows(folds.Train(k)...), g.Rows(folds.Train(k)...), 3)
		if err != nil {
			t.Fatal(err)
		}
		p, err := fit.PredictGroups(d.Rows(folds.Test(k)...), g.Rows(folds.Test(k)...), 0.9)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range folds.Test(k) {
			sum += gram.Square(d.Y[row] - p.Mean[i])
			weight++
		}
	}
	expect.Near(t, "mean squared error", cv.Mean()[3], sum/weight, 1e-12)
	if sd := cv.SD()[cv.Min()]; sd != 0.5 && sd != 1 {
		t.Errorf("s = %v is chosen; groups differ by 0.7 and 0.3", sd)
	}
}
