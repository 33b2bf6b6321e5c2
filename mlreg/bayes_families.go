package mlreg

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Family is a model among others of the same data.
type Family struct {
	Name string
	// LogEvidence is its log marginal likelihood: that of a Bayes,
	// EvidenceSurface or LaplaceApproximation, or LogEvidenceBIC of a fit.
	LogEvidence float64
	// Prior is its prior weight; weights are divided by their sum, and if all
	// are zero the families are equally probable.
	Prior float64
}

// FamilyRow is a line of the comparison of families.
type FamilyRow struct {
	Name            string
	LogEvidence     float64
	Prior, PostProb float64
	// LogBayesFactor is LogEvidence less that of the best.
	LogBayesFactor float64
}

// CompareFamilies returns the posterior probabilities of the families, in the
// order given,
//
//	p(F_k | D) = p(D | F_k) p(F_k) / sum_l p(D | F_l) p(F_l).
//
// All evidences must be of the same response and observations, with the same
// improper constants, if any: see Bayes.LogEvidence. The error names a family
// with an evidence that is no number or a negative prior. An evidence of -Inf
// has probability zero.
func CompareFamilies(families []Family) (report.Rows[FamilyRow], error) {
	if len(families) == 0 {
		return nil, fmt.Errorf("%w: no family to compare", ErrNoData)
	}
	var prior float64
	best, top := math.Inf(-1), math.Inf(-1)
	for _, f := range families {
		if math.IsNaN(f.LogEvidence) || math.IsInf(f.LogEvidence, 1) {
			return nil, fmt.Errorf("%w: the log evidence of family %q is %v", ErrNotFinite, f.Name, f.LogEvidence)
		}
		if f.Prior < 0 || math.IsNaN(f.Prior) || math.IsInf(f.Prior, 0) {
			return nil, fmt.Errorf("%w: the prior weight of family %q is %v", ErrSetting, f.Name, f.Prior)
		}
		prior += f.Prior
		best = math.Max(best, f.LogEvidence)
	}
	rows := make([]FamilyRow, len(families))
	for k, f := range families {
		rows[k] = FamilyRow{f.Name, f.LogEvidence, f.Prior / prior, 0, f.LogEvidence - best}
		if prior == 0 {
			rows[k].Prior = 1 / float64(len(families))
		}
		if rows[k].Prior > 0 {
			top = math.Max(top, f.LogEvidence)
		}
	}
	if math.IsInf(top, -1) {
		return nil, fmt.Errorf("%w: no family of positive prior weight has any evidence", ErrNotFinite)
	}
	var sum float64
	for k := range rows {
		if r := &rows[k]; r.Prior > 0 {
			r.PostProb = r.Prior * math.Exp(r.LogEvidence-top)
			sum += r.PostProb
		}
	}
	for k := range rows {
		rows[k].PostProb /= sum
	}
	return rows, nil
}

// Tabulate returns the comparison as a table: log evidence, log Bayes factor against
// the best, prior and posterior probability.
func (FamilyRow) Tabulate(r []FamilyRow) *report.Table {
	prob := func(name string, f func(FamilyRow) float64) report.Column {
		return tables.Written(name, format.Each(r, f), format.Probability)
	}
	return tables.Rows("Comparison of families",
		tables.Text("family", r, func(r FamilyRow) string { return r.Name }),
		tables.Decimal("log evidence", r, 2, func(r FamilyRow) float64 { return r.LogEvidence }),
		tables.Decimal("log Bayes factor", r, 2, func(r FamilyRow) float64 { return r.LogBayesFactor }),
		prob("prior", func(r FamilyRow) float64 { return r.Prior }),
		prob("posterior", func(r FamilyRow) float64 { return r.PostProb }))
}

// String writes the line as text.
func (r FamilyRow) String() string { return report.Rows[FamilyRow]{r}.String() }
