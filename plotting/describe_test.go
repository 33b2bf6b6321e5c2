package plotting

import (
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/assess"
	"github.com/regbook/regbook/mlreg/hier"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/mlreg/rlm"
	"github.com/regbook/regbook/mlreg/tsa"
)

// resultTypes returns the exported types of mlreg and of the packages beside it that its exported functions and
// methods return, but interfaces, settings and errors, by reading its source.
func resultTypes(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, folder := range []string{"mlreg", "mlreg/assess", "mlreg/hier", "mlreg/quantreg", "mlreg/rlm", "mlreg/tsa"} {
		names = append(names, resultTypesOf(t, folder)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// resultTypesOf returns those of one package.
func resultTypesOf(t *testing.T, folder string) []string {
	t.Helper()
	pkgs := get(parser.ParseDir(token.NewFileSet(), "../"+folder, func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0))(t)
	kinds, returned, generic := map[string]ast.Expr{}, map[string]bool{}, map[string]bool{}
	for _, file := range pkgs[path.Base(folder)].Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				kinds[n.Name.Name], generic[n.Name.Name] = n.Type, n.TypeParams != nil
			case *ast.FuncDecl:
				if n.Name.IsExported() && n.Type.Results != nil {
					for _, f := range n.Type.Results.List {
						if name := baseName(f.Type); ast.IsExported(name) {
							returned[name] = true
						}
					}
				}
				return false
			}
			return true
		})
	}
	var names []string
	for name := range returned {
		for alias, ok := kinds[name].(*ast.Ident); ok && ast.IsExported(alias.Name); alias, ok = kinds[name].(*ast.Ident) {
			name = alias.Name // LassoPath = ElasticNetPath
		}
		switch e := kinds[name].(type) {
		case nil:
			if row, ok := strings.CutPrefix(name, "Rows of "); ok && row != "" { // "" is of another package
				names = append(names, name, row)
			}
			continue // a parameter of a type
		case *ast.IndexExpr: // LogisticPath = Path[*SparseLogistic]
			name = baseName(e.X) + " of " + baseName(e.Index)
		case *ast.IndexListExpr:
			name = baseName(e.X) + " of " + baseName(e.Indices[len(e.Indices)-1])
		case *ast.StructType:
			if generic[name] {
				continue
			}
		}
		if _, ok := kinds[name].(*ast.InterfaceType); ok || strings.HasSuffix(name, "Settings") || strings.HasSuffix(name, "Error") {
			continue
		}
		names = append(names, name)
	}
	return names
}

// baseName is the name of a type of the package itself, behind pointers and slices.
func baseName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return baseName(e.X)
	case *ast.ArrayType:
		return baseName(e.Elt)
	case *ast.Ident:
		return e.Name
	case *ast.IndexExpr: // report.Rows[AnovaRow]
		if of, ok := e.X.(*ast.SelectorExpr); ok && of.Sel.Name == "Rows" {
			return "Rows of " + baseName(e.Index)
		}
	}
	return ""
}

// typeName is the name of a type, as "Path of Ridge" if it has a parameter.
func typeName(t reflect.Type) string {
	name, of, found := strings.Cut(t.Name(), "[")
	if found {
		name += " of " + strings.TrimRight(of[strings.LastIndex(of, ".")+1:], "]")
	}
	return name
}

// Names that a browser, a typesetter, a terminal or a reader of tables could take for
// something else.
var badNames = []string{"<script>", "a$b$|c", "two\nlines_\x1b[31m\x07\u202e"}

// hostileResults makes a result of every type, with hostile names in it.
func hostileResults(t *testing.T) map[string]any {
	t.Helper()
	results := map[string]any{}
	keep := func(values ...any) {
		if err, ok := values[len(values)-1].(error); ok {
			t.Fatal(err)
		}
		for _, v := range values {
			if v == nil || reflect.TypeOf(v).PkgPath() == "" && reflect.TypeOf(v).Kind() != reflect.Pointer {
				continue
			}
			name := typeName(reflect.Indirect(reflect.ValueOf(v)).Type())
			if _, ok := results[name]; !ok {
				results[name] = v
			}
			rv := reflect.ValueOf(v)
			if rv.Kind() == reflect.Slice {
				if rv.Len() == 0 {
					t.Fatalf("%s is empty", name)
				}
				row := rv.Index(0).Interface()
				if row := reflect.TypeOf(row); row.Name() != "" {
					results[row.Name()] = rv.Index(0).Interface()
				}
			}
		}
	}
	const n = 40
	src := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(n, 3, nil)
	var y, class []float64
	for i := range n {
		for j := range 3 {
			x.Set(i, j, src.NormFloat64())
		}
		y = append(y, 1+2*x.At(i, 0)-x.At(i, 1)+src.NormFloat64())
		class = append(class, float64(src.IntN(2)))
	}
	d := get(mlreg.NewDesign(x, y, badNames...))(t)
	d.Response = badNames[0]
	labels, many, words := *d, *d, *d
	labels.Y, labels.Classes = class, badNames[:2]
	many.Y, many.Classes = make([]float64, n), badNames
	for i := range n {
		many.Y[i] = float64(i % 3)
	}
	presence := get(labels.Presence(0))(t)
	words.Y = nil
	scaled := get(d.Standardize(nil))(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	folds := get(mlreg.KFold(n, 5, rand.NewPCG(3, 4)))(t)
	keep(d, scaled.Scaling, ols, folds, ols.F())
	keep(d.Moments())
	absorbing := *d
	absorbing.Absorb = badNames[0]
	for i := range n {
		absorbing.Levels = append(absorbing.Levels, badNames[i%len(badNames)])
	}
	absorbed := get(mlreg.FitAbsorbed(&absorbing))(t)
	keep(absorbed, absorbed.Effects())
	keep(ols.Table(0.95))
	keep(ols.ConfInt(0.95))
	keep(ols.Anova())
	keep(ols.Influence(d))
	keep(ols.ConfidenceBand(d, 0.9))
	keep(ols.Robust(d, mlreg.HC3))
	keep(ols.BreuschPagan(d))
	keep(ols.DurbinWatson(d))
	keep(mlreg.TTest{Stat: -1.2, DF: 9, P: 0.26}, nil)
	keep(mlreg.JarqueBera(y))
	fewer := get(d.Select(badNames[:2]...))(t)
	small := get(mlreg.FitOLS(fewer, nil))(t)
	keep(mlreg.CompareNested(small, ols))
	coding := mlreg.NewCoding([]mlreg.CodedColumn{{Name: badNames[0]}, {Name: badNames[1], Fingerprint: "00"}},
		[]mlreg.TermGroup{{Name: badNames[2], Terms: badNames[:2]}}, "test 1", nil)
	keep(coding, coding.Groups())
	keep(mlreg.VIF(d))
	keep(mlreg.DescriptionLength(ols), mlreg.HC3)
	keep(mlreg.ExpectedErrorPath(d, y, 1))
	keep(mlreg.FilterTerms(d))
	keep(mlreg.FitRidge(d, 1, nil))
	keep(mlreg.FitRidgePath(d, nil))
	keep(mlreg.FitRidgeCV(d, folds, nil, nil))
	keep(mlreg.FitLasso(d, 1, nil))
	keep(mlreg.FitLassoPath(d, nil))
	lasso := get(mlreg.FitLassoCV(d, folds, nil, nil))(t)
	keep(lasso, lasso.CV)
	keep(quantreg.Fit(d, 0.3, nil))
	lad := get(quantreg.FitLAD(d, nil))(t)
	keep(lad)
	keep(lad.Inference(d, quantreg.SameDensity))
	keep(lad.Certify(d))
	keep(quantreg.FitQuantiles(d, []float64{0.3, 0.6}, nil))
	keep(quantreg.FitPath(d, 0.5, nil))
	keep(report.Rows[quantreg.Crossing]{{Row: 1, Lower: 0.3, Upper: 0.6, AtLower: 2, AtUpper: 1}}, nil)
	keep(rlm.Psi{Kind: rlm.BisquarePsi}, nil)
	keep(rlm.TukeyM, nil)
	keep(quantreg.PowellKernel, nil)
	memberOf := make([]string, n) // four groups, with the names
	for i := range memberOf {
		memberOf[i] = append([]string{"plain"}, badNames...)[i%4]
	}
	groups := get(mlreg.NewGrouping(badNames[0], memberOf))(t)
	intercept := []mlreg.Varying{{Terms: []string{mlreg.InterceptName}}}
	multi := get(hier.Fit(d, groups, &hier.Settings{Varying: intercept}))(t)
	keep(groups, multi, multi.Variances())
	keep(multi.GroupCoefs(""))
	keep(multi.PredictGroups(d, groups, 0.9))
	keep(hier.TestVariance(d, groups, &hier.Settings{Varying: intercept}, "", mlreg.InterceptName))
	keep(hier.FitVariancePosterior(d, groups, &hier.Settings{Sigma2: 1, Varying: intercept}, nil))
	keep(hier.FitMAP(d, groups, 1, []float64{1}, nil))
	keep(hier.CrossValidate(d, groups, folds, 1, nil))
	keep(rlm.Fit(d, nil))
	keep(rlm.FitStudent(d, nil))
	keep(mlreg.FitRelaxedLasso(d, 1, 0.5, nil))
	keep(mlreg.FitRelaxedLassoPath(d, 0.5, nil))
	keep(mlreg.FitRelaxedLassoCV(d, folds, 0.5, nil, nil))
	keep(mlreg.FitLARS(d, nil))
	keep(mlreg.FitPCR(d, 2, nil))
	keep(mlreg.ShootingAlgorithm(d, 1, nil))
	stepwise := get(mlreg.FitStepwise(d, nil))(t)
	greedy := get(mlreg.FitGreedy(d, nil))(t)
	subsets := get(mlreg.FitBestSubsets(d, nil))(t)
	keep(stepwise, stepwise.Steps(), stepwise.Direction(), stepwise.Criterion(), greedy, greedy.Steps(), subsets, subsets.Models())
	keep(mlreg.TestError(small, d, mlreg.SquaredLoss))
	keep(mlreg.CompareLosses(small, ols, d, mlreg.AbsoluteLoss))
	boot := get(assess.BootstrapOLS(d, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 40}))(t)
	boot.Failures = []assess.BootstrapFailure{{Reason: badNames[0], Count: 3}}
	keep(boot, boot.Warnings(), boot.Failures[0])
	keep(boot.Table(assess.Percentile, 0.9))
	keep(assess.BootstrapError(d, func(d *mlreg.Design) (any, error) { return mlreg.FitOLS(d, nil) }, mlreg.SquaredLoss, rand.NewPCG(1, 2), &assess.BootstrapSettings{B: 20}))
	keep(assess.NewEDF(d.Y))
	keep(assess.JackknifePlus(ols, d, d, 0.8))
	keep(mlreg.TimeParts(20, 1, 0.5, 0.5))
	keep(mlreg.FitGreedyCV(d, folds, nil, nil))
	keep(mlreg.FitLearningCurve(d, folds, func(train mlreg.Data) (*mlreg.OLS, error) { return mlreg.FitOLS(train, nil) }))
	keep(mlreg.CrossValidateNested(d, folds, rand.NewPCG(1, 2), func(train *mlreg.Design, inner *mlreg.Folds) (mlreg.Chosen, error) {
		return mlreg.FitRidgeCV(train, inner, nil, nil)
	}, mlreg.SquaredLoss, &mlreg.NestedSettings{InnerFolds: 3}))
	keep(mlreg.RepeatCV(2, rand.NewPCG(1, 2), func(rand.Source) (*mlreg.CV, error) {
		ridge, err := mlreg.FitRidgeCV(d, folds, nil, nil)
		return ridge.CV, err
	}))
	keep(mlreg.CrossValidateSizes(d, folds, func(data mlreg.Data) ([]mlreg.SubsetModel, error) {
		best, err := mlreg.FitBestSubsets(data, nil)
		return best.Models(), err
	}))
	models := get(mlreg.EnumerateModels(d, mlreg.BICScore{}, &mlreg.EnumerateSettings{Average: true, Sets: [][]string{d.Names[:2]}}))(t)
	keep(models, models.Best(), models.InclusionTable(), models.TermSets())
	keep(models.ModelAverage())
	certified := get(mlreg.CertifyModels(d, mlreg.BICScore{}, rand.NewPCG(5, 6), &mlreg.CertifySettings{Nodes: 3, Proposals: 1000}))(t)
	keep(certified, certified.Evidence(), certified.Best()[0])
	keep(mlreg.SampleModels(d, mlreg.BICScore{}, rand.NewPCG(5, 6), &mlreg.SampleModelsSettings{Sweeps: 50, Average: true}))
	bayes := get(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: 1}, mlreg.InverseGamma{}, nil))(t)
	keep(mlreg.FactsOf(bayes))
	prior, _, _ := bayes.AsPrior()
	keep(bayes, prior, bayes.NoisePosterior(), mlreg.KnownVariance(1))
	keep(bayes.Table(0.9))
	keep(bayes.Predictive(d, 0.9))
	surface := get(mlreg.NewEvidenceSurface(d, nil))(t)
	keep(surface)
	keep(surface.Maximize(nil))
	keep(surface.Path([]float64{0.1, 1, 10}, mlreg.KnownVariance(1)))
	keep(mlreg.CompareFamilies([]mlreg.Family{{Name: badNames[2], LogEvidence: -1}}))
	gauss := get(mlreg.NewGaussian([]float64{0, 1}, mat.NewSymDense(2, []float64{2, 1, 1, 2})))(t)
	keep(gauss)
	keep(mlreg.NewLinearGaussian(gauss, mat.NewDense(1, 2, []float64{1, 2}), nil, mat.NewSymDense(1, []float64{1})))
	keep(mlreg.Laplace1D(func(x float64) float64 { return -x * x }, 1, nil))
	logistic := get(mlreg.FitLogistic(&labels, nil))(t)
	keep(logistic)
	keep(logistic.OddsRatios(0.95))
	keep(mlreg.FitLogisticPath(&labels, 1, nil))
	keep(mlreg.FitLogisticCV(&labels, 1, folds, nil, nil))
	keep(mlreg.FitLogisticElasticNet(&labels, 1, 1, nil))
	keep(mlreg.FitBayesLogistic(&labels, mlreg.GaussianPrior{Tau2: 1}, nil))
	keep(mlreg.FitMultinomial(&many, nil))
	multinomial, err := mlreg.FitMultinomialPath(&many, 1, nil)
	keep(multinomial, err)
	keep(multinomial.Fit(50), nil)
	keep(mlreg.FitMultinomialCV(&many, 1, folds, nil, nil))
	keep(mlreg.Confusion(logistic, &labels, 0))
	keep(mlreg.ROC(logistic, &labels))
	keep(mlreg.Calibration(logistic, &labels, 4))
	bayesian := get(mlreg.FitNaiveBayes(presence, 1, nil))(t)
	keep(bayesian, report.Rows[mlreg.Culprit]{{Class: badNames[0], Term: badNames[1]}})
	keep(bayesian.Informative(badNames[1], 3))
	keep(bayesian.Explain(presence, 0))
	column := mat.Col(nil, 0, x)
	powers := get(mlreg.NewPowers(3))(t)
	keep(powers)
	keep(mlreg.NewPoly(column, 3))
	keep(mlreg.NewBSpline(column, nil))
	keep(mlreg.NewNaturalSpline(column, nil))
	keep(mlreg.NewFourier(12, 2))
	keep(mlreg.NewRBF(mat.NewDense(2, 1, []float64{0, 1}), 1))
	keep(mlreg.NewRandomCosines(2, 40, 1, rand.NewPCG(7, 8)))
	keep(mlreg.NewWords([]string{"one two", "two three", "four"}, &mlreg.WordsSettings{MinCount: 1}))
	keep(report.NewTable(badNames[0], report.TextColumn(badNames[1], badNames...)))
	keep(mlreg.CompareErrors(d, []mlreg.NamedFit{{Name: badNames[0], Fit: ols}}))
	keep(assess.NewLadder(0))
	keep(assess.SelectionStability(d, func(*mlreg.Design, rand.Source) ([]string, error) { return d.Names[:1], nil }, rand.NewPCG(1, 2), nil))
	recording := get(tsa.NewSeries(x, badNames...))(t)
	lags := get(tsa.NewLags(recording, 2, nil))(t)
	auto := get(mlreg.FitOLS(lags, nil))(t)
	keep(recording, lags, lags.ByLag(), tsa.CalendarMonths)
	keep(tsa.FitLagOrders(lags, nil))
	keep(lags.Forecast(auto, 2, &tsa.ForecastSettings{Future: recording}))
	backtest := get(tsa.BacktestLags[*mlreg.OLS](lags, nil, &tsa.BacktestSettings{KnownFuture: true}))(t)
	keep(backtest, backtest.Errors())
	keep(tsa.ACF(y, 4))
	keep(tsa.Periodogram(y))
	keep(tsa.ARRoots([]float64{1.5, -0.9}))
	keep(tsa.GrangerTest(lags, auto))
	keep(tsa.LjungBox(y, 4, 0))
	counts := labels
	counts.Classes = nil
	poisson := get(mlreg.FitGLM(&counts, mlreg.Poisson, nil))(t)
	keep(poisson, poisson.Family(), poisson.Link())
	keep(poisson.Anova(&counts))
	keep(poisson.Overdispersion(&counts))
	keep(poisson.Frequencies(&counts, 0))
	keep(mlreg.FitGLMPath(&counts, mlreg.Poisson, 1, nil))
	keep(mlreg.FitGLMCV(&counts, mlreg.Poisson, 1, folds, nil, nil))
	sparse := get(mlreg.FitGLMPath(&counts, mlreg.Poisson, 1, nil))(t)
	keep(sparse.Fit(10))
	keep(mlreg.FitBayesGLM(&counts, mlreg.Poisson, mlreg.GaussianPrior{Tau2: 1}, nil))
	keep(assess.NewThresholdout(d, d, 3, rand.NewPCG(1, 2), nil))
	return results
}

// Every type that a function or a method of mlreg returns is shown by Show and by
// fmt.Println, which write the same, and every form of its table keeps hostile names
// from doing anything but stand there.
func TestEveryResultDescribesItself(t *testing.T) {
	results := hostileResults(t)
	record(t)
	for _, name := range resultTypes(t) {
		v, ok := results[name]
		switch {
		case slices.Contains([]string{"Column", "Linear", "LikelihoodModel"}, name): // parts of tables and of fits
			continue
		case !ok:
			t.Errorf("there is no %s to show", name)
			continue
		}
		got := record(t)
		if err := Display(v); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text := strings.TrimRight((*got)[0].Text, "\n"); text != strings.TrimRight(fmt.Sprint(v), "\n") {
			t.Errorf("%s: Show displays\n%s\nfmt.Println\n%v", name, text, v)
		}
		table := report.Describe(v)
		if table == nil {
			if reflect.TypeOf(v).Kind() != reflect.Int { // a constant, which has a name
				t.Errorf("%s does not describe itself", name)
			}
			continue
		}
		checkForms(t, name, table)
		if reflect.TypeOf(v).Kind() == reflect.Struct && !strings.HasSuffix(name, "Test") && table.Line == "" {
			rows := reflect.MakeSlice(reflect.SliceOf(reflect.TypeOf(v)), 2, 2)
			rows.Index(0).Set(reflect.ValueOf(v))
			rows.Index(1).Set(reflect.ValueOf(v))
			if both := report.Describe(rows.Interface()); both == nil || len(both.Columns[0].Cells) != 2*len(table.Columns[0].Cells) {
				t.Errorf("a slice of %s is shown as %v", name, both)
			}
		}
	}
}

// checkForms reads the forms of a table.
func checkForms(t *testing.T, name string, table *report.Table) {
	t.Helper()
	if err := table.Check(); err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	forms := map[string]string{"text": table.String(), "HTML": table.HTML(), "Markdown": table.Markdown(), "LaTeX": table.LaTeX()}
	for form, text := range forms {
		if strings.ContainsAny(text, "\x1b\x07\u202e\t\r") || strings.Contains(text, "NaN") || strings.Contains(text, "%!") {
			t.Errorf("%s: %s is\n%s", name, form, text)
		}
		if form != "text" && strings.Contains(text, "<script>") {
			t.Errorf("%s: %s has an element of a name:\n%s", name, form, text)
		}
	}
	decoder := xml.NewDecoder(strings.NewReader(table.HTML()))
	for err := error(nil); err != io.EOF; {
		if _, err = decoder.Token(); err != nil && err != io.EOF {
			t.Errorf("%s: %v in\n%s", name, err, table.HTML())
			return
		}
	}
	records, err := csv.NewReader(strings.NewReader(table.CSV())).ReadAll()
	if err != nil || len(records) != 1+len(table.Columns[0].Cells) {
		t.Errorf("%s: %d records, %v in\n%s", name, len(records), err, table.CSV())
	}
}
