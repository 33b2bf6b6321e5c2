package frames

import (
	"math"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
)

// dataTable has the columns that expressions are computed from: those of a frame, or of a
// block of rows of a source.
type dataTable interface {
	names() []string
	has(name string) bool
	height() int                       // rows, whether or not they are computed on
	number1(row int) int               // the number of a row in its table, counted from 1
	read(name string) (*column, error) // for the caller to keep
	columnOfText(cell string) string   // the column of text that has a cell, "" if none has
	partial() bool                     // whether there are rows before and behind that are not at hand
}

// frameTable is a frame with its columns, which are only read.
type frameTable struct {
	df     dataframe.DataFrame
	series map[string]series.Series
}

// evaluatorOf returns the evaluator of a frame, of no rows yet.
func evaluatorOf(df dataframe.DataFrame) *evaluator {
	return &evaluator{dataTable: frameTable{df, columnsByReference(df)}, cols: make(map[string]*column)}
}

// frame returns the frame of an evaluator of one.
func (e *evaluator) frame() frameTable {
	t, _ := e.dataTable.(frameTable)
	return t
}

func (t frameTable) names() []string                   { return t.df.Names() }
func (t frameTable) height() int                       { return t.df.Nrow() }
func (t frameTable) number1(row int) int               { return row + 1 }
func (t frameTable) read(name string) (*column, error) { return columnOf(t.df, t.series, name) }
func (t frameTable) partial() bool                     { return false }

func (t frameTable) has(name string) bool {
	_, ok := t.series[name]
	return ok
}

func (t frameTable) columnOfText(cell string) string {
	for _, name := range t.df.Names() {
		s := t.series[name]
		if s.Type() == series.String && slices.Contains(s.Records(), cell) {
			return name
		}
	}
	return ""
}

// blockTable is a block of rows of a source.
type blockTable struct{ *table.Block }

// fieldsBlock is a block of no rows.
func fieldsBlock(fields []table.Field) *table.Block {
	b := &table.Block{}
	for _, f := range fields {
		b.Columns = append(b.Columns, &table.Column{Field: f, Missing: []bool{}})
	}
	return b
}

// onBlock returns the evaluator of all rows of a block.
func onBlock(b *table.Block) *evaluator {
	return &evaluator{dataTable: blockTable{b}, cols: make(map[string]*column), whole: true}
}

// onFields returns the evaluator of a table of no rows, for what is known without any.
func onFields(fields []table.Field) *evaluator { return onBlock(fieldsBlock(fields)) }

func (t blockTable) names() []string {
	names := make([]string, len(t.Columns))
	for j, c := range t.Columns {
		names[j] = c.Name
	}
	return names
}

func (t blockTable) has(name string) bool       { return t.Column(name) != nil }
func (t blockTable) height() int                { return t.N }
func (t blockTable) number1(row int) int        { return t.Number(row) + 1 }
func (t blockTable) columnOfText(string) string { return "" }
func (t blockTable) partial() bool              { return true }

// read takes a column of the block, whose values are not copied.
func (t blockTable) read(name string) (*column, error) {
	from := t.Column(name)
	if from == nil {
		return nil, errorf(ErrNoColumn, "no column %q in the data%s", name, suggest(name, t.names()))
	}
	values := len(from.Num)
	if from.Type == series.String {
		values = len(from.Text)
	}
	if n := t.N; values != n || len(from.Missing) != n {
		return nil, errorf(ErrMissing, "column %q has %d values in a block of %d rows", name, min(values, len(from.Missing)), n)
	}
	c := &column{name: name, typ: from.Type, num: from.Num, low: from.Low, whole: from.Whole, text: from.Text, missing: from.Missing, count: from.Count, complete: from.Count == 0, note: from.Note}
	if t.N > 0 {
		c.first = t.number1(0) - 1
	}
	if c.typ != series.String {
		return c, nil
	}
	if !from.Dates {
		c.notDates = true
		return c, nil
	}
	if c.days = c.readDates(); c.days == nil {
		for i, s := range c.text {
			if _, ok := isoDays(s); !ok && !c.missing[i] {
				return nil, errorf(ErrNotNumeric, "column %q is of dates, but row %d has %q%s", name, t.number1(i), s, noSuchDay(s))
			}
		}
		c.days = slices.Repeat([]float64{math.NaN()}, len(c.text))
	}
	return c, nil
}
