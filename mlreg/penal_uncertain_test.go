package mlreg

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// trueObjective is RSS + l1 sum_g sqrt(p_g) f |b_g| + l2 sum f b^2 of the rows.
func trueObjective(t *testing.T, d *Design, b []float64, b0, l1, l2 float64, s *LassoSettings) float64 {
	t.Helper()
	var f float64
	for i, y := range d.Y {
		r := y - b0
		for j, v := range b {
			r -= v * d.X.At(i, j)
		}
		f += d.Weight(i) * r * r
	}
	grouped := map[string]bool{}
	for _, g := range s.Groups {
		var ss float64
		for _, name := range g.Terms {
			j := get(args.Positions([]string{name}, d.Names))(t)[0]
			ss += b[j] * b[j]
			grouped[name] = true
		}
		f += l1 * math.Sqrt(float64(len(g.Terms))*ss)
	}
	for j, v := range b {
		factor := 1.0
		for _, name := range s.AlwaysIn {
			if name == d.Names[j] {
				factor = 0
			}
		}
		if !grouped[d.Names[j]] {
			f += l1 * factor * math.Abs(v)
		}
		f += l2 * factor * v * v
	}
	return f
}

// A free coefficient that sums make 0, and that the rows make not: with S_xx = S_yy = 1 and
// S_xy = 0 to within r, rows of S_xy = r are r^2 better.
func TestGapOfAFreeTermAtZero(t *testing.T) {
	for _, r := range []float64{1e-3, 1e-4, 1e-5} {
		m := get(MomentsOf(Sums{Names: []string{"x"}, N: 50, MeanX: []float64{0}, SXX: mat.NewSymDense(1, []float64{1}), SXY: []float64{0}, SYY: 1, RelErr: r}))(t)
		f, err := FitLasso(m, 1, &LassoSettings{AlwaysIn: []string{"x"}})
		var short *ConvergenceError
		if err != nil && !errors.As(err, &short) {
			t.Fatal(err)
		}
		if f.Slopes()[0] != 0 || !(f.Gap() >= r*r) {
			t.Errorf("RelErr %v: slope %v, gap %.3g of at least %.3g", r, f.Slopes()[0], f.Gap(), r*r)
		}
	}
}

// The gap of a fit to sums that are wrong by what they state bounds how far it is from the
// minimum on the rows that the sums are of.
func TestGapOfInexactSums(t *testing.T) {
	sequential(t)
	var stated, had float64
	count := 0
	for trial := range 40 {
		rnd := rand.New(rand.NewPCG(uint64(trial), 3))
		d := correlatedDesign(t, uint64(trial), 40, 5, 0.8, 1)
		relErr := math.Pow(10, -3-8*rnd.Float64())
		m := get(MomentsOf(inexactSums(rnd, d, relErr)))(t)
		for name, s := range map[string]*LassoSettings{
			"plain": {}, "always in": {AlwaysIn: []string{"x2", "x4"}}, "not negative": {NonNegative: []string{"x1", "x3"}},
			"groups": {Groups: []TermGroup{{Name: "g", Terms: []string{"x1", "x2", "x5"}}}},
		} {
			for _, l2 := range []float64{0, 0.7} {
				l1 := math.Pow(10, 3*rnd.Float64()-1)
				exact := *s
				exact.Gap = 1e-13
				f, err := FitElasticNet(m, l1, l2, s)
				var short *ConvergenceError
				if err != nil && !errors.As(err, &short) {
					t.Fatal(err)
				}
				best := get(FitElasticNet(d, l1, l2, &exact))(t)
				null := get(d.Moments())(t).SYY()
				// The intercept is the best one for the slopes.
				b0 := get(d.Moments())(t).MeanY()
				for j, mean := range get(d.Moments())(t).MeanX() {
					b0 -= mean * f.Slopes()[j]
				}
				at, least := trueObjective(t, d, f.Slopes(), b0, l1, l2, s), trueObjective(t, d, best.Slopes(), best.Intercept(), l1, l2, s)
				if gap := (at - least) / null; gap > f.Gap() {
					t.Errorf("%s, RelErr %.2g, l1 %.3g, l2 %.3g: %.3g above the minimum, and a gap of %.3g stated", name, relErr, l1, l2, gap, f.Gap())
				} else if f.Gap() > 0 {
					stated += math.Log10(f.Gap())
					had += math.Log10(math.Max(gap, 1e-16))
					count++
				}
				if (f.Gap() > 1e-6) != (short != nil) {
					t.Errorf("%s: gap %.3g with the error %v", name, f.Gap(), err)
				}
			}
		}
		lars, err := FitLARS(m, &LARSSettings{Lambda: 1})
		if lars == nil {
			t.Fatal(err)
		}
		for k, lambda := range lars.Lambda() {
			f := lars.Fit(k)
			b0 := get(d.Moments())(t).MeanY()
			for j, mean := range get(d.Moments())(t).MeanX() {
				b0 -= mean * f.Slopes()[j]
			}
			best := get(FitLasso(d, lambda, &LassoSettings{Gap: 1e-13}))(t)
			at, least := trueObjective(t, d, f.Slopes(), b0, lambda, 0, &LassoSettings{}), trueObjective(t, d, best.Slopes(), best.Intercept(), lambda, 0, &LassoSettings{})
			if gap := (at - least) / get(d.Moments())(t).SYY(); gap > f.Gap() {
				t.Errorf("LARS, RelErr %.2g, lambda %.3g: %.3g above the minimum, and a gap of %.3g stated", relErr, lambda, gap, f.Gap())
			}
		}
	}
	t.Logf("%d fits: gap of 10^%.1f stated, 10^%.1f had on average", count, stated/float64(count), had/float64(count))
}

// The gap of sums whose errors all point the same way, as the bound allows them to, is at
// most the one stated and not much less: the duality gap of the weights on the rows, of the
// dual point s r that is feasible there.
func TestGapOfSumsAtTheirBounds(t *testing.T) {
	least := math.Inf(1)
	for trial := range 20 {
		d := correlatedDesign(t, uint64(trial), 60, 4, 0.3, 1)
		const l1, relErr = 10, 1e-5
		exact := get(FitLasso(d, l1, &LassoSettings{Gap: 1e-13}))(t)
		for _, sign := range []float64{1, -1} {
			m := get(d.Moments())(t)
			s := sumsOfMoments(m)
			z := make([]float64, 5) // of the response last
			for j, b := range exact.Slopes() {
				z[j] = math.Copysign(math.Sqrt(s.SXX.At(j, j)), b)
			}
			z[4] = -math.Sqrt(s.SYY)
			for j := range 4 {
				for k := j; k < 4; k++ {
					s.SXX.SetSym(j, k, s.SXX.At(j, k)+sign*relErr*z[j]*z[k])
				}
				s.SXY[j] += sign * relErr * z[j] * z[4]
			}
			s.SYY += sign * relErr * z[4] * z[4]
			s.RelErr = relErr * (1 + 1e-9)
			f, err := FitLasso(get(MomentsOf(s))(t), l1, &LassoSettings{Gap: 1e-13})
			if f == nil {
				t.Fatal(err)
			}
			x, y := mat.DenseCopyOf(d.X), slices.Clone(d.Y)
			r := make([]float64, len(y))
			for i := range y {
				y[i] -= m.MeanY()
				r[i] = y[i]
				for j, b := range f.Slopes() {
					x.Set(i, j, x.At(i, j)-m.MeanX()[j])
					r[i] -= x.At(i, j) * b
				}
			}
			largest, norm := 0.0, 0.0
			for j, b := range f.Slopes() {
				largest = math.Max(largest, 2*math.Abs(floats.Dot(mat.Col(nil, j, x), r)))
				norm += math.Abs(b)
			}
			scale := math.Min(1, l1/largest)
			gap := gram.Squares(r) + l1*norm - gram.Squares(y)
			for i := range y {
				gap += gram.Square(y[i] - scale*r[i])
			}
			gap /= m.SYY()
			if gap > f.Gap() {
				t.Errorf("a gap of %.3g, and %.3g stated", gap, f.Gap())
			}
			if sign > 0 {
				least = math.Min(least, f.Gap()/gap)
			}
		}
	}
	if least > 6 {
		t.Errorf("the gap stated is %.1f times that there is, or more", least)
	}
}
