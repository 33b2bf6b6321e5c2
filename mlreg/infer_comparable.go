package mlreg

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
)

// The one place that knows which fits compare. Their likelihoods and residuals do, and so AIC,
// BIC and R2, if they are of the same response of the same rows with the same weights
// (sameRows) and all or none are restricted likelihoods, of the same fixed terms
// (otherCriterion). For a test the smaller has to be contained in the larger as well
// (sameModel, containedIn).

// LikelihoodModel is what the likelihood of a fit is of. Fits that have a method
//
//	LikelihoodModel() *LikelihoodModel
//
// are compared by it, in LikelihoodRatioTest and in FitTable.
type LikelihoodModel struct {
	Terms      *Linear  // its terms; nil if they are those of the fit
	Aliased    []string // terms that were left out
	Model      string   // the distribution and the link: models nest in one of the same
	Maximized  string   // what was maximized if it is not the likelihood, "" if it is
	Restricted bool     // it is the restricted likelihood
	// Given are parameters that the likelihood was not maximized over, and their values.
	Given map[string]string
	Vary  []string // coefficients that vary between groups, and where
}

// LinearModel is the Model of noise of Student's t, with its "nu" Given unless it was estimated;
// that of Gaussian noise is "+Inf".
const LinearModel = "a linear model"

// hasLikelihood is a fit that says what its likelihood is of.
type hasLikelihood interface{ LikelihoodModel() *LikelihoodModel }

// headOf returns what a fit knows of its rows, by the terms of its likelihood if it embeds no
// linear predictor; nil if it knows nothing.
func headOf(fit any) *header {
	switch f := fit.(type) {
	case hasRows:
		return f.head()
	case hasLikelihood:
		if terms := f.LikelihoodModel().Terms; terms != nil {
			return terms.head()
		}
	}
	return nil
}

// likelihoodOf is a LikelihoodModel with the terms and rows that it is of.
type likelihoodOf struct {
	*header
	*LikelihoodModel
}

// newLikelihoodOf is that of a fit.
func newLikelihoodOf(fit hasLikelihood) *likelihoodOf {
	l := &likelihoodOf{headOf(fit), fit.LikelihoodModel()}
	if l.Terms != nil {
		l.header = l.Terms.head()
	}
	return l
}

// penalizedBy names a penalty, "" if there is none.
func penalizedBy(name string, weight float64) string {
	if weight > 0 {
		return fmt.Sprintf("the likelihood less a penalty (%s = %v)", name, weight)
	}
	return ""
}

// comparison collects what cannot be told of fits that are compared.
type comparison struct{ notes []string }

func (c *comparison) note(format string, args ...any) {
	if note := fmt.Sprintf(format, args...); !slices.Contains(c.notes, note) {
		c.notes = append(c.notes, note)
	}
}

func (c *comparison) String() string { return strings.Join(c.notes, "; ") }

// sameRows refuses fits of other responses, rows or weights.
func (c *comparison) sameRows(small, large any) error {
	var heads []*header
	for _, fit := range []any{small, large} {
		if head := headOf(fit); head != nil {
			heads = append(heads, head)
		} else {
			c.note("a %T does not say which rows it is of: see that both are of the same response of the same rows", fit)
		}
	}
	if len(heads) == 2 {
		if _, reason := heads[0].differs(heads[1]); reason != "" {
			return fmt.Errorf("%w: %s", ErrShape, reason)
		}
		if heads[0].Observed.N == 0 || heads[1].Observed.N == 0 {
			c.note("the rows of a fit are not known, since it is of sums less an offset or was stored by an earlier version: see that both are of the same")
		}
	}
	type counted interface{ NObs() int }
	a, ok := small.(counted)
	b, too := large.(counted)
	if ok && too && a.NObs() != b.NObs() {
		return fmt.Errorf("%w: %s", ErrShape, otherNumbers(a.NObs(), b.NObs()))
	}
	return nil
}

// likelihoodsOf says what the likelihoods of two fits are of, nil if one does not say.
func likelihoodsOf(small, large any) (a, b *likelihoodOf) {
	f, ok := small.(hasLikelihood)
	g, too := large.(hasLikelihood)
	if !ok || !too {
		return nil, nil
	}
	if a, b = newLikelihoodOf(f), newLikelihoodOf(g); a.header == nil || b.header == nil {
		return nil, nil
	}
	return a, b
}

// otherCriterion says why a restricted likelihood does not compare, "" if it does.
func (l *likelihoodOf) otherCriterion(o *likelihoodOf) string {
	switch {
	case l.Restricted != o.Restricted:
		return "one is by restricted maximum likelihood (REML) and the other is not; fit both by maximum likelihood, hier.Settings.ML"
	case l.Restricted && !l.sameTerms(o):
		return fmt.Sprintf("both are by restricted maximum likelihood (REML), of other fixed terms: %s and %s; fit both by maximum likelihood, hier.Settings.ML",
			l.spell(), o.spell())
	}
	return ""
}

// sameTerms tells whether the columns of two fits span the same likelihood of contrasts.
func (l *likelihoodOf) sameTerms(o *likelihoodOf) bool {
	if l.NoIntercept != o.NoIntercept || len(l.Names) != len(o.Names) {
		return false
	}
	for j, name := range l.Names {
		k := slices.Index(o.Names, name)
		if k < 0 || l.Coding != nil && o.Coding != nil && l.Coding.fingerprint(name) != o.Coding.fingerprint(name) {
			return false
		}
		_, s := l.Scaling.at(j)
		if _, t := o.Scaling.at(k); s != t {
			return false
		}
	}
	return true
}

// spell spells what a fit is of: "1 + lcavol + lweight".
func (h *header) spell() string {
	first := "1"
	if h.NoIntercept {
		first = "0"
	}
	return strings.Join(append([]string{first}, h.Names...), " + ")
}

// sameModel refuses fits that were not by maximum likelihood, or whose models do not nest,
// whatever their terms.
func (c *comparison) sameModel(small, large *likelihoodOf) error {
	for _, l := range []*likelihoodOf{small, large} {
		if l.Maximized != "" {
			return fmt.Errorf("%w: a fit maximizes %s, and not the likelihood", ErrShape, l.Maximized)
		}
	}
	if reason := small.otherCriterion(large); reason != "" {
		return fmt.Errorf("%w: %s", ErrShape, reason)
	}
	if small.Model != large.Model {
		return fmt.Errorf("%w: not nested: the smaller is %s, and the larger %s", ErrShape, small.Model, large.Model)
	}
	for _, name := range slices.Sorted(maps.Keys(large.Given)) {
		value, given := small.Given[name]
		if !given {
			return fmt.Errorf("%w: not nested: the larger is given %s = %s, and the smaller estimates it", ErrShape, name, large.Given[name])
		}
		if value != large.Given[name] {
			return fmt.Errorf("%w: not nested: the smaller is given %s = %s, and the larger %s", ErrShape, name, value, large.Given[name])
		}
	}
	for _, v := range small.Vary {
		if !slices.Contains(large.Vary, v) {
			return fmt.Errorf("%w: not nested: %s in the smaller, and not in the larger", ErrShape, v)
		}
	}
	edge := len(large.Vary) > len(small.Vary)
	if small.Given["nu"] == "+Inf" && large.Given["nu"] != "+Inf" {
		edge = true
	}
	if edge {
		c.note("the smaller is at the edge of the larger (a variance of zero, or nu = +Inf), so that P is too large; hier.TestVariance has the distribution of a variance")
	}
	return nil
}

// containedIn refuses fits of which the smaller has terms that the larger cannot express, as
// far as names and coding tell.
func (c *comparison) containedIn(small, large *likelihoodOf) error {
	coded := large.Coding != nil && len(large.Coding.s.Groups) > 0
	if !small.NoIntercept && large.NoIntercept {
		if !coded {
			return fmt.Errorf("%w: the smaller has an intercept and the larger has none", ErrShape)
		}
		c.note("whether the terms of the larger sum to an intercept, which the smaller has, cannot be told from their names")
	}
	for j, name := range small.Names {
		if slices.Contains(small.Aliased, name) {
			continue
		}
		k := slices.Index(large.Names, name)
		if k < 0 {
			if !small.mayExpress(name, large) {
				return fmt.Errorf("%w: not nested: term %q of the smaller is not among %s", ErrShape, name, format.Quoted(large.Names))
			}
			c.note("whether term %q of the smaller is a combination of those of the larger cannot be told from their names", name)
			continue
		}
		if a, b := small.Coding.fingerprint(name), large.Coding.fingerprint(name); a != b && a != "" && b != "" {
			c.note("term %q has other constants in the smaller than in the larger, so that it may not be contained", name)
		}
		center, _ := small.Scaling.at(j)
		other, _ := large.Scaling.at(k)
		if small.NoIntercept && large.NoIntercept && center != other {
			return fmt.Errorf("%w: not nested: without an intercept, term %q is centered at %v in one and at %v in the other", ErrShape, name, center, other)
		}
	}
	if small.Offset != large.Offset || !small.Observed.Offset.near(large.Observed.Offset) {
		c.note("the offsets differ: see that the larger can have that of the smaller")
	}
	return nil
}

// mayExpress tells whether every variable of a term that the larger fit has not by this name is
// in one of its terms: it may then be a combination of them, as x is of poly(x, 2).
func (l *likelihoodOf) mayExpress(name string, large *likelihoodOf) bool {
	if l.Coding == nil || large.Coding == nil {
		return false
	}
	var others []string
	for _, term := range large.Names {
		others = append(others, identifiers(large.Coding.term(term))...)
	}
	for _, id := range identifiers(l.Coding.term(name)) {
		if !slices.Contains(others, id) {
			return false
		}
	}
	return true
}

// identifiers returns the names of variables in a term, and of functions alike to none.
func identifiers(term string) []string {
	words := strings.FieldsFunc(term, func(r rune) bool { return !(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.') })
	return slices.DeleteFunc(words, func(w string) bool { return !unicode.IsLetter([]rune(w)[0]) || strings.Contains(term, w+"(") })
}

// LikelihoodRatioTest tests a fit against a larger one that contains it, both by
// maximum likelihood of the same observations:
//
//	2 (LogLik(large) - LogLik(small)),
//
// which is chi-squared with the difference of Parameters for its degrees of
// freedom.
//
// The error (ErrShape) names what does not compare: responses by name, or by the mean and
// the standard deviation of their values; numbers of rows, or weights; restricted
// likelihoods (REML) beside likelihoods, or of other fixed terms; a penalty; a family, link,
// noise or parameter that is given; a term that the larger has not; not more parameters, or
// less likelihood. Chi2Test.Note says what cannot be told: whether a term by another name is
// a combination of those of the larger, and all of a Likelihood that is not of this package.
func LikelihoodRatioTest(small, large Likelihood) (Chi2Test, error) {
	if err := args.Given("the small fit", small); err != nil {
		return Chi2Test{}, err
	}
	if err := args.Given("the large fit", large); err != nil {
		return Chi2Test{}, err
	}
	df := large.Parameters() - small.Parameters()
	stat := 2 * (large.LogLik() - small.LogLik())
	var c comparison
	if err := c.sameRows(small, large); err != nil {
		return Chi2Test{}, err
	}
	a, b := likelihoodsOf(small, large)
	if a != nil {
		if err := c.sameModel(a, b); err != nil {
			return Chi2Test{}, err
		}
	}
	if df <= 0 {
		return Chi2Test{}, fmt.Errorf("%w: the fits have %d and %d parameters; put the smaller first", ErrShape, small.Parameters(), large.Parameters())
	}
	if a != nil {
		if err := c.containedIn(a, b); err != nil {
			return Chi2Test{}, err
		}
	}
	if stat != stat {
		return Chi2Test{}, fmt.Errorf("%w: the log-likelihoods are %v and %v", ErrNotEstimable, small.LogLik(), large.LogLik())
	}
	if stat < -1e-9*math.Abs(large.LogLik()) {
		return Chi2Test{}, fmt.Errorf("%w: the larger fit has the smaller likelihood, so the smaller is not contained in it, or one is penalized", ErrShape)
	}
	stat = math.Max(stat, 0)
	return Chi2Test{stat, float64(df), dist.Chi2Upper(stat, float64(df)), c.String()}, nil
}
