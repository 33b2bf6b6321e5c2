package mlreg

import (
	"fmt"
	"math"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/glm"
)

// GLMFamily is the distribution of the response of a generalized linear model: how its
// variance depends on its mean mu,
//
//	Var y = phi V(mu)/w,
//
// with the dispersion phi and the weight w of the row, 1 unless given.
type GLMFamily int

const (
	// Poisson is for counts: V = mu, phi = 1. Its canonical link is LogLink.
	Poisson GLMFamily = iota + 1
	// Binomial is for shares of successes y = k/m of m trials, which the weight of the
	// row counts, and for two classes: V = mu (1-mu), phi = 1. Its canonical link is
	// LogitLink.
	Binomial
	// Gamma is for positive responses whose standard deviation is in proportion to the
	// mean: V = mu^2, phi is estimated. Its canonical link is ReciprocalLink.
	Gamma
	// InverseGaussian is for positive responses with long tails: V = mu^3, phi is
	// estimated. Its canonical link is ReciprocalSquareLink.
	InverseGaussian
	// QuasiPoisson has the V of Poisson and an estimated phi; counts may be fractions.
	QuasiPoisson
	// QuasiBinomial has the V of Binomial and an estimated phi; the numbers of successes
	// may be fractions.
	QuasiBinomial
)

// families are the names, and what they are for the estimates.
var families = map[GLMFamily]struct {
	name string
	kind glm.Kind
	phi  bool // is estimated
}{
	Poisson:         {"Poisson", glm.Poisson, false},
	Binomial:        {"binomial", glm.Binomial, false},
	Gamma:           {"gamma", glm.Gamma, true},
	InverseGaussian: {"inverse Gaussian", glm.InverseGaussian, true},
	QuasiPoisson:    {"quasi-Poisson", glm.Poisson, true},
	QuasiBinomial:   {"quasi-binomial", glm.Binomial, true},
}

// String returns the name of the family.
func (f GLMFamily) String() string {
	if name := families[f].name; name != "" {
		return name
	}
	return fmt.Sprintf("GLMFamily(%d)", int(f))
}

// CanonicalLink returns the default link of the family, 0 for none of the families.
func (f GLMFamily) CanonicalLink() Link {
	if f.check() != nil {
		return 0
	}
	return Link(f.kind().Canonical())
}

// Variance returns V(mu), NaN for none of the families.
func (f GLMFamily) Variance(mu float64) float64 {
	if f.check() != nil {
		return math.NaN()
	}
	return f.kind().Variance(mu)
}

// Deviance returns the deviance of a response y of mean mu and weight 1: twice the
// log-likelihood that y would have at its own mean, less that at mu, for a dispersion
// of 1. It is a loss of CVSettings:
//
//	&mlreg.CVSettings{Loss: mlreg.Poisson.Deviance}
//
// It is infinite for a mean that the family does not have, and NaN for none of the
// families.
func (f GLMFamily) Deviance(y, mu float64) float64 {
	if f.check() != nil {
		return math.NaN()
	}
	k := f.kind()
	if !k.Contains(mu) {
		return math.Inf(1)
	}
	return 2 * k.HalfDeviance(y, mu)
}

func (f GLMFamily) kind() glm.Kind         { return families[f].kind }
func (f GLMFamily) with(l Link) glm.Family { return glm.Family{Kind: f.kind(), Link: glm.Link(l)} }
func (f GLMFamily) estimated() bool        { return families[f].phi }

// modelOf names a generalized linear model.
func modelOf(family GLMFamily, link Link) string {
	return fmt.Sprintf("the %v family with the %v link", family, link)
}

// quasi tells whether the family has no likelihood.
func (f GLMFamily) quasi() bool { return f == QuasiPoisson || f == QuasiBinomial }

func (f GLMFamily) check() error {
	if _, ok := families[f]; !ok {
		return fmt.Errorf("%w: %v is none of the families, Poisson to QuasiBinomial", ErrSetting, f)
	}
	return nil
}

// Link is the function g of the mean that is linear in the terms, g(mu) = eta.
type Link int

const (
	// LogLink is eta = log mu: coefficients are logarithms of factors.
	LogLink Link = iota + 1
	// LogitLink is eta = log(mu/(1-mu)).
	LogitLink
	// ReciprocalLink is eta = 1/mu, R's inverse.
	ReciprocalLink
	// IdentityLink is eta = mu.
	IdentityLink
	// SqrtLink is eta = sqrt(mu).
	SqrtLink
	// ProbitLink is the standard normal quantile of mu.
	ProbitLink
	// CLogLogLink is eta = log(-log(1-mu)).
	CLogLogLink
	// ReciprocalSquareLink is eta = 1/mu^2, R's 1/mu^2.
	ReciprocalSquareLink
)

var linkNames = map[Link]string{
	LogLink: "log", LogitLink: "logit", ReciprocalLink: "reciprocal", IdentityLink: "identity", SqrtLink: "square root",
	ProbitLink: "probit", CLogLogLink: "complementary log-log", ReciprocalSquareLink: "reciprocal square",
}

// String returns the name of the link.
func (l Link) String() string {
	if name := linkNames[l]; name != "" {
		return name
	}
	return fmt.Sprintf("Link(%d)", int(l))
}

// linksOf are the links that go with a family.
var linksOf = map[glm.Kind][]Link{
	glm.Poisson:         {LogLink, IdentityLink, SqrtLink},
	glm.Binomial:        {LogitLink, ProbitLink, CLogLogLink, LogLink, IdentityLink},
	glm.Gamma:           {ReciprocalLink, LogLink, IdentityLink},
	glm.InverseGaussian: {ReciprocalSquareLink, LogLink, ReciprocalLink, IdentityLink},
}

// linked returns the family with a link, of which 0 is the canonical one.
func (f GLMFamily) linked(l Link) (glm.Family, error) {
	if err := f.check(); err != nil {
		return glm.Family{}, err
	}
	if l == 0 {
		l = f.CanonicalLink()
	}
	for _, known := range linksOf[f.kind()] {
		if l == known {
			return f.with(l), nil
		}
	}
	return glm.Family{}, fmt.Errorf("%w: the %v family does not go with the %v link, but with %v", ErrSetting, f, l, linksOf[f.kind()])
}

// limited tells whether some linear predictors have no mean by the link.
func (f GLMFamily) limited(l Link) bool {
	switch l {
	case ReciprocalLink, IdentityLink, SqrtLink, ReciprocalSquareLink:
		return true
	}
	return l == LogLink && f.kind() == glm.Binomial
}

// responses checks the design before a fit, and returns the responses: numbers, or
// 1 for the second of two classes and 0 for the first. It names the row of a response
// that the family does not have.
func (f GLMFamily) responses(d *Design) ([]float64, error) {
	if err := d.checkTraining(); err != nil {
		return nil, err
	}
	if err := d.checkResponse(); err != nil {
		return nil, err
	}
	if d.Classes != nil {
		if err := f.checkClasses(d); err != nil {
			return nil, err
		}
		_, y, err := d.binaryLabels()
		return y, err
	}
	var r responseSums
	if err := f.addResponses(d, &r); err != nil {
		return nil, err
	}
	return d.Y, f.checkBoundary(&r, d.Response)
}

// checkClasses refuses classes of families of numbers.
func (f GLMFamily) checkClasses(d *Design) error {
	if f.kind() != glm.Binomial {
		return fmt.Errorf("%w: response %q has the classes %s, and the %v family is of numbers", ErrLabels, d.Response, format.Quoted(d.Classes), f)
	}
	return nil
}

// responseSums are what is to be known of all responses that are numbers.
type responseSums struct {
	rows   int     // so far
	w, sum float64 // of weights, and of weighted responses
	others bool    // some are not 1
}

// addResponses checks the numbers of a design and adds them. It names the row of one that
// the family does not have.
func (f GLMFamily) addResponses(d *Design, r *responseSums) error {
	for i, y := range d.Y {
		w := d.Weight(i)
		if w == 0 {
			continue
		}
		if err := f.checkValue(y, w); err != nil {
			return fmt.Errorf("%w: response %q is %v in row %d%s", ErrSetting, d.Response, y, d.rowAfter(i, r.rows), err)
		}
		r.w += w
		r.sum += w * y
		r.others = r.others || y != 1
	}
	r.rows += d.NObs()
	return nil
}

// checkBoundary refuses responses whose mean is at the boundary.
func (f GLMFamily) checkBoundary(r *responseSums, response string) error {
	switch {
	case r.sum == 0:
		return fmt.Errorf("%w: every response %q is 0, so that the estimate of their mean is 0, at the boundary", ErrBoundary, response)
	case !r.others && f.kind() == glm.Binomial:
		return fmt.Errorf("%w: every response %q is 1, so that the estimate of their mean is 1, at the boundary", ErrBoundary, response)
	}
	return nil
}

// checkValue says what is wrong with a response y of weight w.
func (f GLMFamily) checkValue(y, w float64) error {
	switch kind := f.kind(); {
	case kind == glm.Poisson && y < 0:
		return fmt.Errorf("; counts are not negative")
	case f == Poisson && y != math.Trunc(y):
		return fmt.Errorf("; counts are whole numbers; QuasiPoisson takes fractions, and an exposure is an offset log(t)")
	case kind == glm.Binomial && !(y >= 0 && y <= 1):
		return fmt.Errorf("; a share of successes is between 0 and 1; a formula takes counts as cbind(yes, no)")
	case f == Binomial && y > 0 && y < 1 && math.Abs(w*y-math.Round(w*y)) > 1e-6*math.Max(1, w*y):
		return fmt.Errorf(", and its weight %v, the number of trials, so that %v of them are successes; QuasiBinomial takes fractions", w, w*y)
	case (kind == glm.Gamma || kind == glm.InverseGaussian) && !(y > 0):
		return fmt.Errorf("; the %v family is of positive responses", f)
	}
	return nil
}

// saturated returns what the log-likelihood of the responses is at their own means, for
// a dispersion of 1 if it is estimated, in parts: the sum of what does not depend on
// the dispersion.
func (f GLMFamily) saturated(y, weights []float64) float64 {
	var sum float64
	for i, v := range y {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		if w > 0 {
			sum += f.ownLogLik(v, w)
		}
	}
	return sum
}

// ownLogLik is w times the log-likelihood of a response at its own mean, up to what
// depends on the dispersion.
func (f GLMFamily) ownLogLik(y, w float64) float64 {
	xlogx := func(v float64) float64 {
		if v == 0 {
			return 0
		}
		return v * math.Log(v)
	}
	lgamma := func(v float64) float64 {
		l, _ := math.Lgamma(v)
		return l
	}
	switch f {
	case Poisson:
		return w * (xlogx(y) - y - lgamma(y+1))
	case Binomial:
		if y == 0 || y == 1 {
			return 0
		}
		k := math.Round(w * y)
		return lgamma(w+1) - lgamma(k+1) - lgamma(w-k+1) + w*(xlogx(y)+xlogx(1-y))
	case Gamma:
		return -w * math.Log(y)
	case InverseGaussian:
		return -1.5 * w * math.Log(y)
	}
	return math.NaN()
}

// logLik returns the log-likelihood of w observations whose own part is given, of the
// half deviance loss, at dispersion phi.
func (f GLMFamily) logLik(own, loss, w, phi float64) float64 {
	switch f {
	case Gamma:
		a := 1 / phi
		l, _ := math.Lgamma(a)
		return own + w*(a*math.Log(a)-a-l) - a*loss
	case InverseGaussian:
		return own - w/2*math.Log(2*math.Pi*phi) - loss/phi
	}
	return own - loss
}

// title is the name at the beginning of a sentence.
func (f GLMFamily) title() string { return strings.ToUpper(f.String()[:1]) + f.String()[1:] }
