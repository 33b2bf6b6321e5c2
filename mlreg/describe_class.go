package mlreg

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns a row for each class, with a column for each class that its rows
// are put in.
func (c *ConfusionTable) Describe() *report.Table {
	t := &report.Table{Title: "Rows by class and the class they are put in", Columns: []report.Column{report.TextColumn("class", c.Classes...)}}
	classes := numbersTo(len(c.Classes))
	for k, class := range c.Classes {
		t.Columns = append(t.Columns, tables.Int("put in "+class, c.Counts, func(row []int) int { return row[k] }))
	}
	t.Columns = append(t.Columns, tables.Decimal("recall", classes, 4, c.Recall), tables.Decimal("precision", classes, 4, c.Precision))
	rate := c.ErrorRate()
	t.Notes = []string{fmt.Sprintf("n = %d, %d of them in a wrong class: error rate %s", c.N(), int(math.Round(rate*float64(c.N()))), format.Decimal(rate, 4))}
	if len(c.Classes) == 2 {
		t.Notes = append(t.Notes, fmt.Sprintf("put in %s from a probability of %s on", c.Classes[1], format.Number(c.Threshold, format.Digits)))
	}
	return t
}

// String writes the table as text.
func (c *ConfusionTable) String() string { return c.Describe().String() }

// mostFeatures is how many features the table of a naive Bayes fit shows.
const mostFeatures = 10

// Describe returns a row for each of the ten features that tell most about the second
// of two classes, or for the first ten features if there are more classes: the
// probabilities of the feature in every class.
func (f *NaiveBayes) Describe() *report.Table {
	classes, names, prob := f.Classes(), f.Names(), f.Prob()
	index := make(map[string]int, len(names))
	for j, name := range names {
		index[name] = j
	}
	terms, which := names[:min(mostFeatures, len(names))], "the first"
	var features Features
	if len(classes) == 2 {
		if best, err := f.Informative(classes[1], mostFeatures); err == nil {
			features = best
			terms, which = format.Each(features, func(w Feature) string { return w.Term }), "the most informative"
		}
	}
	t := &report.Table{Title: "Naive Bayes: P(feature | class)", Columns: []report.Column{report.TextColumn("feature", terms...)}}
	for k, class := range classes {
		t.Columns = append(t.Columns, tables.Decimal(class, terms, 4, func(term string) float64 { return prob.At(k, index[term]) }))
	}
	if features != nil {
		t.Columns = append(t.Columns, oddsOf("log odds ratio", features, func(w Feature) float64 { return w.LogOdds }))
	}
	var prior []string
	for k, p := range f.Prior() {
		prior = append(prior, classes[k]+" "+format.Decimal(p, 4))
	}
	if len(terms) < len(names) {
		t.Notes = append(t.Notes, fmt.Sprintf("%s %d of %s", which, len(terms), format.Plural(len(names), "feature")))
	}
	t.Notes = append(t.Notes, "prior probabilities: "+strings.Join(prior, ", "))
	if f.NObs() > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("n = %d, smoothing %s", f.NObs(), format.Number(f.Smoothing(), format.Digits)))
	} else {
		t.Notes = append(t.Notes, "parameters were given")
	}
	return t
}

// String writes the table of the fit as text.
func (f *NaiveBayes) String() string { return f.Describe().String() }

// oddsOf is a column of log odds to two decimals, with their signs.
func oddsOf[R any](name string, rows []R, f func(R) float64) report.Column {
	return tables.Written(name, format.Each(rows, f), format.Signed)
}

// Describe returns a row for each group of similar probability.
func (r CalibrationTable) Describe() *report.Table {
	column := func(name string, f func(CalibrationRow) float64) report.Column { return tables.Decimal(name, r, 4, f) }
	return tables.Rows("Calibration: groups of similar probability",
		column("from", func(r CalibrationRow) float64 { return r.Lower }),
		column("to", func(r CalibrationRow) float64 { return r.Upper }),
		tables.Int("n", r, func(r CalibrationRow) int { return r.N }),
		column("mean probability", func(r CalibrationRow) float64 { return r.MeanProb }),
		column("fraction", func(r CalibrationRow) float64 { return r.Fraction }),
		column("std. error", func(r CalibrationRow) float64 { return r.StdErr }))
}

// String writes the groups as text.
func (r CalibrationTable) String() string { return r.Describe().String() }

// Describe returns the group as a table.
func (r CalibrationRow) Describe() *report.Table { return CalibrationTable{r}.Describe() }

// String writes the group as text.
func (r CalibrationRow) String() string { return r.Describe().String() }

// Describe returns a row for each feature.
func (w Features) Describe() *report.Table {
	return tables.Rows("Informative features",
		tables.Text("feature", w, func(w Feature) string { return w.Term }),
		tables.Decimal("in the class", w, 4, func(w Feature) float64 { return w.InClass }),
		tables.Decimal("elsewhere", w, 4, func(w Feature) float64 { return w.Elsewhere }),
		oddsOf("log odds ratio", w, func(w Feature) float64 { return w.LogOdds }))
}

// String writes the features as text.
func (w Features) String() string { return w.Describe().String() }

// Describe returns the feature as a table.
func (w Feature) Describe() *report.Table { return Features{w}.Describe() }

// String writes the feature as text.
func (w Feature) String() string { return w.Describe().String() }

// presenceText writes the value of a feature.
func presenceText(present bool) string {
	if present {
		return "present"
	}
	return "absent"
}

// Describe returns a row for each feature.
func (e Explanation) Describe() *report.Table {
	return tables.Rows("Evidence of the features of a row",
		tables.Text("feature", e, func(e Evidence) string { return e.Term }),
		tables.Text("value", e, func(e Evidence) string { return presenceText(e.Present) }),
		oddsOf("adds to the log odds", e, func(e Evidence) float64 { return e.LogRatio }))
}

// String writes the features as text.
func (e Explanation) String() string { return e.Describe().String() }

// Describe returns the evidence as a table.
func (e Evidence) Describe() *report.Table { return Explanation{e}.Describe() }

// String writes the evidence as text.
func (e Evidence) String() string { return e.Describe().String() }

// Describe returns a row for each class and feature.
func (c Culprits) Describe() *report.Table {
	return tables.Rows("Values that are impossible in a class",
		tables.Text("class", c, func(c Culprit) string { return c.Class }),
		tables.Text("feature", c, func(c Culprit) string { return c.Term }),
		tables.Text("value", c, func(c Culprit) string { return presenceText(c.Present) }))
}

// String writes the features as text.
func (c Culprits) String() string { return c.Describe().String() }

// Describe returns the feature as a table.
func (c Culprit) Describe() *report.Table { return Culprits{c}.Describe() }

// String writes the feature as text.
func (c Culprit) String() string { return c.Describe().String() }

// Describe returns the area under the curve, with its limits at level 0.95, as a table
// that is written in a line.
func (r *ROCCurve) Describe() *report.Table {
	limits, err := r.ConfInt(0.95)
	if err != nil {
		return tables.OrError(nil, err)
	}
	line := fmt.Sprintf("AUC %s, 95%% limits %s to %s (%s, %s)", format.Decimal(r.AUC, 4), format.Decimal(limits.Lower, 4), format.Decimal(limits.Upper, 4),
		format.Plural(r.Positives, "positive"), format.Plural(r.Negatives, "negative"))
	prob := func(name string, v float64) report.Column { return report.DecimalColumn(name, []float64{v}, 4) }
	return tables.Line(line, prob("AUC", r.AUC), prob("std. error", r.StdErr), prob("lower 95%", limits.Lower), prob("upper 95%", limits.Upper),
		report.IntColumn("positives", r.Positives), report.IntColumn("negatives", r.Negatives))
}

// String writes the area under the curve in a line.
func (r *ROCCurve) String() string { return r.Describe().String() }
