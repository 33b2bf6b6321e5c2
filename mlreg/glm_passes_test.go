package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// Every family and link by passes is that of the rows in memory, to the digits that both
// state.
func TestGLMByPasses(t *testing.T) {
	neverGathered(t)
	for name, c := range glmCases {
		d := c.design(t)
		s := &GLMSettings{Link: c.link}
		want := get(FitGLM(d, c.family, s))(t)
		for _, size := range []int{7, 25, 1000} {
			f := get(FitGLM(blocksOf(d, size), c.family, s))(t)
			sameGLM(t, name, f, want, d)
		}
	}
	d := binaryDesign(900, true)
	d.Classes = []string{"no", "yes"}
	for name, s := range map[string]*GLMSettings{"classes": nil, "probit": {Link: ProbitLink}, "penalty": {L2: 3}} {
		want := get(FitGLM(d, Binomial, s))(t)
		f := get(FitGLM(blocksOf(d, 300), Binomial, s))(t)
		sameGLM(t, name, f, want, d)
		if f.Classes()[1] != "yes" {
			t.Errorf("%s: classes %v", name, f.Classes())
		}
	}
}

// sameGLM compares a fit by passes with that of the rows d in memory.
func sameGLM(t *testing.T, name string, f, want *GLM, d *Design) {
	t.Helper()
	coef, stderr := f.s.CoefDigits, f.s.StdErrDigits
	if coef < 6 || stderr < 6 {
		t.Errorf("%s: %d and %d digits", name, coef, stderr)
	}
	for j, b := range want.Coef() {
		near(t, name+", coefficient", f.Coef()[j], b, math.Pow(10, -float64(min(coef, 11))))
		near(t, name+", standard error", f.StdErr()[j], want.StdErr()[j], math.Pow(10, -float64(min(stderr, 9))))
	}
	near(t, name+", deviance", f.Deviance(), want.Deviance(), 1e-11)
	near(t, name+", Pearson", f.Pearson(), want.Pearson(), 1e-7)
	if !math.IsInf(want.NullDeviance(), 1) || !math.IsInf(f.NullDeviance(), 1) {
		near(t, name+", null deviance", f.NullDeviance(), want.NullDeviance(), 1e-11)
	}
	if !math.IsNaN(want.LogLik()) || !math.IsNaN(f.LogLik()) {
		near(t, name+", log-likelihood", f.LogLik(), want.LogLik(), 1e-11)
	}
	if f.NObs() != want.NObs() || f.Link() != want.Link() || f.Parameters() != want.Parameters() {
		t.Errorf("%s: %d rows, %v link", name, f.NObs(), f.Link())
	}
	nearAll(t, name+", predictions", get(f.Predict(d))(t), get(want.Predict(d))(t), 1e-8)
}

// Rows that have no mean at the parameters of the first block, or of the null model, are
// fitted from those of the least-squares problem.
func TestGLMByPassesStarts(t *testing.T) {
	neverGathered(t)
	rnd := rand.New(rand.NewPCG(6, 1))
	d := &Design{X: algebra.NewDense(400, 1), Names: []string{"x"}, Response: "y", NoIntercept: true}
	for i := range 400 {
		x := 1 + float64(i/40)
		d.X.Set(i, 0, x)
		d.Y = append(d.Y, 3*x+math.Floor(4*rnd.Float64()))
	}
	s := &GLMSettings{Link: IdentityLink}
	sameGLM(t, "from zero", get(FitGLM(blocksOf(d, 100), Poisson, s))(t), get(FitGLM(d, Poisson, s))(t), d)
	d.NoIntercept = false
	for i := range 400 { // the null model has no mean here
		d.Offset = append(d.Offset, -2.8*d.X.At(i, 0))
	}
	sameGLM(t, "offset", get(FitGLM(blocksOf(d, 100), Poisson, s))(t), get(FitGLM(d, Poisson, s))(t), d)
}

// A level of a factor without a count is found in passes, whatever block its rows are in.
func TestGLMSeparationByPasses(t *testing.T) {
	neverGathered(t)
	rnd := rand.New(rand.NewPCG(3, 3))
	d := &Design{X: algebra.NewDense(500, 2), Names: []string{"x", "g"}, Response: "y"}
	for i := range 500 {
		g := float64(rnd.IntN(2))
		d.X.SetRow(i, []float64{rnd.NormFloat64(), g})
		d.Y = append(d.Y, (1-g)*(1+float64(rnd.IntN(4))))
	}
	for _, rows := range []RowBlocks{d, blocksOf(d, 60)} {
		_, err := FitGLM(rows, Poisson, nil)
		var s *SeparationError
		if !errors.As(err, &s) || s.Family != Poisson || s.Kind != QuasiComplete || s.Of != 500 {
			t.Fatalf("a level without counts: %v", err)
		}
		for j, term := range s.Terms {
			if term == "x" && s.Direction[j] != 0 {
				t.Errorf("%v of %v", s.Direction, s.Terms)
			}
		}
	}
}

func TestGLMByPassesBadInput(t *testing.T) {
	neverGathered(t)
	c := glmCases["poissonOffset"]
	fit := func(family GLMFamily, change func(d *Design)) error {
		d := c.design(t)
		change(d)
		return errorOf(FitGLM(blocksOf(d, 10), family, nil))
	}
	wantError(t, "negative", fit(Poisson, func(d *Design) { d.Y[33] = -1 }), ErrSetting, "in row 34; counts are not negative")
	wantError(t, "fraction", fit(Poisson, func(d *Design) { d.Y[33] = 1.5 }), ErrSetting, "in row 34; counts are whole numbers")
	wantError(t, "not positive", fit(Gamma, func(d *Design) { d.Y[3] = 0 }), ErrSetting, "positive responses")
	wantError(t, "zeros", fit(Poisson, func(d *Design) { clear(d.Y) }), ErrBoundary, "every response")
	wantError(t, "ones", fit(Binomial, func(d *Design) {
		for i := range d.Y {
			d.Y[i] = 1
		}
	}), ErrBoundary, "is 1")
	wantError(t, "classes", fit(Gamma, func(d *Design) { clear(d.Y); d.Classes = []string{"a", "b"} }), ErrLabels, "family is of numbers")
	wantError(t, "one class", fit(Binomial, func(d *Design) { clear(d.Y); d.Classes = []string{"a", "b"} }), ErrLabels, "one class only")
	wantError(t, "NaN", fit(Poisson, func(d *Design) { d.X.Set(25, 1, math.NaN()) }), ErrNotFinite, "row 26")
	wantError(t, "weightless", fit(Poisson, func(d *Design) { d.Weights = make([]float64, d.NObs()) }), ErrNoData, "weight")
	wantError(t, "nil", errorOf(FitGLM(nil, Poisson, nil)), ErrNoData, "nil")
	var aliased *RankDeficientError
	if err := fit(Poisson, func(d *Design) {
		for i := range d.Y {
			d.X.Set(i, 1, 2*d.X.At(i, 0)+1)
		}
	}); !errors.As(err, &aliased) || len(aliased.Aliased) != 1 {
		t.Errorf("aliased: %v", err)
	}
	pass := 0
	wantError(t, "changed", errorOf(FitGLM(RowBlocksFunc(func(f func(*Design) error) error {
		d := c.design(t)
		d.Y[5] += float64(pass)
		pass++
		return f(d)
	}), Poisson, nil)), ErrChanged, "pass")
}

// Influence and robust standard errors by blocks are those of the rows in memory.
func TestGLMInfluenceByBlocks(t *testing.T) {
	for _, name := range []string{"poissonWeights", "gammaLog", "binomial"} {
		c := glmCases[name]
		d := c.design(t)
		f := get(FitGLM(d, c.family, &GLMSettings{Link: c.link}))(t)
		sameInfluence(t, name, d, get(f.Influence(d))(t), f.EachInfluence)
		for _, hc := range []HC{HC0, HC1, HC2, HC3} {
			want := get(f.Robust(d, hc))(t)
			nearAll(t, name+", "+hc.String(), get(f.Robust(blocksOf(d, 9), hc))(t).StdErr(), want.StdErr(), 1e-12)
		}
		wantError(t, "other rows", f.EachInfluence(blocksOf(d.Rows(sequenceFrom(5, d.NObs()-5)...), 9), func(*Design, *Influence) error { return nil }), ErrShape, "rows")
		wantError(t, "robust of other rows", errorOf(f.Robust(blocksOf(d.Rows(sequenceFrom(5, d.NObs()-5)...), 9), HC0)), ErrShape, "rows")
	}
}

// A row of leverage 1 is named by its place among all blocks, unless these number their rows.
func TestGLMRowOfLeverageOneByBlocks(t *testing.T) {
	d := binaryDesign(60, false)
	d.X.SetCol(0, make([]float64, 60))
	d.X.Set(40, 0, 1)
	for i := range d.Y {
		d.X.Set(i, 1, d.X.At(i, 1)-1e4)
		d.Y[i] = float64(1 + i*i%7)
	}
	f := get(FitGLM(d, Poisson, nil))(t)
	numberless := RowBlocksFunc(func(use func(*Design) error) error {
		return blocksOf(d, 9).EachBlock(func(block *Design) error {
			block.RowNumbers = nil
			return use(block)
		})
	})
	for _, rows := range []RowBlocks{d, blocksOf(d, 9), numberless} {
		wantError(t, "HC2", errorOf(f.Robust(rows, HC2)), ErrNotEstimable, "row 41 has leverage 1")
	}
}

// sameInfluence compares the diagnostics of blocks with those of all rows.
func sameInfluence(t *testing.T, name string, d *Design, want *Influence, each func(RowBlocks, func(*Design, *Influence) error) error) {
	t.Helper()
	for _, rows := range []RowBlocks{d, blocksOf(d, 11)} {
		var got Influence
		err := each(rows, func(block *Design, inf *Influence) error {
			if block.NObs() != len(inf.Leverage) {
				t.Errorf("%s: %d values of %d rows", name, len(inf.Leverage), block.NObs())
			}
			got.Residuals = append(got.Residuals, inf.Residuals...)
			got.Leverage = append(got.Leverage, inf.Leverage...)
			got.Studentized = append(got.Studentized, inf.Studentized...)
			got.CooksDistance = append(got.CooksDistance, inf.CooksDistance...)
			got.DFFITS = append(got.DFFITS, inf.DFFITS...)
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for what, v := range map[string][2][]float64{
			"residuals": {got.Residuals, want.Residuals}, "leverage": {got.Leverage, want.Leverage}, "studentized": {got.Studentized, want.Studentized},
			"Cook's distance": {got.CooksDistance, want.CooksDistance}, "DFFITS": {got.DFFITS, want.DFFITS},
		} {
			if len(v[0]) != len(v[1]) {
				t.Fatalf("%s: %d of %s, want %d", name, len(v[0]), what, len(v[1]))
			}
			for i := range v[0] {
				if math.IsNaN(v[0][i]) && math.IsNaN(v[1][i]) {
					continue
				}
				near(t, name+", "+what, v[0][i], v[1][i], 1e-11)
			}
		}
	}
}
