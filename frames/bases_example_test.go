package frames_test

import (
	"fmt"
	"log"
	"math"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// Basis functions in a formula: a season of twelve months, a smooth trend, and
// bumps about three given prototypes. What they learnt codes new rows.
func ExampleDesign_bases() {
	var month, y []float64
	for i := range 36 {
		t := float64(i)
		month, y = append(month, t), append(y, t/10+math.Sin(2*math.Pi*t/12))
	}
	df, err := frames.Frame(frames.Col("month", month), frames.Col("y", y))
	if err != nil {
		log.Fatal(err)
	}
	next, err := frames.Frame(frames.Col("month", []float64{36, 39}))
	if err != nil {
		log.Fatal(err)
	}
	for _, formula := range []string{
		"y ~ fourier(month, period = 12) + month",
		"y ~ ns(month, df = 6)",
		"y ~ rbf(month, centers = c(5, 18, 30), width = 6)",
	} {
		d, err := frames.Design(df, formula)
		if err != nil {
			log.Fatal(err)
		}
		fit, err := mlreg.FitOLS(d, nil)
		if err != nil {
			log.Fatal(err)
		}
		like, err := frames.DesignLike(d, next)
		if err != nil {
			log.Fatal(err)
		}
		forecast, err := fit.Predict(like)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: R2 %.3f, forecast %.2f\n", formula, fit.R2(), forecast)
	}
	// Output:
	// y ~ fourier(month, period = 12) + month: R2 1.000, forecast [3.60 4.90]
	// y ~ ns(month, df = 6): R2 0.731, forecast [1.68 0.52]
	// y ~ rbf(month, centers = c(5, 18, 30), width = 6): R2 0.687, forecast [2.23 1.68]
}

// Words as indicators. The vocabulary is what training rows have; the words of
// new rows that are not in it are counted.
func ExampleDesign_words() {
	train, err := frames.Frame(
		frames.Col("open", []float64{9, 3, 8, 2}),
		frames.Col("subject", []string{"Minutes of the meeting", "Win a prize", "Meeting on Monday", "A prize for the winner"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(train, "open ~ words(subject)")
	if err != nil {
		log.Fatal(err)
	}
	rows, err := frames.Frame(frames.Col("subject", []string{"Meeting moved to Friday", "Your prize"}))
	if err != nil {
		log.Fatal(err)
	}
	like, err := frames.DesignLike(d, rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n%v\n", d.Names, like.X.RawMatrix().Data)
	fmt.Println(frames.TermsOf(like))
	// Output:
	// ["words(subject)a" "words(subject)meeting" "words(subject)prize" "words(subject)the"]
	// [0 1 0 0 0 0 1 0]
	// open ~ words(subject)
	// 2 rows of 2, 4 columns
	// words(subject): 4 of 6 words are not in the vocabulary
}
