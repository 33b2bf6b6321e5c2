package mlreg

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
)

// exactFit solves the normal equations of a design in rational arithmetic, and
// returns the coefficients (intercept first) and their standard errors.
func exactFit(t *testing.T, d *Design) (coef []*big.Rat, stderr []float64) {
	t.Helper()
	n, p := d.X.Dims()
	var rows [][]*big.Rat
	for i := range n {
		var row []*big.Rat
		if !d.NoIntercept {
			row = append(row, rat(1))
		}
		for j := range p {
			x := rat(d.X.At(i, j))
			if d.XLow != nil {
				x.Add(x, rat(d.XLow.At(i, j)))
			}
			row = append(row, x)
		}
		rows = append(rows, row)
	}
	k := len(rows[0])
	// [A'WA | A'Wy | I], reduced.
	g := make([][]*big.Rat, k)
	for a := range k {
		g[a] = make([]*big.Rat, 2*k+1)
		for b := range g[a] {
			g[a][b] = new(big.Rat)
		}
		g[a][k+1+a].SetInt64(1)
		for i, row := range rows {
			wa := new(big.Rat).Mul(rat(d.Weight(i)), row[a])
			for b := range k {
				g[a][b].Add(g[a][b], new(big.Rat).Mul(wa, row[b]))
			}
			g[a][k].Add(g[a][k], new(big.Rat).Mul(wa, rat(d.Y[i])))
		}
	}
	for a := range k {
		if g[a][a].Sign() == 0 {
			t.Fatal("the exact design is rank deficient")
		}
		inverse := new(big.Rat).Inv(g[a][a])
		for b := range g[a] {
			g[a][b].Mul(g[a][b], inverse)
		}
		for c := range k {
			if c == a || g[c][a].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(g[c][a])
			for b := range g[c] {
				g[c][b].Sub(g[c][b], new(big.Rat).Mul(f, g[a][b]))
			}
		}
	}
	for a := range k {
		coef = append(coef, g[a][k])
	}
	rss := new(big.Rat)
	observations := 0
	for i, row := range rows {
		r := rat(d.Y[i])
		for a, x := range row {
			r.Sub(r, new(big.Rat).Mul(x, coef[a]))
		}
		rss.Add(rss, new(big.Rat).Mul(rat(d.Weight(i)), r.Mul(r, r)))
		if d.Weight(i) > 0 {
			observations++
		}
	}
	if dof := int64(observations - k); dof > 0 {
		rss.Quo(rss, new(big.Rat).SetInt64(dof))
		for a := range k {
			stderr = append(stderr, root(new(big.Rat).Mul(rss, g[a][k+1+a])))
		}
	}
	return coef, stderr
}

func rat(x float64) *big.Rat { return new(big.Rat).SetFloat64(x) }

func root(x *big.Rat) float64 {
	f := new(big.Float).SetPrec(200).SetRat(x)
	s, _ := f.Sqrt(f).Float64()
	return s
}

// trueDigits returns -log10 of the relative error of got.
func trueDigits(got float64, want *big.Rat) float64 {
	diff := new(big.Rat).Sub(rat(got), want)
	if diff.Sign() == 0 {
		return 16
	}
	if want.Sign() != 0 {
		diff.Quo(diff, want)
	}
	f, _ := diff.Float64()
	return math.Min(16, -math.Log10(math.Abs(f)))
}

// illConditioned returns a random design whose last column is a combination of
// the others up to a relative distance of gap, and whose noise has the given
// size.
func illConditioned(t *testing.T, rnd *rand.Rand, n, p int, gap, noise float64) *Design {
	t.Helper()
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	location := rnd.Float64() * 10
	for i := range n {
		sum := 0.0
		for j := range p - 1 {
			v := location + rnd.NormFloat64()
			x.Set(i, j, v)
			sum += v
		}
		x.Set(i, p-1, sum+gap*rnd.NormFloat64())
		y[i] = 3*sum + noise*rnd.NormFloat64()
	}
	d := get(NewDesign(x, y))(t)
	return d
}

// The digits that a fit states are never more than the digits it has, by
// whatever route it came; and by the first route they are 13 at least, up
// to condition numbers that leave other programs none.
func TestDigitsAgainstExactArithmetic(t *testing.T) {
	sequential(t)
	rnd := rand.New(rand.NewPCG(7, 5))
	routes := map[string]func(d *Design) (*OLS, error){
		"double-double": func(d *Design) (*OLS, error) { return FitOLS(d, nil) },
		"QR":            fitQR,
		"sums":          func(d *Design) (*OLS, error) { return FitOLS(get(d.Moments())(t), nil) },
		"corrected":     fitCorrected,
	}
	lost := map[string]float64{}
	fits := map[string]float64{}
	for trial := range 120 {
		n, p := 8+rnd.IntN(25), 2+rnd.IntN(4)
		gap := math.Pow(10, -13*rnd.Float64())
		d := illConditioned(t, rnd, n, p, gap, math.Pow(10, 6*rnd.Float64()-4))
		d.NoIntercept = trial%4 == 0
		if trial%3 == 0 {
			for range n {
				d.Weights = append(d.Weights, float64(1+rnd.IntN(9))/7)
			}
		}
		coef, stderr := exactFit(t, d)
		for name, fit := range routes {
			f, err := fit(d)
			if err != nil {
				if name == "double-double" && gap > 1e-11 {
					t.Errorf("gap %g: %v", gap, err)
				}
				continue
			}
			statedCoef, statedStdErr := f.Digits()
			for j, b := range f.Coef() {
				if got := trueDigits(b, coef[j]); got < float64(statedCoef) {
					t.Errorf("%s, trial %d, n=%d p=%d gap %.1g, cond %.1g: coefficient %d has %.1f digits, %d stated",
						name, trial, n, p, gap, f.Cond(), j, got, statedCoef)
				}
				if got := trueDigits(f.StdErr()[j], rat(stderr[j])); got < float64(statedStdErr) {
					t.Errorf("%s, trial %d, n=%d p=%d gap %.1g, cond %.1g: standard error %d has %.1f digits, %d stated",
						name, trial, n, p, gap, f.Cond(), j, got, statedStdErr)
				}
			}
			if name == "double-double" && f.Cond() < 1e11 && (statedCoef < 13 || statedStdErr < 13) {
				t.Errorf("trial %d: cond %.1g: only %d and %d digits stated", trial, f.Cond(), statedCoef, statedStdErr)
			}
			least := 16.0
			for j, b := range f.Coef() {
				least = math.Min(least, trueDigits(b, coef[j]))
			}
			lost[name] += least - float64(statedCoef)
			fits[name]++
		}
	}
	for name := range routes {
		if fits[name] < 40 {
			t.Errorf("%s: only %v fits", name, fits[name])
		}
		// A bound that is too safe says nothing.
		if slack := lost[name] / fits[name]; slack > 4 {
			t.Errorf("%s: states %.1f digits less than it has, on average", name, slack)
		}
	}
}

type nistSet struct {
	Name   string
	Powers []int
	Coef   []string
	StdErr []string
	SD     string `json:"residual_sd"`
	R2     string `json:"r_squared"`
	X, Y   []string
}

// nistDesign forms the powers of x in double-double.
func nistDesign(t *testing.T, s *nistSet) *Design {
	t.Helper()
	n := len(s.Y)
	powers := s.Powers
	d := &Design{Response: "y", NoIntercept: true, Y: make([]float64, n)}
	if powers[0] == 0 {
		d.NoIntercept, powers = false, powers[1:]
	}
	d.X, d.XLow = mat.NewDense(n, len(powers), nil), mat.NewDense(n, len(powers), nil)
	for j, power := range powers {
		d.Names = append(d.Names, fmt.Sprintf("x^%d", power))
		for i := range n {
			x := get(strconv.ParseFloat(s.X[i], 64))(t)
			v := dd.Of(1)
			for range power {
				v = v.Mul(dd.Of(x))
			}
			d.X.Set(i, j, v.Hi)
			d.XLow.Set(i, j, v.Lo)
		}
	}
	for i := range n {
		y := get(strconv.ParseFloat(s.Y[i], 64))(t)
		d.Y[i] = y
	}
	return d
}

// Every certified value of NIST's Statistical Reference Datasets is reached to
// 13 digits at least.
func TestNIST(t *testing.T) {
	for _, file := range []string{"filip", "noint1", "wampler1", "wampler4"} {
		var s nistSet
		readJSON(t, "nist/"+file+".json", &s)
		f, err := FitOLS(nistDesign(t, &s), nil)
		if err != nil {
			t.Fatal(file, err)
		}
		check := func(what, text string, got float64) float64 {
			want, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("%s: %q", file, text)
			}
			digits := trueDigits(got, want)
			if digits < 13 {
				t.Errorf("%s: %s = %.17g, certified %s: %.1f digits", file, what, got, text, digits)
			}
			return digits
		}
		least := 16.0
		for j := range s.Coef {
			least = math.Min(least, check("coefficient", s.Coef[j], f.Coef()[j]))
			least = math.Min(least, check("standard error", s.StdErr[j], f.StdErr()[j]))
		}
		check("residual sd", s.SD, math.Sqrt(f.Sigma2()))
		check("R2", s.R2, f.R2())
		coef, stderr := f.Digits()
		t.Logf("%s: at least %.1f digits, cond %.2g, stated %d and %d", file, least, f.Cond(), coef, stderr)
	}
}
