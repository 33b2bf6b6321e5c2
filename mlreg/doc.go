// Package mlreg is regression from the hat matrix to the lasso, on gonum
// matrices, with a certificate on every fit.
//
// # The way through it
//
// A Design holds the rows: X, y, the names of the terms. Moments hold the sums
// that a Gaussian linear model needs, whatever the number of rows; they merge
// and subtract. Both are Data, and FitX(data, settings) fits either:
//
//	d, err := mlreg.NewDesign(x, y, "lcavol", "lweight")
//	ols, err := mlreg.FitOLS(d, nil)
//	yhat, err := ols.Predict(newRows)
//
// A fit is a small immutable value. It holds no data, so it survives
// encoding/gob, and what needs the rows again asks for them:
// ols.Residuals(d), ols.Leverage(d).
//
// # Index by task
//
//   - data: NewDesign, Design.Rows, Design.Split, Design.Select,
//     Design.Standardize, Design.Rescale; Design.Moments, Moments.Merge,
//     Moments.Subtract
//   - basis functions: Expand and ExpandLike with NewPowers, NewPoly, NewRBF,
//     NewFourier, NewNaturalSpline, NewBSpline, NewAdditive, NewInteraction;
//     NewWords for text
//   - least squares: FitOLS
//   - training and expected error by number of terms: RSSPath,
//     ExpectedErrorPath, ExpectedErrorAt
//   - geometry: HatMatrix, ResidualMaker, Leverage, Project
//   - inference: ConfInt, UpperLimits, LowerLimits, CoefTable, CoefTest, Contrast,
//     WaldTest on any Wald; OLS.Robust for HC0 to HC3; OLS.ConfidenceBand,
//     OLS.PredictionBand; OLS.Anova, OLS.DropTerms, CompareNested
//   - diagnostics: OLS.Influence, OLS.DFBETAS, VIF; LOOResiduals, PRESS, LOOMSE,
//     GCV; DurbinWatson, JarqueBera, OLS.BreuschPagan
//   - Bayes: FitBayes with a GaussianPrior and a Noise; Predictive, PlugIn,
//     Sample, SampleFunctions, AsPrior; Gaussian, LinearGaussian
//   - evidence: Bayes.LogEvidence, NewEvidenceSurface, Maximize,
//     CompareFamilies; Laplace for any density
//   - all subsets: EnumerateModels with a SpikeSlab, BICScore or ZellnerG,
//     ModelAverage; SampleModels beyond 30 terms
//   - two classes: FitLogistic, CheckSeparation; Logistic.LR,
//     LikelihoodRatioTest, Logistic.OddsRatios; FitBayesLogistic for a Laplace
//     posterior, its Predict, PlugIn, MonteCarloPredictive, LogEvidence;
//     FitLogisticPath and FitLogisticElasticNet for L1
//   - two and more classes: FitMultinomial; FitNaiveBayes on Design.Presence
//   - any Classifier: Classify, Confusion, BrierScore; of two classes ROC,
//     Calibration
//   - some of the terms: FitBestSubsets for the best of every size; FitStepwise,
//     FilterTerms, OrderedModels, FitGreedy on a dictionary such as RandomCosines;
//     CrossValidateSizes
//   - lasso and elastic net: FitLasso, FitElasticNet; paths by FitLassoPath,
//     FitElasticNetPath, exact by FitLARS; ShootingAlgorithm, step by step
//   - ridge regression: FitRidge, FitRidgePath; principal components: FitPCR
//   - cross-validation: CrossValidate for any fit, FitLassoCV, FitElasticNetCV,
//     FitRidgeCV; KFold, StratifiedKFold, GroupedKFold, LeaveOneOut,
//     ValidationSet, RandomValidationSet, NewFolds; CV.Min, CV.OneSE
//   - penalties of other programs: FromGlmnet, ToGlmnet, FromScikit, ToScikit
//   - comparison of models: AIC, BIC, DescriptionLength, Surprise
//
// # Conventions
//
// The coefficients of a fit are ordered as in R: the intercept first, named
// "(Intercept)", then the terms; Names, Coef, StdErr and VCov agree in this
// order. Intercept and Slopes give the two parts.
//
// The intercept is fitted unless Design.NoIntercept is set, and is never
// penalised (BayesSettings.PenalizeIntercept excepted). Penalised objectives are RSS + lambda |w|_2^2, RSS + lambda |w|_1
// and RSS + l1 |w|_1 + l2 |w|_2^2, with no factor of 1/n or 1/2.
//
// Design.Standardize divides by the standard deviation with ddof = 0 over the
// rows given. Coefficients are in the units of the design that was fitted;
// Raw gives them in raw units. Predictions are the same whichever units the
// rows to predict are in, because a design knows its scaling.
//
// The noise variance sigma^2 is known (limits are normal, z) or estimated as
// RSS/(n - rank) (limits are Student's, t). RSS/n, its maximum-likelihood
// estimate, is used only inside LogLik.
//
// Bits are logarithms to base 2; all other logarithms are natural.
//
// # Errors
//
// What data or an argument can cause is returned as an error that names the
// term, the row or the value, and wraps one of the Err values of this package.
// Nil settings are the documented defaults, and so is a zero field.
package mlreg
