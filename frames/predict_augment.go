package frames

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// Augment returns the rows of df with those of these columns that the fit can give:
//
//	.fitted          Predict
//	.lower, .upper   limits of a band; of two bands .lower.confidence,
//	                 .upper.prediction and so on, by their kinds
//	.class           Classify
//	.prob.x          ClassProb of class x, if there are more than two
//	.resid           Residuals, if df has the response
//	.hat             Leverage
//	.cooksd          CooksDistance
//	.std.resid       Influence's Standardized
//
// All rows are kept; what missing values leave open is missing. The last two columns
// are there if the complete rows of df are those that were fitted. Bands are those of
// ConfidenceBand and PredictionBand for the same df:
//
//	band, err := frames.PredictionBand(ols, df, 0.95)
//	rows, err := frames.Augment(ols, df, band)
//
// A frame has no notes: Extrapolations, of the same fit and df, tells whether rows lie beyond the
// range of a spline or polynomial, of which R warns, and a band that is printed says so.
//
// Errors are those of Predict, and ErrSetting for a band that is nil, of other rows, or
// of the kind of another.
func Augment(fit Coded, df dataframe.DataFrame, bands ...*mlreg.Band) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	a := &augmented{df: df}
	var err error
	if a.all, err = rowsFor(fit, df, weightsToo); err != nil {
		return none, err
	}
	if a.known, err = rowsFor(fit, df, responseToo); err != nil {
		return none, err
	}
	a.addFitted(fit)
	a.addBands(bands)
	a.addClasses(fit)
	a.addDiagnostics(fit)
	if a.err != nil {
		return none, a.err
	}
	return a.df, a.df.Err
}

// augmented adds columns to a frame, up to the first error.
type augmented struct {
	df         dataframe.DataFrame
	all, known *codedRows // the rows that have all terms, and those that have the response, too
	err        error
}

// add adds a column of numbers.
func (a *augmented) add(name string, values []float64, err error) {
	switch {
	case a.err != nil:
	case err != nil:
		a.err = fmt.Errorf("frames: %s: %w", name, err)
	default:
		a.df = a.df.Mutate(series.New(values, series.Float, name))
	}
}

func (a *augmented) addFitted(fit any) {
	if f, ok := fit.(mlreg.Predictor); ok {
		values, err := a.all.vector(f.Predict)
		a.add(".fitted", values, err)
	}
}

func (a *augmented) addBands(bands []*mlreg.Band) {
	suffix := map[mlreg.BandKind]string{mlreg.Confidence: ".confidence", mlreg.Credible: ".credible", mlreg.Prediction: ".prediction"}
	for i, b := range bands {
		switch {
		case b == nil:
			a.err = errorf(ErrSetting, "band %d is nil", i+1)
			return
		case len(b.Lower) != a.all.n || len(b.Upper) != a.all.n:
			a.err = errorf(ErrSetting, "the %v has %d rows and the frame %d; make it of the same frame", b.Kind, len(b.Lower), a.all.n)
			return
		case slices.ContainsFunc(bands[:i], func(other *mlreg.Band) bool { return other.Kind == b.Kind }):
			a.err = errorf(ErrSetting, "there are two bands of one kind: %v", b.Kind)
			return
		}
		kind := ""
		if len(bands) > 1 {
			kind = suffix[b.Kind]
		}
		a.add(".lower"+kind, b.Lower, nil)
		a.add(".upper"+kind, b.Upper, nil)
	}
}

func (a *augmented) addClasses(fit any) {
	f, ok := fit.(mlreg.Classifier)
	if !ok || a.err != nil {
		return
	}
	classes := slices.Repeat([]string{"NaN"}, a.all.n)
	if err := a.all.classes(classes, f); err != nil {
		a.err = err
		return
	}
	a.df = a.df.Mutate(series.New(classes, series.String, ".class"))
	if len(f.Classes()) == 2 && slices.Contains(a.df.Names(), ".fitted") {
		return
	}
	p := noProb(a.all.n, f)
	err := a.all.classProb(p, f)
	for k, class := range f.Classes() {
		if err != nil {
			a.add(".prob."+class, nil, err)
			return
		}
		a.add(".prob."+class, mat.Col(nil, k, p), nil)
	}
}

func (a *augmented) addDiagnostics(fit any) {
	known := a.known.design != nil && a.known.design.Y != nil
	if f, ok := fit.(interface {
		Residuals(*mlreg.Design) ([]float64, error)
	}); ok && known {
		values, err := a.known.vector(f.Residuals)
		a.add(".resid", values, err)
	}
	if f, ok := fit.(interface {
		Leverage(*mlreg.Design) ([]float64, error)
	}); ok {
		rows := a.all
		if known && a.all.design.Weights == nil && a.known.design.Weights != nil {
			rows = a.known // the weights are numbers of trials, of cbind(yes, no)
		}
		values, err := rows.vector(f.Leverage)
		a.add(".hat", values, err)
	}
	f, ok := fit.(interface {
		Influence(*mlreg.Design) (*mlreg.Influence, error)
	})
	if !ok || !known {
		return
	}
	influence, err := f.Influence(a.known.design)
	if errors.Is(err, mlreg.ErrShape) || errors.Is(err, mlreg.ErrSaturated) { // other rows, or no variance
		return
	}
	if err != nil {
		a.add(".cooksd", nil, err)
		return
	}
	a.add(".cooksd", a.known.spread(influence.CooksDistance), nil)
	a.add(".std.resid", a.known.spread(influence.Standardized), nil)
}
