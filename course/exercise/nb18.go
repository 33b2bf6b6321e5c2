package exercise

func init() {
	notebook("18",
		exercise{
			asks: "the least diagonal bound that all columns have in common: the largest d for which [[1, r], [r, 1]] - d I has no negative eigenvalue, at r = 0.6",
			want: 0.4, within: 1e-9, because: "it is 1 - r",
			wrong: []wrong{
				{1.6, "This is the larger eigenvalue: with it the other direction becomes negative."},
				{0.6, "This is the correlation. The eigenvalues are 1 + r and 1 - r."},
				{0.64, "This is 1 - r², the part of one column that the other does not explain."},
			},
			hint: "The eigenvectors are the sum and the difference of the two columns.",
		},
		exercise{
			asks: "the width of an interval after four times as many draws, if it is 0.02 wide now and the range of the draws no longer matters",
			want: 0.01, within: 1e-9, because: "widths fall as one over the root of the number of draws",
			wrong: []wrong{
				{0.005, "A quarter takes sixteen times as many draws."},
				{0.02, "The bounds stay, and the draws narrow the interval."},
			},
			hint: "The first term of the empirical Bernstein bound is proportional to 1/√N.",
		},
		exercise{
			asks: "the share of proposals that are accepted if the terms are orthogonal and the noise variance is known",
			want: 1, within: 1e-9, because: "the bound is then the sum",
			wrong: []wrong{
				{0.5, "With G = I, D = G is allowed: nothing is lost in any term."},
				{0.0, "With G = I, D = G is allowed: nothing is lost in any term."},
			},
			hint: "What does D <= G allow if G is diagonal?",
		})
}
