package plotting_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/plotting"
)

// Three or so marks on the vertical axis.
func ExampleTicks() {
	p := must.M1(plotting.Draw(plotting.Labels{Title: "A parabola"}, plotting.Curve{F: func(x float64) float64 { return x * x }, To: 10}))
	p.Y.Tick.Marker = plotting.Ticks{Target: 3}
	plotting.Show(p)
	for _, tick := range (plotting.Ticks{Target: 3}).Ticks(0, 100) {
		fmt.Print(tick.Label, " ")
	}
	// Output:
	// Figure: A parabola (horizontal -0.4 to 10.4, vertical -4 to 104)
	// 0 50 100
}

// LogX and LogY set these marks.
func ExampleLogTicks() {
	for _, tick := range (plotting.LogTicks{}).Ticks(0.5, 200) {
		if !tick.IsMinor() {
			fmt.Print(tick.Label, " ")
		}
	}
	// Output:
	// 1 10 100
}
