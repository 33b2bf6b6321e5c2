package mlreg

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/certify"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// CertifySettings are the options of CertifyModels.
type CertifySettings struct {
	// Always, Groups and Heredity are those of EnumerateSettings.
	Always   []string
	Groups   []TermGroup
	Heredity Heredity
	// Alpha is the probability with which any of the intervals may miss; the default 0
	// is 1e-9.
	Alpha float64
	// Nodes is the number of nodes of the trees; the default 0 is 20,000. More of them
	// make the bounds tighter, and take longer in proportion. The roots, some twenty unless
	// the noise variance is known, are made in any case.
	Nodes int
	// Proposals is the number of subsets that are drawn from the bounds; the default 0 is
	// 2^21. Intervals become narrower as 1/sqrt(Proposals).
	Proposals int
	// Width, if positive, has a pilot choose the least number of proposals, at most
	// Proposals, after which no inclusion probability should have a wider interval. What the
	// pilot drew is thrown away.
	Width float64
	// Memory bounds the memory of the trees, in bytes; the default 0 is 2^30. One that does
	// not hold their roots is an error.
	Memory int
	// Draws is the number of independent draws from the posterior to return, if the
	// proposals give so many.
	Draws int
	// Average also brackets what PairInclusion and Coef return, for at most 200 columns; their
	// intervals share Alpha with the others. A proposal takes about twice the time.
	Average bool
	// Best is the number of the most probable models that were found to return; the
	// default 0 is 10.
	Best int
	// Progress, if not nil, is told of the nodes and proposals done. Its error stops the
	// work; the bounds known by then, which hold with certainty, are returned with it.
	Progress func(done, total float64) error
}

// Bracket is a number between two limits. Estimate is NaN where no draws were made and the
// limits are apart.
type Bracket struct{ Lower, Estimate, Upper float64 }

// Describe returns the three numbers as a line.
func (b Bracket) Describe() *report.Table {
	number := func(v float64) string { return format.Number(v, 6) }
	lower, upper := format.Limits(0, "") // see CertifySettings.Alpha
	return tables.Line(fmt.Sprintf("%s, between %s and %s", number(b.Estimate), number(b.Lower), number(b.Upper)),
		tables.One(lower, b.Lower), tables.One("estimate", b.Estimate), tables.One(upper, b.Upper))
}

// String writes the line.
func (b Bracket) String() string { return b.Describe().String() }

// CertifiedModel is a model with limits of its posterior probability; PostProb is their
// Estimate.
type CertifiedModel struct {
	RankedModel
	Share Bracket
}

// Tabulate returns models as a table with the limits of their probabilities.
func (CertifiedModel) Tabulate(rows []CertifiedModel) *report.Table {
	lower, upper := format.Limits(0, "")
	return tables.Rows("The most probable models found",
		tables.Text("terms", rows, func(m CertifiedModel) string { return "{" + strings.Join(m.Terms, " ") + "}" }),
		tables.Decimal(lower, rows, 4, func(m CertifiedModel) float64 { return m.Share.Lower }),
		tables.Decimal("p(γ|y)", rows, 4, func(m CertifiedModel) float64 { return m.Share.Estimate }),
		tables.Decimal(upper, rows, 4, func(m CertifiedModel) float64 { return m.Share.Upper }))
}

// Describe returns the model as a table.
func (m CertifiedModel) Describe() *report.Table { return m.Tabulate([]CertifiedModel{m}) }

// String writes the table as text.
func (m CertifiedModel) String() string { return m.Describe().String() }

// CertifiedModels is the posterior distribution over the 2^d models of d candidate terms,
// by limits that hold. It holds no data and does not change.
type CertifiedModels struct {
	stored[CertifiedModels, certifiedModelsState]
}

type certifiedModelsState struct {
	Response                  string
	N                         int
	Candidates, Always, Split []string
	Alpha                     float64
	Evidence, SureEvidence    Bracket
	Inclusion, SureInclusion  []Bracket
	Acceptance                float64
	Proposals, Nodes          int
	ScoreError                float64
	Status                    certify.Status
	Best                      []CertifiedModel
	Draws                     [][]string
	// With Average: pairs of terms i < k at k(k-1)/2 + i, and coefficients by column.
	Averaged    bool
	Columns     []string
	Pairs, Coef []Bracket
}

// mostAveraged is the number of columns up to which pairs and coefficients are bracketed: every part of the work keeps sums of
// its own for each pair.
const mostAveraged = 200

// CertifyModels brackets the posterior distribution over all 2^d subsets of the candidate
// terms of data, for d far beyond the 30 of EnumerateModels:
//
//	Evidence    the log of p(y) = sum over all models of p(y|gamma) p(gamma)
//	Inclusion   p(gamma_j = 1|y) for every candidate j
//
// and, if Average asks for them, the probabilities of pairs and the model-averaged
// coefficients. All intervals together hold with probability 1 - Alpha, of the random numbers of
// src alone: nothing is assumed of the data, and no chain has to mix. The limits that need
// no random numbers are SureEvidence and SureInclusion.
//
// The models are the leaves of binary trees that take a term in or leave it out. At a node
// with the terms F undecided, G and b being what their moments, and those with the
// response, are about the terms in, a diagonal D with 0 < D <= G and any vector beta bound
// the residual sums of squares of all models below from below by a sum over their terms,
//
//	Q(S+T) >= q - beta'(G-D)beta - sum_{j in T} u_j^2/d_j,   u = b - (G-D)beta,
//
// and so their weights by a product, whose sum is known. The node with the largest gap is
// divided next; small subtrees are summed exactly. Subsets are then drawn from the bounds,
// in proportion; the weight of one over its bound lies between 0 and 1, and the mean of
// these ratios gives the sum, within the empirical Bernstein bound of Maurer and Pontil
// (COLT 2009, theorem 4). Where Q has a power, it is a mixture of exponentials. That D <= G is proved in floating point (Rump, BIT Numerical
// Mathematics 46 (2006), 433-452), and the intervals include what rounding can do.
//
// The trees are frozen before proposals are drawn, whose number is fixed beforehand, so that the intervals are those of a number of
// draws that did not depend on them. It is assumed that src gives random bits, and that the processor and package math round as
// they promise. The result depends on src and settings, not on GOMAXPROCS. Work is d^3 a node. Intervals
// are narrow where d is up to half of the number of observations; where too few proposals
// are accepted to narrow the limits, these are all there is, and NotCertified says so.
// A coefficient, b_j given the model gamma of length k, is bounded in all models, since by Cauchy and Schwarz
//
//	b_j^2 <= (M_gamma^-1)_jj (Q(0) - Q(gamma)) <= (M^-1)_jj (Q(0) - Q(all)),
//
// with M = X'X, or X'X + I/V for SpikeSlab, and times G/(1+G) for ZellnerG. So its mean
// has an interval of the same kind; where few proposals are accepted it is as wide as that.
//
// Candidates of up to 1,000 columns; Sets are for EnumerateModels and SampleModels. With Heredity, models that it
// leaves out are in the bounds of nodes where margins are undecided, so that fewer proposals are accepted.
//
// Nil settings are the defaults. Errors: those of EnumerateModels, but for the number of
// candidates; ErrRankDeficient if a candidate is a combination of others and the score
// does not keep them apart, as SpikeSlab does; ErrSetting (more than 1,000 columns, Memory that holds no tree, a noise variance that is too small
// for the digits of the sums, settings out of range). If
// Progress returns an error, so does CertifyModels, together with the bounds known by then and no other interval.
func CertifyModels(data Data, score ModelScore, src rand.Source, settings *CertifySettings) (*CertifiedModels, error) {
	set := args.OrDefaults(settings)
	if err := set.check(); err != nil {
		return nil, err
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	s, err := newScored(data, score, choice{always: set.Always, groups: set.Groups, heredity: set.Heredity})
	if err != nil {
		return nil, err
	}
	if s.D > certify.MaxColumns {
		return nil, fmt.Errorf("%w: %d candidate columns; CertifyModels takes at most %d: use SampleModels", ErrSetting, s.D, certify.MaxColumns)
	}
	if set.Average && s.D > mostAveraged {
		return nil, fmt.Errorf("%w: CertifySettings.Average with %d candidate columns; pairs and coefficients are bracketed for at most %d", ErrSetting, s.D, mostAveraged)
	}
	if s.units != nil && s.counts == nil {
		return nil, fmt.Errorf("%w: Heredity with more than %d terms that have interactions; use SampleModels", ErrSetting, mostParents)
	}
	r, err := certify.Run(s.certifyProblem(), src, certify.Settings{
		Alpha: set.Alpha, Nodes: set.Nodes, Draws: set.Proposals, Width: set.Width, Memory: set.Memory, Best: set.Best,
		Posterior: set.Draws, Average: set.Average, Progress: door.Progress("CertifySettings.Progress", set.Progress),
	})
	if r == nil {
		return nil, s.certifyError(err)
	}
	return s.certified(r, set), err
}

// check refuses settings out of range, and puts in the defaults that results tell.
func (set *CertifySettings) check() error {
	set.Alpha, set.Best = cmp.Or(set.Alpha, 1e-9), cmp.Or(set.Best, 10)
	if !(set.Alpha > 0 && set.Alpha < 1) {
		return fmt.Errorf("%w: CertifySettings.Alpha = %v; it lies between 0 and 1", ErrSetting, set.Alpha)
	}
	if !(set.Width >= 0 && set.Width < 1) {
		return fmt.Errorf("%w: CertifySettings.Width = %v; it lies between 0 and 1", ErrSetting, set.Width)
	}
	if set.Proposals == 1 {
		return fmt.Errorf("%w: CertifySettings.Proposals = 1; a variance takes at least 2", ErrSetting)
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"Nodes", set.Nodes}, {"Proposals", set.Proposals}, {"Memory", set.Memory}, {"Draws", set.Draws}, {"Best", set.Best}} {
		if v.value < 0 {
			return fmt.Errorf("%w: CertifySettings.%s = %d; it is not negative", ErrSetting, v.name, v.value)
		}
	}
	return nil
}

// certifyProblem is the problem in nats, with groups of columns as units.
func (s *scored) certifyProblem() *certify.Problem {
	p := &certify.Problem{Columns: s.D, M: s.M, Power: s.Power, Rate: s.Rate * math.Ln2, Det: s.Det, Rounding: s.scoreRounding()}
	if s.units == nil {
		for _, bits := range s.Size {
			p.Size = append(p.Size, bits*math.Ln2)
		}
		return p
	}
	// The prior counts terms, the likelihood columns, each with the same factor.
	p.Size = s.logPrior
	column := (s.Size[1] - s.Size[0]) * math.Ln2
	p.One = s.units.one
	for _, rows := range s.units.rows {
		columns := make([]int, len(rows))
		for i, row := range rows {
			columns[i] = row - 1
		}
		p.Units, p.Own = append(p.Units, columns), append(p.Own, float64(len(rows))*column)
	}
	if slices.ContainsFunc(s.units.margins, func(m []int) bool { return len(m) > 0 }) {
		p.Needs = s.units.margins
	}
	return p
}

// certifyError names the candidates in an error of package certify.
func (s *scored) certifyError(err error) error {
	var column *certify.ColumnError
	var rounding *certify.RoundingError
	switch {
	case errors.As(err, &rounding) && rounding.Relative < 1e-10: // candidates are clearly apart
		return fmt.Errorf("%w: the noise variance given is so small that rounding may change log scores by %.2g; give one near that of the residuals",
			ErrSetting, rounding.Nats)
	case errors.As(err, &column):
		return fmt.Errorf("%w: candidate %q is a combination of others, or as good as one; leave it out, or give it a prior by SpikeSlab",
			ErrRankDeficient, s.m.s.Names[s.candidates[column.Column]])
	case errors.Is(err, certify.ErrSingular):
		return fmt.Errorf("%w: candidates are combinations of others, or as good as that; leave some out, or give them a prior by SpikeSlab", ErrRankDeficient)
	case errors.Is(err, certify.ErrPerfectFit):
		return fmt.Errorf("%w: the candidates fit response %q, so that the noise variance can be zero; give it, a proper prior, or fewer candidates",
			ErrPerfectFit, s.m.s.Response)
	case errors.Is(err, certify.ErrMemory):
		return fmt.Errorf("%w: CertifySettings.Memory is too small: %s", ErrSetting, strings.TrimPrefix(err.Error(), certify.ErrMemory.Error()+": "))
	case errors.Is(err, certify.ErrProblem):
		return fmt.Errorf("%w: %s", ErrSetting, strings.TrimPrefix(err.Error(), "certify: "))
	}
	return err
}

// certified turns limits of sums into what is reported.
func (s *scored) certified(r *certify.Result, set CertifySettings) *CertifiedModels {
	log := func(i certify.Interval) Bracket {
		return Bracket{s.constant + i.Lower, s.constant + i.Estimate, s.constant + i.Upper}
	}
	all := func(intervals []certify.Interval) []Bracket {
		return format.Each(intervals, func(i certify.Interval) Bracket { return Bracket(i) })
	}
	c := &CertifiedModels{store[CertifiedModels](certifiedModelsState{
		Response: s.m.s.Response, N: s.m.s.N,
		Candidates: s.termNames(), Always: s.terms(s.always), Split: s.split(), Alpha: set.Alpha,
		Evidence: log(r.Normalizer), SureEvidence: log(r.CertainNormalizer),
		Inclusion: all(r.Inclusion), SureInclusion: all(r.CertainInclusion),
		Acceptance: r.Acceptance, Proposals: r.Draws, Nodes: r.Nodes, ScoreError: r.Rounding, Status: r.Status,
	})}
	if set.Average {
		c.s.Averaged, c.s.Columns, c.s.Pairs = true, s.terms(s.candidates), all(r.Pairs)
		for j, i := range r.Coefficients {
			c.s.Coef = append(c.s.Coef, Bracket{s.unit[j] * i.Lower, s.unit[j] * i.Estimate, s.unit[j] * i.Upper})
		}
	}
	for _, found := range r.Best {
		m := CertifiedModel{s.ranked(func(term int) bool { return slices.Contains(found.Units, term) }), Bracket(found.Share)}
		m.PostProb = m.Share.Estimate
		c.s.Best = append(c.s.Best, m)
	}
	for _, units := range r.Posterior {
		terms := []string{}
		for _, k := range slices.Sorted(slices.Values(units)) {
			terms = append(terms, c.s.Candidates[k])
		}
		c.s.Draws = append(c.s.Draws, terms)
	}
	return c
}

// Terms returns the names of the d candidates, in the order of the design. Every
// result with d values has this order.
func (c *CertifiedModels) Terms() []string { return slices.Clone(c.s.Candidates) }

// Always returns the names of the terms that are in every model.
func (c *CertifiedModels) Always() []string { return slices.Clone(c.s.Always) }

// Response returns the name of the response.
func (c *CertifiedModels) Response() string { return c.s.Response }

// NObs returns the number of observations; rows of weight zero do not count.
func (c *CertifiedModels) NObs() int { return c.s.N }

// Alpha returns the probability with which any of the intervals may miss.
func (c *CertifiedModels) Alpha() float64 { return c.s.Alpha }

// Evidence brackets log p(y), the log of the sum over all models.
func (c *CertifiedModels) Evidence() Bracket { return c.s.Evidence }

// SureEvidence brackets log p(y) with certainty, by bounds alone.
func (c *CertifiedModels) SureEvidence() Bracket { return c.s.SureEvidence }

// Inclusion brackets p(gamma_j = 1|y) for the d candidates.
func (c *CertifiedModels) Inclusion() []Bracket { return slices.Clone(c.s.Inclusion) }

// SureInclusion brackets p(gamma_j = 1|y) with certainty, by bounds alone.
func (c *CertifiedModels) SureInclusion() []Bracket { return slices.Clone(c.s.SureInclusion) }

// errCertifyAverage says what Average is for.
var errCertifyAverage = fmt.Errorf("%w: pairs and coefficients are bracketed if CertifySettings.Average is set", ErrSetting)

// PairInclusion brackets p(gamma_i = 1, gamma_k = 1|y), d x d with Inclusion on the
// diagonal. With a BetaBinomial the intervals of pairs are wider than those of terms. The
// error is ErrSetting if CertifySettings.Average was not set.
func (c *CertifiedModels) PairInclusion() ([][]Bracket, error) {
	if !c.s.Averaged {
		return nil, errCertifyAverage
	}
	pairs := make([][]Bracket, len(c.s.Candidates))
	for k := range pairs {
		pairs[k] = make([]Bracket, len(pairs))
		pairs[k][k] = c.s.Inclusion[k]
		for i := range k {
			pairs[i][k] = c.s.Pairs[k*(k-1)/2+i]
			pairs[k][i] = pairs[i][k]
		}
	}
	return pairs, nil
}

// Coef brackets the model-averaged coefficients E[w_j|y] of the candidates, in the order of
// Columns and the units of the design; see ModelAverage. The error is ErrSetting if
// CertifySettings.Average was not set.
func (c *CertifiedModels) Coef() ([]Bracket, error) {
	if !c.s.Averaged {
		return nil, errCertifyAverage
	}
	return slices.Clone(c.s.Coef), nil
}

// Columns returns the names of the columns of the candidates, in the order of the design:
// those of Terms, if none is a group of several. It is empty if CertifySettings.Average was not set.
func (c *CertifiedModels) Columns() []string { return slices.Clone(c.s.Columns) }

// InclusionProb returns the estimates of Inclusion, or the middle of the limits where
// there is none.
func (c *CertifiedModels) InclusionProb() []float64 {
	p := make([]float64, len(c.s.Inclusion))
	for j, b := range c.s.Inclusion {
		p[j] = b.Estimate
		if math.IsNaN(p[j]) {
			p[j] = (b.Lower + b.Upper) / 2
		}
	}
	return p
}

// Width returns the width of the widest interval of Inclusion.
func (c *CertifiedModels) Width() float64 {
	var widest float64
	for _, b := range c.s.Inclusion {
		widest = math.Max(widest, b.Upper-b.Lower)
	}
	return widest
}

// Acceptance returns the estimated share of the bounds that are weights of models: a
// proposal is as good as a draw from the posterior with this probability. NaN if nothing
// was proposed.
func (c *CertifiedModels) Acceptance() float64 { return c.s.Acceptance }

// Proposals returns the number of subsets that were drawn from the bounds.
func (c *CertifiedModels) Proposals() int { return c.s.Proposals }

// Nodes returns the number of nodes of the trees.
func (c *CertifiedModels) Nodes() int { return c.s.Nodes }

// ScoreError bounds the rounding error of every LogScore, which the limits include; see
// Enumeration.ScoreError.
func (c *CertifiedModels) ScoreError() float64 { return c.s.ScoreError }

// Best returns the most probable of the models that were found, the most probable first: those of
// subtrees and proposals, and what adding, dropping or exchanging a term of them leads to.
// Others that were not found may be more probable, unless their shares leave no room.
func (c *CertifiedModels) Best() []CertifiedModel {
	best := slices.Clone(c.s.Best)
	for i, m := range c.s.Best {
		best[i].RankedModel = clones([]RankedModel{m.RankedModel})[0]
	}
	return best
}

// Draws returns independent draws from the posterior over models, CertifySettings.Draws
// or as many as the proposals gave: each the terms of a model.
func (c *CertifiedModels) Draws() [][]string {
	draws := slices.Clone(c.s.Draws)
	for i := range draws {
		draws[i] = slices.Clone(draws[i])
	}
	return draws
}

// undecided is the width of an interval that says next to nothing of a probability.
const undecided = 0.5

// NotCertified says why the intervals are no narrower than bounds alone make them, or for how
// many terms they hold and still say next to nothing: they are wider than 1/2. It is empty otherwise.
func (c *CertifiedModels) NotCertified() string {
	wide := 0
	for _, b := range c.s.Inclusion {
		if b.Upper-b.Lower > undecided {
			wide++
		}
	}
	switch c.s.Status {
	case certify.Hopeless:
		return "not certified: too few proposals would be accepted to narrow the bounds; give more Nodes, fewer candidates, or use SampleModels"
	case certify.Cancelled:
		return "not certified: stopped before the proposals were drawn; these are bounds"
	}
	if wide > 0 {
		return fmt.Sprintf("not certified: the limits of %s are more than %g apart; give more Nodes or Proposals, fewer candidates, or use SampleModels",
			format.Plural(wide, "term"), undecided)
	}
	return ""
}

// Describe returns the posterior as a table with a row for each candidate: the limits of
// its probability, the estimate between, and a mark if it is certainly in the median model
// (•) or may be (?). Below stand what the limits rest on, the limits of log p(y), and the
// most probable model found.
func (c *CertifiedModels) Describe() *report.Table {
	column := func(name string, of func(b Bracket) float64) report.Column {
		return tables.Decimal(name, c.s.Inclusion, 4, of)
	}
	median := make([]string, len(c.s.Inclusion))
	for j, b := range c.s.Inclusion {
		switch {
		case b.Lower > 0.5:
			median[j] = "•"
		case b.Upper > 0.5:
			median[j] = "?"
		}
	}
	lower, upper := format.Limits(0, "")
	t := &report.Table{Title: tables.Of("Certified posterior over models", c.Response()), Columns: []report.Column{
		report.TextColumn("term", c.Terms()...),
		column(lower, func(b Bracket) float64 { return b.Lower }),
		column("p(in)", func(b Bracket) float64 { return b.Estimate }),
		column(upper, func(b Bracket) float64 { return b.Upper }),
		report.TextColumn("median", median...),
	}}
	t.Notes = append(t.Notes, c.basis())
	if why := c.NotCertified(); why != "" && c.s.Proposals > 0 {
		t.Notes = append(t.Notes, why)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("log p(y) between %s and %s", format.Decimal(c.s.Evidence.Lower, 4), format.Decimal(c.s.Evidence.Upper, 4)))
	if len(c.s.Best) > 0 {
		m := c.s.Best[0]
		t.Notes = append(t.Notes, fmt.Sprintf("most probable found {%s}, probability between %s and %s",
			strings.Join(m.Terms, " "), format.Decimal(m.Share.Lower, 4), format.Decimal(m.Share.Upper, 4)))
	}
	t.Notes = append(t.Notes, otherTerms(c.Always(), nil, c.s.Split)...)
	return t
}

// basis says what the limits rest on.
func (c *CertifiedModels) basis() string {
	of := fmt.Sprintf("2^%d models, %s", len(c.s.Candidates), format.Plural(c.s.Nodes, "node"))
	switch why := c.NotCertified(); {
	case why != "" && c.s.Proposals == 0:
		return of + ": " + why
	case c.s.Proposals == 0:
		return of + ": all limits hold with certainty"
	}
	return fmt.Sprintf("%s, %s, %s of them accepted: all limits hold together with probability 1 - %s",
		of, format.Plural(c.s.Proposals, "proposal"), format.Number(c.s.Acceptance, 2), format.Number(c.s.Alpha, 2))
}

// String writes the table of the posterior as text.
func (c *CertifiedModels) String() string { return c.Describe().String() }
