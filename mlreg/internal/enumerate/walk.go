package enumerate

import "math"

// node is a place in the tree: what has been decided on the way to it.
type node struct {
	a      []float64 // Schur complement of the undecided rows, packed
	subset uint32    // rows taken in
	size   int       // their number
	bits   float64   // -1/2 log2 of the product of their pivots
}

// walker visits subtrees, one at a time. Its buffers are one matrix and one
// set of sums for every level of the tree.
type walker struct {
	*plan
	matrix [MaxRows + 1][]float64
	sums   [MaxRows + 1]Sums
	lanes  [lanes - 1]Sums // of a leaf, but the first
	block  block
	how    weighing
	best   ranking
	high   float64 // highest log2 weight that was too high to sum
	scores []float64
	visit  func(node, *Sums) // leaf
}

func newWalker(p *plan) *walker {
	k := &walker{plan: p, high: math.Inf(-1)}
	k.visit = k.leaf
	k.how = weighing{tol: p.Tol, factor: p.Rate, constant: p.VarConst}
	if p.Power != 0 {
		k.how.factor, k.how.log = p.Power, 1
	}
	if p.Det {
		k.how.det = 1
	}
	for l := range k.lanes {
		k.lanes[l] = newSums(leafBits, p.moments)
	}
	for m := range p.rows {
		k.matrix[m] = make([]float64, Tri(m+1))
		k.sums[m] = newSums(m, p.moments)
	}
	return k
}

// walk sets out to the sums over the subsets of the m undecided rows at n. It
// calls visit for the nodes with cut undecided rows.
func (k *walker) walk(m, cut int, n node, visit func(node, *Sums), out *Sums) {
	if m == cut {
		visit(n, out)
		return
	}
	k.walk(m-1, cut, n, visit, out)

	row := n.a[Tri(m):Tri(m+1)]
	inv, det := pivot(row[m], k.Tol)
	with := node{a: k.matrix[m-1], subset: n.subset | 1<<(m-1), size: n.size + 1, bits: n.bits}
	eliminate(with.a, n.a, row, inv)
	if k.Det {
		with.bits -= log2(det) / 2
	}
	if k.own != nil {
		with.bits += k.own[m-1]
	}
	t := &k.sums[m-1]
	k.walk(m-1, cut, with, visit, t)
	out.add(t, m, row, inv, k.moments)
}

// eliminate sets dst to the matrix without its last row, row, after a step of
// elimination with the inverse pivot inv.
func eliminate(dst, a, row []float64, inv float64) {
	at := 0
	for i, r := range row[:len(row)-1] {
		c := r * inv
		to, from, rj := dst[at:at+i+1], a[at:at+i+1], row[:i+1]
		for j := range to {
			to[j] = from[j] - c*rj[j]
		}
		at += i + 1
	}
}

// leaf is the visit to a node with leafBits undecided rows.
func (k *walker) leaf(n node, out *Sums) {
	b := &k.block
	k.how.bits, k.how.size = n.bits, &k.size[n.size]
	if k.moments {
		k.how.slope = &k.slope[n.size]
	}
	top := weigh(b, (*[21]float64)(n.a), &k.how)
	if top >= k.best.least {
		k.rank(n)
	}
	if top > highest {
		k.high = max(k.high, top)
	}
	if k.scores != nil {
		for i, lw := range &b.lw {
			k.scores[n.subset|leafSubset(i)] = lw
		}
	}
	if k.moments {
		k.leafMoments((*[21]float64)(n.a), out)
		return
	}
	out.reduce(&b.w)
}

// rank offers the models of a leaf to the ranking.
func (k *walker) rank(n node) {
	for i, lw := range &k.block.lw {
		if lw >= k.best.least && !math.IsInf(lw, -1) {
			k.best.offer(Model{Subset: n.subset | leafSubset(i), Log2: lw})
		}
	}
}
