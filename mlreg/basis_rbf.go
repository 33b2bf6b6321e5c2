package mlreg

import (
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/gram"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&RBF{}) }

// RBF is the basis of Gaussian radial basis functions about K prototypes
// c_1 ... c_K of one or several inputs,
//
//	g_k(x) = exp(-|x - c_k|^2 / (2 s^2)),   s = Width.
//
// Each is 1 at its prototype and falls to 0.61 at distance s. As the width goes
// to 0 the columns become indicators of the prototypes, and as it grows they
// become alike, and the design ill-conditioned. (Murphy, Machine Learning: A
// Probabilistic Perspective, section 14.3.)
type RBF struct {
	Centers *mat.Dense // K x d, distinct rows
	Width   float64
}

// NewRBF returns the radial basis functions of the given width about the rows
// of centers (K x d); a row that repeats an earlier one does not count.
// With the training inputs as centers every training row is a prototype. The design
// then has a column for every distinct row, and an intercept: use ridge regression
// or MinimumNorm. QuantilePrototypes and SamplePrototypes choose fewer. The error matches ErrNoData if there is no center, ErrNotFinite if one
// is not finite, and ErrSetting if the width is not positive and finite.
func NewRBF(centers mat.Matrix, width float64) (*RBF, error) {
	if !(width > 0) || math.IsInf(width, 0) {
		return nil, fmt.Errorf("%w: the width of radial basis functions is %v; it is positive", ErrSetting, width)
	}
	distinct, err := DistinctRows(centers)
	if err != nil {
		return nil, err
	}
	return &RBF{distinct, width}, nil
}

// DistinctRows returns the rows of x (n x d) without those that repeat an earlier
// one, in the order of x. The error matches ErrNoData or ErrNotFinite.
func DistinctRows(x mat.Matrix) (*mat.Dense, error) {
	if err := args.Given("the matrix x", x); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if n == 0 || d == 0 {
		return nil, fmt.Errorf("%w: there are no prototypes among %d x %d values", ErrNoData, n, d)
	}
	if err := checkInputs(x, numbered("x", d)); err != nil {
		return nil, err
	}
	all := mat.DenseCopyOf(x)
	order := gram.NumbersTo(n)
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(all.RawRowView(a), all.RawRowView(b)) })
	order = slices.CompactFunc(order, func(a, b int) bool { return slices.Equal(all.RawRowView(a), all.RawRowView(b)) })
	slices.Sort(order)
	return takeRows(all, order), nil
}

// QuantilePrototypes returns k prototypes (k x 1) of one input: the type 7
// quantiles of its distinct values at 0, 1/(k-1) ... 1, so that the smallest and
// the largest are among them; one prototype is the median. Equally spaced
// values give equally spaced prototypes. The error matches ErrSetting if k is
// below 1 or above the number of distinct values.
func QuantilePrototypes(x []float64, k int) (*mat.Dense, error) {
	distinct, err := distinctValues(x)
	if err != nil {
		return nil, err
	}
	if err := checkPrototypes(k, len(distinct)); err != nil {
		return nil, err
	}
	centers := mat.NewDense(k, 1, nil)
	for i := range k {
		p := 0.5
		if k > 1 {
			p = float64(i) / float64(k-1)
		}
		centers.Set(i, 0, SampleQuantile(distinct, p))
	}
	return centers, nil
}

// SamplePrototypes returns k of the distinct rows of x (k x d), drawn without
// replacement, in the order of x. The error matches ErrSetting if k is below 1
// or above the number of distinct rows.
func SamplePrototypes(x mat.Matrix, k int, src rand.Source) (*mat.Dense, error) {
	distinct, err := DistinctRows(x)
	if err != nil {
		return nil, err
	}
	n, _ := distinct.Dims()
	if err := checkPrototypes(k, n); err != nil {
		return nil, err
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	rows := rand.New(src).Perm(n)[:k]
	slices.Sort(rows)
	return takeRows(distinct, rows), nil
}

func checkPrototypes(k, distinct int) error {
	if k < 1 || k > distinct {
		return fmt.Errorf("%w: %d prototypes from %d distinct rows; take 1 to %d", ErrSetting, k, distinct, distinct)
	}
	return nil
}

// PrototypeWidth returns the rule-of-thumb width of radial basis functions about
// the rows of centers (K x d),
//
//	s = dmax / sqrt(2 K),
//
// where dmax is the largest distance between two of them (Haykin, Neural
// Networks, 2nd ed., section 5.13); 0 if all are the same.
func PrototypeWidth(centers mat.Matrix) float64 {
	k, d := centers.Dims()
	var longest float64
	for a := range k {
		for b := range a {
			var distance float64
			for j := range d {
				distance = math.Hypot(distance, centers.At(a, j)-centers.At(b, j))
			}
			longest = max(longest, distance)
		}
	}
	return longest / math.Sqrt(2*float64(k))
}

// Inputs returns d.
func (r *RBF) Inputs() int { return r.Centers.RawMatrix().Cols }

// Names returns rbf(x)1 ... rbf(x)K, or rbf(x1, x2)1 ... for several inputs.
func (r *RBF) Names(inputs ...string) []string {
	return numbered(callText("rbf", inputs), r.Centers.RawMatrix().Rows)
}

// Eval returns g_1(x) ... g_K(x).
func (r *RBF) Eval(dst []float64, x ...float64) []float64 {
	k, d := r.Centers.Dims()
	dst = evalSpace(dst, k, x, d)
	for i := range dst {
		var q float64
		for j, c := range r.Centers.RawRowView(i) {
			z := (x[j] - c) / r.Width
			q += z * z
		}
		dst[i] = math.Exp(-q / 2)
	}
	return dst
}

// Describe returns the functions of the basis as a table.
func (r *RBF) Describe() *report.Table {
	return describeBasis(r, "Radial basis functions", "width "+format.Number(r.Width, format.Digits))
}

// String writes the functions of the basis as text.
func (r *RBF) String() string { return r.Describe().String() }
