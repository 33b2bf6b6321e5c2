package exercise

import "math"

// Model evidence. The answers are closed forms, but for 05.3, which nb05_test.go computes again:
//
//	R> sqrt(1.01*log(101)); beta(10, 4)/0.5^12
func init() {
	const cross, uniform, wide = 2.15899785, 1.43216783, -5.44503
	notebook("05",
		exercise{
			asks: "the number of standard deviations |z|/σ at which the evidences are equal, for τ² = 100 σ²",
			want: cross, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{cross * cross, "This is z²/σ²; its root is asked."},
				{math.Sqrt(math.Log(101)), "Nearly: z² is divided by 2σ² in one density and by 2(σ² + τ²) in the other; both count."},
			},
			hint: "Set N(z; 0, 1) = N(z; 0, 101) and solve for z.",
		},
		exercise{
			asks: "the evidence of the family of all coins divided by that of the fair coin",
			want: uniform, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{uniform * 220, "The order of the tosses is given: no factor of choose(12, 9), or the same one for both families."},
				{math.Pow(0.75, 9) * math.Pow(0.25, 3) * 4096, "This takes the best coin, of probability 9/12. The evidence averages over all of them."},
			},
			hint: "B(10, 4) against (1/2)¹².",
		},
		exercise{
			asks: "the log evidence of the parabola less that of the line on arriving(0.5, 40, 3), for τ² = 100,000,000",
			want: wide, within: 0.005, because: "two decimals say it",
			wrong: []wrong{
				{3.90232743, "This is the difference for τ² = 1."},
			},
			hint: "family(points, formulas[1], 1e8).LogEvidence() less that of formulas[0].",
		},
		exercise{
			asks: "the factor by which n has to grow for a parameter to cost one bit more",
			want: 4,
			wrong: []wrong{
				{2, "That costs half a bit: the price is half of the logarithm."},
			},
			hint: "½ log₂ c = 1.",
		})
}
