package frames_test

import (
	"fmt"
	"log"

	"github.com/go-gota/gota/dataframe"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/mat"
)

func trial() dataframe.DataFrame {
	df, err := frames.Frame(
		frames.Col("y", []float64{2, 3, 5, 4, 8, 7}),
		frames.Col("dose", []float64{1, 2, 3, 1, 2, 3}),
		frames.Col("drug", []string{"A", "A", "A", "B", "B", "B"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	return df
}

func ExampleDesign() {
	d, err := frames.Design(trial(), "y ~ drug * dose")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n%v\n", d.Names, mat.Formatted(d.X))
	fmt.Println(frames.TermsOf(d))

	_, err = frames.Design(trial(), "y ~ drug + log(doze)")
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

func ExampleDesignLike() {
	train, err := frames.Design(trial(), "y ~ drug + poly(dose, 2)")
	if err != nil {
		log.Fatal(err)
	}
	fit, err := mlreg.FitOLS(train, nil)
	if err != nil {
		log.Fatal(err)
	}
	patients, err := frames.Frame(frames.Col("drug", []string{"B", "A"}), frames.Col("dose", []float64{2.5, 1.5}))
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.DesignLike(train, patients)
	if err != nil {
		log.Fatal(err)
	}
	y, err := fit.Predict(d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", y)

	// A level that training did not have cannot be coded.
	patients, err = frames.Frame(frames.Col("drug", []string{"C"}), frames.Col("dose", []float64{2}))
	if err != nil {
		log.Fatal(err)
	}
	_, err = frames.DesignLike(train, patients)
	fmt.Println(err)
	// Output:
	// [7.5000 3.0000]
	// frames: level "C" of drug in row 1 was not seen in training; the levels are ["A" "B"]
	//     drug
	//     ^^^^
}

func ExampleParseFormula() {
	f, err := frames.ParseFormula("y~poly(dose,2,raw=TRUE)+drug-1")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f)
	d, err := f.Design(trial(), &frames.DesignSettings{NA: frames.NAError})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%q\n", d.Names)

	_, err = frames.ParseFormula("y ~ (dose + drug")
	fmt.Println(err)
	// Output:
	// y ~ poly(dose, 2, raw = TRUE) + drug - 1
	// ["poly(dose, 2, raw = TRUE)1" "poly(dose, 2, raw = TRUE)2" "drugA" "drugB"]
	// frames: this parenthesis is not closed before the end of the formula
	//     y ~ (dose + drug
	//         ^
}

func ExampleTermsOf() {
	table, err := frames.ReadCSV("testdata/prostate.csv", nil)
	if err != nil {
		log.Fatal(err)
	}
	d, err := frames.Design(table.Frame, "lpsa ~ . - train")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(frames.TermsOf(d).Formula)
	// Output: lpsa ~ lcavol + lweight + age + lbph + svi + lcp + gleason + pgg45
}
