package problem

import (
	"errors"
	"math"
	"testing"
)

// The penalty of a solver's weights is, in the units of the data, that of the slopes, for which
// Value has the formula; at LambdaMax the steepest block is held at zero and no other leaves it.
func TestPenaltyIsThatOfTheSlopes(t *testing.T) {
	units := &Units{XUnit: []Unit{3, -2, 0, 4, 1}, YUnit: -5}
	const lambda, l1, l2 = 7, 0.75, 0.25
	v := []float64{0.5, -3, 0.25, 2, 1.5} // of the solver
	descent := []float64{9, 5, -8, 4, -1000}
	for name, c := range map[string]struct {
		penalty   Penalty
		deviation []float64
		free      int
		steepest  int // block
	}{
		"columns":   {Penalty{Factor: []float64{1, 2, 0, 0.5, 3}}, nil, 1, 4},
		"positive":  {Penalty{Factor: []float64{1, 2, 1, 0.5, 3}, Positive: []bool{false, false, true, false, true}}, nil, 0, 3},
		"deviation": {Penalty{Factor: []float64{1, 1, 1, 1, 1}}, []float64{3, 0.7, 2, 11, 5}, 0, 4},
		"groups": {
			Penalty{Factor: []float64{2, 0.5, 2, 0.5, 0}, Groups: [][]int{{0, 2}, {1, 3}, {4}}}, []float64{3, 0.7, 2, 11, 1}, 1, 1,
		},
	} {
		b, err := c.penalty.In(units, c.deviation, 1)
		if err != nil {
			t.Fatal(name, err)
		}
		slopes, set := make([]float64, len(v)), []int{0, 1, 2, 3, 4}
		for j := range v {
			slopes[j] = units.Slope(j, v[j]*b.StretchOf(j))
			if c.deviation != nil {
				slopes[j] *= c.deviation[j]
			}
		}
		lengths, squares := b.Weights(lambda, l1, l2)
		var sum float64
		size := func(of []int, v []float64) (size float64) {
			for _, j := range of {
				size = math.Hypot(size, v[j])
			}
			return size
		}
		for block, of := range b.Of {
			s := size(of, v)
			sum += lengths[block]*s + squares[block]*s*s
		}
		if want := lambda * c.penalty.Value(set, slopes, l1, l2); math.Abs(units.Squares(sum)-want) > 1e-13*want {
			t.Errorf("%s: penalty %v of the weights, %v of the slopes", name, units.Squares(sum), want)
		}
		if c.penalty.Free() != c.free {
			t.Errorf("%s: %d columns without a penalty, want %d", name, c.penalty.Free(), c.free)
		}
		held, not := b.Hold(), b.NotNegative()
		lengths, squares = b.Weights(b.LambdaMax(descent, l1), l1, 0)
		if squares != nil {
			t.Errorf("%s: squares without l2", name)
		}
		for block, of := range b.Of {
			free := c.penalty.Factor[b.Column(block)] == 0
			if free != (held[block] == 0) || !free && !math.IsInf(held[block], 1) {
				t.Errorf("%s: block %d is held by %v", name, block, held[block])
			}
			s := size(of, descent)
			if not != nil && not[block] {
				s = math.Max(descent[of[0]], 0)
			}
			if ratio := s / lengths[block]; !free && (ratio > 1+1e-14 || (math.Abs(ratio-1) < 1e-14) != (block == c.steepest)) {
				t.Errorf("%s: block %d falls %v times as steeply as it is held", name, block, ratio)
			}
		}
	}
}

// Slopes of several linear predictors have the factors of their columns, and blocks of their own.
func TestPenaltyOfSeveralPredictors(t *testing.T) {
	p := Penalty{Factor: []float64{1, 3}}
	if got := p.Value([]int{0, 1, 3}, []float64{2, -1, 5}, 1, 0.5); got != 1*(2+0.5*4)+3*(1+0.5)+3*(5+0.5*25) {
		t.Error("value", got)
	}
	b, err := p.In(&Units{XUnit: make([]Unit, 2)}, nil, 3)
	if err != nil {
		t.Fatal(err)
	}
	lengths, _ := b.Weights(2, 1, 0)
	for block, of := range b.Of {
		if len(of) != 1 || of[0] != block || lengths[block] != 2*p.Factor[block%2] {
			t.Errorf("block %d has the weights %v and the penalty %v", block, of, lengths[block])
		}
	}
	if len(b.Of) != 6 {
		t.Errorf("%d blocks", len(b.Of))
	}
}

func TestPenaltyOfTooSmallAColumn(t *testing.T) {
	p := Penalty{Factor: []float64{1, 1, 1}, Groups: [][]int{{0}, {1, 2}}}
	_, err := p.In(&Units{XUnit: []Unit{0, 0, 400}}, nil, 1)
	small := new(StretchError)
	if !errors.As(err, &small) || *small != (StretchError{Column: 2, Group: 1}) {
		t.Error(err)
	}
}
