package main

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

func oursLogistic(c *Case) values {
	d := c.design()
	f := try.Get(mlreg.FitLogistic(d, nil))
	v := make(values)
	cond := informationCond(f, d)
	v.columns(d)
	v.relative("nobs", 1, float64(f.NObs()))
	var scales, limits, limitScales []float64
	for j, b := range f.Coef() {
		scales = append(scales, max(math.Abs(b), f.StdErr()[j]))
		limitScales = append(limitScales, scales[j], scales[j])
	}
	v.set("glm.coef", cond, f.Coef(), scales...)
	v.relative("glm.stderr", cond, f.StdErr()...)
	intervals := try.Get(f.ConfInt(c.Level))
	for _, i := range intervals {
		limits = append(limits, i.Lower, i.Upper)
	}
	v.set("glm.confint", cond, limits, limitScales...)
	n := float64(f.NObs())
	v.set("glm.deviance", cond, []float64{f.Deviance(), f.NullDeviance()}, n)
	v.set("glm.loglik", cond, []float64{f.LogLik(), mlreg.AIC(f), mlreg.BIC(f)}, n)
	if test := f.LR(); d.NTerms() > 0 && !d.NoIntercept {
		v.set("glm.lr", cond, []float64{test.Stat, test.DF, test.P}, n, 1, test.P*n+1e-290)
	}
	v.likelihoodRatio("glm.lrt", cond, d, f, func(d *mlreg.Design) (mlreg.Likelihood, error) { return mlreg.FitLogistic(d, nil) })
	logisticRows(v, f, d, cond)
	v.part("glm.link", func() {
		rows := codedRows(c.rows, d)
		link := try.Get(f.LinearPredictor(rows))
		v.set("glm.link", cond, link, linkScales(f, rows, link)...)
	})
	return v
}

// logisticRows are the numbers of single rows.
func logisticRows(v values, f *mlreg.Logistic, d *mlreg.Design, cond float64) {
	only := &leastSquares{}
	for i := range d.NObs() {
		if d.Weights == nil || d.Weights[i] > 0 {
			only.rows = append(only.rows, i)
		}
	}
	for _, q := range []struct {
		name string
		of   func(*mlreg.Design) ([]float64, error)
	}{{"glm.fitted", f.Predict}, {"glm.devres", f.DevianceResiduals}, {"glm.pearson", f.PearsonResiduals}, {"glm.hat", f.Leverage}} {
		v.part(q.name, func() {
			x := only.only(try.Get(q.of(d)))
			v.set(q.name, cond, x, max(1, largest(x)))
		})
	}
}

// linkScales are how large the linear predictor of a row is, term by term.
func linkScales(f *mlreg.Logistic, rows *mlreg.Design, link []float64) []float64 {
	var scales []float64
	slopes := f.Slopes()
	for i := range link {
		s := 1 + math.Abs(f.Intercept())
		for j, b := range slopes {
			s += math.Abs(b * rows.X.At(i, j))
		}
		scales = append(scales, s)
	}
	return scales
}

// informationCond is unitCond for the rows weighted as the last Newton step does.
func informationCond(f *mlreg.Logistic, d *mlreg.Design) float64 {
	p := try.Get(f.Predict(d))
	roots := make([]float64, len(p))
	for i := range p {
		roots[i] = math.Sqrt(p[i] * (1 - p[i]))
	}
	return weightedCond(d, roots)
}

// unitCond is the condition number of the columns of the design brought to unit length.
func unitCond(d *mlreg.Design) float64 {
	ones := make([]float64, d.NObs())
	for i := range ones {
		ones[i] = 1
	}
	return weightedCond(d, ones)
}

// weightedCond is unitCond of the rows times some numbers.
func weightedCond(d *mlreg.Design, times []float64) float64 {
	n, p := d.NObs(), d.NTerms()
	start := 1
	if d.NoIntercept {
		start = 0
	}
	a := mat.NewDense(n, p+start, nil)
	for j := range p + start {
		x := make([]float64, n)
		for i := range x {
			x[i] = 1
		}
		if j >= start {
			mat.Col(x, j-start, d.X)
		}
		for i := range x {
			x[i] *= times[i]
		}
		length := mat.Norm(mat.NewVecDense(n, x), 2)
		for i := range x {
			if length > 0 {
				a.Set(i, j, x[i]/length)
			}
		}
	}
	return max(1, mat.Cond(a, 2))
}
