package enumerate

// addMoments is add for what is linear in the coefficients. With the rows
// before m solved for, that of row m is
//
//	b_m = (row_0 - sum_j row_j b_j) inv,
//
// a Gaussian of variance v inv if these are given, so that its sums are linear
// in theirs.
func (s *Sums) addMoments(t *Sums, m int, row []float64, inv float64) {
	s.V += t.V
	last := Tri(m - 1)
	to, from := s.Pair[:last], t.Pair[:last]
	for k := range to {
		to[k] += from[k]
	}
	copy(s.Pair[last:], t.Incl[:m-1])
	s.Pair[last+m-1] = t.W

	y, r := row[0], row[1:m]
	mean := y * t.W
	for j, v := range t.Mean[:m-1] {
		mean -= r[j] * v
		s.Mean[j] += v
	}
	mean *= inv
	s.Mean[m-1] = mean

	// second = (y Mean - Second r) inv, Second being symmetric.
	second := s.Second[last : last+m]
	for k, v := range t.Mean[:m-1] {
		second[k] = y * v
	}
	second[m-1] = y * mean
	at := 0
	for i, ri := range r {
		ti := t.Second[at : at+i+1]
		si := s.Second[at : at+i+1]
		sec := second[:i+1]
		rj := r[:i+1]
		var sum float64
		for j, v := range ti[:i] {
			sum += v * rj[j]
			sec[j] -= v * ri
			si[j] += v
		}
		sec[i] -= sum + ti[i]*ri
		si[i] += ti[i]
		at += i + 1
	}
	total := t.V
	for j, rj := range r {
		second[j] *= inv
		total -= rj * second[j]
	}
	second[m-1] = (total + second[m-1]) * inv
}

// leafMoments sets the sums over the models of a leaf, with moments, from its
// packed matrix m and the block.
func (k *walker) leafMoments(m *[21]float64, out *Sums) {
	for l := range lanes {
		t := out
		if l > 0 {
			t = &k.lanes[l-1]
		}
		k.block.laneMoments(l, t)
	}
	inv := &k.block.inv
	out.add(&k.lanes[0], 4, m[10:15], inv[7][1], true)
	row5, inv5 := m[15:21], inv[8][3]
	var row4 [5]float64 // with row 5 in
	c := row5[4] * inv5
	for j := range row4 {
		row4[j] = m[10+j] - c*row5[j]
	}
	k.lanes[1].add(&k.lanes[2], 4, row4[:], inv[7][3], true)
	out.add(&k.lanes[1], 5, row5, inv5, true)
}

// laneMoments sets the sums over the rows 1 to 3 of one lane of the block.
func (b *block) laneMoments(l int, out *Sums) {
	var w, v [8]float64
	for c := range w {
		i := (l + lanes*c) & (leafSize - 1)
		w[c], v[c] = b.w[i], b.v[i]
	}
	a := &b.a
	y1, y2, a12 := a[1][l], a[3][l], a[4][l]
	y3, a13, a23 := a[6][l], a[7][l], a[8][l]
	inv := b.inv[6][l]
	c1, c2 := a13*inv, a23*inv
	s := rows2(y1, y2, a12, b.inv[0][l], b.inv[1][l], b.inv[2][l], w[1], w[2], w[3], v[1], v[2], v[3])
	t := rows2(y1-c1*y3, y2-c2*y3, a12-c2*a13, b.inv[3][l], b.inv[4][l], b.inv[5][l], w[5], w[6], w[7], v[5], v[6], v[7])

	w3 := (w[4] + w[5]) + (w[6] + w[7])
	v3 := (v[4] + v[5]) + (v[6] + v[7])
	out.W = (w[0] + w[1]) + (w[2] + w[3]) + w3
	out.V = (v[0] + v[1]) + (v[2] + v[3]) + v3
	*(*[4]float64)(out.Size) = [4]float64{w[0], w[1] + w[2] + w[4], w[3] + w[5] + w[6], w[7]}
	incl1, incl2 := (w[1]+w[3])+(w[5]+w[7]), (w[2]+w[3])+(w[6]+w[7])
	*(*[3]float64)(out.Incl) = [3]float64{incl1, incl2, w3}
	*(*[6]float64)(out.Pair) = [6]float64{incl1, w[3] + w[7], incl2, w[5] + w[7], w[6] + w[7], w3}

	m3 := (y3*w3 - a13*t.m1 - a23*t.m2) * inv
	s31 := (y3*t.m1 - a13*t.s11 - a23*t.s12) * inv
	s32 := (y3*t.m2 - a13*t.s12 - a23*t.s22) * inv
	s33 := (v3 + y3*m3 - a13*s31 - a23*s32) * inv
	*(*[3]float64)(out.Mean) = [3]float64{s.m1 + t.m1, s.m2 + t.m2, m3}
	*(*[6]float64)(out.Second) = [6]float64{s.s11 + t.s11, s.s12 + t.s12, s.s22 + t.s22, s31, s32, s33}
}

// moments2 are Mean and Second over the subsets of two rows.
type moments2 struct{ m1, m2, s11, s12, s22 float64 }

// rows2 sums over the subsets of two rows with the weights w and w times
// variance v of row 1, row 2 and both. y1 and y2 are the rows' elements in
// column 0, i the inverse pivots, i12 that of row 1 given row 2.
func rows2(y1, y2, a12, i1, i2, i12, w1, w2, w12, v1, v2, v12 float64) moments2 {
	c := a12 * i2
	b1, b2 := y1*i1, y2*i2
	b12 := (y1 - c*y2) * i12
	b21 := b2 - c*b12
	s11 := w12*b12*b12 + v12*i12
	s12 := w12*b12*b2 - c*s11
	return moments2{
		m1:  w1*b1 + w12*b12,
		m2:  w2*b2 + w12*b21,
		s11: w1*b1*b1 + v1*i1 + s11,
		s12: s12,
		s22: w2*b2*b2 + v2*i2 + (w12*b21*b2 - c*s12 + v12*i2),
	}
}
