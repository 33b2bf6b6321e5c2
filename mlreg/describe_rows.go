package mlreg

import "reflect"

// Describe returns the table of a result: of a Describer, or of a slice of rows whose
// type is not spelled as one, such as []AnovaRow for AnovaTable. It is nil for anything
// else.
func Describe(result any) *Table {
	if d, ok := result.(Describer); ok {
		return d.Describe()
	}
	t := reflect.TypeOf(result)
	if t == nil || t.Kind() != reflect.Slice {
		return nil
	}
	if row, ok := reflect.Zero(t.Elem()).Interface().(interface{ table() Describer }); ok {
		rows := reflect.ValueOf(result).Convert(reflect.TypeOf(row.table()))
		return rows.Interface().(Describer).Describe()
	}
	return nil
}

// The table that rows make together.

func (AnovaRow) table() Describer       { return AnovaTable(nil) }
func (CalibrationRow) table() Describer { return CalibrationTable(nil) }
func (CoefRow) table() Describer        { return CoefRows(nil) }
func (Culprit) table() Describer        { return Culprits(nil) }
func (ErrorRow) table() Describer       { return ErrorTable(nil) }
func (Evidence) table() Describer       { return Explanation(nil) }
func (ExpectedError) table() Describer  { return ExpectedErrors(nil) }
func (FamilyRow) table() Describer      { return FamilyTable(nil) }
func (Feature) table() Describer        { return Features(nil) }
func (FilterRow) table() Describer      { return FilterTable(nil) }
func (GreedyStep) table() Describer     { return GreedySteps(nil) }
func (InclusionRow) table() Describer   { return InclusionTable(nil) }
func (Interval) table() Describer       { return Intervals(nil) }
func (NestedRow) table() Describer      { return NestedTable(nil) }
func (OddsRatio) table() Describer      { return OddsRatios(nil) }
func (PosteriorRow) table() Describer   { return PosteriorRows(nil) }
func (RankedModel) table() Describer    { return RankedModels(nil) }
func (Step) table() Describer           { return Steps(nil) }
func (SubsetModel) table() Describer    { return SubsetModels(nil) }
func (BacktestRow) table() Describer    { return BacktestTable(nil) }
func (GrangerRow) table() Describer     { return GrangerTable(nil) }
func (LagOrder) table() Describer       { return LagOrders(nil) }
func (LjungBoxRow) table() Describer    { return LjungBoxTable(nil) }
func (VIFRow) table() Describer         { return VIFTable(nil) }
func (TermGroup) table() Describer      { return TermGroups(nil) }
