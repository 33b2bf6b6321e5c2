package live

import (
	"fmt"
	"math"

	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/plotting/lecture"

	"github.com/regbook/regbook/mlreg"
)

func init() { registered = append(registered, Budget) }

// Budget is the penalty as a constraint on two weights of the prostate data, those of lcavol and
// lcp, standardized: the lasso's diamond and ridge regression's disk at the same lambda, and the
// ellipse of equal RSS that touches each.
func Budget() *Explorable {
	return &Explorable{
		ID: "08.budget", Title: "A penalty is a budget", Seed: 1,
		Params: []Param{{
			Name: "lambda", Label: "λ", Min: 1, Max: 110, Step: 1.05, Log: true,
			Frames: []float64{20, 25, 30, 40, 50, 60, 70, 80, 100}, Default: 40,
		}},
		MaxBytes: 600_000,
		draw:     drawBudget,
	}
}

func drawBudget(at Point) *View {
	p := prostatePath()
	two := try.Get(p.train.Select("lcavol", "lcp"))
	lambda := at.Value("lambda")
	lasso := try.Get(mlreg.FitLasso(two, lambda, &mlreg.LassoSettings{Gap: 1e-10}))
	ridge := try.Get(mlreg.FitRidge(two, lambda, nil))
	figure := try.Get(lecture.PenaltyGeometry(two, lambda, lambda))
	for _, panel := range figure.Panels[0] {
		panel.X.Min, panel.X.Max, panel.Y.Min, panel.Y.Max = -0.9, 1.4, -1, 1.3
	}
	l, r := lasso.Slopes(), ridge.Slopes()
	nu, nuRidge := math.Abs(l[0])+math.Abs(l[1]), r[0]*r[0]+r[1]*r[1]
	return &View{
		Figure: figure,
		Numbers: []Number{
			{Name: "lasso's budget", Value: nu, Digits: 3},
			{Name: "lasso's weight of lcp", Value: l[1], Digits: 3},
			{Name: "ridge's budget", Value: nuRidge, Digits: 3},
			{Name: "ridge's weight of lcp", Value: r[1], Digits: 3},
		},
		Sentence: fmt.Sprintf("At λ = %.4g the lasso spends |w₁| + |w₂| = %.3g and gives lcp the weight %.3g; ridge regression spends w₁² + w₂² = %.3g and gives lcp %.3g.",
			lambda, nu, l[1], nuRidge, r[1]),
	}
}
