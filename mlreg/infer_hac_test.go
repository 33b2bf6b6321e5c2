package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// autoregressive returns n values of an autoregression of one lag with standard normal noise.
func autoregressive(src *rand.Rand, n int, coef float64) []float64 {
	x := make([]float64, n+200)
	for i := range x {
		x[i] = src.NormFloat64()
		if i > 0 {
			x[i] += coef * x[i-1]
		}
	}
	return x[200:]
}

// HAC counts distances by row numbers: omitted rows keep their time.
func TestHACKeepsTime(t *testing.T) {
	src := rand.New(rand.NewPCG(10, 21))
	n := 80
	y, x := make([]float64, n), mat.NewDense(n, 2, nil)
	noise := autoregressive(src, n, 0.7)
	for i := range n {
		x.Set(i, 0, src.NormFloat64())
		x.Set(i, 1, math.Sin(float64(i)/5))
		y[i] = 1 + x.At(i, 0) + noise[i]
	}
	d := get(NewDesign(x, y))(t)
	var keep []int
	for i := range n {
		if i%7 != 3 && (i < 30 || i > 40) {
			keep = append(keep, i)
		}
	}
	d = d.Rows(keep...)
	fit := get(FitOLS(d, nil))(t)
	for _, lags := range []int{1, 3, 12} {
		// By the definition, pair by pair.
		r := get(fit.Residuals(d))(t)
		k := 3
		m, g := mat.NewSymDense(k, nil), mat.NewSymDense(k, nil)
		row := func(i int) []float64 { return append([]float64{1}, d.X.RawRowView(i)...) }
		for i := range keep {
			for j := range keep {
				w := 1 - math.Abs(float64(keep[i]-keep[j]))/float64(lags+1)
				for a := range k {
					for b := a; b < k; b++ {
						if i == j {
							g.SetSym(a, b, g.At(a, b)+row(i)[a]*row(i)[b])
						}
						if w > 0 {
							m.SetSym(a, b, m.At(a, b)+w*r[i]*r[j]*row(i)[a]*row(j)[b])
						}
					}
				}
			}
		}
		var inverse, half, v mat.Dense
		if err := inverse.Inverse(g); err != nil {
			t.Fatal(err)
		}
		// m was filled above the diagonal from ordered pairs; it is symmetric as a sum.
		half.Mul(&inverse, m)
		v.Mul(&half, &inverse)
		got := get(fit.HAC(d, &HACSettings{Lags: lags}))(t).VCov()
		for a := range k {
			near(t, "variance", got.At(a, a), v.At(a, a), 1e-8)
		}
	}
	prewhitenedWithGaps(t, fit, d, keep)
	thousand := randomDesign(t, 3, 1000, 2)
	if lags := get(fitted(t, thousand, nil).HAC(thousand, nil))(t).Lags(); lags != 6 {
		t.Errorf("%d lags of 1000 rows, want floor(4 10^(2/9)) = 6", lags)
	}
	automatic := get(fit.HAC(d, nil))(t)
	if automatic.Lags() != 3 {
		t.Errorf("%d lags for %d rows", automatic.Lags(), len(keep))
	}
	wantError(t, "lags", errorOf(fit.HAC(d, &HACSettings{Lags: 500})), ErrSetting, "500")
	back := get(NewDesign(x, y))(t).Rows(3, 2, 1, 0, 7, 8, 9)
	wantError(t, "order", errorOf(get(FitOLS(back, nil))(t).HAC(back, &HACSettings{Lags: 1})), ErrShape, "row 3 comes after row 4")
}

// prewhitenedWithGaps holds prewhitened scores to the definition, in the coordinates of the
// columns and pair by pair: a row after a gap is none of the autoregression's responses.
func prewhitenedWithGaps(t *testing.T, fit *OLS, d *Design, number []int) {
	t.Helper()
	const k, lags = 3, 2
	r := get(fit.Residuals(d))(t)
	var follow []int
	a, scores := mat.NewDense(len(r), k, nil), mat.NewDense(len(r), k, nil)
	for i, v := range r {
		a.SetRow(i, append([]float64{1}, d.X.RawRowView(i)...))
		for j := range k {
			scores.Set(i, j, v*a.At(i, j))
		}
		if i > 0 && number[i] == number[i-1]+1 {
			follow = append(follow, i)
		}
	}
	var xx, xy, left mat.Dense
	before, now := mat.NewDense(len(follow), k, nil), mat.NewDense(len(follow), k, nil)
	for row, i := range follow {
		before.SetRow(row, scores.RawRowView(i-1))
		now.SetRow(row, scores.RawRowView(i))
	}
	xx.Mul(before.T(), before)
	xy.Mul(before.T(), now)
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var coef, predicted, back, bread, root, v mat.Dense
	must(coef.Solve(&xx, &xy))
	predicted.Mul(before, &coef)
	now.Sub(now, &predicted)
	left.Sub(mat.NewDiagDense(k, []float64{1, 1, 1}), coef.T())
	must(back.Inverse(&left))
	sum := mat.NewDense(k, k, nil)
	for row, i := range follow {
		for other, j := range follow {
			if w := 1 - math.Abs(float64(number[i]-number[j]))/(lags+1); w > 0 {
				var pair mat.Dense
				pair.Outer(w, now.RowView(row), now.RowView(other))
				sum.Add(sum, &pair)
			}
		}
	}
	xx.Mul(a.T(), a)
	must(bread.Inverse(&xx))
	root.Mul(&bread, &back)
	v.Product(&root, sum, root.T())
	got := get(fit.HAC(d, &HACSettings{Lags: lags, Prewhiten: true}))(t).VCov()
	for i := range k {
		for j := range k {
			near(t, "prewhitened covariance", got.At(i, j), v.At(i, j), 1e-8)
		}
	}
	wantError(t, "both", errorOf(fit.HAC(d, &HACSettings{Lags: 2, Automatic: true})), ErrSetting, "choose one")
	nothing := d.WithResponse("zeros", make([]float64, len(r)))
	wantError(t, "zeros", errorOf(get(FitOLS(nothing, nil))(t).HAC(nothing, &HACSettings{Automatic: true})), ErrNotEstimable, "sum to 0")
	most := 0 // lags from few data, of which there are not more than rows
	for seed := range uint64(50) {
		y := autoregressive(rand.New(rand.NewPCG(seed, 21)), 8, 0.9)
		few := get(NewDesign(mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 9}), y))(t)
		most = max(most, get(get(FitOLS(few, nil))(t).HAC(few, &HACSettings{Automatic: true}))(t).Lags())
	}
	if most != 7 {
		t.Errorf("%d lags of 8 rows", most)
	}
	twice := &mat.Dense{} // an aliased term changes nothing for the others
	twice.Augment(d.X, d.X.ColView(0))
	copied := get(NewDesign(twice, d.Y))(t)
	copied.RowNumbers = d.RowNumbers
	automatic := &HACSettings{Automatic: true, Prewhiten: true}
	want := get(fit.HAC(d, automatic))(t)
	aliased := get(get(FitOLS(copied, &OLSSettings{Aliased: DropAliased}))(t).HAC(copied, automatic))(t)
	if aliased.Lags() != want.Lags() {
		t.Errorf("%d lags with an aliased term, want %d", aliased.Lags(), want.Lags())
	}
	nearAll(t, "with an aliased term", aliased.StdErr()[:k], want.StdErr(), 1e-10)
	some := d.Rows(0, 1, 2, 3, 4)
	wantError(t, "few", errorOf(get(FitOLS(some, nil))(t).HAC(some, &HACSettings{Prewhiten: true})), ErrNotEstimable, "3 scores")
}

// Autoregressions of deaths have the standard errors of sandwich: prewhitened scores, and lags from the data, to sandwich's: of all terms, of
// the mean alone, and of no intercept.
func TestHACAgainstSandwich(t *testing.T) {
	var r map[string][]float64
	readJSON(t, "hac.json", &r)
	const lags = 3
	m, f := r["m"], r["f"]
	var names []string
	x := mat.NewDense(len(m)-lags, 2*lags, nil)
	for lag := 1; lag <= lags; lag++ {
		x.SetCol(lag-1, m[lags-lag:len(m)-lag])
		x.SetCol(lags+lag-1, f[lags-lag:len(f)-lag])
	}
	for _, channel := range []string{"m", "f"} {
		for lag := 1; lag <= lags; lag++ {
			names = append(names, fmt.Sprintf("lag(%s, %d)", channel, lag))
		}
	}
	d := get(NewDesign(x, m[lags:], names...))(t)
	mean := get(d.Select())(t)
	own := get(d.Select("lag(m, 1)", "lag(m, 2)", "lag(m, 3)"))(t)
	own.NoIntercept = true
	nearAll(t, "prewhitened", get(get(FitOLS(d, nil))(t).HAC(d, &HACSettings{Lags: 4, Prewhiten: true, Correct: true}))(t).StdErr(), r["nw_white4"], 1e-8)
	for k, c := range []struct {
		d         *Design
		prewhiten bool
		se        []float64
	}{
		{d, true, r["nw_default"]}, {d, false, r["nw_auto"]},
		{mean, true, r["nw_mean"][:1]}, {mean, false, r["nw_mean"][1:]}, {own, true, r["nw_origin"]},
	} {
		fit := get(FitOLS(c.d, nil))(t)
		scores, m := fit.scores(get(fit.fittedRows(c.d))(t)), 3
		if c.prewhiten {
			var err error
			if scores, _, err = scores.whitened(); err != nil {
				t.Fatal(err)
			}
			m = 2
		}
		near(t, "bandwidth", get(scores.bandwidth(fit.sumOfSlopes(), m, c.d.NObs()))(t), r["nw_lags"][k], 1e-8)
		hac := get(fit.HAC(c.d, &HACSettings{Automatic: true, Prewhiten: c.prewhiten}))(t)
		if hac.Lags() != int(r["nw_lags"][k]) || hac.Prewhitened() != c.prewhiten {
			t.Errorf("case %d: %d lags, want %v", k, hac.Lags(), r["nw_lags"][k])
		}
		nearAll(t, "Newey-West by sandwich's defaults", hac.StdErr(), c.se, 1e-8)
	}
}

// Scores of many columns with zeros leave the residuals of the autoregression that solves its normal equations.
func TestWhitenedSparseScores(t *testing.T) {
	const n, k = 300, 40
	z := sparseDesign(t, n, k).X
	series := &scoreSeries{z, func(i int) int { return i }}
	rest, back, err := series.whitened()
	if err != nil {
		t.Fatal(err)
	}
	before, now := z.Slice(0, n-1, 0, k), mat.DenseCopyOf(z.Slice(1, n, 0, k))
	var a, products, predicted, unit mat.Dense // a is A'
	products.Mul(before.T(), now)
	a.Mul(inverseBeside(t, before, 0), &products)
	predicted.Mul(before, &a)
	now.Sub(now, &predicted)
	for i := range n - 1 {
		nearAll(t, "residuals", rest.z.RawRowView(i), now.RawRowView(i), 1e-10)
	}
	unit.Mul(back, a.T())
	unit.Sub(back, &unit) // (I - A)^-1 (I - A)
	for i := range k {
		for j := range k {
			near(t, "inverse", unit.At(i, j), map[bool]float64{true: 1}[i == j], 1e-10)
		}
	}
	for i := range n {
		z.Set(i, 3, 0)
	}
	_, _, err = series.whitened()
	wantError(t, "a score of zeros", err, ErrNotEstimable, "no autoregression")
}
