package mlreg

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// voidRows returns rows of which every fifth has weight zero and values whose squares, and
// whose predictions, are no float64, folds and labels of these rows, and the same of the others.
func voidRows(t *testing.T, response func(rnd *rand.Rand, eta float64) float64) (all, rest *Design, of, ofRest []int) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(35, 6))
	const n = 60
	x, y, w := mat.NewDense(n, 2, nil), make([]float64, n), make([]float64, n)
	var rows []int
	for i := range n {
		x.SetRow(i, []float64{rnd.NormFloat64(), rnd.NormFloat64()})
		y[i], w[i] = response(rnd, 1+0.5*x.At(i, 0)-0.3*x.At(i, 1)), 1
		of = append(of, rnd.IntN(4))
		if i%5 == 3 {
			x.SetRow(i, []float64{1e300, -1e300})
			w[i], y[i] = 0, 1e300
			continue
		}
		rows, ofRest = append(rows, i), append(ofRest, of[i])
	}
	all = get(NewDesign(x, y, "a", "b"))(t)
	all.Weights = w
	return all, all.Rows(rows...), of, ofRest
}

// Rows of weight zero change no cross-validation, whatever they are.
func TestCrossValidationOfWeightZero(t *testing.T) {
	noisy := func(rnd *rand.Rand, eta float64) float64 { return eta + rnd.NormFloat64() }
	count := func(rnd *rand.Rand, eta float64) float64 { return poissonDraw(rnd, math.Exp(eta)) }
	for name, c := range map[string]struct {
		response func(rnd *rand.Rand, eta float64) float64
		of       func(d *Design, folds *Folds) (*CV, error)
	}{
		"CrossValidate": {noisy, func(d *Design, folds *Folds) (*CV, error) {
			return CrossValidate(d, folds, func(train *Design) ([]*OLS, error) { f, err := FitOLS(train, nil); return []*OLS{f}, err }, nil)
		}},
		"CrossValidate, GLM": {count, func(d *Design, folds *Folds) (*CV, error) {
			return CrossValidate(d, folds, func(train *Design) ([]*GLM, error) { f, err := FitGLM(train, Poisson, nil); return []*GLM{f}, err }, nil)
		}},
		"FitGLMCV":   {count, func(d *Design, folds *Folds) (*CV, error) { return cvOf(FitGLMCV(d, Poisson, 1, folds, nil, nil)) }},
		"FitLassoCV": {noisy, func(d *Design, folds *Folds) (*CV, error) { return cvOf(FitLassoCV(d, folds, nil, nil)) }},
		"FitRidgeCV": {noisy, func(d *Design, folds *Folds) (*CV, error) { return cvOf(FitRidgeCV(d, folds, nil, nil)) }},
		"FitGreedyCV": {noisy, func(d *Design, folds *Folds) (*CV, error) {
			f, err := FitGreedyCV(d, folds, nil, nil)
			return f.CV, err
		}},
	} {
		all, rest, of, ofRest := voidRows(t, c.response)
		got, want := get(c.of(all, get(NewFolds(of))(t)))(t), get(c.of(rest, get(NewFolds(ofRest))(t)))(t)
		nearAll(t, name+": mean loss", got.Mean(), want.Mean(), 1e-9)
		nearAll(t, name+": standard error", got.StdErr(), want.StdErr(), 1e-9)
	}
	all, _, of, _ := voidRows(t, noisy)
	for i, fold := range of {
		if fold == 2 {
			all.Weights[i] = 0
		}
	}
	_, err := FitLassoCV(all, get(NewFolds(of))(t), nil, nil)
	wantError(t, "a fold of weight zero", err, ErrNoData, "fold 2", "weight zero")
}

func cvOf[P FitPath[F], F PathFit[F]](c *PathCV[P, F], err error) (*CV, error) {
	if c == nil {
		return nil, err
	}
	return c.CV, err
}

// Rows of weight zero change no sandwich and no inflation factor, whatever they are.
func TestSandwichesOfWeightZero(t *testing.T) {
	for _, unit := range []float64{1, 1e10} { // at which a residual of these rows is no float64
		sandwichesOfWeightZero(t, unit)
	}
}

func sandwichesOfWeightZero(t *testing.T, unit float64) {
	t.Helper()
	all, rest, _, _ := voidRows(t, func(rnd *rand.Rand, eta float64) float64 { return unit * (eta + rnd.NormFloat64()) })
	f, g := fitted(t, all, nil), fitted(t, rest, nil)
	for _, hc := range []HC{HC0, HC1, HC2, HC3} {
		want := get(g.Robust(rest, hc))(t).StdErr()
		nearAll(t, hc.String(), get(f.Robust(all, hc))(t).StdErr(), want, 1e-10)
		nearAll(t, hc.String()+" of blocks", get(f.Robust(blocksOf(all, 7), hc))(t).StdErr(), want, 1e-10)
	}
	h := &HACSettings{Lags: 2}
	nearAll(t, "HAC", get(f.HAC(all, h))(t).StdErr(), get(g.HAC(rest, h))(t).StdErr(), 1e-10)
	b, c := get(f.DFBETAS(all))(t), get(g.DFBETAS(rest))(t)
	nearAll(t, "DFBETAS", b.RawRowView(4), c.RawRowView(3), 1e-10)
	vif, want := get(VIF(all))(t), get(VIF(rest))(t)
	for j := range want {
		near(t, "VIF", vif[j].VIF, want[j].VIF, 1e-10)
	}
}

// The features of a row of weight zero may be anything, and another's are named by its row.
func TestNaiveBayesOfWeightZero(t *testing.T) {
	rnd := rand.New(rand.NewPCG(35, 7))
	x, y := mat.NewDense(40, 2, nil), make([]float64, 40)
	w := make([]float64, 40)
	var rows []int
	for i := range y {
		x.SetRow(i, []float64{float64(rnd.IntN(2)), float64(rnd.IntN(2))})
		y[i], w[i] = float64(i%2), 2
		if i%4 == 1 {
			x.SetRow(i, []float64{7, math.Pi})
			w[i] = 0
			continue
		}
		rows = append(rows, i)
	}
	d := get(NewDesign(x, y, "a", "b"))(t)
	d.Weights = w
	got, want := get(FitNaiveBayes(d, 1, nil))(t), get(FitNaiveBayes(d.Rows(rows...), 1, nil))(t)
	nearAll(t, "probabilities", got.s.P, want.s.P, 0)
	nearAll(t, "counts", got.s.Rows, want.s.Rows, 0)
	w[5] = 1
	_, err := FitNaiveBayes(d, 1, nil)
	wantError(t, "a feature of weight one", err, ErrSetting, `"a" is 7 in row 6`)
}
