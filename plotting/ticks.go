package plotting

import (
	"math"
	"strconv"

	"github.com/regbook/regbook/plotting/internal/look"
	"gonum.org/v1/plot"
)

// Ticks places tick marks at 1, 2 or 5 times a power of ten, inside the range
// of the axis. All labels of an axis have the same number of decimals. It is
// the Tick.Marker of the axes of New.
type Ticks struct {
	// Target is the number of marks to come close to; there are two or more, if
	// not Whole. The default, 0, is 5; Show and Figure.Save choose it by the length
	// of the axis.
	Target int
	// Whole marks whole numbers only.
	Whole bool
}

// Ticks implements plot.Ticker.
func (t Ticks) Ticks(min, max float64) []plot.Tick {
	if !(max > min) || math.IsInf(max-min, 0) {
		return []plot.Tick{{Value: min, Label: Number(min, 4)}}
	}
	target := t.Target
	if target <= 0 {
		target = 5
	}
	step, first, last := 0.0, 0.0, 0.0
	for ; last-first < 1 && target < 20; target++ { // one mark is no scale
		step = look.RoundStep(min, max, target)
		if t.Whole {
			step = math.Max(step, 1)
		}
		first, last = math.Ceil(min/step-1e-9), math.Floor(max/step+1e-9)
	}
	decimals := decimalsFor(step)
	largest := math.Max(math.Abs(min), math.Abs(max))
	digits := 1 + int(math.Floor(math.Log10(largest)+1e-9)-math.Floor(math.Log10(step)+1e-9))
	var ticks []plot.Tick
	for k := first; k <= last; k++ {
		v := k * step
		var label string
		switch {
		case v == 0:
			v, label = 0, "0" // and not -0
		case largest >= 1e6 || largest < 1e-4:
			label = Number(v, digits)
		default:
			label = strconv.FormatFloat(v, 'f', decimals, 64)
		}
		ticks = append(ticks, plot.Tick{Value: v, Label: label})
	}
	return ticks
}

// decimalsFor returns the number of decimals in which multiples of a round
// step are written.
func decimalsFor(step float64) int {
	return int(math.Max(0, -math.Floor(math.Log10(step)+1e-9)))
}

// LogTicks marks the powers of ten of a logarithmic axis, with minor marks
// between them, and thins the labels where they are many. They are written 0.01,
// 0.1, 1 if all are between 0.001 and 10000, and 10⁻², 10⁻¹, 10⁰ if not. Set it as
// Tick.Marker of an axis whose Scale is plot.LogScale.
type LogTicks struct{}

// Ticks implements plot.Ticker.
func (LogTicks) Ticks(min, max float64) []plot.Tick {
	if !(min > 0) || !(max > min) {
		return nil
	}
	lo, hi := int(math.Floor(math.Log10(min)+1e-9)), int(math.Ceil(math.Log10(max)-1e-9))
	every := 1 + (hi-lo)/8
	label := look.PowerOfTen
	if min > 1e-4 && max < 1e5 {
		label = func(e int) string { return Number(math.Pow(10, float64(e)), 1) }
	}
	labels := 0
	var ticks []plot.Tick
	for e := lo; e <= hi; e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < min*(1-1e-9) || v > max*(1+1e-9) {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 && e%every == 0 {
				tick.Label = label(e)
				labels++
			}
			ticks = append(ticks, tick)
		}
	}
	if labels < 2 { // less than a decade: label round values instead
		return Ticks{}.Ticks(min, max)
	}
	return ticks
}
