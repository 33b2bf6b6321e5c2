package exercise

func init() {
	notebook("17",
		exercise{
			asks: "the number of different sums in the moments of 100 predictors and a response: the number of rows, means, and centered products, those of the response among them",
			want: 5253,
			wrong: []wrong{
				{5252.0, "The number of rows is one of them, too."},
				{10303.0, "S is symmetric: each product of two different columns counts once."},
				{5050.0, "These are the products of the predictors alone."},
			},
			hint: "101 columns have 101 means and 101*102/2 products; then there is n.",
		},
		exercise{
			asks: "the number of machines that sum 10^12 rows within an hour, if one sums a million rows a second",
			want: 278,
			wrong: []wrong{
				{277.0, "277 machines take a little more than an hour."},
				{1000000.0, "This is how many seconds one machine takes."},
			},
			hint: "An hour has 3,600 seconds.",
		},
		exercise{
			asks: "the relative error of a sum of squares about the mean if it is computed as the sum of squares less n times the squared mean, each of the two is wrong by one part in 10^16, and the mean is a million standard deviations (add the two errors; one significant digit)",
			want: 2e-4, within: 0.5e-4, because: "one significant digit is asked for",
			wrong: []wrong{
				{2e-16, "This is the error relative to the two sums. What is left of them is 10^12 times smaller."},
			},
			hint: "The two sums are about n mean², and their difference is n times the variance.",
		},
		exercise{
			asks:  "the passes over the rows that a logistic regression by Newton's method makes for gradients and Hessians if it holds no rows, converges in six steps and every step needs both at the point before it",
			want:  6,
			wrong: []wrong{{12.0, "Gradient and Hessian are sums over the same rows: one pass gives both."}, {1.0, "The weights p(1-p) of a step depend on the step before."}},
			hint:  "One pass gives the sums of one point.",
		},
		exercise{
			asks:   "the sum of squares about the mean that merge gives for the blocks {0, 2} and {10, 12} without the term of the distance between their means",
			want:   4.0,
			wrong:  []wrong{{104.0, "This is the right sum, with the term: 2*2/4 * 10² more."}},
			within: 1e-9, because: "the numbers are whole",
			hint: "Each block has the sum of squares 2 about its own mean.",
		},
		exercise{
			asks: "the letter of the sentence that a coefficient of -0.0021 minutes per seat with limits from -0.0068 to 0.0026 supports",
			want: "b",
			wrong: []wrong{
				{"a", "The limits hold zero, and they hold other values as well."},
				{"c", "The limits are narrow: they leave only small effects."},
			},
			hint: `The answer is "a", "b" or "c".`,
		})
}
