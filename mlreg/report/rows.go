package report

import "reflect"

// Row is a line of a table: rows of its type make a table together, whichever row is asked.
type Row[R any] interface{ Tabulate(rows []R) *Table }

// Rows are rows of one type that are shown as one table.
type Rows[R Row[R]] []R

// Describe returns the rows as a table.
func (r Rows[R]) Describe() *Table {
	var row R
	return row.Tabulate(r)
}

// String writes the rows as text.
func (r Rows[R]) String() string { return r.Describe().String() }

// Describe returns the table of a result: of a Describer, of a Row, or of a slice of rows that
// is not spelled as Rows, such as []mlreg.AnovaRow. It is nil for anything else.
func Describe(result any) *Table {
	if d, ok := result.(Describer); ok {
		return d.Describe()
	}
	rows := reflect.Indirect(reflect.ValueOf(result))
	if rows.Kind() == reflect.Struct {
		row := rows
		rows = reflect.MakeSlice(reflect.SliceOf(row.Type()), 1, 1)
		rows.Index(0).Set(row)
	}
	if rows.Kind() != reflect.Slice || rows.Type().Elem().Kind() != reflect.Struct {
		return nil
	}
	tabulate := reflect.Zero(rows.Type().Elem()).MethodByName("Tabulate")
	if !tabulate.IsValid() || tabulate.Type().NumIn() != 1 || !rows.CanConvert(tabulate.Type().In(0)) {
		return nil
	}
	table, _ := tabulate.Call([]reflect.Value{rows.Convert(tabulate.Type().In(0))})[0].Interface().(*Table)
	return table
}
