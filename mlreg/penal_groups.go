package mlreg

import (
	"fmt"
	"math"
	"slices"
)

// groups are the groups of columns of a penalty.
type groups struct {
	names []string
	of    [][]int // columns of each
}

// newGroups divides the terms among the groups of the settings, a term of none being
// one of its own; nil if there are no groups.
func newGroups(l *header, s *LassoSettings) (*groups, error) {
	if s.Groups == nil {
		return nil, nil
	}
	if err := l.checkTermGroups(s.Groups); err != nil {
		return nil, err
	}
	g := new(groups)
	for _, group := range wholeGroups(l.Names, s.Groups) {
		var columns []int
		for _, term := range group.Terms {
			columns = append(columns, slices.Index(l.Names, term))
		}
		g.names, g.of = append(g.names, group.Name), append(g.of, columns)
	}
	return g, nil
}

// check refuses settings that treat the columns of a group differently.
func (g *groups) check(names []string, factor []float64, positive []bool) error {
	for k, of := range g.of {
		for _, j := range of[1:] {
			if factor[j] != factor[of[0]] {
				return fmt.Errorf("%w: the penalty of group %q has the factor %v for %q and %v for %q; the columns of a group have one, and are all always in, or none",
					ErrSetting, g.names[k], factor[of[0]], names[of[0]], factor[j], names[j])
			}
		}
		for _, j := range of {
			if len(of) > 1 && positive != nil && positive[j] {
				return fmt.Errorf("%w: NonNegative: %q is in the group %q, whose columns enter with any sign", ErrSetting, names[j], g.names[k])
			}
		}
	}
	return nil
}

// value returns sum_g f_g (l1 sqrt(p_g) |b_g|_2 + l2 |b_g|_2^2).
func (g *groups) value(b, factor []float64, l1, l2 float64) float64 {
	var sum float64
	for _, of := range g.of {
		var squares float64
		for _, j := range of {
			squares += b[j] * b[j]
		}
		sum += factor[of[0]] * (l1*math.Sqrt(float64(len(of))*squares) + l2*squares)
	}
	return sum
}

// most returns, for every group, the smallest lambda for which it is zero, given those
// of its columns alone.
func (g *groups) most(alone []float64) []float64 {
	var most []float64
	for _, of := range g.of {
		var squares float64
		for _, j := range of {
			squares += alone[j] * alone[j]
		}
		most = append(most, math.Sqrt(squares/float64(len(of))))
	}
	return most
}

// units returns what multiplies the columns, so that the penalty of a group is one of the length
// of its weights; scale is what a weight of a column alone is in the penalty.
func (g *groups) units(names []string, scale func(j int) float64) ([]float64, error) {
	unit := make([]float64, len(names))
	for k, of := range g.of {
		var top float64
		for _, j := range of {
			top = math.Max(top, scale(j))
		}
		for _, j := range of {
			unit[j] = top / scale(j)
			if unit[j] > 1e100 {
				return nil, fmt.Errorf("%w: term %q is too small beside the others of group %q; rescale it", ErrNotFinite, names[j], g.names[k])
			}
		}
	}
	return unit, nil
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
