package main

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
)

//go:embed data/*.csv
var files embed.FS

// missing is the cell of a missing value.
const missing = "NA"

// table is a data frame as it stands in its file: text, cell by cell.
type table struct {
	name    string
	columns []column
}

type column struct {
	name  string
	cells []string
}

// ownTables are R's data sets.
var ownTables = readTables()

func readTables() []*table {
	names, err := fs.Glob(files, "data/*.csv")
	if err != nil {
		panic(err)
	}
	var tables []*table
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		lines, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		t := &table{name: strings.TrimSuffix(strings.TrimPrefix(name, "data/"), ".csv")}
		for j, title := range lines[0] {
			c := column{name: title}
			for _, line := range lines[1:] {
				c.cells = append(c.cells, line[j])
			}
			t.columns = append(t.columns, c)
		}
		tables = append(tables, t)
	}
	return tables
}

// csv returns the table as the text of a file.
func (t *table) csv() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	line := make([]string, len(t.columns))
	for i := -1; i < t.len(); i++ {
		for j, c := range t.columns {
			line[j] = c.name
			if i >= 0 {
				line[j] = c.cells[i]
			}
		}
		if err := w.Write(line); err != nil {
			panic(err) // a buffer takes everything
		}
	}
	w.Flush()
	return b.Bytes()
}

// frame reads the text of the file as an analyst does.
func (t *table) frame() (dataframe.DataFrame, error) {
	read, err := frames.ParseCSV(bytes.NewReader(t.csv()), nil)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	return read.Frame, nil
}

func (t *table) len() int { return len(t.columns[0].cells) }

// with returns the table with a column added, or put in the place of that of its name.
func (t *table) with(c column) *table {
	columns := slices.Clone(t.columns)
	if at := slices.IndexFunc(columns, func(o column) bool { return o.name == c.name }); at >= 0 {
		columns[at] = c
	} else {
		columns = append(columns, c)
	}
	return &table{t.name, columns}
}

// complete returns the rows without a missing value; the table itself if they are few.
func (t *table) complete() *table {
	kept := &table{name: t.name}
	for _, c := range t.columns {
		kept.columns = append(kept.columns, column{name: c.name})
	}
	for i := range t.len() {
		if slices.ContainsFunc(t.columns, func(c column) bool { return c.cells[i] == missing }) {
			continue
		}
		for j, c := range t.columns {
			kept.columns[j].cells = append(kept.columns[j].cells, c.cells[i])
		}
	}
	if kept.len() < 10 {
		return t
	}
	return kept
}

// numbers returns the values of a column that are not missing; false if some are text.
func (c column) numbers() ([]float64, bool) {
	var values []float64
	for _, cell := range c.cells {
		if cell == missing {
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

// gaps tells whether values are missing.
func (c column) gaps() bool { return slices.Contains(c.cells, missing) }

// levels returns the distinct cells that are not missing.
func (c column) levels() []string {
	levels := slices.Compact(slices.Sorted(slices.Values(c.cells)))
	return slices.DeleteFunc(levels, func(cell string) bool { return cell == missing })
}

// text writes a number with some significant digits. Few digits are read alike by
// everyone.
func text(v float64, digits int) string { return strconv.FormatFloat(v, 'g', digits, 64) }
