package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// gradient stores the gradient at u: that given, or central differences at two
// steps, extrapolated. At the edge of the support the difference to the inside
// serves.
func (s *laplaceSearch) gradient(grad, u []float64) {
	if s.set.Grad != nil {
		s.set.Grad(grad, s.x(u))
		floats.Mul(grad, s.scale)
		return
	}
	at := slices.Clone(u)
	for j := range grad {
		h := 1e-3 * math.Max(1, math.Abs(u[j]))
		for range 8 {
			wide := s.slope(at, j, h)
			grad[j] = (4*s.slope(at, j, h/2) - wide) / 3
			if !math.IsInf(grad[j], 0) && !math.IsNaN(grad[j]) {
				break
			}
			h /= 16
		}
		if math.IsInf(grad[j], 0) || math.IsNaN(grad[j]) {
			h = 1e-7 * math.Max(1, math.Abs(u[j]))
			here := s.f(at)
			at[j] = u[j] - h
			if below := s.f(at); !math.IsInf(below, 0) {
				grad[j] = (here - below) / h
			} else {
				at[j] = u[j] + h
				grad[j] = (s.f(at) - here) / h
			}
			at[j] = u[j]
		}
	}
}

// slope returns the central difference along coordinate j.
func (s *laplaceSearch) slope(at []float64, j int, h float64) float64 {
	u := at[j]
	at[j] = u + h
	above := s.f(at)
	at[j] = u - h
	below := s.f(at)
	at[j] = u
	return (above - below) / (2 * h)
}

// hessian returns H at u.
func (s *laplaceSearch) hessian(u []float64) (*mat.SymDense, error) {
	d := len(u)
	h := mat.NewSymDense(d, nil)
	if s.set.Hess != nil {
		s.set.Hess(h, s.x(u))
		for i := range d {
			for j := i; j < d; j++ {
				h.SetSym(i, j, -h.At(i, j)*s.scale[i]*s.scale[j])
			}
		}
	} else {
		steps, err := s.steps(u)
		if err != nil {
			return nil, err
		}
		if s.set.Grad != nil {
			s.gradientDifferences(h, u, steps)
		} else {
			s.secondDifferences(h, u, steps)
		}
	}
	for i := range d {
		for j := i; j < d; j++ {
			if v := h.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("%w: element (%d, %d) of the Hessian of the log density at %.4g is %v", ErrNotFinite, i+1, j+1, s.x(u), v)
			}
		}
	}
	return h, nil
}

// steps returns a tenth of a standard deviation for every coordinate, or less
// if the support ends before that.
func (s *laplaceSearch) steps(u []float64) ([]float64, error) {
	steps := make([]float64, len(u))
	at := slices.Clone(u)
	for j := range steps {
		h, least := 1e-3, 1e-8*math.Max(1, math.Abs(u[j]))
		for range 4 {
			c := s.second(at, j, h)
			for ; (math.IsInf(c, 0) || math.IsNaN(c)) && h > least; c = s.second(at, j, h) {
				h /= 4
			}
			if h <= least {
				g := make([]float64, len(u))
				s.gradient(g, u)
				return nil, s.atBoundary(u, j, g[j])
			}
			if c != 0 {
				h = math.Min(math.Max(0.1/math.Sqrt(math.Abs(c)), 100*least), 100)
			}
		}
		for c := s.second(at, j, h); math.IsInf(c, 0) || math.IsNaN(c); c = s.second(at, j, h) {
			h /= 4
		}
		steps[j] = h
	}
	return steps, nil
}

// second returns the second difference along coordinate j.
func (s *laplaceSearch) second(at []float64, j int, h float64) float64 {
	u, here := at[j], s.f(at)
	at[j] = u + h
	above := s.f(at)
	at[j] = u - h
	below := s.f(at)
	at[j] = u
	return ((above - here) + (below - here)) / h / h
}

// extrapolate returns the limit of differences whose error is a series in h^2
// from those at h, h/2 and h/4 (Richardson).
func extrapolate(a, b, c float64) float64 {
	ab, bc := (4*b-a)/3, (4*c-b)/3
	return (16*bc - ab) / 15
}

func (s *laplaceSearch) secondDifferences(h *mat.SymDense, u, steps []float64) {
	at := slices.Clone(u)
	for i := range u {
		pure := func(c float64) float64 { return s.second(at, i, c*steps[i]) }
		h.SetSym(i, i, -extrapolate(pure(1), pure(0.5), pure(0.25)))
		for j := range i {
			mixed := func(c float64) float64 {
				at[i] = u[i] + c*steps[i]
				above := s.slope(at, j, c*steps[j])
				at[i] = u[i] - c*steps[i]
				below := s.slope(at, j, c*steps[j])
				at[i] = u[i]
				return (above - below) / (2 * c * steps[i])
			}
			h.SetSym(i, j, -extrapolate(mixed(1), mixed(0.5), mixed(0.25)))
		}
	}
}

func (s *laplaceSearch) gradientDifferences(h *mat.SymDense, u, steps []float64) {
	d := len(u)
	full := mat.NewDense(d, d, nil)
	at, below := slices.Clone(u), make([]float64, d)
	for i := range u {
		difference := func(c float64) []float64 {
			above := make([]float64, d)
			at[i] = u[i] + c*steps[i]
			s.gradient(above, at)
			at[i] = u[i] - c*steps[i]
			s.gradient(below, at)
			at[i] = u[i]
			floats.Sub(above, below)
			floats.Scale(1/(2*c*steps[i]), above)
			return above
		}
		wide, half, narrow := difference(1), difference(0.5), difference(0.25)
		for j := range u {
			full.Set(i, j, -extrapolate(wide[j], half[j], narrow[j]))
		}
	}
	for i := range d {
		for j := range i + 1 {
			h.SetSym(i, j, (full.At(i, j)+full.At(j, i))/2)
		}
	}
}
