package frames

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"
)

func records(df dataframe.DataFrame) string {
	var rows []string
	for _, r := range df.Records() {
		rows = append(rows, strings.Join(r, " "))
	}
	return strings.Join(rows, "; ")
}

// Rows keep their values whatever the types are, and what cannot be kept is an error that names it.
func TestBind(t *testing.T) {
	a := frame(t, Col("id", []int{1, 2}), Col("x", []int{3, 4}), Col("g", []string{"u", "v"}))
	b := frame(t, Col("g", []string{"w"}), Col("x", []float64{1.5}), Col("late", []bool{true}))
	if got, want := records(get(Bind(a, b))(t)), "id x g late; 1 3.000000 u NaN; 2 4.000000 v NaN; NaN 1.500000 w true"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	gaps := frame(t, Col("id", []float64{math.NaN()}), Col("x", []int{9}), Col("g", []string{"NaN"}))
	if got, want := records(get(Bind(gaps, a))(t)), "id x g; NaN 9 NaN; 1 3 u; 2 4 v"; got != want {
		t.Errorf("a column that is missing: %s, want %s", got, want)
	}
	big := frame(t, Col("id", []int{1<<53 + 1}))
	_, err := Bind(big, frame(t, Col("id", []float64{0.5})))
	wantError(t, err, ErrSetting, `"id"`, "9007199254740993")
	if got := records(get(Bind(big, a.Select("id")))(t)); !strings.Contains(got, "9007199254740993; 1; 2") {
		t.Errorf("integers: %s", got)
	}
	_, err = Bind(a, frame(t, Col("x", []string{"high"})))
	wantError(t, err, ErrSetting, `"x"`, "int", "string", "as.character")
	_, err = Bind()
	wantError(t, err, ErrNoRows)
}

// Joins of every kind, with keys of other names and types, keys of several rows, and gaps.
func TestJoinKinds(t *testing.T) {
	l := frame(t, Col("id", []int{1, 2, 2, 4}), Col("v", []string{"a", "b", "c", "d"}))
	r := frame(t, Col("key", []float64{2, 5, 2, 6.5}), Col("v", []int{10, 20, 30, 40}))
	want := map[JoinKind]string{
		InnerJoin: "id v.x v.y; 2 b 10; 2 b 30; 2 c 10; 2 c 30",
		LeftJoin:  "id v.x v.y; 1 a NaN; 2 b 10; 2 b 30; 2 c 10; 2 c 30; 4 d NaN",
		AntiJoin:  "id v; 1 a; 4 d",
		SemiJoin:  "id v; 2 b; 2 c",
		FullJoin:  "id v.x v.y; 1.000000 a NaN; 2.000000 b 10; 2.000000 b 30; 2.000000 c 10; 2.000000 c 30; 4.000000 d NaN; 5.000000 NaN 20; 6.500000 NaN 40",
	}
	for kind, rows := range want {
		if got := records(get(Join(l, r, kind, "id = key"))(t).Frame); got != rows {
			t.Errorf("%v join: %s, want %s", kind, got, rows)
		}
	}
	none := get(Join(l, frame(t, Col("id", []int{7})), FullJoin))(t)
	if got := none.Frame.Nrow(); got != 5 || none.UnmatchedRight != 1 || fmt.Sprint(none.Kind) != "full" {
		t.Errorf("a full join without a match has %d rows: %v", got, none)
	}
	if got := none.Frame.Col("v").IsNaN(); !slices.Equal(got, []bool{false, false, false, false, true}) {
		t.Errorf("missing: %v", got)
	}
	_, err := Join(l, r, FullJoin+1, "id = key")
	wantError(t, err, ErrSetting, "kind of join")
}
