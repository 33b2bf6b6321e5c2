package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Predictive is the distribution that a Bayesian fit predicts for new observations
// y = f(x) + e with f(x) = b_0 + x'b, one value for every row.
type Predictive struct {
	// Level is the probability of the limits.
	Level float64
	// Mean is E[f(x)] = E[y].
	Mean []float64
	// NoiseVar and ParamVar are the two parts of the variance of y: that of the
	// noise, sigma^2 (divided by the weight of the row, if rows have weights), and
	// that of f(x), since the coefficients are not known.
	NoiseVar, ParamVar []float64
	// LowerMean and UpperMean are central credible limits of f(x).
	LowerMean, UpperMean []float64
	// LowerObs and UpperObs are central prediction limits of y.
	LowerObs, UpperObs []float64
}

// StdDev returns the standard deviations of y, sqrt(NoiseVar + ParamVar).
func (p *Predictive) StdDev() []float64 {
	sd := make([]float64, len(p.Mean))
	for i := range sd {
		sd[i] = math.Sqrt(p.NoiseVar[i] + p.ParamVar[i])
	}
	return sd
}

// Predictive returns the posterior predictive distribution of every row of d,
// which needs no response,
//
//	y | x ~ N(w_N'x, sigma^2 + x'V_N x)
//
// (Murphy, Machine Learning: A Probabilistic Perspective, eq. 7.60), x with a
// leading 1 for the intercept. With an unknown noise variance it is Student's t with
// TDoF degrees of freedom and squared scale b_N/a_N (1 + x'Cx) (Murphy eq. 7.76); the
// variances are those of the t (infinite if a_N <= 1). Limits are central and have
// probability level, 0 < level < 1.
//
// Under a flat intercept x'V_N x is sigma^2/W plus a quadratic form in x minus
// the mean of the data: bands are narrowest there. Errors are those of Predict,
// and ErrSetting for the level. A row of weight zero has infinite NoiseVar.
func (f *Bayes) Predictive(d *Design, level float64) (*Predictive, error) {
	return f.predictive(d, level, f.TDoF(), f.relativeVar)
}

// CredibleBand returns the limits of f(x) that Predictive has, as a band; StdErr is the
// posterior standard deviation of f(x). Errors are those of Predictive.
func (f *Bayes) CredibleBand(d *Design, level float64) (*Band, error) {
	p, err := f.Predictive(d, level)
	if err != nil {
		return nil, err
	}
	sd := slices.Clone(p.ParamVar)
	for i, v := range sd {
		sd[i] = math.Sqrt(v)
	}
	return &Band{Kind: Credible, Level: level, Fitted: p.Mean, StdErr: sd, Lower: p.LowerMean, Upper: p.UpperMean}, nil
}

// PredictionBand returns the limits of a new observation that Predictive has, as a
// band; StdErr is the standard deviation of the observation. Errors are those of
// Predictive.
func (f *Bayes) PredictionBand(d *Design, level float64) (*Band, error) {
	p, err := f.Predictive(d, level)
	if err != nil {
		return nil, err
	}
	return &Band{Kind: Prediction, Level: level, Fitted: p.Mean, StdErr: p.StdDev(), Lower: p.LowerObs, Upper: p.UpperObs}, nil
}

// PlugIn returns the distribution that takes the posterior mean for the truth,
//
//	y | x ~ N(w_N'x, sigma^2),
//
// with Sigma2 for sigma^2 (Murphy eq. 7.62): ParamVar is zero and bands have
// the same width everywhere. Errors are those of Predictive.
func (f *Bayes) PlugIn(d *Design, level float64) (*Predictive, error) {
	return f.predictive(d, level, math.Inf(1), func(x *mat.Dense) []float64 {
		n, _ := x.Dims()
		return make([]float64, n)
	})
}

// predictive makes the predictive of a relative variance of f(x), for t
// distributions with nu degrees of freedom.
func (f *Bayes) predictive(d *Design, level, nu float64, relative func(x *mat.Dense) []float64) (*Predictive, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	scale2 := f.scale2()
	if math.IsInf(nu, 1) {
		scale2 = f.Sigma2()
	}
	p := &Predictive{Level: level, Mean: d.addOffset(f.predict(x, nil)), ParamVar: relative(x), NoiseVar: make([]float64, n)}
	meanScale, obsScale := make([]float64, n), make([]float64, n)
	for i, v := range p.ParamVar {
		noise := 1 / d.Weight(i)
		meanScale[i], obsScale[i] = math.Sqrt(scale2*v), math.Sqrt(scale2*(noise+v))
		p.NoiseVar[i] = f.Sigma2() * noise
		if v > 0 {
			p.ParamVar[i] = f.Sigma2() * v
		}
	}
	q := dist.TUpper((1-level)/2, nu)
	p.LowerMean, p.UpperMean = limits(p.Mean, meanScale, q)
	p.LowerObs, p.UpperObs = limits(p.Mean, obsScale, q)
	return p, nil
}

// relativeVar returns the variance of f(x) for noise of variance 1, for rows
// in the fit's order and units.
func (f *Bayes) relativeVar(x *mat.Dense) []float64 {
	n, p := x.Dims()
	const block = 256
	v := make([]float64, 0, n)
	for start := 0; start < n; start += block {
		rows := min(block, n-start)
		z := algebra.NewDense(rows, f.k())
		for i := range rows {
			row := z.RawRowView(i)
			if f.s.Penalize {
				row[0], row = 1, row[1:]
			}
			copy(row, x.RawRowView(start + i)[:p])
			for j, c := range f.s.Center {
				row[j] -= c
			}
		}
		v = append(v, f.quadratic(z)...)
	}
	if f.flat() {
		for i := range v {
			v[i] += 1 / f.s.W
		}
	}
	return v
}

// LogPredictive returns log p(y_i | x_i, data), the log density of the
// posterior predictive at the response of every row of d by itself. It is an honest
// score of rows that were not fitted. Taken one row at a time, with the posterior
// updated after each, it adds up to LogEvidence. A row of weight zero scores 0.
// Errors are those of Residuals.
func (f *Bayes) LogPredictive(d *Design) ([]float64, error) {
	residual, err := f.Residuals(d)
	if err != nil {
		return nil, err
	}
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	nu := f.TDoF()
	log := f.relativeVar(x)
	for i, v := range log {
		if d.Weight(i) == 0 {
			log[i] = 0
			continue
		}
		scale2 := f.scale2() * (1/d.Weight(i) + v)
		log[i] = dist.LogStudent(residual[i]*residual[i]/scale2, nu) - math.Log(scale2)/2
	}
	return log, nil
}

// SequentialLogEvidence returns the log evidence of the first i+1 rows of d, for every
// i, as FitBayes gives it: the sums of the logarithms of one-step predictions,
//
//	log p(y_1, ..., y_i) = sum_{k<=i} log p(y_k | y_1, ..., y_(k-1)),
//
// each of which was made before its response was seen (Dawid's prequential score). The
// posterior after every row is the prior of the next. Arguments are those of FitBayes;
// the prior of the intercept is flat unless the settings have PenalizeIntercept.
// Errors are those of FitBayes.
//
// Dawid, Journal of the Royal Statistical Society A 147 (1984), 278-292.
func SequentialLogEvidence(d *Design, prior GaussianPrior, noise Noise, settings *BayesSettings) ([]float64, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	log := make([]float64, d.NObs())
	sum := 0.
	for i := range log {
		fit, err := FitBayes(d.Rows(i), prior, noise, settings)
		if err != nil {
			return nil, err
		}
		sum += fit.LogEvidence()
		log[i] = sum
		prior, noise, settings = fit.AsPrior()
	}
	return log, nil
}

// Coverage returns the share of the responses y that lie within the prediction limits
// of their rows, LowerObs and UpperObs: near Level if the model is right and y was not
// fitted. The error matches ErrShape unless there is one response for each row, and
// ErrNotFinite for one that is no number.
func (p *Predictive) Coverage(y []float64) (float64, error) {
	if p == nil || len(p.LowerObs) == 0 {
		return 0, fmt.Errorf("%w: the prediction is nil or empty", ErrNoData)
	}
	if len(y) != len(p.LowerObs) {
		return 0, fmt.Errorf("%w: %d responses for the %d rows predicted", ErrShape, len(y), len(p.LowerObs))
	}
	inside := 0
	for i, v := range y {
		switch {
		case math.IsNaN(v) || math.IsInf(v, 0):
			return 0, fmt.Errorf("%w: response %d is %v", ErrNotFinite, i+1, v)
		case p.LowerObs[i] <= v && v <= p.UpperObs[i]:
			inside++
		}
	}
	return float64(inside) / float64(len(y)), nil
}

// LogLikRows is LogPredictive.
func (f *Bayes) LogLikRows(d *Design) ([]float64, error) { return f.LogPredictive(d) }

// Sample returns count draws from the joint posterior: the coefficients, one draw a
// row in the order of Names (count x len(Names)), and the noise variance of each
// draw, always the same if it is known. The same source gives the same draws. It is
// ErrSetting if count is below 1 or src is nil.
func (f *Bayes) Sample(count int, src rand.Source) (coef *mat.Dense, sigma2 []float64, err error) {
	k := f.k()
	if err := checkSample(count, k, src); err != nil {
		return nil, nil, err
	}
	rnd := rand.New(src)
	sigma2 = make([]float64, count)
	for i := range sigma2 {
		if sigma2[i] = f.s.Sigma2; !f.SigmaKnown() {
			sigma2[i] = f.s.Post.Scale / gammaDraw(f.s.Post.Shape, rnd)
		}
	}
	z := standardNormal(count, k, rnd)
	dev := f.rootTimes(z, rnd)
	mean := f.Coef()
	if !f.flat() {
		for i := range count {
			addScaled(dev.RawRowView(i), math.Sqrt(sigma2[i]), mean)
		}
		return dev, sigma2, nil
	}
	coef = mat.NewDense(count, k+1, nil)
	for i := range count {
		row, slopes := coef.RawRowView(i), dev.RawRowView(i)
		row[0] = rnd.NormFloat64()/math.Sqrt(f.s.W) -
			blas64.Dot(blas64.Vector{N: k, Inc: 1, Data: f.s.Center}, blas64.Vector{N: k, Inc: 1, Data: slopes})
		copy(row[1:], slopes)
		addScaled(row, math.Sqrt(sigma2[i]), mean)
	}
	return coef, sigma2, nil
}

// addScaled replaces v by mean + c v.
func addScaled(v []float64, c float64, mean []float64) {
	for j, m := range mean {
		v[j] = m + c*v[j]
	}
}

// rootTimes returns draws from N(0, C), one a row, from standard normal z
// (count x k), which it may change. If C is held by its reduction, a draw of
// the prior is corrected by what the data say of it,
//
//	F (z - T'(T z + L^-1 e)),  e standard normal (n)
//
// (Matheron's rule; Hoffman and Ribak, The Astrophysical Journal 380 (1991),
// L5-L8).
func (f *Bayes) rootTimes(z *mat.Dense, rnd *rand.Rand) *mat.Dense {
	count, k := z.Dims()
	if k == 0 {
		return algebra.NewDense(count, k)
	}
	if f.s.Root != nil {
		return algebra.Multiply(z, mat.NewDense(k, k, f.s.Root), false, true)
	}
	n := f.s.Rows
	t := mat.NewDense(n, k, f.s.T)
	e := standardNormal(count, n, rnd)
	blas64.Trsm(blas.Right, blas.NoTrans, 1, lsq.Upper(mat.NewDense(n, n, f.s.L)), e.RawMatrix())
	e.Add(e, algebra.Multiply(z, t, false, true))
	dev := algebra.Multiply(e, t, false, false)
	dev.Sub(z, dev)
	f.s.Prior.rightTransposed(dev)
	return dev
}

// SampleFunctions returns count functions f(x) = b_0 + x'b drawn from the
// posterior, at the rows of d: n x count, one function a column. Errors are those
// of Predict and Sample.
func (f *Bayes) SampleFunctions(d *Design, count int, src rand.Source) (*mat.Dense, error) {
	x, err := f.rows(d)
	if err != nil {
		return nil, err
	}
	if err := checkSample(count, d.NObs(), src); err != nil {
		return nil, err
	}
	coef, _, err := f.Sample(count, src)
	if err != nil {
		return nil, err
	}
	return addOffsets(functions(x, coef, f.HasIntercept()), d), nil
}

// Functions returns b_0 + x'b at the rows of d for every row of coef, which
// holds coefficients in the order of the columns of d, the intercept first if d has
// one: n x count, one function a column. Draws from a prior show what the prior
// believes. The columns are taken as they are. Errors: ErrShape if coef has another
// number of columns, ErrNotFinite.
func Functions(d *Design, coef *mat.Dense) (*mat.Dense, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	want := d.NTerms()
	if !d.NoIntercept {
		want++
	}
	if coef == nil || coef.RawMatrix().Cols != want {
		return nil, fmt.Errorf("%w: the design has %d coefficients, %s; coef has other columns", ErrShape, want, format.Quoted(d.Names))
	}
	if err := args.Finite("coef, row by row,", mat.DenseCopyOf(coef).RawMatrix().Data); err != nil {
		return nil, err
	}
	return functions(d.X, coef, !d.NoIntercept), nil
}

func functions(x, coef *mat.Dense, intercept bool) *mat.Dense {
	n, p := x.Dims()
	count, _ := coef.Dims()
	f := mat.NewDense(n, count, nil)
	if !intercept {
		f.Mul(x, coef.T())
		return f
	}
	if p > 0 {
		f.Mul(x, coef.Slice(0, count, 1, p+1).T())
	}
	first := mat.Col(nil, 0, coef)
	for i := range n {
		blas64.Axpy(1, blas64.Vector{N: count, Inc: 1, Data: first}, gram.Vector(f.RawRowView(i)))
	}
	return f
}

// LogLikelihood returns the Gaussian log-likelihood of the coefficients coef,
// in the order of the columns of d with the intercept first if d has one, for
// noise of variance sigma2 (divided by the weights, if d has them). A figure of weight
// space shows it, also where it has no single maximum. Errors: those of Functions,
// ErrSetting (sigma2 not positive), ErrNoData without a response.
func LogLikelihood(d *Design, coef []float64, sigma2 float64) (float64, error) {
	if err := KnownVariance(sigma2).checkNoise(); err != nil {
		return 0, err
	}
	if err := d.checkFit(); err != nil {
		return 0, err
	}
	d = d.LessOffset()
	if len(coef) == 0 {
		return 0, fmt.Errorf("%w: no coefficients", ErrShape)
	}
	f, err := Functions(d, mat.NewDense(1, len(coef), slices.Clone(coef)))
	if err != nil {
		return 0, err
	}
	var log float64
	for i, y := range d.Y {
		if w := d.Weight(i); w > 0 {
			r := y - f.At(i, 0)
			log += dist.LogStudent(w*r*r/sigma2, math.Inf(1)) - math.Log(sigma2/w)/2
		}
	}
	return log, nil
}

// Head returns the predictions for the first rows with their limits as a table: the mean,
// its standard deviation (of not knowing the coefficients), that of a new observation,
// and the limits of both. rows, names and errors are those of Band.Head.
func (p *Predictive) Head(rows int, names []string) (*report.Table, error) {
	number := func(name string, values []float64) report.Column { return report.NumberColumn(name, values, 0) }
	lower, upper := format.Limits(p.Level, "mean")
	lowerNew, upperNew := format.Limits(p.Level, "new")
	return tables.Head("Predictive distribution", rows, names,
		number("mean", p.Mean), number(format.StdDev+" of mean", format.Each(p.ParamVar, math.Sqrt)),
		number(lower, p.LowerMean), number(upper, p.UpperMean),
		number(format.StdDev+" of new", p.StdDev()),
		number(lowerNew, p.LowerObs), number(upperNew, p.UpperObs))
}

// Describe returns the predictions as a table; see Head.
func (p *Predictive) Describe() *report.Table { return tables.OrError(p.Head(0, nil)) }

// String writes the predictions as text.
func (p *Predictive) String() string { return p.Describe().String() }

// gammaDraw draws from the gamma distribution of a shape, with scale 1:
//
//	d v,  v = (1 + z/(3 sqrt d))^3,  d = shape - 1/3, z normal,
//
// accepted with the ratio of the densities; below a shape of 1 it is a draw of shape + 1 times a uniform
// number to the power 1/shape. (Marsaglia and Tsang, ACM Transactions on Mathematical Software 26 (2000), 363-372.)
func gammaDraw(shape float64, rnd *rand.Rand) float64 {
	factor := 1.0
	if shape < 1 {
		factor = math.Pow(rnd.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / (3 * math.Sqrt(d))
	for {
		z := rnd.NormFloat64()
		v := 1 + c*z
		v = v * v * v
		if v > 0 && math.Log(rnd.Float64()) < z*z/2+d*(1-v+math.Log(v)) {
			return factor * d * v
		}
	}
}
