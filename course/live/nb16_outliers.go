package live

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Outliers) }

// Outliers are 40 rows about a line, of which some are replaced by others far to the right
// and below, or wherever the reader drags them, and the lines of least squares, of least
// absolute deviations, of Huber's M-estimate, of Student-t noise whose degrees of freedom are
// estimated, and of an MM-estimate: each breaks down at its own number.
func Outliers() *Explorable {
	return &Explorable{
		ID: "16.outliers", Title: "Rows replaced until each line breaks down", Seed: 16, Random: true,
		Params: []Param{{
			Name: "outliers", Label: "rows replaced", Values: []float64{0, 1, 2, 4, 6, 8, 12, 16, 18, 20, 22}, Default: 12,
		},
			{Name: "x", Label: "they lie about x", Min: 0, Max: 15, Step: 0.1, Default: 14},
			{Name: "y", Label: "and y", Min: -10, Max: 16, Step: 0.1, Default: -8},
		},
		draw: drawOutliers,
	}
}

const (
	outlierRows  = 40
	outlierSlope = 1.0
	// outlierPlanes are the lines through two rows from which the MM-estimate and Student's likelihood are climbed:
	// the default of 500 gives the same slopes all over the sliders' range.
	outlierPlanes = 100
)

// replacedRows are rows about y = 1 + x, the first so many of which lie about (x0, y0)
// instead.
func replacedRows(replaced int, x0, y0 float64, random *rand.Rand) *mlreg.Design {
	x, y := mat.NewDense(outlierRows, 1, nil), make([]float64, outlierRows)
	for i := range y {
		v, e := 10*random.Float64(), random.NormFloat64()
		x.Set(i, 0, v)
		y[i] = 1 + outlierSlope*v + e
		if i < replaced {
			x.Set(i, 0, x0+0.2*e)
			y[i] = y0 + 0.5*(v/10)
		}
	}
	return try.Get(mlreg.NewDesign(x, y, "x"))
}

// lineOf is a fitted line.
type lineOf interface {
	Intercept() float64
	Slopes() []float64
}

// robustLines are the fits to rows, in the order of their names.
func robustLines(d *mlreg.Design) (names []string, fits []lineOf) {
	least := try.Get(mlreg.FitOLS(d, nil))
	lad := try.Get(quantreg.FitLAD(d, nil))
	huber := try.Get(rlm.Fit(d, &rlm.Settings{Method: rlm.HuberM}))
	student := try.Get(rlm.FitStudent(d, &rlm.StudentSettings{Subsamples: outlierPlanes}))
	mm := try.Get(rlm.Fit(d, &rlm.Settings{Subsamples: outlierPlanes}))
	return []string{"least squares", "LAD", "Huber", "Student", "MM"}, []lineOf{least, lad, huber, student, mm}
}

func drawOutliers(at Point) *View {
	replaced := int(at.Value("outliers"))
	d := replacedRows(replaced, at.Value("x"), at.Value("y"), rand.New(at.Source(1)))
	names, fits := robustLines(d)
	x := mat.Col(nil, 0, d.X)
	layers := []plotting.Layer{
		plotting.Points{X: x[replaced:], Y: d.Y[replaced:], Color: plotting.Gray, Name: "rows"},
	}
	if replaced > 0 {
		layers = append(layers, plotting.Points{X: x[:replaced], Y: d.Y[:replaced], Color: plotting.Palette(6), Name: "replaced"})
	}
	view := &View{}
	ends := []float64{0, 15}
	broken := 0
	for k, f := range fits {
		b0, b := f.Intercept(), f.Slopes()[0]
		layers = append(layers, plotting.Line{X: ends, Y: []float64{b0, b0 + 15*b}, Color: plotting.Palette(k), Name: names[k],
			Dashed: k >= 3}) // dashes leave the lines below in view
		view.Numbers = append(view.Numbers, Number{Name: "slope by " + names[k], Value: b, Digits: 3})
		if math.Abs(b-outlierSlope) > 0.5 {
			broken++
		}
	}
	p := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("%d of %d rows replaced", replaced, outlierRows), X: "x", Y: "y"}, layers...))
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -0.5, 15.5, -11, 17
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs = false, true, 8
	if replaced > 0 {
		view.drag(at, p, "the rows replaced", func(at Point) (x, y float64) { return at.Value("x"), at.Value("y") + 0.25 }, "x", "y")
	}
	view.Figure = plotting.Sized(p, 6.4, 4.4)
	view.Sentence = fmt.Sprintf("With %d of %d rows replaced, the slopes are %.2f by least squares, %.2f by least absolute deviations, %.2f by Huber's, %.2f with Student-t noise and %.2f by the MM-estimate; %d of these five are more than 0.5 from the true slope of 1.",
		replaced, outlierRows, fits[0].Slopes()[0], fits[1].Slopes()[0], fits[2].Slopes()[0], fits[3].Slopes()[0], fits[4].Slopes()[0], broken)
	return view
}
