package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/exported"
)

// units of a column and of the response are powers of ten.
type units struct{ x, y int }

// errNoSetting says that a setting leaves float64 in these units.
var errNoSetting = errors.New("the setting is no float64")

// of returns v, a setting of a positive size, in units x^a y^b.
func (u units) of(v float64, a, b int) float64 {
	if e := u.x*a + u.y*b; e > -300 && e < 300 {
		return v * math.Pow(10, float64(e))
	}
	panic(errNoSetting)
}

// quantities are numbers of a fit in units x^a y^b of the data.
type quantities struct {
	name string
	v    []float64 // slopes: of terms 1 ... 3, one after the other
	a, b int
}

// unitFit is a fit in the units of the data, which its settings are given in.
type unitFit struct {
	fit func(data Data, u units) ([]quantities, error)
	// sums tells that it takes sums, each that it is the same fit if one column alone is
	// in other units.
	sums, each bool
	// classes of the response have no units; 3 for three classes, -1 for columns of
	// zeros and ones.
	classes int
}

func slopesAndRSS(f interface {
	Slopes() []float64
}, err error) ([]quantities, error) {
	if err != nil {
		return nil, err
	}
	out := []quantities{{"slopes", f.Slopes(), -1, 1}}
	if f, ok := f.(interface{ RSS() float64 }); ok {
		out = append(out, quantities{"RSS", []float64{f.RSS()}, 0, 2})
	}
	if f, ok := f.(interface{ StdErr() []float64 }); ok {
		out = append(out, quantities{"standard errors", f.StdErr()[1:], -1, 1})
	}
	return out, nil
}

func pathSlopes(p interface {
	Slopes() *mat.Dense
	Lambda() []float64
}, lambda int, err error) ([]quantities, error) {
	if err != nil {
		return nil, err
	}
	return []quantities{{"slopes", p.Slopes().RawMatrix().Data, -1, 1}, {"lambda", p.Lambda(), lambda, 2 - lambda}}, nil
}

// unitFits are all exported fits. The keys start with the name of the function.
func unitFits(t *testing.T) map[string]unitFit {
	design := func(data Data) *Design { return data.(*Design) }
	folds := get(KFold(40, 4, rand.NewPCG(1, 2)))(t)
	refit := func(data Data, m SubsetModel) ([]quantities, error) {
		f, err := m.Refit(data)
		if err != nil {
			return nil, err
		}
		slopes := make([]float64, 3)
		for j, name := range []string{"x1", "x2", "x3"} {
			if k := slices.Index(f.Names(), name); k >= 0 {
				slopes[j] = f.Coef()[k]
			}
		}
		return []quantities{{"slopes", slopes, -1, 1}, {"RSS", []float64{m.RSS, f.RSS()}, 0, 2}}, nil
	}
	type function = func(data Data, u units) ([]quantities, error)
	number := func(each bool, f function) unitFit { return unitFit{fit: f, sums: true, each: each} }
	rows := func(each bool, f function) unitFit { return unitFit{fit: f, each: each} }
	classes := func(k int, each bool, f function) unitFit { return unitFit{fit: f, each: each, classes: k} }
	return map[string]unitFit{
		"FitOLS": number(true, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitOLS(d, nil)) }),
		"FitAbsorbed": rows(true, func(d Data, u units) ([]quantities, error) {
			f, err := FitAbsorbed(absorbing(design(d)))
			if err != nil {
				return nil, err
			}
			return []quantities{{"slopes", f.Slopes(), -1, 1}, {"standard errors", f.StdErr(), -1, 1}, {"RSS", []float64{f.RSS()}, 0, 2}}, nil
		}),
		"FitOLS, minimum norm": rows(false, func(d Data, u units) ([]quantities, error) {
			more := get(design(d).Select("x1", "x2", "x3"))(t).Rows(0, 1, 2)
			f, err := FitOLS(more, &OLSSettings{Aliased: MinimumNorm})
			if err != nil {
				return nil, err
			}
			return []quantities{{"slopes", f.Slopes(), -1, 1}}, nil
		}),
		"FitRidge":           number(false, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitRidge(d, u.of(3, 2, 0), nil)) }),
		"FitRidge, lambda 0": number(true, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitRidge(d, 0, nil)) }),
		"FitRidge, wide": rows(false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitRidge(design(d).Rows(0, 1), u.of(3, 2, 0), nil))
		}),
		"FitRidgePath": number(false, func(d Data, u units) ([]quantities, error) {
			p, err := FitRidgePath(d, nil)
			return pathSlopes(p, 2, err)
		}),
		"FitPCR":   number(false, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitPCR(d, 2, nil)) }),
		"FitLasso": number(false, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitLasso(d, u.of(3, 1, 1), nil)) }),
		"FitElasticNet": number(false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitElasticNet(d, u.of(3, 1, 1), u.of(2, 2, 0), nil))
		}),
		"FitLassoPath": number(false, func(d Data, u units) ([]quantities, error) {
			p, err := FitLassoPath(d, nil)
			return pathSlopes(p, 1, err)
		}),
		"FitElasticNetPath": number(false, func(d Data, u units) ([]quantities, error) {
			p, err := FitElasticNetPath(d, 1, nil)
			return pathSlopes(p, 1, err)
		}),
		"FitRelaxedLasso": number(false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitRelaxedLasso(d, u.of(3, 1, 1), 0.5, nil))
		}),
		"FitRelaxedLassoPath": number(false, func(d Data, u units) ([]quantities, error) {
			p, err := FitRelaxedLassoPath(d, 0.5, nil)
			return pathSlopes(p, 1, err)
		}),
		"FitRelaxedLassoCV": rows(false, func(d Data, u units) ([]quantities, error) {
			c, err := FitRelaxedLassoCV(design(d), folds, 0.5, nil, nil)
			if err != nil {
				return nil, err
			}
			return slopesAndRSS(c.FitMin(), nil)
		}),
		"FitLARS": number(false, func(d Data, u units) ([]quantities, error) { p, err := FitLARS(d, nil); return pathSlopes(p, 1, err) }),
		"ShootingAlgorithm": number(false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(ShootingAlgorithm(d, u.of(3, 1, 1), &ShootingSettings{Tol: u.of(1e-12, -1, 1)}))
		}),
		"FitLassoCV": rows(false, func(d Data, u units) ([]quantities, error) {
			c, err := FitLassoCV(design(d), folds, nil, nil)
			if err != nil {
				return nil, err
			}
			return slopesAndRSS(c.FitMin(), nil)
		}),
		"FitElasticNetCV": rows(false, func(d Data, u units) ([]quantities, error) {
			c, err := FitElasticNetCV(design(d), 1, folds, nil, nil)
			if err != nil {
				return nil, err
			}
			return slopesAndRSS(c.FitMin(), nil)
		}),
		"FitGreedyCV": rows(true, func(d Data, u units) ([]quantities, error) {
			c, err := FitGreedyCV(design(d), folds, nil, nil)
			if err != nil {
				return nil, err
			}
			return []quantities{{"mean squared errors", c.Mean(), 0, 2}}, nil
		}),
		"FitLearningCurve": rows(true, func(d Data, u units) ([]quantities, error) {
			c, err := FitLearningCurve(d, folds, func(train Data) (*OLS, error) { return FitOLS(train, nil) })
			if err != nil {
				return nil, err
			}
			return []quantities{{"mean squared errors", c.Test, 0, 2}}, nil
		}),
		"FitRidgeCV": rows(false, func(d Data, u units) ([]quantities, error) {
			c, err := FitRidgeCV(design(d), folds, nil, nil)
			if err != nil {
				return nil, err
			}
			return slopesAndRSS(c.FitMin(), nil)
		}),
		"FitBayes": number(false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitBayes(d, GaussianPrior{Tau2: u.of(3, -2, 2)}, KnownVariance(u.of(1, 0, 2)), nil))
		}),
		"FitBayes, unknown variance": number(false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitBayes(d, GaussianPrior{Tau2: u.of(3, -2, 0)}, InverseGamma{}, nil))
		}),
		"NewEvidenceSurface": number(false, func(d Data, u units) ([]quantities, error) {
			s, err := NewEvidenceSurface(d, nil)
			if err != nil {
				return nil, err
			}
			m, err := s.Maximize(nil)
			if err != nil {
				return nil, err
			}
			return []quantities{{"tau2", []float64{m.Tau2}, -2, 2}, {"sigma2", []float64{m.Sigma2}, 0, 2}}, nil
		}),
		"FitBestSubsets": number(true, func(d Data, u units) ([]quantities, error) {
			f, err := FitBestSubsets(d, nil)
			if err != nil {
				return nil, err
			}
			return refit(d, f.BestOfSize(2)[0])
		}),
		"FitStepwise": number(true, func(d Data, u units) ([]quantities, error) {
			f, err := FitStepwise(d, nil)
			if err != nil {
				return nil, err
			}
			return refit(d, f.Final())
		}),
		"FitGreedy": rows(true, func(d Data, u units) ([]quantities, error) {
			f, err := FitGreedy(design(d), nil)
			if err != nil {
				return nil, err
			}
			fit, err := f.Refit(d, f.Size())
			if err != nil {
				return nil, err
			}
			names, coef, err := f.Coef(f.Size())
			out := []quantities{{"slopes", make([]float64, 3), -1, 1}, {"RSS", []float64{fit.RSS()}, 0, 2}}
			for j, name := range d.(*Design).Names {
				out[0].v[j] = coef[slices.Index(names, name)]
			}
			return out, err
		}),
		"EnumerateModels": number(true, func(d Data, u units) ([]quantities, error) {
			f, err := EnumerateModels(d, BICScore{}, &EnumerateSettings{Average: true})
			if err != nil {
				return nil, err
			}
			average, err := f.ModelAverage()
			if err != nil {
				return nil, err
			}
			return []quantities{{"inclusions", f.InclusionProb(), 0, 0}, {"slopes", average.Slopes(), -1, 1}}, nil
		}),
		"SampleModels": number(true, func(d Data, u units) ([]quantities, error) {
			f, err := SampleModels(d, BICScore{}, rand.NewPCG(1, 2), &SampleModelsSettings{Sweeps: 100, Average: true})
			if err != nil {
				return nil, err
			}
			average, err := f.ModelAverage()
			if err != nil {
				return nil, err
			}
			return []quantities{{"inclusions", f.InclusionProb(), 0, 0}, {"slopes", average.Slopes(), -1, 1}}, nil
		}),
		"FilterTerms": number(true, func(d Data, u units) ([]quantities, error) {
			f, err := FilterTerms(d)
			if err != nil {
				return nil, err
			}
			out := []quantities{{"slopes", make([]float64, 3), -1, 1}, {"RSS", make([]float64, 3), 0, 2}}
			for _, r := range f {
				j := slices.Index([]string{"x1", "x2", "x3"}, r.Term)
				out[0].v[j], out[1].v[j] = r.Coef, r.RSS
			}
			return out, nil
		}),
		"VIF": number(true, func(d Data, u units) ([]quantities, error) {
			f, err := VIF(d)
			return []quantities{{"VIF", values(f), 0, 0}}, err
		}),
		"FitLogistic": classes(2, true, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitLogistic(design(d), nil)) }),
		"FitGLM":      classes(2, true, func(d Data, u units) ([]quantities, error) { return slopesAndRSS(FitGLM(design(d), Binomial, nil)) }),
		"FitGLMPath": classes(2, false, func(d Data, u units) ([]quantities, error) {
			p, err := FitGLMPath(design(d), Binomial, 1, nil)
			return pathSlopes(p, 1, err)
		}),
		"FitGLMCV": classes(2, false, func(d Data, u units) ([]quantities, error) {
			c, err := FitGLMCV(design(d), Binomial, 1, folds, nil, nil)
			if err != nil {
				return nil, err
			}
			return slopesAndRSS(c.FitMin(), nil)
		}),
		"FitBayesGLM": classes(2, false, func(d Data, u units) ([]quantities, error) {
			f, err := FitBayesGLM(design(d), Binomial, GaussianPrior{Tau2: u.of(3, -2, 0)}, nil)
			if err != nil {
				return nil, err
			}
			return []quantities{{"slopes", f.Coef()[1:], -1, 1}}, nil
		}),
		"FitLogistic, penalized": classes(2, false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitLogistic(design(d), &LogisticSettings{L2: u.of(2, 2, 0)}))
		}),
		"FitBayesLogistic": classes(2, false, func(d Data, u units) ([]quantities, error) {
			f, err := FitBayesLogistic(design(d), GaussianPrior{Tau2: u.of(3, -2, 0)}, nil)
			if err != nil {
				return nil, err
			}
			return []quantities{{"slopes", f.Coef()[1:], -1, 1}}, nil
		}),
		"FitLogisticElasticNet": classes(2, false, func(d Data, u units) ([]quantities, error) {
			return slopesAndRSS(FitLogisticElasticNet(design(d), u.of(1, 1, 0), u.of(1, 2, 0), nil))
		}),
		"FitLogisticPath": classes(2, false, func(d Data, u units) ([]quantities, error) {
			p, err := FitLogisticPath(design(d), 1, nil)
			return pathSlopes(p, 1, err)
		}),
		"FitLogisticCV": classes(2, false, func(d Data, u units) ([]quantities, error) {
			c, err := FitLogisticCV(design(d), 1, folds, nil, nil)
			if err != nil {
				return nil, err
			}
			return slopesAndRSS(c.FitMin(), nil)
		}),
		"FitMultinomialPath": classes(3, false, func(d Data, u units) ([]quantities, error) {
			p, err := FitMultinomialPath(design(d), 1, &PathSettings{Count: 30, Gap: 1e-13})
			return pathSlopes(p, 1, err)
		}),
		"FitMultinomialCV": classes(3, false, func(d Data, u units) ([]quantities, error) {
			c, err := FitMultinomialCV(design(d), 1, folds, &PathSettings{Count: 30, Gap: 1e-15}, nil)
			if err != nil {
				return nil, err
			}
			return []quantities{{"deviance", c.Mean(), 0, 0}}, nil
		}),
		"FitMultinomial": classes(3, true, func(d Data, u units) ([]quantities, error) {
			f, err := FitMultinomial(design(d), nil)
			if err != nil {
				return nil, err
			}
			m := f.CoefMatrix()
			k, p := m.Dims()
			return []quantities{{"slopes", mat.DenseCopyOf(m.Slice(0, k, 1, p)).RawMatrix().Data, -1, 1}}, nil
		}),
	}
}

var unitless = regexp.MustCompile(`term "x[123]"|"x[123]"|response "y"|"y"`)

// Every fit gives in units of 1e-300 ... 1e300, of all columns, of one, or of the
// response, what it gives in units of one, or an error that names what to rescale.
func TestFitsInAnyUnits(t *testing.T) {
	fits := unitFits(t)
	for name := range exportedFits(t) {
		if !slices.ContainsFunc(keys(fits), func(key string) bool { return key == name || strings.HasPrefix(key, name+",") }) && name != "FitNaiveBayes" {
			t.Errorf("%s is not tested in other units", name)
		}
	}
	powers := []int{-300, -200, -150, -100, 100, 150, 200, 300}
	if expect.RaceDetector { // goroutines are the same in all units, unless there is an error
		powers = []int{-300, 100}
	}
	refused := map[string]int{}
	for name, f := range fits {
		base := randomDesign(t, 5, 40, 3)
		if f.classes > 0 {
			for i := range base.Y {
				base.Y[i] = float64(int(3*math.Abs(math.Sin(float64(i*i)))+base.X.At(i, 0)/4+9) % f.classes)
			}
		}
		run := func(d *Design, sums bool, u units) (out []quantities, err error) {
			defer func() {
				if r := recover(); r == errNoSetting {
					err = errNoSetting
				} else if r != nil {
					panic(fmt.Sprint(name, " ", u, ": ", r))
				}
			}()
			var data Data = d
			if sums {
				m, err := d.Moments()
				if err != nil {
					return nil, err
				}
				data = m
			}
			return f.fit(data, u)
		}
		for _, sums := range []bool{false, true} {
			if sums && !f.sums {
				continue
			}
			var want []quantities
			tried := racy(func() {
				var err error
				if want, err = run(base, sums, units{}); err != nil {
					t.Fatal(name, err)
				}
			})
			if !tried {
				continue
			}
			try := func(what string, columns []int, u units) {
				d := base.Rows(seq(40)...)
				for i := range 40 {
					for _, j := range columns {
						d.X.Set(i, j, d.X.At(i, j)*math.Pow(10, float64(u.x)))
					}
					d.Y[i] *= math.Pow(10, float64(u.y))
				}
				what = fmt.Sprintf("%s, sums %v: %s in units of 1e%d", name, sums, what, u.x+u.y)
				got, err := run(d, sums, u)
				switch {
				case err == errNoSetting:
					return
				case err != nil:
					refused[name]++
					if !errors.Is(err, ErrNotFinite) || !unitless.MatchString(err.Error()) {
						t.Errorf("%s: the error is %v", what, err)
					}
					return
				}
				for k, q := range got {
					for i, v := range q.v {
						x := u.x * q.a
						if len(columns) == 1 && i%3 != columns[0] {
							x = 0
						}
						e := x + u.y*q.b
						v0 := want[k].v[i]
						back := scaledBack(v, e)
						if !(math.Abs(back-v0) <= 1e-9*(math.Abs(v0)+1e-6*largest(want[k].v))) {
							t.Errorf("%s: %s %d is %v, and %v in units of 1", what, q.name, i, v, v0)
							return
						}
					}
				}
			}
			for _, e := range powers {
				try("columns", []int{0, 1, 2}, units{x: e})
				if f.each {
					try("a column", []int{1}, units{x: e})
				}
				if f.classes == 0 && name != "VIF" {
					try("response", nil, units{y: e})
				}
			}
		}
	}
	if n := refused["FitOLS"]; !expect.RaceDetector && (n == 0 || n >= 48) {
		t.Errorf("least squares refuses %d units", n)
	}
}

// exactRidge returns the slopes (S + lambda I)^-1 X'y of centered rows in rational
// arithmetic.
func exactRidge(d *Design, lambda float64) []*big.Rat {
	n, p := d.NObs(), d.NTerms()
	centre := func(v []float64) []*big.Rat {
		mean := new(big.Rat)
		for _, x := range v {
			mean.Add(mean, rat(x))
		}
		mean.Quo(mean, big.NewRat(int64(n), 1))
		out := make([]*big.Rat, n)
		for i, x := range v {
			out[i] = new(big.Rat).Sub(rat(x), mean)
		}
		return out
	}
	dot := func(a, b []*big.Rat) *big.Rat {
		sum := new(big.Rat)
		for i := range a {
			sum.Add(sum, new(big.Rat).Mul(a[i], b[i]))
		}
		return sum
	}
	y, x := centre(d.Y), make([][]*big.Rat, p)
	for j := range p {
		x[j] = centre(mat.Col(nil, j, d.X))
	}
	g := make([][]*big.Rat, p) // [S + lambda I | X'y], reduced
	for a := range p {
		for b := range p {
			g[a] = append(g[a], dot(x[a], x[b]))
		}
		g[a][a].Add(g[a][a], rat(lambda))
		g[a] = append(g[a], dot(x[a], y))
	}
	for a := range p {
		inverse := new(big.Rat).Inv(g[a][a])
		for b := range g[a] {
			g[a][b].Mul(g[a][b], inverse)
		}
		for c := range p {
			f := new(big.Rat).Set(g[c][a])
			for b := range g[c] {
				if c != a {
					g[c][b].Sub(g[c][b], new(big.Rat).Mul(f, g[a][b]))
				}
			}
		}
	}
	slopes := make([]*big.Rat, p)
	for a := range p {
		slopes[a] = g[a][p]
	}
	return slopes
}

// Ridge regression with a penalty of 1, and of 1e-6, on columns of any size, all of
// them or one: the exact slopes, or an error that names a term. So small a column
// has a slope next to none, but not none.
func TestRidgeOfAnyColumns(t *testing.T) {
	refused := 0
	sizes := []float64{1e-300, 1e-200, 1e-155, 1e-152, 1e-150, 1e-140, 1e-100, 1e-30, 1e-12, 1e-8, 1e-4, 1e4, 1e8, 1e30, 1e100, 1e150, 1e200, 1e300}
	if expect.RaceDetector { // goroutines are the same for all sizes, unless there is an error
		sizes = []float64{1e-300, 1e-8, 1e300}
	}
	for _, size := range sizes {
		for _, columns := range [][]int{{1}, {0, 1, 2}} {
			for _, rows := range []int{12, 2} {
				d := randomDesign(t, 6, 12, 3).Rows(seq(rows)...)
				for i := range rows {
					for _, j := range columns {
						d.X.Set(i, j, size*d.X.At(i, j))
					}
				}
				for _, lambda := range []float64{1, 1e-6} {
					want := exactRidge(d, lambda)
					fits := map[string]func() ([]float64, error){
						"rows": func() ([]float64, error) { return slopesOf(FitRidge(d, lambda, nil)) },
						"path": func() ([]float64, error) {
							p, err := FitRidgePath(d, &RidgePathSettings{Lambda: []float64{lambda}})
							if err != nil {
								return nil, err
							}
							return slopesOf(p.Fit(0), nil)
						},
						"Bayes": func() ([]float64, error) {
							return slopesOf(FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(lambda), nil))
						},
						"elastic net": func() ([]float64, error) { return slopesOf(FitElasticNet(d, 0, lambda, nil)) },
					}
					if rows < 3 { // without a certificate for every slope, or out of sums
						delete(fits, "Bayes")
						if size > 1e-30 {
							delete(fits, "elastic net")
						}
					} else if m, err := d.Moments(); err == nil {
						fits["sums"] = func() ([]float64, error) { return slopesOf(FitRidge(m, lambda, nil)) }
						fits["path of sums"] = func() ([]float64, error) {
							p, err := FitRidgePath(m, &RidgePathSettings{Lambda: []float64{lambda}})
							if err != nil {
								return nil, err
							}
							return slopesOf(p.Fit(0), nil)
						}
					}
					for name, fit := range fits {
						what := fmt.Sprintf("%s: %d rows, columns %v of %g, lambda %g", name, rows, columns, size, lambda)
						slopes, err := fit()
						if err != nil {
							refused++
							if !errors.Is(err, ErrNotFinite) || !unitless.MatchString(err.Error()) {
								t.Errorf("%s: %v", what, err)
							}
							continue
						}
						for j, b := range slopes {
							if b-b != 0 || !(trueDigits(b, want[j]) > 8) {
								t.Errorf("%s: slope %d is %v, and is %v", what, j, b, float(want[j]))
							}
						}
					}
				}
			}
		}
	}
	if refused == 0 {
		t.Error("nothing is refused: the test sees no extremes")
	}
}

// A column next to nothing has loadings and slopes next to nothing, in proportion to
// it; what remains of a component that is rounding is refused by its name. The degrees
// of freedom under a large penalty are few, and are positive.
func TestSmallColumns(t *testing.T) {
	with := func(size float64, columns ...int) *Design {
		d := randomDesign(t, 6, 12, 3)
		for i := range 12 {
			for _, j := range columns {
				d.X.Set(i, j, size*d.X.At(i, j))
			}
		}
		return d
	}
	of := func(size float64, sums bool) *PCR {
		d := with(size, 1)
		if sums {
			return get(FitPCR(get(d.Moments())(t), 2, nil))(t)
		}
		return get(FitPCR(d, 2, nil))(t)
	}
	for _, sums := range []bool{false, true} {
		want := of(1e-11, sums)
		for _, size := range []float64{1e-30, 1e-100, 1e-140} {
			got := of(size, sums)
			near(t, "slope", got.Slopes()[1]*(1e-11/size), want.Slopes()[1], 1e-9)
			near(t, "loading", got.Loadings().At(1, 1)*(1e-11/size), want.Loadings().At(1, 1), 1e-9)
			near(t, "slope of a large column", got.Slopes()[2], want.Slopes()[2], 1e-12)
		}
	}
	_, err := FitPCR(with(1e-100, 1), 3, nil)
	wantError(t, "all components", err, ErrNotFinite, `"x2"`)

	for _, size := range []float64{1e-4, 1e-30, 1e-100} {
		d := with(size, 0, 1, 2)
		d.NoIntercept = true // whose degree of freedom hides others
		squares := mat.Norm(d.X, 2)
		for _, data := range []Data{d, get(d.Moments())(t)} {
			near(t, "degrees of freedom", get(FitRidge(data, 1, nil))(t).DoF(), squares*squares, 100*size*size+1e-13)
		}
	}
}

func slopesOf(f interface{ Slopes() []float64 }, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	return f.Slopes(), nil
}

// scaledBack returns v/10^e.
func scaledBack(v float64, e int) float64 {
	for ; e > 200; e -= 200 {
		v /= 1e200
	}
	for ; e < -200; e += 200 {
		v *= 1e200
	}
	return v / math.Pow(10, float64(e))
}

func largest(v []float64) float64 {
	var most float64
	for _, x := range v {
		most = math.Max(most, math.Abs(x))
	}
	return most
}

func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func keys[V any](m map[string]V) []string {
	var k []string
	for key := range m {
		k = append(k, key)
	}
	return k
}

// exportedFits returns the names of the functions Fit... of the package.
func exportedFits(t *testing.T) map[string]bool {
	names := make(map[string]bool)
	for _, f := range exported.Functions(t, ".") {
		if name := f.Name.Name; strings.HasPrefix(name, "Fit") && name != "FitTable" {
			names[name] = true
		}
	}
	return names
}
