package exercise

import "math"

// The lasso of the prostate data's training rows, standardized. R, x and y standardized and
// centered as there:
//
//	l <- lars::lars(x, y, normalize = FALSE); 2*l$lambda[2]
func init() {
	notebook("08",
		exercise{
			asks: "the penalty λ at which the second term enters",
			want: 60.8544, within: 0.01, because: "the table of the knots has more digits",
			wrong: []wrong{
				{117.77, "There the first term enters."},
				{48.1362, "There the third term enters."},
				{30.4272, "This is half of it: the penalty of a loss of RSS/2. Here the loss is RSS."},
			},
			hint: "See the table of the knots.",
		},
		exercise{
			asks: "the penalty λ at which Σ|w| = 1",
			want: 20.2571, within: 0.01, because: "two decimals say it",
			wrong: []wrong{{1.9254, "This is a budget; the penalty is asked."}},
			hint:  "path.Penalty(1) is the inverse of path.Constraint.",
		},
		exercise{
			asks: "the lasso's objective at λ = 20 less the bound D(θ) from the residual of least squares on lcavol",
			want: 24.2712, within: 0.01, because: "two decimals say it",
			hint: "y and the residual are centered, and the residual is multiplied by 20 divided by its largest 2|x'r|.",
		},
		exercise{
			asks: "the weight of an elastic net with one coordinate as a function of c, for a = 2, λ₁ = 3, λ₂ = 1",
			want: func(c float64) float64 { return math.Copysign(math.Max(math.Abs(c)-3, 0), c) / 4 },
			at:   []float64{-10, -3, -1, 0, 2, 3, 5, 11}, within: 1e-9, because: "it is a formula",
			hint: "At |c| of at most λ₁ it is 0; beyond, aw - c ± λ₁ + 2λ₂w = 0.",
		})
}
