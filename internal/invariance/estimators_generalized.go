package main

import (
	"regexp"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
)

var (
	cooksOnly = regexp.MustCompile("^Cook")
	dispersed = regexp.MustCompile("^(Cook|Dispersion|standard errors|LogLik)")
)

// generalized are generalized linear models of all families and links.
func generalized() []estimator {
	var all []estimator
	for _, c := range []struct {
		y      response
		family mlreg.GLMFamily
		links  []mlreg.Link
	}{
		{class2, mlreg.Binomial, []mlreg.Link{0, mlreg.ProbitLink, mlreg.CLogLogLink}},
		{class2, mlreg.QuasiBinomial, []mlreg.Link{0}},
		{count, mlreg.Poisson, []mlreg.Link{0, mlreg.IdentityLink, mlreg.SqrtLink}},
		{count, mlreg.QuasiPoisson, []mlreg.Link{0}},
		{positive, mlreg.Gamma, []mlreg.Link{0, mlreg.LogLink, mlreg.IdentityLink}},
		{positive, mlreg.InverseGaussian, []mlreg.Link{0, mlreg.LogLink}},
	} {
		for _, link := range c.links {
			name, counts := "FitGLM, "+c.family.String(), cooksOnly
			if c.family != mlreg.Binomial && c.family != mlreg.Poisson {
				counts = dispersed
			}
			if link != 0 {
				name += ", " + link.String()
			}
			all = append(all, estimator{name: name, response: c.y, counts: counts, blocks: true, affine: true, fit: func(in *input) quantities {
				return in.of(try.Get(mlreg.FitGLM(in.blocks, c.family, &mlreg.GLMSettings{Link: link})))
			}})
		}
	}
	return append(all,
		estimator{name: "FitGLM, penalized", counts: cooksOnly, response: count, blocks: true, standardized: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitGLM(in.blocks, mlreg.Poisson, &mlreg.GLMSettings{L2: 0.05 * in.weight})))
		}},
		estimator{name: "FitBayesGLM, Poisson", response: count, standardized: true, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitBayesGLM(in.d, mlreg.Poisson, mlreg.GaussianPrior{Tau2: 2}, nil)))
		}},
		estimator{name: "FitGLMPath", response: count, standardized: true, tolerance: certified, fit: func(in *input) quantities {
			return in.of(try.Get(mlreg.FitGLMPath(in.d, mlreg.Poisson, 0.9, pathSettings())))
		}},
		estimator{name: "FitGLMCV", response: count, standardized: true, tolerance: certified, fit: func(in *input) quantities {
			return chosen(in, try.Get(mlreg.FitGLMCV(in.d, mlreg.Poisson, 0.9, in.folds, pathSettings(), cvSettings())))
		}},
		estimator{name: "CrossValidate, GLM", response: count, affine: true, fit: func(in *input) quantities {
			cv := try.Get(mlreg.CrossValidate(in.d, in.folds, func(train *mlreg.Design) ([]*mlreg.GLM, error) {
				f, err := mlreg.FitGLM(train, mlreg.Poisson, nil)
				return []*mlreg.GLM{f}, err
			}, &mlreg.CVSettings{Loss: mlreg.Poisson.Deviance}))
			return in.of(cv)
		}},
	)
}
