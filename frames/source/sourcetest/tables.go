package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// groups has summaries of groups.
func (h *harness) groups(t *testing.T) {
	df := hard(t, 900)
	s := h.table(t, df)
	for _, keys := range [][]string{{"g"}, {"count", "g"}, {"day"}, {"b"}} {
		summaries := []string{"n = n()", "mean = mean(a)", "sd = sd(a)", "sum = sum(count)", "least = min(wide)", "largest = max(b)"}
		want := must(frames.GroupBy(df, keys...).Summarise(summaries...))(t)
		for _, route := range routes {
			got, err := must(s.By(route))(t).GroupBy(keys...).Summarise(ctx, summaries...)
			if errors.Is(err, frames.ErrSetting) && route == source.Pushed {
				t.Logf("not pushed: %v", err)
				continue
			}
			near(t, fmt.Sprintf("groups by %q, %v", keys, route), must(got, err)(t), want)
		}
	}
}

// folds has rows be dealt, and samples drawn, by their values.
func (h *harness) folds(t *testing.T) {
	df := hard(t, 2000)
	s := h.table(t, df)
	if h.d.RowHash == nil {
		t.Skip("the dialect has no RowHash")
	}
	d := must(s.Design(ctx, "y ~ b + count", &source.DesignSettings{Route: source.Pushed}))(t)
	rows := 0
	for _, m := range must(d.Folds(4, "", 7))(t) {
		if n := m.NObs(); n < 300 || n > 700 {
			t.Errorf("a fold has %d of 2000 rows", n)
		}
		rows += m.NObs()
	}
	if rows != d.Terms().N-d.Terms().Omitted {
		t.Errorf("folds have %d rows", rows)
	}
	a, b := must(s.Sample(ctx, 50, 1))(t), must(s.Sample(ctx, 50, 1))(t)
	c := must(s.Sample(ctx, 50, 2))(t)
	in := func(df dataframe.DataFrame) string {
		return strings.Join(must(frames.Sort(df, "row"))(t).Col("row").Records(), " ")
	}
	if a.Nrow() != 50 || in(a) != in(b) || in(a) == in(c) {
		t.Errorf("samples have the rows\n%s\n%s\n%s", in(a), in(b), in(c))
	}
}

// predictions has the database compute them.
func (h *harness) predictions(t *testing.T) {
	df := hard(t, 600)
	s := h.table(t, df)
	ols := must(mlreg.FitOLS(must(frames.Design(df, "y ~ a*g + poly(b, 2) + factor(count)", nil))(t), nil))(t)
	h.agreeColumn(t, must(s.WithPredictions(ctx, ols, "p"))(t), ols, df, "p")
	const bar = "y ~ a + b | g"
	absorbed := must(mlreg.FitAbsorbed(must(frames.Design(df, bar, nil))(t)))(t)
	for _, route := range routes {
		there := must(mlreg.FitAbsorbed(must(s.Design(ctx, bar, &source.DesignSettings{Route: route}))(t)))(t)
		for j, b := range absorbed.Coef() {
			if math.Abs(there.Coef()[j]-b) > 1e-9*(1+math.Abs(b)) {
				t.Errorf("%s, %v: coefficient %d is %v, want %v", bar, route, j, there.Coef()[j], b)
			}
		}
		same := frames.Predictor(there) // whose effects of levels, some 1e9, are rounded as they were found
		if route == source.Streamed {
			same = absorbed
		}
		h.agreeColumn(t, must(s.WithPredictions(ctx, there, "p"))(t), same, df, "p")
	}
	logistic := must(mlreg.FitLogistic(must(frames.Design(df, "class ~ b + g", nil))(t), nil))(t)
	h.agreeColumn(t, must(s.WithPredictions(ctx, logistic, "p"))(t), logistic, df, "p")
}

// agreeColumn holds a column of predictions to those in memory.
func (h *harness) agreeColumn(t *testing.T, s *source.Source, fit frames.Predictor, df dataframe.DataFrame, column string) {
	t.Helper()
	want := must(frames.Predict(fit, df))(t)
	rows := must(frames.Sort(must(s.Head(ctx, df.Nrow()+1))(t), "row"))(t)
	got := rows.Col(column)
	if len(want) != got.Len() {
		t.Fatalf("%d predictions, want %d", got.Len(), len(want))
	}
	for i, p := range want {
		v := got.Elem(i).Float()
		if math.IsNaN(p) != got.Elem(i).IsNA() || math.Abs(v-p) > 1e-11*(1+math.Abs(p)) {
			t.Fatalf("the prediction in row %d is %v, want %v", i+1, v, p)
		}
	}
}

// create has tables be made whole or not at all.
func (h *harness) create(t *testing.T) {
	df := hard(t, 300)
	s := h.table(t, df)
	some := must(s.Where(ctx, "count > 2"))(t)
	want := must(frames.Where(df, "count > 2"))(t)
	name := h.name(t)
	made := must(some.CreateTable(ctx, name, nil))(t)
	same(t, must(frames.Sort(must(made.Head(ctx, 301))(t), "row"))(t), must(frames.Sort(want, "row"))(t))
	if _, err := s.CreateTable(ctx, name, nil); !errors.Is(err, frames.ErrSetting) {
		t.Errorf("a table that exists: %v", err)
	}
	if n := must(must(s.CreateTable(ctx, name, &source.TableSettings{Replace: true}))(t).NRow(ctx))(t); n != 300 {
		t.Errorf("a table that was replaced has %d rows", n)
	}
	itself := must(source.Open(ctx, h.db, h.d, name))(t)
	few := must(must(itself.Where(ctx, "row < 10"))(t).CreateTable(ctx, name, &source.TableSettings{Replace: true}))(t)
	if n := must(few.NRow(ctx))(t); n != 10 {
		t.Errorf("a table that replaced itself has %d rows", n)
	}
}

// load has tables be loaded whole or not at all.
func (h *harness) load(t *testing.T) {
	df := hard(t, 3000)
	name := h.name(t)
	rows := must(source.Frame(df))(t)
	s := must(source.Load(ctx, h.db, h.d, name, rows, nil))(t)
	same(t, must(frames.Sort(must(s.Head(ctx, 3001))(t), "row"))(t), df)
	bad := must(rows.With(ctx, "z = log(2990.5 - row)"))(t) // not defined in the last rows
	for _, settings := range []*source.TableSettings{nil, {Replace: true}} {
		if _, err := source.Load(ctx, h.db, h.d, name, bad, settings); err == nil {
			t.Errorf("a load that fails: %v", err)
		}
		if n := must(s.NRow(ctx))(t); n != 3000 {
			t.Errorf("after a load that failed there are %d rows", n)
		}
	}
	none := h.name(t)
	if _, err := source.Load(ctx, h.db, h.d, none, bad, nil); err == nil {
		t.Error("a load has to fail")
	}
	if _, err := source.Open(ctx, h.db, h.d, none); !errors.Is(err, source.ErrSource) {
		t.Errorf("a table is left of a load that failed: %v", err)
	}
	few := must(source.Frame(df.Subset([]int{0, 1, 2})))(t)
	if n := must(must(source.Load(ctx, h.db, h.d, name, few, &source.TableSettings{Replace: true}))(t).NRow(ctx))(t); n != 3 {
		t.Errorf("a table that was replaced has %d rows", n)
	}
	if _, err := source.Load(ctx, h.db, h.d, h.name(t), must(source.Frame(frame(t, frames.Col("x", []float64{1, math.Inf(1)}))))(t), nil); (err != nil) != h.d.Finite {
		t.Errorf("an infinite number: %v", err)
	}
}

// changed has rows that change between passes be noticed, also where their count does not.
func (h *harness) changed(t *testing.T) {
	if h.d.RowHash == nil && h.d.Checksum == nil {
		t.Skip("the dialect has no RowHash and no Checksum")
	}
	n := 400
	name := h.name(t)
	fill := func(k int) {
		x, y := make([]float64, n), make([]float64, n)
		for i := range n {
			x[i], y[i] = float64(i*i%101)/8, float64(7*i%13)/2
		}
		x[k], x[k+7] = x[k+7], x[k]
		must(source.Load(ctx, h.db, h.d, name, must(source.Frame(frame(t, frames.Col("y", y), frames.Col("x", x))))(t), &source.TableSettings{Replace: true}))(t)
	}
	for _, route := range routes {
		fill(0)
		s := must(source.Open(ctx, h.db, h.d, name))(t)
		d := must(s.Design(ctx, "y ~ x", &source.DesignSettings{Route: route}))(t)
		read := func() error { return d.EachBlock(func(*mlreg.Design) error { return nil }) }
		sum := func() error { _, err := d.Moments(); return err }
		if err := errors.Join(sum(), read(), sum()); err != nil {
			t.Fatalf("%v: rows that did not change: %v", route, err)
		}
		fill(40)
		if err := errors.Join(sum(), read()); !errors.Is(err, source.ErrChanged) {
			t.Errorf("%v: %v", route, err)
		}
	}
}

// countdown is a context that ends when it has been looked at a number of times.
type countdown struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func (c *countdown) look() {
	if c.left.Add(-1) < 0 {
		c.end()
	}
}

func (c *countdown) Done() <-chan struct{} { c.look(); return c.Context.Done() }
func (c *countdown) Err() error            { c.look(); return c.Context.Err() }

// cancel has a context end passes and tables from their first step to their last, and the database works
// afterwards.
func (h *harness) cancel(t *testing.T) {
	df := hard(t, 3000)
	s := h.table(t, df)
	from := must(source.Frame(df))(t)
	for what, f := range map[string]func(context.Context) error{
		"sums": func(ctx context.Context) error {
			d, err := s.Design(ctx, "y ~ (a + b + wide + count)^2 + g", &source.DesignSettings{Route: source.Pushed})
			if err == nil {
				_, err = d.Moments()
			}
			return err
		},
		"rows": func(ctx context.Context) error { _, err := s.Head(ctx, 3000); return err },
		"create": func(ctx context.Context) error {
			_, err := s.CreateTable(ctx, h.name(t), nil)
			return err
		},
		"load": func(ctx context.Context) error {
			_, err := source.Load(ctx, h.db, h.d, h.name(t), from, nil)
			return err
		},
	} {
		ended := 0
		for looks, done := int64(0), false; !done; looks += 1 + looks/2 {
			c := new(countdown)
			c.Context, c.end = context.WithCancel(ctx)
			c.left.Store(looks)
			err := f(c)
			c.end()
			if done = err == nil; done {
				continue
			}
			if ended++; !errors.Is(err, context.Canceled) {
				t.Fatalf("%s after %d looks: %v", what, looks, err)
			}
		}
		if ended < 2 {
			t.Errorf("%s: cancelled %d times only", what, ended)
		}
		if n, err := s.NRow(ctx); err != nil || n != 3000 {
			t.Errorf("%s: %d rows afterwards: %v", what, n, err)
		}
	}
}
