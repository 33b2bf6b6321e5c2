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
	eta, err := f.predictorOfRows(d)
	if err != nil {
		return nil, err
	}
	return f.eachRowAt(d, eta, value)
}

// predictorOfRows is LinearPredictor of rows that must have a response.
func (f *GLM) predictorOfRows(d *Design) ([]float64, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if d.Y == nil {
		return nil, fmt.Errorf("%w: the response %q is needed, and the design has none", ErrNoData, f.l.Response)
	}
	return f.LinearPredictor(d)
}

// eachRowAt is eachRow for rows whose linear predictors are known; of d it takes no columns.
func (f *GLM) eachRowAt(d *Design, eta []float64, value func(i int, r glmRow) (float64, error)) ([]float64, error) {
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
		var err error
		if out[i], err = value(i, glmRow{y[i], mu, v, w}); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// devianceResidual is the deviance residual of a row.
func (f *GLM) devianceResidual(_ int, r glmRow) (float64, error) {
	loss, _, _ := f.family().Row(r.y, r.eta)
	return math.Copysign(math.Sqrt(2*r.w*math.Max(loss, 0)), r.y-r.mu), nil
}

// pearsonResidual is the Pearson residual of a row.
func (f *GLM) pearsonResidual(_ int, r glmRow) (float64, error) {
	_, residual, c := f.family().Row(r.y, r.eta)
	return math.Copysign(math.Sqrt(r.w*glm.Pearson(residual, c)), r.y-r.mu), nil
}

// score is w (y - mu) mu'/V(mu) of a row.
func (f *GLM) score(_ int, r glmRow) (float64, error) {
	_, residual, _ := f.family().Row(r.y, r.eta)
	return r.w * residual, nil
}

// Residuals returns y - mu for every row of d; R's residuals(type = "response"). Errors
// are those of LinearPredictor, ErrNoData without a response, and ErrSetting for a
// response that the family does not have.
func (f *GLM) Residuals(d *Design) ([]float64, error) {
	eta, err := f.predictorOfRows(d)
	if err != nil {
		return nil, err
	}
	return f.residualsAt(d, eta)
}

// residualsAt is Residuals as eachRowAt is eachRow; rows of weight zero have theirs, unless the response is one of two classes.
func (f *GLM) residualsAt(d *Design, eta []float64) ([]float64, error) {
	r, err := f.eachRowAt(d, eta, func(_ int, r glmRow) (float64, error) { return r.y - r.mu, nil })
	if err != nil || f.c.Classes != nil {
		return r, err
	}
	for i, w := range d.Weights {
		if w == 0 {
			mu, _ := f.InverseLink(eta[i])
			r[i] = d.Y[i] - mu
		}
	}
	return r, nil
}

// DevianceResiduals returns sign(y - mu) sqrt(w d(y, mu)) for every row of d; over the
// rows fitted their squares sum to Deviance. Errors are those of Residuals.
func (f *GLM) DevianceResiduals(d *Design) ([]float64, error) {
	return f.eachRow(d, f.devianceResidual)
}

// PearsonResiduals returns sqrt(w) (y - mu)/sqrt(V(mu)) for every row of d; over the rows
// fitted their squares sum to Pearson. Errors are those of Residuals.
func (f *GLM) PearsonResiduals(d *Design) ([]float64, error) { return f.eachRow(d, f.pearsonResidual) }

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
	form, err := f.quadratic(d, f.s.Root)
	if err != nil {
		return nil, err
	}
	return f.leveragesAt(d, eta, form), nil
}

// leveragesAt is Leverage as eachRowAt is eachRow, given a'(A'WA + 2 L2 I)^-1 a of every row.
func (f *GLM) leveragesAt(d *Design, eta, form []float64) []float64 {
	h := make([]float64, len(form))
	for i, v := range eta {
		if mu, slope := f.InverseLink(v); d.Weight(i) != 0 && slope != 0 {
			h[i] = d.Weight(i) * slope / f.c.Family.Variance(mu) * slope * form[i]
		}
	}
	return h
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
	b, err := f.fittedBlock(d)
	if err != nil {
		return nil, err
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	if err := f.checkFitted(d, b.deviance); err != nil {
		return nil, err
	}
	return f.influence(b)
}

// EachInfluence calls visit with the diagnostics of the rows that were fitted, block after
// block, by one pass; memory is that of one block. Those of a source.Design with factors are computed by cells, as in Robust; the block
// has all columns all the same. Errors: those of Influence, of which
// ErrShape for rows with another deviance comes after the last block; that of visit.
func (f *GLM) EachInfluence(rows RowBlocks, visit func(block *Design, influence *Influence) error) error {
	if visit == nil {
		return errNilVisit
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return err
	}
	_, err := f.fittedBlocks(rows, func(b *glmBlock) error {
		inf, err := f.influence(b)
		if err != nil {
			return err
		}
		if b.cells != nil {
			return visit(b.cells.expanded(b.design), inf)
		}
		return visit(b.design, inf)
	})
	return err
}

// influence returns the diagnostics of rows.
func (f *GLM) influence(b *glmBlock) (*Influence, error) {
	d, h := b.design, b.h
	pearson, err := f.eachRowAt(d, b.eta, f.pearsonResidual)
	if err != nil {
		return nil, err
	}
	response, err := f.residualsAt(d, b.eta)
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
	for i, e := range b.deviance {
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

// glmBlock are a block of the rows that a fit was made to, with their linear predictors, deviance residuals and leverages.
type glmBlock struct {
	design           *Design   // of the numbers only, by cells
	cells            *cellRows // nil for rows of all columns
	eta, deviance, h []float64
	first            int // rows of the blocks before
}

// fittedBlock returns the rows of d.
func (f *GLM) fittedBlock(d *Design) (*glmBlock, error) {
	eta, err := f.predictorOfRows(d)
	if err != nil {
		return nil, err
	}
	deviance, err := f.eachRowAt(d, eta, f.devianceResidual)
	if err != nil {
		return nil, err
	}
	form, err := f.quadratic(d, f.s.Root)
	if err != nil {
		return nil, err
	}
	return &glmBlock{design: d, eta: eta, deviance: deviance, h: f.leveragesAt(d, eta, form)}, nil
}

// fittedCellBlock returns rows by cells.
func (f *GLM) fittedCellBlock(c *cellRows) (*glmBlock, error) {
	d := c.numbers
	eta, form := make([]float64, len(c.cells)), make([]float64, len(c.cells))
	for i := range eta {
		eta[i], form[i] = c.predictor(i), c.squaredLength(i)
	}
	d.addOffset(eta)
	deviance, err := f.eachRowAt(d, eta, f.devianceResidual)
	if err != nil {
		return nil, err
	}
	return &glmBlock{design: d, cells: c, eta: eta, deviance: deviance, h: f.leveragesAt(d, eta, form)}, nil
}

// fittedBlocks makes one pass over the rows that were fitted, and checks that they are as many as the fit has, with its
// deviance. It goes by cells of factors, and returns the pass, if the rows have some and all columns of the fit in its order and units.
func (f *GLM) fittedBlocks(rows RowBlocks, visit func(b *glmBlock) error) (*cellPass, error) {
	all, n, sum := 0, 0, 0.0
	take := func(b *glmBlock, err error) error {
		if err != nil {
			return err
		}
		b.first = all
		all, n, sum = all+b.design.NObs(), n+b.design.PositiveRows(), sum+gram.Squares(b.deviance)
		return visit(b)
	}
	blocks, err := f.cellBlocks(rows)
	if err != nil {
		return nil, err
	}
	var cells *cellPass
	if blocks != nil {
		cells = f.cellPass(blocks, f.coordinates(f.s.Root, f.columns()), f.l.B0)
		err = cells.each(func(c *cellRows) error { return take(f.fittedCellBlock(c)) })
	} else {
		var p *passes
		if p, err = newPasses(rows); err != nil {
			return nil, err
		}
		p.once = true
		err = p.each(func(block *Design) error { return take(f.fittedBlock(block)) })
	}
	if err != nil {
		return nil, err
	}
	return cells, f.checkSums(n, sum)
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
