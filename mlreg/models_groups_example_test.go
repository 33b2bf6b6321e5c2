package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// trial returns the yields of three varieties at doses of a fertiliser. The columns
// of the variety are one term, and those of its interaction with the dose.
func trial() (*mlreg.Design, []mlreg.TermGroup) {
	x := mat.NewDense(12, 5, nil)
	y := []float64{4.1, 5.2, 5.9, 7.1, 5.0, 6.2, 6.8, 8.1, 7.2, 8.1, 9.2, 9.9}
	for i := range 12 {
		dose := float64(i % 4)
		x.Set(i, 0, dose)
		if variety := i / 4; variety > 0 {
			x.Set(i, variety, 1)
			x.Set(i, variety+2, dose)
		}
	}
	return must.M1(mlreg.NewDesign(x, y, "dose", "B", "C", "dose:B", "dose:C")), []mlreg.TermGroup{
		{Name: "variety", Terms: []string{"B", "C"}},
		{Name: "dose:variety", Terms: []string{"dose:B", "dose:C"}, Margins: []string{"dose", "variety"}},
	}
}

// The probabilities of terms, of which an interaction needs its margins, and of sets.
func ExampleEnumeration_TermSets() {
	d, groups := trial()
	all := must.M1(mlreg.EnumerateModels(d, mlreg.BICScore{}, &mlreg.EnumerateSettings{
		Groups: groups, Heredity: mlreg.StrongHeredity, Sets: [][]string{{"variety", "dose:variety"}},
	}))
	fmt.Println(all)
	fmt.Println(all.TermSets())
	// Output:
	// Posterior over models of y
	// term           p(in)  MAP  median
	// dose          1.0000  •    •
	// variety       1.0000  •    •
	// dose:variety  0.1181
	// 5 models summed, all of 5 that heredity allows
	// log p(y) = 3.2676, scores certified to 1e-9
	// most probable {dose variety}, probability 0.8819
	// median model {dose variety}, probability 0.8819
	//
	// Sets of terms
	// terms                    p(any in)  p(all in)
	// {variety, dose:variety}     1.0000     0.1181
}

// The same from a sample, for terms too many to sum over their models.
func ExampleModelSample_TermSets() {
	d, groups := trial()
	sample := must.M1(mlreg.SampleModels(d, mlreg.BICScore{}, rand.NewPCG(1, 2), &mlreg.SampleModelsSettings{
		Groups: groups, Heredity: mlreg.WeakHeredity, Sets: [][]string{{"dose:variety"}},
	}))
	set := sample.TermSets()[0]
	fmt.Printf("%.2f\n", set.Any)
	// Output:
	// 0.12
}
