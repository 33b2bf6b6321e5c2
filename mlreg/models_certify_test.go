package mlreg

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tiedDesign has d columns that are correlated, of which some matter a little.
func tiedDesign(t testing.TB, seed uint64, n, d int) *Design {
	t.Helper()
	design := correlatedDesign(t, seed, n, d, 0.6, 1)
	rnd := rand.New(rand.NewPCG(seed, 9))
	for i := range n {
		design.Y[i] = 2 * rnd.NormFloat64()
		for j := 0; j < d; j += 3 {
			design.Y[i] += 0.3 * design.X.At(i, j)
		}
	}
	return design
}

func inside(t *testing.T, what string, b Bracket, v float64) {
	t.Helper()
	if !(b.Lower <= v && v <= b.Upper) {
		t.Errorf("%s: %v is not in %v to %v", what, v, b.Lower, b.Upper)
	}
	if !math.IsNaN(b.Estimate) && !(b.Lower <= b.Estimate && b.Estimate <= b.Upper) {
		t.Errorf("%s: the estimate %v is not in %v to %v", what, b.Estimate, b.Lower, b.Upper)
	}
}

// The limits hold the exact sums, for every score, prior and kind of terms, from rows and from
// sums, and are as narrow as their width promises; what holds with certainty is wider.
func TestCertifyModelsAgainstEnumeration(t *testing.T) {
	repeats(t)
	d := tiedDesign(t, 5, 80, 15)
	d.Weights = make([]float64, 80)
	for i := range d.Weights {
		d.Weights[i] = float64(1 + i%3)
	}
	groups := []TermGroup{{Name: "three", Terms: []string{"x1", "x2", "x3"}}, {Name: "two", Terms: []string{"x9", "x12"}}}
	summed := 0
	for i, c := range []struct {
		score ModelScore
		set   CertifySettings
	}{
		{BICScore{}, CertifySettings{}},
		{BICScore{Sigma2: 4, Pi0: 0.3}, CertifySettings{Always: []string{"x4", "x7"}}},
		{ZellnerG{}, CertifySettings{}},
		{ZellnerG{Sizes: &BetaBinomial{1, 2}}, CertifySettings{Groups: groups}},
		{ZellnerG{Noise: KnownVariance(5), Pi0: 0.2}, CertifySettings{Groups: groups, Always: []string{"x5"}}},
		{ZellnerG{Noise: InverseGamma{Shape: 2, Scale: 3}}, CertifySettings{}},
		{SpikeSlab{SlabVar: 0.1}, CertifySettings{}},
		{SpikeSlab{SlabVar: 0.5, Noise: KnownVariance(4), Sizes: &BetaBinomial{1, 1}}, CertifySettings{}},
		{SpikeSlab{SlabVar: 0.1, Pi0: 0.4}, CertifySettings{Groups: groups}},
	} {
		e := enumerateModels(t, d, c.score, &EnumerateSettings{Always: c.set.Always, Groups: c.set.Groups, Average: true})
		c.set.Nodes, c.set.Proposals, c.set.Draws, c.set.Average = 12, 1<<16, 20, true
		var data Data = d
		if i%2 == 1 {
			data = get(d.Moments())(t)
		}
		f := get(CertifyModels(data, c.score, rand.NewPCG(uint64(i), 1), &c.set))(t)
		if !slices.Equal(f.Terms(), e.Terms()) || !slices.Equal(f.Always(), e.Always()) || f.NObs() != 80 || f.Alpha() != 1e-9 {
			t.Errorf("%+v: %v, %v, %d", c.score, f.Terms(), f.Always(), f.NObs())
		}
		switch {
		case f.NotCertified() != "":
			t.Errorf("%+v: %s", c.score, f.NotCertified())
		case f.Proposals() == 0:
			summed++
		case !(f.Acceptance() > 0 && f.Acceptance() <= 1):
			t.Errorf("%+v: %d proposals, %v accepted", c.score, f.Proposals(), f.Acceptance())
		}
		inside(t, "log p(y)", f.Evidence(), e.LogNormalizer())
		inside(t, "log p(y), certain", f.SureEvidence(), e.LogNormalizer())
		for j, p := range e.InclusionProb() {
			in, sure := f.Inclusion()[j], f.SureInclusion()[j]
			inside(t, e.Terms()[j], in, p)
			inside(t, e.Terms()[j]+", certain", sure, p)
			if in.Upper-in.Lower > 0.2 || in.Lower < sure.Lower || in.Upper > sure.Upper {
				t.Errorf("%+v, %s: %v, certain %v", c.score, e.Terms()[j], in, sure)
			}
		}
		insideAverages(t, f, e)
		for _, m := range f.Best() {
			k := slices.IndexFunc(e.Best(), func(b RankedModel) bool { return slices.Equal(b.Terms, m.Terms) })
			if k < 0 {
				continue // not among the ten best
			}
			b := e.Best()[k]
			near(t, "score", m.LogScore, b.LogScore, 1e-12)
			inside(t, "share", m.Share, b.PostProb)
			nearAll(t, "coefficients", m.Coef, b.Coef, 1e-10)
		}
		if len(f.Draws()) != 20 {
			t.Errorf("%+v: %d draws", c.score, len(f.Draws()))
		}
	}
	if summed > 3 {
		t.Errorf("%d were summed over all models, which tries no draws", summed)
	}
}

// Models that heredity leaves out are in no limit, and in no list.
func TestCertifyModelsHeredity(t *testing.T) {
	repeats(t)
	d := tiedDesign(t, 15, 120, 14)
	groups := []TermGroup{
		{Name: "a", Terms: []string{"x1", "x2"}},
		{Name: "a:x4", Terms: []string{"x9", "x10"}, Margins: []string{"a", "x4"}},
		{Name: "x4:x5", Terms: []string{"x7"}, Margins: []string{"x4", "x5"}},
		{Name: "x5:x6", Terms: []string{"x13"}, Margins: []string{"x5", "x6"}},
	}
	for _, rule := range []Heredity{WeakHeredity, StrongHeredity} {
		for i, score := range []ModelScore{ZellnerG{}, BICScore{Sizes: &BetaBinomial{1, 1}}, SpikeSlab{SlabVar: 0.2, Noise: KnownVariance(4)}} {
			e := enumerateModels(t, d, score, &EnumerateSettings{Groups: groups, Heredity: rule, Average: true})
			f := get(CertifyModels(d, score, rand.NewPCG(uint64(i), 1), &CertifySettings{Groups: groups, Heredity: rule, Average: true,
				Nodes: 60, Proposals: 1 << 16, Draws: 20}))(t)
			inside(t, "log p(y)", f.Evidence(), e.LogNormalizer())
			for j, p := range e.InclusionProb() {
				inside(t, e.Terms()[j], f.Inclusion()[j], p)
				if b := f.Inclusion()[j]; b.Upper-b.Lower > 0.2 {
					t.Errorf("%v, %s: %v", rule, e.Terms()[j], b)
				}
			}
			insideAverages(t, f, e)
			for _, terms := range f.Draws() {
				if in := isIn(terms); in("x4:x5") && !in("x4") && !in("x5") || rule == StrongHeredity && in("x4:x5") && !(in("x4") && in("x5")) {
					t.Errorf("%v: %v", rule, terms)
				}
			}
		}
	}
}

// insideAverages fails unless pairs and coefficients of a sum over all models lie in their intervals, and these are narrower than a guess.
func insideAverages(t *testing.T, f *CertifiedModels, e *Enumeration) {
	t.Helper()
	pairs, want := get(f.PairInclusion())(t), get(e.PairInclusion())(t)
	for i := range pairs {
		for k, b := range pairs[i] {
			inside(t, fmt.Sprintf("%s and %s", e.Terms()[i], e.Terms()[k]), b, want.At(i, k))
			if b.Upper-b.Lower > 0.25 {
				t.Errorf("%s and %s: %v", e.Terms()[i], e.Terms()[k], b)
			}
		}
	}
	average := get(e.ModelAverage())(t)
	coef := get(f.Coef())(t)
	for j, name := range f.Columns() {
		k := slices.Index(average.Names(), name)
		inside(t, "coefficient of "+name, coef[j], average.Coef()[k])
		if coef[j].Upper-coef[j].Lower > 5*average.StdErr()[k]+0.02 {
			t.Errorf("coefficient of %s: %v, standard deviation %v", name, coef[j], average.StdErr()[k])
		}
	}
	if len(coef) != len(f.Columns()) || len(coef) < len(pairs) {
		t.Errorf("%d coefficients of %d columns, %d terms", len(coef), len(f.Columns()), len(pairs))
	}
}

// A pair of terms stands on both sides of the diagonal.
func TestPairInclusionIsSymmetric(t *testing.T) {
	var c CertifiedModels
	c.s.Averaged, c.s.Candidates = true, make([]string, 3)
	for i := range 3 {
		c.s.Inclusion, c.s.Pairs = append(c.s.Inclusion, Bracket{Estimate: float64(i)}), append(c.s.Pairs, Bracket{Estimate: float64(10 + i)})
	}
	for i, row := range get(c.PairInclusion())(t) {
		for k, b := range row {
			if want := [3][3]float64{{0, 10, 11}, {10, 1, 12}, {11, 12, 2}}[i][k]; b.Estimate != want {
				t.Errorf("pair %d and %d: %v, want %v", i, k, b.Estimate, want)
			}
		}
	}
}

// Draws are from the posterior: how often a term is in differs from its probability by chance.
func TestCertifiedDraws(t *testing.T) {
	repeats(t)
	d := tiedDesign(t, 6, 60, 14)
	e := enumerateModels(t, d, ZellnerG{}, nil)
	const n = 4000
	f := get(CertifyModels(d, ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 12, Proposals: 1 << 17, Draws: n}))(t)
	if len(f.Draws()) != n {
		t.Fatalf("%d draws", len(f.Draws()))
	}
	for j, p := range e.InclusionProb() {
		count := 0.0
		for _, terms := range f.Draws() {
			if slices.Contains(terms, e.Terms()[j]) {
				count++
			}
		}
		if z := (count/n - p) / math.Sqrt(p*(1-p)/n); math.Abs(z) > 4.5 {
			t.Errorf("%s: %v of the draws, probability %v", e.Terms()[j], count/n, p)
		}
	}
}

// A width that is asked for takes fewer proposals, and few models take none.
func TestCertifyModelsWidth(t *testing.T) {
	d := tiedDesign(t, 7, 90, 16)
	f := get(CertifyModels(d, ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 12, Width: 0.15}))(t)
	if f.Proposals() >= 1<<20 {
		t.Errorf("%d proposals", f.Proposals())
	}
	for _, b := range f.Inclusion() {
		if b.Upper-b.Lower > 0.17 {
			t.Errorf("%v", b)
		}
	}
	few := get(CertifyModels(tiedDesign(t, 8, 50, 6), BICScore{}, rand.NewPCG(1, 2), nil))(t)
	if few.Proposals() != 0 || !strings.Contains(few.String(), "with certainty") {
		t.Errorf("%v", few)
	}
	e := enumerateModels(t, tiedDesign(t, 8, 50, 6), BICScore{}, nil)
	near(t, "log p(y)", few.Evidence().Estimate, e.LogNormalizer(), 1e-7)
	for j, b := range few.Inclusion() {
		if b.Upper-b.Lower > 1e-5 {
			t.Errorf("%v of a sum over all models", b)
		}
		near(t, "estimate", b.Estimate, e.InclusionProb()[j], 1e-5)
	}
}

// Where too few proposals would be accepted the limits are those of the bounds, and it is said;
// they are right all the same.
func TestCertifyModelsRefusesHope(t *testing.T) {
	d := tiedDesign(t, 9, 24, 20)
	e := enumerateModels(t, d, ZellnerG{}, nil)
	f := get(CertifyModels(d, ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 2, Proposals: 100}))(t)
	inside(t, "log p(y)", f.Evidence(), e.LogNormalizer())
	for j, p := range e.InclusionProb() {
		inside(t, e.Terms()[j], f.Inclusion()[j], p)
	}
	few := get(CertifyModels(tiedDesign(t, 9, 100, 40), ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 60, Proposals: 4000}))(t)
	if few.Proposals() != 4000 || !(few.Width() > 0.5) || !strings.Contains(few.NotCertified(), "more than 0.5 apart") || !strings.Contains(few.String(), "more than 0.5 apart") {
		t.Errorf("%v", few)
	}
	wide := get(CertifyModels(tiedDesign(t, 9, 64, 60), ZellnerG{}, rand.NewPCG(1, 2), &CertifySettings{Nodes: 20, Proposals: 1000}))(t)
	if !strings.Contains(wide.NotCertified(), "not certified") || !strings.Contains(wide.String(), "not certified") {
		t.Errorf("%v", wide)
	}
	for _, p := range wide.InclusionProb() {
		if !(p >= 0 && p <= 1) {
			t.Errorf("%v", p)
		}
	}
}

func TestCertifyModelsErrors(t *testing.T) {
	d := tiedDesign(t, 4, 40, 12)
	src := rand.NewPCG(1, 2)
	again := tiedDesign(t, 4, 40, 12)
	for i := range 40 {
		again.X.Set(i, 7, again.X.At(i, 2)-again.X.At(i, 3))
	}
	exact := tiedDesign(t, 4, 40, 12)
	for i := range 40 {
		exact.Y[i] = exact.X.At(i, 1) + 2*exact.X.At(i, 5)
	}
	for _, c := range []struct {
		what  string
		d     *Design
		score ModelScore
		src   rand.Source
		set   *CertifySettings
		want  error
		says  string
	}{
		{"score", d, nil, src, nil, ErrSetting, "score is nil"},
		{"source", d, BICScore{}, nil, nil, ErrSetting, "source"},
		{"alpha", d, BICScore{}, src, &CertifySettings{Alpha: 1}, ErrSetting, "Alpha = 1"},
		{"width", d, BICScore{}, src, &CertifySettings{Width: -1}, ErrSetting, "Width = -1"},
		{"nodes", d, BICScore{}, src, &CertifySettings{Nodes: -1}, ErrSetting, "Nodes = -1"},
		{"proposals", d, BICScore{}, src, &CertifySettings{Proposals: -1}, ErrSetting, "Proposals = -1"},
		{"one proposal", d, BICScore{}, src, &CertifySettings{Proposals: 1}, ErrSetting, "Proposals = 1"},
		{"variance", d, BICScore{Sigma2: 1e-300}, src, nil, ErrSetting, "noise variance given is so small"},
		{"memory", d, BICScore{}, src, &CertifySettings{Memory: 1000}, ErrSetting, "CertifySettings.Memory is too small"},
		{"always", d, BICScore{}, src, &CertifySettings{Always: []string{"no"}}, ErrShape, `"no"`},
		{"heredity", d, BICScore{}, src, &CertifySettings{Heredity: StrongHeredity}, ErrSetting, "StrongHeredity needs Groups"},
		{"combination", again, BICScore{}, src, nil, ErrRankDeficient, "x8"},
		{"perfect fit", exact, BICScore{}, src, nil, ErrPerfectFit, "exactly"},
		{"averages", randomDesign(t, 1, 3, 201), SpikeSlab{SlabVar: 1}, src, &CertifySettings{Average: true}, ErrSetting, "at most 200"},
		{"wide", randomDesign(t, 1, 3, 1001), SpikeSlab{SlabVar: 1}, src, nil, ErrSetting, "1001 candidate columns"},
	} {
		wantError(t, c.what, errorOf(CertifyModels(c.d, c.score, c.src, c.set)), c.want, c.says)
	}
	none := get(CertifyModels(d, BICScore{}, src, nil))(t)
	wantError(t, "pairs", errorOf(none.PairInclusion()), ErrSetting, "CertifySettings.Average")
	wantError(t, "coefficients", errorOf(none.Coef()), ErrSetting, "CertifySettings.Average")
	// A slab keeps combinations apart.
	get(CertifyModels(again, SpikeSlab{SlabVar: 1}, src, &CertifySettings{Nodes: 12, Proposals: 1 << 14}))(t)
	stop := errors.New("stop")
	f, err := CertifyModels(tiedDesign(t, 5, 100, 30), ZellnerG{}, src, &CertifySettings{Progress: func(done, total float64) error {
		if done > 100 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) || f == nil || !strings.Contains(f.NotCertified(), "stopped") {
		t.Errorf("%v: %v", err, f)
	}
}
