package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// parsed holds the cells of a column and counts, for each type, the cells that
// fit it. It is reused for the next column.
type parsed struct {
	marks
	na                         []string
	cells                      []string
	quoted, missing            []bool
	num                        []float64
	present, ints, nums, bools int
	marked                     int           // numbers if other marks are allowed
	padded                     []int         // quoted cells such as " NA ": missing in a column of numbers, text in one of text
	dates                      []writtenDate // of the cells, once readDates has looked at them
}

func newParsed(rows int, s *CSVSettings) *parsed {
	return &parsed{
		marks: marks{s.Decimal, s.Thousands}, na: s.NA,
		cells: make([]string, rows), quoted: make([]bool, rows), missing: make([]bool, rows), num: make([]float64, rows),
	}
}

// fill takes the cells of a column, and reports the changes to them.
func (p *parsed) fill(text []string, how []mark, clean func(string) string, about *ColumnReport) {
	p.present, p.ints, p.nums, p.bools, p.marked, p.padded = 0, 0, 0, 0, 0, p.padded[:0]
	for i, cell := range text {
		p.quoted[i] = how != nil && how[i]&quotedCell != 0
		p.cells[i] = p.trimmed(i, cell)
		if len(p.cells[i]) != len(cell) || how != nil && how[i]&spacedCell != 0 {
			about.change(blanksDropped, i, cell)
		}
		if clean != nil {
			was := p.cells[i]
			if p.cells[i] = p.trimmed(i, clean(was)); p.cells[i] != was {
				about.change("changed by Clean", i, was)
			}
		}
		p.count(i)
	}
}

// What ReadCSV does to cells.
const blanksDropped = "blanks around it dropped"

// trimmed returns a cell without the blanks around it, unless it is in quotes.
func (p *parsed) trimmed(i int, cell string) string {
	if p.quoted[i] {
		return cell
	}
	return strings.TrimSpace(cell)
}

// count finds out which types cell i reads as.
func (p *parsed) count(i int) {
	cell := p.cells[i]
	p.missing[i], p.num[i] = false, 0
	if slices.Contains(p.na, cell) {
		p.missing[i], p.num[i] = true, math.NaN()
		return
	}
	if p.quoted[i] {
		if cell = strings.TrimSpace(cell); slices.Contains(p.na, cell) {
			p.missing[i], p.num[i] = true, math.NaN()
			p.padded = append(p.padded, i)
			return
		}
	}
	p.present++
	if _, ok := parseBool(cell); ok {
		p.bools++
		return
	}
	if isWord(cell) {
		return
	}
	if v, ok := p.number(cell); ok {
		p.num[i] = v
		p.nums++
	} else if otherMarks(cell) {
		p.marked++
	}
	if p.ints < p.present-1 {
		return // the column is not of integers
	}
	if _, ok := p.integer(cell); ok {
		p.ints++
	}
}

// isWord reports whether a cell starts with a letter that cannot start a number;
// the i of inf can.
func isWord(cell string) bool {
	if cell == "" {
		return true
	}
	c := cell[0] | 0x20
	return c >= 'a' && c <= 'z' && c != 'i'
}

// typed returns the values of the column, of the type that decide finds.
func (p *parsed) typed(about *ColumnReport, s *CSVSettings) (*column, error) {
	if err := p.decide(about, s); err != nil {
		return nil, err
	}
	p.report(about)
	return p.column(about.Type), nil
}

// decide decides the type of the column by the rule of ReadCSV, or checks the
// type that is forced on it.
func (p *parsed) decide(about *ColumnReport, s *CSVSettings) error {
	forced, isForced := s.Types[about.Name]
	order := s.Dates[about.Name]
	switch {
	case order != "":
		about.Type, about.Dates = series.String, dateOrders[order]
		if _, err := p.readDates(about, order); err != nil {
			return err
		}
	case isForced:
		about.Type = forced
	case p.present == 0 && len(p.padded) == 0:
		about.Type = series.Float
		about.Note = "no values"
	case p.present == 0:
		about.Type = series.String
	case p.ints == p.present:
		about.Type = series.Int
	case p.nums == p.present:
		about.Type = series.Float
	case p.bools == p.present:
		about.Type = series.Bool
	default:
		about.Type = series.String
		isDates, err := p.readDates(about, "")
		if err != nil {
			return err
		}
		if !isDates && about.Note == "" {
			about.Note = p.unitNote()
		}
		if !isDates && about.Note == "" {
			about.Note = p.slip()
		}
	}
	if isForced {
		switch forced {
		case series.String, series.Int, series.Float, series.Bool:
		default:
			return errorf(ErrSetting, "Types sets the type of column %q to %q; it must be int, float, bool or string", about.Name, forced)
		}
		if row := p.first(forced); row >= 0 {
			return errorf(ErrNotNumeric, "column %q has type %s in Types, but row %d has %q", about.Name, forced, row+1, p.cells[row])
		}
	}
	return nil
}

// report counts the missing values and the changes that the type makes to
// cells.
func (p *parsed) report(about *ColumnReport) {
	if about.Type == series.String {
		for _, i := range p.padded {
			p.missing[i] = false
		}
	}
	for i, cell := range p.cells {
		switch {
		case about.Type == series.String && !p.missing[i] && cell == gotaMissing:
			p.missing[i] = true
			about.change("taken as missing, since the data frame has no such text", i, cell)
			fallthrough
		case p.missing[i]:
			about.addMissing(CellCount{strings.TrimSpace(cell), 1, i})
			if p.quoted[i] {
				about.change("taken as missing, though in quotes", i, cell)
			}
		case about.Type != series.String:
			p.reportValue(about, i, cell, p.quoted[i], p.num[i])
		}
	}
}

// reportValue reports what reading a number or truth value dropped from its
// cell.
func (m marks) reportValue(about *ColumnReport, i int, cell string, quoted bool, v float64) {
	if quoted {
		inner := strings.TrimSpace(cell)
		if len(inner) != len(cell) {
			about.change(blanksDropped, i, cell)
		}
		cell = inner
	}
	if about.Type == series.Bool {
		return
	}
	if m.thousands != 0 && (strings.ContainsRune(cell, m.thousands) || m.thousands == ' ' && strings.ContainsAny(cell, "\u00a0\u202f")) {
		about.change(fmt.Sprintf("mark %q between thousands dropped", m.thousands), i, cell)
	}
	if m.decimal != '.' && strings.ContainsRune(cell, m.decimal) {
		about.change(fmt.Sprintf("decimal mark %q read as a dot", m.decimal), i, cell)
	}
	digits := strings.TrimLeft(cell, "+-")
	if cell[0] == '+' || len(digits) > 1 && digits[0] == '0' && isDigit(digits, 1) {
		about.change("leading zeros or a plus sign dropped", i, cell)
	}
	const exact = 15 // digits that every float64 keeps
	if about.Type != series.Float || len(digits) <= exact {
		return
	}
	if plain, _ := m.plain(digits); !isExact(plain, v) {
		about.change("rounded to the digits of a float64", i, cell)
	}
}

// unitNote says that most of the cells are percentages or amounts of money.
func (p *parsed) unitNote() string {
	var u unitCounts
	for i, cell := range p.cells {
		if !p.missing[i] {
			u.add(i+1, cell)
		}
	}
	return u.note(p.present)
}

// slip says why a column of mostly numbers is text: the first cell that is not a
// number, or the marks.
func (p *parsed) slip() string {
	numbers := p.nums + p.marked
	if !mostly(numbers, p.present) {
		return ""
	}
	if numbers == p.present {
		row := p.first(series.Float)
		return fmt.Sprintf("text, such as %q in row %d; if these are numbers, set Decimal or Thousands", p.cells[row], row+1)
	}
	row := slices.IndexFunc(allRows(len(p.cells)), func(i int) bool {
		cell := strings.TrimSpace(p.cells[i])
		_, ok := p.number(cell)
		return !p.missing[i] && !ok && !otherMarks(cell)
	})
	return fmt.Sprintf("text, though %d of %d values are numbers: row %d has %q", numbers, p.present, row+1, p.cells[row]) + inParentheses(p.cells[row])
}

// first returns the first row whose cell is not of the type, -1 if there is
// none.
func (p *parsed) first(t series.Type) int {
	return slices.IndexFunc(allRows(len(p.cells)), func(i int) bool {
		if p.missing[i] {
			return false
		}
		cell, ok := strings.TrimSpace(p.cells[i]), true
		switch t {
		case series.Int:
			_, ok = p.integer(cell)
		case series.Float:
			_, ok = p.number(cell)
		case series.Bool:
			_, ok = parseBool(cell)
		}
		return !ok
	})
}

// column returns the cells as a column of the type.
func (p *parsed) column(t series.Type) *column {
	c := &column{typ: t, missing: slices.Clone(p.missing)}
	switch t {
	case series.String:
		c.text = slices.Clone(p.cells)
	case series.Float:
		c.num = slices.Clone(p.num)
	case series.Bool:
		c.num = make([]float64, len(p.cells))
		for i, cell := range p.cells {
			is, _ := parseBool(strings.TrimSpace(cell))
			c.num[i] = indicator(is)
		}
	case series.Int:
		c.num = make([]float64, len(p.cells))
		for i, cell := range p.cells {
			if !p.missing[i] {
				whole, _ := p.integer(strings.TrimSpace(cell))
				num, low := table.SplitInt(int64(whole))
				c.set(i, num, low)
			}
		}
	}
	return c
}
