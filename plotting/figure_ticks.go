package plotting

import (
	"math"
	"slices"
	"strconv"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/plotting/internal/check"
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

// An axis has a thousand marks or so at most, whatever Ticks.Target says, and
// minor marks and unlabeled powers of ten over so many decades.
const (
	mostTicks   = 1000
	mostDecades = 30
)

func (t Ticks) free() bool { return t.Target == 0 }

func (t Ticks) aim(target int) plot.Ticker {
	t.Target = target
	return t
}

// Ticks implements plot.Ticker. A range of zero width, or too narrow for round
// numbers in float64, is marked at its ends; a range that is not finite has no
// marks.
func (t Ticks) Ticks(min, max float64) []plot.Tick {
	if min > max {
		min, max = max, min
	}
	target := t.Target
	if target <= 0 {
		target = 5
	}
	if target > mostTicks {
		target = mostTicks
	}
	largest := math.Max(math.Abs(min), math.Abs(max))
	apart := largest - math.Nextafter(largest, 0)                           // two numbers in the range, at most
	least := math.Max(4*math.Max(float64(target), mostTried)*apart, 1e-300) // far below, logarithms of float64 are wrong
	if !check.IsFinite(min) || !check.IsFinite(max) || max-min < least {
		return t.ends(min, max)
	}
	step, first, n := t.marks(min, max, target)
	decimals := decimalsFor(step)
	digits := 1 + int(math.Floor(math.Log10(largest)+1e-9)-math.Floor(math.Log10(step)+1e-9))
	ticks := make([]plot.Tick, n)
	for i := range ticks {
		v := float64(first+i) * step
		var label string
		switch {
		case v == 0:
			v, label = 0, "0" // and not -0
		case largest >= 1e6 || largest < 1e-4:
			label = format.Number(v, digits)
		default:
			label = strconv.FormatFloat(v, 'f', decimals, 64)
		}
		ticks[i] = plot.Tick{Value: v, Label: label}
	}
	return ticks
}

// mostTried is the target up to which marks tries for two marks.
const mostTried = 20

// marks returns a round step, and the first and the number of its multiples in
// [min, max], about target of them.
func (t Ticks) marks(min, max float64, target int) (step float64, first, n int) {
	for ; ; target++ {
		step = look.RoundStep(min, max, target)
		if t.Whole {
			step = math.Max(step, 1)
		}
		first, n = look.Multiples(min, max, step, 1e-9)
		if n >= 2 || target >= mostTried { // one mark is no scale
			return step, first, n
		}
	}
}

// ends marks the ends of a range, if they are finite, with labels that differ.
func (t Ticks) ends(min, max float64) []plot.Tick {
	if !check.IsFinite(min) || !check.IsFinite(max) {
		return nil
	}
	ticks := []plot.Tick{{Value: min, Label: format.Number(min, 4)}}
	if min < max {
		shortest := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
		ticks = []plot.Tick{{Value: min, Label: shortest(min)}, {Value: max, Label: shortest(max)}}
	}
	return slices.DeleteFunc(ticks, func(k plot.Tick) bool { return t.Whole && k.Value != math.Trunc(k.Value) })
}

// namedTicks marks the places of names, at each a value of its number.
func namedTicks(names []string, at func(i int) float64) plot.ConstantTicks {
	ticks := make(plot.ConstantTicks, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: at(i), Label: name}
	}
	return ticks
}

// fromOne is where the i-th of things counted from 0 stands on an axis that counts from 1.
func fromOne(i int) float64 { return float64(i + 1) }

// quarters marks an axis of probabilities.
var quarters = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: .25, Label: "0.25"}, {Value: .5, Label: "0.5"}, {Value: .75, Label: "0.75"}, {Value: 1, Label: "1"}}

// decimalsFor returns the number of decimals in which multiples of a round
// step are written.
func decimalsFor(step float64) int {
	return int(math.Max(0, -math.Floor(math.Log10(step)+1e-9)))
}

// LogTicks marks the powers of ten of a logarithmic axis, with minor marks between
// them, and omits labels where there are many. They are written 0.01, 0.1, 1 if
// all are between 0.001 and 10000, and 10⁻², 10⁻¹, 10⁰ if not. A range of a decade or
// more that holds one power of ten only has labels at two and five times a power, too:
// 0.2, 0.5, 1, 2, 5. Set it as Tick.Marker of an axis whose Scale is plot.LogScale.
type LogTicks struct{}

// Ticks implements plot.Ticker. A range of less than a decade has the marks of
// type Ticks; one that is not positive, or not finite, has none.
func (LogTicks) Ticks(min, max float64) []plot.Tick {
	if min > max {
		min, max = max, min
	}
	if !(min > 0) || math.IsInf(max, 0) || math.IsNaN(max) {
		return nil
	}
	lo, hi := int(math.Floor(math.Log10(min)+1e-9)), int(math.Ceil(math.Log10(max)-1e-9))
	every := 1 + (hi-lo)/8
	label, plain := look.PowerOfTen, min > 1e-4 && max < 1e5
	if plain {
		label = func(e int) string { return format.Number(math.Pow(10, float64(e)), 1) }
	}
	labels := 0
	var ticks []plot.Tick
	for e := lo; e <= hi; e++ {
		for m := 1; m < 10; m++ {
			v := float64(m) * math.Pow(10, float64(e))
			if v < min*(1-1e-9) || v > max*(1+1e-9) || math.IsInf(v, 0) {
				continue
			}
			tick := plot.Tick{Value: v}
			if m == 1 && e%every == 0 {
				tick.Label = label(e)
				labels++
			}
			if tick.Label != "" || hi-lo <= mostDecades {
				ticks = append(ticks, tick)
			}
		}
	}
	if labels >= 2 {
		return ticks
	}
	if !plain || max < 10*min {
		return Ticks{}.Ticks(min, max)
	}
	for i, tick := range ticks {
		first := tick.Value / math.Pow(10, math.Floor(math.Log10(tick.Value)+1e-9))
		if m := math.Round(first); m == 2 || m == 5 {
			ticks[i].Label = format.Number(tick.Value, 1)
		}
	}
	return ticks
}

// rowAxis makes the vertical axis one of n rows with names, the first on top at
// height n.
func rowAxis(p *plot.Plot, names []string) {
	n := len(names)
	p.Y.Tick.Marker = namedTicks(names, func(i int) float64 { return float64(n - i) })
	p.Y.Min, p.Y.Max, p.Y.Tick.LineStyle.Width = 0.4, float64(n)+0.6, 0
}
