package plotting_test

import (
	"fmt"
	"strings"

	"github.com/regbook/regbook/plotting"
)

// SetSink collects what Show displays.
func ExampleSetSink() {
	var text strings.Builder
	previous := plotting.SetSink(plotting.TextSink{W: &text})
	plotting.Show("a vector:", []float64{5, 2, -1})
	plotting.SetSink(previous)
	fmt.Printf("%q\n", text.String())
	// Output:
	// "a vector:\n[5, 2, -1]\n"
}
