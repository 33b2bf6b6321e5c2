package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// The kernel adds to the program of a cell, before it is compiled:
//
//   - plotting.Show around the last line below %%, if that is an expression and no
//     call, which Go refuses as unused, or a call of must.M1
//   - notes on what surprises whoever comes from R: a variable that takes long and is computed again
//     in a later cell, one that changes in its cell only, a goroutine that the end of the cell ends,
//     a last line that is a call whose result nobody sees
//   - an error where GoNB's cache is given a data frame, of which it keeps nothing
//
// What is added stands on the lines that it is about, so that lines keep their numbers, and a
// line directive after it gives the columns back. GoNB's main.go is written back after the build.

// noNotesEnv is set by programs that run notebooks: nobody reads the notes.
const noNotesEnv = "REGBOOK_NO_NOTES"

// An insertion is text that is added to a program.
type insertion struct {
	at   int // offset
	text string
}

// A cellProgram is the program of a cell, to which things are added.
type cellProgram struct {
	source  []byte
	fset    *token.FileSet
	file    *ast.File
	main    *ast.FuncDecl // nil if the cell has no line %%
	added   []insertion
	imports map[string]string // paths, by names that cells do not use
	helpers []string
}

// extended returns the program of a cell with all that the kernel adds, and with what it shows
// only: where the one does not compile, the errors are those of the other.
func extended(source []byte) (full, shown []byte) {
	p := &cellProgram{source: source, fset: token.NewFileSet(), imports: map[string]string{}}
	var err error
	if p.file, err = parser.ParseFile(p.fset, "", source, 0); err != nil {
		return source, source
	}
	p.main = p.belowPercent()
	p.refuseFrames()
	p.show()
	shown = p.text()
	if os.Getenv(noNotesEnv) == "" {
		p.noteDropped()
		p.noteSlow()
		p.noteChanged()
		p.noteGoroutines()
	}
	return p.text(), shown
}

// belowPercent returns the main function that GoNB makes of the lines below %%.
func (p *cellProgram) belowPercent() *ast.FuncDecl {
	for _, d := range p.file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if ok && f.Recv == nil && f.Name.Name == "main" && f.Body != nil && len(f.Body.List) > 0 {
			if first, ok := f.Body.List[0].(*ast.ExprStmt); ok && isCall(first.X, "flag", "Parse") {
				return f
			}
		}
	}
	return nil
}

// isCall reports whether an expression calls a function of a package.
func isCall(x ast.Expr, pkg, name string) bool {
	call, ok := x.(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || s.Sel.Name != name {
		return false
	}
	id, ok := s.X.(*ast.Ident)
	return ok && id.Name == pkg
}

// lastExpression returns the last line below %%, nil if it is no expression.
func (p *cellProgram) lastExpression() ast.Expr {
	if p.main == nil || len(p.main.Body.List) < 2 {
		return nil
	}
	last, ok := p.main.Body.List[len(p.main.Body.List)-1].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	return last.X
}

// show shows the last line.
func (p *cellProgram) show() {
	last := p.lastExpression()
	if last == nil {
		return
	}
	switch x := ast.Unparen(last).(type) {
	case *ast.CallExpr:
		if !isCall(x, "must", "M1") {
			return
		}
	case *ast.UnaryExpr:
		if x.Op == token.ARROW { // it waits for a channel
			return
		}
	}
	p.imports["regbook_plotting"] = module + "/plotting"
	p.around(last, "regbook_plotting.Show(")
}

// noteDropped tells of a last line that calls something of a package or of a variable, and
// drops what it returns. Calls that print, or return nothing, are left out where their names tell.
func (p *cellProgram) noteDropped() {
	last := p.lastExpression()
	if last == nil {
		return
	}
	call, ok := ast.Unparen(last).(*ast.CallExpr)
	if !ok || isCall(call, "plotting", "Show") {
		return
	}
	fun, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return
	}
	if id, ok := fun.X.(*ast.Ident); ok && slices.Contains([]string{"fmt", "gonbui", "log", "must", "os", "slices", "sort", "time"}, id.Name) {
		return
	}
	p.around(last, fmt.Sprintf("regbookDropped(%q)(", p.code(fun)))
	p.imports["regbook_os"], p.imports["regbook_fmt"] = "os", "fmt"
	p.help(droppedHelper)
}

// droppedHelper is silent about a sole error that is nil, and about counts of bytes.
const droppedHelper = `func regbookDropped(call string) func(results ...any) {
	return func(results ...any) {
		last := results[len(results)-1]
		_, count := results[0].(int)
		switch err, failed := last.(error); {
		case failed:
			regbook_fmt.Fprintf(regbook_os.Stderr, "note: %s returned an error, which is dropped: %v\n", call, err)
		case last == nil && len(results) == 2 && !count:
			regbook_fmt.Fprintf(regbook_os.Stderr, "note: what %s returns is not shown: must.M1(%s(...)) shows it\n", call, call)
		case last != nil:
			regbook_fmt.Fprintf(regbook_os.Stderr, "note: what %s returns is not shown: plotting.Show(%s(...)) shows it\n", call, call)
		}
	}
}
`

// around puts an expression between a call's beginning and its end.
func (p *cellProgram) around(x ast.Expr, call string) {
	at := p.fset.Position(x.Pos())
	p.added = append(p.added,
		insertion{at.Offset, fmt.Sprintf("%s/*line :%d:%d*/", call, at.Line, at.Column)},
		insertion{p.fset.Position(x.End()).Offset, ")"})
}

// refuseFrames has an error for data frames in GoNB's cache: gob, which it keeps by, knows
// nothing of what is in them.
func (p *cellProgram) refuseFrames() {
	ast.Inspect(p.file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if !isCall(call, "cache", "Cache") && !isCall(call, "cache", "CacheWith") {
			return true
		}
		p.around(call, "regbookCached(")
		p.imports["regbook_fmt"] = "fmt"
		p.help(cachedHelper)
		return false
	})
}

const cachedHelper = `func regbookCached[T any](v T) T {
	if name := regbook_fmt.Sprintf("%T", v); name == "dataframe.DataFrame" || name == "*dataframe.DataFrame" {
		panic("package cache keeps nothing of a data frame: the next time it is empty. plotting.Keep keeps it")
	}
	return v
}
`

// text returns the program with what was added.
func (p *cellProgram) text() []byte {
	if len(p.added) == 0 {
		return p.source
	}
	var imports strings.Builder
	for _, name := range slices.Sorted(maps.Keys(p.imports)) {
		fmt.Fprintf(&imports, "; import %s %q", name, p.imports[name])
	}
	added := append(slices.Clone(p.added), insertion{p.fset.Position(p.file.Name.End()).Offset, imports.String()})
	slices.SortStableFunc(added, func(a, b insertion) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, a := range added {
		out.Write(p.source[from:a.at])
		out.WriteString(a.text)
		from = a.at
	}
	out.Write(p.source[from:])
	for _, h := range p.helpers {
		out.WriteString("\n" + h)
	}
	return out.Bytes()
}

// noteSlow tells of variables that take long, the second time that they are computed.
func (p *cellProgram) noteSlow() {
	for _, d := range p.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			if v := s.(*ast.ValueSpec); len(v.Names) == 1 && len(v.Values) == 1 && v.Names[0].Name != "_" && p.mayBeSlow(v.Values[0]) {
				call := "regbookTimed"
				if v.Type != nil {
					call += "[" + p.code(v.Type) + "]"
				}
				before, after, files := p.keepLine(v.Names[0].Name, v.Values[0])
				p.around(v.Values[0], fmt.Sprintf("%s(regbook_time.Now(), %q, %q, %q, %#v, ", call, v.Names[0].Name, before, after, files))
				p.imports["regbook_time"], p.imports["regbook_os"], p.imports["regbook_fmt"] = "time", "os", "fmt"
				p.help(slowHelper)
			}
		}
	}
}

// mayBeSlow reports whether an expression calls something, and is not kept yet.
func (p *cellProgram) mayBeSlow(x ast.Expr) bool {
	calls, kept := false, false
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr: // the type of a shifted constant is that of the variable
			kept = kept || n.Op == token.SHL || n.Op == token.SHR
		case *ast.CallExpr:
			calls = true
			kept = kept || isCall(n, "plotting", "Keep")
		}
		return true
	})
	_, function := x.(*ast.FuncLit)
	return calls && !kept && !function
}

// keepLine returns the line that keeps a variable, before and after the type of its value, and the
// texts in its expression, which may be names of files.
func (p *cellProgram) keepLine(name string, x ast.Expr) (before, after string, files []string) {
	body := p.code(x) + ", nil"
	if isCall(x, "must", "M1") && len(x.(*ast.CallExpr).Args) == 1 {
		body = p.code(x.(*ast.CallExpr).Args[0])
	}
	after = fmt.Sprintf(", error) { return %s }", body)
	var depends []string
	ast.Inspect(x, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && text != "" {
				files = append(files, text)
			}
		case *ast.Ident:
			if p.variable(n) && !slices.Contains(depends, n.Name) {
				depends = append(depends, n.Name)
			}
		}
		return true
	})
	for _, d := range depends {
		after += ", " + d
	}
	return fmt.Sprintf("var %s = must.M1(plotting.Keep(%q, func() (", name, name), after, files
}

// code returns the text of an expression.
func (p *cellProgram) code(x ast.Expr) string {
	return string(p.source[p.fset.Position(x.Pos()).Offset:p.fset.Position(x.End()).Offset])
}

// variable reports whether a name is that of a variable declared by a cell.
func (p *cellProgram) variable(id *ast.Ident) bool {
	o := p.file.Scope.Lookup(id.Name)
	return o != nil && o.Kind == ast.Var && id.Obj == o
}

// help adds a helper, once.
func (p *cellProgram) help(code string) {
	if !slices.Contains(p.helpers, code) {
		p.helpers = append(p.helpers, code)
	}
}

// slowHelper notes in the session's folder that a variable was slow, and says so the next time.
const slowHelper = `func regbookTimed[T any](start regbook_time.Time, name, before, after string, texts []string, v T) T {
	took := regbook_time.Since(start)
	if took < 500*regbook_time.Millisecond {
		return v
	}
	typ := regbook_fmt.Sprintf("%T", v)
	for i := 0; i+5 <= len(typ); i++ {
		if typ[i:i+5] == "main." {
			typ = typ[:i] + typ[i+5:]
		}
	}
	line := before + typ + after
	for _, text := range texts {
		if info, err := regbook_os.Stat(text); err == nil && info.Mode().IsRegular() {
			line += regbook_fmt.Sprintf(", plotting.File(%q)", text)
		}
	}
	line += "))"
	file := regbook_os.Getenv("GONB_TMP_DIR") + "/.regbook-slow-" + name
	switch seen, _ := regbook_os.ReadFile(file); string(seen) {
	case "said " + line:
	case line:
		_ = regbook_os.WriteFile(file, []byte("said "+line), 0o600)
		regbook_fmt.Fprintf(regbook_os.Stderr, "note: %s took %.1f s, and is computed again in each cell that uses it. This line keeps it:\n    %s\n", name, took.Seconds(), line)
	default:
		_ = regbook_os.WriteFile(file, []byte(line), 0o600)
	}
	return v
}
`

// noteChanged tells of the variables of cells that the lines below %% change.
func (p *cellProgram) noteChanged() {
	if p.main == nil {
		return
	}
	var changed []string
	change := func(x ast.Expr) {
		for {
			switch y := x.(type) {
			case *ast.IndexExpr:
				x = y.X
				continue
			case *ast.SelectorExpr:
				x = y.X
				continue
			case *ast.ParenExpr:
				x = y.X
				continue
			case *ast.Ident:
				if p.variable(y) && !slices.Contains(changed, y.Name) {
					changed = append(changed, y.Name)
				}
			}
			return
		}
	}
	ast.Inspect(p.main.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, x := range n.Lhs {
					change(x)
				}
			}
		}
		return true
	})
	for _, name := range changed {
		p.atEnd(fmt.Sprintf("regbookChanged(%q)", name), changedHelper)
	}
}

// atEnd adds a call to the end of the lines below %%.
func (p *cellProgram) atEnd(call, helper string) {
	p.imports["regbook_os"], p.imports["regbook_fmt"] = "os", "fmt"
	p.added = append(p.added, insertion{p.fset.Position(p.main.Body.Rbrace).Offset, call + "; "})
	p.help(helper)
}

const changedHelper = `func regbookChanged(name string) {
	file := regbook_os.Getenv("GONB_TMP_DIR") + "/.regbook-changed-" + name
	if _, err := regbook_os.Stat(file); err == nil {
		return
	}
	_ = regbook_os.WriteFile(file, nil, 0o600)
	regbook_fmt.Fprintf(regbook_os.Stderr, "note: %s has another value in this cell only: each cell computes it anew from its declaration. For later cells, declare it again: var %s = ...\n", name, name)
}
`

// noteGoroutines tells of goroutines that still run where the lines below %% end.
func (p *cellProgram) noteGoroutines() {
	if p.main == nil {
		return
	}
	starts := false
	ast.Inspect(p.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.SelectorExpr: // sync.WaitGroup's, errgroup's
			starts = starts || n.Sel.Name == "Go"
		}
		return true
	})
	if starts {
		p.imports["regbook_time"], p.imports["regbook_runtime"], p.imports["regbook_strings"] = "time", "runtime", "strings"
		p.atEnd("regbookRunning()", runningHelper)
	}
}

// runningHelper counts the stacks that go through the cell's code, but its own. One that has
// just done its work may still be on its way out: it is given a moment.
const runningHelper = `func regbookRunning() {
	running := 0
	for range 20 {
		stacks := make([]byte, 1<<20)
		all := regbook_strings.Split(string(stacks[:regbook_runtime.Stack(stacks, true)]), "\n\n")
		running = 0
		for _, s := range all[1:] {
			if regbook_strings.Contains(s, "\nmain.") {
				running++
			}
		}
		if running == 0 {
			return
		}
		regbook_time.Sleep(5 * regbook_time.Millisecond)
	}
	what := "a goroutine of this cell was still running and ended with it"
	if running > 1 {
		what = regbook_fmt.Sprintf("%d goroutines of this cell were still running and ended with it", running)
	}
	regbook_fmt.Fprintf(regbook_os.Stderr, "note: %s: wait for what a cell starts, say by a sync.WaitGroup\n", what)
}
`
