package frames

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
)

// reshapeOfR are the answers of base R in testdata/reshape.json, written by R
// 4.2.2: LC_ALL=C Rscript reshape.R > reshape.json
type reshapeOfR struct {
	L, R, Wide, Long, Some, Back map[string][]any
	Joins                        []struct {
		By    []string
		Left  bool
		LRow  []int
		RRow  []*int
		Names []string
	}
	X    []*float64
	Cuts []struct {
		Breaks, Levels []string
		Values         []*string
		Right, Lowest  bool
	}
	Quartiles []*string
}

func readReshape(t *testing.T) reshapeOfR {
	t.Helper()
	data := get(os.ReadFile("testdata/reshape.json"))(t)
	var ref reshapeOfR
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	return ref
}

// frameOfR returns columns of R, each name with its type after a colon.
func frameOfR(data map[string][]any, columns ...string) dataframe.DataFrame {
	var all []series.Series
	for _, c := range columns {
		name, typ, _ := strings.Cut(c, ":")
		all = append(all, series.New(data[name], series.Type(typ), name))
	}
	return dataframe.New(all...)
}

// Joins have the rows and the columns of R's merge; counts are counted by hand.
func TestJoinLikeR(t *testing.T) {
	ref := readReshape(t)
	l := frameOfR(ref.L, "lrow:int", "id:int", "g:string", "v:float")
	r := frameOfR(ref.R, "rrow:int", "id:float", "g:string", "v:float")
	for _, c := range ref.Joins {
		kind := InnerJoin
		if c.Left {
			kind = LeftJoin
		}
		got, err := Join(l, r, kind, c.By...)
		if err != nil {
			t.Errorf("%q: %v", c.By, err)
			continue
		}
		lrow, err := got.Frame.Col("lrow").Int()
		if err != nil || !slices.Equal(lrow, c.LRow) {
			t.Errorf("%v: left rows %v, %v; R has %v", got, lrow, err, c.LRow)
		}
		rrow, gaps := got.Frame.Col("rrow").Float(), got.Frame.Col("rrow").IsNaN()
		unmatched := 0
		for i, want := range c.RRow {
			if gaps[i] != (want == nil) || want != nil && rrow[i] != float64(*want) {
				t.Errorf("%v: right rows %v", got, rrow)
				break
			}
			unmatched += int(indicator(want == nil))
		}
		if c.Left && got.UnmatchedLeft != unmatched {
			t.Errorf("%d rows do not match, not %d", got.UnmatchedLeft, unmatched)
		}
		if names := slices.Sorted(slices.Values(got.Frame.Names())); !slices.Equal(names, c.Names) {
			t.Errorf("columns %q; R has %q", names, c.Names)
		}
		anti, err := Join(l, r, AntiJoin, c.By...)
		if err != nil || anti.Frame.Nrow() != got.UnmatchedLeft || anti.Frame.Ncol() != 4 {
			t.Errorf("anti join: %v, %v", anti, err)
		}
	}
}

func TestJoinCounts(t *testing.T) {
	l := frame(t, Col("id", []int{1, 1, 2, 3, 4}), Col("x", []string{"a", "b", "c", "NaN", "e"}))
	r := frame(t, Col("id", []int{1, 1, 2, 9, 9, 8}), Col("y", []bool{true, false, true, true, false, true}))
	got := get(Join(l, r, LeftJoin))(t)
	want := "left join by id: 7 rows, of 5 and 6\nwithout a match: 2 rows on the left, 3 on the right\nkeys of several rows: 1 on the left, 2 on the right, 1 on both"
	if got.String() != want {
		t.Errorf("%v", got)
	}
	if gaps := got.Frame.Col("y").IsNaN(); !slices.Equal(gaps, []bool{false, false, false, false, false, true, true}) || got.Frame.Types()[2] != series.Bool {
		t.Errorf("%v", got.Frame)
	}
	if gaps := got.Frame.Col("x").IsNaN(); !gaps[5] || gaps[4] {
		t.Errorf("%v", got.Frame)
	}
	few := frame(t, Col("id", []int{2}), Col("z", []float64{5}))
	got, err := Join(l, few, InnerJoin, "id") // the last keys on the left are not on the right
	if err != nil || got.Frame.Nrow() != 1 || got.UnmatchedLeft != 4 || got.UnmatchedRight != 0 {
		t.Errorf("%v, %v", got, err)
	}
	all, err := Join(l, l, AntiJoin, "id")
	if err != nil || all.Frame.Nrow() != 0 {
		t.Errorf("%v, %v", all, err)
	}
	long := frame(t, Col("id", []int{1<<60 + 1, 1 << 60}))
	if got, err = Join(long, frame(t, Col("id", []int{1 << 60}), Col("z", []int{5})), InnerJoin, "id"); err != nil || got.Frame.Nrow() != 1 {
		t.Errorf("long integers: %v, %v", got, err)
	}
	_, err = Join(long, frame(t, Col("id", []float64{1 << 60})), InnerJoin, "id")
	wantError(t, err, ErrSetting, "2^53")
	_, err = Join(l, frame(t, Col("id", []string{"1"})), InnerJoin, "id")
	wantError(t, err, ErrSetting, `key "id" is numbers on the left, such as "1", and text on the right, such as "1"`)
	_, err = Join(l, r, InnerJoin, "ID")
	wantError(t, err, ErrNoColumn, "the left frame", `did you mean "id"?`)
	_, err = Join(l, r, InnerJoin, "id = key")
	wantError(t, err, ErrNoColumn, "the right frame")
	_, err = Join(l, frame(t, Col("key", []int{1})), InnerJoin)
	wantError(t, err, ErrNoColumn, "no column in common")
	_, err = Join(l, frame(t, Col("id", []int{77})), InnerJoin)
	wantError(t, err, ErrNoRows, `such as "1"`, `such as "77"`)
	_, err = Join(l, dataframe.DataFrame{}, InnerJoin)
	wantError(t, err, ErrNoRows, "the right frame")
	_, err = Join(l, r, 7)
	wantError(t, err, ErrSetting)
}

func TestReshapeLikeR(t *testing.T) {
	ref := readReshape(t)
	wide := frameOfR(ref.Wide, "id:int", "g:string", "jan:float", "feb:float", "mar:float")
	got := get(Longer(wide, "month", "rain", "jan", "feb", "mar"))(t)
	columns := []string{"id:int", "g:string", "month:string", "rain:float"}
	sameFrames(t, got, frameOfR(ref.Long, columns...))
	got = get(Wider(frameOfR(ref.Some, columns...), "month", "rain"))(t)
	sameFrames(t, got, frameOfR(ref.Back, "id:int", "g:string", "jan:float", "mar:float", "feb:float"))
}

// Wider takes Longer back, whatever the types, gaps and order.
func FuzzLongerWiderIsTheIdentity(f *testing.F) {
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 9))
		n, k := 1+rng.IntN(12), 1+rng.IntN(5)
		typ := []series.Type{series.Float, series.Int, series.String, series.Bool}[rng.IntN(4)]
		ids := make([]int, n)
		for i, v := range rng.Perm(n) {
			ids[i] = 1<<60 + v
		}
		all := []series.Series{series.New(ids, series.Int, "id")}
		var names []string
		for j := range k {
			values := make([]any, n)
			for i := range values {
				switch {
				case rng.IntN(4) == 0:
				case typ == series.String:
					values[i] = strconv.Itoa(rng.IntN(5))
				case typ == series.Bool:
					values[i] = rng.IntN(2) == 0
				case typ == series.Int:
					values[i] = 1<<61 + rng.IntN(9)
				default:
					values[i] = rng.NormFloat64()
				}
			}
			names = append(names, fmt.Sprint("column ", j))
			all = append(all, series.New(values, typ, names[j]))
		}
		wide := dataframe.New(all...)
		long, err := Longer(wide, "name", "value", names...)
		if err != nil || long.Nrow() != n*k {
			t.Fatalf("%v, %v", long, err)
		}
		back := get(Wider(long, "name", "value"))(t)
		sameFrames(t, back, wide)
	})
}

func TestReshapeErrors(t *testing.T) {
	df := frame(t, Col("id", []int{1, 1, 2}), Col("k", []string{"a", "a", "b"}), Col("v", []float64{1, 2, 3}), Col("s", []string{"x", "NaN", "z"}))
	longer := func(names, values string, c ...string) error { _, err := Longer(df, names, values, c...); return err }
	wider := func(names, values string, c ...string) error { _, err := Wider(df, names, values, c...); return err }
	wantError(t, longer("n", "value", "v", "s"), ErrSetting, `column "v" is numbers and column "s" is text`)
	wantError(t, longer("n", "value"), ErrSetting)
	wantError(t, longer("n", "value", "v", "v"), ErrSetting, "twice")
	wantError(t, longer("id", "value", "v"), ErrSetting, `named "id"`)
	wantError(t, longer("n", "n", "v"), ErrSetting)
	wantError(t, longer("n", "value", "w"), ErrNoColumn)
	wantError(t, wider("k", "v", "id"), ErrSetting, "rows 1 and 2 both have k = a and id = 1", "Summarise")
	wantError(t, wider("k", "w"), ErrNoColumn)
	wantError(t, wider("kk", "v"), ErrNoColumn, `did you mean "k"?`)
	wantError(t, wider("k", "k"), ErrSetting)
	if got, err := Wider(df, "k", "v", "s"); err != nil || got.Nrow() != 3 {
		t.Errorf("%v, %v", got, err)
	}
}
