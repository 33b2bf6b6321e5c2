package exercise

import "math"

// Spike and slab. The probabilities are sums over all subsets, in nb06_test.go.
func init() {
	notebook("06",
		exercise{
			asks: "the smallest π₀, to two decimals, at which x9 has an inclusion probability above 1/2",
			want: 0.14, within: 1e-9, because: "it is one of 0.10, 0.11, ...",
			wrong: []wrong{{0.13, "At 0.13 it is still below 1/2."}},
			hint:  "Loop over Pi0 and stop at the first with InclusionProb()[8] > 0.5.",
		},
		exercise{
			asks: "the probability that at least one of svi, lcp, gleason and pgg45 is in the model",
			want: 0.80787201, within: 0.001, because: "three decimals say it",
			wrong: []wrong{
				{0.5784 + 0.2033 + 0.1388 + 0.3234, "A sum of probabilities counts the models with two of them twice; it is more than 1."},
				{1 - (1-0.5783707)*(1-0.2033021)*(1-0.1387630)*(1-0.3233681), "This takes the four for independent; they exclude each other."},
			},
			hint: "Sets: [][]string{{\"svi\", \"lcp\", \"gleason\", \"pgg45\"}}, and Any of TermSets()[0].",
		},
		exercise{
			asks: "the logarithm of p(D|1)/p(D|0) as a function of the slab's variance, for s = 20 and c = 10",
			want: func(v float64) float64 { return 100*v/(2*(1+20*v)) - math.Log(1+20*v)/2 },
			at:   []float64{0, 0.01, 0.2, 1, 100}, within: 1e-9, because: "it is a formula",
			hint: "A slab of variance 0 is no slab: the logarithm is 0 there.",
		},
		exercise{
			asks: "the variance of the slab that makes the evidence of x largest, for s = 20 and c = 10",
			want: 0.2, within: 1e-9, because: "it is a formula",
			wrong: []wrong{
				{0.25, "This is the square of the estimate c/s; part of it is noise, 1/s."},
				{4.0, "This is vs; divide by s."},
			},
			hint: "Set the derivative with respect to u = 1 + vs to zero: u = c²/s.",
		})
	notebook("06b",
		exercise{
			asks: "updates for one model of three predictors, on average, on the tree of forks",
			want: 2, within: 1e-9, because: "it is a whole number",
			wrong: []wrong{
				{4, "This is the limit for many predictors."},
				{16, "This is the number for all eight models together."},
			},
			hint: "4·1 + 2·3 + 1·6 updates for eight models.",
		},
		exercise{
			asks: "the prior probability that at least one of m candidates is in, if all sizes are equally probable, as a function of m",
			want: func(m float64) float64 { return m / (m + 1) },
			at:   []float64{1, 2, 3, 8, 20}, within: 1e-9, because: "it is a formula",
			hint: "One less the integral of (1-π)^m over π from 0 to 1.",
		},
		exercise{
			asks: "the mean number of sweeps until the chain ends a sweep in another model, for h = 10",
			want: 11013.983, within: 0.5, because: "it is a whole number but for its decimals",
			wrong: []wrong{
				{1 + math.Exp(10), "This is 1/ε, for one bit; a sweep draws two."},
			},
			hint: "A sweep ends in the same model if both bits stay, with probability (1 - ε)².",
		})
}
