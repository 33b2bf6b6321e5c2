package frames

import (
	"math"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/format"
)

// inputs are the columns that a fit is a function of, in the rows of a frame that are
// complete in them, and in the response if the frame has it.
type inputs struct {
	names  []string
	cols   map[string]*column
	levels map[string][]string // of those that are classes
	texts  []string            // those that only words() takes
	coded  *codedRows
	means  map[string]float64 // of the columns whose mean was asked for
}

func inputsOf(fit Coded, df dataframe.DataFrame) (*inputs, error) {
	r, err := rowsFor(fit, df, responseToo)
	if err != nil {
		return nil, err
	}
	if r.design == nil {
		return nil, errorf(ErrNoRows, "none of the %d rows is complete", r.n)
	}
	in := &inputs{cols: make(map[string]*column), levels: make(map[string][]string), coded: r}
	if err := in.find(fit); err != nil {
		return nil, err
	}
	in.names = slices.DeleteFunc(in.names, func(name string) bool { return !slices.Contains(df.Names(), name) }) // pi, T, F
	for _, name := range in.names {
		all, err := copyColumn(df, name)
		if err != nil {
			return nil, err
		}
		c := blank(all.typ, len(r.rows))
		c.name = name
		for k, row := range r.rows {
			c.take(k, all, row)
		}
		in.cols[name] = c
		if in.levels[name] == nil && (c.typ == series.String || c.typ == series.Bool) {
			in.levels[name] = c.levels(nil)
		}
	}
	return in, nil
}

// find finds the names of the columns, and the levels of those that the fit takes for
// factors.
func (in *inputs) find(fit Coded) error {
	if fit.Coding() == nil {
		in.names = fitTerms(fit)
		return nil
	}
	t, err := codedTerms(fit)
	if err != nil {
		return err
	}
	if t.Absorb != "" {
		return errorf(ErrSetting, "effects are averages over the levels of factors, and %q is absorbed; its effects are fit.Effects(), and those of the terms their coefficients, or write it among the terms", t.Absorb)
	}
	for _, v := range t.Variables {
		n, err := parseTree(v.Text)
		if err != nil {
			return err
		}
		for _, name := range columnNames(n) {
			if !slices.Contains(in.names, name) {
				in.names = append(in.names, name)
				if v.Words != nil {
					in.texts = append(in.texts, name)
				}
			} else if v.Words == nil {
				in.texts = slices.DeleteFunc(in.texts, func(text string) bool { return text == name })
			}
		}
		if name := factorColumn(v.Text, n); v.Levels != nil && name != "" && in.levels[name] == nil {
			in.levels[name] = v.Levels
		}
	}
	for _, text := range t.Offsets {
		n, err := parseTree(text)
		if err != nil {
			return err
		}
		for _, name := range columnNames(n) {
			if !slices.Contains(in.names, name) {
				in.names = append(in.names, name)
			}
		}
	}
	return nil
}

// factorColumn returns the column whose levels are those of a factor, "" if the factor
// is of something computed.
func factorColumn(src string, n node) string {
	if f, ok := n.(*call); ok && isFactorCall(f) {
		o, err := factorArgs(src, f)
		if err != nil {
			return ""
		}
		n = o.args["x"]
	}
	if col, ok := stripped(n).(*name); ok {
		return col.name
	}
	return ""
}

// inputValue is a value of a column: a number, with what rounding took from it, or a text.
type inputValue struct {
	num, low float64
	text     string
}

// level returns a level of a column as its value.
func (in *inputs) level(name, level string) (inputValue, error) {
	switch c := in.cols[name]; c.typ {
	case series.String:
		return inputValue{text: level}, nil
	case series.Bool:
		return inputValue{num: indicator(level == "TRUE")}, nil
	}
	if num, low, ok := table.SplitText(level); ok {
		return inputValue{num: num, low: low}, nil
	}
	v, err := strconv.ParseFloat(level, 64)
	if err != nil {
		return inputValue{}, errorf(ErrLevel, "column %q has numbers, and the level %q is none", name, level)
	}
	return inputValue{num: v}, nil
}

// Held says at which value a column is held.
type Held struct {
	Column, Value string
	// Rule is "mean", "most frequent level" or "given".
	Rule string
}

// hold returns values of the columns other than those that vary: those given, else the
// mean of a number and the most frequent level of a factor, the first of several.
func (in *inputs) hold(given map[string]any, varies ...string) (map[string]inputValue, []Held, error) {
	for name := range given {
		if !slices.Contains(in.names, name) {
			return nil, nil, errorf(ErrNoColumn, "At has %q, which the fit does not have%s", name, suggest(name, in.names))
		}
		if slices.Contains(varies, name) {
			return nil, nil, errorf(ErrSetting, "At has %q, which varies", name)
		}
	}
	values := make(map[string]inputValue)
	var held []Held
	for _, name := range in.names {
		if slices.Contains(varies, name) {
			continue
		}
		h := Held{Column: name, Rule: "given"}
		v, ok := given[name]
		levels := in.levels[name]
		var err error
		switch {
		case ok && levels != nil:
			if h.Value, err = in.givenLevel(name, v); err == nil {
				values[name], err = in.level(name, h.Value)
			}
		case ok:
			var x float64
			x, err = givenNumber(name, v)
			values[name], h.Value = inputValue{num: x}, format.Number(x, format.Digits)
		case levels != nil:
			h.Value, h.Rule = in.mostFrequent(name), "most frequent level"
			values[name], err = in.level(name, h.Value)
		default:
			x := in.mean(name)
			values[name], h.Value, h.Rule = inputValue{num: x}, format.Number(x, format.Digits), "mean"
		}
		if err != nil {
			return nil, nil, err
		}
		held = append(held, h)
	}
	return values, held, nil
}

// givenNumber returns a value given for a column of numbers.
func givenNumber(name string, v any) (float64, error) {
	x := math.NaN()
	switch v := v.(type) {
	case float64:
		x = v
	case int:
		x = float64(v)
	}
	if x-x != 0 {
		return 0, errorf(ErrSetting, "At has %v for %q, which is a column of numbers", v, name)
	}
	return x, nil
}

// givenLevel returns a value given for a factor as one of its levels.
func (in *inputs) givenLevel(name string, v any) (string, error) {
	level := valueText(v)
	if !slices.Contains(in.levels[name], level) {
		return "", errorf(ErrLevel, "At has the level %q of %q%s", level, name, suggest(level, in.levels[name]))
	}
	return level, nil
}

func (in *inputs) mean(name string) float64 {
	if mean, ok := in.means[name]; ok {
		return mean
	}
	x := in.cols[name].num
	mean := stat.Mean(x, nil)
	mean += stat.MomentAbout(1, x, mean, nil) // what rounding left
	if in.means == nil {
		in.means = make(map[string]float64)
	}
	in.means[name] = mean
	return mean
}

func (in *inputs) mostFrequent(name string) string {
	count := make(map[string]int)
	for i := range in.coded.rows {
		count[in.cols[name].at(i)]++
	}
	best := in.levels[name][0]
	for _, level := range in.levels[name] {
		if count[level] > count[best] {
			best = level
		}
	}
	return best
}

// grid returns a frame of n rows: some columns vary, the others are held.
func (in *inputs) grid(n int, held map[string]inputValue, varying map[string][]inputValue) dataframe.DataFrame {
	all := make([]series.Series, len(in.names))
	for j, name := range in.names {
		typ := in.cols[name].typ
		if typ == series.Int {
			typ = series.Float
		}
		c := blank(typ, n)
		for i := range n {
			v := held[name]
			if values := varying[name]; values != nil {
				v = values[i]
			}
			if typ == series.String {
				c.text[i] = v.text
			} else {
				c.set(i, v.num, v.low)
			}
		}
		all[j] = c.series(name)
	}
	if len(all) == 0 { // the model of the mean
		return dataframe.New(series.New(make([]float64, n), series.Float, "row"))
	}
	return dataframe.New(all...)
}

// values returns the values of a column in the rows.
func (in *inputs) values(name string) []inputValue {
	c := in.cols[name]
	out := make([]inputValue, len(in.coded.rows))
	for i := range out {
		if c.typ == series.String {
			out[i].text = c.text[i]
		} else {
			out[i].num, out[i].low = c.value(i)
		}
	}
	return out
}

// known returns an error for a column that the fit does not have.
func (in *inputs) known(what, name string) error {
	switch {
	case !slices.Contains(in.names, name):
		return errorf(ErrNoColumn, "%s: the fit has no column %q%s", what, name, suggest(name, in.names))
	case slices.Contains(in.texts, name):
		return errorf(ErrSetting, "%s: column %q is a text whose words are counted", what, name)
	}
	return nil
}
