package frames

import (
	"fmt"
	"strings"

	"github.com/go-gota/gota/series"
)

// slips counts the values of a text column that look like numbers.
type slips struct {
	numbers, present int
	other, marked    slipCell // the first that does not, and the first number with other marks, such as 2,5
	units            unitCounts
	dates            dateSlips
}

func (s *slips) add(e *evaluator, n node, c *column) {
	if f, called := n.(*call); called && isFactorCall(f) || c.typ != series.String {
		return
	}
	if _, named := stripped(n).(*name); !named {
		return
	}
	row, numbers, marked := c.firstText()
	s.numbers += numbers
	s.present += len(c.text) - c.count
	switch {
	case row >= 0 && !marked:
		s.other.take(e.number1(row), c.text[row])
	case row >= 0:
		s.marked.take(e.number1(row), c.text[row])
	}
	for i, cell := range c.text {
		if !c.missing[i] {
			s.units.add(e.number1(i), cell)
			s.dates.add(e.number1(i), cell)
		}
	}
}

// check returns an error if most of the values are dates, numbers, percentages or amounts.
func (s *slips) check(e *evaluator, n node, c *column) error {
	if note := s.dates.note(c.name, s.present); note != "" {
		join := "; to"
		if strings.HasSuffix(note, ", or") {
			join = " to"
		}
		return formulaErrorf(ErrNotNumeric, e.src, n, "%s%s use it as a factor, write factor(%s)", note, join, label(n))
	}
	what := s.units.note(s.present)
	switch {
	case what != "":
	case s.numbers == 0 || !mostly(s.numbers, s.present):
		return nil
	case c.note != "":
		what = c.note
	case s.other.row > 0:
		what = textAmongNumbers(s.numbers, s.present, s.other.row, s.other.cell)
	case s.marked.row > 0:
		what = fmt.Sprintf("text: row %d has %q; if these are numbers, read the file with Decimal or Thousands set", s.marked.row, s.marked.cell)
	default:
		what = "text, though its cells are numbers; read it as numbers"
	}
	return formulaErrorf(ErrNotNumeric, e.src, n, "column %q is %s; to use it as a factor, write factor(%s)", c.name, what, label(n))
}

// dateSlips counts the texts of a column that have the form of a date.
type dateSlips struct {
	dates, written int // those in ISO form that exist, and all
	bad, wrong     slipCell
}

// add takes a text that is not missing.
func (s *dateSlips) add(row int, cell string) {
	if _, ok := isoDays(cell); ok {
		s.dates++
		s.written++
		return
	}
	s.bad.take(row, cell)
	d, ok := writtenDateOf(strings.TrimSpace(cell))
	if !ok || d.year == 0 {
		return
	}
	s.written++
	if !d.exists() {
		s.wrong.take(row, cell)
	}
}

// note says that most but not all of the texts are dates: as a factor they would have a level
// for every date.
func (s *dateSlips) note(name string, present int) string {
	switch {
	case s.bad.row == 0 || s.written == 0 || !mostly(s.written, present):
		return ""
	case s.dates > 0 && mostly(s.dates, present):
		return fmt.Sprintf("column %q is text, though %d of its %d values are dates: row %d has %q%s", name, s.dates, present, s.bad.row, s.bad.cell, noSuchDay(s.bad.cell))
	case s.wrong.row > 0:
		return fmt.Sprintf("column %q is text, though %d of its %d values have the form of dates: row %d has %q, a day that does not exist", name, s.written, present, s.wrong.row, s.wrong.cell)
	case s.dates == 0:
		return fmt.Sprintf("column %q has dates that are not in ISO form: row %d has %q; read the file with CSVSettings.Dates, or", name, s.bad.row, s.bad.cell)
	}
	return ""
}

// checkSlip returns an error for a text column named alone if most of its cells are
// dates, numbers, percentages or amounts of money: as a factor it would have a level for each.
func (e *evaluator) checkSlip(n node, c *column) error {
	if f, called := n.(*call); called && isFactorCall(f) || c.typ != series.String {
		return nil
	}
	if _, named := stripped(n).(*name); !named {
		return nil
	}
	var s slips
	s.add(e, n, c)
	return s.check(e, n, c)
}
