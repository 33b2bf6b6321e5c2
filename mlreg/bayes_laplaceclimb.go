package mlreg

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// climber goes uphill by the method of Broyden, Fletcher, Goldfarb and Shanno.
type climber struct {
	s       *laplaceSearch
	u, g    []float64 // where it is, and the gradient there
	value   float64
	inverse []float64 // estimate of the inverse of minus the Hessian, d x d
	learned bool      // from a step
}

// climb returns the point that BFGS finds, with steps halved until the log density rises enough,
// so that they stay inside of its support.
//
// Nocedal and Wright, Numerical Optimization, 2nd ed. (2006), algorithms 3.1 and 6.1.
func (s *laplaceSearch) climb() (u []float64, iterations int, err error) {
	const smallest, farthest = 1e-9, 1e12 // gradient, coordinate
	d := len(s.start)
	c := &climber{s: s, u: slices.Clone(s.start), g: make([]float64, d), value: s.f(s.start), inverse: make([]float64, d*d)}
	s.gradient(c.g, c.u)
	c.restart(1 / floats.Norm(c.g, 2))
	for floats.Norm(c.g, math.Inf(1)) >= smallest {
		if iterations == s.set.MaxIterations {
			return nil, 0, &ConvergenceError{
				Method: "search for the mode of the log density", Iterations: iterations,
				Measure: "gradient norm", Value: floats.Norm(c.g, 2), Tol: smallest,
			}
		}
		if !c.step() {
			break // polish takes it from here
		}
		iterations++
		if s.set.Progress != nil {
			if err := s.set.Progress(float64(iterations), float64(s.set.MaxIterations)); err != nil {
				return nil, 0, fmt.Errorf("mlreg: search for the mode stopped: %w", err)
			}
		}
		if math.IsInf(c.value, 1) || floats.Norm(c.u, math.Inf(1)) > farthest {
			return nil, 0, fmt.Errorf("%w: the log density rises without end, to %.4g at %.4g; it has no mode", ErrBoundary, c.value, s.x(c.u))
		}
	}
	return c.u, iterations, nil
}

// restart forgets the curvature.
func (c *climber) restart(scale float64) {
	clear(c.inverse)
	for j := range c.u {
		c.inverse[j*len(c.u)+j] = scale
	}
}

func (c *climber) matrix() blas64.Symmetric {
	d := len(c.u)
	return blas64.Symmetric{N: d, Stride: d, Data: c.inverse, Uplo: blas.Upper}
}

// step makes one step, and reports whether one was found.
func (c *climber) step() bool {
	const enough, shortest = 1e-4, 0x1p-60
	d := len(c.u)
	direction := make([]float64, d)
	blas64.Symv(1, c.matrix(), blas64.Vector{N: d, Inc: 1, Data: c.g}, 0, blas64.Vector{N: d, Inc: 1, Data: direction})
	slope := floats.Dot(direction, c.g)
	next := make([]float64, d)
	for length := 1.0; length > shortest; length /= 2 {
		floats.AddScaledTo(next, c.u, length, direction)
		value := c.s.f(next)
		if !(value >= c.value+enough*length*slope) || slices.Equal(next, c.u) {
			continue
		}
		before := slices.Clone(c.g)
		floats.Scale(length, direction)
		c.u, c.value = next, value
		if c.s.gradient(c.g, next); !math.IsInf(value, 1) {
			floats.Sub(before, c.g)
			c.learn(direction, before)
		}
		return true
	}
	return false
}

// learn takes the fall of the gradient along a step into account. Where it does not fall,
// steps get longer.
func (c *climber) learn(step, fall []float64) {
	d := len(step)
	curvature := floats.Dot(step, fall)
	if !(curvature > 0) {
		floats.Scale(2, c.inverse)
		return
	}
	if !c.learned {
		c.learned = true
		c.restart(curvature / floats.Dot(fall, fall))
	}
	// (I - s y'/y's) B (I - y s'/y's) + s s'/y's
	along := make([]float64, d)
	blas64.Symv(1, c.matrix(), blas64.Vector{N: d, Inc: 1, Data: fall}, 0, blas64.Vector{N: d, Inc: 1, Data: along})
	a, b := blas64.Vector{N: d, Inc: 1, Data: step}, blas64.Vector{N: d, Inc: 1, Data: along}
	blas64.Syr2(-1/curvature, a, b, c.matrix())
	blas64.Syr((1+floats.Dot(fall, along)/curvature)/curvature, a, c.matrix())
}
