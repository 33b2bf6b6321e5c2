package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// storedSums are rows in blocks that have their sums from elsewhere.
type storedSums struct {
	RowBlocksFunc
	sums *Moments
}

func (s storedSums) Moments() (*Moments, error) { return s.sums, nil }

// powersOf has powers of x with noise.
func powersOf(p int, seed uint64) *Design {
	rnd := rand.New(rand.NewPCG(seed, uint64(p)))
	d := &Design{X: mat.NewDense(60, p, nil), Response: "y"}
	for j := range p {
		d.Names = append(d.Names, fmt.Sprint("x", j+1))
	}
	for i := range 60 {
		x := 5 + 10*float64(i)/60
		y := rnd.NormFloat64()
		for j := range p {
			d.X.Set(i, j, math.Pow(x, float64(j+1)))
			y += d.X.At(i, j)
		}
		d.Y = append(d.Y, y)
	}
	return d
}

// Passes bring back the digits that sums of ten digits lost, and state no more than there are, where the
// sums say nothing, too.
func TestRefineInexactSums(t *testing.T) {
	sequential(t)
	for p := 1; p <= 6; p++ {
		least, stated, before := 16.0, 16, 16
		for trial := range 10 {
			d := powersOf(p, uint64(trial))
			want := solveExactly(d)
			m := get(MomentsOf(inexactSums(rand.New(rand.NewPCG(uint64(trial), 5)), d, 1e-10)))(t)
			f := get(RefineOLS(storedSums{blocksOf(d, 17), m}, nil))(t)
			coef, stderr := f.Digits()
			stated = min(stated, coef)
			plain := 0
			if ols, err := FitOLS(m, nil); err == nil {
				plain, _ = ols.Digits()
			}
			before = min(before, plain)
			for j, b := range f.Coef() {
				got := digitsOf(distance(b, want.coef[j]), math.Max(math.Abs(nearest(want.coef[j])), dd.Unit*want.y/want.length[j]))
				if least = math.Min(least, got); got < float64(coef) {
					t.Errorf("p = %d: coefficient %d has %.1f digits, %d stated", p, j, got, coef)
				}
				exact := want.stderr(want.inverse[j][j])
				if got := digitsOf(math.Abs(f.StdErr()[j]-exact), exact); got < float64(stderr) {
					t.Errorf("p = %d: standard error %d has %.1f digits, %d stated", p, j, got, stderr)
				}
			}
			near(t, "RSS", f.RSS(), nearest(want.rss), 1e-9)
		}
		t.Logf("p = %d: %d digits stated by the sums, %d after the passes, %.1f had", p, before, stated, least)
		if stated < 10 {
			t.Errorf("p = %d: %d digits after the passes", p, stated)
		}
	}
}

// A parabola of x far from zero, of which sums keep few digits, is fitted to rows in blocks as to rows in
// memory, weights and offset included.
func TestFitBlocksBeyondSums(t *testing.T) {
	neverGathered(t)
	for _, center := range []float64{1e6, 3e6} {
		random := rand.New(rand.NewPCG(41, 6))
		d := &Design{X: mat.NewDense(400, 2, nil), Names: []string{"x", "x^2"}, Response: "y"}
		for i := range 400 {
			u := random.NormFloat64()
			x := center + u
			d.X.SetRow(i, []float64{x, x * x})
			d.Y = append(d.Y, 1+2*u+u*u/2+random.NormFloat64())
			d.Weights = append(d.Weights, float64(i%4))
			d.Offset = append(d.Offset, float64(i%5))
		}
		want := get(FitOLS(d, nil))(t)
		exact := solveExactly(d.LessOffset())
		for name, fit := range map[string]func() (*OLS, error){
			"FitOLS":    func() (*OLS, error) { return FitOLS(blocksOf(d, 23), nil) },
			"RefineOLS": func() (*OLS, error) { return RefineOLS(blocksOf(d, 23), nil) },
		} {
			f := get(fit())(t)
			digits, _ := f.Digits()
			if memory, _ := want.Digits(); digits < 8 || digits < memory-1 {
				t.Errorf("%s at %g: %d digits, and %d in memory", name, center, digits, memory)
			}
			for j, b := range f.Coef() {
				if got := digitsOf(distance(b, exact.coef[j]), math.Abs(nearest(exact.coef[j]))); got < float64(digits) {
					t.Errorf("%s at %g: coefficient %d has %.1f digits, %d stated", name, center, j, got, digits)
				}
			}
			nearAll(t, "standard errors", f.StdErr(), want.StdErr(), 1e-12)
			near(t, "RSS", f.RSS(), want.RSS(), 1e-12)
			near(t, "TSS", f.TSS(), want.TSS(), 1e-12)
			near(t, "log-likelihood", f.LogLik(), want.LogLik(), 1e-12)
			if f.Orthogonality() > 1e-9 {
				t.Errorf("%s at %g: orthogonality %v", name, center, f.Orthogonality())
			}
		}
	}
}

// A column that differs by 1e-8 from another one is aliased as far as sums can tell, and rows tell better.
func TestFitBlocksNearCopy(t *testing.T) {
	neverGathered(t)
	d := correlatedDesign(t, 3, 80, 3, 0.5, 1)
	for i := range d.NObs() {
		d.X.Set(i, 2, d.X.At(i, 0)+1e-8*d.X.At(i, 1)*d.X.At(i, 1))
	}
	wantError(t, "sums alone", errorOf(FitOLS(get(d.Moments())(t), nil)), ErrRankDeficient, "as far as sums can tell")
	want, f := get(FitOLS(d, nil))(t), get(FitOLS(blocksOf(d, 9), nil))(t)
	nearAll(t, "coefficients", f.Coef(), want.Coef(), 1e-12)
	nearAll(t, "standard errors", f.StdErr(), want.StdErr(), 1e-12)
}

// A column that is a combination of others is none the less one in blocks.
func TestFitBlocksAliased(t *testing.T) {
	neverGathered(t)
	d := correlatedDesign(t, 3, 80, 3, 0.5, 1)
	for i := range d.NObs() {
		d.X.Set(i, 2, d.X.At(i, 0)+d.X.At(i, 1))
	}
	wantError(t, "aliased", errorOf(FitOLS(blocksOf(d, 9), nil)), ErrRankDeficient, "linear combinations of the terms before them, to rounding")
	wantError(t, "aliased", errorOf(RefineOLS(blocksOf(d, 9), nil)), ErrRankDeficient, "linear combinations of the terms before them, to rounding")
	for _, s := range []AliasedPolicy{DropAliased, MinimumNorm} {
		f, err := FitOLS(blocksOf(d, 9), &OLSSettings{Aliased: s})
		if s == MinimumNorm {
			wantError(t, "minimum norm", err, ErrNeedsRows, "minimum-norm")
			wantError(t, "minimum norm", errorOf(RefineOLS(blocksOf(d, 9), &RefineSettings{OLSSettings: OLSSettings{Aliased: s}})), ErrNeedsRows, "minimum-norm")
			continue
		}
		want := get(FitOLS(d, &OLSSettings{Aliased: s}))(t)
		nearAll(t, "coefficients", get(f, err)(t).Coef(), want.Coef(), 1e-13)
		near(t, "RSS", f.RSS(), want.RSS(), 1e-13)
	}
}

// Blocks are fitted as the rows in memory are, to the digits stated.
func TestRefineBlocks(t *testing.T) {
	neverGathered(t)
	d := correlatedDesign(t, 3, 80, 4, 0.9, 1)
	for i := range d.NObs() {
		d.X.Set(i, 1, 1e5+d.X.At(i, 1))
		d.Weights = append(d.Weights, float64(i%3))
		d.Offset = append(d.Offset, float64(i%5))
	}
	for _, noIntercept := range []bool{false, true} {
		d.NoIntercept = noIntercept
		want := get(FitOLS(d, nil))(t)
		f := get(RefineOLS(blocksOf(d, 9), nil))(t)
		digits, _ := f.Digits()
		if digits < 12 {
			t.Errorf("%d digits", digits)
		}
		nearAll(t, "coefficients", f.Coef(), want.Coef(), math.Pow(10, -float64(digits)))
		nearAll(t, "standard errors", f.StdErr(), want.StdErr(), 1e-9)
		near(t, "log-likelihood", f.LogLik(), want.LogLik(), 1e-12)
	}
	wantError(t, "nil", errorOf(RefineOLS(nil, nil)), ErrNoData, "nil")
	wantError(t, "no block", errorOf(RefineOLS(RowBlocksFunc(func(func(*Design) error) error { return nil }), nil)), ErrNoData, "no block")
	wantError(t, "passes", errorOf(RefineOLS(d, &RefineSettings{Passes: -1})), ErrSetting, "Passes")
	pass := 0
	wantError(t, "changed", errorOf(RefineOLS(RowBlocksFunc(func(f func(*Design) error) error {
		pass++
		return f(d.Rows(sequence(80 - pass)...))
	}), nil)), ErrChanged, "79 rows")
	other := get(d.Rows(sequence(70)...).Moments())(t)
	wantError(t, "sums of other rows", errorOf(RefineOLS(storedSums{blocksOf(d, 9), other}, nil)), ErrChanged, "the sums are of")
}

// A fit that residuals do not correct, of rows too many to factor, is that of the sums, with an error that says why.
func TestUnrefinedIsTheFitOfSums(t *testing.T) {
	m := get(powersOf(3, 1).Moments())(t)
	f, err := unrefined(m, &OLSSettings{}, 2, 0.5)
	wantError(t, "uncorrected", err, ErrNotConverged, "collinear")
	if want := get(FitOLS(m, nil))(t); f == nil || !slices.Equal(f.Coef(), want.Coef()) {
		t.Errorf("the fit is %v, want %v", f, want)
	}
}
