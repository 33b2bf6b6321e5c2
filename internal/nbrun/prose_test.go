package main

import (
	"fmt"
	"strings"
	"testing"
)

// What counts as a number, and its value; half a unit of the last digit in brackets.
func TestNumerals(t *testing.T) {
	for text, want := range map[string]string{
		// digits
		"a slope of 0.52 here":       "0.52[0.005]",
		"It is 7.":                   "7[0.5]",
		"a probability of .0653":     "0.0653[5e-05]",
		"20,000 draws, 1,024 models": "20000[0.5] 1024[0.5]",
		"20\u2009000, 3\u00a0000":    "20000[0.5] 3000[0.5]",
		"of 1,2 or 3":                "1[0.5] 2[0.5] 3[0.5]",
		"by −2.011 or -3 or +4":      "-2.011[0.0005] -3[0.5] 4[0.5]",
		"45 % or 12.5% or (8%)":      "45[0.5] 12.5[0.05] 8[0.5]",
		"10–15 and 93-96, 0.1-0.4":   "10[0.5] 15[0.5] 93[0.5] 96[0.5] 0.1[0.05] 0.4[0.05]",
		"1.5e-9, 3·10⁻⁸, 2.0 × 10^6": "1.5e-09[5e-11] 3e-08[5e-09] 2e+06[50000]",
		"10⁷ steps, 2¹⁰ models":      "1e+07[0] 1024[0]",
		"2/3 of it, ½, 2½":           "0.66667[0] 0.5[0] 2.5[0]",
		"1.5 million, 20 thousand":   "1.5e+06[50000] 20000[500]",
		"n=100, p = 3":               "100[0.5] 3[0.5]",
		"10-fold, 10x, 5 ms, 300ms":  "10[0.5] 10[0.5] 5[0.5] 300[0.5]",
		"**3** and _4_ and (5)":      "3[0.5] 4[0.5] 5[0.5]",
		"0 or 1":                     "0[0.5] 1[0.5]",
		// words
		"Two of twelve, and twenty-one":             "2[0] 12[0] 21[0]",
		"a hundred, one hundred and fifty":          "100[0] 150[0]",
		"two hundred, ten thousand, a million":      "200[0] 10000[0] 1e+06[0]",
		"two thousand three hundred":                "2300[0]",
		"half of them, twice the width, a dozen":    "0.5[0] 2[0] 12[0]",
		"a third of it, two thirds, three quarters": "0.33333[0] 0.66667[0] 0.75[0]",
		"a tenth as wide; a fifth; a millionth of":  "0.1[0] 0.2[0] 1e-06[0]",
		"tenfold, twofold, five-fold":               "10[0] 2[0] 5[0]",
		"two and a half bits":                       "2.5[0]",
		"two or three, five to ten":                 "2[0] 3[0] 5[0] 10[0]",
		"one half, one third":                       "0.5[0] 0.33333[0]",
		"two\nthirds":                               "0.66667[0]",
		"one of us, zero":                           "1?[0] 0?[0]",
		// formulas
		`$\sigma^2=25$`:                              "25[0.5]",
		`$\theta \approx -2.50$, $p<0.05$`:           "-2.5[0.005] 0.05[0.005]",
		`$n = 10, 100, 1000$ and $k=1,\dots,8$`:      "10[0.5] 100[0.5] 1000[0.5] 8[0.5]",
		`$w=(2, -3)$`:                                "2[0.5] -3[0.5]",
		`$-2.011$ here`:                              "-2.011[0.0005]",
		`$\lambda=10^{-3}$, $2^{10}=1024$`:           "0.001[0] 1024[0.5]",
		`$\pi_0=\tfrac12$, $q = 1/4$`:                "0.5[0] 0.25[0]",
		`$n=20{,}000$`:                               "20000[0.5]",
		`$$\tau^2 = 4,\qquad \sigma^2 = 0.25.$$`:     "4[0.5] 0.25[0.005]",
		`$5\%$ and $\alpha=5\%$`:                     "5[0.5] 5[0.5]",
		`$x=1$, $\theta=0$ but $p = 1.0$`:            "1[0.05]",
		`$x^2/2$, $y=2x$, $f=10+x$, $c = 2\pi$`:      "",
		`$\sum_{i=1}^{100} x_i$, $a=2\,\sigma$`:      "",
		`$-\tfrac12$BIC, $\frac{d}{2}\log n$`:        "",
		`$N(0, 25)$, $x_1$, $\phi_2=(1,x,x^2)$`:      "",
		`$Z \approx p^*\sqrt{2\pi/c}$, $X^\top r=0$`: "",
		// none
		"`x := 3` and ``a `4` b``":                    "",
		"```\n5 = 6\n```\n":                           "",
		"[notebook 03](03_basis.ipynb), ![7](8.png)":  "",
		"<details open=\"1\"><summary>x</summary>":    "",
		"# 05. Evidence":                              "",
		"### 3.1 The method [24, 26-29]":              "",
		"**05.2** *Change this.*":                     "",
		"1. first\n2. then":                           "",
		"the first, a second time, the third, 10th":   "",
		"x1, R2, L1, 2n, n/2, 1/n, √2, H₀, a_1, x^2":  "",
		"version 1.26.3, top-5, C2":                   "",
		"two-sided, one-dimensional, 2-D, two-way":    "",
		"rows 36, 37 and 40-42, fig. 7.12, page 63":   "",
		"notebook 03, Table 3.3, p. 5, equation 2":    "",
		"hundreds of points, 0/1 loss, both, pair":    "",
		"someone, often, weight, tone, a third party": "",
		"between 0 and 1, of mean 0 and variance 1":   "0?[0.5] 1?[0.5] 0?[0.5] 1?[0.5]",
		"mean 0.5, variance 10, variance 1.":          "0.5[0.05] 10[0.5] 1?[0.5]",
		"of class 0, classes 0 and 1":                 "",
		"half-width, leave-two-out":                   "",
		"<!-- 5 --> https://a.b/3":                    "",
	} {
		found, _, _ := numerals(text)
		var got []string
		for _, n := range found {
			soft := ""
			if n.soft {
				soft = "?"
			}
			got = append(got, fmt.Sprintf("%.5g%s[%.5g]", n.value, soft, n.half))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Rounding to the digits written; half-way cases go either way; words are exact.
func TestNumeralIs(t *testing.T) {
	for _, c := range []struct {
		text  string
		value float64
		want  bool
	}{
		{"0.52", 0.5249, true}, {"0.52", 0.5251, false}, {"0.52", 0.5151, true}, {"0.52", 0.5149, false},
		{"0.12", 0.125, true}, {"0.13", 0.125, true}, {"0.13", -0.125, false},
		{"8", 8, true}, {"8", 8.4, true}, {"8", 8.6, false}, {"8", 9, false},
		{"eight", 8, true}, {"eight", 8.1, false}, {"half", 0.5, true}, {"half", 0.501, false},
		{"a third of", 1. / 3, true}, {"a third of", 0.33, false}, {"2/3", 0.66666667, true},
		{"1.5 million", 1.46e6, true}, {"1.5 million", 1.44e6, false},
		{"3·10⁻⁸", 2.6e-8, true}, {"3·10⁻⁸", 2.4e-8, false}, {"−2.0", -2.04, true}, {"−2.0", 2, false},
		{"20,000", 20000, true}, {"20,000", 19999, false}, {"0", 0.4, true}, {"0.0", 0.4, false},
	} {
		found, _, _ := numerals(c.text)
		if len(found) != 1 {
			t.Fatalf("%q has %d numbers", c.text, len(found))
		}
		if got := found[0].is(c.value); got != c.want {
			t.Errorf("%q is %g: %t, want %t", c.text, c.value, got, c.want)
		}
	}
}
