package datasets_test

import (
	"fmt"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/rlm"
	"github.com/regbook/regbook/mlreg/tsa"
)

// The test error of least squares, as in The Elements of Statistical Learning.
func ExampleProstate() {
	df := datasets.Prostate()
	train := must.M1(frames.Design(must.M1(frames.Where(df, "train == 'T'")), "lpsa ~ . - train"))
	test := must.M1(frames.DesignLike(train, must.M1(frames.Where(df, "train == 'F'"))))
	ols := must.M1(mlreg.FitOLS(train, nil))
	squared := 0.0
	for _, r := range must.M1(ols.Residuals(test)) {
		squared += r * r
	}
	fmt.Printf("%d men to fit, %d to test: mean squared error %.3f\n", train.NObs(), test.NObs(), squared/float64(test.NObs()))
	// Output:
	// 67 men to fit, 30 to test: mean squared error 0.521
}

// Claims per holder: rates by age, the other factors equal.
func ExampleInsurance() {
	d := must.M1(frames.Design(datasets.Insurance(), "claims ~ factor(district) + factor(engine, levels = unique(engine)) + factor(age, levels = unique(age)) + offset(log(holders))"))
	fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))
	rates := must.M1(fit.Ratios(0.95))
	for _, r := range rates[len(rates)-3:] {
		fmt.Printf("%s: %.2f (%.2f to %.2f)\n", r.Term, r.Ratio, r.Lower, r.Upper)
	}
	fmt.Printf("deviance %.2f, residual df %.0f\n", fit.Deviance(), fit.DoFResidual())
	// Output:
	// factor(age, levels = unique(age))25-29: 0.83 (0.70 to 0.97)
	// factor(age, levels = unique(age))30-35: 0.71 (0.60 to 0.83)
	// factor(age, levels = unique(age))>35: 0.58 (0.51 to 0.67)
	// deviance 51.42, residual df 54
}

func ExampleDiabetes() {
	d := must.M1(frames.Design(datasets.Diabetes(), "progression ~ ."))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%d patients, %d terms, R2 = %.4f\n", d.NObs(), d.NTerms(), ols.R2())
	// Output:
	// 442 patients, 10 terms, R2 = 0.5177
}

func ExampleDiabetesQuadratic() {
	d := must.M1(frames.Design(datasets.DiabetesQuadratic(), "progression ~ ."))
	ols := must.M1(mlreg.FitOLS(d, nil))
	fmt.Printf("%d patients, %d terms, %s to %s, R2 = %.4f\n", d.NObs(), d.NTerms(), d.Names[0], d.Names[63], ols.R2())
	// Output:
	// 442 patients, 64 terms, age to s6.s6, R2 = 0.5924
}

// The number of nests is modeled on the logarithmic scale.
func ExampleCO2() {
	d := must.M1(frames.Design(datasets.CO2(), "co2 ~ lag(co2, c(1, 12), time = month)"))
	fmt.Println(d.NObs(), d.Names)
	// Output: 456 [lag(co2, 1) lag(co2, 12)]
}

func ExampleLynx() {
	s := must.M1(frames.SeriesOf(datasets.Lynx(), &frames.SeriesSettings{Time: "year"}, "lynx"))
	spectrum := must.M1(tsa.Periodogram(must.M1(s.Channel("lynx"))))
	fmt.Printf("a cycle of %.1f years\n", 1/spectrum.Peak())
	// Output: a cycle of 9.5 years
}

func ExampleCaterpillar() {
	d := must.M1(frames.Design(datasets.Caterpillar(), "log(y) ~ ."))
	ols := must.M1(mlreg.FitOLS(d, nil))
	for _, row := range must.M1(ols.Table(0.95))[1:3] {
		fmt.Printf("%s: %.4f, p = %.4f\n", row.Term, row.Estimate, row.P)
	}
	// Output:
	// x1: -0.0044, p = 0.0094
	// x2: -0.0538, p = 0.0223
}

// A spam filter that knows only which words and characters an e-mail has, fitted
// to two thirds of the e-mails, beside a logistic regression on the same.
func ExampleSpambase() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ . - capitalAve - capitalLong - capitalTotal"))
	d = must.M1(d.Presence(0))
	third := make([]bool, d.NObs())
	for i := range third {
		third[i] = i%3 == 0
	}
	test, train := must.M2(d.Split(third))
	filter := must.M1(mlreg.FitNaiveBayes(train, 1, nil))
	logit := must.M1(mlreg.FitLogistic(train, nil))
	for _, f := range []mlreg.Classifier{filter, logit} {
		table, roc := must.M1(mlreg.Confusion(f, test, 0)), must.M1(mlreg.ROC(f, test))
		fmt.Printf("%T: error %.4f, area under the curve %.4f +- %.4f\n", f, table.ErrorRate(), roc.AUC, roc.StdErr)
	}
	for _, w := range must.M1(filter.Informative("spam", 5)) {
		fmt.Printf("%-8s %+.2f\n", w.Term, w.LogOdds)
	}
	// Output:
	// *mlreg.NaiveBayes: error 0.1167, area under the curve 0.9497 +- 0.0052
	// *mlreg.Logistic: error 0.0782, area under the curve 0.9765 +- 0.0031
	// george   -4.13
	// remove   +3.87
	// telnet   -3.57
	// cs       -3.57
	// num857   -3.49
}

// Scores at 16 on scores at 11, both in standard deviations.
func ExampleExam() {
	df := datasets.Exam()
	fmt.Println(must.M1(frames.Info(df)))
	ols := must.M1(mlreg.FitOLS(must.M1(frames.Design(df, "normexam ~ standLRT + sex")), nil))
	fmt.Printf("%s %.3f\n", ols.Names(), ols.Coef())
	// Output:
	// 4059 rows, 10 columns: 3 float, 2 int, 5 string; no missing values
	// [(Intercept) standLRT sexM] [0.067 0.591 -0.170]
}

// Nearly collinear columns: how many digits of the coefficients are certain?
func ExampleLongley() {
	d := must.M1(frames.Design(datasets.Longley(), "Employed ~ ."))
	ols := must.M1(mlreg.FitOLS(d, nil))
	digits, _ := ols.Digits()
	fmt.Printf("condition number %.2g, %d correct digits; intercept %.10f\n", ols.Cond(), digits, ols.Intercept())
	// Output:
	// condition number 4.3e+04, 15 correct digits; intercept -3482.2586345958
}

// One effect for all schools: the mean, weighted by the inverse variances, and
// its standard error.
func ExampleEightSchools() {
	df := datasets.EightSchools()
	d := must.M1(frames.Design(df, "effect ~ 1"))
	for _, se := range must.M1(frames.Floats(df, "se")) {
		d.Weights = append(d.Weights, 1/(se*se))
	}
	pooled := must.M1(mlreg.FitOLS(d, &mlreg.OLSSettings{Sigma2: 1}))
	fmt.Printf("%.1f points, standard error %.1f\n", pooled.Intercept(), pooled.StdErr()[0])
	// Output:
	// 7.7 points, standard error 4.1
}

// Every classifier loses on the new test set, and their order is kept within a benchmark.
func ExampleReplicatedBenchmarks() {
	df := datasets.ReplicatedBenchmarks()
	original, fresh := must.M1(frames.Floats(df, "original")), must.M1(frames.Floats(df, "fresh"))
	for i, model := range df.Col("model").Records() {
		fmt.Printf("%-8s  %-20s  %.1f -> %.1f, %.1f lower\n", df.Col("benchmark").Elem(i), model, original[i], fresh[i], original[i]-fresh[i])
	}
	// Output:
	// CIFAR-10  autoaug_pyramid_net   98.4 -> 95.5, 2.9 lower
	// CIFAR-10  resnet_basic_110      93.5 -> 85.2, 8.3 lower
	// CIFAR-10  random_features_256k  85.6 -> 73.1, 12.5 lower
	// ImageNet  pnasnet_large_tf      82.9 -> 72.2, 10.7 lower
	// ImageNet  resnet152             78.3 -> 67.0, 11.3 lower
	// ImageNet  densenet161           77.1 -> 65.3, 11.8 lower
	// ImageNet  vgg19_bn              74.2 -> 61.9, 12.3 lower
	// ImageNet  alexnet               56.5 -> 44.0, 12.5 lower
	// ImageNet  fv_64k                35.1 -> 24.1, 11.0 lower
}

func ExampleProjection() {
	fmt.Println(datasets.Projection())
	// Output:
	// [3x4] DataFrame
	//
	//     x1       x2       x3        y
	//  0: 2.000000 0.000000 4.000000  6.000000
	//  1: 2.000000 2.000000 0.000000  0.000000
	//  2: 2.000000 4.000000 -4.000000 0.000000
	//     <float>  <float>  <float>   <float>
}

// Days of which some have no measurement of ozone.
func ExampleAirQuality() {
	fmt.Println(frames.Info(datasets.AirQuality()))
	// Output:
	// 153 rows, 5 columns: 1 float, 3 int, 1 string; 44 missing values <nil>
}

func ExampleEngel() {
	d := must.M1(frames.Design(datasets.Engel(), "foodexp ~ income"))
	for _, tau := range []float64{0.1, 0.5, 0.9} {
		fmt.Printf("slope at %v: %.3f\n", tau, must.M1(quantreg.Fit(d, tau, nil)).Slopes()[0])
	}
	// Output:
	// slope at 0.1: 0.402
	// slope at 0.5: 0.560
	// slope at 0.9: 0.686
}

func ExampleStackLoss() {
	d := must.M1(frames.Design(datasets.StackLoss(), "StackLoss ~ ."))
	weights := must.M1(must.M1(rlm.Fit(d, nil)).Weights(d))
	for i, w := range weights {
		if w < 0.1 {
			fmt.Printf("day %d has the weight %.2f\n", i+1, w)
		}
	}
	// Output:
	// day 21 has the weight 0.00
}
