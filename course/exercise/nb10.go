package exercise

import "math"

// A case study. nb10_test.go computes the answers from the table of the data, by the normal
// equations and by counting.
func init() {
	notebook("10",
		exercise{
			asks: "the mean squared error on the thirty test men of least squares without man 47",
			want: 0.53861551, within: 0.001, because: "three decimals say it",
			wrong: []wrong{{0.5213, "This is with man 47."}},
			hint:  "Position 47 of the table is position(47) of the training rows; the others are fitted.",
		},
		exercise{
			asks: "the logarithm to base ten of the number of ways to hold out twenty of 67 men",
			want: 16.76315682, within: 0.01, because: "two decimals say it",
			wrong: []wrong{{67 * math.Log10(2), "This is the number of all subsets, of any size."}},
			hint:  "67!/(20! 47!).",
		},
		exercise{
			asks: "ridge regression's weight of lcp at λ = 5, on the standardized training rows",
			want: -0.16052082, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{{-0.2868, "This is the weight at λ = 0."}},
			hint:  "(X'X + 5 I) w = X'y.",
		},
		exercise{
			asks: "the least error of the lasso by ten folds of neighbors in the order of PSA",
			want: 0.79108036, within: 0.002, because: "two decimals say it",
			wrong: []wrong{{0.889427, "This is its root; give the mean squared error."}},
			hint:  "Fold 10*i/67 for position i; then the least of Mean() of FitLassoCV.",
		},
		exercise{
			asks: "the letter of the sentence that follows from an inclusion probability of 0.05",
			want: "b",
			wrong: []wrong{
				{"a", "From all 442 patients its probability is above one half: it is a statement about these patients and this prior."},
				{"c", "The probability is of models given these patients, not of what others will say; six other subsets say anything from little to nearly one."},
			},
			hint: `The answer is "a", "b" or "c".`,
		})
}
