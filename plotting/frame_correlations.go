package plotting

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/plot/vg"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// CorrelationMap draws the coefficients of correlation of the columns of numbers
// of a frame (Pearson's) as a heat map with a color bar from -1 to 1:
//
//	plotting.Show(plotting.CorrelationMap(df, nil))
//
// Rows with a missing value in a drawn column are left out; a line below counts
// them. Columns without values or without variance are left out and named below,
// unless Columns lists them. Nil settings are the defaults. The error names a
// column that does not exist, is text, has no values or infinite ones, or does not
// vary (mlreg.ErrConstant).
func CorrelationMap(df dataframe.DataFrame, settings *FrameSettings) (_ *Figure, err error) {
	defer check.Named("correlations", &err)
	s := check.OrDefaults(settings)
	s.Title = cmp.Or(s.Title, "Correlation coefficients")
	if s.Color != "" {
		return nil, fmt.Errorf("%w: Color = %q; correlations have no groups", mlreg.ErrSetting, s.Color)
	}
	columns, err := s.columns(df, numbers)
	if err != nil {
		return nil, err
	}
	if s.Columns == nil {
		for j := range columns {
			if c := &columns[j]; c.why == "" && slices.Min(c.present()) == slices.Max(c.present()) {
				c.why = "constant"
			}
		}
	}
	columns, without, err := leaveOut(columns)
	if err != nil {
		return nil, err
	}
	r, rows, err := correlations(columns)
	if err != nil {
		return nil, err
	}
	names := format.Each(columns, func(c frameColumn) string { return c.name })
	labels := Labels{Title: s.Title}
	if left := df.Nrow() - rows; left > 0 {
		labels.X = fmt.Sprintf("%s; %d left out for missing values", check.Plural(rows, "row"), left)
	}
	if without != "" {
		labels.X = strings.TrimPrefix(labels.X+"\n"+without, "\n")
	}
	f, err := HeatMap(r, &HeatMapSettings{Labels: labels, Rows: names, Cols: names, Min: -1, Max: 1})
	if err != nil {
		return nil, err
	}
	f.Width, f.Height = 6.6, 5.2
	uprightIfWide(f.Panels[0][0], names, 4.9*vg.Inch)
	f.Alt = s.Title + ": heat map of " + check.Plural(len(names), "column") + ", " + check.Plural(rows, "row") + strongest(r, names)
	if without != "" {
		f.Alt += "; " + without
	}
	return f, nil
}

// correlations returns the coefficients of the rows that are complete, and their
// number.
func correlations(columns []frameColumn) (*mat.SymDense, int, error) {
	var data []float64
	rows := 0
	for i := range columns[0].values {
		row := make([]float64, len(columns))
		complete := true
		for j, c := range columns {
			row[j] = c.values[i]
			complete = complete && !math.IsNaN(row[j])
		}
		if complete {
			data = append(data, row...)
			rows++
		}
	}
	if rows < 2 {
		return nil, 0, fmt.Errorf("%w: %s without a missing value; leave columns out", mlreg.ErrNoData, check.Plural(rows, "row"))
	}
	x := mat.NewDense(rows, len(columns), data)
	for j, c := range columns {
		if v := x.ColView(j); mat.Max(v) == mat.Min(v) {
			return nil, 0, fmt.Errorf("%w: column %q is %v in all %s; leave it out of Columns",
				mlreg.ErrConstant, c.name, v.AtVec(0), check.Plural(rows, "row"))
		}
	}
	var r mat.SymDense
	stat.CorrelationMatrix(&r, x, nil)
	return &r, rows, nil
}

// strongest says which two columns have the largest correlation.
func strongest(r *mat.SymDense, names []string) string {
	var first, second int
	for i := range names {
		for j := range i {
			if first == second || math.Abs(r.At(i, j)) > math.Abs(r.At(first, second)) {
				first, second = j, i
			}
		}
	}
	if first == second {
		return ""
	}
	return fmt.Sprintf("; the strongest is %s between %s and %s", format.Decimal(r.At(first, second), 2), names[first], names[second])
}
