package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
)

// absorbReference are the values of testdata/absorb.R.
func absorbReference(t *testing.T) map[string][]float64 {
	var r map[string][]float64
	readJSON(t, "absorb.json", &r)
	return r
}

func names(values []float64) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprintf("z%02.0f", v)
	}
	return out
}

// absorbDesign is y ~ x1 + x2 | zone of the reference.
func absorbDesign(t *testing.T, r map[string][]float64, weighted bool) *Design {
	n := len(r["y"])
	x := mat.NewDense(n, 2, nil)
	x.SetCol(0, r["x1"])
	x.SetCol(1, r["x2"])
	d := get(NewDesign(x, r["y"]))(t)
	d.Absorb, d.Levels = "zone", names(r["zone"])
	if weighted {
		d.Weights = slices.Clone(r["w"])
	}
	return d
}

// A fit with an absorbed factor is lm's with a column for every level.
func TestAbsorbedIsLM(t *testing.T) {
	const tol = 1e-9 // relative; sandwich's covariances are symmetric to 1e-11
	r := absorbReference(t)
	for _, weighted := range []bool{false, true} {
		at := ""
		if weighted {
			at = "w_"
		}
		d := absorbDesign(t, r, weighted)
		for _, rows := range []RowBlocks{d, blocksOf(d, 7)} {
			what := fmt.Sprintf("%T, %v: ", rows, weighted)
			f := get(FitAbsorbed(rows))(t)
			expect.NearAll(t, what+"coef", f.Coef(), r[at+"coef"], tol)
			var effects []float64
			for _, e := range f.Effects() {
				effects = append(effects, e.Effect)
			}
			expect.NearAll(t, what+"effects", effects, r[at+"effects"], tol)
			vcov := func(name string, f *Absorbed) {
				t.Helper()
				expect.NearAll(t, what+name, mat.DenseCopyOf(f.VCov()).RawMatrix().Data, r[at+name], tol)
			}
			vcov("vcov", f)
			vcov("hc0", get(f.Robust(rows, HC0))(t))
			vcov("hc1", get(f.Robust(rows, HC1))(t))
			vcov("hc2", get(f.Robust(rows, HC2))(t))
			vcov("hc3", get(f.Robust(rows, HC3))(t))
			by := func(name string) func(block *Design) ([]string, error) {
				return func(block *Design) ([]string, error) {
					var out []string
					for i := range block.NObs() {
						out = append(out, fmt.Sprint(r[name][block.RowNumber(i)-1]))
					}
					return out, nil
				}
			}
			zone := get(f.Clustered(rows, nil))(t)
			vcov("by_zone", zone)
			vcov("by_region", get(f.Clustered(rows, by("region")))(t))
			vcov("by_firm", get(f.Clustered(rows, by("firm")))(t))
			if levels := float64(len(f.Effects())); zone.InferenceDoF() != levels-1 || f.InferenceDoF() != 90-levels-2 {
				t.Errorf("%sdegrees of freedom are %v and %v", what, zone.InferenceDoF(), f.InferenceDoF())
			}
			expect.NearAll(t, what+"facts", []float64{f.RSS(), f.DoFResidual(), f.R2(), f.R2Within(), f.AdjR2()}, r[at+"facts"], tol)
			expect.NearAll(t, what+"fitted", get(f.Predict(d))(t), r[at+"fitted"], tol)
		}
	}
}

// Means far from zero, and rows of weight zero with any values, take no digits.
func TestAbsorbedDigits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 9))
	const n, levels = 4000, 40
	x, y, w, zone := mat.NewDense(n, 1, nil), make([]float64, n), make([]float64, n), make([]string, n)
	for i := range n {
		g := rnd.IntN(levels)
		v := float64(rnd.IntN(1 << 12)) // whole, so that the exact slope follows from sums of integers
		x.Set(i, 0, v+float64(g)*0x1p30)
		y[i] = 3*v + float64(rnd.IntN(1<<10)) - float64(g)*0x1p36
		w[i], zone[i] = 1, fmt.Sprint(g)
	}
	d := get(NewDesign(x, y))(t)
	d.Absorb, d.Levels = "g", zone
	f := get(FitAbsorbed(d))(t)
	want := exactWithin(x, y, zone)
	digits, _ := f.Digits()
	if digits < 11 {
		t.Errorf("%d digits are certified", digits)
	}
	if off := math.Abs(f.Coef()[0]/want - 1); off > math.Pow(10, -float64(digits)) {
		t.Errorf("slope %.17g, exactly %.17g; off by %g with %d digits certified", f.Coef()[0], want, off, digits)
	}
	z := *d
	z.X, z.Y, z.Weights = mat.DenseCopyOf(x), slices.Clone(y), w
	for i := 0; i < n; i += 11 {
		w[i] = 0
	}
	keep := slices.DeleteFunc(allRows(d), func(i int) bool { return w[i] == 0 })
	part := get(FitAbsorbed(d.Rows(keep...)))(t)
	for i := 0; i < n; i += 11 {
		z.X.Set(i, 0, 1e200)
	}
	weighted := get(FitAbsorbed(&z))(t)
	expect.NearAll(t, "coef", weighted.Coef(), part.Coef(), 1e-12)
	expect.NearAll(t, "stderr", weighted.StdErr(), part.StdErr(), 1e-12)
}

// exactWithin is the slope within levels of one column, all of whole numbers, by twice the digits.
func exactWithin(x *mat.Dense, y []float64, levels []string) float64 {
	type sums struct{ n, x, y, x0, y0, xx, xy float64 }
	by := make(map[string]*sums)
	for i, level := range levels {
		s := by[level]
		if s == nil {
			s = &sums{x0: x.At(i, 0), y0: y[i]}
			by[level] = s
		}
		u, v := x.At(i, 0)-s.x0, y[i]-s.y0 // whole numbers below 2^15, whose sums are exact
		s.n, s.x, s.y, s.xx, s.xy = s.n+1, s.x+u, s.y+v, s.xx+u*u, s.xy+u*v
	}
	var sxx, sxy float64
	for _, s := range by {
		sxx += (s.n*s.xx - s.x*s.x) / s.n
		sxy += (s.n*s.xy - s.x*s.y) / s.n
	}
	return sxy / sxx
}

// Many levels of few rows are fitted without a column for any.
func TestAbsorbManyLevels(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	const n, levels = 60_000, 20_000
	x, y, zone := mat.NewDense(n, 2, nil), make([]float64, n), make([]string, n)
	for i := range n {
		g := i % levels
		x.SetRow(i, []float64{rnd.NormFloat64() + float64(g), rnd.NormFloat64()})
		y[i] = x.At(i, 0) - x.At(i, 1) + 100*float64(g) + 0.01*rnd.NormFloat64()
		zone[i] = fmt.Sprint(g)
	}
	d := get(NewDesign(x, y))(t)
	d.Absorb, d.Levels = "zone", zone
	f := get(FitAbsorbed(blocksOf(d, 8192)))(t)
	expect.NearAll(t, "coef", f.Coef(), []float64{1, -1}, 5e-4)
	if got := f.DoFResidual(); got != n-levels-2 {
		t.Errorf("%v degrees of freedom are left", got)
	}
	// The standard error of sigma^2 is sqrt(2/40000) of it.
	expect.Near(t, "sigma2", f.Sigma2(), 1e-4, 4*math.Sqrt(2.0/(n-levels-2)))
}

// What cannot be fitted names the culprit.
func TestAbsorbRefuses(t *testing.T) {
	r := absorbReference(t)
	base := absorbDesign(t, r, false)
	for _, c := range []struct {
		what   string
		change func(d *Design)
		want   error
		says   string
	}{
		{"no levels", func(d *Design) { d.Levels, d.Absorb = nil, "" }, ErrNoData, "y ~ x | zone"},
		{"levels of other rows", func(d *Design) { d.Levels = d.Levels[1:] }, ErrShape, `89 levels of "zone"`},
		{"a term of the levels", func(d *Design) {
			for i, z := range r["zone"] {
				d.X.Set(i, 1, 0.1*z)
			}
		}, ErrConstant, `"x2" does not vary within a level of "zone"`},
		{"aliased terms", func(d *Design) {
			for i, z := range r["zone"] {
				d.X.Set(i, 0, 4*r["x2"][i]+z)
			}
			d.X.SetCol(1, r["x2"])
		}, ErrRankDeficient, "x2"},
		{"NaN", func(d *Design) { d.X.Set(2, 0, math.NaN()) }, ErrNotFinite, "row 3"},
	} {
		d := *base
		d.X, d.Levels = mat.DenseCopyOf(base.X), slices.Clone(base.Levels)
		c.change(&d)
		expect.Error(t, c.what, second(FitAbsorbed(&d)), c.want, c.says)
	}
	f := get(FitAbsorbed(base))(t)
	for what, err := range map[string]error{
		"FitOLS":        second(FitOLS(base, nil)),
		"FitOLS blocks": second(FitOLS(blocksOf(base, 9), nil)),
		"Moments":       second(base.Moments()),
		"HAC":           second(f.Robust(base, HAC)),
	} {
		expect.Error(t, what, err, ErrSetting)
	}
	lone := *base
	lone.X = mat.DenseCopyOf(base.X)
	for i := range lone.Y { // 0 but in one row of a level of many
		lone.X.Set(i, 1, 0)
	}
	lone.X.Set(4, 1, 1)
	alone := get(FitAbsorbed(&lone))(t)
	expect.Error(t, "HC3 of a row with a column of its own", second(alone.Robust(&lone, HC3)), ErrNotEstimable, "row 5", "HC3")
	other := *base
	other.Y = slices.Clone(base.Y)
	other.Y[0] += 50
	expect.Error(t, "other rows", second(f.Robust(&other, HC1)), ErrShape)
	bare := *base
	bare.Levels = nil
	expect.Error(t, "a prediction without levels", second(f.Predict(&bare)), ErrNoData, "zone")
	bare.Levels = slices.Clone(base.Levels)
	bare.Levels[4] = "elsewhere"
	expect.Error(t, "a level that was not seen", second(f.Predict(&bare)), ErrNotEstimable, `"elsewhere"`, "row 5")
}

// A fit with as many parameters as rows has no standard errors.
func TestAbsorbSaturated(t *testing.T) {
	d := get(NewDesign(mat.NewDense(3, 1, []float64{1, 2, 5}), []float64{1, 3, 4}))(t)
	d.Absorb, d.Levels = "g", []string{"a", "a", "b"}
	f := get(FitAbsorbed(d))(t)
	expect.NearAll(t, "coef", f.Coef(), []float64{2}, 1e-12)
	if !math.IsNaN(f.StdErr()[0]) || !math.IsNaN(f.Sigma2()) {
		t.Errorf("standard error %v, sigma2 %v", f.StdErr(), f.Sigma2())
	}
	expect.Error(t, "clustered", second(f.Clustered(d, nil)), ErrSaturated)
}

// The offset is taken from the response, and added to predictions.
func TestAbsorbOffset(t *testing.T) {
	r := absorbReference(t)
	d := absorbDesign(t, r, true)
	want := get(FitAbsorbed(d))(t)
	o := *d
	o.Offset = make([]float64, d.NObs())
	o.Y = slices.Clone(d.Y)
	for i := range o.Offset {
		o.Offset[i] = float64(i)
		o.Y[i] += float64(i)
	}
	f := get(FitAbsorbed(&o))(t)
	expect.NearAll(t, "coef", f.Coef(), want.Coef(), 1e-10)
	got, plain := get(f.Residuals(&o))(t), get(want.Residuals(d))(t)
	for i := range got { // of responses of 500
		if math.Abs(got[i]-plain[i]) > 1e-9 {
			t.Errorf("residual %d is %v with an offset, %v without", i, got[i], plain[i])
		}
	}
	expect.NearAll(t, "clustered", get(f.Clustered(&o, nil))(t).StdErr(), get(want.Clustered(d, nil))(t).StdErr(), 1e-10)
}

// absorbing has the rows of a design in two levels by turns.
func absorbing(d *Design) *Design {
	if d == nil {
		return nil
	}
	sub := *d
	sub.Absorb, sub.Levels = "zone", nil
	for i := range d.NObs() {
		sub.Levels = append(sub.Levels, string(rune('a'+i%2)))
	}
	return &sub
}
