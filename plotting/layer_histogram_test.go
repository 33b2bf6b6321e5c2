package plotting

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
)

// Every value is in one bin, and a density has area 1.
func TestHistogramBins(t *testing.T) {
	x, y := lineData(60)
	for _, values := range [][]float64{x, y, {3}, {3, 3, 3}, {0, 1, 1, 1, 1, 1, 1, 50}} {
		for _, k := range []int{0, 1, 7} {
			for _, density := range []bool{false, true} {
				bins := Histogram{X: values, Bins: k, Density: density}.bins()
				if k > 0 && len(bins) != k {
					t.Errorf("%d bins, want %d", len(bins), k)
				}
				total, want := 0.0, float64(len(values))
				for _, b := range bins {
					if density {
						total, want = total+b.Weight*(b.Max-b.Min), 1
					} else {
						total += b.Weight
					}
				}
				if math.Abs(total-want) > 1e-12 {
					t.Errorf("density %v, %d bins: total %v, want %v", density, len(bins), total, want)
				}
			}
		}
	}
	bins := Histogram{X: []float64{0, 1, 2, 3, 3.9, 4}, Bins: 4}.bins()
	for i, want := range []float64{1, 1, 1, 3} {
		if bins[i].Weight != want {
			t.Errorf("bin %d has %v, want %v", i, bins[i].Weight, want)
		}
	}
	// Range 99 over 2 * 49 / cbrt(100) is 4.69.
	if n := len(Histogram{X: Range(1, 100, 100)}.bins()); n != 5 {
		t.Errorf("%d bins of 1 ... 100, want 5", n)
	}
}

// Bins of a width begin at its multiples, whatever the values.
func TestHistogramWidth(t *testing.T) {
	for _, c := range []struct {
		x       []float64
		density bool
		low     float64
		want    []float64
	}{
		{[]float64{-0.6, -0.5, 0.2, 1.4}, false, -1, []float64{1, 1, 1, 0, 1}},
		{[]float64{0.7}, false, 0.5, []float64{1}},
		{[]float64{0.1, 0.2, 0.6, 0.7}, true, 0, []float64{1, 1}},
	} {
		bins := Histogram{X: c.x, Width: 0.5, Density: c.density}.bins()
		if len(bins) != len(c.want) {
			t.Errorf("%v: %v", c.x, bins)
			continue
		}
		for i, b := range bins {
			if b.Min != c.low+0.5*float64(i) || b.Max != b.Min+0.5 || b.Weight != c.want[i] {
				t.Errorf("%v: bin %d is %+v, want %v", c.x, i, b, c.want[i])
			}
		}
	}
}

func TestHistogramErrors(t *testing.T) {
	for name, c := range map[string]struct {
		layer Layer
		is    error
	}{
		"no values": {Histogram{}, mlreg.ErrNoData},
		"NaN":       {Histogram{X: []float64{1, math.NaN()}}, mlreg.ErrNotFinite},
		"bins":      {Histogram{X: []float64{1}, Bins: -1}, mlreg.ErrSetting},
		"width":     {Histogram{X: []float64{1}, Width: -1}, mlreg.ErrSetting},
		"both":      {Histogram{X: []float64{1}, Width: 1, Bins: 2}, mlreg.ErrSetting},
		"NaN width": {Histogram{X: []float64{1}, Width: math.NaN()}, mlreg.ErrSetting},
		"many bins": {Histogram{X: []float64{0, 1}, Width: 1e-9}, mlreg.ErrSetting},
		"far bins":  {Histogram{X: []float64{1e300, 1.1e300}, Width: 1e296}, nil},
		"far away":  {Histogram{X: []float64{1e16, 1e16}, Width: 1e-3}, mlreg.ErrSetting},
	} {
		if _, err := Draw(Labels{}, c.layer); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}

func TestIntervalsErrors(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for name, c := range map[string]struct {
		limits []mlreg.Interval
		truth  float64
		is     error
	}{
		"none":           {nil, 0, mlreg.ErrNoData},
		"NaN":            {[]mlreg.Interval{{Lower: nan, Upper: 1}}, 0, mlreg.ErrSetting},
		"crossed":        {[]mlreg.Interval{{Lower: 2, Upper: 1}}, 0, mlreg.ErrSetting},
		"truth":          {[]mlreg.Interval{{Lower: 0, Upper: 1}}, nan, mlreg.ErrNotFinite},
		"nothing finite": {[]mlreg.Interval{{Lower: -inf, Upper: inf}}, 0, mlreg.ErrNotFinite},
	} {
		if _, err := Intervals(Labels{}, c.limits, c.truth); !errors.Is(err, c.is) {
			t.Errorf("%s: %v, want %v", name, err, c.is)
		}
	}
}

func TestGoldenIntervals(t *testing.T) {
	_, y := lineData(60)
	histogram := get(Draw(Labels{Title: "Histogram", X: "y", Y: "density"}, Histogram{X: y, Density: true, Name: "60 values"},
		Curve{F: func(x float64) float64 { return math.Exp(-(x-6)*(x-6)/18) / math.Sqrt(18*math.Pi) }, From: -2, To: 14, Name: "normal"}))(t)
	var limits []mlreg.Interval
	for i := range 40 {
		lower := float64(i*i%17)/5 - 2.8
		limits = append(limits, mlreg.Interval{Lower: lower, Upper: lower + 2.6})
	}
	limits[3].Lower = math.Inf(-1)
	intervals := get(Intervals(Labels{Title: "Intervals", X: "study", Y: "limits"}, limits, 0))(t)
	checkImage(t, "intervals", &Figure{Panels: [][]*plot.Plot{{histogram, intervals}}})
}
