package mlreg

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// sumsOfMoments are the sums that moments have.
func sumsOfMoments(m *Moments) Sums {
	s := Sums{Names: m.Terms(), Response: m.Response(), N: m.NObs(), SumWeights: m.SumWeights(), SumLogWeights: m.s.LogW,
		MeanX: m.MeanX(), MeanY: m.MeanY(), SXX: m.SXX(), SXY: m.SXY(), SYY: m.SYY(), NoIntercept: m.NoIntercept(), Scaling: m.Scaling(), Coding: m.Coding()}
	s.MeanXLow, s.MeanYLow = m.s.MeanXLow, m.s.MeanYLow
	return s
}

// Moments made of the sums of moments are the same to the bit in every fit.
func TestMomentsOfTheirSums(t *testing.T) {
	d := correlatedDesign(t, 3, 50, 4, 0.6, 1)
	for i := range d.NObs() {
		d.Weights = append(d.Weights, float64(i%3))
	}
	for _, data := range []*Design{d, get(d.Standardize(nil))(t)} {
		m := get(data.Moments())(t)
		again := get(MomentsOf(sumsOfMoments(m)))(t)
		f, want := get(FitOLS(again, nil))(t), get(FitOLS(m, nil))(t)
		for j, b := range want.Coef() {
			if f.Coef()[j] != b || f.StdErr()[j] != want.StdErr()[j] {
				t.Errorf("coefficient %d is %v, want %v", j, f.Coef()[j], b)
			}
		}
		if f.LogLik() != want.LogLik() || f.NObs() != want.NObs() {
			t.Errorf("log-likelihood %v of %d rows, want %v of %d", f.LogLik(), f.NObs(), want.LogLik(), want.NObs())
		}
		a, b := f.Digits()
		if wa, wb := want.Digits(); a != wa || b != wb {
			t.Errorf("%d, %d digits, want %d, %d", a, b, wa, wb)
		}
	}
	none := get(MomentsOf(Sums{N: 3, MeanY: 2, SYY: 2}))(t)
	if f := get(FitOLS(none, nil))(t); f.Intercept() != 2 || f.Sigma2() != 1 || f.Response() != "y" {
		t.Errorf("the intercept alone: %v, %v of %q", f.Intercept(), f.Sigma2(), f.Response())
	}
}

// Errors of the values of a column count in the digits: those of the sums of rounded values,
// against the fit to the values that were not.
func TestErrorsOfValuesCount(t *testing.T) {
	d := correlatedDesign(t, 3, 400, 2, 0.6, 1)
	exact := get(FitOLS(d, nil))(t)
	rounded := *d
	rounded.X = mat.DenseCopyOf(d.X)
	var length float64
	for i := range d.NObs() {
		v := d.X.At(i, 1)
		rounded.X.Set(i, 1, float64(float32(v)))
		length = math.Hypot(length, float64(float32(v))-v)
	}
	s := sumsOfMoments(get(rounded.Moments())(t))
	for _, counted := range []bool{true, false} {
		s.ErrX = nil
		if counted {
			s.ErrX = []float64{0, length}
		}
		f := get(FitOLS(get(MomentsOf(s))(t), nil))(t)
		var off float64
		for j, b := range exact.Coef() {
			off = math.Max(off, math.Abs(f.Coef()[j]/b-1))
		}
		digits, _ := f.Digits()
		right := -math.Log10(off)
		if counted && (float64(digits) > right || float64(digits) < right-3) || !counted && float64(digits) < right {
			t.Errorf("counted %v: %d digits are stated, %.1f are right", counted, digits, right)
		}
	}
}

// Sums that are those of no rows are refused by name; small excesses within RelErr pass.
func TestMomentsOfRefuses(t *testing.T) {
	good := func() Sums {
		return Sums{Names: []string{"a", "b"}, N: 10, MeanX: []float64{1, 2}, SXX: mat.NewSymDense(2, []float64{4, 1, 1, 9}), SXY: []float64{2, 3}, SYY: 16}
	}
	get(MomentsOf(good()))(t)
	nan, inf := math.NaN(), math.Inf(1)
	for _, c := range []struct {
		name   string
		change func(s *Sums)
		is     error
		says   string
	}{
		{"no rows", func(s *Sums) { s.N = 0 }, ErrNoData, "0 rows"},
		{"names", func(s *Sums) { s.Names = s.Names[:1] }, ErrShape, "1 names"},
		{"nil SXX", func(s *Sums) { s.SXX = nil }, ErrShape, "0 x 0"},
		{"means", func(s *Sums) { s.MeanX = nil }, ErrShape, "0 means"},
		{"low means", func(s *Sums) { s.MeanXLow = []float64{1} }, ErrShape, "MeanXLow"},
		{"RelErr", func(s *Sums) { s.RelErr = 1 }, ErrSetting, "RelErr"},
		{"RelErr NaN", func(s *Sums) { s.RelErr = nan }, ErrSetting, "RelErr"},
		{"RelErr below 0", func(s *Sums) { s.RelErr = -1e-9 }, ErrSetting, "RelErr"},
		{"ErrX", func(s *Sums) { s.ErrX = []float64{0} }, ErrShape, "ErrX"},
		{"ErrX below 0", func(s *Sums) { s.ErrX = []float64{0, -1} }, ErrSetting, "ErrX"},
		{"ErrX NaN", func(s *Sums) { s.ErrX = []float64{nan, 0} }, ErrSetting, "ErrX"},
		{"weights", func(s *Sums) { s.SumWeights = -1 }, ErrSetting, "SumWeights"},
		{"weights NaN", func(s *Sums) { s.SumWeights = nan }, ErrSetting, "SumWeights"},
		{"log weights", func(s *Sums) { s.SumLogWeights = inf }, ErrNotFinite, "SumLogWeights"},
		{"log weights above Jensen's", func(s *Sums) { s.SumLogWeights = 1 }, ErrShape, "equal weights"},
		{"omitted", func(s *Sums) { s.Omitted = -1 }, ErrSetting, "Omitted"},
		{"twice", func(s *Sums) { s.Names = []string{"a", "a"} }, ErrShape, `"a"`},
		{"scaling", func(s *Sums) { s.Scaling = &Scaling{Center: []float64{0}, Scale: []float64{1}} }, ErrShape, "scaling"},
		{"mean", func(s *Sums) { s.MeanX[1] = nan }, ErrNotFinite, `mean of term "b"`},
		{"mean of the response", func(s *Sums) { s.MeanY = inf }, ErrNotFinite, `mean of response "y"`},
		{"squares", func(s *Sums) { s.SXX.SetSym(1, 1, inf) }, ErrNotFinite, `term "b"`},
		{"NaN among products", func(s *Sums) { s.SXX.SetSym(0, 1, nan) }, ErrNotFinite, `term "a" and term "b"`},
		{"NaN with the response", func(s *Sums) { s.SXY[1] = nan }, ErrNotFinite, `term "b" and response "y"`},
		{"negative", func(s *Sums) { s.SXX.SetSym(0, 0, -1e-9) }, ErrShape, `squares of term "a"`},
		{"negative response", func(s *Sums) { s.SYY = -1 }, ErrShape, `response "y"`},
		{"product too large", func(s *Sums) { s.SXX.SetSym(0, 1, 6.1) }, ErrShape, `term "a" and term "b"`},
		{"product of a constant", func(s *Sums) { s.SXX.SetSym(0, 0, 0) }, ErrShape, `term "a" and term "b"`},
		{"indefinite", func(s *Sums) { s.SXX.SetSym(0, 1, 5.5); s.SXY = []float64{7.5, -11} }, ErrShape, `response "y"`},
		{"overflow", func(s *Sums) { s.SXX.SetSym(0, 0, 1e-300) }, ErrShape, `term "a"`},
	} {
		s := good()
		c.change(&s)
		wantError(t, c.name, errorOf(MomentsOf(s)), c.is, c.says)
	}
	s := good()
	s.SXX.SetSym(0, 1, 6*(1+1e-7))
	s.SXY = []float64{2, 3}
	wantError(t, "beyond rounding", errorOf(MomentsOf(s)), ErrShape, `"a"`)
	s.RelErr = 1e-6
	m := get(MomentsOf(s))(t)
	var aliased *RankDeficientError
	if _, err := FitOLS(m, nil); !errors.As(err, &aliased) || len(aliased.Aliased) != 1 || aliased.Aliased[0] != "b" {
		t.Errorf("a column that is another to within the error: %v", err)
	}
	// What is given may be changed afterwards.
	s = good()
	m = get(MomentsOf(s))(t)
	s.SXX.SetSym(0, 0, 99)
	s.MeanX[0], s.Names[0] = 99, "other"
	if m.SXX().At(0, 0) != 4 || m.MeanX()[0] != 1 || m.Terms()[0] != "a" {
		t.Error("the moments changed with what they were made of")
	}
}

// Directions that the error of the sums hides are aliased, and those that it does not are not.
func TestRankOfInexactSums(t *testing.T) {
	for _, c := range []struct {
		left, relErr float64 // squared length of what is left of b beside a, relative
		aliased      bool
	}{{1e-6, 1e-5, true}, {1e-6, 1e-10, false}, {1e-3, 0, false}, {0.5, 1e-3, false}, {0.5, 0.3, true}} {
		r := math.Sqrt(1 - c.left)
		m := get(MomentsOf(Sums{Names: []string{"a", "b"}, N: 50, MeanX: []float64{0, 0}, SXX: mat.NewSymDense(2, []float64{1, r, r, 1}), SXY: []float64{0.1, 0.1}, SYY: 1, RelErr: c.relErr}))(t)
		_, err := FitOLS(m, nil)
		if got := errors.Is(err, ErrRankDeficient); got != c.aliased {
			t.Errorf("left %g, RelErr %g: %v", c.left, c.relErr, err)
		}
	}
}

// A huge error of the sums leaves no digits, and a vague prior beside it is refused.
func TestUselessSums(t *testing.T) {
	d := correlatedDesign(t, 3, 50, 3, 0.99, 1)
	s := sumsOfMoments(get(d.Moments())(t))
	s.RelErr = 0.5
	m := get(MomentsOf(s))(t)
	f := get(FitOLS(m, &OLSSettings{Aliased: DropAliased}))(t)
	if a, b := f.Digits(); a > 0 || b > 0 {
		t.Errorf("%d and %d digits", a, b)
	}
	s.RelErr = 1e-3
	m = get(MomentsOf(s))(t)
	wantError(t, "vague prior", errorOf(FitBayes(m, GaussianPrior{Tau2: 1e12}, KnownVariance(1), nil)), ErrSetting, "RelErr")
	get(FitBayes(m, GaussianPrior{Tau2: 0.001}, KnownVariance(1), nil))(t)
}

// Errors of parts add up as a merge, a subtraction and other units make them.
func TestErrorsOfMergedSums(t *testing.T) {
	d := correlatedDesign(t, 3, 60, 2, 0.5, 1)
	of := func(rows *Design, relErr float64) *Moments {
		s := sumsOfMoments(get(rows.Moments())(t))
		s.RelErr = relErr
		return get(MomentsOf(s))(t)
	}
	a, b := of(d.Rows(sequence(30)...), 1e-9), of(d.Rows(sequenceFrom(30, 30)...), 1e-8)
	sum := get(a.Merge(b))(t)
	if got := sum.s.Stated(false); got < 1e-8 || got > 4e-8 {
		t.Errorf("merged: %g", got)
	}
	rest := get(sum.Subtract(a))(t)
	if got := rest.s.Stated(false); got < 2e-8 || got > 2e-7 {
		t.Errorf("subtracted: %g", got)
	}
	if got := get(sum.Standardize(nil))(t).s.Stated(false); got != sum.s.Stated(false) {
		t.Errorf("standardized: %g", got)
	}
	digits := func(m *Moments) int { n, _ := get(FitOLS(m, nil))(t).Digits(); return n }
	if exact := get(d.Moments())(t); !(digits(rest) <= digits(sum) && digits(sum) < digits(exact)) {
		t.Errorf("digits %d, %d and %d", digits(rest), digits(sum), digits(exact))
	}
}
