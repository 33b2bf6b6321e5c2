package mlreg

import (
	"reflect"

	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns the table of a result: of a Describer, or of a slice of rows whose
// type is not spelled as one, such as []AnovaRow for AnovaTable. It is nil for anything
// else.
func Describe(result any) *report.Table {
	if d, ok := result.(report.Describer); ok {
		return d.Describe()
	}
	t := reflect.TypeOf(result)
	if t == nil || t.Kind() != reflect.Slice {
		return nil
	}
	if row, ok := reflect.Zero(t.Elem()).Interface().(interface{ table() report.Describer }); ok {
		rows := reflect.ValueOf(result).Convert(reflect.TypeOf(row.table()))
		return rows.Interface().(report.Describer).Describe()
	}
	return nil
}

// The table that rows make together.

func (AnovaRow) table() report.Describer       { return AnovaTable(nil) }
func (CalibrationRow) table() report.Describer { return CalibrationTable(nil) }
func (CoefRow) table() report.Describer        { return CoefRows(nil) }
func (Culprit) table() report.Describer        { return Culprits(nil) }
func (ErrorRow) table() report.Describer       { return ErrorTable(nil) }
func (Evidence) table() report.Describer       { return Explanation(nil) }
func (ExpectedError) table() report.Describer  { return ExpectedErrors(nil) }
func (FamilyRow) table() report.Describer      { return FamilyTable(nil) }
func (Feature) table() report.Describer        { return Features(nil) }
func (FilterRow) table() report.Describer      { return FilterTable(nil) }
func (GreedyStep) table() report.Describer     { return GreedySteps(nil) }
func (InclusionRow) table() report.Describer   { return InclusionTable(nil) }
func (Interval) table() report.Describer       { return Intervals(nil) }
func (NestedRow) table() report.Describer      { return NestedTable(nil) }
func (OddsRatio) table() report.Describer      { return OddsRatios(nil) }
func (PosteriorRow) table() report.Describer   { return PosteriorRows(nil) }
func (RankedModel) table() report.Describer    { return RankedModels(nil) }
func (Step) table() report.Describer           { return Steps(nil) }
func (SubsetModel) table() report.Describer    { return SubsetModels(nil) }
func (BacktestRow) table() report.Describer    { return BacktestTable(nil) }
func (GrangerRow) table() report.Describer     { return GrangerTable(nil) }
func (LagOrder) table() report.Describer       { return LagOrders(nil) }
func (LjungBoxRow) table() report.Describer    { return LjungBoxTable(nil) }
func (VIFRow) table() report.Describer         { return VIFTable(nil) }
func (TermGroup) table() report.Describer      { return TermGroups(nil) }
