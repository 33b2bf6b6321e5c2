package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/enumerate"
)

// randomDesign is a problem of any score and prior, of up to most columns; a sixth of them in groups.
func randomDesign(r *rand.Rand, most int) design {
	c := design{
		n: 10 + r.IntN(20) + int(math.Exp(6*r.Float64())), d: 2 + r.IntN(most-1), neighbors: 1 - math.Pow(10, -2*r.Float64()),
		score: scores[r.IntN(len(scores))], prior: priors[r.IntN(len(priors))], seed: r.Uint64(),
	}
	if c.score == "g" || c.score == "bic" || c.score == "known" {
		c.n = max(c.n, c.d+2)
	}
	if r.IntN(6) == 0 {
		c.d = min(c.d, 13) // summed one by one
		for j := 0; j < c.d; {
			unit := []int{}
			for range min(1+r.IntN(3), c.d-j) {
				unit = append(unit, j)
				j++
			}
			c.units = append(c.units, unit)
		}
	}
	return c
}

// sumFast is sumAll by package enumerate, without log weights, for units of one column: relative to a number near the log sum.
func sumFast(p *Problem, near float64) *truth {
	e := &enumerate.Problem{D: p.Columns, M: p.M, Power: p.Power, Rate: p.Rate / math.Ln2, Det: p.Det, VarSlope: make([]float64, p.Columns+1)}
	for _, v := range p.Size {
		e.Size = append(e.Size, v/math.Ln2)
	}
	var own []float64
	for _, v := range p.Own {
		own = append(own, v/math.Ln2)
	}
	r := enumerate.RunFrom(e, near/math.Ln2, own, enumerate.Settings{})
	t := &truth{logZ: math.Ln2 * (r.Ref + math.Log2(r.W))}
	for _, v := range r.Incl {
		t.inclusion = append(t.inclusion, v/r.W)
	}
	return t
}

// REGBOOK_CERTIFY=problems takes REGBOOK_CERTIFY_ARGS problems, 2000, of up to 25 columns.
//
// Random problems of all scores and priors against sums over all subsets: no interval misses, at an error probability of 1e-9.
func TestRandomProblems(t *testing.T) {
	problems, most := 40, 14
	long := os.Getenv("REGBOOK_CERTIFY") == "problems"
	if long {
		problems, most = 2000, 25
		if n, err := strconv.Atoi(os.Getenv("REGBOOK_CERTIFY_ARGS")); err == nil {
			problems = n
		}
	}
	r := rand.New(rand.NewPCG(2000, 38))
	var status [Cancelled + 1]int
	var subsets, statements float64
	for i := range problems {
		c := randomDesign(r, most)
		p := c.problem()
		set := Settings{Nodes: 1 << (4 + r.IntN(6)), Draws: 1 << (12 + r.IntN(4)), leaf: 1 + r.IntN(6)}
		got := get(Run(p, rand.NewPCG(uint64(i), 1), set))(t)
		var want *truth
		if p.Units == nil {
			want = sumFast(p, got.CertainNormalizer.Lower)
		} else {
			want = sumAll(p)
		}
		holds(t, fmt.Sprintf("problem %d, %+v, %+v", i, c, set), got, want)
		status[got.Status]++
		subsets += math.Ldexp(1, p.unitCount())
		statements += float64(2 + 2*len(want.inclusion))
	}
	if status[Sampled] < problems/4 || status[Summed] < problems/40 {
		t.Errorf("%d summed, %d sampled", status[Summed], status[Sampled])
	}
	if long {
		fmt.Printf("%d problems, %.0f subsets, %.0f intervals: %d summed, %d sampled, %d hopeless\n", problems, subsets, statements, status[Summed], status[Sampled], status[Hopeless])
	}
}
