package frames

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/mlreg"
)

// CutSettings are the options of Cut.
type CutSettings struct {
	// Name names the new column; the default is that of the column with _cut.
	Name string
	// Labels name the intervals; the default is (low,high].
	Labels []string
	// LeftClosed takes intervals [low,high) instead of (low,high].
	LeftClosed bool
	// Lowest closes the outermost interval on both sides, R's include.lowest.
	Lowest bool
	// Groups takes quantiles of the column as breaks, which make this many groups
	// of about the same size, and sets Lowest; no other breaks are given then.
	Groups int
	// OutsideMissing makes values outside of all intervals missing, as R does; by
	// default they are an error.
	OutsideMissing bool
}

// Cut returns the frame with a column that says between which breaks the numbers
// of another are, R's cut: text such as (18,65]. Nil settings are the defaults.
//
//	df, err := frames.Cut(df, "age", []float64{0, 18, 65, math.Inf(1)}, nil)
//	df, err := frames.Cut(df, "income", nil, &frames.CutSettings{Groups: 4})
//
// Labels have three digits, as R's, or as many as whole numbers have and as tell
// the breaks apart. Intervals are sorted by their limits where they are levels, keys
// or groups; labels of your own are texts, whose order factor(a, levels = c(...))
// sets. A missing value is missing.
//
// The error matches ErrNotNumeric or ErrNoColumn, and ErrSetting for breaks that do
// not rise, or with the first value outside of them.
func Cut(df dataframe.DataFrame, column string, breaks []float64, settings *CutSettings) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	s := CutSettings{}
	if settings != nil {
		s = *settings
	}
	if _, err := onFrame(df); err != nil {
		return none, err
	}
	c, err := copyColumn(df, column)
	if err != nil {
		return none, err
	}
	x, err := c.numbers()
	if err != nil {
		return none, err
	}
	if s.Groups != 0 {
		if breaks, err = s.quantiles(x, breaks); err != nil {
			return none, err
		}
		s.Lowest = true
	}
	labels, err := s.labels(breaks)
	if err != nil {
		return none, err
	}
	s.Name = cmp.Or(s.Name, column+"_cut")
	out := textColumn(s.Name, make([]string, len(x)))
	for i, v := range x {
		_, low := c.value(i)
		k := s.interval(v, low, breaks)
		switch {
		case k >= 0:
			out.text[i] = labels[k]
		case math.IsNaN(v) || s.OutsideMissing:
			out.missing[i] = true
		default:
			return none, errorf(ErrSetting, "%s = %s in row %d is outside of the breaks %s to %s; add breaks such as math.Inf(1), or set OutsideMissing",
				nameText(column), c.at(i), i+1, formatNumber(breaks[0]), formatNumber(breaks[len(breaks)-1]))
		}
	}
	df = df.Mutate(out.series(s.Name))
	return df, df.Err
}

// interval returns the interval that has v + low, -1 if there is none.
func (s *CutSettings) interval(v, low float64, breaks []float64) int {
	last := len(breaks) - 1
	k, found := slices.BinarySearch(breaks, v)
	if found && low != 0 { // v was rounded to the break
		if found = false; low > 0 {
			k++
		}
	}
	switch {
	case math.IsNaN(v):
		return -1
	case s.Groups > 0 && !found: // of quantiles, which are rounded
		return min(max(k-1, 0), last-1)
	case found && s.Lowest && k == 0:
		return 0
	case found && s.Lowest && k == last:
		return last - 1
	case found && s.LeftClosed && k < last:
		return k
	case found && s.LeftClosed:
		return -1
	case k == 0 || k > last:
		return -1
	}
	return k - 1
}

// quantiles returns the breaks of groups of about the same size.
func (s *CutSettings) quantiles(x, breaks []float64) ([]float64, error) {
	if breaks != nil || s.Groups < 2 {
		return nil, errorf(ErrSetting, "Groups = %d with %d breaks; give at least 2 groups and no breaks", s.Groups, len(breaks))
	}
	x = slices.DeleteFunc(slices.Clone(x), math.IsNaN)
	if len(x) == 0 {
		return nil, errorf(ErrNoRows, "the column to cut has no values")
	}
	slices.Sort(x)
	for k := range s.Groups + 1 {
		breaks = append(breaks, mlreg.SampleQuantile(x, float64(k)/float64(s.Groups)))
	}
	for k, b := range breaks[1:] {
		if b == breaks[k] {
			return nil, errorf(ErrSetting, "%d groups of the same size cannot be made: too many values are %s", s.Groups, formatNumber(b))
		}
	}
	return breaks, nil
}

// labels checks the breaks and names the intervals between them.
func (s *CutSettings) labels(breaks []float64) ([]string, error) {
	if len(breaks) < 2 {
		return nil, errorf(ErrSetting, "%d breaks make no interval; give two or more, or Groups", len(breaks))
	}
	for k, b := range breaks[1:] {
		if !(b > breaks[k]) {
			return nil, errorf(ErrSetting, "break %d is %s and break %d is %s; breaks rise", k+1, formatNumber(breaks[k]), k+2, formatNumber(b))
		}
	}
	n := len(breaks) - 1
	if s.Labels != nil {
		if len(s.Labels) != n {
			return nil, errorf(ErrSetting, "%d labels for %d intervals", len(s.Labels), n)
		}
		return s.Labels, nil
	}
	limits := shortLimits(breaks)
	labels := make([]string, n)
	for k := range labels {
		open, end := "(", "]"
		if s.LeftClosed {
			open, end = "[", ")"
		}
		if s.Lowest && k == 0 {
			open = "["
		}
		if s.Lowest && k == n-1 {
			end = "]"
		}
		labels[k] = fmt.Sprintf("%s%s,%s%s", open, limits[k], limits[k+1], end)
	}
	return labels, nil
}

// shortLimits writes breaks with three digits, or as many as tell them apart;
// whole numbers in full.
func shortLimits(breaks []float64) []string {
	texts := make([]string, len(breaks))
	for digits := 3; digits <= 17; digits++ {
		for k, b := range breaks {
			texts[k] = strings.TrimPrefix(formatNumber(b), "+") // of infinity
			if b != math.Trunc(b) {
				if short, err := strconv.ParseFloat(strconv.FormatFloat(b, 'g', digits, 64), 64); err == nil {
					texts[k] = formatNumber(short)
				}
			}
		}
		if distinct := slices.Compact(slices.Clone(texts)); len(distinct) == len(breaks) {
			break
		}
	}
	return texts
}
