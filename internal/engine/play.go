package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/plot"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/report"
	"github.com/regbook/regbook/plotting"
)

// A play is a fit of the playground: what data, which formula, what method.
type play struct {
	Data    string `json:"data"` // a data set of the course; empty for a file
	File    string `json:"file"` // the file's name
	CSV     string `json:"csv"`  // its text
	Raw     []byte `json:"raw"`  // its bytes, in place of the text, if they are not UTF-8
	Formula string `json:"formula"`
	Method  string `json:"method"` // ols, ridge, lasso, logistic, bayes or models
	New     string `json:"new"`    // rows to predict, as CSV
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

// largest is the size of a file that the playground reads, in bytes: reading takes a multiple
// of it, and a page has some gigabytes.
const largest = 20 << 20

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

// frame reads the data, with what is to be said about them.
func (p *play) frame() (df dataframe.DataFrame, report string, err error) {
	if p.Data != "" {
		c, ok := courses[p.Data]
		if !ok {
			return df, "", fmt.Errorf("there is no data set %q", p.Data)
		}
		df = c.load()
		report, err = frames.Info(df)
		return df, report, err
	}
	if size := len(p.CSV) + len(p.Raw); size > largest {
		return df, "", fmt.Errorf("the file has %d MB; a page reads at most %d: install Regbook for more", size>>20, largest>>20)
	}
	csv, err := frames.ParseCSV(io.MultiReader(strings.NewReader(p.CSV), bytes.NewReader(p.Raw)), nil)
	if err != nil {
		return df, "", err
	}
	return csv.Frame, csv.Report.String(), nil
}

// mostDescribed is the number of columns that are described.
const mostDescribed = 100

// columns answers with the names of the columns, and what there is to say about them.
func (a *answer) columns(p *play) error {
	df, report, err := p.frame()
	if err != nil {
		return err
	}
	a.Columns = df.Names()
	if err := a.show("The columns", report); err != nil {
		return err
	}
	description, err := frames.Describe(df)
	if err != nil {
		return err
	}
	table, err := plotting.Head(description, min(mostDescribed, description.Nrow()))
	if err := a.show("Description", table, err); err != nil {
		return err
	}
	return a.show("The first rows", df)
}

// A session fits, and writes down the cell that does the same in a notebook.
type session struct {
	*answer
	play     *play
	df       dataframe.DataFrame
	d        *mlreg.Design
	progress func(done, total float64) error
	code     strings.Builder
}

func (s *session) line(format string, args ...any) { fmt.Fprintf(&s.code, format+"\n", args...) }

// fit answers with the summary and the figures of a fit.
func (a *answer) fit(p *play, progress func(done, total float64) error) error {
	methods := map[string]func(*session) (frames.Predictor, error){
		"ols": (*session).ols, "ridge": (*session).ridge, "lasso": (*session).lasso,
		"logistic": (*session).logistic, "bayes": (*session).bayes, "models": (*session).models,
	}
	method := methods[p.Method]
	if method == nil {
		return fmt.Errorf("there is no method %q", p.Method)
	}
	df, _, err := p.frame()
	if err != nil {
		return err
	}
	s := &session{answer: a, play: p, df: df, progress: progress}
	s.line("%%%%")
	if c, ok := courses[p.Data]; ok {
		s.line("df := %s", c.call)
	} else {
		s.line("df := must.M1(frames.ReadCSV(%q, nil)).Frame", p.File)
	}
	if s.d, err = frames.Design(df, p.Formula); err != nil {
		return err
	}
	s.line("d := must.M1(frames.Design(df, %q))", p.Formula)
	f, err := method(s)
	if err != nil {
		return err
	}
	if strings.TrimSpace(p.New) != "" {
		if err := s.predict(f); err != nil {
			return err
		}
	}
	a.Code = s.code.String()
	return nil
}

// show adds a value as plotting.Show displays it, a figure as SVG.
func (a *answer) show(title string, value any, errs ...error) error {
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%s: %w", title, err)
	}
	p := part{Title: title}
	if drawn, ok := value.(*plot.Plot); ok {
		value = plotting.Grid(1, drawn)
	}
	switch v := value.(type) {
	case *plotting.Figure:
		svg, err := v.SVG()
		if err != nil {
			return err
		}
		p.SVG, p.Text = string(svg), "Figure: "+v.Description()
	case string:
		p.Text = v
	default:
		t, err := tableOf(value)
		if err != nil {
			return err
		}
		p.Text, p.HTML, p.CSV, p.LaTeX = t.String(), t.HTML(), t.CSV(), t.LaTeX()
	}
	a.Parts = append(a.Parts, p)
	return nil
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
func drawn[F *plot.Plot | *plotting.Figure](s *session, title, call string, figure F, err error) error {
	s.line("plotting.Show(%s)", call)
	return s.show(title, figure, err)
}

func (s *session) ols() (frames.Predictor, error) {
	ols, err := mlreg.FitOLS(s.d, nil)
	if err != nil {
		return nil, err
	}
	s.line("ols := must.M1(mlreg.FitOLS(d, nil))\nplotting.Show(ols)")
	if err := s.show("Least squares", ols); err != nil {
		return nil, err
	}
	fig, err := plotting.CoefPlot(ols, 0.95, nil)
	if err := drawn(s, "Coefficients with limits", "plotting.CoefPlot(ols, 0.95, nil)", fig, err); err != nil {
		return nil, err
	}
	fig, err = plotting.Diagnostics(ols, s.d, nil)
	if err := drawn(s, "Diagnostics", "plotting.Diagnostics(ols, d, nil)", fig, err); err != nil {
		return nil, err
	}
	return ols, s.effects(ols, "ols")
}

// mostEffects is the number of variables whose effects are drawn.
const mostEffects = 6

// effects draws what the variables of the formula do to the fit, the first of them.
func (s *session) effects(fit frames.Predictor, name string) error {
	wald, ok := fit.(frames.Wald)
	if !ok {
		return nil
	}
	count := 0
	for _, column := range s.df.Names() {
		if count == mostEffects {
			break
		}
		e, err := frames.Effects(wald, s.df, column, 0.95, nil)
		if err != nil {
			continue // the formula does not have it
		}
		count++
		p, err := plotting.Effect(e)
		call := fmt.Sprintf("plotting.Effect(must.M1(frames.Effects(%s, df, %q, 0.95, nil)))", name, column)
		if err := drawn(s, "Effect of "+column, call, p, err); err != nil {
			return err
		}
	}
	return nil
}

// standardize and fold prepare a cross-validated path.
func (s *session) standardize() (err error) {
	s.line("d = must.M1(d.Standardize(nil))")
	s.d, err = s.d.Standardize(nil)
	return err
}

func (s *session) folds() (*mlreg.Folds, error) {
	k := min(10, s.d.NObs())
	s.line("folds := must.M1(mlreg.KFold(d.NObs(), %d, rand.NewPCG(1, 2)))", k)
	return mlreg.KFold(s.d.NObs(), k, rand.NewPCG(1, 2))
}

func (s *session) ridge() (frames.Predictor, error) {
	if err := s.standardize(); err != nil {
		return nil, err
	}
	folds, err := s.folds()
	if err != nil {
		return nil, err
	}
	cv, err := mlreg.FitRidgeCV(s.d, folds, nil, &mlreg.CVSettings{Progress: s.progress})
	if err != nil {
		return nil, err
	}
	s.line("cv := must.M1(mlreg.FitRidgeCV(d, folds, nil, nil))\nplotting.Show(cv.FitMin())")
	if err := s.show("Ridge regression, least error of cross-validation", cv.FitMin()); err != nil {
		return nil, err
	}
	p, err := plotting.CVCurve(cv, nil)
	if err := drawn(s, "Cross-validation", "plotting.CVCurve(cv, nil)", p, err); err != nil {
		return nil, err
	}
	p, err = plotting.CoefficientPaths(cv.Path, nil)
	return cv.FitMin(), drawn(s, "Coefficients along the path", "plotting.CoefficientPaths(cv.Path, nil)", p, err)
}

func (s *session) lasso() (frames.Predictor, error) {
	if err := s.standardize(); err != nil {
		return nil, err
	}
	folds, err := s.folds()
	if err != nil {
		return nil, err
	}
	cv, err := mlreg.FitLassoCV(s.d, folds, nil, &mlreg.CVSettings{Progress: s.progress})
	if err != nil {
		return nil, err
	}
	s.line("cv := must.M1(mlreg.FitLassoCV(d, folds, nil, nil))\nplotting.Show(cv.FitOneSE())")
	if err := s.show("Lasso, one standard error from the least error", cv.FitOneSE()); err != nil {
		return nil, err
	}
	p, err := plotting.CVCurve(cv, nil)
	if err := drawn(s, "Cross-validation", "plotting.CVCurve(cv, nil)", p, err); err != nil {
		return nil, err
	}
	p, err = plotting.CoefficientPaths(cv.Path, nil)
	return cv.FitOneSE(), drawn(s, "Coefficients along the path", "plotting.CoefficientPaths(cv.Path, nil)", p, err)
}

func (s *session) logistic() (frames.Predictor, error) {
	fit, err := mlreg.FitLogistic(s.d, nil)
	if err != nil {
		return nil, err
	}
	s.line("fit := must.M1(mlreg.FitLogistic(d, nil))\nplotting.Show(fit)")
	if err := s.show("Logistic regression", fit); err != nil {
		return nil, err
	}
	odds, err := fit.OddsRatios(0.95)
	s.line("plotting.Show(fit.OddsRatios(0.95))")
	if err := s.show("Odds ratios", odds, err); err != nil {
		return nil, err
	}
	curve, err := mlreg.ROC(fit, s.d)
	if err != nil {
		return nil, err
	}
	p, err := plotting.ROCPlot([]plotting.NamedROC{{Name: "these rows", Curve: curve}}, nil)
	if err := drawn(s, "ROC curve", `plotting.ROCPlot([]plotting.NamedROC{{Name: "these rows", Curve: must.M1(mlreg.ROC(fit, d))}}, nil)`, p, err); err != nil {
		return nil, err
	}
	return fit, s.effects(fit, "fit")
}

func (s *session) bayes() (frames.Predictor, error) {
	if err := s.standardize(); err != nil {
		return nil, err
	}
	surface, err := mlreg.NewEvidenceSurface(s.d, nil)
	if err != nil {
		return nil, err
	}
	best, err := surface.Maximize(nil)
	if err != nil {
		return nil, err
	}
	fit, err := mlreg.FitBayes(s.d, mlreg.GaussianPrior{Tau2: best.Tau2}, mlreg.KnownVariance(best.Sigma2), nil)
	if err != nil {
		return nil, err
	}
	s.line("best := must.M1(must.M1(mlreg.NewEvidenceSurface(d, nil)).Maximize(nil))\nplotting.Show(best)")
	s.line("fit := must.M1(mlreg.FitBayes(d, mlreg.GaussianPrior{Tau2: best.Tau2}, mlreg.KnownVariance(best.Sigma2), nil))\nplotting.Show(fit)")
	if err := s.show("Prior and noise of the largest evidence", best); err != nil {
		return nil, err
	}
	if err := s.show("Posterior", fit); err != nil {
		return nil, err
	}
	p, err := plotting.CoefPlot(plotting.Credible(fit), 0.95, nil)
	return fit, drawn(s, "Credible intervals", "plotting.CoefPlot(plotting.Credible(fit), 0.95, nil)", p, err)
}

func (s *session) models() (frames.Predictor, error) {
	if err := s.standardize(); err != nil {
		return nil, err
	}
	groups := s.d.Coding.Groups()
	if len(groups) > most {
		return nil, fmt.Errorf("the formula has %d terms; a page enumerates the models of at most %d: in a notebook there may be 30, or more by sampling", len(groups), most)
	}
	all, err := mlreg.EnumerateModels(s.d, mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Groups: groups, Average: true, Progress: s.progress})
	if err != nil {
		return nil, err
	}
	s.line("all := must.M1(mlreg.EnumerateModels(d, mlreg.ZellnerG{}, &mlreg.EnumerateSettings{Groups: d.Coding.Groups(), Average: true}))\nplotting.Show(all)")
	if err := s.show("The posterior over all models", all); err != nil {
		return nil, err
	}
	p, err := plotting.InclusionPlot(all, nil)
	if err := drawn(s, "Which terms are in", "plotting.InclusionPlot(all, nil)", p, err); err != nil {
		return nil, err
	}
	average, err := all.ModelAverage()
	s.line("average := must.M1(all.ModelAverage())\nplotting.Show(average)")
	return average, s.show("The average over all models", average, err)
}

// predict adds predictions of the rows typed in.
func (s *session) predict(fit frames.Predictor) error {
	rows, err := frames.ParseCSV(strings.NewReader(s.play.New), nil)
	if err != nil {
		return fmt.Errorf("the rows to predict: %w", err)
	}
	values, err := frames.Predict(fit, rows.Frame)
	if err != nil {
		return fmt.Errorf("the rows to predict: %w", err)
	}
	numbers := make([]int, len(values))
	for i := range numbers {
		numbers[i] = i + 1
	}
	t, err := report.NewTable("Predictions of "+s.d.Response, report.IntColumn("row", numbers...), report.NumberColumn("prediction", values, 5))
	if err == nil {
		beyond, wrong := frames.Extrapolations(fit, rows.Frame)
		err = wrong
		for _, e := range beyond {
			t.Notes = append(t.Notes, e.String())
		}
	}
	return s.show("Predictions", t, err)
}
