package main

import (
	"errors"
	"strings"
	"testing"
)

// The cells of failing.ipynb were executed by the kernel: nbclient's execute with allow_errors.
func TestFailures(t *testing.T) {
	nb := fixture(t, "failing.ipynb")
	wants := []string{
		"", // Markdown
		"Cell[1]: Line 2: oh",
		"Cell[2]: Line 3: runtime error: index out of range [3] with length 0",
		`cannot use "a" (untyped string constant) as int value in variable declaration`,
		"expected ')', found '{'",
		"package nosuch/pkg is not in std",
		"all goroutines are asleep - deadlock!",
		"exit status 1",
		"exit status 1",
		"nonexistent_cmd: command not found",
		`"%frobnicate" unknown or not implemented yet`,
		"exit status 3",
		"dead\nexit status 1",
		"", // prints "exit status 1" on stdout
		"", // prints a warning on stderr
	}
	if len(nb.Cells) != len(wants) {
		t.Fatalf("%d cells, want %d", len(nb.Cells), len(wants))
	}
	for i, want := range wants {
		got := nb.Cells[i].failure()
		if (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("cell %d (%s): %q, want %q", i+1, nb.Cells[i].Source, got, want)
		}
	}

	var fs failures
	if err := nb.failed(); !errors.As(err, &fs) || len(fs) != 12 {
		t.Fatalf("%d failures, want 12", len(fs))
	}
	for _, want := range []string{"cell 2, In [1], failed:\n    | %%\n    | panic(\"oh\")\n    ERROR: Cell[1]: Line 2: oh", "\nand 9 more"} {
		if got := fs.Error(); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

func TestErrorOutputAlone(t *testing.T) {
	c := &cell{Type: "code", Outputs: []*output{{Type: "error", Ename: "ERROR", Evalue: "lost"}}}
	if got := c.failure(); got != "ERROR: lost" {
		t.Errorf("got %q", got)
	}
}

func TestTimeout(t *testing.T) {
	c := &cell{Type: "code", Outputs: []*output{{Type: "error", Ename: "ERROR", Evalue: "interrupted: signal: interrupt"}}}
	if got := c.failure(); !strings.Contains(got, "-timeout") {
		t.Errorf("got %q", got)
	}
}

func TestNoFailure(t *testing.T) {
	if err := fixture(t, "01_figure.ipynb").failed(); err != nil {
		t.Error(err)
	}
}

func TestIndent(t *testing.T) {
	if got, want := indent("a\nb\nc\nd\n", "> ", 2), "> a\n> b\n> ... 2 lines more"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
