package plotting

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Marks are what Chart draws. They are joined by |:
//
//	plotting.AsPoints | plotting.AsLinear
type Marks uint

// Of two columns of numbers.
const (
	// AsPoints draws a point for every row.
	AsPoints Marks = 1 << iota
	// AsLines joins the rows of every group in the order of x. The line has a gap where
	// y is missing.
	AsLines
	// AsLinear draws the least-squares line of every group with the confidence band of
	// its mean. It needs three different x.
	AsLinear
	// AsSmooth draws a smooth curve through every group with the confidence band of its
	// mean: at every x, a line fitted to the nearest points, a share Span of all, with
	// weights (1 - (distance / largest distance)^3)^3. It is R's loess of degree 1; it
	// has no robust steps, for which no band is known. It needs four different x. From
	// 1,000 rows on, residuals and leverages are those of a curve between 201 places.
	AsSmooth
)

// Of one column.
const (
	// AsHistogram draws the counts of a column of numbers in bins, those of groups on
	// each other.
	AsHistogram Marks = 1 << (iota + 4)
	// AsDensity draws a smooth density of a column of numbers for every group,
	//
	//	f(x) = 1/(n h) sum of phi((x - x_i)/h),
	//
	// with the density phi of the normal distribution and the Bandwidth h. It needs two
	// different values.
	AsDensity
	// AsBars draws bars of the numbers of rows of every category, or, of two columns, of
	// the mean of y with its limits (see AsMeans).
	AsBars
)

// Of a column of numbers over categories; groups stand side by side.
const (
	// AsMeans draws the mean of y as a point, with its confidence limits: those of
	// Student's t, or, if y is 0 and 1 or true and false, those of Wilson (1927) for a
	// share. A group of one row has none.
	AsMeans Marks = 1 << (iota + 7)
	// AsBoxes draws box plots: the median, hinges, whiskers to the last values within
	// 1.5 box heights of the box, and the values beyond; R's boxplot.
	AsBoxes
	// AsStrip draws a point for every row, spread across the width of its category. From
	// 5,000 rows in a panel on, it draws bins, darker where there are more.
	AsStrip
)

// markNames are how marks are written.
var markNames = []string{"points", "lines", "least-squares line", "smooth curve", "histogram", "density", "bars", "means", "boxes", "strip"}

// String returns the names of the marks: "points and smooth curve".
func (m Marks) String() string {
	var names []string
	for k, name := range markNames {
		if m&(1<<k) != 0 {
			names = append(names, name)
		}
	}
	if rest := m >> len(markNames); rest != 0 || m == 0 {
		names = append(names, fmt.Sprintf("Marks(%d)", uint(m)))
	}
	return strings.Join(names, " and ")
}

// ChartSettings are the options of Chart.
type ChartSettings struct {
	// Labels are the title and the names of the axes. The defaults are none, and the
	// names of the columns.
	Labels
	// Marks is what is drawn. The default, 0, is AsPoints for two columns of numbers,
	// AsLines if x are dates, AsBoxes if x are categories; for one column it is
	// AsHistogram of numbers and AsBars of categories.
	Marks Marks
	// Color names a column that divides the rows into groups, each in its color: of
	// text, of true/false, or of numbers with few different values. A column of other
	// numbers gives every point a color between pale and dark.
	Color string
	// LogX and LogY make the axis logarithmic. Lines, bins and means are then those of logarithms, as in
	// ggplot2: a line is y = a x^b of both, and AsMeans draws geometric means. Values must be positive.
	LogX, LogY bool
	// Panels names a column with a panel for each of its values.
	Panels string
	// PanelColumns is the number of panels in a row. The default, 0, is four at most.
	PanelColumns int
	// Categories name columns of numbers to treat as categories. The default, nil, takes
	// columns with at most six different values that occur twice or more on average; on
	// the horizontal axis of one column, they must be whole numbers. Text and true/false
	// are always categories.
	Categories []string
	// Level is the level of limits and bands; the default, 0, is 0.95.
	Level float64
	// Span is the share of the rows of a group that AsSmooth fits each line to; the
	// default, 0, is 2/3.
	Span float64
	// Bins is the number of bins of a histogram; the default, 0, is that of
	// HistogramGrid.
	Bins int
	// Bandwidth is the standard deviation of the kernel of AsDensity; the default, 0, is
	// 0.9 n^(-1/5) min(sd, IQR/1.34) for each group (Silverman 1986, Density Estimation,
	// eq. 3.31).
	Bandwidth float64
}

// Chart draws one or two columns of a frame, in groups of colors and in panels if
// asked. y is empty for a chart of one column.
//
//	plotting.Show(plotting.Chart(df, "wt", "mpg", nil))
//	plotting.Show(plotting.Chart(df, "mpg", "", &plotting.ChartSettings{Marks: plotting.AsDensity}))
//	plotting.Show(plotting.Chart(df, "wt", "mpg", &plotting.ChartSettings{
//		Marks: plotting.AsPoints | plotting.AsLinear, Color: "cyl", Panels: "gear"}))
//
// Rows with a missing value in one of the columns are left out, and a note below the
// figure counts them. The legend stands beside the data. Panels have common axes, and
// are in the order of the values: numbers by size, texts in byte order. Points are the
// more transparent the more there are; from 5,000 in a panel on, hexagons show how many
// lie where, and with Color, which group has the most, unless Marks is AsPoints. Columns of dates, as frames.Dates
// takes them, have an axis of dates.
//
// Nil settings are the defaults. Errors: those of frames.Floats for a column that does
// not exist; mlreg.ErrNoData if no row is complete; mlreg.ErrNotFinite for infinite
// values; mlreg.ErrSetting for marks that do not suit the columns or each other, more
// than seven groups, more than thirty panels, and numbers that are out of range.
func Chart(df dataframe.DataFrame, x, y string, settings *ChartSettings) (_ *Figure, err error) {
	defer check.Named("chart of "+format.Line(strings.Join(given(x, y), " and ")), &err)
	c := &chart{s: check.OrDefaults(settings), untrended: map[Marks]int{}}
	if err := c.s.check(); err != nil {
		return nil, err
	}
	if err := c.read(df, x, y); err != nil {
		return nil, err
	}
	if err := c.takeLogs(); err != nil {
		return nil, err
	}
	of, err := c.choose()
	if err != nil {
		return nil, err
	}
	if err := c.suitsLogs(of); err != nil {
		return nil, err
	}
	if err := c.group(); err != nil {
		return nil, err
	}
	if c.shade != nil && c.s.Marks&AsPoints == 0 {
		if c.color.makeLevels(); len(c.color.levels) > mostColors {
			return nil, tooMany("Color", c.color, mostColors)
		}
		c.shade, c.groups = nil, c.color.groups() // no marks have shades
	}
	if err := c.split(); err != nil {
		return nil, err
	}
	return c.draw(of)
}

// check completes the settings by their defaults. The error names one that is out of
// range.
func (s *ChartSettings) check() error {
	s.Level = cmp.Or(s.Level, 0.95)
	s.Span = cmp.Or(s.Span, defaultSpan)
	switch {
	case !(s.Level > 0 && s.Level < 1):
		return fmt.Errorf("%w: Level = %v; it is between 0 and 1", mlreg.ErrSetting, s.Level)
	case !(s.Span > 0 && s.Span <= 1):
		return fmt.Errorf("%w: Span = %v; it is the share of the points that each line is fitted to, between 0 and 1", mlreg.ErrSetting, s.Span)
	case s.Bins < 0 || s.Bins > mostBins:
		return fmt.Errorf("%w: Bins = %d; at most %d", mlreg.ErrSetting, s.Bins, mostBins)
	case !(s.Bandwidth >= 0) || math.IsInf(s.Bandwidth, 1):
		return fmt.Errorf("%w: Bandwidth = %v", mlreg.ErrSetting, s.Bandwidth)
	case s.PanelColumns < 0:
		return fmt.Errorf("%w: PanelColumns = %d", mlreg.ErrSetting, s.PanelColumns)
	}
	return nil
}
