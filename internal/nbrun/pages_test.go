package main

import (
	"path/filepath"
	"testing"
)

// The committed notebooks are as they should be.
func TestPages(t *testing.T) {
	c := &course{root: filepath.Join("..", ".."), notebooks: filepath.Join("..", "..", "notebooks")}
	paths, err := c.list()
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.checkPage(nb); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}
