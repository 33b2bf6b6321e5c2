package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: drop1(lm(lpsa ~ lcavol + lweight + age, prostate), test = "F").
func ExampleOLS_DropTerms() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + age"))
	for _, r := range must.M1(must.M1(mlreg.FitOLS(d, nil)).DropTerms()) {
		fmt.Printf("%-9s %2v %8.4f  F %8.4f  P %.4f\n", r.Term, r.DF, r.SumSq, r.F, r.P)
	}
	// Output:
	// lcavol     1  52.7511  F  96.0114  P 0.0000
	// lweight    1   7.8157  F  14.2253  P 0.0003
	// age        1   0.6456  F   1.1751  P 0.2812
}

// breaks are the breaks of yarn by wool and tension: rows of R's warpbreaks, not as
// many in every cell.
func breaks(coding string) *mlreg.Design {
	df := must.M1(frames.Frame(
		frames.Col("breaks", []float64{26, 30, 54, 18, 21, 36, 21, 27, 14, 29, 42, 20, 21, 24}),
		frames.Col("wool", []string{"A", "A", "A", "A", "A", "A", "A", "B", "B", "B", "B", "B", "B", "B"}),
		frames.Col("tension", []string{"L", "L", "L", "M", "M", "H", "H", "L", "L", "M", "M", "H", "H", "H"}),
	))
	return must.M1(frames.Design(df, coding))
}

func printAnova(rows []mlreg.AnovaRow) {
	for _, r := range rows {
		fmt.Printf("%-28s %2v %8.3f  F %6.3f  P %.3f\n", r.Term, r.DF, r.SumSq, r.F, r.P)
	}
}

// R: drop1(m, . ~ ., test = "F"), which leaves the interaction in the model when it
// drops wool; what that tests depends on the contrasts.
func ExampleOLS_DropIgnoringMargins() {
	fit := must.M1(mlreg.FitOLS(breaks("breaks ~ wool*tension"), nil))
	fmt.Println("drop1(m)")
	printAnova(must.M1(fit.DropTerms()))
	fmt.Println("drop1(m, . ~ .)")
	printAnova(must.M1(fit.DropIgnoringMargins()))
	// Output:
	// drop1(m)
	// wool:tension                  2  586.090  F  3.112  P 0.100
	// drop1(m, . ~ .)
	// wool                          1   56.033  F  0.595  P 0.463
	// tension                       2  356.048  F  1.891  P 0.213
	// wool:tension                  2  586.090  F  3.112  P 0.100
}

// R: car::Anova(lm(breaks ~ wool*tension)).
func ExampleOLS_AnovaTypeII() {
	fit := must.M1(mlreg.FitOLS(breaks("breaks ~ wool*tension"), nil))
	printAnova(must.M1(fit.AnovaTypeII()))
	// Output:
	// wool                          1   39.576  F  0.420  P 0.535
	// tension                       2   63.719  F  0.338  P 0.723
	// wool:tension                  2  586.090  F  3.112  P 0.100
	// Residuals                     8  753.333  F    NaN  P NaN
}

// R: car::Anova(lm(breaks ~ C(wool, sum)*C(tension, sum)), type = 3).
func ExampleOLS_AnovaTypeIII() {
	_, err := must.M1(mlreg.FitOLS(breaks("breaks ~ wool*tension"), nil)).AnovaTypeIII()
	fmt.Println(err)
	fit := must.M1(mlreg.FitOLS(breaks("breaks ~ C(wool, Sum)*C(tension, Sum)"), nil))
	printAnova(must.M1(fit.AnovaTypeIII()))
	// Output:
	// mlreg: invalid setting: a type III test of "wool" would be about tension = "H" only, because an interaction codes it by contrasts to that level; use Sum contrasts, such as C(a, Sum) in the formula, or AnovaTypeII
	// C(wool, Sum)                  1   18.375  F  0.195  P 0.670
	// C(tension, Sum)               2   30.655  F  0.163  P 0.853
	// C(wool, Sum):C(tension, Sum)  2  586.090  F  3.112  P 0.100
	// Residuals                     8  753.333  F    NaN  P NaN
}
