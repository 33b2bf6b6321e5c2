package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Regression on the first three principal components. R: pls::pcr(..., 3);
// scikit-learn: make_pipeline(PCA(3), LinearRegression()).
func ExampleFitPCR() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ . - train")).Standardize(nil))
	pcr := must.M1(mlreg.FitPCR(d, 3, nil))
	fmt.Printf("singular values %.3f\n", pcr.SingularValues())
	fmt.Printf("%d components: R2 %.4f, slopes %.4f\n", pcr.Components(), pcr.R2(), pcr.Slopes())
	// Output:
	// singular values [18.055 12.645 9.728 7.830 6.847 6.549 5.047 4.351]
	// 3 components: R2 0.5861, slopes [0.3051 0.2811 0.0359 0.0494 0.3049 0.2578 -0.0377 0.0285]
}

// The components of sums, of which only the scale of the terms is known: the
// coefficients are in raw units. R: prcomp(x, scale. = TRUE).
func ExamplePCRSettings() {
	m := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Moments())
	pcr := must.M1(mlreg.FitPCR(m, 2, &mlreg.PCRSettings{Standardize: true}))
	fmt.Printf("%.4f\n", mat.Formatted(pcr.Loadings()))
	fmt.Printf("slopes %.4f\n", pcr.Slopes())
	// Output:
	// ⎡ 0.6640  -0.1582⎤
	// ⎢ 0.4160   0.8903⎥
	// ⎣ 0.6213  -0.4270⎦
	// slopes [0.3898 0.7566 1.0138]
}

// The first row in the coordinates of the components, and what they are made of.
func ExamplePCR_Scores() {
	d := must.M1(must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + lweight + svi")).Standardize(nil))
	pcr := must.M1(mlreg.FitPCR(d, 2, nil))
	fmt.Printf("%.4f\n", mat.Formatted(pcr.Loadings()))
	fmt.Printf("%.4f\n", mat.Formatted(must.M1(pcr.Scores(d.Rows(0)))))
	// Output:
	// ⎡ 0.6640  -0.1582⎤
	// ⎢ 0.4160   0.8903⎥
	// ⎣ 0.6213  -0.4270⎦
	// [-2.2583  -1.3106]
}
