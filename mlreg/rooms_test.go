package mlreg

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What every room below this package may import of the others: arrows run one way.
var rooms = map[string][]string{
	"lsq":         {"blocked", "problem", "gram", "dd"},
	"newton":      {"lsq", "problem", "gram", "glm", "dd"},
	"descent":     {"problem", "gram", "glm", "dd"},
	"enumerate":   {"blocked", "problem", "gram", "dd", "cpu"},
	"certify":     {"enumerate", "gram", "dd"},
	"hierarchy":   {"gram"},
	"subsets":     {"enumerate", "problem", "gram", "dd", "cpu"},
	"quantiles":   {"newton", "problem", "gram", "dd", "fault"},
	"tridiagonal": {"gram"},
	"blocked":     {"gram"},
	"problem":     {"internal/compressed", "gram", "dd"},
	"lagged":      {"problem", "gram", "dd"},
	"gram":        {"dd", "cpu"},
	"glm":         {"internal/dist", "quadrature"},
	"quadrature":  {"tridiagonal"},
	"dd":          nil,
	"cpu":         nil,
	"algebra":     {"blocked", "gram", "tridiagonal"},
	"tables":      {"fault", "mlreg/report", "internal/format"},
	"args":        {"fault", "internal/format", "internal/limit"},
	"stream":      {"fault"},
	"door":        {"gram", "lsq", "nesting", "problem"},
	"nesting":     {"fault", "internal/format"},
	"fault":       nil,
}

func TestRoomsImportOneWay(t *testing.T) {
	files, err := filepath.Glob("internal/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files of rooms", err)
	}
	for _, file := range files {
		room := filepath.Base(filepath.Dir(file))
		may, known := rooms[room]
		if !known {
			t.Errorf("room %s is not in the plan", room)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := get(parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly))(t)
		for _, spec := range f.Imports {
			path := get(strconv.Unquote(spec.Path.Value))(t)
			_, own, ours := strings.Cut(path, "regbook/regbook/")
			if ours && !slices.Contains(may, strings.TrimPrefix(own, "mlreg/internal/")) {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}

// Files that use each other in a circle are read together, so none leaves its topic. Names
// of functions, types and constants count; methods and fields, which need types, do not.
func TestCirclesOfFilesStayInTheirTopic(t *testing.T) {
	sequential(t)
	topics := []string{"data basis ols errors linear stored", "ols infer", "penal cv glm", "subset models"}
	files := get(filepath.Glob("*.go"))(t)
	home, used := make(map[string]string), make(map[string][]string) // where names are, and what files use
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f := get(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
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
	topicOf := func(file string) string {
		topic, _, _ := strings.Cut(strings.TrimSuffix(file, ".go"), "_")
		return topic
	}
	for file := range reach {
		for other := range reach[file] {
			same := func(topics string) bool {
				words := strings.Fields(topics)
				return slices.Contains(words, topicOf(file)) && slices.Contains(words, topicOf(other))
			}
			if file < other && reach[other][file] && topicOf(file) != topicOf(other) && !slices.ContainsFunc(topics, same) {
				t.Errorf("%s and %s use each other, directly or by others", file, other)
			}
		}
	}
}
