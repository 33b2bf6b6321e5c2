package frames

import (
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/limit"
)

// Bind puts the rows of frames one below the other, dplyr's bind_rows and pandas' concat. Columns are
// found by their names; a column that a frame does not have is missing in its rows. A column of
// integers in one frame and of decimal numbers in another becomes one of decimal numbers; one of which
// every value is missing has the type that it has elsewhere.
//
//	df, err := frames.Bind(january, february)
//
// The error matches ErrSetting for a column of text in one frame and of numbers or truth values in
// another, and for integers beyond 2^53 beside decimal numbers, which would lose digits; it names the column
// and both frames. ErrNoRows is for no frame, ErrTooLarge for more than 2^28 values. (gota's RBind turns 1.5 below an
// integer column into 1.)
func Bind(frames ...dataframe.DataFrame) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if len(frames) == 0 {
		return none, errorf(ErrNoRows, "there is no frame to bind")
	}
	var names []string
	rows := 0
	for k, df := range frames {
		if err := checkFrame(df); err != nil {
			return none, fmt.Errorf("frame %d: %w", k+1, err)
		}
		rows += df.Nrow()
		for _, name := range df.Names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if float64(rows)*float64(len(names)) > limit.Numbers {
		return none, errorf(ErrTooLarge, "the frames together%s", tooMany(float64(rows)*float64(len(names)), "summarise them first"))
	}
	all := make([]series.Series, len(names))
	for j, name := range names {
		var parts []series.Series
		var at []int
		first := 0
		for _, df := range frames {
			if !slices.Contains(df.Names(), name) {
				at = append(at, slices.Repeat([]int{-1}, df.Nrow())...)
				continue
			}
			parts = append(parts, df.Col(name))
			for range df.Nrow() {
				at = append(at, first)
				first++
			}
		}
		s, err := stacked(name, parts)
		if err != nil {
			return none, err
		}
		all[j] = s
		if first < rows {
			all[j] = subsetWithGaps(s, at)
		}
		all[j].Name = name
	}
	return joinedFrame(all)
}

// stacked returns the values of columns one below the other, of integers and decimal numbers as the latter.
func stacked(name string, parts []series.Series) (series.Series, error) {
	blank := func(s series.Series) bool { return !slices.Contains(s.IsNaN(), false) }
	typ, of := parts[0].Type(), 0
	if k := slices.IndexFunc(parts, func(s series.Series) bool { return !blank(s) }); k >= 0 {
		typ, of = parts[k].Type(), k
	}
	for k, s := range parts {
		switch {
		case s.Type() == typ || blank(s):
		case s.Type() == series.Int && typ == series.Float:
		case s.Type() == series.Float && typ == series.Int:
			typ = series.Float
		default:
			return parts[0], errorf(ErrSetting, "column %q is of type %v, and in a frame further down (the %d. that has it) of type %v; make both the same, for example by With(\"%s = as.character(%s)\") or CSVSettings.Types",
				name, parts[of].Type(), k+1, s.Type(), nameText(name), nameText(name))
		}
	}
	out := series.New([]string{}, typ, name)
	for _, s := range parts {
		switch {
		case s.Type() != typ && blank(s):
			s = series.New(slices.Repeat([]string{"NaN"}, s.Len()), typ, name)
		case s.Type() != typ:
			for i := range s.Len() {
				if v, err := s.Elem(i).Int(); err == nil && (v > 1<<53 || v < -1<<53) {
					return out, errorf(ErrSetting, "column %q has integers beyond 2^53, such as %d, and decimal numbers in another frame, beside which they would lose digits", name, v)
				}
			}
			s = series.New(s.Float(), series.Float, name)
		}
		out.Append(s)
	}
	return out, out.Err
}
