package plotting

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/golden"
)

func lassoCV(t *testing.T, count int) *mlreg.LassoCV {
	t.Helper()
	folds := get(mlreg.KFold(97, 10, rand.NewPCG(1, 2)))(t)
	cv := get(mlreg.FitLassoCV(standardized(t), folds, &mlreg.PathSettings{Count: count}, nil))(t)
	return cv
}

func ridgePath(t *testing.T) *mlreg.RidgePath {
	t.Helper()
	path := get(mlreg.FitRidgePath(standardized(t), nil))(t)
	return path
}

func TestGoldenCoefficientPaths(t *testing.T) {
	cv, ridge := lassoCV(t, 60), ridgePath(t)
	for name, c := range map[string]struct {
		path Path
		s    CoefficientPathsSettings
	}{
		"coefpaths_lambda": {cv.Path, CoefficientPathsSettings{Title: "Lasso", Choice: cv}},
		"coefpaths_l1":     {cv.Path, CoefficientPathsSettings{Axis: ByL1Norm, Choice: cv, Labels: 4}},
		"coefpaths_ridge":  {ridge, CoefficientPathsSettings{Title: "Ridge", Axis: ByR2}},
	} {
		p := get(CoefficientPaths(c.path, &c.s))(t)
		checkImage(t, name, Sized(p, 6, 3.6))
	}
}

// Every axis rises from the null model to the least penalized fit, and agrees
// with what the fits say.
func TestPathAxes(t *testing.T) {
	path, ridge := lassoCV(t, 30).Path, ridgePath(t)
	for axis, want := range map[PathAxis][]float64{
		ByLambda: path.Lambda(), ByL1Norm: path.L1Norm(), ByR2: path.R2(), ByDoF: path.DoF(),
	} {
		got := get(pathAxis(path, axis))(t)
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-12*math.Abs(want[k]) {
				t.Errorf("axis %d at lambda %d: %v, want %v", axis, k, got[k], want[k])
			}
		}
	}
	for _, axis := range []PathAxis{ByL2Norm, ByR2, ByDoF} {
		got := get(pathAxis(ridge, axis))(t)
		for k := range got {
			f := ridge.Fit(k)
			squares := get(ridge.Constraint(f.Lambda()))(t)
			want := map[PathAxis]float64{ByL2Norm: math.Sqrt(squares), ByR2: f.R2(), ByDoF: f.DoF()}[axis]
			if math.Abs(got[k]-want) > 1e-10*want {
				t.Errorf("ridge, axis %d at lambda %d: %v, want %v", axis, k, got[k], want)
			}
		}
		if !slices.IsSorted(got) {
			t.Errorf("ridge, axis %d does not rise", axis)
		}
	}
}

// barePath is a path without a fit.
type barePath struct {
	lambda []float64
	slopes *mat.Dense
}

func (p barePath) Terms() []string      { return []string{"a", "b"} }
func (p barePath) Lambda() []float64    { return p.lambda }
func (p barePath) Slopes() *mat.Dense   { return p.slopes }
func (p barePath) LambdaMin() float64   { return 1 }
func (p barePath) LambdaOneSE() float64 { return 2.5 }

// The marks of a choice between two lambdas are between the values there.
func TestChoiceMarks(t *testing.T) {
	p := barePath{[]float64{4, 2, 1, 0}, mat.NewDense(4, 2, []float64{0, 0, 1, 0, 2, -1, 3, 3})}
	x := get(pathAxis(p, ByL1Norm))(t)
	marks := get(choiceMarks(p, x, CoefficientPathsSettings{Axis: ByL1Norm, Choice: p}))(t)
	if marks[0].x != 0.75 || marks[1].x != 3 {
		t.Errorf("marks at %v and %v, want 0.75 and 3", marks[0].x, marks[1].x)
	}
	p.lambda = []float64{2, 1.5, 1, 0.5}
	if _, err := CoefficientPaths(p, &CoefficientPathsSettings{Choice: p}); !errors.Is(err, mlreg.ErrSetting) || !strings.Contains(err.Error(), "2.5") {
		t.Errorf("a choice above the path: %v", err)
	}
}

func TestPathTerms(t *testing.T) {
	slopes := mat.NewDense(3, 4, []float64{0, 0, 0, 0, 1, 0, -1, 0, 2, 0, -3, 1})
	for _, c := range []struct {
		labels int
		shown  []int
		with   []bool
	}{
		{0, []int{0, 1, 2, 3}, []bool{true, true, true, true}},
		{2, []int{3, 0, 2}, []bool{true, false, true, false}},
		{-1, []int{0, 2, 3}, []bool{false, false, false, false}},
	} {
		shown, with := pathTerms(slopes, c.labels)
		if !slices.Equal(shown, c.shown) || !slices.Equal(with, c.with) {
			t.Errorf("%d labels: %v %v, want %v %v", c.labels, shown, with, c.shown, c.with)
		}
	}
}

func TestPathErrors(t *testing.T) {
	p := barePath{[]float64{1, 0}, mat.NewDense(2, 2, []float64{0, 0, 1, 2})}
	for _, c := range []struct {
		path Path
		axis PathAxis
		want error
	}{
		{nil, ByLambda, mlreg.ErrNoData},
		{(*mlreg.LassoPath)(nil), ByLambda, mlreg.ErrNoData},
		{barePath{[]float64{1}, p.slopes}, ByL1Norm, mlreg.ErrNoData},
		{p, ByLambda, mlreg.ErrSetting},
		{p, ByR2, mlreg.ErrSetting},
		{p, ByDoF, mlreg.ErrSetting},
		{p, PathAxis(9), mlreg.ErrSetting},
	} {
		if _, err := CoefficientPaths(c.path, &CoefficientPathsSettings{Axis: c.axis}); !errors.Is(err, c.want) {
			t.Errorf("axis %d: %v, want %v", c.axis, err, c.want)
		}
	}
}

// Labels keep their order, their distance and the bounds, and move as little as
// possible: no other placement that does is nearer in the sum of squares.
func TestSpread(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rng.IntN(6)
		y := make([]float64, n)
		for i := range y {
			y[i] = 10 * rng.Float64()
		}
		got := spread(y, 1.5, 0, 10)
		distance := func(z []float64) (sum float64) {
			for i := range z {
				sum += (z[i] - y[i]) * (z[i] - y[i])
			}
			return sum
		}
		feasible := func(z []float64) bool {
			for i := range z {
				for k := range z {
					if y[i] < y[k] && z[k]-z[i] < 1.5-1e-9 {
						return false
					}
				}
				if z[i] < -1e-9 || z[i] > 10+1e-9 {
					return false
				}
			}
			return true
		}
		if !feasible(got) {
			t.Fatalf("%v placed at %v", y, got)
		}
		for range 300 {
			other := slices.Clone(got)
			for i := range other {
				other[i] += 0.3 * rng.NormFloat64()
			}
			if feasible(other) && distance(other) < distance(got)-1e-6 {
				t.Fatalf("%v placed at %v, but %v is nearer", y, got, other)
			}
		}
	}
	if got := spread([]float64{3, 3, 3}, 5, 0, 4); !slices.Equal(got, []float64{0, 2, 4}) {
		t.Errorf("without room: %v", got)
	}
	if spread(nil, 1, 0, 1) != nil {
		t.Error("labels out of nothing")
	}
}

func TestPathTables(t *testing.T) {
	cv, ridge, d := lassoCV(t, 100), ridgePath(t), standardized(t)
	enet := get(mlreg.FitElasticNetPath(d, 0.5, nil))(t)
	at := get(cv.Path.At(cv.Path.Lambda()[40] * 1.01))(t)
	pcr := get(mlreg.FitPCR(d, 3, nil))(t)
	r := record(t)
	Show(cv.Path)
	Show(enet)
	Show(ridge)
	Show(cv.FitOneSE())
	Show(at)
	Show(enet.Fit(30))
	Show(ridge.Fit(40))
	Show(pcr)
	lars := get(mlreg.FitLARS(d, nil))(t)
	Show(lars)
	shooting := get(mlreg.ShootingAlgorithm(d, 20, nil))(t)
	Show(shooting)
	classes := *d
	classes.Y, classes.Classes = slices.Clone(d.Y), []string{"low", "high"}
	for i, y := range d.Y {
		classes.Y[i] = 0
		if y > 2.5 {
			classes.Y[i] = 1
		}
	}
	logistic := get(mlreg.FitLogisticPath(&classes, 1, &mlreg.PathSettings{Count: 20, Ratio: 0.01}))(t)
	Show(logistic)
	if _, err := CoefficientPaths(logistic, &CoefficientPathsSettings{Axis: ByR2}); err != nil {
		t.Error(err)
	}
	Show(cv)
	Show(cv.CV)
	for _, k := range []int{97, 10, 4} {
		folds := get(mlreg.KFold(97, k, rand.NewPCG(1, 2)))(t)
		Show(folds)
	}
	groups := make([]int, 20)
	for i := range groups {
		groups[i] = i * i / 100
	}
	folds := get(mlreg.GroupedKFold(groups, 3, rand.NewPCG(1, 2)))(t)
	Show(folds)
	wide := mat.NewDense(10, 40, nil)
	y := make([]float64, 10)
	for i := range y {
		for j := range 40 {
			wide.Set(i, j, math.Sin(float64(7*i+i*j)))
		}
		y[i] = wide.At(i, 3) - wide.At(i, 5)
	}
	many := get(mlreg.NewDesign(wide, y))(t)
	lasso := get(mlreg.FitLasso(many, 1, nil))(t)
	Show(lasso)
	var text strings.Builder
	for _, b := range *r {
		text.WriteString(b.Text + "\n")
	}
	golden.Text(t, "pathtables.txt", text.String())
}

func TestGoldenCVCurve(t *testing.T) {
	cv := lassoCV(t, 40)
	training := cv.Path.RSS()
	for k := range training {
		training[k] /= 97
	}
	p := get(CVCurve(cv, &CVCurveSettings{Title: "Lasso", Training: training}))(t)
	checkImage(t, "cvcurve", Sized(p, 6, 3.6))
	p = get(CVCurve(lassoCV(t, 100), &CVCurveSettings{Root: true}))(t)
	checkImage(t, "cvcurve_band", Sized(p, 6, 3.6))
	p, err := CVCurve(cv.CV, nil)
	if err != nil || p.X.Label.Text != "candidate" {
		t.Errorf("candidates without lambda: %v", err)
	}
	separate := *standardized(t)
	separate.Classes = []string{"low", "high"}
	for i, y := range separate.Y {
		separate.Y[i] = 0
		if y > 2.5 {
			separate.Y[i] = 1
		}
	}
	logistic := get(mlreg.FitLogisticCV(&separate, 1, get(mlreg.KFold(separate.NObs(), 5, rand.NewPCG(1, 2)))(t), nil, nil))(t)
	p, err = CVCurve(logistic, nil)
	if err != nil || p.X.Label.Text != "λ (falling)" {
		t.Errorf("the axis of a logistic path is %q: %v", p.X.Label.Text, err)
	}
	for _, c := range []struct {
		cv   Validated
		s    CVCurveSettings
		want error
	}{
		{nil, CVCurveSettings{}, mlreg.ErrNoData},
		{cv, CVCurveSettings{X: []float64{1}}, mlreg.ErrShape},
		{cv, CVCurveSettings{Training: []float64{1}}, mlreg.ErrShape},
	} {
		if _, err := CVCurve(c.cv, &c.s); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

func TestGoldenRidgeWeights(t *testing.T) {
	ridge := ridgePath(t)
	checkImage(t, "ridgeweights", Grid(1, get(ShrinkageWeights(ridge, 4, 1, 10, 100))(t)))
	for _, c := range []struct {
		path *mlreg.RidgePath
		k    int
		l    float64
		want error
	}{{nil, 1, 1, mlreg.ErrNoData}, {ridge, 9, 1, mlreg.ErrSetting}, {ridge, 1, -1, mlreg.ErrSetting}} {
		if _, err := ShrinkageWeights(c.path, c.k, c.l); !errors.Is(err, c.want) {
			t.Errorf("%v, want %v", err, c.want)
		}
	}
}

func TestGoldenCoefBars(t *testing.T) {
	lasso, ridge := lassoCV(t, 60), ridgePath(t)
	f := get(CoefBars(NamedSlopes{"Ridge", ridge.Fit(50)}, NamedSlopes{"Lasso", lasso.FitOneSE()}))(t)
	checkImage(t, "coefbars", f)
	other := get(mlreg.FitRidge(weak(t), 1, nil))(t)
	if _, err := CoefBars(NamedSlopes{"Ridge", ridge.Fit(0)}, NamedSlopes{"other", other}); !errors.Is(err, mlreg.ErrShape) {
		t.Error(err)
	}
	if _, err := CoefBars(NamedSlopes{"none", nil}); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
	if _, err := CoefBars(); !errors.Is(err, mlreg.ErrNoData) {
		t.Error(err)
	}
}
