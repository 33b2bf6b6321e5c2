package mlreg

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Influence holds the single-row diagnostics of a least-squares fit, one value a
// row, with the residual r_i, the leverage h_i, the weight w_i (1 unless given),
// p = DoF and nu = DoFResidual. What deleting row i would change is computed
// without refitting.
//
// A row of leverage 1 determines its own fitted value: its residual is 0, and
// whatever divides by 1-h_i is NaN, as in R. A row of weight zero was not fitted: it
// has a residual, a leverage and Sigma, and NaN for the rest.
//
// References: Cook and Weisberg, Residuals and Influence in Regression (1982),
// chapter 2 and section 3.5; Belsley, Kuh and Welsch, Regression Diagnostics
// (1980), section 2.1.
type Influence struct {
	// Residuals are r_i = y_i - yhat_i, not weighted.
	Residuals []float64
	// Leverage is h_i, the diagonal of the hat matrix.
	Leverage []float64
	// Standardized are the internally studentized residuals, R's rstandard:
	// sqrt(w_i) r_i / (s sqrt(1-h_i)) with s^2 = Sigma2.
	Standardized []float64
	// Studentized are the externally studentized residuals, R's rstudent: with
	// s_(i), from the fit without row i, for s. They are Student's t with nu-1
	// degrees of freedom under the model.
	Studentized []float64
	// Sigma is s_(i): s_(i)^2 = (RSS - w_i r_i^2/(1-h_i)) / (nu-1), NaN if nu is
	// 1. If sigma is known to the fit, it is that.
	Sigma []float64
	// CooksDistance is Standardized_i^2/p h_i/(1-h_i), the squared move of all
	// fitted values when row i is deleted, over p s^2.
	CooksDistance []float64
	// DFFITS is Studentized_i sqrt(h_i/(1-h_i)), the move of the i-th fitted
	// value in units of its standard error.
	DFFITS []float64
	// CovRatio is the ratio of the determinants of the covariance of the
	// coefficients without and with row i, (s_(i)^2/s^2)^p / (1-h_i).
	CovRatio []float64
}

// Influence returns the diagnostics of every row of d, which must be the rows that
// were fitted (ErrShape). Other errors: those of Residuals; ErrSaturated if sigma
// cannot be estimated. EachInfluence is for rows in blocks.
func (f *OLS) Influence(d *Design) (*Influence, error) {
	rows, err := f.fittedRows(d)
	if err != nil {
		return nil, err
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	return f.influence(d, rows.r, rows.h), nil
}

// influence returns the diagnostics of rows with residuals r and leverages h.
func (f *OLS) influence(d *Design, r, h []float64) *Influence {
	n := len(r)
	inf := &Influence{
		Residuals: r, Leverage: h,
		Standardized: make([]float64, n), Studentized: make([]float64, n), Sigma: make([]float64, n),
		CooksDistance: make([]float64, n), DFFITS: make([]float64, n), CovRatio: make([]float64, n),
	}
	s, p := math.Sqrt(f.Sigma2()), f.DoF()
	for i, h := range h {
		sigma := f.deletedSigma(d.Weight(i), r[i], h)
		inf.Sigma[i] = sigma
		rest := 1 - h
		if rest == 0 || d.Weight(i) == 0 {
			rest = math.NaN()
		}
		pearson := math.Sqrt(d.Weight(i)/rest) * r[i]
		inf.Standardized[i] = pearson / s
		inf.Studentized[i] = pearson / sigma
		inf.CooksDistance[i] = inf.Standardized[i] * inf.Standardized[i] / p * (h / rest)
		inf.DFFITS[i] = inf.Studentized[i] * math.Sqrt(h/rest)
		inf.CovRatio[i] = math.Pow(sigma/s, 2*p) / rest
	}
	return inf
}

// EachInfluence calls visit with the diagnostics of the rows that were fitted, block after
// block; memory is that of one block. It makes two passes, the first for the means of the
// columns, about which residuals and leverages keep their digits; or, for a source.Design with factors, one by their cells, as
// Robust does.
//
//	err := ols.EachInfluence(rows, func(block *mlreg.Design, inf *mlreg.Influence) error {
//		for i, cook := range inf.CooksDistance { ... block.RowNumber(i) ... }
//		return nil
//	})
//
// Errors: those of Influence; ErrShape for rows with another residual sum of squares
// comes after the last block; ErrChanged; that of visit.
func (f *OLS) EachInfluence(rows RowBlocks, visit func(block *Design, influence *Influence) error) error {
	if visit == nil {
		return errNilVisit
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return err
	}
	if d, ok := rows.(*Design); ok {
		inf, err := f.Influence(d)
		if err != nil {
			return err
		}
		return visit(d, inf)
	}
	_, err := f.eachFitted(rows, func(b *fittedRows) error { return visit(b.whole(), f.influence(b.design, b.r, b.h)) })
	return err
}

// CooksDistance returns the Cook's distance of every row that was fitted; see
// Influence.
func (f *OLS) CooksDistance(d *Design) ([]float64, error) {
	inf, err := f.Influence(d)
	if err != nil {
		return nil, err
	}
	return inf.CooksDistance, nil
}

// DFBETA returns by how much each coefficient differs from what it would be
// without row i, an n x k matrix with one column a coefficient in the order of
// Names:
//
//	b - b_(i) = (A'WA)^-1 a_i w_i r_i / (1-h_i).
//
// Rows of leverage 1 and columns of aliased terms are NaN; rows of weight zero are 0.
// Errors are those of Residuals, and ErrShape if d does not have the fitted rows.
func (f *OLS) DFBETA(d *Design) (*mat.Dense, error) {
	rows, err := f.fittedRows(d)
	if err != nil {
		return nil, err
	}
	return f.dfbeta(rows), nil
}

// DFBETAS returns DFBETA in units of standard errors,
//
//	(b_j - b_j(i)) / (s_(i) sqrt((A'WA)^-1_jj)),
//
// with the s_(i) of Influence.Sigma. Belsley, Kuh and Welsch (1980, p. 28) look
// at values beyond 2/sqrt(n). Errors are those of Influence.
func (f *OLS) DFBETAS(d *Design) (*mat.Dense, error) {
	rows, err := f.fittedRows(d)
	if err != nil {
		return nil, err
	}
	if err := args.ResidualDoF(f.InferenceDoF()); err != nil {
		return nil, err
	}
	db := f.dfbeta(rows)
	length := make([]float64, f.columns())
	for j := range length {
		length[j] = blas64.Nrm2(f.root(j))
	}
	for i := range rows.r {
		row := db.RawRowView(i)
		floats.Div(row, length)
		floats.Scale(1/f.deletedSigma(rows.design.Weight(i), rows.r[i], rows.h[i]), row)
	}
	return db, nil
}

// deletedSigma returns s_(i) of a row of weight w, residual r and leverage h.
func (f *OLS) deletedSigma(w, r, h float64) float64 {
	nu := f.DoFResidual()
	switch {
	case f.SigmaKnown() || w == 0 || h == 1: // deleting the row changes no residual
		return math.Sqrt(f.Sigma2())
	case nu <= 1:
		return math.NaN()
	}
	rest := f.RSS() - w*r*r/(1-h)
	return math.Sqrt(math.Max(rest, 0) / (nu - 1))
}

func (f *OLS) dfbeta(rows *fittedRows) *mat.Dense {
	n, k, r := len(rows.r), f.columns(), f.s.Rank
	db := mat.NewDense(n, k, nil)
	if r == 0 { // every term is aliased
		db.Apply(func(int, int, float64) float64 { return math.NaN() }, db)
		return db
	}
	t := blas64.General{Rows: k, Cols: r, Stride: max(r, 1), Data: f.s.Root}
	rows.coords.Each(rows.x, func(_, start int, z blas64.General) {
		out := db.Slice(start, start+z.Rows, 0, k).(*mat.Dense).RawMatrix()
		blas64.Gemm(blas.NoTrans, blas.Trans, 1, z, t, 0, out)
		for i := range z.Rows {
			rest := 1 - rows.h[start+i]
			if rest == 0 {
				rest = math.NaN()
			}
			scaleRow(weighed(rows.design.Weight(start+i), rows.r[start+i]/rest), out.Data[i*out.Stride:i*out.Stride+k])
		}
	})
	return db
}

// Head returns the rows of the largest Cook's distances as a table, the largest first;
// rows = 0 means ten, a negative number all. Names and errors are those of Band.Head;
// rows with missing values count in d.RowNames(), too.
func (inf *Influence) Head(rows int, names []string) (*report.Table, error) {
	n := len(inf.CooksDistance)
	names, err := tables.RowNames(names, n)
	if err != nil {
		return nil, err
	}
	if rows == 0 {
		rows = format.HeadRows
	}
	if rows < 0 || rows > n {
		rows = n
	}
	order := gram.LargestOf(rows, inf.CooksDistance)
	number := func(name string, values []float64, digits int) report.Column {
		return tables.Number(name, order, digits, func(i int) float64 { return values[i] })
	}
	t := &report.Table{Title: "Rows of the largest Cook's distances", Columns: []report.Column{
		{Name: "row", Cells: format.Each(order, func(i int) string { return names[i] }), Align: report.AlignRight},
		number("residual", inf.Residuals, 0),
		number("leverage", inf.Leverage, 3),
		number("standardized", inf.Standardized, 3),
		number("studentized", inf.Studentized, 3),
		number("Cook's distance", inf.CooksDistance, 3),
		number("DFFITS", inf.DFFITS, 3),
		number("cov. ratio", inf.CovRatio, 3),
	}}
	if rows < n {
		t.Notes = []string{fmt.Sprintf("... %d more rows", n-rows)}
	}
	return t, nil
}

// Describe returns the rows of most influence as a table; see Head.
func (inf *Influence) Describe() *report.Table { return tables.OrError(inf.Head(0, nil)) }

// String writes the rows of most influence as text.
func (inf *Influence) String() string { return inf.Describe().String() }
