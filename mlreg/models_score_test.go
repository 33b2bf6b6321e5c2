package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// logDensity returns log N(z; 0, s2 (I + v XX')) or, if s2 is 0, the same
// integrated over InverseGamma(a, b), of the coordinates z of y in the
// complement of what is always in.
func logDensity(t testing.TB, z *mat.VecDense, x *mat.Dense, v, s2, a, b float64) float64 {
	n := z.Len()
	c := mat.NewSymDense(n, nil)
	if x != nil {
		c.SymOuterK(v, x)
	}
	for i := range n {
		c.SetSym(i, i, c.At(i, i)+1)
	}
	var chol mat.Cholesky
	if !chol.Factorize(c) {
		t.Fatal("covariance is not positive definite")
	}
	var w mat.VecDense
	if err := chol.SolveVecTo(&w, z); err != nil {
		t.Fatal(err)
	}
	q, m := mat.Dot(z, &w), float64(n)
	if s2 > 0 {
		return -m/2*math.Log(2*math.Pi*s2) - chol.LogDet()/2 - q/2/s2
	}
	lg, _ := math.Lgamma(a + m/2)
	l := lg - m/2*math.Log(2*math.Pi) - chol.LogDet()/2 - (a+m/2)*math.Log(b+q/2)
	if a > 0 {
		la, _ := math.Lgamma(a)
		l += a*math.Log(b) - la
	}
	return l
}

// The slab's marginal likelihood is the density of y, whose covariance is n x n,
// about what is always in. Two terms are duplicates, and n < d in one design.
func TestEnumerateSlabAgainstDensity(t *testing.T) {
	sequential(t)
	designs := modelDesigns(t, 14, 7)
	designs = append(designs, randomDesign(t, 9, 6, 8))
	for i, d := range designs {
		for r := range d.NObs() {
			d.X.Set(r, 2, d.X.At(r, 0))
		}
		for _, noise := range []Noise{KnownVariance(1.3), nil, InverseGamma{Shape: 2, Scale: 3}} {
			e := enumerateModels(t, d, SpikeSlab{SlabVar: 5, Noise: noise, Sizes: &BetaBinomial{A: 1, B: 2}},
				&EnumerateSettings{Always: alwaysIn(i, d), Best: 1 << 8})
			// Rows times sqrt(w), unscaled; nuisances first.
			n := d.NObs()
			var nuisance, logw float64
			raw := func(j int) []float64 {
				c := make([]float64, n)
				for r := range c {
					c[r] = math.Sqrt(d.Weight(r))
					if j >= 0 {
						c[r] *= d.X.At(r, j)
					}
				}
				return c
			}
			rows := d.rows()
			_, _, logw = rows.Totals()
			logw /= 2
			a := mat.NewDense(n, max(n, 2), nil)
			q := 0
			if !d.NoIntercept {
				a.SetCol(q, raw(-1))
				q++
			}
			for _, name := range e.Always() {
				a.SetCol(q, raw(slices.Index(d.Names, name)))
				q++
			}
			var svd mat.SVD
			svd.Factorize(a, mat.SVDFull)
			for _, s := range svd.Values(nil)[:q] {
				nuisance -= math.Log(s)
			}
			var u mat.Dense
			svd.UTo(&u)
			h := u.Slice(0, n, q, n)
			var z mat.VecDense
			y := make([]float64, n)
			for r := range y {
				y[r] = math.Sqrt(d.Weight(r)) * d.Y[r]
			}
			z.MulVec(h.T(), mat.NewVecDense(n, y))
			for _, m := range e.Best() {
				var x *mat.Dense
				if len(m.Terms) > 0 {
					cols := mat.NewDense(n, len(m.Terms), nil)
					for c, name := range m.Terms {
						cols.SetCol(c, raw(slices.Index(d.Names, name)))
					}
					x = new(mat.Dense)
					x.Mul(h.T(), cols)
				}
				var want float64
				switch noise := noise.(type) {
				case KnownVariance:
					want = logDensity(t, &z, x, 5/1.3, 1.3, 0, 0)
				case InverseGamma:
					want = logDensity(t, &z, x, 5, 0, noise.Shape, noise.Scale)
				default:
					want = logDensity(t, &z, x, 5, 0, 0, 0)
				}
				near(t, fmt.Sprint("log marginal of ", m.Terms), m.LogMarginal, want+logw+nuisance, 1e-11)
				k, dd := float64(len(m.Terms)), float64(len(e.Terms()))
				near(t, "log prior", m.LogScore-m.LogMarginal, logBeta(1+k, 2+dd-k)-logBeta(1, 2), 1e-11)
			}
			if len(e.Best()) != 1<<len(e.Terms()) {
				t.Errorf("%d of the models returned", len(e.Best()))
			}
			wantAliased := []string{"x3"}
			if i == 4 {
				wantAliased = []string{"x3", "x7", "x8"}
			}
			if !slices.Equal(e.Aliased(), wantAliased) {
				t.Errorf("aliased %v, want %v", e.Aliased(), wantAliased)
			}
		}
	}
}

type bmsReference struct{ Inclusion, Mean, SD, Top, Size []float64 }

// Reference values: R's package BMS and its lm, testdata/enumerate.R.
func TestEnumerateAgainstR(t *testing.T) {
	var ref struct {
		Caterpillar, Diabetes bmsReference
		BetaBinomial          bmsReference `json:"diabetes beta-binomial"`
		Prostate              struct{ LogLik, PostProb, Inclusion []float64 }
	}
	readJSON(t, "enumerate.json", &ref)
	caterpillar := csvDesign(t, "caterpillar.csv", "y", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10")
	for i, y := range caterpillar.Y {
		caterpillar.Y[i] = math.Log(y)
	}
	diabetes := csvDesign(t, "diabetes.csv", "progression", "age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6")
	for _, test := range []struct {
		name  string
		d     *Design
		score ModelScore
		want  bmsReference
	}{
		{"caterpillar", caterpillar, ZellnerG{}, ref.Caterpillar},
		{"diabetes", diabetes, ZellnerG{G: 25, Pi0: 0.2}, ref.Diabetes},
		{"diabetes, beta-binomial", diabetes, ZellnerG{Sizes: &BetaBinomial{1, 1}}, ref.BetaBinomial},
	} {
		e := enumerateModels(t, test.d, test.score, &EnumerateSettings{Average: true})
		a := get(e.ModelAverage())(t)
		// BMS solves the normal equations of raw columns: about 1e-9.
		nearAll(t, test.name+" InclusionProb", e.InclusionProb(), test.want.Inclusion, 1e-9)
		nearAll(t, test.name+" SizeProb", e.SizeProb(), test.want.Size, 1e-9)
		nearAll(t, test.name+" Mean", a.Slopes(), test.want.Mean, 1e-8)
		nearAll(t, test.name+" SD", a.StdErr()[1:], test.want.SD, 1e-8)
		for i, p := range test.want.Top {
			near(t, test.name+" PostProb", e.Best()[i].PostProb, p, 1e-9)
		}
	}

	train, _ := prostate(t)
	e := enumerateModels(t, train, BICScore{}, &EnumerateSettings{Best: 256})
	nearAll(t, "prostate InclusionProb", e.InclusionProb(), ref.Prostate.Inclusion, 1e-12)
	for _, m := range e.Best() {
		at := 0
		for _, name := range m.Terms {
			at += 1 << slices.Index(prostateTerms, name)
		}
		near(t, "prostate PostProb", m.PostProb, ref.Prostate.PostProb[at], 1e-11)
		near(t, "prostate LogMarginal", m.LogMarginal, ref.Prostate.LogLik[at]-float64(len(m.Terms))/2*math.Log(67), 1e-12)
	}
	// The median model is not the most probable one.
	if got := strings.Join(e.MAPModel().Terms, " "); got != "lcavol lweight" {
		t.Error("MAP model is", got)
	}
	if got := strings.Join(e.MedianModel().Terms, " "); got != "lcavol lweight svi" {
		t.Error("median model is", got)
	}
	near(t, "median model's probability", e.MedianModel().PostProb, e.Best()[1].PostProb, 0)
	for _, r := range e.InclusionTable() {
		if r.InMedian != (r.PostProb > 0.5) || r.InMAP != slices.Contains(e.MAPModel().Terms, r.Term) || !math.IsNaN(r.Mean) {
			t.Errorf("inclusion table: %+v", r)
		}
	}
}

// Models with aliased terms leave what their independent terms leave, and the
// aliased ones are those of least squares: the later. The average is that over
// all models of such coefficients.
func TestEnumerateAliased(t *testing.T) {
	d := randomDesign(t, 2, 25, 7)
	for i := range 25 {
		d.X.Set(i, 3, 2*d.X.At(i, 0)-d.X.At(i, 1))
		d.X.Set(i, 5, 7) // constant
	}
	for _, score := range []ModelScore{BICScore{}, ZellnerG{G: 40}} {
		e := enumerateModels(t, d, score, &EnumerateSettings{Best: 128, Average: true})
		mean, shrink := make([]float64, 7), 1.0
		if got := strings.Join(e.Aliased(), " "); got != "x4 x6" {
			t.Errorf("aliased: %s", got)
		}
		for _, m := range e.Best() {
			sub, err := d.Select(m.Terms...)
			if len(m.Terms) == 0 {
				sub, err = d.Select("x6")
			}
			if err != nil {
				t.Fatal(err)
			}
			f := get(FitOLS(sub, &OLSSettings{Aliased: DropAliased}))(t)
			k := float64(len(m.Terms))
			want := f.LogLik() - k/2*math.Log(25)
			if z, ok := score.(ZellnerG); ok {
				lg, _ := math.Lgamma(12)
				want = lg - 12*math.Log(math.Pi) - math.Log(25)/2 - k/2*math.Log(1+z.G) -
					12*math.Log(f.TSS()-z.G/(1+z.G)*(f.TSS()-f.RSS()))
				shrink = z.G / (1 + z.G)
			}
			near(t, fmt.Sprint("log marginal of ", m.Terms), m.LogMarginal, want, 1e-11)
			for i, b := range gram.WithoutNaN(f.Slopes())[:len(m.Terms)] {
				near(t, fmt.Sprint("coefficient of ", m.Terms[i], " in ", m.Terms), m.Coef[i], shrink*b, 1e-11)
				mean[slices.Index(d.Names, m.Terms[i])] += m.PostProb * shrink * b
			}
		}
		a := get(e.ModelAverage())(t)
		nearAll(t, "averaged slopes", a.Slopes(), mean, 1e-10)
		for j, b := range a.Coef() {
			if math.IsNaN(b) || math.IsNaN(a.StdErr()[j]) {
				t.Errorf("%s is %v, standard deviation %v", a.Names()[j], b, a.StdErr()[j])
			}
		}
		if c := a.Slopes()[5]; c != 0 {
			t.Errorf("the coefficient of a constant is %v", c)
		}
	}
}

// Units of columns and of the response do not matter to scores that do not
// depend on them.
func TestEnumerateUnits(t *testing.T) {
	d := randomDesign(t, 8, 40, 6)
	other := d.Rows(slices.Collect(func(yield func(int) bool) {
		for i := 0; i < 40 && yield(i); i++ {
		}
	})...)
	for i := range 40 {
		for j := range 6 {
			other.X.Set(i, j, math.Ldexp(d.X.At(i, j), 60*(j-3))+math.Ldexp(float64(j), 60*(j-3)))
		}
		other.Y[i] = 1e80 * d.Y[i]
	}
	for _, score := range []ModelScore{BICScore{}, ZellnerG{}} {
		e, f := enumerateModels(t, d, score, nil), enumerateModels(t, other, score, nil)
		nearAll(t, "InclusionProb", f.InclusionProb(), e.InclusionProb(), 1e-11)
	}
}
