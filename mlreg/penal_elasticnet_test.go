package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
)

// correlatedDesign returns rows whose columns are a first-order autoregression,
// and a response that depends on every fifth of them.
func correlatedDesign(t testing.TB, seed uint64, n, p int, rho, noise float64) *Design {
	t.Helper()
	rnd := rand.New(rand.NewPCG(seed, 77))
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		for j := range row {
			row[j] = rnd.NormFloat64()
			if j > 0 {
				row[j] = rho*row[j-1] + math.Sqrt(1-rho*rho)*row[j]
			}
			if j%5 == 0 {
				y[i] += row[j] * float64(j%3-1)
			}
		}
		y[i] += 3 + noise*rnd.NormFloat64()
	}
	for i := range n {
		for j := range p {
			x.Set(i, j, x.At(i, j)+float64(j%4)) // means that are not zero
		}
	}
	d := get(NewDesign(x, y))(t)
	return d
}

// forcedPath fits a path with the rows, and sums, whatever n and p are.
func forcedPath(t testing.TB, d *Design, rows bool, pen elasticPenalty, s LassoSettings, grid []float64) *ElasticNetPath {
	t.Helper()
	var data *penaltyData
	if rows {
		data = get(rowsData(d))(t)
	} else {
		data = get(newPenaltyData(get(d.Moments())(t)))(t)
	}
	run := get(newElasticRun(data, pen, s))(t)
	if grid == nil {
		grid = geometric(run.max, 1e-3, 30)
	}
	return newPath[*ElasticNet](get(run.path(grid, nil))(t))
}

// optimality checks the conditions for a minimum from the rows alone, and that
// RSS and objective are what they claim to be.
func optimality(t testing.TB, what string, d *Design, f *ElasticNet, factor []float64, positive []bool, tol float64) {
	t.Helper()
	r := get(f.Residuals(d))(t)
	var sum, w, size float64
	for i, v := range r {
		sum += d.Weight(i) * v
		w += d.Weight(i)
		size = math.Max(size, math.Abs(d.Y[i]))
	}
	if !d.NoIntercept && math.Abs(sum) > 1e-12*w*size {
		t.Errorf("%s: residuals sum to %g", what, sum)
	}
	near(t, what+": RSS", f.RSS(), d.weightedSquares(r, 0), 1e-9)
	objective := f.RSS()
	mean := d.meanY(w)
	ylen := math.Sqrt(d.weightedSquares(d.Y, mean))
	for j, b := range f.Slopes() {
		var g, xx, xm float64
		for i := range r {
			xm += d.Weight(i) / w * d.X.At(i, j)
		}
		if d.NoIntercept {
			xm = 0
		}
		for i, v := range r {
			g += d.Weight(i) * d.X.At(i, j) * v
			xx += d.Weight(i) * (d.X.At(i, j) - xm) * (d.X.At(i, j) - xm)
		}
		fj := 1.0
		if factor != nil {
			fj = factor[j]
		}
		objective += fj * (f.L1()*math.Abs(b) + f.L2()*b*b)
		var off float64
		switch half := f.L1() * fj / 2; {
		case b != 0:
			off = math.Abs(g - math.Copysign(half, b) - f.L2()*fj*b)
		case positive != nil && positive[j]:
			off = math.Max(g-half, 0)
		default:
			off = math.Max(math.Abs(g)-half, 0)
		}
		if off > tol*math.Sqrt(xx)*ylen {
			t.Errorf("%s: term %d (slope %g) is off its optimality condition by %g", what, j, b, off/(math.Sqrt(xx)*ylen))
		}
		if positive != nil && positive[j] && b < 0 {
			t.Errorf("%s: slope %d is %g", what, j, b)
		}
	}
	near(t, what+": objective", f.Objective(), objective, 1e-9)
}

// Every point of every path meets the conditions for a minimum, computed from the
// rows, whatever the shape, the correlation, the weights and the penalties.
func TestElasticNetIsOptimal(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 6))
	seeds := uint64(40)
	if expect.RaceDetector { // which starts the same goroutines every time
		seeds = 8
	}
	for seed := range seeds {
		n, p := 8+rnd.IntN(60), 2+rnd.IntN(90)
		d := correlatedDesign(t, seed, n, p, []float64{0, 0.5, 0.95}[seed%3], 1)
		d.NoIntercept = seed%7 == 0
		if seed%2 == 0 {
			d.Weights = make([]float64, n)
			for i := range d.Weights {
				d.Weights[i] = rnd.Float64() * 3
			}
			d.Weights[1] = 0
		}
		pen := elasticPenalty{l1: 1}
		if seed%4 == 1 {
			pen = elasticPenalty{l1: 0.7, l2: 0.3}
		}
		s := LassoSettings{Gap: 1e-12}
		var positive []bool
		if seed%5 == 0 {
			positive = make([]bool, p)
			for j := range p {
				if j%2 == 0 {
					positive[j] = true
					s.NonNegative = append(s.NonNegative, d.Names[j])
				}
			}
		}
		var factor []float64
		if seed%3 == 0 {
			factor = make([]float64, p)
			for j := range factor {
				factor[j] = 0.5 + rnd.Float64()
			}
			s.PenaltyFactor = factor
			if n > 12 {
				factor[p-1] = 0
				s.AlwaysIn = []string{d.Names[0]}
				factor[0] = 0
			}
		}
		for _, rows := range []bool{true, false} {
			path := forcedPath(t, d, rows, pen, s, nil)
			for k := range path.Len() {
				f := path.Fit(k)
				if f.Gap() > 1e-12 || f.KKT() > 1e-7 {
					t.Errorf("seed %d, lambda %g: gap %g, KKT %g", seed, f.Lambda(), f.Gap(), f.KKT())
				}
				optimality(t, d.Response, d, f, factor, positive, 1e-7)
			}
		}
		if t.Failed() {
			t.Fatalf("seed %d, n = %d, p = %d", seed, n, p)
		}
	}
}

// From LambdaMax on all slopes are zero; just below, one is not; at zero the
// lasso is least squares.
func TestLassoLimits(t *testing.T) {
	for seed := range uint64(10) {
		d := correlatedDesign(t, seed, 40, 12, 0.6, 1)
		d.NoIntercept = seed%2 == 1
		ols := get(FitOLS(d, nil))(t)
		for _, rows := range []bool{true, false} {
			path := forcedPath(t, d, rows, elasticPenalty{l1: 1}, LassoSettings{}, nil)
			top := path.LambdaMax()
			for _, share := range []float64{1, 1.5} {
				f := get(FitLasso(d, share*top, nil))(t)
				if len(f.Active()) != 0 || f.Gap() != 0 || f.RSS() != f.NullRSS() {
					t.Errorf("at %g lambda max: active %v, gap %g", share, f.Active(), f.Gap())
				}
			}
			if f := get(FitLasso(d, 0.999*top, &LassoSettings{Gap: 1e-12}))(t); len(f.Active()) != 1 {
				t.Errorf("below lambda max: active %v", f.Active())
			}
			grid := geometric(top, 1e-3, 10)
			grid = append(grid, 0)
			path = forcedPath(t, d, rows, elasticPenalty{l1: 1}, LassoSettings{}, grid)
			nearAll(t, "lasso at 0", path.Fit(10).Coef(), ols.Coef(), 1e-10)
			nearAll(t, "lasso at 0", get(FitLasso(d, 0, nil))(t).Coef(), ols.Coef(), 1e-10)
		}
	}
}

// A fit at one lambda is the point of a path; of rows, that of sums.
func TestLassoPathIsFits(t *testing.T) {
	for _, n := range []int{30, 90} {
		d := correlatedDesign(t, 9, n, 50, 0.5, 1)
		m := get(d.Moments())(t)
		for _, share := range []float64{1, 0.4} {
			path := get(FitElasticNetPath(d, share, &PathSettings{Count: 12, Gap: 1e-14}))(t)
			for k, lambda := range path.Lambda() {
				a := get(FitElasticNet(d, share*lambda, (1-share)*lambda, &LassoSettings{Gap: 1e-14}))(t)
				b := get(FitElasticNet(m, share*lambda, (1-share)*lambda, &LassoSettings{Gap: 1e-14}))(t)
				nearAll(t, "slopes", a.Slopes(), path.Fit(k).Slopes(), 1e-8)
				nearAll(t, "slopes of sums", b.Slopes(), path.Fit(k).Slopes(), 1e-8)
				near(t, "objective", a.Objective(), path.Objective()[k], 1e-12)
				near(t, "degrees of freedom", b.DoF(), path.DoF()[k], 1e-8)
			}
		}
	}
}

// The degrees of freedom of an elastic net are the trace of the linear map from
// response to fitted values, signs and active terms held.
func TestElasticNetDoF(t *testing.T) {
	d := correlatedDesign(t, 3, 60, 9, 0.5, 1)
	f := get(FitElasticNet(d, 30, 20, &LassoSettings{Gap: 1e-15}))(t)
	if k := len(f.Active()); k == 0 || k == 9 {
		t.Fatalf("%d active terms; the test wants some", k)
	}
	var trace float64
	const h = 1e-3
	for i := range d.Y {
		up := *d
		up.Y = append([]float64(nil), d.Y...)
		up.Y[i] += h
		g := get(FitElasticNet(&up, 30, 20, &LassoSettings{Gap: 1e-15}))(t)
		trace += (get(g.Fitted(d))(t)[i] - get(f.Fitted(d))(t)[i]) / h
	}
	near(t, "trace", trace, f.DoF(), 1e-8)
}

// The numbers of the prostate data, 67 training rows standardized on themselves:
// all slopes are zero from lambda = 117.770 on (ledger, row 115).
func TestLassoProstate(t *testing.T) {
	sequential(t)
	train, _ := prostate(t)
	z := get(train.Standardize(nil))(t)
	path := get(FitLassoPath(z, nil))(t)
	near(t, "lambda max", math.Round(path.LambdaMax()*1000)/1000, 117.770, 1e-12)
	if path.Len() != 100 || path.Lambda()[0] != path.LambdaMax() {
		t.Errorf("%d lambdas from %g", path.Len(), path.Lambda()[0])
	}
	near(t, "last lambda", path.Lambda()[99], 1e-4*path.LambdaMax(), 1e-12)
	near(t, "intercept", path.Intercept()[50], train.meanY(67), 1e-12)
	raw := get(path.Raw())(t)
	nearAll(t, "predictions in raw units", get(raw.Predict(train))(t).RawMatrix().Data,
		get(path.Predict(train))(t).RawMatrix().Data, 1e-12)
	f := path.Fit(60)
	nearAll(t, "predictions", get(f.Predict(train))(t), get(get(f.Raw())(t).Predict(train))(t), 1e-12)
	var col []float64
	for i := range 67 {
		col = append(col, get(path.Predict(train))(t).At(i, 60))
	}
	nearAll(t, "path's predictions", col, get(f.Predict(z))(t), 1e-12)
	if f.Raw(); f.Scaling() == nil || get(f.Raw())(t).Scaling() != nil {
		t.Error("Raw has a scaling, or the fit none")
	}
}

// Between two lambdas without a knot the interpolation is the fit; penalty and
// constraint are inverses of each other, and the fit at a constraint has the
// least RSS.
func TestLassoPathBetween(t *testing.T) {
	sequential(t)
	d := correlatedDesign(t, 4, 60, 8, 0.5, 1)
	path := get(FitLassoPath(d, &PathSettings{Count: 400, Gap: 1e-14}))(t)
	exact := 0
	for k := 1; k < path.Len(); k++ {
		a, _ := path.Active(k - 1)
		b, _ := path.Active(k)
		if !equalInts(a, b) {
			continue
		}
		lambda := 0.3*path.Lambda()[k-1] + 0.7*path.Lambda()[k]
		mid := get(path.At(lambda))(t)
		nearAll(t, "interpolation", mid.Coef(), get(FitLasso(d, lambda, &LassoSettings{Gap: 1e-14}))(t).Coef(), 1e-9)
		if !math.IsNaN(mid.Gap()) {
			t.Error("an interpolated fit claims a gap")
		}
		exact++
	}
	if exact < 300 {
		t.Errorf("only %d intervals without a knot", exact)
	}
	nearAll(t, "fit of the grid", get(path.At(path.Lambda()[7]))(t).Coef(), path.Fit(7).Coef(), 1e-15)
	if f := get(path.At(2 * path.LambdaMax()))(t); len(f.Active()) != 0 {
		t.Errorf("above lambda max: %v", f.Active())
	}
	for _, lambda := range []float64{0.9, 0.5, 0.1, 0.03} {
		lambda *= path.LambdaMax()
		nu := get(path.Constraint(lambda))(t)
		near(t, "penalty of the constraint", get(path.Penalty(nu))(t), lambda, 1e-9)
		var norm float64
		for _, b := range get(path.At(lambda))(t).Slopes() {
			norm += math.Abs(b)
		}
		near(t, "constraint", nu, norm, 1e-14)
	}
	near(t, "L1 norm", path.L1Norm()[200], get(path.Constraint(path.Lambda()[200]))(t), 1e-14)
	wantError(t, "bad input", errorOf(path.At(1e-9)), ErrSetting, "below the path")
	wantError(t, "bad input", errorOf(path.Penalty(1e9)), ErrSetting, "nu = 1e+09")
	wantError(t, "bad input", errorOf(path.Constraint(math.NaN())), ErrSetting, "NaN")
	part := get(FitLassoPath(d, &PathSettings{Lambda: []float64{5, 2}}))(t)
	wantError(t, "bad input", errorOf(part.At(6)), ErrSetting, "above the path")
}

func errorOf[T any](_ T, err error) error { return err }

func equalInts(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if b[i] != v {
			return false
		}
	}
	return true
}

// A grid may ascend, the path descends; a user's grid is used as it is (ledger,
// row 133).
func TestLassoUserGrid(t *testing.T) {
	d := correlatedDesign(t, 4, 30, 5, 0.5, 1)
	var grid []float64
	for k := -4; k <= 4; k++ {
		grid = append(grid, math.Pow(1.5, float64(k)))
	}
	path := get(FitLassoPath(d, &PathSettings{Lambda: grid}))(t)
	if path.Lambda()[0] != grid[8] || path.Lambda()[8] != grid[0] || grid[0] > grid[8] {
		t.Errorf("grid %v, path %v", grid, path.Lambda())
	}
}

// Copies and constant columns do no harm: the fit is that without them.
func TestLassoDuplicatedAndConstantColumns(t *testing.T) {
	d := correlatedDesign(t, 8, 25, 6, 0.5, 1)
	x := mat.NewDense(25, 14, nil)
	for i := range 25 {
		for j := range 6 {
			x.Set(i, j, d.X.At(i, j))
			x.Set(i, j+7, d.X.At(i, j))
		}
		x.Set(i, 6, 4.2)
		x.Set(i, 13, d.X.At(i, 0)-2*d.X.At(i, 3))
	}
	twice := get(NewDesign(x, d.Y))(t)
	for _, rows := range []bool{true, false} {
		a := forcedPath(t, d, rows, elasticPenalty{l1: 1}, LassoSettings{Gap: 1e-13}, nil)
		factor := []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 50}
		b := forcedPath(t, twice, rows, elasticPenalty{l1: 1}, LassoSettings{Gap: 1e-13, PenaltyFactor: factor}, a.Lambda())
		nearAll(t, "objective", b.Objective(), a.Objective(), 1e-11)
		for k := range b.Len() {
			if b.Fit(k).Slopes()[6] != 0 {
				t.Error("a constant column has a slope")
			}
		}
		// A cheaper copy takes over.
		s := LassoSettings{Gap: 1e-13, PenaltyFactor: []float64{1, 1, 1, 1, 1, 1, 1, .5, .5, .5, .5, .5, .5, 50}}
		c := forcedPath(t, twice, rows, elasticPenalty{l1: 1}, s, a.Lambda())
		for k := range c.Len() {
			for j, b := range c.Fit(k).Slopes()[:6] {
				if b != 0 {
					t.Errorf("lambda %g: slope %d is %g beside a cheaper copy", c.Lambda()[k], j, b)
				}
			}
		}
		if last := c.Fit(c.Len() - 1); len(last.Active()) < 6 {
			t.Errorf("active at the end: %v", last.Active())
		}
	}
}

// Fits do not depend on units: of columns, of the response, of the rows' weights.
func TestLassoScales(t *testing.T) {
	d := correlatedDesign(t, 8, 25, 40, 0.5, 1)
	f := get(FitLasso(d, 5, &LassoSettings{Gap: 1e-13}))(t)
	for _, big := range []float64{1e150, 1e-150} {
		e := *d
		e.X = mat.DenseCopyOf(d.X)
		e.X.Scale(big, e.X)
		e.Y = append([]float64(nil), d.Y...)
		for i := range e.Y {
			e.Y[i] *= big
		}
		g := get(FitLasso(&e, 5*big*big, &LassoSettings{Gap: 1e-13}))(t)
		nearAll(t, "slopes", g.Slopes(), f.Slopes(), 1e-9)
		if g.Gap() > 1e-13 {
			t.Errorf("gap %g", g.Gap())
		}
	}
}

func TestElasticNetGob(t *testing.T) {
	train, _ := prostate(t)
	z := get(train.Standardize(nil))(t)
	path := get(FitElasticNetPath(z, 0.5, &PathSettings{Count: 20}))(t)
	var back ElasticNetPath
	throughGob(t, path, &back)
	nearAll(t, "slopes", back.Slopes().RawMatrix().Data, path.Slopes().RawMatrix().Data, 0)
	fit := path.Fit(10)
	var one ElasticNet
	throughGob(t, fit, &one)
	nearAll(t, "coefficients", one.Coef(), fit.Coef(), 0)
	nearAll(t, "predictions", get(one.Predict(train))(t), get(fit.Predict(train))(t), 0)
	if one.Gap() != fit.Gap() || one.L2() != fit.L2() {
		t.Error("gap or penalty is lost")
	}
}

func throughGob(t testing.TB, from, to any) {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(from); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(to); err != nil {
		t.Fatal(err)
	}
}

func TestLassoBadInput(t *testing.T) {
	d := correlatedDesign(t, 1, 20, 30, 0.5, 1)
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		wantError(t, "bad input", errorOf(FitLasso(d, bad, nil)), ErrSetting, "lambda = ")
		wantError(t, "bad input", errorOf(FitElasticNet(d, 1, bad, nil)), ErrSetting, "l2 = ")
		wantError(t, "bad input", errorOf(FitLassoPath(d, &PathSettings{Lambda: []float64{3, bad}})), ErrSetting, "Lambda[1]")
		wantError(t, "bad input", errorOf(FitLasso(d, 1, &LassoSettings{Gap: bad})), ErrSetting, "Gap")
		wantError(t, "bad input", errorOf(FitElasticNetPath(d, bad, nil)), ErrSetting, "share")
	}
	path := func(s PathSettings) error { return errorOf(FitLassoPath(d, &s)) }
	wantError(t, "bad input", path(PathSettings{Lambda: []float64{}}), ErrSetting, "empty")
	wantError(t, "bad input", path(PathSettings{Lambda: []float64{1, 3, 2}}), ErrSetting, "Lambda[2]")
	wantError(t, "bad input", path(PathSettings{Lambda: []float64{2, 2}}), ErrSetting, "Lambda[1]")
	wantError(t, "bad input", path(PathSettings{Count: -1}), ErrSetting, "Count")
	wantError(t, "bad input", path(PathSettings{Count: 1}), ErrSetting, "Count")
	wantError(t, "bad input", path(PathSettings{Ratio: 1}), ErrSetting, "Ratio")
	wantError(t, "bad input", path(PathSettings{Sweeps: -1}), ErrSetting, "Sweeps")
	wantError(t, "bad input", path(PathSettings{PenaltyFactor: []float64{1}}), ErrShape, "1 penalty factors")
	factors := make([]float64, 30)
	factors[4] = -1
	wantError(t, "bad input", path(PathSettings{PenaltyFactor: factors}), ErrSetting, `"x5"`)
	factors[4] = 0
	wantError(t, "bad input", path(PathSettings{PenaltyFactor: factors}), ErrRankDeficient, "30 of 30")
	wantError(t, "bad input", path(PathSettings{AlwaysIn: []string{"zz"}}), ErrSetting, `"zz"`)
	wantError(t, "bad input", path(PathSettings{NonNegative: []string{"zz"}}), ErrSetting, `"zz"`)
	wantError(t, "bad input", errorOf(FitLasso(d, 0, nil)), ErrRankDeficient, "MinimumNorm")
	wantError(t, "bad input", errorOf(FitLasso(nil, 1, nil)), ErrNoData, "nil")
	wantError(t, "bad input", errorOf(FitLasso(&Design{}, 1, nil)), ErrNoData, "0 x 0")
	wantError(t, "bad input", errorOf(FitLasso(NewMoments(d), 1, nil)), ErrNoData, "no rows")

	flat := *d
	flat.Y = make([]float64, 20)
	wantError(t, "bad input", errorOf(FitLassoPath(&flat, nil)), ErrConstant, `"y"`)
	f := get(FitLasso(&flat, 1, nil))(t)
	if len(f.Active()) != 0 || f.Gap() != 0 || f.RSS() != 0 {
		t.Errorf("constant response: %v, gap %g", f.Active(), f.Gap())
	}
	one := d.Rows(3)
	wantError(t, "bad input", errorOf(FitLassoPath(one, nil)), ErrConstant, "lambda")
	if f := get(FitLasso(one, 1, nil))(t); f.Intercept() != d.Y[3] {
		t.Errorf("one row: intercept %g, response %g", f.Intercept(), d.Y[3])
	}
	nan := d.Rows(0, 1, 2, 3)
	nan.X.Set(2, 7, math.NaN())
	wantError(t, "bad input", errorOf(FitLasso(nan, 1, nil)), ErrNotFinite, `"x8"`)
	nan = d.Rows(0, 1, 2, 3)
	nan.Y[1] = math.Inf(1)
	wantError(t, "bad input", errorOf(FitLasso(nan, 1, nil)), ErrNotFinite, "row 2")
	none := d.Rows(0, 1)
	none.Y = nil
	wantError(t, "bad input", errorOf(FitLasso(none, 1, nil)), ErrNoData, "response")
}

// Too few sweeps: the path is there, and the error says where it is not good
// enough. An error from Progress stops the path.
func TestLassoStopsShort(t *testing.T) {
	d := correlatedDesign(t, 1, 60, 80, 0.97, 0.01)
	path, err := FitLassoPath(d, &PathSettings{Sweeps: 1, Gap: 1e-300})
	var short *ConvergenceError
	if !errors.As(err, &short) || path == nil || path.Len() != 100 {
		t.Fatalf("path %v, error %v", path, err)
	}
	if short.Iterations < 1 || short.Value <= short.Tol || !strings.Contains(short.Error(), "lambda = ") {
		t.Errorf("%v", short)
	}
	run := get(newElasticRun(get(newPenaltyData(d))(t), elasticPenalty{l1: 1}, LassoSettings{Sweeps: 1}))(t)
	point, err := run.solve(1e-3 * run.max) // from nothing
	if !errors.Is(err, ErrNotConverged) || point.Gap <= 1e-6 || point.Sweeps != 1 || len(point.Terms) == 0 {
		t.Errorf("gap %g after %d sweeps, error %v", point.Gap, point.Sweeps, err)
	}
	stop := errors.New("stop")
	var told []float64
	path, err = FitLassoPath(d, &PathSettings{Count: 10, Progress: func(done, total float64) error {
		told = append(told, done, total)
		if done == 4 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || path.Len() != 4 || len(told) != 8 || told[7] != 10 {
		t.Errorf("length %d, told %v, error %v", path.Len(), told, err)
	}
}
