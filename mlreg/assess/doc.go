// Package assess says how far to believe what package mlreg has fitted: how much a number varies
// from sample to sample, where new responses lie, how stable a choice of terms is, and how often a
// holdout may be asked:
//
//	boot, err := assess.BootstrapOLS(d, rand.NewPCG(1, 2), nil)
//	limits, err := boot.ConfInt(assess.BCa, 0.95)
//
// Losses, test errors, cross-validation and the division of rows are in mlreg.
//
// # Index by task
//
//   - how much any statistic varies from sample to sample (boot, bootstrap): [Bootstrap] of
//     a [Statistic] ([MeanStatistic], [MaxStatistic], [QuantileStatistic]), by rows,
//     clusters, blocks, residuals, a model or Dirichlet weights ([BootstrapKind]); of
//     coefficients and predictions [BootstrapOLS], [BootstrapFit]; [Boot.ConfInt] by an
//     [IntervalKind], [Boot.Band], and when not to believe it [Boot.Warnings]; of a
//     distribution [NewEDF]; of quantiles quantreg.Bootstrap
//   - the interval of a test error: [BootstrapTestError]; .632 and .632+ without test
//     rows: [BootstrapError]
//   - prediction limits that hold whatever the noise is (conformal, MAPIE): [JackknifePlus]
//     of least squares and ridge regression, [CVPlus] of any fit, [SplitConformal];
//     wide where quantiles are [ConformalQuantiles]
//   - how stable a choice of terms is: [SelectionStability], [Stability.InclusionProb],
//     [Stability.Stable] with [Stability.ErrorBound] (stability selection)
//   - a holdout that many queries may be asked of: [NewThresholdout],
//     [Thresholdout.Query]; a leaderboard that does not lie: [NewLadder], [Ladder.Submit]
package assess
