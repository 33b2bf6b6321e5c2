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
// encoding/gob, and a method that needs the rows takes them as an argument:
// ols.Residuals(d), ols.Leverage(d).
//
// # Index by task
//
// Data and their columns:
//
//   - a design: [NewDesign], or frames.Design of a data frame and a formula;
//     [Design.Rows], [Design.Split], [Design.Select], [Design.WithResponse],
//     [Design.Check]; with its column of ones (model.matrix) [Design.ModelMatrix]
//   - standardize (scale, StandardScaler): [Design.Standardize],
//     [Design.Rescale]; raw units again by the method Raw of a fit
//   - sums instead of rows (chunks, shards, folds): [Design.Moments],
//     [NewMoments], [Moments.Add], [Moments.Merge], [Moments.Subtract]
//   - basis functions: [Expand] and [ExpandLike], [EvalRows], with polynomials
//     [NewPowers] (PolynomialFeatures) and [NewPoly], splines [NewBSpline] and
//     [NewNaturalSpline], a season [NewFourier], bumps [NewRBF]
//     ([QuantilePrototypes], [SamplePrototypes], [DistinctRows],
//     [PrototypeWidth]), [NewRandomCosines];
//     [Power] to twice the digits
//   - the constants that columns were computed with, checked by every fit: [Coding];
//     for programs that code columns themselves [NewCoding], [Fingerprint]
//   - text: [NewWords] (CountVectorizer), [Words.Expand]
//   - quantiles: [SampleQuantile]
//
// Least squares (lm, OLS, LinearRegression), weighted if the design is:
//
//   - the fit: [FitOLS]; [OLS.Table], [OLS.Predict], [OLS.Residuals],
//     [OLS.VCov], [OLS.R2], [OLS.F]; aliased terms [RankDeficientError]
//   - how good the numbers are: [OLS.Digits], [OLS.Cond], and if the data were
//     rounded to float64 [OLS.InputDigits]; of predictions and
//     contrasts [OLS.PredictError], [OLS.ContrastError]
//   - geometry: [HatMatrix], [ResidualMaker], [Leverage], [Project]
//   - limits and tests of the coefficients of any [Wald]: [ConfInt], [UpperLimits],
//     [LowerLimits], [CoefTable], [Contrast], [WaldTest];
//     [OLS.Sigma2ConfInt]
//   - robust standard errors (sandwich, cov_type): [OLS.Robust] for HC0 to HC3,
//     [OLS.HAC] for time series, [OLS.Clustered]
//   - an effect of every level of a factor of many levels (fixest's feols, plm, areg):
//     [FitAbsorbed]; the effects [Absorbed.Effects], R² without them [Absorbed.R2Within],
//     standard errors [Absorbed.Robust], [Absorbed.Clustered]
//   - bands (predict with interval): [OLS.ConfidenceBand], [OLS.PredictionBand],
//     [Robust.ConfidenceBand]
//   - analysis of variance (anova, drop1, car's Anova): [OLS.Anova],
//     [OLS.DropTerms], [OLS.DropIgnoringMargins], [OLS.AnovaTypeII],
//     [OLS.AnovaTypeIII], [CompareNested]
//   - influence of rows: [OLS.Influence], [OLS.CooksDistance], [OLS.DFBETA],
//     [OLS.DFBETAS], [OLS.Leverage]
//   - a fit of your own, which predicts and stands in tables and figures as these do: [NewLinear],
//     [Design.CheckFit]; what its likelihood compares with: [LikelihoodModel]
//   - diagnostics: [VIF], [GVIF], [DurbinWatson], [OLS.DurbinWatson], [JarqueBera],
//     [OLS.BreuschPagan], [OLS.BreuschPaganOriginal]
//   - leave-one-out without refits: [LOOResiduals], [LOOMSE], [GCV]
//   - expected error by number of terms: [ExpectedErrorPath],
//     [ExpectedErrorAt]; by penalty: [ExpectedRidgeErrorAt]
//
// Time series (ar, AutoReg, VAR): package tsa; standard errors under autocorrelation (NeweyWest)
// are [OLS.HAC].
//
// Shrinkage:
//
//   - ridge (lm.ridge, Ridge): [FitRidge], [FitRidgePath], [RidgePath.LOO]
//   - lasso and elastic net (glmnet, Lasso, ElasticNet): [FitLasso],
//     [FitElasticNet]; paths [FitLassoPath], [FitElasticNetPath],
//     [Path.At], exact [FitLARS]; [ShootingAlgorithm], step by step
//   - relaxed lasso (glmnet's relax): [FitRelaxedLasso], [FitRelaxedLassoPath]
//   - columns of a term together (grpreg, gglasso): Groups in [LassoSettings] and
//     [PathSettings]; [Path.Order]
//   - penalties of other programs: [FromGlmnet], [ToGlmnet], [FromGlmnetPath],
//     [FromScikit],
//     [ToScikit]
//   - principal components: [FitPCR], [PCR.Scores]
//
// Noise that is not Gaussian:
//
//   - medians and other quantiles (rq, QuantReg, QuantileRegressor): package quantreg
//   - fits that outliers do not carry away (rlm, RLM), and noise of Student's t: package rlm
//
// Which terms:
//
//   - the best subset of every size (regsubsets): [FitBestSubsets],
//     [Subsets.BestBy]; [SubsetModel.Refit]
//   - step by step (step): [FitStepwise]; on a dictionary [FitGreedy],
//     with [Greedy.Predictors] for CrossValidate
//   - by a filter (f_regression): [FilterTerms], [OrderedModels]
//   - how many models there are: [CountSubsets], [CountStepwise]
//   - how many terms: [CrossValidateSizes], [SizeCV.SizeOneSE]
//   - the posterior over all models (BMS, BAS, bicreg): [EnumerateModels] with a
//     [SpikeSlab], [ZellnerG] or [BICScore]; [Enumeration.InclusionTable],
//     [Enumeration.MedianModel], [Enumeration.ModelAverage]; beyond 30
//     terms with limits that hold: [CertifyModels], and sampled: [SampleModels]; factors and interactions as one term: [EnumerateSettings],
//     [StrongHeredity], [WeakHeredity], [AnyInteraction]; any set of terms:
//     [Enumeration.TermSets]
//
// Bayes:
//
//   - the posterior: [FitBayes] with a [GaussianPrior], and a [Noise] that is a
//     [KnownVariance] or [InverseGamma]; [Bayes.CredibleInterval], [Bayes.AsPrior]
//   - predictions: [Bayes.Predictive], [Bayes.CredibleBand],
//     [Bayes.PredictionBand], [Bayes.PlugIn]; their [Predictive.Coverage]; draws
//     [Bayes.Sample], [Bayes.SampleFunctions]; [Functions] and [LogLikelihood] of
//     any coefficients
//   - the evidence: [Bayes.LogEvidence], [NewEvidenceSurface],
//     [EvidenceSurface.Maximize] (BayesianRidge), [EvidencePath.LogAverage],
//     [SequentialLogEvidence], [CompareFamilies]
//   - Gaussians: [NewGaussian], [Gaussian.Condition], [Gaussian.Marginal],
//     [NewLinearGaussian]
//   - Laplace's method for any density: [Laplace], [Laplace1D]
//
// Classes:
//
//   - two (glm of family binomial, Logit, LogisticRegression): [FitLogistic];
//     [Logistic.OddsRatios], [Logistic.ConfidenceBand], [Logistic.LR],
//     [LikelihoodRatioTest]; separated
//     classes [CheckSeparation]
//   - with a penalty: [LogisticSettings]; L1 by [FitLogisticPath],
//     [FitLogisticElasticNet]; of more classes [FitMultinomialPath]
//   - its posterior: [FitBayesLogistic]; [BayesLogistic.Predict],
//     [BayesLogistic.CredibleBand], [BayesLogistic.PlugIn],
//     [BayesLogistic.MonteCarloPredictive],
//     [BayesLogistic.LogEvidence]
//   - more than two (multinom, MNLogit): [FitMultinomial]
//   - naive Bayes (BernoulliNB): [FitNaiveBayes] on [Design.Presence],
//     [NewNaiveBayes]; [NaiveBayes.Informative], [NaiveBayes.Explain]
//   - the quality of any [Classifier]: [Classify], [Confusion] (accuracy, precision,
//     recall, F1), [BrierScore]; for two classes [ROC], [NewROC], [Calibration];
//     of any probabilities [NewCalibration]
//
// Counts, shares and positive responses (glm, GLM):
//
//   - the fit: [FitGLM] of a [GLMFamily], with a [Link] ([GLMSettings]); exposure by
//     Design.Offset; [GLM.Table], [GLM.Ratios], [GLM.Predict], [GLM.LR],
//     [GLM.Dispersion], [GLM.Deviance]
//   - limits of the mean and of the linear predictor: [GLM.ConfidenceBand],
//     [GLM.LinkBand]; of a new observation (add_pi): [GLM.PredictionBand]
//   - diagnostics: [GLM.DevianceResiduals], [GLM.PearsonResiduals],
//     [GLM.QuantileResiduals], [GLM.Influence], [GLM.Leverage]; how many rows have which
//     count, and how many should [GLM.Frequencies]
//   - lasso and elastic net (glmnet of family poisson): [FitGLMPath], [FitGLMCV]
//   - the posterior and the evidence: [FitBayesGLM]; [BayesGLM.Predict],
//     [BayesGLM.CredibleBand], [BayesGLM.PredictionBand], [BayesGLM.LogEvidence]
//   - limits by the profile likelihood (confint): [GLM.Profile], [Logistic.Profile]
//   - analysis of deviance (anova, drop1): [GLM.Anova], [GLM.DropTerms],
//     [CompareDeviances], [LikelihoodRatioTest]
//   - a variance that is not the family's: QuasiPoisson and QuasiBinomial ([GLMFamily]),
//     [GLM.Robust], [GLM.Clustered]; tests of it [GLM.Overdispersion]
//
// Data that stay where they are (files, databases; package frames/source reads them):
//
//   - sums computed elsewhere, with their error: [MomentsOf]; of rows in blocks
//     ([RowBlocks], [RowBlocksFunc]) [MomentsOfBlocks]; folds as sums [MomentFolds];
//     [Moments.Standardize]
//   - cross-validation on sums: [FitLassoCV] and the like, [FitLearningCurve],
//     [Moments.MeanSquaredError]
//   - rows in blocks, by passes: [RefineOLS], [FitAbsorbed], [FitLogistic], [FitGLM], [OLS.Robust],
//     [OLS.Clustered], [GLM.Robust], [OLS.EachInfluence], [GLM.EachInfluence],
//     [TestError], [CompareErrors], [CompareLosses]
//
// Hierarchies (lme4, nlme, mixed models), many related regressions at once: package hier. What it shares with frames and
// plotting is here:
//
//   - groups of rows: [NewGrouping], which may nest ([NestGroups])
//   - what varies between them, and how: [Varying], [CovarianceShape]
//   - coefficients and predictions of groups: [GroupCoefs], [GroupPredictive]
//
// Comparison of models:
//
//   - cross-validation (cv.glmnet, cross_val_score): [CrossValidate] for any fit, [NewCV] of any losses;
//     [FitLassoCV], [FitRelaxedLassoCV], [FitElasticNetCV], [FitRidgeCV], [FitLogisticCV] and
//     [FitMultinomialCV] by [DevianceLoss], [ClassError] or AUC ([CVSettings]), each a [PathCV]; [CV.Min], [CV.OneSE]
//   - errors on the same rows, with their differences: [CompareErrors]
//   - the error on rows held out, with its standard error: [TestError] of any fit by a
//     [Loss] ([SquaredLoss], [AbsoluteLoss], [QuantileLoss], [ZeroOneLoss], [LogLoss],
//     [BrierLoss]); of each row [RowLosses]; two fits on the same rows: [CompareLosses]
//   - rows to train, to choose and to test (train_test_split): [RandomParts],
//     [StratifiedParts], [GroupedParts], [TimeParts]; [Parts.Designs]
//   - the error of a choice by cross-validation: [CrossValidateNested]; on several
//     divisions into folds: [RepeatCV]; of a greedy choice: [FitGreedyCV]
//   - the bootstrap, conformal limits, the stability of a choice of terms, holdouts that are asked
//     many times: package assess
//   - folds: [KFold], [DefaultFolds], [StratifiedKFold], [GroupedKFold], [LeaveOneOut],
//     [ValidationSet], [RandomValidationSet], [NewFolds], [MomentFolds]
//   - criteria: [AIC], [BIC], [LogEvidenceBIC]; in bits [DescriptionLength],
//     [Surprise]
//
// Files: a result is stored and read again (saveRDS, joblib) by [Save] and [Load].
//
// Tables: every result makes its own, a [report.Table], and fmt.Println writes it; rows
// ([report.Rows]) make one together. Package report has the forms of tables for documents
// and files, and tables of your own; [FitTable] sets fits side by side; [FactsOf] are the
// numbers that a fit knows of itself (broom's glance); [Summary] of a fit
// takes another level, [Band.Head] and [Influence.Head] some of the rows.
//
// # Conventions
//
// The coefficients of a fit are ordered as in R: the intercept first, named
// "(Intercept)", then the terms; Names, Coef, StdErr and VCov agree in this
// order. Intercept and Slopes give the two parts.
//
// The intercept is fitted unless Design.NoIntercept is set, and is never
// penalized (BayesSettings.PenalizeIntercept excepted). Penalized objectives are
// RSS + lambda |w|_2^2, RSS + lambda |w|_1 and RSS + l1 |w|_1 + l2 |w|_2^2, with
// no factor of 1/n or 1/2. For classes, minus the log-likelihood replaces the RSS.
// L2, in settings and fits alike, multiplies |w|_2^2 and is added to that loss.
//
// Design.Standardize divides by the standard deviation with ddof = 0 over the
// rows given. Coefficients are in the units of the design that was fitted;
// Raw gives them in raw units. Predictions do not depend on the units
// of the rows to predict, because a design knows its scaling.
//
// The noise variance sigma^2 is known (limits are normal, z) or estimated as
// RSS/(n - rank) (limits are Student's, t). RSS/n, its maximum-likelihood
// estimate, is used only inside LogLik.
//
// Bits are logarithms to base 2; all other logarithms are natural.
//
// # Errors
//
// Bad data and bad arguments give an error that names the term, the row or the
// value, and wraps one of the Err values of this package.
// Some have a type, for errors.As: [RankDeficientError], [SeparationError],
// [BoundaryError], [HessianError], and [ConvergenceError], which comes with the
// best result so far. If a function of yours panics in a goroutine of this package,
// the call panics with a [PanicError], which you can recover. Nil settings and zero
// fields are the documented defaults.
//
// Sizes are checked before memory is taken: a result of more than 2^28 numbers (two
// gigabytes), such as the hat matrix of 17,000 rows, is [ErrTooLarge].
//
// Functions and methods that return no error, such as [AIC], [Design.RowNumber] and
// [Path.Fit], panic as Go does itself: if an argument that they need is nil, and if there
// is no value of an index.
package mlreg
