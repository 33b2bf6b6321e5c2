package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// RidgeGeometry shows in the plane of two weights how a prior N(0, tau^2 I)
// moves the estimate: contours of the likelihood (ellipses around the maximum
// likelihood estimate, MLE), contours of the prior (circles around 0), and the
// posterior's ellipse of one standard deviation around its maximum (MAP). One
// contour of each kind passes through the MAP, where they touch. A weight that
// the data determine well stays, one that they do not is drawn to 0. The
// intercept, if d has one, has a flat prior and is not drawn. (Murphy, Machine
// Learning: A Probabilistic Perspective, figure 7.9.)
//
// The noise variance is known. The error says if d has not two terms, if they
// are aliased, or what FitBayes refuses.
func RidgeGeometry(d *mlreg.Design, tau2 float64, noise mlreg.KnownVariance) (*Figure, error) {
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
	if d == nil {
		return nil, fmt.Errorf("%w: the design is nil", mlreg.ErrNoData)
	}
	if d.NTerms() != 2 {
		return nil, fmt.Errorf("%w: the design has %s; the plane has two, see Design.Select", mlreg.ErrShape, plural(d.NTerms(), "term"))
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
	cov := mat.NewSymDense(2, nil)
	for i := range 2 {
		for j := i; j < 2; j++ {
			cov.SetSym(i, j, ols.VCov().At(first+i, first+j))
		}
	}
	if g.likelihood, err = mlreg.NewGaussian(g.mle, cov); err != nil {
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

// ring returns the ellipse r standard deviations from the mean as a layer.
func ring(g *mlreg.Gaussian, r float64, l Line) (Line, error) {
	var err error
	l.X, l.Y, err = g.Ellipse(-math.Expm1(-r*r/2), 181)
	return l, err
}

// circle returns the circle of radius r around 0.
func circle(r float64, l Line) Line {
	for _, t := range Range(0, 2*math.Pi, 181) {
		l.X, l.Y = append(l.X, r*math.Cos(t)), append(l.Y, r*math.Sin(t))
	}
	return l
}

func (g *ridgeGeometry) figure() (*Figure, error) {
	var layers []Layer
	if g.reach > 1e-6 { // else the MAP is the MLE
		for k, share := range []float64{1, 0.5, 1.5} {
			l := Line{Color: Fade(Blue, 0.45), Width: 1}
			if k == 0 {
				l = Line{Color: Blue, Name: "likelihood"}
			}
			l, err := ring(g.likelihood, share*g.reach, l)
			if err != nil {
				return nil, err
			}
			layers = append(layers, l)
		}
	}
	if r := math.Hypot(g.mp[0], g.mp[1]); r > 0 {
		layers = append(layers, circle(r, Line{Color: Green, Name: "prior"}),
			circle(0.5*r, Line{Color: Fade(Green, 0.45), Width: 1}), circle(1.5*r, Line{Color: Fade(Green, 0.45), Width: 1}))
	}
	post, err := ring(g.posterior, 1, Line{Color: Vermillion, Dashed: true, Name: "posterior, one std. dev."})
	if err != nil {
		return nil, err
	}
	layers = append(layers, post, HLine{Y: 0}, VLine{X: 0},
		Points{X: g.mle[:1], Y: g.mle[1:], Color: Blue, Radius: 4, Name: "maximum likelihood (MLE)"},
		Points{X: g.mp[:1], Y: g.mp[1:], Color: Vermillion, Radius: 4, Name: "maximum a posteriori (MAP)"})
	p, err := Draw(Labels{X: "weight of " + g.names[0], Y: "weight of " + g.names[1]}, layers...)
	if err != nil {
		return nil, err
	}
	f := Sized(p, 6.4, 5)
	f.EqualAxes = true
	f.Alt = fmt.Sprintf("contours of likelihood, prior and posterior of the weights of %s and %s: maximum likelihood at (%s, %s), maximum a posteriori at (%s, %s)",
		g.names[0], g.names[1], Number(g.mle[0], 3), Number(g.mle[1], 3), Number(g.mp[0], 3), Number(g.mp[1], 3))
	return f, nil
}
