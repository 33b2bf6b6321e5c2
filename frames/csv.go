package frames

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
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
// A cell in quotes is taken literally: it may hold delimiters, line ends,
// doubled quotes, and blanks at its ends. Blanks around other cells and names, a
// byte order mark and blank lines are dropped. Quotes do not make a text of a
// number nor, as in R and pandas, a value of a cell that NA lists. A column is, in this order, of the first type that all its cells
// that are not missing agree with:
//
//	float   every cell is missing
//	int     decimal integers of up to 64 bits: 42, -7, +3
//	float   decimal numbers: 1.5, -2e-3, .5, Inf
//	bool    true or false, in lower case, capitals or with one capital
//	string  anything
//
// A missing number is NaN. Columns without a name, or with the name of an
// earlier one, are renamed. The report counts all that was changed and names the
// first place of each; it also names the first cell that made a column of mostly
// numbers a column of text, such as 2,5 for want of CSVSettings.Decimal. The
// error matches ErrCSV; it names the line if one
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
	var text strings.Builder
	if file, ok := r.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
			text.Grow(int(info.Size()))
		}
	}
	if _, err := io.Copy(&text, r); err != nil {
		return nil, fmt.Errorf("frames: %w", err)
	}
	rep := CSVReport{}
	t, err := readCells(text.String(), &s, &rep)
	if err != nil {
		return nil, err
	}
	if err := checkNames("Types", s.Types, t.header); err != nil {
		return nil, err
	}
	if err := checkNames("Clean", s.Clean, t.header); err != nil {
		return nil, err
	}
	rep.Rows = len(t.cells) / len(t.header)
	columns := make([]series.Series, len(t.header))
	p := newParsed(rep.Rows, &s)
	for j, col := range t.header {
		about := ColumnReport{Name: col}
		p.fill(t, j, s.Clean[col], &about)
		if columns[j], err = p.typed(&about, &s); err != nil {
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

// table is a file cut into cells, row by row.
type table struct {
	header []string
	cells  []string
	marks  []mark
}

// grow makes room for the cells of the lines that are left.
func (t *table) grow(rest string) {
	n := (strings.Count(rest, "\n") + 1) * len(t.header)
	n = min(n, len(rest)+1) // a cell takes a delimiter or a line end
	t.cells, t.marks = make([]string, 0, n), make([]mark, 0, n)
}

// readCells cuts a file into its header and its rows, all of one length.
func readCells(text string, s *CSVSettings, rep *CSVReport) (*table, error) {
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return nil, errorf(ErrCSV, "the file is UTF-16; save it as UTF-8")
	}
	if rest, found := strings.CutPrefix(text, "\xef\xbb\xbf"); found {
		text = rest
		rep.repair("byte order mark dropped")
	}
	if !utf8.ValidString(text) {
		return nil, errorf(ErrCSV, "line %d is not UTF-8; convert the file, for example with iconv -f latin1 -t utf-8", invalidLine(text))
	}
	if strings.TrimSpace(text) == "" {
		return nil, errorf(ErrCSV, "the file is empty")
	}
	rep.Delimiter = s.Delimiter
	if rep.Delimiter == 0 {
		rep.Delimiter = sniff(text, s.Comment)
	}
	in, err := newScanner(text, rep.Delimiter, s.Comment)
	if err != nil {
		return nil, err
	}
	t := &table{header: slices.Clone(s.Names)}
	headerMarks := make([]mark, len(t.header))
	if t.header != nil {
		t.grow(text)
	}
	for {
		before := len(t.cells)
		var line int
		if t.cells, t.marks, line, err = in.row(t.cells, t.marks); err != nil {
			return nil, err
		}
		if line == 0 {
			break
		}
		row := t.cells[before:]
		switch {
		case len(row) == 1 && strings.TrimSpace(row[0]) == "" && len(t.header) != 1:
			if in.empty++; in.empty == 1 || line < in.emptyAt {
				in.emptyAt = line
			}
			t.cells, t.marks = t.cells[:before], t.marks[:before]
		case t.header == nil:
			t.header, headerMarks = slices.Clone(row), slices.Clone(t.marks[before:])
			t.grow(text[in.pos:])
		case len(row) != len(t.header):
			return nil, errorf(ErrCSV, "line %d has %d cells, the header has %d%s", line, len(row), len(t.header), raggedHint(rep.Delimiter, row, t.header))
		}
	}
	rep.skipped("blank", in.empty, in.emptyAt)
	rep.skipped("comment", in.comments, in.commentsAt)
	t.header = rep.repairNames(t.header, headerMarks)
	if len(t.cells) == 0 {
		return nil, errorf(ErrCSV, "the file has a header (%s) and no rows", strings.Join(t.header, ", "))
	}
	return t, nil
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

func invalidLine(data string) int {
	line := 1
	for len(data) > 0 {
		r, size := utf8.DecodeRuneInString(data)
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

func parseBool(cell string) (value, ok bool) {
	switch cell {
	case "true", "TRUE", "True":
		return true, true
	case "false", "FALSE", "False":
		return false, true
	}
	return false, false
}
