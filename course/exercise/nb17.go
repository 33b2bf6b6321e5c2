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
			asks: "the slope, in minutes per seat, of the regression of the delay on the seats alone, from the moments of the page's formula (three decimals)",
			want: -0.088, within: 0.0006, because: "three decimals are asked for, rounded or not",
			wrong: []wrong{
				{-0.002, "This is the slope beside the other predictors. The seats alone also stand for what goes with them."},
				{0.088, "The sign: large aircraft are less late."},
			},
			hint: "Divide the product of seats and delay by the product of the seats with themselves.",
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
			asks: "how many times the standard error of wind in the fit to HA's flights is that of the fit to all flights, as a whole number",
			want: 5,
			wrong: []wrong{
				{25.0, "All flights are 25 times as many as HA's. Standard errors go by the root."},
				{1.0, "The slopes are about the same, and their standard errors are not."},
			},
			hint: "Fit both and divide the standard errors of wind: that of HA's flights is the larger.",
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
