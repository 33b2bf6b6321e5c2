package source

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// Passes over sums of products find the recurrence of mlreg.NewPoly, from Legendre's: evenly
// spread values in one or two, those of long tails in more.
func TestJacobi(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 1))
	for name, c := range map[string]struct {
		x      func() float64
		degree int
		most   int
	}{
		"uniform":   {rnd.Float64, 8, 1},
		"normal":    {rnd.NormFloat64, 5, 3},
		"far":       {func() float64 { return 1e9 + rnd.NormFloat64() }, 3, 3},
		"lognormal": {func() float64 { return math.Exp(1.5 * rnd.NormFloat64()) }, 4, 6},
		"few":       {func() float64 { return float64(rnd.IntN(6)) }, 5, 3},
	} {
		x := make([]float64, 4000)
		for i := range x {
			x[i] = c.x()
		}
		want, err := mlreg.NewPoly(x, c.degree)
		if err != nil {
			t.Fatal(err)
		}
		low, high := slices.Min(x), slices.Max(x)
		j := &jacobi{center: low/2 + high/2, scale: high/2 - low/2}
		for k := range c.degree {
			k := float64(k + 1)
			j.a, j.s = append(j.a, 0), append(j.s, k/math.Sqrt(4*k*k-1))
		}
		passes := 0
		for ; !j.done && passes < mostPasses; passes++ {
			p := &mlreg.Poly{N: 1, Alpha: j.a, Beta: j.squares()}
			g := make([][]float64, c.degree+1)
			for k := range g {
				g[k] = make([]float64, k+1)
			}
			for _, v := range x {
				q := append([]float64{1}, p.Eval(nil, (v-j.center)/j.scale)...)
				for k := range g {
					for m := range k + 1 {
						g[k][m] += q[k] * q[m] / float64(len(x))
					}
				}
			}
			if !j.correct(g) {
				t.Fatalf("%s: nothing was won", name)
			}
		}
		if !j.done || passes > c.most {
			t.Errorf("%s: %d passes, done %v", name, passes, j.done)
		}
		for k := range want.Alpha {
			spread := math.Sqrt(want.Beta[0])
			a, b := j.center+j.scale*j.a[k], j.scale*j.scale*j.s[k]*j.s[k]
			if !(math.Abs(a-want.Alpha[k]) <= 1e-12*math.Max(spread, math.Abs(want.Alpha[k]))) || !(math.Abs(b/want.Beta[k]-1) <= 1e-12) {
				t.Errorf("%s: constants %d are %.17g and %.17g, want %.17g and %.17g", name, k, a, b, want.Alpha[k], want.Beta[k])
			}
		}
	}
}

// A basis of constants that an engine found is the one that rows give, and so are errors.
func TestSetBasis(t *testing.T) {
	x := []float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}
	sorted := slices.Sorted(slices.Values(x))
	distinct := slices.Compact(slices.Clone(sorted))
	block := &table.Block{N: len(x), Columns: []*table.Column{{Field: table.Field{Name: "x", Type: "float"}, Num: x, Missing: make([]bool, len(x))}, {Field: table.Field{Name: "y", Type: "float"}, Num: x, Missing: make([]bool, len(x))}}}
	fields := []table.Field{block.Columns[0].Field, block.Columns[1].Field}
	learner := func(formula string) table.Learner {
		l, err := table.Frames.Compile(formula, fields, &frames.DesignSettings{}, table.Limits{Levels: 9, Values: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	text := func(l table.Learner, err error) string {
		if err != nil {
			return err.Error()
		}
		c, err := l.Coder()
		if err != nil {
			return err.Error()
		}
		plan, err := c.Plan()
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%.13g", plan.Variables[0].Basis)
	}
	for _, term := range []string{"scale(x)", "scale(x, center = FALSE)", "scale(x, scale = FALSE)", "poly(x, 3)", "poly(x, 9)", "poly(x, 3, raw = TRUE)", "ns(x)", "ns(x, 3)", "ns(x, knots = c(3, 5))", "ns(x, 3, intercept = TRUE)", "ns(x, 12)", "bs(x)", "bs(x, 5)", "bs(x, 5, degree = 2)", "bs(x, 2)",
		"bs(x, 6, intercept = TRUE)", "ns(x, 3, Boundary.knots = c(2, 7))", "ns(x, 3, Boundary.knots = c(20, 70))", "ns(x, knots = 4, Boundary.knots = c(2, 7))", "fourier(x, period = 7)"} {
		rows := learner("y ~ " + term)
		err := rows.Add(block)
		if err == nil {
			err = rows.EndPass()
		}
		want := text(rows, err)
		l := learner("y ~ " + term)
		need := l.Needs()[0]
		c := table.Constants{N: len(x), Distinct: distinct[:min(len(distinct), max(need.Distinct, 1)+1)], Least: sorted[0], Largest: sorted[len(x)-1]}
		inside := slices.DeleteFunc(slices.Clone(sorted), func(v float64) bool { return need.Boundary != nil && (v < need.Boundary[0] || v > need.Boundary[1]) })
		for i := range need.Knots {
			if len(inside) > 0 {
				c.Knots = append(c.Knots, mlreg.SampleQuantile(inside, float64(i+1)/float64(need.Knots+1)))
			}
		}
		if need.Degree > 0 && len(c.Distinct) > need.Distinct {
			p, err := mlreg.NewPoly(x, need.Degree)
			if err != nil {
				t.Fatal(err)
			}
			c.Alpha, c.Beta = p.Alpha, p.Beta
		}
		err = l.SetBasis(need.Variable, c)
		if got := text(l, err); got != want || err == nil && l.Pass() {
			t.Errorf("%s: %s, want %s", term, got, want)
		}
	}
	// Knots that are given: the first rows of a sorted table may be equal.
	equal := &table.Block{N: 2, Columns: []*table.Column{{Field: fields[0], Num: []float64{4, 4}, Missing: make([]bool, 2)}, {Field: fields[1], Num: []float64{4, 4}, Missing: make([]bool, 2)}}}
	for k, blocks := range [][]*table.Block{{equal, equal}, {equal, block}} {
		l := learner("y ~ ns(x, knots = c(3, 5), Boundary.knots = c(1, 9))")
		for _, b := range blocks {
			if err := l.Add(b); err != nil {
				t.Fatal(err)
			}
		}
		if err := l.EndPass(); (err == nil) != (k == 1) {
			t.Errorf("%d: %v", k, err)
		}
	}
	if need := learner("y ~ rbf(x)").Needs()[0]; need.Inputs != nil {
		t.Errorf("%+v", need)
	}
	if err := learner("y ~ x").SetBasis(0, table.Constants{}); err == nil || !strings.Contains(err.Error(), "no basis") {
		t.Error(err)
	}
}
