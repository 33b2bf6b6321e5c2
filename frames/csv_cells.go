package frames

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// csvMode says what the cells of a column are read as.
type csvMode int

const (
	skipCells   csvMode = iota // they are only looked at for quotes
	keepCells                  // text, as it is in the file
	numberCells                // numbers; whether integers, is found out
	boolCells
	textCells // text, trimmed and with missing values
	dateCells // text in ISO form
)

// csvColumn says how a column is read.
type csvColumn struct {
	name   string
	mode   csvMode
	forced bool // by CSVSettings.Types: a cell that does not fit is an error
	clean  func(string) string
	order  string // of dates: ymd, dmy or mdy
	clock  bool   // dates have a time of day
	unsure bool   // of text: dates of which it is not known whether the day comes first
	float  bool   // integers are rounded to float64
	note   string
}

// oddCell is a cell of a column of numbers of which a report may tell.
type oddCell struct {
	row  int // of the piece
	cell string
	how  mark
}

// cells are those of a column in a piece.
type cells struct {
	table.Column          // the field is not set
	decimal      int      // numbers that are not integers
	lost         *oddCell // the first integer beyond 64 bits that float64 rounds
	odd          []oddCell
	gaps         []CellCount // cells taken as missing that need no other report
	quoted       []mark      // of kept cells; nil if all are 0
	known        map[string]string
	wrong        bool // one does not fit: the first of them is among the conflicts
}

// conflict says that a cell does not fit the mode of its column.
type conflict struct {
	column, row int // row is counted from 0, in the file
	cell        string
	now         csvColumn // how to read the column
}

// conflicts are an error that is mended by reading again.
type conflicts []conflict

func (conflicts) Error() string { return "frames: columns are of other types than their first rows" }

// parsedPiece has the cells of a piece.
type parsedPiece struct {
	rows    int
	columns []*cells // nil where skipped
	wrong   conflicts
}

// parse reads the cells of a piece. Reports wants odd cells listed.
func (in *csvInput) parse(p *piece, columns []csvColumn, reports bool) (*parsedPiece, error) {
	if err := p.checkUTF8(); err != nil {
		return nil, err
	}
	scan, err := newScanner(p.text(), in.delimiter, in.s.Comment)
	if err != nil {
		return nil, err
	}
	scan.line = p.line
	r := &pieceParser{csvInput: in, columns: columns, reports: reports, first: p.first, out: &parsedPiece{columns: make([]*cells, len(columns))}}
	r.marks = marks{in.s.Decimal, in.s.Thousands}
	r.plainMarks = r.marks == dotted && !in.naNumbers
	guess := bytes.Count(p.buf, []byte{'\n'}) + 1
	for j, c := range columns {
		if c.mode == skipCells {
			continue
		}
		to := &cells{}
		switch c.mode {
		case numberCells, boolCells:
			to.Num = make([]float64, 0, guess)
			to.Missing = make([]bool, 0, guess)
		case keepCells:
			to.Text = make([]string, 0, guess)
		default:
			to.Text = make([]string, 0, guess)
			to.Missing = make([]bool, 0, guess)
		}
		r.out.columns[j] = to
	}
	if p.head {
		for {
			row, _, line, err := scan.row()
			if err != nil {
				return nil, err
			}
			if line == 0 || !isBlankRow(row) {
				break
			}
		}
	}
	if err := r.rows(scan); err != nil {
		return nil, err
	}
	if r.out.wrong != nil {
		return nil, r.out.wrong
	}
	return r.out, nil
}

// pieceParser reads the cells of a piece.
type pieceParser struct {
	*csvInput
	marks      marks
	plainMarks bool // numbers are written as Go writes them, and none is a mark of missing values
	columns    []csvColumn
	reports    bool
	first      int
	out        *parsedPiece
}

// rows reads all rows.
func (r *pieceParser) rows(s *scanner) error {
	var special [256]bool
	special['\n'], special['"'], special[s.comma[0]] = true, true, true
	single := len(s.comma) == 1
	for {
		s.skip()
		if s.pos == len(s.text) {
			return nil
		}
		line, j := s.line, 0
		var cell string
		for ; ; j++ {
			text, start := s.text, s.pos
			end := start
			for end < len(text) && !special[text[end]] {
				end++
			}
			var how mark
			if end < len(text) && (text[end] == '"' || !single && text[end] != '\n') {
				var err error
				if cell, how, err = s.cell(); err != nil {
					return err
				}
			} else {
				s.pos = end
				if end > start && text[end-1] == '\r' && (end == len(text) || text[end] == '\n') {
					s.pos--
				}
				cell = text[start:s.pos]
			}
			if j < len(r.columns) {
				if to := r.out.columns[j]; to != nil {
					r.take(j, to, cell, how)
				}
			}
			if s.endOfLine() {
				break
			}
			s.pos += len(s.comma)
		}
		switch {
		case j == 0 && len(r.names) != 1 && isBlankCell(cell):
			r.dropRow()
			continue
		case j+1 != len(r.names):
			row := make([]string, j+1)
			return errorf(ErrCSV, "line %d has %d cells, the header has %d%s", line, j+1, len(r.names), raggedHint(r.delimiter, row, r.names))
		}
		r.out.rows++
	}
}

// dropRow takes back the cell of a blank line.
func (r *pieceParser) dropRow() {
	c, n := r.out.columns[0], r.out.rows // a blank line has one cell
	if c == nil {
		return
	}
	if len(c.Missing) > n {
		c.Count -= int(indicator(c.Missing[n]))
		c.Missing = c.Missing[:n]
	}
	c.Num, c.Text = c.Num[:min(n, len(c.Num))], c.Text[:min(n, len(c.Text))]
	c.Low = c.Low[:min(n, len(c.Low))]
	c.quoted = c.quoted[:min(n, len(c.quoted))]
	if k := len(c.odd); k > 0 && c.odd[k-1].row == n {
		c.odd = c.odd[:k-1]
	}
}

// take reads a cell.
func (r *pieceParser) take(j int, to *cells, cell string, how mark) {
	c := &r.columns[j]
	switch c.mode {
	case keepCells:
		if how != 0 && to.quoted == nil {
			to.quoted = make([]mark, len(to.Text), cap(to.Text))
		}
		to.Text = append(to.Text, to.own(cell))
		if to.quoted != nil {
			to.quoted = append(to.quoted, how)
		}
		return
	case numberCells:
		if how == 0 && r.plainMarks && c.clean == nil {
			if v, kind := plainNumber(cell); kind != notPlain {
				to.number(v, kind, cell)
				return
			}
		}
	}
	r.slow(j, to, cell, how)
}

// own returns a text that outlives the piece. Equal texts are shared, as far as a few
// are all there are.
func (c *cells) own(s string) string {
	const most = 256
	if known, ok := c.known[s]; ok {
		return known
	}
	own := strings.Clone(s)
	if len(c.known) < most && len(s) < 64 {
		if c.known == nil {
			c.known = make(map[string]string)
		}
		c.known[own] = own
	}
	return own
}

// number appends a number.
func (c *cells) number(v float64, kind numberKind, cell string) {
	low := 0.0
	switch {
	case kind == decimalNumber:
		c.decimal++
		if c.lost == nil && beyond(v) && !isExact(cell, v) {
			c.lost = &oddCell{row: len(c.Num), cell: strings.Clone(cell)}
		}
	case beyond(v):
		v, low, _ = table.SplitText(cell) // of 64 bits, as it is whole
	}
	c.AppendNumber(v, low)
	c.Missing = append(c.Missing, false)
}

// isExact reports whether a number is not an integer, or one that is v.
func isExact(cell string, v float64) bool {
	digits := strings.TrimLeft(cell, "+-")
	return strings.Trim(digits, "0123456789") != "" || strconv.FormatFloat(math.Abs(v), 'f', -1, 64) == strings.TrimLeft(digits, "0")
}

// slow reads a cell by the rules of ReadCSV.
func (r *pieceParser) slow(j int, to *cells, cell string, how mark) {
	c := &r.columns[j]
	raw := cell
	quoted := how&quotedCell != 0
	trimmed := func(s string) string {
		if quoted {
			return s
		}
		return strings.TrimSpace(s)
	}
	cell = trimmed(cell)
	if c.clean != nil {
		cell = trimmed(c.clean(cell))
	}
	missing := slices.Contains(r.s.NA, cell)
	inner := strings.TrimSpace(cell)
	if quoted && !missing && c.mode != textCells {
		missing = slices.Contains(r.s.NA, inner)
	}
	if r.reports {
		switch {
		case quoted && missing && !slices.Contains(r.s.NA, cell):
			missing, inner = false, "x" // no number: " NA " in quotes makes a difference to the type
		case missing && how == 0 && raw == cell:
			to.gaps = counted(to.gaps, CellCount{cell, 1, r.out.rows})
		default:
			to.odd = append(to.odd, oddCell{r.out.rows, strings.Clone(raw), how})
		}
	}
	switch {
	case missing:
		to.gone()
		to.Count++
	case !r.present(to, c, cell, inner) && !to.wrong:
		to.wrong = true
		row := r.first + r.out.rows
		r.out.wrong = append(r.out.wrong, conflict{j, row, strings.Clone(cell), c.other(strings.Clone(cell), row)})
	}
}

// present takes a cell that is not missing, by the mode of its column; false if it is of another.
func (r *pieceParser) present(to *cells, c *csvColumn, cell, inner string) bool {
	switch c.mode {
	case numberCells:
		if v, ok := r.marks.number(inner); ok && !isWord(inner) {
			kind := decimalNumber
			plain, _ := r.marks.plain(inner)
			if _, err := strconv.Atoi(plain); err == nil {
				kind = wholeNumber
			}
			to.number(v, kind, plain)
			return true
		}
	case boolCells:
		if v, ok := parseBool(inner); ok {
			to.Num, to.Missing = append(to.Num, indicator(v)), append(to.Missing, false)
			return true
		}
	case dateCells:
		if text, ok := c.date(inner); ok {
			to.Text, to.Missing = append(to.Text, text), append(to.Missing, false)
			return true
		}
	case textCells:
		if cell == gotaMissing {
			to.Count++
		}
		to.Text, to.Missing = append(to.Text, cell), append(to.Missing, cell == gotaMissing)
		if !c.unsure {
			return true
		}
		d, ok := writtenDateOf(inner)
		return ok && (d.day <= 12 && d.month <= 12 || !d.unsure)
	}
	to.gone() // its row is read, whatever the value is
	return false
}

// gone appends a value that is missing.
func (c *cells) gone() {
	c.Missing = append(c.Missing, true)
	if c.Text != nil {
		c.Text = append(c.Text, "")
	} else {
		c.AppendNumber(math.NaN(), 0)
	}
}

// date reads a date, and returns it in ISO form.
func (c *csvColumn) date(cell string) (string, bool) {
	order := ""
	if c.forced {
		order = c.order
	}
	d, ok := writtenDateIn(order, cell)
	if !ok || d.hasClock && !c.clock {
		return "", false
	}
	if d.unsure && c.order == "ymd" {
		return "", false
	}
	t, ok := d.time(c.order)
	if !ok {
		return "", false
	}
	return t.Format(dateLayout(c.clock)), true
}

// other returns how to read a column in which a cell does not fit.
func (c csvColumn) other(cell string, row int) csvColumn {
	to := c
	to.mode = textCells
	inner := strings.TrimSpace(cell)
	switch {
	case c.forced:
	case c.mode == numberCells:
		to.note = "text, not numbers: row " + strconv.Itoa(row+1) + " has " + strconv.Quote(cell)
	case c.mode == dateCells:
		d, ok := writtenDateOf(inner)
		switch {
		case ok && d.hasClock && !c.clock:
			to.mode, to.clock = dateCells, true
		case ok && d.unsure && c.order == "ymd":
			return c.ordered(d, to)
		default:
			to.note = "text, though it starts with dates: row " + strconv.Itoa(row+1) + " has " + strconv.Quote(cell)
		}
	case c.unsure:
		if d, ok := writtenDateOf(inner); ok {
			return c.ordered(d, to)
		}
		to.unsure = false
	}
	return to
}

// ordered returns how to read dates of which d shows, or may not show, whether the day
// comes first.
func (c csvColumn) ordered(d writtenDate, to csvColumn) csvColumn {
	to.clock = c.clock || d.hasClock
	switch {
	case d.day > 12:
		to.mode, to.order, to.unsure = dateCells, "dmy", false
	case d.month > 12:
		to.mode, to.order, to.unsure = dateCells, "mdy", false
	default:
		to.mode, to.unsure = textCells, true
		to.note = "text: dates of which it is not known whether the day comes first; set CSVSettings.Dates to dmy or mdy"
	}
	return to
}

// keep reads the cells of a piece as text.
func (in *csvInput) keep(p *piece) ([]csvColumn, *parsedPiece, error) {
	columns := make([]csvColumn, len(in.names))
	for j, name := range in.names {
		columns[j] = csvColumn{name: name, mode: keepCells}
	}
	head := *p
	kept, err := in.parse(&head, columns, false)
	return columns, kept, err
}

// typeOf returns the report that the first cells of a column would have by themselves,
// and the dates, if they are dates.
func (in *csvInput) typeOf(kept *cells, name string, rows int) (ColumnReport, []writtenDate, error) {
	about := ColumnReport{Name: name}
	p := newParsed(rows, &in.s)
	p.fill(kept.Text, kept.quoted, in.s.Clean[name], &about)
	err := p.decide(&about, &in.s)
	return about, p.dates, err
}

// readers returns how a source reads the columns: types are those of the first rows until
// a cell shows that they are not. Rows is how many there were.
func (in *csvInput) readers(p *piece) (columns []csvColumn, rows int, err error) {
	columns, kept, err := in.keep(p)
	if err != nil {
		return nil, 0, err
	}
	for j := range columns {
		c := &columns[j]
		c.clean = in.s.Clean[c.name]
		if forced, ok := in.s.Types[c.name]; ok {
			c.forced = true
			switch forced {
			case series.Int, series.Float:
				c.mode, c.float = numberCells, forced == series.Float
			case series.Bool:
				c.mode = boolCells
			case series.String:
				c.mode = textCells
			default:
				return nil, 0, errorf(ErrSetting, "Types sets the type of column %q to %q; it must be int, float, bool or string", c.name, forced)
			}
			continue
		}
		if order := in.s.Dates[c.name]; order != "" {
			c.mode, c.order, c.forced = dateCells, order, true
			c.clock = slices.ContainsFunc(kept.columns[j].Text, func(cell string) bool {
				d, ok := writtenDateOf(strings.TrimSpace(cell))
				return ok && d.hasClock
			})
			continue
		}
		about, dates, err := in.typeOf(kept.columns[j], c.name, kept.rows)
		if err != nil {
			return nil, 0, err
		}
		switch {
		case about.Type == series.Int || about.Type == series.Float:
			c.mode = numberCells
		case about.Type == series.Bool:
			c.mode = boolCells
		case about.Dates != "":
			c.mode = dateCells
			c.order, _ = dateOrder(dates, kept.columns[j].Text)
			c.clock = slices.ContainsFunc(dates, func(d writtenDate) bool { return d.hasClock })
		default:
			c.mode, c.note = textCells, about.Note
			c.unsure = strings.Contains(about.Note, "set CSVSettings.Dates")
		}
	}
	return columns, kept.rows, nil
}
