// Package duckdb reads CSV and Parquet files and DuckDB's databases by DuckDB, an engine
// that is linked into the program, as sources of package frames/source.
//
//	flights, err := duckdb.Parquet(ctx, "flights/*.parquet", nil)
//	defer flights.Close()
//	d, err := flights.Design(ctx, "delay ~ distance + carrier")
//
// It is a module of its own: no program links the engine that does not import it. It
// needs cgo. It also brings DuckDB's driver, "duckdb" of database/sql, for source.Open.
//
// On Linux rows that are streamed, from source.Open too, are read by the engine's vectors
// while it computes them; elsewhere the driver holds all of them first.
package duckdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2" // driver "duckdb"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// Settings are the options of CSV, Parquet and Table.
type Settings struct {
	// MemoryLimit is how much the engine may hold, as DuckDB writes it: "200MB". The
	// default is DuckDB's, 80% of the machine's.
	MemoryLimit string
	// Threads is how many it may use; 0 is all processors.
	Threads int
}

// Source is a table that DuckDB reads. Close it after use.
type Source struct {
	*source.Source
	db *sql.DB
}

// Close closes the engine. The source and its designs must not be used afterwards.
func (s *Source) Close() error {
	if s == nil || s.db == nil {
		return nil
	}
	return s.db.Close()
}

// CSV reads a CSV file, or all that a pattern such as "flights/*.csv" names, compressed
// or not. DuckDB finds out the separator, the header and the types of the columns. Nil
// settings are the defaults.
//
// The files must not change while the source is used: they are read anew by every pass,
// which compares a checksum of the rows with that of the first. What CreateTable makes is in
// the engine's memory, which Close frees; WriteCSV writes a file.
func CSV(ctx context.Context, pattern string, settings *Settings) (*Source, error) {
	return file(ctx, "read_csv", pattern, settings)
}

// Parquet reads a Parquet file, or all that a pattern such as "flights/*.parquet" names.
// Nil settings are the defaults. What CSV says of changes and of CreateTable holds here,
// too.
func Parquet(ctx context.Context, pattern string, settings *Settings) (*Source, error) {
	return file(ctx, "read_parquet", pattern, settings)
}

// Table reads a table or view of the DuckDB database in a file, which is opened for
// reading only: CreateTable is refused, and works on a source of source.Open. Nil settings
// are the defaults. The relation is that of source.Open.
func Table(ctx context.Context, file, relation string, settings *Settings) (*Source, error) {
	if file == "" || strings.Contains(file, "?") {
		return nil, fmt.Errorf("%w: the name of the file is %q; it is not empty and has no question mark", frames.ErrSetting, file)
	}
	return open(ctx, file+"?access_mode=read_only", "", relation, settings)
}

func file(ctx context.Context, reader, pattern string, settings *Settings) (*Source, error) {
	if pattern == "" || strings.ContainsRune(pattern, 0) {
		return nil, fmt.Errorf("%w: the name of the file is %q", frames.ErrSetting, pattern)
	}
	view := source.DuckDB.QuoteName(pattern) // errors name it
	return open(ctx, "", "CREATE VIEW "+view+" AS SELECT * FROM "+reader+"("+source.DuckDB.QuoteText(pattern)+")", view, settings)
}

func open(ctx context.Context, dsn, view, relation string, settings *Settings) (_ *Source, err error) {
	if ctx == nil {
		return nil, fmt.Errorf("%w: the context is nil; context.Background() never ends", frames.ErrSetting)
	}
	var set Settings
	if settings != nil {
		set = *settings
	}
	if set.Threads < 0 {
		return nil, fmt.Errorf("%w: Settings.Threads = %d; it is not negative", frames.ErrSetting, set.Threads)
	}
	db, err := sql.Open("duckdb", dsn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", source.ErrSource, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, db.Close())
		}
	}()
	var commands []string
	if set.MemoryLimit != "" {
		commands = append(commands, "SET memory_limit = "+source.DuckDB.QuoteText(set.MemoryLimit))
	}
	if set.Threads > 0 {
		commands = append(commands, fmt.Sprintf("SET threads = %d", set.Threads))
	}
	commands = append(commands, "SET preserve_insertion_order = true")
	if view != "" {
		commands = append(commands, view)
	}
	for _, command := range commands {
		if _, err := db.ExecContext(ctx, command); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, fmt.Errorf("%w: DuckDB: %w", source.ErrSource, err)
		}
	}
	s, err := source.Open(ctx, db, source.DuckDB, relation)
	if err != nil {
		return nil, err
	}
	return &Source{s, db}, nil
}
