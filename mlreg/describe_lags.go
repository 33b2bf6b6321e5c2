package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
)

// Describe returns the orders as a table.
func (r LagOrders) Describe() *Table {
	t := rowsTable("Orders of an autoregression",
		intOf("order", r, func(o LagOrder) int { return o.Order }),
		intOf("terms", r, func(o LagOrder) int { return o.Terms }),
		numberOf("RSS", r, format.Digits+1, func(o LagOrder) float64 { return o.RSS }),
		decimalOf("AIC", r, 2, func(o LagOrder) float64 { return AIC(o) }),
		decimalOf("BIC", r, 2, func(o LagOrder) float64 { return BIC(o) }),
		decimalOf("log evidence", r, 2, func(o LagOrder) float64 { return o.LogEvidence }),
		decimalOf("bits", r, 1, func(o LagOrder) float64 { return DescriptionLength(o).Total() }))
	for _, o := range r {
		if o.N != r[0].N {
			t.Notes = append(t.Notes, "each order has rows of its own: criteria do not compare")
			return t
		}
	}
	if len(r) > 0 {
		t.Notes = append(t.Notes, "the same "+format.Number(float64(r[0].N), 7)+" rows for all orders")
	}
	return t
}

// String writes the orders as text.
func (r LagOrders) String() string { return r.Describe().String() }

// Describe returns the order as a table.
func (o LagOrder) Describe() *Table { return LagOrders{o}.Describe() }

// String writes the order as text.
func (o LagOrder) String() string { return o.Describe().String() }

// Describe returns the tests as a table.
func (r LjungBoxTable) Describe() *Table {
	return rowsTable("Ljung-Box tests of no autocorrelation",
		intOf("lag", r, func(r LjungBoxRow) int { return r.Lag }),
		numberOf("autocorrelation", r, 3, func(r LjungBoxRow) float64 { return r.ACF }),
		numberOf("Q", r, 0, func(r LjungBoxRow) float64 { return r.Stat }),
		blankNA(numberOf("df", r, 6, func(r LjungBoxRow) float64 { return r.DF })),
		blankNA(pOf("p", r, func(r LjungBoxRow) float64 { return r.P })))
}

// String writes the tests as text.
func (r LjungBoxTable) String() string { return r.Describe().String() }

// Describe returns the test as a table.
func (r LjungBoxRow) Describe() *Table { return LjungBoxTable{r}.Describe() }

// String writes the test as text.
func (r LjungBoxRow) String() string { return r.Describe().String() }

// Describe returns the tests as a table.
func (r GrangerTable) Describe() *Table {
	return rowsTable("Tests that the lags of a channel do not help (Granger)",
		textOf("channel", r, func(r GrangerRow) string { return r.Channel }),
		intOf("lags", r, func(r GrangerRow) int { return r.Lags }),
		numberOf("F", r, 0, func(r GrangerRow) float64 { return r.F }),
		numberOf("df", r, 6, func(r GrangerRow) float64 { return r.DF1 }),
		numberOf("residual df", r, 6, func(r GrangerRow) float64 { return r.DF2 }),
		pOf("p", r, func(r GrangerRow) float64 { return r.P }))
}

// String writes the tests as text.
func (r GrangerTable) String() string { return r.Describe().String() }

// Describe returns the test as a table.
func (r GrangerRow) Describe() *Table { return GrangerTable{r}.Describe() }

// String writes the test as text.
func (r GrangerRow) String() string { return r.Describe().String() }

// Describe returns the errors as a table.
func (r BacktestTable) Describe() *Table {
	return rowsTable("Errors of forecasts",
		intOf("step", r, func(r BacktestRow) int { return r.Step }),
		intOf("n", r, func(r BacktestRow) int { return r.N }),
		numberOf("RMSE", r, 0, func(r BacktestRow) float64 { return r.RMSE }),
		numberOf("last value", r, 0, func(r BacktestRow) float64 { return r.NaiveRMSE }),
		blankNA(numberOf("last season", r, 0, func(r BacktestRow) float64 { return r.SeasonalRMSE })),
		numberOf("mean |error|", r, 0, func(r BacktestRow) float64 { return r.MAE }),
		numberOf("last value's", r, 0, func(r BacktestRow) float64 { return r.NaiveMAE }),
		numberOf("within limits", r, 3, func(r BacktestRow) float64 { return r.Covered }))
}

// String writes the errors as text.
func (r BacktestTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r BacktestRow) Describe() *Table { return BacktestTable{r}.Describe() }

// String writes the line as text.
func (r BacktestRow) String() string { return r.Describe().String() }

// Describe returns the channels as a table: values that are there and missing, mean and
// range.
func (s *Series) Describe() *Table {
	if s == nil || s.check() != nil {
		return nil
	}
	type channel struct {
		name           string
		n, missing     int
		mean, min, max float64
	}
	var rows []channel
	for j, name := range s.Names {
		c := channel{name: name, mean: math.NaN(), min: math.NaN(), max: math.NaN()}
		values := slices.DeleteFunc(mat.Col(nil, j, s.Values), math.IsNaN)
		if c.n, c.missing = len(values), s.NObs()-len(values); c.n > 0 {
			c.mean, c.min, c.max = meanOf(c.n, func(i int) float64 { return values[i] }), slices.Min(values), slices.Max(values)
		}
		rows = append(rows, c)
	}
	t := rowsTable("Series", textOf("channel", rows, func(c channel) string { return c.name }),
		intOf("values", rows, func(c channel) int { return c.n }),
		intOf("missing", rows, func(c channel) int { return c.missing }),
		numberOf("mean", rows, format.Digits, func(c channel) float64 { return c.mean }),
		numberOf("smallest", rows, format.Digits, func(c channel) float64 { return c.min }),
		numberOf("largest", rows, format.Digits, func(c channel) float64 { return c.max }))
	t.Notes = append(t.Notes, fmt.Sprintf("%d times", s.NObs()))
	return t
}

// String writes the channels as text.
func (s *Series) String() string {
	if t := s.Describe(); t != nil {
		return t.String()
	}
	return "a series without values"
}
