package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Histogram is the counts of values in bins of one width, drawn as bars. With
// Density the bars have total area 1, as the density of a distribution has.
// Values must be finite.
type Histogram struct {
	X []float64
	// Bins is the number of bins between the smallest and the largest value. The
	// default, 0, is range / (2 IQR n^(-1/3)) rounded up (Freedman and Diaconis
	// 1981, Zeitschrift fuer Wahrscheinlichkeitstheorie 57, 453-476), 1 to 100;
	// it is 1 if the interquartile range IQR is 0. There is one bin if float64
	// has no numbers between those of so many.
	Bins int
	// Width, if it is not 0, is the width of the bins, which then begin at multiples of
	// it: those of two histograms of one Width are the same, so that the two can be
	// compared.
	Width   float64
	Density bool
	Name    string
	Color   color.Color
}

func (l Histogram) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("histogram", l.Name)
	if err := check.Drawable(what, check.Series{Name: "x", Values: l.X}); err != nil {
		return err
	}
	if l.Bins < 0 || l.Bins > mostBins {
		return fmt.Errorf("plotting: %s: %w: Bins = %d; at most %d", what, mlreg.ErrSetting, l.Bins, mostBins)
	}
	if l.Width != 0 {
		if err := l.checkWidth(what); err != nil {
			return err
		}
	}
	c := auto.orNext(l.Color)
	h := &plotter.Histogram{
		Bins: l.bins(), FillColor: Fade(c, 0.45),
		LineStyle: draw.LineStyle{Color: color.White, Width: vg.Points(0.7)},
	}
	h.Width = h.Bins[0].Max - h.Bins[0].Min
	p.Add(h)
	legendEntry(p, l.Name, h)
	return nil
}

// mostBins is how many bins are drawn at most.
const mostBins = 10_000

// checkWidth refuses a width that cannot be drawn, or beside a number of bins.
func (l Histogram) checkWidth(what string) error {
	low, high := slices.Min(l.X)/l.Width, slices.Max(l.X)/l.Width
	switch {
	case !(l.Width > 0) || math.IsInf(l.Width, 0):
		return fmt.Errorf("plotting: %s: %w: Width = %v", what, mlreg.ErrSetting, l.Width)
	case l.Bins > 0:
		return fmt.Errorf("plotting: %s: %w: Bins = %d and Width = %v; give one of them", what, mlreg.ErrSetting, l.Bins, l.Width)
	case !(high-low < mostBins) || math.Max(-low, high) > 1<<50:
		return fmt.Errorf("plotting: %s: %w: Width = %v makes too many bins, or bins that float64 does not tell apart, of values from %v to %v",
			what, mlreg.ErrSetting, l.Width, slices.Min(l.X), slices.Max(l.X))
	}
	return nil
}

func (l Histogram) bins() []plotter.HistogramBin {
	if l.Width > 0 {
		return l.binsOfWidth()
	}
	sorted := slices.Sorted(slices.Values(l.X))
	n := len(sorted)
	low, high := sorted[0], sorted[n-1]
	k := l.Bins
	if k == 0 {
		iqr := sorted[3*(n-1)/4] - sorted[(n-1)/4]
		k = 1
		if iqr > 0 && check.IsFinite(high-low) {
			k = int(math.Ceil(math.Min(100, math.Max(1, (high-low)/(2*iqr/math.Cbrt(float64(n)))))))
		}
	}
	if low == high {
		half := math.Max(0.5, 1e-9*math.Abs(low))
		low, high = low-half, high+half
	}
	width := (high - low) / float64(k)
	if !(low+width > low && high-width < high) || math.IsInf(width, 0) {
		k, width = 1, high-low // bins that float64 does not tell apart
	}
	weight := 1.0
	if l.Density {
		weight = 1 / (float64(n) * width)
	}
	bins := make([]plotter.HistogramBin, k)
	for i := range bins {
		bins[i].Min, bins[i].Max = low+float64(i)*width, low+float64(i+1)*width
	}
	bins[k-1].Max = high
	for _, x := range l.X {
		bins[binOf(bins, x)].Weight += weight
	}
	return bins
}

// binsOfWidth returns the bins that begin at multiples of Width.
func (l Histogram) binsOfWidth() []plotter.HistogramBin {
	first := math.Floor(slices.Min(l.X) / l.Width)
	bins := make([]plotter.HistogramBin, 1+int(math.Floor(slices.Max(l.X)/l.Width)-first))
	for i := range bins {
		bins[i].Min, bins[i].Max = (first+float64(i))*l.Width, (first+float64(i+1))*l.Width
	}
	weight := 1.0
	if l.Density {
		weight = 1 / (float64(len(l.X)) * l.Width)
	}
	for _, x := range l.X {
		bins[int(math.Floor(x/l.Width)-first)].Weight += weight
	}
	return bins
}

// binOf returns the number of the bin of a value; a bin begins at its lower end.
func binOf(bins []plotter.HistogramBin, x float64) int {
	if len(bins) == 1 {
		return 0
	}
	low, high := bins[0].Min, bins[len(bins)-1].Max
	return min(int((x-low)/((high-low)/float64(len(bins)))), len(bins)-1)
}
