package mlreg

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sizes are the shares up to a row, of every label too; no row is lost.
func TestParts(t *testing.T) {
	shares := []float64{0.8, 0.1, 0.1}
	for _, n := range []int{10, 67, 97, 1000} {
		p := get(RandomParts(n, rand.NewPCG(1, 2), shares...))(t)
		total := 0
		for k, s := range shares {
			size := len(p.Rows(k))
			total += size
			if math.Abs(float64(size)-s*float64(n)) > 1 {
				t.Errorf("part %d has %d of %d rows", k, size, n)
			}
		}
		if total != n || p.Len() != 3 {
			t.Errorf("%d of %d rows in %d parts", total, n, p.Len())
		}
		same, other := get(RandomParts(n, rand.NewPCG(1, 2), shares...))(t), get(RandomParts(n, rand.NewPCG(2, 2), shares...))(t)
		if !slices.Equal(p.Of, same.Of) || slices.Equal(p.Of, other.Of) {
			t.Error("the seed does not decide")
		}
	}
	labels := slices.Concat(slices.Repeat([]string{"a"}, 55), slices.Repeat([]string{"b"}, 23), slices.Repeat([]string{"c"}, 12))
	p := get(StratifiedParts(labels, rand.NewPCG(1, 2), 0.5, 0.3, 0.2))(t)
	for k, s := range []float64{0.5, 0.3, 0.2} {
		count := map[string]float64{}
		for _, i := range p.Rows(k) {
			count[labels[i]]++
		}
		for label, n := range map[string]float64{"a": 55, "b": 23, "c": 12} {
			if math.Abs(count[label]-s*n) > 1.5 {
				t.Errorf("part %d has %v of %v rows of %q", k, count[label], n, label)
			}
		}
	}
	var groups []int
	for g := range 12 {
		groups = append(groups, slices.Repeat([]int{g}, 1+g%5)...)
	}
	p = get(GroupedParts(groups, rand.NewPCG(1, 2), 0.6, 0.4))(t)
	for i := range groups {
		if j := slices.Index(groups, groups[i]); p.Of[i] != p.Of[j] {
			t.Errorf("group %d is in two parts", groups[i])
		}
	}
	if n := len(p.Rows(0)); math.Abs(float64(n)-0.6*float64(len(groups))) > 3 {
		t.Errorf("%d of %d rows", n, len(groups))
	}
	p = get(TimeParts(100, 5, 0.7, 0.2, 0.1))(t)
	for k, want := range [][2]int{{0, 64}, {70, 84}, {90, 99}} {
		rows := p.Rows(k)
		if rows[0] != want[0] || rows[len(rows)-1] != want[1] || len(rows) != want[1]-want[0]+1 {
			t.Errorf("part %d is of rows %v", k, rows)
		}
	}
	if gap := p.Rows(-1); len(gap) != 10 {
		t.Errorf("gaps %v", gap)
	}
	d := randomDesign(t, 1, 100, 2)
	of := get(p.Designs(d))(t)
	if len(of) != 3 || of[1].NObs() != 15 || of[1].Y[0] != d.Y[70] || of[2].RowNumber(0) != 91 {
		t.Error("other rows")
	}
}

func TestPartsBadInput(t *testing.T) {
	src := rand.NewPCG(1, 2)
	wantError(t, "one share", errorOf(RandomParts(5, src, 1)), ErrSetting, "1 parts of 5 rows")
	wantError(t, "sum", errorOf(RandomParts(5, src, 0.5, 0.4)), ErrSetting, "0.9")
	wantError(t, "negative", errorOf(RandomParts(5, src, 1.5, -0.5)), ErrSetting, "part 1")
	wantError(t, "NaN", errorOf(RandomParts(5, src, math.NaN(), 0.5)), ErrSetting, "part 0")
	wantError(t, "no source", errorOf(RandomParts(5, nil, 0.5, 0.5)), ErrSetting, "rand.NewPCG")
	wantError(t, "more parts than rows", errorOf(RandomParts(1, src, 0.5, 0.5)), ErrSetting, "2 parts of 1 rows")
	wantError(t, "negative n", errorOf(RandomParts(-1, src, 0.5, 0.5)), ErrSetting, "0 rows")
	wantError(t, "empty part", errorOf(RandomParts(5, src, 0.95, 0.05)), ErrNoData, "part 1")
	wantError(t, "few groups", errorOf(GroupedParts([]int{1, 1, 1}, src, 0.5, 0.5)), ErrSetting, "2 parts of 1 groups")
	wantError(t, "gap", errorOf(TimeParts(10, -1, 0.5, 0.5)), ErrSetting, "gap of -1")
	wantError(t, "all gap", errorOf(TimeParts(10, 5, 0.5, 0.5)), ErrNoData, "part 0")
	p := get(RandomParts(5, src, 0.5, 0.5))(t)
	wantError(t, "other rows", errorOf(p.Designs(randomDesign(t, 1, 6, 1))), ErrShape, "5 rows")
}
