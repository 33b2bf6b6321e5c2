// Package circles finds files of a package that use each other in a circle: they are read
// together, so that none should leave its topic.
package circles

import (
	"cmp"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// A Pair are two files that use each other, directly or by others.
type Pair [2]string

// Between returns the pairs of a folder whose topics differ, the words before the underscore in
// their names, unless one of together, words between blanks, has both. Names of functions, types
// and constants count; methods and fields, which need types, do not. Tests are left out.
func Between(dir string, together ...string) ([]Pair, error) {
	reach, err := reached(dir)
	if err != nil {
		return nil, err
	}
	var pairs []Pair
	for file := range reach {
		for other := range reach[file] {
			a, b := topic(file), topic(other)
			same := func(topics string) bool {
				words := strings.Fields(topics)
				return slices.Contains(words, a) && slices.Contains(words, b)
			}
			if file < other && reach[other][file] && a != b && !slices.ContainsFunc(together, same) {
				pairs = append(pairs, Pair{file, other})
			}
		}
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	return pairs, nil
}

func topic(file string) string {
	word, _, _ := strings.Cut(strings.TrimSuffix(file, ".go"), "_")
	return word
}

// reached returns the files that each one uses, directly or by others.
func reached(dir string) (map[string]map[string]bool, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	home, used := make(map[string]string), make(map[string][]string) // where names are, and what files use
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return nil, err
		}
		file := filepath.Base(path)
		for name := range f.Scope.Objects {
			home[name] = file
		}
		for _, id := range f.Unresolved {
			used[file] = append(used[file], id.Name)
		}
	}
	reach := make(map[string]map[string]bool)
	for file := range used {
		seen, next := make(map[string]bool), []string{file}
		for len(next) > 0 {
			at := next[0]
			next = next[1:]
			for _, name := range used[at] {
				if to := home[name]; to != "" && to != at && !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		reach[file] = seen
	}
	return reach, nil
}
