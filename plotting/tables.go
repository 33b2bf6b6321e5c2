package plotting

import (
	"fmt"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Results describe themselves; this file has the tables that take an argument.

// Summary returns the table of a fit at the given level, 0.95 for 95%, as
// mlreg.Summary does: Show displays fits at 95%. The error is mlreg.ErrNoData without
// a fit, or that of its Table, for example for a level that is not between 0 and 1.
func Summary(fit frames.CoefTable, level float64) (*Table, error) {
	if check.IsNil(fit) {
		return nil, check.Nothing("summary", "the fit is nil")
	}
	return mlreg.Summary(fit, level)
}

// PosteriorTable returns the table of a posterior with central credible limits at
// the given level, 0.95 for 95%: see mlreg.Bayes.Summary. The error is
// mlreg.ErrNoData without a fit, or that of its Table.
func PosteriorTable(fit *mlreg.Bayes, level float64) (*Table, error) {
	if fit == nil {
		return nil, check.Nothing("posterior table", "the fit is nil")
	}
	return fit.Summary(level)
}

// CoefRows returns coefficients or contrasts as a table; level is the level they were
// computed with. The error is mlreg.ErrNoData if there are none, and mlreg.ErrSetting
// for a level that is not between 0 and 1.
func CoefRows(rows []mlreg.CoefRow, level float64) (*Table, error) {
	if len(rows) == 0 {
		return nil, check.Nothing("table of coefficients", "there are none")
	}
	return mlreg.CoefRows(rows).At(level)
}

// OddsTable returns odds ratios as a table; level is the level they were
// computed with:
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
	return mlreg.OddsRatios(rows).At(level)
}

// BandTable returns the fitted values of rows with their limits as a table, R's
// predict with an interval; rows are as in Head, and their names and the errors as
// in InfluenceTable.
func BandTable(b *mlreg.Band, rows int, names []string) (*Table, error) {
	if b == nil {
		return nil, check.Nothing("band table", "the band is nil")
	}
	return headed("band table", rows, names, b.Head)
}

// InfluenceTable returns the rows of the largest Cook's distances as a table, the
// largest first, with the columns of mlreg.Influence; rows = 0 means ten, a
// negative number all. If names is nil, rows are numbered from 1; d.RowNames()
// gives the numbers in the frame, which count rows with missing values, too. The
// error is mlreg.ErrNoData without diagnostics, and mlreg.ErrShape for a wrong
// number of names.
func InfluenceTable(inf *mlreg.Influence, rows int, names []string) (*Table, error) {
	if inf == nil {
		return nil, check.Nothing("influence table", "the diagnostics are nil")
	}
	return headed("influence table", rows, names, inf.Head)
}

// headed returns some rows of a result, and says of an error whose it is.
func headed(what string, rows int, names []string, head func(rows int, names []string) (*Table, error)) (*Table, error) {
	t, err := head(rows, names)
	if err != nil {
		return nil, fmt.Errorf("plotting: %s: %w", what, err)
	}
	return t, nil
}

// BestModels returns the most probable models as a table: a row for each of at
// most the given number of models (0 means all that the posterior keeps), with
// its terms, its probability, the sum of the probabilities so far, and log
// p(y|model). The error is mlreg.ErrNoData if there is no model, and
// mlreg.ErrSetting for a negative number.
func BestModels(m Models, most int) (*Table, error) {
	if check.IsNil(m) || len(m.Best()) == 0 {
		return nil, check.Nothing("best models", "there is no posterior")
	}
	if most < 0 {
		return nil, fmt.Errorf("plotting: best models: %w: %d models", mlreg.ErrSetting, most)
	}
	best := m.Best()
	if most > 0 {
		best = best[:min(most, len(best))]
	}
	return best.Describe(), nil
}

// cells returns f of every row.
func cells[R, C any](rows []R, f func(R) C) []C {
	c := make([]C, len(rows))
	for i, r := range rows {
		c[i] = f(r)
	}
	return c
}
