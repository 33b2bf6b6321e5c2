package mlreg

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"regexp"
	"strings"
	"testing"
)

// partial are the exported functions that return a result beside an error: the best fit of an
// iteration that stopped, or what was done until Progress had an error.
var partial = map[string]bool{
	"CertifyModels": true, "CrossValidateNested": true,
	"EnumerateModels": true, "FitBayesGLM": true, "FitBayesLogistic": true, "FitBestSubsets": true, "FitElasticNet": true, "FitGLM": true,
	"FitGLMPath": true, "FitGreedyCV": true, "FitLARS": true, "FitLogistic": true, "FitLogisticElasticNet": true, "FitMultinomial": true,
	"FitRelaxedLasso": true, "FitRidgeCV": true,
	"Laplace": true, "OLS.DurbinWatson": true, "RefineOLS": true, "SampleModels": true, "ShootingAlgorithm": true,
}

// passed are functions whose error is that of the call which made the result, nil or zero then.
var passed = map[string]bool{
	"OLS.HAC": true, "Path.At": true, "Path.Penalty": true,
}

var saysPartial = regexp.MustCompile(`(?i)beside|progress|that of|those of|together with|by then`)

// What fails has no result that prints as if it were one: an exported function returns nil, or a
// zero value, beside an error, unless it is one of those that say otherwise.
func TestNoResultBesideAnError(t *testing.T) {
	sequential(t)
	fset := token.NewFileSet()
	packages, err := parser.ParseDir(fset, ".", func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, file := range packages["mlreg"].Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok || !fn.Name.IsExported() || !returnsError(fn) {
				continue
			}
			name := methodName(fn)
			ast.Inspect(fn.Body, func(n ast.Node) bool {
				if _, inner := n.(*ast.FuncLit); inner {
					return false
				}
				r, ok := n.(*ast.ReturnStmt)
				if !ok || len(r.Results) < 2 || isNil(r.Results[len(r.Results)-1]) || isZero(r.Results[0]) {
					return true
				}
				seen[name] = true
				if !partial[name] && !passed[name] {
					t.Errorf("%v: %s returns a result beside an error; use valid", fset.Position(r.Pos()), name)
				}
				return true
			})
			if partial[name] && !saysPartial.MatchString(fn.Doc.Text()) {
				t.Errorf("%s: its comment does not say that there is a result beside an error", name)
			}
		}
	}
	for _, list := range []map[string]bool{partial, passed} {
		for name := range list {
			if !seen[name] {
				t.Errorf("%s is listed, and returns no result beside an error", name)
			}
		}
	}
}

func returnsError(fn *ast.FuncDecl) bool {
	results := fn.Type.Results
	if fn.Body == nil || results == nil || results.NumFields() < 2 {
		return false
	}
	last, ok := results.List[len(results.List)-1].Type.(*ast.Ident)
	return ok && last.Name == "error"
}

// methodName is Type.Name of a method.
func methodName(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return fn.Name.Name
	}
	of := fn.Recv.List[0].Type
	for {
		switch e := of.(type) {
		case *ast.StarExpr:
			of = e.X
		case *ast.IndexExpr:
			of = e.X
		case *ast.IndexListExpr:
			of = e.X
		case *ast.Ident:
			return e.Name + "." + fn.Name.Name
		default:
			return fn.Name.Name
		}
	}
}

func isNil(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "nil"
}

// isZero tells whether an expression is nil, a literal without elements, or a number.
func isZero(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.BasicLit:
		return true
	}
	return isNil(e)
}

// A design, moments and a classifier that fail a check at the end are nil.
func TestFailedResultsAreNil(t *testing.T) {
	x := get(NewDesign(randomDesign(t, 1, 8, 1).X, []float64{0, 1, 0, 1, 0, 1, 0, 1}, "a"))(t)
	d := get(x.Presence(0))(t)
	if f, err := FitNaiveBayes(d, 1, &NaiveBayesSettings{Prior: []float64{1, -1}}); err == nil || f != nil {
		t.Errorf("a classifier of a bad prior: %v, %v", f, err)
	}
}
