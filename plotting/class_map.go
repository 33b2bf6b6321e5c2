package plotting

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// ClassMapSettings are the options of ClassMap and LogisticPredictive.
type ClassMapSettings struct {
	// Title stands above; the default is none.
	Title string
	// X and Y name the columns of the frame on the axes. A frame with three
	// columns has a default: the two that are not the response.
	X, Y string
	// Over is the part of the plane drawn; the default extends the range of the
	// data by a tenth on each side.
	Over Rect
	// Levels are the probabilities of the second of two classes at which
	// contours are drawn, beside the boundary; the default is none, and for
	// LogisticPredictive 0.1, 0.2 ... 0.9.
	Levels []float64
	// Draws is how many draws of the posterior LogisticPredictive takes, by
	// default 100.
	Draws int
	// Random is the source of the draws; the default nil is rand.NewPCG(0, 1), the
	// same draws every time.
	Random rand.Source
}

// ClassMap shows a classifier as a function of two inputs: the probability of
// the most probable class in the color of that class, white where all classes
// are equally probable, the boundaries between classes as lines, and the data.
//
//	d, err := frames.Design(df, "y ~ x1 + x2 + I((x1+x2)^2)")
//	fit, err := mlreg.FitLogistic(d, nil)
//	plotting.Show(plotting.ClassMap(df, d, fit, nil))
//
// The design d was made by frames.Design from df, or has some of its rows. Nil
// settings are the defaults. Errors: mlreg.ErrNoData if the frame has no rows,
// or without a classifier, a design or a response; mlreg.ErrSetting if the two
// inputs are ambiguous or a level is not a probability; those of
// frames.DesignLike if the design needs other columns; those of ClassProb.
func ClassMap(df dataframe.DataFrame, d *mlreg.Design, f mlreg.Classifier, settings *ClassMapSettings) (_ *plot.Plot, err error) {
	defer check.Named("class map", &err)
	if check.IsNil(f) {
		return nil, fmt.Errorf("%w: the classifier is nil", mlreg.ErrNoData)
	}
	v, err := newTwoInputs(df, d, f.Classes(), settings)
	if err != nil {
		return nil, err
	}
	prob, err := f.ClassProb(v.grid)
	if err != nil {
		return nil, err
	}
	q := len(v.classes)
	rows := make([][]float64, v.grid.NObs())
	for i := range rows {
		rows[i] = prob.RawRowView(i)
	}
	layers := []Layer{probabilities{rows, v}}
	for k := 1; k < q; k++ {
		layers = append(layers, v.contours([]float64{0}, Black, 1.6, func(i int) float64 {
			rest := math.Inf(-1)
			for j, p := range rows[i] {
				if j != k {
					rest = math.Max(rest, p)
				}
			}
			return rows[i][k] - rest
		}))
	}
	if q == 2 && len(v.s.Levels) > 0 {
		layers = append(layers, v.contours(v.s.Levels, Gray, 0.8, func(i int) float64 { return rows[i][1] }))
	}
	return v.draw(v.s.Title, layers...)
}

// classCells is how many cells a map of classes has along each side.
const classCells = 100

// twoInputs is a design that is a function of two inputs, and a grid of it.
type twoInputs struct {
	s       ClassMapSettings // X, Y and Over as they were found
	x, y    []float64        // the data
	class   []int            // their classes
	classes []string
	at      *values       // the grid, row by row; z is not used
	grid    *mlreg.Design // the columns of the design at its cells
}

func newTwoInputs(df dataframe.DataFrame, d *mlreg.Design, classes []string, settings *ClassMapSettings) (*twoInputs, error) {
	v := &twoInputs{s: check.OrDefaults(settings), classes: classes}
	for _, l := range v.s.Levels {
		if !(l > 0 && l < 1) {
			return nil, fmt.Errorf("%w: level %v is not a probability between 0 and 1", mlreg.ErrSetting, l)
		}
	}
	if d == nil || d.Y == nil {
		return nil, fmt.Errorf("%w: the design is nil or has no response", mlreg.ErrNoData)
	}
	terms := frames.TermsOf(d)
	if terms == nil {
		return nil, fmt.Errorf("%w: the design was not made from a formula; make it with frames.Design", frames.ErrNoRecipe)
	}
	if v.s.X == "" && v.s.Y == "" {
		others := slices.DeleteFunc(df.Names(), func(c string) bool { return c == terms.Response })
		if len(others) != 2 {
			return nil, fmt.Errorf("%w: the settings X and Y name the axes; the frame has the columns %s", mlreg.ErrSetting, format.Line(strings.Join(df.Names(), ", ")))
		}
		v.s.X, v.s.Y = others[0], others[1]
	}
	var err error
	if v.x, err = v.column(df, d, v.s.X); err != nil {
		return nil, err
	}
	if v.y, err = v.column(df, d, v.s.Y); err != nil {
		return nil, err
	}
	if err := v.findClasses(d); err != nil {
		return nil, err
	}
	if v.s.Over == (Rect{}) {
		v.s.Over.XMin, v.s.Over.XMax = around(v.x)
		v.s.Over.YMin, v.s.Over.YMax = around(v.y)
	}
	none := func(x, y float64) float64 { return 0 }
	if v.at, err = sample("class map", none, v.s.Over, classCells, classCells); err != nil {
		return nil, err
	}
	var gx, gy []float64
	for _, y := range v.at.y {
		for _, x := range v.at.x {
			gx, gy = append(gx, x), append(gy, y)
		}
	}
	grid, err := frames.Frame(frames.Col(v.s.X, gx), frames.Col(v.s.Y, gy))
	if err != nil {
		return nil, err
	}
	v.grid, err = frames.DesignLike(d, grid)
	return v, err
}

// around returns the range of x, extended by a tenth on both sides.
func around(x []float64) (low, high float64) {
	low, high = slices.Min(x), slices.Max(x)
	reach := (high - low) / 10
	return low - reach, high + reach
}

// column returns the values of an input at the rows of d.
func (v *twoInputs) column(df dataframe.DataFrame, d *mlreg.Design, name string) ([]float64, error) {
	one := &oneInput{s: CurveSettings{Input: name}}
	if err := one.findRows(df, d); err != nil {
		return nil, err
	}
	return one.x, nil
}

// findClasses finds the class of every row.
func (v *twoInputs) findClasses(d *mlreg.Design) error {
	v.class = make([]int, len(d.Y))
	for i, y := range d.Y {
		label := format.Number(y, 15)
		if d.Classes != nil {
			label = d.Classes[int(y)]
		}
		if v.class[i] = slices.Index(v.classes, label); v.class[i] < 0 {
			return fmt.Errorf("%w: row %d has class %q; the fit has the classes %q", mlreg.ErrLabels, i+1, label, v.classes)
		}
	}
	return nil
}

// contours is a layer of contours of values that are given cell by cell.
func (v *twoInputs) contours(levels []float64, c color.Color, width float64, at func(i int) float64) Layer {
	return Contours{F: v.lookup(at), Over: v.s.Over, Levels: levels, Color: c, Width: width, N: classCells}
}

// lookup returns values given cell by cell as a function of the plane.
func (v *twoInputs) lookup(at func(i int) float64) func(x, y float64) float64 {
	cell := func(t, from, to float64) int {
		return max(0, min(classCells-1, int((t-from)/(to-from)*classCells)))
	}
	return func(x, y float64) float64 {
		o := v.s.Over
		return at(cell(y, o.YMin, o.YMax)*classCells + cell(x, o.XMin, o.XMax))
	}
}

// draw draws the layers and the data on them.
func (v *twoInputs) draw(title string, layers ...Layer) (*plot.Plot, error) {
	for k, name := range v.classes {
		var x, y []float64
		for i, c := range v.class {
			if c == k {
				x, y = append(x, v.x[i]), append(y, v.y[i])
			}
		}
		if len(x) > 0 {
			layers = append(layers, Points{X: x, Y: y, Color: Palette(k), Name: name})
		}
	}
	p, err := Draw(Labels{Title: title, X: v.s.X, Y: v.s.Y}, layers...)
	if err != nil {
		return nil, err
	}
	o := v.s.Over
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = o.XMin, o.XMax, o.YMin, o.YMax
	return p, nil
}

// probabilities is the layer of the colors of the most probable classes.
type probabilities struct {
	rows [][]float64
	v    *twoInputs
}

func (l probabilities) addTo(p *plot.Plot, _ *autoColor) error {
	img := image.NewNRGBA(image.Rect(0, 0, classCells, classCells))
	q := float64(len(l.v.classes))
	for i, row := range l.rows {
		best := 0
		for k := range row {
			if row[k] > row[best] {
				best = k
			}
		}
		// Half of the full color, so that points of the same color are seen.
		img.Set(i%classCells, classCells-1-i/classCells, mix(Palette(best), 0.5*(q*row[best]-1)/(q-1)))
	}
	p.Add(heat{img, l.v.s.Over})
	return nil
}
