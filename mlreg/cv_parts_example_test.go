package mlreg_test

import (
	"fmt"
	"math/rand/v2"

	"github.com/janpfeifer/must"

	"github.com/regbook/regbook/mlreg"
)

// 80% to train, 10% to choose, 10% to test.
func ExampleRandomParts() {
	parts := must.M1(mlreg.RandomParts(97, rand.NewPCG(1, 2), 0.8, 0.1, 0.1))
	fmt.Println(parts)
	// Output:
	// Parts of rows
	// part  rows
	// 0       77
	// 1       10
	// 2       10
}

// Both parts have the rare class in the same proportion.
func ExampleStratifiedParts() {
	classes := []string{"a", "a", "a", "a", "a", "a", "b", "b", "b", "b"}
	parts := must.M1(mlreg.StratifiedParts(classes, rand.NewPCG(1, 2), 0.5, 0.5))
	for k := range parts.Len() {
		var of []string
		for _, i := range parts.Rows(k) {
			of = append(of, classes[i])
		}
		fmt.Println(of)
	}
	// Output:
	// [a a a b b]
	// [a a a b b]
}

// A patient is in one part.
func ExampleGroupedParts() {
	patients := []string{"Ann", "Ann", "Bob", "Bob", "Cid", "Cid", "Dan", "Dan"}
	parts := must.M1(mlreg.GroupedParts(patients, rand.NewPCG(1, 2), 0.75, 0.25))
	fmt.Println(parts.Of)
	// Output:
	// [1 1 0 0 0 0 0 0]
}

// The past trains, the future tests, and the two rows between are in neither part.
func ExampleTimeParts() {
	fmt.Println(must.M1(mlreg.TimeParts(10, 2, 0.7, 0.3)).Of)
	// Output:
	// [0 0 0 0 0 -1 -1 1 1 1]
}
