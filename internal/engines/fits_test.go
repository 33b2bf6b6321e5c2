//go:build unix

package engines

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// What a fit to pushed-down sums states is not more than what is true: the digits of
// coefficients, held to a fit in memory that is right to 12 digits and more.
func TestStatedDigits(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	n := 6000
	x, z, y, g := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	for i := range n {
		x[i], z[i], g[i] = 1+rnd.Float64(), 1e6+rnd.NormFloat64(), string(rune('a'+i%7))
		y[i] = 1 + x[i] + (z[i] - 1e6) + 0.1*rnd.NormFloat64()
	}
	df := frame(t, frames.Col("x", x), frames.Col("z", z), frames.Col("y", y), frames.Col("g", g))
	formulas := []string{"y ~ g*z", "y ~ 0 + g:z + x", "y ~ C(g, Sum)*x + z", "y ~ z", "y ~ x + z", "y ~ x + I(x^2)", "y ~ x + I(x^2) + I(x^3)", "y ~ x + I(x^2) + I(x^3) + I(x^4)", "y ~ z + I(z*1.0001 + x/1e5)", "y ~ 0 + z + x"}
	exact := map[string]*mlreg.OLS{}
	for _, f := range formulas {
		design, err := frames.Design(df, f)
		if err != nil {
			t.Fatal(err)
		}
		if exact[f], err = mlreg.FitOLS(design, nil); err != nil {
			t.Fatal(err)
		}
		if digits, _ := exact[f].Digits(); digits < 11 {
			t.Fatalf("%s: in memory there are %d digits", f, digits)
		}
	}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range formulas {
			m, _, err := moments(s, f, source.Pushed)
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			fit, err := mlreg.FitOLS(m, nil)
			if errors.Is(err, mlreg.ErrRankDeficient) {
				t.Logf("%s: %v", f, err)
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", f, err)
			}
			digits, _ := fit.Digits()
			right, err := datasets.CorrectDigits(fit.Coef(), exact[f].Coef())
			if err != nil {
				t.Fatal(err)
			}
			if right < float64(digits) {
				t.Errorf("%s: %d digits are stated, %.1f are right", f, digits, right)
			}
			if f == "y ~ x + z" && digits < 9 {
				t.Errorf("%s: only %d digits are stated, of %.1f", f, digits, right)
			}
			t.Logf("%s: %d digits stated, %.1f right", f, digits, right)
		}
	})
}

// Lasso paths, evidence and cross-validation run on what the database sums, and folds
// add up to all rows.
func TestFitsOfSums(t *testing.T) {
	df := datasets.Diabetes()
	design, err := frames.Design(df, "progression ~ .")
	if err != nil {
		t.Fatal(err)
	}
	path, err := mlreg.FitLassoPath(design, nil)
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		source1, err := s.Design(ctx, "progression ~ .", &source.DesignSettings{Route: source.Pushed})
		if err != nil {
			t.Fatal(err)
		}
		got, err := mlreg.FitLassoPath(source1, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{1, 10, 100} {
			at, err := got.At(lambda * path.Lambda()[0] / 200)
			if err != nil {
				t.Fatal(err)
			}
			want, err := path.At(lambda * path.Lambda()[0] / 200)
			if err != nil {
				t.Fatal(err)
			}
			for j, b := range want.Coef() {
				if math.Abs(at.Coef()[j]-b) > 1e-6*(1+math.Abs(b)) {
					t.Errorf("lasso coefficient %d at %v is %v, want %v", j, lambda, at.Coef()[j], b)
				}
			}
		}
		streamed, err := s.Design(ctx, "progression ~ .", &source.DesignSettings{Route: source.Streamed})
		if err != nil {
			t.Fatal(err)
		}
		parts, err := streamed.Folds(5, "", 7)
		if err != nil {
			t.Fatal(err)
		}
		twice, err := streamed.Folds(5, "", 7)
		if err != nil {
			t.Fatal(err)
		}
		for k := range parts {
			if a, b := parts[k].MeanX(), twice[k].MeanX(); parts[k].NObs() < 40 || math.Abs(a[0]-b[0]) > 1e-9 {
				t.Errorf("fold %d has %d rows with means %v, then %v", k, parts[k].NObs(), a, b)
			}
		}
		if d.dialect == source.SQLite { // has no hash function: its rows are streamed
			return
		}
		folds, err := source1.Folds(5, "", 7)
		if err != nil {
			t.Fatal(err)
		}
		sum := folds[0]
		for _, f := range folds[1:] {
			if f.NObs() < 40 {
				t.Errorf("a fold has %d rows", f.NObs())
			}
			if sum, err = sum.Merge(f); err != nil {
				t.Fatal(err)
			}
		}
		all, err := source1.Moments()
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "the sum of folds", sum, all)
		again, err := source1.Folds(5, "", 7)
		if err != nil {
			t.Fatal(err)
		}
		for k := range folds {
			if folds[k].NObs() != again[k].NObs() {
				t.Errorf("fold %d has %d rows, then %d", k, folds[k].NObs(), again[k].NObs())
			}
		}
		by, err := source1.Folds(3, "sex", 1) // which has two values: at most two folds have rows
		if err != nil {
			t.Fatal(err)
		}
		kept := 0
		for _, f := range by {
			if f.NObs() > 0 {
				kept++
			}
		}
		if kept > 2 {
			t.Errorf("two values of the key are in %d folds", kept)
		}
	})
}

// Logistic regression by passes, descriptions, groups, histograms and predictions are
// those of a frame.
func TestLooks(t *testing.T) {
	df := datasets.Prostate()
	memory, err := source.Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	onEach(t, func(t *testing.T, d database, db *sql.DB) {
		s, err := source.Open(ctx, db, d.dialect, d.load(t, db, df, nil))
		if err != nil {
			t.Fatal(err)
		}
		for what, look := range map[string]func(s *source.Source) (dataframe.DataFrame, error){
			"groups": func(s *source.Source) (dataframe.DataFrame, error) {
				return s.GroupBy("gleason").Summarise(ctx, "n()", "m = mean(lpsa)", "sd(lcavol)", "max(age)")
			},
			"histogram":   func(s *source.Source) (dataframe.DataFrame, error) { return s.Histogram(ctx, "lpsa", 7) },
			"description": func(s *source.Source) (dataframe.DataFrame, error) { return described(s) },
		} {
			got, err := look(s)
			if err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			want, err := look(memory)
			if err != nil {
				t.Fatal(err)
			}
			if got.Nrow() != want.Nrow() || got.Ncol() != want.Ncol() {
				t.Fatalf("%s: %d x %d, want %d x %d", what, got.Nrow(), got.Ncol(), want.Nrow(), want.Ncol())
			}
			for i := range want.Nrow() {
				for j := range want.Ncol() {
					a, b := got.Elem(i, j), want.Elem(i, j)
					if x, y := a.Float(), b.Float(); a.String() != b.String() && !(math.Abs(x-y) <= 1e-9*math.Abs(y)) {
						t.Errorf("%s: row %d, column %s is %v, want %v", what, i+1, want.Names()[j], a, b)
					}
				}
			}
		}
		head, err := s.Head(ctx, 5)
		if err != nil || head.Nrow() != 5 {
			t.Errorf("head %v: %v", head, err)
		}
		first, err := s.Sample(ctx, 10, 3)
		if err != nil {
			t.Fatal(err)
		}
		second, err := s.Sample(ctx, 10, 3)
		if err != nil || fmt.Sprint(first) != fmt.Sprint(second) || first.Nrow() != 10 {
			t.Errorf("a sample, drawn again, is another: %v", err)
		}
		if third, err := s.Sample(ctx, 10, 4); err != nil || fmt.Sprint(first) == fmt.Sprint(third) {
			t.Errorf("another seed draws the same sample: %v", err)
		}
		old, err := s.Where(ctx, "age > 65")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := old.NRow(ctx); err != nil || n != must(frames.Where(df, "age > 65")).Nrow() {
			t.Errorf("%d rows: %v", n, err)
		}
		sum := 0.0
		fit, err := mlreg.FitOLS(must(frames.Design(df, "lpsa ~ lcavol + age")), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := source.Predict(ctx, fit, s, func(_ int, p []float64) error {
			for _, v := range p {
				sum += v
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		want := 0.0
		for _, v := range must(frames.Predict(fit, df)) {
			want += v
		}
		if math.Abs(sum-want) > 1e-9*want {
			t.Errorf("predictions sum to %v, want %v", sum, want)
		}
	})
}

func described(s *source.Source) (dataframe.DataFrame, error) {
	d, err := s.Describe(ctx)
	if err != nil {
		return dataframe.DataFrame{}, err
	}
	df, err := d.Frame()
	if err != nil {
		return df, err
	}
	df = df.Select([]string{"column", "missing", "distinct", "mean", "sd", "min", "median", "max"})
	return df, df.Err
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
