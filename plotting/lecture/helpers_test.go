package lecture

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/plotting"
	"github.com/regbook/regbook/plotting/internal/golden"
)

// checkImage holds a figure against testdata/name.png.
func checkImage(t *testing.T, name string, f *plotting.Figure) {
	t.Helper()
	png, err := f.PNG()
	if err != nil {
		t.Fatal(err)
	}
	golden.PNG(t, name, png)
}

// columns returns the matrix with the columns given.
func columns(cols ...[]float64) *mat.Dense {
	m := mat.NewDense(len(cols[0]), len(cols), nil)
	for j, c := range cols {
		m.SetCol(j, c)
	}
	return m
}

// coded returns the design of a formula.
func coded(t *testing.T, df dataframe.DataFrame, formula string) *mlreg.Design {
	t.Helper()
	d, err := frames.Design(df, formula)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// standardised is all of the prostate data, on one scale.
func standardised(t *testing.T) *mlreg.Design {
	t.Helper()
	d, err := coded(t, datasets.Prostate(), "lpsa ~ . - train").Standardize(nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// wave is a sine at twelve inputs with a disturbance that is the same on every
// machine.
func wave(t *testing.T) dataframe.DataFrame {
	t.Helper()
	x := plotting.Range(0, 1, 12)
	y := make([]float64, len(x))
	for i := range x {
		y[i] = math.Sin(2*math.Pi*x[i]) + float64((i*i*29)%41)/41 - 0.5
	}
	df, err := frames.Frame(frames.Col("x", x), frames.Col("y", y))
	if err != nil {
		t.Fatal(err)
	}
	return df
}

// fitted is the least-squares fit of a formula.
func fitted(t *testing.T, df dataframe.DataFrame, formula string) (*mlreg.OLS, *mlreg.Design) {
	t.Helper()
	d := coded(t, df, formula)
	fit, err := mlreg.FitOLS(d, nil)
	if err != nil {
		t.Fatal(err)
	}
	return fit, d
}

// girolami are the data of Murphy's figures 8.5 and 8.6, without intercept.
func girolami(t *testing.T) *mlreg.Design {
	t.Helper()
	df, err := datasets.Girolami().Draw(30, rand.NewPCG(4, 8))
	if err != nil {
		t.Fatal(err)
	}
	return coded(t, df, "y ~ 0 + x1 + x2")
}
