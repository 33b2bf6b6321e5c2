package main

import (
	"os"
	"path/filepath"
	"testing"
)

// Every stored mutation has its place, and changes it.
func TestStoredMutationsHaveAPlace(t *testing.T) {
	t.Chdir("../..")
	list, err := readStored("internal/mutants/stored.tsv")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 60 {
		t.Errorf("%d are stored", len(list))
	}
	seen := map[string]bool{}
	for _, m := range list {
		if seen[m.String()] || m.old == m.to {
			t.Errorf("%s: twice, or no change", m)
		}
		seen[m.String()] = true
	}
}

// A function's changes are of its operators, constants and indexes, not of its texts.
func TestMutations(t *testing.T) {
	dir := t.TempDir()
	source := `package p

func (t *T[V]) F(a []float64, i int) float64 {
	if i < 2 && a != nil {
		panic(fmt.Sprint(i + 1))
	}
	a[i] += 0.5
	return max(a[0], math.Min(1, 2))
}
`
	for name, text := range map[string]string{"p.go": source, "p_test.go": "package p\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all, err := mutations(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := [][2]string{{"&&", "||"}, {"<", "<="}, {"2", "3"}, {"!=", "=="}, {"+=", "-="}, {"i", "max(0, i-1)"}, {"0.5", "0.55"},
		{"max", "min"}, {"0", "1"}, {"math.Min", "math.Max"}, {"1", "2"}, {"2", "3"}}
	if len(all) != len(want) {
		t.Fatalf("%d mutations, want %d: %v", len(all), len(want), all)
	}
	for i, m := range all {
		if m.old != want[i][0] || m.to != want[i][1] || m.function != "T.F" || source[m.from:m.end] != m.old {
			t.Errorf("%s, want %v", m, want[i])
		}
	}
}
