package mlreg

import (
	"fmt"
	"math"
	"slices"

	"github.com/regbook/regbook/internal/format"
	"github.com/regbook/regbook/mlreg/internal/problem"
)

// penalty returns what the settings say of the penalty of terms, without groups.
func (s *LassoSettings) penalty(h *header) (*problem.Penalty, error) {
	p := &problem.Penalty{Factor: slices.Repeat([]float64{1}, len(h.Names))}
	err := h.checkFactors(s.PenaltyFactor, func(f float64) bool { return f >= 0 }, "factors are finite and not negative")
	if err != nil {
		return nil, err
	}
	copy(p.Factor, s.PenaltyFactor)
	if err := s.checkNames(h.Names); err != nil {
		return nil, err
	}
	for _, name := range s.AlwaysIn {
		p.Factor[slices.Index(h.Names, name)] = 0
	}
	if len(s.NonNegative) > 0 {
		p.Positive = make([]bool, len(h.Names))
	}
	for _, name := range s.NonNegative {
		p.Positive[slices.Index(h.Names, name)] = true
	}
	return p, nil
}

// checkFactors refuses factors of the penalties of terms, nil for ones, that are infinite or not valid.
func (h *header) checkFactors(factor []float64, valid func(float64) bool, rule string) error {
	if factor != nil && len(factor) != len(h.Names) {
		return fmt.Errorf("%w: %d penalty factors for %d terms", ErrShape, len(factor), len(h.Names))
	}
	for j, f := range factor {
		if !valid(f) || math.IsInf(f, 1) {
			return fmt.Errorf("%w: the penalty factor of term %q is %v; %s", ErrSetting, h.Names[j], f, rule)
		}
	}
	return nil
}

// checkNames refuses names that are of no term.
func (s *LassoSettings) checkNames(terms []string) error {
	for i, name := range slices.Concat(s.AlwaysIn, s.NonNegative) {
		if slices.Contains(terms, name) {
			continue
		}
		field := "AlwaysIn"
		if i >= len(s.AlwaysIn) {
			field = "NonNegative"
		}
		return fmt.Errorf("%w: %s: no term %q among %s", ErrSetting, field, name, format.Quoted(terms))
	}
	return nil
}

// checkUnpenalized refuses more terms without a penalty than the observations
// determine.
func (d *penaltyData) checkUnpenalized(terms int) error {
	rows := d.N
	if !d.l.NoIntercept {
		rows--
	}
	if terms <= rows {
		return nil
	}
	return fmt.Errorf("%w: %d of %d terms are not penalized, more than %d observations determine; "+
		"penalize them, or see FitOLS with MinimumNorm", ErrRankDeficient, terms, d.Terms(), d.N)
}

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
