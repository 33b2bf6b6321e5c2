package live

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/lecture"
)

func init() { registered = append(registered, Projection) }

// Projection is the least-squares fit of three observations y on two columns, seen from all
// sides, with the second observation to move. The projection moves in proportion, the residual
// stays at a right angle to the plane; at 3 there is none, and beyond y is below the plane.
func Projection() *Explorable {
	return &Explorable{
		ID: "01.projection", Title: "Least squares is a projection", Seed: 1,
		Params: []Param{
			{Name: "azimuth", Label: "turned by", Unit: "°", Min: 0, Max: 359, Step: 1, Cyclic: true,
				Frames: []float64{5, 65, 125, 185, 245, 305}, Default: 65},
			{Name: "y2", Label: "y₂", Min: -3, Max: 6, Step: 0.1, Frames: []float64{-3, 0, 3, 6}, Default: 0},
		},
		draw: drawProjection,
	}
}

func drawProjection(at Point) *View {
	df := datasets.Projection()
	x := try.Get(frames.Matrix(df, "x1", "x2"))
	x3 := try.Get(frames.Floats(df, "x3"))
	x1, x2 := mat.Col(nil, 0, x), mat.Col(nil, 1, x)
	y := []float64{6, at.Value("y2"), 0}
	fitted, residual := try.Get2(mlreg.Project(x, y))
	tip, next := at.handle(Drag, "y", "y2")
	settings := &lecture.ProjectionSettings{
		Title:   fmt.Sprintf("The projection of y = (6, %g, 0)", y[1]),
		View:    lecture.View{Azimuth: at.Value("azimuth"), Elevation: 24},
		Others:  []lecture.NamedVector{{Name: "x₃", Values: x3}},
		Stage:   [][]float64{{6, 0, 0}, {6, -3, 0}, {6, 6, 0}},
		Spots:   [][]float64{y, {6, next[0].Value("y2"), 0}},
		Spotted: func(k int, p vg.Point) { tip.spots[k] = p },
	}
	f := try.Get(lecture.Projection(x1, x2, y, settings))
	f.Width, f.Height = 6, 5
	// Numbers that are whole, but for rounding, are whole on every machine.
	exact := func(v float64) float64 { return math.Round(v*1e9)/1e9 + 0 }
	length, other := exact(floats.Norm(residual, 2)), exact(floats.Distance(y, x3, 2))
	numbers := []Number{{Name: "‖y − ŷ‖", Value: length, Digits: 4}, {Name: "‖y − x₃‖", Value: other, Digits: 4}}
	for i, name := range []string{"ŷ₁", "ŷ₂", "ŷ₃"} {
		numbers = append(numbers, Number{Name: name, Value: exact(fitted[i]), Digits: 4})
	}
	view := &View{
		Figure: f, Numbers: numbers, Handles: []*Handle{tip},
		Sentence: fmt.Sprintf("The projection of y = (6, %g, 0) on the plane of x₁ and x₂ is (%.4g, %.4g, %.4g), at the distance %.4g; that of x₃ is %.4g.",
			y[1], exact(fitted[0]), exact(fitted[1]), exact(fitted[2]), length, other),
	}
	view.turn(at, "the plane", "azimuth", 6*vg.Inch)
	return view
}
