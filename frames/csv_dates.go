package frames

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-gota/gota/series"
)

// readDates reads the cells as dates if all that are not missing are dates, and
// writes them in ISO form. Order is that of CSVSettings.Dates, "" if it is not
// set; the error is then nil.
func (p *parsed) readDates(about *ColumnReport, order string) (bool, error) {
	if order == "" && !p.seemDates() {
		return false, nil
	}
	dates, bad := p.writtenDates(order)
	p.dates = dates
	if order == "" {
		order, about.Note = dateOrder(dates, p.cells)
		if about.Note != "" {
			return false, nil
		}
	}
	times := make([]time.Time, len(dates))
	hasClock := false
	unread, formless := bad, len(bad) // in the order of the rows
	for i, d := range dates {
		if len(unread) > 0 && unread[0] == i {
			unread = unread[1:]
			continue
		}
		if p.missing[i] {
			continue
		}
		var ok bool
		if times[i], ok = d.time(order); !ok {
			bad = append(bad, i)
		}
		hasClock = hasClock || d.hasClock
	}
	if len(bad) > 0 {
		row := slices.Min(bad)
		if err := p.notAllDates(about, order, len(bad), row, noSuchDate(dates[row])); err != nil || about.Note != "" || len(bad) == formless {
			return false, err
		}
		present := p.present + len(p.padded)
		if wrong := bad[formless]; mostly(present-formless, present) {
			about.Note = fmt.Sprintf("text, though %d of %d values have the form of dates: row %d has %q%s", present-formless, present, wrong+1, p.cells[wrong], noSuchDate(dates[wrong]))
		}
		return false, nil
	}
	p.writeDates(about, order, dates, times, hasClock)
	return true, nil
}

// seemDates looks at the first cells: most of them are to be dates.
func (p *parsed) seemDates() bool {
	const enough = 20
	seen, dates := 0, 0
	for i, cell := range p.cells {
		if p.missing[i] {
			continue
		}
		if _, ok := writtenDateOf(strings.TrimSpace(cell)); ok {
			dates++
		}
		if seen++; seen == enough {
			break
		}
	}
	return dates > 0 && 2*dates >= seen
}

// writtenDates reads the cells; bad are the rows of those that have not the form of
// a date.
func (p *parsed) writtenDates(order string) (dates []writtenDate, bad []int) {
	dates = make([]writtenDate, len(p.cells))
	for i, cell := range p.cells {
		if p.missing[i] {
			continue
		}
		var ok bool
		if dates[i], ok = writtenDateIn(order, strings.TrimSpace(cell)); !ok {
			dates[i] = writtenDate{}
			bad = append(bad, i)
		}
	}
	return dates, bad
}

// notAllDates notes, or returns as an error if the form of dates was set, which
// cell is not a date.
func (p *parsed) notAllDates(about *ColumnReport, order string, bad, row int, why string) error {
	if about.Dates != "" { // set
		return errorf(ErrSetting, "column %q has dates %s in CSVSettings.Dates, but row %d has %q%s", about.Name, dateOrders[order], row+1, p.cells[row], why)
	}
	present := p.present + len(p.padded)
	if mostly(present-bad, present) {
		about.Note = fmt.Sprintf("text, though %d of %d values are dates: row %d has %q%s", present-bad, present, row+1, p.cells[row], why)
	}
	return nil
}

// writeDates writes the cells in ISO form, and reports it.
func (p *parsed) writeDates(about *ColumnReport, order string, dates []writtenDate, times []time.Time, hasClock bool) {
	about.Dates, about.Type = dateOrders[order], series.String
	switch {
	case slices.ContainsFunc(dates, func(d writtenDate) bool { return d.named }):
		about.Dates = "dates with the month's name"
	case order == "ymd" && slices.ContainsFunc(dates, func(d writtenDate) bool { return d.dotted }):
		about.Dates = "day.month.year"
	}
	layout := dateLayout(hasClock)
	for i, cell := range p.cells {
		if p.missing[i] {
			continue
		}
		if p.cells[i] = times[i].Format(layout); p.cells[i] == strings.TrimSpace(cell) {
			continue
		}
		what := "date written in ISO form"
		if dates[i].zone {
			what = "date written in ISO form, in UTC"
		}
		about.change(what, i, cell)
	}
}

// checkDates returns an error for a value of CSVSettings.Dates that is none.
func checkDates(dates map[string]string) error {
	for col, order := range dates {
		if dateOrders[order] == "" {
			return errorf(ErrSetting, "CSVSettings.Dates of column %q is %q; it is ymd, dmy or mdy", col, order)
		}
	}
	return nil
}
