package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg/internal/fault"
)

// ConfidenceBand returns limits for the probability of the second class at every row
// a = (1, x) of d: those of the log odds, back from their scale,
//
//	1/(1 + exp(-(eta -+ q s))),   eta = a'b,   s = sqrt(a' VCov a),
//
// where |z| exceeds q with probability 1-level. Limits are between 0 and 1, and not
// symmetric. Fitted is the probability p, and StdErr its standard error by the delta
// method, p (1-p) s: R's predict(type = "response", se.fit = TRUE). There is no band
// of a new observation, which is of one class or the other.
//
// Errors: those of Predict, ErrSetting for a level that is not between 0 and 1, and
// ErrNotEstimable for a fit with a penalty, whose bias is not known.
func (f *Logistic) ConfidenceBand(d *Design, level float64) (*Band, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	if f.s.L2 > 0 {
		return nil, fmt.Errorf("%w: the fit has the penalty L2 = %v, and no confidence band, since its bias is not known; FitBayesLogistic has a credible band",
			ErrNotEstimable, f.s.L2)
	}
	eta, err := f.LinearPredictor(d)
	if err != nil {
		return nil, err
	}
	stderr, err := f.quadratic(d, f.s.Root)
	if err != nil {
		return nil, err
	}
	for i, v := range stderr {
		stderr[i] = math.Sqrt(v)
	}
	b := waldBand(Confidence, level, math.Inf(1), eta, stderr)
	for i, v := range eta {
		b.Fitted[i] = sigmoid(v)
		b.StdErr[i] *= b.Fitted[i] * sigmoid(-v)
		b.Lower[i], b.Upper[i] = sigmoid(b.Lower[i]), sigmoid(b.Upper[i])
	}
	return b, nil
}
