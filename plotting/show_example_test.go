package plotting_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// A fit, a frame, a list of numbers: outside of a notebook everything is shown as
// text.
func ExampleShow() {
	df := datasets.Prostate()
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol")), nil))
	plotting.Show("the coefficients of", ols.Names(), ols.Coef())
	plotting.Show(plotting.Head(df.Select([]string{"lcavol", "age", "lpsa"}), 2))
	// Output:
	// the coefficients of
	// (Intercept)
	// lcavol
	// [1.507, 0.719]
	//     lcavol  age     lpsa
	// 1  -0.5798   50  -0.4308
	// 2  -0.9943   58  -0.1625
	// ... 95 more rows
	// 97 rows x 3 columns
}

// Display returns the error that Show would panic with.
func ExampleDisplay() {
	empty := must.M1(frames.Frame(frames.Col("x", []float64{1, 2, 3})))
	err := plotting.Display(plotting.HistogramGrid(empty, &plotting.FrameSettings{Columns: []string{"y"}}))
	fmt.Println(err)
	// Output:
	// plotting: histograms: frames: no column "y" in the data; there are x
}

func ExampleMarkdown() {
	plotting.Show(plotting.Markdown(`The normal equations, $X^\top X \hat w = X^\top y$`))
	// Output:
	// The normal equations, $X^\top X \hat w = X^\top y$
}

// A type of your own says how it is shown.
func ExampleBundler() {
	plotting.Show(interval{1.5, 2.5})
	// Output:
	// 1.5 to 2.5
}

// interval is shown in bold in a notebook.
type interval struct{ lower, upper float64 }

// Bundle implements plotting.Bundler.
func (i interval) Bundle() (plotting.Bundle, error) {
	text := fmt.Sprintf("%v to %v", i.lower, i.upper)
	return plotting.Bundle{Text: text, Markdown: "**" + text + "**"}, nil
}

// Results are shown as the tables that the functions of this package make of them.
func ExampleShow_inference() {
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi")), nil))
	plotting.Show(ols.Anova())
	plotting.Show(ols.F())
	// Output:
	// Analysis of variance
	// term       df  sum of squares  mean square      F        p
	// lcavol      1          69.003       69.003  120.8  <0.0001
	// svi         1           5.237        5.237    9.2   0.0032
	// Residuals  94          53.677        0.571
	// F(2, 94) = 65.01, p < 0.0001
}

// What a cross-validation found, and the fit that the rule of one standard error
// takes.
func ExampleShow_lasso() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train"))
	d = must.M1(d.Standardize(nil))
	folds := must.M1(mlreg.KFold(d.NObs(), 10, rand.NewPCG(1, 2)))
	lasso := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))
	plotting.Show(folds, lasso, lasso.FitOneSE())
	// Output:
	// 10 folds of 97 rows (9 or 10 each)
	// Cross-validation
	//                         λ    loss  std. error   dof  nonzero
	// least loss           0.51  0.5447      0.0717  9.00        8
	// one standard error  40.53  0.6118      0.0959  4.00        3
	// 10-fold cross-validation, 100 candidates
	// Lasso fit of lpsa at λ = 40.5311
	// term         estimate
	// (Intercept)     2.478
	// lcavol          0.526
	// lweight         0.120
	// age             0
	// lbph            0
	// svi             0.139
	// lcp             0
	// gleason         0
	// pgg45           0
	// n = 97, dof = 4.00, RSS = 54.432, R² = 0.5745
	// duality gap at most 1e-12 of the null RSS, KKT violated by at most 1e-12
	// coefficients are in units of the scaled predictors
}

// A filter, the classes it finds, the area under its curve.
func ExampleShow_classifier() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ remove + free + george + hp + meeting + charDollar"))
	d = must.M1(d.Presence(0))
	filter := must.M1(mlreg.FitNaiveBayes(d, 1, nil))
	plotting.Show(filter, must.M1(mlreg.Confusion(filter, d, 0)), must.M1(mlreg.ROC(filter, d)))
	// Output:
	// Naive Bayes: P(feature | class)
	// feature     nonspam    spam  log odds ratio
	// george       0.2771  0.0050           -4.34
	// remove       0.0158  0.4215           +3.82
	// hp           0.3731  0.0281           -3.02
	// charDollar   0.1047  0.6116           +2.60
	// free         0.0907  0.5455           +2.49
	// meeting      0.1154  0.0116           -2.41
	// prior probabilities: nonspam 0.6060, spam 0.3940
	// n = 4601, smoothing 1
	// Rows by class and the class they are put in
	// class    put in nonspam  put in spam  recall  precision
	// nonspam            2594          194  0.9304     0.8998
	// spam                289         1524  0.8406     0.8871
	// n = 4601, 483 of them in a wrong class: error rate 0.1050
	// put in spam from a probability of 0.5 on
	// AUC 0.9432, 95% limits 0.9372 to 0.9492 (1813 positives, 2788 negatives)
}

// The best subset of every size.
func ExampleShow_subsets() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age + lbph + svi"))
	plotting.Show(mlreg.FitBestSubsets(d, nil))
	// Output:
	// Best subsets for lpsa
	// size     RSS      R²  adj. R²      Cp     AIC     BIC  terms
	//    0  127.92  0.0000   0.0000  166.96  306.11  311.26  {}
	//    1   58.91  0.5394   0.5346   27.65  232.91  240.63  {lcavol}
	//    2   51.74  0.5955   0.5869   14.96  222.32  232.61  {lcavol, lweight}
	//    3   46.57  0.6359   0.6242    6.37  214.10  226.97  {lcavol, lweight, svi}
	//    4   45.60  0.6436   0.6281    6.37  214.05  229.50  {lcavol, lweight, lbph, svi}
	//    5   44.44  0.6526   0.6335    6.00  213.55  231.57  {lcavol, lweight, age, lbph, svi}
	// proven to be the best; 26 of 32 models were looked at
}

// A posterior, the maximum of its evidence, and a Laplace approximation.
func ExampleShow_posterior() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi"))
	d = must.M1(d.Standardize(nil))
	plotting.Show(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))
	plotting.Show(must.M1(mlreg.NewEvidenceSurface(d, nil)).Maximize(nil))
	plotting.Show(mlreg.Laplace1D(func(x float64) float64 { return 20*math.Log(x) - x }, 10, nil))
	plotting.Show(mlreg.DescriptionLength(must.M1(mlreg.FitOLS(d, nil))))
	// Output:
	// Bayes fit of lpsa
	// term          mean  std. dev.  lower 95%  upper 95%  P(w > 0)
	// (Intercept)  2.478      0.072      2.337      2.620   >0.9999
	// lcavol       0.610      0.087      0.439      0.781   >0.9999
	// lweight      0.281      0.074      0.135      0.427    0.9999
	// svi          0.275      0.085      0.109      0.441    0.9993
	// n = 97, σ² = 0.5011 (posterior mean; inverse gamma with shape 48 and scale 23.55)
	// λ = 1, 2.96 of 3 parameters determined by the data, with a flat prior of the intercept
	// log evidence -112.010, Cholesky, condition number 1.9
	// coefficients are in units of the scaled predictors
	// Maximum of the evidence
	// τ²                    0.1775
	// σ²                    0.5005
	// λ = σ²/τ²             2.82
	// log evidence          -110.431
	// effective parameters  2.889
	// gradient at most 1e-8
	// Laplace approximation
	// coordinate  mode  std. dev.
	// θ1            20      4.472
	// ln p* at the mode 39.9146, ln Z 42.3315
	// gradient at the mode at most 1e-6
	// 163.72 bits = 147.22 (data) + 16.50 (model)
}
