package plotting_test

import (
	"errors"
	"go/ast"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// drawing are the exported functions that return an error, of plotting and lecture.
var drawing = map[string]any{
	"Add":                  plotting.Add,
	"BasisFunctions":       plotting.BasisFunctions,
	"CVCurve":              plotting.CVCurve,
	"BacktestPlot":         plotting.BacktestPlot,
	"BootstrapPlot":        plotting.BootstrapPlot,
	"CertifiedInclusion":   plotting.CertifiedInclusion,
	"CorrelogramPlot":      plotting.CorrelogramPlot,
	"ForecastPlot":         plotting.ForecastPlot,
	"SpectrumPlot":         plotting.SpectrumPlot,
	"CalibrationPlot":      plotting.CalibrationPlot,
	"Caterpillar":          plotting.Caterpillar,
	"Chart":                plotting.Chart,
	"ClassMap":             plotting.ClassMap,
	"CoefBars":             plotting.CoefBars,
	"CoefPlot":             plotting.CoefPlot,
	"CoefficientPaths":     plotting.CoefficientPaths,
	"CompareCoefs":         plotting.CompareCoefs,
	"CompareInclusions":    plotting.CompareInclusions,
	"CooksDistance":        plotting.CooksDistance,
	"CorrelationMap":       plotting.CorrelationMap,
	"CriterionPlots":       plotting.CriterionPlots,
	"Diagnostics":          plotting.Diagnostics,
	"Display":              plotting.Display,
	"Draw":                 plotting.Draw,
	"Effect":               plotting.Effect,
	"ErrorCurves":          plotting.ErrorCurves,
	"EvidencePlot":         plotting.EvidencePlot,
	"ExpectedErrors":       plotting.ExpectedErrors,
	"ExplainPlot":          plotting.ExplainPlot,
	"FamilyPlot":           plotting.FamilyPlot,
	"FitCurvePanels":       plotting.FitCurvePanels,
	"FitCurves":            plotting.FitCurves,
	"FitLine":              plotting.FitLine,
	"Forget":               plotting.Forget,
	"Head":                 plotting.Head,
	"HeatMap":              plotting.HeatMap,
	"HeatMapOf":            plotting.HeatMapOf,
	"HistogramGrid":        plotting.HistogramGrid,
	"InclusionPlot":        plotting.InclusionPlot,
	"InformativePlot":      plotting.InformativePlot,
	"Intervals":            plotting.Intervals,
	"LogisticPredictive":   plotting.LogisticPredictive,
	"ModelProbs":           plotting.ModelProbs,
	"ModelSpace":           plotting.ModelSpace,
	"PartialPooling":       plotting.PartialPooling,
	"Plate":                plotting.Plate,
	"PredictivePanels":     plotting.PredictivePanels,
	"PredictivePlot":       plotting.PredictivePlot,
	"QQ":                   plotting.QQ,
	"ROCPlot":              plotting.ROCPlot,
	"ResidualsFitted":      plotting.ResidualsFitted,
	"ResidualsLeverage":    plotting.ResidualsLeverage,
	"ScaleLocation":        plotting.ScaleLocation,
	"ScatterMatrix":        plotting.ScatterMatrix,
	"ShrinkageWeights":     plotting.ShrinkageWeights,
	"SideBySide":           plotting.SideBySide,
	"SizeCurve":            plotting.SizeCurve,
	"SizePlot":             plotting.SizePlot,
	"SlopeLimits":          plotting.SlopeLimits,
	"SubsetPlot":           plotting.SubsetPlot,
	"LaplacePanels":        lecture.LaplacePanels,
	"LogisticPosterior":    lecture.LogisticPosterior,
	"Network":              lecture.Network,
	"NormBalls":            lecture.NormBalls,
	"OccamsRazor":          lecture.OccamsRazor,
	"OneCoordinate":        lecture.OneCoordinate,
	"ShootingSteps":        lecture.ShootingSteps,
	"NormalLaplace":        lecture.NormalLaplace,
	"PenaltyGeometry":      lecture.PenaltyGeometry,
	"Projection":           lecture.Projection,
	"RidgeGeometry":        lecture.RidgeGeometry,
	"Subgradients":         lecture.Subgradients,
	"Thresholding":         lecture.Thresholding,
	"WeightSpace":          lecture.WeightSpace,
	"QuantileCoefficients": plotting.QuantileCoefficients,
	"QuantileFan":          plotting.QuantileFan,
	"RobustWeights":        plotting.RobustWeights,
	"Rootogram":            plotting.Rootogram,
	"QuantileResiduals":    plotting.QuantileResiduals,
}

// failing returns the names of a package's exported functions that return an error.
func failing(t *testing.T, dir string) (names []string) {
	t.Helper()
	for _, d := range exported.Functions(t, dir) {
		if d.Type.TypeParams != nil || d.Type.Results == nil {
			continue
		}
		last := d.Type.Results.List[len(d.Type.Results.List)-1].Type
		if name, ok := last.(*ast.Ident); ok && name.Name == "error" {
			names = append(names, d.Name.Name)
		}
	}
	return names
}

// something returns values that a function may be given, those of one model first.
func something(t *testing.T) []reflect.Value {
	t.Helper()
	df := datasets.Prostate()
	d, err := frames.Design(df, "lpsa ~ lcavol + lweight")
	if err != nil {
		t.Fatal(err)
	}
	values := []any{df, d, plotting.New("", "", ""), plotting.Points{X: []float64{1}, Y: []float64{1}}, rand.NewPCG(1, 2), 0.9, 1, "x", []float64{1, 2, 3}, func(x float64) float64 { return x }}
	keep := func(v any, err error) {
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, v)
	}
	keep(mlreg.FitOLS(d, nil))
	keep(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(1), nil))
	keep(mlreg.FitRidgePath(d, nil))
	for _, v := range plotting.HostileResults(t) {
		values = append(values, v)
	}
	all := make([]reflect.Value, len(values))
	for i, v := range values {
		all[i] = reflect.ValueOf(v)
	}
	return all
}

// nothings returns the nils of a type: an interface is nil, or holds a nil of each
// type that meets it; one field of a struct, or of settings, is such a nil; a slice
// has one such element.
func nothings(of reflect.Type, values []reflect.Value) (nils []reflect.Value) {
	nils = append(nils, reflect.Zero(of))
	switch {
	case of.Kind() == reflect.Interface:
		for _, v := range values {
			if v.Kind() == reflect.Pointer && v.Type().Implements(of) {
				nils = append(nils, reflect.Zero(v.Type()))
			}
		}
	case of.Kind() == reflect.Slice:
		for _, none := range nothings(of.Elem(), values) {
			one := reflect.MakeSlice(of, 1, 1)
			one.Index(0).Set(none)
			nils = append(nils, one)
		}
	case of.Kind() == reflect.Pointer && strings.HasSuffix(of.Elem().Name(), "Settings"):
		for _, none := range nothings(of.Elem(), values) {
			settings := reflect.New(of.Elem())
			settings.Elem().Set(none)
			nils = append(nils, settings)
		}
	case of.Kind() == reflect.Struct && of != reflect.TypeFor[dataframe.DataFrame]():
		for k := range of.NumField() {
			field := of.Field(k)
			if !field.IsExported() || field.Type.Kind() != reflect.Interface && field.Type.Kind() != reflect.Pointer {
				continue
			}
			for _, none := range nothings(field.Type, values) {
				s := reflect.New(of).Elem()
				s.Set(given(of, values))
				s.Field(k).Set(none)
				nils = append(nils, s)
			}
		}
	}
	return nils
}

// given returns a value for a parameter, zero if there is none: of a struct, or of
// the element of a slice, with values in its fields.
func given(of reflect.Type, values []reflect.Value) reflect.Value {
	for _, v := range values {
		if v.Type().AssignableTo(of) && of != reflect.TypeFor[any]() {
			return v
		}
	}
	value := reflect.New(of).Elem()
	switch of.Kind() {
	case reflect.Struct:
		for k := range of.NumField() {
			kinds := []reflect.Kind{reflect.Interface, reflect.Pointer, reflect.Slice}
			if field := of.Field(k); field.IsExported() && slices.Contains(kinds, field.Type.Kind()) {
				value.Field(k).Set(given(field.Type, values))
			}
		}
	case reflect.Slice:
		value.Set(reflect.Append(value, given(of.Elem(), values)))
	}
	return value
}

// call calls a function, and says if it panics.
func call(t *testing.T, name string, f reflect.Value, in []reflect.Value) error {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			var types []string
			for _, v := range in {
				if v.Kind() == reflect.Interface && !v.IsNil() {
					v = v.Elem()
				}
				types = append(types, v.Type().String())
			}
			t.Errorf("%s(%s): panic: %v", name, strings.Join(types, ", "), p)
		}
	}()
	out := f.Call(in)
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// Whatever is given nothing, of all or of one of its arguments, says that there is no
// data, and does not panic.
func TestNothing(t *testing.T) {
	names := append(failing(t, "."), failing(t, "lecture")...)
	slices.Sort(names)
	for _, name := range names {
		if drawing[name] == nil {
			t.Fatalf("%s is not tried", name)
		}
	}
	if len(names) != len(drawing) {
		t.Errorf("%d functions are tried, %d exported", len(drawing), len(names))
	}
	values := something(t)
	previous := plotting.SetSink(plotting.TextSink{W: &strings.Builder{}})
	defer plotting.SetSink(previous)
	for _, name := range names {
		f := reflect.ValueOf(drawing[name])
		of := f.Type()
		in := make([]reflect.Value, of.NumIn())
		types := make([]reflect.Type, of.NumIn())
		for i := range in {
			if types[i] = of.In(i); of.IsVariadic() && i == of.NumIn()-1 {
				types[i] = types[i].Elem() // one value
			}
			in[i] = reflect.Zero(types[i])
		}
		if err := call(t, name, f, in); err == nil {
			t.Errorf("%s of nothing: no error", name)
		}
		for i := range in {
			in[i] = given(types[i], values)
		}
		for i, other := range in {
			for _, none := range nothings(types[i], values) {
				in[i] = none
				err := call(t, name, f, in)
				if types[i] == reflect.TypeFor[dataframe.DataFrame]() && err == nil {
					t.Errorf("%s of an empty frame: no error", name)
				}
				if (name == "EvidencePlot" || name == "SpectrumPlot" || name == "CertifiedInclusion") && i == 1 {
					continue // nothing is marked, no fitted spectrum, no sample is drawn
				}
				needed := types[i].Kind() == reflect.Interface && types[i].NumMethod() > 0 && types[i] != reflect.TypeFor[rand.Source]() ||
					types[i].Kind() == reflect.Pointer && !strings.HasSuffix(types[i].Elem().Name(), "Settings")
				if needed && !errors.Is(err, mlreg.ErrNoData) {
					t.Errorf("%s without argument %d, a nil %v: %v", name, i+1, none.Type(), err)
				}
			}
			in[i] = other
		}
	}
}
