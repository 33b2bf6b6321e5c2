package frames

import (
	"math"
	"reflect"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// Coded is a fit that knows how the columns of its design were computed: every fit of
// package mlreg.
type Coded interface {
	Coding() *mlreg.Coding
}

// Predictor is a fit that predicts a number for every row, such as *mlreg.OLS, *mlreg.Lasso,
// *mlreg.GLM and *mlreg.Bayes. A path has one at every lambda: path.At(lambda).
type Predictor interface {
	Coded
	mlreg.Predictor
}

// Classifier is a fit that gives the probabilities of classes: those of
// mlreg.Classifier.
type Classifier interface {
	Coded
	mlreg.Classifier
}

// Predict returns the prediction of every row of df, R's predict(fit, newdata): the
// mean of the response, or the probability of the second of two classes. The columns
// are computed as those fitted were, with the same levels and constants, which the fit
// carries; it may come from a gob stream. A row in which a column that the fit needs
// has a missing value has NaN, R's na.exclude. The response may be absent.
//
// A fit to a matrix (mlreg.NewDesign) takes the columns of df that have the names of
// its terms.
//
// Extrapolations tells whether rows lie beyond the range of a spline or polynomial, of
// which R warns.
//
// Errors: those of a frame, ErrNoColumn, ErrNotNumeric, ErrNotFinite (log of a
// negative value), ErrLevel for a level that the rows fitted did not have, naming the
// row, and ErrNoRecipe if the columns were not computed from a formula.
func Predict(fit Predictor, df dataframe.DataFrame) ([]float64, error) {
	all := slices.Repeat([]float64{math.NaN()}, df.Nrow())
	err := eachPart(fit, df, nothingElse, func(part *codedRows) error {
		values, err := part.values(fit.Predict)
		for k, v := range values {
			all[part.rows[k]] = v
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Extrapolations returns the terms bs, ns and poly of which rows of df lie beyond the
// range that the fit knows: boundary knots, or the values of poly fitted. Predict gives
// the values of R there, which for bs and poly are those of polynomials that continue and
// may grow fast, and for ns are linear. It is nil if no row does; rows with missing values
// do not count. A poly with raw = TRUE, like I(x^2), has no range. Band.Beyond,
// Effect.Beyond and Terms.Beyond say the same of their rows. Errors are those of Predict.
func Extrapolations(fit Coded, df dataframe.DataFrame) ([]mlreg.Extrapolation, error) {
	r, err := rowsFor(fit, df, nothingElse)
	if err != nil {
		return nil, err
	}
	return r.beyond, nil
}

// ConfidenceBand returns limits for the mean of the response at every row of df, of
// the given level: see mlreg.OLS.ConfidenceBand, mlreg.Robust.ConfidenceBand,
// mlreg.Logistic.ConfidenceBand. Those of a posterior are credible limits, and its
// kind says so: mlreg.Bayes.CredibleBand, mlreg.BayesLogistic.CredibleBand. Rows with
// missing values have NaN.
//
// Errors: those of Predict; ErrNoBand for a fit without such a band, as with a
// penalty, whose bias is not known; those of the method for the level.
func ConfidenceBand(fit Coded, df dataframe.DataFrame, level float64) (*mlreg.Band, error) {
	return bandOf(fit, df, level, mlreg.Confidence)
}

// PredictionBand returns limits for a new observation at every row of df, of the given
// level: see mlreg.OLS.PredictionBand, mlreg.GLM.PredictionBand, whose limits are quantiles of the
// family, and mlreg.Bayes.PredictionBand. If the fit has
// weights and df their column, the variance of a row is divided by its weight; if df
// does not have it, weights are 1. Limits of a share, of a response cbind(yes, no), need both of its columns in
// df, whose sum is the number of trials. Rows with missing values have NaN. Errors are those
// of ConfidenceBand and of the method.
func PredictionBand(fit Coded, df dataframe.DataFrame, level float64) (*mlreg.Band, error) {
	return bandOf(fit, df, level, mlreg.Prediction)
}

func bandOf(fit Coded, df dataframe.DataFrame, level float64, kind mlreg.BandKind) (*mlreg.Band, error) {
	if err := checkFit(fit); err != nil {
		return nil, err
	}
	method, err := bandMethod(fit, kind)
	if err != nil {
		return nil, err
	}
	needs := nothingElse
	if kind == mlreg.Prediction {
		needs = weightsToo
	}
	var all *mlreg.Band
	var counts table.Counts
	err = eachPart(fit, df, needs, func(part *codedRows) error {
		if part.design == nil {
			return nil
		}
		b, err := method(part.design, level)
		if err != nil {
			return err
		}
		if all == nil {
			all = noLimits(df.Nrow(), b.Kind, b.Level)
		}
		for k, row := range part.rows {
			all.Fitted[row], all.StdErr[row], all.Lower[row], all.Upper[row] = b.Fitted[k], b.StdErr[k], b.Lower[k], b.Upper[k]
		}
		counts.AddBeyond(part.beyond...)
		return nil
	})
	switch {
	case err != nil:
		return nil, err
	case all != nil:
		all.Beyond = counts.Beyond
		return all, nil
	case !(level > 0 && level < 1):
		return nil, errorf(ErrSetting, "level = %v; it is between 0 and 1", level)
	}
	return noLimits(df.Nrow(), kind, level), nil
}

// noLimits is the band of rows with missing values.
func noLimits(n int, kind mlreg.BandKind, level float64) *mlreg.Band {
	none := func() []float64 { return slices.Repeat([]float64{math.NaN()}, n) }
	return &mlreg.Band{Kind: kind, Level: level, Fitted: none(), StdErr: none(), Lower: none(), Upper: none()}
}

// band is a method of a fit that makes a band.
type band func(d *mlreg.Design, level float64) (*mlreg.Band, error)

// bandMethod returns the method of a fit that makes a band of the kind; a credible band
// is one of the mean.
func bandMethod(fit any, kind mlreg.BandKind) (band, error) {
	if kind == mlreg.Prediction {
		if f, ok := fit.(interface {
			PredictionBand(d *mlreg.Design, level float64) (*mlreg.Band, error)
		}); ok {
			return f.PredictionBand, nil
		}
		return nil, noBand(fit, kind)
	}
	switch f := fit.(type) {
	case interface {
		ConfidenceBand(d *mlreg.Design, level float64) (*mlreg.Band, error)
	}:
		return f.ConfidenceBand, nil
	case interface {
		CredibleBand(d *mlreg.Design, level float64) (*mlreg.Band, error)
	}:
		return f.CredibleBand, nil
	}
	return nil, noBand(fit, kind)
}

// noBand says why a fit has no band.
func noBand(fit any, kind mlreg.BandKind) error {
	why := ""
	switch fit.(type) {
	case interface{ Lambda() float64 }:
		why = ": it is penalized, and its bias is not known; mlreg.FitBayes has bands of a prior that says the same"
	case mlreg.Classifier:
		if kind == mlreg.Prediction {
			why = ": a new observation is one of its classes; ConfidenceBand has limits of its probability"
		}
	}
	return errorf(ErrNoBand, "%T has no %v%s", fit, kind, why)
}

// ClassProb returns the probabilities of the classes of a fit (columns, in the order of
// fit.Classes) for every row of df; a row with missing values has NaN. Errors are those
// of Predict and of fit.ClassProb.
func ClassProb(fit Classifier, df dataframe.DataFrame) (*mat.Dense, error) {
	if err := checkFit(fit); err != nil {
		return nil, err
	}
	if err := checkFrame(df); err != nil {
		return nil, err
	}
	p := noProb(df.Nrow(), fit)
	if err := eachPart(fit, df, nothingElse, func(part *codedRows) error { return part.classProb(p, fit) }); err != nil {
		return nil, err
	}
	return p, nil
}

// Classify returns the class of highest probability for every row of df (see
// mlreg.Classify), and the text "NaN", which gota takes for missing, for a row with
// missing values. Errors are those of ClassProb.
func Classify(fit Classifier, df dataframe.DataFrame) ([]string, error) {
	classes := slices.Repeat([]string{"NaN"}, df.Nrow())
	if err := eachPart(fit, df, nothingElse, func(part *codedRows) error { return part.classes(classes, fit) }); err != nil {
		return nil, err
	}
	return classes, nil
}

// checkFit returns an error for a fit that is nil.
func checkFit(fit any) error {
	if v := reflect.ValueOf(fit); !v.IsValid() || v.Kind() == reflect.Pointer && v.IsNil() {
		return errorf(ErrNoRows, "the fit is nil")
	}
	return nil
}
