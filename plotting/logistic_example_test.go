package plotting_test

import (
	"log"
	"math/rand/v2"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// twoClouds are 30 points of each of two classes, and their design without
// intercept.
func twoClouds() (dataframe.DataFrame, *mlreg.Design) {
	df, err := datasets.Girolami().Draw(30, rand.NewPCG(4, 8))
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(df, "y ~ 0 + x1 + x2")
	if err != nil {
		log.Fatal(err)
	}
	return df, d
}

func ExampleClassMap() {
	df, d := twoClouds()
	fit, err := mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 1})
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.ClassMap(df, d, fit, &plotting.ClassMapSettings{Title: "Ridge"}))
	// Output:
	// Figure: Ridge: x2 against x1 (horizontal -8.64 to 4.55, vertical -7.32 to 9.98)
}

func ExampleLogisticPosterior() {
	_, d := twoClouds()
	plotting.Show(plotting.LogisticPosterior(d, mlreg.GaussianPrior{Tau2: 100}, nil))
	// Output:
	// Figure: data of two classes with lines; log prior, log-likelihood and log posterior of the two weights, with Laplace's approximation at the mode (4.87, 2.07)
}

func ExampleLogisticPredictive() {
	df, d := twoClouds()
	post, err := mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 100}, nil)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.LogisticPredictive(df, d, post, nil))
	// Output:
	// Figure: probability of y = 1 over x1 and x2: at the mode, boundaries of 100 draws of the posterior, and averaged over them
}

func ExampleOddsTable() {
	df, err := datasets.GaussianClasses{Mean: [2][2]float64{{0, 0}, {1, 1}}, SD: [2]float64{1, 1}}.Draw(40, rand.NewPCG(1, 1))
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(df, "y ~ x1 + x2")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := mlreg.FitLogistic(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	rows, err := fit.OddsRatios(0.9)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.OddsTable(rows, 0.9))
	// Output:
	// Odds ratios
	// term         odds ratio  lower 90%  upper 90%       p
	// (Intercept)       0.302      0.156      0.584  0.0028
	// x1                3.170      1.852      5.427  0.0004
	// x2                2.542      1.481      4.361  0.0045
}
