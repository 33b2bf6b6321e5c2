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
	always, err := h.positions(s.AlwaysIn, "AlwaysIn")
	if err != nil {
		return nil, err
	}
	for _, j := range always {
		p.Factor[j] = 0
	}
	notNegative, err := h.positions(s.NonNegative, "NonNegative")
	if err != nil {
		return nil, err
	}
	if len(notNegative) > 0 {
		p.Positive = make([]bool, len(h.Names))
	}
	for _, j := range notNegative {
		p.Positive[j] = true
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

// positions returns those of the terms that a field of the settings names.
func (h *header) positions(names []string, field string) ([]int, error) {
	var at []int
	for _, name := range names {
		j := slices.Index(h.Names, name)
		if j < 0 {
			return nil, fmt.Errorf("%w: %s: no term %q among %s", ErrSetting, field, name, format.Quoted(h.Names))
		}
		at = append(at, j)
	}
	return at, nil
}
