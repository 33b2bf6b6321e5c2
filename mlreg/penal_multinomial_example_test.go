package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// travellers draws how people go to work, by distance in km, age and a number that
// says nothing.
func travellers() *mlreg.Design {
	rnd := rand.New(rand.NewPCG(1, 2))
	var km, age, noise []float64
	var by []string
	for range 90 {
		d, a := 8*rnd.Float64(), 18+50*rnd.Float64()
		mode := "train"
		switch v := d + rnd.NormFloat64(); {
		case v < 2:
			mode = "foot"
		case v < 5 && a < 50:
			mode = "bike"
		}
		km, age, noise, by = append(km, d), append(age, a), append(noise, rnd.NormFloat64()), append(by, mode)
	}
	df := must.M1(frames.Frame(frames.Col("km", km), frames.Col("age", age), frames.Col("noise", noise), frames.Col("by", by)))
	return must.M1(must.M1(frames.Design(df, "by ~ km + age + noise")).Standardize(nil))
}

// R: glmnet(x, by, family = "multinomial")
func ExampleFitMultinomialPath() {
	path := must.M1(mlreg.FitMultinomialPath(travellers(), 1, &mlreg.PathSettings{Lambda: []float64{10, 4}}))
	fmt.Println(path.Fit(1))
	// Output:
	// Lasso multinomial fit of by at λ = 4
	// term            bike    foot  train
	// (Intercept)  -0.4585  -0.494  0.952
	// km            0       -1.508  1.070
	// age          -0.4050   0      0.444
	// noise         0        0      0
	// n = 90, dof = 6.00, deviance 85.40, null deviance 169.98
	// duality gap at most 1e-6 of the null deviance/2, KKT violated by at most 1e-6
	// coefficients are in units of the scaled predictors
}

// R: cv.glmnet(x, by, family = "multinomial", type.measure = "class")
func ExampleFitMultinomialCV() {
	d := travellers()
	folds := must.M1(mlreg.StratifiedKFold(d.Y, 5, rand.NewPCG(1, 1)))
	cv := must.M1(mlreg.FitMultinomialCV(d, 1, folds, nil, &mlreg.CVSettings{Loss: mlreg.ClassError}))
	fmt.Printf("%.3f of the rows held out are put in a wrong class\n", cv.Mean()[cv.OneSE()])
	fmt.Println(cv.FitOneSE().Active())
	// Output:
	// 0.222 of the rows held out are put in a wrong class
	// [foot:km train:km]
}
