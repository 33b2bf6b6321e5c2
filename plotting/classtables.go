package plotting

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// confusionTable has a row for each class, and a column for each class that its
// rows are put in.
func confusionTable(c *mlreg.ConfusionTable) (*Table, error) {
	t := &Table{Title: "Rows by class and the class they are put in", Columns: []Column{TextColumn("class", c.Classes...)}}
	recall, precision := make([]float64, len(c.Classes)), make([]float64, len(c.Classes))
	for k, class := range c.Classes {
		t.Columns = append(t.Columns, IntColumn("put in "+class, cells(c.Counts, func(row []int) int { return row[k] })...))
		recall[k], precision[k] = c.Recall(k), c.Precision(k)
	}
	t.Columns = append(t.Columns, probColumn("recall", recall), probColumn("precision", precision))
	rate := c.ErrorRate()
	t.Notes = []string{fmt.Sprintf("n = %d, %d of them in a wrong class: error rate %s", c.N(), int(math.Round(rate*float64(c.N()))), format.Decimal(rate, 4))}
	if len(c.Classes) == 2 {
		t.Notes = append(t.Notes, fmt.Sprintf("put in %s from a probability of %s on", c.Classes[1], Number(c.Threshold, defaultDigits)))
	}
	return t, t.Check()
}

// mostFeatures is how many features the table of a naive Bayes fit shows.
const mostFeatures = 10

// naiveBayesTable has a row for each of the features that tell most about the
// second of two classes, or for the first features if there are more classes.
func naiveBayesTable(f *mlreg.NaiveBayes) (*Table, error) {
	classes, names, prob := f.Classes(), f.Names(), f.Prob()
	index := make(map[string]int, len(names))
	for j, name := range names {
		index[name] = j
	}
	terms, which := names[:min(mostFeatures, len(names))], "the first"
	t := &Table{Title: "Naive Bayes: P(feature | class)"}
	var odds []float64
	if len(classes) == 2 {
		features, err := f.Informative(classes[1], mostFeatures)
		if err != nil {
			return nil, err
		}
		terms, which = cells(features, func(w mlreg.Feature) string { return w.Term }), "the most informative"
		odds = cells(features, func(w mlreg.Feature) float64 { return w.LogOdds })
	}
	t.Columns = []Column{TextColumn("feature", terms...)}
	for k, class := range classes {
		t.Columns = append(t.Columns, probColumn(class, cells(terms, func(term string) float64 { return prob.At(k, index[term]) })))
	}
	if odds != nil {
		t.Columns = append(t.Columns, oddsColumn("log odds ratio", odds))
	}
	var prior []string
	for k, p := range f.Prior() {
		prior = append(prior, classes[k]+" "+format.Decimal(p, 4))
	}
	if len(terms) < len(names) {
		t.Notes = append(t.Notes, fmt.Sprintf("%s %d of %s", which, len(terms), check.Plural(len(names), "feature")))
	}
	t.Notes = append(t.Notes, "prior probabilities: "+strings.Join(prior, ", "))
	if f.NObs() > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("n = %d, smoothing %s", f.NObs(), Number(f.Smoothing(), defaultDigits)))
	} else {
		t.Notes = append(t.Notes, "parameters were given")
	}
	return t, t.Check()
}

// calibrationTable has a row for each group.
func calibrationTable(rows []mlreg.CalibrationRow) (*Table, error) {
	column := func(name string, value func(mlreg.CalibrationRow) float64) Column {
		return probColumn(name, cells(rows, value))
	}
	return NewTable("Calibration: groups of similar probability",
		column("from", func(r mlreg.CalibrationRow) float64 { return r.Lower }),
		column("to", func(r mlreg.CalibrationRow) float64 { return r.Upper }),
		IntColumn("n", cells(rows, func(r mlreg.CalibrationRow) int { return r.N })...),
		column("mean probability", func(r mlreg.CalibrationRow) float64 { return r.MeanProb }),
		column("fraction", func(r mlreg.CalibrationRow) float64 { return r.Fraction }),
		column("std. error", func(r mlreg.CalibrationRow) float64 { return r.StdErr }))
}

// featureTable has a row for each feature.
func featureTable(rows []mlreg.Feature) (*Table, error) {
	return NewTable("Informative features",
		TextColumn("feature", cells(rows, func(w mlreg.Feature) string { return w.Term })...),
		probColumn("in the class", cells(rows, func(w mlreg.Feature) float64 { return w.InClass })),
		probColumn("elsewhere", cells(rows, func(w mlreg.Feature) float64 { return w.Elsewhere })),
		oddsColumn("log odds ratio", cells(rows, func(w mlreg.Feature) float64 { return w.LogOdds })))
}

// evidenceOfRow has a row for each feature.
func evidenceOfRow(rows []mlreg.Evidence) (*Table, error) {
	return NewTable("Evidence of the features of a row",
		TextColumn("feature", cells(rows, func(e mlreg.Evidence) string { return e.Term })...),
		TextColumn("value", cells(rows, func(e mlreg.Evidence) string {
			if e.Present {
				return "present"
			}
			return "absent"
		})...),
		oddsColumn("adds to the log odds", cells(rows, func(e mlreg.Evidence) float64 { return e.LogRatio })))
}

// oddsColumn is a column of log odds to two decimals, with their signs.
func oddsColumn(name string, values []float64) Column {
	return Column{Name: name, Cells: cells(values, format.Signed), Align: AlignDecimal}
}
