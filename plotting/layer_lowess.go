package plotting

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting/internal/check"
)

// Smooth is a robust smooth curve through points, by LOWESS: at every x a line
// is fitted to the nearest points, a share Span of all, with the weights
//
//	(1 - (distance / largest distance)^3)^3,
//
// and this is repeated three times with weights (1 - (r / 6 median|r|)^2)^2 that
// reduce the influence of large residuals r. Within distances of 1% of the range
// of x the curve is interpolated. It is R's lowess with its defaults.
//
// Cleveland (1979), Journal of the American Statistical Association 74, 829-836.
type Smooth struct {
	X, Y   []float64
	Span   float64 // between 0 and 1; the default, 0, is 2/3
	Name   string
	Color  color.Color
	Width  float64
	Dashed bool
}

// Defaults of R's lowess.
const (
	defaultSpan = 2. / 3
	robustSteps = 3
)

func (l Smooth) addTo(p *plot.Plot, auto *autoColor) error {
	what := layerName("smooth", l.Name)
	if err := check.Drawable(what, check.XY(l.X, l.Y)...); err != nil {
		return err
	}
	span := cmp.Or(l.Span, defaultSpan)
	if !(span > 0 && span <= 1) {
		return fmt.Errorf("plotting: %s: %w: Span = %v; it is the share of the points that each line is fitted to, between 0 and 1", what, mlreg.ErrSetting, l.Span)
	}
	x, y := lowess(l.X, l.Y, span, robustSteps)
	return Line{X: x, Y: y, Name: l.Name, Color: l.Color, Width: l.Width, Dashed: l.Dashed}.addTo(p, auto)
}

// lowess returns the points in the order of x, with y smoothed in one pass and
// so many robust steps.
func lowess(x, y []float64, span float64, steps int) (xs, smooth []float64) {
	n := len(x)
	xs, order := slices.Clone(x), make([]int, n)
	floats.Argsort(xs, order)
	s := &smoother{x: xs, y: make([]float64, n), robustness: make([]float64, n), weights: make([]float64, n)}
	for i, k := range order {
		s.y[i], s.robustness[i] = y[k], 1
	}
	s.nearest = max(min(n, int(span*float64(n)+1e-7)), min(2, n))
	smooth = make([]float64, n)
	residuals := make([]float64, n)
	for step := 0; ; step++ {
		s.pass(smooth)
		floats.SubTo(residuals, s.y, smooth)
		if step == steps || !s.weighDown(residuals) {
			return xs, smooth
		}
	}
}

// smoother is what one pass of lowess works on; x is in ascending order.
type smoother struct {
	x, y       []float64
	robustness []float64 // weights of the points
	nearest    int       // number of points of a local fit
	weights    []float64 // of a local fit, to work in
}

// pass fits at places at least 1% of the range apart, or at the next x if that
// is farther, and interpolates between them.
func (s *smoother) pass(smooth []float64) {
	n := len(s.x)
	apart := 0.01 * (s.x[n-1] - s.x[0])
	left := 0 // of the window of nearest points
	for last, i := -1, 0; ; {
		for left+s.nearest < n && s.x[i]-s.x[left] > s.x[left+s.nearest]-s.x[i] {
			left++
		}
		smooth[i] = s.at(i, left)
		for k := last + 1; last >= 0 && k < i; k++ {
			t := (s.x[k] - s.x[last]) / (s.x[i] - s.x[last])
			smooth[k] = t*smooth[i] + (1-t)*smooth[last]
		}
		last = i
		for i = last + 1; i < n && s.x[i] <= s.x[last]+apart; i++ {
			if s.x[i] == s.x[last] {
				smooth[i] = smooth[last]
				last = i
			}
		}
		if last == n-1 {
			return
		}
		i = max(last+1, i-1)
	}
}

// at returns the value at x_i of the line fitted to the window that begins at
// left; y_i if no point there has weight.
func (s *smoother) at(i, left int) float64 {
	x0 := s.x[i]
	h := math.Max(x0-s.x[left], s.x[left+s.nearest-1]-x0)
	// Points as far away as the last of the window have no weight, but those at
	// x_i itself always have.
	near, far := 0.001*h, 0.999*h
	var sum, meanX, meanY float64
	xs := s.x[left:]
	ys, robustness, weights := s.y[left:][:len(xs)], s.robustness[left:][:len(xs)], s.weights[:len(xs)]
	for k, x := range xs {
		r := math.Abs(x - x0)
		w := 0.0
		if r <= far {
			w = robustness[k]
			if r > near {
				u := r / h
				u = 1 - u*u*u
				w *= u * u * u
			}
		} else if x > x0 {
			weights = weights[:k]
			break
		}
		weights[k] = w
		sum += w
		meanX += w * x
		meanY += w * ys[k]
	}
	if sum == 0 {
		return s.y[i]
	}
	meanX, meanY = meanX/sum, meanY/sum
	var sxx, sxy float64
	xs, ys = xs[:len(weights)], ys[:len(weights)]
	for k, w := range weights {
		d := xs[k] - meanX
		sxx += w * d * d
		sxy += w * d * ys[k]
	}
	if math.Sqrt(sxx/sum) <= 0.001*(s.x[len(s.x)-1]-s.x[0]) {
		return meanY // all at one place: no slope
	}
	return meanY + (x0-meanX)*sxy/sxx
}

// weighDown sets the robustness weights by the residuals, and tells whether
// there is any that counts.
func (s *smoother) weighDown(residuals []float64) bool {
	size := format.Each(residuals, math.Abs)
	sorted := slices.Sorted(slices.Values(size))
	n := len(sorted)
	limit := 3 * (sorted[n/2] + sorted[(n-1)/2])
	if limit <= 1e-7*floats.Sum(size)/float64(n) {
		return false
	}
	for i, r := range size {
		switch {
		case r <= 0.001*limit:
			s.robustness[i] = 1
		case r <= 0.999*limit:
			u := r / limit
			s.robustness[i] = (1 - u*u) * (1 - u*u)
		default:
			s.robustness[i] = 0
		}
	}
	return true
}
