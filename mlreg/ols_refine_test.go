package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
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

// Passes for residuals bring back the digits that sums of ten digits lost, and state no more
// than there are; where the sums say nothing the fit is refused.
func TestRefineInexactSums(t *testing.T) {
	sequential(t)
	refused := 0
	for p := 1; p <= 6; p++ {
		least, stated, before := 16.0, 16, 16
		for trial := range 10 {
			d := powersOf(p, uint64(trial))
			want := solveExactly(d)
			m := get(MomentsOf(inexactSums(rand.New(rand.NewPCG(uint64(trial), 5)), d, 1e-10)))(t)
			f, err := RefineOLS(storedSums{blocksOf(d, 17), m}, nil)
			if errors.Is(err, ErrNotConverged) || errors.Is(err, ErrRankDeficient) {
				refused++
				if p < 4 {
					t.Errorf("p = %d: %v", p, err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			coef, stderr := f.Digits()
			stated = min(stated, coef)
			plain, _ := get(FitOLS(m, nil))(t).Digits()
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
		if p <= 3 && stated < 10 {
			t.Errorf("p = %d: %d digits after the passes", p, stated)
		}
	}
	if refused == 0 {
		t.Error("nothing was refused")
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
