package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/internal/bench/ours"
)

// TestMain lets the test program do the work that bench starts itself for.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "run" {
		exit(ours.Main(os.Args[2:], os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == "certify-one" {
		exit(ours.CertifyOne(os.Args[2:], os.Stdout))
	}
	os.Exit(m.Run())
}

// TestShort works all rows, at small sizes and without other programs, which make bench-test
// starts.
func TestShort(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var out, progress bytes.Buffer
	rows := slices.Clone(table)
	for i := range rows {
		rows[i].peers = slices.DeleteFunc(slices.Clone(rows[i].peers), func(p peer) bool { return p.program != "regbook" })
	}
	c := config{short: true, rows: rows, rounds: 1, runs: 1, dir: dir, report: dir + "/bench.md", self: self, alone: true}
	if err := c.run(&out, &progress); err != nil {
		t.Fatalf("%v\n%s", err, progress.String())
	}
	report, err := os.ReadFile(c.report)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(report, out.Bytes()) {
		t.Error("the report is not what was printed")
	}
	for _, p := range ours.CertifiedProblems {
		if !strings.Contains(out.String(), "| "+p.Title+" | ") {
			t.Errorf("no table for %s", p.Title)
		}
	}
	for _, r := range table {
		if !strings.Contains(out.String(), "| "+r.small().name()+" | regbook |") {
			t.Errorf("no table for %s in\n%s", r.small().name(), out.String())
		}
	}
}

func TestFailures(t *testing.T) {
	r := &result{row: table[0]}
	for i, seconds := range []float64{7, 1} {
		r.programs = append(r.programs, &timing{name: fmt.Sprint(i), seconds: []float64{seconds}})
	}
	if got := r.failures(false); len(got) != 1 || !strings.Contains(got[0].Error(), "7.00 times") {
		t.Errorf("7 times as long as the first peer: %v", got)
	}
	if got := r.failures(true); len(got) != 0 {
		t.Errorf("small data: %v", got)
	}
	r.programs[1].differ = math.Inf(1)
	if got := r.failures(true); len(got) != 1 {
		t.Errorf("another answer: %v", got)
	}
	r.programs[1].other = true
	if got := r.failures(true); len(got) != 0 {
		t.Errorf("other work has no answer to compare: %v", got)
	}
}

// A program that takes too long is ended and has a line that says so.
func TestUnfinished(t *testing.T) {
	_, _, err := start([]string{"sleep", "60"}, "", 50*time.Millisecond)
	if !errors.Is(err, errUnfinished) {
		t.Fatal(err)
	}
	r := &result{row: table[0], programs: []*timing{{name: "regbook", seconds: []float64{1}}, {name: "peer", missing: err}}}
	if text := markdown([]*result{r}, config{}); !strings.Contains(text, "| peer | not finished in 0 s |") {
		t.Error(text)
	}
	if got := r.failures(false); len(got) != 0 {
		t.Error(got)
	}
}

func TestDiffer(t *testing.T) {
	fit := []float64{1, 2, .1, .5}
	for _, test := range []struct {
		theirs []float64
		want   float64
	}{
		{fit, 0}, {fit[:2], 0}, {[]float64{1, 3}, 2}, {[]float64{1, 2, .2, .5}, 1},
		{fit[:3], math.Inf(1)}, {[]float64{math.NaN(), 2}, math.Inf(1)},
	} {
		if got := differFits(fit, test.theirs); math.Abs(got-test.want) > 1e-15 && got != test.want {
			t.Errorf("%v differs by %v, want %v", test.theirs, got, test.want)
		}
	}
	for _, test := range []struct {
		theirs []float64
		want   float64
	}{
		{[]float64{4, 3, 0}, 0}, {[]float64{4, 2, 1e-6}, .25}, {[]float64{4, 3, 2e-6}, math.Inf(1)}, {[]float64{4, 3}, math.Inf(1)},
	} {
		if got := differObjectives([]float64{4, 3, 1e-7}, test.theirs); got != test.want {
			t.Errorf("objectives %v differ by %v, want %v", test.theirs, got, test.want)
		}
	}
	if got := differRelative([]float64{1, 2}, []float64{1, 2.5}); got != .25 {
		t.Errorf("relative difference %v, want 0.25", got)
	}
}
