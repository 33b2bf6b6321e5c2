package plotting

import (
	"fmt"

	"github.com/regbook/regbook/mlreg"
)

// OddsTable returns odds ratios as a table, at the level they were made for:
//
//	rows, err := fit.OddsRatios(0.95)
//	plotting.Show(plotting.OddsTable(rows, 0.95))
//
// The error matches mlreg.ErrNoData if there is none, and mlreg.ErrSetting for a
// level that is not between 0 and 1.
func OddsTable(rows []mlreg.OddsRatio, level float64) (*Table, error) {
	if len(rows) == 0 {
		return nil, fmt.Errorf("plotting: odds ratios: %w: there are none", mlreg.ErrNoData)
	}
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("plotting: odds ratios: %w: level %v; it is between 0 and 1", mlreg.ErrSetting, level)
	}
	terms := make([]string, len(rows))
	values := make([][]float64, 4)
	for i, r := range rows {
		terms[i] = r.Term
		for k, v := range []float64{r.Ratio, r.Lower, r.Upper, r.P} {
			values[k] = append(values[k], v)
		}
	}
	percent := Number(100*level, 6) + "%"
	return NewTable("Odds ratios",
		TextColumn("term", terms...),
		NumberColumn("odds ratio", values[0], defaultDigits),
		NumberColumn("lower "+percent, values[1], defaultDigits),
		NumberColumn("upper "+percent, values[2], defaultDigits),
		PColumn("p", values[3]))
}
