// Command differential holds this project against R on random cases. make
// differential runs it.
//
//	make differential                    2,000 cases of seed 1
//	make differential SEED=7 CASES=300   other cases
//	make differential CASE=7/123         one case alone, with what both sides gave
//	make differential STORE=1            also keeps R's answers in testdata
//
// # A case
//
// A case is a call on a table: a random formula on one of R's own data sets
// (data/*.csv, by data/export.R) or on a random table, random weights, penalties, folds,
// priors, rows to predict. generate.go draws it from its seed and number alone, so
// that it can be run again by its name, seed/number.
//
// # Both sides
//
// Tables go to files as CSV, cases as JSON. Some processes of R run peers.R, which
// writes a line of JSON for each case: quantities by name, each a vector of numbers to
// 17 digits, of texts, or a message why R refuses it. The files ours*.go compute the
// same quantities by this project from the same CSV, each with its natural scale.
//
// # Comparison
//
// quantities.go states a tolerance for every quantity. A value may be off by
//
//	max(tolerance, 2^-50 amplification) scale
//
// where the scale is the natural one of the value and the amplification the factor by
// which rounding may grow in R, which computes in double precision (the condition
// number of the columns brought to unit length, say), or where a selection has sums
// only.
//
// explain.go has the disagreements that are explained: each is a predicate with a
// reason, which is a sentence of COMING_FROM.md. The table printed has a line for every
// quantity; what is beyond its tolerance and not explained follows by case, and makes the
// exit status 1. What one side refuses is counted by message, which is not a failure.
//
// # Stored runs
//
// testdata/seed*.json.gz are R's answers at some seeds, of vectors at most a dozen
// values, with what we refused and what was open then. A test computes our side anew and
// holds it to them, without R; it fails, too, if we refuse more than we did.
package main
