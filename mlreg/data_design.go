package mlreg

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/stream"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// InterceptName is the name under which the intercept appears among the
// coefficients of a fit.
const InterceptName = "(Intercept)"

// Design is the data of a regression: rows are observations, columns are
// terms.
//
// X has no column of ones; the intercept is fitted unless NoIntercept is set,
// and it is never penalized. In a model with the intercept alone X is n x 0;
// NewDesign makes it from a nil matrix, and Select from no names. Methods return
// new designs and leave the receiver as it is; fits neither change a Design nor
// keep it.
type Design struct {
	// X is the n x p matrix of predictors.
	X *mat.Dense
	// XLow, n x p, holds the rounding errors of X: X + XLow is the design to twice
	// the digits, for example powers of a column. Nil is zero. Least squares uses
	// it.
	XLow *mat.Dense
	// Y is the response, of length n. It is nil if the response is not known; such
	// rows can be predicted but not fitted.
	Y []float64
	// Names are the p names of the terms, the columns of X.
	Names []string
	// Response is the name of Y.
	Response string
	// Classes are the names of the classes if the response is categorical; Y then
	// holds indices of Classes, counted from 0. Nil if Y is numeric.
	Classes []string
	// Weights are n non-negative weights w_i: y_i has variance sigma^2/w_i. Rows
	// with weight zero take no part in a fit. Nil is all ones.
	Weights []float64
	// Offset are n known parts o_i of the linear predictor, whose coefficient is 1:
	//
	//	eta_i = o_i + b_0 + x_i'b.
	//
	// Least squares fits y - o. For counts the offset is the logarithm of the
	// exposure. Rows to predict must have an offset if the rows fitted had, and none if
	// they had none. In a formula it is offset(log(t)). Nil is none.
	Offset []float64
	// Clusters are the n names of the clusters of the rows, for OLS.Clustered and GLM.Clustered.
	// frames.DesignSettings.Clusters sets them. Nil is none.
	Clusters []string
	// Absorb names the factor whose effects FitAbsorbed absorbs, and Levels are the n levels of the rows. The
	// formula y ~ x | zone sets them. Other fits refuse such a design. "" and nil are none.
	Absorb string
	Levels []string
	// NoIntercept leaves the intercept out of the model.
	NoIntercept bool
	// Scaling is the centering and scaling that X has undergone, nil if none.
	Scaling *Scaling
	// Coding says how the columns of X were computed, and which columns form one
	// term, such as a factor or a polynomial; OLS.Anova, OLS.DropTerms and FitStepwise
	// use it. A column in none of Coding.Groups is a term of its own. A fit refuses
	// rows with another coding. Package frames, Expand and Words.Expand set it. It is
	// nil for a matrix given to NewDesign; rows are then matched by name alone.
	Coding *Coding
	// RowNumbers are the numbers, from 1, of the n rows in their source table, which
	// may have further rows with missing values. Nil is 1 ... n. Package frames sets
	// them.
	RowNumbers []int
	// Omitted is the number of rows omitted for missing values. Package frames sets
	// it, and the tables of fits report it.
	Omitted int

	subtracted bool // the response is less an offset
	counted    *counted
}

// NewDesign returns a design with an intercept. It copies X (n x p) and y
// (length n, or nil if the response is not known). Names are x1 ... xp unless
// p names are given; the response is called y. A nil x stands for no terms, R's
// y ~ 1. The error names the culprit if lengths do not match, if n is 0, or if a
// value is not finite.
func NewDesign(x mat.Matrix, y []float64, names ...string) (*Design, error) {
	if x == nil {
		x = algebra.NewDense(len(y), 0)
	}
	if err := args.Given("the matrix x", x); err != nil {
		return nil, err
	}
	n, p := x.Dims()
	if n == 0 {
		return nil, fmt.Errorf("%w: X is %d x %d", ErrNoData, n, p)
	}
	if len(names) == 0 {
		names = make([]string, p)
		for j := range names {
			names[j] = fmt.Sprintf("x%d", j+1)
		}
	}
	columns := algebra.NewDense(n, p)
	if p > 0 {
		columns.Copy(x)
	}
	d := &Design{X: columns, Y: slices.Clone(y), Names: slices.Clone(names), Response: "y"}
	if err := d.Check(); err != nil {
		return nil, err
	}
	return d, nil
}

// NObs returns n, the number of rows.
func (d *Design) NObs() int {
	if d == nil || d.X == nil || d.X.IsEmpty() {
		return 0
	}
	n, _ := d.X.Dims()
	return n
}

// NTerms returns p, the number of columns of X, without the intercept.
func (d *Design) NTerms() int {
	if d == nil || d.X == nil || d.X.IsEmpty() {
		return 0
	}
	_, p := d.X.Dims()
	return p
}

// Check reports the first fault of the design: lengths that
// do not match (ErrShape), no rows (ErrNoData), a NaN or infinity in X, Y,
// Weights or Offset (ErrNotFinite), a negative weight or a Y that is not an index of
// Classes (ErrSetting), a repeated name. A nil Y is allowed.
func (d *Design) Check() error {
	if err := d.checkShape(); err != nil {
		return err
	}
	return d.checkFinite()
}

// checkResponse looks at every value of Y.
func (d *Design) checkResponse() error {
	for i, y := range d.Y {
		if math.IsNaN(y) || math.IsInf(y, 0) {
			return fmt.Errorf("%w: response %q is %v in row %d", ErrNotFinite, d.Response, y, d.RowNumber(i))
		}
		if d.Classes != nil && !(y >= 0 && y < float64(len(d.Classes)) && y == math.Trunc(y)) {
			return fmt.Errorf("%w: response %q is %v in row %d; with %d classes it is an index from 0 to %d",
				ErrSetting, d.Response, y, d.RowNumber(i), len(d.Classes), len(d.Classes)-1)
		}
	}
	return nil
}

// ModelMatrix returns the n x k matrix that the weights multiply: a column of ones, unless
// the design has no intercept, and the columns of X. It is R's model.matrix; its columns
// are in the order of the coefficients of a fit, and in the design's units. The part of
// X in XLow is left out. The errors are those of Check.
func (d *Design) ModelMatrix() (*mat.Dense, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	n, p := d.NObs(), d.NTerms()
	first := 1
	if d.NoIntercept {
		first = 0
	}
	m := algebra.NewDense(n, first+p)
	for i := range n {
		if first == 1 {
			m.Set(i, 0, 1)
		}
		for j := range p {
			m.Set(i, first+j, d.X.At(i, j))
		}
	}
	return m, nil
}

// Rows returns a design with the given rows, counted from 0, in the order
// given; a row may be given more than once (bootstrap). They keep their
// RowNumbers. It panics if a row does not exist, as slice indexing does.
func (d *Design) Rows(rows ...int) *Design {
	sub := d.withColumns(d.doubleColumns().rows(rows))
	sub.Y, sub.Weights, sub.Offset, sub.Clusters, sub.Levels, sub.RowNumbers, sub.Omitted = nil, nil, nil, nil, nil, nil, 0
	for _, row := range rows {
		sub.RowNumbers = append(sub.RowNumbers, d.RowNumber(row))
		if d.Y != nil {
			sub.Y = append(sub.Y, d.Y[row])
		}
		if d.Weights != nil {
			sub.Weights = append(sub.Weights, d.Weights[row])
		}
		if d.Offset != nil {
			sub.Offset = append(sub.Offset, d.Offset[row])
		}
		if d.Clusters != nil {
			sub.Clusters = append(sub.Clusters, d.Clusters[row])
		}
		if d.Levels != nil {
			sub.Levels = append(sub.Levels, d.Levels[row])
		}
	}
	return sub
}

// RowNumber returns the number, from 1, of row i in its source table, or i+1 if RowNumbers
// has none for it.
func (d *Design) RowNumber(i int) int {
	if i < 0 || i >= len(d.RowNumbers) {
		return i + 1
	}
	return d.RowNumbers[i]
}

// rowAfter returns the number of row i of a block in its table: as many rows are before the
// block as given, unless it numbers them itself.
func (d *Design) rowAfter(i, before int) int {
	if d.RowNumbers == nil {
		return before + i + 1
	}
	return d.RowNumbers[i]
}

// RowNames returns the numbers of the rows as texts, R's names(resid(m)).
func (d *Design) RowNames() []string {
	names := make([]string, d.NObs())
	for i := range names {
		names[i] = strconv.Itoa(d.RowNumber(i))
	}
	return names
}

// Split returns the rows whose mask is true and those whose mask is false,
// for example a training and a test set. Both keep the scaling of d. It
// returns an error if the mask does not have one value per row, or if either part
// is empty.
func (d *Design) Split(mask []bool) (in, out *Design, err error) {
	if len(mask) != d.NObs() {
		return nil, nil, fmt.Errorf("%w: a mask of %d values for %d rows", ErrShape, len(mask), d.NObs())
	}
	var yes, no []int
	for i, m := range mask {
		if m {
			yes = append(yes, i)
		} else {
			no = append(no, i)
		}
	}
	if len(yes) == 0 || len(no) == 0 {
		return nil, nil, fmt.Errorf("%w: the mask takes %d of %d rows and leaves one part empty", ErrNoData, len(yes), len(mask))
	}
	return d.Rows(yes...), d.Rows(no...), nil
}

// Select returns the design with the named terms only, in the order given.
// Without names it keeps the intercept alone. The error names a term that does not
// exist.
func (d *Design) Select(names ...string) (*Design, error) {
	if err := args.Given("the design", d); err != nil {
		return nil, err
	}
	cols, err := args.Positions(names, d.Names)
	if err != nil {
		return nil, err
	}
	sub := d.withColumns(d.doubleColumns().columns(cols))
	sub.Names = slices.Clone(names)
	if d.Scaling != nil {
		sub.Scaling = d.Scaling.columns(cols)
	}
	return sub, nil
}

// bareDesign is a Design without its methods.
type bareDesign Design

// designState is what is stored of a Design. Rows is as long as a matrix without
// columns, which mat does not decode, has rows.
type designState struct {
	Design bareDesign
	Rows   []byte
}

// design returns the design that was stored.
func (s *designState) design() *Design {
	d := Design(s.Design)
	if len(s.Rows) > 0 {
		d.X = algebra.NewDense(len(s.Rows), 0)
	}
	return &d
}

func (s *designState) restored() error {
	if d := s.design(); d.X != nil { // not the zero value
		return d.checkShape()
	}
	return nil
}

// GobEncode implements gob.GobEncoder.
func (d *Design) GobEncode() ([]byte, error) {
	s := designState{Design: bareDesign(*d)}
	if d.X != nil && d.NTerms() == 0 {
		s.Design.X, s.Rows = nil, make([]byte, d.NObs())
	}
	return stream.Encode(d, &s)
}

// GobDecode implements gob.GobDecoder.
func (d *Design) GobDecode(b []byte) error {
	var s designState
	if err := gobDecode(b, d, &s); err != nil {
		return err
	}
	*d = *s.design()
	return nil
}

// selectTerms returns the data of the named terms only, in the order given.
func selectTerms(data Data, terms []string) (Data, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	if d, ok := data.(*Design); ok {
		return d.Select(terms...)
	}
	m, err := data.Moments()
	if err != nil {
		return nil, err
	}
	return m.Select(terms...)
}

// Describe returns the columns of the design as a table, the response first: mean,
// standard deviation (ddof = 0), smallest and largest value over all rows, whatever
// their weights. Of more than 25 columns it has the first ten. Below stand the number
// of rows and what else the design knows.
func (d *Design) Describe() *report.Table {
	n := d.NObs()
	var terms []string
	var stats [4][]float64
	add := func(name string, x []float64) {
		mean, sd, largest := meanDeviation(x, len(x))
		terms = append(terms, name)
		for k, v := range []float64{orZero(mean, largest), orZero(sd, largest), slices.Min(x), slices.Max(x)} {
			stats[k] = append(stats[k], v)
		}
	}
	if len(d.Y) == n && n > 0 {
		add(orResponse(d.Response), d.Y)
	}
	if n > 0 && d.X != nil {
		for j := range min(d.NTerms(), len(d.Names)) {
			add(d.Names[j], format.Each(gram.NumbersTo(n), func(i int) float64 { return d.X.At(i, j) }))
		}
	}
	t := tables.Shortened(tables.Rows(tables.Of("Design", d.Response), report.TextColumn("column", terms...),
		report.NumberColumn("mean", stats[0], 0), report.NumberColumn(format.StdDev, stats[1], 0),
		report.NumberColumn("smallest", stats[2], 0), report.NumberColumn("largest", stats[3], 0)))
	size := fmt.Sprintf("%s, %s", format.Plural(n, "row"), format.Plural(len(d.Names), "term"))
	if d.NoIntercept {
		size += ", no intercept"
	}
	if d.Omitted > 0 {
		size += fmt.Sprintf(" (%d omitted for missing values)", d.Omitted)
	}
	t.Notes = append(t.Notes, size)
	if d.Weights != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("rows have weights; %d of them are positive", d.PositiveRows()))
	}
	if d.Classes != nil {
		t.Notes = append(t.Notes, "classes: "+strings.Join(d.Classes, ", "))
	}
	if d.Scaling != nil {
		t.Notes = append(t.Notes, "predictors are scaled")
	}
	return t
}

// String writes the columns of the design as text.
func (d *Design) String() string { return d.Describe().String() }
