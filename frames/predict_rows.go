package frames

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// codedRows are the rows of a frame, coded as those that were fitted.
type codedRows struct {
	design *mlreg.Design // of the rows that are complete; nil if none is
	rows   []int         // of the frame, counted from 0
	n      int           // rows of the frame
	beyond []mlreg.Extrapolation
}

// spread returns the values of the rows coded as those of the rows of the frame, NaN
// for the others.
func (r *codedRows) spread(values []float64) []float64 {
	all := slices.Repeat([]float64{math.NaN()}, r.n)
	for k, v := range values {
		all[r.rows[k]] = v
	}
	return all
}

// vector computes a value of every row of the frame.
func (r *codedRows) vector(compute func(d *mlreg.Design) ([]float64, error)) ([]float64, error) {
	values, err := r.values(compute)
	if err != nil {
		return nil, err
	}
	return r.spread(values), nil
}

// values computes a value of every row coded.
func (r *codedRows) values(compute func(d *mlreg.Design) ([]float64, error)) ([]float64, error) {
	if r.design == nil {
		return nil, nil
	}
	return compute(r.design)
}

// noProb returns the probabilities of rows with missing values.
func noProb(n int, fit mlreg.Classifier) *mat.Dense {
	q := len(fit.Classes())
	return mat.NewDense(n, q, slices.Repeat([]float64{math.NaN()}, n*q))
}

// classProb writes the probabilities of the rows coded to those of the frame.
func (r *codedRows) classProb(to *mat.Dense, fit mlreg.Classifier) error {
	if r.design == nil {
		return nil
	}
	p, err := fit.ClassProb(r.design)
	if err != nil {
		return err
	}
	for k, row := range r.rows {
		to.SetRow(row, p.RawRowView(k))
	}
	return nil
}

// classes writes the classes of the rows coded to those of the frame.
func (r *codedRows) classes(to []string, fit mlreg.Classifier) error {
	if r.design == nil {
		return nil
	}
	known, err := mlreg.Classify(fit, r.design)
	if err != nil {
		return err
	}
	for k, class := range known {
		to[r.rows[k]] = class
	}
	return nil
}

// What rows need besides the terms of a fit.
type need int

const (
	nothingElse need = iota
	weightsToo       // if df has their column; of cbind(yes, no), the numbers of trials
	responseToo      // rows without one are left out; weights too
)

// rowsFor codes the rows of df that are complete in the columns that a fit needs.
func rowsFor(fit Coded, df dataframe.DataFrame, needs need) (*codedRows, error) {
	b, err := builderFor(fit, df)
	if err != nil {
		return nil, err
	}
	if b == nil {
		return columnRows(fitTerms(fit), responseOf(fit), df, needs)
	}
	return b.codedRows(fit.Coding(), needs)
}

// builderFor returns the builder of the formula of a fit, nil if it was made to a matrix.
func builderFor(fit Coded, df dataframe.DataFrame) (*builder, error) {
	if err := checkFit(fit); err != nil {
		return nil, err
	}
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	if fit.Coding() == nil {
		return nil, nil
	}
	t, err := codedTerms(fit)
	if err != nil {
		return nil, err
	}
	m, err := t.model()
	if err != nil {
		return nil, err
	}
	return m.builder(evaluatorOf(df)), nil
}

// mostInPart is how many numbers the design of a part of the rows has, 128 MB, so that predictions of a factor of many levels
// do not take its columns in all rows.
const mostInPart = 1 << 24

// eachPart calls visit with the rows of df that are complete in the columns that a fit needs, coded in parts, each of which says what lies beyond
// ranges in it. It does not call visit if there is no such row of a formula.
func eachPart(fit Coded, df dataframe.DataFrame, needs need, visit func(part *codedRows) error) error {
	b, err := builderFor(fit, df)
	if err != nil {
		return err
	}
	if b == nil {
		all, err := columnRows(fitTerms(fit), responseOf(fit), df, needs)
		if err != nil {
			return err
		}
		return visit(all)
	}
	if err := b.completeRows(needs); err != nil {
		return err
	}
	for rows := range slices.Chunk(b.eval.rows, max(1, mostInPart/max(1, len(b.terms.Columns)))) {
		b.eval.rows = rows
		part, err := b.coded(fit.Coding())
		if err != nil {
			return err
		}
		if err := visit(part); err != nil {
			return err
		}
	}
	return nil
}

// codedRows codes the complete rows of the builder.
func (b *builder) codedRows(coding *mlreg.Coding, needs need) (*codedRows, error) {
	if err := b.completeRows(needs); err != nil {
		return nil, err
	}
	return b.coded(coding)
}

// completeRows selects the rows that are complete.
func (b *builder) completeRows(needs need) error {
	t := b.terms
	b.mayBeNone = true
	if needs == responseToo || needs == weightsToo && t.counts() {
		if err := b.setResponse(b.known); err != nil {
			return err
		}
	}
	if needs == nothingElse || t.Weights != "" && !b.known([]string{t.Weights}) {
		t.Weights = ""
	}
	return b.selectRows()
}

// coded codes the rows selected.
func (b *builder) coded(coding *mlreg.Coding) (*codedRows, error) {
	r := &codedRows{rows: b.eval.rows, n: b.eval.height()}
	if len(b.eval.rows) == 0 {
		return r, nil
	}
	var err error
	if r.design, err = b.build(); err != nil {
		return nil, err
	}
	r.design.Coding, r.beyond = coding, b.terms.Beyond
	return r, nil
}

// codedTerms returns the fitted formula of a fit, with the terms that it has.
func codedTerms(fit Coded) (*Terms, error) {
	t, err := termsOfCoding(fit.Coding())
	if err != nil {
		return nil, err
	}
	if names := fitTerms(fit); names != nil {
		t = t.only(names)
	}
	t.NA = NAOmit
	return t, nil
}

// fitTerms returns the columns that a fit needs, nil for all of its coding.
func fitTerms(fit any) []string {
	var names []string
	switch f := fit.(type) {
	case interface{ Terms() []string }:
		names = f.Terms()
	case interface{ Names() []string }:
		names = f.Names()
	default:
		return nil
	}
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == mlreg.InterceptName })
}

func responseOf(fit any) string {
	if f, ok := fit.(interface{ Response() string }); ok {
		return f.Response()
	}
	return ""
}

// columnRows codes rows for a fit to a matrix: its terms are columns.
func columnRows(names []string, response string, df dataframe.DataFrame, needs need) (*codedRows, error) {
	columns, r := slices.Clone(names), &codedRows{n: df.Nrow()}
	if needs == responseToo && !slices.Contains(df.Names(), response) {
		needs = nothingElse
	}
	if needs == responseToo {
		columns = append(columns, response)
	}
	values := make([][]float64, len(columns))
	for j, name := range columns {
		var err error
		if values[j], err = Floats(df, name); err != nil {
			return nil, fmt.Errorf("%w; the fit was made to a matrix, and takes the columns that have the names of its terms", err)
		}
	}
	for i := range r.n {
		if !slices.ContainsFunc(values, func(x []float64) bool { return math.IsNaN(x[i]) }) {
			r.rows = append(r.rows, i)
		}
	}
	if len(r.rows) == 0 {
		return r, nil
	}
	taken := make([][]float64, len(columns))
	for j, x := range values {
		taken[j] = picked(r.rows, x)
	}
	y := make([]float64, len(r.rows))
	if needs == responseToo {
		y = taken[len(names)]
	}
	var x mat.Matrix
	if len(names) > 0 {
		x = columnsOf(taken[:len(names)])
	}
	var err error
	if r.design, err = mlreg.NewDesign(x, y, names...); err != nil {
		return nil, err
	}
	r.design.Response = response
	if needs != responseToo {
		r.design.Y = nil
	}
	return r, nil
}
