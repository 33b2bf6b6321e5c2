package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: p <- predict(m, new, se.fit = TRUE); plogis(p$fit + c(-1.96, 1.96) * p$se.fit).
func ExampleLogistic_ConfidenceBand() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lpsa", []float64{2, 3, 4})))))
	fmt.Println(must.M1(must.M1(mlreg.FitLogistic(d, nil)).ConfidenceBand(men, 0.95)))
	// Output:
	// Confidence band of the mean
	// row  fitted  std. error  lower 95%  upper 95%
	//   1  0.0323      0.0217     0.0085     0.1150
	//   2  0.2403      0.0606     0.1416     0.3774
	//   3  0.7499      0.1070     0.4949     0.9017
}

// Limits of the probability, of posterior probability .95.
func ExampleBayesLogistic_CredibleBand() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lpsa", []float64{2, 3, 4})))))
	post := must.M1(mlreg.FitBayesLogistic(d, mlreg.GaussianPrior{Tau2: 10}, nil))
	fmt.Println(must.M1(post.CredibleBand(men, 0.95)))
	// Output:
	// Credible band of the mean
	// row  fitted  std. error  lower 95%  upper 95%
	//   1  0.0419      0.0287     0.0096     0.1173
	//   2  0.2467      0.0602     0.1435     0.3776
	//   3  0.7266      0.1056     0.4885     0.8941
}

// Limits of the mean from standard errors that do without equal variances.
func ExampleRobust_ConfidenceBand() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 4})))))
	robust := must.M1(must.M1(mlreg.FitOLS(d, nil)).Robust(d, mlreg.HC3))
	fmt.Println(must.M1(robust.ConfidenceBand(men, 0.95)))
	// Output:
	// Confidence band of the mean
	// row  fitted  std. error  lower 95%  upper 95%
	//   1   2.227      0.0842      2.059      2.394
	//   2   4.385      0.2188      3.950      4.819
}

// Limits of the mean, and of a new observation.
func ExampleBayes_CredibleBand() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 10})))))
	post := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.KnownVariance(0.6), nil))
	fmt.Println(must.M1(post.CredibleBand(men, 0.95)))
	fmt.Println(must.M1(post.PredictionBand(men, 0.95)))
	// Output:
	// Credible band of the mean
	// row  fitted  std. error  lower 95%  upper 95%
	//   1   2.228      0.0821      2.067      2.389
	//   2   8.673      0.5842      7.528      9.818
	//
	// Prediction band of a new observation
	// row  fitted  std. error  lower 95%  upper 95%
	//   1   2.228      0.7789      0.701       3.75
	//   2   8.673      0.9702      6.771      10.57
}

// The probability at log odds of 1, and how fast it grows there; R: plogis(1), dlogis(1).
func ExampleLogistic_InverseLink() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	p, slope := must.M1(mlreg.FitLogistic(d, nil)).InverseLink(1)
	fmt.Printf("%.4f, %.4f\n", p, slope)
	// Output: 0.7311, 0.1966
}
