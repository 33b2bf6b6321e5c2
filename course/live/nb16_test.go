package live

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// weightedLine is least squares of weights w.
func weightedLine(x, y, w []float64) (a, b float64) { return stat.LinearRegression(x, y, w, false) }

// middle is the median of 40 absolute values.
func middle(r []float64) float64 {
	size := make([]float64, len(r))
	for i, v := range r {
		size[i] = math.Abs(v)
	}
	slices.Sort(size)
	return (size[outlierRows/2-1] + size[outlierRows/2]) / 2
}

// studentLine has the slope of Student-t noise by EM from a line and a scale, with the degrees of freedom
// by golden sections in their logarithm, and the log-likelihood.
func studentLine(x, y []float64, a, b, scale float64) (slope, logLik float64) {
	u2, w := make([]float64, len(x)), make([]float64, len(x))
	residuals := func() {
		for i := range x {
			r := y[i] - a - b*x[i]
			u2[i] = r * r
		}
	}
	residuals()
	s2 := scale * scale
	likelihood := func(logNu float64) float64 {
		nu := math.Exp(logNu)
		up, _ := math.Lgamma((nu + 1) / 2)
		low, _ := math.Lgamma(nu / 2)
		each := up - low - math.Log(nu*math.Pi*s2)/2
		logs, product, unit := 0.0, 1.0, 1/(s2*nu)
		for _, v := range u2 { // a logarithm of many factors
			if product *= 1 + v*unit; product > 1e200 {
				logs, product = logs+math.Log(product), 1
			}
		}
		return float64(len(u2))*each - (nu+1)/2*(logs+math.Log(product))
	}
	const golden = 0.6180339887498949
	for range 100 {
		low, high := math.Log(0.5), math.Log(1e4)
		for range 30 {
			p, q := high-golden*(high-low), low+golden*(high-low)
			if likelihood(p) > likelihood(q) {
				high = q
			} else {
				low = p
			}
		}
		nu := math.Exp(low)
		logLik = likelihood(low)
		for i, v := range u2 {
			w[i] = (nu + 1) / (nu + v/s2)
		}
		a, b = weightedLine(x, y, w)
		residuals()
		s2 = stat.Mean(u2, w)
	}
	return b, logLik
}

// The lines of every frame: by formula; through every pair of rows; and by reweighting from
// starts of their own.
func TestOutliers(t *testing.T) {
	e := Outliers()
	places := [][3]float64{{4, 3, 15}, {8, 12, 2}}
	for _, replaced := range e.Params[0].Values {
		places = append(places, [3]float64{replaced, 14, -8})
	}
	for _, place := range places {
		replaced := place[0]
		d := replacedRows(int(replaced), place[1], place[2], rand.New(rand.NewPCG(e.Seed, 1)))
		x, y := mat.Col(nil, 0, d.X), d.Y
		for i := range int(replaced) {
			if math.Abs(x[i]-place[1]) > 0.8 || math.Abs(y[i]-place[2]-0.25) > 0.25 {
				t.Errorf("row %d is replaced by (%g, %g), away from %g", i, x[i], y[i], place[1:])
			}
		}
		level, least := stat.LinearRegression(x, y, nil, false)
		residuals := func(a, b float64) []float64 {
			r := make([]float64, len(x))
			for i := range x {
				r[i] = y[i] - a - b*x[i]
			}
			return r
		}
		// LAD is through two rows, and the S-estimate near the best of such lines.
		scale := func(r []float64) float64 { // by bisection, to the last bit
			low, high := 0.0, 100.0
			for range 64 {
				s, sum := (low+high)/2, 0.0
				for _, v := range r {
					sum++
					if u := v / s / 1.548; math.Abs(u) < 1 {
						sum -= (1 - u*u) * (1 - u*u) * (1 - u*u)
					}
				}
				if sum > float64(len(r)-2)/2 {
					low = s
				} else {
					high = s
				}
			}
			return high
		}
		bisquare := func(r []float64, c float64) []float64 {
			w := make([]float64, len(r))
			for i, v := range r {
				if u := v / c; math.Abs(u) < 1 {
					w[i] = (1 - u*u) * (1 - u*u)
				}
			}
			return w
		}
		loss, lad, ladLevel := math.Inf(1), 0.0, 0.0
		type line struct{ a, b, s float64 }
		var starts []line
		for i := range x {
			for j := range i {
				b := (y[i] - y[j]) / (x[i] - x[j])
				a := y[i] - b*x[i]
				r, sum := residuals(a, b), 0.0
				for _, v := range r {
					sum += math.Abs(v)
				}
				if sum < loss {
					loss, lad, ladLevel = sum, b, a
				}
				starts = append(starts, line{a, b, scale(r)})
			}
		}
		slices.SortFunc(starts, func(p, q line) int { return int(math.Copysign(1, p.s-q.s)) })
		best := line{s: math.Inf(1)}
		for _, l := range starts[:20] {
			for range 300 {
				from := l
				l.a, l.b = weightedLine(x, y, bisquare(residuals(l.a, l.b), 1.548*l.s))
				l.s = scale(residuals(l.a, l.b))
				if math.Abs(l.a-from.a) < 1e-14 && math.Abs(l.b-from.b) < 1e-14 && math.Abs(l.s-from.s) < 1e-14 {
					break
				}
			}
			if l.s < best.s {
				best = l
			}
		}
		for range 2000 {
			best.a, best.b = weightedLine(x, y, bisquare(residuals(best.a, best.b), 4.685*best.s))
		}
		a, huber := weightedLine(x, y, nil)
		for range 5000 {
			r := residuals(a, huber)
			s := middle(r) / 0.6745
			w := make([]float64, len(r))
			for i, v := range r {
				w[i] = math.Min(1, 1.345*s/math.Max(math.Abs(v), 1e-300))
			}
			a, huber = weightedLine(x, y, w)
		}
		// The likelihood has several maxima: from the best lines through two rows, too, and some others.
		student, likely := studentLine(x, y, level, least, stat.PopStdDev(residuals(level, least), nil))
		from := append(starts[:20:20], line{ladLevel, lad, middle(residuals(ladLevel, lad)) / 0.6745})
		for i := 20; i < len(starts); i += 20 {
			from = append(from, starts[i])
		}
		for _, l := range from {
			if other, logLik := studentLine(x, y, l.a, l.b, l.s); logLik > likely+1e-6 {
				student, likely = other, logLik
			}
		}
		wantNumbers(t, e, place[:], least, lad, huber, student, best.b)
	}
}
