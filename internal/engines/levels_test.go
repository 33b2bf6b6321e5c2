//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// levelled is a frame whose zone has many levels: as a text whose order depends on a collation, as one beyond ASCII, and as a whole
// number.
func levelled(t *testing.T, rows, levels int) dataframe.DataFrame {
	t.Helper()
	rnd := rand.New(rand.NewPCG(7, uint64(levels)))
	y, b, c := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	id, number := make([]int, rows), make([]int, rows)
	zone, other, half := make([]string, rows), make([]string, rows), make([]string, rows)
	for i := range rows {
		k := i % levels
		id[i], number[i] = i, 1000-7*k
		zone[i], other[i], half[i] = fmt.Sprintf([]string{"Zone %d", "zone-%d ", "zone %d", "_%d"}[k%4], k*k%9973), fmt.Sprintf("Zöne %d ", k), []string{"h", "H", "h "}[i/levels%3]
		b[i], c[i] = rnd.NormFloat64(), 100+rnd.Float64()
		y[i] = float64(k%17) + b[i]*float64(k%5) - 0.01*c[i] + rnd.NormFloat64()
	}
	return frame(t, frames.Col("id", id), frames.Col("y", y), frames.Col("b", b), frames.Col("c", c), frames.Col("zone", zone),
		frames.Col("other", other), frames.Col("number", number), frames.Col("half", half))
}

// Predictions by factors of many levels, alone, times numbers and nested, are those of frames.Predict; a level more adds as
// much to the statement as any other; an unknown level is an error.
func TestPredictionsOfManyLevels(t *testing.T) {
	df := levelled(t, 1800, 300)
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s := must(must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))).By(source.Pushed))
		for _, formula := range []string{"y ~ zone", "y ~ zone*b + c", "y ~ 0 + other + b:c", "y ~ factor(number):b + c", "y ~ C(zone, Sum) + C(half, Helmert):b", "y ~ half:I(b > 0):c", "y ~ 0 + zone:half"} {
			fit := must(mlreg.FitOLS(must(frames.Design(df, formula)), &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))
			p, err := s.WithPredictions(ctx, fit, "p")
			if err != nil {
				t.Errorf("%s: %v", formula, err)
				continue
			}
			samePredictions(t, formula, p, "p", must(frames.Predict(fit, df)))
		}
		for _, column := range []string{"zone", "other", "number"} {
			some := must(frames.Where(df, map[string]string{"zone": `zone != "zone 4"`, "other": `other != "Zöne 2 "`, "number": "number != 986"}[column]))
			fit := must(mlreg.FitOLS(must(frames.Design(some, "y ~ factor("+column+") + b")), nil))
			if _, err := s.WithPredictions(ctx, fit, "p"); !errors.Is(err, frames.ErrLevel) || !strings.Contains(err.Error(), column) {
				t.Errorf("an unknown level of %s: %v", column, err)
			}
		}
		for _, formula := range []string{"y ~ zone*b", "y ~ C(zone, Sum)", "y ~ half:zone:b"} {
			var size []int
			for _, levels := range []int{50, 100, 200} {
				df := levelled(t, 6*levels, levels)
				s := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
				fit := must(mlreg.FitOLS(must(frames.Design(df, formula)), &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))
				text := must(must(must(s.By(source.Pushed)).WithPredictions(ctx, fit, "p")).SQL())
				size = append(size, len(text))
			}
			if more := float64(size[2]-size[1]) / float64(size[1]-size[0]); more > 2.2 { // numbers of more digits
				t.Errorf("%s: statements of 50, 100 and 200 levels have %v bytes", formula, size)
			}
		}
	})
}

// Levels that the sums find are those of frames.Design, and so are the fits: of factors alone and together, of texts, numbers and
// conditions, in any order of the rows, with missing values, weights of 0, and contrasts.
func TestLevelsFoundBySums(t *testing.T) {
	df := levelled(t, 900, 60)
	w, u := make([]float64, df.Nrow()), df.Col("b").Float()
	for i := range w {
		if w[i] = float64(i % 60 % 7); i%31 == 4 {
			u[i] = math.NaN()
		}
	}
	df = df.Mutate(series.New(w, series.Float, "w")).Mutate(series.New(u, series.Float, "u"))
	sorted := must(frames.Sort(df, "zone"))
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		for _, df := range []dataframe.DataFrame{df, sorted} {
			s := must(source.Open(ctx, db, d.dialect, d.load(t, db, df, nil)))
			for _, c := range []struct{ formula, weights string }{
				{"y ~ zone", ""}, {"y ~ zone + b*c", "w"}, {"y ~ 0 + other + u:c", ""}, {"y ~ factor(number) + u", "w"}, {"y ~ half*I(b > 0) + c", ""},
				{"y ~ C(zone, Sum) + C(half, Helmert):u", ""}, {"y ~ half*factor(number)", "w"}, {"y ~ zone + half:u", ""},
			} {
				want := must(frames.Design(df, c.formula, &frames.DesignSettings{Weights: c.weights}))
				got := must(s.Design(ctx, c.formula, &source.DesignSettings{Route: source.Pushed, Weights: c.weights}))
				columns := frames.TermsOf(want).Columns
				if terms := got.Terms(); !slices.Equal(terms.Columns, columns) {
					t.Errorf("%s has the columns %q, want %q", c.formula, terms.Columns, columns)
					continue
				}
				set := &mlreg.OLSSettings{Aliased: mlreg.DropAliased}
				a, b := must(mlreg.FitOLS(got, set)), must(mlreg.FitOLS(want, set))
				if !floats.EqualFunc(a.Coef(), b.Coef(), func(x, y float64) bool { return x != x && y != y || math.Abs(x-y) < 1e-9*(1+math.Abs(y)) }) || a.NObs() != b.NObs() {
					t.Errorf("%s: %v\n%v", c.formula, a.Coef(), b.Coef())
				}
			}
		}
	})
}
