package sourcetest

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
)

// lyingRows are more than the rows of a table that tell the shifts of sums, of which the first lyingFrom lie.
const lyingRows, lyingFrom = 18000, 4200

// lying is a frame whose first rows are unlike the rest: sorted, of other means and scales, constant, of whole numbers,
// without the largest, complete, of few levels, and of weights that are all one.
func lying(t *testing.T) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 4))
	columns := make(map[string][]float64)
	set := func(name string, x float64) { columns[name] = append(columns[name], x) }
	g := make([]string, lyingRows)
	for i := range lyingRows {
		z, late := rnd.NormFloat64(), i >= lyingFrom
		pick := func(first, rest float64) float64 {
			if late {
				return rest
			}
			return first
		}
		set("row", float64(i))
		set("sorted", math.Exp(float64(i)/1000+1e-3*z))
		set("step", pick(rnd.NormFloat64(), 1e9+z))
		set("constant", pick(5, 5+z))
		set("whole", pick(float64(i%7), float64(i%5)+0.25*math.Round(z)))
		set("count", pick(3, 1e6+float64(i%11)))
		set("missing", z)
		set("y", z+rnd.NormFloat64())
		set("w", pick(1, float64(i%3)))
		if g[i] = []string{"a", "b"}[i%2]; late {
			g[i] = []string{"a", "b", "c"}[i%3]
		}
		if late && i%83 == 2 {
			columns["missing"][i] = math.NaN()
		}
	}
	columns["outlier"] = append([]float64(nil), columns["y"]...)
	for i := range 3 {
		columns["outlier"][lyingRows-1-i] = 1e8
	}
	all := []frames.Column{frames.Col("g", g)}
	for _, name := range []string{"row", "y", "sorted", "step", "constant", "whole", "count", "missing", "outlier", "w"} {
		all = append(all, frames.Col(name, columns[name]))
	}
	return frame(t, all...)
}

// lies has sums of a table whose first rows are unlike the rest have as many digits as others, and what is wrong with a
// later row be named.
func (h *harness) lies(t *testing.T) {
	df := lying(t)
	s := h.table(t, df)
	for _, formula := range []string{
		"y ~ row", "y ~ sorted", "y ~ step", "y ~ outlier", "y ~ constant", "y ~ whole", "y ~ count", "y ~ missing", "y ~ g*missing + whole",
		"step ~ sorted + outlier + whole + g", "count ~ step - 1", "y ~ I(step^2) + g:outlier",
	} {
		h.agree(t, s, df, formula, true)
		h.told(t, s, df, formula)
	}
	for _, route := range routes {
		h.moments(t, s, df, "y ~ step + count + missing", &source.DesignSettings{Route: route, Weights: "w"}, true)
	}
	for _, condition := range []string{"row >= 4200", "row > 17990", "row < 20"} {
		rest := must(frames.Where(df, condition))(t)
		h.agree(t, must(s.Where(ctx, condition))(t), rest, "y ~ step + sorted + count", true)
	}
	h.faults(t)
}

// told has a design say the same of its rows and terms as one in memory.
func (h *harness) told(t *testing.T, s *source.Source, df dataframe.DataFrame, formula string) {
	t.Helper()
	d := must(s.Design(ctx, formula, &source.DesignSettings{Route: source.Pushed}))(t)
	must(d.Moments())(t)
	if got, want := d.Terms().String(), frames.TermsOf(must(frames.Design(df, formula, nil))(t)).String(); got != want {
		t.Errorf("%s: terms are\n%s\nwant\n%s", formula, got, want)
	}
}

// faults has values that only a late row has be named by both routes.
func (h *harness) faults(t *testing.T) {
	t.Helper()
	const n = 4200
	for _, c := range []struct {
		formula, weights string
		x                float64
		is               error
		says             string
	}{
		{"y ~ x", "", math.Inf(1), frames.ErrNotFinite, "x is infinite"},
		{"y ~ log(x)", "", -2, frames.ErrNotFinite, "log(x)"},
		{"y ~ 1", "x", -2, frames.ErrSetting, "-2"},
	} {
		if math.IsInf(c.x, 0) && h.d.Finite {
			continue
		}
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = float64(1+i%7), float64(i*i%11)
		}
		x[n-2] = c.x
		s := h.table(t, frame(t, frames.Col("x", x), frames.Col("y", y)))
		for _, route := range routes {
			d, err := s.Design(ctx, c.formula, &source.DesignSettings{Route: route, Weights: c.weights})
			if err == nil {
				_, err = d.Moments()
			}
			if !errors.Is(err, c.is) || route == source.Pushed && !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s, %v: %v", c.formula, route, err)
			}
		}
	}
}
