package source_test

import (
	"context"
	"database/sql"
	"fmt"

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
