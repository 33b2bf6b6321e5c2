//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// classesAndCounts are rows of two classes and of counts; z lies far from zero, and level d of h has one class only.
func classesAndCounts(t *testing.T) dataframe.DataFrame {
	rnd := rand.New(rand.NewPCG(5, 7))
	n := 3000
	x, z, w, count := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	g, h, class := make([]string, n), make([]string, n), make([]string, n)
	for i := range n {
		x[i], z[i], w[i], g[i], h[i] = 1+rnd.Float64()*3, 1e6+rnd.NormFloat64(), float64(rnd.IntN(3)), string(rune('a'+i%5)), string(rune('a'+i%4))
		eta := x[i] - 2 + 0.5*(z[i]-1e6) + 0.3*float64(i%5)
		if class[i] = "no"; h[i] == "d" || rnd.Float64() < 1/(1+math.Exp(-eta)) {
			class[i] = "yes"
		}
		count[i] = math.Floor(math.Exp(eta/2) * 4 * rnd.Float64())
	}
	x[17], z[333] = math.NaN(), math.NaN()
	return frame(t, frames.Col("x", x), frames.Col("z", z), frames.Col("w", w), frames.Col("count", count), frames.Col("g", g), frames.Col("h", h), frames.Col("class", class))
}

// certified is what fits of likelihoods say.
type certified interface {
	Coef() []float64
	StdErr() []float64
	Deviance() float64
	NullDeviance() float64
	LogLik() float64
	Method() string
}

func likelihood(rows mlreg.RowBlocks, counts bool, l2 float64) (certified, error) {
	if counts {
		return mlreg.FitGLM(rows, mlreg.Poisson, &mlreg.GLMSettings{L2: l2})
	}
	return mlreg.FitLogistic(rows, &mlreg.LogisticSettings{L2: l2})
}

// Fits of classes and counts whose steps a database sums are those of the rows, to the digits that they state.
func TestNewtonSteps(t *testing.T) {
	df := classesAndCounts(t)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
		for _, c := range []struct {
			formula, weights string
			l2               float64
		}{
			{"class ~ x + z", "w", 0}, {"class ~ g*x + z", "", 0}, {"class ~ 0 + x + C(g, Sum)", "", 2}, {"class ~ poly(x, 2) + log(x):z", "", 0}, {"class ~ x + g:z", "w", 0},
			{"count ~ x + z", "", 0}, {"count ~ 0 + log(x) + g", "w", 3}, {"count ~ bs(x, df = 5) + factor(g)", "", 0},
		} {
			counts := strings.HasPrefix(c.formula, "count")
			want := must(likelihood(must(frames.Design(df, c.formula, &frames.DesignSettings{Weights: c.weights})), counts, c.l2))
			what := fmt.Sprintf("%s, weights %q, L2 = %v", c.formula, c.weights, c.l2)
			got, err := likelihood(must(s.Design(ctx, c.formula, &source.DesignSettings{Route: source.Pushed, Weights: c.weights})), counts, c.l2)
			if err != nil {
				t.Errorf("%s: %v", what, err)
				continue
			}
			if !strings.Contains(got.Method(), "summed by the database") {
				t.Errorf("%s: the rows were read: %s", what, got.Method())
			}
			digits, se := 9, 8 // a GLM states none
			if l, ok := got.(*mlreg.Logistic); ok {
				digits, se = l.Digits()
			}
			right := must(datasets.CorrectDigits(got.Coef(), want.Coef()))
			if right < float64(digits) || digits < 5 {
				t.Errorf("%s: %d digits are stated, %.1f are right", what, digits, right)
			}
			rightSE := must(datasets.CorrectDigits(got.StdErr(), want.StdErr()))
			if rightSE < float64(se) || se < 1 {
				t.Errorf("%s: %d digits of standard errors are stated, %.1f are right", what, se, rightSE)
			}
			a, b := []float64{got.Deviance(), got.NullDeviance(), got.LogLik()}, []float64{want.Deviance(), want.NullDeviance(), want.LogLik()}
			for i := range a {
				if !(math.Abs(a[i]-b[i]) <= 1e-11*math.Abs(b[i])) {
					t.Errorf("%s: deviance, null deviance and log-likelihood are %v, want %v", what, a, b)
					break
				}
			}
			t.Logf("%s: %d digits stated, %.1f right; of standard errors %d, %.1f", what, digits, right, se, rightSE)
		}
		var separated *mlreg.SeparationError
		if _, err := mlreg.FitLogistic(must(s.Design(ctx, "class ~ x + h", &source.DesignSettings{Route: source.Pushed})), nil); !errors.As(err, &separated) {
			t.Errorf("level d of h has one class: %v", err)
		}
	})
}

// manyClasses makes a table of n rows of five numbers and of two classes.
func (d database) manyClasses(t *testing.T, db *sql.DB, n int) string {
	from := map[*source.Dialect]string{
		source.DuckDB:     "(SELECT range AS i FROM range(%d)) AS made",
		source.PostgreSQL: "(SELECT CAST(k AS double precision) AS i FROM generate_series(1, %d) AS k) AS made",
		source.ClickHouse: "(SELECT number AS i FROM system.numbers LIMIT %d)",
	}[d.dialect]
	engine, name := "", fmt.Sprintf("classes%d", n)
	if d.dialect == source.ClickHouse {
		engine = " ENGINE = MergeTree ORDER BY tuple()"
	}
	run(t, db, "CREATE TABLE "+name+engine+" AS SELECT sin(i * 0.7) AS x1, cos(i * 1.9) AS x2, sin(i * 3.7) AS x3, cos(i * 5.3) AS x4, sin(i * 6.1) AS x5, "+
		"CASE WHEN sin(i * 0.7) + cos(i * 7.31) > 0.2 THEN 1 ELSE 0 END AS class FROM "+fmt.Sprintf(from, n))
	if d.dialect == source.PostgreSQL {
		run(t, db, "ANALYZE "+name)
	}
	return name
}

// Where no route is set, DuckDB and ClickHouse sum the steps of a likelihood of a million rows, and PostgreSQL, whose rows are
// faster, does not; nor does any of them for a tenth of the rows. The fit is that of the other route, to the digits that both state.
func TestNewtonStepsAreChosen(t *testing.T) {
	const rows, formula = 1_000_000, "class ~ x1 + x2 + x3 + x4 + x5"
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		if d.dialect == source.SQLite || d.dialect == source.MariaDB {
			t.Skip("its rows are always read")
		}
		for _, n := range []int{rows / 10, rows} {
			s := must(source.Open(ctx, db, d.dialect, d.manyClasses(t, db, n)))
			want := n == rows && d.dialect != source.PostgreSQL
			design := must(s.Design(ctx, formula))
			if sums := map[bool]source.Route{true: source.Pushed, false: source.Streamed}[n == rows]; d.dialect == source.PostgreSQL && design.Route() != sums {
				t.Errorf("%d rows: %v", n, design)
			}
			chosen := must(mlreg.FitLogistic(design, nil))
			if got := strings.Contains(chosen.Method(), "summed by the database"); got != want {
				t.Errorf("%d rows are summed by the database: %v", n, got)
			}
			route := source.Pushed
			if want {
				route = source.Streamed
			}
			other := must(mlreg.FitLogistic(must(s.Design(ctx, formula, &source.DesignSettings{Route: route})), nil))
			coef, se := chosen.Digits()
			coefOther, seOther := other.Digits()
			least := float64(min(coef, coefOther))
			if right := must(datasets.CorrectDigits(chosen.Coef(), other.Coef())); right < least || least < 5 {
				t.Errorf("%d rows: %d and %d digits are stated, %.1f agree", n, coef, coefOther, right)
			}
			least = float64(min(se, seOther))
			if right := must(datasets.CorrectDigits(chosen.StdErr(), other.StdErr())); right < least || least < 5 {
				t.Errorf("%d rows: %d and %d digits of standard errors are stated, %.1f agree", n, se, seOther, right)
			}
		}
	})
}
