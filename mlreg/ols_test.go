package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// The residual of a least-squares fit is orthogonal to every column, and any
// other coefficients have a larger sum of squares.
func TestOLSIsLeastSquares(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for seed := range uint64(20) {
		n, p := 12+rnd.IntN(60), 1+rnd.IntN(9)
		d := randomDesign(t, seed, n, p)
		d.NoIntercept = seed%3 == 0
		if seed%2 == 0 {
			d.Weights = make([]float64, n)
			for i := range d.Weights {
				d.Weights[i] = rnd.Float64() * 3
			}
			d.Weights[1] = 0
		}
		f := get(FitOLS(d, nil))(t)
		if f.Orthogonality() > 1e-14 {
			t.Errorf("seed %d: residual is not orthogonal: %g", seed, f.Orthogonality())
		}
		r := get(f.Residuals(d))(t)
		near(t, "RSS", f.RSS(), d.weightedSquares(r, 0), 1e-13)
		for range 5 {
			other := *f
			other.l.B = f.Slopes()
			other.l.B[rnd.IntN(p)] += 1e-3 * rnd.NormFloat64()
			r := get(other.Residuals(d))(t)
			if d.weightedSquares(r, 0) < f.RSS() {
				t.Errorf("seed %d: a neighbor has a smaller RSS", seed)
			}
		}
	}
}

// Rows and sums give the same fit.
func TestOLSOfMomentsIsOLSOfRows(t *testing.T) {
	for seed := range uint64(12) {
		d := randomDesign(t, seed, 40, 5)
		d.NoIntercept = seed%2 == 0
		if seed%3 == 0 {
			d.Weights = make([]float64, 40)
			for i := range d.Weights {
				d.Weights[i] = float64(i % 4)
			}
		}
		rows := get(FitOLS(d, nil))(t)
		m := get(d.Moments())(t)
		sums := get(FitOLS(m, nil))(t)
		sameOLS(t, sums, rows, 1e-11)
		near(t, "Cond", sums.Cond(), rows.Cond(), 1e-3)
	}
}

// sameOLS fails unless two fits agree in all that they say.
func sameOLS(t *testing.T, got, want *OLS, tol float64) {
	t.Helper()
	nearAll(t, "Coef", got.Coef(), want.Coef(), tol)
	nearAll(t, "StdErr", got.StdErr(), want.StdErr(), tol)
	nearSym(t, "VCov", got.VCov(), want.VCov(), tol)
	near(t, "RSS", got.RSS(), want.RSS(), tol)
	near(t, "TSS", got.TSS(), want.TSS(), tol)
	near(t, "LogLik", got.LogLik(), want.LogLik(), tol)
	near(t, "F", got.F().Stat, want.F().Stat, tol)
	if got.NObs() != want.NObs() || got.DoF() != want.DoF() {
		t.Errorf("n = %d, rank %v; want %d, %v", got.NObs(), got.DoF(), want.NObs(), want.DoF())
	}
}

type olsReference struct {
	Coef, StdErr, T, P, Lower, Upper, Hat []float64
	RSS, Sigma, R2, AdjR2, F, Fp          []float64
	LogLik, AIC, BIC                      []float64
}

// Reference values: R's lm, testdata/ols_prostate.R.
func TestOLSAgainstR(t *testing.T) {
	var ref struct {
		Raw, Standardized, Weighted olsReference
		NoIntercept                 olsReference `json:"no intercept"`
		Test                        struct{ MSE []float64 }
	}
	readJSON(t, "ols_prostate.json", &ref)
	train, test := prostate(t)
	standardized := get(train.Standardize(nil))(t)
	noIntercept := get(train.Select("lcavol", "lweight", "age"))(t)
	noIntercept.NoIntercept = true
	weighted := train.Rows(allRows(train)...)
	for i := range weighted.Y {
		weighted.Weights = append(weighted.Weights, weighted.X.At(i, 2)/60)
	}
	const tol = 1e-11 // R's own rounding, with coefficients near zero
	for _, c := range []struct {
		name string
		d    *Design
		ref  olsReference
	}{{"raw", train, ref.Raw}, {"standardized", standardized, ref.Standardized}, {"no intercept", noIntercept, ref.NoIntercept}, {"weighted", weighted, ref.Weighted}} {
		f, err := FitOLS(c.d, nil)
		if err != nil {
			t.Fatal(c.name, err)
		}
		rows := get(f.Table(0.95))(t)
		for j, row := range rows {
			near(t, c.name+" coef", row.Estimate, c.ref.Coef[j], tol)
			near(t, c.name+" stderr", row.StdErr, c.ref.StdErr[j], tol)
			near(t, c.name+" t", row.Statistic, c.ref.T[j], tol)
			near(t, c.name+" p", row.P, c.ref.P[j], 1e-10)
			near(t, c.name+" lower", row.Lower, c.ref.Lower[j], tol)
			near(t, c.name+" upper", row.Upper, c.ref.Upper[j], tol)
		}
		near(t, c.name+" RSS", f.RSS(), c.ref.RSS[0], tol)
		near(t, c.name+" sigma", math.Sqrt(f.Sigma2()), c.ref.Sigma[0], tol)
		near(t, c.name+" R2", f.R2(), c.ref.R2[0], tol)
		near(t, c.name+" adjusted R2", f.AdjR2(), c.ref.AdjR2[0], tol)
		near(t, c.name+" F", f.F().Stat, c.ref.F[0], tol)
		if p := f.F().P; math.Abs(p/c.ref.Fp[0]-1) > 1e-9 {
			t.Errorf("%s: P(F) = %g, want %g", c.name, p, c.ref.Fp[0])
		}
		near(t, c.name+" LogLik", f.LogLik(), c.ref.LogLik[0], tol)
		near(t, c.name+" AIC", AIC(f), c.ref.AIC[0], tol)
		near(t, c.name+" BIC", BIC(f), c.ref.BIC[0], tol)
		h := get(f.Leverage(c.d))(t)
		nearAll(t, c.name+" leverage", h[:5], c.ref.Hat, tol)
	}

	// Predictions do not depend on the units of the fit, nor on those of the rows.
	f := get(FitOLS(standardized, nil))(t)
	testScaled := get(test.Rescale(standardized.Scaling))(t)
	for _, rows := range []*Design{test, testScaled} {
		r := get(f.Residuals(rows))(t)
		near(t, "test MSE", rows.weightedSquares(r, 0)/30, ref.Test.MSE[0], tol)
	}
	raw := get(f.Raw())(t)
	direct := get(FitOLS(train, nil))(t)
	sameOLS(t, raw, direct, 1e-10)
}

func allRows(d *Design) []int {
	rows := make([]int, d.NObs())
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// Units of 2^600 or 2^-600 change exponents, not digits.
func TestOLSScales(t *testing.T) {
	d := randomDesign(t, 11, 30, 3)
	want := get(FitOLS(d, nil))(t)
	for _, e := range []int{660, -660} {
		x := mat.DenseCopyOf(d.X)
		for i := range 30 {
			x.Set(i, 1, math.Ldexp(x.At(i, 1), e))
		}
		scaled := get(NewDesign(x, d.Y))(t)
		f := get(FitOLS(scaled, nil))(t)
		for j, b := range want.Coef() {
			se := want.StdErr()[j]
			if j == 2 {
				b, se = math.Ldexp(b, -e), math.Ldexp(se, -e)
			}
			if math.Abs(f.Coef()[j]/b-1) > 1e-13 || math.Abs(f.StdErr()[j]/se-1) > 1e-13 {
				t.Errorf("2^%d: coefficient %d is %g +- %g, want %g +- %g", e, j, f.Coef()[j], f.StdErr()[j], b, se)
			}
		}
		near(t, "RSS", f.RSS(), want.RSS(), 1e-13)
	}
}

func TestOLSRankDeficient(t *testing.T) {
	d := randomDesign(t, 12, 25, 5)
	for i := range 25 {
		d.X.Set(i, 1, d.X.At(i, 0))                    // x2 = x1
		d.X.Set(i, 3, 7)                               // x4 constant
		d.X.Set(i, 4, 0.3*d.X.At(i, 2)-d.X.At(i, 0)/3) // x5 of x1 and x3
	}
	m := get(d.Moments())(t)
	for name, data := range map[string]Data{"rows": d, "sums": m} {
		_, err := FitOLS(data, nil)
		var deficient *RankDeficientError
		if !errors.Is(err, ErrRankDeficient) || !errors.As(err, &deficient) {
			t.Fatalf("%s: %v", name, err)
		}
		if deficient.Rank != 3 || deficient.Columns != 6 || strings.Join(deficient.Aliased, " ") != "x2 x4 x5" {
			t.Errorf("%s: %v", name, err)
		}
		dropped, err := FitOLS(data, &OLSSettings{Aliased: DropAliased})
		if err != nil {
			t.Fatal(name, err)
		}
		part := get(d.Select("x1", "x3"))(t)
		want := get(FitOLS(part, nil))(t)
		b, se, bs := dropped.Coef(), dropped.StdErr(), want.Coef()
		nearAll(t, name+" coefficients kept", []float64{b[0], b[1], b[3]}, bs, 1e-11)
		nearAll(t, name+" errors kept", []float64{se[0], se[1], se[3]}, want.StdErr(), 1e-11)
		for _, j := range []int{2, 4, 5} {
			if !math.IsNaN(b[j]) || !math.IsNaN(se[j]) {
				t.Errorf("%s: coefficient %d of an aliased term is %v +- %v, want NaN", name, j, b[j], se[j])
			}
		}
		if strings.Join(dropped.Aliased(), " ") != "x2 x4 x5" {
			t.Errorf("%s: aliased %v", name, dropped.Aliased())
		}
		yhat := get(dropped.Predict(d))(t)
		wantY := get(want.Predict(d))(t)
		nearAll(t, name+" predictions", yhat, wantY, 1e-11)
	}
	if _, err := FitOLS(m, &OLSSettings{Aliased: MinimumNorm}); !errors.Is(err, ErrNeedsRows) {
		t.Errorf("minimum norm of sums: %v", err)
	}
}

// The minimum-norm solution is a least-squares solution, and lies in the row
// space of the centered columns: every other solution is longer.
func TestOLSMinimumNorm(t *testing.T) {
	for _, shape := range [][2]int{{6, 9}, {20, 4}} {
		n, p := shape[0], shape[1]
		d := randomDesign(t, 13, n, p)
		if n > p {
			for i := range n {
				d.X.Set(i, 3, d.X.At(i, 0)-d.X.At(i, 1))
			}
		}
		f := get(FitOLS(d, &OLSSettings{Aliased: MinimumNorm}))(t)
		if f.Orthogonality() > 1e-13 {
			t.Errorf("%d x %d: residual is not orthogonal: %g", n, p, f.Orthogonality())
		}
		if n < p && f.RSS() > 1e-24*f.TSS() {
			t.Errorf("%d x %d: RSS %g, want interpolation", n, p, f.RSS())
		}
		centered := get(d.Standardize(&StandardizeSettings{CenterOnly: true}))(t)
		_, rest, err := Project(centered.X.T(), f.Slopes())
		if err != nil {
			t.Fatal(err)
		}
		if mat.Norm(mat.NewVecDense(p, rest), 2) > 1e-13 {
			t.Errorf("%d x %d: the slopes leave the row space by %v", n, p, rest)
		}
		h := get(f.Leverage(d))(t)
		want := get(Leverage(d))(t)
		nearAll(t, "leverage", h, want, 1e-12)
	}
}

func TestOLSKnownVariance(t *testing.T) {
	d := randomDesign(t, 14, 30, 2)
	free := get(FitOLS(d, nil))(t)
	f := get(FitOLS(d, &OLSSettings{Sigma2: 4}))(t)
	for j, se := range free.StdErr() {
		near(t, "StdErr", f.StdErr()[j], se*2/math.Sqrt(free.Sigma2()), 1e-14)
	}
	rows := get(f.Table(0.95))(t)
	near(t, "limit", (rows[1].Upper-rows[1].Estimate)/rows[1].StdErr, 1.959963984540054, 1e-14) // R qnorm(.975)
	if f.Parameters() != 3 || free.Parameters() != 4 {
		t.Errorf("parameters %d and %d", f.Parameters(), free.Parameters())
	}
}

func TestOLSGob(t *testing.T) {
	train, test := prostate(t)
	z := get(train.Standardize(nil))(t)
	f := get(FitOLS(z, nil))(t)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(f); err != nil {
		t.Fatal(err)
	}
	var back *OLS
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	sameOLS(t, back, f, 0)
	a := get(f.Predict(test))(t)
	b := get(back.Predict(test))(t)
	nearAll(t, "prediction", b, a, 0)
}

func TestOLSBadInput(t *testing.T) {
	d := randomDesign(t, 15, 10, 2)
	with := func(change func(d *Design)) *Design {
		c := d.Rows(allRows(d)...)
		change(c)
		return c
	}
	short := d.Rows(0, 1)
	for _, test := range []struct {
		name     string
		data     Data
		settings *OLSSettings
		want     error
		says     string
	}{
		{"nil", nil, nil, ErrNoData, "nil"},
		{"empty design", &Design{}, nil, ErrNoData, "0 x 0"},
		{"empty moments", NewMoments(d), nil, ErrNoData, "no rows"},
		{"no response", with(func(d *Design) { d.Y = nil }), nil, ErrNoData, "no response"},
		{"NaN in X", with(func(d *Design) { d.X.Set(4, 1, math.NaN()) }), nil, ErrNotFinite, `"x2" is NaN in row 5`},
		{"Inf in y", with(func(d *Design) { d.Y[9] = math.Inf(1) }), nil, ErrNotFinite, `"y" is +Inf in row 10`},
		{"huge response", with(func(d *Design) { floats.Scale(1e200, d.Y) }), nil, ErrNotFinite, `response "y"`},
		{"tiny response", with(func(d *Design) { floats.Scale(1e-200, d.Y) }), nil, ErrNotFinite, `response "y"`},
		{"n < p", short, nil, ErrRankDeficient, "beyond what 2 observations can determine"},
		{"negative variance", d, &OLSSettings{Sigma2: -1}, ErrSetting, "Sigma2 = -1"},
		{"policy", d, &OLSSettings{Aliased: 9}, ErrSetting, "9"},
	} {
		_, err := FitOLS(test.data, test.settings)
		if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v; want %v saying %q", test.name, err, test.want, test.says)
		}
	}
	f := get(FitOLS(d, nil))(t)
	for _, level := range []float64{0, 1, -1, 95, math.NaN()} {
		if _, err := f.Table(level); !errors.Is(err, ErrSetting) {
			t.Errorf("level %v: %v", level, err)
		}
	}
	less := get(d.Select("x1"))(t)
	if _, err := f.Predict(less); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), `"x2"`) {
		t.Errorf("missing term: %v", err)
	}
	noY := with(func(d *Design) { d.Y = nil })
	if _, err := f.Predict(noY); err != nil {
		t.Errorf("rows without a response: %v", err)
	}
	if _, err := f.Residuals(noY); !errors.Is(err, ErrNoData) {
		t.Errorf("residuals without a response: %v", err)
	}
	z := get(with(func(d *Design) { d.NoIntercept = true }).Standardize(nil))(t)
	g := get(FitOLS(z, nil))(t)
	if _, err := g.Raw(); !errors.Is(err, ErrShape) {
		t.Errorf("raw units without an intercept: %v", err)
	}
}

// Predictions find columns by name.
func TestPredictByName(t *testing.T) {
	d := randomDesign(t, 16, 20, 3)
	f := get(FitOLS(d, nil))(t)
	want := get(f.Predict(d))(t)
	turned := get(d.Select("x3", "x1", "x2"))(t)
	got := get(f.Predict(turned))(t)
	nearAll(t, "prediction", got, want, 1e-15)
}

// A fit that passes through every row has no variance to estimate.
func TestOLSSaturated(t *testing.T) {
	d := randomDesign(t, 17, 3, 2)
	f := get(FitOLS(d, nil))(t)
	if f.DoFResidual() != 0 || !math.IsNaN(f.Sigma2()) || !math.IsNaN(f.StdErr()[1]) || !math.IsNaN(f.F().P) {
		t.Errorf("residual dof %v, sigma2 %v, F %v", f.DoFResidual(), f.Sigma2(), f.F())
	}
	near(t, "R2", f.R2(), 1, 1e-14)
}

// What rounding took from the intercept's row of the root is kept in a fit to sums: at the
// mean of a column far from zero a fitted value has the variance sigma^2/n.
func TestSumsKnowTheVarianceAtTheMean(t *testing.T) {
	src := rand.New(rand.NewPCG(17, 21))
	x, y := mat.NewDense(100, 1, nil), make([]float64, 100)
	for i := range y {
		x.Set(i, 0, math.Ldexp(1, 40)+math.Round(64*src.NormFloat64()))
		y[i] = src.NormFloat64()
	}
	m := get(get(NewDesign(x, y))(t).Moments())(t)
	f := get(FitOLS(m, nil))(t)
	at := get(Contrast(f, []float64{1, m.MeanX()[0]}, 0, 0.95))(t)
	rest := dd.Of(m.MeanX()[0]).Sub(m.s.MeanOf(0)).Float() // the mean is no float64
	near(t, "standard error", at.StdErr, math.Sqrt(f.Sigma2()*(0.01+rest*rest/m.SXX().At(0, 0))), 1e-12)
}
