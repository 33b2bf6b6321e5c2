package mlreg

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Moments are the sufficient statistics of a Gaussian linear model: with
// weights w_i (all 1 unless given) and W = sum w_i,
//
//	mean_x = sum w_i x_i / W               (p)
//	S_xx   = sum w_i (x_i - mean_x)(x_i - mean_x)'   (p x p)
//	S_xy   = sum w_i (x_i - mean_x)(y_i - mean_y)    (p)
//	S_yy   = sum w_i (y_i - mean_y)^2
//
// They take p^2 numbers whatever n is. Rows are centred before they are
// multiplied, and sums are combined by the update of Chan, Golub and LeVeque
// (1983, The American Statistician 37, eq. 2.1), so that a large mean does not
// drown a small variance. Means are kept to twice the digits. XLow is not summed.
// Moments of disjoint sets of rows merge, and those of
// a subset (a fold) can be subtracted. Sums of squares that leave the range of
// float64, as those of a column that varies by less than 1e-145, are refused.
//
// The zero value is not usable; make one with NewMoments or Design.Moments.
// Moments survive encoding/gob.
type Moments struct {
	s momentsState
}

type momentsState struct {
	header
	momentsSums
}

type momentsSums struct {
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
	Steps    int       // merges and subtractions
	Lost     []float64 // p: lengths of what rounding took from the columns, which the sums lack
}

// NewMoments returns moments of no rows yet, for the terms, response, scaling
// and intercept of like, whose rows are not used.
func NewMoments(like *Design) *Moments {
	p := len(like.Names)
	m := &Moments{momentsState{like.header(), momentsSums{MeanX: make([]float64, p), SXX: make([]float64, p*p), SXY: make([]float64, p)}}}
	m.s.Omitted = 0
	return m
}

// Moments returns the sufficient statistics of the design by one pass over its
// rows, in the design's units. It needs a response (ErrNoData if Y is nil);
// a non-finite value is named (ErrNotFinite).
func (d *Design) Moments() (*Moments, error) {
	if err := d.checkFit(); err != nil {
		return nil, err
	}
	m := NewMoments(d)
	m.s.Omitted = d.Omitted
	m.addRows(d)
	if err := m.check(d.varies); err != nil {
		if bad := d.checkFinite(); bad != nil {
			return nil, bad
		}
		return nil, err
	}
	return m, nil
}

// checkFit is what a Gaussian fit to rows checks before it starts: what every
// fit does, and that the response is a number, for which the code of one of two
// classes may pass.
func (d *Design) checkFit() error {
	if len(d.Classes) > 2 {
		return fmt.Errorf("%w: response %q is one of the %d classes %s, and the fit is of a number; fit a classifier",
			ErrSetting, d.Response, len(d.Classes), quoteAll(d.Classes))
	}
	return d.checkTraining()
}

// checkTraining is what every fit to rows checks before it starts: shapes, a
// coefficient, a response, weights, and at least one row of positive weight.
func (d *Design) checkTraining() error {
	if err := d.checkShape(); err != nil {
		return err
	}
	if err := checkCoefficients(d.Names, d.NoIntercept); err != nil {
		return err
	}
	if d.Y == nil {
		return fmt.Errorf("%w: the design has no response; these rows can be predicted, not fitted", ErrNoData)
	}
	total := float64(len(d.Y))
	if d.Weights != nil {
		total = 0
	}
	for i, w := range d.Weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: weight of row %d is %v; weights are finite and not negative", ErrSetting, i+1, w)
		}
		total += w
	}
	switch {
	case total == 0:
		return fmt.Errorf("%w: every weight is zero", ErrNoData)
	case total < leastSquares || total > 1/leastSquares:
		return fmt.Errorf("%w: the weights sum to %g; rescale them to about 1", ErrNotFinite, total)
	}
	return nil
}

// checkCoefficients refuses a model of nothing.
func checkCoefficients(terms []string, noIntercept bool) error {
	if noIntercept && len(terms) == 0 {
		return fmt.Errorf("%w, and no intercept: the model predicts 0, and there is nothing to fit", ErrNoTerms)
	}
	return nil
}

// checkTerms refuses the model of the intercept alone.
func checkTerms(terms []string) error {
	if len(terms) == 0 {
		return fmt.Errorf("%w to choose from or to penalise; fit the intercept alone by FitOLS, FitBayes or FitLogistic", ErrNoTerms)
	}
	return nil
}

// Moments returns m itself, so that *Moments is Data.
func (m *Moments) Moments() (*Moments, error) { return m, nil }

// Add adds the rows of d, which must have the terms, response, scaling and
// intercept that m has. On an error m is as it was: ErrShape, or ErrNotFinite
// naming row and term.
func (m *Moments) Add(d *Design) error {
	block, err := d.Moments()
	if err != nil {
		return err
	}
	sum, err := m.Merge(block)
	if err != nil {
		return err
	}
	*m = *sum
	return nil
}

// addRows takes the rows of a design that has been checked into moments of no
// rows yet.
func (m *Moments) addRows(d *Design) {
	s := &m.s
	sums := gram.Centred(gram.Rows{X: d.X.RawMatrix(), Y: d.Y, Weights: d.Weights})
	s.N, s.W = sums.N, sums.W
	for _, w := range d.Weights {
		if w > 0 {
			s.LogW += math.Log(w)
		}
	}
	p := len(s.Names)
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
	s.Gross = s.squares()
	if d.XLow != nil {
		s.Lost = make([]float64, p)
		for j := range s.Lost {
			for i := range d.NObs() {
				s.Lost[j] = math.Hypot(s.Lost[j], math.Sqrt(d.weight(i))*d.XLow.At(i, j))
			}
		}
	}
}

// squares returns the p+1 sums of squares.
func (s *momentsState) squares() []float64 {
	p := len(s.Names)
	ss := make([]float64, p+1)
	for j := range p {
		ss[j] = s.SXX[j*p+j]
	}
	ss[p] = s.SYY
	return ss
}

// lowX returns what rounding took from the mean of column j.
func (s *momentsState) lowX(j int) float64 {
	if s.MeanXLow == nil {
		return 0
	}
	return s.MeanXLow[j]
}

// gross returns what the sum of squares of column j, or of the response if j = p,
// was made of.
func (s *momentsState) gross(j int) float64 {
	if s.Gross == nil {
		return 0
	}
	return s.Gross[j]
}

// lost returns the length of what rounding took from column j.
func (s *momentsState) lost(j int) float64 {
	if s.Lost == nil {
		return 0
	}
	return s.Lost[j]
}

// merge adds the moments o to m.
func (m *Moments) merge(o *momentsState) {
	if o.N == 0 {
		return
	}
	s := &m.s
	w := s.W + o.W
	m.shift(o, +1, s.W/w*o.W, o.W/w)
	s.N += o.N
	s.W = w
	s.LogW += o.LogW
}

// shift adds (sign +1) or removes (sign -1) the centred sums of o, corrects
// them by c (d d') for the difference d of the means, and moves the means by
// the given fraction of d.
func (m *Moments) shift(o *momentsState, sign, c, fraction float64) {
	s := &m.s
	p := len(s.Names)
	s.remember(o, c)
	d, mean := make([]float64, p), make([]dd.Number, p)
	for j := range d {
		mean[j], d[j] = moved(s.MeanX[j], s.MeanXLow[j], o.MeanX[j], o.lowX(j), sign*fraction)
	}
	meanY, dy := moved(s.MeanY, s.MeanYLow, o.MeanY, o.MeanYLow, sign*fraction)
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

// moved returns from + fraction (to - from) and to - from, for numbers with low
// parts.
func moved(from, fromLow, to, toLow, fraction float64) (mean dd.Number, d float64) {
	a := dd.Of(from).Add(dd.Of(fromLow))
	step := dd.Of(to).Add(dd.Of(toLow)).Sub(a)
	return a.Add(step.Mul(dd.Of(fraction))), step.Float()
}

// remember adds what the rounding errors of a shift by o depend on.
func (s *momentsState) remember(o *momentsState, c float64) {
	p := len(s.Names)
	if s.MeanXLow == nil {
		s.MeanXLow = make([]float64, p)
	}
	if s.Gross == nil {
		s.Gross = s.squares()
	}
	from := o.Gross
	if from == nil {
		from = o.squares()
	}
	for j := range p + 1 {
		d := o.MeanY - s.MeanY
		if j < p {
			d = o.MeanX[j] - s.MeanX[j]
		}
		s.Gross[j] += from[j] + c*d*d
	}
	s.GrossN += o.GrossN
	s.GrossW += o.GrossW
	s.Steps += o.Steps + 1
	if o.Lost != nil && s.Lost == nil {
		s.Lost = make([]float64, p)
	}
	for j := range s.Lost {
		s.Lost[j] = math.Hypot(s.Lost[j], o.lost(j))
	}
}

// Merge returns the moments of the rows of m and o together. The error says if
// they are of different terms, responses or scalings.
func (m *Moments) Merge(o *Moments) (*Moments, error) {
	if err := m.compatible(o); err != nil {
		return nil, err
	}
	sum := m.clone()
	sum.merge(&o.s)
	sum.s.Omitted += o.s.Omitted
	if sum.s.Coding == nil {
		sum.s.Coding = o.s.Coding
	}
	return sum, sum.check(func(j int) bool {
		switch {
		case m.s.N == 0 || o.s.N == 0:
			return false
		case j == len(m.s.Names):
			return m.s.MeanY != o.s.MeanY
		}
		return m.s.MeanX[j] != o.s.MeanX[j]
	})
}

// Subtract returns the moments of the rows of m without those of o, which must
// be among them: the complement of a fold, for example. The error says if o
// has more rows than m, or if what remains cannot be the moments of any rows.
// Digits are lost in proportion to how much of the sums is taken away; OLS.Digits
// counts them.
func (m *Moments) Subtract(o *Moments) (*Moments, error) {
	if err := m.compatible(o); err != nil {
		return nil, err
	}
	if o.s.N >= m.s.N {
		return nil, fmt.Errorf("%w: %d rows cannot be taken from %d and leave any", ErrNoData, o.s.N, m.s.N)
	}
	rest := m.clone()
	w := m.s.W - o.s.W
	if o.s.N > 0 {
		if w <= 0 {
			return nil, fmt.Errorf("%w: weights summing to %g cannot be taken from %g", ErrNoData, o.s.W, m.s.W)
		}
		rest.shift(&o.s, -1, m.s.W/w*o.s.W, o.s.W/w)
		rest.s.N -= o.s.N
		rest.s.W = w
		rest.s.LogW -= o.s.LogW
	}
	p := len(rest.s.Names)
	for j := range p {
		if err := notNegative(&rest.s.SXX[j*p+j], m.s.SXX[j*p+j], rest.s.Names[j]); err != nil {
			return nil, err
		}
	}
	if err := notNegative(&rest.s.SYY, m.s.SYY, rest.s.Response); err != nil {
		return nil, err
	}
	return rest, rest.check(func(int) bool { return false })
}

// notNegative sets a sum of squares that rounding made negative to zero, and
// refuses one that is more negative than rounding explains.
func notNegative(ss *float64, before float64, name string) error {
	if *ss >= 0 {
		return nil
	}
	if *ss < -1e-8*before {
		return fmt.Errorf("%w: the sum of squares of %q would be negative; the rows subtracted are not among the rows", ErrShape, name)
	}
	*ss = 0
	return nil
}

func (m *Moments) compatible(o *Moments) error {
	switch {
	case !slices.Equal(m.s.Names, o.s.Names):
		return fmt.Errorf("%w: moments of the terms %s and of %s", ErrShape, quoteAll(m.s.Names), quoteAll(o.s.Names))
	case m.s.Response != o.s.Response:
		return fmt.Errorf("%w: moments of the responses %q and %q", ErrShape, m.s.Response, o.s.Response)
	case m.s.NoIntercept != o.s.NoIntercept:
		return fmt.Errorf("%w: one of the moments is of a model without an intercept", ErrShape)
	case !m.s.Scaling.equal(o.s.Scaling, len(m.s.Names)):
		return fmt.Errorf("%w: the moments are of differently scaled columns", ErrShape)
	}
	return m.s.Coding.check(o.s.Coding, m.s.Names)
}

// leastSquares is the smallest sum of squares whose terms keep their digits.
const leastSquares = 0x1p-960

// check reports sums of squares that overflow, or lose digits to underflow,
// naming the column. One of zero underflows if the column varies; column p is
// the response.
func (m *Moments) check(varies func(column int) bool) error {
	s := &m.s
	p := len(s.Names)
	for j := range p + 1 {
		kind, name, ss, mean := "response", s.Response, s.SYY, s.MeanY
		if j < p {
			kind, name, ss, mean = "term", s.Names[j], s.SXX[j*p+j], s.MeanX[j]
		}
		low := ss < leastSquares && (ss > 0 || varies(j))
		if s.NoIntercept { // the sum about zero counts
			ss += s.W * mean * mean
			low = ss < leastSquares && (low || mean != 0)
		}
		switch {
		case low:
			return fmt.Errorf("%w: the sum of squares of %s %q underflows; rescale it, or the weights", ErrNotFinite, kind, name)
		case math.IsNaN(ss) || math.IsInf(ss, 0):
			return fmt.Errorf("%w: the sum of squares of %s %q; rescale it", ErrNotFinite, kind, name)
		}
	}
	return nil
}

// varies tells whether a column of X, or column p, the response, has two values
// in rows of positive weight.
func (d *Design) varies(column int) bool {
	var first float64
	seen := false
	for i, v := range d.Y {
		if d.weight(i) == 0 {
			continue
		}
		if column < len(d.Names) {
			v = d.X.At(i, column)
		}
		if seen && v != first {
			return true
		}
		first, seen = v, true
	}
	return false
}

func (m *Moments) clone() *Moments {
	c := *m
	c.s.MeanX = slices.Clone(m.s.MeanX)
	c.s.SXX = slices.Clone(m.s.SXX)
	c.s.SXY = slices.Clone(m.s.SXY)
	c.s.MeanXLow, c.s.Gross, c.s.Lost = slices.Clone(m.s.MeanXLow), slices.Clone(m.s.Gross), slices.Clone(m.s.Lost)
	return &c
}

// NObs returns the number of rows of positive weight.
func (m *Moments) NObs() int { return m.s.N }

// SumWeights returns W, the sum of the weights; NObs if there are none.
func (m *Moments) SumWeights() float64 { return m.s.W }

// Terms returns the p names of the columns.
func (m *Moments) Terms() []string { return slices.Clone(m.s.Names) }

// Response returns the name of the response.
func (m *Moments) Response() string { return m.s.Response }

// Scaling returns the scaling of the columns, nil if they are raw.
func (m *Moments) Scaling() *Scaling { return m.s.Scaling.clone() }

// Coding returns how the columns of the design were computed, nil if they were
// given.
func (m *Moments) Coding() *Coding { return m.s.Coding }

// NoIntercept tells whether the model is one without an intercept.
func (m *Moments) NoIntercept() bool { return m.s.NoIntercept }

// MeanX returns the p weighted means of the columns.
func (m *Moments) MeanX() []float64 { return slices.Clone(m.s.MeanX) }

// MeanY returns the weighted mean of the response.
func (m *Moments) MeanY() float64 { return m.s.MeanY }

// SXX returns S_xx, the p x p centred cross-products of the columns; the empty
// matrix if there are none.
func (m *Moments) SXX() *mat.SymDense {
	s := newSym(len(m.s.Names))
	copy(s.RawSymmetric().Data, m.s.SXX)
	return s
}

// SXY returns S_xy, the p centred cross-products of columns and response.
func (m *Moments) SXY() []float64 { return slices.Clone(m.s.SXY) }

// SYY returns S_yy, the centred sum of squares of the response.
func (m *Moments) SYY() float64 { return m.s.SYY }

// GobEncode implements gob.GobEncoder.
func (m *Moments) GobEncode() ([]byte, error) { return gobEncode(&m.s.header, &m.s.momentsSums) }

// GobDecode implements gob.GobDecoder.
func (m *Moments) GobDecode(b []byte) error { return gobDecode(b, &m.s.header, &m.s.momentsSums) }

// gobEncode encodes the plain structs that a fit consists of.
func gobEncode(parts ...any) ([]byte, error) {
	var buf bytes.Buffer
	enc := gob.NewEncoder(&buf)
	for _, part := range parts {
		if err := enc.Encode(part); err != nil {
			return nil, err
		}
	}
	return buf.Bytes(), nil
}

// gobDecode is the inverse of gobEncode.
func gobDecode(b []byte, parts ...any) error {
	dec := gob.NewDecoder(bytes.NewReader(b))
	for _, part := range parts {
		if err := dec.Decode(part); err != nil {
			return err
		}
	}
	return nil
}
