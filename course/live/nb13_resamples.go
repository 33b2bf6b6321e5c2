package live

import (
	"fmt"
	"sync"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Resamples) }

// Resamples is the bootstrap of a correlation, of lcavol and lpsa over the 97 men of the
// prostate data: the histogram of B resamples with its limits at 95%, and how far these
// are off because B is finite.
func Resamples() *Explorable {
	return &Explorable{
		ID: "13.resamples", Title: "The bootstrap of a correlation", Seed: 13, Random: true,
		Params: []Param{{
			Name: "B", Label: "resamples B", Values: []float64{200, 250, 300, 400, 500, 600, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000},
			Frames: []float64{200, 500, 1000, 2000, 5000}, Default: 1000,
		}},
		draw: drawResamples,
	}
}

var volumeAndPSA = sync.OnceValue(func() *mlreg.Design {
	return try.Get(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
})

// correlation is that of the response and the first column, rows weighted.
func correlation(d *mlreg.Design) ([]float64, error) {
	return []float64{stat.Correlation(mat.Col(nil, 0, d.X), d.Y, d.Weights)}, nil
}

func drawResamples(at Point) *View {
	d := volumeAndPSA()
	b := int(at.Value("B"))
	boot := try.Get(assess.Bootstrap(d, correlation, at.Source(1), &assess.BootstrapSettings{
		B: b, SkipJackknife: true, Names: []string{"correlation"}, Progress: at.Progress,
	}))
	rows := try.Get(boot.Table(assess.Percentile, 0.95))
	row := rows[0]
	p := try.Get(plotting.Draw(plotting.Labels{
		Title: fmt.Sprintf("%d resamples: limits %.3f to %.3f, each ± %.3f", b, row.Lower, row.Upper, row.MonteCarlo),
		X:     "correlation of lcavol and lpsa", Y: "density",
	},
		plotting.Histogram{X: boot.Replicates[0], Width: 0.01, Density: true, Name: "resamples"},
		plotting.VLine{X: row.Estimate, Solid: true, Name: "all men"},
		plotting.VLine{X: row.Lower, Name: "limits at 95%"}, plotting.VLine{X: row.Upper}))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.5, 0.95, 0, 16
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.YOffs = true, true, 8, -4
	return &View{
		Figure: plotting.Sized(p, 6.4, 3.4),
		Numbers: []Number{
			{Name: "standard error", Value: row.StdErr, Digits: 3},
			{Name: "lower limit", Value: row.Lower, Digits: 3},
			{Name: "upper limit", Value: row.Upper, Digits: 3},
			{Name: "Monte Carlo error of the limits", Value: row.MonteCarlo, Digits: 2},
		},
		Sentence: fmt.Sprintf("With %d resamples the correlation of %.3f has limits at 95%% of %.3f and %.3f, each of them uncertain by %.3f because the resamples are finite in number.",
			b, row.Estimate, row.Lower, row.Upper, row.MonteCarlo),
	}
}
