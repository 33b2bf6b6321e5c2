package mlreg

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// subsetReference is what testdata/subsets.R writes for a data set.
type subsetReference struct {
	Best struct {
		Models             [][]string
		RSS, Cp, AdjR2, R2 []float64
	}
	Single struct {
		Terms     []string
		RSS, F, P []float64
	}
	Walks []struct {
		Direction, From string
		K               float64
		Steps           []string
		RSS, AIC        []float64
		Final           []string
	}
}

// subsetSets are the data of testdata/subsets.R, with its results.
func subsetSets(t *testing.T) map[string]struct {
	d   *Design
	ref subsetReference
} {
	t.Helper()
	var refs struct {
		Prostate, Diabetes, Longley subsetReference
	}
	readJSON(t, "subsets.json", &refs)
	train, _ := prostate(t)
	return map[string]struct {
		d   *Design
		ref subsetReference
	}{
		"prostate": {train, refs.Prostate},
		"diabetes": {csvDesign(t, "diabetes.csv", "progression", "age", "sex", "bmi", "bp", "s1", "s2", "s3", "s4", "s5", "s6"), refs.Diabetes},
		"longley":  {csvDesign(t, "longley.csv", "Employed", "GNP.deflator", "GNP", "Unemployed", "Armed.Forces", "Population", "Year"), refs.Longley},
	}
}

// every returns the models of all subsets of the terms, fitted to the rows, by
// size and RSS; subsets that are rank deficient are left out.
func every(t *testing.T, d *Design, always ...string) [][]*OLS {
	t.Helper()
	p := d.NTerms()
	fits := make([][]*OLS, p+1)
	for set := 1; set < 1<<p; set++ {
		var names []string
		for j, name := range d.Names {
			if set>>j&1 == 1 {
				names = append(names, name)
			}
		}
		if slices.ContainsFunc(always, func(a string) bool { return !slices.Contains(names, a) }) {
			continue
		}
		f, err := SubsetModel{Terms: names}.Refit(d)
		if errors.Is(err, ErrRankDeficient) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		fits[len(names)] = append(fits[len(names)], f)
	}
	for _, list := range fits {
		slices.SortFunc(list, func(a, b *OLS) int { return compareValues(a.RSS(), b.RSS()) })
	}
	return fits
}

// The best subsets are those of trying all, with the statistics of their fits.
func TestBestSubsetsAgainstEverySubset(t *testing.T) {
	sequential(t)
	rnd := rand.New(rand.NewPCG(8, 15))
	for trial := range 24 {
		p := 2 + rnd.IntN(6)
		n := p + 3 + rnd.IntN(20)
		d := randomDesign(t, uint64(trial), n, p)
		var always []string
		if trial%3 == 1 {
			always = []string{d.Names[rnd.IntN(p)]}
		}
		if trial%4 == 2 {
			for range n {
				d.Weights = append(d.Weights, 0.2+rnd.Float64())
			}
		}
		d.NoIntercept = trial%5 == 3
		if trial%6 == 4 && p > 2 {
			d.X.SetCol(p-1, mat.Col(nil, 0, d.X))
		}
		f, err := FitBestSubsets(d, &SubsetSettings{Best: 3, Always: always})
		if err != nil {
			t.Fatal(trial, err)
		}
		if !f.Proven() {
			t.Errorf("trial %d: not proven", trial)
		}
		best := map[Criterion]float64{ByAIC: math.Inf(1), ByBIC: math.Inf(1), ByCp: math.Inf(1), ByAdjR2: math.Inf(1)}
		for size, fits := range every(t, d, always...) {
			if size == 0 {
				continue
			}
			got := f.BestOfSize(size)
			if len(got) != min(3, len(fits)) {
				t.Fatalf("trial %d: %d models of size %d, want %d", trial, len(got), size, min(3, len(fits)))
			}
			for i, m := range got {
				near(t, "RSS", m.RSS, fits[i].RSS(), 1e-9)
				refit := get(m.Refit(d))(t)
				near(t, "RSS of the refit", m.RSS, refit.RSS(), 1e-9)
				near(t, "AIC", m.AIC, AIC(refit), 1e-9)
				near(t, "BIC", m.BIC, BIC(refit), 1e-9)
				near(t, "R2", m.R2, refit.R2(), 1e-9)
				near(t, "AdjR2", m.AdjR2, refit.AdjR2(), 1e-9)
				near(t, "training error", m.TrainError, refit.RSS()/d.sumWeights(), 1e-9)
				near(t, "Cp", m.Cp, refit.RSS()/f.Sigma2()+2*refit.DoF()-float64(n), 1e-9)
				near(t, "bound", f.Bound(size), got[0].RSS, 1e-12)
			}
			for _, o := range fits {
				best[ByAIC] = math.Min(best[ByAIC], AIC(o))
				best[ByBIC] = math.Min(best[ByBIC], BIC(o))
				best[ByCp] = math.Min(best[ByCp], o.RSS()/f.Sigma2()+2*o.DoF()-float64(n))
				best[ByAdjR2] = math.Min(best[ByAdjR2], -o.AdjR2())
			}
		}
		for c, want := range best {
			direct, err := FitBestSubsets(d, &SubsetSettings{Criterion: c, Always: always, MinSize: 1})
			if err != nil {
				t.Fatal(trial, c, err)
			}
			near(t, "best "+c.String(), direct.Models()[0].value(c), want, 1e-9)
			near(t, "bound of "+c.String(), direct.CriterionBound(), want, 1e-9)
		}
	}
}

// Package leaps finds the same subsets.
func TestBestSubsetsAgainstLeaps(t *testing.T) {
	for name, set := range subsetSets(t) {
		f, err := FitBestSubsets(set.d, &SubsetSettings{Best: 3})
		if err != nil {
			t.Fatal(name, err)
		}
		i := 0
		for size := 1; size <= set.d.NTerms(); size++ {
			for _, m := range f.BestOfSize(size) {
				what := fmt.Sprintf("%s, model %d, ", name, i)
				want := slices.Clone(set.ref.Best.Models[i])
				if !slices.Equal(m.Terms, want) {
					t.Errorf("%s%v, leaps has %v", what, m.Terms, want)
				}
				near(t, what+"RSS", m.RSS, set.ref.Best.RSS[i], 1e-9)
				near(t, what+"Cp", m.Cp, set.ref.Best.Cp[i], 1e-8)
				near(t, what+"AdjR2", m.AdjR2, set.ref.Best.AdjR2[i], 1e-10)
				near(t, what+"R2", m.R2, set.ref.Best.R2[i], 1e-10)
				i++
			}
		}
		if i != len(set.ref.Best.RSS) {
			t.Errorf("%s: %d models, leaps has %d", name, i, len(set.ref.Best.RSS))
		}
	}
}

// The best two terms of the prostate data, their coefficients and test error:
// Hastie, Tibshirani and Friedman, table 3.3, whose columns are standardized over
// all 97 rows with ddof = 1.
func TestBestSubsetOfTwoProstate(t *testing.T) {
	all := csvDesign(t, "prostate.csv", "lpsa", prostateTerms...)
	z := get(all.Standardize(&StandardizeSettings{DDoF: 1}))(t)
	train, test := prostate(t)
	train = get(train.Rescale(z.Scaling))(t)
	f := get(FitBestSubsets(train, nil))(t)
	two := f.BestOfSize(2)[0]
	if !slices.Equal(two.Terms, []string{"lcavol", "lweight"}) {
		t.Fatal(two.Terms)
	}
	ols := get(two.Refit(train))(t)
	for i, want := range []float64{2.477, 0.740, 0.316} {
		if got := ols.Coef()[i]; math.Abs(got-want) > 0.0005 {
			t.Errorf("coefficient %d is %.4f, printed %.3f", i, got, want)
		}
	}
	r := get(ols.Residuals(test))(t)
	squares := make([]float64, len(r))
	var mean, ss float64
	for i, v := range r {
		squares[i] = v * v
		mean += v * v / float64(len(r))
	}
	for _, v := range squares {
		ss += (v - mean) * (v - mean)
	}
	n := float64(len(r))
	if stderr := math.Sqrt(ss / (n - 1) / n); math.Abs(mean-0.492) > 0.0005 || math.Abs(stderr-0.143) > 0.0005 {
		t.Errorf("test error %.4f (%.4f), printed 0.492 (0.143)", mean, stderr)
	}
}

// RSS falls with size, greedy selection is never better, and a criterion finds
// what the search for every size finds.
func TestBestSubsetsProperties(t *testing.T) {
	d := randomDesign(t, 77, 80, 18)
	f := get(FitBestSubsets(d, nil))(t)
	models := f.Models()
	if len(models) != 19 {
		t.Fatalf("%d sizes", len(models))
	}
	for k := 1; k < len(models); k++ {
		if models[k].RSS > models[k-1].RSS || models[k].Size() != k {
			t.Errorf("size %d: RSS %g after %g", k, models[k].RSS, models[k-1].RSS)
		}
	}
	for _, direction := range []Direction{Forward, Backward} {
		walk := get(FitStepwise(d, &StepwiseSettings{Direction: direction, FullPath: true}))(t)
		for _, m := range walk.Models() {
			if m.RSS < models[m.Size()].RSS*(1-1e-9) {
				t.Errorf("%v: RSS of size %d is %g, the best %g", direction, m.Size(), m.RSS, models[m.Size()].RSS)
			}
		}
	}
	for _, c := range []Criterion{ByAIC, ByBIC, ByCp, ByAdjR2} {
		want := get(f.BestBy(c))(t)
		direct := get(FitBestSubsets(d, &SubsetSettings{Criterion: c, Best: 4}))(t)
		got := direct.Models()
		if !slices.Equal(got[0].Terms, want.Terms) || len(got) != 4 {
			t.Errorf("%v: %v directly, %v among all", c, got[0].Terms, want.Terms)
		}
		if !slices.IsSortedFunc(got, func(a, b SubsetModel) int { return compareValues(a.value(c), b.value(c)) }) {
			t.Errorf("%v: not in order", c)
		}
		if direct.Nodes() > f.Nodes() {
			t.Errorf("%v: %v nodes, and %v for all sizes", c, direct.Nodes(), f.Nodes())
		}
	}
}

// Moments, units and the number of processors change nothing.
func TestBestSubsetsInvariance(t *testing.T) {
	d := randomDesign(t, 5, 60, 16)
	want := get(FitBestSubsets(d, &SubsetSettings{Best: 2}))(t)
	m := get(d.Moments())(t)
	fromSums, err := FitBestSubsets(m, &SubsetSettings{Best: 2})
	if err != nil || !reflect.DeepEqual(want, fromSums) {
		t.Errorf("sums give another result: %v", err)
	}
	procs := runtime.GOMAXPROCS(1)
	one, err := FitBestSubsets(d, &SubsetSettings{Best: 2})
	runtime.GOMAXPROCS(procs)
	if err != nil || !reflect.DeepEqual(want, one) {
		t.Errorf("one processor gives another result: %v", err)
	}
	big := *d
	big.X = mat.DenseCopyOf(d.X)
	big.X.Apply(func(_, j int, v float64) float64 { return math.Ldexp(v, 300*(j%3-1)) }, big.X)
	scaled := get(FitBestSubsets(&big, &SubsetSettings{Best: 2}))(t)
	for k, m := range scaled.Models() {
		if !slices.Equal(m.Terms, want.Models()[k].Terms) {
			t.Errorf("size %d: %v in other units, %v before", k, m.Terms, want.Models()[k].Terms)
		}
	}
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(want); err != nil {
		t.Fatal(err)
	}
	var back Subsets
	if err := gob.NewDecoder(&buf).Decode(&back); err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(back.Models()) != fmt.Sprint(want.Models()) || !back.Proven() || back.Nodes() != want.Nodes() {
		t.Error("gob changed the subsets")
	}
}

// A search that is stopped returns what it has, and bounds that hold.
func TestBestSubsetsStopped(t *testing.T) {
	d := randomDesign(t, 6, 70, 34)
	rnd := rand.New(rand.NewPCG(6, 6))
	for i := range d.Y {
		d.Y[i] = rnd.NormFloat64() // nothing to find, many to compare
	}
	whole := get(FitBestSubsets(d, nil))(t)
	enough := errors.New("enough")
	stop := func(done, total float64) error { return enough }
	part, err := FitBestSubsets(d, &SubsetSettings{Progress: stop})
	if !errors.Is(err, enough) || part == nil || part.Proven() {
		t.Fatalf("error %v, proven %v", err, part.Proven())
	}
	for k, m := range whole.Models() {
		if bound := part.Bound(k); bound > m.RSS*(1+1e-9) || part.Models()[k].RSS < m.RSS*(1-1e-9) {
			t.Errorf("size %d: bound %g and RSS %g, the best is %g", k, bound, part.Models()[k].RSS, m.RSS)
		}
	}
	best := get(whole.BestBy(ByAIC))(t)
	part, err = FitBestSubsets(d, &SubsetSettings{Progress: stop, Criterion: ByAIC})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	if bound := part.CriterionBound(); bound > best.AIC+1e-9 || bound > part.Models()[0].AIC {
		t.Errorf("AIC bound %g, the best is %g", bound, best.AIC)
	}
}

func TestBestSubsetsAliased(t *testing.T) {
	d := randomDesign(t, 12, 40, 6)
	for i := range 40 {
		row := d.X.RawRowView(i)
		row[3] = row[0]
		row[5] = row[1] - 2*row[2]
	}
	f := get(FitBestSubsets(d, &SubsetSettings{Best: 10}))(t)
	if got := f.Aliased(); !slices.Equal(got, []string{"x4", "x6"}) {
		t.Errorf("aliased %v", got)
	}
	if n := len(f.Models()); n != 5 {
		t.Errorf("%d sizes of rank 4", n)
	}
	for size := 1; size <= 4; size++ {
		for _, m := range f.BestOfSize(size) {
			if _, err := m.Refit(d); err != nil {
				t.Errorf("%v: %v", m.Terms, err)
			}
		}
	}
	if got := f.BestOfSize(4); len(got) != 2*3 {
		t.Errorf("%d models of full rank, want 6", len(got))
	}
	// Of equal terms the first is taken.
	first := get(FitBestSubsets(d, nil))(t)
	for _, m := range first.Models() {
		if slices.Contains(m.Terms, "x4") {
			t.Errorf("%v: x1 is the same as x4", m.Terms)
		}
	}
	// As many terms as observations and more: nothing is left at size n-1.
	wide := randomDesign(t, 3, 8, 11)
	f = get(FitBestSubsets(wide, nil))(t)
	models := f.Models()
	if len(models) != 8 || models[7].R2 < 1-1e-9 || !math.IsNaN(models[3].Cp) || models[3].R2 > 1-1e-6 {
		t.Errorf("%d sizes, R2 %v", len(models), models[len(models)-1].R2)
	}
}

func TestBestSubsetsErrors(t *testing.T) {
	sequential(t)
	d := randomDesign(t, 1, 30, 5)
	wide := randomDesign(t, 1, 100, 65)
	constant, few, short := *d, randomDesign(t, 2, 5, 5), randomDesign(t, 1, 10, 40)
	constant.Y = slices.Repeat([]float64{3}, 30)
	fitted := *d
	fitted.Y = mat.Col(nil, 0, d.X)
	bad := randomDesign(t, 1, 30, 5)
	bad.X.Set(2, 1, math.Inf(1))
	for _, c := range []struct {
		name string
		data Data
		set  SubsetSettings
		want error
		text string
	}{
		{"d = 65", wide, SubsetSettings{}, ErrSetting, "65 candidates; the best subsets of at most 64"},
		{"many alias sets", short, SubsetSettings{}, ErrSetting, "40 candidates of rank 9"},
		{"best", d, SubsetSettings{Best: -1}, ErrSetting, "Best = -1"},
		{"size", d, SubsetSettings{MaxSize: 6}, ErrSetting, "sizes 0 to 6; there are 5 terms"},
		{"sizes", d, SubsetSettings{MinSize: 3, MaxSize: 2}, ErrSetting, "sizes 3 to 2"},
		{"always too many", d, SubsetSettings{MaxSize: 1, Always: []string{"x1", "x2"}}, ErrSetting, "2 of them always in"},
		{"criterion", d, SubsetSettings{Criterion: ByCV}, ErrSetting, "CV error"},
		{"sigma2", d, SubsetSettings{Sigma2: -1}, ErrSetting, "Sigma2 = -1"},
		{"no such term", d, SubsetSettings{Always: []string{"z"}}, ErrShape, `"z"`},
		{"constant response", &constant, SubsetSettings{}, ErrConstant, `response "y" is 3 in every row`},
		{"always fit", &fitted, SubsetSettings{Always: []string{"x1"}}, ErrPerfectFit, "always in"},
		{"Cp of n <= d", few, SubsetSettings{Criterion: ByCp}, ErrSaturated, "Sigma2"},
		{"nil", nil, SubsetSettings{}, ErrNoData, "nil"},
		{"not finite", bad, SubsetSettings{}, ErrNotFinite, `"x2"`},
	} {
		f, err := FitBestSubsets(c.data, &c.set)
		if f != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	f := get(FitBestSubsets(d, nil))(t)
	null := f.Models()[0]
	mean, err := null.Refit(d)
	if err != nil {
		t.Fatal("refit of no terms:", err)
	}
	near(t, "RSS of no terms", mean.RSS(), null.RSS, 1e-12)
	near(t, "BIC of no terms", BIC(mean), null.BIC, 1e-12)
	origin := *d
	origin.NoIntercept = true
	if _, err := null.Refit(&origin); !errors.Is(err, ErrNoTerms) {
		t.Errorf("refit of nothing: %v", err)
	}
	if _, err := f.BestBy(ByPValue); !errors.Is(err, ErrSetting) {
		t.Errorf("best by p-value: %v", err)
	}
	if f.BestOfSize(9) != nil || !math.IsNaN(f.Bound(9)) || !math.IsNaN(f.CriterionBound()) {
		t.Error("models of a size that does not exist")
	}
}

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		d, q          int
		subsets, step float64
	}{{8, 2, 28, 15}, {10, 5, 252, 40}, {40, 20, 137846528820, 610}, {5, 0, 1, 0}, {5, 6, 0, 15}} {
		if got := CountSubsets(c.d, c.q); got != c.subsets {
			t.Errorf("C(%d, %d) = %v", c.d, c.q, got)
		}
		if got := CountStepwise(c.d, c.q); got != c.step {
			t.Errorf("stepwise %d of %d: %v", c.q, c.d, got)
		}
	}
	total := 0.0
	for q := range 31 {
		total += CountSubsets(30, q)
	}
	if total != 1<<30 {
		t.Errorf("2^30 = %v", total)
	}
}

func TestMomentsSelect(t *testing.T) {
	d := randomDesign(t, 3, 20, 5)
	z := get(d.Standardize(nil))(t)
	m := get(z.Moments())(t)
	names := []string{"x4", "x1", "x3"}
	got := get(m.Select(names...))(t)
	sub := get(z.Select(names...))(t)
	want := get(sub.Moments())(t)
	nearSym(t, "SXX", got.SXX(), want.SXX(), 1e-12)
	nearAll(t, "SXY", got.SXY(), want.SXY(), 1e-12)
	nearAll(t, "MeanX", got.MeanX(), want.MeanX(), 1e-12)
	if err := got.compatible(want); err != nil {
		t.Error(err)
	}
	if _, err := m.Select("x1", "z"); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), `"z"`) {
		t.Error(err)
	}
}
