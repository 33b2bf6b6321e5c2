package plotting

import (
	"math"
	"sort"

	"github.com/regbook/regbook/internal/dist"
)

// Up to how many rows the leverages of local lines are computed at every row, and at
// how many places of more rows.
const (
	loessRows   = 1000
	loessPlaces = 2*trendPoints - 1 // every other is on the curve
)

// localLines is a regression by local lines, R's loess of degree 1 with
// surface = "direct" and statistics = "exact".
type localLines struct {
	x, y    []float64 // x in ascending order
	nearest int       // the number of points that each line is fitted to
	known   map[float64][3]float64
}

// newLocalLines takes a share span of the points for each line.
func newLocalLines(x, y []float64, span float64) *localLines {
	l := &localLines{known: map[float64][3]float64{}, nearest: max(min(2, len(x)), min(len(x), int(span*float64(len(x))+1e-5)))}
	for _, k := range rising(x) {
		l.x, l.y = append(l.x, x[k]), append(l.y, y[k])
	}
	return l
}

// once is at, which it asks once for every place.
func (l *localLines) once(place float64) (value, squares float64, own float64) {
	v, ok := l.known[place]
	if !ok {
		v[0], v[1], v[2] = l.at(place)
		l.known[place] = v
	}
	return v[0], v[1], v[2]
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
	from := left
	for from > 0 && l.x[from-1] == l.x[left] {
		from--
	}
	var w0, w1, w2, wy, wuy, v0, v1, v2 float64 // sums of w, w u, w u^2, w y, w u y, w^2 ...
	for i := from; i < n && l.x[i]-place <= h; i++ {
		u := l.x[i] - place
		w := tricube(math.Abs(u) / h)
		w0, w1, w2 = w0+w, w1+w*u, w2+w*u*u
		wy, wuy = wy+w*l.y[i], wuy+w*u*l.y[i]
		v0, v1, v2 = v0+w*w, v1+w*w*u, v2+w*w*u*u
	}
	// l_i = w_i (a + b u_i) / sum of w
	a, b := 1.0, 0.0
	mean := w1 / w0
	if about := w2/w0 - mean*mean; math.Sqrt(math.Max(about, 0)) > 1e-7*h {
		a, b = 1+mean*mean/about, -mean/about
	}
	return (a*wy + b*wuy) / w0, (a*a*v0 + 2*a*b*v1 + b*b*v2) / (w0 * w0), a / w0
}

// tricube returns the weight of a point, whose distance is a share r of the largest.
func tricube(r float64) float64 {
	switch {
	case !(r > 0.001): // and if the largest distance is 0
		return 1
	case r > 0.999:
		return 0
	}
	t := 1 - r*r*r
	return t * t * t
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
			at[k][0], at[k][1], at[k][2] = l.once(place)
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
		q = dist.TQuantile(1-level, delta)
	}
	for _, place := range t.x {
		value, squares, _ := l.once(place)
		t.y = append(t.y, value)
		if band {
			half := q * sigma * math.Sqrt(squares)
			t.lower, t.upper = append(t.lower, value-half), append(t.upper, value+half)
		}
	}
	return t, nil
}
