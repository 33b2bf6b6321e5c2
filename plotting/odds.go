package plotting

import (
	"fmt"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
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
		return nil, check.Nothing("odds ratios", "there are none")
	}
	if !(level > 0 && level < 1) {
		return nil, fmt.Errorf("plotting: odds ratios: %w: level %v; it is between 0 and 1", mlreg.ErrSetting, level)
	}
	return oddsColumns(rows, " "+Number(100*level, 6)+"%")
}

// oddsColumns is the table of OddsTable, with what follows the names of the limits.
func oddsColumns(rows []mlreg.OddsRatio, percent string) (*Table, error) {
	number := func(name string, of func(mlreg.OddsRatio) float64) Column {
		return NumberColumn(name, cells(rows, of), defaultDigits+1) // 0.92 and 0.96 would be alike
	}
	return NewTable("Odds ratios",
		TextColumn("term", cells(rows, func(r mlreg.OddsRatio) string { return r.Term })...),
		number("odds ratio", func(r mlreg.OddsRatio) float64 { return r.Ratio }),
		number("lower"+percent, func(r mlreg.OddsRatio) float64 { return r.Lower }),
		number("upper"+percent, func(r mlreg.OddsRatio) float64 { return r.Upper }),
		PColumn("p", cells(rows, func(r mlreg.OddsRatio) float64 { return r.P })))
}
