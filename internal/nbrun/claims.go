package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A check of package ledger has to read what the notebook computed: following
// variables and functions back, its condition (True) or value (Near, Printed) has to reach
// a call of this module's packages, or something that a cell declares other than a
// number or a text that stands in the code. A check of the notebook's own arithmetic
// says so: its name has the word "arithmetic".

// source is the code of a notebook as go/ast sees it.
type source struct {
	cells     []*ast.File             // nil for cells that are not Go
	objects   map[string][]object     // functions and variables that cells declare, by name
	local     []map[string][]ast.Node // for each cell, what it makes its variables of
	constants map[string]bool         // that cells declare
	params    []map[string]bool       // of functions with checks in them: callers say what they are
	visited   map[place]bool          // on the way back from a check
}

// An object is what a cell declares for all.
type object struct {
	cell int
	node ast.Node // *ast.FuncDecl or *ast.ValueSpec
}

type place struct {
	cell int
	name string
}

func newSource(nb *notebook) *source {
	s := &source{objects: map[string][]object{}, constants: map[string]bool{}}
	for i, c := range nb.Cells {
		local := map[string][]ast.Node{}
		params := map[string]bool{}
		s.local, s.params = append(s.local, local), append(s.params, params)
		s.cells = append(s.cells, nil)
		if c.Type != "code" {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", goSource(string(c.Source)), 0)
		if err != nil {
			continue
		}
		s.cells[i] = f
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.Name != "_" { // main
					s.objects[d.Name.Name] = append(s.objects[d.Name.Name], object{i, d})
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					v, ok := spec.(*ast.ValueSpec)
					if !ok {
						continue
					}
					for _, name := range v.Names {
						if d.Tok == token.VAR {
							s.objects[name.Name] = append(s.objects[name.Name], object{i, v})
						} else {
							s.constants[name.Name] = true
						}
					}
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			collect(local, n)
			if lit, ok := n.(*ast.FuncLit); ok && hasCheck(lit.Body) {
				for _, field := range lit.Type.Params.List {
					for _, name := range field.Names {
						params[name.Name] = true
					}
				}
			}
			return true
		})
	}
	return s
}

// collect notes what a statement makes its variables of.
func collect(local map[string][]ast.Node, n ast.Node) {
	add := func(left ast.Expr, right ast.Node) {
		if id := assigned(left); id != nil {
			local[id.Name] = append(local[id.Name], right)
		}
	}
	// What decides whether a variable is assigned is what it is made of, too.
	decided := func(body ast.Node, by ast.Node) {
		eachAssigned(body, func(left ast.Expr) { add(left, by) })
	}
	switch n := n.(type) {
	case *ast.IfStmt:
		for _, body := range []ast.Stmt{n.Body, n.Else} {
			if body != nil {
				decided(body, n.Cond)
			}
		}
	case *ast.SwitchStmt:
		if n.Tag != nil {
			decided(n.Body, n.Tag)
		}
	case *ast.CaseClause:
		for _, e := range n.List {
			decided(n, e)
		}
	case *ast.ForStmt:
		if n.Cond != nil {
			decided(n.Body, n.Cond)
		}
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			add(l, n.Rhs[min(i, len(n.Rhs)-1)])
		}
	case *ast.RangeStmt:
		decided(n.Body, n.X)
		for _, l := range []ast.Expr{n.Key, n.Value} {
			if l != nil {
				add(l, n.X)
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if len(n.Values) > 0 {
				add(name, n.Values[min(i, len(n.Values)-1)])
			}
		}
	case *ast.CallExpr: // cov.Inverse(h) makes cov of h
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
			for _, arg := range n.Args {
				add(sel.X, arg)
			}
		}
	}
}

// eachAssigned visits the left sides of all assignments in a body.
func eachAssigned(body ast.Node, visit func(left ast.Expr)) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				visit(l)
			}
		case *ast.IncDecStmt:
			visit(n.X)
		}
		return true
	})
}

// assigned returns the variable that an assignment to an expression changes, nil if there is none.
func assigned(left ast.Expr) *ast.Ident {
	for {
		switch l := left.(type) {
		case *ast.IndexExpr:
			left = l.X
		case *ast.SelectorExpr:
			left = l.X
		case *ast.Ident:
			return l
		default:
			return nil
		}
	}
}

// ours are the packages whose results checks are about.
var ours = []string{"mlreg", "assess", "hier", "quantreg", "report", "rlm", "tsa", "frames", "datasets", "plotting", "lecture", "live", "plates", "exercise"}

// reaches reports whether a node of a cell reaches what the notebook computed.
func (s *source) reaches(cell int, n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if found {
			return false
		}
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && slices.Contains(ours, x.Name) {
				found = true
			} else {
				found = s.reaches(cell, n.X)
			}
			return false
		case *ast.KeyValueExpr:
			found = s.reaches(cell, n.Value)
			return false
		case *ast.Ident:
			found = s.known(cell, n.Name)
		}
		return !found
	})
	return found
}

// known reports whether a name stands for what the notebook computed.
func (s *source) known(cell int, name string) bool {
	if s.params[cell][name] {
		return true
	}
	if s.visited[place{cell, name}] {
		return false
	}
	s.visited[place{cell, name}] = true
	for _, n := range s.local[cell][name] {
		if s.reaches(cell, n) {
			return true
		}
	}
	for _, o := range s.objects[name] {
		switch n := o.node.(type) {
		case *ast.FuncDecl:
			if s.reaches(o.cell, n.Body) {
				return true
			}
		case *ast.ValueSpec:
			if !slices.ContainsFunc(n.Values, isLiteral) {
				return true
			}
		}
	}
	return false
}

// stands reports whether a value to bind is computed, or a setting that other code uses.
func (s *source) stands(cell int, value ast.Expr) bool {
	s.visited = map[place]bool{}
	if s.reaches(cell, value) {
		return true
	}
	for name := range identifiers(value) {
		uses := 0 // one of them declares it
		for _, f := range s.cells {
			if f != nil {
				ast.Inspect(f, func(n ast.Node) bool {
					if called, _ := ledgerCall(n); called == "Bind" {
						return false
					}
					if id, ok := n.(*ast.Ident); ok && id.Name == name {
						uses++
					}
					return true
				})
			}
		}
		if _, local := s.local[cell][name]; uses > 1 && (local || s.objects[name] != nil || s.constants[name]) {
			return true
		}
	}
	return false
}

// isLiteral reports whether an expression is a number or a text.
func isLiteral(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.UnaryExpr:
		return isLiteral(e.X)
	case *ast.BinaryExpr:
		return isLiteral(e.X) && isLiteral(e.Y)
	case *ast.ParenExpr:
		return isLiteral(e.X)
	}
	return false
}

// ledgerCall returns the function of package ledger that a call calls, or "".
func ledgerCall(n ast.Node) (string, *ast.CallExpr) {
	if call, ok := n.(*ast.CallExpr); ok {
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "ledger" {
				return sel.Sel.Name, call
			}
		}
	}
	return "", nil
}

func hasCheck(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		name, _ := ledgerCall(n)
		found = found || subject[name] > 0
		return !found
	})
	return found
}

// subject is the argument of a check that says what it is about.
var subject = map[string]int{"True": 1, "Near": 2, "Printed": 1}

var resultLine = regexp.MustCompile(`(?m)^(ok|OFF) `)

// idle returns what is wrong with the checks of an executed notebook: those that read
// nothing the notebook computed, those that no ledger.Done shows, and those of which
// another cell has the name.
func (nb *notebook) idle() []problem {
	s := newSource(nb)
	var problems []problem
	last, calls := 0, map[string]int{} // cells of the last Done and of checks
	for i, f := range s.cells {
		if f == nil {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			called, call := ledgerCall(n)
			if call == nil {
				return true
			}
			calls[called] = i + 1
			if called == "Done" {
				last = i + 1
			}
			if called == "Bind" && len(call.Args) == 2 && !s.stands(i, call.Args[1]) {
				problems = append(problems, problem{i + 1, fmt.Sprintf("ledger.Bind(%s, ...) binds a number that nothing else uses: "+
					"bind the variable that the code computes with", exprText(call.Args[0]))})
			}
			at, ok := subject[called]
			if !ok || len(call.Args) <= at {
				return true
			}
			name := exprText(call.Args[0])
			s.visited = map[place]bool{}
			if !strings.Contains(name, "arithmetic") && !s.reaches(i, call.Args[at]) {
				problems = append(problems, problem{i + 1, fmt.Sprintf("ledger.%s(%s, ...) reads nothing that the notebook computed, "+
					"but numbers in the code: read what the page shows, or call it arithmetic", called, name)})
			}
			return true
		})
	}
	checks, shown := 0, 0
	for i, c := range nb.Cells {
		checks += c.stated().Checks
		if i+1 == last {
			for _, o := range c.Outputs {
				shown += len(resultLine.FindAllString(string(o.Text), -1))
			}
		}
	}
	at := max(calls["True"], calls["Near"], calls["Printed"])
	switch {
	case at > last:
		problems = append(problems, problem{at, "no ledger.Done() comes after these checks"})
	case checks != shown && checks > 0:
		problems = append(problems, problem{last, fmt.Sprintf("ledger.Done shows %d of %d checks: of a name that two cells have it shows the last cell's only", shown, checks)})
	}
	return problems
}

// exprText returns what can be read of the expression of a name.
func exprText(e ast.Expr) string {
	var parts []string
	ast.Inspect(e, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil {
				parts = append(parts, text)
			}
		}
		return true
	})
	return strconv.Quote(strings.Join(parts, "..."))
}
