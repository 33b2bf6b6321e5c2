package exercise

// Hierarchies. R:
//
//	20*.09/(20*.09 + .57)
//	y <- c(28, 8, -3, 7, -1, 1, 18, 12); se <- c(15, 10, 16, 11, 9, 11, 10, 18); b <- weighted.mean(y, 1/(100 + se^2)); b + 100/325*(28 - b)
//	pchisq(2.706, 1, lower.tail = FALSE)/2
func init() {
	notebook("14",
		exercise{
			asks: "the weight of its own mean for a school of 20 pupils, if s² = 0.09 and σ² = 0.57",
			want: 20 * 0.09 / (20*0.09 + 0.57), within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.57 / (20*0.09 + 0.57), "This is what it borrows from the others."},
				{0.09 / (0.09 + 0.57), "This is the weight of a single pupil."},
			},
			hint: "The mean of n pupils has the variance σ²/n around that of the school, which has s² around b*.",
		},
		exercise{
			asks: "the effect of coaching in school A, in points, if the schools differ with a standard deviation of 10 points",
			want: 14.24140382078032, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{28.0, "This is the school's own estimate; its standard error is 15, and it borrows."},
				{8.12647218557157, "This is b*, the effect in a typical school."},
				{13.936184615384617, "This is drawn to b* of schools that do not differ; b* depends on the standard deviation between schools, too."},
			},
			hint: "The weight of its own estimate is 100/(100 + 225), and b* has the weights 1/(100 + se²).",
		},
		exercise{
			asks: "p for a variance of zero, if leaving it out raises the criterion by 2.706 and it has no covariances",
			want: 0.05, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.1, "This is that of a parameter inside its range; a variance has half of the null distribution at zero."},
			},
			hint: "The null distribution is half a point at zero, and half χ² with 1 degree of freedom.",
		},
		exercise{
			asks: "the letter of the sentence that follows from limits of 32 schools that leave b* out",
			want: "b",
			wrong: []wrong{
				{"a", "Schools also differ in whom they take, and in what the intake does not measure."},
				{"c", "Limits that hold b* hold other values as well."},
			},
			hint: `The answer is "a", "b" or "c".`,
		},
		exercise{
			asks: "by how much the intercept of school 48 moves if both of its pupils get 10 standard deviations too much, and only intercepts vary",
			want: 2.4906, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{10.0, "This is by how much the school's own mean moves; partial pooling gives it a weight below one."},
				{9.704, "This is school 14, with 198 pupils."},
				{0.0, "Two pupils have some weight, if a small one."},
			},
			hint: "10 times the weight of the school's own mean.",
		})
}
