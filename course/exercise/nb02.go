package exercise

// Confidence limits. R, of the prostate data p and x <- (10*(1:n) - 5)/n:
//
//	qnorm(0.995)
//	n such that 2*qnorm(0.975)*2/sqrt(sum((x - mean(x))^2)) <= 0.1
//	1 - 2*pt(-qnorm(0.975), 4)
//	z <- as.data.frame(scale(p[, 1:8])*sqrt(97/96)); m <- lm(p$lpsa ~ ., z); l <- c(0, 1, 0, 0, 0, -1, 0, 0, 0)
//	2*pt(-abs(sum(l*coef(m))/sqrt(t(l) %*% vcov(m) %*% l)), 88)
//	sqrt(3*mean((p$lcavol - mean(p$lcavol))^2))
func init() {
	notebook("02",
		exercise{
			asks: "k, in standard errors, of two-sided limits of 99%, sigma known",
			want: 2.575829304, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{2.326347874, "This is k of one-sided limits of 99%: two sides share the 1%."},
				{1.959963985, "This is k of 95%."},
			},
			hint: "distuv.UnitNormal.Quantile gives k for the probability below it: half of 1% is above.",
		},
		exercise{
			asks: "the least number of rows, evenly spread as above, at which the 95% limits of the slope are at most 0.1 apart, sigma = 2 known",
			want: 738,
			wrong: []wrong{
				{737, "At 737 rows they are 0.10004 apart."},
				{185, "Here one side is 0.1 long; the two limits are 0.2 apart."},
			},
			hint: "The width is 2 · 1.96 · 2/√(sum of squares of x about its mean), and falls as 1/√n: try a number and correct it.",
		},
		exercise{
			asks: "the exact probability that normal 95% limits with sigma estimated hold the slope, with 6 rows",
			want: 0.8784403402, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.95, "This is what they claim."},
				{0.8927, "This has 5 degrees of freedom; two weights were estimated."},
				{0.9022, "This has 6 degrees of freedom; two weights were estimated."},
			},
			hint: "They hold it if |t| is at most 1.96, and t is Student's with 6 - 2 degrees of freedom.",
		},
		exercise{
			asks: "the letter of the right reading: a, b or c",
			want: "b",
			wrong: []wrong{
				{"a", "The slope is a fixed number; what differs from study to study are the limits."},
				{"c", "The interval is centered at one estimate, and not at the truth: fewer of the other estimates are in it."},
			},
			hint: "Ask what is random: the slope, or the limits?",
		},
		exercise{
			asks: "how far from the mean of lcavol the confidence band of the line is twice as wide as at the mean",
			want: 2.030888033, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{3.38089761, "This is the value of lcavol; its distance from the mean is asked."},
				{1.1725337, "There it is √2 as wide: twice the width is four times the square."},
			},
			hint: "1/n + d²/Σ(x - x̄)² is to be four times 1/n.",
		})
	notebook("02b",
		exercise{
			asks: "the p-value of the question whether a standard deviation of lcavol and one of svi count the same",
			want: 0.0256887359, within: 0.00005, because: "four decimals say it",
			wrong: []wrong{
				{0.008386, "This compares lcavol with lweight."},
			},
			hint: "The contrast has 1 at lcavol, -1 at svi and 0 elsewhere; the intercept is first.",
		},
		exercise{
			asks: "the weight of Year in the fit of Employed to the six other columns of Longley's data, without 1962",
			want: 1.585155517, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{1.829151, "That is with all years."},
				{2.583579, "That is without 1951."},
			},
			hint: "without(1962).Coef()[yearTerm]",
		},
		exercise{
			asks: "the HC3 standard error of the slope of lpsa on lcavol",
			want: 0.075519730, within: 0.00005, because: "four decimals say it",
			hint: "fit.Robust(design, mlreg.HC3)",
		})
}
