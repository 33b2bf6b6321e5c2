package assess_test

import (
	"errors"
	"fmt"
	"log"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
)

// A holdout with a budget of two: the first query agrees with the training rows and is
// free, the fourth is refused.
func ExampleNewThresholdout() {
	random := rand.New(rand.NewPCG(1, 2))
	rows := func(n int) *mlreg.Design {
		x, y := mat.NewDense(n, 1, nil), make([]float64, n)
		for i := range n {
			x.Set(i, 0, random.Float64())
			y[i] = random.Float64()
		}
		d, err := mlreg.NewDesign(x, y, "x")
		if err != nil {
			log.Fatal(err)
		}
		return d
	}
	train := rows(400)
	holdout, err := assess.NewThresholdout(train, rows(400), 2, rand.NewPCG(3, 4), &assess.ThresholdoutSettings{Threshold: 0.1, Noise: 0.005})
	if err != nil {
		log.Fatal(err)
	}
	mean := func(d *mlreg.Design) ([]float64, error) { return d.Y, nil }
	overfit := func(d *mlreg.Design) ([]float64, error) { // knows the training rows by heart
		right := make([]float64, d.NObs())
		for i := range right {
			if d == train || i%2 == 0 {
				right[i] = 1
			}
		}
		return right, nil
	}
	for _, query := range []func(*mlreg.Design) ([]float64, error){mean, overfit, overfit, mean} {
		answer, err := holdout.Query(query)
		if errors.Is(err, assess.ErrBudgetSpent) {
			fmt.Println("refused")
			continue
		}
		fmt.Printf("%.2f, %d left\n", answer, holdout.Left())
	}
	fmt.Println(holdout.Asked(), holdout.Threshold(), holdout.Noise())
	fmt.Println(holdout)
	// Output:
	// 0.49, 2 left
	// 0.50, 1 left
	// 0.50, 0 left
	// refused
	// 3 0.1 0.005
	// Reusable holdout (Thresholdout)
	// queries                          number
	// asked                                 3
	// answered from the training rows       1
	// answered from the holdout             2
	// left                                  0
	// 400 training rows, 400 in the holdout; threshold 0.1, Laplace noise of scale 0.005
}

func ExampleNewLadder() {
	board, err := assess.NewLadder(0)
	if err != nil {
		log.Fatal(err)
	}
	for _, losses := range [][]float64{
		{1, 1, 0, 0, 1, 0, 1, 0},
		{0, 1, 0, 0, 1, 0, 1, 0}, // one row better: chance
		{0, 0, 0, 0, 0, 0, 1, 0},
	} {
		score, improved, err := board.Submit(losses)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(score, improved)
	}
	fmt.Println(board.Scores(), board.Plain())
	fmt.Println(board)
	// Output:
	// 0.5 true
	// 0.5 false
	// 0.125 true
	// [0.5 0.5 0.125] [0.5 0.375 0.125]
	// Leaderboard: the ladder without parameters
	// after          best score told  least mean loss
	// 3 submissions            0.125            0.125
}
