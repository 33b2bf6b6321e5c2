package lecture

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// PenaltyGeometry shows in the plane of two weights why the lasso sets weights to
// zero and ridge regression does not: contours of the RSS of the data (ellipses
// around the least-squares weights), and the weights that the constraint
//
//	|w_1| + |w_2| <= nu   or   w_1^2 + w_2^2 <= nu
//
// allows, a diamond and a disk. The constrained weights of least RSS are where the
// smallest ellipse touches. They are the fits of FitLasso at lambda = lasso and of
// FitRidge at lambda = ridge: every penalty is a constraint. (Elements of
// Statistical Learning, 2nd ed., figure 3.11.)
//
// The intercept, if d has one, is fitted and not drawn. Errors: mlreg.ErrNoData
// without a design, mlreg.ErrShape if it does not have two terms, and those of the
// fits.
func PenaltyGeometry(d *mlreg.Design, lasso, ridge float64) (_ *plotting.Figure, err error) {
	defer check.Named("penalty geometry", &err)
	if err := checkPlane(d); err != nil {
		return nil, err
	}
	ols, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 1})
	if err != nil {
		return nil, err
	}
	l, err := mlreg.FitLasso(d, lasso, &mlreg.LassoSettings{Gap: 1e-10})
	if err != nil {
		return nil, err
	}
	r, err := mlreg.FitRidge(d, ridge, nil)
	if err != nil {
		return nil, err
	}
	w := l.Slopes()
	nu := math.Abs(w[0]) + math.Abs(w[1])
	left, err := penaltyPanel(d, ols, "Lasso", "|w₁| + |w₂| ≤ "+format.Number(nu, 3), 1, nu, w, l.RSS())
	if err != nil {
		return nil, err
	}
	w = r.Slopes()
	radius := math.Hypot(w[0], w[1])
	right, err := penaltyPanel(d, ols, "Ridge", "w₁² + w₂² ≤ "+format.Number(radius*radius, 3), 2, radius, w, r.RSS())
	if err != nil {
		return nil, err
	}
	f := plotting.Grid(2, left, right)
	f.EqualAxes = true
	f.Width, f.Height, f.ShareY = look.PageWidth, 4.6, true
	f.Alt = fmt.Sprintf("contours of the RSS of %s on %s and %s around least squares, touching the lasso's diamond at (%s, %s) and ridge regression's disk at (%s, %s)",
		d.Response, d.Names[0], d.Names[1], format.Number(l.Slopes()[0], 3), format.Number(l.Slopes()[1], 3), format.Number(w[0], 3), format.Number(w[1], 3))
	return f, nil
}

// checkPlane returns an error for a design that is not of two terms.
func checkPlane(d *mlreg.Design) error {
	if d == nil {
		return fmt.Errorf("%w: the design is nil", mlreg.ErrNoData)
	}
	if d.NTerms() != 2 {
		return fmt.Errorf("%w: the design has %s; the plane has two, see Design.Select", mlreg.ErrShape, check.Plural(d.NTerms(), "term"))
	}
	return nil
}

// covOfSlopes returns the covariance of two slopes.
func covOfSlopes(ols *mlreg.OLS) *mat.SymDense {
	v, first := ols.VCov(), len(ols.Coef())-2
	return mat.NewSymDense(2, []float64{v.At(first, first), v.At(first, first+1), 0, v.At(first+1, first+1)})
}

// penaltyPanel draws the ball of a p-norm, and the contours of the RSS of which one
// passes through w.
func penaltyPanel(d *mlreg.Design, ols *mlreg.OLS, title, constraint string, p, radius float64, w []float64, rss float64) (*plot.Plot, error) {
	best := ols.Slopes()
	var layers []plotting.Layer
	if radius > 0 {
		region := ball(p, radius)
		region.Color = plotting.Green
		area := plotting.Ribbon{X: region.X[:181], Upper: region.Y[:181], Lower: make([]float64, 181), Color: plotting.Green, Opacity: 0.25}
		for i := range area.Lower {
			area.Lower[i] = -area.Upper[i]
		}
		region.Name = constraint
		layers = append(layers, area, region)
	}
	// RSS = RSS(best) + (w - best)' V^-1 (w - best) with V = (X'X)^-1.
	if reach := math.Sqrt(math.Max(rss-ols.RSS(), 0)); reach > 0 {
		cov := covOfSlopes(ols)
		for _, part := range []float64{1. / 3, 2. / 3} {
			layers = append(layers, plotting.Ellipse{X: best[0], Y: best[1], Cov: cov, Radius: part * reach, Color: plotting.Fade(plotting.Blue, 0.45), Width: 1})
		}
		layers = append(layers, plotting.Ellipse{X: best[0], Y: best[1], Cov: cov, Radius: reach, Color: plotting.Blue, Name: "RSS = " + format.Number(rss, 4)})
	}
	layers = append(layers, plotting.HLine{Y: 0}, plotting.VLine{X: 0},
		plotting.Points{X: best[:1], Y: best[1:], Color: plotting.Blue, Radius: 4, Name: "least squares"},
		plotting.Points{X: w[:1], Y: w[1:], Color: plotting.Vermillion, Radius: 4, Name: title})
	return plotting.Draw(plotting.Labels{Title: title, X: "w₁, weight of " + d.Names[0], Y: "w₂, weight of " + d.Names[1]}, layers...)
}
