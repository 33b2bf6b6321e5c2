package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// CurveFit is a fit of one input, such as a polynomial, with its name in a
// figure.
type CurveFit struct {
	Name string
	// Fit is the fit, by any method whose result can predict.
	Fit interface {
		Predict(*mlreg.Design) ([]float64, error)
	}
	// Design is the design that was fitted, made by frames.Design or
	// mlreg.Expand. Its basis functions are computed at every x of the curve.
	Design *mlreg.Design
	Color  color.Color // the default is that of Palette; in panels, Blue
}

// CurveSettings are the options of FitCurves, FitCurvePanels and BasisFunctions.
type CurveSettings struct {
	// Title is that of the plot or figure; the default is none.
	Title string
	// Input names the column of the frame that is the horizontal axis. The
	// default is the only column that is not the response.
	Input string
	// From and To are the ends of the horizontal axis. The default, both 0, is
	// the range of the data.
	From, To float64
	// Truth is the true function behind simulated data.
	Truth func(x float64) float64
	// TruthColor is the color of the truth; the default is Vermillion, or Black beside several fits.
	TruthColor color.Color
	// Knots are places that BasisFunctions marks by dashed lines, such as the knots of splines.
	Knots []float64
	// Columns is the number of panels side by side; the default is 2.
	Columns int
}

// FitCurves draws fits of one input over the data, in one plot:
//
//	fit := plotting.CurveFit{Name: "degree 3", Fit: ols, Design: d}
//	plotting.Show(plotting.FitCurves(df, nil, fit))
//
// Every design was made from df. A fit without a Color is Blue and the truth Vermillion; of several
// fits each has a color of Palette, and the truth is Black. Curves are cut off where they are farther from
// the data than half the data's range. Nil settings are the defaults.
//
// Errors: mlreg.ErrNoData without a fit, a design or a response;
// mlreg.ErrSetting if the input is ambiguous; mlreg.ErrShape if the rows of a
// design and df differ in number or in their values; those of frames.DesignLike if a design needs other
// columns than the input, and those of Predict. They name the fit.
func FitCurves(df dataframe.DataFrame, settings *CurveSettings, fits ...CurveFit) (*plot.Plot, error) {
	s := check.OrDefaults(settings)
	var layers []Layer
	var first *oneInput
	for i, f := range fits {
		v, line, err := f.line(df, s)
		if err != nil {
			return nil, fmt.Errorf("plotting: fit curves: fit %d of %d%s: %w", i+1, len(fits), quoted(f.Name), err)
		}
		if first == nil {
			first = v
		}
		layers = append(layers, line)
	}
	if first == nil {
		return nil, check.Nothing("fit curves", "there is no fit")
	}
	if len(fits) > 1 && s.TruthColor == nil {
		first.truth = Black
	}
	p, err := first.draw(s.Title, layers...)
	if err != nil {
		return nil, err
	}
	first.cut(p)
	return p, nil
}

// FitCurvePanels draws every fit in a panel of its own, its name above, on
// common axes. Arguments and errors are those of FitCurves.
func FitCurvePanels(df dataframe.DataFrame, settings *CurveSettings, fits ...CurveFit) (*Figure, error) {
	if len(fits) == 0 {
		return nil, check.Nothing("fit curves", "there is no fit")
	}
	s := check.OrDefaults(settings)
	columns := cmp.Or(s.Columns, min(2, len(fits)))
	if columns < 0 {
		return nil, fmt.Errorf("plotting: fit curves: %w: Columns = %d", mlreg.ErrSetting, columns)
	}
	panels := make([]*plot.Plot, len(fits))
	for i, f := range fits {
		panel := s
		panel.Title, f.Name = f.Name, "fit"
		if f.Color == nil {
			f.Color = Blue
		}
		p, err := FitCurves(df, &panel, f)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			p.Legend = plot.NewLegend()
		}
		panels[i] = p
	}
	sameHeights(panels)
	f := Grid(columns, panels...)
	f.Title, f.ShareX = s.Title, true
	return f, nil
}

// line returns the input of the fit and its curve.
func (f CurveFit) line(df dataframe.DataFrame, s CurveSettings) (*oneInput, Layer, error) {
	if check.IsNil(f.Fit) || f.Design == nil || f.Design.Y == nil {
		return nil, nil, fmt.Errorf("%w: the fit or the design is nil, or the design has no response", mlreg.ErrNoData)
	}
	v, err := newOneInput(f.Design, df, s, 0)
	if err != nil {
		return nil, nil, err
	}
	y, err := f.Fit.Predict(v.grid)
	if err != nil {
		return nil, nil, err
	}
	return v, Line{X: v.at, Y: y, Name: f.Name, Color: f.Color}, nil
}

// cut limits the vertical axis to half of the range of data and truth beyond
// them, and leaves some room at both ends of the horizontal one.
func (v *oneInput) cut(p *plot.Plot) {
	low, high := floats.Min(v.y), floats.Max(v.y)
	if v.s.Truth != nil {
		for _, x := range v.at {
			if y := v.s.Truth(x); check.IsFinite(y) {
				low, high = math.Min(low, y), math.Max(high, y)
			}
		}
	}
	if room := (high - low) / 2; room > 0 {
		p.Y.Min, p.Y.Max = math.Max(p.Y.Min, low-room), math.Min(p.Y.Max, high+room)
	}
	margin := 0.03 * (v.s.To - v.s.From)
	p.X.Min, p.X.Max = v.s.From-margin, v.s.To+margin
}

// quoted returns a name for a message, with a space before it.
func quoted(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" (%q)", name)
}
