package main

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/try"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
	"github.com/regbook/regbook/mlreg/quantreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/mlreg/rlm"
	"github.com/regbook/regbook/plotting"
)

// A play is a fit of the playground: what data, which formula, what method.
type play struct {
	Data    string  `json:"data"` // a data set of the course; empty for a file
	File    string  `json:"file"` // the file's name
	CSV     string  `json:"csv"`  // its text
	Raw     []byte  `json:"raw"`  // its bytes, in place of the text
	Held    bool    `json:"held"` // whether it has the bytes that hold was called with, instead
	Read    reading `json:"read"`
	Formula string  `json:"formula"`
	Method  string  `json:"method"` // a key of methods
	Class   string  `json:"class"`  // of the response, whose probability logistic regression gives; empty for the last
	Tau     float64 `json:"tau"`    // of quantile regression; 0 for the median
	New     string  `json:"new"`    // rows to predict, as CSV
}

// A part is a figure or a table of the answer.
type part struct {
	Title string `json:"title"`
	Text  string `json:"text"`
	SVG   string `json:"svg,omitempty"`
	HTML  string `json:"html,omitempty"`
	CSV   string `json:"csv,omitempty"`
	LaTeX string `json:"latex,omitempty"`
}

// most is the number of candidates of which all models are enumerated in a browser.
const most = 20

// A courseData is a data set of the course that is a regression's.
type courseData struct {
	load    func() dataframe.DataFrame
	call    string // that loads it
	formula string // that suits it
}

// courses are the data sets that the playground offers, by the names that datasets.About takes.
var courses = map[string]courseData{
	"prostate":    {datasets.Prostate, "datasets.Prostate()", "lpsa ~ . - train"},
	"diabetes":    {datasets.Diabetes, "datasets.Diabetes()", "progression ~ ."},
	"caterpillar": {datasets.Caterpillar, "datasets.Caterpillar()", "y ~ ."},
	"longley":     {datasets.Longley, "datasets.Longley()", "Employed ~ ."},
	"airquality":  {datasets.AirQuality, "datasets.AirQuality()", "log(Ozone) ~ poly(Temp, 2) + Wind + Solar"},
	"exam":        {datasets.Exam, "datasets.Exam()", "normexam ~ standLRT + sex + schgend"},
	"spambase":    {datasets.Spambase, "datasets.Spambase()", "type ~ remove + free + money + george + hp"},
}

// held has the bytes of a file, and how it was read last: a page sends a large file once.
var held struct {
	bytes []byte
	told  string // the reading asked for
	file  *file
}

// hold keeps a file for requests that say so.
func hold(b []byte) { held.bytes, held.file = b, nil }

// file reads the reader's own file.
func (p *play) file() (*file, error) {
	if !p.Held {
		return readFile(append([]byte(p.CSV), p.Raw...), p.Read)
	}
	if held.bytes == nil {
		return nil, errors.New("the file is not here: choose it again")
	}
	if told := fmt.Sprintf("%+v", p.Read); held.file == nil || held.told != told {
		f, err := readFile(held.bytes, p.Read)
		if err != nil {
			return nil, err
		}
		held.file, held.told = f, told
	}
	return held.file, nil
}

// frame reads the data, with what is to be said about them, the call that reads them, and of a file how it was read.
func (p *play) frame() (df dataframe.DataFrame, says, call string, as *file) {
	if p.Data != "" {
		c, ok := courses[p.Data]
		if !ok {
			try.Fail(fmt.Errorf("there is no data set %q", p.Data))
		}
		df = c.load()
		return df, try.Get(frames.Info(df)), c.call, nil
	}
	f := try.Get(p.file())
	return f.csv.Frame, fields.Replace(f.csv.Report.String()), fmt.Sprintf("must.M1(frames.ReadCSV(%q, %s)).Frame", p.File, f.code), f
}

// mostDescribed is the number of columns that are described.
const mostDescribed = 100

// A preview is the beginning of the data, with the types of the columns.
type preview struct {
	Names []string   `json:"names"`
	Types []string   `json:"types"`
	Rows  [][]string `json:"rows"`
	Total int        `json:"total"` // number of rows
}

// mostShown is the number of rows of a preview.
const mostShown = 1000

func previewOf(df dataframe.DataFrame) *preview {
	v := &preview{Names: df.Names(), Total: df.Nrow()}
	for _, t := range df.Types() {
		v.Types = append(v.Types, map[series.Type]string{series.Int: "whole number", series.Float: "number", series.Bool: "true or false", series.String: "text"}[t])
	}
	n := min(mostShown, df.Nrow())
	v.Rows = make([][]string, n)
	for _, name := range v.Names {
		column := df.Col(name)
		for i := range n {
			cell := column.Elem(i).String()
			if column.Type() == series.Float {
				if x := column.Elem(i).Float(); !math.IsNaN(x) {
					cell = strconv.FormatFloat(x, 'g', 10, 64)
				}
			}
			v.Rows[i] = append(v.Rows[i], cell)
		}
	}
	return v
}

// columns answers with the columns and what there is to say about them, and how a file was read.
func (a *answer) columns(p *play) {
	df, says, _, as := p.frame()
	a.Columns, a.Preview = df.Names(), previewOf(df)
	if as != nil {
		a.Read = &as.reading
	}
	a.show("The columns", says)
	description := try.Get(frames.Describe(df))
	table, err := plotting.Head(description, min(mostDescribed, description.Nrow()))
	a.show("Description", table, err)
}

// A session fits, and writes down the cell that does the same in a notebook.
type session struct {
	*answer
	play     *play
	df       dataframe.DataFrame
	as       *file // of a file of the reader's own
	formula  string
	d        *mlreg.Design
	progress func(done, total float64) error
	code     strings.Builder

	chosenInR, formulaInR string // what chooseClass does, in R
}

func (s *session) line(format string, args ...any) { fmt.Fprintf(&s.code, format+"\n", args...) }

// A method fits, and says what it can do in a page.
type method struct {
	fit func(*session) frames.Predictor
	// rows is the most rows that it takes in a page, 0 if any number will do.
	rows int
}

var methods map[string]method

func init() {
	methods = map[string]method{
		"ols": {fit: (*session).ols}, "robust": {fit: (*session).robustErrors}, "logistic": {fit: (*session).logistic}, "poisson": {fit: (*session).poisson},
		"ridge": {(*session).ridge, 50_000}, "lasso": {(*session).lasso, 50_000}, "bayes": {(*session).bayes, 50_000}, "models": {(*session).models, 100_000},
		"quantile": {(*session).quantile, 20_000}, "mm": {(*session).mm, 10_000}, "groups": {(*session).groups, 20_000},
	}
}

// fit answers with the summary and the figures of a fit.
func (a *answer) fit(p *play, progress func(done, total float64) error) {
	m, ok := methods[p.Method]
	if !ok {
		try.Fail(fmt.Errorf("there is no method %q", p.Method))
	}
	df, _, call, as := p.frame()
	if m.rows > 0 && df.Nrow() > m.rows {
		try.Fail(fmt.Errorf("this method takes at most %d rows in a page, and the data have %d: least squares, logistic and Poisson regression take any number; in a notebook this one does, too", m.rows, df.Nrow()))
	}
	s := &session{answer: a, play: p, df: df, as: as, progress: progress, formula: p.Formula}
	s.line("%%%%")
	s.line("df := %s", call)
	var f frames.Predictor
	err := try.Do(func() {
		if p.Method != "groups" {
			s.design()
		}
		f = m.fit(s)
	})
	if err != nil {
		try.Fail(inFields(err))
	}
	if strings.TrimSpace(p.New) != "" {
		s.predict(f)
	}
	a.Code, a.InR = s.code.String(), s.inR()
}

// design makes the design of the formula.
func (s *session) design() {
	if strings.Contains(s.formula, "|") && strings.Contains(s.formula, "(") {
		try.Fail(errors.New("a term such as (1 | g) is of the method \"Hierarchy\": choose it"))
	}
	s.chooseClass()
	s.d = try.Get(frames.Design(s.df, s.formula))
	s.line("d := must.M1(frames.Design(df, %q))", s.formula)
}

// mostClasses is the number of values of a response of which one can be chosen.
const mostClasses = 200

// chooseClass makes the class chosen the one whose probability is fitted: of two the second, of more one against
// all others.
func (s *session) chooseClass() {
	if s.play.Class == "" || s.play.Method != "logistic" {
		return
	}
	name, rest, ok := strings.Cut(s.formula, "~")
	name = strings.Trim(strings.TrimSpace(name), "`")
	if !ok || !slices.Contains(s.df.Names(), name) {
		try.Fail(fmt.Errorf("a class is chosen of a response that is a column, and %q is none", strings.TrimSpace(name)))
	}
	var values []string
	column := s.df.Col(name)
	for i := range column.Len() {
		if v := column.Elem(i).String(); !column.Elem(i).IsNA() && !slices.Contains(values, v) {
			if values = append(values, v); len(values) > mostClasses {
				try.Fail(fmt.Errorf("%s has more than %d values: it is no class", name, mostClasses))
			}
		}
	}
	k := slices.Index(values, s.play.Class)
	if k < 0 {
		slices.Sort(values)
		try.Fail(fmt.Errorf("%s has no class %q: it has %s", name, s.play.Class, strings.Join(values[:min(10, len(values))], ", ")))
	}
	quoted := "`" + name + "`"
	if len(values) == 2 {
		s.formula = fmt.Sprintf("factor(%s, ref = %q) ~%s", quoted, values[1-k], rest)
		s.chosenInR, s.formulaInR = fmt.Sprintf("df[[%q]] <- relevel(factor(df[[%[1]q]]), ref = %q)", name, values[1-k]), s.play.Formula
		return
	}
	constant := fmt.Sprintf("%q", s.play.Class)
	if column.Type() != series.String {
		constant = s.play.Class
	}
	chosen := name + " is " + s.play.Class
	df := try.Get(frames.With(s.df, fmt.Sprintf("`%s` = %s == %s", chosen, quoted, constant)))
	s.line("df = must.M1(frames.With(df, %q))", fmt.Sprintf("`%s` = %s == %s", chosen, quoted, constant))
	if strings.TrimSpace(rest) == "." {
		rest = " . - " + quoted
	}
	s.df, s.formula = df, fmt.Sprintf("`%s` ~%s", chosen, rest)
	s.chosenInR, s.formulaInR = fmt.Sprintf("df[[%q]] <- df[[%q]] == %s", chosen, name, constant), s.formula
}

// show adds a value as plotting.Show displays it, a figure as SVG.
func (a *answer) show(title string, value any, errs ...error) {
	if err := errors.Join(errs...); err != nil {
		try.Fail(fmt.Errorf("%s: %w", title, err))
	}
	p := part{Title: title}
	if drawn, ok := value.(*plot.Plot); ok {
		value = plotting.Grid(1, drawn)
	}
	switch v := value.(type) {
	case *plotting.Figure:
		svg := try.Get(v.SVG())
		p.SVG, p.Text = string(svg), "Figure: "+v.Description()
	case string:
		p.Text = v
	default:
		t := try.Get(tableOf(value))
		p.Text, p.HTML, p.CSV, p.LaTeX = t.String(), t.HTML(), t.CSV(), t.LaTeX()
	}
	a.Parts = append(a.Parts, p)
}

func tableOf(value any) (*report.Table, error) {
	if df, ok := value.(dataframe.DataFrame); ok {
		return plotting.Head(df, 0)
	}
	if t := report.Describe(value); t != nil {
		return t, nil
	}
	return nil, fmt.Errorf("a %T has no table", value)
}

// drawn shows a figure, and writes its call down.
func drawn[F *plot.Plot | *plotting.Figure](s *session, title, call string, figure F, err error) {
	s.line("plotting.Show(%s)", call)
	s.show(title, figure, err)
}

func (s *session) ols() frames.Predictor {
	ols := try.Get(mlreg.FitOLS(s.d, nil))
	s.line("ols := must.M1(mlreg.FitOLS(d, nil))\nplotting.Show(ols)")
	s.show("Least squares", ols)
	fig, err := plotting.CoefPlot(ols, 0.95, nil)
	drawn(s, "Coefficients with limits", "plotting.CoefPlot(ols, 0.95, nil)", fig, err)
	fig, err = plotting.Diagnostics(ols, s.d, nil)
	drawn(s, "Diagnostics", "plotting.Diagnostics(ols, d, nil)", fig, err)
	s.effects(ols, "ols")
	return ols
}

// robustErrors is least squares with standard errors that stay right when the noise is louder at some rows.
func (s *session) robustErrors() frames.Predictor {
	ols := try.Get(mlreg.FitOLS(s.d, nil))
	robust, err := ols.Robust(s.d, mlreg.HC3)
	s.line("ols := must.M1(mlreg.FitOLS(d, nil))\nrobust := must.M1(ols.Robust(d, mlreg.HC3))\nplotting.Show(robust)")
	s.show("Least squares, robust standard errors (HC3)", robust, err)
	fig, err := plotting.CoefPlot(robust, 0.95, nil)
	drawn(s, "Coefficients with limits", "plotting.CoefPlot(robust, 0.95, nil)", fig, err)
	s.effects(robust, "robust")
	return robust
}

func (s *session) poisson() frames.Predictor {
	fit := try.Get(mlreg.FitGLM(s.d, mlreg.Poisson, nil))
	s.line("fit := must.M1(mlreg.FitGLM(d, mlreg.Poisson, nil))\nplotting.Show(fit)")
	s.show("Poisson regression", fit)
	p, err := plotting.CoefPlot(fit, 0.95, nil)
	drawn(s, "Coefficients with limits", "plotting.CoefPlot(fit, 0.95, nil)", p, err)
	s.effects(fit, "fit")
	return fit
}

func (s *session) tau() float64 { return cmp.Or(s.play.Tau, 0.5) }

func (s *session) quantile() frames.Predictor {
	tau := s.tau()
	fit, err := quantreg.Fit(s.d, tau, nil)
	s.line("fit := must.M1(quantreg.Fit(d, %g, nil))\nplotting.Show(fit)", tau)
	s.show(fmt.Sprintf("Quantile regression, %g of the responses below", tau), fit, err)
	return fit
}

func (s *session) mm() frames.Predictor {
	fit := try.Get(rlm.Fit(s.d, nil))
	s.line("fit := must.M1(rlm.Fit(d, nil))\nplotting.Show(fit)")
	s.show("Robust regression, an MM-estimate", fit)
	p, err := plotting.CoefPlot(fit, 0.95, nil)
	drawn(s, "Coefficients with limits", "plotting.CoefPlot(fit, 0.95, nil)", p, err)
	return fit
}

// groups fits a hierarchy; its formula has a term such as (1 | school).
func (s *session) groups() frames.Predictor {
	if !strings.Contains(s.formula, "|") {
		try.Fail(errors.New("a hierarchy has a term such as (1 | g), where g is the column of the groups: y ~ x + (1 | g)"))
	}
	h := try.Get(frames.GroupedDesign(s.df, s.formula))
	s.d = h.Design
	fit, err := hier.Fit(h.Design, h.Groups, hier.For(h, nil))
	s.line("h := must.M1(frames.GroupedDesign(df, %q))\nfit := must.M1(hier.Fit(h.Design, h.Groups, hier.For(h, nil)))\nplotting.Show(fit)", s.formula)
	s.show("Hierarchy", fit, err)
	return fit
}

// inUnits shows the coefficients of a fit to standardized columns beside those of the columns in their own units.
func (s *session) inUnits(fit interface {
	Intercept() float64
	Slopes() []float64
}) {
	scaled := fit.Slopes()
	names, raw := []string{"(Intercept)"}, []float64{fit.Intercept()}
	beside := []float64{fit.Intercept()}
	for j, b := range scaled {
		names, beside = append(names, s.d.Names[j]), append(beside, b)
		raw = append(raw, b/s.d.Scaling.Scale[j])
		raw[0] -= b * s.d.Scaling.Center[j] / s.d.Scaling.Scale[j]
	}
	t, err := report.NewTable("Coefficients in the units of the data", report.TextColumn("term", names...),
		report.NumberColumn("per unit", raw, 5), report.NumberColumn("per standard deviation", beside, 5))
	s.show("Coefficients in the units of the data", t, err)
}

// mostEffects is the number of variables whose effects are drawn.
const mostEffects = 6

// mostDots is the number of rows up to which a figure has a dot for every row.
const mostDots = 2000

// effects draws what the variables of the formula do to the fit, the first of them.
func (s *session) effects(fit frames.Predictor, name string) {
	wald, ok := fit.(frames.Wald)
	if !ok {
		return
	}
	all, err := frames.AllEffects(wald, s.df, 0.95, nil)
	if err != nil {
		s.show("Effects", "There are none to draw: "+inFields(err).Error())
		return
	}
	for _, e := range all[:min(mostEffects, len(all))] {
		if len(e.Points.Y) > mostDots { // a dot for every row would take minutes, and show nothing
			e.Points = frames.EffectPoints{}
		}
		p, err := plotting.Effect(e)
		call := fmt.Sprintf("plotting.Effect(must.M1(frames.Effects(%s, df, %q, 0.95, nil)))", name, e.Over)
		drawn(s, "Effect of "+e.Over, call, p, err)
	}
}

// standardize and fold prepare a cross-validated path.
func (s *session) standardize() {
	s.line("d = must.M1(d.Standardize(nil))")
	s.d = try.Get(s.d.Standardize(nil))
}

func (s *session) folds() *mlreg.Folds {
	k := min(10, s.d.NObs())
	s.line("folds := must.M1(mlreg.KFold(d.NObs(), %d, rand.NewPCG(1, 2)))", k)
	return try.Get(mlreg.KFold(s.d.NObs(), k, rand.NewPCG(1, 2)))
}

func (s *session) ridge() frames.Predictor {
	s.standardize()
	cv := try.Get(mlreg.FitRidgeCV(s.d, s.folds(), nil, &mlreg.CVSettings{Progress: s.progress}))
	s.line("cv := must.M1(mlreg.FitRidgeCV(d, folds, nil, nil))\nplotting.Show(cv.FitMin())")
	s.show("Ridge regression, least error of cross-validation", cv.FitMin())
	s.inUnits(cv.FitMin())
	s.validated(cv, cv.Path)
	return cv.FitMin()
}

func (s *session) lasso() frames.Predictor {
	s.standardize()
	cv := try.Get(mlreg.FitLassoCV(s.d, s.folds(), nil, &mlreg.CVSettings{Progress: s.progress}))
	s.line("cv := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))\nplotting.Show(cv.FitOneSE())")
	s.show("Lasso, one standard error from the least error", cv.FitOneSE())
	s.inUnits(cv.FitOneSE())
	s.validated(cv, cv.Path)
	return cv.FitOneSE()
}

// validated draws a cross-validation and its path.
func (s *session) validated(cv plotting.Validated, path plotting.Path) {
	p, err := plotting.CVCurve(cv, nil)
	drawn(s, "Cross-validation", "plotting.CVCurve(cv, nil)", p, err)
	p, err = plotting.CoefficientPaths(path, nil)
	drawn(s, "Coefficients along the path", "plotting.CoefficientPaths(cv.Path, nil)", p, err)
}

func (s *session) logistic() frames.Predictor {
	fit := try.Get(mlreg.FitLogistic(s.d, nil))
	s.line("fit := must.M1(mlreg.FitLogistic(d, nil))\nplotting.Show(fit)")
	s.show("Logistic regression", fit)
	odds, err := fit.OddsRatios(0.95)
	s.line("plotting.Show(fit.OddsRatios(0.95))")
	s.show("Odds ratios", odds, err)
	curve := try.Get(mlreg.ROC(fit, s.d))
	p, err := plotting.ROCPlot([]plotting.NamedROC{{Name: "these rows", Curve: curve}}, nil)
	drawn(s, "ROC curve", `plotting.ROCPlot([]plotting.NamedROC{{Name: "these rows", Curve: must.M1(mlreg.ROC(fit, d))}}, nil)`, p, err)
	s.effects(fit, "fit")
	return fit
}

func (s *session) bayes() frames.Predictor {
	s.standardize()
	surface := try.Get(mlreg.NewEvidenceSurface(s.d, nil))
	best := try.Get(surface.Maximize(nil))
	fit := try.Get(mlreg.FitBayes(s.d, mlreg.GaussianPrior{Tau2: best.Tau2}, mlreg.KnownVariance(best.Sigma2), nil))
	s.line("best := must.M1(must.M1(mlreg.NewEvidenceSurface(d, nil)).Maximize(nil))\nplotting.Show(best)")
	s.line("fit := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: best.Tau2}, mlreg.KnownVariance(best.Sigma2), nil))\nplotting.Show(fit)")
	s.show("Prior and noise of the largest evidence", best)
	s.show("Posterior", fit)
	s.inUnits(fit)
	p, err := plotting.CoefPlot(plotting.Credible(fit), 0.95, nil)
	drawn(s, "Credible intervals", "plotting.CoefPlot(plotting.Credible(fit), 0.95, nil)", p, err)
	return fit
}

func (s *session) models() frames.Predictor {
	s.standardize()
	groups := s.d.Coding.Groups()
	if len(groups) > most {
		try.Fail(fmt.Errorf("the formula has %d terms; a page enumerates the models of at most %d: in a notebook there may be 30, or more by sampling", len(groups), most))
	}
	all := try.Get(mlreg.EnumerateModels(s.d, mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Groups: groups, Average: true, Progress: s.progress}))
	s.line("all := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Groups: d.Coding.Groups(), Average: true}))\nplotting.Show(all)")
	s.show("The posterior over all models", all)
	p, err := plotting.InclusionPlot(all, nil)
	drawn(s, "Which terms are in", "plotting.InclusionPlot(all, nil)", p, err)
	average, err := all.ModelAverage()
	s.line("average := must.M1(all.ModelAverage())\nplotting.Show(average)")
	s.show("The average over all models", average, err)
	s.inUnits(average)
	return average
}

// mostPredicted is the number of rows typed in that are predicted.
const mostPredicted = 1000

// predict adds predictions of the rows typed in, with limits where the fit has them. A row that cannot be predicted
// has a note, and the others their predictions.
func (s *session) predict(fit frames.Predictor) {
	lines := strings.FieldsFunc(s.play.New, func(r rune) bool { return r == '\n' || r == '\r' })
	if len(lines) < 2 {
		try.Fail(errors.New("the rows to predict: below the line of names there is no row"))
	}
	if len(lines) > 1+mostPredicted {
		try.Fail(fmt.Errorf("the rows to predict: %d, and a page predicts at most %d", len(lines)-1, mostPredicted))
	}
	var settings *frames.CSVSettings
	if s.as != nil {
		settings = s.as.reading.settings()
		settings.Delimiter, settings.Encoding = 0, ""
	}
	n := len(lines) - 1
	numbers, values, lower, upper := make([]int, n), make([]float64, n), make([]float64, n), make([]float64, n)
	kind := ""
	var notes, beyond []string
	done := 0
	for i, line := range lines[1:] {
		numbers[i], values[i], lower[i], upper[i] = i+1, math.NaN(), math.NaN(), math.NaN()
		rows, err := frames.ParseCSV(strings.NewReader(lines[0]+"\n"+line+"\n"), settings)
		var predicted []float64
		if err == nil {
			predicted, err = frames.Predict(fit, rows.Frame)
		}
		if err != nil {
			notes = append(notes, fmt.Sprintf("row %d: %v", i+1, inFields(err)))
			continue
		}
		if values[i] = predicted[0]; math.IsNaN(values[i]) {
			notes = append(notes, fmt.Sprintf("row %d: a value that the fit needs is missing", i+1))
			continue
		}
		done++
		if l, u, of := limitsOf(fit, rows.Frame); of != "" {
			lower[i], upper[i], kind = l, u, of
		}
		out, err := frames.Extrapolations(fit, rows.Frame)
		if err != nil {
			try.Fail(inFields(err))
		}
		for _, e := range out {
			beyond = append(beyond, fmt.Sprintf("row %d: %s", i+1, e.String()))
		}
	}
	if done == 0 {
		s.show("Predictions", "None of the rows to predict can be predicted.\n"+strings.Join(notes[:min(5, len(notes))], "\n"))
		return
	}
	columns := []report.Column{report.IntColumn("row", numbers...), report.NumberColumn("prediction", values, 5)}
	if kind != "" {
		columns = append(columns, report.NumberColumn("lower 95%", lower, 5), report.NumberColumn("upper 95%", upper, 5))
		notes = append(notes, kind)
	}
	t, err := report.NewTable("Predictions of "+s.d.Response, columns...)
	if err == nil {
		t.Notes = append(t.Notes, slices.Concat(notes, beyond)...)
	}
	s.show("Predictions", t, err)
}

// limitsOf returns the limits of the prediction of a row, and what they are limits of, "" if there are none.
func limitsOf(fit frames.Predictor, row dataframe.DataFrame) (lower, upper float64, of string) {
	for _, band := range []struct {
		of   func(frames.Coded, dataframe.DataFrame, float64) (*mlreg.Band, error)
		kind string
	}{{frames.PredictionBand, "limits of a new response"}, {frames.ConfidenceBand, "limits of the mean"}} {
		if b, err := band.of(fit, row, 0.95); err == nil {
			return b.Lower[0], b.Upper[0], band.kind
		}
	}
	return 0, 0, ""
}
