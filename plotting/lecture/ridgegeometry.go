package lecture

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// RidgeGeometry shows in the plane of two weights how a prior N(0, tau^2 I)
// moves the estimate: contours of the likelihood (ellipses around the maximum
// likelihood estimate, MLE), contours of the prior (circles around 0), and the
// posterior's ellipse of one standard deviation around its maximum (MAP). One
// contour of each kind passes through the MAP, where they touch. A weight that
// the data determine well stays, one that they do not is drawn to 0. The
// intercept, if d has one, has a flat prior and is not drawn. The prior is purple, the
// likelihood green and the posterior blue, as in WeightSpace. (Murphy, Machine
// Learning: A Probabilistic Perspective, figure 7.9.)
//
// The noise variance is known. Errors: mlreg.ErrNoData without a design,
// mlreg.ErrShape if it has not two terms, and those of FitBayes and FitOLS, which
// name terms that are aliased.
func RidgeGeometry(d *mlreg.Design, tau2 float64, noise mlreg.KnownVariance) (*plotting.Figure, error) {
	g, err := newRidgeGeometry(d, tau2, noise)
	if err != nil {
		return nil, fmt.Errorf("plotting: ridge geometry: %w", err)
	}
	return g.figure()
}

type ridgeGeometry struct {
	names      []string
	mle, mp    []float64
	likelihood *mlreg.Gaussian // as a distribution of the weights
	posterior  *mlreg.Gaussian
	reach      float64 // how many standard deviations of the likelihood the MAP is from the MLE
}

func newRidgeGeometry(d *mlreg.Design, tau2 float64, noise mlreg.KnownVariance) (*ridgeGeometry, error) {
	if err := checkPlane(d); err != nil {
		return nil, err
	}
	post, err := mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: tau2}, noise, nil)
	if err != nil {
		return nil, err
	}
	ols, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: float64(noise)})
	if err != nil {
		return nil, err
	}
	g := &ridgeGeometry{names: d.Names, mle: ols.Slopes(), mp: post.Slopes()}
	first := len(ols.Coef()) - 2
	if g.likelihood, err = mlreg.NewGaussian(g.mle, covOfSlopes(ols)); err != nil {
		return nil, err
	}
	all, err := post.Posterior()
	if err != nil {
		return nil, err
	}
	if g.posterior, err = all.Marginal(first, first+1); err != nil {
		return nil, err
	}
	g.reach = math.Sqrt(2 * (g.likelihood.LogProb(g.mle) - g.likelihood.LogProb(g.mp)))
	return g, nil
}

func (g *ridgeGeometry) figure() (*plotting.Figure, error) {
	var layers []plotting.Layer
	// One contour through the MAP, and fainter ones.
	around := func(x, y float64, cov mat.Symmetric, reach float64, c color.NRGBA, name string, fainter ...float64) {
		layers = append(layers, plotting.Ellipse{X: x, Y: y, Cov: cov, Radius: reach, Color: c, Name: name})
		for _, share := range fainter {
			layers = append(layers, plotting.Ellipse{X: x, Y: y, Cov: cov, Radius: share * reach, Color: plotting.Fade(c, 0.45), Width: 1})
		}
	}
	if g.reach > 1e-6 { // else the MAP is the MLE
		around(g.mle[0], g.mle[1], g.likelihood.Cov(), g.reach, plotting.Green, "likelihood", 0.5, 1.5)
	}
	if r := math.Hypot(g.mp[0], g.mp[1]); r > 0 {
		around(0, 0, mat.NewDiagDense(2, []float64{1, 1}), r, plotting.Purple, "prior", 0.5)
	}
	post := plotting.Ellipse{X: g.mp[0], Y: g.mp[1], Cov: g.posterior.Cov(), Radius: 1, Color: plotting.Blue, Dashed: true, Name: "posterior, one std. dev."}
	layers = append(layers, post, plotting.HLine{Y: 0}, plotting.VLine{X: 0},
		plotting.Points{X: g.mle[:1], Y: g.mle[1:], Color: plotting.Green, Radius: 4, Name: "maximum likelihood (MLE)"},
		plotting.Points{X: g.mp[:1], Y: g.mp[1:], Color: plotting.Blue, Radius: 4, Name: "maximum a posteriori (MAP)"})
	p, err := plotting.Draw(plotting.Labels{X: "weight of " + g.names[0], Y: "weight of " + g.names[1]}, layers...)
	if err != nil {
		return nil, err
	}
	// All of the likelihood, and so much of the prior as lies between it and 0.
	sd, r := g.likelihood.StdDev(), 0.4*math.Hypot(g.mp[0], g.mp[1])
	p.X.Min, p.X.Max = math.Min(-r, g.mle[0]-1.6*g.reach*sd[0]), math.Max(r, g.mle[0]+1.6*g.reach*sd[0])
	p.Y.Min, p.Y.Max = math.Min(-r, g.mle[1]-1.6*g.reach*sd[1]), math.Max(r, g.mle[1]+1.6*g.reach*sd[1])
	f := plotting.Sized(p, 6.4, 4.4)
	f.EqualAxes = true
	f.Alt = fmt.Sprintf("contours of likelihood, prior and posterior of the weights of %s and %s: maximum likelihood at (%s, %s), maximum a posteriori at (%s, %s)",
		g.names[0], g.names[1], format.Number(g.mle[0], 3), format.Number(g.mle[1], 3), format.Number(g.mp[0], 3), format.Number(g.mp[1], 3))
	return f, nil
}
