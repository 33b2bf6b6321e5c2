package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// weighted returns the centered and weighted X and y that a fit is of.
func weighted(t testing.TB, d *Design) (x *mat.Dense, y *mat.VecDense) {
	t.Helper()
	n, p := d.X.Dims()
	var w float64
	for i := range n {
		w += d.Weight(i)
	}
	x, y = mat.NewDense(n, p, nil), mat.NewVecDense(n, nil)
	for j := range p {
		var mean float64
		for i := range n {
			mean += d.Weight(i) / w * d.X.At(i, j)
		}
		if d.NoIntercept {
			mean = 0
		}
		for i := range n {
			x.Set(i, j, math.Sqrt(d.Weight(i))*(d.X.At(i, j)-mean))
		}
	}
	mean := d.meanY(w)
	for i := range n {
		y.SetVec(i, math.Sqrt(d.Weight(i))*(d.Y[i]-mean))
	}
	return x, y
}

// fourFormulas returns the ridge slopes by the normal equations (Murphy 7.33), by
// QR of the augmented rows (7.41-43), by the singular value decomposition
// (7.45-49) and by the n x n form.
func fourFormulas(t testing.TB, d *Design, lambda float64) [4][]float64 {
	t.Helper()
	x, y := weighted(t, d)
	n, p := x.Dims()
	var out [4]mat.VecDense

	var g, c mat.Dense
	g.Mul(x.T(), x)
	c.Mul(x.T(), y)
	for j := range p {
		g.Set(j, j, g.At(j, j)+lambda)
	}
	if err := out[0].SolveVec(&g, c.ColView(0)); err != nil && !isCondition(err) {
		t.Fatal(err)
	}

	augmented, zeros := mat.NewDense(n+p, p, nil), mat.NewVecDense(n+p, nil)
	augmented.Slice(0, n, 0, p).(*mat.Dense).Copy(x)
	zeros.SliceVec(0, n).(*mat.VecDense).CopyVec(y)
	for j := range p {
		augmented.Set(n+j, j, math.Sqrt(lambda))
	}
	var qr mat.QR
	qr.Factorize(augmented)
	if err := qr.SolveVecTo(&out[1], false, zeros); err != nil && !isCondition(err) {
		t.Fatal(err)
	}

	var svd mat.SVD
	svd.Factorize(x, mat.SVDThin)
	var u, v mat.Dense
	svd.UTo(&u)
	svd.VTo(&v)
	out[2].ReuseAsVec(p)
	for k, s := range svd.Values(nil) {
		out[2].AddScaledVec(&out[2], s/(s*s+lambda)*mat.Dot(u.ColView(k), y), v.ColView(k))
	}

	var k mat.Dense
	k.Mul(x, x.T())
	for i := range n {
		k.Set(i, i, k.At(i, i)+lambda)
	}
	var alpha mat.VecDense
	if err := alpha.SolveVec(&k, y); err != nil && !isCondition(err) {
		t.Fatal(err)
	}
	out[3].MulVec(x.T(), &alpha)

	var slopes [4][]float64
	for i := range out {
		slopes[i] = out[i].RawVector().Data
	}
	return slopes
}

// ridgeCases are designs of all shapes.
func ridgeCases(t testing.TB) []*Design {
	var cases []*Design
	for seed, size := range [][2]int{{40, 6}, {12, 30}, {20, 20}, {9, 90}, {60, 40}} {
		d := correlatedDesign(t, uint64(seed), size[0], size[1], 0.5, 1)
		cases = append(cases, d)
		w := *d
		w.Weights = make([]float64, size[0])
		for i := range w.Weights {
			w.Weights[i] = float64(i%4) / 2
		}
		w.NoIntercept = seed%2 == 0
		cases = append(cases, &w)
	}
	return cases
}

// Ridge regression equals its four formulas, by rows and by sums, alone and on a
// path, whatever the shape.
func TestRidgeIsItsFourFormulas(t *testing.T) {
	for _, d := range ridgeCases(t) {
		m := get(d.Moments())(t)
		grid := []float64{0.5, 3, 70}
		paths := []*RidgePath{get(FitRidgePath(d, &RidgePathSettings{Lambda: grid}))(t), get(FitRidgePath(m, &RidgePathSettings{Lambda: grid}))(t)}
		rows := get(ridgeRows(d, dividedBy(nil)))(t)
		for k, lambda := range []float64{70, 3, 0.5} {
			x, y := weighted(t, d)
			for i, want := range fourFormulas(t, d, lambda) {
				for _, data := range []Data{d, m} {
					f := get(FitRidge(data, lambda, nil))(t)
					nearAll(t, "slopes by "+f.Method(), f.Slopes(), want, 1e-9)
					if f.KKT() > 1e-13 {
						t.Errorf("%s: KKT %g", f.Method(), f.KKT())
					}
					if i > 0 {
						continue
					}
					r := get(f.Residuals(d))(t)
					near(t, "RSS", f.RSS(), d.weightedSquares(r, 0), 1e-10)
					near(t, "null RSS", f.NullRSS(), mat.Dot(y, y), 1e-12)
					var trace float64
					for _, h := range get(f.Leverage(d))(t) {
						trace += h
					}
					near(t, "trace of the hat matrix", trace, f.DoF(), 1e-10)
				}
				for _, path := range paths {
					f := path.Fit(k)
					nearAll(t, "slopes of a path", f.Slopes(), want, 1e-9)
					if f.KKT() > 1e-10 {
						t.Errorf("path: KKT %g", f.KKT())
					}
					single := get(FitRidge(d, lambda, nil))(t)
					near(t, "RSS of a path", f.RSS(), single.RSS(), 1e-9)
					near(t, "degrees of freedom of a path", f.DoF(), single.DoF(), 1e-10)
					near(t, "GCV of a path", path.GCV(lambda), GCV(single), 1e-8)
					near(t, "intercept of a path", f.Intercept(), single.Intercept(), 1e-9)
					var nu float64
					for _, b := range want {
						nu += b * b
					}
					near(t, "constraint", get(path.Constraint(lambda))(t), nu, 1e-9)
					near(t, "penalty", get(path.Penalty(get(path.Constraint(lambda))(t)))(t), lambda, 1e-8)
				}
			}
			// The reduction of the n x n form to tridiagonal.
			dual := mat.NewSymDense(rows.XT.Cols, nil)
			dual.SymOuterK(1, mat.NewDense(rows.XT.Rows, rows.XT.Cols, rows.XT.Data).T())
			s := get(tridiagonalSpectrum(dual.RawSymmetric(), rows.Y, rows.YY, &rows.XT))(t)
			l := rows.lambda(lambda)
			z := s.solve(l)
			w := s.back(mat.NewDense(len(z), 1, z))
			nearAll(t, "slopes of the n x n form", rows.slopes(w.RawMatrix().Data), fourFormulas(t, d, lambda)[0], 1e-9)
			single := get(FitRidge(d, lambda, nil))(t)
			near(t, "RSS of the n x n form", rows.Squares(s.rss(z, l)), single.RSS(), 1e-9)
			dof := s.dof(l)
			if !d.NoIntercept {
				dof++
			}
			near(t, "degrees of freedom of the n x n form", dof, single.DoF(), 1e-10)
			_, p := x.Dims()
			if got := len(single.Slopes()); got != p {
				t.Errorf("%d slopes", got)
			}
		}
	}
}

// Leave-one-out in closed form is leaving one out; generalized cross-validation
// is leave-one-out with the mean leverage.
func TestRidgeLeaveOneOut(t *testing.T) {
	for _, size := range [][2]int{{20, 5}, {12, 30}} {
		d := correlatedDesign(t, 2, size[0], size[1], 0.5, 1)
		const lambda = 4.0
		f := get(FitRidge(d, lambda, nil))(t)
		closed := get(LOOResiduals(f, d))(t)
		var rest []int
		for i := range d.NObs() {
			rest = rest[:0]
			for r := range d.NObs() {
				if r != i {
					rest = append(rest, r)
				}
			}
			without := get(FitRidge(d.Rows(rest...), lambda, nil))(t)
			near(t, "left out", closed[i], d.Y[i]-get(without.Predict(d.Rows(i)))(t)[0], 1e-9)
		}
		path := get(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{9, lambda}}))(t)
		near(t, "leave-one-out of a path", get(path.LOO(d))(t)[1], get(LOOMSE(f, d))(t), 1e-10)
		n := float64(d.NObs())
		var mean, gcv float64
		for _, h := range get(f.Leverage(d))(t) {
			mean += h / n
		}
		for _, r := range get(f.Residuals(d))(t) {
			gcv += r * r / (1 - mean) / (1 - mean) / n
		}
		near(t, "GCV", GCV(f), gcv, 1e-10)
	}
}

// As lambda goes to zero ridge becomes least squares, and the degrees of freedom
// all; as it goes to infinity, nothing.
func TestRidgeLimits(t *testing.T) {
	d := correlatedDesign(t, 5, 50, 7, 0.5, 1)
	ols := get(FitOLS(d, nil))(t)
	nearAll(t, "at zero", get(FitRidge(d, 0, nil))(t).Coef(), ols.Coef(), 1e-15)
	nearAll(t, "near zero", get(FitRidge(d, 1e-12, nil))(t).Coef(), ols.Coef(), 1e-9)
	path := get(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{1e12, 1, 0}}))(t)
	nearAll(t, "end of a path", path.Fit(2).Coef(), ols.Coef(), 1e-10)
	near(t, "RSS at zero", get(path.At(0))(t).RSS(), ols.RSS(), 1e-10)
	near(t, "degrees of freedom at zero", get(path.At(0))(t).DoF(), ols.DoF(), 1e-13)
	near(t, "degrees of freedom at infinity", get(path.At(1e12))(t).DoF(), 1, 1e-8)
	near(t, "RSS at infinity", get(path.At(1e14))(t).RSS(), path.NullRSS(), 1e-8)
	last := get(path.At(1e-9))(t).DoF()
	for _, l := range path.Shrinkage(3) {
		if !(l > 0 && l < 1) {
			t.Errorf("shrinkage %g", l)
		}
	}
	for l := 1e-8; l < 1e8; l *= 3 {
		dof := get(path.At(l))(t).DoF()
		if dof >= last {
			t.Errorf("degrees of freedom %g at %g do not fall", dof, l)
		}
		last = dof
	}
}

// The slopes of the toy data for N = 200 and a standardized term are
// w_0 200/(200 + lambda): all six printed values (ledger, row 103).
func TestRidgeToy(t *testing.T) {
	const n, w0 = 200, 6.9903
	x, y := mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		x.Set(i, 0, float64(i))
	}
	z := get(get(NewDesign(x, y))(t).Standardize(nil))(t)
	for i := range n {
		z.Y[i] = 3.28 + w0*z.X.At(i, 0)
	}
	for i, printed := range []float64{6.99, 6.956, 6.657, 4.66, 1.165, 0.137} {
		lambda := []float64{0, 1, 10, 100, 1000, 10000}[i]
		f := get(FitRidge(z, lambda, nil))(t)
		near(t, "slope", f.Slopes()[0], w0*n/(n+lambda), 1e-12)
		near(t, "printed slope", math.Round(f.Slopes()[0]*1000)/1000, printed, 1e-12)
		near(t, "intercept", f.Intercept(), 3.28, 1e-12)
	}
}

// The slope of lcp crosses zero at lambda = 22.414 on the prostate data (ledger,
// row 115).
func TestRidgeProstate(t *testing.T) {
	train, test := prostate(t)
	z := get(train.Standardize(nil))(t)
	lcp := func(lambda float64) float64 { return get(FitRidge(z, lambda, nil))(t).Slopes()[5] }
	low, high := 0.0, 100.0
	for high-low > 1e-9 {
		if mid := (low + high) / 2; lcp(mid) < 0 {
			low = mid
		} else {
			high = mid
		}
	}
	near(t, "zero of lcp", math.Round(low*1000)/1000, 22.414, 1e-12)
	path := get(FitRidgePath(z, nil))(t)
	if path.Len() != 100 || path.Lambda()[0] < path.Lambda()[99] {
		t.Errorf("%d lambdas", path.Len())
	}
	s := path.SingularValues()
	near(t, "first lambda", path.Lambda()[0], 10*s[0]*s[0], 1e-12)
	raw := get(path.Raw())(t)
	nearAll(t, "predictions in raw units", get(raw.Predict(test))(t).RawMatrix().Data,
		get(path.Predict(test))(t).RawMatrix().Data, 1e-12)
	f := path.Fit(60)
	nearAll(t, "predictions", get(f.Predict(test))(t), get(get(f.Raw())(t).Predict(test))(t), 1e-12)
	var back RidgePath
	throughGob(t, path, &back)
	nearAll(t, "slopes", back.Slopes().RawMatrix().Data, path.Slopes().RawMatrix().Data, 0)
	near(t, "degrees of freedom", get(back.At(3))(t).DoF(), get(path.At(3))(t).DoF(), 0)
	var one Ridge
	throughGob(t, f, &one)
	nearAll(t, "coefficients", one.Coef(), f.Coef(), 0)
	near(t, "GCV", GCV(&one), GCV(f), 0)
}

// The posterior covariance is that of FitBayes under the prior that ridge is.
func TestRidgePosterior(t *testing.T) {
	d := correlatedDesign(t, 6, 30, 4, 0.5, 1)
	const sigma2, lambda = 2.0, 5.0
	f := get(FitRidge(d, lambda, nil))(t)
	v := get(f.PosteriorCov(d, sigma2))(t)
	x, _ := weighted(t, d)
	var g, want mat.Dense
	g.Mul(x.T(), x)
	for j := range 4 {
		g.Set(j, j, g.At(j, j)+lambda)
	}
	if err := want.Inverse(&g); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		for j := range 4 {
			near(t, "covariance", v.At(i, j), sigma2*want.At(i, j), 1e-11)
		}
	}
	bayes := get(FitBayes(d, GaussianPrior{Tau2: sigma2 / lambda}, KnownVariance(sigma2), nil))(t)
	nearAll(t, "posterior mean", bayes.PosteriorMean()[1:], f.Slopes(), 1e-11)
}

func TestRidgeBadInput(t *testing.T) {
	d := correlatedDesign(t, 1, 10, 20, 0.5, 1)
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1)} {
		wantError(t, "lambda", errorOf(FitRidge(d, bad, nil)), ErrSetting, "lambda")
		wantError(t, "grid", errorOf(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{bad}})), ErrSetting, "Lambda[0]")
	}
	wantError(t, "zero", errorOf(FitRidge(d, 0, nil)), ErrRankDeficient, "lambda = 0")
	wantError(t, "zero", errorOf(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{1, 0}})), ErrRankDeficient, "lambda = 0")
	wantError(t, "grid", errorOf(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{}})), ErrSetting, "empty")
	wantError(t, "no data", errorOf(FitRidge(nil, 1, nil)), ErrNoData, "nil")
	wantError(t, "no data", errorOf(FitRidge(&Design{}, 1, nil)), ErrNoData)
	flat := get(NewDesign(mat.NewDense(5, 2, nil), []float64{1, 2, 3, 4, 5}))(t)
	wantError(t, "constant", errorOf(FitRidgePath(flat, nil)), ErrConstant, "Lambda")
	wantError(t, "constant, lambda = 0", errorOf(FitRidgePath(flat, &RidgePathSettings{Lambda: []float64{1, 0}})), ErrRankDeficient)
	if f := get(FitRidge(flat, 1, nil))(t); f.Slopes()[0] != 0 || f.Intercept() != 3 {
		t.Errorf("constant columns: %v", f.Coef())
	}
	f := get(FitRidge(d, 1, nil))(t)
	wantError(t, "variance", errorOf(f.PosteriorCov(d, 0)), ErrSetting, "sigma2")
	wantError(t, "constraint", errorOf(get(FitRidgePath(d, nil))(t).Penalty(1e9)), ErrSetting, "nu")
	nan := d.Rows(0, 1, 2)
	nan.X.Set(1, 4, math.NaN())
	wantError(t, "NaN", errorOf(FitRidge(nan, 1, nil)), ErrNotFinite, `"x5"`)
}

// All components are least squares; components are orthogonal, and their scores
// have the singular values for lengths; rows and sums agree.
func TestPCR(t *testing.T) {
	d := correlatedDesign(t, 3, 40, 6, 0.7, 1)
	m := get(d.Moments())(t)
	ols := get(FitOLS(d, nil))(t)
	nearAll(t, "all components", get(FitPCR(d, 6, nil))(t).Coef(), ols.Coef(), 1e-11)
	last := math.Inf(1)
	for k := 1; k <= 6; k++ {
		f := get(FitPCR(d, k, nil))(t)
		sums := get(FitPCR(m, k, nil))(t)
		nearAll(t, "coefficients of sums", sums.Coef(), f.Coef(), 1e-9)
		nearAll(t, "loadings of sums", sums.Loadings().RawMatrix().Data, f.Loadings().RawMatrix().Data, 1e-8)
		near(t, "RSS of sums", sums.RSS(), f.RSS(), 1e-10)
		r := get(f.Residuals(d))(t)
		near(t, "RSS", f.RSS(), d.weightedSquares(r, 0), 1e-12)
		if f.RSS() > last || f.DoF() != float64(k+1) {
			t.Errorf("%d components: RSS %g after %g, %g degrees of freedom", k, f.RSS(), last, f.DoF())
		}
		last = f.RSS()
		scores := get(f.Scores(d))(t)
		x := get(NewDesign(scores, d.Y))(t)
		yhat := get(get(FitOLS(x, nil))(t).Predict(x))(t)
		nearAll(t, "regression on the scores", get(f.Predict(d))(t), yhat, 1e-10)
		var g mat.Dense
		g.Mul(scores.T(), scores)
		for i := range k {
			for j := range k {
				want := 0.0
				if i == j {
					want = gram.Square(f.SingularValues()[i])
				}
				if math.Abs(g.At(i, j)-want) > 1e-10*g.At(0, 0) {
					t.Errorf("scores %d and %d: product %g, want %g", i, j, g.At(i, j), want)
				}
			}
		}
	}
	var back PCR
	f := get(FitPCR(d, 2, nil))(t)
	throughGob(t, f, &back)
	nearAll(t, "scores", get(back.Scores(d))(t).RawMatrix().Data, get(f.Scores(d))(t).RawMatrix().Data, 0)
	for _, k := range []int{0, 7, -1} {
		wantError(t, "components", errorOf(FitPCR(d, k, nil)), ErrSetting, "6")
	}
	short := correlatedDesign(t, 3, 5, 30, 0.7, 1)
	wantError(t, "components", errorOf(FitPCR(short, 5, nil)), ErrSetting, "4")
}

// A ridge path is exact at any lambda, in the design's units and in raw ones, after
// encoding too; one that is too large to be says so.
func TestRidgePathAt(t *testing.T) {
	for _, n := range []int{40, 6, 200} { // rows and sums; more terms than rows
		d := get(correlatedDesign(t, 5, n, 20, 0.6, 2).Standardize(nil))(t)
		path := get(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{1, 10, 100}}))(t)
		var buf bytes.Buffer
		back := new(RidgePath)
		must(t, back, gob.NewEncoder(&buf).Encode(path))
		must(t, back, gob.NewDecoder(&buf).Decode(back))
		raw := get(back.Raw())(t)
		for _, lambda := range []float64{0.03, 1, 7, 1e5} {
			want := get(FitRidge(d, lambda, nil))(t)
			for _, got := range []*Ridge{get(path.At(lambda))(t), get(back.At(lambda))(t)} {
				nearAll(t, "slopes", got.Slopes(), want.Slopes(), 1e-9)
				near(t, "intercept", got.Intercept(), want.Intercept(), 1e-10)
				near(t, "RSS", got.RSS(), want.RSS(), 1e-9)
				near(t, "degrees of freedom", got.DoF(), want.DoF(), 1e-10)
			}
			nearAll(t, "raw slopes", get(raw.At(lambda))(t).Slopes(), get(want.Raw())(t).Slopes(), 1e-9)
			near(t, "GCV", path.GCV(lambda), want.GCV(), 1e-9)
		}
		for k, lambda := range path.Lambda() {
			var squares float64
			for _, b := range path.Fit(k).Slopes() {
				squares += b * b
			}
			near(t, "objective", path.Objective()[k], path.RSS()[k]+lambda*squares, 1e-10)
		}
		if n < 20 {
			wantError(t, "lambda 0", errorOf(path.At(0)), ErrRankDeficient, "FitOLS")
		}
		wantError(t, "negative", errorOf(path.At(-1)), ErrSetting, "-1")
		path.s.Ridge.Basis = nil
		wantError(t, "too large", errorOf(path.At(3)), ErrNoData, "FitRidge")
	}
}

// Penalty factors: the normal equations with lambda diag(f), an elastic net without
// L1, and the same fit in other units of the columns.
func TestRidgePenaltyFactor(t *testing.T) {
	const lambda = 3.0
	for name, shape := range map[string][2]int{"tall": {40, 5}, "wide": {6, 9}} {
		d := correlatedDesign(t, 8, shape[0], shape[1], 0.6, 1)
		p := d.NTerms()
		for i := range d.NObs() {
			d.Weights = append(d.Weights, 1+float64(i%3))
		}
		factors, by := make([]float64, p), make([]float64, p)
		for j := range factors {
			factors[j] = math.Pow(4, float64(j-p/2))
			by[j] = math.Sqrt(factors[j])
		}
		settings := &RidgeSettings{PenaltyFactor: factors}
		x, y := weighted(t, d)
		g, v, h := mat.NewDense(p, p, nil), &mat.Dense{}, &mat.Dense{}
		g.Mul(x.T(), x)
		gram := mat.DenseCopyOf(g)
		for j, f := range factors {
			g.Set(j, j, g.At(j, j)+lambda*f)
		}
		if err := v.Inverse(g); err != nil {
			t.Fatal(err)
		}
		var xy, want mat.VecDense
		xy.MulVec(x.T(), y)
		want.MulVec(v, &xy)
		var dof mat.Dense
		dof.Mul(v, gram)
		h.Product(x, v, x.T())

		f := get(FitRidge(d, lambda, settings))(t)
		nearAll(t, name+": slopes", f.Slopes(), want.RawVector().Data, 1e-12)
		near(t, name+": degrees of freedom", f.DoF(), 1+mat.Trace(&dof), 1e-12)
		nearAll(t, name+": elastic net", f.Coef(), get(FitElasticNet(d, 0, lambda, &LassoSettings{PenaltyFactor: factors, Gap: 1e-14}))(t).Coef(), 1e-6)
		near(t, name+": RSS", f.RSS(), d.weightedSquares(get(f.Residuals(d))(t), 0), 1e-12)
		if f.KKT() > 1e-13 {
			t.Errorf("%s: KKT %g", name, f.KKT())
		}
		leverage := get(f.Leverage(d))(t)
		cov := get(f.PosteriorCov(d, 2))(t)
		var total float64
		for i := range d.NObs() {
			total += d.Weight(i)
		}
		for i, got := range leverage {
			near(t, name+": leverage", got, d.Weight(i)/total+h.At(i, i), 1e-11)
		}
		for i := range p {
			for j := range p {
				near(t, name+": covariance", cov.At(i, j), 2*v.At(i, j), 1e-10)
			}
		}
		if name == "tall" {
			m := get(d.Moments())(t)
			nearAll(t, "sums", get(FitRidge(m, lambda, settings))(t).Coef(), f.Coef(), 1e-11)
		}
		// One penalty of the columns divided by the roots of the factors.
		scaled := get(d.Rescale(&Scaling{Center: make([]float64, p), Scale: by}))(t)
		plain := get(FitRidge(scaled, lambda, nil))(t)
		raw := get(plain.Raw())(t)
		nearAll(t, name+": in raw units", raw.Coef(), f.Coef(), 1e-12)
		nearAll(t, name+": leverages in raw units", get(raw.Leverage(d))(t), leverage, 1e-11)
		nearAll(t, name+": leverages of columns divided", get(plain.Leverage(d))(t), leverage, 1e-11)
		nearSym(t, name+": covariance in raw units", get(raw.PosteriorCov(d, 2))(t), cov, 1e-10)
		var back Ridge
		throughGob(t, f, &back)
		nearAll(t, name+": stored", get(back.Leverage(d))(t), leverage, 0)
	}
	d := correlatedDesign(t, 8, 20, 2, 0.6, 1)
	for _, bad := range [][]float64{{1, 0}, {-1, 1}, {1, math.NaN()}, {math.Inf(1), 1}} {
		wantError(t, "factors", errorOf(FitRidge(d, 1, &RidgeSettings{PenaltyFactor: bad})), ErrSetting, "penalty factor of term")
	}
	wantError(t, "factors", errorOf(FitRidge(d, 1, &RidgeSettings{PenaltyFactor: []float64{1}})), ErrShape, "1 penalty factors for 2 terms")
}

// Components of standardized columns, of rows and of sums, are those of the
// standardized design in the units of the raw one.
func TestPCRStandardize(t *testing.T) {
	for _, origin := range []bool{false, true} {
		d := correlatedDesign(t, 4, 30, 5, 0.5, 1)
		d.NoIntercept = origin
		for i := range d.NObs() {
			d.X.Set(i, 1, 1e9*d.X.At(i, 1)+7)
			d.X.Set(i, 3, 1e-6*d.X.At(i, 3))
		}
		z := get(d.Standardize(&StandardizeSettings{ScaleOnly: true}))(t)
		if origin { // about zero
			for j := range 5 {
				z.Scaling.Scale[j] = mat.Norm(d.X.ColView(j), 2) / math.Sqrt(30)
			}
			z = get(d.Rescale(z.Scaling))(t)
		}
		for k := 1; k <= 5; k++ {
			want := get(FitPCR(z, k, nil))(t)
			for name, data := range map[string]Data{"rows": d, "sums": get(d.Moments())(t)} {
				f := get(FitPCR(data, k, &PCRSettings{Standardize: true}))(t)
				nearAll(t, name+" predictions", get(f.Predict(d))(t), get(want.Predict(d))(t), 1e-8)
				nearAll(t, name+" loadings", f.Loadings().RawMatrix().Data, want.Loadings().RawMatrix().Data, 1e-7)
				nearAll(t, name+" singular values", f.SingularValues(), want.SingularValues(), 1e-9)
				nearAll(t, name+" scores", get(f.Scores(d))(t).RawMatrix().Data, get(want.Scores(d))(t).RawMatrix().Data, 1e-7)
				near(t, name+" RSS", f.RSS(), want.RSS(), 1e-9)
			}
		}
	}
	flat := correlatedDesign(t, 4, 30, 2, 0.5, 1)
	for i := range 30 {
		flat.X.Set(i, 1, 3)
	}
	wantError(t, "constant", errorOf(FitPCR(flat, 1, &PCRSettings{Standardize: true})), ErrConstant, `"x2"`)
}

// isCondition tells gonum's warning that a matrix is ill-conditioned.
func isCondition(err error) bool {
	_, warning := err.(mat.Condition)
	return warning
}

// With more terms than rows and columns of very different lengths, the weights of
// long columns are as good as those of short ones.
func TestRidgeWideColumns(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, p := 4+r.IntN(5), 10
		x, y := mat.NewDense(n, p, nil), make([]float64, n)
		for i := range n {
			y[i] = r.NormFloat64()
			for j := range p {
				x.Set(i, j, math.Pow(10, float64(-j))*(r.NormFloat64()+2))
			}
		}
		f := get(FitRidge(get(NewDesign(x, y))(t), 1e-14, nil))(t)
		if f.KKT() > 1e-10 {
			t.Errorf("seed %d: KKT %g by %s", seed, f.KKT(), f.Method())
		}
	}
}
