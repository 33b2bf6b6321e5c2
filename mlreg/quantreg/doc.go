// Package quantreg fits medians and other quantiles of a response, as R's package of that name
// does, on the designs of package mlreg:
//
//	fit, err := quantreg.FitLAD(d, nil)            // the median
//	fits, err := quantreg.FitQuantiles(d, taus, nil) // several quantiles
//
// A fit is a small immutable value without data. It predicts, has residuals and stands in tables
// as the fits of mlreg do, since it embeds an mlreg.Linear, and its certificate says why no other
// fit has less loss.
//
// # Index by task
//
//   - a median or another quantile (quantreg's rq, QuantReg, QuantileRegressor): [FitLAD], [Fit];
//     why a fit is the best [Quantile.Certify], and which others are as good [Quantile.Range]
//   - several quantiles [FitQuantiles], all of them [FitProcess], with [Quantiles.Crossings],
//     [Quantiles.PredictSorted] and [Quantiles.EqualSlopes]; plotting.QuantileFan and
//     plotting.QuantileCoefficients draw them
//   - limits (summary.rq): [Quantile.RankLimits], [Quantile.Inference] by a [Sparsity],
//     [Quantiles.ConfInt], [Bootstrap]; more terms [Quantile.RankTest]
//   - penalties: [Settings]; the lasso's path [FitPath]
//   - limits of a new response between two quantiles: assess.ConformalQuantiles
//
// Fits that a few wild rows cannot carry away are in package rlm.
package quantreg
