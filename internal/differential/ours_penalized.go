package main

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// prepared returns the design of a penalized fit, standardized if the case says so.
func (c *Case) prepared(settings *mlreg.StandardizeSettings) *mlreg.Design {
	d := c.design()
	if !c.Standardize {
		return d
	}
	return try.Get(d.Standardize(settings))
}

// weighted is glmnet's way to standardize.
func (c *Case) weighted() *mlreg.StandardizeSettings {
	return &mlreg.StandardizeSettings{Weighted: c.Weights != ""}
}

// factors are those that glmnet is given, and that it makes sum to the number of terms.
func (c *Case) factors(p int) []float64 {
	if !c.PenaltyFactor {
		return nil
	}
	f, sum := make([]float64, p), 0.0
	for j := range f {
		f[j] = float64(1 + j%3)
		sum += f[j]
	}
	for j := range f {
		f[j] *= float64(p) / sum
	}
	return f
}

// slopeScales are what slopes are compared relative to: the spread of the response over
// that of the column, in raw units; of the intercept it is the reach of all of them.
func slopeScales(d *mlreg.Design, spread float64) []float64 {
	scales := []float64{spread}
	for j := range d.NTerms() {
		x := mat.Col(nil, j, d.X)
		scale := spread / max(stat.PopStdDev(x, nil), 1e-8*largest(x), 1e-300)
		scales[0] += scale * math.Abs(stat.Mean(x, nil))
		scales = append(scales, scale)
	}
	return scales
}

func oursRidge(c *Case) values {
	d := c.prepared(nil)
	f := try.Get(mlreg.FitRidge(d, c.Lambda[0], nil))
	raw := try.Get(f.Raw())
	plain := c.design()
	v := make(values)
	// Neither is worse than the least-squares problem with rows of sqrt(lambda) below.
	square := 0.0
	for _, y := range d.Y {
		square += y * y
	}
	amplification := math.Sqrt(mat.Norm(d.X, 2)*mat.Norm(d.X, 2)/c.Lambda[0]+1) * max(1, math.Sqrt(square)/math.Sqrt(f.RSS()))
	v.columns(plain)
	v.set("ridge.coef", amplification, raw.Coef(), slopeScales(plain, math.Sqrt(square/float64(d.NObs())))...)
	v.set("ridge.rss", amplification, []float64{f.RSS()}, f.NullRSS())
	v.set("ridge.dof", amplification, []float64{f.DoF()}, f.DoF())
	v.set("ridge.gcv", amplification/max(1-f.DoF()/float64(f.NObs()), 1e-12), []float64{mlreg.GCV(f)}, mlreg.GCV(f))
	v.part("ridge.predict", func() {
		predicted := try.Get(f.Predict(codedRows(c.rows, plain)))
		v.set("ridge.predict", amplification, predicted, largest(d.Y)+largest(predicted))
	})
	return v
}

// tight is the duality gap at which penalized fits stop.
const tight = 1e-15

func oursElasticNet(c *Case) values {
	d := c.prepared(c.weighted())
	plain := c.design()
	v := make(values)
	v.columns(plain)
	var coef, scales, fitted, rss []float64
	for _, lambda := range c.Lambda {
		l1, l2 := try.Get2(mlreg.FromGlmnet(d, lambda, c.Alpha))
		f := try.Get(mlreg.FitElasticNet(d, l1, l2, &mlreg.LassoSettings{Gap: tight, PenaltyFactor: c.factors(d.NTerms())}))
		raw := try.Get(f.Raw())
		predicted := try.Get(f.Fitted(d))
		coef, fitted = append(coef, raw.Coef()...), append(fitted, predicted...)
		rss = append(rss, f.R2())
		scales = append(scales, slopeScales(plain, stat.PopStdDev(d.Y, nil))...)
	}
	v.set("net.coef", 1, coef, scales...)
	v.set("net.fitted", 1, fitted, stat.PopStdDev(d.Y, nil))
	v.set("net.r2", 1, rss, 1)
	return v
}

func oursCV(c *Case) values {
	d := c.design()
	var assignment []int
	for i := range d.NObs() {
		assignment = append(assignment, c.Folds[d.RowNumber(i)-1])
	}
	folds := try.Get(mlreg.NewFolds(assignment))
	path, share := &mlreg.PathSettings{Gap: tight}, 1.0
	for _, lambda := range c.Lambda {
		l1, l2 := try.Get2(mlreg.FromGlmnet(d, lambda, c.Alpha))
		share = l1 / (l1 + l2)
		path.Lambda = append(path.Lambda, l1+l2)
	}
	settings := &mlreg.CVSettings{ResponseScale: true}
	if c.Standardize {
		settings.Standardize = c.weighted()
	}
	cv := try.Get(mlreg.FitElasticNetCV(d, share, folds, path, settings))
	v := make(values)
	v.columns(d)
	variance := stat.PopVariance(d.Y, nil)
	v.set("cv.mean", 1, cv.Mean(), variance)
	v.set("cv.stderr", 1, cv.StdErr(), variance)
	v.relative("cv.choice", 1, float64(cv.Min()+1), float64(cv.OneSE()+1))
	open := false
	for k := range folds.Len() {
		open = open || unitCond(d.Rows(folds.Train(k)...)) > 1e10
	}
	for name, of := range v {
		of.aliased = open
		v[name] = of
	}
	return v
}

func oursLogisticNet(c *Case) values {
	d := c.prepared(c.weighted())
	plain := c.design()
	v := make(values)
	v.columns(plain)
	weight := float64(d.NObs())
	if d.Weights != nil {
		weight = 0
		for _, w := range d.Weights {
			weight += w
		}
	}
	var coef, scales, fitted, deviance []float64
	for _, lambda := range c.Lambda {
		f := try.Get(mlreg.FitLogisticElasticNet(d, weight*lambda*c.Alpha, weight*lambda*(1-c.Alpha)/2,
			&mlreg.LassoSettings{Gap: tight, PenaltyFactor: c.factors(d.NTerms())}))
		raw := try.Get(f.Raw())
		predicted := try.Get(f.Predict(d))
		coef, fitted = append(coef, raw.Coef()...), append(fitted, predicted...)
		scales = append(scales, slopeScales(plain, 3)...)
		deviance = append(deviance, 1-f.Deviance()/f.NullDeviance())
	}
	v.set("net.coef", 1, coef, scales...)
	v.set("net.fitted", 1, fitted, 1)
	v.set("net.r2", 1, deviance, 1)
	return v
}
