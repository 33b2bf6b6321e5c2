package docs

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

// README explains the compiler's messages as the compiler writes them: for a statement
// without a function, and for the two results of a call given to one variable.
func TestMessagesOfTheCompiler(t *testing.T) {
	_, statement := parser.ParseFile(token.NewFileSet(), "cell.go", "package main\nplotting.Show(df)\n", 0)
	page := read(t, "README.md")
	for _, message := range []struct {
		err   error
		words []string
	}{
		{statement, []string{"expected declaration"}},
		{compile(t, "func main() { d := f(); println(d) }"), []string{"assignment mismatch: 1 variable but ", " returns 2 values"}},
		{compile(t, "var d = f()"), []string{"multiple-value ", " in single-value context"}},
	} {
		for _, w := range message.words {
			if message.err == nil || !strings.Contains(message.err.Error(), w) {
				t.Errorf("the compiler says %v, not %q", message.err, w)
			}
			if !strings.Contains(page, w) {
				t.Errorf("README does not explain %q", w)
			}
		}
	}
}

// compile returns what the compiler says of a line beside a function f of two results.
func compile(t *testing.T, line string) error {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "cell.go", "package main\nfunc f() (int, error) { return 0, nil }\n"+line+"\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = (&types.Config{Importer: importer.Default()}).Check("main", files, []*ast.File{file}, nil)
	return err
}
