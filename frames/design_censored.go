package frames

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// Censored makes numbers of text columns in which a laboratory has written limits: "<0.5" for a value
// below what it can measure, ">200" for one above. Each column becomes one of numbers, in which a limit
// stands for the value, and gets a column behind all others that says which they are, of its name with
// _censored: "below", "above", and "no" for a value that was measured.
//
//	lab, err := frames.Censored(df, "crp")
//	lab, err = frames.With(lab, `crp = ifelse(crp_censored == "below", crp/2, crp)`)
//
// The signs are <, <=, ≤, >, >= and ≥, with or without blanks behind. A column of numbers stays, and all
// of it is "no". Missing values stay missing, in both columns. The error names the first cell that is
// neither a number nor a limit (ErrNotNumeric), a column that does not exist (ErrNoColumn), and a name of a
// new column that is taken (ErrSetting).
func Censored(df dataframe.DataFrame, columns ...string) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	e, err := onFrame(df)
	if err != nil {
		return none, err
	}
	if len(columns) == 0 {
		return none, errorf(ErrSetting, "no column is named; Censored(df, \"crp\") reads the limits of one")
	}
	numbers := make(map[string]*column)
	var signs []*column
	for _, name := range columns {
		c, err := e.named(name)
		if err != nil {
			return none, err
		}
		if e.has(name+"_censored") || numbers[name] != nil {
			return none, errorf(ErrSetting, "there is a column %q already", name+"_censored")
		}
		number, sign, err := c.limits()
		if err != nil {
			return none, err
		}
		numbers[name], signs = number, append(signs, sign)
	}
	var all []series.Series
	for _, name := range df.Names() {
		s := e.frame().series[name]
		if c := numbers[name]; c != nil && e.cols[name].typ == series.String {
			s = c.series(name)
		}
		all = append(all, s)
	}
	for _, sign := range signs {
		all = append(all, sign.series(sign.name))
	}
	return joinedFrame(all)
}

// limits returns the numbers of a column, and which of them are limits.
func (c *column) limits() (numbers, signs *column, err error) {
	signs = blank(series.String, len(c.missing))
	signs.name = c.name + "_censored"
	if c.typ != series.String {
		for i, m := range c.missing {
			signs.text[i], signs.missing[i] = "no", m
		}
		return c, signs, nil
	}
	numbers = blank(series.Float, len(c.missing))
	for i, cell := range c.text {
		if c.missing[i] || strings.TrimSpace(cell) == "" {
			numbers.num[i], numbers.missing[i], signs.missing[i] = math.NaN(), true, true
			continue
		}
		sign, rest := signOf(strings.TrimSpace(cell))
		v, ok := dotted.number(rest)
		if !ok {
			return nil, nil, errorf(ErrNotNumeric, "column %q has %q in row %d, which is neither a number nor a limit such as <0.5%s", c.name, cell, i+1, commaAdvice(rest, c.name))
		}
		numbers.num[i], signs.text[i] = v, sign
	}
	return numbers, signs, nil
}

// signOf cuts the sign of a limit off a cell.
func signOf(cell string) (sign, rest string) {
	for _, prefix := range []struct{ mark, sign string }{{"<=", "below"}, {"≤", "below"}, {"<", "below"}, {">=", "above"}, {"≥", "above"}, {">", "above"}} {
		if rest, ok := strings.CutPrefix(cell, prefix.mark); ok {
			return prefix.sign, strings.TrimSpace(rest)
		}
	}
	return "no", cell
}

func commaAdvice(cell, name string) string {
	if !otherMarks(cell) {
		return ""
	}
	return fmt.Sprintf("; With(df, `%s = gsub(\",\", \".\", %s)`) makes points of decimal commas", nameText(name), nameText(name))
}
