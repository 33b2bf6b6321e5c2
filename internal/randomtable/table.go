package randomtable

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strconv"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
)

// Missing is the cell of a missing value.
const Missing = "NA"

// Table is a data frame as it stands in its file: text, cell by cell.
type Table struct {
	Name    string
	Columns []Column
}

// Column is a column of a table: its cells are numbers, texts or Missing.
type Column struct {
	Name  string
	Cells []string
}

// CSV returns the table as the text of a file.
func (t *Table) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	line := make([]string, len(t.Columns))
	for i := -1; i < t.Len(); i++ {
		for j, c := range t.Columns {
			line[j] = c.Name
			if i >= 0 {
				line[j] = c.Cells[i]
			}
		}
		if err := w.Write(line); err != nil {
			panic(err) // a buffer takes everything
		}
	}
	w.Flush()
	return b.Bytes()
}

// Frame reads the text of the file as an analyst does.
func (t *Table) Frame() (dataframe.DataFrame, error) {
	read, err := frames.ParseCSV(bytes.NewReader(t.CSV()), nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return read.Frame, nil
}

func (t *Table) Len() int { return len(t.Columns[0].Cells) }

// With returns the table with a column added, or put in the place of that of its name.
func (t *Table) With(c Column) *Table {
	columns := slices.Clone(t.Columns)
	if at := slices.IndexFunc(columns, func(o Column) bool { return o.Name == c.Name }); at >= 0 {
		columns[at] = c
	} else {
		columns = append(columns, c)
	}
	return &Table{t.Name, columns}
}

// Complete returns the rows without a missing value; the table itself if they are few.
func (t *Table) Complete() *Table {
	kept := &Table{Name: t.Name}
	for _, c := range t.Columns {
		kept.Columns = append(kept.Columns, Column{Name: c.Name})
	}
	for i := range t.Len() {
		if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Cells[i] == Missing }) {
			continue
		}
		for j, c := range t.Columns {
			kept.Columns[j].Cells = append(kept.Columns[j].Cells, c.Cells[i])
		}
	}
	if kept.Len() < 10 {
		return t
	}
	return kept
}

// Numbers returns the values of a column that are not Missing; false if some are text.
func (c Column) Numbers() ([]float64, bool) {
	var values []float64
	for _, cell := range c.Cells {
		if cell == Missing {
			continue
		}
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return nil, false
		}
		values = append(values, v)
	}
	return values, true
}

// Gaps tells whether values are missing.
func (c Column) Gaps() bool { return slices.Contains(c.Cells, Missing) }

// Levels returns the distinct cells that are not missing.
func (c Column) Levels() []string {
	levels := slices.Compact(slices.Sorted(slices.Values(c.Cells)))
	return slices.DeleteFunc(levels, func(cell string) bool { return cell == Missing })
}

// Text writes a number with some significant digits. Few digits are read alike by
// everyone.
func Text(v float64, digits int) string { return strconv.FormatFloat(v, 'g', digits, 64) }
