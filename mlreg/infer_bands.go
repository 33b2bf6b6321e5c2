package mlreg

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// BandKind says what a band is a band of.
type BandKind int

const (
	// Confidence is a band of the mean of the response, x'b.
	Confidence BandKind = iota + 1
	// Prediction is a band of a new observation, x'b plus noise.
	Prediction
	// Credible is a band of the mean of the response, of posterior probability Level.
	Credible
)

// String returns "confidence band of the mean", "prediction band of a new
// observation" or "credible band of the mean".
func (k BandKind) String() string {
	switch k {
	case Confidence:
		return "confidence band of the mean"
	case Prediction:
		return "prediction band of a new observation"
	case Credible:
		return "credible band of the mean"
	}
	return fmt.Sprintf("BandKind(%d)", int(k))
}

// Band holds limits at some rows, each with its own level (pointwise, not
// simultaneous).
type Band struct {
	Kind                         BandKind
	Level                        float64
	Fitted, StdErr, Lower, Upper []float64 // one value a row
	// Beyond says how many rows are beyond the range of a spline or polynomial;
	// frames.ConfidenceBand and frames.PredictionBand set it.
	Beyond []Extrapolation
}

// ConfidenceBand returns limits for the mean of the response at every row a =
// (1, x) of d,
//
//	yhat -+ q sqrt(Sigma2 a'(A'WA)^-1 a),
//
// where |t| with InferenceDoF degrees of freedom (sigma estimated) or |z| (sigma
// known) exceeds q with probability 1-level. The band is narrowest at the
// (weighted) mean of the rows fitted. Weights of d do not count, and it needs no
// response. Aliased terms do not count, so that rows which do not have the
// dependence of the rows fitted are predicted by the other terms alone.
//
// Fitted is right to PredictError. StdErr has the digits that Digits states for
// standard errors: sums over coefficients are in double-double, unless rows times
// DoF^2 exceed 10^7, when cancellation can cost about log10(Cond) digits.
//
// Errors: those of Predict, ErrSetting for a level that is not between 0 and 1,
// ErrSaturated if sigma cannot be estimated, ErrNotEstimable after a minimum-norm
// fit to rank-deficient data.
func (f *OLS) ConfidenceBand(d *Design, level float64) (*Band, error) {
	return f.band(d, level, Confidence)
}

// PredictionBand returns limits for a new observation at every row of d, whose
// own noise has the variance Sigma2/w_i with the weight w_i of the row in d, 1 if
// d has none:
//
//	yhat -+ q sqrt(Sigma2 (1/w_i + a'(A'WA)^-1 a)).
//
// A weight of zero is an error (ErrSetting). See ConfidenceBand.
func (f *OLS) PredictionBand(d *Design, level float64) (*Band, error) {
	return f.band(d, level, Prediction)
}

func (f *OLS) band(d *Design, level float64, kind BandKind) (*Band, error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	z, err := f.columnsOf(d)
	if err != nil {
		return nil, err
	}
	if err := f.checkEstimable(); err != nil {
		return nil, err
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	stderr := f.leverage(z.X, z.XLow)
	for i, v := range stderr {
		if kind == Prediction {
			w := d.Weight(i)
			if w == 0 {
				return nil, fmt.Errorf("%w: the weight of row %d is 0, and the variance of a new observation there infinite", ErrSetting, i+1)
			}
			v += 1 / w
		}
		stderr[i] = math.Sqrt(f.Sigma2() * v)
	}
	return waldBand(kind, level, f.InferenceDoF(), f.predictRows(z), stderr), nil
}

// waldBand returns limits that lie a quantile of Student's t times the standard error
// on both sides of the fitted values.
func waldBand(kind BandKind, level, dof float64, fitted, stderr []float64) *Band {
	q := dist.TQuantile(1-level, dof)
	b := &Band{Kind: kind, Level: level, Fitted: fitted, StdErr: stderr}
	b.Lower, b.Upper = limits(fitted, stderr, q)
	return b
}

// Head returns the fitted values of the first rows with their limits as a table, R's
// predict with an interval; rows = 0 means ten, or all of up to 25, and a negative
// number all. The names of the rows are their numbers from 1 if nil; d.RowNames() gives
// those in the frame. The error is ErrShape for a wrong number of names.
func (b *Band) Head(rows int, names []string) (*report.Table, error) {
	kind := b.Kind.String()
	number := func(name string, values []float64) report.Column { return report.NumberColumn(name, values, 0) }
	lower, upper := format.Limits(b.Level, "")
	t, err := tables.Head(strings.ToUpper(kind[:1])+kind[1:], rows, names,
		number("fitted", b.Fitted), number(format.StdErr, b.StdErr),
		number(lower, b.Lower), number(upper, b.Upper))
	if err != nil {
		return nil, err
	}
	t.Notes = append(t.Notes, extrapolationNotes(b.Beyond)...)
	return t, nil
}

// Describe returns the band as a table; see Head.
func (b *Band) Describe() *report.Table { return tables.OrError(b.Head(0, nil)) }

// String writes the band as text.
func (b *Band) String() string { return b.Describe().String() }
