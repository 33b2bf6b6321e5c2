//go:build unix

package engines

import (
	"database/sql"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// A formula of everything: moments by both routes, coefficients, and predictions of other
// rows are those of memory.
func TestMixedFormula(t *testing.T) {
	const n = 4000
	rnd := rand.New(rand.NewPCG(17, 9))
	x, z, far, y, w, v := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	g, h, id := make([]string, n), make([]bool, n), make([]int, n)
	for i := range n {
		x[i], v[i], z[i], far[i] = 10*rnd.Float64(), rnd.NormFloat64(), math.Exp(rnd.NormFloat64()), 1e6+rnd.NormFloat64()
		g[i], h[i], id[i], w[i] = []string{"a", "A", "é", "it's"}[rnd.IntN(4)], rnd.IntN(2) == 0, i, float64(rnd.IntN(4))
		y[i] = math.Sin(x[i]) + math.Log(z[i]) + (far[i] - 1e6) + float64(len(g[i])) + 0.1*rnd.NormFloat64()
		switch {
		case i%31 == 3:
			z[i] = math.NaN()
		case i%37 == 5:
			y[i] = math.NaN()
		}
	}
	all := frame(t, frames.Col("id", id), frames.Col("x", x), frames.Col("v", v), frames.Col("z", z), frames.Col("far", far), frames.Col("g", g), frames.Col("h", h), frames.Col("w", w), frames.Col("y", y))
	train := must(frames.Where(all, "id < 3000"))
	formula := "y ~ poly(x, 3)*g + ns(z, 4) + bs(v, 6):h + log(z):g + scale(far) + I(z^2)"
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		memory, wanted := read(d, train), read(d, all)
		if d.numbers() {
			memory, wanted = must(frames.With(memory, "h = 1*h")), must(frames.With(wanted, "h = 1*h"))
		}
		table := must(source.Open(ctx, db, d.dialect, d.load(t, db, all, nil)))
		s := must(table.Where(ctx, "id < 3000"))
		for _, route := range []source.Route{source.Pushed, source.Streamed, source.Automatic} {
			for _, weights := range []string{"", "w"} {
				what := route.String() + weights
				design := must(frames.Design(memory, formula, &frames.DesignSettings{Weights: weights}))
				want := must(mlreg.FitOLS(design, nil))
				sd, err := s.Design(ctx, formula, &source.DesignSettings{Weights: weights, Route: route})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				compare(t, what, must(sd.Moments()), must(design.Moments()))
				got, err := mlreg.FitOLS(sd, nil)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				a, b := must(frames.Predict(got, wanted)), must(frames.Predict(want, wanted))
				for i := range b {
					if !(math.Abs(a[i]-b[i]) <= 1e-8*(1+math.Abs(b[i])) || a[i] != a[i] && b[i] != b[i]) {
						t.Errorf("%s: row %d is predicted %.17g, want %.17g", what, i, a[i], b[i])
						break
					}
				}
				if route != source.Pushed {
					continue
				}
				p, err := must(table.By(source.Pushed)).WithPredictions(ctx, got, "p")
				if err != nil {
					if d.dialect != source.ClickHouse || !strings.Contains(err.Error(), "digits") {
						t.Errorf("%s: %v", what, err)
					}
					p = must(table.WithPredictions(ctx, got, "p"))
				}
				samePredictions(t, what, p, "p", a)
			}
		}
	})
}
