package frames

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/format"
)

func init() {
	table.Frames.CSV = func(path string, settings any) (table.Reader, error) {
		s, _ := settings.(*CSVSettings)
		return newCSVReader(path, s)
	}
}

// csvReader reads the rows of a file by the rules of ReadCSV, a piece at a time.
type csvReader struct {
	in   *csvInput
	path string

	lock    sync.Mutex
	columns []csvColumn // as far as is known
}

func newCSVReader(path string, settings *CSVSettings) (*csvReader, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	r := &csvReader{path: path, in: newCSVInput(func() (io.ReadCloser, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("frames: %w%s", format.Error(err), suggestFile(path, err))
		}
		return file, nil
	}, s)}
	if err := r.begin(); err != nil {
		if err := r.in.recognize(err); err != nil {
			return nil, err
		}
		r.in.again()
		if err := r.begin(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// begin reads the first rows.
func (r *csvReader) begin() error {
	found := 0
	err := r.in.begin(func(p *piece) error {
		if err := r.in.checkSettings(); err != nil {
			return err
		}
		var err error
		r.columns, found, err = r.in.readers(p)
		return err
	})
	if err == nil && found == 0 { // blank lines and comments may be many
		_, err = r.scan(context.Background(), nil, func(*table.Block) (any, error) { return nil, nil }, func(any) error { return nil })
	}
	return err
}

// Converted says how the file is converted to UTF-8, "" if it is not, as far as is known.
func (r *csvReader) Converted() string { return r.in.report() }

// Written returns the size of the file and the time when it was written last.
func (r *csvReader) Written() (string, error) {
	about, err := os.Stat(r.path)
	if err != nil {
		return "", fmt.Errorf("frames: %w", format.Error(err))
	}
	return fmt.Sprint(about.Size(), " ", about.ModTime().UnixNano()), nil
}

// Fields returns the columns, with the types that are known so far.
func (r *csvReader) Fields() []table.Field {
	r.lock.Lock()
	defer r.lock.Unlock()
	return fieldsOf(r.columns)
}

func fieldsOf(columns []csvColumn) []table.Field {
	fields := make([]table.Field, len(columns))
	for j, c := range columns {
		fields[j] = table.Field{Name: c.name, Type: series.Float, Dates: c.mode == dateCells, Note: c.note}
		switch c.mode {
		case boolCells:
			fields[j].Type = series.Bool
		case textCells, dateCells:
			fields[j].Type = series.String
		}
	}
	return fields
}

// Scan reads all rows. A file that turns out to be of another encoding is to be read again.
func (r *csvReader) Scan(ctx context.Context, names []string, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	stamp, err := r.scan(ctx, names, work, collect)
	var not *notUTF8
	if !errors.As(err, &not) {
		return stamp, err
	}
	if err := r.in.recognize(err); err != nil {
		return "", err
	}
	return "", table.ErrTypes
}

// scan reads all rows as what the file was taken for.
func (r *csvReader) scan(ctx context.Context, names []string, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	r.lock.Lock()
	columns := slices.Clone(r.columns)
	r.lock.Unlock()
	fields := fieldsOf(columns)
	for j := range columns {
		if !slices.Contains(names, columns[j].name) {
			columns[j].mode = skipCells
		}
	}
	var end csvEnd
	seen := newSeenNumbers(len(columns))
	err := table.InOrder(ctx, func(ctx context.Context, emit func(*piece) error) error {
		var err error
		end, err = r.in.pass(ctx, emit)
		return err
	}, func(p *piece) (any, error) {
		defer r.in.free(p)
		parsed, err := r.in.parse(p, columns, false)
		if err != nil {
			return nil, err
		}
		seen.add(parsed, p.first)
		b := &table.Block{N: parsed.rows, First: p.first}
		for j, c := range parsed.columns {
			if c == nil {
				continue
			}
			c.Field, c.Whole = fields[j], columns[j].mode == numberCells && !columns[j].float && c.decimal == 0
			c.Ints = c.Whole
			if columns[j].float {
				c.Low = nil
			}
			b.Columns = append(b.Columns, &c.Column)
		}
		return work(b)
	}, collect)
	var wrong conflicts
	if errors.As(err, &wrong) {
		return "", r.mend(wrong)
	}
	if err == nil && r.round(seen) {
		return "", table.ErrTypes
	}
	if err == nil && end.rows == 0 {
		err = r.in.noRows(end)
	}
	return fmt.Sprintf("%d bytes, %d rows, checksum %08x", end.bytes, end.rows, end.sum), err
}

// seenNumbers says of every column whether a pass met decimal numbers, and the first integer
// that a float64 rounds.
type seenNumbers struct {
	lock    sync.Mutex
	decimal []bool
	long    []oddCell // row is that of the file, counted from 1; 0 if there is none
	lost    []oddCell // beyond 64 bits
}

func newSeenNumbers(columns int) *seenNumbers {
	return &seenNumbers{decimal: make([]bool, columns), long: make([]oddCell, columns), lost: make([]oddCell, columns)}
}

// add adds a piece, whose first row has the number given, from 0.
func (s *seenNumbers) add(p *parsedPiece, first int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	keep := func(all []oddCell, j, row int, cell string) {
		if at := first + row + 1; all[j].row == 0 || at < all[j].row {
			all[j] = oddCell{row: at, cell: cell}
		}
	}
	for j, c := range p.columns {
		if c == nil {
			continue
		}
		s.decimal[j] = s.decimal[j] || c.decimal > 0
		if i := slices.IndexFunc(c.Low, func(low float64) bool { return low != 0 }); i >= 0 {
			keep(s.long, j, i, table.WholeText(c.Num[i], c.Low[i]))
		}
		if c.lost != nil {
			keep(s.lost, j, c.lost.row, c.lost.cell)
		}
	}
}

// round has columns of decimal numbers round the integers beyond 2^53 that a pass met, as
// ReadCSV does, and reports whether there are any that were not rounded before.
func (r *csvReader) round(seen *seenNumbers) (found bool) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for j := range r.columns {
		c, first := &r.columns[j], seen.lost[j]
		if first.row == 0 && (seen.decimal[j] || c.float) {
			first = seen.long[j]
		}
		if first.row > 0 && c.note == "" {
			c.float, found = true, true
			c.note = fmt.Sprintf("integers are rounded to the digits of a float64: row %d has %s", first.row, first.cell)
		}
	}
	return found
}

// mend changes how columns are read.
func (r *csvReader) mend(wrong conflicts) error {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, w := range wrong {
		c := &r.columns[w.column]
		if c.forced {
			what := fmt.Sprintf("type %s in Types", fieldsOf([]csvColumn{*c})[0].Type)
			if c.mode == dateCells {
				what = fmt.Sprintf("dates %s in CSVSettings.Dates", dateOrders[c.order])
			}
			return errorf(ErrNotNumeric, "column %q has %s, but row %d has %q", c.name, what, w.row+1, w.cell)
		}
		*c = w.now
	}
	return table.ErrTypes
}
