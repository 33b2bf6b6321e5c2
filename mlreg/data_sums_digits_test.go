package mlreg

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/dd"
)

// inexactSums are the sums of the rows of d, computed exactly and then made wrong by what
// relErr allows, with random signs. Half of them have means that are rounded.
func inexactSums(rnd *rand.Rand, d *Design, relErr float64) Sums {
	s := twofoldSums(rnd, d, relErr)
	if rnd.IntN(2) == 0 {
		s.MeanXLow, s.MeanYLow = nil, 0
	}
	return s
}

// twofoldSums are such sums, with means to twice the digits.
func twofoldSums(rnd *rand.Rand, d *Design, relErr float64) Sums {
	n, p := d.NObs(), d.NTerms()
	s := Sums{Names: d.Names, Response: d.Response, NoIntercept: d.NoIntercept, Scaling: d.Scaling, RelErr: relErr, SXX: algebra.NewSym(p)}
	value := func(i, j int) *big.Float {
		if j == p {
			return precise().SetFloat64(d.Y[i])
		}
		v := precise().SetFloat64(d.X.At(i, j))
		if d.XLow != nil {
			v.Add(v, big.NewFloat(d.XLow.At(i, j)))
		}
		return v
	}
	w := precise()
	for i := range n {
		if d.Weight(i) > 0 {
			s.N++
			s.SumLogWeights += math.Log(d.Weight(i))
		}
		w.Add(w, big.NewFloat(d.Weight(i)))
	}
	s.SumWeights = nearest(w)
	mean := make([]*big.Float, p+1)
	for j := range mean {
		mean[j] = precise()
		for i := range n {
			mean[j].Add(mean[j], precise().Mul(big.NewFloat(d.Weight(i)), value(i, j)))
		}
		mean[j].Quo(mean[j], w)
	}
	product := make([][]*big.Float, p+1)
	for j := range product {
		product[j] = make([]*big.Float, p+1)
		for k := range product[j] {
			sum := precise()
			for i := range n {
				a, b := precise().Sub(value(i, j), mean[j]), precise().Sub(value(i, k), mean[k])
				sum.Add(sum, a.Mul(a, b).Mul(a, big.NewFloat(d.Weight(i))))
			}
			product[j][k] = sum
		}
	}
	root := func(j int) float64 { return math.Sqrt(nearest(product[j][j])) }
	off := func() float64 { // a little less, for the rounding
		sign := 1 - 2*float64(rnd.IntN(2))
		return sign * math.Max(0, relErr-4*dd.Unit) * math.Sqrt(rnd.Float64())
	}
	at := func(j, k int) float64 { return nearest(product[j][k]) + off()*root(j)*root(k) }
	for j := range p + 1 {
		e := precise().SetFloat64(off() * root(j) / math.Sqrt(s.SumWeights))
		e.Add(e, mean[j])
		hi := nearest(e)
		low := nearest(precise().Sub(e, big.NewFloat(hi)))
		if j == p {
			s.MeanY, s.MeanYLow, s.SYY = hi, low, at(p, p)
			break
		}
		s.MeanX, s.MeanXLow = append(s.MeanX, hi), append(s.MeanXLow, low)
		s.SXY = append(s.SXY, at(j, p))
		for k := j; k < p; k++ {
			s.SXX.SetSym(j, k, at(j, k))
		}
	}
	return s
}

// A fit to sums that are wrong by what they state never states more digits than it has,
// whatever is done to the sums before.
func TestDigitsOfInexactSums(t *testing.T) {
	sequential(t)
	c := &claims{t: t, broken: map[string]int{}, fits: map[string]int{}, stated: map[string][2]float64{}}
	for trial := range problems(t) {
		rnd := rand.New(rand.NewPCG(uint64(trial), 12))
		d, problem := badProblem(rnd)
		want := solveExactly(d)
		if want == nil {
			continue
		}
		relErr := math.Pow(10, -4-11*rnd.Float64())
		problem = fmt.Sprintf("problem %d (%s), RelErr %.2g", trial, problem, relErr)
		fit := func(door string, m *Moments, err error, change func(*OLS) (*OLS, error)) {
			if err != nil {
				return
			}
			f, err := FitOLS(m, &OLSSettings{Aliased: DropAliased})
			if err == nil && f.columns()-len(f.Aliased()) != len(want.coef) {
				return
			}
			if err == nil && change != nil {
				f, err = change(f)
			}
			if err == nil {
				c.check(door, problem, f, want, d)
			}
		}
		raw := func(f *OLS) (*OLS, error) { return f.Raw() }
		m, err := MomentsOf(inexactSums(rnd, d, relErr))
		fit("sums", m, err, nil)
		if err == nil {
			z, err := m.Standardize(&StandardizeSettings{Weighted: true, ScaleOnly: d.NoIntercept})
			fit("sums, standardized, raw", z, err, raw)
			var restored Moments
			fit("sums, stored", &restored, restored.GobDecode(get(m.GobEncode())(t)), nil)
		}
		if n := d.NObs(); n >= 4 {
			parts := make([]*Moments, 3)
			for k := range parts {
				var rows []int
				for i := range n {
					if i%3 == k || i < 3 && n < 3 {
						rows = append(rows, i)
					}
				}
				if parts[k], err = MomentsOf(inexactSums(rnd, d.Rows(rows...), relErr*rnd.Float64())); err != nil {
					break
				}
			}
			if err == nil {
				sum, err := parts[0].Merge(parts[1])
				if err == nil {
					sum, err = sum.Merge(parts[2])
				}
				fit("sums, merged", sum, err, nil)
			}
		}
		other := d.Rows(rnd.Perm(d.NObs())[:1+rnd.IntN(d.NObs())]...)
		other.X.Scale(1+math.Pow(10, 4*rnd.Float64()-4), other.X)
		whole := *d
		both := d.NObs() + other.NObs()
		whole.X, whole.XLow, whole.Weights, whole.Y = algebra.NewDense(both, d.NTerms()), nil, nil, append(append([]float64{}, d.Y...), other.Y...)
		if d.XLow == nil {
			for i := range both {
				from, at := d, i
				if i >= d.NObs() {
					from, at = other, i-d.NObs()
				}
				whole.X.SetRow(i, from.X.RawRowView(at))
				if d.Weights != nil {
					whole.Weights = append(whole.Weights, from.Weights[at])
				}
			}
			sum, err := MomentsOf(inexactSums(rnd, &whole, relErr))
			if err == nil {
				part, err := MomentsOf(inexactSums(rnd, other, relErr))
				if err == nil {
					rest, err := sum.Subtract(part)
					fit("sums, subtracted", rest, err, nil)
				}
			}
		}
	}
	for door, n := range c.fits {
		s := c.stated[door]
		t.Logf("%-28s %6d fits, %5d broken; %.1f digits stated, %.1f had on average", door, n, c.broken[door], s[0]/float64(n), s[1]/float64(n))
	}
	if n := problems(t); c.fits["sums"] < n/5 || c.fits["sums, merged"] < n/10 || c.fits["sums, subtracted"] < n/10 {
		t.Errorf("too few fits: %v", c.fits)
	}
}

// Powers of x from sums that are wrong by 1e-10: what is stated is true, and not much less
// than what there is. Without the error of the sums 12, 8 and 5 digits were stated.
func TestDigitsOfPowersFromInexactSums(t *testing.T) {
	sequential(t)
	for p := 1; p <= 3; p++ {
		least, stated := 16.0, 0
		for trial := range 20 {
			rnd := rand.New(rand.NewPCG(uint64(trial), uint64(p)))
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
			want := solveExactly(d)
			s := inexactSums(rnd, d, 1e-10)
			f := get(FitOLS(get(MomentsOf(s))(t), nil))(t)
			coef, _ := f.Digits()
			stated = max(stated, coef)
			for j, b := range f.Coef() {
				got := digitsOf(distance(b, want.coef[j]), math.Abs(nearest(want.coef[j])))
				least = math.Min(least, got)
				if got < float64(coef) {
					t.Errorf("p = %d: %d digits stated, %.1f had", p, coef, got)
				}
			}
		}
		t.Logf("p = %d: %d digits stated, %.1f had at least", p, stated, least)
		if float64(stated) < least-4 {
			t.Errorf("p = %d: %d digits stated and %.1f had", p, stated, least)
		}
	}
}

// Rows of weight W taken away from sums with a rounded mean of the response leave rows of weight w with a mean that has the
// rounding W/w times: the intercept states it.
func TestInterceptOfARemainder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 53))
	for p := range 2 {
		d := &Design{X: algebra.NewDense(6, p), Names: []string{"x"}[:p], Response: "y"}
		for i, y := range []float64{-300, 0, 301, -1, 1, 1} { // the mean of those of weight 1 is that of the others
			if d.Y, d.Weights = append(d.Y, 1e8+y), append(d.Weights, 1024); i > 2 {
				d.Weights[i] = 1
			}
			if p == 1 {
				d.X.Set(i, 0, float64(i%3-1))
			}
		}
		whole := twofoldSums(rnd, d, 0)
		whole.MeanYLow = 0
		away := get(MomentsOf(twofoldSums(rnd, d.Rows(0, 1, 2), 0)))(t)
		f := get(FitOLS(get(get(MomentsOf(whole))(t).Subtract(away))(t), nil))(t)
		want := solveExactly(d.Rows(3, 4, 5)).coef[0]
		off, bound := distance(f.Coef()[0], want), get(f.ContrastError([]float64{1, 0}[:p+1]))(t)
		coef, _ := f.Digits()
		if had := digitsOf(off, math.Abs(nearest(want))); had > 14 || had < float64(coef) {
			t.Errorf("%d columns: %d digits are stated, %.1f had", p, coef, had)
		}
		if off > bound || bound > 1.1*1025*1e8*dd.Unit {
			t.Errorf("%d columns: the intercept is off by %g, and at most by %g as stated", p, off, bound)
		}
	}
}
