package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: anova(lm(lpsa ~ lcavol), lm(lpsa ~ lcavol + age + gleason)).
func ExampleCompareNested() {
	df := datasets.Prostate()
	small := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol")), nil))
	large := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol + age + gleason")), nil))
	for _, r := range must.M1(mlreg.CompareNested(small, large)) {
		fmt.Printf("%-26s %v %.4f  F %.4f  P %.4f\n", r.Terms, r.DoFResidual, r.RSS, r.F, r.P)
	}
	// Output:
	// 1 + lcavol                 95 58.9148  F NaN  P NaN
	// 1 + lcavol + age + gleason 93 58.4933  F 0.3351  P 0.7161
}
