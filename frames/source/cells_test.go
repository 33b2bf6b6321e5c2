package source

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/mlreg"
)

// Factors of many levels are summed by their cells: moments, their folds, digits and tests are those of the dense columns.
func TestCellsAreTheColumns(t *testing.T) {
	var b strings.Builder
	b.WriteString("y,x,zone,k,w\n")
	for i := range 30_000 {
		zone := fmt.Sprintf("z%03d", i*i%301)
		if i%997 == 0 {
			zone = "NA"
		}
		fmt.Fprintf(&b, "%d,%d,%s,%d,%d\n", i%100+i*i%301, 1_000_000+i*7%101, zone, i%3, i%4)
	}
	path, s := write(t, b.String())
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, formula := range []string{"y ~ zone + x", "y ~ zone:x + factor(k)", "y ~ 0 + zone + C(factor(k), Helmert)*I(x^2) + offset(x)", "log(y + 1) ~ zone"} {
		for _, weights := range []string{"", "w"} {
			what := formula + " " + weights
			d, err := s.Design(context.Background(), formula, &DesignSettings{Weights: weights})
			if err != nil {
				t.Fatal(what, err)
			}
			if d.coder.Cells() == nil {
				t.Fatalf("%s: the columns are summed", what)
			}
			whole, err := frames.Design(df.Frame, formula, &frames.DesignSettings{Weights: weights})
			if err != nil {
				t.Fatal(what, err)
			}
			want, err := whole.Moments()
			if err != nil {
				t.Fatal(what, err)
			}
			got, err := d.Moments()
			if err != nil {
				t.Fatal(what, err)
			}
			sameSums(t, what, got, want)
			folds, err := d.Folds(3, "", 1)
			if err != nil {
				t.Fatal(what, err)
			}
			total := folds[0]
			for _, f := range folds[1:] {
				if total, err = total.Merge(f); err != nil {
					t.Fatal(what, err)
				}
			}
			sameSums(t, what+", folds", total, want)
			fit, err := mlreg.FitOLS(got, nil)
			if err != nil {
				t.Fatal(what, err)
			}
			rows, err := mlreg.FitOLS(whole, nil)
			if err != nil {
				t.Fatal(what, err)
			}
			dense, err := mlreg.FitOLS(want, nil)
			if err != nil {
				t.Fatal(what, err)
			}
			digits, _ := fit.Digits()
			if least, _ := dense.Digits(); digits < least {
				t.Errorf("%s: %d digits are stated, and %d by sums of columns", what, digits, least)
			}
			expect.NearAll(t, what+", coefficients", fit.Coef(), rows.Coef(), math.Pow(10, -float64(digits)))
		}
	}
}

// sameSums holds moments to others, in units of their standard deviations.
func sameSums(t *testing.T, what string, got, want *mlreg.Moments) {
	t.Helper()
	if got.NObs() != want.NObs() || got.SumWeights() != want.SumWeights() {
		t.Errorf("%s: %d rows of weight %v, not %d of %v", what, got.NObs(), got.SumWeights(), want.NObs(), want.SumWeights())
	}
	a, b, ya, yb := got.SXX(), want.SXX(), got.SXY(), want.SXY()
	for j, name := range want.Terms() {
		root := math.Sqrt(b.At(j, j))
		if !(math.Abs(ya[j]-yb[j]) <= 1e-12*root*math.Sqrt(want.SYY())) {
			t.Errorf("%s: the product of %s and the response is %v, not %v", what, name, ya[j], yb[j])
		}
		for k := range want.Terms() {
			if !(math.Abs(a.At(j, k)-b.At(j, k)) <= 1e-12*root*math.Sqrt(b.At(k, k))) {
				t.Errorf("%s: the product of %s and %s is %v, not %v", what, name, want.Terms()[k], a.At(j, k), b.At(j, k))
			}
		}
	}
	if math.Abs(got.SYY()-want.SYY()) > 1e-12*want.SYY() || math.Abs(got.MeanY()-want.MeanY()) > 1e-12*math.Abs(want.MeanY()) {
		t.Errorf("%s: SYY is %v, not %v", what, got.SYY(), want.SYY())
	}
}

// widest is a coder that remembers the most columns that a block of rows had.
type widest struct {
	table.Coder
	lock    sync.Mutex
	columns int
}

func (w *widest) took(d *mlreg.Design) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if d != nil && d.X != nil {
		w.columns = max(w.columns, d.X.RawMatrix().Cols)
	}
}

func (w *widest) Code(b *table.Block) (*mlreg.Design, table.Counts, error) {
	d, c, err := w.Coder.Code(b)
	w.took(d)
	return d, c, err
}

func (w *widest) CodeCells(b *table.Block, cells *table.Cells) (*mlreg.Design, []int, table.Counts, error) {
	d, of, c, err := w.Coder.CodeCells(b, cells)
	w.took(d)
	return d, of, c, err
}

// Fits of sums by a factor of many levels of a frame code no column of a level, nor do their errors and influence, and those that absorb it.
func TestFrameOfManyLevelsHasNoColumnsOfThem(t *testing.T) {
	const n, levels = 2*blockRows + 1000, 300
	y, x, zone := make([]float64, n), make([]float64, n), make([]string, n)
	for i := range y {
		x[i], zone[i] = float64(i*i%1009), fmt.Sprint("zone ", i*7%levels)
		y[i] = x[i]/100 + float64(i*7%levels%13) + float64(i*i%7)
	}
	df, err := frames.Frame(frames.Col("y", y), frames.Col("x", x), frames.Col("zone", zone))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		formula string
		fit     func(d *Design) ([]float64, error)
		columns int
		coef    int
	}{
		{"y ~ x + zone", func(d *Design) ([]float64, error) { f, err := mlreg.FitOLS(d, nil); return coefOf(f, err) }, 1, levels + 1},
		{"y ~ poly(x, 2)*zone", func(d *Design) ([]float64, error) { f, err := mlreg.FitOLS(d, nil); return coefOf(f, err) }, 2, 3 * levels},
		{"y ~ x + zone", func(d *Design) ([]float64, error) { f, err := mlreg.FitRidge(d, 2, nil); return coefOf(f, err) }, 1, levels + 1},
		{"y ~ x + zone", func(d *Design) ([]float64, error) {
			f := get(mlreg.FitOLS(d, nil))(t)
			get(f.Robust(d, mlreg.HC1))(t)
			get(f.Clustered(d, func(block *mlreg.Design) ([]string, error) {
				names := make([]string, block.NObs())
				for i := range names {
					names[i] = fmt.Sprint(block.RowNumber(i) % 50)
				}
				return names, nil
			}))(t)
			return f.Coef(), f.EachInfluence(d, func(*mlreg.Design, *mlreg.Influence) error { return nil })
		}, 1, levels + 1},
		{"y ~ x + zone", func(d *Design) ([]float64, error) {
			f := get(mlreg.FitGLM(d, mlreg.QuasiPoisson, nil))(t)
			get(f.Robust(d, mlreg.HC3))(t)
			return f.Coef(), f.EachInfluence(d, func(*mlreg.Design, *mlreg.Influence) error { return nil })
		}, 1, levels + 1},
		{"y ~ x | zone", func(d *Design) ([]float64, error) { f, err := mlreg.FitAbsorbed(d); return coefOf(f, err) }, 1, 1},
	} {
		d, err := s.Design(context.Background(), c.formula)
		if err != nil {
			t.Fatal(c.formula, err)
		}
		w := &widest{Coder: d.coder}
		d.coder = w
		coef, err := c.fit(d)
		if err != nil {
			t.Fatal(c.formula, err)
		}
		if len(coef) != c.coef || w.columns != c.columns {
			t.Errorf("%s: %d coefficients by blocks of %d columns, want %d by %d", c.formula, len(coef), w.columns, c.coef, c.columns)
		}
	}
}

// More columns of levels than have products that are summed are refused; behind a bar there may be as many as rows.
func TestTooManyColumnsOfLevels(t *testing.T) {
	const m = 130
	var a, b, id []string
	var y []float64
	for i := range m * m {
		a, b, id, y = append(a, fmt.Sprint("a", i%m)), append(b, fmt.Sprint("b", i/m)), append(id, fmt.Sprint("id", i)), append(y, float64(i))
	}
	df, err := frames.Frame(frames.Col("a", a), frames.Col("b", b), frames.Col("id", id), frames.Col("y", y))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Frame(df)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	_, err = s.Design(ctx, "y ~ a*b")
	expect.Error(t, "too many columns", err, frames.ErrTooLarge, fmt.Sprintf("term a:b has %d columns of %d", (m-1)*(m-1), m*m-1), "16384", "mlreg.FitAbsorbed")
	_, err = s.Design(ctx, "y ~ id")
	expect.Error(t, "too many levels", err, frames.ErrLevel, "more than 1000 levels", "mlreg.FitAbsorbed")
	for _, formula := range []string{"y ~ a + b", "y ~ a | id"} {
		if _, err := s.Design(ctx, formula); err != nil {
			t.Errorf("%s: %v", formula, err)
		}
	}
}

func coefOf[F interface{ Coef() []float64 }](f F, err error) ([]float64, error) {
	if err != nil {
		return nil, err
	}
	return f.Coef(), nil
}

// Robust errors by the cells of factors are those of the dense columns: near numbers far from zero, with weights of zero and offsets.
// Rows that were not fitted, and rows of leverage 1, are refused as there.
func TestRobustErrorsByCells(t *testing.T) {
	var b, other strings.Builder
	b.WriteString("y,x,zone,k,w\n")
	other.WriteString("y,x,zone,k,w\n")
	for i := range 6000 {
		row := fmt.Sprintf("%d,z%02d,%d,%d\n", 1000+i*7%101, i*i%101, i%3, i%4)
		fmt.Fprintf(&b, "%d,%s", i%100+i*i%301, row)
		fmt.Fprintf(&other, "%d,%s", i%97+i*i%301, row)
	}
	fmt.Fprintf(&b, "7,1000,alone,1,1\n")
	_, s := write(t, b.String())
	_, others := write(t, other.String())
	some := get(s.Where(t.Context(), `zone != "alone"`))(t)
	for _, formula := range []string{"y ~ zone + x", "y ~ zone:I(x^2) + factor(k)", "y ~ 0 + zone + C(factor(k), Helmert)*I(x/10) + offset(x)", "log(y + 1) ~ zone"} {
		for _, weights := range []string{"", "w"} {
			set := &DesignSettings{Weights: weights}
			d := get(some.Design(t.Context(), formula, set))(t)
			if blocks, err := d.byCells(); blocks == nil {
				t.Fatalf("%s has no cells: %v", formula, err)
			}
			fit := get(mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))(t)
			for hc := mlreg.HC0; hc <= mlreg.HC3; hc++ {
				got, want := get(fit.Robust(d, hc))(t), get(fit.Robust(mlreg.RowBlocksFunc(d.EachBlock), hc))(t)
				for j, e := range want.StdErr() {
					if off := math.Abs(got.StdErr()[j] - e); off > 1e-9*e {
						t.Errorf("%s, weights %q, %v: the error of %s is %v, want %v", formula, weights, hc, fit.Names()[j], got.StdErr()[j], e)
					}
				}
			}
			_, err := fit.Robust(get(others.Design(t.Context(), formula, set))(t), mlreg.HC1)
			wantError(t, err, mlreg.ErrShape, "the residual sum of squares of these rows is ")
			_, err = fit.Robust(get(get(some.Where(t.Context(), "k < 2"))(t).Design(t.Context(), formula, set))(t), mlreg.HC1)
			if !errors.Is(err, mlreg.ErrShape) && !errors.Is(err, mlreg.ErrCoding) {
				t.Errorf("fewer rows: %v", err)
			}
		}
	}
	d := get(s.Design(t.Context(), "y ~ zone + x"))(t)
	_, err := get(mlreg.FitOLS(d, nil))(t).Robust(d, mlreg.HC3)
	wantError(t, err, mlreg.ErrNotEstimable, "row 6001 has leverage 1")
}

// Clustered errors and influence by the cells of factors are those of the dense columns, and the blocks of both have these columns.
func TestClusteredErrorsAndInfluenceByCells(t *testing.T) {
	var b strings.Builder
	b.WriteString("y,x,zone,k,w\n")
	for i := range 9000 {
		fmt.Fprintf(&b, "%d,%d,z%02d,%d,%d\n", i%100+i*i%301, 1000+i*7%101, i*i%101, i%3, i%4)
	}
	fmt.Fprintf(&b, "7,1000,alone,1,1\n")
	_, s := write(t, b.String())
	for _, formula := range []string{"y ~ zone + x", "y ~ zone:I(x^2) + factor(k)", "y ~ 0 + zone + C(factor(k), Helmert)*I(x/10) + offset(x)", "log(y + 1) ~ zone"} {
		for _, weights := range []string{"", "w"} {
			what := fmt.Sprintf("%s, weights %q", formula, weights)
			d := get(s.Design(t.Context(), formula, &DesignSettings{Weights: weights}))(t)
			if blocks, err := d.byCells(); blocks == nil {
				t.Fatalf("%s has no cells: %v", formula, err)
			}
			dense := mlreg.RowBlocksFunc(d.EachBlock)
			fit := get(mlreg.FitOLS(d, &mlreg.OLSSettings{Aliased: mlreg.DropAliased}))(t)
			firms := func(block *mlreg.Design) ([]string, error) {
				names := make([]string, block.NObs())
				for i := range names {
					names[i] = fmt.Sprint(block.RowNumber(i)%531, block.X.At(i, len(block.Names)-1))
				}
				return names, nil
			}
			got, want := get(fit.Clustered(d, firms))(t), get(fit.Clustered(dense, firms))(t)
			for j, e := range want.StdErr() {
				tol := 1e-9 * e
				if rounding := 1e-7 * fit.StdErr()[j]; e < rounding { // 0, the root of a rounded one: of a row alone
					tol = rounding
				}
				if off := math.Abs(got.StdErr()[j] - e); off > tol {
					t.Errorf("%s: the error of %s is %v, want %v", what, fit.Names()[j], got.StdErr()[j], e)
				}
			}
			var rows []*mlreg.Design
			var influences []*mlreg.Influence
			keep := func(block *mlreg.Design, inf *mlreg.Influence) error {
				rows, influences = append(rows, block), append(influences, inf)
				return nil
			}
			for _, blocks := range []mlreg.RowBlocks{dense, d} {
				if err := fit.EachInfluence(blocks, keep); err != nil {
					t.Fatal(what, err)
				}
			}
			half := len(rows) / 2
			for k := range half {
				sameRows(t, what, rows[half+k], rows[k])
				a, b := influences[half+k], influences[k]
				expect.NearAll(t, what+", residuals", a.Residuals, b.Residuals, 1e-9)
				expect.NearAll(t, what+", leverages", a.Leverage, b.Leverage, 1e-10)
				expect.NearAll(t, what+", Cook's distances", a.CooksDistance, b.CooksDistance, 1e-9)
			}
		}
	}
}

// sameRows holds a block to another.
func sameRows(t *testing.T, what string, got, want *mlreg.Design) {
	t.Helper()
	if !slices.Equal(got.Names, want.Names) || got.NoIntercept != want.NoIntercept || !slices.Equal(got.RowNumbers, want.RowNumbers) || !slices.Equal(got.Offset, want.Offset) {
		t.Errorf("%s: the block has other columns or rows: %v, not %v", what, got.Names, want.Names)
		return
	}
	if !mat.EqualApprox(got.X, want.X, 1e-14) {
		t.Errorf("%s: the block has other values", what)
	}
}

// A row of weight zero takes no digits from the others, however far from them it is.
func TestFarRowOfWeightZeroByCells(t *testing.T) {
	d := get(get(Frame(counts(t, 9000)))(t).Design(t.Context(), "y ~ zone + x", &DesignSettings{Weights: "w"}))(t)
	dense := mlreg.RowBlocksFunc(d.EachBlock)
	fit := get(mlreg.FitOLS(d, nil))(t)
	sameNumbers(t, "errors", get(fit.Robust(d, mlreg.HC3))(t).StdErr(), get(fit.Robust(dense, mlreg.HC3))(t).StdErr(), 1e-9)
	var cook [2][]float64
	for k, rows := range []mlreg.RowBlocks{d, dense} {
		err := fit.EachInfluence(rows, func(_ *mlreg.Design, inf *mlreg.Influence) error {
			cook[k] = append(cook[k], inf.CooksDistance...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sameNumbers(t, "Cook's distances", cook[0], cook[1], 1e-9)
}

// Likelihoods of numbers beside factors of many levels are maximized by cells: coefficients, errors and deviances are those of the rows
// in memory, near numbers far from zero, with weights of zero, offsets and penalties. A class that levels separate is named as there.
func TestLikelihoodsByCells(t *testing.T) {
	var b strings.Builder
	b.WriteString("y,x,zone,k,w,class,alone,far\n")
	r := rand.New(rand.NewPCG(1, 2))
	far := 1_000_000_000 // in the first row, which has no weight
	for i := range 44_000 {
		z, x := r.IntN(101), r.IntN(101)
		eta := float64(x+z)/50 - 2
		fmt.Fprintf(&b, "%d,%d,z%02d,%d,%d,%v,%v,%d\n", int(2*math.Exp(eta)*r.Float64()), 1000+x, z, i%3, i%4, r.Float64() < 1/(1+math.Exp(-eta)), z == 4, far+x)
		far = 1000
	}
	path, s := write(t, b.String())
	df, err := frames.ReadCSV(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	type fit interface {
		Names() []string
		NObs() int
		Coef() []float64
		StdErr() []float64
		Deviance() float64
		NullDeviance() float64
	}
	logistic := func(l2 float64) func(rows mlreg.RowBlocks) (fit, error) {
		return func(rows mlreg.RowBlocks) (fit, error) {
			return mlreg.FitLogistic(rows, &mlreg.LogisticSettings{L2: l2})
		}
	}
	glm := func(family mlreg.GLMFamily, link mlreg.Link) func(rows mlreg.RowBlocks) (fit, error) {
		return func(rows mlreg.RowBlocks) (fit, error) {
			return mlreg.FitGLM(rows, family, &mlreg.GLMSettings{Link: link})
		}
	}
	for _, c := range []struct {
		formula, weights string
		fit              func(rows mlreg.RowBlocks) (fit, error)
	}{
		{"class ~ zone + x", "", logistic(0)},
		{"class ~ zone + C(factor(k), Helmert)*I(x/10) + offset(x/1000)", "w", logistic(0)},
		{"class ~ 0 + zone:x + factor(k)", "", logistic(2)},
		{"y ~ zone + far + offset(log(x))", "w", glm(mlreg.Poisson, 0)},
		{"I(y + 1) ~ zone + x", "", glm(mlreg.Gamma, mlreg.LogLink)},
		{"I(y + w + 1) ~ zone + offset(x/1000)", "", glm(mlreg.Gamma, mlreg.LogLink)},
	} {
		what := c.formula
		set := &DesignSettings{Weights: c.weights}
		d := get(s.Design(t.Context(), c.formula, set))(t)
		w := &widest{Coder: d.coder}
		d.coder = w
		got := get(c.fit(d))(t)
		if numbers := len(d.coder.Cells().Numbers); w.columns != numbers {
			t.Errorf("%s: blocks of %d columns are coded, want %d", what, w.columns, numbers)
		}
		want := get(c.fit(get(frames.Design(df.Frame, c.formula, &frames.DesignSettings{Weights: c.weights}))(t)))(t)
		if !slices.Equal(got.Names(), want.Names()) || got.NObs() != want.NObs() {
			t.Fatalf("%s: %d rows of %v, not %d of %v", what, got.NObs(), got.Names(), want.NObs(), want.Names())
		}
		expect.Near(t, what+", deviance", got.Deviance(), want.Deviance(), 1e-12)
		expect.Near(t, what+", null deviance", got.NullDeviance(), want.NullDeviance(), 1e-12)
		for j, e := range want.StdErr() {
			if off := math.Abs(got.Coef()[j] - want.Coef()[j]); off > 1e-8*e {
				t.Errorf("%s: the coefficient of %s is off by %.2g standard errors", what, want.Names()[j], off/e)
			}
			expect.Near(t, what+", error of "+want.Names()[j], got.StdErr()[j], e, 1e-9)
		}
	}
	d := get(s.Design(t.Context(), "alone ~ zone + x"))(t)
	_, err = mlreg.FitLogistic(d, nil)
	wantError(t, err, mlreg.ErrSeparated, "zone")
}
