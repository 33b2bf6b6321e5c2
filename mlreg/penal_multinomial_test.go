package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
)

// glass are R's data of glass fragments, with what glmnet makes of them.
type glass struct {
	X                    [][]float64
	Y                    []float64
	Classes              []string
	Weights, Lambda      []float64
	FoldID               []int
	Lasso, Net, Weighted glmnetPath
	CVDeviance, CVClass  struct{ CVM, CVSD []float64 }
}

type glmnetPath struct {
	Coef     [][][]float64 // lambdas, classes, intercept and slopes
	Deviance []float64
	Null     float64
}

func readGlass(t *testing.T) (*glass, *Design) {
	t.Helper()
	g := new(glass)
	readJSON(t, "multinomial_glmnet.json", g)
	x := mat.NewDense(len(g.X), len(g.X[0]), nil)
	for i, row := range g.X {
		x.SetRow(i, row)
	}
	d := get(NewDesign(x, g.Y))(t)
	d.Classes = g.Classes
	return g, d
}

// glmnet, see testdata/multinomial_glmnet.R.
func TestMultinomialPathAgainstGlmnet(t *testing.T) {
	g, d := readGlass(t)
	weighted := d.Rows(seq(d.NObs())...)
	weighted.Weights = g.Weights
	for _, c := range []struct {
		name  string
		d     *Design
		alpha float64
		want  glmnetPath
	}{{"lasso", d, 1, g.Lasso}, {"elastic net", d, 0.5, g.Net}, {"weighted", weighted, 0.5, g.Weighted}} {
		var w float64
		for i := range c.d.NObs() {
			w += c.d.Weight(i)
		}
		grid, share, err := FromGlmnetPath(c.d, "multinomial", scaledGrid(g.Lambda, 1/w), c.alpha)
		if err != nil {
			t.Fatal(err)
		}
		path := get(FitMultinomialPath(c.d, share, &PathSettings{Lambda: grid, Gap: 1e-14}))(t)
		near(t, c.name+", null deviance", path.NullDeviance(), c.want.Null, 1e-9)
		nearAll(t, c.name+", deviance", path.Deviance(), c.want.Deviance, 1e-6)
		for k, coef := range c.want.Coef {
			f := path.Fit(k)
			for i, want := range slices.Concat(coef...) { // glmnet has about six decimals
				if got := f.Coef()[i]; math.Abs(got-want) > 3e-6 {
					t.Errorf("%s, lambda %g: %s is %.9f, want %.9f", c.name, f.Lambda(), f.Names()[i], got, want)
				}
			}
			near(t, c.name+", deviance of a fit", f.Deviance(), c.want.Deviance[k], 1e-6)
		}
	}
}

// cv.glmnet, by deviance and by misclassification.
func TestMultinomialCVAgainstGlmnet(t *testing.T) {
	g, d := readGlass(t)
	folds := get(NewFolds(g.FoldID))(t)
	path := &PathSettings{Lambda: g.Lambda, Gap: 1e-11}
	cv := get(FitMultinomialCV(d, 1, folds, path, nil))(t)
	// At the last lambda a row has a probability below 1e-5, which cv.glmnet takes for that.
	nearAll(t, "mean deviance", cv.Mean()[:4], g.CVDeviance.CVM[:4], 1e-6)
	nearAll(t, "its standard error", cv.StdErr()[:4], g.CVDeviance.CVSD[:4], 1e-5)
	if cv.Mean()[4] <= g.CVDeviance.CVM[4] {
		t.Error("a probability is clipped")
	}
	errors := get(FitMultinomialCV(d, 1, folds, path, &CVSettings{Loss: ClassError}))(t)
	nearAll(t, "rate of misclassification", errors.Mean(), g.CVClass.CVM, 1e-9)
	nearAll(t, "its standard error", errors.StdErr(), g.CVClass.CVSD, 1e-9)
	if cv.Measure() != "mean deviance" || errors.Measure() != "mean loss" {
		t.Errorf("%q, %q", cv.Measure(), errors.Measure())
	}
	back := new(MultinomialCV)
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(cv); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(back); err != nil || back.LambdaMin() != cv.LambdaMin() {
		t.Error(err)
	}
}

// Every point is optimal by definition, and its objective within the gap of that of
// a far tighter fit, whose degrees of freedom are a number of slopes.
func TestMultinomialPathIsCertified(t *testing.T) {
	_, d := readGlass(t)
	n, p := d.X.Dims()
	q := len(d.Classes)
	d.Weights = make([]float64, n)
	for i := range d.Weights {
		d.Weights[i] = 0.5 + float64(i%3)
	}
	factor := slices.Repeat([]float64{1}, p)
	factor[2], factor[4] = 0.3, 2
	for _, share := range []float64{1, 0.4} {
		settings := &PathSettings{PenaltyFactor: factor, Count: 12, Ratio: 0.02}
		loose := get(FitMultinomialPath(d, share, settings))(t)
		settings.Gap = 1e-12
		tight := get(FitMultinomialPath(d, share, settings))(t)
		if terms, _ := tight.Active(0); len(terms) > 0 {
			t.Errorf("slopes at lambda max: %v", terms)
		}
		if terms, _ := tight.Active(1); len(terms) == 0 {
			t.Error("no slope below lambda max")
		}
		for k, lambda := range tight.Lambda() {
			f := tight.Fit(k)
			prob := get(f.ClassProb(d))(t)
			b := f.CoefMatrix()
			var objective, worst, sum float64
			for c := range q {
				sum += b.At(c, 0)
				var ones, length float64
				r := make([]float64, n)
				for i := range n {
					r[i] = -d.Weights[i] * prob.At(i, c)
					if int(d.Y[i]) == c {
						r[i] += d.Weights[i]
						objective -= d.Weights[i] * math.Log(prob.At(i, c))
					}
					ones += r[i]
				}
				if math.Abs(ones) > 1e-9 {
					t.Errorf("residuals of class %d sum to %g", c, ones)
				}
				for j := range p {
					var g float64
					for i := range n {
						g += d.X.At(i, j) * r[i]
						length += d.X.At(i, j) * d.X.At(i, j)
					}
					slope := b.At(c, j+1)
					l1, l2 := lambda*factor[j]*share, lambda*factor[j]*(1-share)
					objective += l1*math.Abs(slope) + l2*slope*slope
					if slope == 0 {
						worst = math.Max(worst, math.Abs(g)-l1)
					} else {
						worst = math.Max(worst, math.Abs(g-2*l2*slope-math.Copysign(l1, slope)))
					}
				}
			}
			near(t, "objective", f.Objective(), objective, 1e-10)
			if worst > 1e-6*tight.LambdaMax() || math.Abs(sum) > 1e-10 {
				t.Errorf("lambda %g: conditions violated by %g, intercepts sum to %g", lambda, worst, sum)
			}
			off := (loose.Fit(k).Objective() - f.Objective()) / (loose.NullDeviance() / 2)
			if gap := loose.Gap()[k]; off > gap+1e-12 || gap > 1e-6 || tight.Gap()[k] > 1e-12 {
				t.Errorf("lambda %g: off by %g, and the gap is %g (tight %g)", lambda, off, gap, tight.Gap()[k])
			}
			independent := q - 1
			for j := range p {
				slopes := 0
				for c := range q {
					if b.At(c, j+1) != 0 {
						slopes++
					}
				}
				independent += min(slopes, q-1)
			}
			if dof := f.DoF(); share == 1 && math.Abs(dof-float64(independent)) > 1e-6 {
				t.Errorf("lambda %g: %g degrees of freedom, %d independent coefficients", lambda, dof, independent)
			}
		}
	}
}

// Two classes are a logistic path; other units, names and ways to say the same agree;
// terms without a penalty are maximum likelihood.
func TestMultinomialPathEquivalences(t *testing.T) {
	d := births(t)
	settings := &PathSettings{Lambda: []float64{8, 3, 1}, Gap: 1e-12}
	two, one := get(FitMultinomialPath(d, 1, settings))(t), get(FitLogisticPath(d, 1, settings))(t)
	nearAll(t, "deviance of two classes", two.Deviance(), one.Deviance(), 1e-9)
	nearAll(t, "degrees of freedom of two classes", two.DoF(), one.DoF(), 1e-9)
	for k := range settings.Lambda {
		b, want := two.Fit(k).CoefMatrix(), one.Fit(k).Coef()
		for j, w := range want {
			near(t, "log odds", b.At(1, j)-b.At(0, j), w, 1e-5)
			near(t, "the classes' coefficients", b.At(1, j), -b.At(0, j), 1e-12)
		}
	}

	_, glass := readGlass(t)
	standardized := get(glass.Standardize(nil))(t)
	path := get(FitMultinomialPath(standardized, 0.7, &PathSettings{Lambda: []float64{10, 2}, AlwaysIn: []string{"x3"}, Gap: 1e-11}))(t)
	fit := path.Fit(1)
	raw := get(fit.Raw())(t)
	prob := get(fit.ClassProb(glass))(t)
	if !mat.EqualApprox(prob, get(raw.ClassProb(glass))(t), 1e-12) || !mat.EqualApprox(prob, get(get(path.Raw())(t).Fit(1).ClassProb(glass))(t), 1e-12) {
		t.Error("raw units change probabilities")
	}
	var sum float64
	b := fit.CoefMatrix()
	for c := range fit.Classes() {
		sum += b.At(c, 3)
	}
	near(t, "slopes without a penalty sum to zero", sum+1, 1, 1e-10)
	rows := get(fit.LogLikRows(glass))(t)
	sum = 0
	for _, v := range rows {
		sum += v
	}
	near(t, "log-likelihood of rows", sum, fit.LogLik(), 1e-10)
	classes := get(path.Predict(glass))(t)
	for i := range glass.NObs() {
		if row := prob.RawRowView(i); row[int(classes.At(i, 1))] < slices.Max(row) {
			t.Errorf("row %d is put in class %g, of probability %g", i, classes.At(i, 1), row[int(classes.At(i, 1))])
		}
	}
	half := get(path.At(6))(t)
	if c := half.Coef(); math.Abs(c[0]-(path.Fit(0).Coef()[0]+path.Fit(1).Coef()[0])/2) > 1e-12 || !math.IsNaN(half.Gap()) {
		t.Error("halfway between two lambdas are not the means of coefficients")
	}

	three := randomDesign(t, 8, 90, 3)
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range three.Y {
		three.Y[i] = float64(rnd.IntN(3))
	}
	free := get(FitMultinomialPath(three, 1, &PathSettings{Lambda: []float64{1}, AlwaysIn: three.Names, Gap: 1e-13}))(t).Fit(0)
	ml := get(FitMultinomial(three, nil))(t)
	near(t, "maximum likelihood", free.LogLik(), ml.LogLik(), 1e-12)
	if !mat.EqualApprox(get(free.ClassProb(three))(t), get(ml.ClassProb(three))(t), 1e-6) {
		t.Error("probabilities are not those of maximum likelihood")
	}

	doubled := three.Rows(append(seq(90), 5, 5, 7)...)
	weighted := three.Rows(seq(90)...)
	weighted.Weights = slices.Repeat([]float64{1}, 90)
	weighted.Weights[5], weighted.Weights[7] = 3, 2
	at := &PathSettings{Lambda: []float64{4, 1}, Gap: 1e-12}
	nearAll(t, "weights", get(FitMultinomialPath(weighted, 1, at))(t).Fit(1).Coef(), get(FitMultinomialPath(doubled, 1, at))(t).Fit(1).Coef(), 1e-5)
}

func TestMultinomialPathBadInput(t *testing.T) {
	_, d := readGlass(t)
	folds := get(KFold(d.NObs(), 3, rand.NewPCG(1, 1)))(t)
	wantError(t, "share", errorOf(FitMultinomialPath(d, 0, nil)), ErrSetting, "FitMultinomial")
	wantError(t, "sign", errorOf(FitMultinomialPath(d, 1, &PathSettings{NonNegative: []string{"x1"}})), ErrSetting, "NonNegative")
	wantError(t, "response scale", errorOf(FitMultinomialCV(d, 1, folds, nil, &CVSettings{ResponseScale: true})), ErrSetting, "ResponseScale")
	alone := d.Rows(0, 1, 2)
	alone.Classes = nil
	wantError(t, "one class", errorOf(FitMultinomialPath(alone, 1, nil)), ErrLabels, "one class only")
	numbers := randomDesign(t, 3, 30, 2)
	wantError(t, "numbers", errorOf(FitMultinomialPath(numbers, 1, nil)), ErrLabels, "too many")
	lacks := make([]int, d.NObs())
	for i, y := range d.Y {
		if y == 3 {
			lacks[i] = 1
		}
	}
	wantError(t, "a fold without a class", errorOf(FitMultinomialCV(d, 1, get(NewFolds(lacks))(t), nil, nil)), ErrLabels, "fold")
	if path := get(FitMultinomialPath(d, 1, &PathSettings{Count: 4}))(t); !math.IsNaN(path.Intercept()[0]) || len(path.Terms()) != 54 || path.Terms()[9] != "WinNF:x1" {
		t.Errorf("%v %v", path.Intercept(), path.Terms())
	}
}

// Uneven weights and a rare class leave rows without curvature, where Newton's method
// does not find the intercepts. An objective above that of zero slopes, or one that
// rises as lambda falls, is no minimum, whatever its gap says.
func TestMultinomialPathUnevenWeights(t *testing.T) {
	seeds := uint64(60)
	if expect.RaceDetector { // which starts the same goroutines every time
		seeds = 6
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 9))
		n, p, q := 20+r.IntN(20), 1+r.IntN(6), 2+r.IntN(4)
		d := &Design{X: mat.NewDense(n, p, nil), Response: "class"}
		for j := range p {
			d.Names = append(d.Names, fmt.Sprint("x", j+1))
		}
		for i := range n {
			class := 0
			if i < 2*q {
				class = i % q
			}
			d.Y, d.Weights = append(d.Y, float64(class)), append(d.Weights, math.Pow(10, 6*r.Float64()-3))
			for j := range p {
				d.X.Set(i, j, r.NormFloat64())
			}
		}
		path, err := FitMultinomialPath(d, 1, &PathSettings{Count: 10, Ratio: 1e-6})
		var slow *ConvergenceError
		if err != nil && !errors.As(err, &slow) {
			t.Fatal(err)
		}
		least := path.Fit(0).NullDeviance() / 2
		for k, objective := range path.Objective() {
			if excess := (objective - least) / path.Fit(0).NullDeviance() * 2; excess > path.Gap()[k]+1e-9 {
				t.Errorf("seed %d, lambda %g: objective %g above %g, with a gap of %g", seed, path.Lambda()[k], objective, least, path.Gap()[k])
				break
			}
			least = math.Min(least, objective)
		}
	}
}
