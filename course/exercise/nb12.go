package exercise

// Naive Bayes. Python:
//
//	ham, spam = .9*.01*.98, .1*.5*.3; spam/(spam + ham)
//	ham, spam = .99*.01**2*.98, .01*.5**2*.3; spam/(spam + ham)
func init() {
	const lecture = 0.0015 / (0.0015 + 0.009702)
	notebook("12",
		exercise{
			asks: "the probability of spam for a mail with won and without $, if 10% of the mail is spam",
			want: 0.1 * 0.5 * 0.3 / (0.1*0.5*0.3 + 0.9*0.01*0.98), within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{lecture, "This is that of the lecture's 1%."},
				{0.1 * 0.5 / (0.1*0.5 + 0.9*0.01), "The $ that is not there is evidence as well."},
				{0.1 * 0.5 * 0.7 / (0.1*0.5*0.7 + 0.9*0.01*0.02), "This mail has no $: its factors are 1 - p."},
			},
			hint: "p(x | y) p(y) for both classes, and the part of spam in their sum.",
		},
		exercise{
			asks: "the number of test mails that the filter without the words of the place puts in the wrong class",
			want: 223,
			wrong: []wrong{
				{175, "This is the filter with all words."},
				{78, "These are the good mails put in spam; there are also spam mails let through."},
				{145, "These are the spam mails let through; there are also good mails put in spam."},
			},
			hint: "Fit the training mails without the ten words, smoothing 1, and count both kinds of errors on the test mails.",
		},
		exercise{
			asks: "the probability of spam for a mail with won, its copy and no $, in the lecture's model with the copy",
			want: 0.01 * 0.5 * 0.5 * 0.3 / (0.01*0.5*0.5*0.3 + 0.99*0.01*0.01*0.98), within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{lecture, "This is right, and without the copy: naive Bayes counts won twice."},
				{0.99 * 0.01 * 0.01 * 0.98 / (0.01*0.5*0.5*0.3 + 0.99*0.01*0.01*0.98), "This is the probability that it is not spam."},
			},
			hint: "p(won | y) is a factor twice.",
		},
		exercise{
			asks: "the least probability of spam at which a mail should be put in spam, if a good mail lost costs ten times a spam mail let through",
			want: 10. / 11, within: 0.0005, because: "three decimals say it",
			wrong: []wrong{
				{0.9, "At p = 0.9 putting it in spam costs 10 times 0.1 on average, letting it through 0.9."},
				{1. / 11, "This is the other way round: it would lose many good mails."},
			},
			hint: "Putting it in spam costs 10 (1 - p) on average, letting it through p.",
		},
		exercise{
			asks: "the letter of the right sentence on mails with a predicted probability of 0.99, of which 86% are spam",
			want: "c",
			wrong: []wrong{
				{"a", "Of these mails one in seven is not spam."},
				{"b", "The order may be good all the same: it does not change when all probabilities are pulled toward one half."},
			},
			hint: `The answer is "a", "b" or "c".`,
		})
}
