package plotting

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// oneInput is a design that is a function of one input, and a grid of it.
type oneInput struct {
	s     CurveSettings // Input, From and To as they were found
	x, y  []float64     // the data; y is nil without a response
	rows  []int         // of the frame, counted from 0
	yName string
	truth color.Color // of the curve of the truth
	at    []float64
	grid  *mlreg.Design // the columns of the design at these inputs
}

// newOneInput finds the input of a design made from df, and codes a grid of it
// as the design was. If the settings do not say where it ends, it reaches the
// given share of the data's range beyond them.
func newOneInput(d *mlreg.Design, df dataframe.DataFrame, s CurveSettings, reach float64) (*oneInput, error) {
	if d == nil {
		return nil, fmt.Errorf("%w: the design is nil", mlreg.ErrNoData)
	}
	v := &oneInput{s: s, y: d.Y, yName: d.Response, truth: Vermillion}
	if s.TruthColor != nil {
		v.truth = s.TruthColor
	}
	if err := v.findInput(df, d); err != nil {
		return nil, err
	}
	if err := v.findRows(df, d); err != nil {
		return nil, err
	}
	low, high := slices.Min(v.x), slices.Max(v.x)
	if v.s.From == 0 && v.s.To == 0 {
		v.s.From, v.s.To = low-reach*(high-low), high+reach*(high-low)
	}
	if !(v.s.From < v.s.To) || math.IsInf(v.s.To-v.s.From, 1) {
		return nil, fmt.Errorf("%w: From = %v, To = %v", mlreg.ErrSetting, v.s.From, v.s.To)
	}
	v.at = Range(v.s.From, v.s.To, 241)
	var err error
	if v.grid, err = v.code(d); err != nil {
		return nil, err
	}
	return v, v.checkSame(df, d)
}

// findInput takes the input named in the settings, or the only column of the
// frame that is not the response.
func (v *oneInput) findInput(df dataframe.DataFrame, d *mlreg.Design) error {
	if v.s.Input != "" {
		return nil
	}
	response := d.Response
	if t := frames.TermsOf(d); t != nil {
		response = t.Response
	}
	others := slices.DeleteFunc(df.Names(), func(c string) bool { return c == response })
	if len(others) != 1 {
		return fmt.Errorf("%w: the setting Input names the horizontal axis; the frame has the columns %s",
			mlreg.ErrSetting, format.Line(strings.Join(others, ", ")))
	}
	v.s.Input = others[0]
	return nil
}

// findRows takes the inputs of the rows of d, which are those of the frame, or
// those that the formula kept of it.
func (v *oneInput) findRows(df dataframe.DataFrame, d *mlreg.Design) error {
	column, err := frames.Floats(df, v.s.Input)
	if err != nil {
		return err
	}
	terms := frames.TermsOf(d)
	kept := terms != nil && d.NObs() == terms.N-terms.Omitted
	if !kept && d.NObs() != len(column) {
		return fmt.Errorf("%w: the design has %d rows and the frame %d; take the same rows of both", mlreg.ErrShape, d.NObs(), len(column))
	}
	for i := range d.NObs() {
		if kept {
			i = d.RowNumber(i) - 1
		}
		if i < 0 {
			return fmt.Errorf("%w: the design has a row of number %d; rows of the frame are numbered from 1", mlreg.ErrShape, i+1)
		}
		if i >= len(column) {
			return fmt.Errorf("%w: the design was made from %d rows, and the frame has %d", mlreg.ErrShape, terms.N, len(column))
		}
		v.x = append(v.x, column[i])
		v.rows = append(v.rows, i)
	}
	return nil
}

// checkSame returns an error for a design whose columns are not those of the rows of
// the frame: it was made from another.
func (v *oneInput) checkSame(df dataframe.DataFrame, d *mlreg.Design) error {
	again, err := v.again(df, d)
	if err != nil {
		return err
	}
	place := make(map[int]int, again.NObs()) // of the rows of df
	for k := range again.NObs() {
		place[again.RowNumber(k)-1] = k
	}
	for j, name := range d.Names {
		size := mat.Norm(d.X.ColView(j), math.Inf(1))
		for i, row := range v.rows {
			k, ok := place[row]
			if got := d.X.At(i, j); !ok || math.Abs(got-again.X.At(k, j)) > 1e-9*size {
				return fmt.Errorf("%w: the design was not made from this frame: column %q has %v in row %d of the design, and the frame says otherwise",
					mlreg.ErrShape, name, got, i+1)
			}
		}
	}
	return nil
}

// again codes the rows of the frame as the design was.
func (v *oneInput) again(df dataframe.DataFrame, d *mlreg.Design) (*mlreg.Design, error) {
	if frames.TermsOf(d) != nil || d.Coding == nil {
		return frames.DesignLike(d, df)
	}
	x, err := frames.Floats(df, v.s.Input)
	if err != nil {
		return nil, err
	}
	return mlreg.ExpandLike(d, mat.NewVecDense(len(x), x), nil)
}

// code returns the columns of d at the inputs of the grid.
func (v *oneInput) code(d *mlreg.Design) (*mlreg.Design, error) {
	grid, err := frames.Frame(frames.Col(v.s.Input, v.at))
	if err != nil {
		return nil, err
	}
	return v.again(grid, d)
}

// draw draws the layers, with the truth and the data on them.
func (v *oneInput) draw(title string, layers ...Layer) (*plot.Plot, error) {
	if v.s.Truth != nil {
		layers = append(layers, Curve{F: v.s.Truth, From: v.s.From, To: v.s.To, Color: v.truth, Dashed: true, Width: 1.2, Name: "truth"})
	}
	if v.y != nil {
		layers = append(layers, Points{X: v.x, Y: v.y, Color: Black, Name: "data"})
	}
	p, err := Draw(Labels{Title: title, X: v.s.Input, Y: v.yName}, layers...)
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max = v.s.From, v.s.To
	return p, nil
}
