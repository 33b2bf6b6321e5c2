package frames_test

import (
	"fmt"
	"math"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// R: model.matrix(y ~ drug * dose)[, -1].
func ExampleDesign() {
	df := must.M1(frames.Frame(
		frames.Col("y", []float64{2, 3, 5, 4, 8, 7}),
		frames.Col("dose", []float64{1, 2, 3, 1, 2, 3}),
		frames.Col("drug", []string{"A", "A", "A", "B", "B", "B"}),
	))
	d := must.M1(frames.Design(df, "y ~ drug * dose"))
	fmt.Printf("%q\n%v\n", d.Names, mat.Formatted(d.X))
	fmt.Println(frames.TermsOf(d))

	_, err := frames.Design(df, "y ~ drug + log(doze)")
	fmt.Println(err)
	// Output:
	// ["drugB" "dose" "drugB:dose"]
	// ⎡0  1  0⎤
	// ⎢0  2  0⎥
	// ⎢0  3  0⎥
	// ⎢1  1  1⎥
	// ⎢1  2  2⎥
	// ⎣1  3  3⎦
	// y ~ drug * dose
	// 6 rows of 6, 3 columns
	// drug: reference level "A", then ["B"]
	// frames: no column "doze" in the data; did you mean "dose"?
	//     y ~ drug + log(doze)
	//                    ^^^^
}

// A response that is text is a class.
func ExampleDesign_class() {
	d := must.M1(frames.Design(datasets.Spambase(), "type ~ free + money"))
	fmt.Printf("%q, the first mail is of class %v\n", d.Classes, d.Y[0])
	// Output: ["nonspam" "spam"], the first mail is of class 1
}

// Basis functions in a formula: a season of twelve months, a smooth trend, and
// bumps about three given prototypes. What they learnt codes new rows.
func ExampleDesign_bases() {
	var month, y []float64
	for i := range 36 {
		t := float64(i)
		month, y = append(month, t), append(y, t/10+math.Sin(2*math.Pi*t/12))
	}
	df := must.M1(frames.Frame(frames.Col("month", month), frames.Col("y", y)))
	next := must.M1(frames.Frame(frames.Col("month", []float64{36, 39})))
	for _, formula := range []string{
		"y ~ fourier(month, period = 12) + month",
		"y ~ ns(month, df = 6)",
		"y ~ rbf(month, centers = c(5, 18, 30), width = 6)",
	} {
		d := must.M1(frames.Design(df, formula))
		ols := must.M1(mlreg.FitOLS(d, nil))
		forecast := must.M1(ols.Predict(must.M1(frames.DesignLike(d, next))))
		fmt.Printf("%s: R2 %.3f, forecast %.2f\n", formula, ols.R2(), forecast)
	}
	// Output:
	// y ~ fourier(month, period = 12) + month: R2 1.000, forecast [3.60 4.90]
	// y ~ ns(month, df = 6): R2 0.731, forecast [1.68 0.52]
	// y ~ rbf(month, centers = c(5, 18, 30), width = 6): R2 0.687, forecast [2.23 1.68]
}

// Words as indicators. The vocabulary is what training rows have; the words of
// new rows that are not in it are counted.
func ExampleDesign_words() {
	d := must.M1(frames.Design(must.M1(frames.Frame(
		frames.Col("open", []float64{9, 3, 8, 2}),
		frames.Col("subject", []string{"Minutes of the meeting", "Win a prize", "Meeting on Monday", "A prize for the winner"}),
	)), "open ~ words(subject)"))
	mails := must.M1(frames.Frame(frames.Col("subject", []string{"Meeting moved to Friday", "Your prize"})))
	like := must.M1(frames.DesignLike(d, mails))
	fmt.Printf("%q\n%v\n", d.Names, mat.Formatted(like.X))
	fmt.Println(frames.TermsOf(like))
	// Output:
	// ["words(subject)a" "words(subject)meeting" "words(subject)prize" "words(subject)the"]
	// ⎡0  1  0  0⎤
	// ⎣0  0  1  0⎦
	// open ~ words(subject)
	// 2 rows of 2, 4 columns
	// words(subject): 4 of 6 words are not in the vocabulary
}

// A factor is one term. R: anova(lm(lpsa ~ lcavol + factor(gleason), prostate)).
func ExampleDesign_anova() {
	d := must.M1(frames.Design(datasets.Prostate(), "lpsa ~ lcavol + factor(gleason)"))
	ols := must.M1(mlreg.FitOLS(d, nil))
	for _, r := range must.M1(ols.Anova()) {
		fmt.Printf("%-15s  df %v  sum of squares %.3f\n", r.Term, r.DF, r.SumSq)
	}
	// Output:
	// lcavol           df 1  sum of squares 69.003
	// factor(gleason)  df 3  sum of squares 2.840
	// Residuals        df 92  sum of squares 56.075
}

// R: predict(m, newdata), where the levels, the polynomial and the scaling are
// those of the training rows.
func ExampleDesignLike() {
	train := must.M1(frames.Design(must.M1(frames.Frame(
		frames.Col("y", []float64{2, 3, 5, 4, 8, 7}),
		frames.Col("dose", []float64{1, 2, 3, 1, 2, 3}),
		frames.Col("drug", []string{"A", "A", "A", "B", "B", "B"}),
	)), "y ~ drug + poly(dose, 2)"))
	ols := must.M1(mlreg.FitOLS(train, nil))
	patients := must.M1(frames.Frame(frames.Col("drug", []string{"B", "A"}), frames.Col("dose", []float64{2.5, 1.5})))
	fmt.Printf("%.4f\n", must.M1(ols.Predict(must.M1(frames.DesignLike(train, patients)))))

	// A level that training did not have cannot be coded.
	patients = must.M1(frames.Frame(frames.Col("drug", []string{"C"}), frames.Col("dose", []float64{2})))
	_, err := frames.DesignLike(train, patients)
	fmt.Println(err)
	// Output:
	// [7.5000 3.0000]
	// frames: level "C" of drug in row 1 was not seen in training; the levels are ["A" "B"]
	//     drug
	//     ^^^^
}

// Weights and a policy for missing values. R: lm(y ~ x, weights = w, na.action = na.fail).
func ExampleFormula_Design() {
	df := must.M1(frames.Frame(
		frames.Col("y", []float64{1, 2, 4, 4}),
		frames.Col("x", []float64{1, 2, math.NaN(), 4}),
		frames.Col("w", []float64{1, 1, 1, 2}),
	))
	f := must.M1(frames.ParseFormula("y ~ x"))
	d := must.M1(f.Design(df, &frames.DesignSettings{Weights: "w"}))
	fmt.Println(d.Weights, frames.TermsOf(d).Omitted, "row omitted")

	_, err := f.Design(df, &frames.DesignSettings{NA: frames.NAError})
	fmt.Println(err)
	// Output:
	// [1 1 2] 1 row omitted
	// frames: column "x" is missing in row 3; in all: x 1
}

// Standard errors that allow any dependence within firms: Stata's vce(cluster firm).
func ExampleDesign_clusters() {
	df := must.M1(frames.Frame(
		frames.Col("firm", []string{"a", "a", "b", "b", "c", "c"}),
		frames.Col("x", []float64{1, 2, 3, 4, 5, 6}),
		frames.Col("y", []float64{1, 3, 2, 5, 4, 6}),
	))
	d := must.M1(frames.Design(df, "y ~ .", &frames.DesignSettings{Clusters: "firm"}))
	ols := must.M1(mlreg.FitOLS(d, nil))
	robust := must.M1(ols.Clustered(d, nil))
	fmt.Println(d.Names, d.Clusters, robust.StdErr()[1] != ols.StdErr()[1])
	// Output: [x] [a a b b c c] true
}
