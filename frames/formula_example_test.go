package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
)

// A formula that has met no data yet is printed as R prints it.
func ExampleParseFormula() {
	f := must.M1(frames.ParseFormula("y~poly(dose,2,raw=TRUE)+drug-1"))
	fmt.Println(f)
	d := must.M1(f.Design(must.M1(frames.Frame(
		frames.Col("y", []float64{2, 3, 5, 4}),
		frames.Col("dose", []float64{1, 2, 3, 1}),
		frames.Col("drug", []string{"A", "A", "B", "B"}),
	)), nil))
	fmt.Printf("%q\n", d.Names)
	// Output:
	// y ~ poly(dose, 2, raw = TRUE) + drug - 1
	// ["poly(dose, 2, raw = TRUE)1" "poly(dose, 2, raw = TRUE)2" "drugA" "drugB"]
}
