package frames

import (
	"bytes"
	"cmp"
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

	"github.com/regbook/regbook/internal/format"
)

// DefaultNA lists the cells that are read as missing values unless
// CSVSettings.NA is set: the empty cell, and the marks of R, pandas, SQL,
// Excel, SAS (a dot) and the UCI repository (a question mark). If one of them
// is a real value in your file, set CSVSettings.NA.
var DefaultNA = []string{"", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "<NA>", "#N/A", ".", "?"}

// CSVSettings are the options of ReadCSV and ParseCSV.
type CSVSettings struct {
	// Delimiter separates cells. The default is whichever of comma, semicolon
	// and tab is most frequent in the first line, and comma if none occurs.
	Delimiter rune
	// Decimal is the decimal mark, a dot by default.
	Decimal rune
	// Thousands is the mark between groups of three digits, as in 1,234,567; none
	// by default. A blank matches non-breaking blanks, too.
	Thousands rune
	// Lines that start with Comment are skipped; none by default.
	Comment rune
	// NA lists the cells that are missing values; DefaultNA by default, and
	// append(DefaultNA, "-999") keeps it.
	NA []string
	// Encoding is utf-8, utf-16le, utf-16be or windows-1252 (or latin1, which is read as
	// that). By default it is found out, see ReadCSV.
	Encoding string
	// Names are the column names for a file without a header line.
	Names []string
	// Clean has functions, by column name, that change cells before they are
	// read: Percent and Currency, or functions of your own that drop a unit or turn a date
	// into a number.
	Clean map[string]func(cell string) string
	// Types forces the types of columns, by name. A cell that does not fit the
	// type is an error that names its row and value.
	Types map[string]series.Type
	// Dates says how the dates of columns are written, by name: "ymd", "dmy" or
	// "mdy", the order of day, month and year. By default this is found out, and a
	// column in which it cannot be known, such as 1/2/2024 and 3/4/2024, stays text.
	// A cell that is no such date is an error.
	Dates map[string]string
}

// CSV is a table read by ReadCSV, with a report on how it was read.
type CSV struct {
	Frame  dataframe.DataFrame
	Report CSVReport
}

// ReadCSV reads a file of cells separated by commas, semicolons or tabs, with
// a header line. Nil settings are the defaults. A file packed by gzip is unpacked,
// whatever its name.
//
// UTF-16 is converted if a byte order mark or bytes of zero show it, and a file that is not
// UTF-8 and has no character beyond ASCII in UTF-8 is read as Windows-1252, of which Latin-1 is
// a part. Nothing in a file tells that from other encodings of single bytes: the report has
// the first word for you to judge. A file that mixes UTF-8 with other bytes is an error.
// CSVSettings.Encoding overrules all of this.
//
// A cell in quotes is taken literally: it may hold delimiters, line ends, doubled
// quotes, and blanks at its ends. Blanks around other cells and names, a byte order
// mark and blank lines are dropped. A number in quotes is still a number and, as in R
// and pandas, a cell that NA lists is missing in quotes, too. The type of a column is
// the first in this list that fits all its cells that are not missing:
//
//	float   every cell is missing
//	int     decimal integers of up to 64 bits: 42, -7, +3
//	float   decimal numbers: 1.5, -2e-3, .5, Inf
//	bool    true or false, in lower case, capitals or with one capital
//	date    text in ISO form, from dates such as 2024-03-01, 31/1/2024, 1/31/2024,
//	        31.1.2024, 1 March 2024, 1-Mar-2024, March 1, 2024, all also with a
//	        time (15:04, 15:04:05, 3:04 PM, Z, +02:00, which is led back to UTC)
//	string  anything
//
// Dates are a string column of 2024-03-01 or 2024-03-01 15:04:05, which sorts and
// compares as dates do; formulas take it as a number (see Formula), Dates as times.
// In 1/2/2024 the day comes first if another cell of the column shows it (31/1/2024);
// if none does, the column stays text and the report says what to set. A column with
// a date that does not exist, such as 2023-02-30, stays text, too, and the report
// names it. Types of string keeps dates as they are. Percentages and amounts of money, such
// as 12.5% and $1,234, are text; the report names them, and says how Percent or Currency
// reads them.
//
// A missing number is NaN. Columns without a name, or with the name of an
// earlier column, are renamed. The report counts every kind of change and names
// its first place. The file is read a megabyte at a time, on all processors, and once
// more if a column that starts with numbers turns out to be text; memory is at most about
// one and a half times that of the frame. If a column of mostly numbers was read as text, the report
// names the first cell that is not a number, such as 2,5 when
// CSVSettings.Decimal is not set. The error matches ErrCSV; it names a line that
// has more or fewer cells than the header.
func ReadCSV(path string, settings *CSVSettings) (*CSV, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("frames: %w%s", format.Error(err), suggestFile(path, err))
	}
	c, err := ParseCSV(file, settings)
	if closeErr := file.Close(); err == nil && closeErr != nil {
		err = fmt.Errorf("frames: %w", format.Error(closeErr))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format.Line(path), err)
	}
	c.Report.Source = path
	return c, nil
}

// ParseCSV is ReadCSV from a reader.
func ParseCSV(r io.Reader, settings *CSVSettings) (*CSV, error) {
	if r == nil {
		return nil, errorf(ErrSetting, "the reader is nil")
	}
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	open, err := reopener(r)
	if err != nil {
		return nil, err
	}
	return readRows(open, s)
}

// withDefaults returns the settings with the defaults for those not given.
func (settings *CSVSettings) withDefaults() (CSVSettings, error) {
	var s CSVSettings
	if settings != nil {
		s = *settings
	}
	if s.NA == nil {
		s.NA = DefaultNA
	}
	s.Decimal = cmp.Or(s.Decimal, '.')
	if s.Decimal == s.Thousands {
		return s, errorf(ErrSetting, "Decimal and Thousands are both %q", s.Decimal)
	}
	if err := checkDates(s.Dates); err != nil {
		return s, err
	}
	if _, err := encodingOf(s.Encoding); err != nil {
		return s, err
	}
	return s, nil
}

// reopener returns a function that starts reading at the beginning: a file is read
// again, if it has to be, so is what is in memory, and anything else is kept.
func reopener(r io.Reader) (func() (io.ReadCloser, error), error) {
	if text, ok := r.(*bytes.Reader); ok {
		n := int64(text.Len())
		from := text.Size() - n
		if _, err := text.Seek(0, io.SeekEnd); err != nil { // it has been read
			return nil, fmt.Errorf("frames: %w", err)
		}
		return func() (io.ReadCloser, error) { return io.NopCloser(io.NewSectionReader(text, from, n)), nil }, nil
	}
	if file, ok := r.(*os.File); ok {
		info, err := file.Stat()
		start, seekErr := file.Seek(0, io.SeekCurrent)
		if err == nil && seekErr == nil && info.Mode().IsRegular() {
			return func() (io.ReadCloser, error) {
				if _, err := file.Seek(start, io.SeekStart); err != nil {
					return nil, fmt.Errorf("frames: %w", err)
				}
				return io.NopCloser(file), nil
			}, nil
		}
	}
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("frames: %w", err)
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(all)), nil }, nil
}

// checkSettings returns an error if a key of a setting is not a column.
func (in *csvInput) checkSettings() error {
	if err := checkNames("Types", in.s.Types, in.names); err != nil {
		return err
	}
	if err := checkNames("Clean", in.s.Clean, in.names); err != nil {
		return err
	}
	return checkNames("Dates", in.s.Dates, in.names)
}

// checkNames returns an error if a key of a setting is not a column.
func checkNames[V any](setting string, of map[string]V, header []string) error {
	known := nameSet(header)
	for _, col := range slices.Sorted(maps.Keys(of)) {
		if !known[col] {
			return errorf(ErrNoColumn, "%s has the key %q, which is not a column%s", setting, col, suggest(col, header))
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

func raggedHint(delimiter rune, record, header []string) string {
	switch {
	case len(record) == len(header)+1:
		return "; if the first cell is a row name, add a name for that column to the header"
	case len(header) == 1:
		return fmt.Sprintf("; the delimiter was guessed to be %q", delimiter)
	}
	return ""
}

func invalidLine(data string) int {
	for i, r := range data {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(data[i:]); size == 1 { // not the character itself
			data = data[:i]
			break
		}
	}
	return 1 + strings.Count(data, "\n")
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
