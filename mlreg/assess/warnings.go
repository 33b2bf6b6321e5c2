package assess

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// BootstrapWarning is a reason not to believe the limits of a bootstrap.
type BootstrapWarning struct {
	Term string // the number that it is about, "" for all
	Kind string // see Boot.Warnings
	Text string
}

// Kinds of BootstrapWarning.
const (
	WarnFailed         = "failed resamples"
	WarnOrderStatistic = "order statistic"
	WarnFewValues      = "few values"
	WarnBoundary       = "boundary"
	WarnHeavyTails     = "heavy tails"
	WarnFewRows        = "few rows"
)

// Limits of the warnings.
const (
	bootAtomShare  = 0.05 // of resamples on one value, at a boundary
	bootFewValues  = 10   // effective number of values
	bootHeavyShare = 0.5  // of the sum of squared influences, in one row
	bootFewRows    = 20
)

// Warnings returns why the limits should not be believed, estimated from the resamples
// and the influences of the rows:
//
//   - WarnFailed: the statistic failed on some resamples. They are not a random part, and
//     the limits are those of the others.
//   - WarnOrderStatistic: only one or two rows change the estimate when they are left out,
//     and half of the resamples or more take one of two values, as for the maximum. The
//     bootstrap does not work there, whatever n and B are.
//   - WarnFewValues: the resamples take few values v: 1/sum of their squared fractions is
//     below 10. Limits can be only those values.
//   - WarnBoundary: at least 5% of the resamples take the same value, which is zero, the
//     smallest or the largest of all: an estimate at an end of its range, such as a
//     coefficient that the lasso holds at zero.
//   - WarnHeavyTails: one row has half or more of the sum of the squared influences of at
//     least ten rows, as the largest of rows without a variance has.
//   - WarnFewRows: fewer than 20 rows (clusters) were drawn from, too few to
//     estimate the acceleration of BCa limits, and for percentiles to be right.
//
// No warning does not mean that the limits are right.
func (b *Boot) Warnings() BootstrapWarnings {
	var out BootstrapWarnings
	for _, f := range b.Failures {
		out = append(out, BootstrapWarning{"", WarnFailed, fmt.Sprintf("%d of %d resamples failed, the first as number %d: %s",
			f.Count, b.B()+b.Failed(), f.First, f.Reason)})
	}
	for j, name := range b.Names {
		add := func(kind, text string, args ...any) {
			out = append(out, BootstrapWarning{name, kind, name + ": " + fmt.Sprintf(text, args...)})
		}
		a := atomsOf(b.sorted(j).t)
		rows, order := b.orderStatistic(j, a)
		switch {
		case order:
			add(WarnOrderStatistic, "%s of the resamples take one of two values%s; it depends on one or two order statistics, and the bootstrap of them fails",
				format.Percent(roundedShare(a.topTwo)), movingText(rows))
		case a.boundary >= bootAtomShare:
			add(WarnBoundary, "%s of the resamples give %s, an end of the range of the estimate", format.Percent(roundedShare(a.boundary)), format.Number(a.boundaryAt, format.Digits))
		case a.effective < bootFewValues:
			add(WarnFewValues, "the resamples take few values, as %s equally likely ones would be", format.Number(a.effective, 2))
		}
		if share := b.largestInfluence(j); share >= bootHeavyShare && !order {
			add(WarnHeavyTails, "one row has %s of the squared influences; the tails may be too heavy for a variance to exist", format.Percent(roundedShare(share)))
		}
	}
	if b.Units < bootFewRows {
		what := "rows"
		if b.Kind == ResampleClusters {
			what = "clusters"
		}
		out = append(out, BootstrapWarning{"", WarnFewRows, fmt.Sprintf("%d %s are few: the acceleration of BCa limits is not known, and percentiles are too narrow", b.Units, what)})
	}
	return out
}

// Cautions returns the texts of the Warnings about one number or all.
func (b *Boot) Cautions(term string) []string {
	var texts []string
	for _, w := range b.Warnings() {
		if w.Term == "" || w.Term == term {
			texts = append(texts, w.Text)
		}
	}
	return texts
}

func roundedShare(v float64) float64 { return math.Round(100*v) / 100 }

func movingText(rows int) string {
	switch rows {
	case 0:
		return ""
	case 1:
		return ", and one row alone moves the estimate"
	}
	return ", and two rows alone move the estimate"
}

// orderStatistic tells whether one or two rows alone move an estimate, and half of the
// resamples take one of two values. Where the rows that move it are not known, resamples
// on zero count as a boundary.
func (b *Boot) orderStatistic(j int, a atoms) (rows int, is bool) {
	if a.topTwo < 0.5 || a.values == 1 {
		return 0, false
	}
	if b.Moving == nil {
		return 0, a.mostAt != 0
	}
	return b.Moving[j], b.Moving[j] == 1 || b.Moving[j] == 2
}

// largestInfluence returns the part of one row in the sum of squared influences, 0 if it is
// not known or there are fewer than ten.
func (b *Boot) largestInfluence(j int) float64 {
	if b.Influence == nil || len(b.Influence[j]) < 10 {
		return 0
	}
	var sum, most float64
	for _, l := range b.Influence[j] {
		sum += l * l
		most = math.Max(most, l*l)
	}
	if sum == 0 {
		return 0
	}
	return most / sum
}

// atoms are the values that several replicates take.
type atoms struct {
	values     int
	effective  float64 // 1/sum of squared fractions
	topTwo     float64 // part of the replicates on the two most frequent values
	mostAt     float64 // the most frequent
	boundary   float64 // part on zero, the smallest or the largest value, if it is several
	boundaryAt float64
}

// atomsOf counts the values of sorted replicates; those within 1e-12 of their size are one.
func atomsOf(t []float64) atoms {
	var a atoms
	var first, second int
	var sum float64
	n := len(t)
	for i := 0; i < n; {
		j := i + 1
		for j < n && t[j]-t[i] <= 1e-12*math.Max(math.Abs(t[i]), math.Abs(t[j])) {
			j++
		}
		count := j - i
		share := float64(count) / float64(n)
		sum += share * share
		a.values++
		if count > first {
			first, second, a.mostAt = count, first, t[i]
		} else if count > second {
			second = count
		}
		if end := i == 0 || j == n || t[i] == 0; end && count > 1 && share > a.boundary {
			a.boundary, a.boundaryAt = share, t[i]
		}
		i = j
	}
	a.effective, a.topTwo = 1/sum, float64(first+second)/float64(n)
	return a
}

// BootstrapWarnings are reasons not to believe the limits of a bootstrap.
type BootstrapWarnings []BootstrapWarning

// Has tells whether there is a warning of a kind, about a number or, if term is "",
// any.
func (w BootstrapWarnings) Has(kind, term string) bool {
	return slices.ContainsFunc(w, func(v BootstrapWarning) bool { return v.Kind == kind && (term == "" || v.Term == term) })
}

// Tabulate returns the warnings as a table.
func (BootstrapWarning) Tabulate(w []BootstrapWarning) *report.Table {
	return tables.Rows("Warnings of a bootstrap",
		tables.Text("kind", w, func(w BootstrapWarning) string { return w.Kind }),
		tables.Text("warning", w, func(w BootstrapWarning) string { return w.Text }))
}

// Describe returns the warnings as a table.
func (w BootstrapWarnings) Describe() *report.Table { return BootstrapWarning{}.Tabulate(w) }

// String writes the warnings as text.
func (w BootstrapWarnings) String() string { return w.Describe().String() }

// String writes the warning as text.
func (w BootstrapWarning) String() string { return BootstrapWarnings{w}.String() }

// Describe returns the failure as a table.
func (f BootstrapFailure) Describe() *report.Table {
	return tables.Rows("Failed resamples", report.TextColumn("reason", f.Reason), report.IntColumn("resamples", f.Count), report.IntColumn("first", f.First))
}

// String writes the failure as text.
func (f BootstrapFailure) String() string { return f.Describe().String() }
