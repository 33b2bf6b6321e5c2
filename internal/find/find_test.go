package find

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/fatal"
)

// Words that users of R, pandas and scikit-learn type lead to our calls, in the first three answers.
func TestSearch(t *testing.T) {
	all := fatal.On(Entries("../.."))(t)
	list := strings.Split(strings.TrimSpace(string(fatal.On(os.ReadFile("testdata/words.tsv"))(t))), "\n")
	if len(list) < 150 {
		t.Errorf("%d words", len(list))
	}
	for _, row := range list {
		query, want, _ := strings.Cut(row, "\t")
		found := Search(all, query)
		first := found[:min(3, len(found))]
		if !slices.ContainsFunc(first, func(e Entry) bool { return want != "" && strings.Contains(e.Ours, want) }) {
			t.Errorf("%s: %d entries, the first are %v, want %s", query, len(found), first, want)
		}
	}
	if found := Search(all, "no such word at all"); len(found) > 0 {
		t.Errorf("found %v", found)
	}
}

// All sources have entries, and each name of an index is one of its package.
func TestEntries(t *testing.T) {
	all := fatal.On(Entries("../.."))(t)
	for _, from := range []string{"index of frames", "index of mlreg", "index of plotting", "from R", "from dplyr and tidyr", "from scikit-learn", "which method"} {
		if !slices.ContainsFunc(all, func(e Entry) bool { return e.From == from }) {
			t.Errorf("nothing %s", from)
		}
	}
	code := map[string]string{}
	for _, pkg := range indexed {
		for _, f := range fatal.On(os.ReadDir("../../" + pkg))(t) {
			if strings.HasSuffix(f.Name(), ".go") {
				code[pkg[strings.LastIndexByte(pkg, '/')+1:]] += string(fatal.On(os.ReadFile("../../" + pkg + "/" + f.Name()))(t))
			}
		}
	}
	names := Names(all)
	for _, n := range names {
		pkg, name, _ := strings.Cut(n, ".")
		name = name[strings.LastIndexByte(name, '.')+1:]
		if !regexp.MustCompile(`\b` + name + `\b`).MatchString(code[pkg]) {
			t.Errorf("package %s has no %s", pkg, name)
		}
	}
	if len(names) < 200 || names[0] != "frames.ReadCSV" {
		t.Errorf("%d names, the first is %s", len(names), names[0])
	}
}
