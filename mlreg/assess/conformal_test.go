package assess

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Of n+1 different numbers, each in turn the new one, split conformal limits hold k/(n+1)
// exactly, and what is guaranteed is that.
func TestSplitConformalIsExact(t *testing.T) {
	y := []float64{0.3, -1.2, 2.5, 0.9, -0.4, 3.1, 1.7, -2.2, 0.1, 4.6, -3.3, 1.1}
	for _, level := range []float64{0.5, 0.7, 0.8, 0.9, 0.95} {
		held := 0
		var band *ConformalBand
		for i := range y {
			rest := slices.Delete(slices.Clone(y), i, i+1)
			band = fatal.On(SplitConformal(constant(0.02), sample(t, rest...), sample(t, y[i]), level, nil))(t)
			if band.Lower[0] <= y[i] && y[i] <= band.Upper[0] {
				held++
			}
		}
		if k := int(math.Ceil(level*12 - 1e-9)); held != k || band.Guaranteed != float64(k)/12 || level > 0.93 != math.IsInf(band.Upper[0], 1) {
			t.Errorf("level %v: %d of 12 held, %v", level, held, band)
		}
	}
}

// The closed form is the definition, by as many fits as there are rows.
func TestJackknifePlusIsLeaveOneOut(t *testing.T) {
	train, test := rows.Prostate(t)
	plain, scaled := train, fatal.On(train.Standardize(nil))(t)
	bare := *train
	bare.NoIntercept = true
	same := *train
	same.Weights = slices.Repeat([]float64{4}, 67)
	ols := func(d *mlreg.Design) (mlreg.LinearSmoother, error) { return mlreg.FitOLS(d, nil) }
	ridge := func(d *mlreg.Design) (mlreg.LinearSmoother, error) { return mlreg.FitRidge(d, 20, nil) }
	factors := func(d *mlreg.Design) (mlreg.LinearSmoother, error) {
		return mlreg.FitRidge(d, 20, &mlreg.RidgeSettings{PenaltyFactor: []float64{1, 2, 3, 4, 1, 1, 0.5, 9}})
	}
	wide := rows.Random(t, 2, 15, 30)
	for name, c := range map[string]struct {
		d, new *mlreg.Design
		fit    func(*mlreg.Design) (mlreg.LinearSmoother, error)
	}{
		"least squares": {plain, test, ols}, "scaled": {scaled, test, ols}, "no intercept": {&bare, test, ols}, "equal weights": {&same, test, ols},
		"ridge": {plain, test, ridge}, "ridge, scaled": {scaled, test, ridge}, "ridge, no intercept": {&bare, test, ridge}, "ridge, equal weights": {&same, test, ridge},
		"ridge, factors": {plain, test, factors}, "more terms than rows": {wide, rows.Random(t, 3, 5, 30), ridge},
	} {
		fit := fatal.On(c.fit(c.d))(t)
		loo := fatal.On(mlreg.LeaveOneOut(c.d.NObs()))(t)
		for _, level := range []float64{0.5, 0.8, 0.9} {
			got := fatal.On(JackknifePlus(fit, c.d, c.new, level))(t)
			want := fatal.On(CVPlus(c.d, loo, func(d *mlreg.Design) (mlreg.Predictor, error) {
				f, err := c.fit(d)
				if err != nil {
					return nil, err
				}
				return f.(mlreg.Predictor), nil
			}, c.new, level))(t)
			expect.NearAll(t, name+" lower", got.Lower, want.Lower, 1e-8)
			expect.NearAll(t, name+" upper", got.Upper, want.Upper, 1e-8)
			expect.NearAll(t, name+" fitted", got.Fitted, fatal.On(fit.(mlreg.Predictor).Predict(c.new))(t), 1e-10)
			if got.Guaranteed != 2*level-1 || got.Guaranteed != want.Guaranteed || got.Method != want.Method {
				t.Errorf("%s: %v and %v", name, got.Guaranteed, want.Guaranteed)
			}
		}
	}
}

// CV+ is the definition, by loops.
func TestCVPlus(t *testing.T) {
	d, new := rows.Random(t, 1, 24, 2), rows.Random(t, 2, 3, 2)
	folds := fatal.On(mlreg.KFold(24, 4, rand.NewPCG(1, 2)))(t)
	got := fatal.On(CVPlus(d, folds, func(d *mlreg.Design) (*mlreg.OLS, error) { return mlreg.FitOLS(d, nil) }, new, 0.8))(t)
	for j := range 3 {
		var low, high []float64
		for i, k := range folds.Assignment() {
			f := fatal.On(mlreg.FitOLS(d.Rows(folds.Train(k)...), nil))(t)
			r := math.Abs(d.Y[i] - fatal.On(f.Predict(d.Rows(i)))(t)[0])
			at := fatal.On(f.Predict(new.Rows(j)))(t)[0]
			low, high = append(low, at-r), append(high, at+r)
		}
		slices.Sort(low)
		slices.Sort(high)
		expect.Near(t, "lower", got.Lower[j], low[4], 1e-12)   // floor(0.2 * 25) = 5th
		expect.Near(t, "upper", got.Upper[j], high[19], 1e-12) // ceil(0.8 * 25) = 20th
	}
	expect.Near(t, "guaranteed", got.Guaranteed, 0.6-math.Min(2*0.75/7, (1-4.0/24)/5), 1e-12)
}

// Where the noise is not Gaussian and not the same everywhere, limits hold as often as
// is expected; those of Student's t hold more than they say.
func TestConformalCoverage(t *testing.T) {
	expect.Repeats(t)
	rnd := rand.New(rand.NewPCG(21, 22))
	draw := func(n int) *mlreg.Design {
		x, y := mat.NewDense(n, 1, nil), make([]float64, n)
		for i := range y {
			v := rnd.Float64()
			x.Set(i, 0, v)
			noise := rnd.ExpFloat64() - 1
			if rnd.IntN(20) == 0 {
				noise *= 10
			}
			y[i] = 1 + v + (0.1+2*v)*noise
		}
		return fatal.On(mlreg.NewDesign(x, y))(t)
	}
	const studies, n, level = 2000, 59, 0.8
	var plus, split, weighted, student int
	for range studies {
		d, new := draw(n), draw(1)
		ols := fatal.On(mlreg.FitOLS(d, nil))(t)
		holds := func(lower, upper []float64) int {
			if lower[0] <= new.Y[0] && new.Y[0] <= upper[0] {
				return 1
			}
			return 0
		}
		b := fatal.On(JackknifePlus(ols, d, new, level))(t)
		plus += holds(b.Lower, b.Upper)
		half := fatal.On(mlreg.FitOLS(d.Rows(gram.NumbersTo(30)...), nil))(t)
		rest := d.Rows(gram.NumbersTo(59)[30:]...)
		b = fatal.On(SplitConformal(half, rest, new, level, nil))(t)
		split += holds(b.Lower, b.Upper)
		b = fatal.On(SplitConformal(half, rest, new, level, growing{}))(t)
		weighted += holds(b.Lower, b.Upper)
		band := fatal.On(ols.PredictionBand(new, level))(t)
		student += holds(band.Lower, band.Upper)
	}
	se := math.Sqrt(level * (1 - level) / studies)
	for name, got := range map[string]int{"split": split, "locally weighted": weighted} {
		if rate := float64(got) / studies; math.Abs(rate-0.8) > 4*se { // k/(n+1) = 24/30
			t.Errorf("%s: %v held", name, rate)
		}
	}
	if rate := float64(plus) / studies; math.Abs(rate-level) > 0.03+4*se || rate < 2*level-1 {
		t.Errorf("jackknife+: %v held", rate)
	}
	if rate := float64(student) / studies; rate < level+6*se {
		t.Errorf("Student's limits hold %v, no more than they say", rate)
	}
}

// growing is the size of noise that grows with x1.
type growing struct{}

func (growing) Predict(d *mlreg.Design) ([]float64, error) {
	s := mat.Col(nil, 0, d.X)
	for i := range s {
		s[i] = 0.1 + 2*s[i]
	}
	return s, nil
}

// The k-th largest, by selection, is that of the sorted values.
func TestLargest(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 40; n++ {
		v := make([]float64, n)
		for i := range v {
			v[i] = float64(rnd.IntN(10))
		}
		sorted := slices.Sorted(slices.Values(v))
		for k := 1; k <= n; k++ {
			if got := kthLargest(slices.Clone(v), k); got != sorted[n-k] {
				t.Fatalf("%d-th largest of %v: %v", k, v, got)
			}
		}
	}
}

func TestConformalBadInput(t *testing.T) {
	d, new := rows.Random(t, 1, 20, 2), rows.Random(t, 2, 3, 2)
	ols := fatal.On(mlreg.FitOLS(d, nil))(t)
	weighted := *d
	weighted.Weights = slices.Repeat([]float64{1}, 20)
	weighted.Weights[3] = 2
	apart := rows.Random(t, 3, 20, 2)
	missing := *d
	missing.Y = slices.Clone(d.Y)
	missing.Y[4] = math.NaN()
	loo := fatal.On(mlreg.LeaveOneOut(20))(t)
	fit := func(d *mlreg.Design) (*mlreg.OLS, error) { return mlreg.FitOLS(d, nil) }
	expect.Error(t, "no fit", expect.ErrorOf(SplitConformal(nil, d, new, 0.9, nil)), mlreg.ErrNoData, "the fit")
	expect.Error(t, "no rows", expect.ErrorOf(SplitConformal(ols, nil, new, 0.9, nil)), mlreg.ErrNoData, "calibration rows")
	expect.Error(t, "no new rows", expect.ErrorOf(SplitConformal(ols, apart, nil, 0.9, nil)), mlreg.ErrNoData, "design")
	expect.Error(t, "level", expect.ErrorOf(SplitConformal(ols, d, new, 1, nil)), mlreg.ErrSetting, "level")
	expect.Error(t, "weights", expect.ErrorOf(SplitConformal(ols, &weighted, new, 0.9, nil)), mlreg.ErrSetting, "row 4")
	expect.Error(t, "missing", expect.ErrorOf(SplitConformal(ols, &missing, new, 0.9, nil)), mlreg.ErrNotFinite, "row 5")
	expect.Error(t, "spread", expect.ErrorOf(SplitConformal(ols, apart, new, 0.9, constant(0))), mlreg.ErrSetting, "spread is 0 in row 1")
	// The rows of the fit, or of the spread, from a design, blocks or a stream.
	for _, f := range []mlreg.Predictor{ols, fatal.On(mlreg.FitRidge(d, 1, nil))(t)} {
		expect.Error(t, "training rows", expect.ErrorOf(SplitConformal(f, d, new, 0.9, nil)), mlreg.ErrSetting, "20 rows that the fit is of", "CVPlus")
	}
	expect.Error(t, "rows of the spread", expect.ErrorOf(SplitConformal(ols, apart, new, 0.9, fatal.On(mlreg.FitOLS(apart, nil))(t))), mlreg.ErrSetting, "the spread is of")
	for _, rows := range [][]int{{1, 0, 2}, {0, 1}, {0, 1, 2, 3}} { // others, fewer, more
		if _, err := SplitConformal(fatal.On(mlreg.FitOLS(fatal.On(d.Rows(0, 1, 2).Select())(t), nil))(t), d.Rows(rows...), new, 0.9, nil); err != nil {
			t.Errorf("rows %v: %v", rows, err)
		}
	}
	expect.Error(t, "typed nil spread", expect.ErrorOf(SplitConformal(ols, apart, new, 0.9, (*mlreg.OLS)(nil))), mlreg.ErrNoData, "spread")
	expect.Error(t, "jackknife+ of nothing", expect.ErrorOf(JackknifePlus(nil, d, new, 0.9)), mlreg.ErrNoData, "the fit")
	expect.Error(t, "no new rows", expect.ErrorOf(JackknifePlus(ols, d, nil, 0.9)), mlreg.ErrNoData, "design")
	expect.Error(t, "weights", expect.ErrorOf(JackknifePlus(ols, &weighted, new, 0.9)), mlreg.ErrSetting, "exchangeable")
	expect.Error(t, "fewer rows", expect.ErrorOf(JackknifePlus(ols, d.Rows(1, 2, 3, 4), new, 0.9)), mlreg.ErrShape, "20 rows")
	expect.Error(t, "other rows", expect.ErrorOf(JackknifePlus(ols, rows.Random(t, 7, 20, 2), new, 0.9)), mlreg.ErrShape, "not the rows fitted")
	alone := rows.Random(t, 1, 10, 1)
	alone.X.SetCol(0, []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	expect.Error(t, "leverage 1", expect.ErrorOf(JackknifePlus(fatal.On(mlreg.FitOLS(alone, nil))(t), alone, alone, 0.9)), mlreg.ErrNotEstimable, "row 1")
	expect.Error(t, "CV+ of nothing", expect.ErrorOf(CVPlus[*mlreg.OLS](d, loo, nil, new, 0.9)), mlreg.ErrNoData, "nil")
	expect.Error(t, "no folds", expect.ErrorOf(CVPlus(d, nil, fit, new, 0.9)), mlreg.ErrNoData, "folds")
	some := fatal.On(mlreg.RandomValidationSet(20, 5, rand.NewPCG(1, 2)))(t)
	expect.Error(t, "rows without a fold", expect.ErrorOf(CVPlus(d, some, fit, new, 0.9)), mlreg.ErrSetting, "in no fold")
	few := fatal.On(JackknifePlus(fatal.On(mlreg.FitOLS(d.Rows(0, 1, 2, 3, 4, 5), nil))(t), d.Rows(0, 1, 2, 3, 4, 5), new, 0.9))(t)
	if !math.IsInf(few.Upper[0], 1) || !math.IsInf(few.Lower[2], -1) || stat.Mean(few.Fitted, nil) == 0 {
		t.Errorf("6 rows are too few for 90%%: %v", few)
	}
}

// Of a level near 0 the limits are by the smallest score.
func TestConformalLevelNearZero(t *testing.T) {
	d, new := rows.Random(t, 1, 24, 2), rows.Random(t, 2, 3, 2)
	ols := fatal.On(mlreg.FitOLS(d, nil))(t)
	for _, level := range []float64{1e-300, 1e-12, 0.03} {
		split := fatal.On(SplitConformal(ols, new, new, level, nil))(t)
		plus := fatal.On(JackknifePlus(ols, d, new, level))(t)
		loo := fatal.On(CVPlus(d, fatal.On(mlreg.LeaveOneOut(24))(t), func(d *mlreg.Design) (*mlreg.OLS, error) { return mlreg.FitOLS(d, nil) }, new, level))(t)
		if !(split.Lower[0] < split.Upper[0]) || split.Guaranteed != 0.25 {
			t.Errorf("level %v: %v", level, split)
		}
		expect.NearAll(t, "lower", plus.Lower, loo.Lower, 1e-9)
		expect.NearAll(t, "upper", plus.Upper, loo.Upper, 1e-9)
	}
}
