package frames_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
)

func ExampleGroupedDesign() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (standLRT || school)"))
	fmt.Println(h.Groups.Levels(), h.Varying[0].Terms, h.Varying[0].Shape == mlreg.DiagonalCovariance)
	varying, aboutZero := h.Structure()
	fmt.Println(len(varying), aboutZero)
	_, err := frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school) + (1 | sex)")
	fmt.Println(err)
	// Output:
	// [school] [(Intercept) standLRT] true
	// 1 []
	// frames: the groups school and sex are crossed: neither divides the other, and only groups that nest are fitted; write school/sex if they do
	//     normexam ~ standLRT + (1 | school) + (1 | sex)
	//                                          ^^^^^^^^^
}

// A school that was fitted, and one that is new.
func ExamplePredictGroups() {
	h := must.M1(frames.GroupedDesign(datasets.Exam(), "normexam ~ standLRT + (1 | school)"))
	fit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))
	pupils := must.M1(frames.Frame(frames.Col("standLRT", []float64{1, 1}), frames.Col("school", []int{53, 99})))
	p := must.M1(frames.PredictGroups(fit, pupils, 0.95))
	for i, mean := range p.Mean {
		fmt.Printf("%.3f (%.3f to %.3f) %q\n", mean, p.LowerMean[i], p.UpperMean[i], p.Seen[i])
	}
	// Output:
	// 1.290 (1.120 to 1.460) "school"
	// 0.566 (-0.040 to 1.172) ""
}

// Five throws of a coin whose bias is drawn first.
func ExampleGraph_Sample() {
	g := frames.Graph{
		{Name: "p", Draw: func(r *rand.Rand, _ func(string) float64) float64 { return r.Float64() }},
		{Name: "y", Parents: []string{"p"}, Plates: []string{"throw"}, Observed: true, Draw: func(r *rand.Rand, of func(string) float64) float64 {
			if r.Float64() < of("p") {
				return 1
			}
			return 0
		}},
	}
	fmt.Println(g[1:].Check())
	df := must.M1(g.Sample("y", map[string][]int{"throw": {5}}, rand.NewPCG(1, 2)))
	fmt.Println(df.Names(), df.Nrow(), must.M1(frames.Floats(df, "y")))
	// Output:
	// frames: the parent "p" of node "y" does not stand before it
	// [throw p y] 5 [1 1 1 0 1]
}
