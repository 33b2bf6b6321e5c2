package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// NaiveBayesSettings are the options of FitNaiveBayes.
type NaiveBayesSettings struct {
	// Prior are the prior probabilities of the classes, in the order of
	// Classes; they are divided by their sum. Nil takes the fractions of the
	// rows.
	Prior []float64
}

// NaiveBayes is a Bernoulli naive Bayes classifier: features are present (1) or
// not (0), independently of each other given the class. It holds no data and
// does not change.
type NaiveBayes struct {
	stored[NaiveBayes, naiveBayesState]
}

type naiveBayesState struct {
	L         linearState // in raw units, without coefficients
	Classes   []string
	N         int
	Smoothing float64
	Prior     []float64
	P         []float64   // q x p: probability of a feature in a class
	Not       []float64   // q x p: 1 - P, to all its digits
	Rows      []float64   // q: sum of weights; nil if parameters were given
	Counts    [][]float64 // q x p, of rows with the feature; nil likewise
}

// FitNaiveBayes estimates
//
//	P(class k) = n_k/n,   P(x_j = 1 | class k) = (n_jk + a)/(n_k + 2a)
//
// from the number n_k of rows of class k and the number n_jk of those that have
// feature j, with a smoothing a >= 0: the posterior means under Beta(a, a) priors.
// a = 1 is Laplace's rule, a = 0 the empirical fractions, the
// maximum-likelihood estimate: a single word can then make a row impossible in a
// class; see LogJoint and Culprits. Weights count rows, and one of weight zero may have any
// features.
//
// Every value of X must be 0 or 1, in raw units; Presence converts other values.
// The response has two or more classes: indices of Classes, or numeric labels.
//
// Nil settings are the defaults. Errors: ErrNoData, ErrShape, ErrNotFinite,
// ErrSetting (smoothing, priors, and a value other than 0 and 1, which is
// named), ErrLabels (one class only, or one without rows).
//
// Murphy, Machine Learning: A Probabilistic Perspective, section 3.5.
func FitNaiveBayes(d *Design, smoothing float64, settings *NaiveBayesSettings) (*NaiveBayes, error) {
	if !(smoothing >= 0) || math.IsInf(smoothing, 0) {
		return nil, fmt.Errorf("%w: smoothing = %v; it is finite and not negative", ErrSetting, smoothing)
	}
	if err := d.checkTraining(); err != nil {
		return nil, err
	}
	if err := d.refuseOffset("naive Bayes"); err != nil {
		return nil, err
	}
	if len(d.Names) == 0 {
		return nil, errNoTerms
	}
	classes, index, err := d.manyLabels()
	if err != nil {
		return nil, err
	}
	f := &NaiveBayes{store[NaiveBayes](naiveBayesState{
		L: linearState{header: d.header()}, Classes: classes, N: d.PositiveRows(), Smoothing: smoothing,
	})}
	f.s.L.Scaling = nil
	x, err := f.features(d.positive())
	if err != nil {
		return nil, err
	}
	q, p := len(classes), len(d.Names)
	f.s.Rows, f.s.Counts = make([]float64, q), make([][]float64, q)
	for k := range q {
		f.s.Counts[k] = make([]float64, p)
	}
	row := 0 // of positive weight
	for i, k := range index {
		w := d.Weight(i)
		if w == 0 {
			continue
		}
		f.s.Rows[k] += w
		for j, v := range x.RawRowView(row) {
			f.s.Counts[k][j] += w * v
		}
		row++
	}
	f.s.P, f.s.Not = make([]float64, q*p), make([]float64, q*p)
	for k, counts := range f.s.Counts {
		for j, c := range counts {
			f.s.P[k*p+j] = (c + smoothing) / (f.s.Rows[k] + 2*smoothing)
			f.s.Not[k*p+j] = (f.s.Rows[k] - c + smoothing) / (f.s.Rows[k] + 2*smoothing)
		}
	}
	prior := f.s.Rows
	if settings != nil && settings.Prior != nil {
		prior = settings.Prior
	}
	return valid(f, f.setPrior(prior))
}

// NewNaiveBayes returns the classifier with the given parameters: prior
// probabilities of the q classes, divided by their sum, and the q x p
// probabilities of the features in the classes. Errors: ErrShape, ErrSetting.
func NewNaiveBayes(classes, names []string, prior []float64, prob mat.Matrix) (*NaiveBayes, error) {
	if err := args.Given("the matrix of the probabilities", prob); err != nil {
		return nil, err
	}
	q, p := prob.Dims()
	if q != len(classes) || p != len(names) || q < 2 {
		return nil, fmt.Errorf("%w: probabilities are %d x %d for %d classes, two at least, and %d features", ErrShape, q, p, len(classes), len(names))
	}
	f := &NaiveBayes{store[NaiveBayes](naiveBayesState{
		L: linearState{header: header{Names: slices.Clone(names), Response: "class"}}, Classes: slices.Clone(classes),
		P: make([]float64, q*p), Not: make([]float64, q*p),
	})}
	for k := range q {
		for j := range p {
			v := prob.At(k, j)
			if !(v >= 0 && v <= 1) {
				return nil, fmt.Errorf("%w: the probability of %q in class %q is %v", ErrSetting, names[j], classes[k], v)
			}
			f.s.P[k*p+j], f.s.Not[k*p+j] = v, 1-v
		}
	}
	return valid(f, f.setPrior(prior))
}

func (f *NaiveBayes) setPrior(prior []float64) error {
	if len(prior) != len(f.s.Classes) {
		return fmt.Errorf("%w: %d prior probabilities of %d classes", ErrShape, len(prior), len(f.s.Classes))
	}
	f.s.Prior = slices.Clone(prior)
	for k, v := range prior {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: the prior probability of class %q is %v", ErrSetting, f.s.Classes[k], v)
		}
	}
	sum := floats.Sum(f.s.Prior)
	if !(sum > 0) {
		return fmt.Errorf("%w: the prior probabilities sum to %v", ErrSetting, sum)
	}
	floats.Scale(1/sum, f.s.Prior)
	return nil
}

// Presence returns the design with 1 for every value that is above the threshold in
// raw units, and 0 for the others. It turns word counts or frequencies into a bag of
// words. Errors: as Check.
func (d *Design) Presence(threshold float64) (*Design, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	raw, err := d.Rescale(nil)
	if err != nil {
		return nil, err
	}
	x := algebra.NewDense(raw.NObs(), raw.NTerms())
	for i := range raw.NObs() {
		for j := range raw.NTerms() {
			if v := raw.doubleColumns().at(i, j); v.Hi > threshold || v.Hi == threshold && v.Lo > 0 {
				x.Set(i, j, 1)
			}
		}
	}
	present := raw.withColumns(doubleColumns{hi: x})
	present.Coding = d.Coding.WithRecipe("", nil)
	return present, nil
}

// features returns the columns of f in raw units, and refuses what is not 0 or 1.
func (f *NaiveBayes) features(d *Design) (*mat.Dense, error) {
	x, err := f.s.L.rows(d)
	if err != nil {
		return nil, err
	}
	n, _ := x.Dims()
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 && v != 1 {
				return nil, fmt.Errorf("%w: feature %q is %v in row %d; features are 0 or 1, see Design.Presence", ErrSetting, f.s.L.Names[j], v, d.RowNumber(i))
			}
		}
	}
	return x, nil
}

// Classes returns the names of the q classes.
func (f *NaiveBayes) Classes() []string { return slices.Clone(f.s.Classes) }

// Names returns the names of the p features.
func (f *NaiveBayes) Names() []string { return slices.Clone(f.s.L.Names) }

// Prior returns the prior probabilities of the classes.
func (f *NaiveBayes) Prior() []float64 { return slices.Clone(f.s.Prior) }

// Prob returns the probabilities of the features in the classes, q x p.
func (f *NaiveBayes) Prob() *mat.Dense {
	return mat.NewDense(len(f.s.Classes), len(f.s.L.Names), slices.Clone(f.s.P))
}

// Smoothing returns the smoothing.
func (f *NaiveBayes) Smoothing() float64 { return f.s.Smoothing }

// NObs returns the number of rows fitted; rows of weight zero do not count.
func (f *NaiveBayes) NObs() int { return f.s.N }

// Coding returns how the features of the design were computed, nil if they were
// given.
func (f *NaiveBayes) Coding() *Coding { return f.s.L.Coding }

// Response returns the name of the response, "" after NewNaiveBayes.
func (f *NaiveBayes) Response() string { return f.s.L.Response }

// Parameters returns the number of parameters, q p + q - 1.
func (f *NaiveBayes) Parameters() int { return len(f.s.P) + len(f.s.Prior) - 1 }

// LogJoint returns, for every row of d and every class (n x q),
//
//	log P(class) + sum_j log P(x_j | class),
//
// which is -Inf if the class makes a value of the row impossible. It is a sum of
// logarithms because the product underflows for some thousand features. The error
// names a missing feature (ErrShape) or a value that is not 0 or 1 (ErrSetting).
func (f *NaiveBayes) LogJoint(d *Design) (*mat.Dense, error) {
	x, err := f.features(d)
	if err != nil {
		return nil, err
	}
	n, p := x.Dims()
	q := len(f.s.Classes)
	logP, logNot := logs(f.s.P), logs(f.s.Not)
	out := mat.NewDense(n, q, nil)
	for i := range n {
		row := x.RawRowView(i)
		for k := range q {
			sum := math.Log(f.s.Prior[k])
			present, absent := logP[k*p:(k+1)*p], logNot[k*p:(k+1)*p]
			for j, v := range row {
				if v == 1 {
					sum += present[j]
				} else {
					sum += absent[j]
				}
			}
			out.Set(i, k, sum)
		}
	}
	return out, nil
}

func logs(v []float64) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Log(x)
	}
	return out
}

// LogProb returns the logarithms of the posterior probabilities of the classes,
// n x q. A row that is impossible in every class is an error (ErrImpossible) that
// names the row and the reason; a smoothing above 0 prevents it.
func (f *NaiveBayes) LogProb(d *Design) (*mat.Dense, error) {
	joint, err := f.LogJoint(d)
	if err != nil {
		return nil, err
	}
	n, _ := joint.Dims()
	for i := range n {
		row := joint.RawRowView(i)
		total := floats.LogSumExp(row)
		if math.IsInf(total, -1) {
			return nil, f.impossible(d, i)
		}
		floats.AddConst(-total, row)
	}
	return joint, nil
}

// impossible says why row i of d has probability zero.
func (f *NaiveBayes) impossible(d *Design, i int) error {
	culprits, err := f.Culprits(d, i)
	if err != nil {
		return err
	}
	var why []string
	for k, class := range f.s.Classes {
		first := slices.IndexFunc(culprits, func(c Culprit) bool { return c.Class == class })
		switch {
		case f.s.Prior[k] == 0:
			why = append(why, fmt.Sprintf("class %q has prior 0", class))
		case culprits[first].Present:
			why = append(why, fmt.Sprintf("in class %q the feature %q never occurs, and it is present", class, culprits[first].Term))
		default:
			why = append(why, fmt.Sprintf("in class %q the feature %q always occurs, and it is absent", class, culprits[first].Term))
		}
	}
	return fmt.Errorf("%w: row %d: %s; fit with a smoothing above 0", ErrImpossible, i+1, strings.Join(why, "; "))
}

// Culprit is a feature whose value in a row is impossible in a class.
type Culprit struct {
	Class, Term string
	Present     bool // its value in the row
}

// Culprits returns, by class, the features of row i of d, counted from 0, whose
// values have probability zero in that class: they make LogJoint -Inf. It panics if
// row i does not exist.
func (f *NaiveBayes) Culprits(d *Design, i int) (report.Rows[Culprit], error) {
	x, err := f.features(d)
	if err != nil {
		return nil, err
	}
	var out []Culprit
	row := x.RawRowView(i)
	for k, class := range f.s.Classes {
		for j, v := range row {
			if f.value(k, j, v) == 0 {
				out = append(out, Culprit{class, f.s.L.Names[j], v == 1})
			}
		}
	}
	return out, nil
}

// value returns P(x_j = v | class k).
func (f *NaiveBayes) value(k, j int, v float64) float64 {
	if v == 1 {
		return f.s.P[k*len(f.s.L.Names)+j]
	}
	return f.s.Not[k*len(f.s.L.Names)+j]
}

// ClassProb returns the posterior probabilities of the classes, n x q. Errors: as
// LogProb.
func (f *NaiveBayes) ClassProb(d *Design) (*mat.Dense, error) {
	p, err := f.LogProb(d)
	if err != nil {
		return nil, err
	}
	p.Apply(func(_, _ int, v float64) float64 { return math.Exp(v) }, p)
	return p, nil
}

// LogLikRows returns w log P(class of the row | x), natural logarithm, for every
// row of d.
func (f *NaiveBayes) LogLikRows(d *Design) ([]float64, error) {
	p, err := f.LogProb(d)
	if err != nil {
		return nil, err
	}
	return classLogLik(d, f.s.Classes, p)
}

// Feature says how much a feature tells about a class: LogOdds is the logarithm
// of the ratio of its odds in the class to its odds in the other classes, where
// its probabilities are InClass and Elsewhere.
type Feature struct {
	Term               string
	LogOdds            float64
	InClass, Elsewhere float64
}

// Informative returns the count features with the largest |LogOdds| for a class, the
// largest first, or all features if there are fewer. Elsewhere is the probability in
// the other classes together, with the same smoothing. Without smoothing a ratio may
// be infinite. The error names an unknown class.
func (f *NaiveBayes) Informative(class string, count int) (report.Rows[Feature], error) {
	c := slices.Index(f.s.Classes, class)
	if c < 0 {
		return nil, fmt.Errorf("%w: no class %q among %s", ErrLabels, class, format.Quoted(f.s.Classes))
	}
	features := make([]Feature, len(f.s.L.Names))
	for j, name := range f.s.L.Names {
		in, out := f.value(c, j, 1), f.elsewhere(c, j, 1)
		odds := math.Log(in) - math.Log(f.value(c, j, 0)) - math.Log(out) + math.Log(f.elsewhere(c, j, 0))
		if math.IsNaN(odds) || in == out { // impossible or certain in all classes
			odds = 0
		}
		features[j] = Feature{name, odds, in, out}
	}
	slices.SortStableFunc(features, func(a, b Feature) int { return cmp.Compare(math.Abs(b.LogOdds), math.Abs(a.LogOdds)) })
	return features[:min(max(count, 0), len(features))], nil
}

// elsewhere returns P(x_j = v | not class c).
func (f *NaiveBayes) elsewhere(c, j int, v float64) float64 {
	var count, rows, prior, mixed float64
	for k := range f.s.Classes {
		if k == c {
			continue
		}
		if len(f.s.Classes) == 2 {
			return f.value(k, j, v)
		}
		prior += f.s.Prior[k]
		mixed += f.s.Prior[k] * f.value(k, j, v)
		if f.s.Counts != nil {
			rows += f.s.Rows[k]
			count += f.s.Counts[k][j]
		}
	}
	if f.s.Counts == nil {
		return mixed / prior
	}
	if v == 0 {
		count = rows - count
	}
	return (count + f.s.Smoothing) / (rows + 2*f.s.Smoothing)
}

// Evidence is what a feature of a row says about two classes:
//
//	LogRatio = log P(x_j | second) - log P(x_j | first).
type Evidence struct {
	Term     string
	Present  bool
	LogRatio float64
}

// Explain returns, for row i of d, counted from 0, the contribution of every feature
// to the log odds of the second of two classes, the largest in size first. The
// contributions and the log odds of the priors sum to the log odds of the row. More
// than two classes are an error (ErrLabels). It panics if row i does not exist.
func (f *NaiveBayes) Explain(d *Design, i int) (report.Rows[Evidence], error) {
	if len(f.s.Classes) != 2 {
		return nil, fmt.Errorf("%w: the fit has %d classes, and two are wanted", ErrLabels, len(f.s.Classes))
	}
	x, err := f.features(d)
	if err != nil {
		return nil, err
	}
	out := make([]Evidence, len(f.s.L.Names))
	for j, v := range x.RawRowView(i) {
		out[j] = Evidence{f.s.L.Names[j], v == 1, math.Log(f.value(1, j, v)) - math.Log(f.value(0, j, v))}
	}
	slices.SortStableFunc(out, func(a, b Evidence) int { return cmp.Compare(math.Abs(b.LogRatio), math.Abs(a.LogRatio)) })
	return out, nil
}

// Sample draws synthetic rows: a class from the prior, and then each feature from
// its probability in that class. If class is not empty, all rows are of it. The
// same seed gives the same rows. The error names an unknown class or a count below
// 1.
func (f *NaiveBayes) Sample(count int, class string, src rand.Source) (*Design, error) {
	if count < 1 {
		return nil, fmt.Errorf("%w: %d rows to draw; take 1 or more", ErrSetting, count)
	}
	fixed := slices.Index(f.s.Classes, class)
	if fixed < 0 && class != "" {
		return nil, fmt.Errorf("%w: no class %q among %s", ErrLabels, class, format.Quoted(f.s.Classes))
	}
	if err := checkSample(count, len(f.s.L.Names), src); err != nil {
		return nil, err
	}
	rnd := rand.New(src)
	d := &Design{
		X: mat.NewDense(count, len(f.s.L.Names), nil), Y: make([]float64, count),
		Names: f.Names(), Response: f.s.L.Response, Classes: f.Classes(),
	}
	for i := range count {
		k := fixed
		if k < 0 {
			k = 0
			for u := rnd.Float64(); k < len(f.s.Prior)-1 && u >= f.s.Prior[k]; k++ {
				u -= f.s.Prior[k]
			}
		}
		d.Y[i] = float64(k)
		row := d.X.RawRowView(i)
		for j := range row {
			if rnd.Float64() < f.value(k, j, 1) {
				row[j] = 1
			}
		}
	}
	return d, nil
}

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
	var features report.Rows[Feature]
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

// Tabulate returns a row for each feature.
func (Feature) Tabulate(w []Feature) *report.Table {
	return tables.Rows("Informative features",
		tables.Text("feature", w, func(w Feature) string { return w.Term }),
		tables.Decimal("in the class", w, 4, func(w Feature) float64 { return w.InClass }),
		tables.Decimal("elsewhere", w, 4, func(w Feature) float64 { return w.Elsewhere }),
		oddsOf("log odds ratio", w, func(w Feature) float64 { return w.LogOdds }))
}

// String writes the feature as text.
func (w Feature) String() string { return report.Rows[Feature]{w}.String() }

// presenceText writes the value of a feature.
func presenceText(present bool) string {
	if present {
		return "present"
	}
	return "absent"
}

// Tabulate returns a row for each feature.
func (Evidence) Tabulate(e []Evidence) *report.Table {
	return tables.Rows("Evidence of the features of a row",
		tables.Text("feature", e, func(e Evidence) string { return e.Term }),
		tables.Text("value", e, func(e Evidence) string { return presenceText(e.Present) }),
		oddsOf("adds to the log odds", e, func(e Evidence) float64 { return e.LogRatio }))
}

// String writes the evidence as text.
func (e Evidence) String() string { return report.Rows[Evidence]{e}.String() }

// Tabulate returns a row for each class and feature.
func (Culprit) Tabulate(c []Culprit) *report.Table {
	return tables.Rows("Values that are impossible in a class",
		tables.Text("class", c, func(c Culprit) string { return c.Class }),
		tables.Text("feature", c, func(c Culprit) string { return c.Term }),
		tables.Text("value", c, func(c Culprit) string { return presenceText(c.Present) }))
}

// String writes the feature as text.
func (c Culprit) String() string { return report.Rows[Culprit]{c}.String() }
