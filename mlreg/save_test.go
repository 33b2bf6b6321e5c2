package mlreg

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/mlreg/internal/algebra"
)

// What is loaded is what was saved; another type, damage and nil are told.
func TestSaveAndLoad(t *testing.T) {
	d := get(NewDesign(algebra.NewDense(6, 1), []float64{1, 2, 4, 3, 6, 5}, "x"))(t)
	for i := range 6 {
		d.X.Set(i, 0, float64(i*i))
	}
	fit := get(FitOLS(d, nil))(t)
	path := filepath.Join(t.TempDir(), "ols.fit")
	if err := Save(path, fit); err != nil {
		t.Fatal(err)
	}
	again := get(Load[OLS](path))(t)
	if !slices.Equal(again.Coef(), fit.Coef()) || again.String() != fit.String() {
		t.Errorf("loaded %v, saved %v", again, fit)
	}
	if _, err := Load[GLM](path); !errors.Is(err, ErrStream) || !strings.Contains(err.Error(), "OLS") {
		t.Errorf("as a GLM: %v", err)
	}
	b := get(os.ReadFile(path))(t)
	b[len(b)-3] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load[OLS](path); !errors.Is(err, ErrStream) {
		t.Errorf("damaged: %v", err)
	}
	if _, err := Load[OLS](path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load[int](path); !errors.Is(err, ErrSetting) {
		t.Errorf("int: %v", err)
	}
	var none *OLS
	for _, bad := range []any{nil, none} {
		if err := Save(path, bad); !errors.Is(err, ErrNoData) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if err := Save(path, 3); !errors.Is(err, ErrSetting) {
		t.Errorf("3: %v", err)
	}
	for _, result := range []any{fit, *fit, &CV{}, &LassoPath{}, &RidgePath{}, &LARS{}, &Moments{}, &Folds{}, &Grouping{}, &LinearGaussian{}, &BayesLogistic{}, &LassoCV{CV: &CV{}}} {
		if _, err := json.Marshal(result); err == nil || !strings.Contains(err.Error(), "mlreg.Save") {
			t.Errorf("JSON of %T: %v", result, err)
		}
	}
}

// Clusters of the design are those of the call.
func TestClustersOfTheDesign(t *testing.T) {
	d := get(NewDesign(algebra.NewDense(8, 1), []float64{1, 2, 4, 3, 6, 5, 9, 7}, "x"))(t)
	names := []string{"a", "a", "b", "b", "c", "c", "d", "d"}
	for i := range 8 {
		d.X.Set(i, 0, float64(i))
	}
	ols := get(FitOLS(d, nil))(t)
	glm := get(FitGLM(d, Poisson, nil))(t)
	if _, err := ols.Clustered(d, nil); !errors.Is(err, ErrNoData) || !strings.Contains(err.Error(), "DesignSettings{Clusters") {
		t.Errorf("%v", err)
	}
	if _, err := glm.Clustered(d, nil); !errors.Is(err, ErrNoData) {
		t.Errorf("%v", err)
	}
	d.Clusters = names
	a := get(ols.Clustered(d, nil))(t)
	b := get(ols.Clustered(d, func(*Design) ([]string, error) { return names, nil }))(t)
	c, e := get(glm.Clustered(d, nil))(t), get(glm.Clustered(d, names))(t)
	if !slices.Equal(a.StdErr(), b.StdErr()) || !slices.Equal(c.StdErr(), e.StdErr()) {
		t.Errorf("%v, %v; %v, %v", a.StdErr(), b.StdErr(), c.StdErr(), e.StdErr())
	}
	if sub := d.Rows(7, 0); !slices.Equal(sub.Clusters, []string{"d", "a"}) {
		t.Errorf("rows have clusters %q", sub.Clusters)
	}
	d.Clusters = names[:3]
	if err := d.Check(); !errors.Is(err, ErrShape) {
		t.Errorf("%v", err)
	}
}
