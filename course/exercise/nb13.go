package exercise

import "math"

// R: 1 - (1 - 1/97)^97; choose(9, 5); the answers' tests say how each is computed again.
func init() {
	notebook("13",
		exercise{
			asks:  "the number of mails for half the standard error of an error rate judged on 460 mails",
			want:  1840,
			wrong: []wrong{{920.0, "Twice the mails divide the standard error by the root of two."}},
			hint:  "A standard error is a standard deviation over the root of the number of rows.",
		},
		exercise{
			asks: "the probability that a given one of 97 men is in a resample of 97",
			want: 0.6340, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.3660, "This is the probability that he is not in it."},
				{0.632, "This is the limit for many men, 1 - 1/e; 97 are asked for. Give four decimals."},
			},
			hint: "A draw misses him with probability 1 - 1/97, and the draws are independent.",
		},
		exercise{
			asks: "the letter of the sentence that a difference of 35 with a standard error of 228 supports",
			want: "c",
			wrong: []wrong{
				{"a", "The difference is a sixth of its standard error: with other patients its sign could be the other."},
				{"b", "No difference was shown, and neither was equality: differences of some hundreds agree with these rows as well."},
			},
			hint: `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks: "the factor by which the standard error of the correlation changes when every man is copied once",
			want: math.Sqrt(0.5), within: 0.04, because: "resamples are random",
			wrong: []wrong{
				{math.Sqrt2, "This is the standard error of once over that of twice."},
				{0.5, "Twice the rows divide a standard error by the root of two."},
			},
			hint: "Divide the bootstrap's standard error on 194 rows by that on 97.",
		},
		exercise{
			asks: "the number of different resamples of 5 rows, their order not counted",
			want: 126,
			wrong: []wrong{
				{3125.0, "This counts the orders, too: 5 draws of 5 rows."},
				{120.0, "These are the orders of 5 rows, each drawn once."},
				{252.0, "This is choose(10, 5): one place too many."},
			},
			hint: "A resample is how often each row is drawn: five counts that add up to five. Put five stars and four bars in a row.",
		},
		exercise{
			asks: "the least true accuracy that a test accuracy of 0.60 on 1,000 rows leaves possible if it is the best of 100 submissions, by Hoeffding's inequality and the union bound at 95%",
			want: 0.5384, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.5613, "This is the limit for one submission: the union bound divides 0.05 by 100."},
				{0.5570, "This is for one submission and both sides."},
			},
			hint: "P(test - true > t) is at most exp(-2nt²) for one submission, so 100 exp(-2nt²) = 0.05 for the best of 100.",
		},
		exercise{
			asks:  "the least number of calibration rows for split conformal limits of 90% that are finite",
			want:  9,
			wrong: []wrong{{10.0, "With ten the place is the tenth of ten; one row fewer is enough."}},
			hint:  "Find the least n with 0.9 (n + 1) at most n.",
		},
		exercise{
			asks: "the letter of the sentence that a bound of 0.64 stable unremarkable terms supports",
			want: "b",
			wrong: []wrong{
				{"a", "The bound is a mean over data sets. It says nothing of one term of one data set."},
				{"c", "The bound leaves room for a stable unremarkable term in most data sets: it cannot say that a term is none."},
			},
			hint: `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks: "the percentage of new rows of noise that limits of 90% hold if they are calibrated on the rows of the fit, 100 rows of 50 terms",
			want: 58.4, within: 2.5, because: "worlds are random",
			wrong: []wrong{
				{90.0, "This would be so if the calibration rows had taken no part in the fit; of the rows of the fit the limits hold 91%."},
			},
			hint: "Sort the absolute residuals of the rows of the fit: the one at index 90 is the 91st.",
		})
}
