// Command invariance fits random sets of rows in forms that are the same to a fit, and holds
// the fits to each other. make invariance runs it.
//
//	make invariance                       200 sets of seed 1
//	make invariance SEED=7 CASES=50       other sets
//	make invariance CASE=7/23             one set alone
//	make invariance KIND=FitLasso         the estimators of a name alone
//	make invariance STORE=1 CASES=3       also keeps what is open, for go test
//
// # A set
//
// A set has numbers, factors, responses of all sorts, weights, folds and groups of rows.
// data.go draws it from its seed and number alone, by package randomtable.
//
// # A transformation
//
// transform.go has what must not matter, or matters in a way that is known exactly: the order
// of rows and of columns; the units of columns, by powers of two; rows that stand as often as
// their weight says; rows of weight zero, with values that no sum holds; a level that only
// such rows have; the level that a factor starts from; names; sums of chunks, added up and
// subtracted; rows in blocks.
//
// # An estimator
//
// The files estimators_*.go have every fit of package mlreg that takes a design, with its
// settings; quantity.go collects what a fit says by the names of its methods. Penalized fits
// are of standardized columns.
//
// # Comparison
//
// A quantity may be off by 1e-8 of its natural scale, and where a fit stops at a duality gap by
// the root of that; by more if columns are nearly combinations of others. Names may change no
// bit. explain.go has the differences that are intended, each a predicate with its reason.
// What is open makes the exit status 1.
package main
