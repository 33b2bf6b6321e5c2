package enumerate

import "math"

// A leaf is a node with leafBits undecided rows; its models are visited as one
// block. Index i of a block has the row 4 in bit 0, the row 5 in bit 1 and the
// rows 1 to 3 in bits 2 to 4: the four choices of rows 4 and 5 are the lanes of
// a vector.
const (
	leafBits = 5
	leafSize = 1 << leafBits
	lanes    = 4
)

// leafSubset returns the rows of index i of a block, row j as bit j-1.
func leafSubset(i int) uint32 { return uint32(i>>2 | i&3<<3) }

// block holds the models of one leaf. The kernels in assembly know its layout.
type block struct {
	q   [leafSize]float64 // Q of the model
	det [leafSize]float64 // product of its pivots below the leaf
	lw  [leafSize]float64 // log2 of its weight
	w   [leafSize]float64 // its weight, 0 below 2^lowest
	v   [leafSize]float64 // its weight times its noise variance, if asked for
	// a are the matrices of rows 0 to 3 for every choice of rows 4 and 5,
	// packed, lane by lane; d is the product of pivots of these rows.
	a [10][lanes]float64
	d [lanes]float64
	// inv are the inverse pivots, lane by lane: of row 1, of row 2, and of row
	// 1 given row 2, all without row 3; the same with row 3; of row 3; of row
	// 4; of row 5. They are 0 in lanes without the row.
	inv [9][lanes]float64
}

// weighing is how a leaf is weighed.
type weighing struct {
	tol    float64
	factor float64 // of log2 Q, or of Q
	log    uint64  // 1 if of log2 Q
	det    uint64  // 1 if -1/2 log2 of the determinant is added
	bits   float64 // added to all
	size   *[leafSize]float64
	// slope is what multiplies Q in the noise variance, nil if v is not asked
	// for, and constant what is added to it.
	slope    *[leafSize]float64
	constant float64
}

// Weights of 2^lowest and less, relative to the best model known, count as
// zero. There should be none above 2^highest; if there is, the walk starts
// again relative to it.
const (
	lowest  = -1022
	highest = 900
)

// pivot returns 1/g and g, or 0 and 1 for a variable that adds nothing to
// those in the model.
func pivot(g, tol float64) (inv, det float64) {
	if g > tol {
		return 1 / g, g
	}
	return 0, 1
}

// split sets a and d from the packed matrix of a leaf.
func (b *block) split(m *[21]float64, tol float64) {
	inv4, det4 := pivot(m[14], tol)
	b.lane(1, (*[15]float64)(m[:15]), inv4)

	inv5, det5 := pivot(m[20], tol)
	r0, r1, r2, r3, r4 := m[15], m[16], m[17], m[18], m[19]
	c0, c1, c2, c3, c4 := r0*inv5, r1*inv5, r2*inv5, r3*inv5, r4*inv5
	n := [15]float64{
		m[0] - c0*r0,
		m[1] - c1*r0, m[2] - c1*r1,
		m[3] - c2*r0, m[4] - c2*r1, m[5] - c2*r2,
		m[6] - c3*r0, m[7] - c3*r1, m[8] - c3*r2, m[9] - c3*r3,
		m[10] - c4*r0, m[11] - c4*r1, m[12] - c4*r2, m[13] - c4*r3, m[14] - c4*r4,
	}
	inv45, det45 := pivot(n[14], tol)
	b.lane(3, &n, inv45)
	for k := range b.a {
		b.a[k][0], b.a[k][2] = m[k], n[k]
	}
	b.d = [lanes]float64{1, det4, det5, det5 * det45}
	b.inv[7] = [lanes]float64{0, inv4, 0, inv45}
	b.inv[8] = [lanes]float64{0, 0, inv5, inv5}
}

// lane eliminates row 4 of m.
func (b *block) lane(l int, m *[15]float64, inv float64) {
	r0, r1, r2, r3 := m[10], m[11], m[12], m[13]
	c0, c1, c2, c3 := r0*inv, r1*inv, r2*inv, r3*inv
	a := &b.a
	a[0][l] = m[0] - c0*r0
	a[1][l], a[2][l] = m[1]-c1*r0, m[2]-c1*r1
	a[3][l], a[4][l], a[5][l] = m[3]-c2*r0, m[4]-c2*r1, m[5]-c2*r2
	a[6][l], a[7][l], a[8][l], a[9][l] = m[6]-c3*r0, m[7]-c3*r1, m[8]-c3*r2, m[9]-c3*r3
}

// weighPortable sets q, det, lw, w and v from the packed matrix of a leaf, and
// returns the largest lw.
func weighPortable(b *block, m *[21]float64, g *weighing) (top float64) {
	b.split(m, g.tol)
	for l := range lanes {
		b.leaf3(l, g.tol)
	}
	if g.log == 1 {
		for i := range b.lw {
			b.lw[i] = g.size[i] + (g.bits + g.factor*log2(b.q[i]))
		}
	} else {
		for i := range b.lw {
			b.lw[i] = g.size[i] + (g.bits + g.factor*b.q[i])
		}
	}
	if g.det == 1 {
		for i := range b.lw {
			b.lw[i] -= log2(b.det[i]) / 2
		}
	}
	top = math.Inf(-1)
	for i, lw := range &b.lw {
		if lw > top {
			top = lw
		}
		b.w[i] = 0
		if lw > lowest && lw <= highest {
			b.w[i] = exp2(lw)
		}
	}
	if g.slope != nil {
		for i, w := range &b.w {
			b.v[i] = w * (g.constant + g.slope[i]*b.q[i])
		}
	}
	return top
}

// leaf3 sets q and det of the models of one lane: without row 3, then with it.
func (b *block) leaf3(l int, tol float64) {
	a := &b.a
	det := b.d[l]
	b.leaf2(l, 0, det, tol, a[0][l], a[1][l], a[2][l], a[3][l], a[4][l], a[5][l])
	inv, g := pivot(a[9][l], tol)
	b.inv[6][l] = inv
	r0, r1, r2 := a[6][l], a[7][l], a[8][l]
	c0, c1, c2 := r0*inv, r1*inv, r2*inv
	b.leaf2(l, 1, det*g, tol, a[0][l]-c0*r0, a[1][l]-c1*r0, a[2][l]-c1*r1, a[3][l]-c2*r0, a[4][l]-c2*r1, a[5][l]-c2*r2)
}

// leaf2 sets q, det and inv of the four models of a lane without row 3 (half 0)
// or with it (half 1), from a matrix of rows 0 to 2.
func (b *block) leaf2(l, half int, det, tol, m00, m10, m11, m20, m21, m22 float64) {
	i1, g1 := pivot(m11, tol)
	i2, g2 := pivot(m22, tol)
	c0, c1 := m20*i2, m21*i2
	i12, g12 := pivot(m11-c1*m21, tol)
	n10 := m10 - c1*m20
	q2 := m00 - c0*m20
	q := (*[13]float64)(b.q[half*16+l:])
	q[0], q[4], q[8], q[12] = m00, m00-m10*i1*m10, q2, q2-n10*i12*n10
	d := (*[13]float64)(b.det[half*16+l:])
	d[0], d[4], d[8], d[12] = det, det*g1, det*g2, det*g2*g12
	inv := (*[3][lanes]float64)(b.inv[half*3:])
	inv[0][l], inv[1][l], inv[2][l] = i1, i2, i12
}
