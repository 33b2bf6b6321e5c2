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
	// Figure: Two of the four; Residuals against fitted: residual against fitted value (horizontal 0.437 to 4.41, vertical -1.75 to 2.04); Normal QQ: standardised residual against normal quantile (horizontal -2.77 to 2.77, vertical -3.75 to 3.75)
}

// A plot of 8 x 3 inches has 192 dots an inch.
func ExampleSized() {
	p := must.M1(plotting.Draw(plotting.Labels{Title: "A sine"}, plotting.Curve{F: math.Sin, From: 0, To: 20}))
	png := must.M1(plotting.Sized(p, 8, 3).PNG())
	config, _, err := image.DecodeConfig(bytes.NewReader(png))
	fmt.Println(config.Width, "x", config.Height, err)
	// Output:
	// 1536 x 576 <nil>
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
