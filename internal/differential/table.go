package main

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
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
