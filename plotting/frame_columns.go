package plotting

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
)

// Up to how many different whole numbers a column is one of categories, unless told
// otherwise, and how many categories are drawn.
const (
	fewLevels  = 6
	mostLevels = 30
)

// FrameSettings are the options of HistogramGrid, ScatterMatrix and
// CorrelationMap.
type FrameSettings struct {
	// Title stands above; the default is none, and "Correlation coefficients" for
	// CorrelationMap.
	Title string
	// Columns names the columns to draw, in this order. The default is all
	// columns; ScatterMatrix and CorrelationMap skip text columns. The default
	// leaves out and names columns that cannot be drawn, such as a column without
	// values.
	Columns []string
	// Categories names number columns to treat as categories, with a bar for each
	// value. The default, nil, takes columns with at most six different values, all
	// of them whole numbers, that occur twice or more on average. Text and
	// true/false are always categories.
	Categories []string
	// Bins is the number of bins of every histogram. The default, 0, is the
	// default of Histogram, but at least log2 n + 1 rounded up (Sturges 1926, J.
	// Am. Stat. Assoc. 21, 65-66), as NumPy's rule "auto".
	Bins int
	// Color names a column that divides the rows into groups, each in its color: text,
	// true/false or numbers that are categories, with up to seven values. It is not among
	// the default Columns then, and rows without it are left out. CorrelationMap takes
	// none.
	Color string
}

// columnKinds are the columns that a figure draws.
type columnKinds int

const (
	numbers columnKinds = iota
	numbersAndDates
	allKinds
)

// frameColumn is a column of a frame to be drawn.
type frameColumn struct {
	name   string
	values []float64 // those of text are the positions of their levels; NaN is missing
	// Of categories, the values there are, ascending, and how they are written.
	levels []float64
	labels []string
	text   bool // text or true/false, hence a category whatever the settings say
	date   bool // values are days since 1970-01-01
	// Why the column cannot be drawn, empty if it can.
	why string
}

// present returns the values that are not missing.
func (c frameColumn) present() []float64 {
	return slices.DeleteFunc(slices.Clone(c.values), math.IsNaN)
}

// histogram returns the histogram of the values present.
func (c frameColumn) histogram(bins int) Histogram {
	h := Histogram{X: c.present(), Bins: bins, Color: Blue}
	if bins == 0 && slices.Min(h.X) < slices.Max(h.X) {
		sturges := math.Ceil(math.Log2(float64(len(h.X))) + 1)
		h.Bins = max(len(h.bins()), int(sturges))
	}
	return h
}

// counts returns how often every level occurs.
func (c frameColumn) counts() []float64 {
	counts := make([]float64, len(c.levels))
	for _, v := range c.present() {
		k, _ := slices.BinarySearch(c.levels, v)
		counts[k]++
	}
	return counts
}

// columns takes the columns to draw out of a frame, all that there are with the
// reasons why some cannot be drawn unless Columns names them. The error names one
// that does not exist, is text where text is not wanted, has infinite values or
// none.
func (s FrameSettings) columns(df dataframe.DataFrame, kinds columnKinds) ([]frameColumn, error) {
	if df.Err != nil {
		return nil, fmt.Errorf("the frame holds an error: %w", df.Err)
	}
	if s.Bins < 0 || s.Bins > mostBins {
		return nil, fmt.Errorf("%w: Bins = %d; at most %d", mlreg.ErrSetting, s.Bins, mostBins)
	}
	names := s.Columns
	if names == nil {
		names = s.defaultColumns(df, kinds)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%w: no columns to draw", mlreg.ErrNoData)
	}
	if df.Nrow() == 0 {
		return nil, fmt.Errorf("%w: the data frame has no rows", frames.ErrNoRows)
	}
	for _, name := range s.Categories {
		if !slices.Contains(names, name) && name != s.Color {
			return nil, fmt.Errorf("%w: category %q is not among the columns drawn", mlreg.ErrSetting, name)
		}
	}
	all := make([]frameColumn, len(names))
	for i, name := range names {
		c, err := s.column(df, name, kinds)
		switch {
		case s.Columns == nil && df.Nrow() > 0 && errors.Is(err, mlreg.ErrNoData):
			c.why = "no values"
		case err != nil:
			return nil, err
		case s.Columns == nil && len(c.levels) > mostLevels:
			c.why = fmt.Sprintf("%d categories", len(c.levels))
		}
		all[i] = c
	}
	return all, nil
}

// defaultColumns returns the names of all columns that can be drawn, but that of the
// colors.
func (s FrameSettings) defaultColumns(df dataframe.DataFrame, kinds columnKinds) []string {
	var names []string
	for i, name := range df.Names() {
		wanted := kinds == allKinds || df.Types()[i] != series.String
		if !wanted && kinds == numbersAndDates {
			_, wanted = dateColumn(df, name)
		}
		if wanted && name != s.Color {
			names = append(names, name)
		}
	}
	return names
}

// leaveOut divides columns into those that can be drawn and the others, as text.
// The error says if none can.
func leaveOut(columns []frameColumn) (drawn []frameColumn, left string, err error) {
	var reasons []string
	for _, c := range columns {
		if c.why == "" {
			drawn = append(drawn, c)
		} else {
			reasons = append(reasons, format.Line(c.name+" ("+c.why+")"))
		}
	}
	if left = strings.Join(reasons, ", "); left != "" {
		left = "left out: " + left
	}
	if len(drawn) == 0 {
		err = fmt.Errorf("%w: no columns to draw; %s", mlreg.ErrNoData, left)
	}
	return drawn, left, err
}

func (s FrameSettings) column(df dataframe.DataFrame, name string, kinds columnKinds) (frameColumn, error) {
	c := frameColumn{name: name}
	var err error
	c.values, err = frames.Floats(df, name)
	if errors.Is(err, frames.ErrNotNumeric) && kinds != numbers {
		if c.values, c.date = dateColumn(df, name); c.date {
			err = nil
		} else if kinds == allKinds {
			c.readText(df.Col(name))
			err = nil
		}
	}
	if err != nil {
		return c, err
	}
	for i, v := range c.values {
		if math.IsInf(v, 0) {
			return c, fmt.Errorf("%w: column %q is %v in row %d", mlreg.ErrNotFinite, name, v, i+1)
		}
	}
	present := c.present()
	if len(present) == 0 {
		return c, fmt.Errorf("%w: column %q has no values", mlreg.ErrNoData, name)
	}
	if c.labels != nil || c.date {
		return c, nil
	}
	slices.Sort(present)
	levels := slices.Compact(slices.Clone(present))
	truth := df.Col(name).Type() == series.Bool
	c.text = truth
	category := truth || slices.Contains(s.Categories, name)
	if s.Categories == nil {
		whole := !slices.ContainsFunc(levels, func(v float64) bool { return v != math.Trunc(v) })
		category = truth || whole && len(levels) <= fewLevels && 2*len(levels) <= len(present)
	}
	if category {
		c.levels = levels
		for _, v := range levels {
			label := format.Number(v, 6)
			if truth {
				label = map[float64]string{0: "false", 1: "true"}[v]
			}
			c.labels = append(c.labels, label)
		}
	}
	return c, nil
}

// readText makes the levels of a column of text, in byte order.
func (c *frameColumn) readText(s series.Series) {
	records, missing := s.Records(), s.IsNaN()
	for i, r := range records {
		if !missing[i] {
			c.labels = append(c.labels, r)
		}
	}
	slices.Sort(c.labels)
	c.labels = slices.Compact(c.labels)
	c.text, c.levels = true, Range(0, float64(len(c.labels)-1), len(c.labels))
	c.values = make([]float64, len(records))
	for i, r := range records {
		k, _ := slices.BinarySearch(c.labels, r)
		c.values[i] = float64(k)
		if missing[i] {
			c.values[i] = math.NaN()
		}
	}
}

// shorten returns the label of a category, on one line and cut after 20
// characters.
func shorten(label string) string {
	const most = 20
	r := []rune(format.Line(label))
	if len(r) > most {
		return strings.TrimSpace(string(r[:most-1])) + "…"
	}
	return string(r)
}
