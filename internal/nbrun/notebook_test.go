package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fixture reads a notebook of testdata, which nbformat wrote.
func fixture(t *testing.T, name string) *notebook {
	t.Helper()
	nb, err := readNotebook(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// A notebook read and written is the same file, and so is one with its own
// outputs put in once more.
func TestRoundTrip(t *testing.T) {
	for _, name := range []string{"01_figure.ipynb", "failing.ipynb"} {
		want, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		nb := fixture(t, name)
		for what, nb := range map[string]*notebook{"read": nb, "with its outputs": nb.withOutputs(nb)} {
			path := filepath.Join(t.TempDir(), name)
			if err := nb.write(path); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if d := unifiedDiff(string(want), string(got)); d != "" {
				t.Errorf("%s, %s and written:\n%s", name, what, d)
			}
		}
	}
}

func TestReadNotebookErrors(t *testing.T) {
	for name, content := range map[string]string{"text": "hello", "version": `{"nbformat": 3}`} {
		path := filepath.Join(t.TempDir(), name+".ipynb")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readNotebook(path); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What differs from run to run does not reach the committed file.
func TestWithOutputs(t *testing.T) {
	var source, executed notebook
	for text, nb := range map[string]*notebook{
		`{"cells": [
			{"cell_type": "markdown", "metadata": {}, "source": "# T"},
			{"cell_type": "code", "id": "mine", "execution_count": 7, "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}],
			 "metadata": {"tags": ["x"], "execution": {"iopub.status.busy": "now"}, "scrolled": true}, "source": ["a\n", "b"]}],
		 "metadata": {"title": "T", "widgets": {}}, "nbformat": 4, "nbformat_minor": 4}`: &source,
		`{"cells": [
			{"cell_type": "markdown", "metadata": {}, "source": "# T"},
			{"cell_type": "code", "id": "other", "execution_count": 1, "metadata": {"seconds": 1.5}, "source": "", "outputs": [
				{"output_type": "stream", "name": "stdout", "text": ""},
				{"output_type": "stream", "name": "stdout", "text": "one\ntw"},
				{"output_type": "stream", "name": "stdout", "text": ["o\n", "three"]},
				{"output_type": "stream", "name": "stderr", "text": "four"},
				{"output_type": "display_data", "data": {"text/html": "<p>\n</p>", "application/json": {"a": 1.0}}, "metadata": {}}]}],
		 "metadata": {"language_info": {"name": "go", "version": "go1.26.8"}}, "nbformat": 4, "nbformat_minor": 5}`: &executed,
	} {
		if err := json.Unmarshal([]byte(text), nb); err != nil {
			t.Fatal(err)
		}
	}
	got, err := encode(source.withOutputs(&executed), " ")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "cell-1",
   "metadata": {},
   "source": [
    "# T"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "mine",
   "metadata": {
    "tags": [
     "x"
    ]
   },
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "one\n",
      "two\n",
      "three"
     ]
    },
    {
     "name": "stderr",
     "output_type": "stream",
     "text": [
      "four"
     ]
    },
    {
     "data": {
      "application/json": {
       "a": 1.0
      },
      "text/html": [
       "<p>\n",
       "</p>"
      ]
     },
     "metadata": {},
     "output_type": "display_data"
    }
   ],
   "source": [
    "a\n",
    "b"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "display_name": "Go (Regbook)",
   "language": "go",
   "name": "regbook"
  },
  "language_info": {
   "codemirror_mode": "go",
   "file_extension": ".go",
   "mimetype": "text/x-go",
   "name": "go",
   "pygments_lexer": "go"
  },
  "title": "T"
 },
 "nbformat": 4,
 "nbformat_minor": 5
}`
	if d := unifiedDiff(want, string(got)); d != "" {
		t.Error(d)
	}
}

func TestTitleAndSummary(t *testing.T) {
	for _, test := range []struct{ markdown, title, summary string }{
		{"# Least *squares*\n\nOne line. Two.", "Least squares", "One line."},
		{"# `lasso` #\n\nSee [the path](08.html),\nwhich bends. It does.", "lasso", "See the path, which bends."},
		{"Text first.\n\n## Then a title", "Then a title", "Text first."},
		{"# T\n\n![](figure.png)\n\nWith $p = 0.05$, e.g. here, all is well! Yes.", "T", "With $p = 0.05$, e.g. here, all is well!"},
		{"# T\n\nNo full stop", "T", "No full stop"},
		{"# T\nDirectly under. Then more.", "T", "Directly under."},
		{"# T", "T", ""},
		{"", "", ""},
	} {
		nb := &notebook{Cells: []*cell{{Type: "code", Source: "# not a title"}, {Type: "markdown", Source: text(test.markdown)}}}
		if got := nb.title(); got != test.title {
			t.Errorf("title of %q is %q, want %q", test.markdown, got, test.title)
		}
		if got := nb.summary(); got != test.summary {
			t.Errorf("summary of %q is %q, want %q", test.markdown, got, test.summary)
		}
	}
}

// A file that is JSON and no notebook is named, whatever is missing in it; a text that is
// too long for a page is cut, and says so.
func TestNotebooksThatAreNone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "odd.ipynb")
	for text, want := range map[string]string{
		`{"nbformat": 4}`:                  "no list of cells",
		`{"nbformat": 4, "cells": null}`:   "no list of cells",
		`{"nbformat": 4, "cells": [null]}`: "cell 1 is null",
		`{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": [null]}]}`: "output 1 of cell 1 is null",
		`{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": "x"}]}`:    "is not a notebook",
		`[]`:   "is not a notebook",
		`null`: "notebook format 0",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readNotebook(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "odd.ipynb") {
			t.Errorf("%s: %v", text, err)
		}
	}
	for text, cells := range map[string]int{`{"nbformat": 4, "cells": []}`: 0, `{"nbformat": 4, "cells": [{"cell_type": "code", "outputs": null}]}`: 1} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if nb, err := readNotebook(path); err != nil || len(nb.Cells) != cells {
			t.Errorf("%s: %v", text, err)
		}
	}
	long := &cell{Outputs: []*output{{Type: "stream", Text: text(strings.Repeat("a line\n", 1<<20))}}}
	long.cut()
	if got := string(long.Outputs[0].Text); len(got) > 1<<20+100 || !strings.HasSuffix(got, "the cell wrote 7340032 bytes\n") || !strings.HasPrefix(got, "a line\na line\n") {
		t.Errorf("%d bytes, which end in %q", len(got), got[max(0, len(got)-80):])
	}
}

// What a killed run has left goes with the next run, and what a cell has started, too;
// folders of runs that still go stay.
func TestNextRunCleansUp(t *testing.T) {
	parent := t.TempDir()
	left := filepath.Join(parent, "nbrun-1000000000-1") // more than the largest number of a process
	own := filepath.Join(parent, fmt.Sprintf("nbrun-%d-2", os.Getpid()))
	for _, dir := range []string{left, own} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	cell := exec.Command("sleep", "600")
	cell.Env = append(os.Environ(), "REGBOOK_LEDGER="+filepath.Join(left, "ledger"))
	cell.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cell.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cell.Wait() }()
	cleanUp(parent)
	select {
	case <-ended:
	case <-time.After(5 * time.Minute):
		_ = cell.Process.Kill()
		t.Error("what the cell has started still runs")
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("%s: %v", left, err)
	}
	if _, err := os.Stat(own); err != nil {
		t.Error(err)
	}
}
