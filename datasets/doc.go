// Package datasets holds the data of the course, embedded in the program, as
// gota data frames.
//
//	df := datasets.Prostate()
//	info, err := datasets.About("prostate") // source, citation, licence, variables
//
// What there is:
//
//	Prostate      97 x 10   prostate cancer and PSA, with the train column of ESL
//	Diabetes      442 x 11  disease progression on ten baseline variables
//	Caterpillar   33 x 11   pine processionary caterpillars
//	Spambase      4601 x 58 word and character frequencies of e-mails
//	Exam          4059 x 10 examination scores of pupils in 65 schools
//	Longley       16 x 7    collinear economic series
//	EightSchools  8 x 3     effects of coaching and their standard errors
//	Reviews       24 x 2    short texts and a rating, for word indicators
//	Projection    3 x 4     a least-squares projection that can be drawn
//	NIST          seven linear regressions with certified results
//
// and simulations, of which the truth is known:
//
//	Curve         one input: PolyVsDegree, PostPred, Sine
//	LinearModel   responses and repeated fits: sampling law, coverage of limits
//	NormalDesign  normal predictors, correlated or not
//	AllSubsets    the truth of Murphy's 1,024 models
//	SpikeSlab     a truth drawn from the spike and slab prior
//	GaussianClasses, LogisticSurface
//	              two classes in the plane; Girolami
//
// Each call returns a new frame. Types are those of frames.ReadCSV: whole
// numbers are int columns, and the train column of Prostate is the text T or F.
package datasets
