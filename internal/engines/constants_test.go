//go:build unix

package engines

import (
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// uneven is a table whose columns are hard to learn constants of: a mean of 10^9, wide
// scales, an outlier, ties, whole numbers, missing and infinite values, dates.
func uneven(t *testing.T, n int) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(17, 2))
	nan := math.NaN()
	far, wide, out, tied, some, y, day := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	whole, one, few := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		far[i], wide[i], out[i] = 1e9+rnd.NormFloat64(), math.Exp(2*rnd.NormFloat64()), rnd.NormFloat64()
		tied[i], some[i], y[i] = math.Floor(3*rnd.NormFloat64())/4, rnd.Float64(), rnd.NormFloat64()
		whole[i], one[i], few[i] = rnd.IntN(50), 7, float64(rnd.IntN(3))
		day[i] = fmt.Sprintf("20%02d-%02d-%02d", 10+rnd.IntN(9), 1+rnd.IntN(12), 1+rnd.IntN(28))
		if i%11 == 3 {
			some[i] = nan
		}
		if i%13 == 4 {
			y[i] = nan
		}
	}
	out[5] = 1e4
	y[7], some[7] = nan, math.Inf(1) // in a row that is not complete
	return frame(t, frames.Col("far", far), frames.Col("wide", wide), frames.Col("out", out), frames.Col("tied", tied), frames.Col("some", some), frames.Col("whole", whole), frames.Col("one", one), frames.Col("few", few), frames.Col("day", day), frames.Col("y", y))
}

// near compares numbers to 12 digits of the largest of the two and of a unit.
func nearTo(got, want, unit float64) bool {
	return math.Abs(got-want) <= 1e-12*math.Max(math.Abs(want), unit)
}

// sameConstants compares bases; knots of columns are equal.
func sameConstants(t *testing.T, what string, got, want mlreg.Basis) {
	t.Helper()
	bad := func() { t.Errorf("%s: %+v, want %+v", what, got, want) }
	switch w := want.(type) {
	case *mlreg.Poly:
		g, ok := got.(*mlreg.Poly)
		if !ok || g.N != w.N || len(g.Alpha) != len(w.Alpha) {
			bad()
			return
		}
		for k := range w.Alpha {
			if !nearTo(g.Alpha[k], w.Alpha[k], math.Sqrt(w.Beta[0])) || !nearTo(g.Beta[k], w.Beta[k], 0) {
				t.Errorf("%s: constants %d are %.17g and %.17g, want %.17g and %.17g", what, k, g.Alpha[k], g.Beta[k], w.Alpha[k], w.Beta[k])
			}
		}
	case *mlreg.NaturalSpline, *mlreg.BSpline:
		if a, b := fmt.Sprintf("%+v", knotsOf(got)), fmt.Sprintf("%+v", knotsOf(want)); a != b {
			t.Errorf("%s: %s, want %s", what, a, b)
		}
	default:
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", want) {
			bad()
			return
		}
		for _, x := range []float64{-3, 0, 0.5, 1e9} {
			a, b := got.Eval(nil, x), want.Eval(nil, x)
			for k := range b {
				if !nearTo(a[k], b[k], 1) && !strings.Contains(what, "far") {
					t.Errorf("%s: at %v %v, want %v", what, x, a, b)
				}
			}
		}
	}
}

func knotsOf(b mlreg.Basis) [][]float64 {
	switch b := b.(type) {
	case *mlreg.NaturalSpline:
		return [][]float64{b.Knots, b.Boundary}
	case *mlreg.BSpline:
		return [][]float64{b.Knots, b.Boundary}
	}
	return nil
}

// Constants that a database computes are those of memory: to 12 digits, and knots exactly.
func TestConstants(t *testing.T) {
	df := uneven(t, 3000)
	terms := []string{"scale(far)", "scale(wide)", "scale(some)", "scale(whole, center = FALSE)", "scale(one, center = FALSE)", "scale(tied, scale = FALSE)", "poly(far, 3)", "poly(wide, 2)", "poly(out, 1)", "poly(tied, 4)", "poly(some, 5)", "poly(some, 2, raw = TRUE)", "poly(whole, 8)", "poly(few, 2)",
		"poly(log(wide), 4)", "ns(some, 4)", "ns(far, 7)", "bs(wide, 6)", "bs(tied, 5, degree = 2)", "ns(whole, knots = c(10, 20))", "bs(some, 6, intercept = TRUE)", "ns(whole, 3, Boundary.knots = c(5, 40))", "ns(day, 4)", "poly(day, 2)", "fourier(whole, period = 12, order = 2)"}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		df := finite(t, d, df)
		s := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
		for _, complete := range []bool{false, true} {
			for _, term := range []string{"poly(wide, 2)", strings.Join(terms, " + ")} {
				formula := "y ~ " + term
				what := fmt.Sprintf("%s, LearnComplete %v", formula, complete)
				want := must(frames.Design(df, formula, &frames.DesignSettings{LearnComplete: complete}))
				got, err := s.Design(ctx, formula, &source.DesignSettings{LearnComplete: complete, Route: source.Pushed})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				text, by := got.String(), fmt.Sprintf("constants: by %v\n", d.dialect)
				if !strings.Contains(text, by) && !(d.dialect == source.SQLite && strings.Contains(text, "ns(day, 4) from rows")) {
					t.Errorf("%s: %s", what, text)
				}
				a, b := got.Terms(), frames.TermsOf(want)
				for v := range b.Variables {
					sameConstants(t, what+": "+b.Variables[v].Text, a.Variables[v].Basis, b.Variables[v].Basis)
				}
				if a.Since != b.Since {
					t.Errorf("%s: since %q, want %q", what, a.Since, b.Since)
				}
			}
		}
		// Errors are those of memory.
		for _, formula := range []string{"y ~ scale(one)", "y ~ poly(one, 1)", "y ~ poly(few, 3)", "y ~ ns(few, 4)", "y ~ bs(one)", "y ~ ns(tied, 30)", "y ~ ns(some, 3, Boundary.knots = c(4, 5))", "y ~ poly(some, 0)", "far ~ scale(some)", "far ~ ns(log(tied), 3)", "y ~ ns(wide, 3, knots = 4)"} {
			if formula == "far ~ scale(some)" && d.dialect.Finite {
				continue // its infinite values are missing
			}
			_, want := frames.Design(df, formula)
			_, got := s.Design(ctx, formula)
			if want == nil || got == nil || strings.TrimPrefix(got.Error(), "source: ") != want.Error() && !strings.Contains(formula, "far ~") {
				t.Errorf("%s: %v, want %v", formula, got, want)
			}
		}
		none := must(s.Where(ctx, "wide < 0"))
		if _, err := none.Design(ctx, "y ~ poly(wide, 2)"); err == nil {
			t.Error("no rows, and no error")
		}
	})
}
