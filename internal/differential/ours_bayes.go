package main

import (
	"math"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

func oursBayes(c *Case) values {
	d := c.design()
	var noise mlreg.Noise = mlreg.InverseGamma{Shape: c.Shape, Scale: c.Scale}
	if c.Noise > 0 {
		noise = mlreg.KnownVariance(c.Noise)
	}
	f := try.Get(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: c.Variance}, noise, nil))
	v := make(values)
	cond := f.Cond() * unitCond(d) * unitCond(d) // R has normal equations
	var scales []float64
	for j, s := range f.StdDev() {
		scales = append(scales, s+math.Abs(f.Coef()[j]))
	}
	v.columns(d)
	v.set("bayes.mean", cond, f.PosteriorMean(), scales...)
	v.relative("bayes.sd", cond, f.StdDev()...)
	v.set("bayes.evidence", cond, []float64{f.LogEvidence()}, max(float64(d.NObs()), math.Abs(f.LogEvidence())))
	credible := try.Get(f.CredibleInterval(c.Level))
	var lower, upper []float64
	for _, l := range credible {
		lower, upper = append(lower, l.Lower), append(upper, l.Upper)
	}
	v.set("bayes.lower", cond, lower, scales...)
	v.set("bayes.upper", cond, upper, scales...)
	v.part("bayes.predict", func() {
		p := try.Get(f.Predictive(codedRows(c.rows, d), c.Level))
		var limits []float64
		for i := range p.Mean {
			limits = append(limits, p.Mean[i], p.LowerMean[i], p.UpperMean[i], p.LowerObs[i], p.UpperObs[i])
		}
		v.set("bayes.predict", cond, limits, largest(limits)+largest(d.Y))
	})
	return v
}
