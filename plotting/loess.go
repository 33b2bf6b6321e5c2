package plotting

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// Up to how many rows the leverages of local lines are computed at every row, and at
// how many places of more rows.
const (
	loessRows   = 1000
	loessPlaces = 200
)

// localLines is a regression by local lines, R's loess of degree 1 with
// surface = "direct" and statistics = "exact".
type localLines struct {
	x, y    []float64 // x in ascending order
	nearest int       // the number of points that each line is fitted to
}

// newLocalLines takes a share span of the points for each line.
func newLocalLines(x, y []float64, span float64) *localLines {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	l := &localLines{nearest: max(min(2, len(x)), min(len(x), int(span*float64(len(x))+1e-5)))}
	for _, k := range order {
		l.x, l.y = append(l.x, x[k]), append(l.y, y[k])
	}
	return l
}

// at returns the value at a place, which is the sum of l_i y_i, the sum of l_i^2, and
// the l_i of a row that is at this place.
func (l *localLines) at(place float64) (value, squares, own float64) {
	n := len(l.x)
	left := max(0, sort.SearchFloat64s(l.x, place)-l.nearest)
	for left+l.nearest < n && place-l.x[left] > l.x[left+l.nearest]-place {
		left++
	}
	h := math.Max(place-l.x[left], l.x[left+l.nearest-1]-place)
	weight := func(u float64) float64 {
		r := math.Abs(u) / h
		switch {
		case !(r > 0.001): // and if h is 0
			return 1
		case r > 0.999:
			return 0
		}
		return math.Pow(1-r*r*r, 3)
	}
	from, to := left, left
	for from > 0 && l.x[from-1] == l.x[left] {
		from--
	}
	for to < n && l.x[to]-place <= h {
		to++
	}
	var s0, s1, s2 float64
	for i := from; i < to; i++ {
		u := l.x[i] - place
		w := weight(u)
		s0, s1, s2 = s0+w, s1+w*u, s2+w*u*u
	}
	mean := s1 / s0
	about := s2/s0 - mean*mean // the weighted variance of x
	slope := 0.0               // of l_i, for each weight
	if math.Sqrt(math.Max(about, 0)) > 1e-7*h {
		slope = -mean / about
	}
	of := func(u float64) float64 { return weight(u) / s0 * (1 + slope*(u-mean)) }
	for i := from; i < to; i++ {
		v := of(l.x[i] - place)
		value, squares = value+v*l.y[i], squares+v*v
	}
	return value, squares, of(0)
}

// scatter returns sigma and its degrees of freedom,
//
//	sigma^2 = RSS / delta,  delta = trace (I - L)(I - L)'.
func (l *localLines) scatter() (sigma, delta float64) {
	n := len(l.x)
	value, squares, own := make([]float64, n), make([]float64, n), make([]float64, n)
	if n <= loessRows {
		for i, x := range l.x {
			value[i], squares[i], own[i] = l.at(x)
		}
	} else {
		places := Range(l.x[0], l.x[n-1], loessPlaces)
		var at [loessPlaces][3]float64
		for k, place := range places {
			at[k][0], at[k][1], at[k][2] = l.at(place)
		}
		k := 0
		for i, x := range l.x {
			for k < loessPlaces-2 && x > places[k+1] {
				k++
			}
			t := (x - places[k]) / (places[k+1] - places[k])
			between := func(j int) float64 { return (1-t)*at[k][j] + t*at[k+1][j] }
			value[i], squares[i], own[i] = between(0), between(1), between(2)
		}
	}
	delta = float64(n)
	rss := 0.0
	for i, y := range l.y {
		rss += (y - value[i]) * (y - value[i])
		delta += squares[i] - 2*own[i]
	}
	return math.Sqrt(rss / delta), delta
}

// smoothTrend returns the curve of local lines with the confidence band of the mean,
//
//	yhat -+ q sigma sqrt(sum of l_i^2),
//
// where q is the quantile of t with delta degrees of freedom. There is no band if
// delta is not above 1.
func smoothTrend(x, y []float64, span, level float64) (*trend, error) {
	l := newLocalLines(x, y, span)
	t := &trend{x: Range(l.x[0], l.x[len(x)-1], trendPoints)}
	sigma, delta := l.scatter()
	band := delta > 1
	var q float64
	if band {
		q = distuv.StudentsT{Sigma: 1, Nu: delta}.Quantile((1 + level) / 2)
	}
	for _, place := range t.x {
		value, squares, _ := l.at(place)
		t.y = append(t.y, value)
		if band {
			half := q * sigma * math.Sqrt(squares)
			t.lower, t.upper = append(t.lower, value-half), append(t.upper, value+half)
		}
	}
	return t, nil
}
