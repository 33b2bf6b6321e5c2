package tsa

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/exported"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/heap"
	"github.com/regbook/regbook/mlreg"
)

// walk returns a series of one channel of n values.
func walk(t *testing.T, n int) *Series {
	return fatal.On(NewSeries(mat.NewDense(n, 1, simulated(rand.New(rand.NewPCG(7, 1)), n, 0.5))))(t)
}

// nilCalls are the exported functions with everything nil that can be nil.
var nilCalls = map[string]func() error{
	"ACF":                    func() error { return expect.ErrorOf(ACF(nil, 1)) },
	"ARRoots":                func() error { return expect.ErrorOf(ARRoots(nil)) },
	"ARSpectrum":             func() error { return expect.ErrorOf(ARSpectrum(nil, 0, 1)) },
	"CrossValidateLagOrders": func() error { return expect.ErrorOf(CrossValidateLagOrders(nil, nil)) },
	"FitLagOrders":           func() error { return expect.ErrorOf(FitLagOrders(nil, nil)) },
	"GrangerTest":            func() error { return expect.ErrorOf(GrangerTest(nil, nil)) },
	"LjungBox":               func() error { return expect.ErrorOf(LjungBox(nil, 1, 0)) },
	"NewLags":                func() error { return expect.ErrorOf(NewLags(nil, 1, nil)) },
	"NewSeries":              func() error { return expect.ErrorOf(NewSeries(nil)) },
	"PACF":                   func() error { return expect.ErrorOf(PACF(nil, 1)) },
	"Periodogram":            func() error { return expect.ErrorOf(Periodogram(nil)) },
	"YuleWalker":             func() error { _, _, err := YuleWalker(nil, 1); return err },
}

func TestNilArguments(t *testing.T) {
	for _, name := range exported.Plain(t, ".") {
		call, ok := nilCalls[name]
		if !ok {
			t.Errorf("%s is not tried: add it to nilCalls", name)
			continue
		}
		if call() == nil && name != "ARRoots" && name != "ARSpectrum" { // an autoregression of no lags
			t.Errorf("%s of nothing: no error", name)
		}
	}
	l := fatal.On(NewLags(walk(t, 60), 2, nil))(t)
	for what, err := range map[string]error{
		"forecast":     expect.ErrorOf(l.Forecast(nil, 2, nil)),
		"fit":          expect.ErrorOf(l.Predict((*mlreg.OLS)(nil))),
		"residuals":    expect.ErrorOf(l.Residuals(nil)),
		"backtest nil": expect.ErrorOf(BacktestLags[*mlreg.OLS](nil, nil, nil)),
		"moments":      expect.ErrorOf((*Lags)(nil).Moments()),
		"only":         expect.ErrorOf((*Lags)(nil).Only(nil)),
		"blocks":       (*Lags)(nil).EachBlock(nil),
	} {
		expect.Error(t, what, err, mlreg.ErrNoData, "nil")
	}
}

// fields are the exported fields of a result, of its elements if it is a slice, and what it says.
func fields(v reflect.Value) []any {
	out := []any{v.Interface()}
	v = reflect.Indirect(v)
	switch v.Kind() {
	case reflect.Slice:
		for i := range v.Len() {
			out = append(out, fields(v.Index(i))...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out = append(out, reflect.Indirect(v.Field(i)))
			}
		}
	}
	return out
}

// Every result goes through gob and says what it said before.
func TestResultsSurviveGob(t *testing.T) {
	recording := walk(t, 60)
	recording.Time, recording.Calendar, recording.Group = make([]float64, 60), CalendarMonths, make([]string, 60)
	for i := range recording.Time {
		recording.Time[i], recording.Group[i] = float64(i), "g"
	}
	l := fatal.On(NewLags(recording, 2, nil))(t)
	auto := fatal.On(mlreg.FitOLS(l, nil))(t)
	x := fatal.On(recording.Channel("x1"))(t)
	for _, v := range []any{
		recording, fatal.On(FitLagOrders(l, nil))(t), fatal.On(l.Forecast(auto, 2, nil))(t),
		fatal.On(BacktestLags[*mlreg.OLS](l, nil, &BacktestSettings{First: 45, KnownFuture: true, Period: 4}))(t),
		fatal.On(PACF(x, 4))(t), fatal.On(Periodogram(x))(t), fatal.On(ARRoots([]float64{1.5, -0.9}))(t),
		fatal.On(GrangerTest(l, auto, "x1"))(t), fatal.On(LjungBox(x, 4, 0))(t), fatal.On(CrossValidateLagOrders(l, nil))(t),
	} {
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(v); err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		back := reflect.New(reflect.TypeOf(v))
		if err := gob.NewDecoder(&buf).DecodeValue(back); err != nil {
			t.Errorf("%T: %v", v, err)
			continue
		}
		if got, want := fmt.Sprintf("%+v", fields(back.Elem())), fmt.Sprintf("%+v", fields(reflect.ValueOf(v))); got != want {
			t.Errorf("%T after gob: %s, before %s", v, got, want)
		}
	}
	if err := gob.NewEncoder(&bytes.Buffer{}).Encode(l); err == nil {
		t.Error("gob takes lags, which are a view of a series")
	}
}

// Orders of lags on the same rows compare, also from a stream; those on rows of their own do not.
func TestLagOrdersCompare(t *testing.T) {
	l := fatal.On(NewLags(walk(t, 60), 3, nil))(t)
	orders := fatal.On(FitLagOrders(l, nil))(t)
	test := fatal.On(mlreg.LikelihoodRatioTest(orders[1], orders[3]))(t)
	expect.Near(t, "statistic", test.Stat, float64(orders[1].N)*math.Log(orders[1].RSS/orders[3].RSS), 1e-11)
	if test.DF != 2 || test.Note != "" {
		t.Errorf("%+v", test)
	}
	fit := fatal.On(mlreg.FitOLS(l, nil))(t)
	largest := fatal.On(mlreg.LikelihoodRatioTest(orders[1], fit))(t)
	expect.Near(t, "by least squares", largest.Stat, test.Stat, 1e-9)
	var buf bytes.Buffer
	var back LagOrders
	if err := gob.NewEncoder(&buf).Encode(orders); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if again := fatal.On(mlreg.LikelihoodRatioTest(back[1], back[3]))(t); again != test {
		t.Errorf("after gob %+v, before %+v", again, test)
	}
	if _, err := mlreg.LikelihoodRatioTest(LagOrder{N: 57, RSS: 1e9}, orders[3]); err != nil {
		t.Errorf("without what it is of: %v", err)
	}
	own := fatal.On(FitLagOrders(l, &LagOrdersSettings{OwnSample: true}))(t)
	expect.Error(t, "orders", expect.ErrorOf(mlreg.LikelihoodRatioTest(own[1], own[2])), mlreg.ErrShape, "59 and 58 observations")
	shorter := fatal.On(mlreg.FitOLS(fatal.On(NewLags(l.Series(), 1, nil))(t), nil))(t)
	expect.Error(t, "fits", expect.ErrorOf(mlreg.LikelihoodRatioTest(shorter, fit)), mlreg.ErrShape, "59 and 57 observations")
}

// The unit of the response scales its RSS by the square, and that of a regressor not at all.
func TestLagOrdersInOtherUnits(t *testing.T) {
	s := driven(t, 200)
	settings := &LagsSettings{Channels: []ChannelLags{{"a", 1, 2}, {"b", 1, 2}}}
	want := fatal.On(FitLagOrders(fatal.On(NewLags(s, 0, settings))(t), nil))(t)
	const y, x = 1e60, 1e-40
	s.Values.Apply(func(_, j int, v float64) float64 { return v * []float64{y, x, x}[j] }, s.Values)
	for k, o := range fatal.On(FitLagOrders(fatal.On(NewLags(s, 0, settings))(t), &LagOrdersSettings{Tau2: 1 / (x * x)}))(t) {
		expect.Near(t, "RSS", o.RSS/y/y, want[k].RSS, 1e-9)
	}
}

// Fits to lags hold, beside the series, no more than two series and four matrices of
// order p at a time.
func TestMemoryOfLags(t *testing.T) {
	if !heap.Alone(t) {
		return
	}
	const n, channels, q = 20_000, 12, 50
	src := rand.New(rand.NewPCG(6, 1))
	values := mat.NewDense(n, channels, nil)
	values.Apply(func(_, _ int, _ float64) float64 { return src.NormFloat64() }, values)
	s := fatal.On(NewSeries(values))(t)
	const p = channels * q
	for what, fit := range map[string]func(l *Lags) error{
		"least squares": func(l *Lags) error { return expect.ErrorOf(mlreg.FitOLS(l, nil)) },
		"orders":        func(l *Lags) error { return expect.ErrorOf(FitLagOrders(l, nil)) },
	} {
		l := fatal.On(NewLags(s, q, nil))(t)
		var err error
		const limit = 8 * (2*n*channels + 4*p*p)
		most := heap.Peak(func() { err = fit(l) })
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		t.Logf("%s: %.2f series beside it and 4 p^2 numbers", what, (most-8*4*p*p)/(8*n*channels))
		if most > limit {
			t.Errorf("%s: %.1f MB beside a series of %.1f MB, with %.1f MB for 4 p^2", what, most/1e6, 8e-6*n*channels, 32e-6*p*p)
		}
	}
}
