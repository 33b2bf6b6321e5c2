package assess

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/internal/expect"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/internal/rows"
	"github.com/regbook/regbook/mlreg"
)

// numberedRows returns a design whose only informative column is the number of the row,
// and p - 1 more columns.
func numberedRows(t *testing.T, n, p int) *mlreg.Design {
	t.Helper()
	x := mat.NewDense(n, p, nil)
	y := make([]float64, n)
	random := rand.New(rand.NewPCG(9, 9))
	for i := range n {
		x.Set(i, 0, float64(i))
		y[i] = random.NormFloat64()
		for j := 1; j < p; j++ {
			x.Set(i, j, random.NormFloat64())
		}
	}
	return fatal.On(mlreg.NewDesign(x, y))(t)
}

// The rows are those that each way of resampling promises, and the result counts what
// the function chose.
func TestSelectionStabilityCounts(t *testing.T) {
	const n, p, resamples = 11, 4, 40
	d := numberedRows(t, n, p)
	for _, how := range []Resampling{HalfSamples, ComplementaryPairs, BootstrapResamples} {
		var mu sync.Mutex
		var seen [][]int
		choose := func(rows *mlreg.Design, src rand.Source) ([]string, error) {
			var got []int
			for i := range rows.NObs() {
				got = append(got, int(rows.X.At(i, 0)))
			}
			mu.Lock()
			seen = append(seen, got)
			mu.Unlock()
			chosen := []string{d.Names[1], d.Names[1]} // named twice, counted once
			if got[0] == 0 {
				chosen = append(chosen, d.Names[3])
			}
			if rand.New(src).IntN(2) == 0 {
				chosen = append(chosen, d.Names[2])
			}
			return chosen, nil
		}
		f := fatal.On(SelectionStability(d, choose, rand.NewPCG(1, 2), &StabilitySettings{Rows: how, Resamples: resamples}))(t)
		first := 0
		for _, rows := range seen {
			want := n / 2
			if how == BootstrapResamples {
				want = n
			}
			if distinct := len(slices.Compact(slices.Clone(rows))); len(rows) != want || how != BootstrapResamples && distinct != want {
				t.Fatalf("%v: rows %v", how, rows)
			}
			if rows[0] == 0 {
				first++
			}
		}
		if how == ComplementaryPairs {
			for _, rows := range seen {
				apart := func(other []int) bool {
					return !slices.ContainsFunc(other, func(i int) bool { return slices.Contains(rows, i) })
				}
				if !slices.ContainsFunc(seen, apart) {
					t.Errorf("rows %v have no complement", rows)
				}
			}
		}
		freq := f.InclusionProb()
		if len(seen) != resamples || f.Resamples() != resamples || freq[0] != 0 || freq[1] != 1 || freq[3] != float64(first)/resamples {
			t.Errorf("%v: shares %v, %d resamples, row 0 in %d", how, freq, len(seen), first)
		}
		if freq[2] < 0.2 || freq[2] > 0.8 {
			t.Errorf("%v: the source of each resample: share %v of a fair coin", how, freq[2])
		}
		expect.Near(t, "standard error", f.InclusionErr()[3], math.Sqrt(freq[3]*(1-freq[3])/resamples), 1e-15)
		_, counts := f.Sets()
		if !slices.IsSortedFunc(counts, func(a, b int) int { return b - a }) {
			t.Errorf("%v: sets chosen %v times", how, counts)
		}
	}
}

// Of an odd number of rows each is as likely to be in the first half of a pair as in the
// second: a share (n-1)/(2n) of the pairs has it there, to five standard errors.
func TestComplementaryPairsOfOddRows(t *testing.T) {
	const n, pairs = 11, 2000
	c := &chooser{d: numberedRows(t, n, 2), how: ComplementaryPairs}
	for i := range n {
		c.from = append(c.from, i)
	}
	random := rand.NewPCG(1, 2)
	var counts [2][n]int
	for k := range 2 * pairs {
		c.seeds = append(c.seeds, [2]uint64{random.Uint64(), random.Uint64()})
		for _, i := range c.draw(k) {
			counts[k%2][i]++
		}
	}
	const share = float64(n-1) / (2 * n)
	for half, count := range counts {
		for i, times := range count {
			expect.Near(t, fmt.Sprintf("half %d, row %d", half, i), float64(times)/pairs, share, 5*math.Sqrt(share*(1-share)/pairs))
		}
	}
}

// A row of weight zero is never drawn, and halves are of the others.
func TestSelectionStabilityWeightZero(t *testing.T) {
	const n = 13
	d := numberedRows(t, n, 2)
	d.Weights = slices.Repeat([]float64{1}, n)
	d.Weights[0], d.Weights[5], d.Weights[12] = 0, 0, 0
	for _, how := range []Resampling{HalfSamples, ComplementaryPairs, BootstrapResamples} {
		var mu sync.Mutex
		seen := map[int]int{}
		choose := func(rows *mlreg.Design, _ rand.Source) ([]string, error) {
			mu.Lock()
			defer mu.Unlock()
			if want := map[bool]int{false: 5, true: 10}[how == BootstrapResamples]; rows.NObs() != want {
				t.Errorf("%v: %d rows", how, rows.NObs())
			}
			for i := range rows.NObs() {
				seen[int(rows.X.At(i, 0))]++
			}
			return nil, nil
		}
		fatal.On(SelectionStability(d, choose, rand.NewPCG(1, 2), &StabilitySettings{Rows: how, Resamples: 60}))(t)
		if len(seen) != 10 || seen[0]+seen[5]+seen[12] != 0 {
			t.Errorf("%v: rows %v", how, seen)
		}
	}
	for i := range 7 {
		d.Weights[i] = 0
	}
	d.Weights[8], d.Weights[9] = 0, 0 // three left
	expect.Error(t, "three rows", expect.ErrorOf(SelectionStability(d, func(*mlreg.Design, rand.Source) ([]string, error) { return nil, nil }, rand.NewPCG(1, 2), nil)), mlreg.ErrNoData, "3 rows of positive weight")
}

// choosing makes a design of which resample k chooses the k-th of the sets.
func choosing(t *testing.T, p int, sets ...[]int) *Stability {
	t.Helper()
	d := numberedRows(t, 8, p)
	next := make(chan []int, len(sets))
	for _, s := range sets {
		next <- s
	}
	return fatal.On(SelectionStability(d, func(*mlreg.Design, rand.Source) ([]string, error) {
		var names []string
		for _, j := range <-next {
			names = append(names, d.Names[j])
		}
		return names, nil
	}, rand.NewPCG(1, 2), &StabilitySettings{Resamples: len(sets)}))(t)
}

// The numbers are by hand: shares (1, 1/2, 0, 1/4), q = 7/4, variances (0, 1/4, 0, 3/16) 4/3,
// so that the index is 1 - (7/48)/((7/16)(9/16)) = 1 - 16/27.
func TestStabilityIndexAndBound(t *testing.T) {
	f := choosing(t, 4, []int{0}, []int{0, 1}, []int{0, 1}, []int{0, 3})
	expect.Near(t, "mean size", f.MeanSize(), 1.75, 1e-15)
	expect.Near(t, "index", f.Index(), 1-16.0/27, 1e-14)
	expect.Near(t, "bound", fatal.On(f.ErrorBound(0.75))(t), 1.75*1.75/(0.5*4), 1e-15)
	if got := fatal.On(f.Stable(0.5))(t); !slices.Equal(got, []string{f.Terms()[0], f.Terms()[1]}) {
		t.Errorf("stable: %v", got)
	}
	same := choosing(t, 3, []int{1}, []int{1}, []int{1})
	expect.Near(t, "index of one choice", same.Index(), 1, 1e-15)
	if nothing := choosing(t, 3, nil, nil); !math.IsNaN(nothing.Index()) || nothing.MeanSize() != 0 {
		t.Errorf("nothing chosen: index %v", nothing.Index())
	}
	for _, threshold := range []float64{0.5, 0, 1.1, math.NaN()} {
		if _, err := f.ErrorBound(threshold); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("bound at %v: %v", threshold, err)
		}
	}
	for _, threshold := range []float64{0, -1, 1.1, math.NaN()} {
		if _, err := f.Stable(threshold); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("stable at %v: %v", threshold, err)
		}
	}
}

// TestStabilityBoundHolds chooses the five terms that are correlated most with the
// response, of 40 of which 3 count, in 60 simulations: the mean number of terms
// named falsely is below the mean bound, and above nothing, so that the test could fail.
func TestStabilityBoundHolds(t *testing.T) {
	expect.Repeats(t)
	const n, p, signal, simulations = 60, 40, 3, 60
	choose := func(rows *mlreg.Design, _ rand.Source) ([]string, error) {
		filter, err := mlreg.FilterTerms(rows)
		if err != nil {
			return nil, err
		}
		var names []string
		for _, row := range filter[:5] {
			names = append(names, row.Term)
		}
		return names, nil
	}
	var falsely, bound, right float64
	for seed := range uint64(simulations) {
		random := rand.New(rand.NewPCG(seed, 3))
		x, y := mat.NewDense(n, p, nil), make([]float64, n)
		for i := range n {
			for j := range p {
				v := random.NormFloat64()
				x.Set(i, j, v)
				if j < signal {
					y[i] += v / 2
				}
			}
			y[i] += random.NormFloat64()
		}
		d := fatal.On(mlreg.NewDesign(x, y))(t)
		f := fatal.On(SelectionStability(d, choose, random, &StabilitySettings{Rows: ComplementaryPairs, Resamples: 50}))(t)
		for _, name := range fatal.On(f.Stable(0.6))(t) {
			if slices.Index(d.Names, name) < signal {
				right += 1.0 / simulations
			} else {
				falsely += 1.0 / simulations
			}
		}
		bound += fatal.On(f.ErrorBound(0.6))(t) / simulations
	}
	t.Logf("%.3f named falsely, bound %.3f; %.2f of %d found", falsely, bound, right, signal)
	if falsely > bound || falsely == 0 || right < 1.5 {
		t.Errorf("%v named falsely, bound %v; %v of %d found", falsely, bound, right, signal)
	}
}

func TestSelectionStabilityAtAnyGOMAXPROCS(t *testing.T) {
	train, _ := rows.Prostate(t)
	choose := func(rows *mlreg.Design, _ rand.Source) ([]string, error) {
		fit, err := mlreg.FitLasso(rows, 10, nil)
		if err != nil {
			return nil, err
		}
		return fit.Active(), nil
	}
	var all []*Stability
	for _, procs := range []int{1, 4} {
		before := runtime.GOMAXPROCS(procs)
		all = append(all, fatal.On(SelectionStability(train, choose, rand.NewPCG(1, 2), nil))(t))
		runtime.GOMAXPROCS(before)
	}
	if !reflect.DeepEqual(all[0], all[1]) {
		t.Error("results differ")
	}
}

func TestSelectionStabilityFailures(t *testing.T) {
	d := numberedRows(t, 10, 3)
	failing := errors.New("failing")
	now := func(rows *mlreg.Design, _ rand.Source) ([]string, error) {
		switch {
		case rows.X.At(0, 0) == 0:
			return nil, failing
		case rows.X.At(0, 0) == 1:
			return []string{"nobody"}, nil
		}
		return []string{d.Names[1]}, nil
	}
	f := fatal.On(SelectionStability(d, now, rand.NewPCG(1, 2), nil))(t)
	count, first := f.Failed()
	if count == 0 || f.Resamples()+count != 100 || f.InclusionProb()[1] != 1 || first == "" || !strings.Contains(f.String(), "choices failed and are not counted") {
		t.Errorf("%d failed (%s) and %d did not:\n%v", count, first, f.Resamples(), f)
	}
	always := func(*mlreg.Design, rand.Source) ([]string, error) { return nil, failing }
	if _, err := SelectionStability(d, always, rand.NewPCG(1, 2), nil); !errors.Is(err, failing) || !errors.Is(err, mlreg.ErrNoData) {
		t.Errorf("all failed: %v", err)
	}
	ok := func(*mlreg.Design, rand.Source) ([]string, error) { return nil, nil }
	stop := errors.New("stop")
	part, err := SelectionStability(d, ok, rand.NewPCG(1, 2), &StabilitySettings{Progress: func(done, total float64) error {
		if total != 100 {
			t.Errorf("%v of %v", done, total)
		}
		if done == 7 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || part == nil || part.Resamples() != 7 || !strings.Contains(part.String(), "stopped: 93 resamples not done") {
		t.Errorf("stopped: %v, %v", part, err)
	}
	for name, c := range map[string]struct {
		d      *mlreg.Design
		choose func(*mlreg.Design, rand.Source) ([]string, error)
		src    rand.Source
		set    StabilitySettings
		want   error
	}{
		"no design":   {nil, ok, rand.NewPCG(1, 2), StabilitySettings{}, mlreg.ErrNoData},
		"no function": {d, nil, rand.NewPCG(1, 2), StabilitySettings{}, mlreg.ErrNoData},
		"three rows":  {d.Rows(0, 1, 2), ok, rand.NewPCG(1, 2), StabilitySettings{}, mlreg.ErrNoData},
		"no source":   {d, ok, nil, StabilitySettings{}, mlreg.ErrSetting},
		"unknown":     {d, ok, rand.NewPCG(1, 2), StabilitySettings{Rows: 3}, mlreg.ErrSetting},
		"one":         {d, ok, rand.NewPCG(1, 2), StabilitySettings{Resamples: 1}, mlreg.ErrSetting},
		"odd":         {d, ok, rand.NewPCG(1, 2), StabilitySettings{Rows: ComplementaryPairs, Resamples: 7}, mlreg.ErrSetting},
		"negative":    {d, ok, rand.NewPCG(1, 2), StabilitySettings{Resamples: -2}, mlreg.ErrSetting},
	} {
		if _, err := SelectionStability(c.d, c.choose, c.src, &c.set); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	defer func() {
		if p, ok := recover().(*mlreg.PanicError); !ok || !strings.HasPrefix(p.Where, "resample ") {
			t.Errorf("a panic of the function becomes %v", p)
		}
	}()
	_, _ = SelectionStability(d, func(*mlreg.Design, rand.Source) ([]string, error) { panic("oh") }, rand.NewPCG(1, 2), nil)
}
