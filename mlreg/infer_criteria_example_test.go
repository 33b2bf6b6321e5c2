package mlreg_test

import (
	"fmt"
	"math"
	"slices"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: AIC(m1, m2).
func ExampleAIC() {
	df := datasets.Prostate()
	for _, formula := range []string{"lpsa ~ lcavol", "lpsa ~ lcavol + lweight + svi", "lpsa ~ . - train"} {
		ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, formula)), nil))
		fmt.Printf("%-29s %.3f\n", formula, mlreg.AIC(ols))
	}
	// Output:
	// lpsa ~ lcavol                 232.908
	// lpsa ~ lcavol + lweight + svi 214.097
	// lpsa ~ . - train              216.495
}

// R: BIC(m1, m2).
func ExampleBIC() {
	df := datasets.Prostate()
	for _, formula := range []string{"lpsa ~ lcavol", "lpsa ~ lcavol + lweight + svi", "lpsa ~ . - train"} {
		ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, formula)), nil))
		fmt.Printf("%-29s %.3f\n", formula, mlreg.BIC(ols))
	}
	// Output:
	// lpsa ~ lcavol                 240.632
	// lpsa ~ lcavol + lweight + svi 226.970
	// lpsa ~ . - train              242.242
}

// A rough Bayes factor: how much likelier one model makes the data than another.
func ExampleLogEvidenceBIC() {
	df := datasets.Prostate()
	small := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol")), nil))
	large := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "lpsa ~ lcavol + svi")), nil))
	fmt.Printf("%.1f times\n", math.Exp(mlreg.LogEvidenceBIC(large)-mlreg.LogEvidenceBIC(small)))
	// Output: 9.3 times
}

// Bits for the data given the model, and for the model.
func ExampleDescriptionLength() {
	df := datasets.Prostate()
	for _, formula := range []string{"lpsa ~ lcavol", "lpsa ~ lcavol + lweight + svi", "lpsa ~ . - train"} {
		c := mlreg.DescriptionLength(must.M1(mlreg.FitOLS(must.M1(frames.Design(df, formula)), nil)))
		fmt.Printf("%-29s data %.1f bits, model %.1f bits, total %.1f\n", formula, c.Data, c.Model, c.Total())
	}
	// Output:
	// lpsa ~ lcavol                 data 163.7 bits, model 9.9 bits, total 173.6
	// lpsa ~ lcavol + lweight + svi data 147.2 bits, model 16.5 bits, total 163.7
	// lpsa ~ . - train              data 141.7 bits, model 33.0 bits, total 174.7
}

// A man whose response the fit did not expect costs many bits.
func ExampleSurprise() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + svi"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	bits := must.M1(mlreg.Surprise(ols, d))
	fmt.Printf("median %.1f bits, most %.1f in row %d; all together %.1f\n",
		stat.Quantile(0.5, stat.Empirical, slices.Sorted(slices.Values(bits)), nil), slices.Max(bits), floats.MaxIdx(bits), floats.Sum(bits))
	// Output: median 1.2 bits, most 4.6 in row 68; all together 157.2
}
