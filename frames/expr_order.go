package frames

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gota/gota/series"
)

// This file has the functions that look at other rows: those before and behind a row, in the order of
// the frame, and all rows of its group. They belong to With, Where and their likes of Grouped; a
// formula has lags of its own.

func init() {
	for fn, sign := range map[string]int{"lag": 1, "lead": -1} {
		registerValue(fn, valueFunction{params: []string{"x", "n"}, kind: kindOfFirst, order: true, of: shifted(sign)})
	}
	registerValue("diff", valueFunction{params: []string{"x", "lag"}, typ: series.Float, order: true, numeric: true, of: differenced})
	registerValue("cumsum", valueFunction{params: []string{"x"}, kind: kindOfSum, order: true, numeric: true, of: cumulative(addUp)})
	registerValue("cumprod", valueFunction{params: []string{"x"}, typ: series.Float, order: true, numeric: true, of: cumulative(multiplyUp)})
	registerValue("cummax", valueFunction{params: []string{"x"}, kind: kindOfSum, order: true, numeric: true, of: cumulative(extremeSoFar(1))})
	registerValue("cummin", valueFunction{params: []string{"x"}, kind: kindOfSum, order: true, numeric: true, of: cumulative(extremeSoFar(-1))})
	registerValue("frollsum", valueFunction{params: []string{"x", "n"}, least: 2, typ: series.Float, order: true, numeric: true, of: rolling(func(sum *runningSum, _ int) float64 { return sum.float() })})
	registerValue("frollmean", valueFunction{params: []string{"x", "n"}, least: 2, typ: series.Float, order: true, numeric: true, of: rolling(func(sum *runningSum, n int) float64 { return sum.mean(float64(n)) })})
	registerValue("frollmedian", valueFunction{params: []string{"x", "n"}, least: 2, typ: series.Float, order: true, numeric: true, of: window(func(sorted []float64) float64 { return quantileOf(sorted, 0.5) })})
	registerValue("frollmin", valueFunction{params: []string{"x", "n"}, least: 2, typ: series.Float, order: true, numeric: true, of: window(slices.Min[[]float64])})
	registerValue("frollmax", valueFunction{params: []string{"x", "n"}, least: 2, typ: series.Float, order: true, numeric: true, of: window(slices.Max[[]float64])})
	registerValue("frollsd", valueFunction{params: []string{"x", "n"}, least: 2, typ: series.Float, order: true, numeric: true, of: window(func(x []float64) float64 { return math.Sqrt(varianceOf(x)) })})
	registerValue("nafill", valueFunction{params: []string{"x", "type"}, kind: kindOfFirst, order: true, fills: true, of: filled})
	registerValue("rank", valueFunction{params: []string{"x", "na.last", "ties.method"}, typ: series.Float, order: true, of: ranks})
}

// kindOfSum is the type of a sum of values: whole numbers stay whole.
func kindOfSum(e *evaluator, n *call) (series.Type, error) {
	kind, err := kindOfFirst(e, n)
	switch kind {
	case series.Bool:
		return series.Int, err
	case series.String: // dates
		return series.Float, err
	}
	return kind, err
}

// inOrder returns the evaluator of all rows for a function that looks at other rows.
func (e *evaluator) inOrder(n *call) (*evaluator, error) {
	switch {
	case e.keys != nil:
		return nil, oneForEveryRow(e.src, n)
	case e.partial():
		return nil, formulaErrorf(ErrSetting, e.src, n, "%s looks at other rows, and a source gives rows in blocks; collect them into a frame first", n.fn)
	}
	rows := e.ofRows()
	rows.inGroups()
	return rows, nil
}

// eachGroup visits the rows of every group.
func (e *evaluator) eachGroup(visit func(rows []int32)) {
	g := e.inGroups()
	for k := range g.n {
		visit(g.rowsOf(k))
	}
}

// shifted computes lag(x, n) and lead(x, n), the values n rows before and behind.
func shifted(sign int) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		steps, err := o.whole("n", 1)
		if err == nil && steps < 0 {
			err = formulaErrorf(ErrSyntax, o.src, o.args["n"], "n of %s is at least 0; lag looks back and lead ahead", o.call.fn)
		}
		if err != nil {
			return nil, err
		}
		return func(e *evaluator, x []*column) (*column, error) {
			out := blank(x[0].typ, e.height())
			e.eachGroup(func(rows []int32) {
				for k, row := range rows {
					from := k - sign*steps
					if from < 0 || from >= len(rows) {
						out.missing[row] = true
						continue
					}
					out.take(int(row), x[0], int(rows[from]))
				}
			})
			out.whole, out.notDates = x[0].whole, x[0].notDates
			return out, nil
		}, nil
	}
}

// differenced computes diff(x, lag), x less what it was lag rows before.
func differenced(o *options) (compute, error) {
	steps, err := o.whole("lag", 1)
	if err == nil && steps < 1 {
		err = formulaErrorf(ErrSyntax, o.src, o.args["lag"], "lag of diff is at least 1")
	}
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		out := blank(series.Float, e.height())
		e.eachGroup(func(rows []int32) {
			for k, row := range rows {
				if k < steps || x[0].missing[row] || x[0].missing[rows[k-steps]] {
					out.missing[row] = true
					continue
				}
				a, aLow := x[0].value(int(row))
				b, bLow := x[0].value(int(rows[k-steps]))
				out.num[row] = (a - b) + (aLow - bLow)
			}
		})
		return out, nil
	}, nil
}

// soFar is what a cumulative function keeps of the rows before.
type soFar struct {
	sum      runningSum
	num, low float64
	n        int
}

// cumulative computes a function of the values up to a row, missing from the first missing value on.
func cumulative(add func(s *soFar, num, low float64)) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		return func(e *evaluator, x []*column) (*column, error) {
			typ, err := e.kind(o.call)
			if err != nil {
				return nil, err
			}
			out := blank(typ, e.height())
			out.whole = x[0].isWhole()
			e.eachGroup(func(rows []int32) {
				var s soFar
				gone := false
				for _, row := range rows {
					if gone = gone || x[0].missing[row]; gone {
						out.missing[row] = true
						continue
					}
					num, low := x[0].value(int(row))
					add(&s, num, low)
					s.n++
					out.set(int(row), s.num, s.low)
				}
			})
			if !out.whole {
				out.low = nil
			}
			return out, nil
		}, nil
	}
}

func addUp(s *soFar, num, low float64) {
	s.sum.add(num, low)
	s.num, s.low = s.sum.pair()
	if s.low != math.Trunc(s.low) { // of decimal numbers
		s.num, s.low = s.num+s.low, 0
	}
}

func multiplyUp(s *soFar, num, low float64) {
	if s.n == 0 {
		s.num = 1
	}
	s.num *= num + low
}

func extremeSoFar(sign float64) func(s *soFar, num, low float64) {
	return func(s *soFar, num, low float64) {
		if s.n == 0 || sign*((num-s.num)+(low-s.low)) > 0 {
			s.num, s.low = num, low
		}
	}
}

// rowsBack reads n of a function of the last n rows.
func (o *options) rowsBack() (int, error) {
	n, err := o.whole("n", 0)
	if err == nil && n < 1 {
		err = formulaErrorf(ErrSyntax, o.src, o.args["n"], "n of %s is the number of rows, at least 1", o.call.fn)
	}
	return n, err
}

// rolling computes a function of the sum of a row and the n - 1 before it, missing where there are
// fewer or one of them is missing.
func rolling(of func(sum *runningSum, n int) float64) func(o *options) (compute, error) {
	return rollingRows(func(x *column, rows []int32) float64 {
		var sum runningSum
		for _, row := range rows {
			sum.add(x.value(int(row)))
		}
		return of(&sum, len(rows))
	})
}

// window is rolling of a function of the values themselves, which it may sort.
func window(of func(x []float64) float64) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		var values []float64
		return rollingRows(func(x *column, rows []int32) float64 {
			values = values[:0]
			for _, row := range rows {
				values = append(values, x.num[row])
			}
			return of(values)
		})(o)
	}
}

// rollingRows computes a function of a row and the n - 1 before it.
func rollingRows(of func(x *column, rows []int32) float64) func(o *options) (compute, error) {
	return func(o *options) (compute, error) {
		n, err := o.rowsBack()
		if err != nil {
			return nil, err
		}
		return func(e *evaluator, x []*column) (*column, error) {
			out := blank(series.Float, e.height())
			e.eachGroup(func(rows []int32) {
				whole := 0 // rows without a missing value, up to this one
				for k, row := range rows {
					if whole++; x[0].missing[row] {
						whole = 0
					}
					if whole < n {
						out.missing[row] = true
						continue
					}
					out.num[row] = of(x[0], rows[k+1-n:k+1])
					out.missing[row] = math.IsNaN(out.num[row]) // the standard deviation of one
				}
			})
			return out, nil
		}, nil
	}
}

// filled computes nafill(x, "locf"), the last value before that is not missing, or "nocb", the next.
func filled(o *options) (compute, error) {
	from, err := o.among("type", "locf", "nocb")
	if err != nil {
		return nil, err
	}
	return func(e *evaluator, x []*column) (*column, error) {
		out := blank(x[0].typ, e.height())
		e.eachGroup(func(rows []int32) {
			last := int32(-1)
			for k := range rows {
				row := rows[k]
				if from == "nocb" {
					row = rows[len(rows)-1-k]
				}
				if !x[0].missing[row] {
					last = row
				}
				if out.missing[row] = last < 0; last >= 0 {
					out.take(int(row), x[0], int(last))
				}
			}
		})
		out.whole, out.notDates = x[0].whole, x[0].notDates
		return out, nil
	}, nil
}

// ranks computes rank(x), as R does: 1 is the smallest, ties share the mean of their places, and missing
// values are last, in their order.
func ranks(o *options) (compute, error) {
	ties, err := o.among("ties.method", "average", "min", "max", "first", "dense")
	if err != nil {
		return nil, err
	}
	keep := false
	if t, ok := o.args["na.last"].(*text); ok && t.value == "keep" {
		keep = true
	} else if last, err := o.booleanOr("na.last", true); err != nil || !last {
		return nil, formulaErrorf(ErrSyntax, o.src, o.args["na.last"], "na.last of rank is TRUE, which ranks missing values last, or \"keep\", which leaves them missing")
	}
	return func(e *evaluator, x []*column) (*column, error) {
		ids := x[0].numbered(true).ids // in the order of the values, -1 where missing
		out := blank(series.Float, e.height())
		e.eachGroup(func(rows []int32) {
			sorted := slices.Clone(rows)
			slices.SortStableFunc(sorted, func(a, b int32) int { return cmp.Compare(uint32(ids[a]), uint32(ids[b])) }) // -1 is last
			dense := 0
			for from := 0; from < len(sorted); {
				id, to := ids[sorted[from]], from+1
				for to < len(sorted) && ids[sorted[to]] == id && id >= 0 {
					to++
				}
				dense++
				for k, row := range sorted[from:to] {
					out.missing[row] = id < 0 && keep
					switch ties {
					case "average":
						out.num[row] = float64(from+1+to) / 2
					case "min":
						out.num[row] = float64(from + 1)
					case "max":
						out.num[row] = float64(to)
					case "first":
						out.num[row] = float64(from + 1 + k)
					case "dense":
						out.num[row] = float64(dense)
					}
				}
				from = to
			}
		})
		return out, nil
	}, nil
}
