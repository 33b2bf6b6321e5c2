package datasets

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// AllSubsets returns the truth of Murphy's section 13.2.1, whose 1,024 models
// are compared in its figure 13.1: ten terms without intercept, of which five
// matter, {2, 3, 6, 8, 9}, two of them much, and noise of variance 1. The book
// draws 20 rows:
//
//	src := rand.NewPCG(16, 13)
//	x, err := datasets.NormalDesign(20, 10, 0, src)
//	d, err := datasets.AllSubsets().Draw(x, src)
//
// Its random numbers are not to be had: other seeds give other data.
func AllSubsets() LinearModel {
	return LinearModel{Coef: []float64{0, -1.67, 0.13, 0, 0, 1.19, 0, -0.04, 0.33, 0}, Sigma: 1}
}

// SpikeSlabModel draws the truth of a linear model without intercept from the prior
// that mlreg.SpikeSlab assumes: each of d weights is 0 with probability
// 1 - pi0, and otherwise N(0, slabVar). Sigma is the noise's standard
// deviation. Models of data drawn from it are as probable as mlreg says, over
// many draws. The error (mlreg.ErrSetting) says which of the first three numbers
// is out of its range; sigma is checked when the model is drawn from.
func SpikeSlabModel(d int, pi0, slabVar, sigma float64, src rand.Source) (LinearModel, error) {
	switch {
	case d < 1:
		return LinearModel{}, fmt.Errorf("datasets: %w: %d terms; at least 1 is needed", mlreg.ErrSetting, d)
	case !(pi0 >= 0 && pi0 <= 1):
		return LinearModel{}, fmt.Errorf("datasets: %w: pi0 = %v is not a probability", mlreg.ErrSetting, pi0)
	case !(slabVar >= 0) || math.IsInf(slabVar, 1):
		return LinearModel{}, fmt.Errorf("datasets: %w: a slab of variance %v", mlreg.ErrSetting, slabVar)
	}
	rng := rand.New(src)
	m := LinearModel{Coef: make([]float64, d), Sigma: sigma}
	for j := range m.Coef {
		in, w := rng.Float64() < pi0, rng.NormFloat64()
		if in {
			m.Coef[j] = math.Sqrt(slabVar) * w
		}
	}
	return m, nil
}

// NormalDesign draws n rows of d normal predictors, of which those k columns
// apart have the correlation rho^k, and standardises the sample: mean 0, variance
// 1 with divisor n. There is no intercept, and no response yet: LinearModel.Draw
// adds it. The error (mlreg.ErrSetting) says which of the numbers is out of its
// range: n is at least 2, d at least 1, and |rho| below 1.
func NormalDesign(n, d int, rho float64, src rand.Source) (*mlreg.Design, error) {
	if n < 2 || d < 1 {
		return nil, fmt.Errorf("datasets: %w: a design of %d rows and %d terms; 2 rows and 1 term are the least", mlreg.ErrSetting, n, d)
	}
	if !(rho > -1 && rho < 1) {
		return nil, fmt.Errorf("datasets: %w: rho = %v; a correlation is between -1 and 1", mlreg.ErrSetting, rho)
	}
	rng := rand.New(src)
	x := mat.NewDense(n, d, nil)
	step := math.Sqrt(1 - rho*rho)
	for i := range n {
		row := x.RawRowView(i)
		row[0] = rng.NormFloat64()
		for j := 1; j < d; j++ {
			row[j] = rho*row[j-1] + step*rng.NormFloat64()
		}
	}
	raw, err := mlreg.NewDesign(x, nil)
	if err != nil {
		return nil, err
	}
	design, err := raw.Standardize(nil)
	if err != nil {
		return nil, err
	}
	design.NoIntercept, design.Scaling = true, nil
	return design, nil
}

// TrueTerms returns the names of the terms of d whose weights are not 0. The error
// is mlreg.ErrShape if Coef does not match the terms.
func (m LinearModel) TrueTerms(d *mlreg.Design) ([]string, error) {
	slopes, err := m.slopes(d)
	if err != nil {
		return nil, err
	}
	var names []string
	for j, w := range slopes {
		if w != 0 {
			names = append(names, d.Names[j])
		}
	}
	return names, nil
}
