// Package longids has rows of integers of 16 to 19 digits, and what sources have to find in
// them, whatever the route: int64 arithmetic is the reference.
package longids

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

var ctx = context.Background()

// Rows are the columns of a table: ids that repeat and lie so close together that a float64
// takes many for one, of both signs; others; small integers whose product is beyond 2^53; a
// group; a number.
type Rows struct {
	ID, Other, A, B []int
	G               []string
	Y               []float64
}

// Make draws n rows. The first ones have small ids.
func Make(n int) *Rows {
	rnd := rand.New(rand.NewPCG(8, 2))
	starts := []int{1234567890123456, 9007199254740990, 12345678901234560, 123456789012345678, 1234567890123456789, math.MaxInt - 5}
	draw := func(i int) int {
		v := starts[rnd.IntN(len(starts))] + rnd.IntN(3)
		switch {
		case i < n/4:
			return rnd.IntN(5)
		case rnd.IntN(3) == 0:
			return -v
		}
		return v
	}
	r := &Rows{}
	for i := range n {
		r.ID, r.Other = append(r.ID, draw(i)), append(r.Other, draw(i))
		r.A, r.B = append(r.A, 7654321+rnd.IntN(2)), append(r.B, 1234567891+rnd.IntN(2))
		r.G, r.Y = append(r.G, string(rune('a'+rnd.IntN(4)))), append(r.Y, math.Round(100*rnd.NormFloat64())/64)
	}
	return r
}

// Frame returns the rows as a frame.
func (r *Rows) Frame() (dataframe.DataFrame, error) {
	return frames.Frame(frames.Col("id", r.ID), frames.Col("other", r.Other), frames.Col("a", r.A), frames.Col("b", r.B), frames.Col("g", r.G), frames.Col("y", r.Y))
}

// Check holds what a source of the rows answers to the rows.
func (r *Rows) Check(t *testing.T, s *source.Source, routes ...source.Route) {
	t.Helper()
	for _, route := range routes {
		t.Run(route.String(), func(t *testing.T) {
			by := fatal.On(s.By(route))(t)
			t.Run("conditions", func(t *testing.T) { r.conditions(t, by) })
			t.Run("groups", func(t *testing.T) { r.groups(t, by) })
			t.Run("summaries", func(t *testing.T) { r.summaries(t, by) })
			t.Run("levels", func(t *testing.T) { r.levels(t, s, route) })
			t.Run("types", func(t *testing.T) { r.types(t, by) })
			t.Run("rows", func(t *testing.T) { r.rows(t, by) })
		})
	}
}

// mayRefuse reports whether an error is that of what a database is forced to compute and
// would round.
func mayRefuse(err error) bool {
	return errors.Is(err, frames.ErrSetting) && strings.Contains(err.Error(), "cannot be pushed down")
}

func (r *Rows) conditions(t *testing.T, s *source.Source) {
	big, k, small := r.ID[len(r.ID)-1], r.ID[len(r.ID)-2], 3
	for condition, keeps := range map[string]func(i int) bool{
		fmt.Sprintf("id == %d", big):                       func(i int) bool { return r.ID[i] == big },
		fmt.Sprintf("id != %d", big):                       func(i int) bool { return r.ID[i] != big },
		fmt.Sprintf("id < %d", big):                        func(i int) bool { return r.ID[i] < big },
		fmt.Sprintf("%d <= id", big):                       func(i int) bool { return big <= r.ID[i] },
		fmt.Sprintf("id > %d & id >= %d", k, -big):         func(i int) bool { return r.ID[i] > k && r.ID[i] >= -big },
		fmt.Sprintf("id <= %d | !(other == %d)", k+1, big): func(i int) bool { return r.ID[i] <= k+1 || r.Other[i] != big },
		"id == other": func(i int) bool { return r.ID[i] == r.Other[i] },
		"id < other":  func(i int) bool { return r.ID[i] < r.Other[i] },
		fmt.Sprintf("id %%in%% c(%d, %d, 3)", big, k): func(i int) bool { return slices.Contains([]int{big, k, 3}, r.ID[i]) },
		"id %in% c(1, 3)":                                         func(i int) bool { return r.ID[i] == 1 || r.ID[i] == 3 },
		fmt.Sprintf("id - 1 == %d", big-1):                        func(i int) bool { return r.ID[i] == big },
		fmt.Sprintf("ifelse(id > 0, id, other) == %d", big):       func(i int) bool { return r.ID[i] > 0 && r.ID[i] == big || r.ID[i] <= 0 && r.Other[i] == big },
		fmt.Sprintf("ifelse(id > 0, id, other) - 1 == %d", big-1): func(i int) bool { return r.ID[i] > 0 && r.ID[i] == big || r.ID[i] <= 0 && r.Other[i] == big },
		"a*10000000000 + b == 76543211234567891":                  func(i int) bool { return r.A[i] == 7654321 && r.B[i] == 1234567891 },
		"id > 2.5 & id < 9e15":                                    func(i int) bool { return r.ID[i] > 2 && float64(r.ID[i]) < 9e15 },
		fmt.Sprintf("y < %d & id == %d", big, small):              func(i int) bool { return r.Y[i] < float64(big) && r.ID[i] == small },
	} {
		want := 0
		for i := range r.ID {
			if keeps(i) {
				want++
			}
		}
		some := fatal.On(s.Where(ctx, condition))(t)
		got, err := some.GroupBy().Count(ctx)
		switch {
		case mayRefuse(err) || want == 0 && errors.Is(err, frames.ErrNoRows):
		case err != nil:
			t.Errorf("%s: %v", condition, err)
		case int(got.Elem(0, 0).Float()) != want:
			t.Errorf("%s: %v rows, want %d", condition, got.Elem(0, 0), want)
		}
	}
}

func (r *Rows) groups(t *testing.T, s *source.Source) {
	for key, of := range map[string]func(i int) int{
		"id": func(i int) int { return r.ID[i] }, "key = a*10000000000 + b": func(i int) int { return r.A[i]*10000000000 + r.B[i] },
		"key = 0 - id": func(i int) int { return -r.ID[i] },
	} {
		counts := make(map[int]int)
		for i := range r.ID {
			counts[of(i)]++
		}
		df, err := s.GroupBy(key).Count(ctx)
		if mayRefuse(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if df.Nrow() != len(counts) {
			t.Errorf("%s: %d groups, want %d", key, df.Nrow(), len(counts))
		}
		keys := integers(t, df, df.Names()[0])
		if !slices.IsSorted(keys) {
			t.Errorf("%s: not sorted: %v", key, keys)
		}
		for i, k := range keys {
			if n := int(df.Elem(i, 1).Float()); n != counts[k] {
				t.Errorf("%s: %d has %d rows, want %d", key, k, n, counts[k])
			}
		}
	}
}

// types holds the types of keys and summaries to those of the frame.
func (r *Rows) types(t *testing.T, s *source.Source) {
	df := fatal.On(r.Frame())(t)
	for _, keys := range [][]string{{"g"}, {"a"}, {"key = ifelse(a > 7654321, a, b)"}, {"key = a + 1"}, {"key = y > 0"}} {
		for _, what := range []string{"n()", "sum(a)", "min(a)", "max(a)", "least = min(y)", "sum(y > 0)", "gap = max(a) - min(a)", "sum(a + 1)", "sum(y)", "mean(a)", "max(y > 0)", "n_distinct(a)", "max(ifelse(y > 0, a, b))", "any(y > 0)"} {
			want := fatal.On(frames.GroupBy(df, keys...).Summarise(what))(t).Types()
			got, err := s.GroupBy(keys...).Summarise(ctx, what)
			if mayRefuse(err) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Types(), want) {
				t.Errorf("%s by %s: %v, want %v", what, keys, got.Types(), want)
			}
		}
	}
	got, err := fatal.On(s.Where(ctx, "id > 1e15"))(t).GroupBy().Summarise(ctx, "sum(id)")
	some := fatal.On(frames.Where(df, "id > 1e15"))(t)
	if want := fatal.On(frames.GroupBy(some).Summarise("sum(id)"))(t); !mayRefuse(err) && (err != nil || !slices.Equal(got.Types(), want.Types())) {
		t.Errorf("a sum beyond 64 bits is %v, %v, want %v", got, err, want)
	}
}

// integers returns a column of integers, whatever its type.
func integers(t *testing.T, df dataframe.DataFrame, name string) []int {
	t.Helper()
	col := df.Col(name)
	if col.Type() == series.Int {
		return fatal.On(col.Int())(t)
	}
	out := make([]int, df.Nrow())
	for i, v := range col.Float() {
		if math.Abs(v) > 1<<53 {
			t.Fatalf("%s is %v, a float, in row %d", name, v, i+1)
		}
		out[i] = int(v)
	}
	return out
}

func (r *Rows) summaries(t *testing.T, s *source.Source) {
	byGroup := make(map[string][]int)
	for i, g := range r.G {
		byGroup[g] = append(byGroup[g], r.ID[i])
	}
	for _, what := range []string{"min(id)", "max(id)", "n_distinct(id)", "sum(id)", "mean(id)", "sd(id)", "sum(id - 1)", "max(id) - min(id)"} {
		df, err := s.GroupBy("g").Summarise(ctx, what)
		if mayRefuse(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for row := range df.Nrow() {
			values := slices.Sorted(slices.Values(byGroup[df.Elem(row, 0).String()]))
			checkSummary(t, what, df, row, values)
		}
	}
}

// checkSummary compares a summary of sorted values.
func checkSummary(t *testing.T, what string, df dataframe.DataFrame, row int, values []int) {
	t.Helper()
	n := int64(len(values))
	total := new(big.Int)
	for _, v := range values {
		total.Add(total, big.NewInt(int64(v)))
	}
	exact := func(want int) {
		if got := integers(t, df, what)[row]; got != want {
			t.Errorf("%s is %d, want %d", what, got, want)
		}
	}
	near := func(want *big.Float, digits float64) {
		w, _ := want.Float64()
		if got := df.Elem(row, 1).Float(); math.Abs(got-w) > math.Abs(w)*digits {
			t.Errorf("%s is %v, want %v", what, got, w)
		}
	}
	sum := func(total *big.Int) {
		if total.IsInt64() && df.Col(what).Type() == series.Int {
			exact(int(total.Int64()))
			return
		}
		near(new(big.Float).SetInt(total), 0x1p-52)
	}
	mean := new(big.Float).SetPrec(300).SetInt(total)
	mean.Quo(mean, new(big.Float).SetInt64(n))
	switch what {
	case "min(id)":
		exact(values[0])
	case "max(id)":
		exact(values[len(values)-1])
	case "max(id) - min(id)":
		if d := values[len(values)-1] - values[0]; d > 0 { // of 64 bits
			exact(d)
		}
	case "n_distinct(id)":
		exact(len(slices.Compact(values)))
	case "sum(id)":
		sum(total)
	case "sum(id - 1)":
		sum(total.Sub(total, big.NewInt(n)))
	case "mean(id)":
		near(mean, 0x1p-52)
	case "sd(id)":
		ss := new(big.Float).SetPrec(300)
		for _, v := range values {
			d := new(big.Float).SetPrec(300).SetInt64(int64(v))
			d.Sub(d, mean)
			ss.Add(ss, d.Mul(d, d))
		}
		near(ss.Sqrt(ss.Quo(ss, new(big.Float).SetInt64(n-1))), 1e-12)
	}
}

func (r *Rows) levels(t *testing.T, s *source.Source, route source.Route) {
	want := make(map[string]bool)
	for _, v := range r.ID {
		want[strconv.Itoa(v)] = true
	}
	const formula = "y ~ factor(id)"
	d := fatal.On(s.Design(ctx, formula, &source.DesignSettings{Route: route}))(t)
	levels := d.Terms().Variables[0].Levels
	for _, l := range levels {
		if !want[l] {
			t.Errorf("level %s is no id", l)
		}
	}
	if len(levels) != len(want) {
		t.Errorf("%d levels, want %d", len(levels), len(want))
	}
	fit := fatal.On(mlreg.FitOLS(d, nil))(t)
	df := fatal.On(r.Frame())(t)
	same := fatal.On(mlreg.FitOLS(fatal.On(frames.Design(df, formula))(t), nil))(t)
	got, wanted := fatal.On(frames.Predict(fit, df))(t), fatal.On(frames.Predict(same, df))(t)
	for i := range wanted {
		if math.Abs(got[i]-wanted[i]) > 1e-9 {
			t.Fatalf("row %d is predicted %v, want %v", i+1, got[i], wanted[i])
		}
	}
	p, err := fatal.On(s.By(route))(t).WithPredictions(ctx, fit, "p")
	if err != nil {
		t.Fatal(err)
	}
	means := fatal.On(p.GroupBy("id").Summarise(ctx, "least = min(p)", "most = max(p)"))(t)
	for row, id := range integers(t, means, "id") {
		i := slices.Index(r.ID, id)
		if i < 0 || math.Abs(means.Elem(row, 1).Float()-wanted[i]) > 1e-9 || math.Abs(means.Elem(row, 2).Float()-wanted[i]) > 1e-9 {
			t.Errorf("%d is predicted %v to %v, want %v", id, means.Elem(row, 1), means.Elem(row, 2), wanted[i])
		}
	}
	// a number in a formula is the nearest float64, and exact in a calculation
	plain := fatal.On(s.Design(ctx, "y ~ id + a", &source.DesignSettings{Route: route}))(t)
	if _, err := plain.Moments(); err != nil || !slices.Equal(plain.Terms().Rounded, []string{"id"}) {
		t.Errorf("rounded: %q, %v", plain.Terms().Rounded, err)
	}
	k := slices.Max(r.ID)
	near := fatal.On(s.Where(ctx, fmt.Sprintf("id > %d", k-10)))(t)
	shifted, err := near.Design(ctx, fmt.Sprintf("y ~ I(id - %d)", k-10), &source.DesignSettings{Route: source.Streamed})
	if err != nil {
		t.Fatal(err)
	}
	var sum, n float64
	for _, v := range r.ID {
		if v > k-10 {
			sum, n = sum+float64(v-(k-10)), n+1
		}
	}
	if m := fatal.On(shifted.Moments())(t); m.MeanX()[0] != sum/n {
		t.Errorf("the mean of differences is %v, want %v", m.MeanX()[0], sum/n)
	}
}

func (r *Rows) rows(t *testing.T, s *source.Source) {
	wanted := slices.Sorted(slices.Values(r.ID))
	distinct := len(slices.Compact(slices.Clone(wanted)))
	head := fatal.On(s.Head(ctx, len(r.ID)))(t)
	if got := slices.Sorted(slices.Values(integers(t, head, "id"))); !slices.Equal(got, wanted) {
		t.Error("the rows of Head are others")
	}
	sample := fatal.On(s.Sample(ctx, len(r.ID)/2, 3))(t)
	for _, v := range integers(t, sample, "other") {
		if !slices.Contains(r.Other, v) {
			t.Errorf("%d of a sample is in no row", v)
		}
	}
	about := fatal.On(s.Describe(ctx))(t)
	if c := fatal.On(about.Column("id"))(t); c.Distinct != distinct || c.Type != series.Int {
		t.Errorf("described: %+v, want %d distinct", c, distinct)
	}
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := s.WriteCSV(ctx, path, nil); err != nil {
		t.Fatal(err)
	}
	text := string(fatal.On(os.ReadFile(path))(t))
	read := fatal.On(frames.ParseCSV(strings.NewReader(text), nil))(t)
	if got := slices.Sorted(slices.Values(integers(t, read.Frame, "id"))); !slices.Equal(got, wanted) {
		t.Error("the rows of WriteCSV are others")
	}
}
