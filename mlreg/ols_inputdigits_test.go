package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// Data that differ from those of a fit by less than half a unit in the last place of
// every number have, exactly, the coefficients and standard errors of the fit to as many
// digits as InputDigits says: by rows and by sums, scaled, and led back.
func TestInputDigitsAgainstExactArithmetic(t *testing.T) {
	sequential(t)
	broken, tried, stated, had := 0, 0, 0.0, 0.0
	for trial := range problems(t) {
		rnd := rand.New(rand.NewPCG(uint64(trial), 31))
		d, problem := badProblem(rnd)
		d.XLow = nil
		want := solveExactly(unrounded(rnd, d))
		if want == nil {
			continue
		}
		check := func(door string, f *OLS, err error) {
			if err != nil || len(f.Aliased()) > 0 {
				return
			}
			coef, stderr := f.InputDigits()
			if plain, plainStdErr := f.Digits(); coef > plain || stderr > plainStdErr {
				t.Errorf("%s: %d and %d digits of rounded data, %d and %d of exact", problem, coef, stderr, plain, plainStdErr)
			}
			tried++
			least := 16.0
			for j, b := range f.Coef() {
				size := math.Max(math.Abs(nearest(want.coef[j])), dd.Unit*want.y/want.length[j])
				least = math.Min(least, digitsOf(distance(b, want.coef[j]), size))
			}
			stated, had = stated+float64(coef), had+least
			leastStdErr := 16.0
			if want.n > len(want.coef) {
				floor := dd.Unit * want.y / math.Sqrt(float64(want.n-len(want.coef)))
				for j, se := range f.StdErr() {
					exact := want.stderr(want.inverse[j][j])
					leastStdErr = math.Min(leastStdErr, digitsOf(math.Abs(se-exact), math.Max(exact, floor*squareRoot(want.inverse[j][j]))))
				}
			}
			if least < float64(coef) || leastStdErr < float64(stderr) {
				broken++
				t.Errorf("problem %d (%s), %s: %.1f and %.1f digits, %d and %d stated", trial, problem, door, least, leastStdErr, coef, stderr)
			}
		}
		f, err := FitOLS(d, nil)
		check("rows", f, err)
		if m, err := d.Moments(); err == nil {
			f, err := FitOLS(m, nil)
			check("sums", f, err)
		}
		if scaled, err := d.Standardize(&StandardizeSettings{ScaleOnly: d.NoIntercept}); err == nil {
			if f, err := FitOLS(scaled, nil); err == nil {
				raw, err := f.Raw()
				check("led back", raw, err)
			}
		}
	}
	if tried < problems(t) || had/float64(tried)-stated/float64(tried) > 3 {
		t.Errorf("%d fits of %.1f digits, %.1f stated", tried, had/float64(tried), stated/float64(tried))
	}
}

// unrounded returns the design with an XLow of up to half a unit in the last place.
func unrounded(rnd *rand.Rand, d *Design) *Design {
	n, p := d.X.Dims()
	out := *d
	out.XLow = mat.NewDense(n, p, nil)
	for i := range n {
		for j := range p {
			out.XLow.Set(i, j, dd.Unit*math.Abs(d.X.At(i, j))*(2*rnd.Float64()-1)/2)
		}
	}
	return &out
}

// Powers computed in float64 lose digits that Digits does not see; those that carry
// what rounding took do not.
func TestInputDigitsOfPowers(t *testing.T) {
	const n, degree = 40, 8
	rounded, whole := mat.NewDense(n, degree, nil), mat.NewDense(n, degree, nil)
	low := mat.NewDense(n, degree, nil)
	y := make([]float64, n)
	for i := range n {
		x := 1 + float64(i)/80
		y[i] = math.Sin(5 * x)
		power := 1.0
		for k := range degree {
			power *= x
			hi, lo := Power(x, k+1)
			rounded.Set(i, k, power)
			whole.Set(i, k, hi)
			low.Set(i, k, lo)
		}
	}
	exact := get(NewDesign(whole, y))(t)
	exact.XLow = low
	f, g := get(FitOLS(get(NewDesign(rounded, y))(t), nil))(t), get(FitOLS(exact, nil))(t)
	least := 16.0
	for j, b := range f.Coef() {
		least = math.Min(least, -math.Log10(math.Abs(b/g.Coef()[j]-1)))
	}
	plain, _ := f.Digits()
	inputs, _ := f.InputDigits()
	carried, _ := g.InputDigits()
	if float64(inputs) > least || least > float64(inputs)+5 || plain < 12 || carried < inputs+1 {
		t.Errorf("%.1f digits; stated %d of rounded data, %d of exact, %d of those that carry the rest", least, inputs, plain, carried)
	}
	if inputs >= fewDigits {
		t.Errorf("%d digits, and nothing to say in the summary", inputs)
	} else if s, says := f.String(), fmt.Sprintf("%d and ", inputs); !strings.Contains(s, says) || !strings.Contains(s, "if the data were rounded to float64") {
		t.Errorf("the summary does not say %q:\n%s", says, s)
	}
}
