package plotting

import (
	"fmt"

	"gonum.org/v1/plot/plotter"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// runs returns the half-open intervals [from, to) of rows in which every series
// is finite: what is drawn without a gap. The error says if there are none.
func runs(what string, all ...check.Series) ([][2]int, error) {
	n := len(all[0].Values)
	var spans [][2]int
	start := -1
	for i := 0; i <= n; i++ {
		ok := i < n
		for k := 0; ok && k < len(all); k++ {
			ok = check.IsFinite(all[k].Values[i])
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
