package lecture_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// The residual of least squares is the shortest way from y to the plane.
func ExampleProjection() {
	df := datasets.Projection()
	column := func(name string) []float64 { return must.M1(frames.Floats(df, name)) }
	plotting.Show(lecture.Projection(column("x1"), column("x2"), column("y"),
		&lecture.ProjectionSettings{Others: []lecture.NamedVector{{Name: "x₃", Values: column("x3")}}}))
	// Output:
	// Figure: Least squares projects y onto the plane of x₁ and x₂: ‖y‖ = 6, ‖ŷ‖ = 5.477, ‖y − ŷ‖ = 2.449, ‖y − x₃‖ = 4.472
}
