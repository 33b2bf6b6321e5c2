package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// stored is what was open of some sets.
type stored struct {
	Seed uint64   `json:"seed"`
	Sets uint64   `json:"sets"`
	Open []string `json:"open"`
}

// directory is where stored runs are, from the project's root.
const directory = "internal/invariance/testdata"

// name says what is open.
func (d *disagreement) name() string { return fmt.Sprintf("%s: %s, %s", d.set, d.e.name, d.t.name) }

// save keeps what is open in a run.
func save(seed, sets uint64, t *tally) error {
	s := stored{Seed: seed, Sets: sets, Open: []string{}}
	for _, d := range t.open {
		s.Open = append(s.Open, d.name())
	}
	slices.Sort(s.Open)
	s.Open = slices.Compact(s.Open)
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(directory, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(directory, fmt.Sprintf("seed%d.json", seed)), append(text, '\n'), 0o666)
}
