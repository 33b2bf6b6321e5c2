package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/randomtable"
)

// Our side of the stored runs agrees with what R gave, within the tolerances stated.
//
// Made by make differential STORE=1 CASES=300 for SEED=1, 2 and 3, with R 4.2.2, glmnet
// 4.1-6, leaps 3.1, BMS 0.3.5, MASS 7.3-58, car 3.1-1 and lmtest 0.9-40.
func TestStoredRuns(t *testing.T) {
	names, err := filepath.Glob("testdata/seed*.json.gz")
	if err != nil || len(names) == 0 {
		t.Fatalf("no stored runs: %v", err)
	}
	for _, name := range names {
		run, err := load(name)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, s := range run {
			t.Run(s.Answer.ID, func(t *testing.T) {
				t.Parallel()
				rerun(t, s)
			})
		}
	}
}

// load reads a stored run.
func load(name string) ([]stored, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	zip, err := gzip.NewReader(file)
	if err != nil {
		return nil, err
	}
	var run []stored
	return run, json.NewDecoder(zip).Decode(&run)
}

// rerun compares one stored case anew.
func rerun(t *testing.T, s stored) {
	seed, number, err := randomtable.ParseCase(s.Answer.ID)
	if err != nil {
		t.Fatal(err)
	}
	c := generate(seed, number)
	if c.checksum() != s.Sum {
		t.Fatalf("the case is another one by now: make differential SEED=%d CASES=300 STORE=1", seed)
	}
	us, err := ours(c)
	tally := newTally()
	compare(tally, c, us, err, s.Answer)
	for _, d := range tally.unexplained {
		if !slices.Contains(s.Open, d.quantity) {
			t.Errorf("%s %s: %s", c.call(), d.quantity, d.text)
		}
	}
	for _, d := range tally.refusals {
		if d.refused == "us" && !slices.Contains(s.Declined, d.quantity) {
			t.Errorf("%s %s is refused: %s", c.call(), d.quantity, d.text)
		}
	}
}

// A stored vector is compared at the values kept of it.
func TestKept(t *testing.T) {
	whole := vector{Numbers: make([]number, 100)}
	for i := range whole.Numbers {
		whole.Numbers[i] = number(i)
	}
	a := (&answer{Values: map[string]vector{"fitted": whole}}).short()
	short := a.Values["fitted"]
	at, length := short.positions()
	if length != 100 || len(at) != most || at[0] != 0 || at[most-1] != 99 {
		t.Fatalf("kept %v of %d", at, length)
	}
	our := value{numbers: make([]float64, 100), scale: []float64{1}}
	for i := range our.numbers {
		our.numbers[i] = float64(i)
	}
	d := &disagreement{ours: our}
	if d.difference(short, 1e-12); d.off != 0 {
		t.Errorf("off by %g: %s", d.off, d.text)
	}
	our.numbers[99] += 1e-6
	if d.difference(short, 1e-12); !(d.off > 1) || !strings.Contains(d.text, "value 100 of 100") {
		t.Errorf("a difference is not seen: %g %s", d.off, d.text)
	}
}
