package frames

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// longIDs returns n integers of 16 to 19 digits, of both signs, that repeat and lie close
// together: a float64 takes many of them for one.
func longIDs(rnd *rand.Rand, n int) []int {
	starts := []int{1234567890123456789, 9007199254740990, 12345678901234560, 123456789012345678, 9876543210987654321 / 2, math.MaxInt - 5}
	ids := make([]int, n)
	for i := range ids {
		if ids[i] = starts[rnd.IntN(len(starts))] + rnd.IntN(5); rnd.IntN(3) == 0 {
			ids[i] = -ids[i]
		}
	}
	return ids
}

// intsOf returns an int column.
func intsOf(t *testing.T, df dataframe.DataFrame, name string) []int {
	t.Helper()
	s := df.Col(name)
	if s.Type() != series.Int {
		t.Fatalf("column %q is %s: %v", name, s.Type(), s)
	}
	return get(s.Int())(t)
}

func sum(values []int) *big.Int {
	total := new(big.Int)
	for _, v := range values {
		total.Add(total, big.NewInt(int64(v)))
	}
	return total
}

// A pair is the integer that it was made of: exact integers are the reference.
func TestPairs(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 3))
	values := []int64{0, 1, -1, 1 << 53, 1<<53 + 1, -1<<53 - 1, math.MaxInt64, math.MaxInt64 - 511, math.MinInt64, math.MinInt64 + 1}
	for range 2000 {
		values = append(values, int64(rnd.Uint64())>>rnd.IntN(64))
	}
	for i, v := range values {
		num, low := table.SplitInt(v)
		if got, ok := table.Int(num, low); !ok || int64(got) != v || exactText(num, low) != fmt.Sprint(v) && low != 0 {
			t.Fatalf("%d is the pair %v + %v: %v, %s", v, num, low, got, exactText(num, low))
		}
		if exact := new(big.Float).SetInt64(v); num != func() float64 { f, _ := exact.Float64(); return f }() {
			t.Fatalf("%d: %v is not the nearest float64", v, num)
		}
		w := values[rnd.IntN(i+1)]
		wNum, wLow := table.SplitInt(w)
		if got := table.Compare(num, low, wNum, wLow); got != cmp.Compare(v, w) {
			t.Fatalf("%d and %d compare as %d", v, w, got)
		}
		u := uint64(v)
		num, low = table.SplitUint(u)
		if got, _, ok := table.SplitText(fmt.Sprint(u)); !ok || got != num || low != 0 && exactText(num, low) != fmt.Sprint(u) {
			t.Fatalf("%d is the pair %v + %v", u, num, low)
		}
		if _, ok := table.Int(num, low); ok != (u <= math.MaxInt64) {
			t.Fatalf("%d: %v", u, ok)
		}
		for op, compute := range map[string]func(z, x, y *big.Int) *big.Int{"+": (*big.Int).Add, "-": (*big.Int).Sub, "*": (*big.Int).Mul} {
			a, b := v, w>>rnd.IntN(60)
			want := compute(new(big.Int), big.NewInt(a), big.NewInt(b))
			x, xLow := table.SplitInt(a)
			y, yLow := table.SplitInt(b)
			num, low := exactly(op, x, xLow, y, yLow)
			if got, ok := table.Int(num, low); want.IsInt64() && (!ok || int64(got) != want.Int64()) {
				t.Fatalf("%d %s %d is %v + %v", a, op, b, num, low)
			} else if !want.IsInt64() && num != apply(op, x, y) {
				t.Fatalf("%d %s %d, beyond 64 bits, is %v", a, op, b, num)
			}
		}
	}
	for range 500 { // sums
		x := longIDs(rnd, 1+rnd.IntN(40))
		var s runningSum
		for _, v := range x {
			s.add(table.SplitInt(int64(v)))
		}
		num, low := s.pair()
		want := sum(x)
		if got, ok := table.Int(num, low); want.IsInt64() && (!ok || int64(got) != want.Int64()) {
			t.Fatalf("the sum of %v is %v + %v", x, num, low)
		}
		if f, _ := new(big.Float).SetInt(want).Float64(); math.Abs(num-f) > math.Abs(f)*0x1p-52 {
			t.Fatalf("the sum of %v is %v, want %v", x, num, f)
		}
	}
}

// Conditions on integers beyond 2^53 are those of integers.
func TestLongConditions(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 9))
	a, b := longIDs(rnd, 300), longIDs(rnd, 300)
	df := get(Frame(Col("a", a), Col("b", b), Col("x", make([]float64, 300))))(t)
	compare := map[string]func(sign int) bool{
		"==": func(s int) bool { return s == 0 }, "!=": func(s int) bool { return s != 0 }, "<": func(s int) bool { return s < 0 },
		"<=": func(s int) bool { return s <= 0 }, ">": func(s int) bool { return s > 0 }, ">=": func(s int) bool { return s >= 0 },
	}
	check := func(condition string, keeps func(i int) bool) {
		t.Helper()
		var want []int
		for i := range a {
			if keeps(i) {
				want = append(want, a[i])
			}
		}
		got, err := Where(df, condition)
		if len(want) == 0 {
			if !errors.Is(err, ErrNoRows) {
				t.Errorf("%s: %v", condition, err)
			}
			return
		}
		if err != nil || !slices.Equal(intsOf(t, got, "a"), want) {
			t.Errorf("%s: %d rows, want %d: %v", condition, got.Nrow(), len(want), err)
		}
		with := get(With(df, "c = ifelse("+condition+", 1, 0)"))(t) // which is not computed by blocks
		if ones := get(Floats(with, "c"))(t); int(sumOf(ones)) != len(want) {
			t.Errorf("%s in ifelse: %v rows, want %d", condition, sumOf(ones), len(want))
		}
	}
	for op, holds := range compare {
		for k := range 12 {
			v := a[k] + rnd.IntN(3) - 1
			check(fmt.Sprintf("a %s %d", op, v), func(i int) bool { return holds(cmp.Compare(a[i], v)) })
			check(fmt.Sprintf("%d %s a", v, op), func(i int) bool { return holds(cmp.Compare(v, a[i])) })
		}
		check("a "+op+" b", func(i int) bool { return holds(cmp.Compare(a[i], b[i])) })
		check("x "+op+" a", func(i int) bool { return holds(cmp.Compare(0, a[i])) })
		check(fmt.Sprintf("a - %d %s 2", a[0], op), func(i int) bool {
			d := new(big.Int).Sub(big.NewInt(int64(a[i])), big.NewInt(int64(a[0])))
			return holds(d.Cmp(big.NewInt(2)))
		})
	}
	check(fmt.Sprintf("a %%in%% c(%d, %d, 7)", a[0], a[1]), func(i int) bool { return a[i] == a[0] || a[i] == a[1] })
	check("a %in% 12345678901234560:12345678901234562", func(i int) bool { return a[i] >= 12345678901234560 && a[i] <= 12345678901234562 })
	check("abs(a) == 12345678901234561 & floor(a) < 0", func(i int) bool { return a[i] == -12345678901234561 })
	check(fmt.Sprintf("!(-a != %d) | ceiling(a) == %d", a[2], a[3]), func(i int) bool { return -a[i] == a[2] || a[i] == a[3] })
	check("a == max(a)", func(i int) bool { return a[i] == slices.Max(a) })
	check("1000000000*1000000000 + 1 == 1000000000000000001", func(int) bool { return true })
}

// Keys made of small integers keep their digits, too.
func TestComposedKeys(t *testing.T) {
	store, customer := []int{7654321, 7654321, 7654322, 7654321}, []int{1234567891, 1234567892, 1234567891, 1234567891}
	df := get(Frame(Col("store", store), Col("customer", customer), Col("x", []float64{.5, 2.5, 3, 1e17})))(t)
	got := get(Count(df, "key = store*10000000000 + customer"))(t)
	if keys := intsOf(t, got, "key"); !slices.Equal(keys, []int{76543211234567891, 76543211234567892, 76543221234567891}) || got.Elem(0, 1).Float() != 2 {
		t.Errorf("%v", got)
	}
	chosen := get(With(df, "key = store*10000000000 + customer", "next = ifelse(x < 1, key, NA) + 1", "last = max(key - 1)", "width = max(key) - min(key)"))(t)
	if next := chosen.Col("next").Elem(0).String(); next != "76543211234567892" || intsOf(t, chosen, "last")[0] != 76543221234567890 || chosen.Col("width").Elem(0).Float() != 10000000000 {
		t.Error(chosen)
	}
	// what is beyond 64 bits, and what is not of integers, is float64
	with := get(With(df, "large = store*customer*customer", "mixed = x*customer + 1", "key = store*10000000000", "back = key - store*10000000000"))(t)
	for i, v := range get(Floats(with, "large"))(t) {
		if want := float64(store[i]*customer[i]) * float64(customer[i]); v != want {
			t.Errorf("row %d: %v, want %v", i+1, v, want)
		}
	}
	if v := get(Floats(with, "mixed"))(t); v[3] != 1e17*1234567891+1 || with.Col("mixed").Type() != series.Float {
		t.Errorf("%v", v)
	}
	if v := get(Floats(with, "back"))(t); !slices.Equal(v, make([]float64, 4)) {
		t.Errorf("%v", v)
	}
	// integers that a float64 does not hold beside decimals have no column
	ids := get(With(df, "id = store*10000000000 + customer"))(t)
	_, err := With(ids, "y = ifelse(x < 1, id, x)")
	if !errors.Is(err, ErrSetting) || !strings.Contains(err.Error(), "76543211234567891 in row 1, an integer that a float64 does not hold, and 2.5 in row 2") {
		t.Error(err)
	}
}

// Groups, levels, joins, sorts and summaries of integers beyond 2^53 are those of integers.
func TestLongGroups(t *testing.T) {
	rnd := rand.New(rand.NewPCG(11, 4))
	const n = 400
	id, g, y := longIDs(rnd, n), make([]string, n), make([]float64, n)
	byID, byGroup := make(map[int]int), make(map[string][]int)
	for i := range n {
		g[i], y[i] = string(rune('a'+rnd.IntN(7))), rnd.NormFloat64()
		byID[id[i]]++
		byGroup[g[i]] = append(byGroup[g[i]], id[i])
	}
	df := get(Frame(Col("id", id), Col("g", g), Col("y", y), Col("row", allRows(n))))(t)
	keys := slices.Sorted(maps.Keys(byID))

	counts := get(Count(df, "id"))(t)
	if got := intsOf(t, counts, "id"); !slices.Equal(got, keys) {
		t.Errorf("%d groups, want %d", len(got), len(keys))
	}
	for i, k := range intsOf(t, counts, "n") {
		if k != byID[keys[i]] {
			t.Errorf("%d has %d rows, want %d", keys[i], k, byID[keys[i]])
		}
	}
	for down, src := range map[bool]string{false: "id", true: "-id"} {
		want := slices.Sorted(slices.Values(id))
		if down {
			slices.Reverse(want)
		}
		if got := intsOf(t, get(Sort(df, src))(t), "id"); !slices.Equal(got, want) {
			t.Errorf("sorted by %s: %v", src, got[:3])
		}
	}
	s := get(GroupBy(df, "g").Summarise("first(id)", "last(id)", "min(id)", "max(id)", "n_distinct(id)", "median(id)", "mean(id)", "sum(id)", "sd(id - 12345678901234560)", "sd(id)"))(t)
	for i, group := range slices.Sorted(maps.Keys(byGroup)) {
		values := byGroup[group]
		sorted := slices.Sorted(slices.Values(values))
		for name, want := range map[string]int{"first(id)": values[0], "last(id)": values[len(values)-1], "min(id)": sorted[0], "max(id)": sorted[len(sorted)-1], "n_distinct(id)": len(slices.Compact(slices.Clone(sorted)))} {
			if got := intsOf(t, s, name)[i]; got != want {
				t.Errorf("%s of %s is %d, want %d", name, group, got, want)
			}
		}
		middle := new(big.Int).Add(big.NewInt(int64(sorted[(len(sorted)-1)/2])), big.NewInt(int64(sorted[len(sorted)/2])))
		if half, rest := middle.DivMod(middle, big.NewInt(2), new(big.Int)); rest.Sign() == 0 {
			if got := s.Col("median(id)").Elem(i); got.Type() == series.Int && got.String() != half.String() || got.Float() != float64(half.Int64()) {
				t.Errorf("the median of %s is %v, want %d", group, got, half)
			}
		}
		total := new(big.Float).SetInt(sum(values))
		mean, _ := new(big.Float).Quo(total, new(big.Float).SetInt64(int64(len(values)))).Float64()
		f, _ := total.Float64()
		if got := s.Col("mean(id)").Elem(i).Float(); math.Abs(got-mean) > math.Abs(mean)*0x1p-52 {
			t.Errorf("the mean of %s is %v, want %v", group, got, mean)
		}
		if got := s.Col("sum(id)").Elem(i).Float(); math.Abs(got-f) > math.Abs(f)*0x1p-52 || got < 0 != (f < 0) {
			t.Errorf("the sum of %s is %v, want %v", group, got, f)
		}
	}
	d := get(Design(df, "y ~ factor(id)"))(t)
	if levels := TermsOf(d).Variables[0].Levels; len(levels) != len(keys) || !slices.ContainsFunc(levels, func(l string) bool { return l == strconv.Itoa(keys[0]) }) {
		t.Errorf("%d levels, want %d", len(levels), len(keys))
	}
	h := get(GroupedDesign(df, "y ~ 1 + (1 | id)"))(t)
	if got := get(h.Groups.Labels("id"))(t); len(got) != len(keys) || got[0] != strconv.Itoa(keys[0]) {
		t.Errorf("%d groups, want %d: %v", len(got), len(keys), got[:2])
	}
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = strconv.Itoa(k)
	}
	right := get(Frame(Col("key", keys), Col("name", names)))(t)
	j := get(Join(df, right, LeftJoin, "id = key"))(t)
	if j.DuplicatedRight+j.UnmatchedLeft+j.UnmatchedRight > 0 || !slices.Equal(j.Frame.Col("name").Records(), get(Frame(Col("name", texts(id))))(t).Col("name").Records()) {
		t.Errorf("%v", j)
	}
	about := get(Describe(df))(t)
	if got := intsOf(t, about, "distinct")[0]; got != len(keys) {
		t.Errorf("%d distinct, want %d", got, len(keys))
	}
	for _, v := range []any{keys[3], strconv.Itoa(keys[3])} {
		mask := get(Mask(df, "id", v))(t)
		if got := len(slices.DeleteFunc(mask, func(m bool) bool { return !m })); got != byID[keys[3]] {
			t.Errorf("%d rows have %v, want %d", got, v, byID[keys[3]])
		}
	}
}

func texts(values []int) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = strconv.Itoa(v)
	}
	return out
}

// Sums of integers are integers as long as 64 bits hold them, and never of the wrong sign.
func TestSumsOfIntegers(t *testing.T) {
	df := get(Frame(Col("a", slices.Repeat([]int{1e18}, 10)), Col("b", slices.Repeat([]int{900719925474099}, 10)), Col("c", slices.Repeat([]int{math.MaxInt, math.MinInt}, 5))))(t)
	s := get(GroupBy(df).Summarise("sum(a)", "sum(b)", "sum(c)", "mean(a)", "mean(c)", "sum(a - 1)"))(t)
	if s.Col("sum(a)").Elem(0).Float() != 1e19 || s.Col("sum(a)").Type() != series.Float {
		t.Error(s)
	}
	if intsOf(t, s, "sum(b)")[0] != 9007199254740990 || intsOf(t, s, "sum(c)")[0] != -5 {
		t.Error(s)
	}
	if s.Col("mean(a)").Elem(0).Float() != 1e18 || s.Col("mean(c)").Elem(0).Float() != -0.5 || s.Col("sum(a - 1)").Elem(0).Float() != 1e19 {
		t.Error(s)
	}
	// nanoseconds of a clock: differences are not rounded to 256 of them
	start := 1700000000000000000
	clock := get(Frame(Col("at", []int{start + 1, start + 2, start + 4, start + 5}), Col("x", []float64{1, 2, 4, 5})))(t)
	s = get(GroupBy(clock).Summarise("sd(at)", "IQR(at)", "mad(at)", "cor(at, x)", "quantile(at, .25)", "sd(x)", "IQR(x)", "mad(x)", "weighted.mean(at, x)"))(t)
	for name, like := range map[string]string{"sd(at)": "sd(x)", "IQR(at)": "IQR(x)", "mad(at)": "mad(x)"} {
		if a, b := s.Col(name).Elem(0).Float(), s.Col(like).Elem(0).Float(); a != b {
			t.Errorf("%s is %v, want %v", name, a, b)
		}
	}
	if got := s.Col("cor(at, x)").Elem(0).Float(); math.Abs(got-1) > 1e-15 {
		t.Errorf("correlation %v", got)
	}
	with := get(With(clock, fmt.Sprintf("since = at - %d", start)))(t)
	d := get(Design(clock, fmt.Sprintf("x ~ I(at - %d)", start)))(t)
	if text := TermsOf(d).String(); strings.Contains(text, "rounded") {
		t.Error(text)
	}
	if text := TermsOf(get(Design(clock, "x ~ at"))(t)).String(); !strings.Contains(text, "\nat: integers beyond 2^53 are rounded to the nearest float64") {
		t.Error(text)
	}
	if v := get(Floats(with, "since"))(t); !slices.Equal(v, []float64{1, 2, 4, 5}) || d.X.At(2, 0) != 4 {
		t.Errorf("%v, %v", v, d.X.At(2, 0))
	}
}

// Shapes keep integers, and effects find levels among them.
func TestLongShapes(t *testing.T) {
	ids := []int{12345678901234561, 12345678901234562, 12345678901234563, 12345678901234561, 12345678901234562, 12345678901234563}
	df := get(Frame(Col("id", ids), Col("when", []string{"a", "a", "a", "b", "b", "b"}), Col("v", []int{9007199254740993, 2, 3, 4, 5, 9007199254740995}), Col("y", []float64{1, 4, 2, 8, 5, 7})))(t)
	wide := get(Wider(df, "when", "v", "id"))(t)
	if got := intsOf(t, wide, "id"); !slices.Equal(got, ids[:3]) || intsOf(t, wide, "b")[2] != 9007199254740995 {
		t.Error(wide)
	}
	byID := get(Wider(df, "id", "v", "when"))(t)
	if names := byID.Names(); !slices.Equal(names, []string{"when", "12345678901234561", "12345678901234562", "12345678901234563"}) {
		t.Error(names)
	}
	long := get(Longer(wide, "when", "v", "a", "b"))(t)
	if got := intsOf(t, long, "v"); !slices.Equal(got, []int{9007199254740993, 4, 2, 5, 3, 9007199254740995}) {
		t.Error(got)
	}
	cut := get(Cut(df, "id", []float64{12345678901234560, 12345678901234562, 12345678901234564}, nil))(t)
	if got := cut.Col("id_cut").Records(); got[0] != got[1] || got[1] == got[2] {
		t.Error(got)
	}
	four := get(Cut(df, "id", nil, &CutSettings{Groups: 2}))(t)
	if four.Nrow() != 6 {
		t.Error(four)
	}
	fit := get(mlreg.FitOLS(get(Design(df, "y ~ factor(id)"))(t), nil))(t)
	e := get(Effects(fit, df, "id", .95, nil))(t)
	want := get(Predict(fit, df))(t)
	if !slices.Equal(e.Levels, texts(ids[:3])) || math.Abs(e.Fitted[2]-want[2]) > 1e-12 {
		t.Errorf("%v %v, want %v", e.Levels, e.Fitted, want[:3])
	}
	lags := get(Where(df, "id %in% c(12345678901234561, 12345678901234563)"))(t)
	if lags.Nrow() != 4 {
		t.Error(lags)
	}
}
