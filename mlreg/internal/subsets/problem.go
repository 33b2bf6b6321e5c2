// Package subsets finds the best subsets of the terms of a linear model by
// branch and bound.
//
// A problem is a symmetric matrix of order d+1, of which row 0 stands for the
// response and rows 1 to d for the candidate terms: cross-products about what is
// in every model. The residual sum of squares of a subset T is
//
//	Q(T) = M_00 - M_0T M_TT^-1 M_T0.
//
// A node of the tree is a set S of terms, some of them fixed, the others free;
// it stands for all subsets of S that contain the fixed ones. With b the
// coefficients of S, A = (M_SS^-1) at the free terms and F, f = |F|, the fixed
// ones, dropping a set D of free terms raises Q by
//
//	Q(S\D) - Q(S) = b_D' (A_DD)^-1 b_D,
//
// which is b_j^2/A_jj for one term. Free terms are ordered by that, the
// costliest first. The i-th child of the node drops term i and fixes the terms
// before it, so that all its models cost at least what its own term costs; to
// drop a term is one step of elimination of A, to fix it is to forget its row
// (Furnival and Wilson, Technometrics 16 (1974), 499-511; the order is that of
// Hofmann, Gatu and Kontoghiorghes, Computational Statistics and Data Analysis
// 52 (2007), 16-29, kept at every node because A gives it for nothing).
//
// A subtree is cut if no size in it can better the models found. A bound that
// grows with the number of terms dropped comes from a diagonal W with
// A^-1 - diag(W) positive semidefinite:
//
//	Q(S\D) - Q(S) >= sum of W_j b_j^2 over D,
//
// at least the sum of the |D| smallest. W stays valid in the whole subtree,
// because both a principal submatrix of A^-1 (a term dropped) and its Schur
// complement (a term fixed) keep the property.
package subsets

import (
	"math"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// MaxTerms is the largest d: subsets are bits of a uint64.
const MaxTerms = 64

// Problem says what to search; see the package comment.
type Problem struct {
	D int
	// M is the packed lower triangle, row i from i(i+1)/2 on, with M_00 = 1 and
	// columns of length 1 at most.
	M []float64
	// Tol is the pivot at or below which a term is taken to be a combination
	// of others.
	Tol float64
	// Best is how many models are kept, 1 at least: of every size, or in all
	// if there is a penalty.
	Best int
	// Least and Most are the sizes searched.
	Least, Most int
	// Mult and Add, if not nil, rank models of all sizes k = 0 to D together,
	// by Mult[k] Q + Add[k], Mult > 0. Q counts as Floor at least.
	Mult, Add []float64
	// Progress, if not nil, is told how many of the subtrees are searched. Its
	// error stops the search.
	Progress func(done, total float64) error
}

// Model is a subset, term j being bit j-1, and what ranks it.
type Model struct {
	Set uint64
	Q   float64
	// Score is Q, or Mult Q + Add of a problem with a penalty.
	Score float64
}

// Result is what Search finds.
type Result struct {
	// Best has the best models: of size k at index k, or all at index 0 if
	// there is a penalty; best first.
	Best [][]Model
	// Open bounds Q from below for every size of a model that has not been
	// looked at because the search was stopped; infinite if there is none.
	Open []float64
	// Tol is the error that rounding can leave in Q.
	Tol float64
	// Nodes is the number of subtrees entered, Models that of values of Q
	// computed.
	Nodes, Models int64
}

// Floor is the Q, of a response of length 1, below which a fit is perfect.
const Floor = 1e-13

// ties is the relative difference of Q below which a search need not tell
// models apart.
const ties = 1e-10

// bit is the set of term j.
func bit(j int) uint64 { return 1 << (j - 1) }

// tri is where row k of a packed triangle starts.
func tri(k int) int { return enumerate.Tri(k) }

// at returns M_ij.
func (p *Problem) at(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return p.M[tri(i)+j]
}

// score ranks a model of size k.
func (p *Problem) score(k int, q float64) float64 {
	if p.Mult == nil {
		return q
	}
	return p.Mult[k]*math.Max(q, Floor) + p.Add[k]
}

// threshold is the Q of a model of size k that has the given score.
func (p *Problem) threshold(k int, score float64) float64 {
	if p.Mult == nil {
		return score
	}
	return (score - p.Add[k]) / p.Mult[k]
}
