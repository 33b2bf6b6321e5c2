package main

import (
	"path/filepath"
	"regexp"
	"strings"
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

// Links of a page to its own sections lead to one: the anchor of a heading is its text, with
// hyphens for spaces.
func TestLinksToSections(t *testing.T) {
	heading, remark := regexp.MustCompile(`(?m)^#{1,6} (.*)$`), regexp.MustCompile(`<!--.*?-->`)
	toSection := regexp.MustCompile(`\]\(#([^)]*)\)`)
	paths, err := filepath.Glob(filepath.Join("..", "..", "notebooks", "*.ipynb"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range paths {
		nb, err := readNotebook(path)
		if err != nil {
			t.Fatal(err)
		}
		anchors, links := map[string]bool{}, []string{}
		for _, c := range nb.Cells {
			if c.Type != "markdown" {
				continue
			}
			for _, m := range heading.FindAllStringSubmatch(string(c.Source), -1) {
				title := strings.TrimSpace(remark.ReplaceAllString(m[1], ""))
				anchors[strings.ReplaceAll(title, " ", "-")] = true
			}
			for _, m := range toSection.FindAllStringSubmatch(string(c.Source), -1) {
				links = append(links, m[1])
			}
		}
		for _, link := range links {
			if found++; !anchors[link] {
				t.Errorf("%s: no section has the anchor %s", filepath.Base(path), link)
			}
		}
	}
	if found == 0 {
		t.Error("no page links to a section of its own")
	}
}
