package assess

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/fault"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// EDF is an empirical distribution function, F_n(x) = (number of values <= x)/n.
type EDF struct {
	Sorted []float64
}

// NewEDF returns the distribution function of values. Errors: mlreg.ErrNoData if there are
// none, mlreg.ErrNotFinite for a NaN or an infinity.
func NewEDF(x []float64) (*EDF, error) {
	if len(x) == 0 {
		return nil, fmt.Errorf("%w: a distribution function of no values", mlreg.ErrNoData)
	}
	if err := args.Finite("x", x); err != nil {
		return nil, err
	}
	return &EDF{slices.Sorted(slices.Values(x))}, nil
}

// At returns F_n(x).
func (f *EDF) At(x float64) float64 {
	n := sort.Search(len(f.Sorted), func(i int) bool { return f.Sorted[i] > x })
	return float64(n) / float64(len(f.Sorted))
}

// Distance returns sup_x |F_n(x) - F(x)| from a continuous distribution function,
//
//	max_i max(i/n - F(x_(i)), F(x_(i)) - (i-1)/n),
//
// Kolmogorov's statistic. It goes to zero with probability 1 as n grows (Glivenko and
// Cantelli), which is why resampling rows can stand for sampling new ones. It is NaN for a
// nil function.
func (f *EDF) Distance(cdf func(x float64) float64) float64 {
	if cdf == nil {
		return math.NaN()
	}
	var most float64
	n := float64(len(f.Sorted))
	for i, x := range f.Sorted {
		p := cdf(x)
		most = math.Max(most, math.Max(float64(i+1)/n-p, p-float64(i)/n))
	}
	return most
}

// Band returns half the width of a band about F_n that holds the whole of F with the
// probability level at least, whatever F and n are,
//
//	sqrt(log(2/(1-level))/(2n))
//
// (Dvoretzky, Kiefer and Wolfowitz, with the constant of Massart, The Annals of Probability
// 18 (1990), 1269-1283). The error is mlreg.ErrSetting for a level that is not between 0 and 1.
func (f *EDF) Band(level float64) (float64, error) {
	if err := fault.Level(level); err != nil {
		return 0, err
	}
	return math.Sqrt(math.Log(2/(1-level)) / (2 * float64(len(f.Sorted)))), nil
}

// Describe returns quantiles of the values as a table.
func (f *EDF) Describe() *report.Table {
	p := []float64{0, 0.25, 0.5, 0.75, 1}
	t := tables.Rows("Empirical distribution function", report.NumberColumn("F", p, 3),
		report.NumberColumn("quantile", format.Each(p, func(p float64) float64 { return mlreg.SampleQuantile(f.Sorted, p) }), 0))
	t.Notes = []string{fmt.Sprintf("%d values", len(f.Sorted))}
	return t
}

// String writes quantiles of the values as text.
func (f *EDF) String() string { return f.Describe().String() }
