package mlreg

import (
	"fmt"

	"github.com/regbook/regbook/internal/format"
)

// Extrapolation says how many rows lie beyond the range of a basis of one input: the
// boundary knots of a BSpline or NaturalSpline, the least and largest training value of a
// Poly. There the polynomials of a BSpline or Poly continue, and may grow fast; a
// NaturalSpline is linear. R's bs warns, and its ns and poly do not.
type Extrapolation struct {
	Term      string  // the term of the formula, such as bs(age, 4)
	Low, High float64 // the range
	Rows      int     // how many have a value below Low or above High
	Farthest  float64 // the value farthest from the range; of two as far, the larger
	Linear    bool    // the basis is linear beyond its range
}

// String returns a sentence.
func (e Extrapolation) String() string {
	number := func(v float64) string { return format.Number(v, format.Digits) }
	beyond := "polynomials continue there, and may grow fast"
	if e.Linear {
		beyond = "it is linear there"
	}
	return fmt.Sprintf("%s: %s beyond its range, %s to %s, as far as %s: %s", format.Line(e.Term), format.Plural(e.Rows, "row"), number(e.Low), number(e.High), number(e.Farthest), beyond)
}

// extrapolationNotes are the sentences.
func extrapolationNotes(all []Extrapolation) []string {
	notes := make([]string, len(all))
	for i, e := range all {
		notes[i] = e.String()
	}
	return notes
}
