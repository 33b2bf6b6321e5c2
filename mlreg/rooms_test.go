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
	"hierarchy":   {"gram"},
	"subsets":     {"enumerate", "problem", "gram", "dd", "cpu"},
	"quantiles":   {"gram", "dd"},
	"tridiagonal": {"gram"},
	"blocked":     {"gram"},
	"problem":     {"gram", "dd"},
	"lagged":      {"problem", "gram", "dd"},
	"gram":        {"dd", "cpu"},
	"glm":         nil,
	"dd":          nil,
	"cpu":         nil,
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
			if other, inside := strings.CutPrefix(own, "mlreg/internal/"); ours && (!inside || !slices.Contains(may, other)) {
				t.Errorf("%s imports %s", file, path)
			}
		}
	}
}
