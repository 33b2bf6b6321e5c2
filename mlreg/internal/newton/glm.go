package newton

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/glm"
	"github.com/regbook/regbook/mlreg/internal/gram"
)

// GLM is the Datafit of a generalized linear model: half the deviance. Its curvatures
// are the expected ones, so that Newton's method is Fisher's scoring.
type GLM struct {
	glm.Family
	Y, Weights []float64
}

// Add implements Datafit.
func (g GLM) Add(s *gram.LossSums, first int, eta, curvature []float64) {
	for i, v := range eta {
		w := g.weight(first + i)
		if w == 0 {
			eta[i], curvature[i] = 0, 0
			continue
		}
		loss, residual, c := g.Row(g.Y[first+i], v)
		s.Loss += w * loss
		s.Pearson += w * glm.Pearson(residual, c)
		s.Ones += w * residual
		s.Least = min(s.Least, c)
		s.Largest = max(s.Largest, math.Abs(v))
		curvature[i] = w * c
		s.Curvature += curvature[i]
		eta[i] = w * residual
	}
}

// Constant returns the linear predictor of the mean of the responses.
func (g GLM) Constant() float64 { return g.Eta(g.Mean()) }

// Mean returns the mean of the responses.
func (g GLM) Mean() float64 {
	var sum, total float64
	for i, y := range g.Y {
		sum += g.weight(i) * y
		total += g.weight(i)
	}
	if !finite(sum) { // the mean may be a number nevertheless
		sum = 0
		for i, y := range g.Y {
			sum += g.weight(i) / total * y
		}
		return sum
	}
	return sum / total
}

// Bound writes the curvatures at means halfway between the responses and their mean.
func (g GLM) Bound(curvature []float64) {
	mean := g.Mean()
	for i := range curvature {
		_, _, c := g.Row(mean, g.Eta((g.Y[i]+mean)/2))
		curvature[i] = g.weight(i) * c
	}
}

// Subset implements Datafit.
func (g GLM) Subset(rows []int) Datafit {
	return GLM{g.Family, gram.Take(g.Y, rows), gram.Take(g.Weights, rows)}
}

func (g GLM) weight(i int) float64 {
	if g.Weights == nil {
		return 1
	}
	return g.Weights[i]
}

// Working returns the weights and the responses of the least-squares problem that is a
// step of Fisher's scoring from means halfway between the responses and their mean, that
// of all rows, from which iterations without a better start begin: c_i and
// eta_i - offset_i + r_i/c_i.
func (g GLM) Working(mean float64, offset []float64) (weights, z []float64) {
	weights, z = make([]float64, len(g.Y)), make([]float64, len(g.Y))
	for i, y := range g.Y {
		eta := g.Eta((y + mean) / 2)
		_, r, c := g.Row(y, eta)
		weights[i], z[i] = g.weight(i)*c, eta+r/c
		if offset != nil {
			z[i] -= offset[i]
		}
	}
	return weights, z
}
