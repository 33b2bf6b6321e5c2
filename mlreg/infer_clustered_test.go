package mlreg

import (
	"fmt"
	"math"
	"testing"
)

// Robust and clustered errors by passes are those of rows in memory.
func TestSandwichByPasses(t *testing.T) {
	d := correlatedDesign(t, 3, 90, 3, 0.6, 1)
	for i := range d.NObs() {
		d.X.Set(i, 1, 1e6+d.X.At(i, 1))
		d.Weights = append(d.Weights, float64(1+i%3))
	}
	for _, scaled := range []bool{false, true} {
		of := d
		if scaled {
			of = get(d.Standardize(nil))(t)
		}
		f := get(FitOLS(of, nil))(t)
		for hc := HC0; hc <= HC3; hc++ {
			want := get(f.Robust(of, hc))(t)
			got := get(f.Robust(blocksOf(d, 13), hc))(t)
			nearAll(t, hc.String(), got.StdErr(), want.StdErr(), 1e-8)
		}
	}
	f := get(FitOLS(d, nil))(t)
	wantError(t, "other rows", errorOf(f.Robust(blocksOf(d.Rows(sequence(80)...), 9), HC1)), ErrShape, "80 rows")
	wantError(t, "nil", errorOf(f.Robust(nil, HC1)), ErrNoData, "nil")
}

// Every row a cluster is HC0 with the correction of clusters, and clusters of rows are the
// sum of squares of their scores, whatever the blocks are.
func TestClustered(t *testing.T) {
	d := correlatedDesign(t, 3, 60, 2, 0.6, 1)
	f := get(FitOLS(d, nil))(t)
	own := func(block *Design) ([]string, error) { return block.RowNames(), nil }
	single := get(f.Clustered(d, own))(t)
	want := get(f.Robust(d, HC0))(t)
	factor := math.Sqrt(60. / 59 * 59 / 57)
	for j, se := range want.StdErr() {
		near(t, "rows are clusters", single.StdErr()[j], se*factor, 1e-12)
	}
	if single.InferenceDoF() != 59 || single.HC() != Clusters || single.HC().String() != "clustered" {
		t.Errorf("%v degrees of freedom, %v", single.InferenceDoF(), single.HC())
	}
	by := func(block *Design) ([]string, error) {
		names := make([]string, block.NObs())
		for i := range names {
			names[i] = fmt.Sprint(block.RowNumber(i) % 7)
		}
		return names, nil
	}
	whole, parts := get(f.Clustered(d, by))(t), get(f.Clustered(blocksOf(d, 11), by))(t)
	nearAll(t, "blocks", parts.StdErr(), whole.StdErr(), 1e-10)
	// By hand, with one column about its mean.
	one := get(d.Select("x1"))(t)
	g := get(FitOLS(one, nil))(t)
	r := get(g.Residuals(one))(t)
	var mean, ss float64
	for i := range 60 {
		mean += one.X.At(i, 0) / 60
	}
	sums := map[int]float64{}
	for i := range 60 {
		e := one.X.At(i, 0) - mean
		ss += e * e
		sums[(i+1)%7] += e * r[i]
	}
	var meat float64
	for _, v := range sums {
		meat += v * v
	}
	near(t, "by hand", get(g.Clustered(one, by))(t).StdErr()[1], math.Sqrt(7./6*59/58*meat)/ss, 1e-10)
	wantError(t, "one cluster", errorOf(f.Clustered(d, func(b *Design) ([]string, error) { return make([]string, b.NObs()), nil })), ErrSetting, "one cluster")
	wantError(t, "names", errorOf(f.Clustered(d, func(b *Design) ([]string, error) { return nil, nil })), ErrShape, "0 names")
	wantError(t, "no clusters", errorOf(f.Clustered(d, nil)), ErrNoData, "no clusters")
}

// Test errors and their comparison by a pass are those of rows in memory.
func TestErrorsByPasses(t *testing.T) {
	d := correlatedDesign(t, 3, 90, 3, 0.6, 1)
	for i := range d.NObs() {
		d.Weights = append(d.Weights, float64(i%4))
		d.Y[i] += 1e5
	}
	fits := []NamedFit{{Fit: get(FitOLS(d, nil))(t), Name: "all"}, {Fit: get(FitRidge(d, 9, nil))(t)}}
	for _, loss := range []Loss{SquaredLoss, AbsoluteLoss} {
		want, got := get(TestError(fits[0].Fit, d, loss))(t), get(TestError(fits[0].Fit, blocksOf(d, 7), loss))(t)
		nearAll(t, "test error", []float64{got.Mean, got.StdErr, got.RMSE, got.R2, float64(got.N)}, []float64{want.Mean, want.StdErr, want.RMSE, want.R2, float64(want.N)}, 1e-9)
	}
	want, got := get(CompareErrors(d, fits))(t), get(CompareErrors(blocksOf(d, 7), fits))(t)
	for k := range want {
		nearAll(t, "comparison", []float64{got[k].MSE, got[k].StdErr, got[k].Difference, got[k].DifferenceErr}, []float64{want[k].MSE, want[k].StdErr, want[k].Difference, want[k].DifferenceErr}, 1e-9)
		if got[k].Name != want[k].Name {
			t.Errorf("%q, want %q", got[k].Name, want[k].Name)
		}
	}
	b := binaryDesign(200, true)
	logit := get(FitLogistic(b, nil))(t)
	a, c := get(TestError(logit, b, LogLoss))(t), get(TestError(logit, blocksOf(b, 31), LogLoss))(t)
	nearAll(t, "classes", []float64{c.Mean, c.StdErr, c.Accuracy}, []float64{a.Mean, a.StdErr, a.Accuracy}, 1e-9)
	wantError(t, "no block", errorOf(TestError(logit, RowBlocksFunc(func(func(*Design) error) error { return nil }), LogLoss)), ErrNoData, "no block")
	wantError(t, "nil rows", errorOf(TestError(logit, nil, LogLoss)), ErrNoData, "nil")
	wantError(t, "nil fit", errorOf(TestError(nil, blocksOf(b, 31), LogLoss)), ErrNoData, "nil")
	wantError(t, "no prediction", errorOf(CompareErrors(blocksOf(b, 31), []NamedFit{{Fit: 3}})), ErrSetting, "does not predict")
}
