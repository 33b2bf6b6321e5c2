package certify

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// tally is what draws add up to. An event is that a unit, or a pair of units, is in.
type tally struct {
	draws          float64
	x, xx          float64   // of X and X^2
	count, ex, exx []float64 // by event: of its indicator, and of that times X and X^2
	largest        float64   // X
	terms          float64   // the most terms that one sum was made of
	found          *collection
	moments        *moments // of coefficients, if they are averaged
}

func newTally(events int) *tally {
	return &tally{count: make([]float64, events), ex: make([]float64, events), exx: make([]float64, events)}
}

func (t *tally) add(o *tally) {
	t.draws += o.draws
	t.x += o.x
	t.xx += o.xx
	t.largest = math.Max(t.largest, o.largest)
	t.terms = math.Max(t.terms, o.terms)
	for i := range t.count {
		t.count[i] += o.count[i]
		t.ex[i] += o.ex[i]
		t.exx[i] += o.exx[i]
	}
	if t.moments != nil {
		t.moments.add(o.moments)
	}
}

// alias draws from finitely many outcomes (Walker's method: Vose, IEEE Transactions on Software Engineering 17 (1991), 972-975).
type alias struct {
	limit []uint64 // below: the outcome itself
	other []int32
}

func newAlias(weights []float64) *alias {
	n := len(weights)
	var sum float64
	for _, v := range weights {
		sum += v
	}
	a := &alias{make([]uint64, n), make([]int32, n)}
	share := make([]float64, n)
	var small, large []int32
	for i, v := range weights {
		a.other[i], a.limit[i] = int32(i), math.MaxUint64
		if share[i] = v / sum * float64(n); share[i] < 1 {
			small = append(small, int32(i))
		} else {
			large = append(large, int32(i))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		s, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		a.limit[s], a.other[s] = uint64(math.Ldexp(share[s], 64)), l
		if share[l] -= 1 - share[s]; share[l] < 1 {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	return a
}

func (a *alias) draw(r *rand.PCG) int {
	i, _ := bits.Mul64(r.Uint64(), uint64(len(a.limit)))
	if r.Uint64() < a.limit[i] {
		return int(i)
	}
	return int(a.other[i])
}

// sampler draws subsets from the frozen bounds of a tree.
type sampler struct {
	*frozen
	alias *alias
	src   rand.Source
	rooms *rooms
}

// stream returns a generator seeded by the source.
func (s *sampler) stream() *rand.PCG { return rand.NewPCG(s.src.Uint64(), s.src.Uint64()) }

// task is some draws from consecutive nodes, by a generator of their own.
type task struct {
	first  int
	counts []int // of the nodes
	stream *rand.PCG
}

const (
	mostTasks = 256
	leastTask = 1 << 12 // draws
	loadCost  = 64      // what a node costs, in draws
)

// sample returns the tally of n draws, with moments like those, if not nil. They are independent: how many fall on each node
// is drawn first. Which tasks there are depends on these numbers only, and so do all bits of the sums.
func (s *sampler) sample(n int, like *moments, progress *gram.Progress) (*tally, error) {
	counts := make([]int, len(s.nodes))
	r := s.stream()
	for range n {
		counts[s.alias.draw(r)]++
	}
	cost := n
	for _, c := range counts {
		if c > 0 {
			cost += loadCost
		}
	}
	tasks := s.divide(counts, max(cost/mostTasks+1, leastTask))
	tallies := make([]*tally, len(tasks))
	gram.Parallel(len(tasks), func() func(int) {
		w := s.rooms.take().own
		return func(i int) {
			if progress.Stopped() != nil {
				return
			}
			t := s.newTally(like)
			var done float64
			for k, c := range tasks[i].counts {
				if c > 0 {
					s.draw(w, s.nodes[tasks[i].first+k], c, tasks[i].stream, t)
					done += float64(c)
				}
			}
			tallies[i] = t
			progress.Add(done)
		}
	})
	s.rooms.give()
	if err := progress.Stopped(); err != nil {
		return nil, err
	}
	all := s.newTally(like)
	for _, t := range tallies {
		all.add(t)
		if t.found == nil {
			continue
		}
		for _, m := range t.found.models {
			s.found.offer(m.Units, m.LogWeight)
		}
	}
	all.terms += float64(len(tasks))
	return all, nil
}

// newTally returns one of all events.
func (s *sampler) newTally(like *moments) *tally {
	t := newTally(s.events)
	if s.p.average {
		t.moments = newMoments(s.p.columns, like)
	}
	return t
}

// divide makes tasks of about the same cost; a node with many draws may be in several.
func (s *sampler) divide(counts []int, cost int) []task {
	var tasks []task
	t := task{stream: s.stream()}
	room := cost
	for i, c := range counts {
		for c > 0 {
			take := min(c, max(1, room-loadCost))
			for t.first+len(t.counts) < i {
				t.counts = append(t.counts, 0)
			}
			t.counts = append(t.counts, take)
			c -= take
			if room -= take + loadCost; room <= loadCost {
				tasks = append(tasks, t)
				next := i + 1
				if c > 0 {
					next = i
				}
				t, room = task{first: next, stream: s.stream()}, cost
			}
		}
	}
	if len(t.counts) > 0 {
		tasks = append(tasks, t)
	}
	return tasks
}

// prepareDraws readies the law of a node for draws. It returns the part of log X that all have.
func (w *workspace) prepareDraws(nd *node) (start float64) {
	w.load(nd.in, nd.free)
	w.setLaw(nd, nd.u)
	w.law.prepareDraws(len(nd.free))
	return w.logConstant(nd) - nd.base
}

// ratio returns X for a subset of the free units.
func (w *workspace) ratio(nd *node, start float64, t []int) (x float64, m measure) {
	m = w.measure(t)
	if !w.allows(t) {
		return 0, m
	}
	return math.Exp(start - nd.component.phi*m.q + m.own - m.logDet/2 - m.odds - w.law.excess(w.p.size, w.k0, len(t))), m
}

// draw adds draws from the law of a node to a tally.
func (s *sampler) draw(w *workspace, nd *node, draws int, r *rand.PCG, all *tally) {
	start := w.prepareDraws(nd)
	units := len(nd.free)
	t := make([]int, 0, units)
	mine := newTally(s.local(units))
	if all.moments != nil {
		w.setBackward()
	}
	for range draws {
		t = w.law.draw(r, units, t[:0])
		x, m := w.ratio(nd, start, t)
		if s.found.k > 0 && x > 0 {
			s.offer(w, t, m, all)
		}
		mine.x += x
		mine.xx += x * x
		mine.largest = math.Max(mine.largest, x)
		for _, k := range t {
			mine.count[k]++
			mine.ex[k] += x
			mine.exx[k] += x * x
		}
		if all.moments != nil {
			mine.addPairs(units, t, x)
			all.moments.noteDraw(w, m.columns, x)
		}
	}
	s.merge(nd, mine, float64(draws), all)
}

// local is the number of events of that many free units, and addPairs notes pairs of them.
func (s *sampler) local(units int) int {
	if s.p.average {
		return units + units*(units-1)/2
	}
	return units
}

func (t *tally) addPairs(units int, in []int, x float64) {
	for i, k := range in {
		for _, o := range in[:i] {
			e := pairEvent(units, o, k)
			t.count[e]++
			t.ex[e] += x
			t.exx[e] += x * x
		}
	}
}

// merge adds the tally over the free units of a node to that over all events.
func (s *sampler) merge(nd *node, mine *tally, draws float64, all *tally) {
	all.draws += draws
	all.x += mine.x
	all.xx += mine.xx
	all.largest = math.Max(all.largest, mine.largest)
	all.terms = math.Max(all.terms+1, draws)
	for i, k := range nd.free {
		all.count[k] += mine.count[i]
		all.ex[k] += mine.ex[i]
		all.exx[k] += mine.exx[i]
	}
	for _, k := range nd.in {
		all.count[k] += draws
		all.ex[k] += mine.x
		all.exx[k] += mine.xx
	}
	if s.p.average {
		s.mergePairs(nd, mine, draws, all)
	}
}

// mergePairs is merge for pairs.
func (s *sampler) mergePairs(nd *node, mine *tally, draws float64, all *tally) {
	add := func(i, k int16, count, ex, exx float64) {
		e := pairEvent(len(s.p.units), int(i), int(k))
		all.count[e] += count
		all.ex[e] += ex
		all.exx[e] += exx
	}
	for i, k := range nd.free {
		for h, o := range nd.free[:i] {
			e := pairEvent(len(nd.free), h, i)
			add(o, k, mine.count[e], mine.ex[e], mine.exx[e])
		}
		for _, o := range nd.in {
			add(o, k, mine.count[i], mine.ex[i], mine.exx[i])
		}
	}
	for i, k := range nd.in {
		for _, o := range nd.in[:i] {
			add(o, k, draws, mine.x, mine.xx)
		}
	}
}

// offer notes the model of a draw, if it may be among the best.
func (s *sampler) offer(w *workspace, t []int, m measure, all *tally) {
	log := w.logTotal(m.q, w.logDet+m.logDet, w.ownIn+m.own, w.k0+len(t))
	if all.found == nil {
		all.found = &collection{p: w.p, k: s.found.k, models: slices.Clone(s.found.models)}
	}
	if all.found.wants(log) {
		all.found.offer(w.units(t), log)
	}
}

// measure is what a subset of the free units has.
type measure struct {
	q       float64
	own     float64 // sum of Own
	logDet  float64
	odds    float64 // in the law
	columns int
}

// measure computes that by bordering: rows of L, G_TT = LL', with inverse diagonals, and L^-1 b_T.
func (w *workspace) measure(t []int) measure {
	out := measure{q: w.q}
	l, z := w.inverse, w.means[:0]
	at := w.chosen[:0]
	for _, k := range t {
		out.own += w.p.own[w.free[k]]
		out.odds += w.odds[k]
		for j := w.start[k]; j < w.start[k+1]; j++ {
			row := l[len(at)*(len(at)+1)/2:][:len(at)+1]
			g := w.g[j*w.m : j*w.m+w.m]
			rest, b := g[j], w.b[j]
			for i, c := range at {
				above := l[i*(i+1)/2:][:i+1]
				v := g[c]
				for h, e := range row[:i] {
					v -= e * above[h]
				}
				v *= above[i]
				row[i] = v
				rest -= v * v
				b -= v * z[i]
			}
			if !(rest > 0) {
				panic("certify: elimination failed where rounding was bounded")
			}
			inverse := 1 / math.Sqrt(rest)
			row[len(at)] = inverse
			b *= inverse
			z, at = append(z, b), append(at, j)
			out.columns++
			out.q -= b * b
			if w.p.det {
				out.logDet += math.Log(rest)
			}
		}
	}
	return out
}
