package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/problem"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// VIFRow is the variance inflation factor of a term, of one column or of DF.
type VIFRow struct {
	Term string
	DF   float64
	// VIF is the factor; the generalized one of a term of several columns.
	VIF float64
	// PerDF is VIF^(1/(2 DF)), which compares terms of different DF: the factor by
	// which limits are wider, sqrt(VIF) if DF is 1.
	PerDF float64
	// Digits is how many decimal digits of VIF are right, 0 to 15, by a bound on
	// the rounding errors that takes the numbers of a design for exact.
	Digits int
}

// VIF returns the variance inflation factor of every column of the data,
//
//	VIF_j = S_jj ((A'A)^-1)_jj = 1/(1 - R_j^2),
//
// by how much its correlation with the other columns multiplies the variance of its
// coefficient. R_j^2 is that of the regression of column j on the others, and
// S_jj its centered sum of squares (not centered if the model has no intercept).
// The intercept has none, and the response is not used. GVIF is for factors.
//
// Errors: ErrNoTerms for the intercept alone, a *RankDeficientError for aliased
// terms, and those of FitOLS.
//
// Belsley, Kuh and Welsch, Regression Diagnostics (1980), section 3.2.
func VIF(data Data) (report.Rows[VIFRow], error) {
	f, err := newInflation(data)
	if err != nil {
		return nil, err
	}
	return f.rows(inGroups(f.names, nil))
}

// GVIF returns the generalized variance inflation factor of every term of the
// data, a factor or a polynomial being one,
//
//	GVIF_g = det(S_gg) det(((A'A)^-1)_gg) = det(R_gg) det(R_oo) / det(R)
//
// with the columns g of the term, all others o but the intercept, their centered
// cross-products S (not centered if the model has no intercept) and correlations R:
// by how much the correlation of the term with the others multiplies the squared
// volume of the joint confidence region of its coefficients. It does not depend on
// the contrasts of a factor. GVIF of a term of one column is its VIF. This is vif of
// R's package car.
//
// Without groups, terms are those of Design.Coding; groups, if given, hold every
// column once, in the order of the data, or the error is ErrShape. Other errors are
// those of VIF.
//
// Fox and Monette (1992), Journal of the American Statistical Association 87,
// 178-183, eq. 10.
func GVIF(data Data, groups ...TermGroup) (report.Rows[VIFRow], error) {
	f, err := newInflation(data)
	if err != nil {
		return nil, err
	}
	if len(groups) == 0 {
		groups = wholeGroups(f.names, f.groups)
	} else if err := checkGroups(groups, f.names); err != nil {
		return nil, err
	}
	return f.rows(slices.DeleteFunc(slices.Clone(groups), func(g TermGroup) bool { return len(g.Terms) == 0 }))
}

// inflation are data without a response, and the inverse triangular factor of all
// their columns.
type inflation struct {
	data   Data // a *Design or *Moments
	names  []string
	groups []TermGroup
	all    *inverseFactor
}

// newInflation takes rows for their sums if there are too many for double-double
// arithmetic and the sums are good enough.
func newInflation(data Data) (*inflation, error) {
	if data == nil {
		return nil, fmt.Errorf("%w: data is nil", ErrNoData)
	}
	f := &inflation{}
	d, ok := data.(*Design)
	if ok {
		if err := d.Check(); err != nil {
			return nil, err
		}
		d = d.positive().unitColumns()
		f.data, f.names, f.groups = d, d.Names, d.Coding.Groups()
	} else {
		m, err := data.Moments()
		if err != nil {
			return nil, err
		}
		f.data, f.names, f.groups = m.withoutResponse(), m.s.Names, m.s.Coding.Groups()
	}
	if len(f.names) == 0 {
		return nil, errNoTerms
	}
	if ok && d.XLow == nil && lsq.PreferSums(d.NObs(), len(f.names)+1) {
		if m, err := d.Moments(); err == nil {
			if all, err := newInverseFactor(m); err == nil && all.rounding <= lsq.CorrectableRounding {
				f.data, f.all = m, all
				return f, nil
			}
		}
	}
	var err error
	f.all, err = newInverseFactor(f.data)
	return f, err
}

// unitColumns returns the design with columns divided by powers of two to a
// largest value of about 1, whose squares neither overflow nor underflow, and a
// response of zeros.
func (d *Design) unitColumns() *Design {
	units := make([]problem.Unit, d.NTerms())
	for j := range units {
		units[j] = problem.UnitOf(mat.Norm(d.X.ColView(j), math.Inf(1)))
	}
	unit := d.withColumns(d.doubleColumns().apply(
		func(j int, x float64) float64 { return units[j].In(x) },
		func(j int, x dd.Number) dd.Number { return units[j].InTwofold(x) },
	)).WithResponse(d.Response, make([]float64, d.NObs()))
	unit.Scaling = nil
	return unit
}

// withoutResponse returns the moments with a response of zeros.
func (m *Moments) withoutResponse() *Moments {
	zero := m.clone()
	zero.s.MeanY, zero.s.MeanYLow, zero.s.SYY = 0, 0, 0
	clear(zero.s.SXY)
	if p := len(zero.s.Names); zero.s.Gross != nil {
		zero.s.Gross[p] = 0
	}
	return zero
}

// inverseFactor is T = R^-1 of [1 X] = Q R, of columns in units, and
// a bound on the relative errors of the lengths of its rows and of its diagonal.
type inverseFactor struct {
	t        *mat.TriDense
	offset   int // columns before those of X
	rounding float64
}

func newInverseFactor(data Data) (*inverseFactor, error) {
	var sol *lsq.Solution
	var columns int
	f := &inverseFactor{}
	like := newOLS(header{}, OLSSettings{})
	switch data := data.(type) {
	case *Design:
		sys, err := newSystem(data)
		if err != nil {
			return nil, err
		}
		sol, _ = sys.Solve()
		columns, f.offset = sys.Columns(), sys.Columns()-data.NTerms()
		like.l.Names, like.l.NoIntercept, like.s.N = data.Names, data.NoIntercept, sys.N
	case *Moments:
		if data.s.N == 0 {
			return nil, fmt.Errorf("%w: the moments are of no rows", ErrNoData)
		}
		e := newEquations(data)
		sol = e.Solve()
		columns, f.offset = e.Columns(), e.Offset()
		like.l.Names, like.l.NoIntercept, like.s.N = data.s.Names, data.s.NoIntercept, data.s.N
	}
	if len(sol.Keep) < columns {
		e := like.rankDeficient(sol.Keep)
		e.Advice = "take for infinite their factors and those of the terms that they combine"
		return nil, e
	}
	f.t, f.rounding = sol.T, sol.Bounds.StdErr
	return f, nil
}

// rows makes a line for every group.
func (f *inflation) rows(groups []TermGroup) ([]VIFRow, error) {
	rows := make([]VIFRow, len(groups))
	for i, g := range groups {
		k := len(g.Terms)
		vif, relative, err := f.factor(g.Terms)
		if err != nil {
			return nil, err
		}
		if math.IsInf(vif, 1) {
			return nil, fmt.Errorf("%w: the variance inflation factor of %q is too large for float64", ErrNotFinite, g.Name)
		}
		rows[i] = VIFRow{
			Term: g.Name, DF: float64(k), VIF: vif, PerDF: math.Pow(vif, 1/(2*float64(k))), Digits: countDigits(relative),
		}
	}
	return rows, nil
}

// factor returns the factor of the terms and a bound on its relative error. The
// diagonal of R has, for each column, the length of its part orthogonal to the
// columns before it: with the terms last, and with the terms alone. If there is one
// term, the length of its row of T is the inverse of that wherever it stands.
func (f *inflation) factor(terms []string) (vif, relative float64, err error) {
	alone, err := f.of(terms)
	if err != nil {
		return 0, 0, err
	}
	all, first := f.all, slices.Index(f.names, terms[0])
	length := func(i int) float64 { return all.t.At(i, i) }
	operations := 4 * float64(len(terms))
	if len(terms) == 1 {
		length = func(i int) float64 { return lsq.RowLength(all.t, i) }
		operations += float64(len(f.names)) + 2
	} else {
		others := slices.DeleteFunc(slices.Clone(f.names), func(name string) bool { return slices.Contains(terms, name) })
		if all, err = f.of(append(others, terms...)); err != nil {
			return 0, 0, err
		}
		first = len(others)
	}
	vif = 1
	for c := range terms {
		i, j := first+c+all.offset, c+alone.offset
		ratio := length(i) / alone.t.At(j, j) // a column has the same unit in both
		vif *= ratio * ratio
	}
	relative = 2*float64(len(terms))*(all.rounding+alone.rounding) + 2*operations*dd.Unit
	return math.Max(vif, 1), relative, nil // what is below 1 is rounding
}

// of returns the inverse factor of the columns named, in that order.
func (f *inflation) of(names []string) (*inverseFactor, error) {
	sub, err := selectTerms(f.data, names)
	if err != nil {
		return nil, err
	}
	return newInverseFactor(sub)
}

// Tabulate returns the factors as a table.
func (VIFRow) Tabulate(r []VIFRow) *report.Table {
	return tables.Rows("Variance inflation factors",
		tables.Text("term", r, func(r VIFRow) string { return r.Term }),
		tables.Number(format.DF, r, 0, func(r VIFRow) float64 { return r.DF }),
		tables.Number("VIF", r, 0, func(r VIFRow) float64 { return r.VIF }),
		tables.Number("VIF^(1/(2 df))", r, 0, func(r VIFRow) float64 { return r.PerDF }))
}

// String writes the line as text.
func (r VIFRow) String() string { return report.Rows[VIFRow]{r}.String() }
