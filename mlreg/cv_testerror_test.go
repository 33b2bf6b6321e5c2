package mlreg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// classDesign returns rows of two classes, with weights if wanted.
func classDesign(t testing.TB, seed uint64, n int) *Design {
	t.Helper()
	d := randomDesign(t, seed, n, 2)
	rnd := rand.New(rand.NewPCG(seed, 9))
	for i := range d.Y {
		d.Y[i] = 0
		if d.X.At(i, 0)+rnd.NormFloat64() > 0 {
			d.Y[i] = 1
		}
	}
	d.Classes = []string{"no", "yes"}
	return d
}

// The losses, their mean and standard error are what the package computes in other ways
// and what gonum says of a sample.
func TestTestErrorOfNumbers(t *testing.T) {
	train, test := prostate(t)
	fit := get(FitOLS(train, nil))(t)
	r := get(fit.Residuals(test))(t)
	a := get(TestError(fit, test, SquaredLoss))(t)
	n := float64(len(r))
	near(t, "mean", a.Mean, gram.Squares(r)/n, 1e-13)
	near(t, "RMSE", a.RMSE, math.Sqrt(gram.Squares(r)/n), 1e-13)
	near(t, "R2", a.R2, 1-gram.Squares(r)/(n-1)/stat.Variance(test.Y, nil), 1e-12)
	losses := get(RowLosses(fit, test, AbsoluteLoss))(t)
	b := get(TestError(fit, test, AbsoluteLoss))(t)
	mean, sd := stat.MeanStdDev(losses, nil)
	near(t, "absolute", b.Mean, mean, 1e-13)
	near(t, "standard error", b.StdErr, sd/math.Sqrt(n), 1e-12)
	near(t, "half the absolute error", get(TestError(fit, test, QuantileLoss(0.5)))(t).Mean, b.Mean/2, 1e-13)
	q := get(RowLosses(fit, test, QuantileLoss(0.9)))(t)
	for i, v := range r {
		near(t, "quantile loss", q[i], math.Max(0.9*v, -0.1*v), 1e-13)
	}
	near(t, "training R2", get(TestError(fit, train, SquaredLoss))(t).R2, fit.R2(), 1e-12)
	limits := get(b.ConfInt(0.95))(t)
	near(t, "upper limit", limits.Upper, mean+2.0452296421327*sd/math.Sqrt(n), 1e-12) // R: qt(0.975, 29)

	// Whole weights are rows given several times, but for the standard error.
	weighted, rows := *test, []int{}
	weighted.Weights = make([]float64, len(r))
	for i := range r {
		weighted.Weights[i] = float64(i % 3)
		rows = append(rows, slices.Repeat([]int{i}, i%3)...)
	}
	many := get(TestError(fit, test.Rows(rows...), SquaredLoss))(t)
	few := get(TestError(fit, &weighted, SquaredLoss))(t)
	near(t, "weighted mean", few.Mean, many.Mean, 1e-13)
	near(t, "weighted R2", few.R2, many.R2, 1e-13)
	if few.N != 20 {
		t.Errorf("%d rows of positive weight", few.N)
	}
}

func TestTestErrorOfClasses(t *testing.T) {
	train, test := classDesign(t, 1, 80), classDesign(t, 2, 60)
	fit := get(FitLogistic(train, nil))(t)
	zero := get(TestError(fit, test, ZeroOneLoss))(t)
	near(t, "0-1", zero.Mean, get(Confusion(fit, test, 0))(t).ErrorRate(), 1e-13)
	near(t, "accuracy", zero.Accuracy, 1-zero.Mean, 1e-13)
	near(t, "Brier", get(TestError(fit, test, BrierLoss))(t).Mean, get(BrierScore(fit, test))(t), 1e-13)
	p := get(fit.Predict(test))(t)
	losses := get(RowLosses(fit, test, LogLoss))(t)
	for i, y := range test.Y {
		near(t, "log loss", losses[i], DevianceLoss(y, p[i])/2, 1e-12)
	}
	if !math.IsNaN(zero.R2) || !math.IsNaN(zero.RMSE) {
		t.Error("classes have no R2")
	}
	near(t, "log loss of the rows fitted", get(TestError(fit, train, LogLoss))(t).Mean, -fit.LogLik()/80, 1e-12)
}

// The difference is that of the means, its standard error that of the differences, and
// the interval covers the true difference as often as it says.
func TestCompareLosses(t *testing.T) {
	sequential(t)
	train, test := prostate(t)
	a := get(FitOLS(train, nil))(t)
	b := get(FitOLS(get(train.Select("lcavol"))(t), nil))(t)
	c := get(CompareLosses(a, b, test, SquaredLoss))(t)
	la, lb := get(RowLosses(a, test, SquaredLoss))(t), get(RowLosses(b, test, SquaredLoss))(t)
	var diff []float64
	for i := range la {
		diff = append(diff, la[i]-lb[i])
	}
	mean, sd := stat.MeanStdDev(diff, nil)
	near(t, "difference", c.Difference, mean, 1e-12)
	near(t, "standard error", c.StdErr, sd/math.Sqrt(float64(len(diff))), 1e-12)
	near(t, "correlation", c.Correlation, stat.Correlation(la, lb, nil), 1e-10)
	near(t, "t", c.Test().Stat, mean/c.StdErr, 1e-12)
	back := get(CompareLosses(b, a, test, SquaredLoss))(t)
	near(t, "the other way", back.Difference, -c.Difference, 1e-13)
	near(t, "the other way", back.Test().P, c.Test().P, 1e-12)

	weighted := *test
	for i := range test.Y {
		weighted.Weights = append(weighted.Weights, float64(i%4))
	}
	for _, d := range []*Design{test, &weighted} {
		whole, parts := get(CompareLosses(a, b, d, AbsoluteLoss))(t), get(CompareLosses(a, b, blocksOf(d, 7), AbsoluteLoss))(t)
		if parts.N != whole.N || parts.Loss != whole.Loss {
			t.Errorf("by blocks %d rows of %s", parts.N, parts.Loss)
		}
		for what, v := range map[string][2]float64{
			"a": {parts.MeanA, whole.MeanA}, "b": {parts.MeanB, whole.MeanB}, "error of a": {parts.StdErrA, whole.StdErrA}, "error of b": {parts.StdErrB, whole.StdErrB},
			"difference": {parts.Difference, whole.Difference}, "error of it": {parts.StdErr, whole.StdErr}, "correlation": {parts.Correlation, whole.Correlation},
		} {
			near(t, "by blocks: "+what, v[0], v[1], 1e-12)
		}
	}
	wantError(t, "blocks and no fit", errorOf(CompareLosses(a, nil, blocksOf(test, 7), SquaredLoss)), ErrNoData, "fit b")

	// Two fixed predictions of noise: the true difference is bias_a^2 - bias_b^2.
	rnd := rand.New(rand.NewPCG(3, 4))
	covered, unpaired, const1, const2 := 0, 0, 0.6, 0.5
	const studies, n = 2000, 40
	for range studies {
		d := get(NewDesign(nil, make([]float64, n)))(t)
		for i := range n {
			d.Y[i] = rnd.NormFloat64()
		}
		c := get(CompareLosses(constant(const1), constant(const2), d, SquaredLoss))(t)
		limits := get(c.ConfInt(0.9))(t)
		if truth := const1*const1 - const2*const2; limits.Lower <= truth && truth <= limits.Upper {
			covered++
		}
		if math.Hypot(c.StdErrA, c.StdErrB) > 2*c.StdErr {
			unpaired++
		}
	}
	if rate, se := float64(covered)/studies, math.Sqrt(0.9*0.1/studies); math.Abs(rate-0.9) > 4*se {
		t.Errorf("90%% limits cover %v", rate)
	}
	if unpaired < studies*99/100 {
		t.Errorf("pairing helped in %d of %d studies", unpaired, studies)
	}
}

func TestTestErrorBadInput(t *testing.T) {
	d := randomDesign(t, 1, 10, 2)
	ols := get(FitOLS(d, nil))(t)
	classes := classDesign(t, 1, 40)
	logistic := get(FitLogistic(classes, nil))(t)
	none := *d
	none.Y = nil
	nan := *d
	nan.Y = slices.Clone(d.Y)
	nan.Y[3] = math.NaN()
	wantError(t, "no fit", errorOf(TestError(nil, d, SquaredLoss)), ErrNoData, "the fit")
	wantError(t, "typed nil", errorOf(TestError((*OLS)(nil), d, SquaredLoss)), ErrNoData, "the fit")
	wantError(t, "no loss", errorOf(TestError(ols, d, nil)), ErrNoData, "the loss")
	wantError(t, "no rows", errorOf(TestError(ols, nil, SquaredLoss)), ErrNoData, "design")
	wantError(t, "no response", errorOf(TestError(ols, &none, SquaredLoss)), ErrNoData, "response")
	wantError(t, "missing value", errorOf(TestError(ols, &nan, SquaredLoss)), ErrNotFinite, "row 4")
	wantError(t, "number of classes", errorOf(TestError(ols, d, LogLoss)), ErrLabels, "SquaredLoss")
	wantError(t, "classes by number", errorOf(TestError(logistic, classes, SquaredLoss)), ErrLabels, "ZeroOneLoss")
	wantError(t, "other classes", errorOf(TestError(logistic, d, LogLoss)), ErrLabels, "row 1")
	wantError(t, "no fit at all", errorOf(TestError(3, d, SquaredLoss)), ErrSetting, "int")
	wantError(t, "quantile", errorOf(TestError(ols, d, QuantileLoss(1))), ErrSetting, "QuantileLoss(1)")
	wantError(t, "second fit", errorOf(CompareLosses(ols, constant(math.NaN()), d, SquaredLoss)), ErrNotFinite, "fit b")
	one := get(TestError(ols, d.Rows(0), SquaredLoss))(t)
	wantError(t, "one row", errorOf(one.ConfInt(0.9)), ErrSaturated, "one row")
	wantError(t, "level", errorOf(get(TestError(ols, d, SquaredLoss))(t).ConfInt(1)), ErrSetting, "level")
}

// Ten folds train on nine tenths of the rows, and leave-one-out on all but one: each
// estimates the error of a fit to so many rows, which for Gaussian rows is
//
//	E(y - yhat)^2 = sigma^2 (1 + 1/m) (1 + p/(m-p-2))
//
// for m rows. So the tenfold estimate is too high for the fit to all rows, by a
// known amount, and the one of leave-one-out is nearly right.
func TestPessimismOfTenFolds(t *testing.T) {
	repeats(t)
	const n, p, studies = 20, 6, 1500
	expected := func(m float64) float64 { return (1 + 1/m) * (1 + p/(m-p-2)) }
	rnd := rand.New(rand.NewPCG(5, 6))
	var tenfold, loo []float64
	for range studies {
		x := mat.NewDense(n, p, nil)
		y := make([]float64, n)
		for i := range y {
			y[i] = rnd.NormFloat64()
			for j := range p {
				x.Set(i, j, rnd.NormFloat64())
			}
		}
		d := get(NewDesign(x, y))(t)
		folds := get(KFold(n, 10, rand.NewPCG(rnd.Uint64(), 1)))(t)
		cv := get(CrossValidate(d, folds, func(train *Design) ([]*OLS, error) {
			f, err := FitOLS(train, nil)
			return []*OLS{f}, err
		}, nil))(t)
		tenfold = append(tenfold, cv.Mean()[0])
		loo = append(loo, get(LOOMSE(get(FitOLS(d, nil))(t), d))(t))
	}
	for _, c := range []struct {
		name   string
		got    []float64
		wanted float64
	}{{"ten folds", tenfold, expected(n * 9 / 10)}, {"leave-one-out", loo, expected(n - 1)}} {
		mean, sd := stat.MeanStdDev(c.got, nil)
		se := sd / math.Sqrt(studies)
		if math.Abs(mean-c.wanted) > 4*se {
			t.Errorf("%s: %v +- %v, and %v is expected", c.name, mean, se, c.wanted)
		}
		if bias := mean - expected(n); c.name == "ten folds" && bias < 5*se {
			t.Errorf("ten folds are above the error of the fit to all rows by %v +- %v", bias, se)
		}
	}
}

func BenchmarkLeaveOneOut(b *testing.B) {
	train, _ := prostate(b)
	fit := func(train *Design) ([]*OLS, error) {
		f, err := FitOLS(train, nil)
		return []*OLS{f}, err
	}
	for name, folds := range map[string]*Folds{"folds=67": get(LeaveOneOut(67))(b), "folds=10": get(KFold(67, 10, rand.NewPCG(1, 2)))(b)} {
		b.Run(name, func(b *testing.B) {
			for range b.N {
				get(CrossValidate(train, folds, fit, nil))(b)
			}
		})
	}
	b.Run("closed form", func(b *testing.B) {
		for range b.N {
			get(LOOMSE(get(FitOLS(train, nil))(b), train))(b)
		}
	})
}

// Equal responses have no variance to explain, whatever the rounding of their mean is.
func TestTestErrorOfEqualResponses(t *testing.T) {
	d := randomDesign(t, 1, 40, 2)
	fit := get(FitOLS(d, nil))(t)
	d.Y = slices.Repeat([]float64{0.1}, 40)
	if a := get(TestError(fit, d, SquaredLoss))(t); !math.IsNaN(a.R2) {
		t.Errorf("R2 %v", a.R2)
	}
}
