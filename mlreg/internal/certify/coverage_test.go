package certify

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

func noProgress() *gram.Progress { return &gram.Progress{} }

// coverage counts, over replications of the problems of a design, how often intervals miss the sum over all subsets.
type coverage struct {
	replications, sampled, scored   int
	beyondBounds, beyondCap         int // these hold with certainty
	missedSum, missedAny            int
	missedProbabilities, statements int
	z1, z2                          float64 // z-scores of the sum: mean, mean square
	p1, p2                          float64 // of the first probability
	sumWidth, widest                float64
}

// String tells coverage, widths and z-scores.
func (c coverage) String() string {
	return fmt.Sprintf("%d replications, %d with draws; all intervals hold in %.5f, log sums in %.5f; of %d intervals of probabilities %d miss; mean width of the log sum %.4f, "+
		"of the widest probability %.4f; z-scores of the sum have mean %.4f and mean square %.4f, of a probability %.4f and %.4f; bounds broken %d, caps %d",
		c.replications, c.sampled, 1-float64(c.missedAny)/float64(c.replications), 1-float64(c.missedSum)/float64(c.replications), c.statements, c.missedProbabilities,
		c.sumWidth, c.widest, c.z1, c.z2, c.p1, c.p2, c.beyondBounds, c.beyondCap)
}

// perData is the number of replications with the same data and the same trees, for which intervals hold, too.
const perData = 20

// replicate runs a design for many seeds, with few nodes, so that the draws have work to do.
func replicate(t *testing.T, c design, replications int, s Settings) coverage {
	t.Helper()
	out := coverage{replications: replications}
	for done := 0; done < replications; done += perData {
		c.seed = uint64(done + 1)
		out.addData(t, c, min(perData, replications-done), s)
	}
	n := float64(out.sampled)
	out.z1, out.z2, out.p1, out.p2, out.sumWidth, out.widest = out.z1/n, out.z2/n, out.p1/float64(out.scored), out.p2/float64(out.scored), out.sumWidth/n, out.widest/n
	return out
}

// addData adds replications for the same data.
func (c *coverage) addData(t *testing.T, d design, replications int, s Settings) {
	t.Helper()
	p := d.problem()
	want := sumAll(p)
	q := get(prepare(p))(t)
	q.leaf = s.leaf
	r := &run{Settings: get(s.withDefaults())(t), p: q, tree: planted(t, q)}
	if err := r.tree.grow(r.Nodes, r.Memory, func(int) error { return nil }); err != nil {
		t.Fatal(err)
	}
	f := r.tree.freeze()
	for seed := range replications {
		r.src = rand.NewPCG(d.seed+uint64(seed), 77)
		c.add(t, r, f, want, seed)
	}
}

func (c *coverage) add(t *testing.T, r *run, f *frozen, want *truth, seed int) {
	t.Helper()
	result := r.certain(f)
	misses := func(in Interval, v float64) bool { return !(in.Lower <= v && v <= in.Upper) }
	if misses(result.CertainNormalizer, want.logZ) {
		c.beyondBounds++
	}
	for k, v := range want.inclusion {
		if misses(result.CertainInclusion[k], v) {
			c.beyondBounds++
		}
	}
	if len(f.nodes) == 0 || f.logU < f.exact.log()-40 {
		return // all is summed
	}
	e := get(r.propose(r.sampler(f), result))(t)
	r.narrow(e, result)
	c.sampled++
	if result.Largest > 1+1e-9 {
		c.beyondCap++
	}
	any := misses(result.Normalizer, want.logZ)
	if any {
		c.missedSum++
	}
	var widest float64
	for k, in := range result.Inclusion {
		c.statements++
		if misses(in, want.inclusion[k]) {
			c.missedProbabilities++
			any = true
		}
		widest = math.Max(widest, in.Width())
	}
	if any {
		c.missedAny++
	}
	c.sumWidth += result.Normalizer.Width()
	c.widest += widest
	c.score(e, r, want, seed)
}

// score adds the z-scores of the estimates.
func (c *coverage) score(e *evidence, r *run, want *truth, seed int) {
	mean := e.x / e.draws
	variance := (e.xx/e.draws - mean*mean) / e.draws
	z := (e.z0 + mean - math.Exp(want.logZ-r.p.offset-e.logU)) / math.Sqrt(variance)
	c.z1, c.z2 = c.z1+z, c.z2+z*z
	// (gamma - p)(X - a) at the true p, by moments computed here again. Of events that hardly a draw decides, the sample has no variance.
	k, a := seed%e.events, e.a
	v := want.inclusion[k]
	if math.Min(v, 1-v) < 0.02 {
		return
	}
	c.scored++
	g := (e.ex[k] - a*e.count[k]) / e.draws
	gg := (e.exx[k] - 2*a*e.ex[k] + a*a*e.count[k]) / e.draws
	xx := (e.xx-2*a*e.x)/e.draws + a*a
	d := g - v*(mean-a)
	target := v*e.z0 - e.n0[k] - a*(e.inU[k]-v)
	z = (d - target) / math.Sqrt((gg-2*v*gg+v*v*xx-d*d)/e.draws)
	c.p1, c.p2 = c.p1+z, c.p2+z*z
}

var coverageDesigns = []design{
	{n: 60, d: 10, neighbors: 0.5, score: "g", prior: "half"},
	{n: 60, d: 10, neighbors: 0.9, score: "bic", prior: "sizes"},
	{n: 30, d: 11, neighbors: 0.7, score: "known", prior: "own"},
	{n: 20, d: 11, neighbors: 0.8, score: "slab", prior: "sizes"},
	{n: 40, d: 10, neighbors: 0.8, score: "g", prior: "half", units: [][]int{{0, 5}, {1}, {2}, {3}, {4, 6}, {7}, {8}, {9}}},
	{n: 30, d: 10, neighbors: 0.3, score: "slab known", prior: "half"},
}

// The half width is that of Maurer and Pontil's theorem 4, written out, with the error probability of 2 sides of 4 statements:
// log sum w, and three units.
func TestHalfWidth(t *testing.T) {
	f := &frozen{tree: &tree{p: &problem{}, exact: newTotal(3)}, events: 3}
	e := f.evidence(&tally{draws: 100}, 0, 0.05)
	want := math.Sqrt(2*0.25*math.Log(2/(0.05/8))/100) + 7*1.5*math.Log(2/(0.05/8))/(3*99)
	if got := e.halfWidth(0.25, 1.5); math.Abs(got-want) > 1e-15 {
		t.Errorf("half width %g, want %g", got, want)
	}
	f.p.average, f.p.columns, f.rounding = true, 2, 1e-3 // mean coefficients are two statements more
	f.exact = newTotal(5)
	e = f.evidence(&tally{draws: 100}, 0, 0.05)
	if want := math.Log(2 / (0.05 / 12)); math.Abs(e.log-want) > 1e-15 || e.limit < math.Exp(1e-3) {
		t.Errorf("log(2/delta) is %g, want %g; X is at most %g", e.log, want, e.limit)
	}
}

// REGBOOK_CERTIFY=replications prints coverage, widths and z-scores; REGBOOK_CERTIFY_ARGS is the number of replications, 1500.
//
// Coverage by replications: bounds and caps are never broken, intervals miss no more often than they may, and
// z-scores are those of unbiased estimates with the variance that they state.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("repeats what other tests do once")
	}
	replications := 25
	long := os.Getenv("REGBOOK_CERTIFY") == "replications"
	if long {
		replications = 1500
		if n, err := strconv.Atoi(os.Getenv("REGBOOK_CERTIFY_ARGS")); err == nil {
			replications = n
		}
	}
	const alpha = 0.05
	var z1, z2, p1, p2 float64
	scored := 0
	for _, c := range coverageDesigns {
		t.Run(fmt.Sprintf("%s %s", c.score, c.prior), func(t *testing.T) {
			r := replicate(t, c, replications, Settings{Nodes: 40, Draws: 5000, Alpha: alpha, leaf: 2})
			if r.beyondBounds+r.beyondCap > 0 {
				t.Errorf("%d bounds broken, %d weights above their caps", r.beyondBounds, r.beyondCap)
			}
			if n := float64(replications); float64(r.missedAny) > n*alpha+4*math.Sqrt(n*alpha)+1 {
				t.Errorf("%d of %d miss at alpha %g", r.missedAny, replications, alpha)
			}
			share := 1 / float64(len(coverageDesigns))
			scored += r.scored
			z1, z2, p1, p2 = z1+share*r.z1, z2+share*r.z2, p1+share*r.p1, p2+share*r.p2
			if long {
				fmt.Printf("%+v alpha %g: %s\n", c, alpha, r)
				checkScores(t, "sum", r.z1, r.z2, replications)
				checkScores(t, "probability", r.p1, r.p2, r.scored)
			}
		})
	}
	if !long {
		checkScores(t, "sums of all designs", z1, z2, replications*len(coverageDesigns))
		checkScores(t, "probabilities of all designs", p1, p2, scored)
	}
}

// checkScores fails unless the mean and the mean square of n z-scores are near 0 and 1. (Samples of 5,000 of skew variables have
// tails a little heavier than the normal ones.)
func checkScores(t *testing.T, name string, mean, square float64, n int) {
	t.Helper()
	if e := 1 / math.Sqrt(float64(n)); math.Abs(mean) > 4.5*e+0.03 || math.Abs(square-1) > 4.5*math.Sqrt2*e+0.15 {
		t.Errorf("%s: z-scores have the mean %.3f and mean square %.3f, of %d", name, mean, square, n)
	}
}
