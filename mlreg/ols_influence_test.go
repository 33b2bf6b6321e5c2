package mlreg

import (
	"math"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// deletionDesigns are random designs of the kinds there are.
func deletionDesigns(t *testing.T) []*Design {
	plain := randomDesign(t, 21, 14, 3)
	for i := range 14 { // far from the origin
		plain.X.Set(i, 0, plain.X.At(i, 0)+1000)
	}
	through := randomDesign(t, 22, 14, 3)
	through.NoIntercept = true
	weighted := randomDesign(t, 23, 14, 3)
	for i := range 14 {
		weighted.Weights = append(weighted.Weights, 0.2+float64(i%5))
	}
	zero := randomDesign(t, 24, 14, 3)
	for i := range 14 {
		zero.Weights = append(zero.Weights, float64(i%4))
	}
	standard, err := weighted.Standardize(nil)
	return []*Design{plain, through, weighted, zero, must(t, standard, err)}
}

// Every diagnostic is what refitting without the row gives.
func TestInfluenceByDeletion(t *testing.T) {
	const tol = 1e-8
	for _, d := range deletionDesigns(t) {
		f := fitted(t, d, nil)
		inf, err := f.Influence(d)
		must(t, inf, err)
		dfbeta, err := f.DFBETA(d)
		must(t, dfbeta, err)
		dfbetas, err := f.DFBETAS(d)
		must(t, dfbetas, err)
		loo, err := LOOResiduals(f, d)
		must(t, loo, err)
		leverage, err := f.Leverage(d)
		nearAll(t, "leverage", inf.Leverage, must(t, leverage, err), 1e-8)
		yhat, err := f.Fitted(d)
		must(t, yhat, err)
		n, p, s := f.NObs(), f.DoF(), math.Sqrt(f.Sigma2())
		var press, weights float64
		for i := range d.NObs() {
			if d.Weight(i) == 0 {
				if !math.IsNaN(inf.Standardized[i]) || !math.IsNaN(inf.CooksDistance[i]) || !math.IsNaN(inf.CovRatio[i]) || inf.Leverage[i] != 0 || dfbeta.At(i, 1) != 0 {
					t.Errorf("row %d of weight zero: %v, %v", i, inf.Standardized[i], inf.Leverage[i])
				}
				near(t, "residual of a row not fitted", loo[i], inf.Residuals[i], 1e-12)
				continue
			}
			rest := d.Rows(slices.DeleteFunc(counting(d.NObs()), func(k int) bool { return k == i })...)
			g := fitted(t, rest, nil)
			without, err := g.Fitted(d)
			must(t, without, err)
			near(t, "LOO residual", loo[i], d.Y[i]-without[i], tol)
			near(t, "s_(i)", inf.Sigma[i], math.Sqrt(g.Sigma2()), tol)
			root := math.Sqrt(d.Weight(i))
			near(t, "standardized", inf.Standardized[i], root*(d.Y[i]-yhat[i])/(s*math.Sqrt(1-inf.Leverage[i])), tol)
			near(t, "studentised", inf.Studentized[i], root*(d.Y[i]-yhat[i])/(inf.Sigma[i]*math.Sqrt(1-inf.Leverage[i])), tol)
			var moved float64
			for k := range yhat {
				moved += d.Weight(k) * (yhat[k] - without[k]) * (yhat[k] - without[k])
			}
			near(t, "Cook's distance", inf.CooksDistance[i], moved/(p*s*s), tol)
			near(t, "DFFITS", inf.DFFITS[i], root*(yhat[i]-without[i])/(inf.Sigma[i]*math.Sqrt(inf.Leverage[i])), tol)
			near(t, "COVRATIO", inf.CovRatio[i], mat.Det(g.VCov())/mat.Det(f.VCov()), tol)
			for j, b := range f.Coef() {
				change := b - g.Coef()[j]
				near(t, "DFBETA", dfbeta.At(i, j), change, 1e-7)
				near(t, "DFBETAS", dfbetas.At(i, j), change/(inf.Sigma[i]*f.StdErr()[j]/s), 1e-7)
			}
			press += d.Weight(i) * (d.Y[i] - without[i]) * (d.Y[i] - without[i])
			weights += d.Weight(i)
		}
		got, err := LOOMSE(f, d)
		near(t, "LOOMSE", must(t, got, err), press/weights, tol)
		near(t, "GCV", GCV(f), float64(n)*f.RSS()/math.Pow(float64(n)-p, 2), 1e-14)
	}
}

func counting(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// GCV is LOO with the mean leverage, so they agree in a balanced design and
// differ in others.
func TestGCVIsNotLOO(t *testing.T) {
	balanced := mustDesign(t, mat.NewDense(4, 1, []float64{-1, -1, 1, 1}), []float64{1, 2, 5, 3})
	f := fitted(t, balanced, nil)
	loo, err := LOOMSE(f, balanced)
	near(t, "GCV of a balanced design", GCV(f), must(t, loo, err), 1e-14)
	d := randomDesign(t, 3, 12, 2)
	f = fitted(t, d, nil)
	loo, err = LOOMSE(f, d)
	if math.Abs(GCV(f)/must(t, loo, err)-1) < 1e-3 {
		t.Error("GCV is LOO")
	}
}

// A row that alone has a term determines its fitted value.
func TestLeverageOne(t *testing.T) {
	d := randomDesign(t, 30, 10, 2)
	for i := range 10 {
		d.X.Set(i, 1, 0)
	}
	d.X.Set(3, 1, 7)
	f := fitted(t, d, nil)
	inf, err := f.Influence(d)
	must(t, inf, err)
	if inf.Leverage[3] != 1 || inf.Residuals[3] != 0 {
		t.Errorf("leverage %v, residual %v", inf.Leverage[3], inf.Residuals[3])
	}
	for name, v := range map[string]float64{
		"Standardized": inf.Standardized[3], "Studentized": inf.Studentized[3], "CooksDistance": inf.CooksDistance[3],
		"DFFITS": inf.DFFITS[3], "CovRatio": inf.CovRatio[3],
	} {
		if !math.IsNaN(v) {
			t.Errorf("%s of a row of leverage 1 is %v", name, v)
		}
	}
	for i, v := range inf.Studentized {
		if i != 3 && (math.IsNaN(v) || math.IsInf(v, 0)) {
			t.Errorf("row %d: %v", i, v)
		}
	}
	near(t, "sigma without the row", inf.Sigma[3], math.Sqrt(f.Sigma2()), 1e-15)
	_, err = LOOMSE(f, d)
	wantError(t, "LOOMSE", err, ErrNotEstimable, "row 4")
	dfbeta, err := f.DFBETA(d)
	if !math.IsNaN(must(t, dfbeta, err).At(3, 0)) {
		t.Errorf("DFBETA of a row of leverage 1 is %v", dfbeta.At(3, 0))
	}
}

func TestInfluenceSettings(t *testing.T) {
	d := randomDesign(t, 31, 12, 2)
	f := fitted(t, d, nil)
	_, err := f.Influence(randomDesign(t, 32, 12, 2))
	wantError(t, "other rows", err, ErrShape, "rows that were fitted")
	noY := *d
	noY.Y = nil
	_, err = f.Influence(&noY)
	wantError(t, "no response", err, ErrNoData, `"y"`)
	other, err := d.Select("x2")
	_, err2 := f.CooksDistance(must(t, other, err))
	wantError(t, "missing column", err2, ErrShape, `"x1"`)

	// Known sigma.
	known := fitted(t, d, &OLSSettings{Sigma2: 4})
	inf, err := known.Influence(d)
	must(t, inf, err)
	near(t, "standardized", inf.Standardized[0], inf.Residuals[0]/(2*math.Sqrt(1-inf.Leverage[0])), 1e-14)
	near(t, "studentised", inf.Studentized[0], inf.Standardized[0], 1e-14)

	// One residual degree of freedom: nothing is left without a row.
	small := randomDesign(t, 33, 4, 2)
	inf, err = fitted(t, small, nil).Influence(small)
	if must(t, inf, err); !math.IsNaN(inf.Studentized[0]) || math.IsNaN(inf.CooksDistance[0]) {
		t.Errorf("one degree of freedom: %v, %v", inf.Studentized[0], inf.CooksDistance[0])
	}

	// Sums and rows agree, and columns are found by name.
	m, err := d.Moments()
	of := fitted(t, must(t, m, err), nil)
	swapped, err := d.Select("x2", "x1")
	a, err2 := of.CooksDistance(must(t, swapped, err))
	b, err3 := f.CooksDistance(d)
	nearAll(t, "Cook's distance of a fit to sums", must(t, a, err2), must(t, b, err3), 1e-9)

	// Aliased terms.
	x := mat.NewDense(12, 3, nil)
	for i := range 12 {
		x.SetRow(i, []float64{d.X.At(i, 0), d.X.At(i, 0) * 2, d.X.At(i, 1)})
	}
	aliased := mustDesign(t, x, d.Y)
	g := fitted(t, aliased, &OLSSettings{Aliased: DropAliased})
	c, err := g.CooksDistance(aliased)
	nearAll(t, "Cook's distance with an aliased term", must(t, c, err), b, 1e-9)
	db, err := g.DFBETAS(aliased)
	want, err2 := f.DFBETAS(d)
	must(t, db, err)
	must(t, want, err2)
	if !math.IsNaN(db.At(0, 2)) {
		t.Errorf("DFBETAS of an aliased term is %v", db.At(0, 2))
	}
	near(t, "DFBETAS with an aliased term", db.At(0, 3), want.At(0, 2), 1e-9)
	robust, err := g.Robust(aliased, HC3)
	of2, err2 := f.Robust(d, HC3)
	se, ref := must(t, robust, err).StdErr(), must(t, of2, err2).StdErr()
	near(t, "HC3 with an aliased term", se[3], ref[2], 1e-9)
	if !math.IsNaN(se[2]) {
		t.Errorf("robust standard error of an aliased term is %v", se[2])
	}
	_, err = VIF(aliased)
	wantError(t, "VIF", err, ErrRankDeficient, `"x2"`)
}

// The same bits on any number of processors.
func TestInfluenceDeterministic(t *testing.T) {
	d := randomDesign(t, 40, 5000, 7)
	f := fitted(t, d, nil)
	run := func(procs int) ([]float64, []float64, []float64) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(procs))
		inf, err := f.Influence(d)
		must(t, inf, err)
		robust, err := f.Robust(d, HC3)
		must(t, robust, err)
		db, err := f.DFBETAS(d)
		return inf.CooksDistance, robust.s.Root, must(t, db, err).RawMatrix().Data
	}
	c1, v1, b1 := run(1)
	c3, v3, b3 := run(3)
	if !slices.Equal(c1, c3) || !slices.Equal(v1, v3) || !slices.Equal(b1, b3) {
		t.Error("diagnostics depend on the number of processors")
	}
}

// What has no units is the same in any units.
func TestInferenceAtExtremeScales(t *testing.T) {
	d := randomDesign(t, 1, 12, 2)
	results := func(scale float64) (out []float64) {
		c := *d
		c.X = mat.DenseCopyOf(d.X)
		c.X.Scale(scale, c.X)
		f := fitted(t, &c, nil)
		inf, err := f.Influence(&c)
		must(t, inf, err)
		out = append(append(out, inf.Studentized...), inf.CooksDistance...)
		vif, err := VIF(&c)
		out = append(out, values(must(t, vif, err))...)
		robust, err := f.Robust(&c, HC3)
		out = append(out, must(t, robust, err).StdErr()[1]*scale)
		for _, w := range []Wald{f, robust} {
			test, err := WaldTest(w, mat.NewDense(2, 3, []float64{0, 1, 0, 0, 0, 1}), nil)
			out = append(out, must(t, test, err).Stat)
		}
		drop, err := f.DropTerms()
		out = append(out, must(t, drop, err)[0].F)
		anova, err := f.Anova()
		return append(out, must(t, anova, err)[0].F)
	}
	want := results(1)
	for _, scale := range []float64{1e200, 1e-200} {
		nearAll(t, "results", results(scale), want, 1e-9)
	}
	for _, scale := range []float64{1e200, 1e-200} {
		c := *d
		c.Y = make([]float64, 12)
		for i := range c.Y {
			c.Y[i] = d.Y[i] * scale
		}
		_, err := FitOLS(&c, nil)
		wantError(t, "response", err, ErrNotFinite, `"y"`, "rescale")
	}
}

// More terms than rows: every row determines its own fitted value.
func TestInferenceOfMoreTermsThanRows(t *testing.T) {
	d := randomDesign(t, 1, 5, 8)
	f := fitted(t, d, &OLSSettings{Aliased: MinimumNorm})
	_, err := f.ConfInt(0.9)
	wantError(t, "ConfInt", err, ErrSaturated)
	_, err = f.Influence(d)
	wantError(t, "Influence", err, ErrSaturated)
	_, err = LOOMSE(f, d)
	wantError(t, "LOOMSE", err, ErrNotEstimable, "row 1")
	if g := GCV(f); !math.IsNaN(g) {
		t.Errorf("GCV %v", g)
	}
}

// A covariance without a root at hand: aliased coefficients are left out.
func TestWaldOfAnyCovariance(t *testing.T) {
	d := randomDesign(t, 8, 20, 3)
	f := fitted(t, d, nil)
	l := mat.NewDense(2, 4, []float64{0, 1, -1, 0, 0, 0, 2, 1})
	want, err := WaldTest(f, l, []float64{1, 2})
	must(t, want, err)
	got, err := WaldTest(plainWald{f}, l, []float64{1, 2})
	near(t, "F", must(t, got, err).Stat, want.Stat, 1e-11)
	a, err := CoefTable(plainWald{f}, 0.9)
	b, err2 := f.Table(0.9)
	near(t, "standard error", must(t, a, err)[2].StdErr, must(t, b, err2)[2].StdErr, 1e-14)
}

// plainWald has what a Wald must have, and no more.
type plainWald struct{ f *OLS }

func (w plainWald) Names() []string       { return w.f.Names() }
func (w plainWald) Coef() []float64       { return w.f.Coef() }
func (w plainWald) VCov() *mat.SymDense   { return w.f.VCov() }
func (w plainWald) InferenceDoF() float64 { return w.f.InferenceDoF() }

// VIF is 1/(1-R^2) of each term on the others.
func TestVIF(t *testing.T) {
	for _, d := range deletionDesigns(t) {
		vif, err := VIF(d)
		must(t, vif, err)
		for j, name := range d.Names {
			others, err := d.Select(slices.DeleteFunc(slices.Clone(d.Names), func(s string) bool { return s == name })...)
			must(t, others, err)
			others.Y = mat.Col(nil, j, d.X)
			near(t, "VIF", vif[j].VIF, 1/(1-fitted(t, others, nil).R2()), 1e-9)
		}
		m, err := d.Moments()
		of, err2 := VIF(must(t, m, err))
		nearAll(t, "VIF of sums", values(must(t, of, err2)), values(vif), 1e-9)
	}
}

func BenchmarkInfluence(b *testing.B) {
	d := randomDesign(b, 1, 100000, 20)
	f := fitted(b, d, nil)
	for b.Loop() {
		if _, err := f.Influence(d); err != nil {
			b.Fatal(err)
		}
	}
}

// Influence by blocks is that of the rows in memory.
func TestInfluenceByBlocks(t *testing.T) {
	for name, d := range map[string]*Design{
		"plain":    binaryDesign(90, false),
		"weighted": binaryDesign(90, true),
		"no intercept": func() *Design {
			d := correlatedDesign(t, 3, 60, 3, 0.6, 1)
			d.NoIntercept = true
			return d
		}(),
	} {
		f := get(FitOLS(d, nil))(t)
		sameInfluence(t, name, d, get(f.Influence(d))(t), f.EachInfluence)
	}
	d := binaryDesign(90, false)
	f := get(FitOLS(d, nil))(t)
	none := func(*Design, *Influence) error { return nil }
	wantError(t, "fewer rows", f.EachInfluence(blocksOf(d.Rows(sequenceFrom(0, 89)...), 9), none), ErrShape, "rows")
	wantError(t, "nil", f.EachInfluence(nil, none), ErrNoData, "nil")
	wantError(t, "nil visit", f.EachInfluence(d, nil), ErrNoData, "nil")
	wantError(t, "visit", f.EachInfluence(blocksOf(d, 9), func(*Design, *Influence) error { return ErrStream }), ErrStream, "")
}
