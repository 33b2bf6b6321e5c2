package mlreg

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/enumerate"
	"github.com/regbook/regbook/mlreg/internal/tables"
	"github.com/regbook/regbook/mlreg/report"
)

// Heredity says which interactions a posterior over models takes in: see
// EnumerateSettings. The margins of an interaction are those of its TermGroup.
type Heredity int

// The rules of heredity. (Chipman, Canadian Journal of Statistics 24 (1996), 17-36.)
const (
	AnyInteraction Heredity = iota // the default: any set of terms is a model
	WeakHeredity                   // an interaction needs at least one of its margins
	StrongHeredity                 // an interaction needs all of its margins
)

// String names the rule as a setting does.
func (h Heredity) String() string {
	if h < 0 || h > StrongHeredity {
		return fmt.Sprintf("Heredity(%d)", int(h))
	}
	return [...]string{"AnyInteraction", "WeakHeredity", "StrongHeredity"}[h]
}

// TermSet is the posterior probability of a set of terms.
type TermSet struct {
	Terms []string
	Any   float64 // that at least one of them is in the model
	All   float64 // that all of them are
	// AnyErr and AllErr are Monte Carlo standard errors, of a ModelSample; 0 of a sum.
	AnyErr, AllErr float64
}

// choice says what a model is a choice of.
type choice struct {
	always   []string
	groups   []TermGroup
	heredity Heredity
	sets     [][]string
}

// mostParents is the number of terms with interactions up to which the models that
// heredity allows are counted.
const mostParents = 20

// termUnits are the terms that go in and out of models as one: columns or groups of
// them, and the rules between them.
type termUnits struct {
	names   []string
	rows    [][]int // of the problem, from 1
	margins [][]int // the terms that each needs
	one     bool    // at least one of them
	sets    [][]int
	grouped bool // Groups were given
}

// setUnits makes groups and rules the terms of a problem, if there are any.
func (s *scored) setUnits(c choice) error {
	var err error
	s.units, err = newTermUnits(&s.m.s.header, s.terms(s.candidates), c)
	return err
}

// newTermUnits returns the terms of the candidates of data; nil if all are single columns
// without rules.
func newTermUnits(data *header, candidates []string, c choice) (*termUnits, error) {
	if c.heredity < 0 || c.heredity > StrongHeredity {
		return nil, fmt.Errorf("%w: Heredity is %v; it is AnyInteraction, WeakHeredity or StrongHeredity", ErrSetting, c.heredity)
	}
	if len(c.groups) == 0 && c.heredity != AnyInteraction {
		return nil, fmt.Errorf("%w: %v needs Groups, whose Margins say which terms are interactions, for example Groups: d.Coding.Groups()", ErrSetting, c.heredity)
	}
	if c.groups == nil && c.sets == nil {
		return nil, nil
	}
	if err := data.checkTermGroups(c.groups); err != nil {
		return nil, err
	}
	groups := wholeGroups(candidates, c.groups)
	u := &termUnits{one: c.heredity == WeakHeredity, grouped: len(c.groups) > 0}
	if err := u.add(candidates, groups, c.groups); err != nil {
		return nil, err
	}
	for _, g := range groups {
		var margins []int
		for _, name := range g.Margins {
			if c.heredity == StrongHeredity || c.heredity == WeakHeredity && !c.hasMarginAlways(g.Name) {
				margins = append(margins, slices.Index(u.names, name))
			}
		}
		u.margins = append(u.margins, margins)
	}
	return u, u.addSets(c.sets)
}

// add numbers the rows of groups of candidates, each of which has to be whole.
func (u *termUnits) add(candidates []string, groups, whole []TermGroup) error {
	row := make(map[string]int)
	for j, name := range candidates {
		row[name] = j + 1
	}
	for _, g := range groups {
		if slices.Contains(u.names, g.Name) {
			return fmt.Errorf("%w: Groups: %q is the name of a group, and of a candidate that is not in it", ErrSetting, g.Name)
		}
		if k := slices.IndexFunc(whole, func(o TermGroup) bool { return o.Name == g.Name }); k >= 0 && len(whole[k].Terms) != len(g.Terms) {
			return fmt.Errorf("%w: of term %q, %q is a candidate and the rest is not; name all of its columns as always in, or none",
				ErrSetting, g.Name, g.Terms[0])
		}
		u.names = append(u.names, g.Name)
		var rows []int
		for _, term := range g.Terms {
			rows = append(rows, row[term])
		}
		u.rows = append(u.rows, rows)
	}
	return nil
}

// addSets looks up the names of sets of terms.
func (u *termUnits) addSets(sets [][]string) error {
	for _, set := range sets {
		var terms []int
		for _, name := range set {
			k := slices.Index(u.names, name)
			if k < 0 {
				return fmt.Errorf("%w: no candidate %q for Sets among %s", ErrShape, name, format.Quoted(u.names))
			}
			terms = append(terms, k)
		}
		if len(terms) == 0 {
			return fmt.Errorf("%w: a set of Sets has no terms", ErrSetting)
		}
		u.sets = append(u.sets, terms)
	}
	return nil
}

// hasMarginAlways tells whether a margin of a term is in every model.
func (c choice) hasMarginAlways(term string) bool {
	named := func(name string) func(TermGroup) bool { return func(g TermGroup) bool { return g.Name == name } }
	k := slices.IndexFunc(c.groups, named(term))
	return k >= 0 && slices.ContainsFunc(c.groups[k].Margins, func(margin string) bool {
		columns := []string{margin}
		if m := slices.IndexFunc(c.groups, named(margin)); m >= 0 {
			columns = c.groups[m].Terms
		}
		return slices.ContainsFunc(columns, isIn(c.always))
	})
}

// has tells whether a model of the terms that are in has what one of them needs.
func (u *termUnits) has(term int, in func(term int) bool) bool {
	if len(u.margins[term]) == 0 {
		return true
	}
	if u.one {
		return slices.ContainsFunc(u.margins[term], in)
	}
	return !slices.ContainsFunc(u.margins[term], func(m int) bool { return !in(m) })
}

// sizeCounts returns the logarithms of the numbers of allowed models by the number of
// their terms, and false if they are too many to count.
func (u *termUnits) sizeCounts() ([]float64, bool) {
	d := len(u.names)
	var parents, others []int
	isParent := make([]bool, d)
	for _, m := range u.margins {
		for _, k := range m {
			isParent[k] = true
		}
	}
	for k, is := range isParent {
		if is {
			parents = append(parents, k)
		} else {
			others = append(others, k)
		}
	}
	if len(parents) > mostParents {
		return nil, false
	}
	// Of each choice of parents: how many, and how many others may join.
	count := make(map[[2]int]float64)
	chosen := make([]bool, d)
	in := func(k int) bool { return chosen[k] }
	for subset := range uint32(1) << len(parents) {
		for i, k := range parents {
			chosen[k] = subset>>i&1 == 1
		}
		if slices.ContainsFunc(parents, func(k int) bool { return chosen[k] && !u.has(k, in) }) {
			continue
		}
		free := 0
		for _, k := range others {
			if u.has(k, in) {
				free++
			}
		}
		count[[2]int{bits.OnesCount32(subset), free}]++
	}
	sizes := make([]float64, d+1)
	for c, n := range count {
		for k := range c[1] + 1 {
			sizes[c[0]+k] += n * CountSubsets(c[1], k)
		}
	}
	for k, n := range sizes {
		sizes[k] = math.Log(n)
	}
	return sizes, true
}

// normalizePrior makes the prior over the models that are allowed sum to 1.
func (s *scored) normalizePrior() {
	if s.units == nil {
		return
	}
	counts, ok := s.units.sizeCounts()
	s.counts = counts
	if !ok || !slices.ContainsFunc(s.units.margins, func(m []int) bool { return len(m) > 0 }) {
		return
	}
	var sum float64
	for k, n := range counts {
		sum += math.Exp(s.logPrior[k] + n)
	}
	for k := range s.logPrior {
		s.logPrior[k] -= math.Log(sum)
	}
}

// masks returns the terms as units of package enumerate; there are at most 30.
func (t *termUnits) masks() *enumerate.Units {
	u := &enumerate.Units{Rows: t.rows, One: t.one, Needs: make([]uint32, len(t.names)), Prior: make([]float64, len(t.names)+1)}
	mask := func(terms []int) (m uint32) {
		for _, k := range terms {
			m |= 1 << k
		}
		return m
	}
	for k, m := range t.margins {
		u.Needs[k] = mask(m)
	}
	for _, set := range t.sets {
		u.Sets = append(u.Sets, mask(set))
	}
	return u
}

// count returns the number of terms that models are chosen from.
func (s *scored) count() int {
	if s.units != nil {
		return len(s.units.names)
	}
	return s.D
}

// termNames returns the names of the terms that models are chosen from.
func (s *scored) termNames() []string {
	if s.units != nil {
		return slices.Clone(s.units.names)
	}
	return s.terms(s.candidates)
}

// columns returns the numbers of the candidates, from 0, of the terms that are in, term
// by term.
func (s *scored) columns(in func(term int) bool) []int {
	var columns []int
	for k := range s.count() {
		switch {
		case !in(k):
		case s.units == nil:
			columns = append(columns, k)
		default:
			for _, row := range s.units.rows[k] {
				columns = append(columns, row-1)
			}
		}
	}
	return columns
}

// isIn tells whether a term is among some.
func isIn(terms []string) func(term string) bool {
	return func(term string) bool { return slices.Contains(terms, term) }
}

// Tabulate returns the probabilities as a table.
func (TermSet) Tabulate(s []TermSet) *report.Table {
	t := tables.Rows("Sets of terms",
		tables.Text("terms", s, func(s TermSet) string { return format.Set(s.Terms) }),
		probOf("p(any in)", format.Each(s, func(s TermSet) float64 { return s.Any })),
		probOf("p(all in)", format.Each(s, func(s TermSet) float64 { return s.All })))
	if slices.ContainsFunc(s, func(s TermSet) bool { return s.AnyErr > 0 || s.AllErr > 0 }) {
		t.Columns = slices.Insert(t.Columns, 2, tables.Number(format.MonteCarlo, s, 2, func(s TermSet) float64 { return s.AnyErr }))
		t.Columns = append(t.Columns, tables.Number(format.MonteCarlo, s, 2, func(s TermSet) float64 { return s.AllErr }))
	}
	return t
}

// String writes the probabilities as text.
func (s TermSet) String() string { return report.Rows[TermSet]{s}.String() }
