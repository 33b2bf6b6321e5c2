package mlreg

import (
	"encoding/csv"
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

func allOf(t *testing.T) *Design {
	t.Helper()
	train, _ := prostate(t)
	return train
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func fitsOfProstate(t *testing.T) (*OLS, *Bayes, *ElasticNet) {
	t.Helper()
	d := allOf(t)
	ols, err := FitOLS(d, nil)
	check(t, err)
	bayes, err := FitBayes(d, GaussianPrior{Tau2: 1}, KnownVariance(0.5), nil)
	check(t, err)
	lasso, err := FitLasso(d, 5, nil)
	check(t, err)
	return ols, bayes, lasso
}

// TestFitTable holds every number of the table, as CSV gives it, to its fit.
func TestFitTable(t *testing.T) {
	ols, bayes, lasso := fitsOfProstate(t)
	table, err := FitTable([]NamedFit{{"", ols}, {"posterior", bayes}, {"lasso", lasso}}, nil)
	check(t, err)
	records, err := csv.NewReader(strings.NewReader(table.CSV())).ReadAll()
	check(t, err)
	if got := strings.Join(records[0], " "); got != "term (1) posterior lasso" {
		t.Fatalf("headings %q", got)
	}
	rows, err := ols.Table(0.95)
	check(t, err)
	want := func(row, column int, v float64) {
		t.Helper()
		if got := records[row][column]; got != strconv.FormatFloat(v, 'g', -1, 64) {
			t.Errorf("%s, %s: %s, want %v", records[row][0], records[0][column], got, v)
		}
	}
	for j, r := range rows {
		if records[1+2*j][0] != r.Term || records[2+2*j][0] != "" {
			t.Fatalf("row %d is of %q, want %q", 1+2*j, records[1+2*j][0], r.Term)
		}
		want(1+2*j, 1, r.Estimate)
		want(2+2*j, 1, r.StdErr)
		want(1+2*j, 2, bayes.PosteriorMean()[j])
		want(1+2*j, 3, lasso.Coef()[j])
		if records[2+2*j][3] != "" {
			t.Errorf("the lasso has a standard error %q", records[2+2*j][3])
		}
	}
	facts := map[string]float64{"n": float64(ols.NObs()), "R²": ols.R2(), "AIC": AIC(ols), "BIC": BIC(ols), "log L": ols.LogLik()}
	for i, r := range records {
		if v, ok := facts[r[0]]; ok {
			want(i, 1, v)
			delete(facts, r[0])
		}
	}
	if len(facts) > 0 {
		t.Errorf("rows are missing: %v", facts)
	}
}

func TestFitTableBelow(t *testing.T) {
	ols, _, _ := fitsOfProstate(t)
	half := allOf(t).Rows(gram.NumbersTo(48)...)
	fewer, err := FitOLS(half, nil)
	check(t, err)
	for below, want := range map[BelowEstimate]string{
		StdErrBelow: "standard errors in parentheses", LimitsBelow: "90% limits in brackets", PBelow: "p-values in parentheses", NothingBelow: "n differs",
	} {
		table, err := FitTable([]NamedFit{{"all", ols}, {"half", fewer}}, &FitTableSettings{Below: below, Level: 0.9})
		check(t, err)
		if text := table.String(); !strings.Contains(text, want) || !strings.Contains(text, "n differs") {
			t.Errorf("%v: no %q in\n%s", below, want, text)
		}
	}
}

// Fits of y and of log(y) do not compare, which the table says.
func TestFitTableResponses(t *testing.T) {
	ols, _, _ := fitsOfProstate(t)
	other := *allOf(t)
	other.Response = "log(y)"
	fit, err := FitOLS(&other, nil)
	check(t, err)
	for _, c := range []struct {
		fits []NamedFit
		says bool
	}{{[]NamedFit{{"a", ols}, {"b", fit}}, true}, {[]NamedFit{{"a", ols}, {"b", ols}}, false}} {
		table, err := FitTable(c.fits, nil)
		check(t, err)
		want := "responses differ (" + ols.Response() + ", log(y))"
		if text := table.String(); strings.Contains(text, want) != c.says || strings.Contains(text, "n differs") {
			t.Errorf("%q: %v\n%s", want, !c.says, text)
		}
	}
}

func TestFitTableRefuses(t *testing.T) {
	ols, _, _ := fitsOfProstate(t)
	var none *OLS
	for _, c := range []struct {
		fits     []NamedFit
		settings *FitTableSettings
		want     error
	}{
		{nil, nil, ErrNoData},
		{[]NamedFit{{"a", none}}, nil, ErrNoData},
		{[]NamedFit{{"a", 3}}, nil, ErrSetting},
		{[]NamedFit{{"a", ols}}, &FitTableSettings{Level: 1}, ErrSetting},
		{[]NamedFit{{"a", ols}}, &FitTableSettings{Below: 9}, ErrSetting},
	} {
		if _, err := FitTable(c.fits, c.settings); !errors.Is(err, c.want) {
			t.Errorf("%v %v: error %v, want %v", c.fits, c.settings, err, c.want)
		}
	}
}

// A fit that is nil has no facts, of a type or of none.
func TestFactsOfNothing(t *testing.T) {
	for _, fit := range []any{nil, (*OLS)(nil), (*Ridge)(nil)} {
		if facts := FactsOf(fit); facts != nil {
			t.Errorf("%T: %v", fit, facts)
		}
	}
}
