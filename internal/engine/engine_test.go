package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"math"
	"strings"
	"testing"

	"github.com/regbook/regbook/course/live"
	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
)

// asked returns the answer to a request.
func asked(t *testing.T, r request) answer {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(reply(text, nil), &a); err != nil {
		t.Fatal(err)
	}
	if a.ID != r.ID {
		t.Errorf("the answer is to request %d, not %d", a.ID, r.ID)
	}
	return a
}

func fitted(t *testing.T, p play) answer {
	t.Helper()
	return asked(t, request{ID: 7, Do: "fit", Play: &p})
}

// Every explorable is listed and drawn, with the numbers that it gives itself.
func TestExplorables(t *testing.T) {
	list := asked(t, request{Do: "list"})
	if len(list.Explorables) != len(live.All()) {
		t.Fatalf("%d of %d explorables", len(list.Explorables), len(live.All()))
	}
	for i, e := range live.All() {
		if list.Explorables[i].Name != e.Func || len(list.Explorables[i].Params) != len(e.Params) {
			t.Errorf("%s is listed as %+v", e.ID, list.Explorables[i])
		}
	}
	e := live.LassoPath()
	view, err := e.Draw([]float64{8}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := asked(t, request{ID: 3, Do: "draw", Name: "LassoPath", Values: []float64{8}, Seed: e.Seed})
	if a.Error != "" || a.Sentence != view.Sentence || !strings.HasPrefix(a.SVG, "<?xml") || a.Labels[0] != "λ = 8" {
		t.Errorf("%s %q %v", a.Error, a.Sentence, a.Labels)
	}
	for i, n := range view.Numbers {
		if a.Numbers[i].Text != n.String() {
			t.Errorf("%v, want %v", a.Numbers[i], n)
		}
	}
}

// Handles are where the figure has them, in shares of its width and height from its upper left corner,
// and a typed text reaches the explorable.
func TestHandlesAndText(t *testing.T) {
	view, err := live.Separation().Draw([]float64{2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := view.Figure.SVG(); err != nil {
		t.Fatal(err)
	}
	a := asked(t, request{ID: 4, Do: "draw", Name: "Separation", Values: []float64{2}})
	if a.Error != "" || len(a.Handles) != 7 || a.Handles[0].Kind != "drag" || a.Handles[0].Base[0] != 2 {
		t.Fatalf("%s %+v", a.Error, a.Handles)
	}
	for i, p := range view.Handles[0].Spots() {
		u, v := p[0]/(72*view.Figure.Width), 1-p[1]/(72*view.Figure.Height)
		if got := a.Handles[0].Spots[i]; math.Abs(got[0]-u) > 1e-9 || math.Abs(got[1]-v) > 1e-9 || u < 0 || u > 0.5 || v < 0.5 || v > 1 {
			t.Errorf("spot %d is at %g, want (%g, %g), in the lower left", i, got, u, v)
		}
	}
	own := asked(t, request{ID: 5, Do: "draw", Name: "PriorWidth", Values: append(live.PriorWidth().Defaults(), 1, 1)})
	if own.Error != "" || len(own.Handles) != 2 || own.Handles[1].Kind != "place" || len(own.Labels) != 3 {
		t.Errorf("%s %+v", own.Error, own.Handles)
	}
	mail := asked(t, request{ID: 6, Do: "draw", Name: "Mail", Text: "the meeting <b>"})
	if mail.Error != "" || mail.Text != "the meeting <b>" || !strings.Contains(mail.Sentence, "is meeting") {
		t.Errorf("%s %q %q", mail.Error, mail.Text, mail.Sentence)
	}
}

// The formula that the playground offers with a data set fits it.
func TestOfferedFormulas(t *testing.T) {
	for name, c := range courses {
		if _, err := frames.Design(c.load(), c.formula); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What the playground shows is what the packages give, and the cell that it offers parses.
func TestFit(t *testing.T) {
	const formula = "lpsa ~ . - train"
	d, err := frames.Design(datasets.Prostate(), formula)
	if err != nil {
		t.Fatal(err)
	}
	ols, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := fitted(t, play{Data: "prostate", Formula: formula, Method: "ols"})
	if a.Error != "" || a.Parts[0].Text != ols.Describe().String() {
		t.Errorf("%s\n%s", a.Error, a.Parts[0].Text)
	}
	for _, c := range []struct{ method, formula, last string }{
		{"ols", formula, "Effect of lcp"}, {"ridge", formula, "Coefficients along the path"}, {"lasso", formula, "Coefficients along the path"},
		{"logistic", "svi ~ lcavol + age", "Effect of age"}, {"bayes", formula, "Credible intervals"}, {"models", formula, "Coefficients in the units of the data"},
	} {
		a := fitted(t, play{Data: "prostate", Formula: c.formula, Method: c.method})
		if a.Error != "" {
			t.Errorf("%s: %s", c.method, a.Error)
			continue
		}
		if last := a.Parts[len(a.Parts)-1]; last.Title != c.last {
			t.Errorf("%s ends with %q", c.method, last.Title)
		}
		for _, p := range a.Parts {
			if p.Text == "" || p.SVG == "" && (p.HTML == "" || p.CSV == "" || p.LaTeX == "") {
				t.Errorf("%s: %q lacks a form", c.method, p.Title)
			}
		}
		body := strings.TrimPrefix(a.Code, "%%\n")
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {\n"+body+"}", 0); err != nil {
			t.Errorf("%s: %v\n%s", c.method, err, a.Code)
		}
	}
}

// Predictions of rows typed in are those of the fit, a file of the reader's own is read, and
// its names stay text.
func TestOwnFile(t *testing.T) {
	csv := "y,x <b>\n"
	for i := range 20 {
		csv += fmt.Sprintf("%g,%d\n", 3+2*float64(i)+math.Sin(float64(i)), i)
	}
	p := play{File: "mine.csv", CSV: csv, Formula: "y ~ `x <b>`", Method: "ols", New: "x <b>\n100\n"}
	columns := asked(t, request{Do: "columns", Play: &p})
	if columns.Error != "" || len(columns.Columns) != 2 || columns.Columns[1] != "x <b>" {
		t.Errorf("%s %q", columns.Error, columns.Columns)
	}
	if len(columns.Parts) != 2 || columns.Preview.Total != 20 || columns.Preview.Types[0] != "number" || columns.Preview.Rows[3][1] != "3" || columns.Parts[1].Title != "Description" || !strings.Contains(columns.Parts[1].Text, "median") {
		t.Errorf("%+v", columns.Parts)
	}
	a := fitted(t, p)
	if a.Error != "" {
		t.Fatal(a.Error)
	}
	last := a.Parts[len(a.Parts)-1]
	if last.Title != "Predictions" || !strings.Contains(last.Text, "20") {
		t.Errorf("%s\n%s", last.Title, last.Text)
	}
	for _, part := range append(columns.Parts, a.Parts...) {
		if strings.Contains(part.HTML, "x <b>") {
			t.Errorf("%s has a name as markup", part.Title)
		}
	}
	if !strings.Contains(a.Code, `frames.ReadCSV("mine.csv", nil)`) {
		t.Error(a.Code)
	}
}

// What cannot be done is an error that says why, and the answer keeps its number.
func TestRefuses(t *testing.T) {
	wide := "y"
	for j := range 21 {
		wide += fmt.Sprintf(",x%d", j)
	}
	wide += "\n"
	for i := range 30 {
		wide += fmt.Sprint(i*i%17) + strings.Repeat(fmt.Sprintf(",%d", i*i*i%19), 21) + "\n"
	}
	for _, c := range []struct {
		play play
		want string
	}{
		{play{Data: "prostate", Formula: "lpsa ~ lcavol +", Method: "ols"}, "expected a column"},
		{play{Data: "prostate", Formula: "lpsa ~ nothing", Method: "ols"}, `no column "nothing"`},
		{play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "magic"}, `no method "magic"`},
		{play{Data: "nowhere", Formula: "y ~ x", Method: "ols"}, `no data set "nowhere"`},
		{play{File: "a.csv", CSV: strings.Repeat("x", largest+1), Formula: "y ~ x", Method: "ols"}, "a page reads at most 60"},
		{play{File: "a.csv", CSV: "y,x\n1\n2,3,4\n", Formula: "y ~ x", Method: "ols"}, "line 2"},
		{play{File: "a.csv", CSV: wide, Formula: "y ~ .", Method: "models"}, "at most 20"},
		{play{Data: "prostate", Formula: "lpsa ~ lcavol", Method: "ols", New: "age\n"}, "rows to predict"},
	} {
		if a := fitted(t, c.play); !strings.Contains(a.Error, c.want) {
			t.Errorf("%.60s %s: %q, want %q", c.play.Formula, c.play.Method, a.Error, c.want)
		}
	}
	for _, text := range []string{"", "{", `{"do":"fly"}`, `{"do":"fit"}`, `{"do":"draw","name":"Nothing"}`, `{"do":"draw","name":"LassoPath","values":[1e9]}`} {
		var a answer
		if err := json.Unmarshal(reply([]byte(text), nil), &a); err != nil || a.Error == "" {
			t.Errorf("%q: %v %q", text, err, a.Error)
		}
	}
}

// Work whose answer nobody waits for ends at its next call of progress.
func TestStops(t *testing.T) {
	stop := errors.New("newer")
	text, err := json.Marshal(request{Do: "fit", Play: &play{Data: "diabetes", Formula: "progression ~ .^2", Method: "lasso"}})
	if err != nil {
		t.Fatal(err)
	}
	var a answer
	if err := json.Unmarshal(reply(text, func(float64, float64) error { return stop }), &a); err != nil || !strings.Contains(a.Error, "newer") {
		t.Errorf("%v %q", err, a.Error)
	}
}

// A file that is not UTF-8 is read as frames.ReadCSV reads it, and the page says so; rows to
// predict beyond the range of a spline are named under the predictions.
func TestFilesAndPredictionsSayWhatIsOdd(t *testing.T) {
	file := []byte("stra\xdfe;rate;x;y\n")
	for i := range 12 {
		file = fmt.Appendf(file, "M\xfcnchen %d;%d%%;%d;%d\n", i, i, i, i*i%7)
	}
	a := fitted(t, play{File: "b.csv", Raw: file, Formula: "y ~ ns(x, 2)", Method: "ols", New: "x\n5\n20\n"})
	if a.Error != "" {
		t.Fatal(a.Error)
	}
	last := a.Parts[len(a.Parts)-1]
	if want := "ns(x, 2): 1 row beyond its range, 0 to 11, as far as 20: it is linear there"; last.Title != "Predictions" || !strings.Contains(last.Text, want) {
		t.Errorf("%s does not say %q:\n%s", last.Title, want, last.Text)
	}
	df, report, call, _ := (&play{File: "b.csv", Raw: file}).frame()
	if rate := df.Col("rate").Float()[11]; rate != 0.11 || !strings.Contains(call, `Clean: map[string]func(string) string{"rate": frames.Percent('.')}`) {
		t.Errorf("11%% is %g by %s", rate, call)
	}
	for _, want := range []string{`converted from Windows-1252 (Latin-1), since line 1 is not UTF-8: it has "straße"`} {
		if !strings.Contains(report, want) {
			t.Errorf("the report does not say %q:\n%s", want, report)
		}
	}
}
