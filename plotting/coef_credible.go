package plotting

import (
	"math"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Credible is a posterior as CoefPlot and CompareCoefs take it: its limits are
// credible limits, its estimates posterior means. Its statistics and p-values
// are NaN.
func Credible(fit *mlreg.Bayes) frames.CoefTable { return credible{fit} }

type credible struct{ fit *mlreg.Bayes }

// Table implements frames.CoefTable.
func (c credible) Table(level float64) (report.Rows[mlreg.CoefRow], error) {
	if c.fit == nil {
		return nil, check.Nothing("credible limits", "the fit is nil")
	}
	rows, err := c.fit.Table(level)
	if err != nil {
		return nil, err
	}
	table := make(report.Rows[mlreg.CoefRow], len(rows))
	for i, r := range rows {
		table[i] = mlreg.CoefRow{
			Term: r.Term, Estimate: r.Mean, StdErr: r.StdDev,
			Statistic: math.NaN(), P: math.NaN(), Lower: r.Lower, Upper: r.Upper, Level: r.Level,
		}
	}
	return table, nil
}
