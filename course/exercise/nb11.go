package exercise

import "math"

// Logistic regression. R:
//
//	coef(glm(svi ~ lcavol + lpsa, binomial, prostate)) * log(2)
//	x <- c(1, 2, 3); s <- log(9) # slope: 2*lambda*s = 2*sum(x*plogis(-s*x))
//	sum(x*plogis(-s*x))/s
//	mean(prostate$svi)
//	2*qnorm(0.95)
func init() {
	const slope = 1.1680184
	notebook("11",
		exercise{
			asks: "the factor by which the odds of invasion grow for twice the volume, the antigen held",
			want: math.Pow(2, slope), within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{math.Exp(slope), "This is the factor of 2.7 times the volume, for which its logarithm grows by one."},
				{2 * math.Exp(slope), "Twice the volume does not double the odds ratio: it adds log(2) to lcavol."},
				{math.Exp(2 * slope), "lcavol does not grow by 2, but by log(2)."},
				{math.Exp(slope * math.Log10(2)), "lcavol is the natural logarithm."},
			},
			hint: "The log odds grow by the slope times what is added to lcavol.",
		},
		exercise{
			asks: "the lambda at which the penalized fit to the six points gives P(Y = 1 | x = 1) = 0.9",
			want: 0.058483, within: 0.0005, because: "three decimals say it",
			hint: "At lambda = 0.1 the probability is below 0.9, and at 0.01 above.",
		},
		exercise{
			asks: "the mean of the fitted probabilities of invasion of the 97 men",
			want: 21. / 97, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{{0.5, "Only if half of the men were invaded."}},
			hint:  "The gradient for the intercept is the sum of p less y.",
		},
		exercise{
			asks: "the letter of the right sentence on an odds ratio of 3.2 with limits 1.2 and 8.9",
			want: "b",
			wrong: []wrong{
				{"a", "The odds are 3.2 times as large; a probability of one half cannot be."},
				{"c", "An odds ratio compares odds at the same PSA, and not numbers of men."},
			},
			hint: `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks:  "the place beyond which a seventh point of class 0 makes the classes overlap",
			want:  1,
			wrong: []wrong{{0.0, "At 0.5 a boundary between 0.5 and 1 still separates them."}, {3.0, "At 1.5 no boundary separates them any more."}},
			hint:  "Where is the first point of class 1?",
		},
		exercise{
			asks: "the distance of the means, in standard deviations, of round clouds with a Bayes accuracy of 95%",
			want: 3.2897073, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{1.6448536, "This is the distance of each mean from the boundary, which lies in the middle."},
				{3.9199280, "Each class has one tail on the wrong side, of 5%, not of 2.5%."},
			},
			hint: "Half the distance, in standard deviations, is where the normal distribution function is the accuracy.",
		},
		exercise{
			asks: "the probabilities of class 1 at (-3, 8), (3, -3) and (1, 5), averaged over the posterior with the prior variance 1",
			want: []float64{0.56068, 0.94146, 0.98999}, within: 0.005, because: "a coarse grid gives two decimals",
			wrong: []wrong{
				{[]float64{0.57242, 0.99918, 0.99991}, "These are those of the prior variance 100."},
			},
			hint: "A weight of the grid counts exp(log-likelihood + log prior); divide by the sum of these.",
		},
		exercise{
			asks: "the probability of class 1 at (2, -6), averaged over the posterior with the prior variance 100",
			want: 0.2687, within: 0.005, because: "a coarse grid gives two decimals",
			wrong: []wrong{
				{0.0662, "This is the plug-in."},
			},
			hint: "Some of the w that separate the classes say class 1 at this place.",
		},
		exercise{
			asks: "the description length of degree 1 less that of degree 2, in bits, with every row of the straight sample ten times",
			want: 0.86813, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{-2.7368, "This is with every row once."},
				{-0.86813, "Subtract the length of degree 2 from that of degree 1."},
				{2.5292, "The price grows, too: half the logarithm of 1,000 rows."},
			},
			hint: "Ten copies multiply the bits of the data by ten, and the number of rows, too.",
		})
}
