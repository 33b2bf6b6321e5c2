package exercise

import "math"

// Basis functions and overfitting. R for the first:
//
//	x <- seq(0, 1, len = 48); f <- sin(2*pi*x)
//	sapply(0:11, function(k) mean(resid(lm(f ~ if (k) poly(x, k) else 1))^2) + 0.09*(1 + (k + 1)/48))
func init() {
	notebook("03",
		exercise{
			asks: "the degree with the least expected error on new responses at 48 equally spaced inputs",
			want: 5,
			wrong: []wrong{
				{3, "That is the best degree of twelve points. With more points a weight costs less."},
				{11, "That has the least training error."},
			},
			hint: "ExpectedErrorPath(d, d.Y, curve.Sigma2)[k].New is the error of degree k.",
		},
		exercise{
			asks: "the corrected training errors of both fits, that with 6 weights first: two numbers",
			want: []float64{0.066, 0.0716667}, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{[]float64{0.058, 0.0583333}, "The difference is 2σ²r/n: one part is what the fit took from its own noise, the other its variance."},
				{[]float64{0.034, 0.0183333}, "The training error is too small: the other way."},
			},
			hint: "Add 2σ²r/n.",
		},
		exercise{
			asks: "the function exp(-(x - 0.4)²/(2·0.1²))",
			want: func(x float64) float64 { return math.Exp(-(x - 0.4) * (x - 0.4) / 0.02) },
			at:   []float64{0.4, 0.5, 0.3, 0, 1}, within: 1e-6, because: "a formula is exact but for rounding",
			hint: "The square of the distance is divided by twice the square of the width.",
		},
		exercise{
			asks: "the expected errors on new responses of the cubic and of the line, where the truth is a line: two numbers",
			want: []float64{0.12, 0.105}, within: 0.0005, because: "three decimals say it",
			hint: "Without bias the error is σ²(1 + r/n), with r = 4 and r = 2 weights.",
		},
		exercise{
			asks: "the trace of H for a polynomial of degree 5 with its intercept",
			want: 6.0, within: 1e-6, because: "a sum of leverages is rounded",
			wrong: []wrong{
				{5, "The intercept is a column, too."},
			},
			hint: "The trace of a projection is its rank.",
		})
	notebook("03b",
		exercise{
			asks: "the λ at which half of the weight is left",
			want: 40,
			wrong: []wrong{
				{1, "With variance 1 the sum of squares of the column is not 1."},
				{39, "The variance is taken with the divisor n here."},
			},
			hint: "x'x/(x'x + λ) = 1/2.",
		},
		exercise{
			asks: "the share of the variance of 24 responses that ten columns of chance and an intercept explain on average",
			want: 10.0 / 23, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{10.0 / 24, "The intercept has taken one of the 24 degrees of freedom."},
				{0.4, "That is what was reported."},
			},
			hint: "Ten of 23 degrees of freedom.",
		},
		exercise{
			asks: "the effective number of weights as λ grows without limit",
			want: 1,
			wrong: []wrong{
				{0, "The intercept is free of the penalty."},
				{21, "That is without a penalty."},
			},
			hint: "All weights but the intercept go to zero.",
		})
}
