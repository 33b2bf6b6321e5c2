package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
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
	wantError(t, "no function", errorOf(f.Clustered(d, nil)), ErrNoData, "nil")
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

// The Poisson bootstrap by one pass has the standard errors of the theory, the same draws
// for the same keys in any order and any blocks, and counts what fails.
func TestBootstrapBlocks(t *testing.T) {
	d := correlatedDesign(t, 3, 400, 2, 0.6, 1)
	fit := func(data Data) (*OLS, error) { return FitOLS(data, nil) }
	boot := get(BootstrapBlocks(blocksOf(d, 37), fit, rand.NewPCG(1, 2), &PoissonSettings{B: 800}))(t)
	f := get(FitOLS(d, nil))(t)
	robust := get(f.Robust(d, HC0))(t)
	nearAll(t, "estimate", boot.Estimate, f.Coef(), 1e-10)
	for j, se := range robust.StdErr() {
		var mean, ss float64
		for _, v := range boot.Replicates[j] {
			mean += v / 800
		}
		for _, v := range boot.Replicates[j] {
			ss += square(v-mean) / 799
		}
		near(t, "standard error", math.Sqrt(ss), se, 0.12)
	}
	if boot.Kind != PoissonBootstrap || boot.Kind.String() != "Poisson" || boot.N != 400 || len(boot.Names) != 3 {
		t.Errorf("%v of %d rows, %v", boot.Kind, boot.N, boot.Names)
	}
	key := func(block *Design) ([]uint64, error) {
		keys := make([]uint64, block.NObs())
		for i := range keys {
			keys[i] = uint64(block.RowNumber(i))
		}
		return keys, nil
	}
	set := &PoissonSettings{B: 20, Key: key}
	a := get(BootstrapBlocks(d, fit, rand.NewPCG(1, 2), set))(t)
	order := rand.New(rand.NewPCG(7, 7)).Perm(400)
	b := get(BootstrapBlocks(blocksOf(d.Rows(order...), 53), fit, rand.NewPCG(1, 2), set))(t)
	for j := range a.Replicates {
		nearAll(t, "another order", b.Replicates[j], a.Replicates[j], 1e-8)
	}
	get(boot.ConfInt(Percentile, 0.95))(t)
	wantError(t, "BCa", errorOf(boot.ConfInt(BCa, 0.95)), ErrSetting, "influence")
	at := get(BootstrapBlocks(d, fit, rand.NewPCG(1, 2), &PoissonSettings{B: 5, At: d.Rows(0, 1)}))(t)
	if len(at.Estimate) != 2 || len(at.Replicates[1]) != 5 {
		t.Errorf("predictions %v", at.Estimate)
	}
	few := get(BootstrapBlocks(d.Rows(0, 1, 2, 3, 4), fit, rand.NewPCG(1, 2), &PoissonSettings{B: 200}))(t)
	if len(few.Failures) == 0 || len(few.Replicates[0])+few.Failures[0].Count > 200 {
		t.Errorf("failures %v", few.Failures)
	}
	wantError(t, "nil", errorOf(BootstrapBlocks(nil, fit, rand.NewPCG(1, 2), nil)), ErrNoData, "nil")
	wantError(t, "no fit", errorOf(BootstrapBlocks[*OLS](d, nil, rand.NewPCG(1, 2), nil)), ErrNoData, "nil")
	wantError(t, "no source", errorOf(BootstrapBlocks(d, fit, nil, nil)), ErrSetting, "nil")
	wantError(t, "B", errorOf(BootstrapBlocks(d, fit, rand.NewPCG(1, 2), &PoissonSettings{B: 1})), ErrSetting, "B = 1")
	wantError(t, "many", errorOf(BootstrapBlocks(d, fit, rand.NewPCG(1, 2), &PoissonSettings{B: 1 << 40})), ErrTooLarge, "B = 1099511627776", "a smaller B")
	wantError(t, "many sums", errorOf(BootstrapBlocks(d, fit, rand.NewPCG(1, 2), &PoissonSettings{B: 1 << 28})), ErrTooLarge, "of 2 columns")
	wantError(t, "nil fits", errorOf(BootstrapBlocks(d, func(Data) (*OLS, error) { return nil, nil }, rand.NewPCG(1, 2), nil)), ErrNoData, "the fit is nil")
	wantError(t, "keys", errorOf(BootstrapBlocks(d, fit, rand.NewPCG(1, 2), &PoissonSettings{Key: func(*Design) ([]uint64, error) { return nil, nil }})), ErrShape, "0 keys")
}

// The counts are Poisson's with mean 1: the bounds are its probabilities, to the last bits
// of a float64, and the draws of neighbours are independent.
func TestPoissonDraws(t *testing.T) {
	e := precise()
	for k, term := 0, precise().SetInt64(1); k < 200; k++ {
		e.Add(e, term)
		term.Quo(term, precise().SetInt64(int64(k+1)))
	}
	below, p := precise(), precise().Quo(precise().SetInt64(1), e)
	if len(poissonBelow) < 15 {
		t.Fatalf("%d bounds", len(poissonBelow))
	}
	for k, bound := range poissonBelow {
		below.Add(below, p)
		p.Quo(p, precise().SetInt64(int64(k+1)))
		if off := precise().Sub(precise().SetUint64(bound), precise().SetMantExp(below, 64)); math.Abs(nearest(off)) > 0x1p14 {
			t.Errorf("P(at most %d) is %.17g, want %.17g", k, float64(bound)*0x1p-64, nearest(below))
		}
		if got := poisson(bound - 1); got != float64(k) {
			t.Errorf("just below the bound of %d the draw is %v", k, got)
		}
		if got := poisson(bound); got != float64(k+1) {
			t.Errorf("at the bound of %d the draw is %v", k, got)
		}
	}
	const n = 200_000
	for what, other := range map[string]func(i uint64) uint64{
		"another resample": func(i uint64) uint64 { return mixed(3, 8, i) }, "another key": func(i uint64) uint64 { return mixed(3, 7, i+1) },
		"another seed": func(i uint64) uint64 { return mixed(4, 7, i) }, "keys and resamples exchanged": func(i uint64) uint64 { return mixed(3, i, 7) },
	} {
		var sum, squares, cross float64
		for i := range uint64(n) {
			x, y := poisson(mixed(3, 7, i))-1, poisson(other(i))-1
			sum += y
			squares += y * y
			cross += x * y
		}
		for _, v := range []struct {
			name               string
			mean, want, stderr float64
		}{{"mean", sum / n, 0, 1}, {"variance", squares / n, 1, math.Sqrt(3)}, {"correlation", cross / n, 0, 1}} {
			if math.Abs(v.mean-v.want) > 4.5*v.stderr/math.Sqrt(n) {
				t.Errorf("%s: %s %g, want %g", what, v.name, v.mean, v.want)
			}
		}
	}
}
