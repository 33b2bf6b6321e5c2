package plotting_test

import (
	"math"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting"
)

func ExampleShow_anova() {
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")), nil))
	plotting.Show(ols.Anova())
	// Output:
	// Analysis of variance
	// term       df  sum of squares  mean square      F        p
	// lcavol      1          69.003       69.003  137.8  <0.0001
	// lweight     1           7.173        7.173   14.3   0.0003
	// svi         1           5.174        5.174   10.3   0.0018
	// Residuals  93          46.568        0.501
}

// R's anova(small, large).
func ExampleShow_nested() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi + age + gleason"))
	small := must.M1(mlreg.FitOLS(must.M1(d.Select("lcavol", "lweight", "svi")), nil))
	large := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(mlreg.CompareNested(small, large))
	// Output:
	// Comparison of nested fits
	// terms                                       residual df     RSS  df  sum of squares      F       p
	// 1 + lcavol + lweight + svi                           93  46.568
	// 1 + lcavol + lweight + svi + age + gleason           91  45.319   2          1.2494  1.254  0.2901
}

// A contrast is a line of a table of coefficients: is a doubled volume, log 2 more
// in lcavol, worth as much as an invasion?
func ExampleShow_contrasts() {
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi")), nil))
	doubled := must.M1(mlreg.Contrast(ols, []float64{0, math.Ln2, 0}, 0, 0.95))
	same := must.M1(mlreg.Contrast(ols, []float64{0, math.Ln2, -1}, 0, 0.95))
	doubled.Term, same.Term = "volume doubled", "volume doubled - svi"
	plotting.Show(report.Rows[mlreg.CoefRow]{doubled, same})
	// Output:
	// term                  estimate  std. error  statistic        p  lower 95%  upper 95%
	// volume doubled          0.4107      0.0538       7.63  <0.0001     0.3038     0.5176
	// volume doubled - svi   -0.2590      0.2542      -1.02   0.3109    -0.7638     0.2458
}

// The two years that move the fit most.
func ExampleShow_influence() {
	df := datasets.Longley()
	d := must.M1(frames.Design(df, "Employed ~ GNP + Unemployed"))
	influence := must.M1(must.M1(mlreg.FitOLS(d, nil)).Influence(d))
	plotting.Show(influence.Head(2, df.Col("Year").Records()))
	// Output:
	// Rows of the largest Cook's distances
	//  row  residual  leverage  standardized  studentized  Cook's distance  DFFITS  cov. ratio
	// 1952   -0.8235     0.201         -1.76        -1.93            0.259  -0.970        0.71
	// 1962   -0.6504     0.253         -1.43        -1.50            0.233  -0.875        1.02
	// ... 14 more rows
}

// R's predict(fit, new, interval = "prediction"); Show displays a band so.
func ExampleShow_band() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	men := must.M1(frames.Frame(frames.Col("lcavol", []float64{1.5, 3}), frames.Col("svi", []int{0, 1})))
	band := must.M1(ols.PredictionBand(must.M1(frames.DesignLike(d, men)), 0.95))
	plotting.Show(band.Head(0, []string{"small", "large"}))
	// Output:
	// Prediction band of a new observation
	//   row  fitted  std. error  lower 95%  upper 95%
	// small   2.422      0.7615      0.910      3.934
	// large   3.981      0.7742      2.444      5.518
}

// R's car::vif of a model with a factor.
func ExampleShow_varianceInflation() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + factor(gleason) + pgg45"))
	plotting.Show(mlreg.GVIF(d))
	// Output:
	// Variance inflation factors
	// term             df    VIF  VIF^(1/(2 df))
	// lcavol            1  1.375           1.173
	// factor(gleason)   3  2.798           1.187
	// pgg45             1  2.555           1.598
}
