package plotting_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
)

// dose is a line through eight points, the last of them far out.
func dose() (*mlreg.Design, *mlreg.OLS) {
	x := mat.NewDense(8, 1, []float64{1, 2, 3, 4, 5, 6, 7, 14})
	d, err := mlreg.NewDesign(x, []float64{2.1, 2.9, 4.2, 5.1, 5.7, 7.3, 8.2, 11}, "dose")
	if err != nil {
		log.Fatal(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		log.Fatal(err)
	}
	return d, ols
}

// In a notebook this is a figure of four panels.
func ExampleDiagnostics() {
	d, ols := dose()
	plotting.Show(plotting.Diagnostics(ols, d, nil))
	plotting.Show(plotting.CooksDistance(ols, d, &plotting.DiagnosticsSettings{Extremes: 1}))
	// Output:
	// Figure: Residuals against fitted: residual against fitted value (horizontal 2.49 to 12.3, vertical -0.994 to 1.3); Normal QQ: standardised residual against normal quantile (horizontal -1.55 to 1.55, vertical -2.95 to 2.95); Scale-location: √|standardised residual| against fitted value (horizontal 2.49 to 12.3, vertical 0 to 1.6); Residuals against leverage: standardised residual against leverage (horizontal 0 to 0.882, vertical -2.69 to 1.84)
	// Figure: Cook's distance: Cook's distance against row (horizontal 0.72 to 8.28, vertical 0 to 10.9)
}

func ExampleInfluenceTable() {
	d, ols := dose()
	influence, err := ols.Influence(d)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.InfluenceTable(influence, 2, nil))
	// Output:
	// Rows of the largest Cook's distances
	// row  residual  leverage  standardised  studentised  Cook's distance  DFFITS  cov. ratio
	//   8   -0.9091     0.788         -2.38        -8.98            10.49  -17.31       0.023
	//   1   -0.7513     0.281         -1.07        -1.08             0.22   -0.68       1.315
	// ... 6 more rows
}

// R's predict(fit, new, interval = "prediction").
func ExampleBandTable() {
	_, ols := dose()
	patients, err := mlreg.NewDesign(mat.NewDense(2, 1, []float64{2.5, 10}), nil, "dose")
	if err != nil {
		log.Fatal(err)
	}
	band, err := ols.PredictionBand(patients, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(band)
	plotting.Show(plotting.BandTable(band, 1, []string{"Ann", "Bob"}))
	// Output:
	// Prediction band of a new observation
	// row  fitted  std. error  lower 95%  upper 95%
	//   1   3.896      0.9061      1.679       6.11
	//   2   9.122      0.9542      6.787      11.46
	// Prediction band of a new observation
	// row  fitted  std. error  lower 95%  upper 95%
	// Ann   3.896      0.9061      1.679      6.113
	// ... 1 more row
}

func ExampleAnovaTable() {
	_, ols := dose()
	plotting.Show(ols.Anova())
	// Output:
	// Analysis of variance
	// term       df  sum of squares  mean square      F       p
	// dose        1          56.071       56.071  81.31  0.0001
	// Residuals   6           4.138        0.690
}

// A contrast is a line of a table of coefficients.
func ExampleCoefRows() {
	_, ols := dose()
	slope, err := mlreg.Contrast(ols, []float64{0, 1}, 1, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	atTen, err := mlreg.Contrast(ols, []float64{1, 10}, 0, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.CoefRows([]mlreg.CoefRow{slope, atTen}, 0.95))
	// Output:
	// term                       estimate  std. error  statistic        p  lower 95%  upper 95%
	// dose = 1                      0.697      0.0773       -3.9   0.0078      0.508       0.89
	// (Intercept) + 10 dose = 0     9.122      0.4700       19.4  <0.0001      7.972      10.27
}

// Classical and robust limits side by side.
func ExampleCompareCoefs() {
	d, ols := dose()
	robust, err := ols.Robust(d, mlreg.HC3)
	if err != nil {
		log.Fatal(err)
	}
	plotting.Show(plotting.CoefPlot(ols, 0.95, nil))
	plotting.Show(plotting.CompareCoefs([]plotting.NamedFit{
		{Name: "equal variances", Fit: ols},
		{Name: "HC3", Fit: robust},
	}, 0.95, &plotting.CoefPlotSettings{Title: "Dose", Terms: []string{"dose"}}))
	// Output:
	// Figure: coefficients with 95% limits of 1 term
	// Figure: Dose: coefficients with 95% limits of 1 term
}

// The lines whose slopes are the 95% limits, with sigma known.
func ExampleSlopeLimits() {
	d, _ := dose()
	known, err := mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 0.25})
	if err != nil {
		log.Fatal(err)
	}
	p, err := plotting.SlopeLimits(d, known, 0.95)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Title.Text)
	// Output:
	// slope 0.697, limits 0.606 and 0.788
}

func ExampleEllipse() {
	_, ols := dose()
	b := ols.Coef()
	plotting.Show(plotting.Draw(plotting.Labels{Title: "Joint limits", X: "intercept", Y: "slope"},
		plotting.Points{X: b[:1], Y: b[1:], Name: "estimate"},
		plotting.Ellipse{X: b[0], Y: b[1], Cov: ols.VCov(), Level: 0.95, Name: "95%"}))
	// Output:
	// Figure: Joint limits: slope against intercept (horizontal 0.831 to 3.48, vertical 0.492 to 0.901)
}

// Three studies, one of which misses the truth.
func ExampleIntervals() {
	plotting.Show(plotting.Intervals(plotting.Labels{Title: "Three studies", X: "study", Y: "slope"},
		[]mlreg.Interval{{Lower: 0.2, Upper: 0.8}, {Lower: 0.6, Upper: 1.1}, {Lower: 0.4, Upper: 0.9}}, 0.5))
	// Output:
	// Figure: Three studies: slope against study (horizontal 0.92 to 3.08, vertical 0.164 to 1.14)
}
