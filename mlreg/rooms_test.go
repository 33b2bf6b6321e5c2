package mlreg

import (
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/regbook/regbook/internal/circles"
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
	"quantiles":   {"problem", "gram", "dd"},
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

func TestCirclesOfFilesStayInTheirTopic(t *testing.T) {
	sequential(t)
	for _, pair := range get(circles.Between(".", "data basis ols errors linear stored", "ols infer", "penal cv glm", "subset models"))(t) {
		t.Errorf("%s and %s use each other, directly or by others", pair[0], pair[1])
	}
}
