package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Classifier is a fit that gives, for every row of a design, the probability of
// every class: *Logistic, *SparseLogistic, *BayesLogistic, *Multinomial,
// *SparseMultinomial, *NaiveBayes.
type Classifier interface {
	// Classes returns the names of the q classes.
	Classes() []string
	// ClassProb returns the probabilities, n x q; rows sum to 1.
	ClassProb(d *Design) (*mat.Dense, error)
}

// ConfusionTable counts rows by their class and their predicted class.
type ConfusionTable struct {
	Classes []string
	Counts  [][]int // [class][put in]
	// Threshold is the least probability of the second of two classes at which a row
	// is put in that class.
	Threshold float64
}

// Confusion predicts a class for every row of d and counts the rows. With two
// classes it predicts the second if its probability is at least the threshold, which
// is between 0 and 1; 0 means 1/2. With more classes it predicts the most probable
// one, on ties the first, and the threshold must be zero (ErrSetting). ErrLabels
// names a row whose class the fit does not have. Weights do not count.
func Confusion(f Classifier, d *Design, threshold float64) (*ConfusionTable, error) {
	if err := args.Given("the classifier", f); err != nil {
		return nil, err
	}
	classes := f.Classes()
	if !(threshold >= 0 && threshold <= 1) || (threshold != 0 && len(classes) > 2) {
		return nil, fmt.Errorf("%w: threshold %v with %d classes; with two it lies between 0 and 1, with more it must be 0", ErrSetting, threshold, len(classes))
	}
	index, err := d.classIndices(classes)
	if err != nil {
		return nil, err
	}
	p, err := f.ClassProb(d)
	if err != nil {
		return nil, err
	}
	if threshold == 0 {
		threshold = 0.5
	}
	t := &ConfusionTable{Classes: classes, Threshold: threshold, Counts: make([][]int, len(classes))}
	for k := range t.Counts {
		t.Counts[k] = make([]int, len(classes))
	}
	for i, k := range index {
		t.Counts[k][putIn(p.RawRowView(i), threshold)]++
	}
	return t, nil
}

// putIn returns the class of a row of probabilities.
func putIn(p []float64, threshold float64) int {
	if len(p) == 2 {
		if p[1] >= threshold {
			return 1
		}
		return 0
	}
	best := 0
	for k, v := range p {
		if v > p[best] {
			best = k
		}
	}
	return best
}

// Classify returns the name of the predicted class of every row of d: the most
// probable one, on ties the first; of two classes the second if its probability is
// at least 1/2, as in Confusion. Errors: as f.ClassProb.
func Classify(f Classifier, d *Design) ([]string, error) {
	if err := args.Given("the classifier", f); err != nil {
		return nil, err
	}
	p, err := f.ClassProb(d)
	if err != nil {
		return nil, err
	}
	classes := f.Classes()
	n, _ := p.Dims()
	out := make([]string, n)
	for i := range out {
		out[i] = classes[putIn(p.RawRowView(i), 0.5)]
	}
	return out, nil
}

// N returns the number of rows.
func (t *ConfusionTable) N() int {
	n := 0
	for _, row := range t.Counts {
		for _, c := range row {
			n += c
		}
	}
	return n
}

// Accuracy returns the fraction of rows put in their class.
func (t *ConfusionTable) Accuracy() float64 {
	right := 0
	for k := range t.Counts {
		right += t.Counts[k][k]
	}
	return float64(right) / float64(t.N())
}

// ErrorRate returns 1 - Accuracy, the 0/1 loss.
func (t *ConfusionTable) ErrorRate() float64 { return 1 - t.Accuracy() }

// Recall returns the fraction of the rows of class k that are put in it: with two
// classes, the sensitivity (true positive rate) for k = 1, and the specificity
// for k = 0. It is NaN if class k has no rows.
func (t *ConfusionTable) Recall(k int) float64 {
	all := 0
	for _, c := range t.Counts[k] {
		all += c
	}
	return float64(t.Counts[k][k]) / float64(all)
}

// Precision returns the fraction of the rows put in class k that belong to it, NaN
// if no row was put there.
func (t *ConfusionTable) Precision(k int) float64 {
	all := 0
	for _, row := range t.Counts {
		all += row[k]
	}
	return float64(t.Counts[k][k]) / float64(all)
}

// F1 returns the harmonic mean of Precision and Recall of class k.
func (t *ConfusionTable) F1(k int) float64 {
	p, r := t.Precision(k), t.Recall(k)
	return 2 * p * r / (p + r)
}

// ROCCurve is a receiver operating characteristic: for every threshold, from
// infinity down through the distinct scores, the fractions of negatives (FPR) and
// of positives (TPR) whose score is at least the threshold.
type ROCCurve struct {
	FPR, TPR, Threshold  []float64
	Positives, Negatives int
	// AUC is the area under the curve, the probability that a positive has a
	// higher score than a negative, ties counting one half. StdErr is its
	// standard error.
	AUC, StdErr float64
}

// ROC returns the curve of the probability of the second class on the rows of d,
// whose classes must be the two of f (ErrLabels). Weights do not count.
func ROC(f Classifier, d *Design) (*ROCCurve, error) {
	positive, score, err := binaryScores(f, d)
	if err != nil {
		return nil, err
	}
	return NewROC(score, positive)
}

// binaryScores returns which rows of d are of the second class, and its
// probability for each.
func binaryScores(f Classifier, d *Design) (positive []bool, score []float64, err error) {
	if err := args.Given("the classifier", f); err != nil {
		return nil, nil, err
	}
	classes := f.Classes()
	if len(classes) != 2 {
		return nil, nil, fmt.Errorf("%w: the fit has %d classes, and two are wanted", ErrLabels, len(classes))
	}
	index, err := d.classIndices(classes)
	if err != nil {
		return nil, nil, err
	}
	p, err := f.ClassProb(d)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range index {
		positive = append(positive, k == 1)
	}
	return positive, mat.Col(nil, 1, p), nil
}

// NewROC returns the curve of scores. The standard error of the area is that of
// DeLong, DeLong and Clarke-Pearson (Biometrics 44 (1988), 837-845, eq. 5 and 6):
// with V_i the fraction of negatives below positive i and V_j the fraction of
// positives above negative j, ties counting one half,
//
//	var(AUC) = var(V_i)/m + var(V_j)/n
//
// for m positives and n negatives; it is NaN if there is only one of either.
// Errors: ErrShape if lengths differ, ErrNotFinite for a score that is NaN,
// ErrLabels if there are no positives or no negatives.
func NewROC(score []float64, positive []bool) (*ROCCurve, error) {
	if len(score) != len(positive) {
		return nil, fmt.Errorf("%w: %d scores of %d rows", ErrShape, len(score), len(positive))
	}
	return newROC(score, positive, func(int) float64 { return 1 })
}

// newROC is NewROC of rows that count as often as their weight says.
func newROC(score []float64, positive []bool, weight func(i int) float64) (*ROCCurve, error) {
	r := &ROCCurve{}
	var order []int
	var m, n float64 // positives and negatives
	for i, s := range score {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("%w: the score of row %d is NaN", ErrNotFinite, i+1)
		}
		switch w := weight(i); {
		case w == 0:
			continue
		case positive[i]:
			r.Positives++
			m += w
		default:
			r.Negatives++
			n += w
		}
		order = append(order, i)
	}
	if r.Positives == 0 || r.Negatives == 0 {
		return nil, fmt.Errorf("%w: %d positives and %d negatives; a curve needs both", ErrLabels, r.Positives, r.Negatives)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) }) // descending
	r.FPR, r.TPR, r.Threshold = []float64{0}, []float64{0}, []float64{math.Inf(1)}
	var tp, fp float64      // with scores above the ones looked at
	var above, below spread // V_j and V_i
	for len(order) > 0 {
		s := score[order[0]]
		var p, f float64 // of this score
		for len(order) > 0 && score[order[0]] == s {
			if positive[order[0]] {
				p += weight(order[0])
			} else {
				f += weight(order[0])
			}
			order = order[1:]
		}
		below.add(p, (n-fp-f/2)/n)
		above.add(f, (tp+p/2)/m)
		tp += p
		fp += f
		r.FPR, r.TPR, r.Threshold = append(r.FPR, fp/n), append(r.TPR, tp/m), append(r.Threshold, s)
	}
	r.AUC = below.sum / m
	r.StdErr = math.Sqrt(below.variance(r.AUC)/m + above.variance(r.AUC)/n)
	return r, nil
}

// spread are the values of a sample, with how often they occur.
type spread struct {
	count, value []float64
	n, sum       float64
}

func (s *spread) add(count, value float64) {
	s.count, s.value = append(s.count, count), append(s.value, value)
	s.n += count
	s.sum += count * value
}

func (s *spread) variance(mean float64) float64 {
	var ss float64
	for k, v := range s.value {
		ss += s.count[k] * gram.Square(v-mean)
	}
	return ss / (s.n - 1)
}

// ConfInt returns normal limits of the area at the given level (ErrSetting if not
// between 0 and 1), cut off at 0 and 1. The Term is "AUC".
func (r *ROCCurve) ConfInt(level float64) (Interval, error) {
	if err := fault.Level(level); err != nil {
		return Interval{}, err
	}
	q := dist.TQuantile(1-level, math.Inf(1))
	return Interval{"AUC", math.Max(r.AUC-q*r.StdErr, 0), math.Min(r.AUC+q*r.StdErr, 1), level}, nil
}

// CalibrationRow is a group of rows with similar probabilities of the second
// class: N rows with probabilities from Lower to Upper and mean MeanProb. Fraction is
// the fraction of these rows in that class. StdErr is the standard deviation of
// Fraction if the probabilities are true, sqrt(sum p (1-p))/N.
type CalibrationRow struct {
	Lower, Upper               float64
	N                          int
	MeanProb, Fraction, StdErr float64
}

// Calibration sorts the rows of d by their probability of the second of two
// classes and cuts them into the given number of groups, of about equal size. Rows
// with equal probability stay together. The number of groups is between 1 and the
// number of rows (ErrSetting).
func Calibration(f Classifier, d *Design, groups int) (report.Rows[CalibrationRow], error) {
	positive, p, err := binaryScores(f, d)
	if err != nil {
		return nil, err
	}
	return NewCalibration(p, positive, groups)
}

// NewCalibration does what Calibration does, for any statements "true with probability
// p" once it is known which came true, such as inclusion probabilities of a simulation.
// Errors: ErrShape if lengths differ, ErrSetting for the number of groups or for a
// probability, whose number it gives, that is not between 0 and 1.
func NewCalibration(p []float64, came []bool, groups int) (report.Rows[CalibrationRow], error) {
	if len(p) != len(came) {
		return nil, fmt.Errorf("%w: %d probabilities and %d outcomes", ErrShape, len(p), len(came))
	}
	if groups < 1 || groups > len(p) {
		return nil, fmt.Errorf("%w: %d groups of %d rows", ErrSetting, groups, len(p))
	}
	for i, v := range p {
		if !(v >= 0 && v <= 1) {
			return nil, fmt.Errorf("%w: probability %d is %v", ErrSetting, i+1, v)
		}
	}
	order := gram.NumbersTo(len(p))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	var rows []CalibrationRow
	start := 0
	for g := range groups {
		end := max(start, (g+1)*len(p)/groups)
		for end > start && end < len(p) && p[order[end]] == p[order[end-1]] {
			end++
		}
		if end == start {
			continue
		}
		r := CalibrationRow{Lower: p[order[start]], Upper: p[order[end-1]], N: end - start}
		var variance float64
		for _, i := range order[start:end] {
			r.MeanProb += p[i]
			variance += p[i] * (1 - p[i])
			if came[i] {
				r.Fraction++
			}
		}
		r.MeanProb /= float64(r.N)
		r.Fraction /= float64(r.N)
		r.StdErr = math.Sqrt(variance) / float64(r.N)
		rows = append(rows, r)
		start = end
	}
	return rows, nil
}

// BrierScore returns the mean over the rows of d of sum_k (p_k - 1[class is k])^2
// over the two or more classes; for two classes it is twice the mean of
// (y - p)^2. Weights do not count. Errors: as Confusion. (Brier, Monthly
// Weather Review 78 (1950), 1-3.)
func BrierScore(f Classifier, d *Design) (float64, error) {
	if err := args.Given("the classifier", f); err != nil {
		return 0, err
	}
	index, err := d.classIndices(f.Classes())
	if err != nil {
		return 0, err
	}
	p, err := f.ClassProb(d)
	if err != nil {
		return 0, err
	}
	var sum float64
	for i, k := range index {
		for c, v := range p.RawRowView(i) {
			if c == k {
				v = v - 1
			}
			sum += v * v
		}
	}
	return sum / float64(len(index)), nil
}

// Describe returns a row for each class, with a column for each class that its rows
// are put in.
func (c *ConfusionTable) Describe() *report.Table {
	t := &report.Table{Title: "Rows by class and the class they are put in", Columns: []report.Column{report.TextColumn("class", c.Classes...)}}
	classes := gram.NumbersTo(len(c.Classes))
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

// Tabulate returns a row for each group of similar probability.
func (CalibrationRow) Tabulate(r []CalibrationRow) *report.Table {
	column := func(name string, f func(CalibrationRow) float64) report.Column { return tables.Decimal(name, r, 4, f) }
	return tables.Rows("Calibration: groups of similar probability",
		column("from", func(r CalibrationRow) float64 { return r.Lower }),
		column("to", func(r CalibrationRow) float64 { return r.Upper }),
		tables.Int("n", r, func(r CalibrationRow) int { return r.N }),
		column("mean probability", func(r CalibrationRow) float64 { return r.MeanProb }),
		column("fraction", func(r CalibrationRow) float64 { return r.Fraction }),
		column(format.StdErr, func(r CalibrationRow) float64 { return r.StdErr }))
}

// String writes the group as text.
func (r CalibrationRow) String() string { return report.Rows[CalibrationRow]{r}.String() }

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
	lower, upper := format.Limits(limits.Level, "")
	return tables.Line(line, prob("AUC", r.AUC), prob(format.StdErr, r.StdErr), prob(lower, limits.Lower), prob(upper, limits.Upper),
		report.IntColumn("positives", r.Positives), report.IntColumn("negatives", r.Negatives))
}

// String writes the area under the curve in a line.
func (r *ROCCurve) String() string { return r.Describe().String() }
