package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The exact path agrees with coordinate descent at random lambdas, and every knot
// meets the optimality conditions: whatever the shape, the weights and the
// penalty factors.
func TestLARSIsLasso(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 8))
	left := 0
	for seed := range uint64(30) {
		n, p := 10+rnd.IntN(40), 3+rnd.IntN(50)
		d := correlatedDesign(t, seed, n, p, []float64{0, 0.5, 0.9}[seed%3], 1)
		d.NoIntercept = seed%7 == 0
		var s LARSSettings
		if seed%2 == 0 {
			d.Weights = make([]float64, n)
			for i := range d.Weights {
				d.Weights[i] = 0.2 + rnd.Float64()
			}
			s.PenaltyFactor = make([]float64, p)
			for j := range p {
				s.PenaltyFactor[j] = 0.5 + rnd.Float64()
			}
			s.AlwaysIn = []string{"x3"}
		}
		path := get(FitLARS(d, &s))(t)
		lambdas := path.Lambda()
		for k, kkt := range path.KKT() {
			if kkt > 1e-12 {
				t.Errorf("seed %d, knot %d at %g: KKT %g", seed, k, lambdas[k], kkt)
			}
			if k > 0 && lambdas[k] > lambdas[k-1] {
				t.Errorf("seed %d: knot %d is above the one before", seed, k)
			}
			if path.Left()[k] != "" {
				left++
			}
		}
		near(t, "first knot", lambdas[0], path.LambdaMax(), 1e-12)
		if path.Entered()[0] == "" || lambdas[len(lambdas)-1] != 0 {
			t.Errorf("seed %d: %q enters first, the path ends at %g", seed, path.Entered()[0], lambdas[len(lambdas)-1])
		}
		for range 10 {
			lambda := path.LambdaMax() * math.Pow(1e-3, rnd.Float64())
			exact := get(path.At(lambda))(t)
			f := get(FitLasso(d, lambda, &LassoSettings{Gap: 1e-14, PenaltyFactor: s.PenaltyFactor, AlwaysIn: s.AlwaysIn}))(t)
			for j, b := range f.Coef() {
				if math.Abs(b-exact.Coef()[j]) > 1e-7 {
					t.Errorf("seed %d, lambda %g: coefficient %d is %g and %g", seed, lambda, j, exact.Coef()[j], b)
				}
			}
			nu := get(path.Constraint(lambda))(t)
			near(t, "penalty", get(path.Penalty(nu))(t), lambda, 1e-8)
		}
		if t.Failed() {
			t.Fatalf("seed %d: n = %d, p = %d", seed, n, p)
		}
	}
	if left == 0 {
		t.Error("no term ever left; the test is for nothing")
	}
}

// The path ends at least squares, or where it is told to; sums have the same
// knots.
func TestLARSEnds(t *testing.T) {
	train, _ := prostate(t)
	z := get(train.Standardize(nil))(t)
	path := get(FitLARS(z, nil))(t)
	nearAll(t, "end", path.Fit(path.Len()-1).Coef(), get(FitOLS(z, nil))(t).Coef(), 1e-11)
	near(t, "first knot", math.Round(path.Lambda()[0]*1000)/1000, 117.770, 1e-12)
	if path.Entered()[0] != "lcavol" || path.Entered()[1] != "lweight" {
		t.Errorf("terms enter: %q", path.Entered())
	}
	sums := get(FitLARS(get(z.Moments())(t), &LARSSettings{Lambda: 20}))(t)
	last := sums.Len() - 1
	near(t, "last lambda", sums.Lambda()[last], 20, 1e-14)
	nearAll(t, "knots of sums", sums.Lambda()[:last], path.Lambda()[:last], 1e-11)
	raw := get(path.Raw())(t)
	nearAll(t, "predictions", get(raw.Predict(train))(t).RawMatrix().Data, get(path.Predict(train))(t).RawMatrix().Data, 1e-12)
	var back LARS
	throughGob(t, path, &back)
	if back.Entered()[0] != "lcavol" || back.Len() != path.Len() {
		t.Error("knots are lost")
	}
}

// Copies of columns do not enter, and do not stop the path.
func TestLARSDuplicatedColumns(t *testing.T) {
	d := correlatedDesign(t, 8, 25, 6, 0.5, 1)
	x := mat.NewDense(25, 13, nil)
	for i := range 25 {
		for j := range 6 {
			x.Set(i, j, d.X.At(i, j))
			x.Set(i, j+6, d.X.At(i, j))
		}
		x.Set(i, 12, 3)
	}
	twice := get(FitLARS(get(NewDesign(x, d.Y))(t), nil))(t)
	once := get(FitLARS(d, nil))(t)
	for share := 0.9; share > 1e-3; share *= 0.7 {
		lambda := share * once.LambdaMax()
		a, b := get(once.At(lambda))(t), get(twice.At(lambda))(t)
		nearAll(t, "predictions", get(b.Predict(get(NewDesign(x, d.Y))(t)))(t), get(a.Predict(d))(t), 1e-9)
	}
}

func TestLARSBadInput(t *testing.T) {
	d := correlatedDesign(t, 1, 20, 8, 0.5, 1)
	wantError(t, "lambda", errorOf(FitLARS(d, &LARSSettings{Lambda: -1})), ErrSetting, "Lambda")
	wantError(t, "knots", errorOf(FitLARS(d, &LARSSettings{Knots: -1})), ErrSetting, "Knots")
	wantError(t, "data", errorOf(FitLARS(nil, nil)), ErrNoData)
	flat := *d
	flat.Y = make([]float64, 20)
	wantError(t, "constant", errorOf(FitLARS(&flat, nil)), ErrConstant, `"y"`)
	path, err := FitLARS(d, &LARSSettings{Knots: 3})
	if !errors.Is(err, ErrNotConverged) || path.Len() != 3 {
		t.Errorf("three knots: %v", err)
	}
}

// Integer data tie: many terms get to their bounds at the same lambda, and leave
// at the same. Every knot is certified, the path goes on to least squares, and
// between knots it is that of coordinate descent.
func TestLARSTies(t *testing.T) {
	tied := 0
	for seed := range uint64(60) {
		rnd := rand.New(rand.NewPCG(seed, 9))
		n, p := 5+rnd.IntN(20), 5+rnd.IntN(45)
		x := mat.NewDense(n, p, nil)
		y := make([]float64, n)
		for i := range n {
			for j := range p {
				x.Set(i, j, float64(rnd.IntN(3)-1))
			}
			y[i] = float64(rnd.IntN(5))
		}
		d := get(NewDesign(x, y))(t)
		d.NoIntercept = seed%2 == 0
		path := get(FitLARS(d, nil))(t)
		lambdas, last := path.Lambda(), path.Len()-1
		for k := range lambdas {
			if path.KKT()[k] > 1e-12 || !(path.Gap()[k] <= 1e-12) {
				t.Errorf("seed %d, knot %d: KKT %g, gap %g", seed, k, path.KKT()[k], path.Gap()[k])
			}
			if k > 0 && k < last && lambdas[k] == lambdas[k-1] {
				tied++
			}
		}
		ols := get(FitOLS(d, &OLSSettings{Aliased: DropAliased}))(t)
		if lambdas[last] != 0 || math.Abs(path.RSS()[last]-ols.RSS()) > 1e-12*d.centeredSquares(y, float64(n)) {
			t.Errorf("seed %d: the path ends at %g, RSS %g for %g", seed, lambdas[last], path.RSS()[last], ols.RSS())
		}
		for range 4 {
			lambda := path.LambdaMax() * math.Pow(1e-2, rnd.Float64())
			f := get(FitLasso(d, lambda, &LassoSettings{Gap: 1e-13}))(t)
			exact := get(path.At(lambda))(t)
			var objective float64
			for _, r := range get(exact.Residuals(d))(t) {
				objective += r * r
			}
			for _, b := range exact.Slopes() {
				objective += lambda * math.Abs(b)
			}
			near(t, "objective", objective, f.Objective(), 1e-12)
		}
		if t.Failed() {
			t.Fatalf("seed %d: n = %d, p = %d", seed, n, p)
		}
	}
	if tied < 10 {
		t.Errorf("%d ties; the test is for nothing", tied)
	}
}

// Raw powers, nearly linear combinations of each other: to the tenth the path ends
// at least squares, and further on it says that it does not.
func TestLARSPowers(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const n = 40
	y := make([]float64, n)
	for i := range y {
		y[i] = math.Sin(6*float64(i)/(n-1)) + 0.1*rnd.NormFloat64()
	}
	for _, degree := range []int{4, 6, 8, 10, 12, 16} {
		x := mat.NewDense(n, degree, nil)
		for i := range n {
			for j := range degree {
				x.Set(i, j, math.Pow(3*float64(i)/(n-1), float64(j+1)))
			}
		}
		d := get(NewDesign(x, y))(t)
		path, err := FitLARS(d, nil)
		null := d.centeredSquares(y, n)
		last := path.Len() - 1
		off := (path.RSS()[last] - get(FitOLS(d, &OLSSettings{Aliased: DropAliased}))(t).RSS()) / null
		if degree > 10 {
			wantError(t, "gap", err, ErrNotConverged, "duality gap", "linear combinations")
			if off <= 1e-9 && slices.Max(path.Gap()) <= 1e-9 {
				t.Errorf("degree %d: an error for nothing", degree)
			}
			continue
		}
		if err != nil || math.Abs(off) > 1e-12 || slices.Max(path.Gap()) > 1e-12 {
			t.Errorf("degree %d: %v; RSS is off by %g, the largest gap is %g", degree, err, off, slices.Max(path.Gap()))
		}
	}
}
