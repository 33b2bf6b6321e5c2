package frames

import "github.com/regbook/regbook/mlreg"

func init() {
	registerBasis("poly", basisFunction{params: []string{"x", "degree", "raw"}, fit: fitPoly})
}

// fitPoly learns poly(x, degree, raw).
func fitPoly(x [][]float64, o *options) (mlreg.Basis, error) {
	degree, err := o.integer("degree", 1)
	if err != nil {
		return nil, err
	}
	raw, err := o.boolean("raw")
	if err != nil {
		return nil, err
	}
	if raw {
		return mlreg.NewPowers(degree)
	}
	return mlreg.NewPoly(x[0], degree)
}
