package lecture_test

import (
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

func ExampleThresholding() {
	plotting.Show(lecture.Thresholding(2, 3))
	// Output:
	// Figure: soft and hard threshold at c = -3 and 3 beside the line of least squares, w = c/2
}
