package live

import (
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
	"github.com/regbook/regbook/plotting"
)

func init() { registered = append(registered, Order) }

// Order is an autoregression of the lynx, of order q, fitted to the years up to 1900: its
// predictions of the year to come, and its errors before and after, beside those of
// four of its lags.
func Order() *Explorable {
	var orders []float64
	for q := 1; q <= mostOrder; q++ {
		orders = append(orders, float64(q))
	}
	return &Explorable{
		ID: "15.order", Title: "The lynx, from their own past", Seed: 15,
		Params: []Param{{Name: "q", Label: "order q", Min: 1, Max: mostOrder, Step: 1, Frames: orders, Default: 2}},
		draw:   drawOrder,
	}
}

const (
	mostOrder = 20
	lynxPast  = 80 // years up to 1900
)

// lynxSeries are the logarithms, to base 10.
var lynxSeries = sync.OnceValue(func() *tsa.Series {
	df := datasets.Lynx()
	values := mat.NewDense(df.Nrow(), 1, df.Col("lynx").Float())
	values.Apply(func(_, _ int, v float64) float64 { return math.Log10(v) }, values)
	s := try.Get(tsa.NewSeries(values, "log lynx"))
	s.Time = df.Col("year").Float()
	return s
})

// ordersOfLynx are the errors of all orders before and after.
var ordersOfLynx = sync.OnceValue(func() (errs [2][]float64) {
	for q := 1; q <= mostOrder; q++ {
		_, before, after := lynxOf(q)
		errs[0], errs[1] = append(errs[0], before.error), append(errs[1], after.error)
	}
	return errs
})

// lynxYears are years with their predictions and the root of the mean squared error.
type lynxYears struct {
	years, yhat []float64
	error       float64
}

// cycleError is the error in the later years of the lags 1, 2, 10 and 11 alone.
var cycleError = sync.OnceValue(func() float64 {
	_, _, after := lynxOf(11, 1, 2, 10, 11)
	return after.error
})

// lynxOf fits order q, or only some of its lags.
func lynxOf(q int, only ...int) (s *tsa.Series, before, after lynxYears) {
	s = lynxSeries()
	l := try.Get(tsa.NewLags(s, q, nil))
	past, later := make([]bool, s.NObs()), make([]bool, s.NObs())
	for t := range past {
		past[t], later[t] = mostOrder <= t && t < lynxPast, t >= lynxPast
	}
	train := try.Get(l.Only(past))
	sums := try.Get(train.Moments())
	if len(only) > 0 {
		var names []string
		for _, lag := range only {
			names = append(names, train.Terms()[lag-1])
		}
		sums = try.Get(sums.Select(names...))
	}
	fit := try.Get(mlreg.FitOLS(sums, nil))
	test := try.Get(l.Only(later))
	for k, part := range []*tsa.Lags{train, test} {
		out := []*lynxYears{&before, &after}[k]
		out.yhat = try.Get(part.Predict(fit))
		for i, t := range part.Rows() {
			out.years = append(out.years, s.Time[t])
			e := s.Values.At(t, 0) - out.yhat[i]
			out.error += e * e / float64(part.NObs())
		}
		out.error = math.Sqrt(out.error)
	}
	return s, before, after
}

func drawOrder(at Point) *View {
	q := int(at.Value("q"))
	s, before, after := lynxOf(q)
	curves := ordersOfLynx()
	cycle := cycleError()
	var last float64
	for t := lynxPast; t < s.NObs(); t++ {
		e := s.Values.At(t, 0) - s.Values.At(t-1, 0)
		last += e * e / float64(s.NObs()-lynxPast)
	}
	last = math.Sqrt(last)
	left := try.Get(plotting.Draw(plotting.Labels{Title: fmt.Sprintf("order %d: the next year", q), X: "year", Y: "log₁₀ of lynx trapped"},
		plotting.Line{X: s.Time[mostOrder:], Y: mat.Col(nil, 0, s.Values)[mostOrder:], Color: plotting.Black, Name: "what came"},
		plotting.Line{X: before.years, Y: before.yhat, Color: plotting.Blue, Name: "fitted"},
		plotting.Line{X: after.years, Y: after.yhat, Color: plotting.Vermillion, Name: "predicted"}))
	left.Y.Min, left.Y.Max = 1, 4.6
	orders := plotting.Range(1, mostOrder, mostOrder)
	right := try.Get(plotting.Draw(plotting.Labels{Title: "root mean squared error", X: "order q", Y: "error of log₁₀"},
		plotting.Line{X: orders, Y: curves[0], Color: plotting.Blue, Name: "fitted years"},
		plotting.Line{X: orders, Y: curves[1], Color: plotting.Vermillion, Name: "later years"},
		plotting.HLine{Y: cycle, Color: plotting.Vermillion, Name: "later, lags 1, 2, 10, 11"},
		plotting.HLine{Y: last, Name: "last value"},
		plotting.Points{X: []float64{float64(q), float64(q)}, Y: []float64{before.error, after.error}, Color: plotting.Black, Radius: 4}))
	right.Y.Min, right.Y.Max = 0, 0.36
	figure := try.Get(plotting.SideBySide(plotting.Sized(left, 5, 3.6), plotting.Sized(right, 3.6, 3.6)))
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "error in the years fitted", Value: before.error, Digits: 4},
			{Name: "error in later years", Value: after.error, Digits: 4},
			{Name: "error of the last value", Value: last, Digits: 4},
		},
		Sentence: fmt.Sprintf("An autoregression of order %d, fitted to the years up to 1900, has an error of %.3f there and of %.3f in the years after; to say that next year is like this year has %.3f.",
			q, before.error, after.error, last),
	}
}
