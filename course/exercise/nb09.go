package exercise

// Ridge regression. R, x standardized and centered (svd of the 67 training rows):
//
//	uniroot(function(l) 1 + sum(s^2/(s^2 + l)) - 5, c(0, 1e5))
func init() {
	notebook("09",
		exercise{
			asks:  "the λ that halves the least-squares weight of one standardized predictor with 200 rows",
			want:  200,
			wrong: []wrong{{0.5, "The weight is w0 200/(200 + λ): it is not multiplied by λ."}, {100.0, "200/(200 + 100) is two thirds."}},
			hint:  "Solve 200/(200 + λ) = 1/2.",
		},
		exercise{
			asks: "the smallest penalty λ at which the weights of s1 and s2 have the same sign, on the standardized diabetes data",
			want: 14.2, within: 0.1, because: "one decimal says it",
			wrong: []wrong{{968.4, "There they have the same sign again, for good. Is there no smaller penalty at which they do?"}},
			hint:  "At the λ asked, one of the two weights is zero.",
		},
		exercise{
			asks: "the least expected squared error along a component, as a function of s, for σ = γ = 1",
			want: func(s float64) float64 { return s * s / (s*s + 1) },
			at:   []float64{0.1, 0.5, 1, 2, 10}, within: 1e-9, because: "it is a formula",
			hint: "At λ = σ²/γ² = 1 the weight is d = s²/(s² + 1).",
		})
	notebook("09b",
		exercise{
			asks: "the penalty λ at which ridge regression has five degrees of freedom, the intercept included",
			want: 42.2468, within: 0.05, because: "one decimal says it",
			hint: "The degrees of freedom fall from 9 at λ = 0 to 1.",
		},
		exercise{
			asks: "the λ of this course at which ridge regression is glmnet's at lambda = 0.2",
			want: 11.1782, within: 0.01, because: "two decimals say it",
			wrong: []wrong{{13.4, "This is N times lambda: glmnet divides its penalty by the standard deviation of the response, too."}},
			hint:  "mlreg.FromGlmnet(train, 0.2, 0) returns both penalties; the second is ridge's.",
		},
		exercise{
			asks: "the ratio of the ridge weights of lcavol and of its copy",
			want: 1, within: 1e-6, because: "solvers round",
			wrong: []wrong{{0.0, "The lasso may leave one of them out; the sum of squares is least when both carry the same."}},
			hint:  "For a given sum of two weights, which has the least sum of squares?",
		})
}
