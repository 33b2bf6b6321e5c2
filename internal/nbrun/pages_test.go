package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The committed notebooks are as they should be, but for those that a list names, and
// those are not.
func TestPages(t *testing.T) {
	c := &course{root: filepath.Join("..", ".."), notebooks: filepath.Join("..", "..", "notebooks")}
	paths, err := c.list()
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, path := range paths {
		r := newResult(path)
		names[r.name] = true
		nb, err := readNotebook(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.checkPage(r.name, nb); err != nil {
			t.Errorf("%s: %v", r.name, err)
		}
	}
	for _, file := range []string{"unbound.txt", "heavy.txt"} {
		list, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range strings.Fields(string(list)) {
			if !names[name] {
				t.Errorf("%s lists %s, which does not exist", file, name)
			}
		}
	}
}
