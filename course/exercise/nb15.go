package exercise

// R: 1 + 0.8^2; the last q with 114 - q > q + 1; qnorm(0.975)/sqrt(400); 30*50; 0.5 + 0.5; 1.4/1.45.
func init() {
	notebook("15",
		exercise{
			asks: "the variance of the error of a forecast two steps ahead, of x[t] = 0.8 x[t-1] + noise of variance 1",
			want: 1.64, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{2.0, "The noise of the first step is carried on by 0.8 of its size."},
				{1.8, "Square the 0.8: it is a variance."},
			},
			hint: "Write x[t+2] as what is known plus the two noises that are not.",
		},
		exercise{
			asks: "the letter of the sentence that BIC supports, smaller with the lags 1, 2, 10 and 11 than with two lags or eleven",
			want: "c",
			wrong: []wrong{
				{"a", "The lags 1, 2, 10 and 11 are better than two on all years and on the last 80, so nothing speaks for a change."},
				{"b", "With the lags 1, 2, 10 and 11 alone BIC is smaller on these years, too: those lags are of use."},
			},
			hint: `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks:  "the largest order of an autoregression of the 114 years that FitOLS still fits",
			want:  56,
			wrong: []wrong{{57, "With 57 lags there are 57 rows and, with the intercept, 58 weights."}, {55, "With 56 lags there are 58 rows and 57 weights: one is left over."}, {113, "That leaves a single row, and a weight for every lag."}},
			hint:  "An order of q has 114 - q rows and q + 1 weights.",
		},
		exercise{
			asks: "the limit that the autocorrelation of 400 values of white noise stays within at 95%",
			want: 0.0980, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{{0.0822, "This is the limit on one side, with 1.645."}, {1.96, "This is the limit of a normal variable of variance 1; an autocorrelation has variance 1/n."}},
			hint:  "An autocorrelation of white noise is nearly normal, with variance 1/n.",
		},
		exercise{
			asks:  "the number of columns of a design of 30 channels with the lags 0 to 49 each",
			want:  1500,
			wrong: []wrong{{1470, "From 0 to 49 there are 50 lags."}, {1501, "The intercept is no column of the design."}},
			hint:  "Count the lags of one channel, zero among them.",
		},
		exercise{
			asks:  `the letter of the sentence that follows from Granger's test, p below 0.0001 for the lags of "driver"`,
			want:  "b",
			wrong: []wrong{{"a", "The test knows predictions. A third series may drive both."}, {"c", "A small p speaks against chance, and says nothing of the size of the gain."}},
			hint:  `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks: "the weight of one lag, fitted to 100,000 values of x[t] = 0.5 x[t-1] + u[t] with u[t] = 0.9 u[t-1] + noise",
			want: 1.4 / 1.45, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{0.5, "This is the truth. The fit gives the correlation of neighbors, which the memory of the noise raises."},
				{0.8, "This is the weight with the memory 0.5."},
				{0.9, "This is the memory of the noise."},
			},
			hint: "The weight is the correlation of neighboring values.",
		})
}
