package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: anova(lm(lpsa ~ lcavol + lweight + age, prostate)).
func ExampleOLS_Anova() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age"))
	for _, r := range must.M1(must.M1(mlreg.FitOLS(d, nil)).Anova()) {
		fmt.Printf("%-9s %2v %8.4f  F %8.4f  P %.4f\n", r.Term, r.DF, r.SumSq, r.F, r.P)
	}
	// Output:
	// lcavol     1  69.0029  F 125.5910  P 0.0000
	// lweight    1   7.1726  F  13.0548  P 0.0005
	// age        1   0.6456  F   1.1751  P 0.2812
	// Residuals 93  51.0965  F      NaN  P NaN
}
