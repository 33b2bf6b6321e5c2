package mlreg

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

// Every row is the fit of its term alone, R's add1 to the empty model agrees, and
// the order is that of the loss.
func TestFilterTerms(t *testing.T) {
	for name, set := range subsetSets(t) {
		rows, err := FilterTerms(set.d)
		if err != nil {
			t.Fatal(name, err)
		}
		for i, row := range rows {
			f := get(SubsetModel{Terms: []string{row.Term}}.Refit(set.d))(t)
			near(t, name+" intercept", row.Intercept, f.Intercept(), 1e-9)
			near(t, name+" coefficient", row.Coef, f.Slopes()[0], 1e-9)
			near(t, name+" R2", row.R2, f.R2(), 1e-9)
			near(t, name+" F", row.F, f.F().Stat, 1e-9)
			near(t, name+" loss", row.Loss, f.RSS()/float64(f.NObs()), 1e-9)
			if row.Cor*row.Coef < 0 || math.Abs(row.Cor*row.Cor-row.R2) > 1e-15 {
				t.Errorf("%s: correlation %g of coefficient %g", name, row.Cor, row.Coef)
			}
			if i > 0 && row.RSS < rows[i-1].RSS {
				t.Errorf("%s: %s out of order", name, row.Term)
			}
			j := slices.Index(set.ref.Single.Terms, row.Term)
			near(t, name+" RSS", row.RSS, set.ref.Single.RSS[j], 1e-10)
			near(t, name+" F", row.F, set.ref.Single.F[j], 1e-9)
			near(t, name+" P", row.P, set.ref.Single.P[j], 1e-8)
		}
	}
}

func TestFilterTermsOdd(t *testing.T) {
	d := randomDesign(t, 5, 20, 3)
	d.NoIntercept = true
	for i := range 20 {
		d.Weights = append(d.Weights, float64(1+i%3))
		d.X.Set(i, 1, 0)
	}
	rows := get(FilterTerms(d))(t)
	last := rows[2]
	if last.Term != "x2" || last.R2 != 0 || !math.IsNaN(last.Coef) || !math.IsNaN(last.P) {
		t.Errorf("constant term: %+v", last)
	}
	f := get(SubsetModel{Terms: []string{rows[0].Term}}.Refit(d))(t)
	near(t, "coefficient", rows[0].Coef, f.Slopes()[0], 1e-10)
	near(t, "R2", rows[0].R2, f.R2(), 1e-10)
	if rows[0].Intercept != 0 {
		t.Errorf("intercept %v of a model without", rows[0].Intercept)
	}
	d.Y = make([]float64, 20)
	if _, err := FilterTerms(d); !errors.Is(err, ErrConstant) {
		t.Errorf("constant response: %v", err)
	}
	if _, err := FilterTerms(nil); !errors.Is(err, ErrNoData) {
		t.Errorf("nil: %v", err)
	}
}

func TestOrderedModels(t *testing.T) {
	d, _ := prostate(t)
	rows := get(FilterTerms(d))(t)
	var order []string
	for _, row := range rows {
		order = append(order, row.Term)
	}
	models, err := OrderedModels(d, 0, order...)
	if err != nil || len(models) != 9 {
		t.Fatal(len(models), err)
	}
	best := get(FitBestSubsets(d, nil))(t)
	for k, m := range models {
		if m.Size() != k || m.RSS < best.Models()[k].RSS*(1-1e-12) {
			t.Errorf("the first %d of a ranking have RSS %g, the best %g", k, m.RSS, best.Models()[k].RSS)
		}
	}
	near(t, "Cp", models[8].Cp, 9, 1e-12)
	if _, err := OrderedModels(d, 0, "lcavol", "x"); !errors.Is(err, ErrShape) || !strings.Contains(err.Error(), `"x"`) {
		t.Error(err)
	}
	if _, err := OrderedModels(d, 0, "lcavol", "lcavol"); !errors.Is(err, ErrSetting) {
		t.Error(err)
	}
}
