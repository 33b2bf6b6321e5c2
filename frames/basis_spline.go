package frames

import "github.com/regbook/regbook/mlreg"

func init() {
	registerBasis("ns", basisFunction{params: []string{"x", "df", "knots", "intercept", "Boundary.knots"}, fit: fitNaturalSpline})
	registerBasis("bs", basisFunction{params: []string{"x", "df", "knots", "degree", "intercept", "Boundary.knots"}, fit: fitBSpline})
}

// fitNaturalSpline learns ns(x, df, knots, intercept, Boundary.knots).
func fitNaturalSpline(x [][]float64, o *options) (mlreg.Basis, error) {
	s, err := splineSettings(o)
	if err != nil {
		return nil, err
	}
	return mlreg.NewNaturalSpline(x[0], s)
}

// fitBSpline learns bs(x, df, knots, degree, intercept, Boundary.knots).
func fitBSpline(x [][]float64, o *options) (mlreg.Basis, error) {
	s, err := splineSettings(o)
	if err != nil {
		return nil, err
	}
	return mlreg.NewBSpline(x[0], s)
}

func splineSettings(o *options) (*mlreg.SplineSettings, error) {
	var s mlreg.SplineSettings
	var err error
	if s.DF, err = o.integer("df", 0); err != nil {
		return nil, err
	}
	if s.Knots, err = o.reals("knots"); err != nil {
		return nil, err
	}
	if s.Degree, err = o.integer("degree", 3); err != nil {
		return nil, err
	}
	if s.Intercept, err = o.boolean("intercept"); err != nil {
		return nil, err
	}
	s.Boundary, err = o.reals("Boundary.knots")
	return &s, err
}
