package main

import (
	"bytes"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Each literal of a small notebook, and who notices that it changes: a check, a number
// bound in the text, an exercise, a cell that fails, nobody.
func TestMutate(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	c := &course{root: root, notebooks: t.TempDir(), build: t.TempDir(), jobs: 2, out: &out}
	if err := c.mutate(t.Context(), []string{filepath.Join("testdata", "mutants.ipynb")}, 100, 1); err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(out.String(), "== noticed by nothing\n")
	for _, want := range []string{
		`2    -> 3     ledger: "1 spread"`,
		`5    -> 6     ledger: "1 spread"`,
		`0.5  -> 0.55  text: wrong: 0.50 is written, share is 0.55 (cell 3)`,
		`0    -> 1     cell fails: 4, runtime error: index out of range`,
		`31   -> 32    exercise: 00.1`,
		`7    -> 8     survived (printed text changes)`,
	} {
		if words := strings.Join(strings.Fields(want), " "); !strings.Contains(strings.Join(strings.Fields(out.String()), " "), words) {
			t.Errorf("no %q in\n%s", words, out.String())
		}
	}
	const summary = "seed 1: of 6 mutations 1 are noticed by nothing (1 change what is printed, 0 not even that); noticed: cell fails 1, exercise 1, ledger 2, text 1"
	if strings.Count(table, "survived") != 1 || !strings.Contains(table, summary) {
		t.Errorf("%s\nwant one that survived, and %q", table, summary)
	}
}

// A program has the declarations that its cells need, and the packages of those.
func TestCompose(t *testing.T) {
	code := func(source string) *cell { return &cell{Type: "code", Source: text(source)} }
	p, err := newProgram(&notebook{Cells: []*cell{
		code("!ls\nimport m \"math\"\nvar a, b = two()\nvar (\n\tc = 1 // %x\n\td = m.Pi\n)\nconst (\n\te = iota\n\tf\n)\n"),
		{Type: "markdown"},
		code("type T struct{ x int }\nfunc (t *T) M() int { return t.x + f }\nfunc two() (int, int) { return 1, 2 }\n%%\nstrings := T{}\nstrings.M()"),
		code("%%\nsort.Ints([]int{a})\n!echo\n"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.addImports(filepath.Join("..", "..")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		cells       []int
		has, hasNot []string
	}{
		{[]int{2}, []string{"type T", "M() int", "const (", "cell2()"}, []string{"var a", "c = 1", "d = m", `"sort"`, `"strings"`, `m "math"`, "cell3"}},
		{[]int{3}, []string{"var a, b = two()", "func two", `"sort"`, "runCell(3, cell3)"}, []string{"echo", "type T", "c = 1", "cell2"}},
	} {
		source := p.compose(c.cells...)
		for _, want := range c.has {
			if !strings.Contains(source, want) {
				t.Errorf("cells %v: no %q in\n%s", c.cells, want, source)
			}
		}
		for _, not := range c.hasNot {
			if strings.Contains(source, not) {
				t.Errorf("cells %v: %q in\n%s", c.cells, not, source)
			}
		}
	}
	if got := p.affected(p.decls["two"][0]); !reflect.DeepEqual(got, []int{3}) {
		t.Errorf("two() reaches cells %v", got)
	}
}

func TestChanged(t *testing.T) {
	for literal, want := range map[string]string{"7": "8", "0": "1", "0x10": "17", "0.5": "0.55", "0.0": "0.1", "1e-6": "1.1e-06",
		`"y ~ x + I(x^2)"`: `"y ~ x"`, `"y ~ x + z"`: `"y ~ x"`, `"y ~ x"`: "", `"lcavol"`: ""} {
		kind := token.INT
		if strings.ContainsAny(literal, `"`) {
			kind = token.STRING
		} else if strings.ContainsAny(literal, ".") || strings.Contains(literal, "e-") {
			kind = token.FLOAT
		}
		if got := changed(kind, literal); got != want {
			t.Errorf("%s: %s, want %s", literal, got, want)
		}
	}
}
