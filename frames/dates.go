package frames

import (
	"math"
	"time"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// A column of dates is a text column whose values are all dates in ISO form,
// 2024-03-01 or 2024-03-01 15:04:05, in UTC: gota has no type for dates, and in
// this form they sort, compare and print as dates do. ReadCSV writes other
// forms this way. This file recognizes such columns and makes numbers of them.

// secondsOfDay is the length of a day.
const secondsOfDay = 86400

// isoDays reads a date in ISO form as days since 1970-01-01. A date that does
// not exist, such as 2023-02-30, is none.
func isoDays(s string) (float64, bool) {
	if len(s) < len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	year, ok := digitsOf(s[:4])
	month, also := digitsOf(s[5:7])
	day, too := digitsOf(s[8:10])
	if !ok || !also || !too {
		return 0, false
	}
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if date.Day() != day || int(date.Month()) != month {
		return 0, false
	}
	seconds := 0.0
	if rest := s[10:]; rest != "" {
		if seconds, ok = clock(rest[1:]); !ok || rest[0] != ' ' && rest[0] != 'T' {
			return 0, false
		}
	}
	return float64(date.Unix()/secondsOfDay) + seconds/secondsOfDay, true
}

// clock reads 15:04, 15:04:05 or 15:04:05.678 as seconds.
func clock(s string) (float64, bool) {
	layout := "15:04:05"
	if len(s) == len("15:04") {
		layout = "15:04"
	}
	t, err := time.Parse(layout, s) // which takes a fraction of a second, too
	if err != nil || len(s) < len("15:04") {
		return 0, false
	}
	return float64(t.Hour()*3600+t.Minute()*60+t.Second()) + float64(t.Nanosecond())/1e9, true
}

// digitsOf reads a number of digits only.
func digitsOf(s string) (int, bool) {
	v := 0
	for i := range len(s) {
		if !isDigit(s, i) {
			return 0, false
		}
		v = 10*v + int(s[i]-'0')
	}
	return v, s != ""
}

// dates returns the dates of a text column as days since 1970-01-01, NaN where
// missing, and false if a value is no date or all are missing.
func (c *column) dates() ([]float64, bool) {
	if c.typ != series.String {
		return nil, false
	}
	if c.days == nil && !c.notDates {
		c.days = c.readDates()
		c.notDates = c.days == nil
	}
	return c.days, !c.notDates
}

func (c *column) readDates() []float64 {
	var days []float64
	for i, s := range c.text {
		if c.missing[i] {
			continue
		}
		if i > 0 && s == c.text[i-1] && days != nil && !c.missing[i-1] {
			days[i] = days[i-1]
			continue
		}
		v, ok := isoDays(s)
		if !ok {
			return nil
		}
		if days == nil {
			days = make([]float64, len(c.text))
		}
		days[i] = v
	}
	for i := range days {
		if c.missing[i] {
			days[i] = math.NaN()
		}
	}
	return days
}

// notDate returns the first row of a text column whose value is not a date in
// ISO form, -1 if there is none, and how many are.
func (c *column) notDate() (row, dates int) {
	row = -1
	for i, s := range c.text {
		if c.missing[i] {
			continue
		}
		if _, ok := isoDays(s); ok {
			dates++
		} else if row < 0 {
			row = i
		}
	}
	return row, dates
}

// timeOf returns a number of days since 1970-01-01 as a time in UTC.
func timeOf(days float64) time.Time {
	whole := math.Floor(days)
	return time.Unix(int64(whole)*secondsOfDay, 0).UTC().Add(time.Duration(math.Round((days-whole)*secondsOfDay*1e6)) * time.Microsecond)
}

// Dates returns a column of dates as times in UTC, the zero time where a value
// is missing. Its values are texts in ISO form, 2024-03-01 or 2024-03-01
// 15:04:05, as ReadCSV writes the dates that it recognizes. The error matches
// ErrNoColumn, or ErrSetting with the first row that is not a date, or a date
// that does not exist.
func Dates(df dataframe.DataFrame, name string) ([]time.Time, error) {
	c, err := copyColumn(df, name)
	if err != nil {
		return nil, err
	}
	days, ok := c.dates()
	switch row, _ := c.notDate(); {
	case ok:
	case c.typ != series.String:
		return nil, errorf(ErrSetting, "column %q has numbers, not dates", name)
	case row < 0:
		return nil, errorf(ErrMissing, "column %q has no values: all %d are missing", name, c.count)
	default:
		return nil, errorf(ErrSetting, "column %q is not of dates: row %d has %q, which is no date such as 2024-03-01%s", name, row+1, c.text[row], noSuchDay(c.text[row]))
	}
	times := make([]time.Time, len(days))
	for i, v := range days {
		if !c.missing[i] {
			times[i] = timeOf(v)
		}
	}
	return times, nil
}

// IsDates reports whether a column is one of dates, as Dates takes them. It is
// false if there is no such column.
func IsDates(df dataframe.DataFrame, name string) bool {
	c, err := copyColumn(df, name)
	if err != nil {
		return false
	}
	_, ok := c.dates()
	return ok
}

// noSuchDay says of a text in the form of a date that the day does not exist.
func noSuchDay(s string) string {
	if _, err := time.Parse("2006-01-02", s); err != nil && len(s) == len("2006-01-02") && s[4] == '-' && s[7] == '-' {
		if _, ok := digitsOf(s[:4] + s[5:7] + s[8:]); ok {
			return ": that day does not exist"
		}
	}
	return ""
}

// datesColumn returns a date in ISO form for every row that is not missing, with the time of day if one of them
// has one; ok is false where the date is missing, too.
func datesColumn(missing []bool, value func(i int) (days float64, ok bool)) *column {
	c := blank(series.String, len(missing))
	c.days = make([]float64, len(missing))
	clock := false
	for i := range c.days {
		ok := !missing[i]
		if ok {
			c.days[i], ok = value(i)
		}
		if c.missing[i] = !ok; !ok {
			c.days[i] = math.NaN()
			continue
		}
		clock = clock || c.days[i] != math.Trunc(c.days[i])
	}
	layout := dateLayout(clock)
	for i, days := range c.days {
		if !c.missing[i] {
			c.text[i] = timeOf(days).Format(layout)
		}
	}
	return c
}

// dayLayout and clockLayout are how dates are written.
const (
	dayLayout   = "2006-01-02"
	clockLayout = "2006-01-02 15:04:05.999999"
)

// dateLayout is how dates are written, with their time of day or without.
func dateLayout(clock bool) string {
	if clock {
		return clockLayout
	}
	return dayLayout
}

// daysSince1970 is the inverse of timeOf.
func daysSince1970(t time.Time) float64 {
	seconds := t.Unix()
	day := seconds / secondsOfDay
	if seconds%secondsOfDay < 0 {
		day--
	}
	return float64(day) + (float64(seconds-day*secondsOfDay)+float64(t.Nanosecond())/1e9)/secondsOfDay
}
