// Package datasets holds the data of the course, embedded in the program, as
// gota data frames.
//
//	df := datasets.Prostate()
//	info, err := datasets.About("prostate") // source, citation, license, variables
//
// # Index by task
//
// All data sets, with rows x columns, and their descriptions: [List], [About].
//
//   - a response on several predictors: [Prostate] (97 x 10, with the training
//     rows of ESL), [Diabetes] (442 x 11) and with
//     its products and squares [DiabetesQuadratic] (442 x 65), [Caterpillar] (33 x 11)
//   - factors and groups: [Exam] (4059 x 10, pupils in 65 schools)
//   - dates and missing values: [AirQuality] (153 x 5)
//   - time series: [CO2] (468 months, a trend and a season), [Lynx] (114 years, a cycle)
//   - collinear columns: [Longley] (16 x 7)
//   - counts with their exposure: [Insurance] (64 x 5)
//   - a spread that grows, for quantiles: [Engel] (235 x 2)
//   - outliers: [StackLoss] (21 x 4)
//   - two classes: [Spambase] (4601 x 58, words of e-mails)
//   - text: [Reviews] (24 x 2, short texts and a rating)
//   - estimates with their standard errors: [EightSchools] (8 x 3)
//   - test sets used for years and made anew: [ReplicatedBenchmarks] (9 x 4)
//   - a least-squares projection that can be drawn: [Projection] (3 x 4)
//   - results to check a program against: [NIST], seven regressions with
//     certified coefficients; [NISTNames], [CorrectDigits]
//
// Simulations, whose truth is known:
//
//   - one input: [PolyVsDegree], [PostPred], [Sine], or any [CurveModel];
//     [CurveModel.Draw], [CurveModel.Exact], [CurveModel.Uniform]
//   - any linear model: [LinearModel.Draw], with the noise [NormalNoise],
//     [UniformNoise], [ExponentialNoise] or [LaplaceNoise]
//   - the sampling law of an estimate, the coverage of limits:
//     [LinearModel.Replicate], [Replicates.Coef], [Replicates.Coverage],
//     [Replicates.JointCoverage]
//   - normal predictors, correlated or not: [NormalDesign]; groups of near copies:
//     [GroupedPredictors]; a slope that ridge regression shrinks to a lecture's numbers: [RidgeToy]
//   - which terms matter: [AllSubsets] (Murphy's 1,024 models), [SpikeSlabModel]
//     (a truth drawn from that prior); [LinearModel.TrueTerms]
//   - two classes in the plane: [Girolami], or any [GaussianClasses] or
//     [LogisticSurface]
//   - a straight boundary and a curved one, with samples of the description lengths
//     that a lecture prints: [StraightClasses], [StraightSample], [CurvedClasses],
//     [CurvedSample]
//   - a recording of many channels, some of which move a hand: [SimulateECoG]; two
//     channels of which one drives the other: [DrivenPair]
//   - flights, written to a file of any size: [WriteFlights]
//   - the digits on a display whose bars are wrong at times: [DigitDisplay]
//
// Each call returns a new frame. Types are those of frames.ReadCSV: whole
// numbers are int columns, and the train column of Prostate is the text T or F.
package datasets
