package mlreg_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/janpfeifer/must"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/mlreg"
)

// R: saveRDS(m, file) and readRDS(file); Python: joblib.dump and load.
func ExampleSave() {
	dir := must.M1(os.MkdirTemp("", "fits"))
	defer os.RemoveAll(dir)
	d := must.M1(mlreg.NewDesign(mat.NewDense(4, 1, []float64{1, 2, 3, 4}), []float64{2, 3, 5, 8}))
	must.M(mlreg.Save(filepath.Join(dir, "ols.fit"), must.M1(mlreg.FitOLS(d, nil))))
	fit := must.M1(mlreg.Load[mlreg.OLS](filepath.Join(dir, "ols.fit")))
	fmt.Printf("%.1f\n", fit.Coef())
	_, err := json.Marshal(fit)
	fmt.Println(err != nil)
	// Output:
	// [-0.5 2.0]
	// true
}

func ExampleLoad() {
	_, err := mlreg.Load[mlreg.OLS]("no such file")
	fmt.Println(err)
	// Output: open no such file: no such file or directory
}
