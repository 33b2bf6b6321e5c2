package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
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
