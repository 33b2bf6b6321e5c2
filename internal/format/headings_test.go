package format

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A statistic has one name, which is spelled in one place: a heading is the constant, not its
// text, and none of the names that the statistic has elsewhere.
func TestHeadingsHaveOneName(t *testing.T) {
	names := map[string]string{
		StdErr: "format.StdErr", "se": "format.StdErr", "SE": "format.StdErr", "s.e.": "format.StdErr", "std.err": "format.StdErr", "standard error": "format.StdErr",
		StdDev: "format.StdDev", "s.d.": "format.StdDev", "sd": "format.StdDev", "SD": "format.StdDev", "std. deviation": "format.StdDev", "standard deviation": "format.StdDev",
		MonteCarlo: "format.MonteCarlo", "MC error": "format.MonteCarlo",
		P: "format.P", "p-value": "format.P", "P": "format.P", "Pr(>|t|)": "format.P",
		DF: "format.DF", "d.f.": "format.DF", "degrees of freedom": "format.DF", DoF: "format.DoF",
		"lower": "format.Limits", "upper": "format.Limits", "low": "format.Limits", "high": "format.Limits", "2.5%": "format.Limits", "97.5%": "format.Limits",
	}
	headings := 0
	for _, dir := range []string{"mlreg", "frames", "plotting", "datasets", "course"} {
		err := filepath.WalkDir(filepath.Join("..", "..", dir), func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				heading := headingOf(n)
				if heading == nil {
					return true
				}
				headings++
				text, err := strconv.Unquote(heading.Value)
				if name := names[text]; err != nil || name != "" {
					t.Errorf("%v: the heading %s is %s", files.Position(heading.Pos()), heading.Value, name)
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if headings < 100 {
		t.Errorf("%d headings are seen", headings)
	}
}

// headingOf returns the text that a call of a column begins with, nil for other nodes.
func headingOf(n ast.Node) *ast.BasicLit {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return nil
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	room, ok := f.X.(*ast.Ident)
	if !ok || !(room.Name == "tables" || room.Name == "report" && strings.HasSuffix(f.Sel.Name, "Column")) {
		return nil
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING {
		return nil
	}
	return text
}

func TestLimits(t *testing.T) {
	for _, c := range []struct {
		level            float64
		of, lower, upper string
	}{
		{0.95, "", "lower 95%", "upper 95%"},
		{0.9, "new", "lower 90% of new", "upper 90% of new"},
		{0.999, "", "lower 99.9%", "upper 99.9%"},
		{0, "", "lower", "upper"},
	} {
		if lower, upper := Limits(c.level, c.of); lower != c.lower || upper != c.upper {
			t.Errorf("limits at %v of %q: %q, %q", c.level, c.of, lower, upper)
		}
	}
}
