package mlreg

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/dist"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/algebra"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/internal/lsq"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Gaussian is a multivariate normal distribution N(mean, cov) in k dimensions,
// with density
//
//	(2 pi)^(-k/2) |cov|^(-1/2) exp(-(x - mean)' cov^-1 (x - mean)/2).
//
// It stores its mean and the upper triangular T with cov = T'T. All methods work on
// T by orthogonal transformations: no covariance is inverted or subtracted from
// another (Golub and Van Loan, 4th ed., section 5.2). It does not change, and
// survives encoding/gob.
type Gaussian struct {
	stored[Gaussian, gaussianState]
}

type gaussianState struct {
	Mean []float64 // k
	T    []float64 // k x k, row-major, upper triangular with a positive diagonal
}

func (s *gaussianState) restored() error {
	if k := len(s.Mean); k == 0 || len(s.T) != k*k {
		return fmt.Errorf("%w: a mean of length %d and a root of %d values", ErrShape, k, len(s.T))
	}
	return nil
}

// NewGaussian returns N(mean, cov). The error is ErrShape if the sizes differ
// or are 0, ErrNotFinite, or ErrNotPositiveDefinite naming the pivot.
func NewGaussian(mean []float64, cov mat.Symmetric) (*Gaussian, error) {
	if args.Given("the covariance", cov) != nil || len(mean) == 0 || cov.SymmetricDim() != len(mean) {
		return nil, fmt.Errorf("%w: a mean of length %d and a covariance of order %d", ErrShape, len(mean), order(cov))
	}
	if err := args.Finite("the mean", mean); err != nil {
		return nil, err
	}
	t, err := positiveFactor("the covariance", cov)
	if err != nil {
		return nil, err
	}
	return &Gaussian{store[Gaussian](gaussianState{slices.Clone(mean), t.RawMatrix().Data})}, nil
}

// order is the order of v, 0 if it is nil.
func order(v mat.Symmetric) int {
	if args.Given("the matrix", v) != nil {
		return 0
	}
	return v.SymmetricDim()
}

// positiveFactor returns the upper triangular R with v = R'R. The error names
// the pivot at which v, called what, fails to be positive definite.
func positiveFactor(what string, v mat.Symmetric) (*mat.Dense, error) {
	k := v.SymmetricDim()
	if k == 0 {
		return nil, fmt.Errorf("%w: %s is of order 0", ErrShape, what)
	}
	sym := mat.NewSymDense(k, nil)
	sym.CopySym(v)
	for i := range k {
		for j := i; j < k; j++ {
			if x := sym.At(i, j); math.IsNaN(x) || math.IsInf(x, 0) {
				return nil, fmt.Errorf("%w: element (%d, %d) of %s is %v", ErrNotFinite, i+1, j+1, what, x)
			}
		}
	}
	keep, r := lsq.Cholesky(sym, math.Sqrt(4*float64(k)*0x1p-52), 0) // what rounding leaves of a zero pivot
	if len(keep) == k {
		return r, nil
	}
	pivot := 0
	for pivot < len(keep) && keep[pivot] == pivot {
		pivot++
	}
	return nil, fmt.Errorf("%w: %s fails at pivot %d of %d (diagonal element %g): given the elements before it, "+
		"element %d has no positive variance", ErrNotPositiveDefinite, what, pivot+1, k, sym.At(pivot, pivot), pivot+1)
}

// gaussianFromRows returns N(mean, rows'rows) for rows of full column rank.
func gaussianFromRows(mean []float64, rows *mat.Dense) *Gaussian {
	_, k := rows.Dims()
	r, _ := triangularize(rows, nil)
	for i := range k {
		if r.At(i, i) < 0 {
			blas64.Scal(-1, blas64.Vector{N: k, Inc: 1, Data: r.RawRowView(i)})
		}
	}
	return &Gaussian{store[Gaussian](gaussianState{mean, r.RawMatrix().Data})}
}

// triangularize returns R and the head of Q'y of the Householder QR
// factorization of rows; a nil y is zero.
func triangularize(rows *mat.Dense, y []float64) (r *mat.Dense, qty []float64) {
	if y == nil {
		n, _ := rows.Dims()
		y = make([]float64, n)
	}
	return lsq.Triangularize(rows, y)
}

// factor views T.
func (g *Gaussian) factor() *mat.Dense { return mat.NewDense(g.Dim(), g.Dim(), g.s.T) }

// Dim returns k.
func (g *Gaussian) Dim() int { return len(g.s.Mean) }

// Mean returns the mean (k).
func (g *Gaussian) Mean() []float64 { return slices.Clone(g.s.Mean) }

// Cov returns the covariance (k x k).
func (g *Gaussian) Cov() *mat.SymDense {
	return algebra.AsSymmetric(algebra.Inner(g.factor().RawMatrix()))
}

// StdDev returns the k standard deviations.
func (g *Gaussian) StdDev() []float64 {
	sd := make([]float64, g.Dim())
	for j := range sd {
		sd[j] = blas64.Nrm2(gram.Column(g.factor(), j))
	}
	return sd
}

// LogProb returns the natural logarithm of the density at x, NaN if x has not
// length Dim.
func (g *Gaussian) LogProb(x []float64) float64 {
	k := g.Dim()
	if len(x) != k {
		return math.NaN()
	}
	z := make([]float64, k)
	for i := range z {
		z[i] = x[i] - g.s.Mean[i]
	}
	t := lsq.Upper(g.factor())
	v := blas64.Vector{N: k, Inc: 1, Data: z}
	blas64.Trsv(blas.Trans, t, v)
	log := -float64(k)/2*math.Log(2*math.Pi) - blas64.Dot(v, v)/2
	for i := range k {
		log -= math.Log(g.s.T[i*k+i])
	}
	return log
}

// Sample returns count draws, one per row: count x k. A count below 1 and a nil src
// are errors.
func (g *Gaussian) Sample(count int, src rand.Source) (*mat.Dense, error) {
	k := g.Dim()
	if err := checkSample(count, k, src); err != nil {
		return nil, err
	}
	draws := standardNormal(count, k, rand.New(src))
	raw := draws.RawMatrix()
	blas64.Trmm(blas.Right, blas.NoTrans, 1, lsq.Upper(g.factor()), raw)
	for i := range count {
		blas64.Implementation().Daxpy(k, 1, g.s.Mean, 1, draws.RawRowView(i), 1)
	}
	return draws, nil
}

// checkSample refuses draws of so many numbers each.
func checkSample(count, numbers int, src rand.Source) error {
	switch {
	case count < 1:
		return fmt.Errorf("%w: %d draws; take 1 or more", ErrSetting, count)
	case src == nil:
		return fmt.Errorf("%w: no source of randomness; rand.NewPCG(1, 2) is one", ErrSetting)
	}
	return args.Size(fmt.Sprintf("a sample of %d draws", count), float64(count)*float64(max(1, numbers)), "take fewer")
}

// standardNormal fills rows x cols numbers, row by row.
func standardNormal(rows, cols int, rnd *rand.Rand) *mat.Dense {
	z := algebra.NewDense(rows, cols)
	for i := range rows {
		row := z.RawRowView(i)
		for j := range row {
			row[j] = rnd.NormFloat64()
		}
	}
	return z
}

// Marginal returns the distribution of the elements idx, counted from 0, in
// that order. An element that does not exist or is repeated is an error.
func (g *Gaussian) Marginal(idx ...int) (*Gaussian, error) {
	if err := g.checkIndices(idx); err != nil {
		return nil, err
	}
	mean := make([]float64, len(idx))
	for c, j := range idx {
		mean[c] = g.s.Mean[j]
	}
	return gaussianFromRows(mean, g.columns(idx)), nil
}

// columns returns the given columns of T.
func (g *Gaussian) columns(idx []int) *mat.Dense {
	sub := mat.NewDense(g.Dim(), len(idx), nil)
	for c, j := range idx {
		for i := range j + 1 {
			sub.Set(i, c, g.s.T[i*g.Dim()+j])
		}
	}
	return sub
}

func (g *Gaussian) checkIndices(idx []int) error {
	if len(idx) == 0 {
		return fmt.Errorf("%w: no element is named", ErrShape)
	}
	for c, j := range idx {
		if j < 0 || j >= g.Dim() {
			return fmt.Errorf("%w: element %d of a Gaussian in %d dimensions, counted from 0", ErrShape, j, g.Dim())
		}
		if slices.Contains(idx[:c], j) {
			return fmt.Errorf("%w: element %d is named twice", ErrShape, j)
		}
	}
	return nil
}

// Condition returns the distribution of the other elements, in their order,
// given that the elements idx have the values:
//
//	mean = m_a + S_ab S_bb^-1 (values - m_b),   cov = S_aa - S_ab S_bb^-1 S_ba,
//
// with b the elements idx and a the others (Bishop, Pattern Recognition and
// Machine Learning, eqs. 2.81 and 2.82), from the triangular factor of the
// reordered covariance, without the subtraction. It is an error if an element does
// not exist, if no element is left, or if elements and values differ in number.
func (g *Gaussian) Condition(idx []int, values []float64) (*Gaussian, error) {
	if err := g.checkIndices(idx); err != nil {
		return nil, err
	}
	k, b := g.Dim(), len(idx)
	if len(values) != b || b == k {
		return nil, fmt.Errorf("%w: %d values for %d of %d elements; at least one stays free", ErrShape, len(values), b, k)
	}
	if err := args.Finite("the values", values); err != nil {
		return nil, err
	}
	ordered := slices.Clone(idx)
	for j := range k {
		if !slices.Contains(idx, j) {
			ordered = append(ordered, j)
		}
	}
	r, _ := triangularize(g.columns(ordered), nil)
	z := make([]float64, b)
	for c, j := range idx {
		z[c] = values[c] - g.s.Mean[j]
	}
	corner := lsq.Upper(r)
	corner.N = b
	blas64.Trsv(blas.Trans, corner, blas64.Vector{N: b, Inc: 1, Data: z})
	mean := make([]float64, k-b)
	for c, j := range ordered[b:] {
		mean[c] = g.s.Mean[j]
		for i, v := range z {
			mean[c] += r.At(i, b+c) * v
		}
	}
	return gaussianFromRows(mean, mat.DenseCopyOf(r.Slice(b, k, b, k))), nil
}

// CredibleInterval returns, for every element, the central interval with
// probability level, 0 < level < 1 (ErrSetting): mean +- z stddev, where z is the
// normal quantile at (1+level)/2. The elements have no names.
func (g *Gaussian) CredibleInterval(level float64) (report.Rows[Interval], error) {
	if err := fault.Level(level); err != nil {
		return nil, err
	}
	return intervals(make([]string, g.Dim()), g.s.Mean, g.StdDev(), math.Inf(1), level), nil
}

// intervals returns center -+ q scale, with the quantile q of Student's t.
func intervals(names []string, center, scale []float64, dof, level float64) report.Rows[Interval] {
	q := dist.TUpper((1-level)/2, dof)
	out := make(report.Rows[Interval], len(center))
	for j, c := range center {
		out[j] = Interval{names[j], c - q*scale[j], c + q*scale[j], level}
	}
	return out
}

// limits returns center -+ q scale.
func limits(center, scale []float64, q float64) (lower, upper []float64) {
	lower, upper = make([]float64, len(center)), make([]float64, len(center))
	for i, c := range center {
		lower[i], upper[i] = c-q*scale[i], c+q*scale[i]
	}
	return lower, upper
}

// Ellipse returns points on the ellipse of equal density that contains probability
// mass of a two-dimensional Gaussian. The points are in order, and the last equals
// the first. With r^2 = -2 log(1 - mass), the quantile of
// chi-squared with 2 degrees of freedom, the points are
//
//	mean + r T'(cos t, sin t)'.
//
// r = 1, the ellipse of one standard deviation, has mass 0.3935. A
// Gaussian in another number of dimensions is an error.
func (g *Gaussian) Ellipse(mass float64, points int) (x, y []float64, err error) {
	switch {
	case g.Dim() != 2:
		return nil, nil, fmt.Errorf("%w: an ellipse of a Gaussian in %d dimensions; take the Marginal of two", ErrShape, g.Dim())
	case !(mass > 0 && mass < 1) || points < 4:
		return nil, nil, fmt.Errorf("%w: mass = %v with %d points; mass lies between 0 and 1, and 4 points are the least",
			ErrSetting, mass, points)
	}
	r := math.Sqrt(-2 * math.Log1p(-mass))
	x, y = make([]float64, points), make([]float64, points)
	for i := range points {
		sin, cos := math.Sincos(2 * math.Pi * float64(i%(points-1)) / float64(points-1))
		x[i] = g.s.Mean[0] + r*g.s.T[0]*cos
		y[i] = g.s.Mean[1] + r*(g.s.T[1]*cos+g.s.T[3]*sin)
	}
	return x, y, nil
}

// wholeCov is how many dimensions a distribution has whose covariances are shown.
const wholeCov = 8

// Describe returns means and standard deviations as a table, and the covariances of up
// to eight dimensions.
func (g *Gaussian) Describe() *report.Table {
	k := g.Dim()
	name := func(i int) string { return fmt.Sprintf("x%d", i+1) }
	t := tables.Rows("Gaussian distribution",
		tables.Text("coordinate", gram.NumbersTo(k), name),
		report.NumberColumn("mean", g.Mean(), 0),
		report.NumberColumn(format.StdDev, g.StdDev(), 0))
	if cov := g.Cov(); k > 1 && k <= wholeCov {
		for j := range k {
			t.Columns = append(t.Columns, tables.Number("cov. "+name(j), gram.NumbersTo(k), 0, func(i int) float64 { return cov.At(i, j) }))
		}
	}
	return t
}

// String writes the distribution as text.
func (g *Gaussian) String() string { return g.Describe().String() }
