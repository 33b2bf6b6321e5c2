// Package plotting shows what the other packages compute: figures, tables and
// fits, in a Jupyter notebook run by the GoNB kernel or as text on a terminal.
//
//	plotting.Show(ols)                              // the summary of a fit
//	plotting.Show(df)                               // the head of a gota frame
//	plotting.Show(plotting.Draw(labels, layers...)) // a figure
//
// # Figures
//
// A figure is an ordinary *plot.Plot of gonum.org/v1/plot in the theme of this
// package, and may be worked on with that package:
//
//   - New: an empty plot in the theme
//   - Draw, Add: plots made of layers: Points, Line, Curve, Band, ErrorBars,
//     Stems, Bars, Histogram, Smooth, Ellipse, Heat, Contours, HLine, VLine,
//     Note, LogX, LogY
//   - HistogramGrid, ScatterMatrix, CorrelationMap: a first look at a frame
//   - FitLine, SlopeLimits: a regression line with its confidence and
//     prediction bands, or with the limits of its slope
//   - FitCurves, FitCurvePanels: fits of basis functions of one input, in one
//     plot or side by side
//   - BasisFunctions, WeightedBasis, Network: what such a fit is made of
//   - ErrorCurves, ExpectedErrors: training and expected error by complexity
//   - Diagnostics (ResidualsFitted, QQ, ScaleLocation, ResidualsLeverage),
//     CooksDistance: whether a linear model suits its data
//   - CoefPlot, CompareCoefs: coefficients with their limits
//   - Intervals: limits of repeated studies, and which hold the truth
//   - WeightSpace: a line learnt point by point, in the plane of its weights
//   - PredictivePlot, PredictivePanels: Bayesian fits of one input with their
//     bands, beside the plug-in, and functions drawn from them
//   - RidgeGeometry, PriorDensities, NormalLaplace: what a prior does
//   - CoefDensities, and CoefPlot of Credible: posteriors of the weights
//   - CoefficientPaths, DoFPlot, CVCurve, CoefBars, ShrinkageWeights: the lasso,
//     the elastic net and ridge regression for every lambda
//   - PenaltyGeometry, NormBalls, Thresholding, Subgradients: what penalties do
//   - FamilyPlot, EvidencePlot: evidence by family and by prior variance
//   - LaplacePanels: a density and its Gaussian at the mode
//   - InclusionPlot, CompareInclusions, SizePlot, ModelSpace, ModelScores,
//     ModelProbs: posteriors over models
//   - SubsetPlot, CriterionPlots, SizeCurve: subset selection
//   - ROCPlot, CalibrationPlot: what the probabilities of classifiers are worth
//   - InformativePlot, ExplainPlot: the words of a naive Bayes filter, and what
//     they say about one e-mail
//   - ClassMap: what a classifier makes of two inputs; LogisticPosterior,
//     LogisticPredictive: the posterior of a logistic regression and its
//     predictions
//   - Projection, HeatMap: the geometry of least squares, a matrix in colours
//   - Grid, Sized, Figure: several plots on a page, sizes, files
//   - Interactive: a slider through the frames of a figure
//   - Palette, Fade and the named colours: the colours of the theme
//
// # Tables and text
//
//   - Summary: the table of a fit
//   - PosteriorTable, FamilyTable: a posterior, a comparison of families
//   - AnovaTable, NestedTable, InfluenceTable, BandTable, CoefRows: results of mlreg
//   - OddsTable: odds ratios
//   - ModelsTable, BestModels: posteriors over models
//   - SubsetTable: models compared by their numbers
//   - PathTable: some lambdas of a path
//   - Head: the first rows of a frame
//   - NewTable with TextColumn, NumberColumn, IntColumn, PColumn
//   - Markdown: text and equations
//   - Number, PValue: how numbers are written everywhere
//
// # Output
//
// Show writes to a Sink: by default the notebook, or standard output where
// there is none; SetSink plugs in another. Progress shows how far a long
// computation is, and lets it be interrupted. Every output has a plain-text form:
// tables an aligned one, figures a description of what they show.
package plotting
