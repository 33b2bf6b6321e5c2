package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/report"
)

// zeroWeights returns rows of which every fourth has the weight 0 and values that would
// carry any fit away, and the same rows without these.
func zeroWeights(t *testing.T, response func(rnd *rand.Rand, eta float64) float64) (all, positive *Design) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(27, 1))
	const n = 48
	x, y, w, o := mat.NewDense(n, 2, nil), make([]float64, n), make([]float64, n), make([]float64, n)
	var rows []int
	for i := range n {
		x.SetRow(i, []float64{rnd.NormFloat64(), 10 + rnd.NormFloat64()})
		w[i], o[i] = float64(1+i%3), 0.1*rnd.Float64()
		y[i] = response(rnd, 0.5*x.At(i, 0)+0.1*x.At(i, 1)+o[i])
		if i%4 == 2 {
			x.SetRow(i, []float64{1e4, -1e6})
			w[i], y[i], o[i] = 0, 1e7, 3
			continue
		}
		rows = append(rows, i)
	}
	all = get(NewDesign(x, y, "a", "b"))(t)
	all.Weights, all.Offset = w, o
	return all, all.Rows(rows...)
}

// Rows of weight zero count nowhere, and have residuals: with them the fit, its standard
// errors, limits, tests and scores are those without them, to the last digits, and so are the
// values of the other rows.
func TestGLMOfWeightZero(t *testing.T) {
	sequential(t)
	same := func(what string, got, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
		}
		for i := range got {
			if got[i] != want[i] && !(math.Abs(got[i]-want[i]) <= 1e-9*(1e-6+math.Abs(want[i]))) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
				t.Errorf("%s: value %d is %v, and %v without rows of weight zero", what, i, got[i], want[i])
			}
		}
	}
	limits := func(l report.Rows[Interval]) (v []float64) {
		for _, i := range l {
			v = append(v, i.Lower, i.Upper)
		}
		return v
	}
	count := func(rnd *rand.Rand, eta float64) float64 { return poissonDraw(rnd, math.Exp(eta)) }
	positive := func(rnd *rand.Rand, eta float64) float64 { return math.Exp(eta + rnd.NormFloat64()) }
	share := func(rnd *rand.Rand, eta float64) float64 { return math.Round(rnd.Float64()) }
	// numbers are those of the fit, and those of its rows.
	type numbers struct {
		fit  map[string][]float64
		rows map[string][]float64
	}
	type fitted interface {
		Coef() []float64
		StdErr() []float64
		DoFResidual() float64
		NObs() int
		Residuals(d *Design) ([]float64, error)
		Predict(d *Design) ([]float64, error)
	}
	base := func(f fitted, d *Design) numbers {
		return numbers{
			map[string][]float64{"coefficients": f.Coef(), "standard errors": f.StdErr(), "n, n - k": {float64(f.NObs()), f.DoFResidual()}},
			map[string][]float64{"residuals": get(f.Residuals(d))(t), "fitted": get(f.Predict(d))(t)},
		}
	}
	type fitter func(d *Design) numbers
	cases := make(map[string]struct {
		response func(rnd *rand.Rand, eta float64) float64
		of       fitter
	})
	for family, response := range map[GLMFamily]func(*rand.Rand, float64) float64{
		Poisson: count, QuasiPoisson: count, Binomial: share, QuasiBinomial: share, Gamma: positive, InverseGaussian: positive,
	} {
		cases[family.String()] = struct {
			response func(*rand.Rand, float64) float64
			of       fitter
		}{response, func(d *Design) numbers {
			var link Link
			if family == Gamma || family == InverseGaussian {
				link = LogLink
			}
			f := get(FitGLM(d, family, &GLMSettings{Link: link}))(t)
			out := base(f, d)
			out.fit["fit"] = []float64{f.Deviance(), f.NullDeviance(), f.Pearson(), f.Dispersion(), f.LogLik(), AIC(f), BIC(f)}
			out.fit["profile"] = limits(get(f.Profile(d, 0.9))(t))
			for _, hc := range []HC{HC0, HC1, HC2, HC3} {
				out.fit[hc.String()] = get(f.Robust(d, hc))(t).StdErr()
			}
			var clusters []string
			for i := range d.NObs() {
				clusters = append(clusters, fmt.Sprint(d.RowNumber(i)%7))
			}
			out.fit["clustered"] = get(f.Clustered(d, clusters))(t).StdErr()
			for _, row := range get(f.Anova(d))(t) {
				out.fit["anova"] = append(out.fit["anova"], row.ResidualDF, row.ResidualDeviance, row.P, row.PF)
			}
			inf := get(f.Influence(d))(t)
			out.rows["leverage"], out.rows["Cook"], out.rows["studentized"] = inf.Leverage, inf.CooksDistance, inf.Studentized
			out.rows["deviance residuals"] = get(f.DevianceResiduals(d))(t)
			return out
		}}
	}
	for name, c := range cases {
		all, some := zeroWeights(t, c.response)
		if name == Binomial.String() || name == QuasiBinomial.String() {
			for i, w := range all.Weights {
				if w == 0 {
					all.Y[i] = 1e7 // no share at all
				}
			}
		}
		with, without := c.of(all), c.of(some)
		for what, got := range with.fit {
			same(name+": "+what, got, without.fit[what])
		}
		for what, got := range with.rows {
			if len(got) != all.NObs() {
				t.Fatalf("%s: %s of %d rows, want %d", name, what, len(got), all.NObs())
			}
			var of []float64
			for i, w := range all.Weights {
				if w > 0 {
					of = append(of, got[i])
				}
			}
			same(name+": "+what, of, without.rows[what])
		}
		for i, w := range all.Weights {
			if r := with.rows["residuals"][i]; w == 0 && !(math.Abs(r-(all.Y[i]-with.rows["fitted"][i])) <= 1e-9*math.Abs(r)) {
				t.Errorf("%s: residual %v of row %d of weight zero", name, r, i+1)
			}
		}
	}
}
