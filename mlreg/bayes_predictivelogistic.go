package mlreg

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// LinearPredictor returns, for every row a = (1, x) of d, the posterior mean a'w*
// of the log odds of the second class and its standard deviation
// sqrt(a'H^-1 a). Columns are found by name and brought to the units of the fit.
// The error names a missing term. PlugIn, Predict, ClassProb and the others that
// take rows have this error, too.
func (f *BayesLogistic) LinearPredictor(d *Design) (mean, sd []float64, err error) {
	return f.s.predictor(&f.m.linear, d)
}

// withOnes returns the rows (1, x) of d in the units of the fit; without the 1 if it has no
// intercept.
func (f *linear) withOnes(d *Design) (*mat.Dense, error) {
	x, err := f.rows(d)
	if err != nil || f.l.NoIntercept {
		return x, err
	}
	n, p := x.Dims()
	a := mat.NewDense(n, p+1, nil)
	for i := range n {
		a.Set(i, 0, 1)
		copy(a.RawRowView(i)[1:], x.RawRowView(i))
	}
	return a, nil
}

// PlugIn returns 1/(1 + exp(-a'w*)), the probability of the second class at the
// mode, for every row of d. It leaves out that w is uncertain, and so is too near
// to 0 and 1.
func (f *BayesLogistic) PlugIn(d *Design) ([]float64, error) { return f.m.Predict(d) }

// Predict returns the posterior predictive probability of the second class for
// every row of d,
//
//	integral of 1/(1 + exp(-eta)) N(eta; m, s^2) d eta
//
// with the mean m and standard deviation s of LinearPredictor, by the trapezoidal
// rule to about 1e-14.
func (f *BayesLogistic) Predict(d *Design) ([]float64, error) { return f.each(d, averageSigmoid) }

// Fitted is Predict.
func (f *BayesLogistic) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// ProbitPredictive returns the approximation
//
//	1/(1 + exp(-m/sqrt(1 + pi s^2/8)))
//
// to Predict, from the resemblance of the sigmoid to the normal distribution
// function. (MacKay 1992, eq. 10; Murphy, section 8.4.4.2.)
func (f *BayesLogistic) ProbitPredictive(d *Design) ([]float64, error) {
	return f.each(d, func(mean, sd float64) float64 { return sigmoid(mean / math.Sqrt(1+math.Pi*sd*sd/8)) })
}

func (f *BayesLogistic) each(d *Design, of func(mean, sd float64) float64) ([]float64, error) {
	mean, sd, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	for i, m := range mean {
		mean[i] = of(m, sd[i])
	}
	return mean, nil
}

// MonteCarloPredictive returns the average of 1/(1 + exp(-a'w_s)) over draws w_s
// of the posterior, for every row of d, and its standard error, the standard
// deviation over the draws divided by the root of their number. The draws are
// those of Sample with the same count and source. The error says if there are
// fewer than two.
func (f *BayesLogistic) MonteCarloPredictive(d *Design, draws int, src rand.Source) (mean, stderr []float64, err error) {
	if draws == 1 {
		draws = 0 // no standard error
	}
	w, err := f.Sample(draws, src)
	if err != nil {
		return nil, nil, err
	}
	a, err := f.m.withOnes(d)
	if err != nil {
		return nil, nil, err
	}
	n, _ := a.Dims()
	mean, stderr = make([]float64, n), make([]float64, n)
	eta := make([]float64, draws)
	for i := range n {
		blas64.Gemv(blas.NoTrans, 1, w.RawMatrix(), gram.Vector(a.RawRowView(i)), 0, gram.Vector(eta))
		var sum, ss float64
		for s, v := range eta {
			eta[s] = sigmoid(v + d.offsetAt(i))
			sum += eta[s]
		}
		mean[i] = sum / float64(draws)
		for _, p := range eta {
			ss += gram.Square(p - mean[i])
		}
		stderr[i] = math.Sqrt(ss / float64(draws-1) / float64(draws))
	}
	return mean, stderr, nil
}

// Sample returns draws of the coefficients from the posterior, one a row, in the
// order of Names. The error says if count is below 1 or src is nil.
func (f *BayesLogistic) Sample(count int, src rand.Source) (*mat.Dense, error) {
	return f.Posterior().Sample(count, src)
}

// ClassProb returns the posterior predictive probabilities of the two classes,
// n x 2.
func (f *BayesLogistic) ClassProb(d *Design) (*mat.Dense, error) {
	p, err := f.Predict(d)
	if err != nil {
		return nil, err
	}
	return twoClasses(p), nil
}

// twoClasses returns [1-p p].
func twoClasses(p []float64) *mat.Dense {
	out := mat.NewDense(len(p), 2, nil)
	for i, v := range p {
		out.SetRow(i, []float64{1 - v, v})
	}
	return out
}

// LogLikRows returns w log P(class of the row), natural logarithm, by the
// posterior predictive probability, for every row of d. Errors are those of
// Logistic.LogLikRows.
func (f *BayesLogistic) LogLikRows(d *Design) ([]float64, error) { return logLikRows(f, d) }

// CredibleBand returns limits of the probability p of the second class at every row of
// d: the central interval of posterior probability level. Fitted is Predict, the
// posterior mean of p, and StdErr its posterior standard deviation. Errors are those
// of Predict, and ErrSetting for a level that is not between 0 and 1.
func (f *BayesLogistic) CredibleBand(d *Design, level float64) (*Band, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	mean, sd, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	return credibleBand(level, mean, sd, f.m.InverseLink, func(mean, sd float64) (p, deviation float64) {
		return averageSigmoid(mean, sd), deviationOfSigmoid(mean, sd)
	}), nil
}

// credibleBand is that of means whose linear predictors are normal with given means and standard deviations, which it
// overwrites, from the link's inverse, and the mean and the standard deviation that it has under such a distribution.
func credibleBand(level float64, mean, sd []float64, inverse func(eta float64) (mu, slope float64), average func(mean, sd float64) (mu, deviation float64)) *Band {
	b := waldBand(Credible, level, math.Inf(1), mean, sd)
	for i, m := range mean {
		b.Fitted[i], b.StdErr[i] = average(m, sd[i])
		b.Lower[i], _ = inverse(b.Lower[i])
		b.Upper[i], _ = inverse(b.Upper[i])
	}
	return b
}
