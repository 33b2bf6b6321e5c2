package frames

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames/internal/table"
)

// column is a copy of one column of a frame: numbers, with NaN where a value
// is missing, or text.
type column struct {
	name    string
	typ     series.Type
	num     []float64 // of a column of numbers or of true/false (1 and 0)
	low     []float64 // what rounding to num took from whole numbers beyond 2^53; nil if nothing
	whole   bool      // numbers of another type that are known to be whole
	text    []string  // of a column of text
	missing []bool
	count   int // of missing values
	// complete says that no value is missing and that missing is shared: never
	// written.
	complete  bool
	scalar    bool // a constant: one value for all rows
	temporary bool // num belongs to the expression that computes it, and may be overwritten

	days     []float64 // of dates, see dates; nil if not read yet
	notDates bool
	computed bool // by With: it is not in the frame

	note  string // of a source: why a column that looks like numbers is text
	first int    // of a source: the rows before those of the block
}

// checkFrame returns the error that a frame carries, or an error if it has no
// rows.
func checkFrame(df dataframe.DataFrame) error {
	switch {
	case df.Err != nil:
		return fmt.Errorf("frames: the data frame carries an error: %w", df.Err)
	case df.Ncol() == 0:
		return errorf(ErrNoRows, "the data frame has no columns")
	case df.Nrow() == 0:
		return errorf(ErrNoRows, "the data frame has no rows")
	}
	return nil
}

// copyColumn copies a column out of a frame.
func copyColumn(df dataframe.DataFrame, name string) (*column, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	return columnOf(df, columnsByReference(df), name)
}

// columnOf copies one of the columns of a frame, which are given by name.
func columnOf(df dataframe.DataFrame, columns map[string]series.Series, name string) (*column, error) {
	s, ok := columns[name]
	if !ok {
		return nil, errorf(ErrNoColumn, "no column %q in the data%s", name, suggest(name, df.Names()))
	}
	return readColumn(name, s), nil
}

// nameSet returns names as a set.
func nameSet(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[name] = true
	}
	return set
}

// readColumn copies the values out of a series.
func readColumn(name string, s series.Series) *column {
	n := s.Len()
	if s.Type() != series.String {
		num := make([]float64, n)
		inParts(n, func(from, to int) {
			for i := from; i < to; i++ {
				num[i] = s.Elem(i).Float()
			}
		})
		c := numbersColumn(name, s.Type(), num)
		if s.Type() == series.Int && slices.ContainsFunc(num, beyond) {
			c.lowFrom(s, 0)
		}
		return c
	}
	c := &column{name: name, typ: s.Type(), text: make([]string, n), missing: make([]bool, n)}
	inParts(n, func(from, to int) {
		for i := from; i < to; i++ {
			value := s.Elem(i)
			c.text[i], c.missing[i] = value.String(), value.IsNA()
		}
	})
	c.count = countTrue(c.missing)
	return c
}

// at returns the value in a row as text: a number in full, TRUE or FALSE.
func (c *column) at(row int) string {
	switch {
	case c.missing[row]:
		return "NA"
	case c.typ == series.String:
		return c.text[row]
	case c.typ == series.Bool:
		return truthText(c.num[row] != 0)
	}
	return exactText(c.value(row))
}

// notNumeric describes the first cell of a text column that is not a number.
func (c *column) notNumeric() string {
	if c.note != "" {
		return fmt.Sprintf("column %q is %s", c.name, c.note)
	}
	if len(c.text) == 0 {
		return fmt.Sprintf("column %q is text, not numbers", c.name)
	}
	row, numbers, marked := c.firstText()
	if _, dates := c.dates(); dates {
		return fmt.Sprintf("column %q has dates; Dates returns them, and With makes numbers of them, such as \"days = 1*%s\"", c.name, nameText(c.name))
	}
	var units unitCounts
	for i, cell := range c.text {
		if !c.missing[i] {
			units.add(c.first+i+1, cell)
		}
	}
	if note := units.note(len(c.text) - c.count); note != "" {
		return fmt.Sprintf("column %q is %s", c.name, note)
	}
	switch {
	case row < 0:
		return fmt.Sprintf("column %q is text, though its cells are numbers; read it as numbers", c.name)
	case marked:
		return fmt.Sprintf("column %q is text: row %d has %q; if these are numbers, read the file with Decimal or Thousands set",
			c.name, c.first+row+1, c.text[row])
	}
	if mostly(numbers, len(c.text)-c.count) {
		return fmt.Sprintf("column %q is %s", c.name, textAmongNumbers(numbers, len(c.text)-c.count, c.first+row+1, c.text[row]))
	}
	return fmt.Sprintf("column %q is text, not numbers: row %d has %q", c.name, c.first+row+1, c.text[row])
}

// textAmongNumbers says what makes text of a column of which most values are numbers, and why an empty cell is
// no missing value.
func textAmongNumbers(numbers, values, row int, cell string) string {
	what := fmt.Sprintf("text, though %d of its %d values are numbers: row %d has %q", numbers, values, row, cell)
	if cell == "" {
		what += ", which CSVSettings.NA does not list; append(frames.DefaultNA, ...) does"
	}
	return what
}

// firstText returns the first row of a text column whose cell is not a number,
// -1 if there is none, and how many cells are numbers. Cells such as 2,5 count
// as numbers here. If all cells are numbers, it returns the first row with such
// a cell, and marked is true.
func (c *column) firstText() (row, numbers int, marked bool) {
	row, other := -1, -1
	for i, cell := range c.text {
		if c.missing[i] {
			continue
		}
		if _, ok := dotted.number(cell); ok {
			numbers++
		} else if otherMarks(cell) {
			numbers++
			if other < 0 {
				other = i
			}
		} else if row < 0 {
			row = i
		}
	}
	if row < 0 {
		return other, numbers, other >= 0
	}
	return row, numbers, false
}

// mostly reports whether most values are numbers: the text column is then
// likely a column of numbers with a slip in it.
func mostly(numbers, values int) bool { return 2*numbers >= values }

// Floats returns a copy of a column of numbers; true and false are 1 and 0,
// and NaN stands for a missing value. Integers beyond 2^53 are rounded to the nearest
// float64, as everywhere that numbers are computed with. The error matches ErrNoColumn, with the
// nearest name, or ErrNotNumeric, with the first row that is not a number.
func Floats(df dataframe.DataFrame, name string) ([]float64, error) {
	c, err := copyColumn(df, name)
	if err != nil {
		return nil, err
	}
	return c.numbers()
}

// numbers returns the values of a column of numbers.
func (c *column) numbers() ([]float64, error) {
	if c.typ == series.String {
		return nil, errorf(ErrNotNumeric, "%s", c.notNumeric())
	}
	return c.num, nil
}

// Matrix returns the named columns, or all columns if none is named, as the
// columns of a matrix. Its errors are those of Floats.
func Matrix(df dataframe.DataFrame, names ...string) (*mat.Dense, error) {
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = df.Names()
	}
	m := mat.NewDense(df.Nrow(), len(names), nil)
	columns := columnsByReference(df)
	for j, name := range names {
		c, err := columnOf(df, columns, name)
		if err != nil {
			return nil, err
		}
		x, err := c.numbers()
		if err != nil {
			return nil, err
		}
		m.SetCol(j, x)
	}
	return m, nil
}

// Column is a named column for Frame; Col makes one.
type Column struct {
	name   string
	length int
	series func() series.Series
}

// Col names a slice as a column of a frame. NaN is a missing number, and the
// text "NaN" a missing text. Times become a column of dates, text in ISO form in UTC as ReadCSV
// writes it (2024-03-01, with the time of day if one of them is not midnight); the zero time is
// missing. Clocks of a zone are kept by t.In(zone) and from_utc, see With.
func Col[T float64 | int | string | bool | time.Time](name string, values []T) Column {
	kind := series.Float
	switch v := any(values).(type) {
	case []int:
		kind = series.Int
	case []string:
		kind = series.String
	case []bool:
		kind = series.Bool
	case []time.Time:
		return Column{name, len(v), func() series.Series { return timesColumn(v).series(name) }}
	}
	return Column{name, len(values), func() series.Series { return series.New(values, kind, name) }}
}

// timesColumn returns times as a column of dates.
func timesColumn(times []time.Time) *column {
	missing := make([]bool, len(times))
	for i, t := range times {
		missing[i] = t.IsZero()
	}
	return datesColumn(missing, func(i int) (float64, bool) { return daysSince1970(times[i]), true })
}

// Frame returns the frame of the given columns, which are copied. The error
// names a column whose length differs from the first one's, and a name that is
// empty or given twice.
func Frame(columns ...Column) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if len(columns) == 0 {
		return none, errorf(ErrSetting, "a frame needs at least one column")
	}
	seen := make(map[string]bool)
	all := make([]series.Series, len(columns))
	for i, c := range columns {
		switch {
		case c.name == "":
			return none, errorf(ErrSetting, "column %d has no name", i+1)
		case seen[c.name]:
			return none, errorf(ErrSetting, "two columns are named %q", c.name)
		case c.length != columns[0].length:
			return none, errorf(ErrSetting, "column %q has %d values, column %q has %d",
				c.name, c.length, columns[0].name, columns[0].length)
		}
		seen[c.name] = true
		all[i] = c.series()
	}
	df := dataframe.New(all...)
	return df, df.Err
}

// Mask returns, for every row, whether the column has the given value: text, a
// number or a bool. A missing value equals nothing. The error matches
// ErrNoColumn, or ErrSetting if no row has the value; it then lists the values
// of the column.
func Mask(df dataframe.DataFrame, name string, value any) ([]bool, error) {
	c, err := copyColumn(df, name)
	if err != nil {
		return nil, err
	}
	want := valueText(value)
	switch v := value.(type) {
	case bool:
		if c.typ != series.Bool && c.typ != series.String { // 1 and 0
			want = map[bool]string{true: "1", false: "0"}[v]
		}
	case string:
		if b, err := strconv.ParseBool(v); err == nil && c.typ == series.Bool {
			return Mask(df, name, b)
		}
	}
	mask := make([]bool, len(c.missing))
	found := false
	for i := range mask {
		mask[i] = !c.missing[i] && c.at(i) == want
		found = found || mask[i]
	}
	if !found {
		return nil, errorf(ErrSetting, "no row has %s = %s%s", name, want, suggest(want, c.levels(nil)))
	}
	return mask, nil
}

// valueText is how a column has a number, a truth value or text among its levels.
func valueText(value any) string {
	switch v := value.(type) {
	case float64:
		return formatNumber(v)
	case int:
		return exactText(table.SplitInt(int64(v)))
	case bool:
		return truthText(v)
	}
	return fmt.Sprint(value)
}

func truthText(v bool) string {
	if v {
		return "TRUE"
	}
	return "FALSE"
}

// levels returns the distinct values in the given rows (nil: all) as text:
// numbers by size, text and truth values in byte order.
func (c *column) levels(rows []int) []string {
	if rows == nil {
		rows = allRows(len(c.missing))
	}
	if c.typ == series.String {
		seen := make(map[string]bool)
		var out []string
		for _, i := range rows {
			if s := c.text[i]; !c.missing[i] && !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
		sortTexts(out)
		return out
	}
	if c.low != nil {
		return c.longLevels(rows)
	}
	seen := make(map[float64]int)
	var distinct []float64
	for _, i := range rows {
		if _, ok := seen[c.num[i]]; !ok && !math.IsNaN(c.num[i]) {
			seen[c.num[i]] = i
			distinct = append(distinct, c.num[i])
		}
	}
	slices.Sort(distinct)
	out := make([]string, len(distinct))
	for k, v := range distinct {
		out[k] = c.at(seen[v])
	}
	return out
}

// longLevels is levels of numbers of which some are whole and beyond 2^53.
func (c *column) longLevels(rows []int) []string {
	seen := make(map[[2]float64]bool)
	var first []int // of every value
	for _, i := range rows {
		num, low := c.value(i)
		if key := [2]float64{num, low}; !c.missing[i] && !seen[key] {
			seen[key] = true
			first = append(first, i)
		}
	}
	slices.SortFunc(first, c.compare)
	out := make([]string, len(first))
	for k, i := range first {
		out[k] = c.at(i)
	}
	return out
}

// compare compares the numbers in two rows.
func (c *column) compare(i, j int) int {
	a, aLow := c.value(i)
	b, bLow := c.value(j)
	return table.Compare(a, aLow, b, bLow)
}

func allRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// valuesAt returns a value for each of some rows.
func valuesAt[T any](rows []int, value func(row int) T) []T {
	out := make([]T, len(rows))
	for k, row := range rows {
		out[k] = value(row)
	}
	return out
}

// picked returns the values in some rows.
func picked[T any](rows []int, values []T) []T {
	return valuesAt(rows, func(row int) T { return values[row] })
}

// countTrue counts the marks that are set.
func countTrue(marks []bool) int {
	n := 0
	for _, m := range marks {
		if m {
			n++
		}
	}
	return n
}

// blank returns n values of a type, none missing.
func blank(typ series.Type, n int) *column {
	c := &column{typ: typ, missing: make([]bool, n)}
	if typ == series.String {
		c.text = make([]string, n)
	} else {
		c.num = make([]float64, n)
	}
	return c
}
