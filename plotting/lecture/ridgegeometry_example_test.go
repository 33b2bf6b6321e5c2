package lecture_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// The prior draws the weight that the data determine less.
func ExampleRidgeGeometry() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lcp"))
	plotting.Show(lecture.RidgeGeometry(must.M1(d.Standardize(nil)), 0.01, 0.6))
	// Output:
	// Figure: contours of likelihood, prior and posterior of the weights of lcavol and lcp: maximum likelihood at (0.768, 0.112), maximum a posteriori at (0.434, 0.208)
}
