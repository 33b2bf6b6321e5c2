package plotting_test

import (
	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// The example of the README: 97 men, a formula, a fit, its table and a figure.
func Example() {
	df := datasets.Prostate()
	d := must.M1(frames.Design(df, "lpsa ~ lcavol + lweight + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(ols)

	line := must.M1(frames.Design(df, "lpsa ~ lcavol"))
	plotting.Show(plotting.FitLine(line, must.M1(mlreg.FitOLS(line, nil)), 0.95))
	// Output:
	// OLS fit of lpsa
	// term         estimate  std. error      t        p  lower 95%  upper 95%
	// (Intercept)   -0.7772      0.6230  -1.25   0.2154    -2.0143     0.4600
	// lcavol         0.5259      0.0749   7.02  <0.0001     0.3772     0.6745
	// lweight        0.6618      0.1756   3.77   0.0003     0.3130     1.0105
	// svi            0.6657      0.2071   3.21   0.0018     0.2544     1.0769
	// n = 97, residual df = 93, σ = 0.7076 (estimated)
	// R² = 0.6359, adjusted R² = 0.6242, F(3, 93) = 54.15, p < 0.0001
	// log L = -102.05, AIC = 214.10, BIC = 226.97
	// Householder QR in double-double, condition number 21.8
	// correct digits: 15 (estimates), 15 (standard errors), |xⱼ'r| ≤ 1e-16 ‖xⱼ‖ ‖y‖ for all columns
	// Figure: lpsa = 1.51 + 0.719 lcavol: lpsa against lcavol (horizontal -1.55 to 4.03, vertical -0.671 to 5.82)
}

// The README's program on data of one's own: a file as spreadsheets write it in
// Germany, with gaps. R: read.csv2, lm, anova, predict.
func Example_ownData() {
	file := must.M1(frames.ReadCSV("testdata/patients.csv", &frames.CSVSettings{Decimal: ',', Thousands: '.'}))
	df := file.Frame
	plotting.Show(file.Report)
	plotting.Show(plotting.HistogramGrid(df, nil))
	plotting.Show(frames.GroupBy(df, "ward").Summarise("n()", "mean(weight, na.rm = TRUE)", "smokers = sum(smoker)"))
	plotting.Show(plotting.Chart(df, "height (cm)", "weight", &plotting.ChartSettings{
		Marks: plotting.AsPoints | plotting.AsLinear, Color: "ward"}))

	d := must.M1(frames.Design(df, "weight ~ `height (cm)` + log(income) + factor(ward, ref = \"south\")"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	plotting.Show(ols)
	plotting.Show(ols.Anova())
	plotting.Show(plotting.Diagnostics(ols, d, nil))

	patients := must.M1(frames.Frame(
		frames.Col("height (cm)", []float64{165, 180}),
		frames.Col("income", []int{2500, 1800}),
		frames.Col("ward", []string{"north", "west wing"})))
	plotting.Show(frames.PredictionBand(ols, patients, 0.95))
	plotting.Show(plotting.Effect(must.M1(frames.Effects(ols, df, "income", 0.95, nil))))
	plotting.Show(frames.MarginalMeans(ols, df, "ward", 0.95, nil))
	// Output:
	// testdata/patients.csv: 40 rows, 6 columns, separated by semicolon
	// column       type    missing
	// id           int     0
	// height (cm)  float   2 ("NA" in row 5 and 1 more)
	// weight       float   1 ("" in row 23)
	// income       float   1 ("?" in row 10)
	// ward         string  0
	// smoker       bool    0
	// changed: height (cm): decimal mark ',' read as a dot: "161,0" in row 1 and 37 more
	// changed: weight: decimal mark ',' read as a dot: "54,1" in row 1 and 38 more
	// changed: income: mark '.' between thousands dropped: "2.508,48" in row 1 and 33 more
	// changed: income: decimal mark ',' read as a dot: "2.508,48" in row 1 and 38 more
	// repaired: byte order mark dropped
	// Figure: histograms of 6 columns in 40 rows: id, height (cm), weight, income, ward, smoker
	//    ward       n()  mean(weight, na.rm = TRUE)  smokers
	// 1  north       18                       71.13        4
	// 2  south       10                       72.71        2
	// 3  west wing   12                       68.40        1
	// 3 rows x 4 columns
	// Figure: points and least-squares line of weight against height (cm), colors by ward (north, south, west wing); 37 rows: 3 of 40 rows left out: missing values of height (cm) (2), weight (1). Bands are 95% confidence limits of the mean.
	// OLS fit of weight
	// term                                  estimate  std. error      t        p  lower 95%  upper 95%
	// (Intercept)                            -43.875      20.155  -2.18   0.0372    -84.981     -2.768
	// `height (cm)`                            0.847       0.088   9.58  <0.0001      0.667      1.027
	// log(income)                             -3.772       1.537  -2.45   0.0200     -6.908     -0.637
	// factor(ward, ref = "south")north        -3.979       1.986  -2.00   0.0539     -8.031      0.072
	// factor(ward, ref = "south")west wing    -6.429       2.207  -2.91   0.0066    -10.931     -1.927
	// n = 36 (4 omitted for missing values), residual df = 31, σ = 4.629 (estimated)
	// R² = 0.7787, adjusted R² = 0.7502, F(4, 31) = 27.27, p < 0.0001
	// log L = -103.55, AIC = 219.11, BIC = 228.61
	// Householder QR in double-double, condition number 63.3
	// correct digits: 15 (estimates), 15 (standard errors), |xⱼ'r| ≤ 1e-16 ‖xⱼ‖ ‖y‖ for all columns
	// Analysis of variance
	// term                         df  sum of squares  mean square      F        p
	// `height (cm)`                 1          2003.2       2003.2  93.49  <0.0001
	// log(income)                   1           150.8        150.8   7.04   0.0125
	// factor(ward, ref = "south")   2           183.5         91.7   4.28   0.0228
	// Residuals                    31           664.3         21.4
	// Figure: Residuals against fitted: residual against fitted value (horizontal 55.3 to 87.9, vertical -9.97 to 7.89); Normal QQ: standardized residual against normal quantile (horizontal -2.38 to 2.38, vertical -3.45 to 3.45); Scale-location: √|standardized residual| against fitted value (horizontal 55.3 to 87.9, vertical 0 to 1.51); Residuals against leverage: standardized residual against leverage (Cook's distance below 0.5) (horizontal 0 to 0.28, vertical -2.43 to 2)
	// Prediction band of a new observation
	// row  fitted  std. error  lower 95%  upper 95%
	//   1   62.39       4.836      52.53      72.25
	//   2   73.89       4.898      63.90      83.88
	// Figure: Effect of income on weight: weight against income (at height (cm) = 173.5, ward = north) (horizontal 374 to 5243, vertical 52.7 to 91.1)
	// Marginal means of weight by ward
	// ward        mean  std. error  lower 95%  upper 95%
	// south      73.86       1.647      70.50      77.22
	// north      69.88       1.141      67.55      72.21
	// west wing  67.43       1.464      64.45      70.42
	// held: height (cm) = 173.5 (mean), income = 2311 (mean)
}
