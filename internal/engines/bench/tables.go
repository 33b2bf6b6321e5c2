//go:build unix

package main

import (
	"database/sql"
	"fmt"
	"strings"

	"github.com/regbook/regbook/frames/source"
)

// fill makes the table of n rows: numbers x1, x2, ... and y, factors of 300 and of 10^4 levels (of 20 rows at least), and classes that are
// not separated.
func fill(j job, n int, shards []string) error {
	types, random := []string{"double precision", "text", "integer"}, func(int) string { return "random() + random()" }
	row, level := "i", "'level ' || (i %% 300)"
	switch j.dialect() {
	case source.DuckDB:
		types, row, level = []string{"DOUBLE", "VARCHAR", "INTEGER"}, "range", "'level ' || (range %% 300)"
	case source.ClickHouse:
		types, row, level = []string{"Float64", "String", "UInt32"}, "number", "concat('level ', toString(number %% 300))"
		random = func(k int) string { return fmt.Sprintf("rand(%d) / 4294967296 + rand(%d) / 4294967296", 2*k, 2*k+1) }
	}
	var names, values []string
	for k := range columns {
		names, values = append(names, fmt.Sprint("x", k+1)), append(values, fmt.Sprintf("%s AS x%d", random(k), k+1))
	}
	values = append(values, random(columns)+" AS r", random(columns+1)+" AS e", level+" AS g", fmt.Sprintf("%s %%%% %d AS zone", row, min(10_000, n/20)))
	text := "SELECT " + strings.Join(names, ", ") + ", x1 + x2 + e AS y, g, zone, CASE WHEN x1 + r > 2 THEN 1 ELSE 0 END AS class FROM (SELECT " + strings.Join(values, ", ") + " FROM %s) AS made"
	declared := strings.Join(names, " "+types[0]+", ") + " " + types[0] + ", y " + types[0] + ", g " + types[1] + ", zone " + types[2] + ", class " + types[2]
	return j.create(fmt.Sprint("t", n), declared, text, n, shards)
}

// create makes a table of n rows, of which text selects those of a table of numbers.
func (j *job) create(table, declared, text string, n int, shards []string) error {
	exec := func(dsn string, commands ...string) error {
		db, err := sql.Open(j.Driver, dsn)
		if err != nil {
			return err
		}
		defer db.Close()
		for _, c := range commands {
			if _, err := db.Exec(c); err != nil {
				return err
			}
		}
		return nil
	}
	create := "CREATE TABLE " + table + " (" + declared + ")"
	switch j.dialect() {
	case source.DuckDB:
		return exec(j.DSN, create, "INSERT INTO "+table+" "+fmt.Sprintf(text, fmt.Sprintf("range(%d)", n)))
	case source.PostgreSQL:
		return exec(j.DSN, create, "INSERT INTO "+table+" "+fmt.Sprintf(text, fmt.Sprintf("generate_series(1, %d) AS i", n)), "VACUUM ANALYZE "+table)
	}
	part := "part" + table
	for _, dsn := range shards {
		if err := exec(dsn, "CREATE TABLE "+part+" ("+declared+") ENGINE = MergeTree ORDER BY tuple()", "INSERT INTO "+part+" "+fmt.Sprintf(text, fmt.Sprintf("numbers(%d)", n/len(shards)))); err != nil {
			return err
		}
	}
	return exec(j.DSN, "CREATE TABLE "+table+" AS "+part+" ENGINE = Distributed(two, default, "+part+")")
}
