package frames

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// DefaultNA are the cells that stand for a missing value unless
// CSVSettings.NA says otherwise: the empty cell, and the marks of R, pandas,
// SQL, Excel, SAS (a dot) and the UCI repository (a question mark). A column
// in which one of them is a real value needs a list of its own.
var DefaultNA = []string{"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", ".", "?"}

// CSVSettings are the options of ReadCSV and ParseCSV.
type CSVSettings struct {
	// Delimiter separates cells. By default it is the one of comma, semicolon
	// and tab that is most frequent in the first line; comma, if none is.
	Delimiter rune
	// Decimal is the decimal mark, a dot by default.
	Decimal rune
	// Thousands is the mark between groups of three digits, as in 1,234,567; none
	// by default. A blank stands for the non-breaking blanks, too.
	Thousands rune
	// Comment starts a line that is not read; none by default.
	Comment rune
	// NA lists the cells that are missing values; DefaultNA by default.
	NA []string
	// Names are the names of the columns of a file that has no header line.
	Names []string
	// Clean changes the cells of columns, by name, before they are read: it takes
	// off a unit or a percent sign, or makes a number of a date.
	Clean map[string]func(cell string) string
	// Types forces the types of columns, by name. A cell that is not of the
	// type is then an error that names the row and the value.
	Types map[string]series.Type
}

// CSV is a table that was read, and the report on how.
type CSV struct {
	Frame  dataframe.DataFrame
	Report CSVReport
}

// ReadCSV reads a file of cells separated by commas, semicolons or tabs, with
// a header line. Nil settings are the defaults.
//
// Blanks around cells and names, a byte order mark and blank lines are
// dropped. A column is, in this order, of the first type that all its cells
// that are not missing agree with:
//
//	float   every cell is missing
//	int     decimal integers of up to 64 bits: 42, -7, +3
//	float   decimal numbers: 1.5, -2e-3, .5, Inf
//	bool    true or false, in lower case, capitals or with one capital
//	string  anything
//
// A missing number is NaN. Columns without a name, or with the name of an
// earlier one, are renamed; the report says so, and it names the first cell
// that made a column of mostly numbers a column of text, such as 2,5 for want
// of CSVSettings.Decimal. The error matches ErrCSV; it names the line if one
// has more or fewer cells than the header.
func ReadCSV(path string, settings *CSVSettings) (*CSV, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("frames: %w%s", err, suggestFile(path, err))
	}
	c, err := ParseCSV(file, settings)
	if closeErr := file.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("frames: %w", closeErr)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c.Report.Source = path
	return c, nil
}

// ParseCSV is ReadCSV from a reader.
func ParseCSV(r io.Reader, settings *CSVSettings) (*CSV, error) {
	var s CSVSettings
	if settings != nil {
		s = *settings
	}
	if s.NA == nil {
		s.NA = DefaultNA
	}
	if s.Decimal == 0 {
		s.Decimal = '.'
	}
	if s.Decimal == s.Thousands {
		return nil, errorf(ErrSetting, "Decimal and Thousands are both %q", s.Decimal)
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("frames: %w", err)
	}
	rep := CSVReport{}
	header, rows, err := readCells(data, &s, &rep)
	if err != nil {
		return nil, err
	}
	if err := checkNames("Types", s.Types, header); err != nil {
		return nil, err
	}
	if err := checkNames("Clean", s.Clean, header); err != nil {
		return nil, err
	}
	rep.Rows = len(rows)
	columns := make([]series.Series, len(header))
	cells := make([]string, len(rows))
	for j, col := range header {
		for i, row := range rows {
			cells[i] = strings.TrimSpace(row[j])
			if clean := s.Clean[col]; clean != nil {
				cells[i] = strings.TrimSpace(clean(cells[i]))
			}
		}
		var about ColumnReport
		if columns[j], about, err = typeColumn(col, cells, &s); err != nil {
			return nil, err
		}
		rep.Columns = append(rep.Columns, about)
	}
	df := dataframe.New(columns...)
	if df.Err != nil {
		return nil, errorf(ErrCSV, "%v", df.Err)
	}
	return &CSV{df, rep}, nil
}

// checkNames reports a key of a setting that is not a column.
func checkNames[V any](setting string, of map[string]V, header []string) error {
	for _, col := range slices.Sorted(maps.Keys(of)) {
		if !slices.Contains(header, col) {
			return errorf(ErrNoColumn, "%s names a column %q that is not there%s", setting, col, suggest(col, header))
		}
	}
	return nil
}

// suggestFile is suggest for a file that does not exist, with the files of the
// same kind in its folder.
func suggestFile(path string, err error) string {
	entries, dirErr := os.ReadDir(filepath.Dir(path))
	if dirErr != nil || !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	var files []string
	for _, entry := range entries {
		if filepath.Ext(entry.Name()) == filepath.Ext(path) && !entry.IsDir() {
			files = append(files, entry.Name())
		}
	}
	return suggest(filepath.Base(path), files)
}

// readCells cuts a file into its header and its rows, all of one length.
func readCells(data []byte, s *CSVSettings, rep *CSVReport) (header []string, rows [][]string, err error) {
	if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
		return nil, nil, errorf(ErrCSV, "the file is UTF-16; save it as UTF-8")
	}
	if text, found := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); found {
		data = text
		rep.repair("byte order mark dropped")
	}
	if !utf8.Valid(data) {
		return nil, nil, errorf(ErrCSV, "line %d is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8", invalidLine(data))
	}
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, nil, errorf(ErrCSV, "the file is empty")
	}
	rep.Delimiter = s.Delimiter
	if rep.Delimiter == 0 {
		rep.Delimiter = sniff(data)
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comma, r.Comment = rep.Delimiter, s.Comment
	r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = -1, rep.Delimiter != '\t', false
	header = slices.Clone(s.Names)
	blank := 0
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, nil, errorf(ErrCSV, "%s", strings.TrimPrefix(err.Error(), "parse error on "))
		}
		line, _ := r.FieldPos(0)
		switch {
		case len(record) == 1 && strings.TrimSpace(record[0]) == "" && len(header) != 1:
			blank++
		case header == nil:
			header = record
		case len(record) != len(header):
			return nil, nil, errorf(ErrCSV, "line %d has %d cells, the header has %d%s", line, len(record), len(header), raggedHint(rep.Delimiter, record, header))
		default:
			rows = append(rows, record)
		}
	}
	if blank > 0 {
		rep.repair("%d blank lines skipped", blank)
	}
	header = rep.repairNames(header)
	if len(rows) == 0 {
		return nil, nil, errorf(ErrCSV, "the file has a header (%s) and no rows", strings.Join(header, ", "))
	}
	return header, rows, nil
}

func raggedHint(delimiter rune, record, header []string) string {
	switch {
	case len(record) == len(header)+1:
		return "; if the first cell is a row name, give the header a name for it"
	case len(header) == 1:
		return fmt.Sprintf("; the delimiter was taken to be %q", delimiter)
	}
	return ""
}

func invalidLine(data []byte) int {
	line := 1
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		if r == utf8.RuneError && size == 1 {
			break
		}
		if r == '\n' {
			line++
		}
		data = data[size:]
	}
	return line
}

// sniff returns the delimiter that is most frequent in the first line that is
// not blank, outside quotes; of equals, the first of comma, semicolon, tab.
func sniff(data []byte) rune {
	counts := map[rune]int{}
	quoted := false
	for _, r := range string(bytes.TrimLeft(data, "\r\n")) {
		if r == '"' {
			quoted = !quoted
		}
		if !quoted {
			counts[r]++
			if r == '\n' {
				break
			}
		}
	}
	best := ','
	for _, r := range ";\t" {
		if counts[r] > counts[best] {
			best = r
		}
	}
	return best
}

func parseBool(cell string) (value, ok bool) {
	switch cell {
	case "true", "TRUE", "True":
		return true, true
	case "false", "FALSE", "False":
		return false, true
	}
	return false, false
}

// parsed are the cells of a column, and how many of those that are not missing
// read as each type.
type parsed struct {
	marks
	cells                      []string
	missing                    []bool
	num                        []float64
	present, ints, nums, bools int
	marked                     int // numbers if read with other marks
}

func parseCells(cells []string, s *CSVSettings, about *ColumnReport) *parsed {
	m := marks{s.Decimal, s.Thousands}
	p := &parsed{marks: m, cells: cells, missing: make([]bool, len(cells)), num: make([]float64, len(cells))}
	for i, cell := range cells {
		if slices.Contains(s.NA, cell) {
			p.missing[i], p.num[i] = true, math.NaN()
			about.addMissing(cell)
			continue
		}
		p.present++
		if v, ok := m.number(cell); ok {
			p.num[i] = v
			p.nums++
		} else if otherMarks(cell) {
			p.marked++
		}
		if _, ok := m.integer(cell); ok {
			p.ints++
		}
		if _, ok := parseBool(cell); ok {
			p.bools++
		}
	}
	return p
}

// typeColumn decides the type of a column by the rule of ReadCSV, or checks
// the type that is forced on it.
func typeColumn(col string, cells []string, s *CSVSettings) (series.Series, ColumnReport, error) {
	about := ColumnReport{Name: col}
	p := parseCells(cells, s, &about)
	forced, isForced := s.Types[col]
	switch {
	case isForced:
		about.Type = forced
	case p.present == 0:
		about.Type = series.Float
		about.Note = "no values"
	case p.ints == p.present:
		about.Type = series.Int
	case p.nums == p.present:
		about.Type = series.Float
	case p.bools == p.present:
		about.Type = series.Bool
	default:
		about.Type = series.String
		about.Note = p.slip()
	}
	if isForced {
		switch forced {
		case series.String, series.Int, series.Float, series.Bool:
		default:
			return series.Series{}, about, errorf(ErrSetting, "Types gives column %q the type %q; there are int, float, bool and string", col, forced)
		}
		if row := p.first(forced); row >= 0 {
			return series.Series{}, about, errorf(ErrNotNumeric, "column %q is to be of type %s: row %d has %q", col, forced, row+1, cells[row])
		}
	}
	return p.series(col, about.Type), about, nil
}

// slip describes the cell that made a column of mostly numbers a column of text,
// or the marks that did.
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
		_, ok := p.number(p.cells[i])
		return !p.missing[i] && !ok && !otherMarks(p.cells[i])
	})
	return fmt.Sprintf("text, though %d of %d values are numbers: row %d has %q", numbers, p.present, row+1, p.cells[row])
}

// first returns the first row whose cell is not of the type, -1 if there is
// none.
func (p *parsed) first(t series.Type) int {
	return slices.IndexFunc(allRows(len(p.cells)), func(i int) bool {
		if p.missing[i] {
			return false
		}
		ok := true
		switch t {
		case series.Int:
			_, ok = p.integer(p.cells[i])
		case series.Float:
			_, ok = p.number(p.cells[i])
		case series.Bool:
			_, ok = parseBool(p.cells[i])
		}
		return !ok
	})
}

// series returns the cells as a column of the type.
func (p *parsed) series(col string, t series.Type) series.Series {
	switch t {
	case series.Float:
		return series.New(p.num, t, col)
	case series.String:
		text := slices.Clone(p.cells)
		for i, missing := range p.missing {
			if missing {
				text[i] = "NaN" // gota's mark of a missing text
			}
		}
		return series.New(text, t, col)
	}
	values := make([]any, len(p.cells)) // nil is missing
	whole := make([]int, 0, len(p.cells))
	for i, cell := range p.cells {
		if p.missing[i] {
			continue
		}
		if t == series.Bool {
			values[i], _ = parseBool(cell)
		} else if v, ok := p.integer(cell); ok {
			values[i] = v
			whole = append(whole, v)
		}
	}
	if len(whole) == len(values) {
		return series.New(whole, t, col) // gota is quicker on []int
	}
	return series.New(values, t, col)
}
