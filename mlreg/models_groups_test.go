package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// grouped is a design of a, b (three columns), c, a:b (three columns) and a:c.
func grouped(t testing.TB, seed uint64) (*Design, []TermGroup) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	n := 60
	x := mat.NewDense(n, 9, nil)
	y := make([]float64, n)
	for i := range n {
		a, c := r.NormFloat64(), r.NormFloat64()
		row := []float64{a, 0, 0, 0, c, 0, 0, 0, a * c}
		if level := r.IntN(4); level > 0 {
			row[level], row[level+4] = 1, a
		}
		x.SetRow(i, row)
		y[i] = 0.4*a + 0.5*row[1] - 0.3*row[2] + 0.2*c + 0.25*row[8] + r.NormFloat64()
	}
	d := get(NewDesign(x, y, "a", "b1", "b2", "b3", "c", "a:b1", "a:b2", "a:b3", "a:c"))(t)
	return d, []TermGroup{
		{Name: "b", Terms: []string{"b1", "b2", "b3"}},
		{Name: "a:b", Terms: []string{"a:b1", "a:b2", "a:b3"}, Margins: []string{"a", "b"}},
		{Name: "a:c", Terms: []string{"a:c"}, Margins: []string{"a", "c"}},
	}
}

// sumOfModels is EnumerateModels with a BICScore by one least-squares fit a model.
type sumOfModels struct {
	total, size           float64 // of weights, of models
	inclusion, sizes      []float64
	any, all              float64 // of {b, a:c}
	mean, prior           []float64
	best                  []string
	bestWeight, logLikest float64
}

func bruteForce(t *testing.T, d *Design, groups []TermGroup, heredity Heredity, pi0 float64) sumOfModels {
	t.Helper()
	terms := wholeGroups(d.Names, groups)
	k := len(terms)
	s := sumOfModels{inclusion: make([]float64, k), sizes: make([]float64, k+1), prior: make([]float64, k+1), mean: make([]float64, len(d.Names)), bestWeight: math.Inf(-1)}
	var priorTotal float64
	for pass := range 2 {
		for subset := range 1 << k {
			has := func(name string) bool {
				j := slices.IndexFunc(terms, func(g TermGroup) bool { return g.Name == name })
				return j >= 0 && subset>>j&1 == 1
			}
			allowed, size := true, 0
			var columns, names []string
			for j, g := range terms {
				if subset>>j&1 == 0 {
					continue
				}
				size++
				columns, names = append(columns, g.Terms...), append(names, g.Name)
				in := 0
				for _, m := range g.Margins {
					if has(m) {
						in++
					}
				}
				if heredity == StrongHeredity && in < len(g.Margins) || heredity == WeakHeredity && len(g.Margins) > 0 && in == 0 {
					allowed = false
				}
			}
			if !allowed {
				continue
			}
			prior := math.Pow(pi0, float64(size)) * math.Pow(1-pi0, float64(k-size))
			if pass == 0 {
				priorTotal += prior
				s.size++
				continue
			}
			s.prior[size] += prior / priorTotal
			sub := get(d.Select(columns...))(t)
			f := get(FitOLS(sub, nil))(t)
			l := f.LogLik() - float64(len(columns))/2*math.Log(float64(d.NObs()))
			weight := math.Exp(l + 100)
			weight *= prior / priorTotal
			if weight > s.bestWeight {
				s.bestWeight, s.best, s.logLikest = weight, names, l
			}
			s.total += weight
			s.sizes[size] += weight
			for j := range terms {
				if subset>>j&1 == 1 {
					s.inclusion[j] += weight
				}
			}
			if has("b") || has("a:c") {
				s.any += weight
			}
			if has("b") && has("a:c") {
				s.all += weight
			}
			for i, name := range columns {
				s.mean[slices.Index(d.Names, name)] += weight * f.Slopes()[i]
			}
		}
	}
	return s
}

// TestEnumerateGroups holds sums over models of groups, whose columns may lie apart, to a
// least-squares fit a model.
func TestEnumerateGroups(t *testing.T) {
	d, groups := grouped(t, 1)
	apart := get(d.Select("a:b2", "b1", "a", "b3", "a:b1", "c", "a:c", "b2", "a:b3"))(t)
	for i := range 6 {
		d, heredity := []*Design{d, apart}[i/3], []Heredity{AnyInteraction, WeakHeredity, StrongHeredity}[i%3]
		const pi0 = 0.3
		want := bruteForce(t, d, groups, heredity, pi0)
		e := get(EnumerateModels(d, BICScore{Pi0: pi0}, &EnumerateSettings{
			Groups: groups, Heredity: heredity, Sets: [][]string{{"b", "a:c"}}, Average: true, Scores: true,
		}))(t)
		near := func(what string, got, want float64) {
			t.Helper()
			if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Errorf("%v: %s: %v, want %v", heredity, what, got, want)
			}
		}
		if !e.Exact() || e.Models() != want.size {
			t.Errorf("%v: %v models, want %v", heredity, e.Models(), want.size)
		}
		near("normaliser", e.LogNormalizer(), math.Log(want.total)-100)
		for j, p := range e.InclusionProb() {
			near("inclusion of "+e.Terms()[j], p, want.inclusion[j]/want.total)
		}
		for k, p := range e.SizeProb() {
			near(fmt.Sprint("size ", k), p, want.sizes[k]/want.total)
			near(fmt.Sprint("prior of size ", k), e.SizePrior()[k], want.prior[k])
		}
		set := e.TermSets()[0]
		near("any", set.Any, want.any/want.total)
		near("all", set.All, want.all/want.total)
		average := get(e.ModelAverage())(t)
		for j, b := range average.Slopes() {
			near("mean of "+d.Names[j], b, want.mean[j]/want.total)
		}
		m := e.MAPModel()
		if !slices.Equal(m.Terms, want.best) {
			t.Errorf("%v: best model %v, want %v", heredity, m.Terms, want.best)
		}
		near("best", m.LogMarginal, want.logLikest)
		if all, ok := bestWith(e.Best(), "b"); ok && (len(all.Coef) != len(all.Columns) || len(all.Columns) < 3) {
			t.Errorf("%v: %d coefficients of the columns %q", heredity, len(all.Coef), all.Columns)
		}
		pairs := get(e.PairInclusion())(t)
		for j, p := range e.InclusionProb() {
			near("pair", pairs.At(j, j), p)
		}
		checkSampleOf(t, d, groups, heredity, e)
	}
}

// bestWith returns the best model that has a term.
func bestWith(m []RankedModel, term string) (RankedModel, bool) {
	k := slices.IndexFunc(m, func(m RankedModel) bool { return slices.Contains(m.Terms, term) })
	if k < 0 {
		return RankedModel{}, false
	}
	return m[k], true
}

// checkSampleOf holds a sample of the same models to the sum.
func checkSampleOf(t *testing.T, d *Design, groups []TermGroup, heredity Heredity, e *Enumeration) {
	t.Helper()
	s := get(SampleModels(d, BICScore{Pi0: 0.3}, rand.NewPCG(1, 2), &SampleModelsSettings{
		Groups: groups, Heredity: heredity, Sets: [][]string{{"b", "a:c"}}, Sweeps: 4000,
	}))(t)
	within := func(what string, got, se, want float64) {
		t.Helper()
		if math.Abs(got-want) > 5*se+1e-3 {
			t.Errorf("%v: sampled %s: %v (%v), want %v", heredity, what, got, se, want)
		}
	}
	for j, p := range e.InclusionProb() {
		within(e.Terms()[j], s.InclusionProb()[j], s.InclusionErr()[j], p)
	}
	got, want := s.TermSets()[0], e.TermSets()[0]
	within("any", got.Any, got.AnyErr, want.Any)
	within("all", got.All, got.AllErr, want.All)
	if a, b := s.Best()[0], e.Best()[0]; !slices.Equal(a.Terms, b.Terms) || math.Abs(a.LogScore-b.LogScore) > 1e-9 {
		t.Errorf("%v: best %v %v, want %v %v", heredity, a.Terms, a.LogScore, b.Terms, b.LogScore)
	}
	for _, m := range s.Best() {
		for _, name := range []string{"a:b", "a:c"} {
			if heredity == StrongHeredity && slices.Contains(m.Terms, name) && !slices.Contains(m.Terms, "a") {
				t.Errorf("%v: visited %v", heredity, m.Terms)
			}
		}
	}
}

// Groups do not depend on how a factor is coded.
func TestGroupsInAnyCoding(t *testing.T) {
	d, groups := grouped(t, 2)
	other := d.Rows(gram.NumbersTo(d.NObs())...)
	for i := range d.NObs() { // the last level is the reference
		b := []float64{d.X.At(i, 1), d.X.At(i, 2), d.X.At(i, 3)}
		other.X.Set(i, 3, 1-b[0]-b[1]-b[2])
	}
	settings := &EnumerateSettings{Groups: groups[:1], Always: []string{"a:b1", "a:b2", "a:b3"}}
	first := get(EnumerateModels(d, ZellnerG{}, settings))(t)
	second := get(EnumerateModels(other, ZellnerG{}, settings))(t)
	for j, p := range first.InclusionProb() {
		if math.Abs(p-second.InclusionProb()[j]) > 1e-10 {
			t.Errorf("%s: %v and %v", first.Terms()[j], p, second.InclusionProb()[j])
		}
	}
}

// A margin that is always in meets weak heredity; strong heredity needs the other, too.
func TestHeredityOfAlways(t *testing.T) {
	d, groups := grouped(t, 5)
	for _, c := range []struct {
		always   []string
		heredity Heredity
		models   float64
	}{
		{[]string{"a"}, WeakHeredity, 16},
		{[]string{"a"}, StrongHeredity, 9},
		{[]string{"b1", "b2", "b3"}, WeakHeredity, 2 * (4 + 4 - 1)},
		{[]string{"b1", "b2", "b3"}, StrongHeredity, 2 + 2*3},
	} {
		e := get(EnumerateModels(d, BICScore{}, &EnumerateSettings{Groups: groups, Heredity: c.heredity, Always: c.always}))(t)
		f := get(FitBestSubsets(d, &SubsetSettings{Groups: groups, Heredity: c.heredity, Always: c.always}))(t)
		if e.Models() != c.models || f.Visited() != c.models {
			t.Errorf("%v with %v: %v and %v models, not %v", c.heredity, c.always, e.Models(), f.Visited(), c.models)
		}
	}
}

func TestGroupsRefuse(t *testing.T) {
	d, groups := grouped(t, 3)
	for _, c := range []struct {
		settings EnumerateSettings
		want     error
		says     string
	}{
		{EnumerateSettings{Heredity: 7}, ErrSetting, "Heredity(7)"},
		{EnumerateSettings{Heredity: StrongHeredity}, ErrSetting, "StrongHeredity needs Groups"},
		{EnumerateSettings{Groups: groups, Always: []string{"b2"}}, ErrSetting, `term "b"`},
		{EnumerateSettings{Groups: []TermGroup{{Name: "c", Terms: []string{"b1", "b2"}}}}, ErrSetting, `"c" is the name of a group`},
		{EnumerateSettings{Groups: []TermGroup{{Name: "g", Terms: []string{"a", "c"}}, {Name: "h", Terms: []string{"b1", "c"}}}}, ErrSetting, `term "c" is in "g" and "h"`},
		{EnumerateSettings{Groups: []TermGroup{{Name: "g", Terms: []string{"a", "z"}}}}, ErrSetting, `no term "z", of group "g"`},
		{EnumerateSettings{Sets: [][]string{{"b1", "none"}}}, ErrShape, `"none"`},
		{EnumerateSettings{Sets: [][]string{{}}}, ErrSetting, "no terms"},
	} {
		if _, err := EnumerateModels(d, BICScore{}, &c.settings); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v", c.settings, err)
		}
	}
}

// A posterior that took the columns of a factor one by one says so.
func TestSplitGroupsAreTold(t *testing.T) {
	d, groups := grouped(t, 4)
	d.Coding = NewCoding(nil, groups, "", nil)
	e := get(EnumerateModels(d, BICScore{}, nil))(t)
	if text := e.String(); !strings.Contains(text, "one by one, not as a term (Groups): b, a:b") {
		t.Error(text)
	}
	e = get(EnumerateModels(d, BICScore{}, &EnumerateSettings{Sets: [][]string{{"a", "c"}}}))(t)
	if text := e.String(); !strings.Contains(text, "one by one, not as a term (Groups): b, a:b") {
		t.Error(text)
	}
	e = get(EnumerateModels(d, BICScore{}, &EnumerateSettings{Groups: d.Coding.Groups(), Heredity: StrongHeredity}))(t)
	if text := e.String(); strings.Contains(text, "one by one") || !strings.Contains(text, "13 models summed, all of 13 that heredity allows") {
		t.Error(text)
	}
	path := get(FitLassoPath(d, nil))(t)
	if text := path.String(); !strings.Contains(text, "one by one, not as a term (Groups): b, a:b") {
		t.Error(text)
	}
	path = get(FitLassoPath(d, &PathSettings{Groups: d.Coding.Groups()}))(t)
	if text := path.String(); strings.Contains(text, "one by one") {
		t.Error(text)
	}
}
