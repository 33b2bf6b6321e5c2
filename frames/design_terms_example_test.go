package frames_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
)

// What a formula became: R's terms(m).
func ExampleTermsOf() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	fmt.Println(frames.TermsOf(d).Formula)
	// Output: lpsa ~ lcavol + lweight + age + lbph + svi + lcp + gleason + pgg45
}

// Which columns of the data a column of the design is made from.
func ExampleTerms_Inputs() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ poly(age, 2) + factor(svi):lcavol"))
	for _, name := range d.Names {
		fmt.Printf("%-21s %q\n", name, must.M1(frames.TermsOf(d).Inputs(name)))
	}
	// Output:
	// poly(age, 2)1         ["age"]
	// poly(age, 2)2         ["age"]
	// factor(svi)0:lcavol   ["svi" "lcavol"]
	// factor(svi)1:lcavol   ["svi" "lcavol"]
}
