//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// What a fit states of columns far from zero, of their interactions and of functions whose
// values the database rounds is not more than what is true: held to fits in memory.
func TestDigitsOfRoundedColumns(t *testing.T) {
	formulas := []string{
		"y ~ x*f", "y ~ x*g", "y ~ x*f - 1", "y ~ x:g", "y ~ I(x^2)", "y ~ log(x)", "y ~ log(x)*f", "y ~ exp(x/1e6)", "y ~ I(x*0.1 + g)", "I(y + 1e4) ~ x", "I(1e4/x) ~ g + f",
		"y ~ sqrt(x) + sin(x)", "y ~ poly(x, 3)", "y ~ poly(log(x), 2)*g", "y ~ poly(x, 2, raw = TRUE)", "y ~ scale(x)*f", "y ~ ns(x, 4) + g", "y ~ bs(x, 5)", "y ~ fourier(x, period = 7)",
	}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		for _, mean := range []float64{1e2, 1e4, 1e6} {
			for _, n := range []int{40, 1000} {
				df := farFromZero(t, mean, n)
				s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
				if err != nil {
					t.Fatal(err)
				}
				for _, formula := range formulas {
					for _, weights := range []string{"", "w"} {
						statedDigits(t, df, s, formula, weights)
					}
				}
			}
		}
	})
}

// farFromZero is a frame whose x has the mean given and the standard deviation 1.
func farFromZero(t *testing.T, mean float64, n int) dataframe.DataFrame {
	rnd := rand.New(rand.NewPCG(1, uint64(n)))
	x, y, g, w, f := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	for i := range n {
		x[i] = mean + rnd.NormFloat64()
		g[i] = 1 + 1e-2*rnd.NormFloat64()
		w[i] = 0.5 + rnd.Float64()
		f[i] = []string{"a", "b", "c"}[rnd.IntN(3)]
		y[i] = (x[i] - mean) + 0.1*rnd.NormFloat64()
	}
	return frame(t, frames.Col("y", y), frames.Col("x", x), frames.Col("g", g), frames.Col("w", w), frames.Col("f", f))
}

// statedDigits compares a fit by both routes with that in memory.
func statedDigits(t *testing.T, df dataframe.DataFrame, s *source.Source, formula, weights string) {
	t.Helper()
	design, err := frames.Design(df, formula, &frames.DesignSettings{Weights: weights})
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	exact, err := mlreg.FitOLS(design, nil)
	if err != nil {
		t.Fatalf("%s: %v", formula, err)
	}
	coefs, stderrs := exact.Digits()
	for _, route := range []source.Route{source.Pushed, source.Streamed} {
		d, err := s.Design(ctx, formula, &source.DesignSettings{Route: route, Weights: weights})
		if err != nil {
			t.Fatalf("%s, %v: %v", formula, route, err)
		}
		fit, err := mlreg.FitOLS(d, nil)
		if errors.Is(err, mlreg.ErrRankDeficient) || errors.Is(err, frames.ErrSetting) { // no digit is left
			continue
		}
		if err != nil {
			t.Errorf("%s, %v: %v", formula, route, err)
			continue
		}
		coef, stderr := fit.Digits()
		for j, b := range exact.Coef() {
			if off := math.Abs(fit.Coef()[j]-b) / math.Abs(b); coef > 0 && off > math.Pow(10, -float64(coef))+math.Pow(10, -float64(coefs)) {
				t.Errorf("%s, %v: %s is off by %.1e, and %d digits are stated", formula, route, exact.Names()[j], off, coef)
			}
			if off := math.Abs(fit.StdErr()[j]/exact.StdErr()[j] - 1); stderr > 0 && off > math.Pow(10, -float64(stderr))+math.Pow(10, -float64(stderrs)) {
				t.Errorf("%s, %v: the standard error of %s is off by %.1e, and %d digits are stated", formula, route, exact.Names()[j], off, stderr)
			}
		}
	}
}
