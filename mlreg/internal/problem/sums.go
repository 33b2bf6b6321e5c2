package problem

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Sums are the means and centered cross-products of the columns of X and y over
// weighted rows.
type Sums struct {
	N       int       // rows of positive weight
	W, LogW float64   // sum of weights and of their logarithms
	MeanX   []float64 // p
	MeanY   float64
	SXX     []float64 // p x p, row-major, upper triangle
	SXY     []float64 // p
	SYY     float64

	// What rounding took from the means, and what bounds of the rounding errors of
	// the sums are made of; nil is none.
	MeanXLow []float64
	MeanYLow float64
	Gross    []float64 // p+1: what sums of squares were made of: those taken away count, too
	GrossN   int       // rows, and
	GrossW   float64   // weights that were added or taken away
	Steps    int       // merges, subtractions and changes of units
	Lost     []float64 // p: lengths of what rounding took from the columns, which the sums lack

	// Errors of sums that were computed elsewhere, beside the rounding of GrossN terms:
	// that of S_jk is at most RelErr times the root of Gross_j Gross_k, see Stated, that
	// of mean j RelErr times the root of Gross_j GrossW, over W, and MeanErr.
	RelErr  float64
	Merged  bool      // or taken away from, so that errors of the means count, too
	MeanErr []float64 // p+1, of the response last; nil is none
}

// NewSums returns sums of no rows of p columns.
func NewSums(p int) Sums {
	return Sums{MeanX: make([]float64, p), SXX: make([]float64, p*p), SXY: make([]float64, p)}
}

// Clone returns sums that share no number that could be changed.
func (s *Sums) Clone() Sums {
	c := *s
	c.MeanX, c.SXX, c.SXY = slices.Clone(s.MeanX), slices.Clone(s.SXX), slices.Clone(s.SXY)
	c.MeanXLow, c.Gross, c.Lost, c.MeanErr = slices.Clone(s.MeanXLow), slices.Clone(s.Gross), slices.Clone(s.Lost), slices.Clone(s.MeanErr)
	return c
}

// SumRows returns the sums of rows. Weights are finite and not negative.
func SumRows(r Rows) Sums {
	p := r.X.Cols
	s := NewSums(p)
	sums := gram.Centered(gram.Rows{X: r.X, Y: r.Y, Weights: r.Weights})
	s.N, s.W = sums.N, sums.W
	for _, w := range r.Weights {
		if w > 0 {
			s.LogW += math.Log(w)
		}
	}
	copy(s.MeanX, sums.Mean)
	s.MeanY = sums.Mean[p]
	for j := range p {
		row := sums.S.Data[j*sums.S.Stride : (j+1)*sums.S.Stride]
		copy(s.SXX[j*p:(j+1)*p], row)
		s.SXY[j] = row[p]
	}
	s.SYY = sums.S.Data[p*sums.S.Stride+p]
	s.MeanXLow, s.MeanYLow = sums.MeanLo[:p:p], sums.MeanLo[p]
	s.GrossN, s.GrossW = s.N, s.W
	s.Gross = s.Squares()
	if r.Low.Data != nil {
		s.Lost = make([]float64, p)
		for i := range r.X.Rows {
			root := math.Sqrt(r.Weight(i))
			for j, low := range r.Low.Data[i*r.Low.Stride : i*r.Low.Stride+p] {
				s.Lost[j] = math.Hypot(s.Lost[j], root*low)
			}
		}
	}
	return s
}

// Squares returns the p+1 sums of squares, of the response last.
func (s *Sums) Squares() []float64 {
	ss := make([]float64, len(s.SXY)+1)
	for j := range ss {
		ss[j] = s.Product(j, j)
	}
	return ss
}

// Product returns the product of columns j and k >= j about their means; column p is the response.
func (s *Sums) Product(j, k int) float64 {
	switch p := len(s.SXY); {
	case k < p:
		return s.SXX[j*p+k]
	case j < p:
		return s.SXY[j]
	}
	return s.SYY
}

// SetProduct sets that product.
func (s *Sums) SetProduct(j, k int, v float64) {
	switch p := len(s.SXY); {
	case k < p:
		s.SXX[j*p+k] = v
	case j < p:
		s.SXY[j] = v
	default:
		s.SYY = v
	}
}

// MeanOf returns the mean of column j to twice the digits.
func (s *Sums) MeanOf(j int) dd.Number {
	mean := dd.Of(s.MeanX[j])
	if s.MeanXLow != nil {
		mean = mean.Add(dd.Of(s.MeanXLow[j]))
	}
	return mean
}

// GrossOf returns what the sum of squares of column j, or of the response if j = p,
// was made of.
func (s *Sums) GrossOf(j int) float64 {
	if s.Gross == nil {
		return 0
	}
	return s.Gross[j]
}

// LostOf returns the length of what rounding took from column j.
func (s *Sums) LostOf(j int) float64 {
	if s.Lost == nil {
		return 0
	}
	return s.Lost[j]
}

// Merge adds the sums of other rows.
func (s *Sums) Merge(o *Sums) {
	if o.N == 0 {
		return
	}
	w := s.W + o.W
	s.shift(o, +1, s.W/w*o.W, o.W/w)
	s.N += o.N
	s.W = w
	s.LogW += o.LogW
}

// Subtract takes away the sums of some of the rows, whose weights sum to less.
func (s *Sums) Subtract(o *Sums) {
	if o.N == 0 {
		return
	}
	w := s.W - o.W
	s.shift(o, -1, s.W/w*o.W, o.W/w)
	s.N -= o.N
	s.W = w
	s.LogW -= o.LogW
}

// shift adds (sign +1) or removes (sign -1) the centered sums of o, corrects
// them by c (d d') for the difference d of the means, and moves the means by
// the given fraction of d.
func (s *Sums) shift(o *Sums, sign, c, fraction float64) {
	p := len(s.SXY)
	s.remember(o, c, sign, fraction)
	d, mean := make([]float64, p), make([]dd.Number, p)
	for j := range d {
		mean[j], d[j] = moved(s.MeanOf(j), o.MeanOf(j), sign*fraction)
	}
	meanY, dy := moved(dd.Of(s.MeanY).Add(dd.Of(s.MeanYLow)), dd.Of(o.MeanY).Add(dd.Of(o.MeanYLow)), sign*fraction)
	for j := range p {
		row, orow := s.SXX[j*p:(j+1)*p], o.SXX[j*p:(j+1)*p]
		for k := j; k < p; k++ {
			row[k] += sign * (orow[k] + c*d[j]*d[k])
		}
		s.SXY[j] += sign * (o.SXY[j] + c*d[j]*dy)
		s.MeanX[j], s.MeanXLow[j] = mean[j].Hi, mean[j].Lo
	}
	s.SYY += sign * (o.SYY + c*dy*dy)
	s.MeanY, s.MeanYLow = meanY.Hi, meanY.Lo
}

// moved returns a + fraction (b - a) and b - a.
func moved(a, b dd.Number, fraction float64) (mean dd.Number, d float64) {
	step := b.Sub(a)
	return a.Add(step.Mul(dd.Of(fraction))), step.Float()
}

// remember adds what the rounding errors of a shift by o depend on.
func (s *Sums) remember(o *Sums, c, sign, fraction float64) {
	p := len(s.SXY)
	if s.MeanXLow == nil {
		s.MeanXLow = make([]float64, p)
	}
	if s.Gross == nil {
		s.Gross = s.Squares()
	}
	from := o.Gross
	if from == nil {
		from = o.Squares()
	}
	for j := range p + 1 {
		d := o.MeanY - s.MeanY
		if j < p {
			d = o.MeanX[j] - s.MeanX[j]
		}
		s.Gross[j] += from[j] + c*d*d
	}
	s.inherit(o, c, sign, fraction)
	s.GrossN += o.GrossN
	s.GrossW += o.GrossW
	s.Steps += o.Steps + 1
	if o.Lost != nil && s.Lost == nil {
		s.Lost = make([]float64, p)
	}
	for j := range s.Lost {
		s.Lost[j] = math.Hypot(s.Lost[j], o.LostOf(j))
	}
}

// MeanErrOf returns a bound on the error of the mean of column j, or of the response if
// j = p.
func (s *Sums) MeanErrOf(j int) float64 {
	if s.MeanErr == nil {
		return 0
	}
	return s.MeanErr[j]
}

// inherit takes over the errors of o, given the new Gross. With e_j = RelErr times the
// root of Gross_j, the products of two disjoint sets of rows are wrong by e_j e_k in all
// (Cauchy and Schwarz), and their means by e_j GrossW^(1/2)/W, which moves c d d' by as
// much again at most: Stated doubles RelErr for that. Taking rows away, the means are wrong
// by more. What rounded means do to c d d' is added.
func (s *Sums) inherit(o *Sums, c, sign, fraction float64) {
	s.RelErr, s.Merged = math.Max(s.RelErr, o.RelErr), true
	if mine, others := s.amplified(), o.amplified(); sign < 0 || mine > 1 || others > 1 {
		w := s.W + sign*o.W
		s.RelErr *= (1 + math.Sqrt(1+mine*o.W/w+others*s.W/w)) / 2
	}
	if s.MeanErr == nil && o.MeanErr == nil {
		return
	}
	errs := make([]float64, len(s.SXY)+1)
	var far, off float64
	for j := range errs {
		a, b := s.MeanErrOf(j), o.MeanErrOf(j)
		errs[j] = math.Abs(1-sign*fraction)*a + fraction*b
		if s.Gross[j] > 0 {
			d := o.MeanY - s.MeanY
			if j < len(s.SXY) {
				d = o.MeanX[j] - s.MeanX[j]
			}
			root := math.Sqrt(c / s.Gross[j])
			far, off = math.Max(far, root*math.Abs(d)), math.Max(off, root*(a+b))
		}
	}
	s.MeanErr = errs
	s.RelErr += off * (2*far + off)
}

// amplified returns how much larger the square of the error of a mean is than that of the
// sums would be.
func (s *Sums) amplified() float64 { return math.Max(1, s.GrossW/s.W) }

// Stated returns the bound of the error of the cross-products, about zero if there is no
// intercept, that sums computed elsewhere have beside rounding; see RelErr.
func (s *Sums) Stated(noIntercept bool) float64 {
	switch {
	case !noIntercept && !s.Merged:
		return s.RelErr
	case !noIntercept:
		return 2 * s.RelErr
	}
	var off float64 // of the means, of the lengths about zero
	for j, ss := range s.Squares() {
		mean := s.MeanY
		if j < len(s.SXY) {
			mean = s.MeanX[j]
		}
		if length := math.Sqrt(ss + s.W*mean*mean); length > 0 {
			off = math.Max(off, math.Sqrt(s.W)*s.MeanErrOf(j)/length)
		}
	}
	return (1+math.Sqrt(1+s.amplified()))*s.RelErr + off*(2+off)
}

// statedOfLengths is Stated relative to the lengths of the columns, and not to those of what their
// sums were made of.
func (s *Sums) statedOfLengths(noIntercept bool) float64 {
	stated, most := s.Stated(noIntercept), 1.0
	if stated == 0 {
		return 0
	}
	for j, ss := range s.Squares() {
		if ss > 0 {
			most = math.Max(most, s.GrossOf(j)/ss)
		}
	}
	return stated * most
}

// LeastSquares is the smallest sum of squares whose terms keep their digits.
const LeastSquares = 0x1p-960

// SumError says that the sum of squares of a column, or of the response, is no
// float64 that keeps its digits.
type SumError struct {
	Column     int // or Response
	Underflows bool
}

func (e *SumError) Error() string { return "problem: a sum of squares leaves the range of float64" }

// Check reports sums of squares that overflow, or lose digits to underflow. One of
// zero underflows if the column varies; column p is the response.
func (s *Sums) Check(noIntercept bool, varies func(column int) bool) error {
	p := len(s.SXY)
	for j, ss := range s.Squares() {
		mean, column := s.MeanY, Response
		if j < p {
			mean, column = s.MeanX[j], j
		}
		low := ss < LeastSquares && (ss > 0 || varies(j))
		if noIntercept { // the sum about zero counts
			ss += s.W * mean * mean
			low = ss < LeastSquares && (low || mean != 0)
		}
		if low || ss-ss != 0 {
			return &SumError{Column: column, Underflows: low}
		}
	}
	return nil
}

// About returns X'X (p x p, upper triangle), X'y and y'y in the units of the data,
// about the means, or about zero if there is no intercept.
func (s *Sums) About(noIntercept bool) (xx blas64.Symmetric, xy []float64, yy float64) {
	p := len(s.SXY)
	xx = blas64.Symmetric{N: p, Stride: max(1, p), Uplo: blas.Upper, Data: slices.Clone(s.SXX)}
	xy, yy = slices.Clone(s.SXY), s.SYY
	if !noIntercept {
		return xx, xy, yy
	}
	for j, mean := range s.MeanX {
		xy[j] += s.W * mean * s.MeanY
		for k := j; k < p; k++ {
			xx.Data[j*p+k] += s.W * mean * s.MeanX[k]
		}
	}
	return xx, xy, yy + s.W*s.MeanY*s.MeanY
}

// FromSums prepares sums that have been checked.
func FromSums(s *Sums, noIntercept bool) *Problem {
	p := len(s.SXY)
	d := &Problem{N: s.N, W: s.W, MeanX: make([]float64, p), Units: Units{XUnit: make([]Unit, p)}, GErr: s.statedOfLengths(noIntercept)}
	if !noIntercept {
		copy(d.MeanX, s.MeanX)
		d.MeanY = s.MeanY
	}
	d.G, d.C, d.YY = s.About(noIntercept)
	for j := range d.XUnit {
		d.XUnit[j] = UnitOfSquares(d.Cross(j, j))
	}
	d.YUnit = UnitOfSquares(d.YY)
	d.YY = (2 * d.YUnit).In(d.YY)
	for j, u := range d.XUnit {
		d.C[j] = (u + d.YUnit).In(d.C[j])
		for k := j; k < p; k++ {
			d.G.Data[j*p+k] = (u + d.XUnit[k]).In(d.Cross(j, k))
		}
	}
	return d
}
