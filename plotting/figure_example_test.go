package plotting_test

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"

	"github.com/janpfeifer/must"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

func ExampleGrid() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	f := plotting.Grid(2, must.M1(plotting.ResidualsFitted(ols, d, nil)), must.M1(plotting.QQ(ols, d, nil)))
	f.Title = "Two of the four"
	fmt.Println(f.Name(), len(f.Panels), "row of", len(f.Panels[0]))
	plotting.Show(f)
	// Output:
	// Two of the four 1 row of 2
	// Figure: Two of the four; Residuals against fitted: residual against fitted value (horizontal 0.437 to 4.41, vertical -1.75 to 2.04); Normal QQ: standardized residual against normal quantile (horizontal -2.77 to 2.77, vertical -3.75 to 3.75)
}

// A plot of 8 x 3 inches has 192 dots an inch.
func ExampleSized() {
	p := must.M1(plotting.Draw(plotting.Labels{Title: "A sine"}, plotting.Curve{F: math.Sin, From: 0, To: 20}))
	wide := plotting.Sized(p, 8, 3)
	plotting.Show(wide)
	config, _, err := image.DecodeConfig(bytes.NewReader(must.M1(wide.PNG())))
	fmt.Println(config.Width, "x", config.Height, err)
	fmt.Println(bytes.Contains(must.M1(wide.SVG()), []byte("<svg")))
	// Output:
	// Figure: A sine (horizontal -0.8 to 20.8, vertical -1.08 to 1.08)
	// 1536 x 576 <nil>
	// true
}

func ExampleFigure_Save() {
	dir := must.M1(os.MkdirTemp("", "figures"))
	defer os.RemoveAll(dir)
	p := must.M1(plotting.Draw(plotting.Labels{Title: "A sine"}, plotting.Curve{F: math.Sin, From: 0, To: 20}))
	for _, name := range []string{"sine.png", "sine.svg", "sine.jpg"} {
		fmt.Println(name, plotting.Grid(1, p).Save(filepath.Join(dir, name)) == nil)
	}
	// Output:
	// sine.png true
	// sine.svg true
	// sine.jpg false
}

// A page laid out by hand: two plots above, none below the second.
func ExampleFigure() {
	sin := must.M1(plotting.Draw(plotting.Labels{Title: "sin"}, plotting.Curve{F: math.Sin, From: 0, To: 6}))
	cos := must.M1(plotting.Draw(plotting.Labels{Title: "cos"}, plotting.Curve{F: math.Cos, From: 0, To: 6}))
	tan := must.M1(plotting.Draw(plotting.Labels{Title: "tan"}, plotting.Curve{F: math.Tan, From: -1.5, To: 1.5}))
	plotting.Show(&plotting.Figure{Title: "Functions", Width: 7, Panels: [][]*plot.Plot{{sin, cos}, {tan, nil}}, ShareY: true})
	// Output:
	// Figure: Functions; sin (horizontal -0.24 to 6.24, vertical -1.08 to 1.08); cos (horizontal -0.24 to 6.24, vertical -1.08 to 1.08); tan (horizontal -1.62 to 1.62, vertical -15.2 to 15.2)
}

// Two figures in a row, under one title.
func ExampleSideBySide() {
	df := datasets.Prostate()
	a := must.M1(plotting.Chart(df, "lcavol", "lpsa", nil))
	b := must.M1(plotting.Draw(plotting.Labels{Title: "A sine"}, plotting.Curve{F: math.Sin, From: 0, To: 20}))
	plotting.Show(must.M1(plotting.SideBySide(a, b)).WithLabels(plotting.Labels{Title: "Two figures"}))
	// Output:
	// Figure: Two figures; points of lpsa against lcavol; 97 rows; A sine (horizontal -0.8 to 20.8, vertical -1.08 to 1.08)
}

// Every figure takes other texts: title and names of axes.
func ExampleFigure_WithLabels() {
	f := must.M1(plotting.Chart(datasets.Prostate(), "lcavol", "lpsa", nil))
	fmt.Println(f.WithLabels(plotting.Labels{Title: "97 men", X: "log of the volume"}).Name())
	// Output:
	// 97 men
}

// What a reader is told who does not see the figure: what Show adds to it, and the site's pages.
func ExampleFigure_Description() {
	p := must.M1(plotting.Draw(plotting.Labels{Title: "A sine"}, plotting.Curve{F: math.Sin, From: 0, To: 20}))
	f := plotting.Grid(1, p)
	fmt.Println(f.Description())
	f.Alt = "Three waves and a bit."
	fmt.Println(f.Description())
	// Output:
	// A sine (horizontal -0.8 to 20.8, vertical -1.08 to 1.08)
	// Three waves and a bit.
}

// The part of a figure that matters.
func ExampleFigure_WithXRange() {
	f := must.M1(plotting.Chart(datasets.Prostate(), "lcavol", "lpsa", nil)).WithXRange(0, 2)
	fmt.Println(f.Panels[0][0].X.Min, f.Panels[0][0].X.Max)
	// Output:
	// 0 2
}

func ExampleFigure_WithYRange() {
	f := must.M1(plotting.Chart(datasets.Prostate(), "lcavol", "lpsa", nil)).WithYRange(0, 6)
	fmt.Println(f.Panels[0][0].Y.Min, f.Panels[0][0].Y.Max)
	// Output:
	// 0 6
}

func ExampleFigure_WithSize() {
	f := must.M1(plotting.Chart(datasets.Prostate(), "lcavol", "lpsa", nil)).WithSize(8, 3)
	fmt.Println(f.Width, "x", f.Height)
	// Output:
	// 8 x 3
}
