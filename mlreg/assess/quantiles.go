package assess

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
)

// ConformalQuantiles returns limits for the rows of new from two quantile regressions, by
// the residuals of rows that took no part in the fits, the calibration rows:
//
//	lower(x) - q  to  upper(x) + q,
//	q the k-th smallest of max(lower(x_i) - y_i, y_i - upper(x_i)),  k = ceil(level (n+1)).
//
// They hold a new response with probability k/(n+1) exactly if no two scores are equal,
// whatever the noise is, and are wide where the quantiles are far from each other. q is
// negative if the quantiles were too far. Where the fits cross, the smaller is the lower.
// ConformalBand.Fitted is the middle of the two. Lower and upper are of probabilities
// (1 - level)/2 and (1 + level)/2, by quantreg.Fit; any two predictors will do.
//
// Errors: mlreg.ErrNoData for nil arguments, mlreg.ErrSetting for a level outside (0, 1) and weights
// that differ, and those of the predictions.
//
// Romano, Patterson and Candes, Advances in Neural Information Processing Systems 32
// (2019), 3538-3548.
func ConformalQuantiles(lower, upper mlreg.Predictor, calibration, new *mlreg.Design, level float64) (*ConformalBand, error) {
	for what, fit := range map[string]mlreg.Predictor{"the lower fit": lower, "the upper fit": upper} {
		if err := args.Given(what, fit); err != nil {
			return nil, err
		}
	}
	if err := conformalRows(calibration, "the calibration rows", level); err != nil {
		return nil, err
	}
	at := func(d *mlreg.Design) (low, high []float64, err error) {
		if low, err = predictAll(lower, d); err != nil {
			return nil, nil, fmt.Errorf("lower: %w", err)
		}
		if high, err = predictAll(upper, d); err != nil {
			return nil, nil, fmt.Errorf("upper: %w", err)
		}
		for i := range low {
			low[i], high[i] = math.Min(low[i], high[i]), math.Max(low[i], high[i])
		}
		return low, high, nil
	}
	b := &ConformalBand{Method: "conformalized quantile regression", Level: level, N: calibration.NObs()}
	low, high, err := at(calibration)
	if err != nil {
		return nil, err
	}
	score := make([]float64, b.N)
	for i, y := range calibration.Y {
		score[i] = math.Max(low[i]-y, y-high[i])
	}
	q := b.rank(score)
	if low, high, err = at(new); err != nil {
		return nil, err
	}
	for i := range low {
		middle := (low[i] + high[i]) / 2
		b.Fitted = append(b.Fitted, middle)
		b.Lower, b.Upper = append(b.Lower, math.Min(low[i]-q, middle)), append(b.Upper, math.Max(high[i]+q, middle))
	}
	return b, nil
}
