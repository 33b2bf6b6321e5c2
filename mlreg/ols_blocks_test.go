package mlreg

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// farParabola is y ~ x + x^2 for x of mean 10^6 and standard deviation 1: of x^2 a part of 10^-12
// is not the intercept's and that of x.
func farParabola(t *testing.T, n int) *Design {
	rnd := rand.New(rand.NewPCG(6, 1))
	d := &Design{X: mat.NewDense(n, 2, nil), XLow: mat.NewDense(n, 2, nil), Names: []string{"x", "x^2"}, Response: "y"}
	for i := range n {
		x := 1e6 + rnd.NormFloat64()
		square := dd.Of(x).Mul(dd.Of(x))
		d.X.SetRow(i, []float64{x, square.Hi})
		d.XLow.Set(i, 1, square.Lo)
		d.Y = append(d.Y, 3+(x-1e6)+0.5*(x-1e6)*(x-1e6)+rnd.NormFloat64())
	}
	return d
}

// Blocks of rows are fitted to the digits of memory where cross-products have none, and are not
// said to be rank deficient.
func TestFitBlocksHasTheDigitsOfMemory(t *testing.T) {
	neverGathered(t)
	d := farParabola(t, 700)
	for _, weighted := range []bool{false, true} {
		if weighted {
			for i := range d.NObs() {
				d.Weights = append(d.Weights, float64(i%3))
			}
		}
		c := newClaims(t)
		want := solveExactly(d)
		memory := get(FitOLS(d, nil))(t)
		if f, err := FitOLS(get(d.Moments())(t), nil); err == nil {
			if coef, _ := f.Digits(); coef > 3 {
				t.Errorf("sums alone state %d digits: the test is of no hard rows", coef)
			}
		}
		for door, fit := range map[string]func() (*OLS, error){
			"by default": func() (*OLS, error) { return FitOLS(blocksOf(d, 50), nil) },
			"refined":    func() (*OLS, error) { return RefineOLS(blocksOf(d, 90), nil) },
			"stored": func() (*OLS, error) {
				return FitOLS(storedSums{blocksOf(d, 50), get(MomentsOf(inexactSums(rand.New(rand.NewPCG(2, 5)), d, 1e-10)))(t)}, nil)
			},
		} {
			f := get(fit())(t)
			c.check(door, "parabola", f, want, d)
			coef, stderr := f.Digits()
			if least, leastStdErr := memory.Digits(); coef < least || stderr < leastStdErr {
				t.Errorf("%s: %d and %d digits; in memory %d and %d", door, coef, stderr, least, leastStdErr)
			}
			near(t, "TSS", f.TSS(), memory.TSS(), 1e-12)
			near(t, "log-likelihood", f.LogLik(), memory.LogLik(), 1e-12)
			near(t, "condition", f.Cond(), memory.Cond(), 1e-3)
		}
	}
}

// What is aliased in rows is said to be, of sums and of blocks alike.
func TestFitBlocksNamesWhatIsAliased(t *testing.T) {
	neverGathered(t)
	d := correlatedDesign(t, 3, 80, 3, 0.5, 1)
	for i := range d.NObs() {
		d.X.Set(i, 2, d.X.At(i, 0)-2*d.X.At(i, 1))
	}
	wantError(t, "aliased", errorOf(FitOLS(blocksOf(d, 9), nil)), ErrRankDeficient, "rank 3 of 4")
	f := get(FitOLS(blocksOf(d, 9), &OLSSettings{Aliased: DropAliased}))(t)
	want := get(FitOLS(d, &OLSSettings{Aliased: DropAliased}))(t)
	if len(f.Aliased()) != 1 || f.Aliased()[0] != want.Aliased()[0] {
		t.Errorf("aliased: %q, in memory %q", f.Aliased(), want.Aliased())
	}
	nearAll(t, "coefficients", f.Coef()[:3], want.Coef()[:3], 1e-13)
	wantError(t, "minimum norm", errorOf(FitOLS(blocksOf(d, 9), &OLSSettings{Aliased: MinimumNorm})), ErrNeedsRows, "minimum-norm")
}

// fitInBlocks fits the rows in three blocks by one pass of QR.
func fitInBlocks(d *Design) (*OLS, error) {
	m, err := d.Moments()
	if err != nil {
		return nil, err
	}
	p, err := newPasses(blocksOf(d, d.NObs()/3+1))
	if err != nil {
		return nil, err
	}
	return fitBlocks(p, m, OLSSettings{})
}
