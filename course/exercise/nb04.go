package exercise

// Bayesian regression. R:
//
//	pnorm(0.4, 0.488591, 0.0759624, lower = FALSE)
//	0.51/(0.5/qnorm(0.975))^2
func init() {
	notebook("04",
		exercise{
			asks: "the number of readings after which the posterior's standard deviation is below 0.1",
			want: 49,
			wrong: []wrong{
				{48, "With 48 readings the precision is 100 and the standard deviation 0.1, which is not below 0.1."},
				{5, "A standard deviation of 0.1 is a variance of 0.01."},
			},
			hint: "The precision after n readings is 4 + n/0.5.",
		},
		exercise{
			asks: "the posterior probability that the slope of the line is above 0.4",
			want: 0.878242912, within: 0.001, because: "three decimals say it",
			wrong: []wrong{
				{0.121757088, "This is the probability that the slope is below 0.4."},
				{0.488591, "This is the posterior mean of the slope."},
			},
			hint: "The posterior is N(0.4886, 0.0760²); its upper tail from 0.4.",
		},
		exercise{
			asks: "the ridge penalty λ = σ²/τ²",
			want: 7.836575994, within: 0.02, because: "1.96 or its decimals may be used",
			wrong: []wrong{
				{2.04, "±0.5 is 1.96 standard deviations of the prior, not one."},
				{0.51 * 1.959964 / 0.5, "λ has the square of τ in it."},
				{0.51 / (0.25 / 1.644854 / 1.644854), "95% between the limits leaves 2.5% on either side."},
			},
			hint: "τ = 0.5/1.96.",
		},
		exercise{
			asks: "the factor n/(n + λ) by which every weight is multiplied",
			want: 67.0 / 77, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{10.0 / 77, "This is the part that is lost."},
			},
			hint: "X'X + λI is a multiple of I here.",
		},
		exercise{
			asks: "the least number of readings of 2.1 at which the posterior mean is above 2, under the prior N(1, 0.001)",
			want: 5001,
			wrong: []wrong{
				{5000, "With 5000 readings the mean is 2, and not above it."},
			},
			hint: "The mean is (1000 + 2·2.1·n)/(1000 + 2n).",
		})
	notebook("04b",
		exercise{
			asks: "the λ at which a third of the estimate is left along an axis with eigenvalue 30",
			want: 60,
			wrong: []wrong{
				{30, "At λ = s² half of the estimate is left."},
				{90, "s² + λ is three times s²; λ is what is added."},
				{15, "This leaves two thirds and takes one third away."},
			},
			hint: "s²/(s² + λ) = 1/3.",
		},
		exercise{
			asks: "the number to which the posterior mean of w₁ goes as the prior of both grows wider",
			want: 1.5, within: 1e-6, because: "the limit is exact",
			wrong: []wrong{
				{1, "This is the mean for τ² = 1."},
				{3, "The measured 3 is the sum of both weights."},
				{0, "A prior that grows wider pulls less toward zero."},
			},
			hint: "Both weights have the same mean; to which number does their sum go?",
		},
		exercise{
			asks: "the letter of the right sentence about the Laplace prior",
			want: "b",
			wrong: []wrong{
				{"a", "The density has no point of positive probability."},
				{"c", "The zeros are those of the mode; the mean averages over a density on both sides of zero."},
			},
			hint: "Which point of the posterior can sit in the kink?",
		})
}
