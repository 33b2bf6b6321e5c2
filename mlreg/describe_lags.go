package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Describe returns the orders as a table.
func (r LagOrders) Describe() *report.Table {
	t := tables.Rows("Orders of an autoregression",
		tables.Int("order", r, func(o LagOrder) int { return o.Order }),
		tables.Int("terms", r, func(o LagOrder) int { return o.Terms }),
		tables.Number("RSS", r, format.Digits+1, func(o LagOrder) float64 { return o.RSS }),
		tables.Decimal("AIC", r, 2, func(o LagOrder) float64 { return AIC(o) }),
		tables.Decimal("BIC", r, 2, func(o LagOrder) float64 { return BIC(o) }),
		tables.Decimal("log evidence", r, 2, func(o LagOrder) float64 { return o.LogEvidence }),
		tables.Decimal("bits", r, 1, func(o LagOrder) float64 { return DescriptionLength(o).Total() }))
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
func (o LagOrder) Describe() *report.Table { return LagOrders{o}.Describe() }

// String writes the order as text.
func (o LagOrder) String() string { return o.Describe().String() }

// Describe returns the tests as a table.
func (r LjungBoxTable) Describe() *report.Table {
	return tables.Rows("Ljung-Box tests of no autocorrelation",
		tables.Int("lag", r, func(r LjungBoxRow) int { return r.Lag }),
		tables.Number("autocorrelation", r, 3, func(r LjungBoxRow) float64 { return r.ACF }),
		tables.Number("Q", r, 0, func(r LjungBoxRow) float64 { return r.Stat }),
		tables.Blank(tables.Number("df", r, 6, func(r LjungBoxRow) float64 { return r.DF })),
		tables.Blank(tables.P("p", r, func(r LjungBoxRow) float64 { return r.P })))
}

// String writes the tests as text.
func (r LjungBoxTable) String() string { return r.Describe().String() }

// Describe returns the test as a table.
func (r LjungBoxRow) Describe() *report.Table { return LjungBoxTable{r}.Describe() }

// String writes the test as text.
func (r LjungBoxRow) String() string { return r.Describe().String() }

// Describe returns the tests as a table.
func (r GrangerTable) Describe() *report.Table {
	return tables.Rows("Tests that the lags of a channel do not help (Granger)",
		tables.Text("channel", r, func(r GrangerRow) string { return r.Channel }),
		tables.Int("lags", r, func(r GrangerRow) int { return r.Lags }),
		tables.Number("F", r, 0, func(r GrangerRow) float64 { return r.F }),
		tables.Number("df", r, 6, func(r GrangerRow) float64 { return r.DF1 }),
		tables.Number("residual df", r, 6, func(r GrangerRow) float64 { return r.DF2 }),
		tables.P("p", r, func(r GrangerRow) float64 { return r.P }))
}

// String writes the tests as text.
func (r GrangerTable) String() string { return r.Describe().String() }

// Describe returns the test as a table.
func (r GrangerRow) Describe() *report.Table { return GrangerTable{r}.Describe() }

// String writes the test as text.
func (r GrangerRow) String() string { return r.Describe().String() }

// Describe returns the errors as a table.
func (r BacktestTable) Describe() *report.Table {
	return tables.Rows("Errors of forecasts",
		tables.Int("step", r, func(r BacktestRow) int { return r.Step }),
		tables.Int("n", r, func(r BacktestRow) int { return r.N }),
		tables.Number("RMSE", r, 0, func(r BacktestRow) float64 { return r.RMSE }),
		tables.Number("last value", r, 0, func(r BacktestRow) float64 { return r.NaiveRMSE }),
		tables.Blank(tables.Number("last season", r, 0, func(r BacktestRow) float64 { return r.SeasonalRMSE })),
		tables.Number("mean |error|", r, 0, func(r BacktestRow) float64 { return r.MAE }),
		tables.Number("last value's", r, 0, func(r BacktestRow) float64 { return r.NaiveMAE }),
		tables.Number("within limits", r, 3, func(r BacktestRow) float64 { return r.Covered }))
}

// String writes the errors as text.
func (r BacktestTable) String() string { return r.Describe().String() }

// Describe returns the line as a table.
func (r BacktestRow) Describe() *report.Table { return BacktestTable{r}.Describe() }

// String writes the line as text.
func (r BacktestRow) String() string { return r.Describe().String() }

// Describe returns the channels as a table: values that are there and missing, mean and
// range.
func (s *Series) Describe() *report.Table {
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
	t := tables.Rows("Series", tables.Text("channel", rows, func(c channel) string { return c.name }),
		tables.Int("values", rows, func(c channel) int { return c.n }),
		tables.Int("missing", rows, func(c channel) int { return c.missing }),
		tables.Number("mean", rows, format.Digits, func(c channel) float64 { return c.mean }),
		tables.Number("smallest", rows, format.Digits, func(c channel) float64 { return c.min }),
		tables.Number("largest", rows, format.Digits, func(c channel) float64 { return c.max }))
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
