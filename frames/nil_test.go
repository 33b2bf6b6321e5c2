package frames

import (
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/mlreg"
)

// nilFunctions are the exported functions without type parameters.
var nilFunctions = map[string]any{
	"Augment":         Augment,
	"Bind":            Bind,
	"ClassProb":       ClassProb,
	"Classify":        Classify,
	"Complete":        Complete,
	"ConfidenceBand":  ConfidenceBand,
	"Censored":        Censored,
	"Count":           Count,
	"Cut":             Cut,
	"Dates":           Dates,
	"Describe":        Describe,
	"Distinct":        Distinct,
	"Design":          Design,
	"DesignLike":      DesignLike,
	"Effects":         Effects,
	"AllEffects":      AllEffects,
	"Floats":          Floats,
	"FormatCSV":       FormatCSV,
	"Frame":           Frame,
	"Glance":          Glance,
	"GroupBy":         GroupBy,
	"GroupedDesign":   GroupedDesign,
	"Info":            Info,
	"IsDates":         IsDates,
	"Join":            Join,
	"Longer":          Longer,
	"MarginalEffects": MarginalEffects,
	"MarginalMeans":   MarginalMeans,
	"Mask":            Mask,
	"Matrix":          Matrix,
	"ParseCSV":        ParseCSV,
	"ParseFormula":    ParseFormula,
	"Predict":         Predict,
	"Extrapolations":  Extrapolations,
	"Percent":         Percent,
	"Currency":        Currency,
	"PredictGroups":   PredictGroups,
	"PredictionBand":  PredictionBand,
	"ReadCSV":         ReadCSV,
	"Sample":          Sample,
	"Sort":            Sort,
	"Split":           Split,
	"SplitMask":       SplitMask,
	"TermsOf":         TermsOf,
	"Tidy":            Tidy,
	"Where":           Where,
	"Wider":           Wider,
	"SeriesOf":        SeriesOf,
	"With":            With,
	"WriteCSV":        WriteCSV,
}

// nothings returns the values of a parameter that stand for nothing: a frame without
// columns, one without rows, one that carries an error, nil, and a nil of each type
// that meets an interface.
func nothings(in reflect.Type) []reflect.Value {
	switch {
	case in == reflect.TypeFor[dataframe.DataFrame]():
		empty := dataframe.New(series.New([]float64{}, series.Float, "a"))
		return []reflect.Value{reflect.ValueOf(dataframe.DataFrame{}), reflect.ValueOf(empty), reflect.ValueOf(dataframe.DataFrame{Err: errors.New("of gota")})}
	case in == reflect.TypeFor[rand.Source]():
		return []reflect.Value{reflect.ValueOf(rand.NewPCG(1, 2)), reflect.Zero(in)}
	case in == reflect.TypeFor[io.Reader]():
		return []reflect.Value{reflect.ValueOf(strings.NewReader(""))}
	case in == reflect.TypeFor[io.Writer]():
		return []reflect.Value{reflect.ValueOf(io.Discard)}
	case in.Kind() == reflect.Interface && in.NumMethod() > 0:
		values := []reflect.Value{reflect.Zero(in)}
		for _, v := range []any{
			(*mlreg.OLS)(nil), (*mlreg.Robust)(nil), (*mlreg.Ridge)(nil), (*mlreg.ElasticNet)(nil), (*mlreg.Bayes)(nil), (*mlreg.Logistic)(nil),
			(*mlreg.BayesLogistic)(nil), (*mlreg.Multinomial)(nil), (*mlreg.NaiveBayes)(nil), (*mlreg.Enumeration)(nil),
		} {
			if reflect.TypeOf(v).Implements(in) {
				values = append(values, reflect.ValueOf(v))
			}
		}
		return values
	}
	return []reflect.Value{reflect.Zero(in)}
}

// Functions that are given nothing do not panic, and return an error if they have one
// to return.
func TestNilArguments(t *testing.T) {
	for _, name := range exported.Plain(t, ".") {
		f, ok := nilFunctions[name]
		if !ok {
			t.Errorf("%s is not tried: add it to nilFunctions", name)
			continue
		}
		of := reflect.TypeOf(f)
		calls := [][]reflect.Value{nil}
		for i := range of.NumIn() {
			if of.IsVariadic() && i == of.NumIn()-1 {
				break
			}
			var longer [][]reflect.Value
			for _, call := range calls {
				for _, v := range nothings(of.In(i)) {
					longer = append(longer, append(call[:len(call):len(call)], v))
				}
			}
			calls = longer
		}
		for _, call := range calls {
			checkNothing(t, name, reflect.ValueOf(f), call)
		}
	}
}

func checkNothing(t *testing.T, name string, f reflect.Value, in []reflect.Value) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s(%v): panic: %v", name, in, p)
		}
	}()
	out := f.Call(in)
	if len(out) == 0 || f.Type().Out(len(out)-1) != reflect.TypeFor[error]() {
		return
	}
	if strings.HasSuffix(name, "CSV") && len(in) == 3 && in[1].Interface().(dataframe.DataFrame).Ncol() > 0 {
		return // a table of names without rows
	}
	if out[len(out)-1].IsNil() {
		t.Errorf("%s(%v) is no error", name, in)
	}
}
