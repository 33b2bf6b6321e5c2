package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

// SampleModelsSettings are the options of SampleModels.
type SampleModelsSettings struct {
	// Always names columns that are in every model; the others are candidates.
	Always []string
	// Groups, Heredity and Sets are those of EnumerateSettings. If more than 20 terms
	// have interactions, the prior of the models that Heredity allows is not
	// normalized: LogScore is then up to a constant, and SizePrior NaN.
	Groups   []TermGroup
	Heredity Heredity
	Sets     [][]string
	// Chains is the number of independent chains; the default 0 is 4. The first
	// starts at the best model that a climb from the empty one finds, the others at
	// random subsets.
	Chains int
	// Burn is the number of sweeps at the start of a chain that do not count. The
	// default 0 is a tenth of Sweeps.
	Burn int
	// Sweeps is the number of sweeps of a chain that count, at least 20; the
	// default 0 is 5000. In a sweep every candidate is drawn once.
	Sweeps int
	// Best is the number of visited models to return; the default 0 is 10.
	Best int
	// Average also computes the sums for ModelSample.ModelAverage.
	Average bool
	// Progress, if not nil, is told some hundred times a chain how many sweeps are
	// done. An error from it stops the work.
	Progress func(done, total float64) error
}

// ModelSample is a sample of models from their posterior distribution. It holds
// no data and does not change.
type ModelSample struct {
	stored[ModelSample, modelSampleState]
}

type modelSampleState struct {
	Response           string
	N                  int
	Candidates, Always []string
	Aliased            []string
	Chains, Sweeps     int // sweeps counted, of all chains
	Inclusion, Err     []float64
	Sizes, SizePrior   []float64
	Best               []RankedModel
	Visited            int
	ScoreError         float64
	Split              []string // groups whose columns were taken one by one
	Sets               []TermSet
	Average            *ModelAverage
	AverageErr         []float64
}

// batches is the number of batches that a chain is divided in, for standard
// errors.
const batches = 20

// SampleModels samples the models over any number of candidate terms from
// their posterior distribution by Gibbs' method: candidate j is drawn from
//
//	p_j = p(gamma_j = 1 | y, all other gamma)
//
// in turn. That needs the score of the model with j flipped, which is one element of
// the swept moments. Inclusion probabilities are the means of p_j over the sweeps
// (Rao-Blackwell), not of gamma_j. After every sweep the chain proposes to swap a
// random term of the model for one that is not in it, which helps where candidates
// are correlated. (George and McCulloch, Statistica Sinica 7 (1997),
// 339-373, sections 3 and 4.)
//
// Standard errors are those of the means of 20 batches of sweeps a chain, over
// all chains: they are too small if the chains have not found all the modes, which
// CertifyModels excludes.
// The same source gives the same result, whatever GOMAXPROCS.
//
// Nil settings are the defaults. Errors are those of EnumerateModels, without its
// limit on candidates. If Progress returns an error, SampleModels returns it together
// with the sample of the batches done by then, if there are any.
func SampleModels(data Data, score ModelScore, src rand.Source, settings *SampleModelsSettings) (*ModelSample, error) {
	set := args.OrDefaults(settings)
	if err := args.Source(src); err != nil {
		return nil, err
	}
	set.Chains, set.Sweeps, set.Best = cmp.Or(set.Chains, 4), cmp.Or(set.Sweeps, 5000), cmp.Or(set.Best, 10)
	set.Burn = cmp.Or(set.Burn, set.Sweeps/10)
	if set.Chains < 0 || set.Sweeps < batches || set.Best < 0 || set.Burn < 0 {
		return nil, fmt.Errorf("%w: SampleModelsSettings: %d chains, %d sweeps (at least %d), %d of burn-in, %d best models",
			ErrSetting, set.Chains, set.Sweeps, batches, set.Burn, set.Best)
	}
	sweeps := float64(set.Chains) * (float64(set.Sweeps) + float64(set.Burn))
	if err := args.Size(fmt.Sprintf("a sample of %d chains of %d sweeps", set.Chains, set.Sweeps), sweeps, "sample again from another seed, and compare"); err != nil {
		return nil, err
	}
	s, err := newScored(data, score, choice{set.Always, set.Groups, set.Heredity, set.Sets})
	if err != nil {
		return nil, err
	}
	if set.Average {
		if err := s.checkAverage(); err != nil {
			return nil, err
		}
	}
	chains := make([]*chain, set.Chains)
	for i := range chains {
		chains[i] = s.newChain(rand.New(rand.NewPCG(src.Uint64(), src.Uint64())), i == 0)
		if set.Average {
			chains[i].moments = s.noMoments()
		}
	}
	stopped := runChains(chains, set)
	m := s.modelSample(chains, set)
	if m.s.Sweeps == 0 {
		return nil, stopped
	}
	return m, stopped
}

// runChains runs the chains on as many goroutines as there are processors.
func runChains(chains []*chain, set SampleModelsSettings) error {
	progress := gram.Progress{
		Total: float64((set.Burn + set.Sweeps) * len(chains)),
		Tell:  door.Progress("SampleModelsSettings.Progress", set.Progress),
	}
	report := func(sweeps int) bool { return !progress.Add(float64(sweeps)) }
	gram.Each(len(chains), func(i int) { chains[i].run(set.Burn, set.Sweeps, report) })
	return progress.Stopped()
}

// chain is one chain and what it has seen.
type chain struct {
	rnd *rand.Rand
	*walk
	batch   [][]float64 // sums of p_j, of the batches completed
	any     [][]float64 // of the batches completed: sweeps that ended with any term of a set
	all     [][]float64 // and with all
	visits  map[string]*visit
	sweeps  []int // sizes at the end of the sweeps of the batches completed
	pending []int
	moments *enumerate.Sums // of the sweeps that count; nil without Average
	means   []*enumerate.Sums
}

// noMoments returns sums over no models.
func (s *scored) noMoments() *enumerate.Sums {
	return &enumerate.Sums{Mean: make([]float64, s.D), Second: make([]float64, enumerate.Tri(s.D))}
}

// visit counts how often a chain ended a sweep at a model.
type visit struct {
	terms string // a byte for every candidate, 1 if it is in
	score float64
	count int
}

func (s *scored) newChain(rnd *rand.Rand, climb bool) *chain {
	c := &chain{rnd: rnd, walk: s.newWalk(), visits: make(map[string]*visit)}
	if climb {
		c.climb()
		return c
	}
	p := min(0.5, float64(s.m.s.N)/float64(4*c.d))
	var rows []int
	for k := range c.d {
		switch {
		case rnd.Float64() >= p || !c.allows(k):
		case c.units == nil:
			rows = append(rows, k+1)
		default:
			c.flip(k)
		}
	}
	c.size += len(rows)
	c.state.FlipAll(rows)
	return c
}

// run makes burn + sweeps sweeps, unless report says to stop.
func (c *chain) run(burn, sweeps int, report func(int) bool) {
	p := make([]float64, c.d)
	any, all := make([]float64, len(c.sets())), make([]float64, len(c.sets()))
	each := max((burn+sweeps)/100, 1)
	last := 0
	for i := range burn + sweeps {
		if i-last == each {
			if !report(i - last) {
				return
			}
			last = i
		}
		if i == burn {
			clear(p)
		}
		c.sweep(p)
		c.swap()
		if i < burn {
			continue
		}
		c.count()
		if c.moments != nil {
			c.state.AddTo(c.moments)
		}
		for k, set := range c.sets() {
			if slices.ContainsFunc(set, c.in) {
				any[k]++
			}
			if !slices.ContainsFunc(set, func(term int) bool { return !c.in(term) }) {
				all[k]++
			}
		}
		// Batch b ends before sweep (b+1) sweeps/batches.
		if k := i - burn + 1; k*batches/sweeps > (k-1)*batches/sweeps {
			c.batch = append(c.batch, slices.Clone(p))
			c.any, c.all = append(c.any, slices.Clone(any)), append(c.all, slices.Clone(all))
			c.sweeps = append(c.sweeps, c.pending...)
			c.pending = c.pending[:0]
			if m := c.moments; m != nil {
				c.means = append(c.means, &enumerate.Sums{W: m.W, V: m.V, Mean: slices.Clone(m.Mean)})
			}
			clear(p)
			clear(any)
			clear(all)
		}
	}
	report(burn + sweeps - last)
}

// sweep draws every candidate once and adds their probabilities to p.
func (c *chain) sweep(p []float64) {
	for k := range c.d {
		in := c.in(k)
		prob := 0.0 // of a flip
		if c.allows(k) {
			prob = 1 / (1 + math.Exp2(c.log2()-c.log2Flipped(k)))
		}
		flip := c.rnd.Float64() < prob
		if in {
			prob = 1 - prob
		}
		p[k] += prob
		if flip {
			c.flip(k)
		}
	}
}

// swap proposes a random term out of the model for one in it, and takes it with
// Metropolis' probability: the proposal is symmetric.
func (c *chain) swap() {
	k := c.size
	if k == 0 || k == c.d {
		return
	}
	i, j := c.pick(true, c.rnd.IntN(k)), c.pick(false, c.rnd.IntN(c.d-k))
	if math.Log2(c.rnd.Float64()) < c.log2Swapped(i, j)-c.log2() && c.swaps(i, j) {
		c.flip(i)
		c.flip(j)
	}
}

// pick returns the k-th term that is in, or is not.
func (c *chain) pick(in bool, k int) int {
	for j := 0; ; j++ {
		if c.in(j) == in {
			if k == 0 {
				return j
			}
			k--
		}
	}
}

// count counts the model that a sweep ended at.
func (c *chain) count() {
	key := make([]byte, c.d)
	for k := range key {
		if c.in(k) {
			key[k] = 1
		}
	}
	v := c.visits[string(key)]
	if v == nil {
		v = &visit{terms: string(key), score: c.log2()}
		c.visits[v.terms] = v
	}
	v.count++
	c.pending = append(c.pending, c.size)
}

// modelSample puts the chains together, in their order.
func (s *scored) modelSample(chains []*chain, set SampleModelsSettings) *ModelSample {
	d := s.count()
	m := &ModelSample{store[ModelSample](modelSampleState{
		Response: s.m.s.Response, N: s.m.s.N, Candidates: s.termNames(), Split: s.split(), Always: s.terms(s.always), Aliased: s.aliased,
		Chains: len(chains), Inclusion: make([]float64, d), Err: make([]float64, d), Sizes: make([]float64, d+1),
		SizePrior: s.sizePrior(),
	})}
	var means, any, all [][]float64
	for _, c := range chains {
		// A batch has the sweeps from ceil(b sweeps/batches) on.
		start := func(b int) int { return (b*set.Sweeps + batches - 1) / batches }
		for b, sums := range c.batch {
			for _, v := range [][]float64{sums, c.any[b], c.all[b]} {
				for j := range v {
					v[j] /= float64(start(b+1) - start(b))
				}
			}
			means, any, all = append(means, sums), append(any, c.any[b]), append(all, c.all[b])
		}
		for _, k := range c.sweeps {
			m.s.Sizes[k]++
		}
		m.s.Sweeps += len(c.sweeps)
	}
	for k := range m.s.Sizes {
		m.s.Sizes[k] /= float64(m.s.Sweeps)
	}
	for j := range d {
		m.s.Inclusion[j], m.s.Err[j] = meanError(means, j)
	}
	for k, terms := range set.Sets {
		t := TermSet{Terms: slices.Clone(terms)}
		t.Any, t.AnyErr = meanError(any, k)
		t.All, t.AllErr = meanError(all, k)
		m.s.Sets = append(m.s.Sets, t)
	}
	m.s.Best, m.s.Visited = s.visited(chains, set.Best)
	m.s.ScoreError = s.scoreRounding()
	if set.Average && m.s.Sweeps > 0 {
		m.s.Average, m.s.AverageErr = s.sampleAverage(chains)
	}
	return m
}

// sampleAverage returns the coefficients averaged over the sweeps, and their Monte
// Carlo standard errors, from the averages of the batches.
func (s *scored) sampleAverage(chains []*chain) (*ModelAverage, []float64) {
	total, batch := s.noMoments(), s.noMoments()
	var means [][]float64
	for _, c := range chains {
		total.W += c.moments.W
		total.V += c.moments.V
		floats.Add(total.Mean, c.moments.Mean)
		floats.Add(total.Second, c.moments.Second)
		before := s.noMoments()
		for _, now := range c.means {
			batch.W, batch.V = now.W-before.W, now.V-before.V
			floats.SubTo(batch.Mean, now.Mean, before.Mean)
			means = append(means, s.average(batch).Coef())
			before = now
		}
	}
	f := s.average(total)
	errs := make([]float64, len(f.Coef()))
	for j := range errs {
		_, errs[j] = meanError(means, j)
	}
	return f, errs
}

// meanError returns the mean of the j-th values of the batches and its standard
// error.
func meanError(batches [][]float64, j int) (mean, err float64) {
	n := float64(len(batches))
	for _, b := range batches {
		mean += b[j] / n
	}
	for _, b := range batches {
		err += (b[j] - mean) * (b[j] - mean)
	}
	return mean, math.Sqrt(err / (n - 1) / n)
}

// visited returns the most probable of the models visited, and the number of
// different ones.
func (s *scored) visited(chains []*chain, most int) ([]RankedModel, int) {
	all := make(map[string]*visit)
	total := 0
	for _, c := range chains {
		for key, v := range c.visits {
			total += v.count
			if first := all[key]; first != nil {
				first.count += v.count
				continue
			}
			all[key] = v
		}
	}
	list := make([]*visit, 0, len(all))
	for _, v := range all {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b *visit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.terms, b.terms))
	})
	best := []RankedModel{}
	for _, v := range list[:min(most, len(list))] {
		model := s.ranked(func(term int) bool { return v.terms[term] == 1 })
		model.PostProb = float64(v.count) / float64(total)
		best = append(best, model)
	}
	return best, len(list)
}

// Terms returns the names of the d candidates, in the order of the design.
func (m *ModelSample) Terms() []string { return slices.Clone(m.s.Candidates) }

// Always returns the names of the terms that are in every model.
func (m *ModelSample) Always() []string { return slices.Clone(m.s.Always) }

// Response returns the name of the response.
func (m *ModelSample) Response() string { return m.s.Response }

// NObs returns the number of observations; rows of weight zero do not count.
func (m *ModelSample) NObs() int { return m.s.N }

// Aliased returns the candidates that are combinations of the candidates
// before them and of what is always in.
func (m *ModelSample) Aliased() []string { return slices.Clone(m.s.Aliased) }

// Chains returns the number of chains.
func (m *ModelSample) Chains() int { return m.s.Chains }

// Sweeps returns the number of sweeps that count, over all chains.
func (m *ModelSample) Sweeps() int { return m.s.Sweeps }

// Visited returns the number of different models seen at the ends of sweeps.
func (m *ModelSample) Visited() int { return m.s.Visited }

// InclusionProb returns the estimates of p(gamma_j = 1|y) for the d candidates.
func (m *ModelSample) InclusionProb() []float64 { return slices.Clone(m.s.Inclusion) }

// InclusionErr returns their Monte Carlo standard errors.
func (m *ModelSample) InclusionErr() []float64 { return slices.Clone(m.s.Err) }

// SizeProb returns the shares of sweeps that ended at models of the sizes 0 to d.
func (m *ModelSample) SizeProb() []float64 { return slices.Clone(m.s.Sizes) }

// SizePrior returns the prior probabilities of the sizes 0 to d.
func (m *ModelSample) SizePrior() []float64 { return slices.Clone(m.s.SizePrior) }

// Best returns the most probable of the models visited, the most probable first.
// Scores are right to ScoreError; PostProb is the share of sweeps that ended at the
// model.
func (m *ModelSample) Best() report.Rows[RankedModel] { return clones(m.s.Best) }

// ScoreError bounds the rounding error of every LogScore of Best: see
// Enumeration.ScoreError.
func (m *ModelSample) ScoreError() float64 { return m.s.ScoreError }

// TermSets returns the probabilities of the sets of SampleModelsSettings.Sets, in
// their order, with their Monte Carlo errors: how often a sweep ended at a model that
// has any, or all, of the terms.
func (m *ModelSample) TermSets() report.Rows[TermSet] { return cloneSets(m.s.Sets) }

// ModelAverage returns the coefficients averaged over the models at the ends of the
// sweeps, those of a model being their posterior mean in it. The error is ErrSetting if
// SampleModelsSettings.Average was not set.
func (m *ModelSample) ModelAverage() (*ModelAverage, error) {
	if m.s.Average == nil {
		return nil, fmt.Errorf("%w: SampleModelsSettings.Average was not set", ErrSetting)
	}
	return m.s.Average, nil
}

// AverageErr returns the Monte Carlo standard errors of ModelAverage's coefficients, in
// the order of its Names; nil if SampleModelsSettings.Average was not set.
func (m *ModelSample) AverageErr() []float64 { return slices.Clone(m.s.AverageErr) }

// MedianModel returns the candidates whose inclusion probability is above one
// half.
func (m *ModelSample) MedianModel() []string {
	terms := []string{}
	for j, p := range m.s.Inclusion {
		if p > 0.5 {
			terms = append(terms, m.s.Candidates[j])
		}
	}
	return terms
}

// Describe returns the posterior over models as a table with a row for each candidate:
// its probability with the Monte Carlo error, the mean and standard deviation of its
// coefficient if they were averaged, and whether it is in the best model that was
// visited (MAP) and in the median model.
func (m *ModelSample) Describe() *report.Table {
	best := m.Best()[0]
	columns := []report.Column{probOf(format.MonteCarlo, m.InclusionErr())}
	if m.s.Average != nil {
		columns = append(columns, averageColumns(m.s.Average, m.Terms())...)
	}
	t := describeModels(m.Response(), m.Terms(), m.InclusionProb(), best, m.MedianModel(), columns)
	t.Notes = append([]string{
		fmt.Sprintf("sampled: %s, %s in all, %s visited", format.Plural(m.Chains(), "chain"), format.Plural(m.Sweeps(), "sweep"), format.Plural(m.Visited(), "model")),
		fmt.Sprintf("most probable visited {%s, exact score %s", modelText(best), format.Decimal(best.LogScore, 4)),
		fmt.Sprintf("median model {%s}", strings.Join(m.MedianModel(), " ")),
	}, otherTerms(m.Always(), m.Aliased(), m.s.Split)...)
	return t
}

// String writes the table of the posterior as text.
func (m *ModelSample) String() string { return m.Describe().String() }
