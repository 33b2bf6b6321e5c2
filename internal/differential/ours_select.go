package main

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

// ties tells whether the two best of the changes have the same criterion up to rounding.
func ties(changes []mlreg.StepChange, n float64) bool {
	best, next := math.Inf(1), math.Inf(1)
	for _, c := range changes {
		if v := c.Value; v < best {
			best, next = v, best
		} else {
			next = min(next, v)
		}
	}
	return next-best < 1e-11*max(n, math.Abs(best))
}

func oursStep(c *Case) values {
	d := c.design()
	settings := &mlreg.StepwiseSettings{Direction: map[string]mlreg.Direction{
		"forward": mlreg.Forward, "backward": mlreg.Backward, "both": mlreg.Bidirectional}[c.Direction]}
	if c.BIC {
		settings.Criterion = mlreg.ByBIC
	}
	path := try.Get(mlreg.FitStepwise(d, settings))
	v := make(values)
	v.columns(d)
	final := path.Final()
	names := slices.Clone(final.Terms)
	slices.Sort(names)
	v.texts("step.terms", names)
	v.set("step.aic", sumsLose(d, final.RSS), []float64{final.AIC}, max(math.Abs(final.AIC), float64(d.NObs())))
	changes := []string{}
	for _, step := range path.Steps()[1:] {
		sign := "+ "
		if step.Change.Drop {
			sign = "- "
		}
		changes = append(changes, sign+step.Change.Term)
	}
	tied := slices.ContainsFunc(path.Steps(), func(s mlreg.Step) bool { return ties(s.Considered, float64(d.NObs())) })
	v.texts("step.path", changes)
	for name, of := range v {
		of.aliased, of.tied = len(path.Aliased()) > 0, tied
		v[name] = of
	}
	return v
}

// sumsLose is by how much rounding grows where models are compared by sums of squares, as
// ours are until Refit, and where leaps starts from a response that is not centered.
func sumsLose(d *mlreg.Design, rss float64) float64 {
	square := 0.0
	for _, y := range d.Y {
		square += y * y
	}
	return unitCond(d) * max(1, min(square/rss, 1e16))
}

func oursSubsets(c *Case) values {
	d := c.design()
	all := try.Get(mlreg.FitBestSubsets(d, nil))
	v := make(values)
	v.columns(d)
	tss := 0.0
	var rss, cp []float64
	for size := 1; size <= d.NTerms(); size++ {
		for _, m := range all.BestOfSize(size) {
			rss, cp, tss = append(rss, m.RSS), append(cp, m.Cp), m.TSS
		}
	}
	amplification := sumsLose(d, all.Sigma2()*float64(d.NObs()))
	v.set("subsets.rss", amplification, rss, tss)
	v.set("subsets.cp", amplification, cp, append([]float64{tss/all.Sigma2() + float64(d.NObs())}, magnitudes(cp)...)[0])
	return v
}

func oursBMS(c *Case) values {
	d := c.design()
	score := mlreg.ZellnerG{G: c.Variance}
	k := float64(d.NTerms())
	switch c.Prior {
	case "fixed":
		score.Pi0 = c.Size / k
	case "random": // a beta-binomial of that mean, with a = 1
		score.Sizes = &mlreg.BetaBinomial{A: 1, B: (k - c.Size) / c.Size}
	}
	all := try.Get(mlreg.EnumerateModels(d, score, &mlreg.EnumerateSettings{Average: true}))
	v := make(values)
	v.columns(d)
	cond := unitCond(d)
	var pip, mean, sd, scale []float64
	fit := try.Get(mlreg.FitOLS(d, nil))
	for j, row := range all.InclusionTable() {
		pip, mean, sd = append(pip, row.PostProb), append(mean, row.Mean), append(sd, row.SD)
		// In a perfect fit only the units are left.
		unit := 1e-6 * largest(d.Y) / largest(mat.Col(nil, j, d.X))
		scale = append(scale, max(unit, fit.StdErr()[j+1]+math.Abs(fit.Coef()[j+1])))
	}
	v.relative("nobs", 1, float64(d.NObs()))
	v.set("bms.pip", cond*cond, pip, 1)
	v.set("bms.mean", cond*cond, mean, scale...)
	v.set("bms.sd", cond*cond, sd, scale...)
	return v
}
