package plates_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/course/plates"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/plotting"
)

// drawn shows a model and names the columns of a sample from it.
func drawn(model frames.Graph, node string) {
	plotting.Show(plotting.Plate(model))
	sizes := map[string][]int{"row": {20}, "term": {2}, "mail": {20}, "word": {2}}
	fmt.Println(must.M1(model.Sample(node, sizes, rand.NewPCG(1, 2))).Names())
}

func ExampleRegression() {
	drawn(plates.Regression(0.5, 0.04), "y")
	// Output:
	// Figure: directed model of 5 nodes, observed x, y
	// [row τ w1 w2 x1 x2 σ y]
}

func ExampleRidge() {
	drawn(plates.Ridge(10, 0.5), "y")
	// Output:
	// Figure: directed model of 5 nodes, observed x, y
	// [row λ σ w1 w2 x1 x2 y]
}

func ExampleEvidence() {
	drawn(plates.Evidence(0.5), "y")
	// Output:
	// Figure: directed model of 5 nodes, observed x, y
	// [row τ w1 w2 x1 x2 σ y]
}

func ExampleSpikeAndSlab() {
	drawn(plates.SpikeAndSlab(0.1, 100, 1), "y")
	// Output:
	// Figure: directed model of 7 nodes, observed x, y
	// [row π₀ σw γ1 γ2 w1 w2 x1 x2 σ y]
}

func ExampleLogisticRegression() {
	drawn(plates.LogisticRegression(1), "y")
	// Output:
	// Figure: directed model of 4 nodes, observed x, y
	// [row τ w1 w2 x1 x2 y]
}

func ExampleNaiveBayes() {
	drawn(plates.NaiveBayes(0.4, 1), "x")
	// Output:
	// Figure: directed model of 6 nodes, observed y, x
	// [mail word π a y p0 p1 x]
}
