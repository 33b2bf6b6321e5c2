package main

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// stored is R's answer to a case, shortened, and what came of the comparison then.
type stored struct {
	Answer *answer `json:"r"`
	// Sum is a checksum of the case and its tables.
	Sum string `json:"sum"`
	// Open are the quantities that were beyond tolerance and not explained, Declined those
	// that this project refused.
	Open     []string `json:"open,omitempty"`
	Declined []string `json:"declined,omitempty"`
}

// directory is where stored runs are, from the project's root.
const directory = "internal/differential/testdata"

// save keeps R's answers of a run.
func save(seed uint64, cases []*Case, answers map[string]*answer, t *tally) (err error) {
	var run []stored
	for _, c := range cases {
		a := answers[c.ID]
		if a == nil {
			return fmt.Errorf("no answer of R to %s", c.name())
		}
		s := stored{Answer: a.short(), Sum: c.checksum()}
		for _, d := range t.unexplained {
			if d.c == c {
				s.Open = append(s.Open, d.quantity)
			}
		}
		for _, d := range t.refusals {
			if d.c == c && d.refused == "us" {
				s.Declined = append(s.Declined, d.quantity)
			}
		}
		run = append(run, s)
	}
	file, err := os.Create(filepath.Join(directory, "seed"+strconv.FormatUint(seed, 10)+".json.gz"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	zip, err := gzip.NewWriterLevel(file, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(json.NewEncoder(zip).Encode(run), zip.Close())
}

// short returns the answer with at most a few values of each vector.
func (a *answer) short() *answer {
	b := *a
	b.Values = make(map[string]vector)
	for name, v := range a.Values {
		if len(v.Numbers) > most {
			whole := v.Numbers
			v.Length, v.Numbers = len(whole), nil
			for _, i := range kept(len(whole)) {
				v.Numbers = append(v.Numbers, whole[i])
			}
		}
		b.Values[name] = v
	}
	return &b
}

// checksum is one of the case and its tables.
func (c *Case) checksum() string {
	bare := *c
	bare.File, bare.NewFile = "", ""
	description, err := json.Marshal(bare)
	if err != nil {
		panic(err) // numbers and texts
	}
	sum := fnv.New64a()
	for _, part := range slices.Concat([][]byte{description}, [][]byte{c.table.CSV(), c.rows.CSV()}) {
		if _, err := sum.Write(part); err != nil {
			panic(err) // a hash takes everything
		}
	}
	return strconv.FormatUint(sum.Sum64(), 36)
}
