package mlreg

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg/report"
)

// resultTypes returns the structs that exported functions and methods return,
// alone, in slices or behind pointers, errors left out.
func resultTypes(t *testing.T) []string {
	t.Helper()
	files := get(os.ReadDir("."))(t)
	types, found := map[string]ast.Expr{}, map[string]bool{}
	errorTypes := map[string]bool{}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		file := get(parser.ParseFile(token.NewFileSet(), f.Name(), nil, parser.SkipObjectResolution))(t)
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					if spec, ok := spec.(*ast.TypeSpec); ok {
						types[spec.Name.Name] = spec.Type
					}
				}
			case *ast.FuncDecl:
				if decl.Recv != nil && !ast.IsExported(base(decl.Recv.List[0].Type)) || !decl.Name.IsExported() {
					continue
				}
				if decl.Name.Name == "Error" {
					errorTypes[base(decl.Recv.List[0].Type)] = true
				}
				if decl.Type.Results != nil {
					for _, r := range decl.Type.Results.List {
						found[base(r.Type)] = true
					}
				}
			}
		}
	}
	names := map[string]bool{}
	for name := range found {
		for { // to what an alias is of
			if next, ok := types[name].(*ast.Ident); ok && types[next.Name] != nil {
				name = next.Name
				continue
			}
			break
		}
		if _, isStruct := types[name].(*ast.StructType); isStruct && ast.IsExported(name) && !errorTypes[name] {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// base returns the name of a type without its pointers, brackets and arguments.
func base(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return base(e.X)
	case *ast.ArrayType:
		return base(e.Elt)
	case *ast.MapType:
		return base(e.Value)
	case *ast.IndexExpr:
		return base(e.X)
	}
	return ""
}

// gobResults returns values from which all results can be reached by methods
// without arguments and exported fields. They are made once for all tests.
func gobResults(t *testing.T) []any {
	allResults.Do(func() { allResults.values = makeResults(t) })
	if allResults.values == nil {
		t.Fatal("no results")
	}
	return allResults.values
}

var allResults struct {
	sync.Once
	values []any
}

func makeResults(t *testing.T) []any {
	d := randomDesign(t, 4, 30, 3)
	d.Response = "height"
	d.Weights = make([]float64, 30)
	for i := range d.Weights {
		d.Weights[i] = float64(i % 5)
	}
	d = get(d.Standardize(nil))(t)
	plain := randomDesign(t, 4, 30, 3)
	labels, many, counts := *plain, *plain, *plain
	labels.Classes, many.Classes = []string{"no", "yes"}, []string{"a", "b", "c"}
	labels.Y, many.Y, counts.X = make([]float64, 30), make([]float64, 30), mat.NewDense(30, 3, nil)
	for i := range labels.Y {
		labels.Y[i], many.Y[i] = float64(i*i%7%2), float64(i*i%11%3)
		counts.X.Set(i, i%3, 1)
	}
	counts.Y, counts.Classes = labels.Y, labels.Classes
	src := func() rand.Source { return rand.NewPCG(1, 2) }
	prior := GaussianPrior{Tau2: 1}
	ols, unweighted := get(FitOLS(d, nil))(t), get(FitOLS(plain, nil))(t)
	small := get(FitOLS(get(plain.Select(plain.Names[0]))(t), nil))(t)
	folds := get(KFold(30, 5, src()))(t)
	enumeration := get(EnumerateModels(d, BICScore{}, &EnumerateSettings{Average: true}))(t)
	surface := get(NewEvidenceSurface(d, nil))(t)
	bayes := get(FitBayes(d, prior, InverseGamma{Shape: 1, Scale: 1}, nil))(t)
	logistic := get(FitLogistic(&labels, nil))(t)
	quasi := labels
	quasi.Classes = nil
	unweighed := quasi
	unweighed.Weights = nil
	poisson := get(FitGLM(&unweighed, Poisson, nil))(t)
	naive := get(FitNaiveBayes(&counts, 1, nil))(t)
	impossible := counts
	impossible.X = mat.NewDense(30, 1, slices.Clone(counts.Y)) // never in one class, always in the other
	impossible.Names = counts.Names[:1]
	unsmoothed := get(FitNaiveBayes(&impossible, 0, nil))(t)
	posterior, _, _ := bayes.AsPrior()
	gauss := get(NewGaussian([]float64{1, 2}, mat.NewSymDense(2, []float64{2, 1, 1, 2})))(t)
	sixths := get(NewGrouping("sixth", []int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4}))(t)
	powers := get(NewPowers(2))(t)
	x := mat.Col(nil, 0, plain.X)
	coding := NewCoding([]CodedColumn{{"a", "1"}, {"b", ""}}, []TermGroup{{Name: "g", Terms: []string{"a", "b"}, Margins: []string{"h"}}}, "f 1", []byte("r"))
	return []any{
		coding, get(report.NewTable("title", report.TextColumn("a", "b"), report.NumberColumn("n", []float64{1.5}, 3)))(t),
		get(Expand(powers, plain.X.Slice(0, 30, 0, 1), plain.Y))(t), plain, d, ols, unweighted, folds, enumeration, surface, bayes, logistic, naive, gauss, powers,
		get(ols.Robust(d, HC3))(t), get(d.Moments())(t), get(FitBayes(d, prior, KnownVariance(1), nil))(t),
		get(enumeration.ModelAverage())(t), get(SampleModels(d, BICScore{}, src(), &SampleModelsSettings{Sweeps: 100, Average: true}))(t),
		get(CertifyModels(d, BICScore{}, src(), &CertifySettings{Nodes: 3, Proposals: 1000, Draws: 3}))(t),
		get(EnumerateModels(d, ZellnerG{G: 10}, nil))(t),
		get(FitBestSubsets(d, nil))(t), get(FitStepwise(d, nil))(t), get(FitGreedy(d, nil))(t),
		get(FitAbsorbed(absorbing(d)))(t), get(FitRidge(d, 1, nil))(t), get(FitRidgePath(d, nil))(t), get(FitPCR(d, 2, nil))(t),
		get(FitLasso(d, 1, nil))(t), get(FitElasticNetPath(d, 0.5, nil))(t), get(get(FitLARS(d, nil))(t).At(0.5))(t), get(FitLARS(d, nil))(t),
		get(FitRelaxedLasso(d, 1, 0.5, nil))(t), get(FitRelaxedLassoPath(d, 0.5, nil))(t), get(FitRelaxedLassoCV(d, folds, 0.5, nil, nil))(t),
		sixths, &GroupCoefs{Level: "sixth", Names: []string{"a"}, Terms: []string{"a"}, Rows: []GroupCoef{{"0", 6, []float64{1}, []float64{0.5}, []float64{0.2}}}},
		&GroupPredictive{Predictive: *get(bayes.Predictive(d, 0.9))(t), Seen: make([]string, 30)}, get(ShootingAlgorithm(d, 1, nil))(t),
		get(MomentFolds(get(plain.Rows(0, 1, 2, 3, 4, 5).Moments())(t), get(plain.Rows(6, 7, 8, 9, 10, 11).Moments())(t)))(t),
		get(FitLassoCV(d, folds, nil, nil))(t), get(FitElasticNetCV(d, 0.5, folds, nil, nil))(t), get(FitRidgeCV(d, folds, nil, nil))(t), get(FitLogisticCV(&labels, 1, get(StratifiedKFold(labels.Y, 3, src()))(t), nil, nil))(t),
		get(CrossValidate(plain, folds, func(train *Design) ([]*OLS, error) {
			f, err := FitOLS(train, nil)
			return []*OLS{f}, err
		}, nil))(t),
		get(FitLogisticPath(&labels, 1, nil))(t), get(FitLogisticElasticNet(&labels, 1, 1, nil))(t),
		get(FitMultinomialPath(&many, 0.5, nil))(t), get(FitMultinomialPath(&many, 1, nil))(t).Fit(50),
		get(FitMultinomialCV(&many, 1, folds, nil, nil))(t),
		get(FitBayesLogistic(&labels, prior, nil))(t), get(FitMultinomial(&many, nil))(t),
		get(FitGLM(&labels, Binomial, nil))(t), get(FitGLM(&quasi, QuasiPoisson, nil))(t),
		get(FitGLMPath(&quasi, Poisson, 1, nil))(t), get(FitGLMPath(&quasi, Binomial, 1, nil))(t).Fit(30),
		get(FitGLMCV(&quasi, Poisson, 1, get(KFold(30, 3, src()))(t), nil, nil))(t),
		get(FitBayesGLM(&quasi, Poisson, prior, nil))(t), get(poisson.Overdispersion(&unweighed))(t), get(poisson.Anova(&unweighed))(t), get(poisson.Frequencies(&unweighed, 2))(t),
		get(Laplace1D(func(x float64) float64 { return -x * x }, 1, nil))(t),
		get(surface.Path([]float64{1, 2}, KnownVariance(1)))(t), get(surface.Maximize(nil))(t),
		get(NewLinearGaussian(gauss, mat.NewDense(1, 2, []float64{1, 3}), nil, mat.NewSymDense(1, []float64{1})))(t),
		get(ols.Table(0.9))(t), get(ols.Anova())(t), get(CompareNested(small, unweighted))(t), get(ols.ConfInt(0.9))(t), newTTest(1.5, 9),
		get(ols.ConfidenceBand(d, 0.9))(t), FactsOf(ols), get(unweighted.Influence(plain))(t), get(VIF(d))(t), get(unweighted.BreuschPagan(plain))(t), get(unweighted.DurbinWatson(plain))(t),
		get(JarqueBera(x))(t), get(FilterTerms(d))(t), DescriptionLength(ols),
		get(CompareErrors(plain, []NamedFit{{Name: "all", Fit: unweighted}, {Name: "the same", Fit: unweighted}}))(t),
		get(CompareFamilies([]Family{{Name: "a", LogEvidence: -3}, {Name: "b", LogEvidence: -4}}))(t),
		get(ExpectedErrorAt(plain, plain, 1, 0))(t), get(bayes.Table(0.9))(t), get(bayes.Predictive(d, 0.9))(t),
		get(logistic.OddsRatios(0.9))(t), get(Confusion(logistic, &labels, 0.5))(t), get(ROC(logistic, &labels))(t),
		get(Calibration(logistic, &labels, 3))(t), get(unsmoothed.Culprits(&impossible, 0))(t), posterior, GaussianPrior{Cov: mat.NewDiagDense(2, []float64{1, 2})},
		get(naive.Informative("yes", 2))(t), get(naive.Explain(&counts, 0))(t),
		get(CrossValidateSizes(plain, folds, func(data Data) ([]SubsetModel, error) {
			f, err := FitBestSubsets(data, nil)
			if err != nil {
				return nil, err
			}
			return f.Models(), nil
		}))(t),
		get(NewBSpline(x, &SplineSettings{DF: 5}))(t), get(NewNaturalSpline(x, &SplineSettings{DF: 3}))(t),
		get(NewPoly(x, 2))(t), get(NewFourier(3, 2))(t), get(NewRBF(mat.NewDense(2, 1, []float64{1, 2}), 1))(t),
		get(NewRandomCosines(1, 3, 1, src()))(t),
		get(TestError(unweighted, plain, SquaredLoss))(t), get(CompareLosses(unweighted, small, plain, AbsoluteLoss))(t), get(TimeParts(10, 1, 0.5, 0.5))(t),
		get(CrossValidateNested(plain, folds, src(), chooseLasso, SquaredLoss, &NestedSettings{InnerFolds: 3}))(t), get(FitGreedyCV(plain, folds, nil, nil))(t),
		get(FitLearningCurve(plain, folds, func(train Data) (*OLS, error) { return FitOLS(train, nil) }))(t),
		get(RepeatCV(2, src(), func(src rand.Source) (*CV, error) {
			f, err := FitRidgeCV(plain, folds, nil, nil)
			return f.CV, err
		}))(t),
		get(NewWords([]string{"a b", "b c", "c c d", "d a"}, nil))(t),
	}
}

// Every result, as encoding/gob returns it, has the fields and says what it said
// before: all that methods without arguments return. Those results go through gob as
// well, and so on.
func TestResultsSurviveGob(t *testing.T) {
	tried := map[string]bool{}
	d := randomDesign(t, 1, 9, 2)
	line := get(NewLinear(d, []float64{1, 2, 3}, nil))(t) // whose stream is that of the state within
	roundTrip(t, reflect.ValueOf(&line), tried)
	for _, v := range gobResults(t) {
		for _, p := range structs(reflect.ValueOf(v)) {
			roundTrip(t, p, tried)
		}
	}
	for _, name := range resultTypes(t) {
		if !tried[name] {
			t.Errorf("%s is returned, and not tried: add one to gobResults", name)
		}
	}
}

// roundTrip sends what p points to through gob, and what its methods return, once
// of each type.
func roundTrip(t *testing.T, p reflect.Value, tried map[string]bool) {
	name := p.Type().Elem().Name()
	generic, _, _ := strings.Cut(name, "[") // Path[...] is tried for each of its fits
	tried[name], tried[generic] = true, true
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).EncodeValue(p); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	back := reflect.New(p.Type().Elem())
	if err := gob.NewDecoder(&buf).DecodeValue(back); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if why := differ(p, back, 0); why != "" {
		t.Errorf("%s after gob: %s", name, why)
	}
	for i := range p.NumMethod() {
		m := p.Type().Method(i)
		if m.Type.NumIn() > 1 || strings.HasPrefix(m.Name, "Gob") {
			continue
		}
		before, after := p.Method(i).Call(nil), back.Method(i).Call(nil)
		for k := range before {
			if why := differ(before[k], after[k], 0); why != "" {
				t.Errorf("%s.%s after gob: %s", name, m.Name, why)
			}
			for _, q := range structs(before[k]) {
				if !tried[q.Type().Elem().Name()] {
					roundTrip(t, q, tried)
				}
			}
		}
	}
}

// structs returns pointers to the structs of this package that a value is, holds
// in a slice, or has in exported fields.
func structs(v reflect.Value) []reflect.Value {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return structs(v.Elem())
		}
	case reflect.Slice:
		if v.Len() > 0 {
			return structs(v.Index(0))
		}
	case reflect.Struct:
		if v.Type().PkgPath() != reflect.TypeFor[OLS]().PkgPath() || !ast.IsExported(v.Type().Name()) {
			return nil
		}
		p := reflect.New(v.Type())
		p.Elem().Set(v)
		found := []reflect.Value{p}
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				found = append(found, structs(v.Field(i))...)
			}
		}
		return found
	}
	return nil
}

// differ returns where two values differ, "" if nowhere. A nil slice is an empty
// one, since gob stores both as nothing, and -0 is 0.
func differ(a, b reflect.Value, depth int) string {
	if a.IsValid() != b.IsValid() || a.IsValid() && a.Type() != b.Type() {
		return fmt.Sprintf("%v became %v", a, b)
	}
	if !a.IsValid() || depth > 20 {
		return ""
	}
	switch a.Kind() {
	case reflect.Pointer, reflect.Interface:
		if a.IsNil() != b.IsNil() {
			return fmt.Sprintf("%v became %v", a, b)
		}
		return differ(a.Elem(), b.Elem(), depth+1)
	case reflect.Struct:
		for i := range a.NumField() {
			if why := differ(a.Field(i), b.Field(i), depth+1); why != "" {
				return a.Type().Field(i).Name + ": " + why
			}
		}
	case reflect.Slice, reflect.Array:
		if a.Len() != b.Len() {
			return fmt.Sprintf("length %d became %d", a.Len(), b.Len())
		}
		for i := range a.Len() {
			if why := differ(a.Index(i), b.Index(i), depth+1); why != "" {
				return fmt.Sprintf("[%d]: %s", i, why)
			}
		}
	case reflect.Map:
		if a.Len() != b.Len() {
			return fmt.Sprintf("length %d became %d", a.Len(), b.Len())
		}
		for _, k := range a.MapKeys() {
			if why := differ(a.MapIndex(k), b.MapIndex(k), depth+1); why != "" {
				return fmt.Sprintf("[%v]: %s", k, why)
			}
		}
	case reflect.Float64:
		if x, y := a.Float(), b.Float(); x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
			return fmt.Sprintf("%v became %v", x, y)
		}
	case reflect.Func:
	default:
		if !a.Equal(b) {
			return fmt.Sprintf("%v became %v", a, b)
		}
	}
	return ""
}
