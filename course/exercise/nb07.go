package exercise

import "math"

// Subset selection. 07.3 is computed again in nb07_test.go, by least squares on every subset
// of five of ten predictors in every fold.
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
			asks: "the number of models that backward selection from 64 predictors to none fits, the first included",
			want: 2081,
			wrong: []wrong{
				{2080, "And the model with all 64, from which it starts."},
				{4096, "From k predictors there are k ways to leave one out, not 64."},
			},
			hint: "1 + 64 + 63 + ... + 1.",
		},
		exercise{
			asks: "by how many per cent forward selection's cross-validated error at five predictors exceeds that of best subsets",
			want: 3.86267401, within: 0.01, because: "two decimals of a per cent say it",
			hint: "CrossValidateSizes(diabetes, folds, search) for either search, and Mean()[5].",
		},
		exercise{
			asks: "the share R² of the variance of y that a alone explains, as a function of v",
			want: func(v float64) float64 { return 1 / (2 * (v + 1)) },
			at:   []float64{0, 1, 9, 100}, within: 1e-9, because: "it is a formula",
			hint: "At v = 0 the two are independent, and each explains half.",
		})
}
