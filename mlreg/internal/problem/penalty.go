package problem

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
	"gonum.org/v1/gonum/floats"
)

// Penalty is
//
//	lambda sum_g f_g (l1 sqrt(p_g) |b_g|_2 + l2 |b_g|_2^2)
//
// over groups g of p_g slopes in the units of the data; each slope is a group of its own if none
// are given. With several linear predictors it is the sum over all of them.
type Penalty struct {
	Factor   []float64 // p: f of every column, the same for those of a group; 0 is without a penalty
	Positive []bool    // p: slopes that are not negative, each a group of its own; nil for none
	Groups   [][]int   // columns that enter together, every one in one group; nil for none
}

// Free returns the number of columns without a penalty.
func (p *Penalty) Free() int { return floats.Count(func(f float64) bool { return f == 0 }, p.Factor) }

// Value returns the penalty, at a lambda of 1, of slopes b of the columns in set; the others are
// zero. Without groups they may be of several linear predictors, of the k-th from k p on.
func (p *Penalty) Value(set []int, b []float64, l1, l2 float64) (sum float64) {
	squares := make([]float64, len(p.Factor))
	for i, j := range set {
		if p.Groups == nil {
			sum += p.Factor[j%len(p.Factor)] * (l1*math.Abs(b[i]) + l2*b[i]*b[i])
		} else {
			squares[j] = b[i] * b[i]
		}
	}
	for _, of := range p.Groups {
		var s float64
		for _, j := range of {
			s += squares[j]
		}
		sum += p.Factor[of[0]] * (l1*math.Sqrt(float64(len(of))*s) + l2*s)
	}
	return sum
}

// Blocks are a Penalty of the weights of a problem, in blocks of them. A solver's weights are those
// of columns multiplied by Stretch, so that the penalty of a group is one of the length of its
// weights.
type Blocks struct {
	*Penalty
	Of      [][]int   // the weights of every block, those of each linear predictor after the other
	Stretch []float64 // p; nil for ones
	Scale   []float64 // p: what |b_j| is in the penalty for a weight of 1 of the problem, were y in its unit

	perY float64 // the inverse of that unit
}

// StretchError says that a column is too small beside the others of its group.
type StretchError struct{ Column, Group int }

func (e *StretchError) Error() string {
	return fmt.Sprintf("problem: column %d is too small beside the others of group %d", e.Column, e.Group)
}

// In returns the penalty of the weights of a problem with units u and so many linear predictors.
// It is meant for slopes deviation_j b_j; nil is ones. The error is a *StretchError.
func (p *Penalty) In(u *Units, deviation []float64, predictors int) (*Blocks, error) {
	inverses := u.Inverses()
	k := len(p.Factor)
	b := &Blocks{Penalty: p, Of: p.Groups, Scale: inverses[:k], perY: inverses[k]}
	for j, v := range deviation {
		b.Scale[j] *= v
	}
	if p.Groups == nil {
		b.Of = alone(k * predictors)
		return b, nil
	}
	b.Stretch = make([]float64, k)
	for g, of := range p.Groups {
		var top float64
		for _, j := range of {
			top = math.Max(top, b.Scale[j])
		}
		for _, j := range of {
			b.Stretch[j] = top / b.Scale[j]
			if b.Stretch[j] > 1e100 {
				return nil, &StretchError{Column: j, Group: g}
			}
		}
	}
	return b, nil
}

// alone returns p blocks of one weight.
func alone(p int) [][]int {
	all, of := gram.NumbersTo(p), make([][]int, p)
	for j := range of {
		of[j] = all[j : j+1 : j+1]
	}
	return of
}

// Column returns the first column of a block.
func (b *Blocks) Column(block int) int { return b.Of[block][0] % len(b.Factor) }

// StretchOf returns what column j is multiplied by.
func (b *Blocks) StretchOf(j int) float64 {
	if b.Stretch == nil {
		return 1
	}
	return b.Stretch[j]
}

// NotNegative tells of every block whether it is one weight that is not negative; nil for none.
func (b *Blocks) NotNegative() []bool {
	if b.Positive == nil {
		return nil
	}
	not := make([]bool, len(b.Of))
	for block := range not {
		not[block] = b.Positive[b.Column(block)]
	}
	return not
}

// Weights returns what multiplies the lengths of the blocks and their squares, nil if l2 is zero,
// in the units of the solver.
func (b *Blocks) Weights(lambda, l1, l2 float64) (lengths, squares []float64) {
	lengths = make([]float64, len(b.Of))
	if l2 > 0 {
		squares = make([]float64, len(b.Of))
	}
	for block, of := range b.Of {
		j := b.Column(block)
		f, scale, stretch := b.Factor[j], b.Scale[j], b.StretchOf(j)
		lengths[block] = lambda * l1 * f * scale * b.perY * stretch * math.Sqrt(float64(len(of)))
		if squares != nil {
			squares[block] = lambda * l2 * f * scale * scale * stretch * stretch
		}
	}
	return lengths, squares
}

// Hold returns the weights of the lengths that hold all blocks at zero but those without a penalty.
func (b *Blocks) Hold() []float64 {
	held := make([]float64, len(b.Of))
	for block := range held {
		if b.Factor[b.Column(block)] > 0 {
			held[block] = math.Inf(1)
		}
	}
	return held
}

// LambdaMax returns the smallest lambda for which all blocks with a penalty are zero, given minus the
// derivatives of the loss by the solver's weights where they are: 0 if none is related to the
// response, infinite if l1 is zero.
func (b *Blocks) LambdaMax(descent []float64, l1 float64) float64 {
	alone := make([]float64, len(descent)) // of every weight alone
	for c, g := range descent {
		j := c % len(b.Factor)
		if b.Factor[j] == 0 {
			continue
		}
		size := math.Abs(g)
		if b.Positive != nil && b.Positive[j] {
			size = math.Max(g, 0)
		}
		alone[c] = size / b.StretchOf(j) / (l1 * b.Factor[j] * b.Scale[j] * b.perY)
	}
	if b.Groups == nil {
		return slices.Max(alone)
	}
	var most float64
	for _, of := range b.Groups {
		var squares float64
		for _, j := range of {
			squares += alone[j] * alone[j]
		}
		most = math.Max(most, math.Sqrt(squares/float64(len(of))))
	}
	return most
}
