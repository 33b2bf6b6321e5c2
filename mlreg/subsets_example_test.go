package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/regbook/regbook/mlreg"
	"gonum.org/v1/gonum/mat"
)

// linearDesign simulates 100 rows of eight terms, of which three count.
func linearDesign() *mlreg.Design {
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := mat.NewDense(100, 8, nil), make([]float64, 100)
	for i := range y {
		common := rnd.NormFloat64()
		for j := range 8 {
			x.Set(i, j, common+rnd.NormFloat64())
		}
		y[i] = 1 + x.At(i, 1) + x.At(i, 4) - x.At(i, 6) + rnd.NormFloat64()
	}
	d, err := mlreg.NewDesign(x, y, "a", "b", "c", "d", "e", "f", "g", "h")
	if err != nil {
		panic(err)
	}
	return d
}

func ExampleFitBestSubsets() {
	subsets, err := mlreg.FitBestSubsets(linearDesign(), nil)
	if err != nil {
		panic(err)
	}
	for _, m := range subsets.Models() {
		fmt.Printf("%d  RSS %6.2f  Cp %6.2f  BIC %.2f  %v\n", m.Size(), m.RSS, m.Cp, m.BIC, m.Terms)
	}
	best, err := subsets.BestBy(mlreg.ByBIC)
	if err != nil {
		panic(err)
	}
	fmt.Println("by BIC:", best.Terms, "proven:", subsets.Proven())
	// Output:
	// 0  RSS 639.98  Cp 520.33  BIC 478.62  []
	// 1  RSS 298.85  Cp 192.74  BIC 407.08  [e]
	// 2  RSS 233.70  Cp 131.80  BIC 387.10  [b e]
	// 3  RSS 103.46  Cp   7.96  BIC 310.22  [b e g]
	// 4  RSS  99.66  Cp   6.29  BIC 311.08  [b e g h]
	// 5  RSS  94.42  Cp   3.23  BIC 310.28  [b e f g h]
	// 6  RSS  94.22  Cp   5.03  BIC 314.68  [a b e f g h]
	// 7  RSS  94.19  Cp   7.01  BIC 319.25  [a b d e f g h]
	// 8  RSS  94.19  Cp   9.00  BIC 323.85  [a b c d e f g h]
	// by BIC: [b e g] proven: true
}

func ExampleFitStepwise() {
	walk, err := mlreg.FitStepwise(linearDesign(), &mlreg.StepwiseSettings{Criterion: mlreg.ByBIC})
	if err != nil {
		panic(err)
	}
	for _, step := range walk.Steps() {
		fmt.Printf("%-2s BIC %.2f  %v\n", step.Change.Term, step.Value, step.Model.Terms)
	}
	fmt.Println(walk.Stopped(), "after", walk.Visited(), "models")
	// Output:
	// BIC 478.62  []
	// e  BIC 407.08  [e]
	// b  BIC 387.10  [b e]
	// g  BIC 310.22  [b e g]
	// no change lowers the BIC after 26 models
}

func ExampleFilterTerms() {
	rows, err := mlreg.FilterTerms(linearDesign())
	if err != nil {
		panic(err)
	}
	for _, row := range rows[:3] {
		fmt.Printf("%s  R2 %.3f  loss %.3f\n", row.Term, row.R2, row.Loss)
	}
	// Output:
	// e  R2 0.533  loss 2.989
	// b  R2 0.416  loss 3.735
	// h  R2 0.232  loss 4.915
}

func ExampleFitGreedy() {
	// One input, 60 rows; a dictionary of 500 random cosines.
	rnd := rand.New(rand.NewPCG(3, 4))
	x, y := mat.NewDense(60, 1, nil), make([]float64, 60)
	for i := range y {
		v := 4*rnd.Float64() - 2
		x.Set(i, 0, v)
		y[i] = v*v + 0.1*rnd.NormFloat64()
	}
	dictionary, err := mlreg.NewRandomCosines(1, 500, 1, rnd)
	if err != nil {
		panic(err)
	}
	d, err := mlreg.Expand(dictionary, x, y, "x")
	if err != nil {
		panic(err)
	}
	g, err := mlreg.FitGreedy(d, &mlreg.GreedySettings{TrainError: 0.012})
	if err != nil {
		panic(err)
	}
	for _, step := range g.Steps() {
		fmt.Printf("%-10s training error %.4f\n", step.Term, step.TrainError)
	}
	fmt.Println(g.Stopped())
	// Output:
	// cos(x)355  training error 0.0125
	// cos(x)177  training error 0.0086
	// the training error 0.008553 is not above 0.012
}

func ExampleCrossValidateSizes() {
	d := linearDesign()
	var folds []*mlreg.Moments
	for k := range 10 {
		var rows []int
		for i := k; i < d.NObs(); i += 10 {
			rows = append(rows, i)
		}
		m, err := d.Rows(rows...).Moments()
		if err != nil {
			panic(err)
		}
		folds = append(folds, m)
	}
	rows, err := mlreg.CrossValidateSizes(folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		subsets, err := mlreg.FitBestSubsets(data, nil)
		if err != nil {
			return nil, err
		}
		return subsets.Models(), nil
	})
	if err != nil {
		panic(err)
	}
	for _, row := range rows {
		fmt.Printf("%d  %.3f (%.3f)\n", row.Size, row.CVError, row.StdErr)
	}
	least, oneStdErr := mlreg.BestSize(rows)
	fmt.Println("least:", rows[least].Size, "within one standard error:", rows[oneStdErr].Size)
	// Output:
	// 0  6.533 (1.037)
	// 1  3.109 (0.493)
	// 2  2.545 (0.331)
	// 3  1.104 (0.174)
	// 4  1.125 (0.164)
	// 5  1.063 (0.139)
	// 6  1.116 (0.142)
	// 7  1.134 (0.142)
	// 8  1.141 (0.143)
	// least: 5 within one standard error: 3
}
