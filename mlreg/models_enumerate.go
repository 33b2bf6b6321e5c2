package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// MostCandidates is the largest number of candidate terms that EnumerateModels
// takes: 2^30 models. Beyond, CertifyModels brackets the posterior, and SampleModels samples it.
const MostCandidates = enumerate.MaxRows

// mostScores is the largest number of candidates for which all scores are kept.
const mostScores = 20

// EnumerateSettings are the options of EnumerateModels.
type EnumerateSettings struct {
	// Always names columns that are in every model; the others are candidates.
	Always []string
	// Groups are columns that go in and out of models as one term: those of a factor,
	// a polynomial, an interaction, the lags of a channel. They need not lie next to each
	// other. Design.Coding.Groups() are those of a formula. The default, nil, takes every
	// column as a term; models of a factor then depend on its reference level. The prior
	// counts terms, the likelihood columns. A sum with Groups, Heredity or Sets takes some
	// ten times as long.
	Groups []TermGroup
	// Heredity leaves out models in which an interaction stands without its Margins,
	// which Groups know; the prior is that of the models left.
	Heredity Heredity
	// Sets asks for the probabilities that any, and that all, of some terms are in:
	// Enumeration.TermSets.
	Sets [][]string
	// Best is the number of most probable models to return; the default 0 is 10.
	Best int
	// Average also computes the sums for Enumeration.PairInclusion and ModelAverage,
	// which takes about twice the time.
	Average bool
	// Scores keeps the score of every model, for at most 20 candidates.
	Scores bool
	// Progress, if not nil, is called about 256 times with the number of models done.
	// Its error stops the work.
	Progress func(done, total float64) error
}

// Enumeration is the posterior distribution over all 2^d models of d candidate
// terms. It holds no data and does not change.
type Enumeration struct {
	stored[Enumeration, enumerationState]
}

type enumerationState struct {
	Response           string
	N                  int
	Candidates, Always []string
	Aliased            []string
	LogNormalizer      float64
	Models             float64
	Inclusion, Sizes   []float64
	SizePrior          []float64
	Best               []RankedModel
	Median             RankedModel
	ScoreError         float64
	Total              float64  // number of models there are; 0 for 2^d
	Split              []string // groups whose columns were taken one by one
	Sets               []TermSet
	Pair               []float64 // d x d
	Scores             []float64 // by subset, term j being bit j
	Average            *ModelAverage
}

// RankedModel is a model with its posterior probability.
type RankedModel struct {
	// Terms are the candidates in the model, in the order of the design.
	Terms []string
	// Columns are the columns of Terms, if some of these are groups of them; nil if
	// they are the terms themselves.
	Columns []string
	// LogMarginal is log p(y|model), exact or approximate, depending on the score.
	LogMarginal float64
	// LogScore is log p(y|model) + log p(model), the negative of the f of
	// Murphy's figure 13.1.
	LogScore float64
	// PostProb is p(model|y).
	PostProb float64
	// Coef are the posterior means of the coefficients of Terms, or of Columns, given
	// the model; see ModelAverage.
	Coef []float64
}

// EnumerateModels sums over all 2^d subsets gamma of the d <= 30 candidate
// terms of data: the posterior probability of a model is
//
//	p(gamma|y) = p(y|gamma) p(gamma) / sum over all models of p(y|gamma') p(gamma'),
//
// with log p(y|gamma) + log p(gamma) from the score. The intercept, unless
// the design has none, is in every model.
//
// Models are the leaves of a binary tree. Taking a term in is one step of
// elimination on the moments of the remaining terms (Furnival and Wilson,
// Technometrics 16 (1974), 499-511), and sums are carried up the tree. A model costs
// about 4 multiplications and additions, one logarithm and one exponential. Memory
// is a few megabytes for every d. No model is skipped. Log weights are correct to
// ScoreError, and sums to about d times the rounding unit more. The result does not
// depend on GOMAXPROCS.
//
// Candidates may be combinations of others, and may outnumber the observations. The
// RSS of such a model is that of its independent terms, and its k counts all its
// terms. A term whose part orthogonal to the terms before it is below 1e-7 of its
// length counts as a combination of them. As in FitOLS and in R it is aliased, and
// its coefficient is 0. (With Groups that lie apart, columns come group by group.) Enumeration.Aliased names the aliased terms of the largest
// model.
//
// Nil settings are the defaults. Errors: ErrSetting (more than 30 candidates,
// Pi0 or variances out of range), ErrPerfectFit (a model may leave no residual
// where the noise variance is not known), ErrRankDeficient (terms always in
// are combinations of each other), ErrNoData, ErrShape, ErrNotFinite. If
// Progress returns an error, so does EnumerateModels, together with the sums
// over the models done by then.
func EnumerateModels(data Data, score ModelScore, settings *EnumerateSettings) (*Enumeration, error) {
	set := args.OrDefaults(settings)
	if set.Best < 0 {
		return nil, fmt.Errorf("%w: EnumerateSettings.Best = %d; it is not negative", ErrSetting, set.Best)
	}
	if set.Best == 0 {
		set.Best = 10
	}
	s, err := newScored(data, score, choice{set.Always, set.Groups, set.Heredity, set.Sets})
	if err != nil {
		return nil, err
	}
	switch d := s.count(); {
	case d > MostCandidates:
		return nil, fmt.Errorf("%w: %d candidates have 2^%d models; at most %d can be summed: use SampleModels, or keep some terms out or always in",
			ErrSetting, d, d, MostCandidates)
	case set.Scores && d > mostScores:
		return nil, fmt.Errorf("%w: EnumerateSettings.Scores with %d candidates; scores are kept for at most %d", ErrSetting, d, mostScores)
	case s.units != nil && s.counts == nil:
		return nil, fmt.Errorf("%w: Heredity with more than %d terms that have interactions; use SampleModels", ErrSetting, mostParents)
	}
	if set.Average {
		if err := s.checkAverage(); err != nil {
			return nil, err
		}
	}
	r, stopped := s.run(enumerate.Settings{
		Best: min(set.Best, 1<<s.count()), Moments: set.Average, Scores: set.Scores, Progress: door.Progress("EnumerateSettings.Progress", set.Progress),
	})
	e := s.enumeration(r, set)
	sums := []float64{e.s.LogNormalizer}
	if set.Average {
		sums = append(append(sums, e.s.Average.Coef()...), e.s.Average.s.Cov...)
	}
	if args.Finite("", sums) != nil {
		return nil, fmt.Errorf("%w: the sum of the weights of the models; the noise variance is nothing beside response %q", ErrNotFinite, s.m.s.Response)
	}
	return e, stopped
}

// run sums over the models.
func (s *scored) run(set enumerate.Settings) (*enumerate.UnitResult, error) {
	if s.units == nil {
		r, err := enumerate.Run(&s.Problem, set)
		return &enumerate.UnitResult{Result: *r}, err
	}
	units := s.units.masks()
	for k, l := range s.logPrior {
		units.Prior[k] = l / math.Ln2
	}
	return enumerate.RunUnits(&s.Problem, units, set)
}

// checkAverage refuses a score whose noise variance has no mean.
func (s *scored) checkAverage() error {
	for k, v := range s.VarSlope {
		if !(v >= 0) || math.IsInf(v, 0) {
			return fmt.Errorf("%w: Average needs the mean of the noise variance in every model, which %d observations do not give one of %d terms; "+
				"give the variance, or fewer candidates", ErrSetting, s.m.s.N, k)
		}
	}
	return nil
}

// enumeration turns sums into what is reported.
func (s *scored) enumeration(r *enumerate.UnitResult, set EnumerateSettings) *Enumeration {
	e := &Enumeration{store[Enumeration](enumerationState{
		Response: s.m.s.Response, N: s.m.s.N,
		Candidates: s.termNames(), Split: s.split(), Always: s.terms(s.always), Aliased: s.aliased,
		LogNormalizer: s.constant + math.Ln2*(r.Ref+math.Log2(r.W)), Models: r.Models, SizePrior: s.sizePrior(),
	})}
	for _, v := range r.Incl {
		e.s.Inclusion = append(e.s.Inclusion, min(v/r.W, 1))
	}
	for _, v := range r.Size {
		e.s.Sizes = append(e.s.Sizes, v/r.W)
	}
	for _, m := range r.Best {
		again := s.rankedSubset(m.Subset, e.s.LogNormalizer)
		e.s.Best = append(e.s.Best, again)
		e.s.ScoreError = math.Max(e.s.ScoreError, math.Abs(s.constant+math.Ln2*m.Log2-again.LogScore))
	}
	e.s.ScoreError = math.Max(e.s.ScoreError, s.scoreRounding())
	var median uint32
	for j, p := range e.s.Inclusion {
		if p > 0.5 {
			median |= 1 << j
		}
	}
	e.s.Median = s.rankedSubset(median, e.s.LogNormalizer)
	for _, l := range r.Scores {
		e.s.Scores = append(e.s.Scores, s.constant+math.Ln2*l)
	}
	if s.units != nil {
		for _, n := range s.counts {
			e.s.Total += math.Round(math.Exp(n))
		}
		for i, set := range set.Sets {
			e.s.Sets = append(e.s.Sets, TermSet{Terms: slices.Clone(set), Any: min(r.Any[i]/r.W, 1), All: min(r.All[i]/r.W, 1)})
		}
	}
	if set.Average {
		d := s.count()
		e.s.Pair = make([]float64, d*d)
		for i := range d {
			for j := range i + 1 {
				v := min(r.Pair[enumerate.Tri(i)+j]/r.W, 1)
				e.s.Pair[i*d+j], e.s.Pair[j*d+i] = v, v
			}
		}
		e.s.Average = s.average(&r.Sums)
	}
	return e
}

// rankedSubset is ranked of the terms whose bits are set, with its probability.
func (s *scored) rankedSubset(subset uint32, logNormalizer float64) RankedModel {
	m := s.ranked(func(term int) bool { return subset>>term&1 == 1 })
	m.PostProb = math.Exp(m.LogScore - logNormalizer)
	return m
}

// ranked computes the score of one model by itself.
func (s *scored) ranked(in func(term int) bool) RankedModel {
	walked := s.columns(in)
	columns := slices.Sorted(slices.Values(walked))
	m := RankedModel{Terms: []string{}}
	for k, name := range s.termNames() {
		if in(k) {
			m.Terms = append(m.Terms, name)
		}
	}
	if len(m.Terms) != len(columns) {
		for _, j := range columns {
			m.Columns = append(m.Columns, s.m.s.Names[s.candidates[j]])
		}
	}
	prior := s.logPrior[len(m.Terms)]
	m.Coef = s.coef(walked)
	m.LogScore = s.constant + math.Ln2*s.ScoreRows(columns)
	if s.units != nil {
		m.LogScore += prior
	}
	m.LogMarginal = m.LogScore - prior
	return m
}

// coef returns the posterior means of the coefficients of the model of some columns, in
// the units and the order of the design. As in the walk, a column that is a combination
// of those before it in columns is left with 0.
func (s *scored) coef(columns []int) []float64 {
	model := enumerate.NewSweeper(&s.Problem)
	for _, j := range columns {
		model.Flip(j + 1)
	}
	idle := model.Idle()
	b := []float64{}
	for _, j := range slices.Sorted(slices.Values(columns)) {
		if slices.Contains(idle, j+1) {
			b = append(b, 0)
		} else {
			b = append(b, model.At(j+1, 0)*s.unit[j])
		}
	}
	return b
}

// sizePrior returns the prior probabilities of the sizes 0 to D.
func (s *scored) sizePrior() []float64 {
	d := s.count()
	p := make([]float64, d+1)
	for k := range p {
		switch {
		case s.units == nil:
			p[k] = math.Exp(s.logPrior[k] + combin.LogGeneralizedBinomial(float64(d), float64(k)))
		case s.counts == nil:
			p[k] = math.NaN()
		default:
			p[k] = math.Exp(s.logPrior[k] + s.counts[k])
		}
	}
	return p
}

// split returns the groups of the design whose columns are taken one by one.
func (s *scored) split() []string {
	if s.units != nil && s.units.grouped {
		return nil
	}
	return s.modelSpace.split()
}

func (s *modelSpace) split() []string {
	return splitGroups(s.terms(s.candidates), s.m.s.Coding.Groups())
}

// splitGroups returns the names of the groups of several columns.
func splitGroups(columns []string, groups []TermGroup) []string {
	var names []string
	for _, g := range wholeGroups(columns, groups) {
		if len(g.Terms) > 1 {
			names = append(names, g.Name)
		}
	}
	return names
}

// subsetOf returns the names whose bits are set.
func subsetOf(names []string, subset uint32) []string {
	terms := []string{}
	for j, name := range names {
		if subset>>j&1 == 1 {
			terms = append(terms, name)
		}
	}
	return terms
}

// Terms returns the names of the d candidates, in the order of the design. Every
// result with d values has this order.
func (e *Enumeration) Terms() []string { return slices.Clone(e.s.Candidates) }

// Always returns the names of the terms that are in every model.
func (e *Enumeration) Always() []string { return slices.Clone(e.s.Always) }

// Response returns the name of the response.
func (e *Enumeration) Response() string { return e.s.Response }

// NObs returns the number of observations.
func (e *Enumeration) NObs() int { return e.s.N }

// Aliased returns the candidates that are combinations of the candidates before
// them, the intercept and the terms always in.
func (e *Enumeration) Aliased() []string { return slices.Clone(e.s.Aliased) }

// Models returns the number of models summed.
func (e *Enumeration) Models() float64 { return e.s.Models }

// Exact is true if all 2^d models were summed, or all that Heredity allows. If Progress stopped the work,
// probabilities are relative to the models summed, and the best model may be
// missing.
func (e *Enumeration) Exact() bool { return e.s.Models == e.total() }

// total returns the number of models that the settings allow.
func (e *Enumeration) total() float64 {
	if e.s.Total > 0 {
		return e.s.Total
	}
	return math.Ldexp(1, len(e.s.Candidates))
}

// TermSets returns the probabilities of the sets of EnumerateSettings.Sets, in their
// order: sums over the models that have any, or all, of the terms, not products or
// complements of other probabilities.
func (e *Enumeration) TermSets() report.Rows[TermSet] { return cloneSets(e.s.Sets) }

func cloneSets(of []TermSet) report.Rows[TermSet] {
	sets := slices.Clone(of)
	for i := range sets {
		sets[i].Terms = slices.Clone(sets[i].Terms)
	}
	return sets
}

// ScoreError bounds the rounding error of every LogScore, of all models, and of
// LogNormalizer, against exact arithmetic on the same data. It follows, to first
// order, from the rounding of the moments and from the variance inflation factors
// of response and candidates. For each model of Best, LogScore is also computed from
// a Cholesky factor of its own; ScoreError is at least the largest difference. A
// posterior probability has a relative error of at most 2 ScoreError. It is infinite
// if the candidates are so collinear that cross-products have no digit left, or if
// some of them are combinations of others in more than some thousand ways.
// Standardized or orthogonal columns (NewPoly) in place of powers make it small.
func (e *Enumeration) ScoreError() float64 { return e.s.ScoreError }

// LogNormalizer returns log sum p(y|gamma) p(gamma), the log marginal
// likelihood of the data.
func (e *Enumeration) LogNormalizer() float64 { return e.s.LogNormalizer }

// InclusionProb returns p(gamma_j = 1|y) for the d candidates.
func (e *Enumeration) InclusionProb() []float64 { return slices.Clone(e.s.Inclusion) }

// SizeProb returns the posterior probabilities of the sizes 0 to d.
func (e *Enumeration) SizeProb() []float64 { return slices.Clone(e.s.Sizes) }

// SizePrior returns the prior probabilities of the sizes 0 to d.
func (e *Enumeration) SizePrior() []float64 { return slices.Clone(e.s.SizePrior) }

func (m RankedModel) clone() RankedModel {
	m.Terms, m.Columns, m.Coef = slices.Clone(m.Terms), slices.Clone(m.Columns), slices.Clone(m.Coef)
	return m
}

// clones returns copies that share nothing.
func clones[T interface{ clone() T }](of []T) []T {
	out := slices.Clone(of)
	for i, v := range out {
		out[i] = v.clone()
	}
	return out
}

// Best returns the most probable models, the most probable first.
func (e *Enumeration) Best() report.Rows[RankedModel] { return clones(e.s.Best) }

// MAPModel returns the most probable model.
func (e *Enumeration) MAPModel() RankedModel { return e.s.Best[0].clone() }

// MedianModel returns the model of the candidates whose inclusion probability
// is above one half. (Barbieri and Berger, Annals of Statistics 32 (2004),
// 870-897.)
func (e *Enumeration) MedianModel() RankedModel { return e.s.Median.clone() }

// PairInclusion returns p(gamma_i = 1, gamma_j = 1|y), d x d with the inclusion
// probabilities on the diagonal. The error is ErrSetting if
// EnumerateSettings.Average was not set.
func (e *Enumeration) PairInclusion() (*mat.SymDense, error) {
	if e.s.Pair == nil {
		return nil, errAverage
	}
	return mat.NewSymDense(len(e.s.Candidates), slices.Clone(e.s.Pair)), nil
}

// ModelAverage returns the model-averaged coefficients. The error is ErrSetting
// if EnumerateSettings.Average was not set.
func (e *Enumeration) ModelAverage() (*ModelAverage, error) {
	if e.s.Average == nil {
		return nil, errAverage
	}
	return e.s.Average, nil
}

var errAverage = fmt.Errorf("%w: EnumerateSettings.Average was not set", ErrSetting)

// GrayScores returns LogScore of all 2^d models in the order of the binary
// reflected Gray code, in which neighbors differ by one term: the i-th is
// GrayModel(i), and exp(LogScore - LogNormalizer()) is its posterior
// probability. The error is ErrSetting if EnumerateSettings.Scores was not
// set. Models not visited, because the work was stopped, have NaN.
func (e *Enumeration) GrayScores() ([]float64, error) {
	if e.s.Scores == nil {
		return nil, fmt.Errorf("%w: EnumerateSettings.Scores was not set", ErrSetting)
	}
	scores := make([]float64, len(e.s.Scores))
	for i := range scores {
		scores[i] = e.s.Scores[grayCode(i)]
	}
	return scores, nil
}

// GrayModel returns the terms of the i-th model in Gray-code order, counted
// from 0, the empty model. The first candidate changes most often. It panics
// if there is no such model, as slice indexing does.
func (e *Enumeration) GrayModel(i int) []string {
	if i < 0 || float64(i) >= math.Ldexp(1, len(e.s.Candidates)) {
		panic(fmt.Sprintf("mlreg: model %d of 2^%d", i, len(e.s.Candidates)))
	}
	return subsetOf(e.s.Candidates, grayCode(i))
}

func grayCode(i int) uint32 { return uint32(i ^ i>>1) }

// InclusionRow is a line of a table of inclusion probabilities.
type InclusionRow struct {
	Term     string
	PostProb float64 // of inclusion
	Mean, SD float64 // posterior mean and standard deviation of the coefficient; NaN without EnumerateSettings.Average
	InMAP    bool
	InMedian bool
}

// InclusionTable returns a row for each candidate, in the order of the design.
func (e *Enumeration) InclusionTable() report.Rows[InclusionRow] {
	rows := make([]InclusionRow, len(e.s.Candidates))
	for j, name := range e.s.Candidates {
		rows[j] = InclusionRow{
			Term: name, PostProb: e.s.Inclusion[j], Mean: math.NaN(), SD: math.NaN(),
			InMAP: slices.Contains(e.s.Best[0].Terms, name), InMedian: slices.Contains(e.s.Median.Terms, name),
		}
		if a := e.s.Average; a != nil {
			if i := slices.Index(a.Names(), name); i >= 0 { // not a group of columns
				rows[j].Mean, rows[j].SD = a.Coef()[i], a.StdErr()[i]
			}
		}
	}
	return rows
}

// Describe returns the posterior over models as a table with a row for each
// candidate: its probability, the mean and standard deviation of its coefficient over
// all models if they were summed, and whether it is in the most probable model (MAP)
// and in the median model. Below stand how many models were summed, and how well; the
// log marginal likelihood; the two models.
func (e *Enumeration) Describe() *report.Table {
	terms := e.Terms()
	var columns []report.Column
	if average, err := e.ModelAverage(); err == nil {
		columns = averageColumns(average, terms)
	}
	t := describeModels(e.Response(), terms, e.InclusionProb(), e.MAPModel(), e.MedianModel().Terms, columns)
	count := format.Grouped(e.Models()) + " models summed"
	all := fmt.Sprintf("2^%d", len(terms))
	if total := e.total(); total != math.Ldexp(1, len(terms)) {
		all = format.Grouped(total) + " that heredity allows"
	}
	if e.Exact() {
		count += ", all of " + all
	} else {
		count += " of " + all + ": stopped; probabilities are among these"
	}
	t.Notes = append([]string{
		count,
		fmt.Sprintf("log p(y) = %s, scores certified to %s", format.Decimal(e.LogNormalizer(), 4), format.CoarseBound(e.ScoreError())),
		"most probable {" + modelText(e.MAPModel()),
		"median model {" + modelText(e.MedianModel()),
	}, otherTerms(e.Always(), e.Aliased(), e.s.Split)...)
	return t
}

// String writes the table of the posterior as text.
func (e *Enumeration) String() string { return e.Describe().String() }

// Tabulate returns the models as a table: terms, probability, the sum of the
// probabilities so far, and log p(y|model).
func (RankedModel) Tabulate(m []RankedModel) *report.Table {
	sum := format.Each(m, func(m RankedModel) float64 { return m.PostProb })
	for i := 1; i < len(sum); i++ {
		sum[i] += sum[i-1]
	}
	return tables.Rows("The most probable models",
		tables.Int("", gram.NumbersTo(len(m)), func(i int) int { return i + 1 }),
		tables.Text("terms", m, func(m RankedModel) string { return "{" + strings.Join(m.Terms, " ") + "}" }),
		tables.Int("size", m, func(m RankedModel) int { return len(m.Terms) }),
		tables.Decimal("p(γ|y)", m, 4, func(m RankedModel) float64 { return m.PostProb }),
		probOf("cumulated", sum),
		tables.Decimal("log p(y|γ)", m, 3, func(m RankedModel) float64 { return m.LogMarginal }))
}

// Describe returns the model as a table.
func (m RankedModel) Describe() *report.Table {
	t := report.Rows[RankedModel]{m}.Describe()
	t.Title = "A model"
	t.Columns = slices.DeleteFunc(t.Columns, func(c report.Column) bool { return c.Name == "" || c.Name == "cumulated" })
	return t
}

// String writes the model as text.
func (m RankedModel) String() string { return m.Describe().String() }

// Tabulate returns the posterior of the terms as a table.
func (InclusionRow) Tabulate(r []InclusionRow) *report.Table {
	marked := func(name string, in func(InclusionRow) bool) report.Column {
		return tables.Text(name, r, func(r InclusionRow) string {
			if in(r) {
				return "•"
			}
			return ""
		})
	}
	return tables.Rows("Inclusion of terms",
		tables.Text("term", r, func(r InclusionRow) string { return r.Term }),
		tables.Decimal("p(in)", r, 4, func(r InclusionRow) float64 { return r.PostProb }),
		tables.Blank(tables.Number("mean", r, 0, func(r InclusionRow) float64 { return r.Mean })),
		tables.Blank(tables.Number(format.StdDev, r, 0, func(r InclusionRow) float64 { return r.SD })),
		marked("MAP", func(r InclusionRow) bool { return r.InMAP }),
		marked("median", func(r InclusionRow) bool { return r.InMedian }))
}

// String writes the line as text.
func (r InclusionRow) String() string { return report.Rows[InclusionRow]{r}.String() }
