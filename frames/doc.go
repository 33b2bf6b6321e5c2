// Package frames takes tables to designs and fits back to tables: it reads
// CSV files into gota data frames, describes them, builds the design matrix of
// a formula for package mlreg, and gives results as frames.
//
// By task:
//
//	read a file              ReadCSV, ParseCSV
//	build a frame            Frame, Col
//	describe                 Describe, Info
//	take columns out         Floats, Matrix
//	select rows              Mask, Where, Split
//	a design from a formula  Design, ParseFormula, Formula.Design
//	code new rows alike      DesignLike, TermsOf
//	results as frames        Tidy, TidyInclusions, Glance, Augment
//
// Rows are counted from 1 in messages and from 0 in the API. Columns are
// copied out of a frame; no function keeps one or changes it.
package frames
