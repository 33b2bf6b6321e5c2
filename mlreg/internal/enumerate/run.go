package enumerate

import (
	"math"
	"math/bits"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Settings say what to sum beside weights, sizes and inclusions.
type Settings struct {
	Best     int  // how many of the best models to return
	Moments  bool // sum pairs and coefficients too
	Scores   bool // return L of every subset
	Progress func(done, total float64) error
}

// Result is what Run sums. Sums are relative to 2^Ref.
type Result struct {
	Sums
	Ref    float64
	Models float64   // how many were summed
	Best   []Model   // best first, with L
	Scores []float64 // L by subset
}

// plan is a problem made ready: padded to leafBits rows, its weights relative
// to a reference.
type plan struct {
	*Problem
	moments bool
	rows    int // D, at least leafBits
	models  int // log2 of the number of subsets of a task
	cut     int // undecided rows of a task
	ref     float64
	own     []float64 // by row, added to L; nil for zeros
	// By rows taken in above the leaf, and model of the leaf: what is added to
	// L, and VarSlope.
	size, slope [][leafSize]float64
}

// Most tasks a walk is divided in: 2^taskBits. The division depends on D
// only, and so do the roundings of the sums.
const (
	taskBits    = 8
	leastCut    = 12
	searchSlack = 1e-6 // bits; differences of rounding between search and walk
)

// Run sums over all subsets of p. If Progress returns an error, Run stops and
// returns the sums over the subtrees that were done, with the error; that of
// the best model known beforehand is among them.
//
// The walk takes the last row in first. It is given the rows in reverse, so that
// of rows that are combinations of each other it is the later ones that add
// nothing and have the coefficient 0.
func Run(p *Problem, s Settings) (*Result, error) {
	r, err := p.reversed().run(s)
	r.reverse(p.D)
	return r, err
}

// reversed returns the problem with rows 1 to D in reverse.
func (p *Problem) reversed() *Problem {
	q := *p
	q.M = slices.Clone(p.M)
	for i := 1; i <= p.D; i++ {
		q.M[Tri(i)] = p.M[Tri(p.D+1-i)]
	}
	for i := range p.D {
		for j := range i + 1 {
			q.M[Tri(i+1)+j+1] = p.M[Tri(p.D-j)+p.D-i]
		}
	}
	return &q
}

// reverse brings what was summed for d rows in reverse to their order.
func (r *Result) reverse(d int) {
	back := func(subset uint32) uint32 { return bits.Reverse32(subset) >> (32 - d) }
	slices.Reverse(r.Incl)
	slices.Reverse(r.Mean)
	for _, packed := range [][]float64{r.Pair, r.Second} {
		if packed == nil {
			continue
		}
		turned := slices.Clone(packed)
		for i := range d {
			for j := range i + 1 {
				packed[Tri(i)+j] = turned[Tri(d-1-j)+d-1-i]
			}
		}
	}
	for i := range r.Best {
		r.Best[i].Subset = back(r.Best[i].Subset)
	}
	slices.SortFunc(r.Best, order)
	for i := range r.Scores {
		if k := int(back(uint32(i))); k > i {
			r.Scores[i], r.Scores[k] = r.Scores[k], r.Scores[i]
		}
	}
}

// run is Run without turning rows round.
func (p *Problem) run(s Settings) (*Result, error) {
	found := p.search(max(s.Best, 1))
	ref := found.models[0].Log2
	least := math.Inf(-1)
	if len(found.models) == found.k && s.Progress == nil {
		least = found.models[found.k-1].Log2 - ref - searchSlack
	}
	return p.runFrom(found.models[0].Subset, ref, least, s)
}

// runFrom runs relative to a reference, and again if a weight turns out to be
// too high above it. Models below least, relative to the reference, are not
// among the best.
func (p *Problem) runFrom(first uint32, ref, least float64, s Settings) (*Result, error) {
	for {
		r, high, err := newPlan(p, s.Moments, ref, nil).run(s, least, first)
		if high <= highest || err != nil {
			return r, err
		}
		ref, least = ref+high, math.Inf(-1)
	}
}

// RunFrom is Run relative to a reference near the largest L, so that none is searched for. own, if
// not nil, is added to L for every row in the subset. The order of the rows is that
// of the walk, the last first, which matters only if they are combinations of each other. It is for few rows, and tells no
// Progress.
func RunFrom(p *Problem, ref float64, own []float64, s Settings) *Result {
	s.Progress = nil
	for {
		r, high, err := newPlan(p, s.Moments, ref, own).run(s, math.Inf(-1), 0)
		if err != nil {
			panic(err) // of Progress alone
		}
		if high <= highest {
			return r
		}
		ref += high
	}
}

func newPlan(p *Problem, moments bool, ref float64, own []float64) *plan {
	l := &plan{Problem: p, moments: moments, rows: p.D, ref: ref, own: own}
	if p.D < leafBits {
		padded := *p
		padded.D = leafBits
		padded.M = append(slices.Clone(p.M), make([]float64, Tri(leafBits+1)-len(p.M))...)
		l.Problem, l.rows = &padded, leafBits
	}
	l.cut = min(max(l.rows-taskBits, leastCut), l.rows)
	l.models = l.cut - (l.rows - p.D)
	l.size = make([][leafSize]float64, l.rows-leafBits+1)
	l.slope = make([][leafSize]float64, len(l.size))
	for k := range l.size {
		for i := range leafSize {
			l.size[k][i] = math.Inf(-1) // rows of padding are never in
			if subset := leafSubset(i); subset < 1<<p.D {
				l.size[k][i] = p.Size[k+bits.OnesCount32(subset)] - ref
				l.slope[k][i] = p.VarSlope[k+bits.OnesCount32(subset)]
				for s := subset; own != nil && s != 0; s &= s - 1 {
					l.size[k][i] += own[bits.TrailingZeros32(s)]
				}
			}
		}
	}
	return l
}

// task is a subtree and what became of it.
type task struct {
	root node
	sums *Sums
	best []Model
	high float64
}

// run walks the tree, the subtree of the subset first before the others: its top to find the roots of the tasks, the tasks, and
// the top again to collect their sums.
func (l *plan) run(s Settings, least float64, first uint32) (r *Result, high float64, err error) {
	top := newWalker(l)
	var tasks []*task
	root := node{a: l.M}
	none := newSums(l.rows, l.moments)
	top.walk(l.rows, l.cut, root, func(n node, _ *Sums) {
		n.a = slices.Clone(n.a[:Tri(l.cut+1)])
		tasks = append(tasks, &task{root: n})
	}, &none)

	var scores []float64
	if s.Scores {
		scores = slices.Repeat([]float64{math.NaN()}, 1<<l.rows)
	}
	queue := slices.Clone(tasks)
	if i := slices.IndexFunc(tasks, func(t *task) bool { return t.root.subset>>l.cut == first>>l.cut }); i > 0 {
		queue[0], queue[i] = queue[i], queue[0]
	}
	err = l.runTasks(queue, s, least, scores)

	sums := newSums(l.rows, l.moments)
	best := newRanking(max(s.Best, 1), math.Inf(-1))
	r = &Result{Ref: l.ref}
	high = math.Inf(-1)
	zero := newSums(l.cut, l.moments)
	next := 0
	top.walk(l.rows, l.cut, root, func(_ node, out *Sums) {
		t := tasks[next]
		next++
		if t.sums == nil {
			out.set(&zero, l.cut)
			return
		}
		out.set(t.sums, l.cut)
		r.Models += math.Ldexp(1, l.models)
		high = max(high, t.high)
		for _, m := range t.best {
			best.offer(m)
		}
	}, &sums)
	r.Sums = sums.head(l.models + l.rows - l.cut)
	r.Best = best.models
	for i := range r.Best {
		r.Best[i].Log2 += l.ref
	}
	for i := range scores {
		scores[i] += l.ref
	}
	if scores != nil {
		r.Scores = scores[:1<<(l.models+l.rows-l.cut)]
	}
	return r, high, err
}

// runTasks walks the subtrees on as many goroutines as there are processors.
// What a subtree gives does not depend on who walks it.
func (l *plan) runTasks(tasks []*task, s Settings, least float64, scores []float64) error {
	each := math.Ldexp(1, l.models)
	progress := gram.Progress{Total: each * float64(len(tasks)), Tell: s.Progress}
	gram.Parallel(len(tasks), func() func(int) {
		k := newWalker(l)
		k.scores = scores
		return func(i int) {
			if progress.Stopped() != nil {
				return
			}
			t := tasks[i]
			k.best, k.high = newRanking(max(s.Best, 1), least), math.Inf(-1)
			sums := newSums(l.cut, l.moments)
			k.walk(l.cut, leafBits, t.root, k.visit, &sums)
			t.sums, t.best, t.high = &sums, k.best.models, k.high
			progress.Add(each)
		}
	})
	return progress.Stopped()
}
