package mlreg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// far returns rows of birth weights whose columns age and lwt are a million from
// zero.
func far(t *testing.T, response string) *Design {
	t.Helper()
	d := csvDesign(t, "birthwt.csv", response, "age", "lwt", "smoke")
	for i := range d.NObs() {
		d.X.Set(i, 0, d.X.At(i, 0)+1e6)
		d.X.Set(i, 1, d.X.At(i, 1)+1e6)
	}
	return d
}

type farReference struct {
	Coef, VCov               []float64
	Deviance, LogDet, LogLik float64
}

// Newton's method in numbers of 60 digits, see testdata/logistic_shifted.py.
func TestNewtonFitsFarFromZero(t *testing.T) {
	var want map[string]farReference
	readJSON(t, "logistic_shifted.json", &want)
	for name, s := range map[string]*LogisticSettings{"plain": nil, "ridge": {L2: 0.5}} {
		f, w := fitLogistic(t, far(t, "low"), s), want[name]
		nearAll(t, name+" coef", f.Coef(), w.Coef, 1e-13)
		nearSym(t, name+" covariance", f.VCov(), mat.NewSymDense(len(w.Coef), w.VCov), 1e-12)
		near(t, name+" deviance", f.Deviance(), w.Deviance, 1e-14)
		if coef, stderr := f.Digits(); coef < 10 || stderr < 10 {
			t.Errorf("%s: %d and %d digits", name, coef, stderr)
		}
	}
	d := far(t, "race")
	m := get(FitMultinomial(d, nil))(t)
	w := want["classes"]
	nearAll(t, "classes coef", m.Coef(), w.Coef, 1e-12)
	nearSym(t, "classes covariance", m.VCov(), mat.NewSymDense(len(w.Coef), w.VCov), 1e-11)
	near(t, "classes deviance", m.Deviance(), w.Deviance, 1e-14)

	// A prior N(0, 1) is L2 = 1/2; under it the intercept is, too.
	for name, s := range map[string]*BayesLogisticSettings{"ridge": nil, "under": {PenalizeIntercept: true}} {
		f := get(FitBayesLogistic(far(t, "low"), GaussianPrior{Tau2: 1}, s))(t)
		w := want[name]
		nearAll(t, name+" mode", f.Coef(), w.Coef, 1e-10)
		nearSym(t, name+" covariance", f.VCov(), mat.NewSymDense(len(w.Coef), w.VCov), 1e-9)
		first, flat := 1, 1
		if s != nil {
			first, flat = 0, 0
		}
		evidence := w.LogLik + w.LogDet/2 + float64(flat)/2*math.Log(2*math.Pi)
		for _, b := range w.Coef[first:] {
			evidence -= b * b / 2
		}
		near(t, name+" evidence", f.LogEvidence(), evidence, 1e-12)
	}
}

// R's glm of the same columns, and nnet::multinom of centered ones, whose slopes
// are the same: see testdata/logistic_shifted.R. glm loses digits here.
func TestNewtonFitsFarFromZeroAgainstR(t *testing.T) {
	var want struct {
		Coef, StdErr []float64
		Deviance     float64
		Multinom     struct {
			Slopes, StdErr [][]float64
			Deviance       float64
		}
	}
	readJSON(t, "logistic_shifted_r.json", &want)
	f := fitLogistic(t, far(t, "low"), nil)
	nearAll(t, "coef", f.Coef(), want.Coef, 1e-9)
	nearAll(t, "stderr", f.StdErr(), want.StdErr, 1e-8)
	near(t, "deviance", f.Deviance(), want.Deviance, 1e-12)
	m := get(FitMultinomial(far(t, "race"), nil))(t)
	b := m.CoefMatrix()
	for c := range want.Multinom.Slopes {
		nearAll(t, "multinom", b.RawRowView(c)[1:], want.Multinom.Slopes[c], 1e-5)
	}
	near(t, "multinom deviance", m.Deviance(), want.Multinom.Deviance, 1e-10)
}

// Another origin and another unit of the terms are another intercept and other
// units of the slopes, and the rest is the same.
func TestLogisticEquivariant(t *testing.T) {
	repeats(t)
	for _, size := range [][2]int{{60, 4}, {1200, 41}} { // by QR, and by cross-products
		n, p := size[0], size[1]
		d := logisticDesign(t, 5, n, p)
		for i := range n {
			for j := range p { // so that shifts are exact
				d.X.Set(i, j, math.Round(d.X.At(i, j)*0x1p20)*0x1p-20)
			}
		}
		for _, l2 := range []float64{0, 3} {
			f := fitLogistic(t, d, &LogisticSettings{L2: l2})
			for _, shift := range []float64{100, 1e6, 1e9} {
				for _, e := range []int{0, 40, -40, 300, -300} {
					scale := math.Ldexp(1, e)
					l2 := l2 * scale * scale
					moved := *d
					moved.X = mat.DenseCopyOf(d.X)
					moved.X.Apply(func(_, _ int, v float64) float64 { return (v + shift) * scale }, moved.X)
					g := fitLogistic(t, &moved, &LogisticSettings{L2: l2})
					slopes, se := g.Slopes(), g.StdErr()[1:]
					for j := range slopes {
						slopes[j] *= scale
						se[j] *= scale
					}
					nearAll(t, "slopes", slopes, f.Slopes(), 1e-12)
					nearAll(t, "standard errors", se, f.StdErr()[1:], 1e-12)
					near(t, "deviance", g.Deviance(), f.Deviance(), 1e-13)
					if g.Decrement() > 1e-11 {
						t.Errorf("shift %v, scale 2^%d: decrement %v", shift, e, g.Decrement())
					}
				}
			}
		}
	}
}

// A constant far from zero, exactly or but for rounding, is aliased with the intercept.
func TestLogisticFarConstant(t *testing.T) {
	d := logisticDesign(t, 5, 60, 3)
	for i := range 60 {
		d.X.Set(i, 1, []float64{1e6, math.Nextafter(1e6, 2e6)}[i%2])
	}
	_, err := FitLogistic(d, nil)
	e, ok := err.(*RankDeficientError)
	if !ok || len(e.Aliased) != 1 || e.Aliased[0] != d.Names[1] {
		t.Fatal(err)
	}
	f := fitLogistic(t, d, &LogisticSettings{L2: 1})
	if b := f.Slopes()[1]; math.Abs(b) > 1e-12 {
		t.Errorf("slope of a constant: %v", b)
	}
}
