package enumerate

// Sums are sums over the subsets of m rows, each term times the weight of its
// subset. Row j has index j-1.
type Sums struct {
	W    float64   // of 1
	Size []float64 // m+1: of those with k rows
	Incl []float64 // m: of those with row j

	// With Moments only. b is the vector of coefficients M_SS^-1 M_S0, zero
	// for rows not in S, and v the noise variance.
	V      float64   // of v
	Pair   []float64 // packed, order m: of those with rows i and j, i > j; the diagonal is Incl
	Mean   []float64 // m: of b
	Second []float64 // packed, order m: of b b' + v M_SS^-1
}

func newSums(m int, moments bool) Sums {
	s := Sums{Size: make([]float64, m+1), Incl: make([]float64, m)}
	if moments {
		s.Pair, s.Mean, s.Second = make([]float64, Tri(m)), make([]float64, m), make([]float64, Tri(m))
	}
	return s
}

// set copies the sums over m rows.
func (s *Sums) set(t *Sums, m int) {
	s.W, s.V = t.W, t.V
	copy(s.Size, t.Size[:m+1])
	copy(s.Incl, t.Incl[:m])
	copy(s.Pair, t.Pair)
	copy(s.Mean, t.Mean)
	copy(s.Second, t.Second)
}

// head returns the sums over the first m rows, the others being padding.
func (s Sums) head(m int) Sums {
	s.Size, s.Incl = s.Size[:m+1], s.Incl[:m]
	if s.Pair != nil {
		s.Pair, s.Mean, s.Second = s.Pair[:Tri(m)], s.Mean[:m], s.Second[:Tri(m)]
	}
	return s
}

// add makes sums over m rows of s, the sums over the first m-1 rows without
// row m, and t, those with it. row is row m of the matrix before the step of
// elimination and inv the inverse of its pivot.
func (s *Sums) add(t *Sums, m int, row []float64, inv float64, moments bool) {
	s.addSizes(t, m)
	s.addRow(t, m, row, inv, moments)
}

// addSizes is the part of add that counts: t has one unit more than it says, and
// there are m units.
func (s *Sums) addSizes(t *Sums, m int) {
	s.Size[m] = 0
	to, from := s.Size[1:m+1], t.Size[:m]
	for k := range to {
		to[k] += from[k]
	}
}

// addRow is add without the numbers of rows.
func (s *Sums) addRow(t *Sums, m int, row []float64, inv float64, moments bool) {
	s.W += t.W
	to, from := s.Incl[:m-1], t.Incl[:m-1]
	for j := range to {
		to[j] += from[j]
	}
	s.Incl[m-1] = t.W
	if moments {
		s.addMoments(t, m, row, inv)
	}
}

// reduce sets the sums over the five rows of a leaf from its weights.
func (s *Sums) reduce(w *[leafSize]float64) {
	var w2 [16]float64
	var w4 [8]float64
	var i1, i2, i3 float64
	for i := range w2 {
		i1 += w[2*i+1]
		w2[i] = w[2*i] + w[2*i+1]
	}
	for i := range w4 {
		i2 += w2[2*i+1]
		w4[i] = w2[2*i] + w2[2*i+1]
	}
	w8 := [4]float64{w4[0] + w4[1], w4[2] + w4[3], w4[4] + w4[5], w4[6] + w4[7]}
	i3 = (w4[1] + w4[3]) + (w4[5] + w4[7])
	s.W = (w8[0] + w8[1]) + (w8[2] + w8[3])
	incl := s.Incl[:leafBits]
	incl[3], incl[4], incl[0], incl[1], incl[2] = i1, i2, i3, w8[1]+w8[3], w8[2]+w8[3]
	size := s.Size[:leafBits+1]
	size[0] = w[0]
	size[1] = (w[1] + w[2]) + (w[4] + w[8]) + w[16]
	size[2] = ((w[3] + w[5]) + (w[6] + w[9])) + ((w[10] + w[12]) + (w[17] + w[18])) + (w[20] + w[24])
	size[3] = ((w[7] + w[11]) + (w[13] + w[14])) + ((w[19] + w[21]) + (w[22] + w[25])) + (w[26] + w[28])
	size[4] = (w[15] + w[23]) + (w[27] + w[29]) + w[30]
	size[5] = w[31]
}
