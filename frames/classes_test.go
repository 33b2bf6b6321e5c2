package frames

import (
	"slices"
	"testing"
)

// A response of text or truth values is coded by its levels, and new rows as
// the training rows were.
func TestResponseOfClasses(t *testing.T) {
	df := frame(t, Col("x", []float64{1, 2, 4, 3}), Col("type", []string{"spam", "ham", "spam", "eggs"}),
		Col("bought", []bool{true, true, false, true}), Col("digit", []int{7, 3, 3, 11}))
	for _, c := range []struct {
		formula string
		y       []float64
		classes []string
	}{
		{"type ~ x", []float64{2, 1, 2, 0}, []string{"eggs", "ham", "spam"}},
		{`factor(type, ref = "spam") ~ x`, []float64{0, 2, 0, 1}, []string{"spam", "eggs", "ham"}},
		{"bought ~ x", []float64{1, 1, 0, 1}, []string{"FALSE", "TRUE"}},
		{"factor(bought, ref = TRUE) ~ x", []float64{0, 0, 1, 0}, []string{"TRUE", "FALSE"}},
		{"factor(digit) ~ x", []float64{1, 0, 0, 2}, []string{"3", "7", "11"}},
		{"digit ~ x", []float64{7, 3, 3, 11}, nil},
	} {
		d, err := Design(df, c.formula)
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		if !slices.Equal(d.Y, c.y) || !slices.Equal(d.Classes, c.classes) {
			t.Errorf("%s: %v of %q, want %v of %q", c.formula, d.Y, d.Classes, c.y, c.classes)
		}
		like, err := DesignLike(d, df.Subset([]int{3, 1}))
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		sameDesign(t, c.formula, d.Rows(3, 1), like)
		if !slices.Equal(like.Classes, c.classes) {
			t.Errorf("%s: new rows have the classes %q", c.formula, like.Classes)
		}
	}

	d := get(Design(df, "type ~ x"))(t)
	if got := TermsOf(d).String(); got != "type ~ x\n4 rows of 4, 1 columns\ntype: classes [\"eggs\" \"ham\" \"spam\"], coded from 0" {
		t.Errorf("terms are written %q", got)
	}
	_, err := DesignLike(d, frame(t, Col("x", []float64{1, 1}), Col("type", []string{"ham", "bacon"})))
	wantError(t, err, ErrLevel, `level "bacon" of type in row 2`)
	_, err = Design(df.Subset([]int{0, 2}), "type ~ x")
	wantError(t, err, ErrLevel, `the response type has one class only, "spam"`)
	slip := frame(t, Col("x", []float64{1, 2, 4}), Col("y", []string{"1.5", "2.5", "oops"}))
	_, err = Design(slip, "y ~ x")
	wantError(t, err, ErrNotNumeric, `row 3 has "oops"`)
	_, err = Design(df, "factor(x + 1) ~ x")
	wantError(t, err, ErrResponse)
	_, err = Design(df, "log(type) ~ x")
	wantError(t, err, ErrNotNumeric, `row 1 has "spam"`)
}
