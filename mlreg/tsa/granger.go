package tsa

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// GrangerRow tests the lags of a channel.
type GrangerRow struct {
	Channel string
	Lags    int
	F       float64
	DF1     float64
	DF2     float64
	P       float64
}

// GrangerTest tests for each channel whether its lags help to predict the response
// beside those of all other channels, Granger's test: that their coefficients in a fit to l
// are all zero,
//
//	F = b_c' V_c^-1 b_c / m,   m lags of channel c.
//
// For f by FitOLS it is the F test of the fits with and without the channel, lmtest's
// grangertest and statsmodels' grangercausalitytests (ssr based F test); for f by OLS.HAC
// it also holds if the noise is autocorrelated or of changing variance. Without names, all
// channels but the response are tested. A channel that helps need not be a cause: it may
// itself follow, faster, what drives both.
//
// Errors: ErrShape for a channel without lags in l or a fit without its terms, and those of
// WaldTest. (Granger, Econometrica 37 (1969), 424-438; Lütkepohl, New Introduction to Multiple
// Time Series Analysis (2005), section 3.6.)
func GrangerTest(l *Lags, f mlreg.Wald, channels ...string) (report.Rows[GrangerRow], error) {
	if err := args.Given("the lags", l); err != nil {
		return nil, err
	}
	if err := args.Given("the fit", f); err != nil {
		return nil, err
	}
	groups := l.ByChannel()[:len(l.lagged)+len(l.now)]
	if len(channels) == 0 {
		for _, g := range groups {
			if g.Name != l.settings.Response {
				channels = append(channels, g.Name)
			}
		}
	}
	names := f.Names()
	var rows report.Rows[GrangerRow]
	for _, channel := range channels {
		k := slices.IndexFunc(groups, func(g mlreg.TermGroup) bool { return g.Name == channel })
		if k < 0 {
			return nil, fmt.Errorf("%w: channel %q has no lags in the design", mlreg.ErrShape, channel)
		}
		terms := groups[k].Terms
		pick := mat.NewDense(len(terms), len(names), nil)
		for i, term := range terms {
			j := slices.Index(names, term)
			if j < 0 {
				return nil, fmt.Errorf("%w: the fit has no term %q", mlreg.ErrShape, term)
			}
			pick.Set(i, j, 1)
		}
		test, err := mlreg.WaldTest(f, pick, nil)
		if err != nil {
			return nil, fmt.Errorf("channel %q: %w", channel, err)
		}
		rows = append(rows, GrangerRow{Channel: channel, Lags: len(terms), F: test.Stat, DF1: test.DF1, DF2: test.DF2, P: test.P})
	}
	return rows, nil
}

// Tabulate returns the tests as a table.
func (GrangerRow) Tabulate(r []GrangerRow) *report.Table {
	return tables.Rows("Tests that the lags of a channel do not help (Granger)",
		tables.Text("channel", r, func(r GrangerRow) string { return r.Channel }),
		tables.Int("lags", r, func(r GrangerRow) int { return r.Lags }),
		tables.Number("F", r, 0, func(r GrangerRow) float64 { return r.F }),
		tables.Number(format.DF, r, 6, func(r GrangerRow) float64 { return r.DF1 }),
		tables.Number("residual df", r, 6, func(r GrangerRow) float64 { return r.DF2 }),
		tables.P(format.P, r, func(r GrangerRow) float64 { return r.P }))
}

// String writes the test as text.
func (r GrangerRow) String() string { return report.Rows[GrangerRow]{r}.String() }
