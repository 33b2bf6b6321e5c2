package tsa

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/internal/args"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Series is a recording of c channels at T times.
type Series struct {
	// Values is T x c: a row for each time, a column for each channel. NaN is missing.
	Values *mat.Dense
	// Names are the c names of the channels.
	Names []string
	// Time are T times, which rise within a group. Nil is 0, 1, 2 ... A distance of
	// several steps is a gap.
	Time []float64
	// Step is the distance of neighboring times. The default 0 is the smallest
	// distance in Time. Every distance is a multiple of it.
	Step float64
	// Calendar says if Time counts days or months of the calendar; the default is a number.
	Calendar Calendar
	// Group tells recordings apart: T labels, those of a recording next to each other.
	// Nil is one recording.
	Group []string
	// RowNumbers are the numbers, from 1, of the T rows in their source, which errors name.
	// Nil is 1 ... T.
	RowNumbers []int
}

// Calendar says what the times of a series count.
type Calendar int

const (
	NoCalendar     Calendar = iota // numbers
	CalendarDays                   // days since 1970-01-01
	CalendarMonths                 // months since January 1970
)

// String names the unit: "number", "day" or "month".
func (c Calendar) String() string {
	return format.Choice("Calendar", int(c), "number", "day", "month")
}

// Date returns a time as a date in UTC, to the millisecond, or the beginning of a month if
// months are counted; the zero time without a calendar. A fraction of a day is rounded to the
// nearest millisecond, since a float64 has hours and minutes only nearly.
func (c Calendar) Date(t float64) time.Time {
	switch c {
	case CalendarDays:
		return time.UnixMilli(int64(math.Round(t * 86400e3))).UTC()
	case CalendarMonths:
		return time.Date(1970, time.January+time.Month(math.Floor(t)), 1, 0, 0, 0, 0, time.UTC)
	}
	return time.Time{}
}

// text is a time as messages have it.
func (c Calendar) text(t float64) string {
	switch c {
	case CalendarDays:
		return c.Date(t).Format(c.layout(t))
	case CalendarMonths:
		return c.Date(t).Format("2006-01")
	}
	return fmt.Sprint(t)
}

// column is a column of times in a table: dates, with the time of day if one of them has it.
func (c Calendar) column(times []float64) report.Column {
	if c == NoCalendar {
		return report.NumberColumn("time", times, 0)
	}
	dates, layout := make([]string, len(times)), c.layout(times...)
	for i, t := range times {
		dates[i] = c.Date(t).Format(layout)
	}
	return report.TextColumn("date", dates...)
}

// layout is how the shortest text without loss, to the second, of all times is written: a
// date, or a date with a time of day.
func (c Calendar) layout(times ...float64) string {
	for _, t := range times {
		if d := c.Date(t); !d.Equal(d.Truncate(24 * time.Hour)) {
			return time.DateTime
		}
	}
	return time.DateOnly
}

// NewSeries returns a series of one recording with steps of 1. It copies values (T x c),
// in which NaN is missing. Channels are named x1 ... xc unless c names are given.
// Errors: ErrNoData without values, ErrShape for a wrong number of names or a name
// given twice, ErrNotFinite for an infinite value, with its row and channel.
func NewSeries(values mat.Matrix, names ...string) (*Series, error) {
	if err := args.Given("the matrix of values", values); err != nil {
		return nil, err
	}
	n, c := values.Dims()
	if n == 0 || c == 0 {
		return nil, fmt.Errorf("%w: the values are %d x %d", mlreg.ErrNoData, n, c)
	}
	s := &Series{Values: mat.DenseCopyOf(values), Names: slices.Clone(names)}
	if len(names) == 0 {
		for j := range c {
			s.Names = append(s.Names, fmt.Sprintf("x%d", j+1))
		}
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	return s, nil
}

// NObs returns T, the number of times.
func (s *Series) NObs() int {
	if s == nil || s.Values == nil || s.Values.IsEmpty() {
		return 0
	}
	n, _ := s.Values.Dims()
	return n
}

// Channel returns a copy of the T values of a channel. The error names one that does
// not exist (ErrShape).
func (s *Series) Channel(name string) ([]float64, error) {
	if err := args.Given("the series", s); err != nil {
		return nil, err
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	at, err := args.Positions([]string{name}, s.Names)
	if err != nil {
		return nil, err
	}
	return mat.Col(nil, at[0], s.Values), nil
}

// number returns the number of row i in its source.
func (s *Series) number(i int) int {
	if s.RowNumbers == nil {
		return i + 1
	}
	return s.RowNumbers[i]
}

// Lag returns the T values of a channel the given number of steps before, NaN where that is
// before the recording, beyond a gap or missing. A negative number is of steps after. Errors:
// ErrShape for a channel that does not exist; and those of NewLags for times.
func (s *Series) Lag(name string, steps int) ([]float64, error) {
	values, err := s.Channel(name)
	if err != nil {
		return nil, err
	}
	c, err := s.clock()
	if err != nil {
		return nil, err
	}
	lagged := make([]float64, len(values))
	for i := range values {
		if from := i - steps; from >= 0 && from < len(values) && c.start[from] == c.start[i] {
			lagged[i] = values[from]
		} else {
			lagged[i] = math.NaN()
		}
	}
	return lagged, nil
}

func (s *Series) check() error {
	n := s.NObs()
	if n == 0 {
		return fmt.Errorf("%w: the series has no values", mlreg.ErrNoData)
	}
	if _, c := s.Values.Dims(); len(s.Names) != c {
		return fmt.Errorf("%w: %d names for %d channels", mlreg.ErrShape, len(s.Names), c)
	}
	for j, name := range s.Names {
		if slices.Index(s.Names, name) < j {
			return fmt.Errorf("%w: two channels are named %q", mlreg.ErrShape, name)
		}
	}
	for i := range n {
		for j, v := range s.Values.RawRowView(i) {
			if math.IsInf(v, 0) {
				return fmt.Errorf("%w: channel %q is %v in row %d", mlreg.ErrNotFinite, s.Names[j], v, s.number(i))
			}
		}
	}
	if s.RowNumbers != nil && len(s.RowNumbers) != n {
		return fmt.Errorf("%w: %d numbers for %d rows", mlreg.ErrShape, len(s.RowNumbers), n)
	}
	if s.Group != nil && len(s.Group) != n {
		return fmt.Errorf("%w: %d groups for %d times", mlreg.ErrShape, len(s.Group), n)
	}
	if s.Time != nil && len(s.Time) != n {
		return fmt.Errorf("%w: %d times for %d rows", mlreg.ErrShape, len(s.Time), n)
	}
	if s.Step < 0 || math.IsNaN(s.Step) || math.IsInf(s.Step, 0) {
		return fmt.Errorf("%w: Series.Step = %v; it is positive and finite", mlreg.ErrSetting, s.Step)
	}
	return s.checkOrder()
}

// checkOrder refuses groups that are not together, and times out of order.
func (s *Series) checkOrder() error {
	seen := make(map[string]bool)
	for i, group := range s.Group {
		if i > 0 && group == s.Group[i-1] {
			continue
		}
		if seen[group] {
			return fmt.Errorf("%w: group %q begins again in row %d; sort the rows by group, then by time", mlreg.ErrShape, group, s.number(i))
		}
		seen[group] = true
	}
	for i, t := range s.Time {
		if t-t != 0 {
			return fmt.Errorf("%w: the time of row %d is %v", mlreg.ErrNotFinite, s.number(i), t)
		}
		if i == 0 || !s.sameGroup(i) {
			continue
		}
		switch before := s.Time[i-1]; {
		case t == before:
			return fmt.Errorf("%w: rows %d and %d have the same time %s", mlreg.ErrShape, s.number(i-1), s.number(i), s.Calendar.text(t))
		case t < before:
			return fmt.Errorf("%w: the times are not in order: %s in row %d comes after %s; sort the rows by time", mlreg.ErrShape, s.Calendar.text(t), s.number(i), s.Calendar.text(before))
		}
	}
	return nil
}

// sameGroup tells whether row i continues the recording of the row before it.
func (s *Series) sameGroup(i int) bool { return s.Group == nil || s.Group[i] == s.Group[i-1] }

// clock are the times of rows in steps.
type clock struct {
	origin, step float64
	steps        []float64 // T: since the origin
	start        []int     // T: the first row of the stretch, without a gap, that a row is in
}

// irregular names two rows whose distance is not a whole number of steps: of Series.Step
// or, without that, of the median distance, since the smallest may be what is wrong.
func (s *Series) irregular(step float64) error {
	if s.Step == 0 {
		var distances []float64
		for i := 1; i < len(s.Time); i++ {
			if s.sameGroup(i) {
				distances = append(distances, s.Time[i]-s.Time[i-1])
			}
		}
		slices.Sort(distances)
		if median := distances[len(distances)/2]; s.offStep(median) > 0 {
			step = median
		}
	}
	i := s.offStep(step)
	from, to := s.Time[i-1], s.Time[i]
	return fmt.Errorf("%w: irregular step: from row %d to row %d, %s to %s, are %.4g steps of %.6g; interpolate, or set Series.Step",
		mlreg.ErrShape, s.number(i-1), s.number(i), s.Calendar.text(from), s.Calendar.text(to), (to-from)/step, step)
}

// offStep returns the first row that is not a whole number of steps after the row before
// it, 0 if there is none.
func (s *Series) offStep(step float64) int {
	for i := 1; i < len(s.Time); i++ {
		if _, ok := wholeSteps((s.Time[i] - s.Time[i-1]) / step); s.sameGroup(i) && !ok {
			return i
		}
	}
	return 0
}

// wholeSteps rounds a distance in steps, and tells whether it is that, and at least 1.
func wholeSteps(distance float64) (whole float64, ok bool) {
	whole = math.Round(distance)
	return whole, whole >= 1 && math.Abs(distance-whole) <= 1e-3
}

// clock returns the times in steps. A distance that is no multiple of the step is an error.
func (s *Series) clock() (*clock, error) {
	n := s.NObs()
	c := &clock{step: s.Step, steps: make([]float64, n), start: make([]int, n)}
	if s.Time == nil {
		c.step = cmp.Or(c.step, 1)
	} else {
		c.origin = s.Time[0]
	}
	if c.step == 0 {
		c.step = math.Inf(1)
		for i := 1; i < n; i++ {
			if s.sameGroup(i) {
				c.step = math.Min(c.step, s.Time[i]-s.Time[i-1])
			}
		}
		if math.IsInf(c.step, 1) {
			c.step = 1
		}
	}
	from := 0
	for i := range n {
		c.steps[i] = float64(i)
		if s.Time != nil {
			c.steps[i] = (s.Time[i] - c.origin) / c.step
		}
		if i == 0 {
			continue
		}
		if !s.sameGroup(i) {
			from = i
		} else if s.Time != nil {
			if whole, ok := wholeSteps((s.Time[i] - s.Time[i-1]) / c.step); !ok {
				return nil, s.irregular(c.step)
			} else if whole > 1 {
				from = i
			}
		}
		c.start[i] = from
	}
	return c, nil
}

// Describe returns the channels as a table: values that are there and missing, mean and
// range.
func (s *Series) Describe() *report.Table {
	if s == nil || s.check() != nil {
		return nil
	}
	type channel struct {
		name           string
		n, missing     int
		mean, min, max float64
	}
	var rows []channel
	for j, name := range s.Names {
		c := channel{name: name, mean: math.NaN(), min: math.NaN(), max: math.NaN()}
		values := slices.DeleteFunc(mat.Col(nil, j, s.Values), math.IsNaN)
		if c.n, c.missing = len(values), s.NObs()-len(values); c.n > 0 {
			c.mean, c.min, c.max = meanOf(c.n, func(i int) float64 { return values[i] }), slices.Min(values), slices.Max(values)
		}
		rows = append(rows, c)
	}
	t := tables.Rows("Series", tables.Text("channel", rows, func(c channel) string { return c.name }),
		tables.Int("values", rows, func(c channel) int { return c.n }),
		tables.Int("missing", rows, func(c channel) int { return c.missing }),
		tables.Number("mean", rows, format.Digits, func(c channel) float64 { return c.mean }),
		tables.Number("smallest", rows, format.Digits, func(c channel) float64 { return c.min }),
		tables.Number("largest", rows, format.Digits, func(c channel) float64 { return c.max }))
	t.Notes = append(t.Notes, fmt.Sprintf("%d times", s.NObs()))
	return t
}

// String writes the channels as text.
func (s *Series) String() string {
	if t := s.Describe(); t != nil {
		return t.String()
	}
	return "a series without values"
}
