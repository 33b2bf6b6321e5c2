package main

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/regbook/regbook/internal/randomtable"
)

// What is drawn.
type (
	dice   = randomtable.Dice
	table  = randomtable.Table
	column = randomtable.Column
)

//go:embed data/*.csv
var files embed.FS

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
		t := &table{Name: strings.TrimSuffix(strings.TrimPrefix(name, "data/"), ".csv")}
		for j, title := range lines[0] {
			c := column{Name: title}
			for _, line := range lines[1:] {
				c.Cells = append(c.Cells, line[j])
			}
			t.Columns = append(t.Columns, c)
		}
		tables = append(tables, t)
	}
	return tables
}

// beyond are two rows of a table, below and above all of its numbers; text is that of its first
// complete row. They have no weights.
func beyond(t *table, weights string) *table {
	rows := &table{Name: t.Name}
	first := 0
	for first < t.Len()-1 && slices.ContainsFunc(t.Columns, func(c column) bool { return c.Cells[first] == randomtable.Missing }) {
		first++
	}
	for _, c := range t.Columns {
		if c.Name == weights {
			continue
		}
		cells := []string{c.Cells[first], c.Cells[first]}
		if x, number := c.Numbers(); number && len(x) > 0 {
			least, most := slices.Min(x), slices.Max(x)
			half := (most - least) / 2
			below := least - half
			if least > 0 {
				below = least / 2
			}
			cells = []string{randomtable.Text(below, -1), randomtable.Text(most+half, -1)}
		}
		rows.Columns = append(rows.Columns, column{Name: c.Name, Cells: cells})
	}
	return rows
}
