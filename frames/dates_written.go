package frames

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// dateOrders are the values of CSVSettings.Dates, with how reports call them.
var dateOrders = map[string]string{"ymd": "year-month-day", "dmy": "day/month/year", "mdy": "month/day/year"}

// writtenDate is a date as a cell writes it.
type writtenDate struct {
	year, month, day int  // month and day as they would be read day first, if unsure
	named            bool // the month has its name
	unsure           bool // the month may be the day, and the other way round
	dotted           bool // 01.03.2024
	clock            time.Duration
	hasClock         bool
	zone             bool // a zone was given and led back to UTC
}

// writtenDateOf reads a cell that has the form of a date, whether or not there is
// such a day.
func writtenDateOf(cell string) (writtenDate, bool) {
	if len(cell) < len("1/1/2024") || len(cell) > 50 {
		return writtenDate{}, false
	}
	if len(cell) == len("2024-03-01") && cell[4] == '-' && cell[7] == '-' { // most dates
		year, a := digitsOf(cell[:4])
		month, b := digitsOf(cell[5:7])
		day, c := digitsOf(cell[8:])
		return writtenDate{year: year, month: month, day: day}, a && b && c
	}
	if _, kind := plainNumber(cell); kind != notPlain {
		return writtenDate{}, false
	}
	scan := dateScan{cell}
	d, ok := scan.numbers()
	if !ok {
		scan = dateScan{cell}
		d, ok = scan.named()
	}
	if !ok {
		return d, false
	}
	clock, ok := scan.clock()
	return d, ok && d.month > 0 && d.setClock(clock)
}

// writtenDateIn is writtenDateOf for a cell whose order of day, month and year was set, "" if it
// was not: in the order ymd it may be eight digits.
func writtenDateIn(order, cell string) (writtenDate, bool) {
	d, ok := writtenDateOf(cell)
	if !ok && order == "ymd" {
		return eightDigits(cell)
	}
	return d, ok
}

// eightDigits reads a date such as 20240301.
func eightDigits(cell string) (writtenDate, bool) {
	if _, ok := digitsOf(cell); !ok || len(cell) != 8 {
		return writtenDate{}, false
	}
	return writtenDate{year: whole(cell[:4]), month: whole(cell[4:6]), day: whole(cell[6:])}, true
}

// whole reads digits.
func whole(s string) int {
	v, _ := digitsOf(s)
	return v
}

// monthOf returns the number of an English month, in full or by three letters, 0
// if it is none.
func monthOf(s string) int {
	for m := time.January; m <= time.December; m++ {
		if strings.EqualFold(s, m.String()) || strings.EqualFold(s, m.String()[:3]) || m == time.September && strings.EqualFold(s, "sept") {
			return int(m)
		}
	}
	return 0
}

// setClock reads hours, minutes, seconds, their fraction, am or pm, and a zone.
func (d *writtenDate) setClock(m [6]string) bool {
	if m[0] == "" {
		return true
	}
	hour, minute, second := whole(m[0]), whole(m[1]), whole(m[2])
	if m[4] != "" {
		if hour < 1 || hour > 12 {
			return false
		}
		hour = hour%12 + 12*int(indicator(strings.EqualFold(m[4], "pm")))
	}
	if hour > 23 || minute > 59 || second > 59 {
		return false
	}
	d.hasClock = true
	d.clock = time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute + time.Duration(second)*time.Second
	if m[3] != "" {
		if f, err := strconv.ParseFloat("0"+m[3], 64); err == nil {
			d.clock += time.Duration(f * float64(time.Second)).Round(time.Microsecond)
		}
	}
	if z := m[5]; z != "" {
		d.zone = true
		if z != "Z" {
			offset := time.Duration(whole(z[1:3]))*time.Hour + time.Duration(whole(z[3:]))*time.Minute
			if z[0] == '+' {
				offset = -offset
			}
			d.clock += offset
		}
	}
	return true
}

// time returns the date in UTC, and false if there is no such day.
func (d writtenDate) time(order string) (time.Time, bool) {
	if d.unsure && order == "mdy" {
		d.month, d.day = d.day, d.month
	}
	t := time.Date(d.year, time.Month(d.month), d.day, 0, 0, 0, 0, time.UTC)
	return t.Add(d.clock), t.Day() == d.day && int(t.Month()) == d.month
}

// dateOrder finds out whether the day or the month comes first, or says why this
// cannot be known.
func dateOrder(dates []writtenDate, cells []string) (order, note string) {
	dayFirst, monthFirst, unsure := -1, -1, -1
	for i, d := range dates {
		switch {
		case d.year == 0 && d.month == 0: // not a date, or missing
		case !d.unsure:
			if order == "" {
				order = "ymd"
			}
		case d.day > 12 && dayFirst < 0:
			dayFirst = i
		case d.month > 12 && monthFirst < 0:
			monthFirst = i
		case unsure < 0:
			unsure = i
		}
	}
	switch {
	case dayFirst >= 0 && monthFirst >= 0:
		return "", fmt.Sprintf("text: %q in row %d has the day first, %q in row %d the month", cells[dayFirst], dayFirst+1, cells[monthFirst], monthFirst+1)
	case dayFirst >= 0:
		return "dmy", ""
	case monthFirst >= 0:
		return "mdy", ""
	case unsure >= 0:
		return "", fmt.Sprintf("text: dates such as %q in row %d may have the day or the month first; set CSVSettings.Dates to dmy or mdy", cells[unsure], unsure+1)
	}
	return order, ""
}

func noSuchDate(d writtenDate) string {
	if d.year == 0 {
		return ""
	}
	return ", a day that does not exist"
}

// exists reports whether there is such a day, in either order of day and month if it is not
// known which comes first.
func (d writtenDate) exists() bool {
	_, day := d.time("dmy")
	_, month := d.time("mdy")
	return day || month
}
