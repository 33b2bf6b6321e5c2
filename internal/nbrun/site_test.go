package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewPage(t *testing.T) {
	md := func(s string) *notebook { return &notebook{Cells: []*cell{{Type: "markdown", Source: text(s)}}} }
	for _, test := range []struct {
		name, markdown string
		want           page
	}{
		{"08_lasso", "# Lasso\n\nIt selects. Really.", page{Name: "08_lasso", Number: "08", Title: "Lasso", Summary: "It selects."}},
		{"08_lasso", "# 08. Lasso", page{Name: "08_lasso", Number: "08", Title: "Lasso"}},
		{"09_ridge_pca", "", page{Name: "09_ridge_pca", Number: "09", Title: "ridge pca"}},
		{"scratch", "", page{Name: "scratch", Title: "scratch"}},
	} {
		if got := newPage(result{name: test.name, executed: md(test.markdown)}); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

func TestNavigation(t *testing.T) {
	pages := []page{{Name: "01_a", Title: "A"}, {Name: "02_b", Title: "B & <b>"}, {Name: "03_c", Title: "C"}}
	for i, want := range []string{
		`<a href="02_b.html">B &amp; &lt;b&gt; →</a></nav>`,
		`<a href="01_a.html">← A</a><a href="03_c.html">C →</a></nav>`,
		`<a href="02_b.html">← B &amp; &lt;b&gt;</a></nav>`,
	} {
		if got := navigation(pages, i); !strings.HasSuffix(got, `all notebooks</a>`+want) {
			t.Errorf("page %d: %s, want %s", i, got, want)
		}
	}
}

func TestReplaceDir(t *testing.T) {
	dir := t.TempDir()
	to := filepath.Join(dir, "site")
	for _, name := range []string{"first", "second"} {
		from := filepath.Join(dir, "new-"+name)
		if err := os.MkdirAll(from, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(from, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := replaceDir(from, to); err != nil {
			t.Fatal(err)
		}
		entries, err := os.ReadDir(to)
		if err != nil || len(entries) != 1 || entries[0].Name() != name {
			t.Errorf("%s: %v, %v", name, entries, err)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
