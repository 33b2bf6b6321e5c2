package quantreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

// Scale, shift, regression and the sign of the response: Koenker and Bassett (1978),
// theorem 3.2.
func TestQuantileEquivariance(t *testing.T) {
	for seed := range uint64(20) {
		d := rows.Random(t, seed, 40, 3)
		tau := 0.1 + 0.04*float64(seed)
		f := fatal.On(Fit(d, tau, nil))(t)
		changed := func(y func(i int) float64) *mlreg.Design {
			c := *d
			c.Y = make([]float64, len(d.Y))
			for i := range c.Y {
				c.Y[i] = y(i)
			}
			return &c
		}
		shift := []float64{3, 1, -2, 0.5}
		moved := fatal.On(Fit(changed(func(i int) float64 {
			row := d.X.RawRowView(i)
			return 4*d.Y[i] + shift[0] + shift[1]*row[0] + shift[2]*row[1] + shift[3]*row[2]
		}), tau, nil))(t)
		minus := fatal.On(Fit(changed(func(i int) float64 { return -d.Y[i] }), 1-tau, nil))(t)
		for j, b := range f.Coef() {
			expect.Near(t, "scale and regression", moved.Coef()[j], 4*b+shift[j], 1e-10)
			expect.Near(t, "sign", minus.Coef()[j], -b, 1e-10)
		}
		// Without terms quantiles follow any increasing function of the response.
		alone := fatal.On(d.Select())(t)
		plain := fatal.On(Fit(alone, tau, nil))(t)
		if !plain.Unique() {
			continue
		}
		grown := *alone
		grown.Y = make([]float64, len(d.Y))
		for i, y := range d.Y {
			grown.Y[i] = math.Exp(y)
		}
		expect.Near(t, "monotone", fatal.On(Fit(&grown, tau, nil))(t).Intercept(), math.Exp(plain.Intercept()), 1e-10)
	}
}

// A lasso of quantiles: exact zeros, a certificate, and the path's points are fits by
// themselves; L2 shrinks.
func TestQuantilePenalties(t *testing.T) {
	d := rows.Random(t, 5, 30, 6)
	path := fatal.On(FitPath(d, 0.4, &mlreg.PathSettings{Count: 12, Ratio: 0.01}))(t)
	for k, lambda := range path.Lambda() {
		own := fatal.On(Fit(d, 0.4, &Settings{L1: lambda}))(t)
		expect.Near(t, "objective", path.Objective()[k], own.Objective(), 1e-12)
		c := fatal.On(own.Certify(d))(t)
		if c.Gap > 1e-12*c.Objective || c.Imbalance > 1e-12 || c.Outside > 0 || path.KKT()[k] > 1e-12 {
			t.Errorf("lambda %v: %+v", lambda, c)
		}
		// No small step is better.
		rnd := rand.New(rand.NewPCG(uint64(k), 1))
		for range 50 {
			b := own.Slopes()
			for j := range b {
				b[j] += 1e-4 * rnd.NormFloat64()
			}
			b0, value := own.Intercept()+1e-4*rnd.NormFloat64(), 0.0
			for i, y := range d.Y {
				r := y - b0
				for j, x := range d.X.RawRowView(i) {
					r -= x * b[j]
				}
				value += math.Max(0.4*r, -0.6*r)
			}
			for _, v := range b {
				value += lambda * math.Abs(v)
			}
			if value < own.Objective()*(1-1e-12) {
				t.Fatalf("lambda %v: a step decreases the objective from %v to %v", lambda, own.Objective(), value)
			}
		}
	}
	if n := len(path.Fit(0).Active()); n != 0 {
		t.Errorf("%d slopes at the largest lambda", n)
	}
	almost := fatal.On(Fit(d, 0.4, &Settings{L1: path.LambdaMax() * 0.999}))(t)
	if len(almost.Active()) == 0 {
		t.Error("below LambdaMax no slope enters")
	}
	wide := rows.Random(t, 6, 8, 12)
	if _, err := FitLAD(wide, nil); !errors.Is(err, mlreg.ErrRankDeficient) {
		t.Errorf("n < p: %v", err)
	}
	if f := fatal.On(FitLAD(wide, &Settings{L1: 0.5}))(t); f.Gap() > 1e-12 {
		t.Errorf("n < p with a penalty: gap %g", f.Gap())
	}
	soft, hard := fatal.On(FitLAD(d, &Settings{L2: 0.1}))(t), fatal.On(FitLAD(d, &Settings{L2: 100}))(t)
	if !(gram.Squares(hard.Slopes()) < gram.Squares(soft.Slopes())) || soft.Gap() > 1e-10 {
		t.Errorf("L2: %v, %v, gap %g", soft.Slopes(), hard.Slopes(), soft.Gap())
	}
}

func TestQuantileBadInput(t *testing.T) {
	d := rows.Random(t, 5, 30, 2)
	for _, tau := range []float64{0, 1, -1, 2, math.NaN(), math.Inf(1)} {
		if _, err := Fit(d, tau, nil); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("tau %v: %v", tau, err)
		}
		if _, err := FitPath(d, tau, nil); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("path at tau %v: %v", tau, err)
		}
	}
	for _, s := range []Settings{{L1: -1}, {L2: math.NaN()}, {Gap: -1}, {MaxSteps: -1}} {
		if _, err := FitLAD(d, &s); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%+v: %v", s, err)
		}
	}
	if _, err := FitQuantiles(d, nil, nil); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("no taus: %v", err)
	}
	if _, err := FitQuantiles(d, []float64{0.5, 0.5}, nil); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("equal taus: %v", err)
	}
	if f, err := FitLAD(d, &Settings{MaxSteps: 1}); err != nil && (f == nil || !errors.Is(err, mlreg.ErrNotConverged)) {
		t.Errorf("one step: %v, %v", f, err)
	}
	f := fatal.On(FitLAD(d, nil))(t)
	if _, err := f.Certify(d.Rows(0, 1, 2)); !errors.Is(err, mlreg.ErrShape) {
		t.Errorf("other rows: %v", err)
	}
	// An exact fit, and identical rows.
	exact, same := *d, *d
	exact.Y = make([]float64, 30)
	same.X = mat.NewDense(30, 2, nil)
	for i := range exact.Y {
		exact.Y[i] = 2 + 3*d.X.At(i, 0) - d.X.At(i, 1)
		same.X.SetRow(i, []float64{float64(i % 3), float64(i % 3 * (i % 3))})
	}
	g := fatal.On(FitLAD(&exact, nil))(t)
	expect.Near(t, "slope of an exact fit", g.Slopes()[0], 3, 1e-12)
	if g.Loss() > 1e-12 || !g.Unique() || math.IsNaN(g.Gap()) {
		t.Errorf("exact fit: loss %g, unique %v, gap %g", g.Loss(), g.Unique(), g.Gap())
	}
	if h := fatal.On(FitLAD(&same, nil))(t); h.Gap() > 1e-12 || fatal.On(h.Certify(&same))(t).Outside > 0 {
		t.Errorf("identical rows: %v", h)
	}
}

// Limits hold the true slope about as often as they say, noise that grows with x
// included.
func TestQuantileCoverage(t *testing.T) {
	const worlds, n, level = 300, 80, 0.9
	rnd := rand.New(rand.NewPCG(8, 9))
	held := [3]int{}
	for range worlds {
		x, y := mat.NewDense(n, 1, nil), make([]float64, n)
		for i := range y {
			v := 2 * rnd.Float64()
			x.Set(i, 0, v)
			y[i] = 1 + v + (0.5+v)*rnd.NormFloat64()
		}
		d := fatal.On(mlreg.NewDesign(x, y, "x"))(t)
		f := fatal.On(FitLAD(d, nil))(t)
		limits := []report.Rows[mlreg.Interval]{
			fatal.On(f.RankLimits(d, level, &RankLimitsSettings{Unequal: true}))(t),
			fatal.On(f.RankLimits(d, level, nil))(t),
			fatal.On(fatal.On(f.Inference(d, HendricksKoenker))(t).ConfInt(level))(t),
		}
		for k, l := range limits {
			if l[1].Lower <= 1 && 1 <= l[1].Upper {
				held[k]++
			}
		}
	}
	for k, h := range held {
		if share := float64(h) / worlds; math.Abs(share-level) > 0.06 {
			t.Errorf("limits %d hold the slope in %.3f of the worlds, wanted %v", k, share, level)
		}
	}
}

func TestQuantileLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	d := rows.Random(t, 4, 100_000, 20)
	if f := fatal.On(FitLAD(d, nil))(t); f.Gap() > 1e-12 {
		t.Errorf("%s: gap %g", f.Method(), f.Gap())
	}
}

// Without an intercept the fits at tau -+ h often go through a common row, whose density is
// 0 and not one over a difference that is rounding.
func TestHendricksKoenkerCommonRow(t *testing.T) {
	src := rand.New(rand.NewPCG(5, 6))
	const n, p, tau = 60, 2, 0.3
	common := 0
	for range 60 {
		d := &mlreg.Design{X: mat.NewDense(n, p, nil), Y: make([]float64, n), Names: []string{"a", "b"}, NoIntercept: true}
		for i := range d.Y {
			d.X.SetRow(i, []float64{src.NormFloat64(), src.NormFloat64()})
			d.Y[i] = src.NormFloat64()
		}
		f := fatal.On(Fit(d, tau, nil))(t)
		inference, err := f.Inference(d, HendricksKoenker)
		if err != nil {
			continue
		}
		h := inference.Bandwidth()
		low, high := fatal.On(Fit(d, tau-h, nil))(t), fatal.On(Fit(d, tau+h, nil))(t)
		hessian, gram := mat.NewDense(p, p, nil), mat.NewDense(p, p, nil)
		crossed := 0
		for i := range n {
			both := slices.Contains(low.Basis(), i) && slices.Contains(high.Basis(), i)
			var rise float64
			for j, x := range d.X.RawRowView(i) {
				rise += x * (high.Slopes()[j] - low.Slopes()[j])
			}
			row := mat.NewVecDense(p, d.X.RawRowView(i))
			gram.RankOne(gram, 1, row, row)
			switch {
			case both:
				common++
				crossed++
			case rise <= 0:
				crossed++
			default:
				hessian.RankOne(hessian, 2*h/rise, row, row)
			}
		}
		if inference.Crossed() != crossed {
			t.Errorf("%d densities of zero, want %d", inference.Crossed(), crossed)
		}
		var inverse, v mat.Dense
		if err := inverse.Inverse(hessian); err != nil {
			t.Fatal(err)
		}
		v.Mul(&inverse, gram)
		v.Mul(&v, &inverse)
		for j, got := range inference.StdErr() {
			expect.Near(t, "standard error", got, math.Sqrt(tau*(1-tau)*v.At(j, j)), 1e-8)
		}
	}
	if common < 5 {
		t.Errorf("only %d common rows", common)
	}
}

func TestQuantileTauNearZero(t *testing.T) {
	d := &mlreg.Design{X: mat.NewDense(4, 1, []float64{1, 2, 3, 5}), Y: []float64{1, 3, 2, 2}, Names: []string{"x"}}
	fatal.On(Fit(d, 1e-9, nil))(t)
	for _, tau := range []float64{1e-14, 1 - 1e-14} {
		_, err := Fit(d, tau, nil)
		expect.Error(t, "tau", err, mlreg.ErrSetting, "near to 0 or 1")
	}
}

// Resamples of few rows have duals that are zero but for rounding. The search for the other
// fits with the same loss takes them for zero, and ends.
func TestRangeOfFitsEnds(t *testing.T) {
	const n, tau = 60, 0.8
	r := rand.New(rand.NewPCG(7, 7))
	x, y := mat.NewDense(n, 5, nil), make([]float64, n)
	for i := range n {
		for j := range 3 {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, 3, float64(r.IntN(2)))
		x.Set(i, 4, float64(i))
		y[i] = x.At(i, 0) + r.NormFloat64()
	}
	d := fatal.On(mlreg.NewDesign(x, y))(t)
	boot := fatal.On(Bootstrap(d, tau, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 300}))(t)
	if len(boot.Failures) > 0 {
		t.Error(boot.Failures)
	}
}

// tiedProblem returns a small problem of whole and rounded numbers, which many fits solve.
func tiedProblem(trial uint64) (*mlreg.Design, float64) {
	rnd := rand.New(rand.NewPCG(trial, 35))
	p := 1 + rnd.IntN(5)
	n := p + 2 + rnd.IntN(40)
	x, y := mat.NewDense(n, p, nil), make([]float64, n)
	kind := rnd.IntN(4)
	for i := range n {
		for j := range p {
			switch kind {
			case 0:
				x.Set(i, j, float64(rnd.IntN(3)))
			case 1:
				x.Set(i, j, rnd.NormFloat64())
			case 2:
				x.Set(i, j, math.Round(rnd.NormFloat64()*10)/10)
			case 3:
				x.Set(i, j, float64(rnd.IntN(2)))
			}
		}
		if rnd.IntN(2) == 0 || kind == 3 {
			y[i] = math.Round(rnd.NormFloat64()*10) / 10
		} else {
			y[i] = float64(rnd.IntN(4))
		}
	}
	d := &mlreg.Design{X: x, Y: y, Response: "y"}
	for j := range p {
		d.Names = append(d.Names, fmt.Sprint("x", j))
	}
	if rnd.IntN(3) == 0 {
		for range n {
			d.Weights = append(d.Weights, float64(1+rnd.IntN(3)))
		}
	}
	return d, []float64{0.5, 0.25, 0.1, 0.75, 0.3}[rnd.IntN(5)]
}

// The search for the range of the fits with the same loss ends: a dual that rounding alone
// took beyond its bounds had it go to the next vertex and back, for ever.
func TestRangeOfTiedQuantilesEnds(t *testing.T) {
	first, last := uint64(0), uint64(40_000)
	if testing.Short() {
		first, last = 5000, 5100
	}
	several := 0
	for trial := first; trial < last; trial++ {
		d, tau := tiedProblem(trial)
		f, err := Fit(d, tau, nil)
		if errors.Is(err, mlreg.ErrRankDeficient) {
			continue
		}
		if err != nil {
			t.Errorf("problem %d: %v", trial, err)
			continue
		}
		if f.Unique() {
			continue
		}
		several++
		for j, limits := range f.Range() {
			if b := f.Coef()[j]; !(limits.Lower <= b && b <= limits.Upper) {
				t.Errorf("problem %d: coefficient %d is %v, between %v and %v", trial, j, b, limits.Lower, limits.Upper)
			}
		}
	}
	if several < 10 {
		t.Errorf("%d problems with several fits", several)
	}
}

// A slope that the penalty has at zero is zero, and is counted as that: it was 1e-49, and a
// degree of freedom, by the order of the columns.
func TestQuantileLassoZeros(t *testing.T) {
	for trial := range uint64(200) {
		d, tau := tiedProblem(trial)
		f := fatal.On(Fit(d, tau, &Settings{L1: 1.5}))(t)
		for j, b := range f.Coef() {
			if b != 0 && math.Abs(b) < 1e-12 {
				t.Errorf("problem %d: coefficient %d is %v", trial, j, b)
			}
		}
	}
}
