// Package source has tables that stay where they are: files larger than memory,
// databases. A Source describes itself, gives rows to look at and groups for figures, and
// reads the formulas of package frames. The Design that it returns is what the fits of
// package mlreg take: their call is the same whether rows are in memory or not.
//
//	flights, err := source.CSV("flights.csv", nil)
//	d, err := flights.Design(ctx, "delay ~ poly(distance, 3) + carrier*hour")
//	ols, err := mlreg.FitOLS(d, nil)
//
// [CSV] reads files, [Frame] a frame, [Open] a table of a database: PostgreSQL, DuckDB,
// ClickHouse, SQLite, MariaDB. Packages parquet and duckdb below this one are modules of their own. Tables of
// another database are read by a [Dialect] that anybody can write; package sourcetest tests one.
//
// Columns of [Source.With] are computed as the rows are read, by the code of frames.With.
// Predictions are written back as one more column, [Source.WithPredictions], which a
// database computes itself, by [Source.CreateTable] or [Source.WriteCSV]. [Load] makes a table
// of a database of the rows of any source.
//
// Fits that need sums only (least squares, ridge, lasso, Bayes, evidence, subsets) make
// one pass over the rows, in memory that does not grow with their number, or have a
// database sum where the rows are (one statement or two; see [Route]); those that need
// rows (logistic regression) make a few, and one if all terms are of factors, which a database replaces by one GROUP BY; a database replaces each by one statement of sums with Pushed, and where that is estimated to be faster. [Source.Connections] has a database send parts of a table by several
// connections.
package source
