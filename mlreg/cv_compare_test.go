package mlreg

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/regbook/regbook/mlreg/internal/gram"
)

// fixed predicts what it is.
type fixed []float64

func (f fixed) Predict(*Design) ([]float64, error) { return append([]float64(nil), f...), nil }

// The means and standard errors are those of gonum's package stat; a row counted twice
// is a row of weight 2 as to the means; a row of weight zero does not count.
func TestCompareErrors(t *testing.T) {
	y := []float64{1, 2, 4, 8, 3}
	d := get(NewDesign(mat.NewDense(5, 1, []float64{1, 2, 3, 4, 5}), y, "x"))(t)
	a, b := fixed{1, 1, 4, 6, 0}, fixed{2, 2, 2, 9, 3}
	rows := get(CompareErrors(d, []NamedFit{{Name: "a", Fit: a}, {Fit: b}}))(t)
	squares := func(f fixed) []float64 {
		e := floats.SubTo(make([]float64, 5), y, f)
		floats.Mul(e, e)
		return e
	}
	difference := floats.SubTo(make([]float64, 5), squares(b), squares(a))
	check := func(what string, mean, stderr float64, e []float64) {
		m, sd := stat.MeanStdDev(e, nil)
		near(t, what, mean, m, 1e-14)
		near(t, what+", std. error", stderr, sd/math.Sqrt(5), 1e-14)
	}
	check("a", rows[0].MSE, rows[0].StdErr, squares(a))
	check("b", rows[1].MSE, rows[1].StdErr, squares(b))
	check("b - a", rows[1].Difference, rows[1].DifferenceErr, difference)
	if rows[0].Difference != 0 || rows[0].DifferenceErr != 0 || rows[1].Name != "(2)" {
		t.Errorf("%+v", rows)
	}

	weighted := *d
	weighted.Weights = []float64{2, 1, 1, 0, 1}
	w := get(CompareErrors(&weighted, []NamedFit{{Fit: a}, {Fit: b}}))(t)
	twice := get(NewDesign(mat.NewDense(5, 1, []float64{1, 1, 2, 3, 5}), []float64{1, 1, 2, 4, 3}, "x"))(t)
	again := get(CompareErrors(twice, []NamedFit{{Fit: fixed{1, 1, 1, 4, 0}}, {Fit: fixed{2, 2, 2, 2, 3}}}))(t)
	near(t, "weighted", w[1].MSE, again[1].MSE, 1e-14)
	near(t, "weighted difference", w[1].Difference, again[1].Difference, 1e-14)
	// e-e(first) is 1, -1, 4, -9 of weight 2, 1, 1, 1.
	mean, sum := (2*1.0-1+4-9)/5, 0.0
	for i, v := range []float64{1, -1, 4, -9} {
		sum += gram.Square([]float64{2, 1, 1, 1}[i] * (v - mean))
	}
	near(t, "its standard error", w[1].DifferenceErr, math.Sqrt(4.0/3*sum)/5, 1e-14)
	if text := rows.String(); !strings.Contains(text, "minus a") || strings.Contains(rows[0].String(), "minus") {
		t.Error(text)
	}
}

func TestCompareErrorsRefuses(t *testing.T) {
	d := get(NewDesign(mat.NewDense(3, 1, []float64{1, 2, 3}), []float64{1, 2, 4}, "x"))(t)
	ols := get(FitOLS(d, nil))(t)
	noResponse, one := *d, d.Rows(0)
	noResponse.Y = nil
	for name, c := range map[string]struct {
		d    *Design
		fits []NamedFit
		want error
		text string
	}{
		"nil design":  {nil, []NamedFit{{Fit: ols}}, ErrNoData, "nil"},
		"no fits":     {d, nil, ErrNoData, "no fits"},
		"no response": {&noResponse, []NamedFit{{Fit: ols}}, ErrNoData, "response"},
		"one row":     {one, []NamedFit{{Fit: ols}}, ErrNoData, "two"},
		"nil fit":     {d, []NamedFit{{Fit: ols}, {Fit: (*OLS)(nil)}}, ErrNoData, "(2)"},
		"no fit":      {d, []NamedFit{{Name: "table", Fit: 3}}, ErrSetting, `"table" is a int`},
		"other terms": {get(NewDesign(mat.NewDense(3, 1, []float64{1, 2, 3}), []float64{1, 2, 4}, "z"))(t), []NamedFit{{Name: "ols", Fit: ols}}, ErrShape, `fit "ols"`},
	} {
		_, err := CompareErrors(c.d, c.fits)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
