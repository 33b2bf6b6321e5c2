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

// Of n+1 different numbers, each in turn the new one, split conformal limits hold k/(n+1)
// exactly, and what is guaranteed is that.
func TestSplitConformalIsExact(t *testing.T) {
	y := []float64{0.3, -1.2, 2.5, 0.9, -0.4, 3.1, 1.7, -2.2, 0.1, 4.6, -3.3, 1.1}
	for _, level := range []float64{0.5, 0.7, 0.8, 0.9, 0.95} {
		held := 0
		var band *ConformalBand
		for i := range y {
			rest := slices.Delete(slices.Clone(y), i, i+1)
			band = get(SplitConformal(constant(0.02), sample(t, rest...), sample(t, y[i]), level, nil))(t)
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
	train, test := prostate(t)
	plain, scaled := train, get(train.Standardize(nil))(t)
	bare := *train
	bare.NoIntercept = true
	same := *train
	same.Weights = slices.Repeat([]float64{4}, 67)
	ols := func(d *Design) (LinearSmoother, error) { return FitOLS(d, nil) }
	ridge := func(d *Design) (LinearSmoother, error) { return FitRidge(d, 20, nil) }
	factors := func(d *Design) (LinearSmoother, error) {
		return FitRidge(d, 20, &RidgeSettings{PenaltyFactor: []float64{1, 2, 3, 4, 1, 1, 0.5, 9}})
	}
	wide := randomDesign(t, 2, 15, 30)
	for name, c := range map[string]struct {
		d, new *Design
		fit    func(*Design) (LinearSmoother, error)
	}{
		"least squares": {plain, test, ols}, "scaled": {scaled, test, ols}, "no intercept": {&bare, test, ols}, "equal weights": {&same, test, ols},
		"ridge": {plain, test, ridge}, "ridge, scaled": {scaled, test, ridge}, "ridge, no intercept": {&bare, test, ridge}, "ridge, equal weights": {&same, test, ridge},
		"ridge, factors": {plain, test, factors}, "more terms than rows": {wide, randomDesign(t, 3, 5, 30), ridge},
	} {
		fit := get(c.fit(c.d))(t)
		loo := get(LeaveOneOut(c.d.NObs()))(t)
		for _, level := range []float64{0.5, 0.8, 0.9} {
			got := get(JackknifePlus(fit, c.d, c.new, level))(t)
			want := get(CVPlus(c.d, loo, func(d *Design) (Predictor, error) {
				f, err := c.fit(d)
				if err != nil {
					return nil, err
				}
				return f.(Predictor), nil
			}, c.new, level))(t)
			nearAll(t, name+" lower", got.Lower, want.Lower, 1e-8)
			nearAll(t, name+" upper", got.Upper, want.Upper, 1e-8)
			nearAll(t, name+" fitted", got.Fitted, get(fit.(Predictor).Predict(c.new))(t), 1e-10)
			if got.Guaranteed != 2*level-1 || got.Guaranteed != want.Guaranteed || got.Method != want.Method {
				t.Errorf("%s: %v and %v", name, got.Guaranteed, want.Guaranteed)
			}
		}
	}
}

// CV+ is the definition, by loops.
func TestCVPlus(t *testing.T) {
	d, new := randomDesign(t, 1, 24, 2), randomDesign(t, 2, 3, 2)
	folds := get(KFold(24, 4, rand.NewPCG(1, 2)))(t)
	got := get(CVPlus(d, folds, func(d *Design) (*OLS, error) { return FitOLS(d, nil) }, new, 0.8))(t)
	for j := range 3 {
		var low, high []float64
		for i, k := range folds.Assignment() {
			f := get(FitOLS(d.Rows(folds.Train(k)...), nil))(t)
			r := math.Abs(d.Y[i] - get(f.Predict(d.Rows(i)))(t)[0])
			at := get(f.Predict(new.Rows(j)))(t)[0]
			low, high = append(low, at-r), append(high, at+r)
		}
		slices.Sort(low)
		slices.Sort(high)
		near(t, "lower", got.Lower[j], low[4], 1e-12)   // floor(0.2 * 25) = 5th
		near(t, "upper", got.Upper[j], high[19], 1e-12) // ceil(0.8 * 25) = 20th
	}
	near(t, "guaranteed", got.Guaranteed, 0.6-math.Min(2*0.75/7, (1-4.0/24)/5), 1e-12)
}

// Where the noise is not Gaussian and not the same everywhere, limits hold as often as
// is expected; those of Student's t hold more than they say.
func TestConformalCoverage(t *testing.T) {
	repeats(t)
	rnd := rand.New(rand.NewPCG(21, 22))
	draw := func(n int) *Design {
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
		return get(NewDesign(x, y))(t)
	}
	const studies, n, level = 2000, 59, 0.8
	var plus, split, weighted, student int
	for range studies {
		d, new := draw(n), draw(1)
		ols := get(FitOLS(d, nil))(t)
		holds := func(lower, upper []float64) int {
			if lower[0] <= new.Y[0] && new.Y[0] <= upper[0] {
				return 1
			}
			return 0
		}
		b := get(JackknifePlus(ols, d, new, level))(t)
		plus += holds(b.Lower, b.Upper)
		half := get(FitOLS(d.Rows(gram.NumbersTo(30)...), nil))(t)
		rest := d.Rows(gram.NumbersTo(59)[30:]...)
		b = get(SplitConformal(half, rest, new, level, nil))(t)
		split += holds(b.Lower, b.Upper)
		b = get(SplitConformal(half, rest, new, level, growing{}))(t)
		weighted += holds(b.Lower, b.Upper)
		band := get(ols.PredictionBand(new, level))(t)
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

func (growing) Predict(d *Design) ([]float64, error) {
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
	d, new := randomDesign(t, 1, 20, 2), randomDesign(t, 2, 3, 2)
	ols := get(FitOLS(d, nil))(t)
	weighted := *d
	weighted.Weights = slices.Repeat([]float64{1}, 20)
	weighted.Weights[3] = 2
	apart := randomDesign(t, 3, 20, 2)
	missing := *d
	missing.Y = slices.Clone(d.Y)
	missing.Y[4] = math.NaN()
	loo := get(LeaveOneOut(20))(t)
	fit := func(d *Design) (*OLS, error) { return FitOLS(d, nil) }
	wantError(t, "no fit", errorOf(SplitConformal(nil, d, new, 0.9, nil)), ErrNoData, "the fit")
	wantError(t, "no rows", errorOf(SplitConformal(ols, nil, new, 0.9, nil)), ErrNoData, "calibration rows")
	wantError(t, "no new rows", errorOf(SplitConformal(ols, apart, nil, 0.9, nil)), ErrNoData, "design")
	wantError(t, "level", errorOf(SplitConformal(ols, d, new, 1, nil)), ErrSetting, "level")
	wantError(t, "weights", errorOf(SplitConformal(ols, &weighted, new, 0.9, nil)), ErrSetting, "row 4")
	wantError(t, "missing", errorOf(SplitConformal(ols, &missing, new, 0.9, nil)), ErrNotFinite, "row 5")
	wantError(t, "spread", errorOf(SplitConformal(ols, apart, new, 0.9, constant(0))), ErrSetting, "spread is 0 in row 1")
	// The rows of the fit, or of the spread, from a design, blocks or a stream.
	for _, f := range []Predictor{ols, get(FitRidge(d, 1, nil))(t)} {
		wantError(t, "training rows", errorOf(SplitConformal(f, d, new, 0.9, nil)), ErrSetting, "20 rows that the fit is of", "CVPlus")
	}
	wantError(t, "rows of the spread", errorOf(SplitConformal(ols, apart, new, 0.9, get(FitOLS(apart, nil))(t))), ErrSetting, "the spread is of")
	for _, rows := range [][]int{{1, 0, 2}, {0, 1}, {0, 1, 2, 3}} { // others, fewer, more
		if _, err := SplitConformal(get(FitOLS(get(d.Rows(0, 1, 2).Select())(t), nil))(t), d.Rows(rows...), new, 0.9, nil); err != nil {
			t.Errorf("rows %v: %v", rows, err)
		}
	}
	wantError(t, "typed nil spread", errorOf(SplitConformal(ols, apart, new, 0.9, (*OLS)(nil))), ErrNoData, "spread")
	wantError(t, "jackknife+ of nothing", errorOf(JackknifePlus(nil, d, new, 0.9)), ErrNoData, "the fit")
	wantError(t, "no new rows", errorOf(JackknifePlus(ols, d, nil, 0.9)), ErrNoData, "design")
	wantError(t, "weights", errorOf(JackknifePlus(ols, &weighted, new, 0.9)), ErrSetting, "exchangeable")
	wantError(t, "fewer rows", errorOf(JackknifePlus(ols, d.Rows(1, 2, 3, 4), new, 0.9)), ErrShape, "20 rows")
	wantError(t, "other rows", errorOf(JackknifePlus(ols, randomDesign(t, 7, 20, 2), new, 0.9)), ErrShape, "not the rows fitted")
	alone := randomDesign(t, 1, 10, 1)
	alone.X.SetCol(0, []float64{1, 0, 0, 0, 0, 0, 0, 0, 0, 0})
	wantError(t, "leverage 1", errorOf(JackknifePlus(get(FitOLS(alone, nil))(t), alone, alone, 0.9)), ErrNotEstimable, "row 1")
	wantError(t, "CV+ of nothing", errorOf(CVPlus[*OLS](d, loo, nil, new, 0.9)), ErrNoData, "nil")
	wantError(t, "no folds", errorOf(CVPlus(d, nil, fit, new, 0.9)), ErrNoData, "folds")
	some := get(RandomValidationSet(20, 5, rand.NewPCG(1, 2)))(t)
	wantError(t, "rows without a fold", errorOf(CVPlus(d, some, fit, new, 0.9)), ErrSetting, "in no fold")
	few := get(JackknifePlus(get(FitOLS(d.Rows(0, 1, 2, 3, 4, 5), nil))(t), d.Rows(0, 1, 2, 3, 4, 5), new, 0.9))(t)
	if !math.IsInf(few.Upper[0], 1) || !math.IsInf(few.Lower[2], -1) || stat.Mean(few.Fitted, nil) == 0 {
		t.Errorf("6 rows are too few for 90%%: %v", few)
	}
}

// Of a level near 0 the limits are by the smallest score.
func TestConformalLevelNearZero(t *testing.T) {
	d, new := randomDesign(t, 1, 24, 2), randomDesign(t, 2, 3, 2)
	ols := get(FitOLS(d, nil))(t)
	for _, level := range []float64{1e-300, 1e-12, 0.03} {
		split := get(SplitConformal(ols, new, new, level, nil))(t)
		plus := get(JackknifePlus(ols, d, new, level))(t)
		loo := get(CVPlus(d, get(LeaveOneOut(24))(t), func(d *Design) (*OLS, error) { return FitOLS(d, nil) }, new, level))(t)
		if !(split.Lower[0] < split.Upper[0]) || split.Guaranteed != 0.25 {
			t.Errorf("level %v: %v", level, split)
		}
		nearAll(t, "lower", plus.Lower, loo.Lower, 1e-9)
		nearAll(t, "upper", plus.Upper, loo.Upper, 1e-9)
	}
}
