// Package hier fits many related regressions at once, one for each group of rows, on the designs
// of package mlreg: hierarchies, mixed models, multi-task learning, as R's lme4 and nlme do.
//
//	g, err := frames.GroupedDesign(df, "score ~ intake + (intake | school)")
//	fit, err := hier.Fit(g.Design, g.Groups, hier.For(g, nil))
//	schools, err := fit.GroupCoefs("school")
//
// A fit is a small immutable value without data. It predicts, has residuals and stands in tables
// as the fits of mlreg do, since it embeds an mlreg.Linear, that of b*, and it is an mlreg.Wald.
//
// # Index by task
//
//   - the fit (lmer, MixedLM): [Fit] of the groups of mlreg.NewGrouping, which may nest
//     (mlreg.NestGroups), with [Settings]; what varies and how: mlreg.Varying; from a formula:
//     frames.GroupedDesign and [For]
//   - its parts (VarCorr, coef, ranef): [MultiTask.Variances], [MultiTask.GroupCoefs], [MultiTask.ICC],
//     [MultiTask.MarginalR2], [MultiTask.Boundary]; predictions [MultiTask.PredictGroups], frames.PredictGroups
//   - a variance: its test [TestVariance], its profile limits (confint) [VarianceLimits], its posterior
//     [FitVariancePosterior]
//   - a prior of what the groups share: [Hyperprior]; the evidence [MultiTask.LogEvidence]
//   - the maximum of the joint density by gradient or alternation: [FitMAP]; its widths by
//     cross-validation: [CrossValidate]
//   - figures: plotting.Caterpillar, plotting.PartialPooling
package hier
