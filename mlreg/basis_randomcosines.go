package mlreg

import (
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/report"
)

func init() { gob.Register(&RandomCosines{}) }

// RandomCosines is the basis of K cosines of random inner products,
//
//	g_k(x) = cos(w_k'x + b_k),
//
// a dictionary for FitGreedy. If w_k is normal with mean 0 and covariance
// I/s^2 and b_k uniform between 0 and 2 pi, the mean of g_k(x) g_k(z) over k tends
// to half the Gaussian kernel exp(-|x-z|^2/(2 s^2)) (Rahimi and Recht, Random
// features for large-scale kernel machines, NIPS 2007, theorem 1 and algorithm 1).
type RandomCosines struct {
	W     *mat.Dense // K x d
	Phase []float64  // K
}

// NewRandomCosines draws k functions of d inputs that vary over a distance of
// about width; inputs should be of comparable size. The error matches ErrSetting
// if k or d is below 1, the width is not positive and finite or the source is nil, and
// ErrTooLarge if k d is above 2^28.
func NewRandomCosines(d, k int, width float64, src rand.Source) (*RandomCosines, error) {
	if d < 1 || k < 1 || !(width > 0) || math.IsInf(width, 0) {
		return nil, fmt.Errorf("%w: %d random cosines of %d inputs, of width %v; all are positive", ErrSetting, k, d, width)
	}
	if err := args.Source(src); err != nil {
		return nil, err
	}
	if err := args.Size(fmt.Sprintf("%d random cosines of %d inputs", k, d), float64(k)*float64(d), "take fewer"); err != nil {
		return nil, err
	}
	rnd := rand.New(src)
	r := &RandomCosines{W: mat.NewDense(k, d, nil), Phase: make([]float64, k)}
	for i := range k {
		w := r.W.RawRowView(i)
		for j := range w {
			w[j] = rnd.NormFloat64() / width
		}
		r.Phase[i] = 2 * math.Pi * rnd.Float64()
	}
	return r, nil
}

// Inputs returns d.
func (r *RandomCosines) Inputs() int { return r.W.RawMatrix().Cols }

// Names returns cos(x)1 ... cos(x)K, or cos(x1, x2)1 ... for several inputs.
func (r *RandomCosines) Names(inputs ...string) []string {
	return numbered(callText("cos", inputs), len(r.Phase))
}

// Eval returns g_1(x) ... g_K(x).
func (r *RandomCosines) Eval(dst []float64, x ...float64) []float64 {
	dst = evalSpace(dst, len(r.Phase), x, r.Inputs())
	for i, phase := range r.Phase {
		for j, w := range r.W.RawRowView(i) {
			phase += w * x[j]
		}
		dst[i] = math.Cos(phase)
	}
	return dst
}

// Describe returns the functions of the basis as a table.
func (r *RandomCosines) Describe() *report.Table { return describeBasis(r, "Random cosines") }

// String writes the functions of the basis as text.
func (r *RandomCosines) String() string { return r.Describe().String() }
