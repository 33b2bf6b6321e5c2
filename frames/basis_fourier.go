package frames

import (
	"fmt"

	"github.com/regbook/regbook/mlreg"
)

func init() {
	registerBasis("fourier", basisFunction{params: []string{"x", "period", "order"}, fit: fitFourier, suffixes: harmonics})
}

// fitFourier makes fourier(x, period, order); the order is 1 unless given.
func fitFourier(_ [][]float64, o *options) (mlreg.Basis, error) {
	period, given, err := o.real("period")
	if err != nil {
		return nil, err
	}
	if !given {
		return nil, errorf(ErrSetting, "give the period, in the units of x: fourier(x, period = 365, order = 3)")
	}
	order, err := o.integer("order", 1)
	if err != nil {
		return nil, err
	}
	return mlreg.NewFourier(period, order)
}

// harmonics returns sin1, cos1, sin2, cos2 ...
func harmonics(b mlreg.Basis) []string {
	var suffixes []string
	for k := range len(b.Names("")) / 2 {
		suffixes = append(suffixes, fmt.Sprintf("sin%d", k+1), fmt.Sprintf("cos%d", k+1))
	}
	return suffixes
}
