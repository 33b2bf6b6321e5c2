package certify

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Settings say how far to go. A zero field is the default.
type Settings struct {
	Alpha  float64 // error probability of all intervals together; 1e-9
	Nodes  int     // of all trees together; 20,000
	Memory int     // of nodes that are kept, in bytes; 2^30
	// Draws is the number of draws, 2^21. With Width it is the largest number, and the pilot
	// chooses the least that should make every probability's interval so narrow.
	Draws int
	Width float64
	Best  int // how many of the best models seen to return
	// Posterior is how many independent draws from the posterior to return, if Draws proposals give so many.
	Posterior int
	// Average brackets pairs and coefficients, too.
	Average bool
	// Progress, if not nil, is told of the work done, of Nodes + Draws. Its error stops the work; the
	// bounds known by then are returned with it.
	Progress func(done, total float64) error

	leaf int // columns up to which subtrees are summed, if not 0
}

func (s Settings) withDefaults() (Settings, error) {
	for _, v := range []struct {
		field    *int
		standard int
	}{{&s.Nodes, 20000}, {&s.Memory, 1 << 30}, {&s.Draws, 1 << 21}} {
		if *v.field == 0 {
			*v.field = v.standard
		}
	}
	if s.Alpha == 0 {
		s.Alpha = 1e-9
	}
	if !(s.Alpha > 0 && s.Alpha < 1) || s.Nodes < 0 || s.Memory < 0 || s.Draws < 2 || !(s.Width >= 0) || s.Best < 0 || s.Posterior < 0 {
		return s, fmt.Errorf("%w: settings %+v", ErrProblem, s)
	}
	return s, nil
}

// Status says what the intervals of a Result rest on.
type Status int

// The values of Status.
const (
	Summed    Status = iota // bounds without draws: open nodes are nothing beside what was summed
	Sampled                 // draws; the intervals hold with probability 1 - Alpha
	Hopeless                // bounds alone: too few draws would be accepted to narrow them
	Cancelled               // bounds alone: Progress returned an error
)

// Result brackets the sum over all subsets. Log weights are those of the Problem.
type Result struct {
	Status Status
	// Normalizer brackets the log of the sum, Inclusion the probability of every unit. Estimates are
	// NaN without draws, and the middle if all was summed.
	Normalizer Interval
	Inclusion  []Interval
	// The same by bounds alone, which hold with certainty.
	CertainNormalizer Interval
	CertainInclusion  []Interval
	// With Average: the probability that units i < k are both in, at k(k-1)/2 + i, and mean coefficients by column.
	Pairs, Coefficients []Interval
	// Acceptance is the mean of X, by which a draw would be accepted as one of the posterior; the pilot's if Status is Hopeless.
	Acceptance float64
	Exact      float64 // estimated share of the sum that is summed over leaves
	Rounding   float64 // what rounding may have done to log weights; intervals allow for it
	Components int
	Nodes      int // made
	Open       int // of these, not summed
	Leaves     int // summed
	Draws      int
	Best       []Model
	Largest    float64 // X, at most about 1
	// Posterior are independent draws from the posterior, as units.
	Posterior [][]int
}

const (
	pilotDraws      = 1 << 14
	leastAcceptance = 1e-6
	earlyAcceptance = 1e-9 // after a quarter of the nodes
)

// run is a problem on its way to a Result.
type run struct {
	Settings
	p       *problem
	src     rand.Source
	tree    *tree
	checked bool
}

// Run brackets the sum over the subsets of p. The result does not depend on GOMAXPROCS.
//
// Errors: ErrProblem, ErrSingular or a *ColumnError, ErrPerfectFit; that of Progress, with the bounds
// known by then.
func Run(p *Problem, src rand.Source, settings Settings) (*Result, error) {
	set, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	q, err := prepare(p)
	if err != nil {
		return nil, err
	}
	if set.leaf != 0 {
		q.leaf = set.leaf
	}
	q.average = set.Average
	if least := q.leastMemory(); set.Memory < least {
		return nil, fmt.Errorf("%w: a Memory of %d bytes holds no trees; those of %d columns take at least %d", ErrMemory, set.Memory, q.columns, least)
	}
	r := &run{Settings: set, p: q, src: src}
	r.tree = newTree(q, &collection{p: q, w: newWorkspace(q), k: set.Best}, set.Posterior > 0)
	if err = r.tree.plant(r.tell); err == nil {
		err = r.tree.grow(set.Nodes, set.Memory, r.grown)
	}
	f := r.tree.freeze()
	result := r.certain(f)
	if errors.Is(err, errHopeless) {
		err = nil
	}
	if err != nil {
		result.Status = Cancelled
		return result, err
	}
	if len(f.nodes) == 0 || f.logU < f.exact.log()-40 {
		result.Normalizer = result.Normalizer.between()
		for _, intervals := range [][]Interval{result.Inclusion, result.Pairs, result.Coefficients} {
			for k, in := range intervals {
				intervals[k] = in.between()
			}
		}
		result.Posterior = r.sampler(f).posterior(r.Posterior, r.Draws)
		return result, nil
	}
	return r.draw(f, result)
}

var errHopeless = errors.New("certify: hopeless")

// tell tells Progress of nodes.
func (r *run) tell(nodes int) error {
	if r.Progress == nil {
		return nil
	}
	return r.Progress(float64(min(nodes, r.Nodes)), float64(r.Nodes+r.Draws))
}

// grown tells Progress of nodes, and gives up a tree that will lead to nothing.
func (r *run) grown(nodes int) error {
	if err := r.tell(nodes); err != nil {
		return err
	}
	if r.checked || nodes < r.Nodes/4 || nodes >= r.Nodes || len(r.tree.open) == 0 {
		return nil
	}
	r.checked = true
	f := r.tree.freeze()
	t, err := r.sampler(f).sample(pilotDraws/8, nil, &gram.Progress{})
	if err != nil {
		return err
	}
	if f.acceptance(t) < earlyAcceptance {
		return errHopeless
	}
	return nil
}

// acceptance estimates the share of the sum in all bounds.
func (f *frozen) acceptance(t *tally) float64 {
	z0 := math.Exp(f.exact.log() - f.logU)
	return (z0 + t.x/t.draws) / (z0 + 1)
}

func (r *run) sampler(f *frozen) *sampler {
	return &sampler{frozen: f, alias: newAlias(f.weights), src: r.src, rooms: &rooms{p: r.p}}
}

// certain makes the result of the bounds alone.
func (r *run) certain(f *frozen) *Result {
	normalizer, inclusion := f.certain()
	out := &Result{Status: Summed, Components: len(r.p.parts), Nodes: r.tree.nodes, Open: len(f.nodes), Leaves: r.tree.leaves,
		Rounding: r.rounding(f) + r.p.given, Acceptance: math.NaN(), Exact: math.NaN()}
	out.CertainNormalizer = r.shift(normalizer, out.Rounding)
	for _, in := range inclusion {
		out.CertainInclusion = append(out.CertainInclusion, widened(in, out.Rounding))
	}
	units := len(r.p.units)
	out.CertainInclusion, out.Pairs = out.CertainInclusion[:units:units], out.CertainInclusion[units:]
	out.Coefficients = r.certainAverages(f, out.Rounding)
	out.Normalizer, out.Inclusion = out.CertainNormalizer, out.CertainInclusion
	out.Best = r.share(out.Normalizer)
	return out
}

// rounding is what rounding may have done to log weights here.
func (r *run) rounding(f *frozen) float64 { return r.p.wrong + f.rounding }

// between is an interval whose estimate is its middle.
func (i Interval) between() Interval {
	i.Estimate = (i.Lower + i.Upper) / 2
	return i
}

// shift brings an interval of log sums to the units of the Problem, and widens it by the rounding.
func (r *run) shift(in Interval, rounding float64) Interval {
	return Interval{in.Lower + r.p.offset - rounding, in.Estimate + r.p.offset, in.Upper + r.p.offset + rounding}
}

// widened is an interval of a probability, widened by the rounding of log weights.
func widened(in Interval, rounding float64) Interval {
	in.Lower, in.Upper = widen(in.Lower, in.Upper, rounding)
	return in
}

// within is an interval cut to another that holds with certainty.
func (i Interval) within(o Interval) Interval {
	low, high := math.Max(i.Lower, o.Lower), math.Min(i.Upper, o.Upper)
	return Interval{low, math.Max(low, math.Min(high, i.Estimate)), high}
}

// draw samples and makes the intervals.
func (r *run) draw(f *frozen, result *Result) (*Result, error) {
	s := r.sampler(f)
	e, err := r.propose(s, result)
	if err != nil {
		result.Status = Cancelled
		return result, err
	}
	if e != nil {
		r.narrow(e, result)
		result.Posterior = s.posterior(r.Posterior, r.Draws)
	}
	return result, nil
}

// propose draws a pilot, which fixes the number of draws and the control variate, and then these. The evidence is nil, and Status
// Hopeless, if too few would be accepted.
func (r *run) propose(s *sampler, result *Result) (*evidence, error) {
	progress := &gram.Progress{Tell: func(done, _ float64) error {
		if r.Progress == nil {
			return nil
		}
		return r.Progress(float64(r.Nodes)+math.Min(done, float64(r.Draws)), float64(r.Nodes+r.Draws))
	}}
	pilot, err := s.sample(min(pilotDraws, r.Draws), nil, &gram.Progress{})
	if err != nil {
		return nil, err
	}
	if result.Acceptance = pilot.x / pilot.draws; s.acceptance(pilot) < leastAcceptance {
		result.Status = Hopeless
		return nil, nil
	}
	a := math.Min(1, pilot.x/pilot.draws)
	n := s.evidence(pilot, a, r.Alpha).drawsFor(r.Width, r.Draws)
	t, err := s.sample(n, r.p.momentsFor(pilot, a), progress)
	if err != nil {
		return nil, err
	}
	if t.largest > math.Exp(2*r.rounding(s.frozen))*(1+1e-9) {
		panic(fmt.Sprintf("certify: a weight is %v of its bound", t.largest))
	}
	return s.evidence(t, a, r.Alpha), nil
}

// narrow sets the intervals of draws, within what bounds allow.
func (r *run) narrow(e *evidence, result *Result) {
	f := e.frozen
	result.Status, result.Draws, result.Acceptance, result.Largest = Sampled, int(e.draws), e.x/e.draws, e.largest
	result.Exact = e.z0 / (e.z0 + result.Acceptance)
	normalizer := e.normalizer()
	result.Normalizer = r.shift(Interval{normalizer.Lower + f.logU, normalizer.Estimate + f.logU, normalizer.Upper + f.logU}, result.Rounding).within(result.CertainNormalizer)
	result.Inclusion, result.Pairs = r.probabilities(e, result, 0, len(r.p.units)), r.probabilities(e, result, len(r.p.units), f.events)
	result.Coefficients = r.averages(f, e, result.Coefficients, result.Rounding)
	result.Best = r.share(result.Normalizer)
}

// probabilities brackets those of events, within what bounds allow.
func (r *run) probabilities(e *evidence, result *Result, first, end int) []Interval {
	var out []Interval
	certain := slices.Concat(result.CertainInclusion, result.Pairs)
	for k := first; k < end; k++ {
		out = append(out, widened(e.probability(k), result.Rounding).within(certain[k]))
	}
	return out
}

// drawsFor is the number of draws, at most, after which every probability's interval should be so narrow, going by
// the variances of a pilot.
func (e *evidence) drawsFor(width float64, most int) int {
	if width == 0 {
		return most
	}
	total := e.z0 + e.x/e.draws
	narrow := func(n float64) bool {
		for k := range e.p.units {
			p := e.probability(k).Estimate
			x, g := e.x/e.draws-e.a, (e.ex[k]-e.a*e.count[k])/e.draws
			gg := (e.exx[k]-2*e.a*e.ex[k])/e.draws + e.a*e.a*e.count[k]/e.draws
			xx := (e.xx-2*e.a*e.x)/e.draws + e.a*e.a
			v := math.Max(0, (1-2*p)*gg+p*p*xx-(g-p*x)*(g-p*x))
			if 2*(math.Sqrt(2*v*e.log/n)+7*e.log/(3*n))/total > width {
				return false
			}
		}
		return true
	}
	n := math.Min(float64(most), pilotDraws)
	for n < float64(most) && !narrow(n) {
		n = math.Min(n*1.25, float64(most))
	}
	return int(n)
}

// share returns the models found, with the intervals of their shares.
func (r *run) share(normalizer Interval) []Model {
	r.tree.found.climb()
	var best []Model
	wrong := r.p.wrong + r.p.given
	for _, m := range r.tree.found.models {
		m.LogWeight += r.p.offset
		m.Share = Interval{math.Exp(m.LogWeight - normalizer.Upper - wrong), math.Exp(m.LogWeight - normalizer.Estimate),
			math.Min(1, math.Exp(m.LogWeight-normalizer.Lower+wrong))}
		best = append(best, m)
	}
	return best
}
