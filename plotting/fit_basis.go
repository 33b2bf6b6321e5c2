package plotting

import (
	"fmt"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
	"github.com/regbook/regbook/plotting/internal/look"
)

// BasisFunctions draws the columns of a design with one input against that input:
// the functions g_1(x), g_2(x) ... that a linear model weighs and adds. The
// design was made from df by frames.Design or mlreg.Expand. Up to seven columns
// have their names in the legend. Dashed lines mark the setting Knots. Nil settings are the defaults. Errors are those
// of FitCurves; the design needs no response.
func BasisFunctions(d *mlreg.Design, df dataframe.DataFrame, settings *CurveSettings) (*plot.Plot, error) {
	s := check.OrDefaults(settings)
	v, err := newOneInput(d, df, s, 0)
	if err != nil {
		return nil, fmt.Errorf("plotting: basis functions: %w", err)
	}
	layers := v.columns(d.Names)
	for _, x := range s.Knots {
		layers = append(layers, VLine{X: x})
	}
	return Draw(Labels{Title: s.Title, X: v.s.Input, Y: "g(x)"}, layers...)
}

// columns returns the columns of the grid as lines.
func (v *oneInput) columns(names []string) []Layer {
	var layers []Layer
	for k, name := range names {
		name = look.ShortTerm(name)
		if len(names) > 7 {
			name = ""
		}
		layers = append(layers, Line{X: v.at, Y: mat.Col(nil, k, v.grid.X), Name: name, Color: Palette(k), Width: 1.3})
	}
	return layers
}
