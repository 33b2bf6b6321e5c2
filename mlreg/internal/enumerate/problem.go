// Package enumerate sums over all subsets of the terms of a linear model.
//
// A problem is a symmetric matrix M of order D+1. Row 0 stands for the
// response, rows 1 to D for the candidate terms. Of a subset S it needs
//
//	Q(S)   = M_00 - M_0S M_SS^-1 M_S0     a residual sum of squares
//	det(S) = det M_SS
//
// and its weight is 2^L(S) with
//
//	L(S) = Size[|S|] + Power log2 Q(S)  or  Size[|S|] + Rate Q(S),
//
// to which -1/2 log2 det(S) is added if the problem says so.
//
// The subsets are the leaves of a binary tree that decides on row D first and
// on row 1 last. At a node with m rows undecided only their Schur complement
// is kept, packed as the rows 0 to m of a lower triangle: to leave row m out
// is to look at one row less, to take it in is one step of symmetric
// elimination, m(m+1)/2 multiplications and subtractions. As there are 2^(D-m)
// such nodes, that is 4 of each per subset (Furnival and Wilson, Technometrics
// 16 (1974), 499-511). Sums go up the same tree, pairwise, so that their
// rounding errors grow with D and not with 2^D.
package enumerate

import (
	"math"
)

// MaxRows is the largest D: subsets are bits of a uint32, and 2^30 of them
// take seconds.
const MaxRows = 30

// Problem says what to sum; see the package comment.
type Problem struct {
	D int
	// M is the packed lower triangle, row i from i(i+1)/2 on.
	M []float64
	// Tol is the pivot at or below which a term is taken to be a combination
	// of those in the model; it then changes neither Q nor det.
	Tol float64
	// Power multiplies log2 Q, Rate multiplies Q; one of them is 0.
	Power, Rate float64
	// Det includes -1/2 log2 det.
	Det bool
	// Least is what Q counts as at least, for RunUnits.
	Least float64
	// Size has D+1 values, in bits.
	Size []float64
	// The noise variance of a model is VarSlope[|S|] Q + VarConst; it is used
	// only for the second moments of coefficients.
	VarSlope []float64
	VarConst float64
}

// Tri returns the number of elements of a packed triangle of order k, which is
// also where row k starts.
func Tri(k int) int { return k * (k + 1) / 2 }

// Log2Weight returns L for a subset of k terms with the given Q and log2 det.
func (p *Problem) Log2Weight(k int, q, log2det float64) float64 {
	l := p.Size[k] + p.Rate*q
	if p.Power != 0 {
		l += p.Power * math.Log2(q)
	}
	if p.Det {
		l -= log2det / 2
	}
	return l
}

// ScoreRows returns L of the subset of some columns, counted from 0, in ascending
// order, by Cholesky's factorization of M_SS: what the walk computes, by another way.
func (p *Problem) ScoreRows(columns []int) float64 {
	rows := make([]int, len(columns))
	for i, j := range columns {
		rows[i] = j + 1
	}
	return p.scoreRows(rows)
}

func (p *Problem) scoreRows(rows []int) float64 {
	q, log2det := p.M[0], 0.0
	var factor [][]float64 // rows of L with M_SS = L L', then L^-1 M_S0
	for _, r := range rows {
		l := make([]float64, len(factor)+2)
		rest := p.M[Tri(r)+r]
		for i, f := range factor {
			v := p.M[Tri(r)+rows[i]]
			for h := range i {
				v -= l[h] * f[h]
			}
			if f[i] > 0 {
				l[i] = v / f[i]
			}
			rest -= l[i] * l[i]
		}
		k := len(factor)
		if rest > p.Tol {
			l[k] = math.Sqrt(rest)
			z := p.M[Tri(r)]
			for i, f := range factor {
				z -= l[i] * f[i+1]
			}
			l[k+1] = z / l[k]
			q -= l[k+1] * l[k+1]
			log2det += math.Log2(rest)
		}
		factor = append(factor, l)
	}
	return p.Log2Weight(len(rows), q, log2det)
}
