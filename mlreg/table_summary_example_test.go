package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// The limits of a fit at 90%, and of its predictions for two rows.
func ExampleSummary() {
	x := mat.NewDense(6, 1, []float64{0, 1, 2, 3, 4, 5})
	d := must.M1(mlreg.NewDesign(x, []float64{1.1, 2.9, 5.2, 7.1, 8.8, 11.2}, "dose"))
	d.Response = "yield"
	ols := must.M1(mlreg.FitOLS(d, nil))
	table := must.M1(mlreg.Summary(ols, 0.9))
	table.Notes = table.Notes[:2]
	fmt.Print(table)
	fmt.Print(must.M1(must.M1(ols.PredictionBand(d, 0.9)).Head(2, nil)))
	fmt.Print(must.M1(must.M1(ols.Influence(d)).Head(1, []string{"a", "b", "c", "d", "e", "f"})))

	bayes := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 100}, mlreg.KnownVariance(0.04), nil))
	fmt.Print(must.M1(bayes.Summary(0.9)))
	fmt.Print(must.M1(must.M1(bayes.Predictive(d, 0.9)).Head(2, nil)))
	// Output:
	// OLS fit of yield
	// term         estimate  std. error     t        p  lower 90%  upper 90%
	// (Intercept)     1.043       0.133   7.8   0.0014      0.760      1.326
	// dose            2.003       0.044  45.6  <0.0001      1.909      2.096
	// n = 6, residual df = 4, σ = 0.1836 (estimated)
	// R² = 0.9981, adjusted R² = 0.9976, F(1, 4) = 2082, p < 0.0001
	// Prediction band of a new observation
	// row  fitted  std. error  lower 90%  upper 90%
	//   1   1.043      0.2267       0.56      1.526
	//   2   3.046      0.2090       2.60      3.491
	// ... 4 more rows
	// Rows of the largest Cook's distances
	// row  residual  leverage  standardized  studentized  Cook's distance  DFFITS  cov. ratio
	//   f    0.1429     0.524          1.13         1.18            0.699    1.24        1.74
	// ... 5 more rows
	// Bayes fit of yield
	// term          mean  std. dev.  lower 90%  upper 90%  P(w > 0)
	// (Intercept)  1.043      0.145      0.805      1.281   >0.9999
	// dose         2.003      0.048      1.924      2.081   >0.9999
	// n = 6, σ² = 0.04 (known)
	// λ = 0.0004, 1.00 of 1 parameters determined by the data, with a flat prior of the intercept
	// log evidence -4.492, Cholesky, condition number 1
	// Predictive distribution
	// row   mean  std. dev. of mean  lower 90% of mean  upper 90% of mean  std. dev. of new  lower 90% of new  upper 90% of new
	//   1  1.043             0.1447              0.805              1.281            0.2469             0.637             1.449
	//   2  3.046             0.1087              2.867              3.225            0.2276             2.671             3.420
	// ... 4 more rows
}

// R: broom::glance(m).
func ExampleFactsOf() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	for _, f := range mlreg.FactsOf(must.M1(mlreg.FitRidge(d, 2, nil))) {
		fmt.Printf("%s (%s) %.4g\n", f.Label, f.Name, f.Value)
	}
	// Output:
	// R² (r.squared) 0.5797
	// λ (lambda) 2
	// deviance (deviance) 53.77
	// residual df (df.residual) 94.17
	// n (nobs) 97
}
