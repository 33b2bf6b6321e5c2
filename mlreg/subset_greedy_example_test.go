package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// One input, 60 rows, a dictionary of 500 random cosines: two of them do.
func ExampleFitGreedy() {
	rnd := rand.New(rand.NewPCG(3, 4))
	x, y := mat.NewDense(60, 1, nil), make([]float64, 60)
	for i := range y {
		v := 4*rnd.Float64() - 2
		x.Set(i, 0, v)
		y[i] = v*v + 0.1*rnd.NormFloat64()
	}
	dictionary := must.M1(mlreg.NewRandomCosines(1, 500, 1, rnd))
	d := must.M1(mlreg.Expand(dictionary, x, y, "x"))
	g := must.M1(mlreg.FitGreedy(d, &mlreg.GreedySettings{TrainError: 0.012}))
	for _, step := range g.Steps() {
		fmt.Printf("%-10s training error %.4f\n", step.Term, step.TrainError)
	}
	start, _ := g.StartErrors()
	fmt.Printf("without any %.4f; %v, after %v models\n", start, g.Stopped(), g.Visited())
	fmt.Println("best size without test rows:", g.BestSize())

	at := must.M1(mlreg.ExpandLike(d, mat.NewVecDense(2, []float64{0, 1.5}), nil))
	fmt.Printf("predictions %.2f\n", must.M1(g.Predict(at, g.Size())))
	// Output:
	// cos(x)355  training error 0.0125
	// cos(x)177  training error 0.0086
	// without any 1.6217; the training error 0.008553 is not above 0.012, after 999 models
	// best size without test rows: 2
	// predictions [-0.01 2.33]
}

// When to stop is asked of rows that did not choose.
func ExampleGreedy_Predictors() {
	rnd := rand.New(rand.NewPCG(3, 4))
	x, y := mat.NewDense(60, 1, nil), make([]float64, 60)
	for i := range y {
		v := 4*rnd.Float64() - 2
		x.Set(i, 0, v)
		y[i] = v*v + 0.1*rnd.NormFloat64()
	}
	dictionary := must.M1(mlreg.NewRandomCosines(1, 500, 1, rnd))
	d := must.M1(mlreg.Expand(dictionary, x, y, "x"))
	folds := must.M1(mlreg.KFold(60, 10, rnd))
	cv := must.M1(mlreg.CrossValidate(d, folds, func(train *mlreg.Design) ([]mlreg.Predictor, error) {
		g, err := mlreg.FitGreedy(train, &mlreg.GreedySettings{MaxTerms: 12})
		return g.Predictors(), err
	}, nil))
	fmt.Printf("least error with %d functions, the rule of one standard error takes %d\n", cv.Min()+1, cv.OneSE()+1)
	// Output: least error with 2 functions, the rule of one standard error takes 2
}
