package mlreg

// Weight returns w_i, 1 if there are no Weights.
func (d *Design) Weight(i int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[i]
}

// PositiveRows returns the number of rows of positive weight.
func (d *Design) PositiveRows() int {
	if d.Weights == nil {
		return d.NObs()
	}
	n := 0
	for _, w := range d.Weights {
		if w > 0 {
			n++
		}
	}
	return n
}

// weightless tells whether every row has weight zero.
func (d *Design) weightless() bool { return d.PositiveRows() == 0 }

// sumWeights returns W, the sum of the weights.
func (d *Design) sumWeights() (w float64) {
	for i := range d.NObs() {
		w += d.Weight(i)
	}
	return w
}

// positive returns the rows of positive weight, the design itself if they are all or none.
func (d *Design) positive() *Design {
	if n := d.PositiveRows(); n == 0 || n == d.NObs() {
		return d
	}
	var rows []int
	for i, w := range d.Weights {
		if w > 0 {
			rows = append(rows, i)
		}
	}
	return d.Rows(rows...)
}

// meanY returns the weighted mean of the response, given the sum of weights,
// or 0 if the model has no intercept: what the model takes for the center.
func (d *Design) meanY(w float64) float64 { return d.center(d.Y, 0, w) }

// center is meanY of v_i - about.
func (d *Design) center(v []float64, about, w float64) float64 {
	var mean float64
	for i, x := range v {
		if wi := d.Weight(i); wi > 0 && !d.NoIntercept {
			mean += wi / w * (x - about)
		}
	}
	return mean
}

// centeredSquares returns sum_i w_i (v_i - center)^2, whatever rounding takes from
// the center.
func (d *Design) centeredSquares(v []float64, w float64) float64 {
	center := d.center(v, 0, w)
	return d.squares(v, center, d.center(v, center, w))
}

// weightedSquares returns sum_i w_i (v_i - center)^2 over the rows of positive
// weight; others may have any value.
func (d *Design) weightedSquares(v []float64, center float64) float64 { return d.squares(v, center, 0) }

// squares is weightedSquares about a center and what rounding took from it.
func (d *Design) squares(v []float64, center, low float64) float64 {
	var ss float64
	for i, x := range v {
		if d.Weight(i) > 0 {
			e := x - center - low
			ss += d.Weight(i) * e * e
		}
	}
	return ss
}
