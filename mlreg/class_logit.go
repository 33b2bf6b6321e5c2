package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
)

// logit is the part that logistic regressions of two classes share: a linear
// predictor of the log odds of the second. Fits embed it.
type logit struct {
	linear
	c logitState
}

type logitState struct {
	Classes []string // 2
	Offset  string
}

// split returns the design without the term that is the offset, and the offset, that
// of the design included, in raw units; nil for none.
func (f *logit) split(d *Design) (*Design, []float64, error) {
	if f.c.Offset == "" {
		return d, d.Offset, nil
	}
	column := slices.Index(d.Names, f.c.Offset)
	if column < 0 {
		return nil, nil, fmt.Errorf("%w: the offset %q is none of the terms %s", ErrShape, f.c.Offset, format.Quoted(d.Names))
	}
	if err := f.l.Coding.check(d.Coding, []string{f.c.Offset}); err != nil {
		return nil, nil, err
	}
	center, scale := d.Scaling.at(column)
	offset := mat.Col(nil, column, d.X)
	for i, z := range offset {
		offset[i] = z*scale + center + d.offsetAt(i)
	}
	rest, err := d.Select(slices.Delete(slices.Clone(d.Names), column, column+1)...)
	return rest, offset, err
}

// Classes returns the names of the two classes; probabilities are of the second.
func (f *logit) Classes() []string { return slices.Clone(f.c.Classes) }

// Offset returns the name of the term whose coefficient is 1, "" if none.
func (f *logit) Offset() string { return f.c.Offset }

// LinearPredictor returns eta = b_0 + x'b, the log odds of the second class, for
// every row of d, with the offset if the fit has one. Columns are found by name
// and brought to the units of the fit. The error names a missing term.
func (f *logit) LinearPredictor(d *Design) ([]float64, error) {
	eta, err := f.linear.Predict(d)
	if err != nil || f.c.Offset == "" {
		return eta, err
	}
	_, offset, err := f.split(d.withoutOffset()) // eta has that of the design
	if err != nil {
		return nil, err
	}
	for i := range eta {
		eta[i] += offset[i]
	}
	return eta, nil
}

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
