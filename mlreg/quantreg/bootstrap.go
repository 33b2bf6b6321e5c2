package quantreg

import (
	"math/rand/v2"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/mlreg/internal/args"
)

// Bootstrap is assess.Bootstrap of the coefficients of Fit, by the kinds of
// resampling that the settings name. Errors are those of assess.Bootstrap and Fit; a
// resample in which terms are aliased is counted among assess.Boot.Failures.
func Bootstrap(d *mlreg.Design, tau float64, src rand.Source, settings *assess.BootstrapSettings) (*assess.Boot, error) {
	first, err := Fit(d, tau, nil)
	if err != nil {
		return nil, err
	}
	set := args.OrDefaults(settings)
	if set.Names == nil {
		set.Names = first.Names()
	}
	return assess.Bootstrap(d, func(d *mlreg.Design) ([]float64, error) {
		f, err := Fit(d, tau, nil)
		if err != nil {
			return nil, err
		}
		return f.Coef(), nil
	}, src, &set)
}
