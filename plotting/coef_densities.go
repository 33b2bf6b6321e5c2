package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// CoefDensities draws the marginal posterior density of every coefficient, or of the
// named ones, in a panel each: normal, or Student's t if the noise variance is
// unknown. The area within the central credible limits at the given level is filled,
// and a line marks zero. The intercept is "(Intercept)". Errors: mlreg.ErrNoData
// without a fit, mlreg.ErrShape for a term that does not exist, which it names, and
// those of the fit's Table.
func CoefDensities(fit *mlreg.Bayes, level float64, terms ...string) (*Figure, error) {
	if fit == nil {
		return nil, check.Nothing("posterior densities", "the fit is nil")
	}
	table, err := fit.Table(level)
	if err != nil {
		return nil, err
	}
	rows := make(map[string]mlreg.PosteriorRow, len(table))
	for _, r := range table {
		rows[r.Term] = r
	}
	if len(terms) == 0 {
		terms = fit.Names()
	}
	var plots []*plot.Plot
	for _, term := range terms {
		r, ok := rows[term]
		if !ok {
			return nil, fmt.Errorf("plotting: posterior densities: %w: the fit has no coefficient %q", mlreg.ErrShape, term)
		}
		p, err := coefDensity(fit, r)
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	f := Grid(min(len(plots), 3), plots...)
	if len(plots) > 1 {
		f.Height = 2.5 * float64(len(f.Panels))
	}
	f.Alt = fmt.Sprintf("posterior densities of %s with %s%% credible limits", check.Plural(len(plots), "coefficient"), format.Number(100*level, 6))
	return f, nil
}

func coefDensity(fit *mlreg.Bayes, r mlreg.PosteriorRow) (*plot.Plot, error) {
	// 3.5 standard deviations of the normal, and as much of Student's t.
	limits, err := fit.CredibleInterval(0.9995)
	if err != nil {
		return nil, err
	}
	var at []float64
	for _, l := range limits {
		if l.Term == r.Term {
			at = Range(l.Lower, l.Upper, 301)
		}
	}
	log, err := fit.CoefLogDensity(r.Term, at)
	if err != nil {
		return nil, err
	}
	density, zero, inside := make([]float64, len(at)), make([]float64, len(at)), make([]float64, len(at))
	for i, l := range log {
		density[i] = math.Exp(l)
		inside[i] = density[i]
		if at[i] < r.Lower || at[i] > r.Upper {
			inside[i] = math.NaN()
		}
	}
	return Draw(Labels{Title: r.Term, X: "weight", Y: "density"},
		Ribbon{X: at, Lower: zero, Upper: inside, Color: Blue, Opacity: 0.3}, Line{X: at, Y: density, Color: Blue}, VLine{X: 0})
}
