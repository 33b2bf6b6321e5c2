package datasets_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Which words go with stars, on so few reviews: those whose estimate is larger
// than its standard error.
func ExampleReviews() {
	d := must.M1(frames.Design(datasets.Reviews(), "stars ~ words(text, min = 4)"))
	fit := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%d words, R2 %.2f\n", d.NTerms(), fit.R2())
	se := fit.StdErr()
	for j, w := range fit.Coef() {
		if math.Abs(w) > se[j] {
			fmt.Printf("%-28s %5.2f (%.2f)\n", fit.Names()[j], w, se[j])
		}
	}
	// Output:
	// 18 words, R2 0.94
	// (Intercept)                   1.85 (1.25)
	// words(text, min = 4)a         0.88 (0.66)
	// words(text, min = 4)broke    -1.10 (0.77)
	// words(text, min = 4)fast      1.38 (0.88)
	// words(text, min = 4)love      2.09 (0.88)
	// words(text, min = 4)solid     1.00 (0.67)
}
