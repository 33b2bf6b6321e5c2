package frames_test

import (
	"fmt"
	"log"

	"github.com/regbook/regbook/frames"
	"gonum.org/v1/gonum/mat"
)

func ExampleFrame() {
	df, err := frames.Frame(
		frames.Col("x", []float64{1.5, 2.5}),
		frames.Col("group", []string{"a", "b"}),
	)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(df)
	// Output:
	// [2x2] DataFrame
	//
	//     x        group
	//  0: 1.500000 a
	//  1: 2.500000 b
	//     <float>  <string>
}

func ExampleFloats() {
	dose, err := frames.Floats(trial(), "dose")
	fmt.Println(dose, err)
	_, err = frames.Floats(trial(), "drug")
	fmt.Println(err)
	// Output:
	// [1 2 3 1 2 3] <nil>
	// frames: column "drug" is text, not numbers: row 1 has "A"
}

func ExampleMatrix() {
	m, err := frames.Matrix(trial(), "y", "dose")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(m.T()))
	// Output:
	// ⎡2  3  5  4  8  7⎤
	// ⎣1  2  3  1  2  3⎦
}

func ExampleMask() {
	mask, err := frames.Mask(trial(), "drug", "A")
	if err != nil {
		log.Fatal(err)
	}
	treated, others, err := frames.Split(trial(), mask)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(mask, treated.Nrow(), others.Nrow())
	// Output: [true true true false false false] 3 3
}

func ExampleSplit() {
	train, test, err := frames.Split(trial(), []bool{true, true, false, true, true, false})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(train.Nrow(), "rows to train on,", test.Nrow(), "to test on")
	// Output: 4 rows to train on, 2 to test on
}

func ExampleWhere() {
	a, err := frames.Where(trial(), "drug", "A")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a.Col("y"))
	// Output: [2.000000 3.000000 5.000000]
}
