package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// glmRow is a row of a generalized linear model: its response, mean, linear predictor
// and weight.
type glmRow struct{ y, mu, eta, w float64 }

// eachRow computes a value of every row of d, which must have a response; 0 for weight
// zero.
func (f *GLM) eachRow(d *Design, value func(i int, r glmRow) (float64, error)) ([]float64, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the response %q is needed, and the design has none", ErrNoData, f.l.Response)
	}
	eta, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	y := d.Y
	if f.c.Classes != nil {
		index, err := d.classIndices(f.c.Classes)
		if err != nil {
			return nil, err
		}
		y = make([]float64, len(index))
		for i, k := range index {
			y[i] = float64(k)
		}
	}
	out := make([]float64, len(eta))
	for i, v := range eta {
		w := d.Weight(i)
		if w == 0 {
			continue
		}
		if err := f.c.Family.checkValue(y[i], w); err != nil {
			return nil, fmt.Errorf("%w: response %q is %v in row %d%s", ErrSetting, d.Response, y[i], d.RowNumber(i), err)
		}
		mu, _ := f.InverseLink(v)
		if out[i], err = value(i, glmRow{y[i], mu, v, w}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Residuals returns y - mu for every row of d; R's residuals(type = "response"). Errors
// are those of LinearPredictor, ErrNoData without a response, and ErrSetting for a
// response that the family does not have.
func (f *GLM) Residuals(d *Design) ([]float64, error) {
	r, err := f.eachRow(d, func(_ int, r glmRow) (float64, error) { return r.y - r.mu, nil })
	if err != nil || d.Weights == nil || f.c.Classes != nil {
		return r, err
	}
	mu, err := f.Predict(d)
	for i, w := range d.Weights {
		if w == 0 && err == nil {
			r[i] = d.Y[i] - mu[i]
		}
	}
	return valid(r, err)
}

// DevianceResiduals returns sign(y - mu) sqrt(w d(y, mu)) for every row of d; over the
// rows fitted their squares sum to Deviance. Errors are those of Residuals.
func (f *GLM) DevianceResiduals(d *Design) ([]float64, error) {
	family := f.family()
	return f.eachRow(d, func(_ int, r glmRow) (float64, error) {
		loss, _, _ := family.Row(r.y, r.eta)
		return math.Copysign(math.Sqrt(2*r.w*math.Max(loss, 0)), r.y-r.mu), nil
	})
}

// PearsonResiduals returns sqrt(w) (y - mu)/sqrt(V(mu)) for every row of d; over the rows
// fitted their squares sum to Pearson. Errors are those of Residuals.
func (f *GLM) PearsonResiduals(d *Design) ([]float64, error) {
	family := f.family()
	return f.eachRow(d, func(_ int, r glmRow) (float64, error) {
		_, residual, c := family.Row(r.y, r.eta)
		return math.Copysign(math.Sqrt(r.w*glm.Pearson(residual, c)), r.y-r.mu), nil
	})
}

// LogLikRows returns w log p(y) for every row of d, natural logarithm, at the dispersion
// of LogLik; over the rows fitted it sums to LogLik. It is NaN for a quasi-family. Errors
// are those of Residuals.
func (f *GLM) LogLikRows(d *Design) ([]float64, error) {
	family, phi := f.family(), 2*f.s.Loss/f.s.W
	return f.eachRow(d, func(_ int, r glmRow) (float64, error) {
		loss, _, _ := family.Row(r.y, r.eta)
		return f.c.Family.logLik(f.c.Family.ownLogLik(r.y, r.w), r.w*loss, r.w, phi), nil
	})
}

// QuantileResiduals returns the standard normal quantile of the probability F(y) of a
// response up to y, for every row of d. If the model is true they are standard normal,
// whatever the family. Where the response is discrete, the probability is drawn uniformly
// between F(y-1) and F(y), from src; of a Gamma and an inverse Gaussian response src is
// not used, and may be nil. The dispersion is Dispersion/w.
//
// Errors are those of Residuals, and ErrSetting for a nil src and for a quasi-family,
// which has no distribution.
//
// Dunn and Smyth, Journal of Computational and Graphical Statistics 5 (1996), 236-244.
func (f *GLM) QuantileResiduals(d *Design, src rand.Source) ([]float64, error) {
	family := f.c.Family
	if family.quasi() {
		return nil, fmt.Errorf("%w: the %v family has variances, and no distribution", ErrSetting, family)
	}
	var rng *rand.Rand
	if family.kind().Discrete() {
		if err := args.Source(src); err != nil {
			return nil, err
		}
		rng = rand.New(src)
	}
	return f.eachRow(d, func(i int, r glmRow) (float64, error) {
		phi, err := family.dispersed(r.w, f.Dispersion())
		if err != nil {
			return 0, fmt.Errorf("%w: row %d: %v", ErrSetting, d.RowNumber(i), err)
		}
		upper, lower, _ := family.kind().Tails(r.y, r.mu, phi)
		if rng != nil {
			more, less, _ := family.kind().Tails(r.y-phi, r.mu, phi) // one success fewer
			u := rng.Float64()
			lower, upper = less*(1-u)+lower*u, more*(1-u)+upper*u
		}
		return normalOf(lower, upper), nil
	})
}

// normalOf returns the standard normal quantile of a probability, of which the smaller
// of both tails is exact.
func normalOf(below, above float64) float64 {
	if below < above {
		return -math.Sqrt2 * math.Erfcinv(2*below)
	}
	return math.Sqrt2 * math.Erfcinv(2*above)
}

// dispersed returns the dispersion of the distribution of a row: of a count 1, and of a share 1 over its number
// of trials.
func (f GLMFamily) dispersed(w, phi float64) (float64, error) {
	switch {
	case f == Poisson && w != 1:
		return 0, fmt.Errorf("the weight is %v, and a weighted count has no distribution", w)
	case f == Binomial && math.Abs(w-math.Round(w)) > 1e-6*w:
		return 0, fmt.Errorf("the weight is %v, which is no number of trials", w)
	}
	return phi / w, nil
}

// Leverage returns w mu'^2/V(mu) a'(A'WA + 2 L2 I)^-1 a for every row a = (1, x) of d: for
// the rows fitted by maximum likelihood the diagonal of the weighted hat matrix, which
// sums to DoF. Errors are those of LinearPredictor.
func (f *GLM) Leverage(d *Design) ([]float64, error) {
	eta, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	h, err := f.quadratic(d, f.s.Root)
	if err != nil {
		return nil, err
	}
	for i, v := range eta {
		mu, slope := f.InverseLink(v)
		c := d.Weight(i) * slope / f.c.Family.Variance(mu) * slope
		if d.Weight(i) == 0 || slope == 0 {
			c = 0
		}
		h[i] *= c
	}
	return h, nil
}

// Influence returns the diagnostics of every row of d, which are those fitted, as R's
// rstandard, rstudent, cooks.distance and dffits of a glm: with the deviance residual e_i,
// the Pearson residual p_i, the leverage h_i, k = DoF and phi = Dispersion,
//
//	Standardized   e_i/sqrt(phi (1-h_i))
//	Studentized    sign(e_i) sqrt(e_i^2 + h_i p_i^2/(1-h_i)), over Sigma_i if phi is estimated
//	Sigma          sqrt((Deviance - e_i^2/(1-h_i))/(DoFResidual - 1)), also where phi is known
//	CooksDistance  p_i^2 h_i/((1-h_i)^2 phi k)
//	DFFITS         e_i sqrt(h_i)/(Sigma_i (1-h_i))
//	CovRatio       NaN
//
// Residuals are y - mu. A row of leverage 1 has NaN where 1-h_i divides, and so has one of
// weight zero. Errors: those of Residuals; ErrSaturated if phi cannot be estimated;
// ErrShape if d does not have the rows fitted.
//
// Davison and Snell, in Hinkley, Reid and Snell, Statistical Theory and Modelling
// (1991), section 4.3.
func (f *GLM) Influence(d *Design) (*Influence, error) {
	deviance, err := f.DevianceResiduals(d)
	if err != nil {
		return nil, err
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	if err := f.checkFitted(d, deviance); err != nil {
		return nil, err
	}
	return f.influence(d, deviance)
}

// EachInfluence calls visit with the diagnostics of the rows that were fitted, block after
// block, by one pass; memory is that of one block. Errors: those of Influence, of which
// ErrShape for rows with another deviance comes after the last block; that of visit.
func (f *GLM) EachInfluence(rows RowBlocks, visit func(block *Design, influence *Influence) error) error {
	if visit == nil {
		return errNilVisit
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return err
	}
	return f.fittedBlocks(rows, func(block *Design, deviance []float64) error {
		inf, err := f.influence(block, deviance)
		if err != nil {
			return err
		}
		return visit(block, inf)
	})
}

// influence returns the diagnostics of rows with the deviance residuals given.
func (f *GLM) influence(d *Design, deviance []float64) (*Influence, error) {
	pearson, err := f.PearsonResiduals(d)
	if err != nil {
		return nil, err
	}
	response, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	h, err := f.Leverage(d)
	if err != nil {
		return nil, err
	}
	n := len(h)
	inf := &Influence{
		Residuals: response, Leverage: h,
		Standardized: make([]float64, n), Studentized: make([]float64, n), Sigma: make([]float64, n),
		CooksDistance: make([]float64, n), DFFITS: make([]float64, n), CovRatio: make([]float64, n),
	}
	phi, k, estimated := f.Dispersion(), f.DoF(), f.c.Family.estimated()
	for i, e := range deviance {
		rest := 1 - h[i]
		if h[i] >= lsq.LeverageOne || d.Weight(i) == 0 {
			rest = math.NaN()
		}
		inf.Sigma[i] = math.Sqrt(math.Max(f.Deviance()-e*e/rest, 0) / (f.DoFResidual() - 1))
		inf.Standardized[i] = e / math.Sqrt(phi*rest)
		inf.Studentized[i] = math.Copysign(math.Sqrt(e*e+h[i]*pearson[i]*pearson[i]/rest), e)
		if estimated {
			inf.Studentized[i] /= inf.Sigma[i]
		}
		inf.CooksDistance[i] = gram.Square(pearson[i]/rest) * h[i] / (phi * k)
		inf.DFFITS[i] = e * math.Sqrt(h[i]) / (inf.Sigma[i] * rest)
		inf.CovRatio[i] = math.NaN()
	}
	return inf, nil
}

// fittedBlocks makes one pass over the rows that were fitted, with their deviance
// residuals, and checks that they are as many as the fit has, with its deviance.
func (f *GLM) fittedBlocks(rows RowBlocks, visit func(block *Design, deviance []float64) error) error {
	p, err := newPasses(rows)
	if err != nil {
		return err
	}
	p.once = true
	var sum float64
	err = p.each(func(block *Design) error {
		deviance, err := f.DevianceResiduals(block)
		if err != nil {
			return err
		}
		sum += gram.Squares(deviance)
		return visit(block, deviance)
	})
	if err != nil {
		return err
	}
	return f.checkSums(p.w, sum)
}

// checkFitted refuses rows that are not those fitted: of another number, or another
// deviance.
func (f *GLM) checkFitted(d *Design, deviance []float64) error {
	return f.checkSums(d.PositiveRows(), gram.Squares(deviance))
}

// checkSums is checkFitted given the number of rows and the deviance.
func (f *GLM) checkSums(n int, deviance float64) error {
	if n != f.s.N {
		return fmt.Errorf("%w: there are %d rows of positive weight, and the fit has %d; give the rows that were fitted", ErrShape, n, f.s.N)
	}
	if math.Abs(deviance-f.Deviance()) > 1e-6*(f.Deviance()+1e-3) {
		return fmt.Errorf("%w: the deviance of these rows is %g, and that of the fit is %g; give the rows that were fitted", ErrShape, deviance, f.Deviance())
	}
	return nil
}

// CooksDistance returns the Cook's distance of every row that was fitted; see Influence.
func (f *GLM) CooksDistance(d *Design) ([]float64, error) {
	inf, err := f.Influence(d)
	if err != nil {
		return nil, err
	}
	return inf.CooksDistance, nil
}
