package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/exported"
)

// What must not matter matters no more than when the runs were stored.
//
// Made by make invariance STORE=1 CASES=2 for SEED=11.
func TestStoredRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("every fit, twenty times")
	}
	names, err := filepath.Glob("testdata/seed*.json")
	if err != nil || len(names) == 0 {
		t.Fatalf("no stored runs: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var run stored
		if err := json.Unmarshal(text, &run); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for number := range run.Sets {
			s := newSet(run.Seed, number+1)
			for i := range estimators {
				e := &estimators[i]
				t.Run(fmt.Sprintf("%s/%s", s.id, e.name), func(t *testing.T) {
					t.Parallel()
					tally := newTally()
					tally.add(s.all(e))
					for _, d := range tally.open {
						if !slices.Contains(run.Open, d.name()) {
							t.Errorf("%s: %s: %s", d.name(), d.quantity, d.short())
						}
					}
				})
			}
		}
	}
}

// Every fit of package mlreg is held to the transformations.
func TestEveryFit(t *testing.T) {
	for _, f := range exported.Functions(t, "../../mlreg") {
		name := f.Name.Name
		if !strings.HasPrefix(name, "Fit") || name == "FitTable" {
			continue
		}
		if !slices.ContainsFunc(estimators, func(e estimator) bool { return e.name == name || strings.HasPrefix(e.name, name+",") }) {
			t.Errorf("%s is not in the table of estimators", name)
		}
	}
}

// A fit that depends on what must not matter is found, in every form of quantity.
func TestFinds(t *testing.T) {
	s := newSet(1, 1)
	broken := func(what string, fit func(in *input) quantities) {
		tally := newTally()
		tally.add(s.all(&estimator{name: "broken", sums: true, blocks: true, affine: true, fit: fit}))
		found := map[string]bool{}
		for _, d := range tally.open {
			found[d.t.name] = true
		}
		if !found[what] {
			t.Errorf("%s: found %v", what, found)
		}
	}
	first := func(in *input) (q quantities) {
		q.add("first row", whole, 0, in.d.Y[0], in.d.X.At(0, 0))
		q.add("first column", byColumn, -1, append([]float64{1}, make([]float64, in.width-1)...)...)
		return q
	}
	broken("rows", first)
	broken("columns", first)
	broken("powers", first)
	broken("repeats", func(in *input) (q quantities) { q.add("n", whole, 0, float64(in.d.NObs())); return q })
	broken("void rows", func(in *input) (q quantities) { q.add("y", whole, 0, slices.Max(in.d.Y)); return q })
	broken("names", func(in *input) (q quantities) {
		q.add("name", whole, 0, float64(len(in.d.Names[0])))
		return q
	})
	broken("sums", func(in *input) (q quantities) {
		_, sums := in.data.(interface{ SumWeights() float64 })
		q.add("form", whole, 0, truth(sums))
		return q
	})
	broken("blocks", func(in *input) (q quantities) {
		_, many := in.blocks.(blocks)
		q.add("form", byRow, 0, truth(many))
		return q
	})
}
