package exercise

import "math"

// Model evidence. The answers are closed forms:
//
//	R> sqrt(1.01*log(101)); beta(10, 4)/0.5^12
//	R> 0.75^9*0.25^3*sqrt(2*pi/(9/0.75^2 + 3/0.25^2))/beta(10, 4)
func init() {
	const cross, uniform, laplace = 2.15899785, 1.43216783, 1.05132593
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
			asks: "Laplace's approximation of ∫ p⁹(1 − p)³ dp divided by the integral",
			want: laplace, within: 0.002, because: "the approximation is 5% off, to a tenth of that",
			wrong: []wrong{
				{laplace - 1, "This is how much it is off; the ratio is asked."},
			},
			hint: "The second derivative of the logarithm at the peak is -(9/p² + 3/(1 − p)²).",
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
