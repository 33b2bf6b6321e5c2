package lecture_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

func ExamplePenaltyGeometry() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lcp"))
	plotting.Show(lecture.PenaltyGeometry(must.M1(d.Standardize(nil)), 60, 60))
	// Output:
	// Figure: contours of the RSS of lpsa on lcavol and lcp around least squares, touching the lasso's diamond at (0.534, 0) and ridge regression's disk at (0.434, 0.208)
}
