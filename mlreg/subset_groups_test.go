package mlreg

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestBestSubsetsOfGroups holds the best models to a least-squares fit of each.
func TestBestSubsetsOfGroups(t *testing.T) {
	d, groups := grouped(t, 5)
	terms := inGroups(d.Names, groups)
	for _, heredity := range []Heredity{AnyInteraction, StrongHeredity} {
		bySize := map[int]float64{}
		best := map[Criterion]float64{ByAIC: math.Inf(1), ByBIC: math.Inf(1), ByAdjR2: math.Inf(1), ByCp: math.Inf(1)}
		full := get(FitOLS(d, nil))(t)
		for subset := range 1 << len(terms) {
			var columns []string
			in := func(name string) bool {
				return subset>>slices.IndexFunc(terms, func(g TermGroup) bool { return g.Name == name })&1 == 1
			}
			allowed := true
			for j, g := range terms {
				if subset>>j&1 == 1 {
					columns = append(columns, g.Terms...)
					allowed = allowed && (heredity == AnyInteraction || !slices.ContainsFunc(g.Margins, func(m string) bool { return !in(m) }))
				}
			}
			if !allowed {
				continue
			}
			sub := get(d.Select(columns...))(t)
			f := get(FitOLS(sub, nil))(t)
			k := len(columns)
			if rss, ok := bySize[k]; !ok || f.RSS() < rss {
				bySize[k] = f.RSS()
			}
			cp := f.RSS()/full.Sigma2() + 2*f.DoF() - float64(d.NObs())
			for c, v := range map[Criterion]float64{ByAIC: AIC(f), ByBIC: BIC(f), ByAdjR2: -f.AdjR2(), ByCp: cp} {
				best[c] = math.Min(best[c], v)
			}
		}
		f := get(FitBestSubsets(d, &SubsetSettings{Groups: groups, Heredity: heredity}))(t)
		models := f.Models()
		if len(models) != len(bySize) || !f.Proven() {
			t.Errorf("%v: %d sizes, want %d; proven: %v", heredity, len(models), len(bySize), f.Proven())
		}
		for _, m := range models {
			if want := bySize[m.Size()]; math.Abs(m.RSS-want) > 1e-9*want {
				t.Errorf("%v: size %d: %v of %v, want %v", heredity, m.Size(), m.RSS, m.Groups, want)
			}
			if heredity == StrongHeredity && slices.Contains(m.Groups, "a:c") && !(slices.Contains(m.Groups, "a") && slices.Contains(m.Groups, "c")) {
				t.Errorf("%v", m.Groups)
			}
		}
		for c, want := range best {
			f := get(FitBestSubsets(d, &SubsetSettings{Groups: groups, Heredity: heredity, Criterion: c, Best: 2}))(t)
			m := f.Models()
			if got := m[0].value(c); math.Abs(got-want) > 1e-9*math.Abs(want) || len(m) != 2 || f.CriterionBound() != got {
				t.Errorf("%v by %v: %v, want %v; %d models, bound %v", heredity, c, got, want, len(m), f.CriterionBound())
			}
		}
	}
}

func TestBestSubsetsOfGroupsStopped(t *testing.T) {
	d, groups := grouped(t, 6)
	stop := errors.New("stop")
	f, err := FitBestSubsets(d, &SubsetSettings{Groups: groups, Progress: func(done, total float64) error {
		if done >= total/2 {
			return stop
		}
		return nil
	}})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if f != nil && f.Proven() {
		t.Error("a search that was stopped is proven")
	}
	d.Coding = NewCoding(nil, groups, "", nil)
	if f, err = FitBestSubsets(d, nil); err != nil {
		t.Fatal(err)
	}
	if text := f.String(); !strings.Contains(text, "one by one, not as a term (Groups): b, a:b") {
		t.Error(text)
	}
	if f, err = FitBestSubsets(d, &SubsetSettings{Groups: groups}); err != nil {
		t.Fatal(err)
	}
	if text := f.String(); strings.Contains(text, "one by one") {
		t.Error(text)
	}
}
