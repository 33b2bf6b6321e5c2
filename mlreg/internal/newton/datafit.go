package newton

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// Datafit is minus the log-likelihood of the rows.
type Datafit interface {
	gram.Datafit
	// Constant returns the linear predictor to start from: that of the mean.
	Constant() float64
	// Bound writes the largest curvatures that the rows can have, with which a
	// step never overshoots; if there are none, typical ones, since every step is
	// tried first.
	Bound(curvature []float64)
	// Subset returns the loss of the rows given.
	Subset(rows []int) Datafit
}

// Logistic is the Datafit of two classes.
type Logistic struct{ gram.Logistic }

// NewLogistic returns that of labels 0 and 1 and weights, nil for ones.
func NewLogistic(y, weights []float64) Logistic {
	return Logistic{gram.Logistic{Y: y, Weights: weights}}
}

// Constant returns the log odds of the second class.
func (l Logistic) Constant() float64 {
	var ones, zeros float64
	for i, y := range l.Y {
		w := l.weight(i)
		ones += w * y
		zeros += w * (1 - y)
	}
	return math.Log(ones / zeros)
}

// Bound writes w_i/4.
func (l Logistic) Bound(curvature []float64) {
	for i := range curvature {
		curvature[i] = 0.25 * l.weight(i)
	}
}

// Subset implements Datafit.
func (l Logistic) Subset(rows []int) Datafit {
	return NewLogistic(gram.Take(l.Y, rows), gram.Take(l.Weights, rows))
}

func (l Logistic) weight(i int) float64 {
	if l.Weights == nil {
		return 1
	}
	return l.Weights[i]
}
