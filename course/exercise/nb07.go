package exercise

import "math"

// Subset selection. 07.2 and 07.3 are computed again in nb07_test.go.
func init() {
	notebook("07",
		exercise{
			asks: "the probability that the smallest of twenty independent p-values is below 0.05 where nothing is to be found",
			want: 1 - math.Pow(0.95, 20), within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{1.0, "20 × 0.05 counts the cases with several small p-values several times."},
				{math.Pow(0.95, 20), "This is the probability that none is below 0.05."},
				{0.05, "This is the probability for a predictor fixed before."},
			},
			hint: "Start from the probability that all twenty exceed 0.05.",
		},
		exercise{
			asks: "the letter of the sentence that the test men support: a, b or c",
			want: "b",
			wrong: []wrong{
				{"a", "The difference is smaller than its standard error."},
				{"c", "That no difference is seen does not show that there is none."},
			},
			hint: "Answer with a letter, such as \"a\".",
		},
		exercise{
			asks: "the number of predictors that forward selection by AIC takes where the response is noise",
			want: 4,
			wrong: []wrong{
				{0, "None of them matters, but AIC does not know it: run it."},
				{20, "It stops where no predictor lowers AIC."},
			},
			hint: "Final().Size() of FitStepwise(d, nil); draw the design first, then the response, from one source.",
		},
		exercise{
			asks: "the share R² of the variance of y that a alone explains, as a function of v",
			want: func(v float64) float64 { return 1 / (2 * (v + 1)) },
			at:   []float64{0, 1, 9, 100}, within: 1e-9, because: "it is a formula",
			hint: "At v = 0 the two are independent, and each explains half.",
		})
}
