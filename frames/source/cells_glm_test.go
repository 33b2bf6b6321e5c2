package source

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// counts returns rows of counts and classes by 60 zones, whose first one has no weight and a value far from the others, and a row for
// every level that is alone in it.
func counts(t *testing.T, n int, alone ...string) dataframe.DataFrame {
	t.Helper()
	var b strings.Builder
	b.WriteString("y,x,zone,k,w,class\n5,1000000000,z03,1,0,true\n")
	r := rand.New(rand.NewPCG(3, 5))
	for i := range n {
		z, x := r.IntN(60), r.IntN(101)
		eta := float64(x+z)/80 - 1
		fmt.Fprintf(&b, "%d,%d,z%02d,%d,%d,%v\n", int(6*math.Exp(eta)*r.Float64()), 1000+x, z, i%3, i%4, r.Float64() < 1/(1+math.Exp(-eta)))
	}
	for _, level := range alone {
		fmt.Fprintf(&b, "7,1000,%s,1,1,true\n", level)
	}
	path, _ := write(t, b.String())
	return get(frames.ReadCSV(path, nil))(t).Frame
}

// glmCells are generalized linear models by cells.
var glmCells = []struct {
	formula, weights string
	family           mlreg.GLMFamily
	link             mlreg.Link
}{
	{"class ~ zone", "", mlreg.Binomial, 0},
	{"class ~ zone + I(x %% 1000)", "", mlreg.Binomial, 0},
	{"class ~ 0 + zone + x + factor(k) + offset(w/10)", "w", mlreg.Binomial, mlreg.ProbitLink},
	{"y ~ zone + x + offset(log(x))", "w", mlreg.Poisson, 0},
	{"y ~ zone:x + factor(k)", "w", mlreg.QuasiPoisson, 0},
	{"I(y + 1) ~ zone + C(factor(k), Helmert)*I(x/10)", "w", mlreg.Gamma, mlreg.LogLink},
	{"I(y + 1) ~ 0 + zone", "", mlreg.InverseGaussian, mlreg.LogLink},
}

// Robust errors of likelihoods by the cells of factors are those of the dense columns, in blocks and in memory: of one factor and two, beside numbers and
// times them, without an intercept, with offsets and weights of zero.
func TestRobustErrorsOfLikelihoodsByCells(t *testing.T) {
	df := counts(t, 9000)
	s := get(Frame(df))(t)
	for _, c := range glmCells {
		d := get(s.Design(t.Context(), c.formula, &DesignSettings{Weights: c.weights}))(t)
		if blocks, err := d.byCells(); blocks == nil {
			t.Fatalf("%s has no cells: %v", c.formula, err)
		}
		whole := get(frames.Design(df, c.formula, &frames.DesignSettings{Weights: c.weights}))(t)
		fit := get(mlreg.FitGLM(d, c.family, &mlreg.GLMSettings{Link: c.link}))(t)
		for hc := mlreg.HC0; hc <= mlreg.HC3; hc++ {
			got := get(fit.Robust(d, hc))(t)
			for of, rows := range map[string]mlreg.RowBlocks{"blocks": mlreg.RowBlocksFunc(d.EachBlock), "memory": whole} {
				want := get(fit.Robust(rows, hc))(t)
				what := fmt.Sprintf("%s, %v, %s", c.formula, hc, of)
				sameNumbers(t, what, got.StdErr(), want.StdErr(), 1e-9)
				if a, b := got.String(), want.String(); a != b {
					t.Errorf("%s: the table is\n%s\nnot\n%s", what, a, b)
				}
			}
		}
	}
}

// Influence on likelihoods by the cells of factors is that of the dense columns, and the blocks of both have these columns. Rows alone in their level
// have leverage 1.
func TestInfluenceOnLikelihoodsByCells(t *testing.T) {
	for _, alone := range [][]string{nil, {"alone"}} {
		df := counts(t, 9000, alone...)
		s := get(Frame(df))(t)
		for _, c := range glmCells {
			if alone != nil && strings.HasPrefix(c.formula, "class") {
				continue // one class in a level has no estimate
			}
			d := get(s.Design(t.Context(), c.formula, &DesignSettings{Weights: c.weights}))(t)
			whole := get(frames.Design(df, c.formula, &frames.DesignSettings{Weights: c.weights}))(t)
			fit := get(mlreg.FitGLM(d, c.family, &mlreg.GLMSettings{Link: c.link}))(t)
			var rows []*mlreg.Design
			var influences []*mlreg.Influence
			keep := func(block *mlreg.Design, inf *mlreg.Influence) error {
				rows, influences = append(rows, block), append(influences, inf)
				return nil
			}
			for _, blocks := range []mlreg.RowBlocks{mlreg.RowBlocksFunc(d.EachBlock), d} {
				if err := fit.EachInfluence(blocks, keep); err != nil {
					t.Fatal(c.formula, err)
				}
			}
			half := len(rows) / 2
			var all mlreg.Influence
			for k := range half {
				sameRows(t, c.formula, rows[half+k], rows[k])
				sameInfluence(t, c.formula, influences[half+k], influences[k])
				all.Residuals, all.Leverage = append(all.Residuals, influences[half+k].Residuals...), append(all.Leverage, influences[half+k].Leverage...)
			}
			want := get(fit.Influence(whole))(t)
			sameNumbers(t, c.formula+", residuals in memory", all.Residuals, want.Residuals, 1e-8)
			sameNumbers(t, c.formula+", leverages in memory", all.Leverage, want.Leverage, 1e-9)
		}
	}
}

// sameInfluence holds the diagnostics of a block to others.
func sameInfluence(t *testing.T, what string, got, want *mlreg.Influence) {
	t.Helper()
	sameNumbers(t, what+", residuals", got.Residuals, want.Residuals, 1e-8)
	sameNumbers(t, what+", leverages", got.Leverage, want.Leverage, 1e-9)
	sameNumbers(t, what+", standardized", got.Standardized, want.Standardized, 1e-8)
	sameNumbers(t, what+", studentized", got.Studentized, want.Studentized, 1e-8)
	sameNumbers(t, what+", sigma", got.Sigma, want.Sigma, 1e-9)
	sameNumbers(t, what+", Cook's distances", got.CooksDistance, want.CooksDistance, 1e-8)
	sameNumbers(t, what+", DFFITS", got.DFFITS, want.DFFITS, 1e-8)
}

// sameNumbers holds numbers to others, relative to these, or but for the rounding of a 0; NaN is NaN.
func sameNumbers(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, not %d", what, len(got), len(want))
	}
	for i, v := range want {
		if got[i] != v && !(math.Abs(got[i]-v) <= math.Max(tol*math.Abs(v), 1e-13)) && !(math.IsNaN(v) && math.IsNaN(got[i])) {
			t.Errorf("%s: number %d is %v, not %v", what, i, got[i], v)
			return
		}
	}
}

// Rows of other likelihoods, and errors that are not defined, are refused by cells as by dense columns; standardized fits read these.
func TestRefusedByCellsOfLikelihoods(t *testing.T) {
	df := counts(t, 9000, "alone", "lone")
	s := get(Frame(df))(t)
	design := func(s *Source, formula string) *Design {
		return get(s.Design(t.Context(), formula, &DesignSettings{Weights: "w"}))(t)
	}
	visit := func(*mlreg.Design, *mlreg.Influence) error { return nil }
	d := design(s, "y ~ zone + x")
	fit := get(mlreg.FitGLM(d, mlreg.Poisson, nil))(t)
	for _, hc := range []mlreg.HC{mlreg.HC2, mlreg.HC3} {
		_, err := fit.Robust(d, hc)
		wantError(t, err, mlreg.ErrNotEstimable, "row 9002 has leverage 1, for which "+hc.String())
	}
	get(fit.Robust(d, mlreg.HC1))(t)
	some := get(s.Where(t.Context(), "x < 1000000"))(t)
	for what, c := range map[string]struct {
		rows *Design
		kind error
		part string
	}{
		"fewer rows":   {design(get(some.Where(t.Context(), "!(x == 1050 & k == 1)"))(t), "y ~ zone + x"), mlreg.ErrShape, "rows of positive weight"},
		"other counts": {design(s, "I(y*(1 + k)) ~ zone + x"), mlreg.ErrShape, "the deviance of these rows is"},
		"an offset":    {design(s, "y ~ zone + x + offset(log(x))"), mlreg.ErrShape, "these rows have an offset"},
		"no numbers":   {design(s, "y ~ zone"), mlreg.ErrShape, "x"},
		"no counts":    {design(s, "I(y - 2) ~ zone + x"), mlreg.ErrSetting, "counts are not negative"},
	} {
		if blocks, err := c.rows.byCells(); blocks == nil {
			t.Errorf("%s: no cells: %v", what, err)
		}
		_, err := fit.Robust(c.rows, mlreg.HC0)
		wantError(t, err, c.kind, c.part)
		wantError(t, fit.EachInfluence(c.rows, visit), c.kind, c.part)
	}
	penalized := get(mlreg.FitGLM(d, mlreg.Poisson, &mlreg.GLMSettings{L2: 1}))(t)
	_, err := penalized.Robust(d, mlreg.HC0)
	wantError(t, err, mlreg.ErrNotEstimable, "penalty")
	wantError(t, fit.EachInfluence(d, nil), mlreg.ErrNoData, "nil")
	wantError(t, fit.EachInfluence(d, func(*mlreg.Design, *mlreg.Influence) error { return ErrChanged }), ErrChanged)
	_, err = fit.Robust(design(s, "~ zone + x"), mlreg.HC0)
	wantError(t, err, mlreg.ErrNoData, "no response")
	many := get(s.Where(t.Context(), `!grepl("lone", zone)`))(t)
	words := get(many.With(t.Context(), `class = case_when(class, "yes", TRUE, "no")`))(t)
	classes := get(mlreg.FitGLM(design(many, "class ~ zone + x"), mlreg.Binomial, nil))(t)
	_, err = classes.Robust(design(words, "class ~ zone + x"), mlreg.HC0)
	wantError(t, err, mlreg.ErrLabels, `is yes in row 1`)
	want := get(classes.Robust(design(many, "class ~ zone + x"), mlreg.HC3))(t).StdErr()
	for what, rows := range map[string]*Design{
		"no row without weight": design(get(many.Where(t.Context(), "x < 1000000"))(t), "class ~ zone + x"), "other columns besides": design(many, "class ~ factor(k) + x + zone"),
	} {
		sameNumbers(t, what, get(classes.Robust(rows, mlreg.HC3))(t).StdErr(), want, 1e-9)
	}
}

// A fit to standardized columns has the errors and the influence of these, from the rows of a design by cells, too.
func TestStandardizedLikelihoodsByCells(t *testing.T) {
	df := counts(t, 3000)
	raw := get(frames.Design(df, "y ~ zone + x", &frames.DesignSettings{Weights: "w"}))(t)
	scaled := get(raw.Standardize(nil))(t)
	fit := get(mlreg.FitGLM(scaled, mlreg.Poisson, nil))(t)
	d := get(get(Frame(df))(t).Design(t.Context(), "y ~ zone + x", &DesignSettings{Weights: "w"}))(t)
	sameNumbers(t, "errors", get(fit.Robust(d, mlreg.HC3))(t).StdErr(), get(fit.Robust(scaled, mlreg.HC3))(t).StdErr(), 1e-9)
	err := fit.EachInfluence(d, func(block *mlreg.Design, inf *mlreg.Influence) error {
		sameInfluence(t, "influence", inf, get(fit.Influence(scaled))(t))
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// A number of mean a million and spread one costs six digits of errors and leverages, and no more, by cells and by dense columns: a fit to the number less
// its mean has the same.
func TestDigitsOfLikelihoodsByCells(t *testing.T) {
	s := get(get(Frame(counts(t, 9000)))(t).With(t.Context(), "near = (x - 1050)/30", "far = 1000000 + near"))(t)
	fit := func(formula string) (*mlreg.GLM, *Design) {
		d := get(s.Design(t.Context(), formula, &DesignSettings{Weights: "w"}))(t)
		return get(mlreg.FitGLM(d, mlreg.Poisson, nil))(t), d
	}
	near, of := fit("y ~ zone + near")
	numbers := func(f *mlreg.GLM, rows mlreg.RowBlocks) (errors, leverages []float64) {
		err := f.EachInfluence(rows, func(_ *mlreg.Design, inf *mlreg.Influence) error {
			leverages = append(leverages, inf.Leverage...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return get(f.Robust(rows, mlreg.HC3))(t).StdErr()[1:], leverages
	}
	wantErrors, wantLeverages := numbers(near, of)
	off := func(got, want []float64) (most float64) {
		for i, v := range want {
			if v != 0 {
				most = math.Max(most, math.Abs(got[i]/v-1))
			}
		}
		return most
	}
	far, d := fit("y ~ zone + far")
	errors, leverages := numbers(far, d)
	denseErrors, denseLeverages := numbers(far, mlreg.RowBlocksFunc(d.EachBlock))
	for what, v := range map[string]float64{
		"errors": off(errors, wantErrors), "errors by columns": off(denseErrors, wantErrors),
		"leverages": off(leverages, wantLeverages), "leverages by columns": off(denseLeverages, wantLeverages),
	} {
		if v > 1e-9 {
			t.Errorf("%s are off by %.2g of themselves", what, v)
		}
	}
}
