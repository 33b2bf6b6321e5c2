package docs

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
)

// The calls that COMING_FROM.md sets beside each other give the same numbers, on
// the prostate data. What R and Python gave is in testdata/coming_from_r.txt and
// coming_from_python.txt, made by coming_from.R and coming_from.py.
func TestComingFrom(t *testing.T) {
	page := read(t, "COMING_FROM.md")
	for _, program := range []struct {
		file string
		ours map[string]func() []float64
	}{
		{"coming_from_r.txt", with(fromR(), seriesFromR())},
		{"coming_from_python.txt", with(fromPython(), seriesFromPython())},
	} {
		peers := peerValues(t, program.file)
		for call := range program.ours {
			if _, ok := peers[call]; !ok {
				t.Errorf("%s has no line %s", program.file, call)
			}
		}
		for call, want := range peers {
			if !strings.Contains(page, "`"+strings.ReplaceAll(call, "|", `\|`)+"`") && !strings.Contains(page, "`"+call+"`") {
				t.Errorf("COMING_FROM.md does not have `%s`", call)
			}
			ours, ok := program.ours[call]
			if !ok {
				t.Errorf("nothing is compared with %s", call)
				continue
			}
			got := ours()
			if len(got) != len(want) {
				t.Errorf("%s: %d values, want %d: %.6g", call, len(got), len(want), got)
				continue
			}
			for i := range want {
				if math.IsNaN(got[i]) && math.IsNaN(want[i]) {
					continue
				}
				if !(math.Abs(got[i]-want[i]) <= 1e-6*max(math.Abs(want[i]), 1e-3)) {
					t.Errorf("%s: value %d is %.10g, want %.10g", call, i, got[i], want[i])
					break
				}
			}
		}
	}
}

// peerValues reads lines of a call, a tab and numbers.
func peerValues(t *testing.T, file string) map[string][]float64 {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	values := make(map[string][]float64)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		call, numbers, _ := strings.Cut(lines.Text(), "\t")
		for _, n := range strings.Fields(numbers) {
			v := math.NaN()
			if n != "NA" {
				v = must.M1(strconv.ParseFloat(n, 64))
			}
			values[call] = append(values[call], v)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}

// The data and the fits of both scripts.
func prostate() dataframe.DataFrame { return datasets.Prostate().Drop("train") }

func design(formula string) *mlreg.Design { return must.M1(frames.Design(prostate(), formula)) }

func scaled(formula string) *mlreg.Design { return must.M1(design(formula).Standardize(nil)) }

func ols(d *mlreg.Design) *mlreg.OLS { return must.M1(mlreg.FitOLS(d, nil)) }

func coef(formula string) []float64 { return ols(design(formula)).Coef() }

func two() *mlreg.Design { return design("lpsa ~ lcavol + svi") }

func newMen() dataframe.DataFrame {
	return must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 2}), frames.Col("svi", []int{0, 1})))
}

func weighted() *mlreg.Design {
	d := design("lpsa ~ lcavol")
	for i := range d.NObs() {
		d.Weights = append(d.Weights, []float64{1, 4}[i%2])
	}
	return d
}

func invasion() (*mlreg.Logistic, *mlreg.Design) {
	d := design("svi ~ lpsa + lcavol")
	return must.M1(mlreg.FitLogistic(d, nil)), d
}

// profileOf returns the profile limits of a quasi-binomial fit, lower ones first.
func profileOf(level float64) []float64 {
	d := design("cbind(pgg45, 100 - pgg45) ~ lcavol")
	l := must.M1(must.M1(mlreg.FitGLM(d, mlreg.QuasiBinomial, nil)).Profile(d, level))
	return []float64{l[0].Lower, l[1].Lower, l[0].Upper, l[1].Upper}
}

func lpsaOf(df dataframe.DataFrame) []float64 { return must.M1(frames.Floats(df, "lpsa")) }

func invaded() []float64 { return lpsaOf(must.M1(frames.Where(prostate(), "age > 60 & svi == 1"))) }

func sortedMen() []float64 { return lpsaOf(must.M1(frames.Sort(prostate(), "-gleason", "age"))) }

func meansByGleason() []float64 {
	return must.M1(frames.GroupBy(prostate(), "gleason").Summarise("mean(lpsa)", "n()")).Col("mean(lpsa)").Float()
}

func influence() *mlreg.Influence { return must.M1(ols(two()).Influence(two())) }

// Coefficients of glmnet, which standardizes and gives raw units.
func glmnet(lambda, alpha float64) []float64 {
	d := scaled("lpsa ~ .")
	l1, l2 := must.M2(mlreg.FromGlmnet(d, lambda, alpha))
	return must.M1(must.M1(mlreg.FitElasticNet(d, l1, l2, &mlreg.LassoSettings{Gap: 1e-14})).Raw()).Coef()
}

func foldsOf(n, k int) *mlreg.Folds {
	assignment := make([]int, n)
	for i := range assignment {
		assignment[i] = i % k
	}
	return must.M1(mlreg.NewFolds(assignment))
}

// rows are the values of a matrix row by row, columns column by column.
func rows(m mat.Matrix) []float64 { return mat.DenseCopyOf(m).RawMatrix().Data }

func columns(m mat.Matrix) []float64 { return rows(m.T()) }

// fields are a field of every element after another, as R prints a table.
func fields[T any](list []T, of ...func(T) float64) []float64 {
	var values []float64
	for _, f := range of {
		for _, v := range list {
			values = append(values, f(v))
		}
	}
	return values
}

func interleave(lists ...[]float64) []float64 {
	var values []float64
	for i := range lists[0] {
		for _, l := range lists {
			values = append(values, l[i])
		}
	}
	return values
}

func one(v float64) func() []float64 { return func() []float64 { return []float64{v} } }

func estimate(r mlreg.CoefRow) float64  { return r.Estimate }
func stdErr(r mlreg.CoefRow) float64    { return r.StdErr }
func statistic(r mlreg.CoefRow) float64 { return r.Statistic }
func pValue(r mlreg.CoefRow) float64    { return r.P }

// robust are the coefficients, the scale and the standard errors of a robust fit.
func robust(s rlm.Settings) []float64 {
	s.Tol = 1e-14
	f := must.M1(rlm.Fit(two(), &s))
	return slices.Concat(f.Coef(), []float64{f.Scale()}, f.StdErr())
}

// counts are a Poisson fit with an exposure, and its rows.
func counts() (*mlreg.GLM, *mlreg.Design) {
	d := design("gleason ~ lcavol + svi + offset(log(age))")
	return must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil)), d
}

// glmNumbers are the coefficients, their standard errors, the deviance and the dispersion.
func glmNumbers(f *mlreg.GLM) []float64 {
	return slices.Concat(f.Coef(), f.StdErr(), []float64{f.Deviance(), f.Dispersion()})
}

// mixed has an intercept for every Gleason score.
func mixed(settings *hier.Settings) *hier.MultiTask {
	g := must.M1(frames.GroupedDesign(prostate(), "lpsa ~ lcavol + (1 | gleason)"))
	return must.M1(hier.Fit(g.Design, g.Groups, hier.For(g, settings)))
}

func fromR() map[string]func() []float64 {
	qd := design("lpsa ~ lcavol + lweight")
	q := must.M1(quantreg.FitLAD(qd, nil))
	p, pd := counts()
	m, m1 := ols(two()), ols(design("lpsa ~ lcavol"))
	g, gd := invasion()
	g1 := must.M1(mlreg.FitLogistic(design("svi ~ lpsa"), nil))
	influences := influence()
	confidence, prediction := must.M1(frames.ConfidenceBand(m, newMen(), 0.95)), must.M1(frames.PredictionBand(m, newMen(), 0.95))
	return map[string]func() []float64{
		"lmer(lpsa ~ lcavol + (1 | gleason), df)": func() []float64 {
			f := mixed(nil)
			return slices.Concat(f.Coef(), f.StdErr(), []float64{f.Criterion()})
		},
		"lmer(lpsa ~ lcavol + (1 | gleason), df, REML = FALSE)": func() []float64 {
			f := mixed(&hier.Settings{ML: true})
			return append(f.Coef(), f.LogLik())
		},
		"summary(df$age)": func() []float64 {
			age := must.M1(frames.Describe(prostate().Select("age")))
			return interleave(age.Select([]string{"min"}).Col("min").Float(), age.Col("q25").Float(), age.Col("median").Float(),
				age.Col("mean").Float(), age.Col("q75").Float(), age.Col("max").Float())
		},
		"sapply(df, sd)":                      func() []float64 { return must.M1(frames.Describe(prostate())).Col("sd").Float() },
		"subset(df, age > 60 & svi == 1)":     invaded,
		"aggregate(lpsa ~ gleason, df, mean)": meansByGleason,
		"df[order(-df$gleason, df$age), ]":    sortedMen,
		"scale(x)": func() []float64 {
			return must.M1(design("lpsa ~ .").Standardize(&mlreg.StandardizeSettings{DDoF: 1})).X.RawRowView(0)
		},
		"df[train, ]": func() []float64 {
			in, _ := must.M2(frames.SplitMask(prostate(), must.M1(frames.Mask(datasets.Prostate(), "train", "T"))))
			return []float64{float64(in.Nrow())}
		},
		"lm(lpsa ~ lcavol*svi + poly(age, 3), df)":     func() []float64 { return coef("lpsa ~ lcavol*svi + poly(age, 3)") },
		"lm(lpsa ~ factor(gleason), df)":               func() []float64 { return coef("lpsa ~ factor(gleason)") },
		"lm(lpsa ~ C(factor(gleason), contr.sum), df)": func() []float64 { return coef("lpsa ~ C(factor(gleason), contr.sum)") },
		`lm(lpsa ~ relevel(factor(gleason), ref = "7"), df)`: func() []float64 {
			return coef(`lpsa ~ relevel(factor(gleason), ref = "7")`)
		},
		"lm(lpsa ~ ns(age, 4) + bs(lcavol, 5), df)": func() []float64 { return coef("lpsa ~ ns(age, 4) + bs(lcavol, 5)") },
		"lm(lpsa ~ lcavol, df, weights = w)":        func() []float64 { return ols(weighted()).Coef() },
		"lm(lpsa ~ ., df)":                          func() []float64 { return coef("lpsa ~ .") },
		"update(m, . ~ . - svi)":                    func() []float64 { return ols(must.M1(two().Select("lcavol"))).Coef() },
		"model.matrix(m)":                           func() []float64 { return two().X.RawRowView(95) },
		"coef(m)":                                   m.Coef,
		"coef(summary(m))": func() []float64 {
			return fields(must.M1(m.Table(0.95)), estimate, stdErr, statistic, pValue)
		},
		"vcov(m)": func() []float64 { return rows(m.VCov()) },
		"confint(m)": func() []float64 {
			return fields(must.M1(m.ConfInt(0.95)), func(i mlreg.Interval) float64 { return i.Lower }, func(i mlreg.Interval) float64 { return i.Upper })
		},
		"fitted(m)":       func() []float64 { return must.M1(m.Fitted(two())) },
		"residuals(m)":    func() []float64 { return must.M1(m.Residuals(two())) },
		"predict(m, new)": func() []float64 { return must.M1(frames.Predict(m, newMen())) },
		`predict(m, new, interval = "confidence")`: func() []float64 {
			return slices.Concat(confidence.Fitted, confidence.Lower, confidence.Upper)
		},
		`predict(m, new, interval = "prediction")`: func() []float64 {
			return slices.Concat(prediction.Fitted, prediction.Lower, prediction.Upper)
		},
		"sigma(m)":    one(math.Sqrt(m.Sigma2())),
		"deviance(m)": one(m.RSS()),
		"logLik(m)":   one(m.LogLik()),
		"AIC(m)":      one(mlreg.AIC(m)),
		"BIC(m)":      one(mlreg.BIC(m)),
		"anova(m)": func() []float64 {
			return fields(must.M1(m.Anova()), func(r mlreg.AnovaRow) float64 { return r.SumSq },
				func(r mlreg.AnovaRow) float64 { return r.F }, func(r mlreg.AnovaRow) float64 { return r.P })
		},
		"anova(m1, m)": func() []float64 {
			r := must.M1(mlreg.CompareNested(m1, m))
			return []float64{r[0].RSS, r[1].RSS, r[1].F, r[1].P}
		},
		`drop1(m, test = "F")`: func() []float64 {
			return fields(must.M1(m.DropTerms())[:2], func(r mlreg.AnovaRow) float64 { return r.SumSq }, func(r mlreg.AnovaRow) float64 { return r.F })
		},
		`drop1(m, . ~ ., test = "F")`: func() []float64 {
			return fields(must.M1(m.DropIgnoringMargins()), func(r mlreg.AnovaRow) float64 { return r.SumSq }, func(r mlreg.AnovaRow) float64 { return r.F })
		},
		"car::Anova(m)": func() []float64 {
			return fields(must.M1(m.AnovaTypeII()), func(r mlreg.AnovaRow) float64 { return r.SumSq },
				func(r mlreg.AnovaRow) float64 { return r.F }, func(r mlreg.AnovaRow) float64 { return r.P })
		},
		"car::Anova(m, type = 3)": func() []float64 {
			return fields(must.M1(m.AnovaTypeIII()), func(r mlreg.AnovaRow) float64 { return r.SumSq }, func(r mlreg.AnovaRow) float64 { return r.F })
		},
		"hatvalues(m)":      func() []float64 { return must.M1(m.Leverage(two())) },
		"rstandard(m)":      func() []float64 { return influences.Standardized },
		"rstudent(m)":       func() []float64 { return influences.Studentized },
		"cooks.distance(m)": func() []float64 { return must.M1(m.CooksDistance(two())) },
		"dffits(m)":         func() []float64 { return influences.DFFITS },
		"covratio(m)":       func() []float64 { return influences.CovRatio },
		"dfbeta(m)":         func() []float64 { return rows(must.M1(m.DFBETA(two()))) },
		"dfbetas(m)":        func() []float64 { return rows(must.M1(m.DFBETAS(two()))) },
		"step(full, trace = 0)": func() []float64 {
			d := design("lpsa ~ .")
			return must.M1(must.M1(mlreg.FitStepwise(d, &mlreg.StepwiseSettings{Direction: mlreg.Backward})).Final().Refit(d)).Coef()
		},
		"leaps::regsubsets(lpsa ~ ., df)": func() []float64 {
			return fields(must.M1(mlreg.FitBestSubsets(design("lpsa ~ ."), nil)).Models()[1:],
				func(m mlreg.SubsetModel) float64 { return m.RSS }, func(m mlreg.SubsetModel) float64 { return m.Cp })
		},
		"MASS::lm.ridge(lpsa ~ ., df, lambda = 10)": func() []float64 {
			return must.M1(must.M1(mlreg.FitRidge(scaled("lpsa ~ ."), 10, nil)).Raw()).Coef()
		},
		"prcomp(x, scale. = TRUE)$sdev": func() []float64 {
			s := must.M1(mlreg.FitPCR(scaled("lpsa ~ ."), 1, nil)).SingularValues()
			floats.Scale(1/math.Sqrt(97), s)
			return s
		},
		"glmnet(x, y)":              func() []float64 { return glmnet(0.1, 1) },
		"glmnet(x, y, alpha = 0.5)": func() []float64 { return glmnet(0.1, 0.5) },
		"glmnet(x, y, alpha = 0)": func() []float64 {
			d := scaled("lpsa ~ .")
			_, l2 := must.M2(mlreg.FromGlmnet(d, 0.1, 0))
			return must.M1(must.M1(mlreg.FitRidge(d, l2, nil)).Raw()).Coef()
		},
		"cv.glmnet(x, y, foldid = fold)": func() []float64 {
			cv := must.M1(mlreg.FitLassoCV(scaled("lpsa ~ ."), foldsOf(97, 5),
				&mlreg.PathSettings{Lambda: []float64{97, 19.4, 3.88}, Gap: 1e-14}, nil))
			return slices.Concat(cv.Mean(), cv.StdErr())
		},
		"boot::cv.glm(df, glm(lpsa ~ lcavol + svi, data = df))": one(must.M1(mlreg.LOOMSE(m, two()))),
		`BMS::bms(cbind(y, x), g = "UIP", mprior = "uniform")`: func() []float64 {
			all := must.M1(mlreg.EnumerateModels(design("lpsa ~ ."), mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Average: true}))
			return fields(all.InclusionTable(), func(r mlreg.InclusionRow) float64 { return r.PostProb },
				func(r mlreg.InclusionRow) float64 { return r.Mean }, func(r mlreg.InclusionRow) float64 { return r.SD })
		},
		"coef(g)": g.Coef,
		"coef(summary(g))": func() []float64 {
			return fields(must.M1(g.Table(0.95)), estimate, stdErr, statistic, pValue)
		},
		`predict(g, type = "response")`: func() []float64 { return must.M1(g.Predict(gd)) },
		"predict(g)":                    func() []float64 { return must.M1(g.LinearPredictor(gd)) },
		`residuals(g, "deviance")`:      func() []float64 { return must.M1(g.DevianceResiduals(gd)) },
		`residuals(g, "pearson")`:       func() []float64 { return must.M1(g.PearsonResiduals(gd)) },
		"hatvalues(g)":                  func() []float64 { return must.M1(g.Leverage(gd)) },
		"exp(coef(g))": func() []float64 {
			return fields(must.M1(g.OddsRatios(0.95)), func(o mlreg.OddsRatio) float64 { return o.Ratio })
		},
		`anova(g1, g, test = "Chisq")`: func() []float64 {
			lr := must.M1(mlreg.LikelihoodRatioTest(g1, g))
			return []float64{g1.Deviance(), g.Deviance(), lr.Stat, lr.P}
		},
		"rq(lpsa ~ lcavol + lweight, 0.5, df)": func() []float64 {
			return append(q.Coef(), q.Loss(), q.LogLik(), mlreg.AIC(q)-2)
		},
		`summary(q, se = "rank")`: func() []float64 {
			l := must.M1(q.RankLimits(qd, 0.9, nil))
			return fields(l, func(i mlreg.Interval) float64 { return i.Lower }, func(i mlreg.Interval) float64 { return i.Upper })
		},
		`summary(q, se = "nid")`: func() []float64 { return must.M1(q.Inference(qd, quantreg.HendricksKoenker)).StdErr() },
		`summary(q, se = "iid")`: func() []float64 { return must.M1(q.Inference(qd, quantreg.SameDensity)).StdErr() },
		`summary(q, se = "ker")`: func() []float64 { return must.M1(q.Inference(qd, quantreg.PowellKernel)).StdErr() },
		"rq(lpsa ~ lcavol + svi, c(0.25, 0.75), df)": func() []float64 {
			return rows(must.M1(quantreg.FitQuantiles(two(), []float64{0.25, 0.75}, nil)).Coef())
		},
		"anova(rq(lpsa ~ lcavol + svi, 0.25, df), rq(lpsa ~ lcavol + svi, 0.75, df))": func() []float64 {
			f := must.M1(must.M1(quantreg.FitQuantiles(two(), []float64{0.25, 0.75}, nil)).EqualSlopes(two()))
			return []float64{f.DF1, f.DF2, f.Stat, f.P}
		},
		`anova(q, q1, test = "rank")`: func() []float64 {
			r := must.M1(must.M1(quantreg.FitLAD(design("lpsa ~ lcavol"), nil)).RankTest(qd))
			return []float64{r.DF, r.Stat / r.DF}
		},
		"rlm(lpsa ~ lcavol + svi, df)":                     func() []float64 { return robust(rlm.Settings{Method: rlm.HuberM}) },
		"rlm(lpsa ~ lcavol + svi, df, psi = psi.bisquare)": func() []float64 { return robust(rlm.Settings{Method: rlm.TukeyM}) },
		"glm(gleason ~ lcavol + svi + offset(log(age)), poisson, df)": func() []float64 {
			return append(glmNumbers(p), p.LogLik(), mlreg.AIC(p))
		},
		"glm(gleason ~ lcavol, quasipoisson, df)": func() []float64 {
			return glmNumbers(must.M1(mlreg.FitGLM(design("gleason ~ lcavol"), mlreg.QuasiPoisson, nil)))
		},
		`glm(lweight ~ lcavol + age, Gamma("log"), df)`: func() []float64 {
			return glmNumbers(must.M1(mlreg.FitGLM(design("lweight ~ lcavol + age"), mlreg.Gamma, &mlreg.GLMSettings{Link: mlreg.LogLink})))
		},
		`glm(lweight ~ lcavol + age, inverse.gaussian("log"), df)`: func() []float64 {
			return glmNumbers(must.M1(mlreg.FitGLM(design("lweight ~ lcavol + age"), mlreg.InverseGaussian, &mlreg.GLMSettings{Link: mlreg.LogLink})))
		},
		"glm(cbind(pgg45, 100 - pgg45) ~ lcavol, quasibinomial, df)": func() []float64 {
			return glmNumbers(must.M1(mlreg.FitGLM(design("cbind(pgg45, 100 - pgg45) ~ lcavol"), mlreg.QuasiBinomial, nil)))
		},
		`anova(p, test = "Chisq")`: func() []float64 {
			table := must.M1(p.Anova(pd))
			return append(fields(table, func(r mlreg.DevianceRow) float64 { return r.ResidualDeviance }), fields(table[1:], func(r mlreg.DevianceRow) float64 { return r.P })...)
		},
		"confint(u)": func() []float64 {
			return profileOf(2*distuv.StudentsT{Sigma: 1, Nu: 95}.CDF(distuv.UnitNormal.Quantile(0.975)) - 1)
		},
		"confint(u, level = 2*pnorm(qt(0.975, 95)) - 1)": func() []float64 { return profileOf(0.95) },
		`drop1(p, test = "Chisq")`: func() []float64 {
			return fields(must.M1(p.DropTerms(pd)), func(r mlreg.DevianceRow) float64 { return r.ResidualDeviance }, func(r mlreg.DevianceRow) float64 { return r.P })
		},
		`predict(p, type = "response", se.fit = TRUE)`: func() []float64 {
			b := must.M1(p.ConfidenceBand(pd, 0.95))
			return append(b.Fitted, b.StdErr...)
		},
		`glmnet(x[, -7], df$gleason, family = "poisson")`: func() []float64 {
			d := scaled("gleason ~ lcavol + lweight + age + lbph + svi + lcp + pgg45")
			path := must.M1(mlreg.FitGLMPath(d, mlreg.Poisson, 1, &mlreg.PathSettings{Lambda: []float64{0.01 * 97}, Gap: 1e-15}))
			return must.M1(path.Fit(0).Raw()).Coef()
		},
		`glmnet(z, df$svi, family = "binomial")`: func() []float64 {
			d := scaled("svi ~ .")
			return must.M1(must.M1(mlreg.FitLogisticElasticNet(d, 0.05*97, 0, &mlreg.LassoSettings{Gap: 1e-14})).Raw()).Coef()
		},
	}
}

func fromPython() map[string]func() []float64 {
	m, m1 := ols(two()), ols(design("lpsa ~ lcavol"))
	f := m.F()
	g, gd := invasion()
	table := must.M1(mlreg.Confusion(g, gd, 0))
	residuals := must.M1(m.Residuals(two()))
	lasso := func(l1, l2 float64) []float64 {
		return must.M1(mlreg.FitElasticNet(scaled("lpsa ~ ."), l1, l2, &mlreg.LassoSettings{Gap: 1e-14})).Slopes()
	}
	p, pd := counts()
	first := make([]int, 95)
	for i := range first {
		first[i] = i
	}
	return map[string]func() []float64{
		`df.query("age > 60 and svi == 1")`:                           invaded,
		`df.groupby("gleason").lpsa.mean()`:                           meansByGleason,
		`df.sort_values(["gleason", "age"], ascending=[False, True])`: sortedMen,
		"df.describe()": func() []float64 {
			age := must.M1(frames.Describe(prostate().Select("age")))
			var values []float64
			for _, name := range []string{"n", "mean", "sd", "min", "q25", "median", "q75", "max"} {
				values = append(values, age.Col(name).Float()...)
			}
			return values
		},
		"StandardScaler()": func() []float64 { return scaled("lpsa ~ .").X.RawRowView(0) },
		`sm.OLS.from_formula("lpsa ~ lcavol + svi", df).fit()`: m.Coef,
		"m.params":       m.Coef,
		"m.bse":          m.StdErr,
		"m.cov_params()": func() []float64 { return rows(m.VCov()) },
		"m.conf_int()": func() []float64 {
			var values []float64
			for _, l := range must.M1(m.ConfInt(0.95)) {
				values = append(values, l.Lower, l.Upper)
			}
			return values
		},
		"m.predict(new)": func() []float64 { return must.M1(frames.Predict(m, newMen())) },
		"m.get_prediction(new).summary_frame()": func() []float64 {
			c, p := must.M1(frames.ConfidenceBand(m, newMen(), 0.95)), must.M1(frames.PredictionBand(m, newMen(), 0.95))
			return interleave(c.Fitted, c.StdErr, c.Lower, c.Upper, p.Lower, p.Upper)
		},
		"m.fittedvalues": func() []float64 { return must.M1(m.Fitted(two())) },
		"m.resid":        func() []float64 { return residuals },
		"m.rsquared":     one(m.R2()),
		"m.rsquared_adj": one(m.AdjR2()),
		"m.fvalue":       func() []float64 { return []float64{f.Stat, f.P} },
		"m.llf":          one(m.LogLik()),
		"m.ssr":          one(m.RSS()),
		"m.mse_resid":    one(m.Sigma2()),
		"m.aic":          one(mlreg.AIC(m) - 2),
		"m.bic":          one(mlreg.BIC(m) - math.Log(97)),
		`fit(cov_type="HC3")`: func() []float64 {
			return must.M1(m.Robust(two(), mlreg.HC3)).StdErr()
		},
		`m.t_test("lcavol - svi = 0")`: func() []float64 {
			r := must.M1(mlreg.Contrast(m, []float64{0, 1, -1}, 0, 0.95))
			return []float64{r.Estimate, r.StdErr, r.Statistic, r.P}
		},
		`m.f_test("lcavol = 0.5, svi = 1")`: func() []float64 {
			w := must.M1(mlreg.WaldTest(m, mat.NewDense(2, 3, []float64{0, 1, 0, 0, 0, 1}), []float64{0.5, 1}))
			return []float64{w.Stat, w.P}
		},
		"anova_lm(m1, m)": func() []float64 {
			r := must.M1(mlreg.CompareNested(m1, m))[1]
			return []float64{r.F, r.P}
		},
		"m.get_influence().summary_frame()": func() []float64 {
			i := influence()
			return interleave(i.CooksDistance, i.Standardized, i.Leverage, i.Studentized, i.DFFITS)
		},
		"het_breuschpagan(m.resid, X)": func() []float64 {
			b := must.M1(m.BreuschPagan(two()))
			return []float64{b.Stat, b.P}
		},
		"durbin_watson(m.resid)": one(mlreg.DurbinWatson(residuals)),
		"jarque_bera(m.resid)": func() []float64 {
			j := must.M1(mlreg.JarqueBera(residuals))
			return []float64{j.Stat, j.P, j.Skewness, j.Kurtosis}
		},
		"variance_inflation_factor(X, i)": func() (factors []float64) {
			for _, r := range must.M1(mlreg.VIF(design("lpsa ~ ."))) {
				factors = append(factors, r.VIF)
			}
			return factors
		},
		"sm.WLS(y, X, weights=w)":     func() []float64 { return ols(weighted()).Coef() },
		"LinearRegression()":          func() []float64 { return coef("lpsa ~ .") },
		"mean_squared_error(y, yhat)": one(m.RSS() / 97),
		"r2_score(y, yhat)":           one(m.R2()),
		"f_regression(X, y)": func() []float64 {
			f := make(map[string]float64)
			for _, r := range must.M1(mlreg.FilterTerms(design("lpsa ~ ."))) {
				f[r.Term] = r.F
			}
			return fields(design("lpsa ~ .").Names, func(name string) float64 { return f[name] })
		},
		"PolynomialFeatures(3)": func() []float64 {
			d := design("lpsa ~ poly(lcavol, 3, raw = TRUE)")
			return must.M1(ols(d).Predict(d))
		},
		"make_pipeline(StandardScaler(), Ridge(10))": func() []float64 {
			train, test := must.M2(design("lpsa ~ .").Split(must.M1(frames.Mask(datasets.Prostate(), "train", "T"))))
			return must.M1(must.M1(mlreg.FitRidge(must.M1(train.Standardize(nil)), 10, nil)).Predict(test))
		},
		"Ridge(alpha=10)": func() []float64 { return must.M1(mlreg.FitRidge(scaled("lpsa ~ ."), 10, nil)).Slopes() },
		"RidgeCV(alphas)": func() []float64 {
			d := scaled("lpsa ~ .")
			return must.M1(must.M1(mlreg.FitRidgePath(d, &mlreg.RidgePathSettings{Lambda: []float64{100, 10, 1, 0.1}})).LOO(d))
		},
		"Lasso(alpha=0.1)": func() []float64 {
			l1, l2 := must.M2(mlreg.FromScikit(two(), 0.1, 1))
			return lasso(l1, l2)
		},
		"ElasticNet(alpha=0.1, l1_ratio=0.5)": func() []float64 {
			l1, l2 := must.M2(mlreg.FromScikit(two(), 0.1, 0.5))
			return lasso(l1, l2)
		},
		"lasso_path(X, y)": func() []float64 {
			return rows(must.M1(mlreg.FitLassoPath(scaled("lpsa ~ ."),
				&mlreg.PathSettings{Lambda: []float64{0.3 * 194, 0.1 * 194, 0.01 * 194}, Gap: 1e-14})).Slopes())
		},
		`lars_path(X, y, method="lasso")`: func() []float64 {
			lambda := must.M1(mlreg.FitLARS(scaled("lpsa ~ ."), nil)).Lambda()
			floats.Scale(1./194, lambda)
			return lambda
		},
		"LassoCV(cv=cv)": func() []float64 {
			// Scaled once, by all rows, as the script does: in every fold anew is ours.
			d := scaled("lpsa ~ .").Rows(first...)
			d.Scaling = nil
			cv := must.M1(mlreg.FitLassoCV(d, foldsOf(95, 5),
				&mlreg.PathSettings{Lambda: []float64{0.3 * 190, 0.1 * 190, 0.01 * 190}, Gap: 1e-14}, nil))
			return append(cv.Mean(), cv.LambdaMin()/190)
		},
		"cross_val_score(LinearRegression(), X, y, cv=cv)": func() []float64 {
			cv := must.M1(mlreg.CrossValidate(design("lpsa ~ .").Rows(first...), foldsOf(95, 5),
				func(train *mlreg.Design) ([]*mlreg.OLS, error) { return []*mlreg.OLS{ols(train)}, nil }, nil))
			return columns(cv.FoldLoss())
		},
		"PCA()": func() []float64 { return must.M1(mlreg.FitPCR(scaled("lpsa ~ ."), 1, nil)).SingularValues() },
		"make_pipeline(PCA(3), LinearRegression())": func() []float64 {
			d := scaled("lpsa ~ .")
			return must.M1(must.M1(mlreg.FitPCR(d, 3, nil)).Predict(d))
		},
		"sm.Logit(y, X).fit()": func() []float64 {
			return slices.Concat(g.Coef(), g.StdErr(), []float64{g.LogLik(), g.LR().Stat, g.LR().P})
		},
		"LogisticRegression(C=1)": func() []float64 {
			return must.M1(mlreg.FitLogistic(gd, &mlreg.LogisticSettings{L2: 0.5})).Coef()
		},
		`LogisticRegression(penalty="l1", C=0.2)`: func() []float64 {
			return must.M1(mlreg.FitLogisticElasticNet(must.M1(gd.Standardize(nil)), 5, 0, &mlreg.LassoSettings{Gap: 1e-14})).Coef()
		},
		"sm.QuantReg(y, X).fit(q=0.5)": func() []float64 { return []float64{must.M1(quantreg.Fit(two(), 0.5, nil)).Loss()} },
		"sm.RLM(y, X).fit()": func() []float64 {
			const more = 0.6745 / 0.6744897501960817 // their scale is so much larger
			f := must.M1(rlm.Fit(two(), &rlm.Settings{Method: rlm.HuberM, C: 1.345 * more, Tol: 1e-14}))
			return append(f.Coef(), f.Scale()*more)
		},
		`sm.MixedLM.from_formula("lpsa ~ lcavol", df, groups="gleason").fit()`: func() []float64 {
			f := mixed(nil)
			return append(f.Coef(), f.Variances()[0].Variance, f.Sigma2(), f.LogLik())
		},
		`sm.MixedLM.from_formula("lpsa ~ lcavol", df, groups="gleason").fit(reml=False)`: func() []float64 {
			f := mixed(&hier.Settings{ML: true})
			return append(f.Coef(), f.Sigma2(), f.LogLik())
		},
		"sm.GLM(y, X, sm.families.Poisson(), offset=o).fit()": func() []float64 {
			return slices.Concat(p.Coef(), p.StdErr(), []float64{p.Deviance(), p.Pearson(), p.LogLik(), mlreg.AIC(p)})
		},
		"sm.GLM(y, X, sm.families.Poisson(), exposure=t).fit()":             p.Coef,
		`sm.GLM(y, X, sm.families.Poisson(), offset=o).fit(cov_type="HC0")`: func() []float64 { return must.M1(p.Robust(pd, mlreg.HC0)).StdErr() },
		`sm.GLM(y, X, sm.families.Poisson(), offset=o).fit(scale="X2")`: func() []float64 {
			f := must.M1(mlreg.FitGLM(pd, mlreg.QuasiPoisson, nil))
			return append(f.StdErr(), f.Dispersion())
		},
		"sm.GLM(y, X, sm.families.Gamma(links.log())).fit()": func() []float64 {
			f := must.M1(mlreg.FitGLM(design("lweight ~ lcavol + svi"), mlreg.Gamma, &mlreg.GLMSettings{Link: mlreg.LogLink}))
			return slices.Concat(f.Coef(), f.StdErr(), []float64{f.Dispersion()})
		},
		"sm.MNLogit(y, X).fit()": func() []float64 {
			km := mat.NewDense(12, 1, []float64{0.5, 1, 2, 1, 3, 4, 6, 2, 5, 9, 15, 3})
			f := must.M1(mlreg.FitMultinomial(must.M1(mlreg.NewDesign(km, []float64{0, 0, 0, 1, 1, 1, 1, 0, 2, 2, 2, 2})), nil))
			return append(f.Coef(), f.LogLik())
		},
		"BernoulliNB(alpha=1)": func() []float64 {
			d := must.M1(design("svi ~ lcavol + lweight + age + lbph + lcp").Presence(0))
			return mat.Col(nil, 1, must.M1(must.M1(mlreg.FitNaiveBayes(d, 1, nil)).ClassProb(d)))
		},
		"confusion_matrix(y, yhat)": func() []float64 {
			return []float64{float64(table.Counts[0][0]), float64(table.Counts[0][1]), float64(table.Counts[1][0]), float64(table.Counts[1][1])}
		},
		"accuracy_score(y, yhat)":  one(table.Accuracy()),
		"precision_score(y, yhat)": one(table.Precision(1)),
		"recall_score(y, yhat)":    one(table.Recall(1)),
		"f1_score(y, yhat)":        one(table.F1(1)),
		"roc_auc_score(y, p)":      one(must.M1(mlreg.ROC(g, gd)).AUC),
		"brier_score_loss(y, p)":   one(must.M1(mlreg.BrierScore(g, gd)) / 2),
		"log_loss(y, p)":           one(-floats.Sum(must.M1(g.LogLikRows(gd))) / 97),
	}
}
