package plotting_test

import (
	"errors"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/lecture"
)

// Whatever is given nothing says that there is no data, and does not panic.
func TestNothing(t *testing.T) {
	var df dataframe.DataFrame
	var ols *mlreg.OLS
	second := func(_ any, err error) error { return err }
	for name, call := range map[string]func() error{
		"PosteriorTable":     func() error { return second(plotting.PosteriorTable(nil, .9)) },
		"Summary":            func() error { return second(plotting.Summary(ols, .9)) },
		"HeatMap":            func() error { return second(plotting.HeatMap(nil, nil)) },
		"Effect":             func() error { return second(plotting.Effect(nil)) },
		"FitCurves":          func() error { return second(plotting.FitCurves(df, nil)) },
		"FitCurvesNil":       func() error { return second(plotting.FitCurves(df, nil, plotting.CurveFit{})) },
		"BasisFunctions":     func() error { return second(plotting.BasisFunctions(nil, df, nil)) },
		"WeightedBasis":      func() error { return second(plotting.WeightedBasis(nil, nil, df, nil)) },
		"HistogramGrid":      func() error { return second(plotting.HistogramGrid(df, nil)) },
		"ScatterMatrix":      func() error { return second(plotting.ScatterMatrix(df, nil)) },
		"CorrelationMap":     func() error { return second(plotting.CorrelationMap(df, nil)) },
		"Chart":              func() error { return second(plotting.Chart(df, "x", "y", nil)) },
		"SideBySide":         func() error { return second(plotting.SideBySide()) },
		"Head":               func() error { return second(plotting.Head(df, 0)) },
		"Diagnostics":        func() error { return second(plotting.Diagnostics(nil, nil, nil)) },
		"CoefPlot":           func() error { return second(plotting.CoefPlot(nil, .9, nil)) },
		"CompareCoefs":       func() error { return second(plotting.CompareCoefs(nil, .9, nil)) },
		"CoefDensities":      func() error { return second(plotting.CoefDensities(nil, .9)) },
		"CVCurve":            func() error { return second(plotting.CVCurve(nil, nil)) },
		"CoefficientPaths":   func() error { return second(plotting.CoefficientPaths(nil, nil)) },
		"DoFPlot":            func() error { return second(plotting.DoFPlot(plotting.NamedPath{})) },
		"ShrinkageWeights":   func() error { return second(plotting.ShrinkageWeights(nil, 0, 1)) },
		"ClassMap":           func() error { return second(plotting.ClassMap(df, nil, nil, nil)) },
		"LogisticPredictive": func() error { return second(plotting.LogisticPredictive(df, nil, nil, nil)) },
		"PredictivePlot":     func() error { return second(plotting.PredictivePlot(nil, nil, df, nil)) },
		"EvidencePlot":       func() error { return second(plotting.EvidencePlot(nil, nil)) },
		"FamilyPlot":         func() error { return second(plotting.FamilyPlot(nil, "")) },
		"InclusionPlot":      func() error { return second(plotting.InclusionPlot(nil, nil)) },
		"SizePlot":           func() error { return second(plotting.SizePlot(nil, "")) },
		"ModelSpace":         func() error { return second(plotting.ModelSpace(nil, nil)) },
		"ModelScores":        func() error { return second(plotting.ModelScores(nil, "")) },
		"ModelProbs":         func() error { return second(plotting.ModelProbs(nil, 0, "")) },
		"SubsetPlot":         func() error { return second(plotting.SubsetPlot(nil, "")) },
		"CriterionPlots":     func() error { return second(plotting.CriterionPlots(nil, "")) },
		"SizeCurve":          func() error { return second(plotting.SizeCurve(nil, "")) },
		"ROCPlot":            func() error { return second(plotting.ROCPlot(nil, nil)) },
		"CalibrationPlot":    func() error { return second(plotting.CalibrationPlot(nil, "")) },
		"InformativePlot":    func() error { return second(plotting.InformativePlot(nil, "", 1)) },
		"ExplainPlot":        func() error { return second(plotting.ExplainPlot(nil, nil, 0, 1)) },
		"OddsTable":          func() error { return second(plotting.OddsTable(nil, .9)) },
		"BestModels":         func() error { return second(plotting.BestModels(nil, 0)) },
		"CoefRows":           func() error { return second(plotting.CoefRows(nil, .9)) },
		"CoefBars":           func() error { return second(plotting.CoefBars()) },
		"ErrorCurves":        func() error { return second(plotting.ErrorCurves(plotting.Labels{}, nil, nil)) },
		"ExpectedErrors":     func() error { return second(plotting.ExpectedErrors(plotting.Labels{}, nil)) },
		"Intervals":          func() error { return second(plotting.Intervals(plotting.Labels{}, nil, 0)) },
		"NormBalls":          func() error { return second(lecture.NormBalls()) },
		"Subgradients":       func() error { return second(lecture.Subgradients(nil, 0, nil, 0, 1)) },
		"Projection":         func() error { return second(lecture.Projection(nil, nil, nil, nil)) },
		"FitLine":            func() error { return second(plotting.FitLine(nil, nil, .9)) },
		"Credible":           func() error { return plotting.Display(plotting.Credible(nil)) },
		"Bars":               func() error { return second(plotting.Draw(plotting.Labels{}, plotting.Bars{})) },
		"Hist":               func() error { return second(plotting.Draw(plotting.Labels{}, plotting.Histogram{})) },
		"Smooth":             func() error { return second(plotting.Draw(plotting.Labels{}, plotting.Smooth{})) },
		"BandTable":          func() error { return second(plotting.BandTable(nil, 0, nil)) },
	} {
		if err := call(); !errors.Is(err, mlreg.ErrNoData) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
