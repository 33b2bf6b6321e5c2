package mlreg

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// logit is the part that logistic regressions of two classes share: a linear
// predictor of the log odds of the second. Fits embed it.
type logit struct {
	linear
	c logitState
}

type logitState struct {
	Classes []string // 2
}

// Classes returns the names of the two classes; probabilities are of the second.
func (f *logit) Classes() []string { return slices.Clone(f.c.Classes) }

// LinearPredictor returns eta = o + b_0 + x'b, the log odds of the second class, for every
// row of d, o being Design.Offset. Columns are found by name and brought to the units of
// the fit. The error names a missing term.
func (f *logit) LinearPredictor(d *Design) ([]float64, error) { return f.linear.Predict(d) }

// Predict returns the probability of the second class for every row of d,
// 1/(1 + exp(-eta)). Errors are those of LinearPredictor.
func (f *logit) Predict(d *Design) ([]float64, error) {
	p, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	for i, eta := range p {
		p[i] = sigmoid(eta)
	}
	return p, nil
}

// Fitted is Predict.
func (f *logit) Fitted(d *Design) ([]float64, error) { return f.Predict(d) }

// ClassProb returns the probabilities of the two classes, n x 2.
func (f *logit) ClassProb(d *Design) (*mat.Dense, error) {
	eta, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	p := mat.NewDense(len(eta), 2, nil)
	for i, v := range eta {
		p.SetRow(i, []float64{sigmoid(-v), sigmoid(v)})
	}
	return p, nil
}

// InverseLink returns the probability of the second class at a linear predictor,
// 1/(1 + exp(-eta)), and its derivative p (1-p).
func (f *logit) InverseLink(eta float64) (mean, slope float64) {
	p := sigmoid(eta)
	return p, p * sigmoid(-eta)
}

// sigmoid returns 1/(1 + exp(-x)), to full relative precision.
func sigmoid(x float64) float64 {
	if x < 0 {
		e := math.Exp(x)
		return e / (1 + e)
	}
	return 1 / (1 + math.Exp(-x))
}

// logSigmoid returns log(1/(1 + exp(-x))).
func logSigmoid(x float64) float64 { return math.Min(x, 0) - math.Log1p(math.Exp(-math.Abs(x))) }

// Residuals returns y - p for every row of d, y being 1 for the second class and
// 0 for the first. Errors are those of LinearPredictor, ErrNoData without a
// response, and ErrLabels for a row whose class is none of the fit's.
func (f *logit) Residuals(d *Design) ([]float64, error) {
	return f.perRow(d, func(margin, side, _ float64) float64 { return side * sigmoid(-margin) })
}

// DevianceResiduals returns sign(y - p) sqrt(-2 w log P(class of the row)) for
// every row of d; over the rows fitted their squares sum to Deviance. Errors are
// those of Residuals.
func (f *logit) DevianceResiduals(d *Design) ([]float64, error) {
	return f.perRow(d, func(margin, side, w float64) float64 { return side * math.Sqrt(-2*w*logSigmoid(margin)) })
}

// PearsonResiduals returns sqrt(w) (y - p)/sqrt(p (1-p)) for every row of d. Errors
// are those of Residuals.
func (f *logit) PearsonResiduals(d *Design) ([]float64, error) {
	return f.perRow(d, func(margin, side, w float64) float64 { return side * math.Sqrt(w) * math.Exp(-margin/2) })
}

// LogLikRows returns w log P(class of the row) for every row of d, natural
// logarithm; over the rows fitted it sums to LogLik. Errors are those of Residuals.
func (f *logit) LogLikRows(d *Design) ([]float64, error) {
	return f.perRow(d, func(margin, _, w float64) float64 { return w * logSigmoid(margin) })
}

// perRow computes a value for every row from its margin s eta, its side s (1 for
// the second class and -1 for the first) and its weight; 0 for weight zero.
func (f *logit) perRow(d *Design, value func(margin, side, w float64) float64) ([]float64, error) {
	index, err := d.classIndices(f.c.Classes)
	if err != nil {
		return nil, err
	}
	v, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	for i, eta := range v {
		side := float64(2*index[i] - 1)
		w := d.Weight(i)
		v[i] = 0
		if w > 0 {
			v[i] = value(side*eta, side, w)
		}
	}
	return v, nil
}
