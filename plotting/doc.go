// Package plotting shows what the other packages compute: figures, tables and
// fits, in a Jupyter notebook run by the GoNB kernel or as text on a terminal.
//
//	plotting.Show(ols)                              // the summary of a fit
//	plotting.Show(df)                               // the head of a gota frame
//	plotting.Show(plotting.Draw(labels, layers...)) // a figure
//
// A figure is an ordinary *plot.Plot of gonum.org/v1/plot in the theme of this
// package, or a [Figure] of several, and can be changed with that package. Functions
// that draw take the data or fits first, then settings; nil settings are the
// defaults. Pass their result and error to [Show]. Illustrations for lectures are in
// package plotting/lecture.
//
// The site's gallery shows a picture of everything below, with the code that
// draws it: make site writes it to build/site/gallery.html.
//
// # Index by task
//
// I have data and want to see
//
//   - the rows of a frame: [Head], or [Show] of the frame
//   - the distribution of every column: [HistogramGrid]
//   - columns against each other (R's pairs): [ScatterMatrix]; their
//     correlations: [CorrelationMap]
//   - one or two of them, by groups of [Marks], colors and panels (ggplot2,
//     seaborn): [Chart]
//   - numbers of my own: [Draw] with [Points], and a trend with [Smooth] (R's lowess)
//
// I have a linear model and want to see
//
//   - its coefficients, tests and R2 (R's summary): [Show]; at other levels
//     mlreg.Summary
//   - its coefficients with their limits (a forest plot): [CoefPlot]; those of
//     several fits, or with robust errors: [CompareCoefs]; as bars: [CoefBars]
//   - its line over the data, with confidence and prediction bands: [FitLine];
//     what its slope may be: [SlopeLimits]
//   - what it says of one predictor, the others held, with its bands over the data
//     or partial residuals (R's visreg, effects): [Effect]
//   - whether it suits the data (R's plot of an lm): [Diagnostics], which is
//     [ResidualsFitted], [QQ], [ScaleLocation] and [ResidualsLeverage]
//   - its predictions and their limits (R's predict): [Show] of a mlreg.Band
//   - rows that move it: [CooksDistance], and mlreg.Influence as a table
//   - tests and analyses of variance: [Show]
//   - limits of repeated studies, and which hold the truth:
//     [Intervals]; joint limits: [Ellipse]
//   - its hat matrix: [HeatMap]
//   - means by two columns, such as hour and weekday (geom_tile, sns.heatmap): [HeatMapOf]
//
// I have basis functions and want to see
//
//   - fits as curves over the data: [FitCurves], side by side: [FitCurvePanels]
//   - what they are made of: [BasisFunctions]
//   - training and expected error by complexity: [ErrorCurves], [ExpectedErrors]
//
// I choose terms and want to see
//
//   - the best subsets: [SubsetPlot]; Cp, AIC and BIC by size:
//     [CriterionPlots]; cross-validated error by size: [SizeCurve]
//   - a posterior over models: [Show]; which terms are in:
//     [InclusionPlot], [CompareInclusions], [CertifiedInclusion]; how many: [SizePlot]; the models
//     themselves (BMS's image): [ModelSpace]; all of them: [ModelProbs]
//
// I penalize and want to see
//
//   - the lasso's or ridge's coefficients for every lambda (R's plot of a
//     glmnet): [CoefficientPaths]
//   - the cross-validated error, and where to stop (of a cv.glmnet): [CVCurve]
//   - what ridge regression leaves along the principal components:
//     [ShrinkageWeights]
//
// I have a hierarchy and want to see
//
//   - a coefficient of every group with its limits: [Caterpillar]; what groups borrow:
//     [PartialPooling]
//   - the model as a graph with plates: [Plate]
//
// I have a posterior and want to see
//
//   - its table: [Show]; its credible limits: [CoefPlot] of [Credible]
//   - its predictions: [PredictivePlot], [PredictivePanels]
//   - the evidence of families or of prior variances: [FamilyPlot],
//     [EvidencePlot]
//
// I classify and want to see
//
//   - odds ratios: [Show]
//   - what a classifier makes of two inputs (its decision boundary): [ClassMap]
//   - what its probabilities are worth: [ROCPlot], [CalibrationPlot] (a
//     reliability diagram)
//   - what a logistic regression's posterior predicts: [LogisticPredictive]
//   - the words of a naive Bayes filter, and what they say about an e-mail:
//     [InformativePlot], [ExplainPlot]
//
// I draw
//
//   - a plot of layers: [Draw]; more layers on a plot there is: [Add]; an empty
//     plot in the theme: [New]
//   - data: [Points], [Line], [ErrorBars], [Stems], [Bars], [Histogram]
//   - functions: [Curve]; of two variables [Heat], [Contours]; grids of values:
//     [Range], [LogRange]
//   - bands and regions: [Ribbon], [Ellipse]; a matrix: [HeatMap]
//   - lines and texts: [HLine], [VLine], [Note]
//   - axes: [LogX], [LogY], [DateX]; marks: [Ticks], [LogTicks], [DateTicks]
//   - colors: [Palette], [Fade], and Blue, Vermillion, Green ...
//   - several plots on a page: [Grid], [Figure]; figures in a row: [SideBySide]
//   - another title, name of an axis, range or size: [Figure.WithLabels],
//     [Figure.WithXRange], [Figure.WithYRange], [Figure.WithSize], [Sized]
//   - a file: [Figure.Save], and package plotting/pdf; the bytes: [Figure.PNG]
//   - a slider through the frames of a figure: [Interactive]; two: [InteractivePair]
//
// I assess a model and want to see
//
//   - the distribution of a bootstrap with its limits, and why not to believe it:
//     [BootstrapPlot]
//   - quantile regression: coefficients against tau [QuantileCoefficients], lines over the
//     rows [QuantileFan]; robust fits: what a row pulls with [PsiCurves], the weights of
//     rows [RobustWeights]; counts: hanging from those expected [Rootogram], residuals
//     that should be normal [QuantileResiduals]
//
// I have a time series and want to see
//
//   - its autocorrelations (R's acf, pacf): [CorrelogramPlot]; its spectrum: [SpectrumPlot]
//   - forecasts with their limits, a fan: [ForecastPlot]; what the errors would have been:
//     [BacktestPlot]; errors by order: [CVCurve], [ErrorCurves]
//
// I keep
//
//   - what takes long to read or to fit, from cell to cell: [Keep], until a [File] or
//     another dependency changes, or [Forget]
//
// I write
//
//   - tables of my own: [Show] of a report.Table (mlreg/report)
//   - text and equations: [Markdown]
//
// # Output
//
// [Show] displays all of these, and most results of mlreg directly; [Display] does
// so and returns the error. Both display your own type if it is a [Bundler]. Output
// goes to a [Sink]: the notebook, or standard output outside a notebook; [SetSink]
// sets another, such as a [TextSink]. A cell that uses GoNB's package gonbui, too, imports
// plotting/withgonbui. [Progress] shows the progress of a long
// computation and allows its interruption. Every output has a plain-text form: an
// aligned table, or the description of a figure.
package plotting
