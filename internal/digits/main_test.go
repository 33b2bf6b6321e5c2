package main

import (
	"testing"

	"github.com/regbook/regbook/datasets"
)

func TestWorst(t *testing.T) {
	three, off := 3.0, 3.0003
	for _, c := range []struct {
		got  []*float64
		want []float64
		text string
	}{
		{[]*float64{&three}, []float64{3}, "15.0"},
		{[]*float64{&three, &off}, []float64{3, 3}, "4.0"},
		{[]*float64{&three, nil}, []float64{3, 3}, "0"},
		{[]*float64{&three}, []float64{3, 3}, "0"},
		{[]*float64{&three}, []float64{-1}, "0.0"},
		{nil, []float64{3}, "–"},
	} {
		if got := worst(c.got, c.want); got != c.text {
			t.Errorf("worst(%v, %v) = %q, want %q", c.got, c.want, got, c.text)
		}
	}
}

// The README promises 13 digits for every certified set.
func TestOurs(t *testing.T) {
	var sets []*datasets.Certified
	for _, name := range datasets.NISTNames() {
		set, err := datasets.NIST(name)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	fits, err := ours(sets)
	if err != nil {
		t.Fatal(err)
	}
	for _, set := range sets {
		for what, digits := range map[string]string{
			"coefficients":    worst(fits[set.Name].Coef, set.Coef),
			"standard errors": worst(fits[set.Name].StdErr, set.StdErr),
		} {
			if len(digits) < 4 || digits < "13.0" {
				t.Errorf("%s: %s digits in the %s", set.Name, digits, what)
			}
		}
	}
}
