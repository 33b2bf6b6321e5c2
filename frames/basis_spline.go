package frames

import "github.com/regbook/regbook/mlreg"

func init() {
	registerBasis("ns", basisFunction{params: []string{"x", "df", "knots", "intercept", "Boundary.knots"}, fit: fitSpline})
	registerBasis("bs", basisFunction{params: []string{"x", "df", "knots", "degree", "intercept", "Boundary.knots"}, fit: fitSpline})
}

// fitSpline learns ns(x, df, knots, intercept, Boundary.knots) and bs(x, df, knots, degree, intercept, Boundary.knots).
func fitSpline(x [][]float64, o *options) (mlreg.Basis, error) {
	s, err := splineSettings(o)
	if err != nil {
		return nil, err
	}
	return newSpline(o.call.fn, x[0], s)
}

// newSpline is mlreg.NewNaturalSpline for ns and mlreg.NewBSpline for bs.
func newSpline(fn string, x []float64, s *mlreg.SplineSettings) (mlreg.Basis, error) {
	if fn == "ns" {
		return mlreg.NewNaturalSpline(x, s)
	}
	return mlreg.NewBSpline(x, s)
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
