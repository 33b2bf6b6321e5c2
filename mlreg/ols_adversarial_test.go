package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
)

// adversarialDesign returns a small design of columns that are hard to fit: of
// few values, constant, a part in 1e8 from a constant or from each other, copies,
// of a mean 1e15 times their spread, of sizes from 1e-300 to 1e300, at either end
// of float64; with weights likewise, repeated rows, more terms than rows.
func adversarialDesign(seed uint64) *Design {
	rnd := rand.New(rand.NewPCG(seed, 99))
	values := []func() float64{
		rnd.NormFloat64, rnd.NormFloat64,
		func() float64 { return 0 },
		func() float64 { return 4 },
		func() float64 { return float64(rnd.IntN(3) - 1) },
		func() float64 { return 1 + 1e-8*rnd.NormFloat64() },
		func() float64 { return 1e15 + float64(rnd.IntN(5)) },
		func() float64 { return rnd.NormFloat64() * math.Pow(10, float64(rnd.IntN(600)-300)) },
		func() float64 { return float64(rnd.IntN(3)) * math.SmallestNonzeroFloat64 },
		func() float64 { return float64(rnd.IntN(3)-1) * math.MaxFloat64 },
	}
	n, p := []int{1, 2, 3, 5, 10, 25}[rnd.IntN(6)], []int{1, 2, 3, 5, 12}[rnd.IntN(5)]
	d := &Design{X: mat.NewDense(n, p, nil), Y: make([]float64, n), Response: "y", NoIntercept: rnd.IntN(4) == 0}
	fill := func(v []float64) {
		value := values[rnd.IntN(len(values))]
		for i := range v {
			v[i] = value()
		}
	}
	column := make([]float64, n)
	for j := range p {
		if copied := rnd.IntN(8); copied > 1 || j == 0 {
			fill(column)
		} else if copied == 1 {
			for i := range column {
				column[i] *= 1 + 1e-8*rnd.NormFloat64()
			}
		}
		d.X.SetCol(j, column)
		d.Names = append(d.Names, fmt.Sprint("x", j+1))
	}
	if rnd.IntN(5) == 0 {
		for i := range n / 2 {
			d.X.SetRow(n-1-i, d.X.RawRowView(i))
		}
	}
	fill(d.Y)
	if size := rnd.IntN(6); size < 3 {
		for range n {
			d.Weights = append(d.Weights, float64(rnd.IntN(4))*[]float64{1, math.SmallestNonzeroFloat64, math.Pow(10, float64(rnd.IntN(40)-20))}[size])
		}
	}
	return d
}

// Whatever the data, a fit is finite or an error of a known kind that is no
// non-convergence in disguise; nothing panics.
func TestAdversarialData(t *testing.T) {
	known := []error{
		ErrNoData, ErrNotFinite, ErrConstant, ErrRankDeficient, ErrSetting, ErrLabels, ErrSeparated, ErrSaturated, ErrNotEstimable,
		ErrNotConverged, ErrPerfectFit, ErrNotPositiveDefinite, ErrBoundary,
	}
	type fit interface{ Coef() []float64 }
	for seed := range uint64(250) {
		d := adversarialDesign(seed)
		labels := *d
		labels.Y = make([]float64, len(d.Y))
		for i := range labels.Y {
			labels.Y[i] = float64(i % 2)
		}
		check := func(name string, f fit, err error) {
			t.Helper()
			if err != nil {
				for _, kind := range known {
					if errors.Is(err, kind) {
						return
					}
				}
				t.Errorf("seed %d: %s: %v", seed, name, err)
				return
			}
			numbers := f.Coef()
			if s, ok := f.(interface{ RSS() float64 }); ok {
				numbers = append(numbers, s.RSS())
			}
			if s, ok := f.(interface{ DoF() float64 }); ok {
				numbers = append(numbers, s.DoF())
			}
			if err := args.Finite("the fit", numbers); err != nil {
				t.Errorf("seed %d: %s: %v", seed, name, err)
			}
		}
		ols, err := FitOLS(d, nil)
		check("OLS", ols, err)
		if err == nil {
			h, err := ols.Leverage(d)
			if err != nil || floats.Max(h) > 1+1e-4 || !(floats.Min(h) >= 0) {
				t.Errorf("seed %d: leverages %v, %v", seed, h, err)
			}
			if ols.DoFResidual() > 0 {
				if _, err := ols.Influence(d); err != nil {
					t.Errorf("seed %d: %v", seed, err)
				}
			}
		}
		minimum, err := FitOLS(d, &OLSSettings{Aliased: MinimumNorm})
		check("minimum norm", minimum, err)
		if dropped, err := FitOLS(d, &OLSSettings{Aliased: DropAliased}); err == nil && dropped.DoFResidual() > 0 {
			get(dropped.DFBETA(d))(t)
		}
		for _, lambda := range []float64{1e-10, 1} {
			ridge, err := FitRidge(d, lambda, nil)
			check("ridge", ridge, err)
			lasso, err := FitLasso(d, lambda, nil)
			check("lasso", lasso, err)
		}
		for _, noise := range []Noise{KnownVariance(1), InverseGamma{}} {
			bayes, err := FitBayes(d, GaussianPrior{Tau2: 1e10}, noise, nil)
			check("Bayes", bayes, err)
		}
		if e, err := EnumerateModels(d, BICScore{Sigma2: 1}, &EnumerateSettings{Average: true}); err != nil {
			check("enumeration", nil, err)
		} else {
			average := get(e.ModelAverage())(t)
			check("model average", average, nil)
			near(t, fmt.Sprint("seed ", seed, ": sum of the probabilities of sizes"), floats.Sum(e.SizeProb()), 1, 1e-9)
		}
		logistic, err := FitLogistic(&labels, &LogisticSettings{L2: 1e-8})
		check("logistic", logistic, err)
		multinomial, err := FitMultinomial(&labels, &MultinomialSettings{L2: 1})
		check("multinomial", multinomial, err)
	}
}

// A response whose spread is a few roundings of its mean has the sum of squares,
// leverages and influence that it has about zero; a constant one explains nothing.
func TestLargeMeanOfResponse(t *testing.T) {
	x := mat.NewDense(6, 1, []float64{1, 2, 4, 5, 7, 11})
	small := get(NewDesign(x, []float64{0, 1, 1, 3, 2, 5}))(t)
	large := get(NewDesign(x, nil))(t)
	for _, y := range small.Y {
		large.Y = append(large.Y, 1e15+y)
	}
	for _, weights := range [][]float64{nil, {1, 2, 0.5, 1, 3, 1}} {
		small.Weights, large.Weights = weights, weights
		want, got := get(FitOLS(small, nil))(t), get(FitOLS(large, nil))(t)
		near(t, "TSS", got.TSS(), want.TSS(), 1e-13)
		near(t, "R2", got.R2(), want.R2(), 1e-13)
		nearAll(t, "Cook's distance", get(got.CooksDistance(large))(t), get(want.CooksDistance(small))(t), 1e-12)
	}
	floats.AddConst(0.1-small.Y[0], small.Y)
	for i := range small.Y {
		small.Y[i] = 0.1
	}
	constant := get(FitOLS(small, nil))(t)
	if constant.TSS() != 0 || !math.IsNaN(constant.R2()) || !math.IsNaN(constant.F().Stat) {
		t.Errorf("constant response: TSS %g, R2 %g, F %v", constant.TSS(), constant.R2(), constant.F())
	}
}

// Rows of weight zero may hold anything.
func TestRowsOfWeightZero(t *testing.T) {
	d := randomDesign(t, 5, 20, 3)
	for i := range 20 {
		d.X.Set(i, 2, d.X.At(i, 0)-d.X.At(i, 1))
		d.Weights = append(d.Weights, 1)
	}
	want := get(FitOLS(d, &OLSSettings{Aliased: MinimumNorm}))(t)
	more := d.Rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 0)
	more.Weights[20], more.Y[20] = 0, math.Inf(1)
	more.X.Set(20, 1, math.NaN())
	sameOLS(t, get(FitOLS(more, &OLSSettings{Aliased: MinimumNorm}))(t), want, 1e-12)
	far := more.Rows(20)
	far.Y = nil
	far.X.SetRow(0, []float64{1e300, 1e300, 0})
	if h := get(want.Leverage(far))(t); h[0] != 0 {
		t.Errorf("the leverage of a row of weight zero is %v", h[0])
	}
	two := get(more.Select("x1", "x2"))(t)
	sameOLS(t, get(FitOLS(two, nil))(t), get(FitOLS(get(d.Select("x1", "x2"))(t), nil))(t), 1e-12)
}

// The minimum-norm solution takes columns that do not vary for what they are, not
// for the rounding of their means.
func TestMinimumNormOfConstants(t *testing.T) {
	x := mat.NewDense(6, 3, nil)
	for i := range 6 {
		x.SetRow(i, []float64{0.1, 1e9 + 0.3, float64(i)})
	}
	d := get(NewDesign(x, []float64{1, 3, 2, 5, 4, 7}))(t)
	d.Weights = []float64{0.3, 0.7, 0.1, 0.9, 0.4, 0.6}
	f := get(FitOLS(d, &OLSSettings{Aliased: MinimumNorm}))(t)
	want := get(FitOLS(get(d.Select("x3"))(t), nil))(t)
	if f.DoF() != 2 {
		t.Errorf("rank %v", f.DoF())
	}
	nearAll(t, "slopes", f.Slopes(), []float64{0, 0, want.Slopes()[0]}, 1e-12)
	both := get(d.Select("x1", "x2"))(t)
	if f = get(FitOLS(both, &OLSSettings{Aliased: MinimumNorm}))(t); f.DoF() != 1 || floats.Norm(f.Slopes(), 2) != 0 {
		t.Errorf("constants alone: rank %v, slopes %v", f.DoF(), f.Slopes())
	}
}

// Settings and data that no float64 can serve are errors that say what to rescale.
func TestExtremesAreErrors(t *testing.T) {
	d := randomDesign(t, 6, 12, 2)
	with := func(change func(d *Design)) *Design {
		c := d.Rows(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
		change(c)
		return c
	}
	column := func(scale float64) *Design {
		return with(func(c *Design) {
			for i := range 12 {
				c.X.Set(i, 1, scale*c.X.At(i, 1))
			}
		})
	}
	response := func(scale float64) *Design { return with(func(c *Design) { floats.Scale(scale, c.Y) }) }
	one := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"least squares, tiny term":    one(FitOLS(column(1e-310), nil)),
		"least squares, huge term":    one(FitOLS(column(1e307), nil)),
		"standardization":             one(column(1e307).Standardize(nil)),
		"ridge, tiny beside huge":     one(FitRidge(column(1e-200), 1, nil)),
		"ridge, huge term":            one(FitRidge(column(1e200), 1, nil)),
		"lasso, huge response":        one(FitLasso(response(1e200), 1, nil)),
		"lasso, tiny response":        one(FitLasso(response(1e-200), 1, nil)),
		"Bayes, more terms than rows": one(FitBayes(column(1e200).Rows(0), GaussianPrior{Tau2: 1}, KnownVariance(1), nil)),
		"enumeration":                 one(EnumerateModels(response(1e140), BICScore{Sigma2: 1e-200}, nil)),
		"multinomial, tiny term": one(FitMultinomial(with(func(c *Design) {
			for i := range 12 {
				c.Y[i] = float64(i % 3)
				c.X.Set(i, 1, float64(i%2)*math.SmallestNonzeroFloat64)
			}
		}), &MultinomialSettings{L2: 1})),
	} {
		wantError(t, name, err, ErrNotFinite)
	}
	_, _, err := FromGlmnet(response(1e300), 1, 0.5)
	wantError(t, "glmnet's units", err, ErrNotFinite, `"y"`)

	nan := with(func(c *Design) {
		for i := range 12 {
			c.Y[i] = float64(i % 2)
		}
		c.X.Set(11, 1, math.NaN())
		c.NoIntercept = true
	})
	_, err = FitBayesLogistic(nan, GaussianPrior{Tau2: 1}, nil)
	wantError(t, "a NaN in the last row", err, ErrNotFinite, `"x2" is NaN in row 12`)

	nothing := &Design{X: mat.NewDense(3, 2, nil), Y: []float64{1, 2, 4}, Names: []string{"a", "b"}, NoIntercept: true}
	f := get(FitOLS(nothing, &OLSSettings{Aliased: DropAliased}))(t)
	if h := get(f.Leverage(nothing))(t); floats.Norm(h, 1) != 0 || !math.IsNaN(get(f.DFBETA(nothing))(t).At(2, 1)) {
		t.Errorf("terms of zeros: leverages %v", h)
	}
}
