// Package frames turns tables into designs and fits into tables: it reads CSV
// files into gota data frames, describes them, builds design matrices from
// formulas for package mlreg, and returns results as frames.
//
//	d, err := frames.Design(df, "lpsa ~ lcavol + poly(age, 3) + factor(gleason)")
//
// # Index by task
//
//   - read a file (read.csv, pandas.read_csv): [ReadCSV], [ParseCSV], [CSVSettings]
//   - write a file (write.csv, to_csv), with every digit: [WriteCSV], [FormatCSV]
//   - build a frame (data.frame, DataFrame): [Frame], [Col]
//   - describe (summary, str, describe, info): [Describe], [Info]
//   - take columns out (df$x, as.matrix, to_numpy): [Floats], [Matrix]; dates (as.Date,
//     to_datetime): [Dates], [IsDates]
//   - select rows (subset, filter, query): [Where]; by a mask: [Mask], [SplitMask]
//   - rows without missing values (na.omit, dropna): [Complete]
//   - join frames (merge, left_join): [Join]; one below the other (bind_rows, concat): [Bind]
//   - columns to rows and back (reshape, pivot_longer, melt, pivot): [Longer], [Wider]
//   - classes of numbers (cut, qcut): [Cut]
//   - rows at random (sample, train_test_split): [Split], [Sample]
//   - make columns (transform, mutate, assign): [With], which lists the functions of text (tolower,
//     gsub, grepl, paste, sprintf), choices (ifelse, case_when, recode), order (lag, cumsum, rank,
//     frollmean) and dates (floor_date, dmy, to_utc)
//   - limits in a column of a laboratory, such as <0.5: [Censored]
//   - distinct rows (distinct, unique, drop_duplicates): [Distinct]; the first row, or the best, of
//     every group (slice_head, slice_max): [Grouped.Where]
//   - summaries by group (aggregate, tapply, group_by, summarize): [GroupBy],
//     [Grouped.Summarise], [Grouped.With], [Grouped.Where]; numbers of rows (table, value_counts): [Count]
//   - sort rows (order, arrange, sort_values): [Sort]
//   - a design from a formula (model.matrix, patsy): [Design]; [ParseFormula] and
//     [Formula.Design] for weights and missing values; [FormulaError]
//   - a design with groups (lme4's (x | g)): [GroupedDesign], [Hierarchy]; their
//     predictions: [PredictGroups]
//   - a series with its times, for regressions on lags (ts, xts, a frame with a
//     DatetimeIndex): [SeriesOf], [SeriesSettings]
//   - a model as a graph, and data drawn from it: [Graph], [Graph.Sample]
//   - contrasts of factors (contr.sum, contr.helmert, contr.poly, patsy's C):
//     [Contrasts], [Formula]
//   - code new rows as the training rows were (predict's newdata):
//     [DesignLike], [TermsOf], [Terms.Inputs]
//   - predictions for a frame (predict(fit, newdata), predict, predict_proba):
//     [Predict], [ConfidenceBand], [PredictionBand], [Classify], [ClassProb];
//     [Augment] writes them beside the rows; how many lie beyond the range of a basis:
//     [Extrapolations]
//   - percentages and amounts of money in a file (parse_number): [Percent], [Currency]
//   - what a fit says of one column (ggeffects, visreg): [Effects], of all columns
//     (allEffects) [AllEffects], [Effect.Frame];
//     means of factors and their contrasts (emmeans): [MarginalMeans]; average
//     marginal effects (margins, get_margeff): [MarginalEffects]
//   - row names of a design in its frame (names of resid): mlreg.Design.RowNames
//   - results as frames (broom): [Tidy],
//     [Glance], [Augment]
//
// Rows are counted from 1 in messages and from 0 in the API. Columns are copied
// out of a frame; no function keeps or changes a frame. If a frame carries an
// error from gota, functions return that error; if it has no rows or columns, they
// return ErrNoRows.
package frames
