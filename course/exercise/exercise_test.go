package exercise

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// answers has, by the id of an exercise, the answer computed again from the data, by other
// code than the table's: files nbNN_test.go fill it.
var answers = map[string]func(t *testing.T) any{}

// ids returns the ids of all exercises, in order.
func ids() (all []string) {
	for id := range exercises {
		all = append(all, id)
	}
	slices.Sort(all)
	return all
}

// Every answer is computed twice, and the exercise takes both.
func TestAnswersAreRight(t *testing.T) {
	for _, id := range ids() {
		if answers[id] == nil {
			t.Errorf("%s: no test computes the answer from the data", id)
			continue
		}
		if got := verdict(id, answers[id](t)); got != id+": right" {
			t.Errorf("computed from the data: %s", got)
		}
		if e := exercises[id]; e.judge == nil || e.want != nil {
			if got := verdict(id, e.want); got != id+": right" {
				t.Errorf("the table's own answer: %s", got)
			}
		}
	}
	for id := range answers {
		if _, ok := exercises[id]; !ok {
			t.Errorf("%s: a test computes the answer to an exercise that there is not", id)
		}
	}
}

// An answer that is off is refused, and so is one of another type; wrong answers that are known
// have their own hint.
func TestPerturbedAnswersAreWrong(t *testing.T) {
	for _, id := range ids() {
		e := exercises[id]
		refused := func(answer any) {
			if got := verdict(id, answer); !strings.HasPrefix(got, id+": not yet. ") {
				t.Errorf("%s: %v passes: %s", id, answer, got)
			}
		}
		for _, w := range append(slices.Clone(e.or), e.want) {
			for _, answer := range perturbed(e, w) {
				refused(answer)
			}
		}
		if e.judge != nil && len(e.wrong) == 0 {
			t.Errorf("%s has a judge and no wrong answer to try it", id)
		}
		for _, w := range e.wrong {
			if got := verdict(id, w.answer); got != id+": not yet. "+w.hint {
				t.Errorf("%s: hint of %v: %s", id, w.answer, got)
			}
		}
		for _, answer := range []any{struct{}{}, []any{1}, func() {}, (*int)(nil), []float64{}, []string(nil), math.NaN(), map[string]int{}} {
			refused(answer)
		}
		if e.asks == "" || strings.HasSuffix(e.asks, ".") {
			t.Errorf("%s asks for %q; it ends a sentence without its point", id, e.asks)
		}
		if (e.because == "") != (e.within == 0) {
			t.Errorf("%s: a tolerance has its reason: %g, %q", id, e.within, e.because)
		}
	}
}

func perturbed(e exercise, want any) []any {
	switch w := want.(type) {
	case nil:
		return nil
	case string:
		return []any{w + "x", ""}
	case bool:
		return []any{!w}
	case []string:
		return []any{w[1:], append(slices.Clone(w), "x")}
	case func(float64) float64:
		off := 2*e.within + 1e-9
		return []any{func(x float64) float64 { return w(x) + off }, func(float64) float64 { panic("no") }}
	}
	numbers, ok := numbers(want)
	if !ok {
		return nil
	}
	var all []any
	for i := range numbers {
		for _, sign := range []float64{-1, 1} {
			off := slices.Clone(numbers)
			off[i] += sign * (1.01*e.within + 1e-9*math.Abs(off[i]) + 1e-12)
			if len(off) == 1 {
				all = append(all, off[0])
			} else {
				all = append(all, off)
			}
		}
	}
	return all
}

// The notebooks solve every exercise there is, in a cell with the tag solution whose source
// is hidden, and no other.
func TestNotebooksSolveThem(t *testing.T) {
	paths, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	if paths == nil {
		t.Skip("no notebooks here")
	}
	call := regexp.MustCompile(`exercise\.Check\("([^"]*)"`)
	solved := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var nb struct {
			Cells []struct {
				Type     string `json:"cell_type"`
				Source   []string
				Metadata struct {
					Tags    []string
					Jupyter struct {
						Hidden bool `json:"source_hidden"`
					}
				}
			}
		}
		if err := json.Unmarshal(text, &nb); err != nil {
			t.Fatal(path, err)
		}
		for _, c := range nb.Cells {
			for _, m := range call.FindAllStringSubmatch(strings.Join(c.Source, ""), -1) {
				id := m[1]
				name := filepath.Base(path)
				if _, ok := exercises[id]; !ok || !strings.HasPrefix(name, id[:2]) {
					t.Errorf("%s calls exercise.Check(%q): %s", name, id, unknown(id))
				}
				if !slices.Contains(c.Metadata.Tags, "solution") {
					continue
				}
				if !c.Metadata.Jupyter.Hidden {
					t.Errorf("%s: the solution of %s is not hidden", name, id)
				}
				solved[id] = true
			}
		}
	}
	for _, id := range ids() {
		if !solved[id] {
			t.Errorf("no notebook solves %s", id)
		}
	}
}

// What Check makes of answers of all types, and of slips.
func TestVerdicts(t *testing.T) {
	notebook("98",
		exercise{asks: "a standard deviation", want: 3.0, within: 0.01, because: "x"},
		exercise{asks: "two shares", want: []float64{0.25, 0.5}, within: 0.001, because: "x", hint: "Count."},
		exercise{asks: "the terms", want: []string{"lcavol", "svi"}},
		exercise{asks: "yes or no", want: true},
		exercise{asks: "the square", want: func(x float64) float64 { return x * x }, at: []float64{-2, 3}},
		exercise{asks: "anything", judge: func(a any) string {
			if s, ok := a.(string); ok && s == "it" {
				return ""
			}
			return "Say it."
		}})
	t.Cleanup(func() {
		for _, id := range ids() {
			if strings.HasPrefix(id, "98.") {
				delete(exercises, id)
			}
		}
	})
	for _, c := range []struct {
		id     string
		answer any
		want   string
	}{
		{"98.1", 3.009, "98.1: right"},
		{"98.1", 3, "98.1: right"},
		{"98.1", float32(3), "98.1: right"},
		{"98.1", []float64{3}, "98.1: right"},
		{"98.1", 9.0, "98.1: not yet. This is the square of the answer, as a variance is of a standard deviation."},
		{"98.1", -3, "98.1: not yet. The sign is the other way round."},
		{"98.1", 300, "98.1: not yet. This is 100 times the answer: a percentage where a share is asked."},
		{"98.1", 3.02, "98.1: not yet. Close, but more than 0.01 off: round at the end only, and see which rows and which divisor are meant."},
		{"98.1", 17, "98.1: not yet. It asks for a standard deviation."},
		{"98.1", "3", "98.1: not yet. A number is asked, this is a text. It asks for a standard deviation."},
		{"98.1", math.NaN(), "98.1: not yet. NaN is no number: something was divided by zero, or is missing."},
		{"98.1", nil, "98.1 asks for a standard deviation"},
		{"98.2", []float64{0.25, 0.5}, "98.2: right"},
		{"98.2", []int{25, 50}, "98.2: not yet. This is 100 times the answer: a percentage where a share is asked."},
		{"98.2", []float64{0.5, 0.25}, "98.2: not yet. The right numbers, in another order."},
		{"98.2", 0.25, "98.2: not yet. 2 numbers are asked, these are 1. It asks for two shares."},
		{"98.2", []float64{0.3, 0.6}, "98.2: not yet. Count."},
		{"98.3", []string{"svi", " LCAVOL"}, "98.3: right"},
		{"98.3", []string{"svi"}, "98.3: not yet. 1 of 2 are missing. It asks for the terms."},
		{"98.3", []string{"svi", "lcavol", "age"}, "98.3: not yet. 1 too many. It asks for the terms."},
		{"98.3", "svi", "98.3: not yet. This is a text where a list of texts is asked. It asks for the terms."},
		{"98.4", true, "98.4: right"},
		{"98.4", false, "98.4: not yet. It asks for yes or no."},
		{"98.5", func(x float64) float64 { return x * x }, "98.5: right"},
		{"98.5", func(x float64) float64 { return math.Abs(x) * x }, "98.5: not yet. At -2 the function gives -4. It asks for the square."},
		{"98.5", func(float64) float64 { panic("oh") }, "98.5: not yet. The function panics: oh"},
		{"98.5", (func(float64) float64)(nil), "98.5: not yet. The function panics: runtime error: invalid memory address or nil pointer dereference"},
		{"98.5", 9, "98.5: not yet. A func(float64) float64 is asked, this is a number. It asks for the square."},
		{"98.6", "it", "98.6: right"},
		{"98.6", 1, "98.6: not yet. Say it."},
		{"98.9", 1, `there is no exercise "98.9"; notebook 98 has 98.1, 98.2, 98.3, 98.4, 98.5, 98.6`},
	} {
		if got := verdict(c.id, c.answer); got != c.want {
			t.Errorf("%s of %v:\n got %s\nwant %s", c.id, c.answer, got, c.want)
		}
	}
	if got := verdict("x", 1); !strings.Contains(got, "there are 00.1, ") {
		t.Error(got)
	}
}
