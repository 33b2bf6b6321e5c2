package frames_test

import (
	"errors"
	"fmt"

	"github.com/regbook/regbook/frames"
)

// An error shows the place in the formula.
func ExampleFormulaError() {
	_, err := frames.ParseFormula("lpsa ~ (lcavol + svi")
	var formula *frames.FormulaError
	fmt.Println(errors.As(err, &formula), errors.Is(err, frames.ErrSyntax))
	fmt.Println(err)
	// Output:
	// true true
	// frames: this parenthesis is not closed before the end of the formula
	//     lpsa ~ (lcavol + svi
	//            ^
}
