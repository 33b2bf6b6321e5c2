package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/door"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Scaling centers and scales the columns of a design,
//
//	z_ij = (x_ij - Center[j]) / Scale[j].
//
// It is learned by Design.Standardize on some rows, and Design.Rescale applies
// it to others. A fit keeps the scaling of the design it was fitted to, so that
// its predictions are the same on scaled and on raw rows.
type Scaling struct {
	Center, Scale []float64
}

// StandardizeSettings are the options of Design.Standardize.
type StandardizeSettings struct {
	// DDoF is the delta degrees of freedom of the variance: columns are
	// divided by sqrt(sum (x_ij - mean)^2 / (n - DDoF)). The default is 0; R's
	// scale and the tables of ESL have 1.
	DDoF int
	// CenterOnly leaves the scale of the columns as it is.
	CenterOnly bool
	// ScaleOnly leaves the location of the columns as it is.
	ScaleOnly bool
	// Weighted takes the means and variances with the weights of the design,
	//
	//	sum w_i (x_ij - mean)^2 / sum w_i * n/(n - DDoF),
	//
	// n the number of rows of positive weight, as glmnet does with weights. The
	// default ignores the weights.
	Weighted bool
}

// Standardize returns the design with every column of X centered to mean 0 and
// scaled to standard deviation 1 over its own rows; the Scaling of the result
// holds the means and the standard deviations. The response is left alone. Weights
// are used only with StandardizeSettings.Weighted. Nil settings are the defaults.
// A constant column cannot be scaled: the error matches ErrConstant and names it.
//
// To standardize test rows with the constants of the training rows, use
// test.Rescale(train.Scaling).
func (d *Design) Standardize(settings *StandardizeSettings) (*Design, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	s := args.OrDefaults(settings)
	n, p := d.NObs(), d.NTerms()
	if err := s.check(d); err != nil {
		return nil, err
	}
	if s.CenterOnly && s.ScaleOnly {
		return nil, errCenterAndScaleOnly
	}
	raw, err := d.Rescale(nil)
	if err != nil {
		return nil, err
	}
	scaling := &Scaling{Center: make([]float64, p), Scale: make([]float64, p)}
	col := make([]float64, n)
	for j := range p {
		mat.Col(col, j, raw.X)
		mean, sd, largest := s.deviation(d, col)
		if _, ok := problem.Measure(largest); !ok {
			return nil, d.notFinite(j)
		}
		if !s.ScaleOnly {
			scaling.Center[j] = mean
		}
		scaling.Scale[j] = 1
		if !s.CenterOnly {
			if sd <= largest*1e-15 {
				return nil, fmt.Errorf("%w: term %q is %v in every row; leave it out", ErrConstant, d.Names[j], col[0])
			}
			scaling.Scale[j] = sd
		}
	}
	return raw.Rescale(scaling)
}

var errCenterAndScaleOnly = fmt.Errorf("%w: CenterOnly and ScaleOnly are both set; together they would change nothing", ErrSetting)

// check refuses a DDoF out of range.
func (s *StandardizeSettings) check(d *Design) error {
	n := d.NObs()
	if s.Weighted {
		n = d.PositiveRows()
	}
	if n == 0 {
		return fmt.Errorf("%w: every row has weight zero", ErrNoData)
	}
	if s.DDoF < 0 || s.DDoF >= n {
		return fmt.Errorf("%w: DDoF = %d with %d rows; it is 0 or more, and less than the rows", ErrSetting, s.DDoF, n)
	}
	return nil
}

// deviation returns the mean of a column of d, its standard deviation, and its
// largest absolute value.
func (s *StandardizeSettings) deviation(d *Design, column []float64) (mean, sd, largest float64) {
	if !s.Weighted || d.Weights == nil {
		return meanDeviation(column, len(column)-s.DDoF)
	}
	var total, ss float64
	for i, v := range column {
		if w := d.Weights[i]; w > 0 {
			total += w
			largest = math.Max(largest, math.Abs(v))
		}
	}
	if largest == 0 {
		return 0, 0, 0
	}
	v := make([]float64, len(column))
	for i, x := range column {
		v[i] = x / largest
	}
	mean = problem.Centre(v, d.Weights, total)
	for i, e := range v {
		ss += d.Weights[i] / total * e * e
	}
	n := float64(d.PositiveRows())
	return mean * largest, math.Sqrt(ss*n/(n-float64(s.DDoF))) * largest, largest
}

// meanDeviation returns the mean of x, the root of its centered sum of squares
// over dof, and its largest absolute value. It divides by the largest value
// first, so that neither 1e200 nor 1e-200 overflows or underflows.
func meanDeviation(x []float64, dof int) (mean, sd, largest float64) {
	for _, v := range x {
		largest = math.Max(largest, math.Abs(v))
	}
	if largest == 0 {
		return 0, 0, 0
	}
	var sum float64
	for _, v := range x {
		sum += v / largest
	}
	m := sum / float64(len(x))
	var ss, drift float64
	for _, v := range x {
		e := v/largest - m
		ss += e * e
		drift += e
	}
	m += drift / float64(len(x)) // second pass: the mean to the last digit
	ss -= drift * drift / float64(len(x))
	return m * largest, math.Sqrt(math.Max(ss, 0)/float64(dof)) * largest, largest
}

// Rescale returns the design in the units of the given scaling: it undoes the
// scaling of d, then applies s. A nil s gives raw units. XLow of the result holds
// the rounding errors, so that least squares is as accurate on scaled columns as
// on raw ones. Large designs without an XLow, n (p+1) min(n, p+1) above 10^7, get
// none. A scaling for another number of columns is an error.
func (d *Design) Rescale(s *Scaling) (*Design, error) {
	p := d.NTerms()
	if err := d.checkShape(); err != nil {
		return nil, err
	}
	if s != nil {
		if err := s.check(p); err != nil {
			return nil, err
		}
	}
	columns := d.doubleColumns()
	if !d.Scaling.equal(s, p) {
		if n := d.NObs(); float64(n)*float64(p+1)*float64(min(n, p+1)) <= lsq.DoubleDoubleAlways {
			columns = columns.twofold()
		}
		columns = columns.apply(func(j int, z float64) float64 {
			center, scale := d.Scaling.at(j)
			toCenter, toScale := s.at(j)
			return (z*scale + center - toCenter) / toScale
		}, func(j int, z dd.Number) dd.Number {
			center, scale := d.Scaling.at(j)
			toCenter, toScale := s.at(j)
			return z.Mul(dd.Of(scale)).Add(dd.Of(center)).Sub(dd.Of(toCenter)).Div(dd.Of(toScale))
		})
	}
	out := d.withColumns(columns)
	out.Scaling = s.clone()
	return out, nil
}

// Standardize returns the moments of the same rows with every column of X centered and
// scaled to standard deviation 1, as Design.Standardize does; the Scaling of the result
// holds the means and the standard deviations. Of weighted rows the sums know the weighted
// ones alone: set StandardizeSettings.Weighted (else ErrNeedsRows). Other errors are those
// of Design.Standardize.
func (m *Moments) Standardize(settings *StandardizeSettings) (*Moments, error) {
	if err := args.Given("the moments", m); err != nil {
		return nil, err
	}
	s := args.OrDefaults(settings)
	if s.CenterOnly && s.ScaleOnly {
		return nil, errCenterAndScaleOnly
	}
	raw, err := m.Rescale(nil)
	if err != nil {
		return nil, err
	}
	scaling, err := raw.scaling(s, false)
	if err != nil {
		return nil, err
	}
	return raw.Rescale(scaling)
}

// scaling is what Standardize scales by. A column that does not vary has the scale 1, or is
// refused.
func (m *Moments) scaling(s StandardizeSettings, loose bool) (*Scaling, error) {
	p, n := len(m.s.Names), m.s.N
	if n == 0 {
		return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
	}
	if s.DDoF < 0 || s.DDoF >= n {
		return nil, fmt.Errorf("%w: DDoF = %d with %d rows; it is 0 or more, and less than the rows", ErrSetting, s.DDoF, n)
	}
	weighted := m.s.W != float64(n) || m.s.LogW != 0
	if weighted && !s.Weighted {
		return nil, fmt.Errorf("%w: means and variances without the weights; set StandardizeSettings.Weighted for those that the sums have", ErrNeedsRows)
	}
	scaling := &Scaling{Center: make([]float64, p), Scale: make([]float64, p)}
	for j := range p {
		if !s.ScaleOnly {
			scaling.Center[j] = m.s.MeanX[j]
		}
		scaling.Scale[j] = 1
		if s.CenterOnly {
			continue
		}
		variance := m.s.SXX[j*p+j] / float64(n-s.DDoF)
		if weighted {
			variance *= float64(n) / m.s.W
		}
		switch sd := math.Sqrt(variance); {
		case sd > 1e-15*math.Abs(m.s.MeanX[j]):
			scaling.Scale[j] = sd
		case !loose:
			return nil, fmt.Errorf("%w: term %q is %v in every row; leave it out", ErrConstant, m.s.Names[j], m.s.MeanX[j])
		}
	}
	return scaling, nil
}

// Rescale returns the moments of the same rows in the units of the given scaling: it
// undoes the scaling of m, then applies s. A nil s gives raw units. A scaling for another
// number of columns is an error.
func (m *Moments) Rescale(s *Scaling) (*Moments, error) {
	if err := args.Given("the moments", m); err != nil {
		return nil, err
	}
	p := len(m.s.Names)
	if s != nil {
		if err := s.check(p); err != nil {
			return nil, err
		}
	}
	if m.s.Scaling.equal(s, p) {
		return m, nil
	}
	z := m.clone()
	factor := make([]float64, p)
	z.s.MeanXLow = make([]float64, p)
	for j := range p {
		center, scale := m.s.Scaling.at(j)
		toCenter, toScale := s.at(j)
		factor[j] = scale / toScale
		mean := m.s.MeanOf(j).Mul(dd.Of(scale)).Add(dd.Of(center)).Sub(dd.Of(toCenter)).Div(dd.Of(toScale))
		z.s.MeanX[j], z.s.MeanXLow[j] = mean.Hi, mean.Lo
	}
	for i, f := range factor {
		for j := i; j < p; j++ {
			z.s.SXX[i*p+j] *= f * factor[j]
		}
		z.s.SXY[i] *= f
		if z.s.Gross != nil {
			z.s.Gross[i] *= f * f
		}
		if z.s.Lost != nil {
			z.s.Lost[i] *= f
		}
		if z.s.MeanErr != nil {
			z.s.MeanErr[i] *= f
		}
	}
	z.s.Steps++ // products and factors are rounded
	z.s.Scaling = s.clone()
	return valid(z, z.check(func(int) bool { return false }))
}

// at returns the center and the scale of column j; those of a nil scaling are
// 0 and 1.
func (s *Scaling) at(j int) (center, scale float64) {
	if s == nil {
		return 0, 1
	}
	return s.Center[j], s.Scale[j]
}

func (s *Scaling) clone() *Scaling {
	if s == nil {
		return nil
	}
	return &Scaling{slices.Clone(s.Center), slices.Clone(s.Scale)}
}

func (s *Scaling) equal(t *Scaling, p int) bool {
	for j := range p {
		sc, ss := s.at(j)
		tc, ts := t.at(j)
		if sc != tc || ss != ts {
			return false
		}
	}
	return true
}

func (s *Scaling) check(p int) error {
	if len(s.Center) != p || len(s.Scale) != p {
		return fmt.Errorf("%w: scaling has %d centers and %d scales for %d columns", ErrShape, len(s.Center), len(s.Scale), p)
	}
	for j := range p {
		if !(s.Scale[j] > 0) || math.IsInf(s.Scale[j], 0) || math.IsNaN(s.Center[j]) || math.IsInf(s.Center[j], 0) {
			return fmt.Errorf("%w: scaling of column %d has center %v and scale %v", ErrSetting, j+1, s.Center[j], s.Scale[j])
		}
	}
	return nil
}

func (s *Scaling) columns(cols []int) *Scaling {
	sub := &Scaling{Center: make([]float64, len(cols)), Scale: make([]float64, len(cols))}
	for k, j := range cols {
		sub.Center[k], sub.Scale[k] = s.Center[j], s.Scale[j]
	}
	return sub
}

// orZero is a mean or a deviation, or 0 if it is the rounding of values as large as the
// largest, whose digits differ between processors.
func orZero(v, largest float64) float64 {
	if math.Abs(v) <= 1e-14*largest {
		return 0
	}
	return v
}

// Describe returns the center and the scale of every column as a table.
func (s *Scaling) Describe() *report.Table {
	n := max(len(s.Center), len(s.Scale))
	at := format.Each(gram.NumbersTo(n), func(j int) [2]float64 {
		center, scale := s.at(j)
		return [2]float64{center, scale}
	})
	return tables.Shortened(tables.Rows("Scaling of the predictors",
		tables.Int("column", gram.NumbersTo(n), func(j int) int { return j + 1 }),
		tables.Number("center", at, 0, func(v [2]float64) float64 { return v[0] }),
		tables.Number("scale", at, 0, func(v [2]float64) float64 { return v[1] })))
}

// String writes the scaling as text.
func (s *Scaling) String() string { return s.Describe().String() }

func init() {
	door.SameScaling = func(a, b any, p int) bool { return a.(*Scaling).equal(b.(*Scaling), p) }
}
