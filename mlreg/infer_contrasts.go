package mlreg

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/dd"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
)

// Contrast estimates the linear combination l'b of the coefficients and tests
// that it equals value:
//
//	estimate = l'b,  stderr = sqrt(l' VCov l),  t = (estimate - value)/stderr,
//
// with limits estimate -+ q stderr at the given level as in ConfInt. The vector
// l has one weight a coefficient, in the order of f.Names. OLS.ContrastError says how
// good the estimate is. The row's Term spells
// the hypothesis: "lcavol - 2 svi = 0".
//
// Errors: ErrShape if l has the wrong length, ErrNotEstimable if it gives weight
// to an aliased term, ErrSetting for the level, ErrSaturated if sigma cannot be
// estimated.
func Contrast(f Wald, l []float64, value, level float64) (CoefRow, error) {
	if err := args.Given("the fit", f); err != nil {
		return CoefRow{}, err
	}
	if err := fault.Level(level); err != nil {
		return CoefRow{}, err
	}
	dof := f.InferenceDoF()
	if err := args.ResidualDoF(dof); err != nil {
		return CoefRow{}, err
	}
	if len(l) == 0 {
		return CoefRow{}, fmt.Errorf("%w: a contrast without weights", ErrShape)
	}
	estimate, root, err := contrasts(f, mat.NewDense(1, len(l), slices.Clone(l)), []float64{value})
	if err != nil {
		return CoefRow{}, err
	}
	q := dist.TQuantile(1-level, dof)
	e, se := estimate[0], floats.Norm(root.RawRowView(0), 2)
	t := (e - value) / se
	return CoefRow{
		Term: hypothesis(f.Names(), l, value), Estimate: e, StdErr: se, Statistic: t, P: dist.TTwoSided(t, dof),
		Lower: e - q*se, Upper: e + q*se, Level: level,
	}, nil
}

// WaldTest tests the q hypotheses L b = r at once; L is q x k with one column a
// coefficient, in the order of f.Names, and r has length q, nil for zeros:
//
//	F = (L b - r)' (L VCov L')^-1 (L b - r) / q,
//
// which has q and InferenceDoF degrees of freedom; if the latter is infinite, q F
// is chi-squared. With the classical covariance of least squares it is the F
// test of the fit against the one restricted to L b = r. It is what
// linearHypothesis of R's car and f_test of statsmodels give.
//
// Errors: ErrShape if dimensions do not match or a row of L is a combination of
// the others; ErrNotEstimable and ErrSaturated as in Contrast.
func WaldTest(f Wald, l mat.Matrix, r []float64) (FTest, error) {
	if err := args.Given("the fit", f); err != nil {
		return FTest{}, err
	}
	if err := args.Given("the matrix of the combinations", l); err != nil {
		return FTest{}, err
	}
	dof := f.InferenceDoF()
	if err := args.ResidualDoF(dof); err != nil {
		return FTest{}, err
	}
	rows, _ := l.Dims()
	if r == nil {
		r = make([]float64, rows)
	}
	estimate, root, err := contrasts(f, l, r)
	if err != nil {
		return FTest{}, err
	}
	for i := range estimate {
		estimate[i] -= r[i]
	}
	stat, err := quadraticForm(estimate, root)
	if err != nil {
		return FTest{}, err
	}
	q := float64(rows)
	return FTest{stat / q, q, dof, dist.FUpper(stat/q, q, dof)}, nil
}

// contrasts returns L b and L G, where VCov = G G'.
func contrasts(f Wald, l mat.Matrix, r []float64) ([]float64, *mat.Dense, error) {
	weights := mat.DenseCopyOf(l)
	if err := checkContrasts(f, weights, r); err != nil {
		return nil, nil, err
	}
	if o, ok := f.(interface{ checkEstimable() error }); ok {
		if err := o.checkEstimable(); err != nil {
			return nil, nil, err
		}
	}
	if o, ok := f.(*OLS); ok {
		estimate, lg := o.contrasts(weights)
		return estimate, lg, nil
	}
	root, err := vcovRoot(f)
	if err != nil {
		return nil, nil, err
	}
	b := gram.WithoutNaN(f.Coef())
	estimate := mat.NewVecDense(len(r), nil)
	estimate.MulVec(weights, mat.NewVecDense(len(b), b))
	var lg mat.Dense
	lg.Mul(weights, root)
	return estimate.RawVector().Data, &lg, nil
}

// contrasts returns L b and L G, summed in double-double.
func (f *OLS) contrasts(l *mat.Dense) ([]float64, *mat.Dense) {
	rows, _ := l.Dims()
	estimate, lg := make([]float64, rows), algebra.NewDense(rows, f.s.Rank)
	sigma := math.Sqrt(f.Sigma2())
	f.combine(l, nil, func(i int, value dd.Number, root dd.Vector) {
		estimate[i] = value.Float()
		for c, v := range root.Hi {
			lg.Set(i, c, sigma*v)
		}
	})
	return estimate, lg
}

// checkContrasts checks contrasts against the coefficients of a fit.
func checkContrasts(f Wald, weights *mat.Dense, r []float64) error {
	names, b := f.Names(), f.Coef()
	rows, k := weights.Dims()
	if k != len(b) || rows == 0 {
		return fmt.Errorf("%w: contrasts are %d x %d, with one weight for each of the %d coefficients %s wanted", ErrShape, rows, k, len(b), format.Quoted(names))
	}
	if len(r) != rows {
		return fmt.Errorf("%w: %d values for %d contrasts", ErrShape, len(r), rows)
	}
	for i, value := range r {
		if math.IsNaN(value) || math.IsInf(value, 0) {
			return fmt.Errorf("%w: the value of contrast %d is %v", ErrNotFinite, i+1, value)
		}
		for j, w := range weights.RawRowView(i) {
			switch {
			case math.IsNaN(w) || math.IsInf(w, 0):
				return fmt.Errorf("%w: the weight of %q in contrast %d is %v", ErrNotFinite, names[j], i+1, w)
			case math.IsNaN(b[j]) && w != 0:
				return fmt.Errorf("%w: %q is aliased, and contrast %d gives it weight %v", ErrNotEstimable, names[j], i+1, w)
			}
		}
	}
	return nil
}

// vcovRoot returns a G with VCov = G G', zero in the rows of aliased
// coefficients. Least squares has one at hand, which neither overflows nor
// underflows where VCov does.
func vcovRoot(f Wald) (*mat.Dense, error) {
	if o, ok := f.(interface{ vcovRoot() *mat.Dense }); ok {
		return o.vcovRoot(), nil
	}
	v, se := f.VCov(), gram.WithoutNaN(stdErr(f))
	k := len(se)
	cor := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			if se[i] > 0 && se[j] > 0 {
				cor.SetSym(i, j, v.At(i, j)/se[i]/se[j])
			}
		}
	}
	root, err := symmetricRoot(cor)
	if err != nil {
		return nil, err
	}
	for i := range k {
		floats.Scale(se[i], root.RawRowView(i))
	}
	return root, nil
}

// symmetricRoot returns a G with G G' = M for a positive semidefinite M.
func symmetricRoot(m *mat.SymDense) (*mat.Dense, error) {
	values, root, err := algebra.Eigenvectors(m, 0)
	if err != nil {
		return nil, fmt.Errorf("%w: the covariance matrix", ErrNotFinite)
	}
	root.Apply(func(_, j int, v float64) float64 { return v * math.Sqrt(math.Max(values[j], 0)) }, root)
	return root, nil
}

// quadraticForm returns e'(G G')^-1 e.
func quadraticForm(e []float64, root *mat.Dense) (float64, error) {
	q := len(e)
	// In units of the standard errors, so that a singular matrix is told from a
	// badly scaled one.
	unit, z := mat.DenseCopyOf(root), make([]float64, q)
	for i := range q {
		row := unit.RawRowView(i)
		se := floats.Norm(row, 2)
		if !(se > 0) {
			return 0, fmt.Errorf("%w: contrast %d has no weight, or no variance", ErrShape, i+1)
		}
		z[i] = e[i] / se
		for j := range row {
			row[j] /= se
		}
	}
	// The form is the squared length of the shortest x with G x = e, and of z with R'z = e, where G' = QR.
	_, rank := unit.Dims()
	r, _ := lsq.Triangularize(mat.DenseCopyOf(unit.T()), make([]float64, rank))
	if rank < q || !(lsq.TriangularCondition(lsq.Upper(r)) < 1e12) {
		return 0, fmt.Errorf("%w: the %d contrasts are not independent of each other; leave out those that follow from the others", ErrShape, q)
	}
	blas64.Trsv(blas.Trans, lsq.Upper(r), gram.Vector(z))
	return gram.Dot(z, z), nil
}

// checkEstimable refuses contrasts of a minimum-norm solution: the data leave
// some combinations of its coefficients open, and do not say which.
func (f *OLS) checkEstimable() error {
	if f.s.Rank == f.columns() || len(f.Aliased()) > 0 {
		return nil
	}
	return fmt.Errorf("%w: the fit is the minimum-norm one of a design of rank %d with %d columns; "+
		"fit with DropAliased to see which terms the data determine", ErrNotEstimable, f.s.Rank, f.columns())
}

// hypothesis spells l'b = value.
func hypothesis(names []string, l []float64, value float64) string {
	return cmp.Or(combination(names, l, 6), "0") + " = " + strconv.FormatFloat(value, 'g', 6, 64)
}
