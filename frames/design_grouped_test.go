package frames_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-gota/gota/dataframe"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/hier"
)

func nestedFrame(t *testing.T) dataframe.DataFrame {
	t.Helper()
	var y, x []float64
	var school, class, kind []string
	for i := range 120 {
		school = append(school, string(rune('A'+i/20)))
		class = append(class, string(rune('a'+i/5%4)))
		kind = append(kind, []string{"u", "v"}[i%2])
		x = append(x, math.Sin(float64(i*7)))
		y = append(y, 2+x[i]+math.Sin(float64(i/20*5))+math.Cos(float64(i/5*3))+math.Sin(float64(i*i)))
	}
	df, err := frames.Frame(frames.Col("y", y), frames.Col("x", x), frames.Col("school", school), frames.Col("class", class), frames.Col("kind", kind))
	if err != nil {
		t.Fatal(err)
	}
	return df
}

// What formulas stand for.
func TestGroupedDesign(t *testing.T) {
	df := nestedFrame(t)
	one := []string{mlreg.InterceptName}
	for _, c := range []struct {
		formula string
		terms   []string
		levels  []string
		varying []mlreg.Varying
		zero    []string
	}{
		{"y ~ x + (1 | school)", []string{"x"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: one}}, nil},
		{"y ~ x + (x | school)", []string{"x"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: []string{mlreg.InterceptName, "x"}}}, nil},
		{"y ~ (x || school) + x", []string{"x"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: []string{mlreg.InterceptName, "x"}, Shape: mlreg.DiagonalCovariance}}, nil},
		{"y ~ x + (0 + x | school)", []string{"x"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: []string{"x"}}}, nil},
		{"y ~ 1 + (0 + x | school)", []string{"x"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: []string{"x"}}}, []string{"x"}},
		{"y ~ (1 | school)", nil, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: one}}, nil},
		{"y ~ x + (1 | school/class)", []string{"x"}, []string{"school", "school/class"}, []mlreg.Varying{{Level: "school", Terms: one}, {Level: "school/class", Terms: one}}, nil},
		{"y ~ x + (x | school) + (1 | school:class)", []string{"x"}, []string{"school", "school/class"}, []mlreg.Varying{{Level: "school", Terms: []string{mlreg.InterceptName, "x"}}, {Level: "school/class", Terms: one}}, nil},
		{"y ~ x - 1 + (1 | school)", []string{"x"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: one}}, one},
		{"y ~ . + (1 | school)", []string{"x", "classb", "classc", "classd", "kindv"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: one}}, nil},
		{"y ~ . + (1 | school/class)", []string{"x", "kindv"}, []string{"school", "school/class"}, []mlreg.Varying{{Level: "school", Terms: one}, {Level: "school/class", Terms: one}}, nil},
		{"y ~ poly(x, 2) + (poly(x, 2) + kind || school)", []string{"poly(x, 2)1", "poly(x, 2)2", "kindv"}, []string{"school"}, []mlreg.Varying{
			{Level: "school", Terms: []string{mlreg.InterceptName, "kindv"}, Shape: mlreg.DiagonalCovariance}, {Level: "school", Terms: []string{"poly(x, 2)1", "poly(x, 2)2"}},
		}, []string{"kindv"}},
		{"y ~ x + kind + (kind | school)", []string{"x", "kindv"}, []string{"school"}, []mlreg.Varying{{Level: "school", Terms: []string{mlreg.InterceptName, "kindv"}}}, nil},
	} {
		h, err := frames.GroupedDesign(df, c.formula)
		if err != nil {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		same := slices.EqualFunc(h.Varying, c.varying, func(a, b mlreg.Varying) bool {
			return a.Level == b.Level && a.Shape == b.Shape && slices.Equal(a.Terms, b.Terms)
		})
		if !slices.Equal(h.Design.Names, c.terms) || !slices.Equal(h.Groups.Levels(), c.levels) || !same || !slices.Equal(h.ZeroMean, c.zero) {
			t.Errorf("%s is %v %v %+v %v", c.formula, h.Design.Names, h.Groups.Levels(), h.Varying, h.ZeroMean)
		}
		if _, err := hier.Fit(h.Design, h.Groups, hier.For(h, nil)); err != nil {
			t.Errorf("%s: %v", c.formula, err)
		}
	}
}

// What is refused, and which place is shown.
func TestGroupedDesignRefuses(t *testing.T) {
	df := nestedFrame(t)
	for _, c := range []struct{ formula, place, says string }{
		{"y ~ x", "x", "no group"},
		{"y ~ x + (1 | school) + (1 | class)", "(1 | class)", "crossed"},
		{"y ~ x + (1 | school:class)", "(1 | school:class)", "nothing varies between the groups of school"},
		{"y ~ x * (1 | school)", "(1 | school)", "added by +"},
		{"y ~ x + 1 | school", "x + 1 | school", "parentheses"},
		{"y ~ x + (1 | scool)", "scool", `no column "scool"`},
		{"y ~ x + (1 | log(school))", "log(school)", "a group is a column"},
		{"y ~ x + (1 | school/school)", "school/school", "nests in itself"},
		{"y ~ x + (0 | school)", "", "no"},
		{"y ~ . + (. | school/class/kind/x)", ".", "no column"},
		{"y ~ x + (0 + kind | school)", "(0 + kind | school)", "coded by all levels"},
		{"y + x", "", "response ~ terms"},
		{"y ~ x + (2 | school)", "2", "only numbers among terms"},
	} {
		_, err := frames.GroupedDesign(df, c.formula)
		var f *frames.FormulaError
		if err == nil || !errors.As(err, &f) {
			t.Errorf("%s: %v", c.formula, err)
			continue
		}
		if !strings.Contains(err.Error(), c.says) || c.place != "" && f.Formula[f.Pos:f.End] != c.place {
			t.Errorf("%s: %q: %v", c.formula, f.Formula[f.Pos:f.End], err)
		}
	}
}

// Rows without a group are left out, and predicted as missing; those of new groups from b*.
func TestPredictGroups(t *testing.T) {
	exam := datasets.Exam()
	h, err := frames.GroupedDesign(exam, "normexam ~ standLRT + (standLRT | school)")
	if err != nil {
		t.Fatal(err)
	}
	fit, err := hier.Fit(h.Design, h.Groups, hier.For(h, nil))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := frames.Frame(frames.Col("standLRT", []float64{0.5, 0.5, math.NaN()}), frames.Col("school", []float64{3, 999, 3}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := frames.PredictGroups(fit, rows, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	coefs, err := fit.GroupCoefs("school")
	if err != nil {
		t.Fatal(err)
	}
	b, err := coefs.Coef("3")
	if err != nil {
		t.Fatal(err)
	}
	star := fit.Coef()
	if math.Abs(p.Mean[0]-b[0]-b[1]/2) > 1e-12 || math.Abs(p.Mean[1]-star[0]-star[1]/2) > 1e-12 || !math.IsNaN(p.Mean[2]) {
		t.Errorf("predicted %v", p.Mean)
	}
	if !slices.Equal(p.Seen, []string{"school", "", ""}) || !(p.ParamVar[1] > p.ParamVar[0]) {
		t.Errorf("%v %v", p.Seen, p.ParamVar)
	}
	population, err := frames.Predict(fit, rows)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(population[0]-star[0]-star[1]/2) > 1e-12 {
		t.Errorf("b* predicts %v", population)
	}
	tidy, err := frames.Tidy(fit, 0.95)
	if err != nil || tidy.Nrow() != 2 {
		t.Error(tidy, err)
	}
	glance, err := frames.Glance(fit)
	if err != nil || glance.Nrow() != 1 {
		t.Error(glance, err)
	}
	if _, err := frames.Augment(fit, exam); err != nil {
		t.Error(err)
	}
	if _, err := frames.PredictGroups(fit, rows.Drop("school"), 0.9); !errors.Is(err, frames.ErrNoColumn) {
		t.Error(err)
	}
}

// Formulas as lme4 fits them; ../mlreg/hier/testdata/extreme.R made the values. Its dot takes
// the groups, so that its value is of the terms written out.
func TestGroupedDesignAgainstLME4(t *testing.T) {
	b, err := os.ReadFile("../mlreg/hier/testdata/extreme.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Data struct {
			Small struct {
				G, Z, Y []float64
				K       []string
			}
		}
		Cases []struct {
			Name, Data       string
			Criterion, Sigma float64
			Beta, StdErr, SD any
		}
	}
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	d := ref.Data.Small
	df, err := frames.Frame(frames.Col("g", d.G), frames.Col("z", d.Z), frames.Col("k", d.K), frames.Col("y", d.Y))
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, c := range ref.Cases {
		if c.Data != "small" {
			continue
		}
		compared++
		h, err := frames.GroupedDesign(df, c.Name)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		fit, err := hier.Fit(h.Design, h.Groups, hier.For(h, nil))
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		near := func(what string, got []float64, want any, tol float64) {
			list, ok := want.([]any)
			if !ok {
				list = []any{want}
			}
			if len(got) != len(list) {
				t.Errorf("%s: %d values of %s, lme4 has %d", c.Name, len(got), what, len(list))
				return
			}
			for i, v := range list {
				if math.Abs(got[i]-v.(float64)) > tol*(1+math.Abs(v.(float64))) {
					t.Errorf("%s: %s %v, lme4's %v", c.Name, what, got, list)
				}
			}
		}
		coef, se := fit.Coef(), fit.StdErr()
		if slices.Contains(h.ZeroMean, mlreg.InterceptName) {
			coef, se = coef[1:], se[1:]
		}
		near("criterion", []float64{fit.Criterion()}, c.Criterion, 1e-8)
		near("b*", coef, c.Beta, 1e-5)
		near("standard errors", se, c.StdErr, 1e-4)
		var sd []float64
		for _, v := range fit.Variances() {
			if v.Term != "" {
				sd = append(sd, v.StdDev)
			}
		}
		near("standard deviations", sd, c.SD, 1e-4)
		p, err := frames.PredictGroups(fit, df, 0.9)
		if err != nil || math.IsNaN(p.Mean[0]) {
			t.Errorf("%s: predicted %v, %v", c.Name, p, err)
		}
	}
	if compared != 6 {
		t.Errorf("%d formulas compared", compared)
	}
}
