package mlreg

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Every row is held out once, training and test rows share none, sizes differ by
// one at most, and the seed decides.
func TestKFold(t *testing.T) {
	for _, size := range [][2]int{{10, 10}, {23, 5}, {7, 2}, {100, 3}} {
		n, k := size[0], size[1]
		f := get(KFold(n, k, rand.NewPCG(1, 2)))(t)
		seen := make([]int, n)
		least, most := n, 0
		for fold := range f.Len() {
			test, train := f.Test(fold), f.Train(fold)
			for _, i := range test {
				seen[i]++
				if slices.Contains(train, i) {
					t.Errorf("row %d is trained on and tested", i)
				}
			}
			if len(test)+len(train) != n {
				t.Errorf("%d and %d rows of %d", len(test), len(train), n)
			}
			least, most = min(least, len(test)), max(most, len(test))
		}
		if slices.Min(seen) != 1 || slices.Max(seen) != 1 || most-least > 1 || f.NObs() != n {
			t.Errorf("%d rows in %d folds: held out %v, sizes %d to %d", n, k, seen, least, most)
		}
		same := get(KFold(n, k, rand.NewPCG(1, 2)))(t)
		if !slices.Equal(f.Assignment(), same.Assignment()) {
			t.Error("the same seed gives other folds")
		}
	}
	a, b := get(KFold(50, 5, rand.NewPCG(1, 2)))(t), get(KFold(50, 5, rand.NewPCG(3, 2)))(t)
	if slices.Equal(a.Assignment(), b.Assignment()) {
		t.Error("another seed gives the same folds")
	}
}

// Each fold has its share of every class, whatever their sizes.
func TestStratifiedKFold(t *testing.T) {
	labels := slices.Concat(slices.Repeat([]float64{0}, 37), slices.Repeat([]float64{1}, 12), slices.Repeat([]float64{2}, 4))
	f := get(StratifiedKFold(labels, 5, rand.NewPCG(1, 2)))(t)
	for fold := range 5 {
		count := make([]int, 3)
		for _, i := range f.Test(fold) {
			count[int(labels[i])]++
		}
		for class, n := range []int{37, 12, 4} {
			if c := count[class]; c < n/5 || c > n/5+1 {
				t.Errorf("fold %d has %d of the %d rows of class %d", fold, c, n, class)
			}
		}
		if n := len(f.Test(fold)); n < 10 || n > 11 {
			t.Errorf("fold %d has %d rows", fold, n)
		}
	}
}

// No group is split.
func TestGroupedKFold(t *testing.T) {
	var groups []string
	for g, n := range []int{9, 1, 1, 4, 4, 2, 3, 7, 5} {
		groups = append(groups, slices.Repeat([]string{string(rune('a' + g))}, n)...)
	}
	f := get(GroupedKFold(groups, 3, rand.NewPCG(1, 2)))(t)
	of := f.Assignment()
	for i := range groups {
		for j := range groups {
			if groups[i] == groups[j] && of[i] != of[j] {
				t.Fatalf("group %q is in folds %d and %d", groups[i], of[i], of[j])
			}
		}
	}
	for fold := range 3 {
		if n := len(f.Test(fold)); n < 10 || n > 14 {
			t.Errorf("fold %d has %d of 36 rows", fold, n)
		}
	}
}

func TestOtherFolds(t *testing.T) {
	f := get(LeaveOneOut(4))(t)
	if f.Len() != 4 || !slices.Equal(f.Test(2), []int{2}) || !slices.Equal(f.Train(2), []int{0, 1, 3}) {
		t.Errorf("leave-one-out: %v", f)
	}
	f = get(ValidationSet([]bool{false, true, true}))(t)
	if f.Len() != 1 || !slices.Equal(f.Test(0), []int{1, 2}) || !slices.Equal(f.Train(0), []int{0}) {
		t.Errorf("validation set: %v", f)
	}
	f = get(RandomValidationSet(67, 20, rand.NewPCG(1, 2)))(t)
	if f.Len() != 1 || len(f.Test(0)) != 20 || len(f.Train(0)) != 47 {
		t.Errorf("20 of 67: %v", f)
	}
}

// Folds of which only the sums are known are counted, give the errors that folds
// of rows do, and are refused by what needs rows.
func TestMomentFolds(t *testing.T) {
	d := correlatedDesign(t, 1, 20, 3, 0.5, 1)
	of := get(KFold(20, 4, rand.NewPCG(1, 2)))(t)
	var sums []*Moments
	for k := range of.Len() {
		sums = append(sums, get(d.Rows(of.Test(k)...).Moments())(t))
	}
	f := get(MomentFolds(sums...))(t)
	if f.Len() != 4 || f.NObs() != 20 || f.Assignment() != nil {
		t.Errorf("%d folds of %d rows, %v", f.Len(), f.NObs(), f.Assignment())
	}
	if got := f.String(); got != "4 folds of 20 rows (5 each)" {
		t.Error(got)
	}
	search := func(data Data) ([]SubsetModel, error) {
		best, err := FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return best.Models(), nil
	}
	rows, some := get(CrossValidateSizes(d, of, search))(t), get(CrossValidateSizes(nil, f, search))(t)
	nearAll(t, "mean", some.Mean(), rows.Mean(), 1e-12)
	nearAll(t, "standard error", some.StdErr(), rows.StdErr(), 1e-12)
	wantError(t, "needs rows", errorOf(FitGreedyCV(d, f, nil, nil)), ErrNeedsRows, "MomentFolds")
	m := get(d.Moments())(t)
	wantError(t, "sums and folds of rows", errorOf(CrossValidateSizes(m, of, search)), ErrShape, "MomentFolds")
	wantError(t, "other rows", errorOf(CrossValidateSizes(d.Rows(1, 2, 3), of, search)), ErrShape, "3")
	wantError(t, "one fold", errorOf(MomentFolds(m)), ErrSetting, "1 folds")
	wantError(t, "empty fold", errorOf(MomentFolds(m, nil)), ErrNoData, "fold 1")
	wantError(t, "other terms", errorOf(MomentFolds(m, get(m.Select("x1"))(t))), ErrShape, "fold 1")
}

func TestFoldsBadInput(t *testing.T) {
	src := rand.NewPCG(1, 2)
	wantError(t, "more folds than rows", errorOf(KFold(5, 6, src)), ErrSetting, "6 folds of 5 rows")
	wantError(t, "one fold", errorOf(KFold(5, 1, src)), ErrSetting, "1 folds")
	wantError(t, "no source", errorOf(KFold(5, 2, nil)), ErrSetting, "rand.NewPCG")
	wantError(t, "more folds than groups", errorOf(GroupedKFold([]int{1, 1, 2}, 3, src)), ErrSetting, "3 folds of 2 groups")
	wantError(t, "no labels", errorOf(StratifiedKFold([]int{}, 2, src)), ErrSetting, "0 rows")
	wantError(t, "one row", errorOf(LeaveOneOut(1)), ErrSetting, "1 rows")
	wantError(t, "nothing held out", errorOf(ValidationSet([]bool{false})), ErrNoData, "held out")
	wantError(t, "all held out", errorOf(ValidationSet([]bool{true, true})), ErrNoData, "all 2 rows")
	wantError(t, "empty fold", errorOf(NewFolds([]int{0, 2, -1})), ErrNoData, "fold 1")
	wantError(t, "negative fold", errorOf(NewFolds([]int{0, -2})), ErrSetting, "row 2")
	wantError(t, "all held out", errorOf(RandomValidationSet(3, 3, src)), ErrSetting, "3 of 3")
}
