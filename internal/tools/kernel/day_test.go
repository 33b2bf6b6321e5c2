package main

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestWorkingDay is an analyst's day in the kernel: three messy files are read, looked at, cleaned, joined, reshaped,
// drawn, fitted, diagnosed, predicted from and exported. testdata/day.R made the files, and what R computes of them.
func TestWorkingDay(t *testing.T) {
	day := must(filepath.Abs("testdata/day"))
	answers := readAnswers(t, filepath.Join(day, "answers.txt"))
	held := 0
	r := func(name, cell string) step {
		want, ok := answers[name]
		if !ok {
			t.Fatalf("R has no answer %q", name)
		}
		held++
		return runs(cell, near(name, want))
	}
	steps := []step{runs("!cp '"+day+"'/*.csv .", prints(""))}
	steps = append(steps, salesDay(r)...)
	steps = append(steps, clinicDay(r)...)
	steps = append(steps, loadDay(r)...)
	if held != len(answers) {
		t.Errorf("%d cells are held to R, which has %d answers", held, len(answers))
	}
	inJupyter(t, steps)
	call, calls := regexp.MustCompile(`\b(frames|mlreg|plotting|tsa)\.[A-Z]\w*(\[[^]]*\])?\(|\b(fit|risk|loads|change|ar)\.[A-Z]\w*\(`), 0
	for _, s := range steps {
		calls += len(call.FindAllString(s.cell, -1))
	}
	t.Logf("a day of %d cells and %d calls", len(steps), calls)
}

// salesDay is of dates in two forms, names as typed and amounts of money.
func salesDay(r func(name, cell string) step) []step {
	return []step{
		runs(`var raw = must.M1(frames.ReadCSV("sales.csv", nil))

%%
raw.Report`, shows("amount", "day")),
		runs("%%\nplotting.Show(frames.Count(raw.Frame, \"region\"))", shows("nroth")),
		runs(`var sales = must.M1(frames.With(must.M1(frames.Where(raw.Frame, "units >= 3")),
	"day = ifelse(grepl(\"/\", day), dmy(day), ymd(day))",
	"month = month(day)",
	"region = sub(\"nroth\", \"north\", trimws(tolower(region)))",
	"amount = as.numeric(gsub(\"[$,]\", \"\", amount))"))`, prints("")),
		r("rows", "%%\nfmt.Println(sales.Nrow(), must.M1(frames.Floats(must.M1(frames.GroupBy(sales).Summarise(\"m = mean(amount)\")), \"m\")))"),
		r("regions", "%%\nfmt.Println(must.M1(frames.Floats(must.M1(frames.Count(sales, \"region\")), \"n\")))"),
		runs("var byMonth = must.M1(frames.GroupBy(sales, \"region\", \"month\").Summarise(\"total = sum(amount)\"))\n"+
			"var wide = must.M1(frames.Wider(byMonth, \"month\", \"total\"))\n\n%%\nwide", shows("north")),
		r("wide", "%%\nfmt.Println(must.M1(frames.Matrix(wide.Drop(\"region\"))).RawMatrix().Data)"),
		runs("var managers = must.M1(frames.Frame(frames.Col(\"region\", []string{\"north\", \"south\"}), frames.Col(\"staff\", []int{4, 7})))\n"+
			"var joined = must.M1(frames.Join(sales, managers, frames.LeftJoin, \"region\"))\n\n%%\njoined", shows("45")),
		r("joined", "%%\ns := must.M1(frames.GroupBy(joined.Frame).Summarise(\"s = sum(staff, na.rm = TRUE)\", \"gaps = sum(is.na(staff))\"))\n"+
			"fmt.Println(joined.Frame.Nrow(), must.M1(frames.Floats(s, \"s\")), must.M1(frames.Floats(s, \"gaps\")))"),
		runs("%%\nplotting.Show(plotting.Chart(sales, \"units\", \"amount\", &plotting.ChartSettings{Color: \"region\", LogX: true, LogY: true}))", shows()),
		runs("var design = must.M1(frames.Design(sales, \"log(amount) ~ log(units) + factor(region)\"))\n"+
			"var fit = must.M1(mlreg.FitOLS(design, nil))\n\n%%\nfit", shows("lower 95%", "factor(region)south")),
		r("lm", "%%\nfor _, c := range must.M1(fit.Table(0.95)) {\n\tfmt.Println(c.Estimate, c.StdErr, c.Statistic, c.P, c.Lower, c.Upper)\n}"),
		r("anova", "%%\nfor _, row := range must.M1(fit.Anova())[:2] {\n\tfmt.Println(row.F)\n}"),
		runs("%%\nplotting.Show(plotting.Diagnostics(fit, design, nil))", shows()),
		r("diagnose", "%%\nfmt.Println(must.M1(fit.BreuschPagan(design)).Stat, slices.Max(must.M1(fit.CooksDistance(design))))"),
		r("robust", "%%\nfmt.Println(must.M1(fit.Robust(design, mlreg.HC3)).StdErr())"),
		runs("var orders = must.M1(frames.Frame(frames.Col(\"units\", []int{10, 25}), frames.Col(\"region\", []string{\"west\", \"south\"})))\n"+
			"\n%%\nplotting.Show(frames.PredictionBand(fit, orders, 0.9))", shows("lower 90%", "upper 90%")),
		r("predict", "%%\nb := must.M1(frames.PredictionBand(fit, orders, 0.9))\nfor i := range b.Fitted {\n\tfmt.Println(b.Fitted[i], b.Lower[i], b.Upper[i])\n}"),
		runs("%%\nmust.M(fit.Describe().Save(\"sales.tex\"))\nmust.M(frames.WriteCSV(\"wide.csv\", wide, nil))\nmust.M(mlreg.Save(\"sales.fit\", fit))\n"+
			"fmt.Println(strings.Contains(string(must.M1(os.ReadFile(\"sales.tex\"))), `\\begin{tabular}`))", prints("true\n")),
		runs("%%\nagain := must.M1(mlreg.Load[mlreg.OLS](\"sales.fit\"))\nback := must.M1(frames.ReadCSV(\"wide.csv\", nil)).Frame\n"+
			"fmt.Println(slices.Equal(again.Coef(), fit.Coef()), slices.Equal(must.M1(frames.Predict(again, orders)), must.M1(frames.Predict(fit, orders))), back.Nrow())",
			prints("true true 3\n")),
	}
}

// clinicDay is of values below the limit of detection, missing ages and two weights of each patient.
func clinicDay(r func(name, cell string) step) []step {
	return []step{
		runs(`var clinic = must.M1(frames.With(must.M1(frames.Censored(must.M1(frames.ReadCSV("clinic.csv", nil)).Frame, "crp")),
	"crp = ifelse(crp_censored == \"below\", crp/2, crp)",
	"sex = substr(tolower(sex), 1, 1)"))

%%
plotting.Show(frames.Describe(clinic))`, shows("age")),
		r("censored", "%%\ns := must.M1(frames.GroupBy(clinic).Summarise(\"below = sum(crp_censored == \\\"below\\\")\", \"gaps = sum(is.na(age))\", \"crp = mean(crp)\"))\n"+
			"fmt.Println(must.M1(frames.Matrix(s)).RawMatrix().Data)"),
		r("sexes", "%%\nfmt.Println(must.M1(frames.Floats(must.M1(frames.Count(clinic, \"sex\")), \"n\")))"),
		runs("var known = must.M1(frames.Complete(clinic, \"age\"))\n\n%%\nknown", shows("9")),
		r("known", "%%\nfmt.Println(known.Frame.Nrow())"),
		r("sites", "%%\ns := must.M1(frames.GroupBy(known.Frame, \"site\").Summarise(\"crp = mean(crp)\", \"ill = sum(ill == \\\"yes\\\")\"))\n"+
			"fmt.Println(must.M1(frames.Matrix(s.Drop(\"site\"))).RawMatrix().Data)"),
		runs(`var long = must.M1(frames.With(must.M1(frames.Longer(known.Frame, "when", "weight", "weight_before", "weight_after")),
	"after = ifelse(when == \"weight_after\", 1, 0)"))`, prints("")),
		r("longer", "%%\nfmt.Println(long.Nrow(), must.M1(frames.Floats(must.M1(frames.GroupBy(long).Summarise(\"m = mean(weight)\")), \"m\")))"),
		runs("%%\nplotting.Show(plotting.Chart(known.Frame, \"site\", \"crp\", &plotting.ChartSettings{LogY: true}))", shows()),
		runs("var patients = must.M1(frames.Design(known.Frame, \"ill ~ log(crp) + age + sex\"))\nvar risk = must.M1(mlreg.FitLogistic(patients, nil))\n\n%%\nrisk",
			shows("log odds of yes against no", "lower 95%")),
		r("glm", "%%\nfmt.Println(risk.Coef(), risk.StdErr())"),
		r("odds", "%%\nrows := must.M1(risk.OddsRatios(0.9))\nfor _, o := range rows {\n\tfmt.Println(o.Ratio)\n}\nfor _, o := range rows {\n\tfmt.Println(o.Lower)\n}\n"+
			"for _, o := range rows {\n\tfmt.Println(o.Upper)\n}"),
		runs("%%\nplotting.Show(risk.OddsRatios(0.9))", shows("odds ratio", "lower 90%")),
		r("risk", "%%\nnew := must.M1(frames.Frame(frames.Col(\"crp\", []float64{1, 8}), frames.Col(\"age\", []int{50, 70}), frames.Col(\"sex\", []string{\"f\", \"m\"})))\n"+
			"b := must.M1(frames.ConfidenceBand(risk, new, 0.95))\nfmt.Println(b.Fitted, b.Lower, b.Upper)"),
		r("clustered", "%%\nvisits := must.M1(frames.Design(long, \"weight ~ after\", &frames.DesignSettings{Clusters: \"id\"}))\n"+
			"change := must.M1(mlreg.FitOLS(visits, nil))\nfmt.Println(must.M1(change.Clustered(visits, nil)).StdErr())"),
	}
}

// loadDay is of the clocks of Zurich in October, which show an hour twice.
func loadDay(r func(name, cell string) step) []step {
	return []step{
		runs(`var loads = must.M1(frames.With(must.M1(frames.ReadCSV("load.csv", nil)).Frame,
	"utc = to_utc(clock, \"Europe/Zurich\", repeated = \"order\")",
	"day = as.Date(clock)"))`, prints("")),
		r("repeated", "%%\nfmt.Println(loads.Nrow()-must.M1(frames.Distinct(loads, \"clock\")).Nrow(), must.M1(frames.Distinct(loads, \"utc\")).Nrow())"),
		runs("var daily = must.M1(frames.GroupBy(loads, \"day\").Summarise(\"n = n()\", \"m = mean(load)\"))\n\n%%\nplotting.Show(plotting.Chart(loads, \"utc\", \"load\", nil))", shows()),
		r("days", "%%\nfmt.Println(must.M1(frames.Floats(daily, \"n\")))"),
		r("daily", "%%\nfmt.Println(must.M1(frames.Floats(daily, \"m\")))"),
		runs("var series = must.M1(frames.SeriesOf(loads, &frames.SeriesSettings{Time: \"utc\"}, \"load\"))\nvar lags = must.M1(tsa.NewLags(series, 1, nil))\n"+
			"var ar = must.M1(mlreg.FitOLS(lags, nil))\n\n%%\nar", shows("lag(load, 1)")),
		r("ar", "%%\nfmt.Println(ar.Coef(), math.Sqrt(ar.Sigma2()))"),
		r("forecast", "%%\nfmt.Println(must.M1(lags.Forecast(ar, 3, nil)).Mean)"),
		runs("%%\nplotting.Show(lags.Forecast(ar, 3, nil))", shows("lower 95%", "2024-")),
		runs("%%\nplotting.Show(plotting.ForecastPlot(must.M1(lags.Forecast(ar, 3, nil)), series, nil))", shows()),
	}
}

// readAnswers reads lines of a name and numbers.
func readAnswers(t *testing.T, path string) map[string][]float64 {
	answers := make(map[string][]float64)
	for _, line := range strings.Split(strings.TrimSpace(string(must(os.ReadFile(path)))), "\n") {
		fields := strings.Fields(line)
		answers[fields[0]] = numbersIn(strings.Join(fields[1:], " "))
	}
	return answers
}

var numberText = regexp.MustCompile(`[-+]?\d+(\.\d+)?([eE][-+]?\d+)?`)

// numbersIn returns the numbers of a text.
func numbersIn(text string) []float64 {
	var out []float64
	for _, s := range numberText.FindAllString(text, -1) {
		out = append(out, must(strconv.ParseFloat(s, 64)))
	}
	return out
}

// near holds the numbers that a cell prints to those of R, which are written with 12 digits.
func near(name string, want []float64) func(*testing.T, string, answer) {
	const relative = 1e-9
	return func(t *testing.T, cell string, a answer) {
		t.Helper()
		if a.Error != "" {
			t.Errorf("%s: %s\nfailed with %s%s", name, cell, a.Text, a.Error)
			return
		}
		got := numbersIn(a.Text)
		if len(got) != len(want) {
			t.Errorf("%s: %s\nprinted %s, want %v", name, cell, a.Text, want)
			return
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > relative*math.Abs(want[i]) {
				t.Errorf("%s: number %d is %v, and %v by R", name, i+1, got[i], want[i])
			}
		}
	}
}
