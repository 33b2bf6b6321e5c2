package enumerate

import (
	"math"
	"math/bits"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Units are rows that go in and out of subsets together, and rules of which units
// go together. A subset is then one of units, unit u being bit u, and its weight is
// 2^(L + Prior[number of units]), with the L of its rows.
type Units struct {
	Rows  [][]int // of each unit, from 1, ascending; at most MaxRows units, and no row twice
	Prior []float64
	// Needs are, for each unit, the units that it needs: all of them, or at least one
	// if One is set. 0 is none.
	Needs []uint32
	One   bool
	// Sets are sets of units: the sums are those of the subsets that have any, and
	// all, of a set.
	Sets []uint32
	// BySize keeps the best subsets of every number of rows.
	BySize bool
}

// Allows tells whether the units of a subset have what they need.
func (u *Units) Allows(subset uint32) bool {
	for s := subset; s != 0; s &= s - 1 {
		if !u.has(subset, bits.TrailingZeros32(s)) {
			return false
		}
	}
	return true
}

// has tells whether a subset has what one of its units needs.
func (u *Units) has(subset uint32, unit int) bool {
	needs := u.Needs[unit]
	if u.One {
		return needs == 0 || subset&needs != 0
	}
	return subset&needs == needs
}

// rows returns the rows of a subset, ascending.
func (u *Units) rows(subset uint32) []int {
	var rows []int
	for s := subset; s != 0; s &= s - 1 {
		rows = append(rows, u.Rows[bits.TrailingZeros32(s)]...)
	}
	slices.Sort(rows)
	return rows
}

// ScoreUnits is Score of a subset of units, Prior included.
func (p *Problem) ScoreUnits(u *Units, subset uint32) float64 {
	return u.Prior[bits.OnesCount32(subset)] + p.scoreRows(u.rows(subset))
}

// UnitResult is what RunUnits sums: Sizes, inclusions and pairs by units, means and
// second moments by rows.
type UnitResult struct {
	Result
	Any, All []float64 // by Sets
	BestBy   [][]Model // with BySize: by number of rows; Best is empty
}

// RunUnits is Run over the subsets of units that are allowed. It walks the same tree,
// a unit a level, without the kernels for the last five rows: a subset costs some ten
// times as much.
func RunUnits(p *Problem, u *Units, s Settings) (*UnitResult, error) {
	l := newUnitPlan(p, u, s.Moments)
	for l.ref = p.climb(u); ; {
		r, high, err := l.run(s)
		if high <= highest || err != nil {
			return r, err
		}
		l.ref += high
	}
}

// unitPlan is a problem with its rows in the order of the walk: the rows of the first
// unit last, since the walk takes in the last row first.
type unitPlan struct {
	*Problem // in that order
	*Units   // in that of the caller
	moments  bool
	order    []int   // the caller's row of each row from 1
	start    []int   // rows before those of the i-th undecided unit, from the last unit
	checks   [][]int // units whose needs are known once the unit is decided
	ref      float64
	cut      int // units that a task has undecided
}

func newUnitPlan(p *Problem, u *Units, moments bool) *unitPlan {
	d := len(u.Rows)
	l := &unitPlan{Units: u, moments: moments, order: []int{0}, start: make([]int, d+1), checks: make([][]int, d)}
	for k := range d { // the last unit's rows come first
		rows := slices.Clone(u.Rows[d-1-k])
		slices.Reverse(rows)
		l.order = append(l.order, rows...)
		l.start[k+1] = l.start[k] + len(rows)
	}
	q := *p
	q.D = len(l.order) - 1
	q.M = make([]float64, Tri(q.D+1))
	for i, a := range l.order {
		for j, b := range l.order[:i+1] {
			q.M[Tri(i)+j] = p.M[Tri(max(a, b))+min(a, b)]
		}
	}
	l.Problem = &q
	for unit, needs := range u.Needs {
		if needs != 0 { // units are decided from the first to the last
			last := max(unit, 31-bits.LeadingZeros32(needs))
			l.checks[last] = append(l.checks[last], unit)
		}
	}
	l.cut = max(d-taskBits, 0)
	return l
}

// climb returns the weight of a subset that no single unit betters.
func (p *Problem) climb(u *Units) float64 {
	subset, top := uint32(0), p.ScoreUnits(u, 0)
	for range 4 * len(u.Rows) {
		best := subset
		for unit := range u.Rows {
			if next := subset ^ 1<<unit; u.Allows(next) {
				if v := p.ScoreUnits(u, next); v > top+1e-9 {
					best, top = next, v
				}
			}
		}
		if best == subset {
			break
		}
		subset = best
	}
	return top
}

// unitSums are sums over the subsets of the undecided units.
type unitSums struct {
	Sums
	any, all []float64
}

func (l *unitPlan) newSums(units int) unitSums {
	s := unitSums{newSums(l.start[units], l.moments), make([]float64, len(l.Sets)), make([]float64, len(l.Sets))}
	s.Size = make([]float64, units+1)
	return s
}

func (s *unitSums) clear() {
	s.W, s.V = 0, 0
	for _, v := range [][]float64{s.Size, s.Incl, s.Pair, s.Mean, s.Second, s.any, s.all} {
		clear(v)
	}
}

// copyFrom copies the sums over fewer units; what the others add is zero.
func (s *unitSums) copyFrom(t *unitSums) {
	s.clear()
	s.W, s.V = t.W, t.V
	for _, v := range [][2][]float64{{s.Size, t.Size}, {s.Incl, t.Incl}, {s.Pair, t.Pair}, {s.Mean, t.Mean}, {s.Second, t.Second}, {s.any, t.any}, {s.all, t.all}} {
		copy(v[0], v[1])
	}
}

// unitLevel has the room that a walker needs at a unit.
type unitLevel struct {
	matrix []float64   // after the rows of the unit, each of which it keeps as it was at its turn
	sums   [2]unitSums // with the rows of the unit, and with one more
	out    unitSums    // without the unit
}

type unitWalker struct {
	*unitPlan
	levels []unitLevel
	best   []ranking // one, or by number of rows
	high   float64
	models float64
	scores []float64
	visit  func(n node, out *unitSums)
}

func (l *unitPlan) newWalker() *unitWalker {
	k := &unitWalker{unitPlan: l, levels: make([]unitLevel, len(l.Rows)+1)}
	k.visit = k.leaf
	for units := 1; units <= len(l.Rows); units++ {
		level := &k.levels[units]
		level.out = l.newSums(units - 1)
		level.matrix = make([]float64, Tri(l.start[units]))
		for i := range level.sums[:min(2, len(l.Rows[len(l.Rows)-units]))] {
			s := l.newSums(units - 1)
			s.Sums = newSums(l.start[units]-1, l.moments)
			s.Size = make([]float64, units)
			level.sums[i] = s
		}
	}
	return k
}

// leaf is the visit to a subset.
func (k *unitWalker) leaf(n node, out *unitSums) {
	q := math.Max(n.a[0], k.Least)
	l := k.Size[n.size] + k.Prior[bits.OnesCount32(n.subset)] + n.bits - k.ref
	if k.Power != 0 {
		l += k.Power * math.Log2(q)
	} else {
		l += k.Rate * q
	}
	if k.scores != nil {
		k.scores[n.subset] = l
	}
	best := &k.best[min(n.size, len(k.best)-1)]
	if l >= best.least {
		best.offer(Model{n.subset, l})
	}
	k.models++
	w := 0.0
	switch {
	case l > highest:
		k.high = max(k.high, l)
	case l > lowest:
		w = exp2(l)
	}
	out.W, out.Size[0] = w, w
	if k.moments {
		out.V = w * (k.VarConst + k.VarSlope[n.size]*q)
	}
	for i, set := range k.Sets {
		out.any[i], out.all[i] = 0, 0
		if n.subset&set != 0 {
			out.any[i] = w
		}
		if n.subset&set == set {
			out.all[i] = w
		}
	}
}

// walk sets out to the sums over the subsets of the undecided units at n. It calls
// visit for nodes with cut undecided units.
func (k *unitWalker) walk(units, cut int, n node, visit func(node, *unitSums), out *unitSums) {
	if units == cut {
		visit(n, out)
		return
	}
	unit := len(k.Rows) - units // in the caller's order
	level := &k.levels[units]
	low, m := k.start[units-1], k.start[units]
	level.out.clear()
	if k.allowed(unit, n.subset) {
		k.walk(units-1, cut, node{a: n.a[:Tri(low+1)], subset: n.subset, size: n.size, bits: n.bits}, visit, &level.out)
	}
	out.copyFrom(&level.out)
	with := node{a: n.a, subset: n.subset | 1<<unit, size: n.size + m - low, bits: n.bits}
	if !k.allowed(unit, with.subset) {
		return
	}
	inverse := make([]float64, 0, 8)
	for r := m; r > low; r-- {
		row := with.a[Tri(r):Tri(r+1)]
		inv, det := pivot(row[r], k.Tol)
		eliminate(level.matrix, with.a, row, inv)
		if k.Det {
			with.bits -= log2(det) / 2
		}
		with.a, inverse = level.matrix, append(inverse, inv)
	}
	with.a = level.matrix[:Tri(low+1)]
	t, s := &level.sums[0], &level.sums[1]
	k.walk(units-1, cut, with, visit, t)
	for r := low + 1; r < m; r++ { // the rows of the unit, from the last taken in
		s.clear()
		copy(s.Size, t.Size)
		s.addRow(&t.Sums, r, level.matrix[Tri(r):Tri(r+1)], inverse[m-r], k.moments)
		copy(s.any, t.any)
		copy(s.all, t.all)
		t, s = s, t
	}
	out.addSizes(&t.Sums, units)
	out.addRow(&t.Sums, m, n.a[Tri(m):Tri(m+1)], inverse[0], k.moments)
	for i := range out.any {
		out.any[i] += t.any[i]
		out.all[i] += t.all[i]
	}
}

// allowed tells whether what is known once a unit is decided is allowed.
func (k *unitWalker) allowed(unit int, subset uint32) bool {
	for _, c := range k.checks[unit] {
		if subset>>c&1 == 1 && !k.has(subset, c) {
			return false
		}
	}
	return true
}

func (l *unitPlan) newRankings(k int) []ranking {
	n := 1
	if l.BySize {
		n = l.D + 1
	}
	best := make([]ranking, n)
	for i := range best {
		best[i] = newRanking(max(k, 1), math.Inf(-1))
	}
	return best
}

// unitTask is a subtree and what became of it.
type unitTask struct {
	root   node
	sums   *unitSums
	best   []ranking
	high   float64
	models float64
}

// run walks the tree: its top to find the tasks, the tasks, and the top again to
// collect their sums.
func (l *unitPlan) run(s Settings) (*UnitResult, float64, error) {
	d := len(l.Rows)
	top := l.newWalker()
	root := node{a: l.M}
	tasks := l.tasks(top, root)
	r := &UnitResult{Result: Result{Ref: l.ref}}
	if s.Scores {
		r.Scores = slices.Repeat([]float64{math.NaN()}, 1<<d)
	}
	each := math.Ldexp(1, l.cut)
	progress := gram.Progress{Total: each * float64(len(tasks)), Tell: s.Progress}
	gram.Parallel(len(tasks), func() func(int) {
		k := l.newWalker()
		k.scores = r.Scores
		return func(i int) {
			if progress.Stopped() != nil {
				return
			}
			t := tasks[i]
			k.best, k.high, k.models = l.newRankings(s.Best), math.Inf(-1), 0
			sums := l.newSums(l.cut)
			k.walk(l.cut, 0, t.root, k.visit, &sums)
			t.sums, t.best, t.high, t.models = &sums, k.best, k.high, k.models
			progress.Add(each)
		}
	})
	best := l.newRankings(s.Best)
	high, next, sums := math.Inf(-1), 0, l.newSums(d)
	top.walk(d, l.cut, root, func(_ node, out *unitSums) {
		t := tasks[next]
		next++
		out.clear()
		if t.sums == nil {
			return
		}
		out.copyFrom(t.sums)
		r.Models += t.models
		high = max(high, t.high)
		for i := range t.best {
			for _, m := range t.best[i].models {
				best[i].offer(m)
			}
		}
	}, &sums)
	r.Sums, r.Any, r.All = sums.Sums, sums.any, sums.all
	for i := range best {
		for j := range best[i].models {
			best[i].models[j].Log2 += l.ref
		}
		r.BestBy = append(r.BestBy, best[i].models)
	}
	if !l.BySize {
		r.Best, r.BestBy = best[0].models, nil
	}
	for i := range r.Scores {
		r.Scores[i] += l.ref
	}
	l.back(r)
	return r, high, progress.Stopped()
}

// tasks are the parts of the tree below its top levels, in the order of the walk.
func (l *unitPlan) tasks(top *unitWalker, root node) (tasks []*unitTask) {
	sums := l.newSums(len(l.Rows))
	top.walk(len(l.Rows), l.cut, root, func(n node, out *unitSums) {
		n.a = slices.Clone(n.a)
		tasks = append(tasks, &unitTask{root: n})
		out.clear()
	}, &sums)
	return tasks
}

// back brings sums over rows to the caller's order, and inclusions to units.
func (l *unitPlan) back(r *UnitResult) {
	rows := l.D
	at := make([]int, rows+1) // the place of the caller's row
	for i, row := range l.order {
		at[row] = i
	}
	incl := r.Incl
	r.Incl = make([]float64, len(l.Rows))
	for u, of := range l.Rows {
		r.Incl[u] = incl[at[of[0]]-1]
	}
	packed := func(v []float64, i, j int) float64 { return v[Tri(max(i, j)-1)+min(i, j)-1] }
	if r.Mean == nil {
		return
	}
	mean, second, pair := r.Mean, r.Second, r.Pair
	r.Mean, r.Second, r.Pair = make([]float64, rows), make([]float64, Tri(rows)), make([]float64, Tri(len(l.Rows)))
	for i := range rows {
		r.Mean[i] = mean[at[i+1]-1]
		for j := range i + 1 {
			r.Second[Tri(i)+j] = packed(second, at[i+1], at[j+1])
		}
	}
	for u, a := range l.Rows {
		for v, b := range l.Rows[:u+1] {
			r.Pair[Tri(u)+v] = packed(pair, at[a[0]], at[b[0]])
		}
	}
}
