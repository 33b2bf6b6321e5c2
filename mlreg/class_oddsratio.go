package mlreg

import (
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// OddsRatio is the factor exp(b_j) by which the odds of the second class grow
// with a unit of a term, all else equal, with limits, and the P of the Wald test
// that it is 1.
type OddsRatio struct {
	Term                   string
	Ratio, Lower, Upper, P float64
	Level                  float64 // of the limits, 0.95 for 95%
	// OfMeans tells that it is the mean that grows by the factor, not the odds; see GLM.Ratios.
	OfMeans bool
}

// ratios returns exp of the coefficients of a fit and of their limits.
func ratios(f Wald, level float64, means bool) (report.Rows[OddsRatio], error) {
	rows, err := CoefTable(f, level)
	if err != nil {
		return nil, err
	}
	odds := make([]OddsRatio, len(rows))
	for j, r := range rows {
		odds[j] = OddsRatio{r.Term, math.Exp(r.Estimate), math.Exp(r.Lower), math.Exp(r.Upper), r.P, level, means}
	}
	return odds, nil
}

// Tabulate returns the odds ratios as a table.
func (OddsRatio) Tabulate(r []OddsRatio) *report.Table {
	number := func(name string, f func(OddsRatio) float64) report.Column {
		return tables.Number(name, r, format.Digits+1, f) // 0.92 and 0.96 would be alike
	}
	lower, upper := tables.Limits(r, func(r OddsRatio) float64 { return r.Level })
	title, name := "Odds ratios", "odds ratio"
	if len(r) > 0 && r[0].OfMeans {
		title, name = "Ratios of means", "ratio"
	}
	return tables.Rows(title,
		tables.Text("term", r, func(r OddsRatio) string { return r.Term }),
		number(name, func(r OddsRatio) float64 { return r.Ratio }),
		number(lower, func(r OddsRatio) float64 { return r.Lower }),
		number(upper, func(r OddsRatio) float64 { return r.Upper }),
		tables.P(format.P, r, func(r OddsRatio) float64 { return r.P }))
}

// String writes the odds ratio as text.
func (r OddsRatio) String() string { return report.Rows[OddsRatio]{r}.String() }
