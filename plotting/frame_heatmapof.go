package plotting

import (
	"fmt"
	"math"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// HeatMapOf draws a column of numbers of a long frame as a heat map: a cell for every value of the column x,
// from left to right, and of the column y, from top to bottom, in the order of the values (numbers and dates by
// size, text by bytes), labeled by them. Hours 0 to 23 are labeled 0 to 23. A cell without a row, or with a
// missing value, is gray; a row in which x or y is missing is left out, and a note counts them.
//
//	hourly, err := frames.GroupBy(df, "weekday(t)", "floor(hour(t))").Summarise("rides = mean(rides)")
//	plotting.Show(plotting.HeatMapOf(hourly, "floor(hour(t))", "weekday(t)", "rides", nil))
//
// Labels of the axes are by default the names of the columns, and the title that of the value. Settings are
// those of HeatMap; Rows and Cols, if given, replace the labels. Errors: those of HeatMap, of frames.Floats for a
// column that does not exist, and mlreg.ErrSetting for two rows of one cell, which frames.GroupBy and Summarise
// make one, for text in place of values, and for more than 1,000 values of x or y.
func HeatMapOf(df dataframe.DataFrame, x, y, value string, settings *HeatMapSettings) (*Figure, error) {
	fail := func(err error) (*Figure, error) {
		return nil, fmt.Errorf("plotting: heat map of %s by %s and %s: %w", format.Line(value), format.Line(x), format.Line(y), err)
	}
	s := check.OrDefaults(settings)
	var columns [3]frameColumn
	for k, name := range []string{x, y, value} {
		all, err := FrameSettings{Columns: []string{name}}.columns(df, allKinds)
		if err != nil {
			return fail(err)
		}
		columns[k] = all[0]
	}
	across, down, of := &columns[0], &columns[1], columns[2]
	if of.text {
		return fail(fmt.Errorf("%w: column %q is text, such as %q; a heat map is of numbers", mlreg.ErrSetting, value, of.labels[0]))
	}
	const most = 1000
	for _, c := range []*frameColumn{across, down} {
		if !c.text {
			c.levels, c.labels = nil, nil
			c.makeLevels()
		}
		if len(c.levels) > most {
			return fail(tooMany("the axis", c, most))
		}
	}
	m, left, err := cellsOf(across, down, of.values)
	if err != nil {
		return fail(err)
	}
	if s.Cols == nil {
		s.Cols = across.labels
	}
	if s.Rows == nil {
		s.Rows = down.labels
	}
	for _, name := range []struct {
		into *string
		is   string
	}{{&s.X, x}, {&s.Y, y}, {&s.Title, value}} {
		if *name.into == "" {
			*name.into = name.is
		}
	}
	f, err := HeatMap(m, &s)
	if err == nil && left > 0 {
		f.Note = fmt.Sprintf("%s of %s rows left out: %s or %s is missing.", format.Grouped(float64(left)), format.Grouped(float64(len(of.values))), x, y)
	}
	return f, err
}

// cellsOf returns the matrix of values by the levels of two columns, and how many rows have none.
func cellsOf(across, down *frameColumn, values []float64) (m *mat.Dense, left int, err error) {
	if len(across.levels) == 0 || len(down.levels) == 0 {
		return nil, 0, fmt.Errorf("%w: no row has both %q and %q", mlreg.ErrNoData, across.name, down.name)
	}
	m = mat.NewDense(len(down.levels), len(across.levels), nil)
	m.Apply(func(int, int, float64) float64 { return math.NaN() }, m)
	first := make(map[[2]int]int)
	for i, v := range values {
		if math.IsNaN(across.values[i]) || math.IsNaN(down.values[i]) {
			left++
			continue
		}
		at := [2]int{down.level(down.values[i]), across.level(across.values[i])}
		if before, taken := first[at]; taken {
			return nil, 0, fmt.Errorf("%w: rows %d and %d are both of %s = %s and %s = %s; make one of them, for example by frames.GroupBy(df, %q, %q).Summarise", mlreg.ErrSetting,
				before+1, i+1, across.name, across.labels[at[1]], down.name, down.labels[at[0]], across.name, down.name)
		}
		first[at] = i
		m.Set(at[0], at[1], v)
	}
	return m, left, nil
}
