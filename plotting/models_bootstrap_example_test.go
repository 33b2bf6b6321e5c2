package plotting_test

import (
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/plotting"
)

// The bootstrap of a maximum, drawn: half of its resamples and more repeat it.
func ExampleBootstrapPlot() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ 1"))
	boot := must.M1(assess.Bootstrap(d, assess.MaxStatistic, rand.NewPCG(1, 2), &assess.BootstrapSettings{Names: []string{"maximum"}}))
	plotting.Show(plotting.BootstrapPlot(boot, "maximum", nil))
	// Output:
	// Figure: distribution of maximum over 2000 resamples, with limits at 95%
}
