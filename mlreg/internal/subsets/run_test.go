package subsets

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// brute returns every subset of independent terms, by Cholesky, and its Q.
func brute(p *Problem) map[uint64]float64 {
	all := make(map[uint64]float64)
	for set := range uint64(1) << p.D {
		var terms []int
		for j := 1; j <= p.D; j++ {
			if set&bit(j) != 0 {
				terms = append(terms, j)
			}
		}
		r, dependent := p.factor(terms)
		if dependent >= 0 {
			continue
		}
		q := p.M[0]
		z := make([]float64, len(terms))
		for j, t := range terms {
			v := p.at(t, 0)
			for i := range j {
				v -= r[tri(j)+i] * z[i]
			}
			z[j] = v / r[tri(j)+j]
			q -= z[j] * z[j]
		}
		all[set] = math.Max(q, 0) // a perfect fit leaves nothing
	}
	return all
}

// wanted returns the scores of the best models, in the lists of a Result.
func wanted(p *Problem, all map[uint64]float64) [][]float64 {
	lists := make([][]float64, 1)
	if p.Mult == nil {
		lists = make([][]float64, p.D+1)
	}
	for set, q := range all {
		k := bits.OnesCount64(set)
		if k < p.Least || k > p.Most {
			continue
		}
		list := 0
		if p.Mult == nil {
			list = k
		}
		lists[list] = append(lists[list], p.score(k, q))
	}
	for i, list := range lists {
		slices.Sort(list)
		lists[i] = list[:min(len(list), p.Best)]
	}
	return lists
}

// copyTerm makes term j a copy of term i.
func copyTerm(p *Problem, i, j int) {
	for k := range p.D + 1 {
		v := p.at(i, k)
		if k == j {
			v = p.at(i, i)
		}
		p.M[tri(max(j, k))+min(j, k)] = v
	}
	p.M[tri(j)+j] = p.at(i, i)
}

func TestSearchAgainstEveryModel(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for trial := range 400 {
		d := 1 + rnd.IntN(11)
		n := d + 3 + rnd.IntN(40)
		if trial%5 == 4 {
			n = 3 + rnd.IntN(d) // fewer rows than terms
		}
		p := simulated(uint64(trial), n, d, rnd.IntN(d+1), math.Exp(2*rnd.NormFloat64()), rnd.Float64())
		if trial%3 == 0 && d > 2 {
			copyTerm(p, 1, d)
			copyTerm(p, 2, 1+rnd.IntN(2))
		}
		p.Best = 1 + rnd.IntN(6)
		p.Most = min(d, n-1)
		if trial%4 == 1 {
			p.Least = rnd.IntN(p.Most)
			p.Most = p.Least + rnd.IntN(p.Most-p.Least+1)
		}
		switch trial % 7 {
		case 5: // BIC
			for k := range d + 1 {
				p.Mult = append(p.Mult, math.Pow(float64(n), float64(k)/float64(n)))
			}
			p.Add = make([]float64, d+1)
		case 6: // Cp
			for k := range d + 1 {
				p.Add = append(p.Add, 2*float64(k)*0.01)
				p.Mult = append(p.Mult, 1)
			}
		}
		all := brute(p)
		want := wanted(p, all)
		got, err := Search(p)
		if err != nil {
			t.Fatal(trial, err)
		}
		for i, list := range want {
			if len(got.Best[i]) != len(list) {
				t.Errorf("trial %d: %d models in list %d, want %d", trial, len(got.Best[i]), i, len(list))
				continue
			}
			for x, m := range got.Best[i] {
				tol := 2*got.Tol*slices.Max(append(slices.Clone(p.Mult), 1)) + 1e-9*math.Abs(list[x])
				if math.Abs(m.Score-list[x]) > tol {
					t.Errorf("trial %d, n=%d d=%d: model %d of list %d has score %g, the best %g", trial, n, d, x, i, m.Score, list[x])
				}
				q, ok := all[m.Set]
				if !ok || math.Abs(q-m.Q) > 1e-9+2*got.Tol {
					t.Errorf("trial %d: Q of %b is %g, not %g", trial, m.Set, q, m.Q)
				}
			}
		}
		for _, bound := range got.Open {
			if !math.IsInf(bound, 1) {
				t.Errorf("trial %d: open bound %g after a complete search", trial, bound)
			}
		}
	}
}

// The same models and counts on one processor and on many.
func TestSearchDeterminism(t *testing.T) {
	p := simulated(9, 60, 26, 13, 6, 0.3)
	p.Best = 3
	one := runtime.GOMAXPROCS(1)
	first, err := Search(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, procs := range []int{2, 5} {
		runtime.GOMAXPROCS(procs)
		again, err := Search(p)
		if err != nil {
			t.Fatal(err)
		}
		if fmt.Sprint(*first) != fmt.Sprint(*again) {
			t.Errorf("GOMAXPROCS = %d gives another result: %d nodes for %d", procs, again.Nodes, first.Nodes)
		}
	}
	runtime.GOMAXPROCS(one)
}

// A search that is stopped bounds what it has not looked at, and tells so.
func TestSearchStopped(t *testing.T) {
	p := simulated(2, 60, 28, 14, 8, 0.6)
	whole, err := Search(p)
	if err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	open := 0
	for _, after := range []float64{0, 1, 5, 100} {
		p.Progress = func(done, total float64) error {
			if done > total {
				t.Errorf("%g of %g done", done, total)
			}
			if done > after {
				return enough
			}
			return nil
		}
		part, err := Search(p)
		if !errors.Is(err, enough) {
			t.Fatalf("after %g: %v", after, err)
		}
		for k, list := range part.Best {
			best := whole.Best[k][0].Q
			if list[0].Q < best-1e-12 {
				t.Errorf("size %d: stopped with %g, below the best %g", k, list[0].Q, best)
			}
			if bound := math.Min(list[0].Q, part.Open[k]); bound > best+1e-12 {
				t.Errorf("size %d: bound %g above the best %g", k, bound, best)
			}
			if !math.IsInf(part.Open[k], 1) {
				open++
			}
		}
	}
	if open == 0 {
		t.Error("nothing was left open")
	}
}

// A^-1 - diag(W) is positive semidefinite, and hardly more: the smallest
// eigenvalue of W^-1/2 A^-1 W^-1/2 is 1 and a little.
func TestWeights(t *testing.T) {
	for seed := range uint64(20) {
		p := simulated(seed, 30, 9, 4, 3, float64(seed)/21)
		roots, err := p.roots()
		if err != nil || len(roots) != 1 {
			t.Fatal(len(roots), err)
		}
		w := newWalker(p)
		w.setWeights(roots[0])
		scaled := mat.NewSymDense(p.D, nil)
		for i := range p.D {
			for j := range i + 1 {
				scaled.SetSym(i, j, p.at(i+1, j+1)/math.Sqrt(w.weight[i+1]*w.weight[j+1]))
			}
		}
		var eigen mat.EigenSym
		if !eigen.Factorize(scaled, false) {
			t.Fatal("no eigenvalues")
		}
		if least := eigen.Values(nil)[0]; least < 1 || least > 1.06 {
			t.Errorf("seed %d: the smallest eigenvalue is %g", seed, least)
		}
	}
}

// Of terms that are the same the first is in the best models.
func TestFirstOfEqualTerms(t *testing.T) {
	for seed := range uint64(30) {
		p := simulated(seed, 40, 10, 5, 3, 0.3)
		copyTerm(p, 2, 9)
		copyTerm(p, 3, 7)
		copyTerm(p, 3, 10)
		r, err := Search(p)
		if err != nil {
			t.Fatal(err)
		}
		for k, list := range r.Best {
			if k > 7 {
				if len(list) > 0 {
					t.Errorf("a model of %d of 7 independent terms", k)
				}
				continue
			}
			if set := list[0].Set; set&(bit(7)|bit(9)|bit(10)) != 0 {
				t.Errorf("seed %d: %b has a copy", seed, set)
			}
		}
	}
}

func TestTooManyRoots(t *testing.T) {
	if testing.Short() {
		t.Skip("searches until the limit")
	}
	p := simulated(1, 20, 40, 5, 1, 0)
	if _, err := Search(p); !errors.Is(err, ErrTooMany) {
		t.Error(err)
	}
}

// simulated returns the problem of n observations of d terms, correlated by rho,
// of which the first few have a coefficient of 1, and noise of the given size.
func simulated(seed uint64, n, d, few int, noise, rho float64) *Problem {
	rnd := rand.New(rand.NewPCG(seed, 1))
	rows := make([][]float64, d+1)
	for j := range rows {
		rows[j] = make([]float64, n)
	}
	for i := range n {
		y, common := noise*rnd.NormFloat64(), rnd.NormFloat64()
		for j := 1; j <= d; j++ {
			v := math.Sqrt(1-rho)*rnd.NormFloat64() + math.Sqrt(rho)*common
			rows[j][i] = v
			if j <= few {
				y += v
			}
		}
		rows[0][i] = y
	}
	p := &Problem{D: d, Tol: 1e-12, Best: 1, Most: d}
	for i := range rows {
		mean := 0.0
		for _, v := range rows[i] {
			mean += v / float64(n)
		}
		ss := 0.0
		for h := range rows[i] {
			rows[i][h] -= mean
			ss += rows[i][h] * rows[i][h]
		}
		for h := range rows[i] {
			rows[i][h] /= math.Sqrt(ss)
		}
		for j := range i + 1 {
			v := 0.0
			for h := range n {
				v += rows[i][h] * rows[j][h]
			}
			p.M = append(p.M, v)
		}
	}
	return p
}

// A term of zeros is in no model, wherever it stands.
func TestTermOfZeros(t *testing.T) {
	for _, zero := range []int{1, 3, 4} {
		p := simulated(5, 30, 4, 2, 1, 0)
		for k := range p.D + 1 {
			p.M[tri(max(zero, k))+min(zero, k)] = 0
		}
		nodes, err := p.roots()
		if err != nil || len(nodes) != 1 {
			t.Errorf("term %d: %d trees, %v", zero, len(nodes), err)
		}
	}
}
