package exercise

import "math"

// The lasso of the prostate data's training rows, standardized. R, x and y standardized and
// centered as there, s <- x; s[, 1] <- x[, 1]/1000:
//
//	coef(glmnet::glmnet(s, y, lambda = 20/(2*67), standardize = FALSE, thresh = 1e-14))
func init() {
	notebook("08",
		exercise{
			asks: "the penalty λ that gives the weights of λ = 20 when every row stands in the data twice",
			want: 40.0, within: 1e-6, because: "it is a multiple of 20",
			wrong: []wrong{
				{20.0, "RSS doubles and the penalty does not: compare the two sums."},
				{10.0, "The other way round: the data weigh twice as much, and the penalty has to keep up."},
			},
			hint: "What does doubling the rows do to RSS, and what to Σ|w|?",
		},
		exercise{
			asks: "the letter of the sentence that the numbers support: a, b or c",
			want: "c",
			wrong: []wrong{
				{"a", "A term that is left out at one λ may enter at a smaller one, and sex does."},
				{"b", "The probability is exact for these patients and this prior. Look at the six subsets."},
			},
			hint: "Answer with a letter, such as \"a\".",
		},
		exercise{
			asks: "the names of the terms that the lasso keeps at λ = 20 when the standardized lcavol is divided by 1,000",
			want: []string{"lweight", "lbph", "svi", "lcp", "pgg45"},
			wrong: []wrong{
				{[]string{"lcavol", "lweight", "lbph", "svi", "pgg45"}, "These are the terms before the change: is the column of x divided?"},
			},
			hint: "Divide the column of lcavol only, and fit at λ = 20.",
		},
		exercise{
			asks: "the weight of an elastic net with one coordinate as a function of c, for a = 2, λ₁ = 3, λ₂ = 1",
			want: func(c float64) float64 { return math.Copysign(math.Max(math.Abs(c)-3, 0), c) / 4 },
			at:   []float64{-10, -3, -1, 0, 2, 3, 5, 11}, within: 1e-9, because: "it is a formula",
			hint: "At |c| of at most λ₁ it is 0; beyond, aw - c ± λ₁ + 2λ₂w = 0.",
		})
	notebook("08b",
		exercise{
			asks: "the lasso's penalty λ under a Laplace prior of rate β = 100/3 and noise of variance 1.2",
			want: 80.0, within: 1e-6, because: "it is a multiple of 40",
			wrong: []wrong{
				{40.0, "This is the penalty at σ² = 0.6; the noise is twice that here."},
				{20.0, "The other way round: noisy data say less, and the prior counts for more."},
			},
			hint: "λ = 2σ²β.",
		},
		exercise{
			asks: "the letter of the sentence that follows: a, b or c",
			want: "b",
			wrong: []wrong{
				{"a", "It keeps just the five true columns."},
				{"c", "On the same rows least squares gives weights near 2."},
			},
			hint: "Answer with a letter, such as \"a\".",
		},
		exercise{
			asks: "the smallest factor t at which x²/4 + t|x - 1| has its minimum at the kink",
			want: 0.5, within: 1e-3, because: "it is a whole number of tenths",
			wrong: []wrong{
				{0.25, "The slope of x²/4 at 1 is 1/2, not 1/4."},
				{1.0, "At t = 1 the slopes go from -0.5 to 1.5: there is room."},
			},
			hint: "Zero has to be one of the slopes between 1/2 - t and 1/2 + t.",
		})
}
