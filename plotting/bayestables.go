package plotting

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// PosteriorTable returns the table of a posterior: for every coefficient its
// mean, standard deviation and central credible limits at the given level
// (0.95 for 95%), and the probability that it is positive. Below it stand n, the
// noise variance, lambda, the effective number of parameters, the log evidence
// and the method. The error is mlreg.ErrNoData without a fit, or that of its Table.
func PosteriorTable(fit *mlreg.Bayes, level float64) (*Table, error) {
	if fit == nil {
		return nil, check.Nothing("posterior table", "the fit is nil")
	}
	rows, err := fit.Table(level)
	if err != nil {
		return nil, err
	}
	terms, positive := make([]string, len(rows)), make([]string, len(rows))
	values := make([][]float64, 4)
	for i, r := range rows {
		terms[i] = r.Term
		positive[i] = format.Probability(r.ProbPositive)
		for k, v := range []float64{r.Mean, r.StdDev, r.Lower, r.Upper} {
			values[k] = append(values[k], v)
		}
	}
	percent := Number(100*level, 6) + "%"
	unit := unitColumns(values[0], values[1])
	return &Table{
		Title: summaryTitle(fit),
		Columns: []Column{
			TextColumn("term", terms...),
			unit("mean", values[0]),
			unit("std. dev.", values[1]),
			unit("lower "+percent, values[2]),
			unit("upper "+percent, values[3]),
			{Name: "P(w > 0)", Cells: positive, Align: AlignDecimal},
		},
		Notes: posteriorFacts(fit),
	}, nil
}

// posteriorFacts returns the lines under a posterior.
func posteriorFacts(fit *mlreg.Bayes) []string {
	noise := fmt.Sprintf("n = %d, σ² = %s (known)", fit.NObs(), Number(fit.Sigma2(), defaultDigits))
	if !fit.SigmaKnown() {
		post := fit.NoisePosterior()
		noise = fmt.Sprintf("n = %d, σ² = %s (posterior mean; inverse gamma with shape %s and scale %s)", fit.NObs(),
			Number(fit.Sigma2(), defaultDigits), Number(post.Shape, defaultDigits), Number(post.Scale, defaultDigits))
	}
	under := len(fit.Names())
	prior := "a Gaussian prior of all coefficients"
	if d := int(math.Round(fit.DoF() - fit.EffectiveParameters())); d > 0 {
		under -= d
		prior = "a flat prior of the intercept"
	}
	strength := fmt.Sprintf("%s of %d parameters determined by the data, with %s", format.Decimal(fit.EffectiveParameters(), 2), under, prior)
	if l := fit.Lambda(); !math.IsNaN(l) {
		strength = fmt.Sprintf("λ = %s, %s", Number(l, defaultDigits), strength)
	}
	lines := []string{
		noise, strength,
		fmt.Sprintf("log evidence %s, %s, condition number %s", format.Decimal(fit.LogEvidence(), 3), fit.Method(), Number(fit.Cond(), 2)),
	}
	if fit.Scaling() != nil {
		lines = append(lines, "coefficients are in units of the scaled predictors")
	}
	return lines
}

// FamilyTable returns the comparison of families as a table: log evidence,
// prior probability, log Bayes factor against the best, posterior probability.
// The error matches mlreg.ErrNoData if there is none.
func FamilyTable(rows []mlreg.FamilyRow) (*Table, error) {
	if len(rows) == 0 {
		return nil, check.Nothing("comparison of families", "there are none")
	}
	evidence := Column{Name: "log evidence", Align: AlignDecimal}
	factor := Column{Name: "log Bayes factor", Align: AlignDecimal}
	prior := Column{Name: "prior", Align: AlignDecimal}
	post := Column{Name: "posterior", Align: AlignDecimal}
	names := make([]string, len(rows))
	for i, r := range rows {
		names[i] = r.Name
		evidence.Cells = append(evidence.Cells, format.Decimal(r.LogEvidence, 2))
		factor.Cells = append(factor.Cells, format.Decimal(r.LogBayesFactor, 2))
		prior.Cells = append(prior.Cells, format.Probability(r.Prior))
		post.Cells = append(post.Cells, format.Probability(r.PostProb))
	}
	return NewTable("Comparison of families", TextColumn("family", names...), evidence, factor, prior, post)
}

// evidenceTable is how the maximum of the evidence is shown. The gradient is
// stated as a bound: its digits are rounding.
func evidenceTable(m *mlreg.MaxEvidence) (*Table, error) {
	names := []string{"τ²", "σ²", "λ = σ²/τ²", "log evidence", "effective parameters"}
	cells := []string{
		Number(m.Tau2, defaultDigits), Number(m.Sigma2, defaultDigits), Number(m.Lambda, defaultDigits),
		format.Decimal(m.LogEvidence, 3), format.Decimal(m.EffectiveParameters, 3),
	}
	t, err := NewTable("Maximum of the evidence", TextColumn("", names...), TextColumn("", cells...))
	if err != nil || len(m.Gradient) == 0 {
		return t, err
	}
	var g float64
	for _, v := range m.Gradient {
		g = math.Max(g, math.Abs(v))
	}
	t.Notes = []string{"gradient at most " + powerAbove(math.Max(g, 1e-8))}
	return t, nil
}

// laplaceTable is how a Laplace approximation is shown.
func laplaceTable(a *mlreg.LaplaceApproximation) (*Table, error) {
	names := make([]string, a.Dim())
	for i := range names {
		names[i] = fmt.Sprintf("θ%d", i+1)
	}
	t, err := NewTable("Laplace approximation",
		TextColumn("coordinate", names...),
		NumberColumn("mode", a.Mode(), defaultDigits),
		NumberColumn("std. dev.", a.Gaussian().StdDev(), defaultDigits))
	if err != nil {
		return nil, err
	}
	t.Notes = []string{
		fmt.Sprintf("ln p* at the mode %s, ln Z %s", format.Decimal(a.LogAtMode(), 4), format.Decimal(a.LogNormalizer(), 4)),
		"gradient at the mode at most " + powerAbove(math.Max(a.GradNorm(), 1e-6)),
	}
	return t, nil
}

// codeLengthText is how a description length is shown.
func codeLengthText(c mlreg.CodeLength) string {
	return fmt.Sprintf("%s bits = %s (data) + %s (model)", format.Decimal(c.Total(), 2), format.Decimal(c.Data, 2), format.Decimal(c.Model, 2))
}

// Credible is a posterior as CoefPlot and CompareCoefs take it: its limits are
// credible limits, its estimates posterior means. It has no statistics and
// p-values, which are NaN.
func Credible(fit *mlreg.Bayes) frames.CoefTable { return credible{fit} }

type credible struct{ fit *mlreg.Bayes }

// Table implements frames.CoefTable.
func (c credible) Table(level float64) ([]mlreg.CoefRow, error) {
	if c.fit == nil {
		return nil, check.Nothing("credible limits", "the fit is nil")
	}
	rows, err := c.fit.Table(level)
	if err != nil {
		return nil, err
	}
	table := make([]mlreg.CoefRow, len(rows))
	for i, r := range rows {
		table[i] = mlreg.CoefRow{
			Term: r.Term, Estimate: r.Mean, StdErr: r.StdDev,
			Statistic: math.NaN(), P: math.NaN(), Lower: r.Lower, Upper: r.Upper,
		}
	}
	return table, nil
}
