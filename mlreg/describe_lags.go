package mlreg

import (
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
		numberOf("df", r, 6, func(r LjungBoxRow) float64 { return r.DF }),
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
