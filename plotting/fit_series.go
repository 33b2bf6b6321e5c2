package plotting

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
	"github.com/regbook/regbook/plotting/internal/check"
)

// CorrelogramPlot draws autocorrelations or partial ones by lag, R's acf and pacf: stems, and
// dashed lines that those of white noise stay within with the given probability at each lag.
// Errors: mlreg.ErrNoData without values, mlreg.ErrSetting for the level.
func CorrelogramPlot(g *tsa.Correlogram, level float64) (*plot.Plot, error) {
	if check.IsNil(g) || len(g.Value) == 0 {
		return nil, check.Nothing("correlogram", "there are no values")
	}
	limit, err := g.Limit(level)
	if err != nil {
		return nil, err
	}
	name := "autocorrelation"
	if g.Partial {
		name = "partial autocorrelation"
	}
	lags := Range(1, float64(len(g.Value)), len(g.Value))
	p, err := Draw(Labels{X: "lag", Y: name}, HLine{Y: 0, Solid: true}, HLine{Y: limit, Name: "white noise, " + format.Number(100*level, 4) + "%"}, HLine{Y: -limit},
		Stems{X: lags, Y: g.Value, Color: Blue})
	if err != nil {
		return nil, err
	}
	p.X.Min, p.X.Max = 0, float64(len(g.Value))+0.5
	return p, nil
}

// SpectrumPlot draws a periodogram as points and, unless it is nil, the spectrum of a fitted
// autoregression as a line, on a logarithmic axis; R's spec. Frequencies are in cycles per step.
// Errors are those of Draw, and mlreg.ErrNoData without a periodogram.
func SpectrumPlot(periodogram, fitted *tsa.Spectrum) (*plot.Plot, error) {
	if check.IsNil(periodogram) {
		return nil, check.Nothing("spectrum", "the periodogram is nil")
	}
	var x, y []float64
	for k, v := range periodogram.Density {
		if v > 0 && k < len(periodogram.Frequency) {
			x, y = append(x, periodogram.Frequency[k]), append(y, v)
		}
	}
	layers := []Layer{Points{X: x, Y: y, Color: Fade(Gray, 0.9), Name: "periodogram"}, LogY{}}
	if fitted != nil {
		layers = append(layers, Line{X: fitted.Frequency, Y: fitted.Density, Color: Blue, Name: "autoregression"})
	}
	return Draw(Labels{X: "frequency (cycles per step)", Y: "spectral density"}, layers...)
}

// ForecastPlotSettings are the options of ForecastPlot.
type ForecastPlotSettings struct {
	// Last is the number of known values drawn; the default 0 is four times that of the
	// steps, and -1 is all.
	Last int
	// Actual are the values that came, in the order of the steps, NaN if missing.
	Actual []float64
	// Title stands above; the default is none.
	Title string
}

// ForecastPlot draws the last values of a series and forecasts of what follows with their
// limits, a fan, and the naive forecast, the last value, dashed. If times are of a
// calendar, the axis has dates. Nil settings are the defaults. Errors: mlreg.ErrNoData without a
// forecast or a series; mlreg.ErrSetting for Last < -1; mlreg.ErrShape if the series does not
// have the response.
func ForecastPlot(f *tsa.Forecast, s *tsa.Series, settings *ForecastPlotSettings) (*plot.Plot, error) {
	set := check.OrDefaults(settings)
	if check.IsNil(f) || len(f.Mean) == 0 {
		return nil, check.Nothing("forecast", "there is no forecast")
	}
	if err := check.Lengths("forecast", check.Series{Name: "the times", Values: f.Time}, check.Series{Name: "the forecasts", Values: f.Mean},
		check.Series{Name: "the lower limits", Values: f.Lower}, check.Series{Name: "the upper limits", Values: f.Upper}, check.Series{Name: "the naive forecasts", Values: f.Naive}); err != nil {
		return nil, err
	}
	if check.IsNil(s) {
		return nil, check.Nothing("forecast", "the series is nil")
	}
	y, err := s.Channel(f.Response)
	if err != nil {
		return nil, err
	}
	last := set.Last
	switch {
	case last < -1:
		return nil, fmt.Errorf("plotting: forecast: %w: Last = %d", mlreg.ErrSetting, last)
	case last == 0:
		last = 4 * len(f.Mean)
	case last == -1:
		last = f.Origin
	}
	at, known := valuesUpTo(f.Origin, last, s, y)
	times := onCalendar(f.Calendar, f.Time)
	layers := []Layer{
		Ribbon{X: times, Lower: f.Lower, Upper: f.Upper, Color: Blue, Opacity: 0.25, Name: "limits, " + format.Number(100*f.Level, 4) + "%"},
		Line{X: times, Y: f.Naive, Color: Gray, Dashed: true, Name: "last value"},
		Line{X: times, Y: f.Mean, Color: Blue, Name: "forecast"},
	}
	if len(at) > 0 {
		layers = append([]Layer{Line{X: onCalendar(f.Calendar, at), Y: known, Color: Black, Name: f.Response}}, layers...)
	}
	var came Points
	for k, v := range set.Actual {
		if k < len(times) && !math.IsNaN(v) {
			came.X, came.Y = append(came.X, times[k]), append(came.Y, v)
		}
	}
	if len(came.X) > 0 {
		came.Name, came.Color = "what came", Vermillion
		layers = append(layers, came)
	}
	name, axis := timeAxis(f.Calendar)
	return Draw(Labels{Title: set.Title, X: name, Y: f.Response}, append(layers, axis...)...)
}

// valuesUpTo returns the last values of a channel y before the origin that are not missing, and their times.
func valuesUpTo(origin, last int, s *tsa.Series, y []float64) (at, known []float64) {
	for i := max(0, origin-last); i < min(origin, len(y)); i++ {
		if !math.IsNaN(y[i]) {
			t := float64(i)
			if s.Time != nil {
				t = s.Time[i]
			}
			at, known = append(at, t), append(known, y[i])
		}
	}
	return at, known
}

// timeAxis returns the name of an axis of times, and the layer that makes it one of dates.
func timeAxis(c tsa.Calendar) (name string, axis []Layer) {
	if c == tsa.NoCalendar {
		return "time", nil
	}
	return "", []Layer{DateX{}}
}

// onCalendar returns times as DateX wants them, days, if they are of a calendar.
func onCalendar(c tsa.Calendar, times []float64) []float64 {
	if c == tsa.NoCalendar {
		return times
	}
	days := make([]float64, len(times))
	for i, t := range times {
		days[i] = dayOf(c.Date(t))
	}
	return days
}

// BacktestPlot draws a backtest in two panels: the course of the response with the forecasts
// from each origin, with their limits if the forecasts of origins do not overlap, and the root
// mean squared error at each step beside those of the last value and of the value a period before. Errors: mlreg.ErrNoData without forecasts.
func BacktestPlot(bt *tsa.Backtest) (*Figure, error) {
	if check.IsNil(bt) || len(bt.Actual) == 0 || len(bt.Actual[0]) == 0 || len(bt.Mean) != len(bt.Actual) || len(bt.Time) != len(bt.Actual) {
		return nil, check.Nothing("backtest", "there are no forecasts")
	}
	var at, actual []float64
	var paths []Layer
	overlap := backtestsOverlap(bt)
	for i, row := range bt.Actual {
		var x, mean []float64
		for k, v := range row {
			t := onCalendar(bt.Calendar, []float64{bt.Time[i] + float64(k+1)*bt.Step})[0]
			if k < len(bt.Mean[i]) && check.IsFinite(bt.Mean[i][k]) {
				x, mean = append(x, t), append(mean, bt.Mean[i][k])
			}
			if check.IsFinite(v) && (len(at) == 0 || t > at[len(at)-1]) {
				at, actual = append(at, t), append(actual, v)
			}
		}
		name := ""
		if i == 0 {
			name = "forecasts"
		}
		if !overlap {
			paths = append(paths, backtestLimits(bt, i, x))
		}
		switch {
		case len(x) == 1:
			paths = append(paths, Points{X: x, Y: mean, Color: Blue, Radius: 1.8, Name: name})
		case len(x) > 1:
			paths = append(paths, Line{X: x, Y: mean, Color: Blue, Width: 1.2, Name: name})
		}
	}
	if len(at) == 0 || len(paths) == 0 {
		return nil, check.Nothing("backtest", "no value to compare came")
	}
	layers := append([]Layer{Line{X: at, Y: actual, Color: Black, Name: "what came"}}, paths...)
	name, axis := timeAxis(bt.Calendar)
	course, err := Draw(Labels{Title: "(a) forecasts from each origin", X: name, Y: bt.Response}, append(layers, axis...)...)
	if err != nil {
		return nil, err
	}
	steps, err := backtestErrors(bt)
	if err != nil {
		return nil, err
	}
	f := Grid(2, course, steps)
	f.Alt = fmt.Sprintf("backtest of %s: forecasts from %d origins, and errors by step beside those of naive forecasts", bt.Response, len(bt.Origin))
	return f, nil
}

// backtestErrors draws the root mean squared error at each step, of the model and of naive forecasts.
func backtestErrors(bt *tsa.Backtest) (*plot.Plot, error) {
	var step []float64
	curves := [3][]float64{}
	for _, row := range bt.Errors() {
		step = append(step, float64(row.Step))
		for k, v := range []float64{row.RMSE, row.NaiveRMSE, row.SeasonalRMSE} {
			curves[k] = append(curves[k], v)
		}
	}
	var errs []Layer
	for k, name := range []string{"model", "last value", check.Plural(bt.Period, "step") + " before"} {
		color := Palette(k)
		var x, y []float64
		for i, v := range curves[k] {
			if check.IsFinite(v) {
				x, y = append(x, step[i]), append(y, v)
			}
		}
		if len(x) > 0 {
			errs = append(errs, Line{X: x, Y: y, Color: color, Name: name}, Points{X: x, Y: y, Color: color})
		}
	}
	return Draw(Labels{Title: "(b) error by step", X: "steps ahead", Y: "root mean squared error"}, append(errs, HLine{Y: 0, Solid: true})...)
}

// backtestsOverlap reports whether the forecasts from an origin reach beyond the next one, or have no limits.
func backtestsOverlap(bt *tsa.Backtest) bool {
	for i := range bt.Time {
		if i > 0 && bt.Time[i] < bt.Time[i-1]+float64(len(bt.Actual[i-1]))*bt.Step-bt.Step/2 {
			return true
		}
		if i >= len(bt.Lower) || i >= len(bt.Upper) || len(bt.Lower[i]) < len(bt.Mean[i]) || len(bt.Upper[i]) < len(bt.Mean[i]) {
			return true
		}
	}
	return false
}

// backtestLimits are the limits of the forecasts from origin i, those at the times x.
func backtestLimits(bt *tsa.Backtest, i int, x []float64) Ribbon {
	r := Ribbon{X: x, Color: Blue, Opacity: 0.25}
	if i == 0 {
		r.Name = "limits, " + format.Number(100*bt.Level, 4) + "%"
	}
	for k, v := range bt.Mean[i] {
		if k < len(bt.Actual[i]) && check.IsFinite(v) {
			r.Lower, r.Upper = append(r.Lower, bt.Lower[i][k]), append(r.Upper, bt.Upper[i][k])
		}
	}
	return r
}
