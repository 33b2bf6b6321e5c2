package source_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// The driver is the program's choice; with pgx, for example, it imports
// github.com/jackc/pgx/v5/stdlib.
func ExampleOpen() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://reader@localhost/trips")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	flights, err := source.Open(ctx, db, source.PostgreSQL, "public.flights")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := flights.Design(ctx, "delay ~ poly(distance, 3) + carrier*hour")
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(d.Route(), fit)
}

// Predictions are written by the database; no row leaves it.
func ExampleSource_CreateTable() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://writer@localhost/trips")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	flights, err := source.Open(ctx, db, source.PostgreSQL, "public.flights")
	if err != nil {
		fmt.Println(err)
		return
	}
	d, err := flights.Design(ctx, "delay ~ poly(distance, 3) + carrier*hour")
	if err != nil {
		fmt.Println(err)
		return
	}
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	scored, err := flights.WithPredictions(ctx, fit, "expected")
	if err != nil {
		fmt.Println(err)
		return
	}
	text, err := scored.SQL()
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := scored.CreateTable(ctx, "public.scored", &source.TableSettings{Replace: true})
	fmt.Println(text, table, err)
}

// A file becomes a table of a database, whole or not at all.
func ExampleLoad() {
	ctx := context.Background()
	db, err := sql.Open("pgx", "postgres://writer@localhost/trips")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	rows, err := source.CSV("flights.csv", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	flights, err := source.Load(ctx, db, source.PostgreSQL, "public.flights", rows, &source.TableSettings{Replace: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(flights.NRow(ctx))
}

// A dialect of a database in whose SQL 0.1 is a decimal number, with the fields that are required: all that a fit needs. The others
// make it fast, or say in what else the database differs. sourcetest.Run(t, other, db) tests it.
func ExampleDialect() {
	as := func(name string) func(x string) string {
		return func(x string) string { return "CAST(" + x + " AS " + name + ")" }
	}
	days := func(c *source.TypedColumn) string {
		if c.Kind == source.DateKind {
			return "CAST(" + c.Ref + " - DATE '1970-01-01' AS DOUBLE)"
		}
		return "(CAST(epoch_us(" + c.Ref + ") AS DOUBLE) / 8.64e10)"
	}
	parts := map[string]string{"year": "year", "month": "month", "day": "day", "yday": "dayofyear", "weekday": "isodow"} // not "hour"
	types := map[source.Kind]string{source.FloatKind: "DOUBLE", source.WholeKind: "BIGINT", source.TruthKind: "BOOLEAN",
		source.TextKind: "VARCHAR", source.DateKind: "DATE", source.TimeKind: "TIMESTAMP"}
	other := &source.Dialect{
		Name:       "Other",
		QuoteName:  source.SQLite.QuoteName,
		QuoteText:  source.SQLite.QuoteText,
		Decimals:   true,
		Double:     as("DOUBLE"),
		CastText:   as("VARCHAR"),
		AsText:     as("VARCHAR"),
		Ln:         "ln",
		Power:      "power",
		NotNumber:  func(x string) string { return "isnan(" + x + ")" },
		Inexact:    func(c *source.TypedColumn) string { return "(abs(" + c.Ref + ") > 9007199254740992)" }, // what is exact beyond is read from rows
		MaxTargets: 1000,
		Days:       days,
		DatePart: func(part string, c *source.TypedColumn) string {
			if parts[part] == "" {
				return ""
			}
			return parts[part] + "(" + c.Ref + ")"
		},
		Version:    "SELECT version()",
		Recognized: func(version string) bool { return strings.HasPrefix(version, "Other") },
		Create: func(c *source.Creation) []string {
			make := "CREATE TABLE " + c.Made + " AS " + c.Select
			rename := "ALTER TABLE " + c.Made + " RENAME TO " + c.Target[len(c.Target)-1]
			if !c.Replace {
				return []string{make, rename}
			}
			return []string{make, "DROP TABLE IF EXISTS " + c.Name(), rename}
		},
		Storage: func(kind source.Kind) string { return types[kind] },
	}
	fmt.Println(other)
	// Output: Other
}
