package exercise

// R: -log(exp(-5)); mean(c(2, 3, 5, 8, 1000)) - mean(c(2, 3, 5, 8, 100));
// quantreg::rq(c(1, 2, 4, 7, 11) ~ 1, 0.75); 4/0.5.
func init() {
	notebook("16",
		exercise{
			asks:  "the exponent by which a residual of 5 is less likely than one of 0 under Laplace's density exp(-|r|)/2",
			want:  5,
			wrong: []wrong{{12.5, "This is r^2/2, the Gaussian's."}, {25.0, "This is r^2."}},
			hint:  "The density is exp(-|r|)/2: only the exponent changes.",
		},
		exercise{
			asks: "how much the mean of 2, 3, 5, 8 and 100 changes more than their median if the 100 becomes 1,000",
			want: 180,
			wrong: []wrong{
				{900.0, "This is the change of the row; the mean is of five."},
				{200.0, "This is the mean of a row of 1,000 and zeros: the 100 was there before."},
			},
			hint: "The median stays at 5; the mean changes by a fifth of the change of the row.",
		},
		exercise{
			asks: "the 0.75 quantile of 1, 2, 4, 7 and 11 that has the least loss",
			want: 7,
			wrong: []wrong{
				{4.0, "This is the median, tau = 0.5."},
				{11.0, "Above 7 lies one row, a fifth: less than the quarter that may lie above."},
			},
			hint: "Three quarters of five rows are 3.75: the loss falls until the fourth row, and then rises.",
		},
		exercise{
			asks: "the penalty lambda of ridge regression for noise of variance 4 and the prior N(0, 0.5)",
			want: 8,
			wrong: []wrong{
				{2.0, "This is the product of the two variances."},
				{0.125, "This is upside down: less prior variance means more penalty."},
			},
			hint: "lambda is the variance of the noise over that of the prior.",
		},
		exercise{
			asks: "the letter of the sentence that quantile lines of slopes 0.34 and 0.71 support",
			want: "b",
			wrong: []wrong{
				{"a", "A line is a quantile of different households at each income; it follows none of them."},
				{"c", "The lines have intercepts above zero, so that the share falls as income rises."},
			},
			hint: `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks: "the change of the slope of FitLAD on the households, if the largest expenses for food are multiplied by 100",
			want: 0.0, within: 1e-9, because: "the fit is exact but for rounding",
			wrong: []wrong{{2.42, "This is how far least squares goes."}},
			hint:  "A row above the line pulls with the same force however far above it is.",
		})
}
