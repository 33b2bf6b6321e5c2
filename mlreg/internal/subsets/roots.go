package subsets

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// mostRoots is the largest number of maximal independent sets of terms that
// are searched.
const mostRoots = 1 << 16

// ErrTooMany says that so many terms are combinations of others that their
// independent sets are too many to search one by one.
var ErrTooMany = errors.New("too many maximal sets of independent terms")

// roots returns trees that together have every subset of independent terms once.
// If all terms are independent there is one. Otherwise the first term that is a
// combination of those before it is dropped, or fixed and put before the others;
// and so on.
func (p *Problem) roots() ([]*node, error) {
	free := make([]int, p.D)
	for i := range free {
		free[i] = i + 1
	}
	var (
		nodes []*node
		err   error
		split func(fixed, free []int)
	)
	split = func(fixed, free []int) {
		terms := append(slices.Clone(fixed), free...)
		r, dependent := p.factor(terms)
		switch {
		case err != nil || len(fixed) > p.Most || dependent >= 0 && dependent < len(fixed):
		case dependent < 0 && len(nodes) == mostRoots:
			err = ErrTooMany
		case dependent < 0:
			nodes = append(nodes, p.root(r, terms, len(fixed)))
		default:
			j := terms[dependent]
			at := dependent - len(fixed)
			rest := slices.Delete(slices.Clone(free), at, at+1)
			split(fixed, rest)
			split(append([]int{j}, fixed...), rest)
		}
	}
	split(nil, free)
	return nodes, err
}

// factor returns R, packed by columns, with R'R = M_SS for the terms S, or else
// the place of the first term that is a combination of those before it.
func (p *Problem) factor(terms []int) (r []float64, dependent int) {
	r = make([]float64, tri(len(terms)))
	for j, tj := range terms {
		column := r[tri(j):tri(j+1)]
		rest := p.at(tj, tj)
		for i, ti := range terms[:j] {
			v := p.at(ti, tj)
			before := r[tri(i):tri(i+1)]
			for k := range i {
				v -= before[k] * column[k]
			}
			column[i] = v / before[i]
			rest -= column[i] * column[i]
		}
		if rest <= p.Tol {
			return nil, j
		}
		column[j] = math.Sqrt(rest)
	}
	return r, -1
}

// root returns the node of independent terms, the first f of them fixed, given
// their factor.
func (p *Problem) root(r []float64, terms []int, f int) *node {
	k := len(terms)
	// The columns of R^-1 by back substitution, and M_SS^-1 = R^-1 R^-T.
	inverse := make([]float64, tri(k))
	for j := range k {
		column := inverse[tri(j):tri(j+1)]
		column[j] = 1 / r[tri(j)+j]
		for i := j - 1; i >= 0; i-- {
			v := 0.0
			for h := i + 1; h <= j; h++ {
				v -= r[tri(h)+i] * column[h]
			}
			column[i] = v / r[tri(i)+i]
		}
	}
	// R^-T c is the projection of the response, whose square Q loses.
	projection := make([]float64, k)
	q := p.M[0]
	for j := range k {
		for i := range j + 1 {
			projection[j] += inverse[tri(j)+i] * p.at(terms[i], 0)
		}
		q -= projection[j] * projection[j]
	}
	m := k - f
	a, b, cost := make([]float64, m*m), make([]float64, m), make([]float64, m)
	for i := range m {
		for h := i + f; h < k; h++ {
			v := inverse[tri(h)+i+f]
			b[i] += v * projection[h]
			for j := range m {
				if h >= j+f {
					a[i*m+j] += v * inverse[tri(h)+j+f]
				}
			}
		}
		cost[i] = b[i] * b[i] / a[i*m+i]
	}
	order := gram.NumbersTo(m)
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(cost[j], cost[i]) })
	n := newNode(m)
	n.q, n.f = q, f
	for _, t := range terms[:f] {
		n.fixed |= bit(t)
	}
	for x, i := range order {
		n.terms[x], n.b[x], n.cost[x] = terms[i+f], b[i], cost[i]
		for y, j := range order {
			n.a[x*m+y] = a[i*m+j]
		}
	}
	return n
}

// offer offers the model of the node and those that lack one of its terms.
func (n *node) offer(w *walker) {
	set := n.fixed
	for _, t := range n.terms {
		set |= bit(t)
	}
	w.offer(set, n.q)
	for i, t := range n.terms {
		w.offer(set&^(1<<(t-1)), n.q+n.cost[i])
	}
	w.models += int64(n.m) + 1
}

// setWeights sets W for the subtree of n: with C the matrix A scaled to a unit
// diagonal and t its largest eigenvalue, A^-1 - diag(1/(t A_jj)) is positive
// semidefinite. The power method finds t but for a little, and a factorization
// of t' I - C proves the t' that is used.
func (w *walker) setWeights(n *node) {
	m := n.m
	if m == 0 {
		return
	}
	c := make([]float64, m*m)
	for i := range m {
		for j := range m {
			c[i*m+j] = n.a[i*m+j] / math.Sqrt(n.a[i*m+i]*n.a[j*m+j])
		}
	}
	t := largestEigenvalue(c, m)
	for t *= 1.01; !semidefinite(c, m, t); t *= 1.03 {
	}
	for i, j := range n.terms {
		w.weight[j] = 1 / (t * n.a[i*m+i])
	}
}

// largestEigenvalue returns about the largest eigenvalue of a symmetric positive
// definite matrix with a unit diagonal, by 15 steps of the power method.
func largestEigenvalue(c []float64, m int) float64 {
	x, y := make([]float64, m), make([]float64, m)
	for i := range x {
		x[i] = 1 + float64(i%7)/8 // orthogonal to nothing likely
	}
	t := 1.0
	for range 15 {
		length := 0.0
		for i := range m {
			y[i] = 0
			for j, v := range c[i*m : i*m+m] {
				y[i] += v * x[j]
			}
			length = math.Max(length, math.Abs(y[i]))
		}
		var xx, xy float64
		for i := range m {
			xx += x[i] * x[i]
			xy += x[i] * y[i]
			x[i] = y[i] / length
		}
		t = xy / xx
	}
	return math.Max(t, 1)
}

// semidefinite tells whether t I - C is positive definite.
func semidefinite(c []float64, m int, t float64) bool {
	p := Problem{D: m, M: make([]float64, tri(m+1)), Tol: 1e-12 * t}
	terms := make([]int, m)
	for i := range m {
		terms[i] = i + 1
		for j := range i + 1 {
			p.M[tri(i+1)+j+1] = -c[i*m+j]
		}
		p.M[tri(i+1)+i+1] += t
	}
	_, dependent := p.factor(terms)
	return dependent < 0
}
