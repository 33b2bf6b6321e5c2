package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: predict(lm(lpsa ~ lcavol, prostate), data.frame(lcavol = c(1, 4)),
// interval = "confidence"). Bands are narrowest in the middle of the data.
func ExampleOLS_ConfidenceBand() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 4})))))
	b := must.M1(must.M1(mlreg.FitOLS(d, nil)).ConfidenceBand(men, 0.95))
	for i := range b.Fitted {
		fmt.Printf("%.4f in [%.4f, %.4f]\n", b.Fitted[i], b.Lower[i], b.Upper[i])
	}
	// Output:
	// 2.2266 in [2.0610, 2.3923]
	// 4.3846 in [3.9923, 4.7769]
}

// R: the same with interval = "prediction"; statsmodels: obs_ci_lower and
// obs_ci_upper of get_prediction(x).summary_frame().
func ExampleOLS_PredictionBand() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol"))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lcavol", []float64{1, 4})))))
	b := must.M1(must.M1(mlreg.FitOLS(d, nil)).PredictionBand(men, 0.95))
	for i := range b.Fitted {
		fmt.Printf("%.4f in [%.4f, %.4f]\n", b.Fitted[i], b.Lower[i], b.Upper[i])
	}
	// Output:
	// 2.2266 in [0.6545, 3.7988]
	// 4.3846 in [2.7727, 5.9964]
}
