package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot/plotter"

	"github.com/regbook/regbook/mlreg"
)

// variable is a named list of numbers of a layer, for messages.
type variable struct {
	name   string
	values []float64
}

// checkLengths reports if the series have not all as many values as the first,
// or none. What is the layer, for the message: `points "train"`.
func checkLengths(what string, all ...variable) error {
	n := len(all[0].values)
	for _, s := range all {
		if len(s.values) != n {
			return fmt.Errorf("plotting: %s: %w: %d values of %s for %d of %s",
				what, mlreg.ErrShape, len(s.values), s.name, n, all[0].name)
		}
	}
	if n == 0 {
		return fmt.Errorf("plotting: %s: %w", what, mlreg.ErrNoData)
	}
	return nil
}

// checkFinite reports values that are NaN or infinite: how many, and the first.
func checkFinite(what string, all ...variable) error {
	for _, s := range all {
		bad, first := 0, -1
		for i, v := range s.values {
			if !finite(v) {
				bad++
				if first < 0 {
					first = i
				}
			}
		}
		if bad > 0 {
			return fmt.Errorf("plotting: %s: %w: %d of %d values of %s; the first is %v in row %d; leave these rows out",
				what, mlreg.ErrNotFinite, bad, len(s.values), s.name, s.values[first], first+1)
		}
	}
	return nil
}

// nothing is the error of what has nothing to show: `posterior table`, "the fit is
// nil".
func nothing(what, why string) error {
	return fmt.Errorf("plotting: %s: %w: %s", what, mlreg.ErrNoData, why)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// runs returns the half-open intervals [from, to) of rows in which every series
// is finite: what is drawn without a gap. The error says if there are none.
func runs(what string, all ...variable) ([][2]int, error) {
	n := len(all[0].values)
	var spans [][2]int
	start := -1
	for i := 0; i <= n; i++ {
		ok := i < n
		for k := 0; ok && k < len(all); k++ {
			ok = finite(all[k].values[i])
		}
		switch {
		case ok && start < 0:
			start = i
		case !ok && start >= 0:
			spans = append(spans, [2]int{start, i})
			start = -1
		}
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("plotting: %s: %w: none of the %d rows is finite", what, mlreg.ErrNotFinite, n)
	}
	return spans, nil
}

// points pairs x and y.
func points(x, y []float64) plotter.XYs {
	xys := make(plotter.XYs, len(x))
	for i := range x {
		xys[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	return xys
}
