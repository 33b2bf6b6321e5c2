package mlreg

import (
	"fmt"
	"slices"

	"github.com/regbook/regbook/mlreg/internal/problem"
)

// groupPenalty divides the terms of a penalty among groups, a term of none being one of its own, and
// returns their names; nil is no groups. It refuses a penalty that treats the columns of a group
// differently.
func (h *header) groupPenalty(p *problem.Penalty, groups []TermGroup) (names []string, err error) {
	if groups == nil {
		return nil, nil
	}
	if err := h.checkTermGroups(groups); err != nil {
		return nil, err
	}
	for _, group := range wholeGroups(h.Names, groups) {
		var of []int
		for i, term := range group.Terms {
			of = append(of, slices.Index(h.Names, term))
			if f, one := p.Factor[of[i]], p.Factor[of[0]]; f != one {
				return nil, fmt.Errorf("%w: the penalty of group %q has the factor %v for %q and %v for %q; the columns of a group have one, and are all always in, or none",
					ErrSetting, group.Name, one, group.Terms[0], f, term)
			}
		}
		for i, j := range of {
			if len(of) > 1 && p.Positive != nil && p.Positive[j] {
				return nil, fmt.Errorf("%w: NonNegative: %q is in the group %q, whose columns enter with any sign", ErrSetting, group.Terms[i], group.Name)
			}
		}
		names, p.Groups = append(names, group.Name), append(p.Groups, of)
	}
	return names, nil
}

// Groups returns the groups of columns that enter together, nil if every column
// enters alone.
func (p *Path[F]) Groups() []TermGroup {
	var out []TermGroup
	for k, of := range p.s.GroupOf {
		if g := (TermGroup{Name: p.s.GroupNames[k]}); len(of) > 1 {
			for _, j := range of {
				g.Terms = append(g.Terms, p.s.L.Names[j])
			}
			out = append(out, g)
		}
	}
	return out
}

// Order returns the terms that have a slope somewhere on the path, in the order in
// which they enter: by the largest lambda of the grid, which it returns too, where
// that is not zero. A group enters under its name. Those that enter at the same lambda
// are in the order of the design.
func (p *Path[F]) Order() (names []string, lambda []float64) {
	of := make([]string, p.s.slopes())
	copy(of, p.Terms())
	for k, columns := range p.s.GroupOf {
		for _, j := range columns {
			of[j] = p.s.GroupNames[k]
		}
	}
	seen := make(map[string]bool)
	for _, point := range p.s.Points {
		for i, j := range point.Terms {
			if point.Slopes[i] != 0 && !seen[of[j]] {
				seen[of[j]] = true
				names, lambda = append(names, of[j]), append(lambda, point.Lambda)
			}
		}
	}
	return names, lambda
}
