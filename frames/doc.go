// Package frames takes tables to designs and fits back to tables: it reads
// CSV files into gota data frames, describes them, builds the design matrix of
// a formula for package mlreg, and gives results as frames.
//
//	d, err := frames.Design(df, "lpsa ~ lcavol + poly(age, 3) + factor(gleason)")
//
// # Index by task
//
//   - read a file (read.csv, pandas.read_csv): [ReadCSV], [ParseCSV], [CSVSettings]
//   - build a frame (data.frame, DataFrame): [Frame], [Col]
//   - describe (summary, str, describe, info): [Describe], [Info]
//   - take columns out (df$x, as.matrix, to_numpy): [Floats], [Matrix]
//   - select rows (subset, na.omit, train_test_split): [Where], [WhereFunc],
//     [Complete], [Mask], [Split]
//   - a design from a formula (model.matrix, patsy): [Design]; [ParseFormula] and
//     [Formula.Design] for weights and missing values; [FormulaError]
//   - contrasts of factors (contr.sum, contr.helmert, contr.poly, patsy's C):
//     [Contrasts], [Formula]
//   - code new rows as the training rows were (predict's newdata):
//     [DesignLike], [TermsOf], [Terms.Inputs]
//   - the rows of a frame that a design has (names of resid): mlreg.Design.RowNames
//   - results as frames (broom): [Tidy], [TidyPosterior], [TidyInclusions],
//     [Glance], [Augment]
//
// Rows are counted from 1 in messages and from 0 in the API. Columns are
// copied out of a frame; no function keeps one or changes it. A frame that carries
// an error of gota's is refused with that error, and one without rows or columns
// with ErrNoRows.
package frames
