//go:build unix

package main

import (
	"database/sql"
	"fmt"
	"strings"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/try"
)

// fill makes the table of n rows.
func fill(j job, n int, shards []string) {
	var names, values, types []string
	for k := range columns {
		names = append(names, fmt.Sprint("x", k+1))
	}
	names = append(names, "y")
	random := "random() + random() + random()"
	typ := "DOUBLE"
	switch j.dialect() {
	case source.PostgreSQL:
		typ = "double precision"
	case source.ClickHouse:
		typ = "Float64"
	}
	for k, name := range names {
		if j.dialect() == source.ClickHouse {
			random = fmt.Sprintf("rand(%d) / 4294967296 + rand(%d) / 4294967296", 2*k, 2*k+1)
		}
		values = append(values, random)
		types = append(types, name+" "+typ)
	}
	j.create(fmt.Sprint("t", n), strings.Join(types, ", "), "SELECT "+strings.Join(values, ", ")+" FROM %s", n, shards)
}

// fillMore makes the table of n rows that have factors of 300 and of 10^4 levels (of 20 rows at least), and classes that are not separated.
func fillMore(j job, n int, shards []string) {
	types, random := []string{"double precision", "text", "integer"}, func(int) string { return "random()" }
	row, level := "i", "'level ' || (i %% 300)"
	switch j.dialect() {
	case source.DuckDB:
		types, row, level = []string{"DOUBLE", "VARCHAR", "INTEGER"}, "range", "'level ' || (range %% 300)"
	case source.ClickHouse:
		types, row, level = []string{"Float64", "String", "UInt32"}, "number", "concat('level ', toString(number %% 300))"
		random = func(k int) string { return fmt.Sprintf("rand(%d) / 4294967296", k) }
	}
	var columns, values []string
	for k := range 5 {
		columns, values = append(columns, fmt.Sprint("x", k+1)), append(values, fmt.Sprintf("%s AS x%d", random(k), k+1))
	}
	values = append(values, random(5)+" AS r", random(6)+" AS e", level+" AS g", fmt.Sprintf("%s %%%% %d AS zone", row, min(10_000, n/20)))
	text := "SELECT " + strings.Join(columns, ", ") + ", x1 + x2 + e AS y, g, zone, CASE WHEN x1 + r > 1 THEN 1 ELSE 0 END AS class FROM (SELECT " + strings.Join(values, ", ") + " FROM %s) AS made"
	declared := strings.Join(columns, " "+types[0]+", ") + " " + types[0] + ", y " + types[0] + ", g " + types[1] + ", zone " + types[2] + ", class " + types[2]
	j.create(fmt.Sprint("more", n), declared, text, n, shards)
}

// create makes a table of n rows, of which text selects those of a table of numbers.
func (j *job) create(table, declared, text string, n int, shards []string) {
	exec := func(dsn string, commands ...string) {
		db := try.Get(sql.Open(j.Driver, dsn))
		defer db.Close()
		for _, c := range commands {
			try.Get(db.Exec(c))
		}
	}
	insert := func(table, from string, n int) string {
		return "INSERT INTO " + table + " " + fmt.Sprintf(text, fmt.Sprintf(from, n))
	}
	create := "CREATE TABLE " + table + " (" + declared + ")"
	switch j.dialect() {
	case source.DuckDB:
		exec(j.DSN, create, insert(table, "range(%d)", n))
	case source.PostgreSQL:
		exec(j.DSN, create, insert(table, "generate_series(1, %d) AS i", n), "VACUUM ANALYZE "+table)
	default:
		part := "part" + table
		for _, dsn := range shards {
			exec(dsn, "CREATE TABLE "+part+" ("+declared+") ENGINE = MergeTree ORDER BY tuple()", insert(part, "numbers(%d)", n/len(shards)))
		}
		exec(j.DSN, "CREATE TABLE "+table+" AS "+part+" ENGINE = Distributed(two, default, "+part+")")
	}
}
