package exercise

// R: 30*50; 1 + 0.8^2; qnorm(0.975)/sqrt(400); sqrt(0.9).
func init() {
	notebook("15",
		exercise{
			asks:  "the number of columns of a design of 30 channels with the lags 0 to 49 each",
			want:  1500,
			wrong: []wrong{{1470.0, "From 0 to 49 there are 50 lags."}, {1501.0, "The intercept is no column of the design."}},
			hint:  "Count the lags of one channel, zero among them.",
		},
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
			asks: "the limit that the autocorrelation of 400 values of white noise stays within at 95%",
			want: 0.0980, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{{0.0822, "This is the limit on one side, with 1.645."}, {1.96, "This is the limit of a normal variable of variance 1; an autocorrelation has variance 1/n."}},
			hint:  "An autocorrelation of white noise is nearly normal, with variance 1/n.",
		})
}
