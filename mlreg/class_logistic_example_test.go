package mlreg_test

import (
	"fmt"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/floats"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: summary(glm(svi ~ lcavol + lpsa, binomial, prostate)), whose standard errors
// have their fourth digit right with epsilon = 1e-12; statsmodels: Logit.
func ExampleFitLogistic() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	for _, r := range must.M1(logit.Table(0.95)) {
		fmt.Printf("%-11s %8.4f  standard error %.4f  z %5.2f  P %.4f\n", r.Term, r.Estimate, r.StdErr, r.Statistic, r.P)
	}
	fmt.Printf("deviance %.4f of %.4f, AIC %.4f\n", logit.Deviance(), logit.NullDeviance(), mlreg.AIC(logit))
	// Output:
	// (Intercept)  -7.9085  standard error 1.7773  z -4.45  P 0.0000
	// lcavol        1.1680  standard error 0.5220  z  2.24  P 0.0252
	// lpsa          1.5031  standard error 0.5862  z  2.56  P 0.0103
	// deviance 54.9855 of 101.3525, AIC 60.9855
}

// A penalty. scikit-learn: LogisticRegression(C=1/(2*L2)).
func ExampleFitLogistic_penalty() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, &mlreg.LogisticSettings{L2: 0.5}))
	fmt.Printf("%.4f\n", logit.Coef())
	// Output: [-6.8467 1.0474 1.2441]
}

// The probability of the second class. R: predict(m, type = "response").
func ExampleLogistic_Predict() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	men := must.M1(frames.DesignLike(d, must.M1(frames.Frame(frames.Col("lpsa", []float64{2, 3, 4})))))
	fmt.Printf("%.4f\n", must.M1(logit.Predict(men)))
	// Output: [0.0323 0.2403 0.7499]
}

// R: exp(cbind(coef(m), confint.default(m))), with epsilon = 1e-12 in glm.
func ExampleLogistic_OddsRatios() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	for _, o := range must.M1(must.M1(mlreg.FitLogistic(d, nil)).OddsRatios(0.95))[1:] {
		fmt.Printf("one more of %-6s multiplies the odds by %.3f (%.3f to %.3f)\n", o.Term, o.Ratio, o.Lower, o.Upper)
	}
	// Output:
	// one more of lcavol multiplies the odds by 3.216 (1.156 to 8.945)
	// one more of lpsa   multiplies the odds by 4.496 (1.425 to 14.183)
}

// R: anova(glm(svi ~ 1, binomial), m, test = "Chisq"); statsmodels: m.llr.
func ExampleLogistic_LR() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	lr := must.M1(mlreg.FitLogistic(d, nil)).LR()
	fmt.Printf("%.4f on %v degrees of freedom, P = %.1e\n", lr.Stat, lr.DF, lr.P)
	// Output: 46.3670 on 2 degrees of freedom, P = 8.5e-11
}

// Does lcavol add anything to lpsa? R: anova(small, large, test = "Chisq").
func ExampleLikelihoodRatioTest() {
	df := datasets.Prostate()
	small := must.M1(mlreg.FitLogistic(must.M1(frames.Design(df, "svi ~ lpsa")), nil))
	large := must.M1(mlreg.FitLogistic(must.M1(frames.Design(df, "svi ~ lcavol + lpsa")), nil))
	lr := must.M1(mlreg.LikelihoodRatioTest(small, large))
	fmt.Printf("%.4f on %v degree of freedom, P = %.4f\n", lr.Stat, lr.DF, lr.P)
	// Output: 5.7957 on 1 degree of freedom, P = 0.0161
}

// R: residuals(m, "deviance"), residuals(m, "pearson"), of the first row.
func ExampleLogistic_DevianceResiduals() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	deviance, pearson := must.M1(logit.DevianceResiduals(d)), must.M1(logit.PearsonResiduals(d))
	fmt.Printf("%.5f and %.5f; squares sum to %.4f\n", deviance[0], pearson[0], floats.Dot(deviance, deviance))
	// Output: -0.01679 and -0.01187; squares sum to 60.7812
}

// The log odds. R: predict(m); scikit-learn: decision_function.
func ExampleLogistic_LinearPredictor() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	fmt.Printf("%.4f\n", must.M1(logit.LinearPredictor(d))[:3])
	// Output: [-8.8673 -8.2640 -8.2640]
}

// A term whose coefficient is known to be 1. R: glm(svi ~ lpsa + offset(lcavol)).
func ExampleFitLogistic_offset() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa + offset(lcavol)"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	fmt.Printf("%q %.4f, penalty %v\n", logit.Names(), logit.Coef(), logit.L2())
	// Output: ["(Intercept)" "lpsa"] [-7.7941 1.5795], penalty 0
}

// Newton's method, to the last digits.
func ExampleLogistic_Decrement() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lpsa"))
	logit := must.M1(mlreg.FitLogistic(d, nil))
	fmt.Printf("%s: within 1e-11 standard errors of the maximum: %v\n", logit.Method(), logit.Decrement() < 1e-11)
	// Output: Newton, QR of weighted rows: within 1e-11 standard errors of the maximum: true
}

// Rows that come in blocks, as from a file or a database: every Newton step is a pass.
func ExampleFitLogistic_blocks() {
	d := must.M1(frames.Design(datasets.Prostate(), "svi ~ lcavol + lpsa"))
	file := mlreg.RowBlocksFunc(func(f func(*mlreg.Design) error) error {
		for first := 0; first < d.NObs(); first += 40 {
			var block []int
			for i := first; i < min(first+40, d.NObs()); i++ {
				block = append(block, i)
			}
			if err := f(d.Rows(block...)); err != nil {
				return err
			}
		}
		return nil
	})
	fmt.Printf("%.4f\n", must.M1(mlreg.FitLogistic(file, nil)).Coef())
	// Output: [-7.9085 1.1680 1.5031]
}
