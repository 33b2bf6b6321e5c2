package plotting_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// Outside a notebook everything is shown as text.
func ExampleShow() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 5, 8, 13})
	d, err := mlreg.NewDesign(x, []float64{2.1, 2.9, 4.2, 5.1, 9.7, 13.3}, "dose")
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show("a fit and its line:", []float64{ols.Intercept(), ols.Slopes()[0]})
	plotting.Show(plotting.FitLine(d, ols, 0.95))
	// Output:
	// a fit and its line:
	// [1.082, 0.963]
	// Figure: y = 1.08 + 0.963 dose: y against dose (horizontal 0.52 to 13.5, vertical 0.428 to 15.7)
}

// Show(ols) displays this table with 95% limits.
func ExampleSummary() {
	x := mat.NewDense(6, 1, []float64{1, 2, 3, 5, 8, 13})
	d, err := mlreg.NewDesign(x, []float64{2.1, 2.9, 4.2, 5.1, 9.7, 13.3}, "dose")
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	table, err := plotting.Summary(ols, 0.90)
	if err != nil {
		log.Fatal(err)
	}
	table.Notes = table.Notes[:3] // leave out method and certificate
	plotting.Show(table)
	// Output:
	// OLS fit of y
	// term         estimate  std. error     t       p  lower 90%  upper 90%
	// (Intercept)     1.082       0.427   2.5  0.0644      0.172      1.991
	// dose            0.963       0.063  15.2  0.0001      0.828      1.098
	// n = 6, residual df = 4, σ = 0.638 (estimated)
	// R² = 0.9830, adjusted R² = 0.9787, F(1, 4) = 230.8, p = 0.0001
	// log L = -4.60, AIC = 15.20, BIC = 14.58
}

func ExampleNewTable() {
	plotting.Show(plotting.NewTable("Lengths",
		plotting.TextColumn("vector", "y − ŷ", "y − x₃"),
		plotting.NumberColumn("length", []float64{2.449490, 4.472136}, 3),
		plotting.IntColumn("rank", 1, 2)))
	// Output:
	// Lengths
	// vector  length  rank
	// y − ŷ     2.45     1
	// y − x₃    4.47     2
}

// Layers are drawn in order on an ordinary plot.
func ExampleDraw() {
	x := []float64{1, 2, 3, 4}
	p, err := plotting.Draw(plotting.Labels{Title: "Training data", X: "x", Y: "y"},
		plotting.Points{X: x, Y: []float64{2, 4, 5, 8}, Name: "data"},
		plotting.Curve{F: func(x float64) float64 { return 1.9 * x }, From: 0, To: 5, Name: "y = 1.9 x"})
	if err != nil {
		log.Fatal(err)
	}
	p.Y.Min = 0
	dir, err := os.MkdirTemp("", "figure")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := plotting.Sized(p, 4, 3).Save(filepath.Join(dir, "training.png")); err != nil {
		log.Fatal(err)
	}
	plotting.Show(p)
	// Output:
	// Figure: Training data: y against x (horizontal -0.2 to 5.2, vertical 0 to 9.88)
}

// The residual of least squares is the shortest way from y to the plane.
func ExampleProjection() {
	f, err := plotting.Projection([]float64{2, 2, 2}, []float64{0, 2, 4}, []float64{6, 0, 0},
		&plotting.ProjectionSettings{Others: []plotting.NamedVector{{Name: "x₃", Values: []float64{4, 0, -4}}}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Alt)
	// Output:
	// Least squares projects y onto the plane of x₁ and x₂: ‖y‖ = 6, ‖ŷ‖ = 5.477, ‖y − ŷ‖ = 2.449, ‖y − x₃‖ = 4.472
}

func ExampleNumber() {
	fmt.Println(plotting.Number(0.71110042, 3), plotting.Number(1.5e-8, 3), plotting.PValue(1e-12))
	// Output:
	// 0.711 1.5e-08 <0.0001
}

// SetSink collects what Show displays.
func ExampleSetSink() {
	previous := plotting.SetSink(plotting.TextSink{W: os.Stdout})
	defer plotting.SetSink(previous)
	plotting.Show("a vector:", []float64{5, 2, -1})
	// Output:
	// a vector:
	// [5, 2, -1]
}

func ExampleHeatMap() {
	h := mat.NewSymDense(2, []float64{0.8, -0.4, -0.4, 0.2})
	plotting.Show(plotting.HeatMap(h, &plotting.HeatMapSettings{Labels: plotting.Labels{Title: "H"}}))
	// Output:
	// Figure: heat map H: 2 x 2 matrix with values from -0.4 to 0.8
}

// A Progress goes into the settings of what takes long. What an interrupted
// computation returns is shown as well.
func ExampleProgress() {
	defer plotting.SetSink(plotting.SetSink(plotting.TextSink{W: os.Stdout}))
	x := mat.NewDense(6, 2, []float64{1, 4, 2, 1, 3, 6, 5, 2, 8, 7, 13, 1})
	d, err := mlreg.NewDesign(x, []float64{2.1, 2.9, 4.2, 5.1, 9.7, 13.3}, "dose", "age")
	if err != nil {
		log.Fatal(err)
	}
	settings := &mlreg.EnumerateSettings{Progress: plotting.Progress("models")}
	models, err := mlreg.EnumerateModels(d, mlreg.BICScore{}, settings)
	if err != nil && !errors.Is(err, plotting.ErrInterrupted) {
		log.Fatal(err)
	}
	plotting.Show(models.MedianModel().Terms)
	// Output:
	// models: all 4 done
	// dose
	// age
}

// A slider through polynomials of degree 1 to 5 on six points. A program
// without a notebook shows what there is to see as text.
func ExampleInteractive() {
	x, y := []float64{0, 1, 2, 3, 4, 5}, []float64{1, 3, 2, 5, 4, 6}
	degrees := []float64{1, 2, 3, 4, 5}
	plotting.Show(plotting.Interactive("degree", degrees, func(i int) (*plot.Plot, error) {
		c, err := polynomial(x, y, i+1)
		if err != nil {
			return nil, err
		}
		return plotting.Draw(plotting.Labels{Title: "Polynomials", X: "x", Y: "y"},
			plotting.Points{X: x, Y: y}, plotting.Curve{F: c, From: 0, To: 5})
	}, &plotting.InteractiveSettings{Still: 5}))
	// Output:
	// Figure: Polynomials: y against x (horizontal -0.2 to 5.2, vertical 0.8 to 6.2) (degree = 5)
	// Slider: 5 frames, from degree = 1 to degree = 5
}

// polynomial fits a polynomial by least squares.
func polynomial(x, y []float64, degree int) (func(float64) float64, error) {
	powers := mat.NewDense(len(x), degree, nil)
	for i, v := range x {
		for j := range degree {
			powers.Set(i, j, math.Pow(v, float64(j+1)))
		}
	}
	d, err := mlreg.NewDesign(powers, y)
	if err != nil {
		return nil, err
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		return nil, err
	}
	return func(v float64) float64 {
		sum, power := fit.Intercept(), v
		for _, c := range fit.Slopes() {
			sum, power = sum+c*power, power*v
		}
		return sum
	}, nil
}
