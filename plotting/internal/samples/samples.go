// Package samples has the data and fits that the tests of several figures draw.
package samples

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gota/gota/dataframe"
	"gonum.org/v1/gonum/mat"

	"github.com/regbook/regbook/datasets"
	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/internal/fatal"
	"github.com/regbook/regbook/mlreg"
)

// Columns returns the matrix with the columns given.
func Columns(columns ...[]float64) *mat.Dense {
	m := mat.NewDense(len(columns[0]), len(columns), nil)
	for j, c := range columns {
		m.SetCol(j, c)
	}
	return m
}

// Coded returns the design of a formula.
func Coded(t *testing.T, df dataframe.DataFrame, formula string) *mlreg.Design {
	t.Helper()
	return fatal.On(frames.Design(df, formula))(t)
}

// Fitted returns the least-squares fit of a formula.
func Fitted(t *testing.T, df dataframe.DataFrame, formula string) (*mlreg.OLS, *mlreg.Design) {
	t.Helper()
	d := Coded(t, df, formula)
	return fatal.On(mlreg.FitOLS(d, nil))(t), d
}

// Standardized is all of the prostate data, on one scale.
func Standardized(t *testing.T) *mlreg.Design {
	t.Helper()
	return fatal.On(Coded(t, datasets.Prostate(), "lpsa ~ . - train").Standardize(nil))(t)
}

// Wave is a sine at twelve inputs with a disturbance that is the same on every
// machine.
func Wave(t *testing.T) dataframe.DataFrame {
	t.Helper()
	x, y := make([]float64, 12), make([]float64, 12)
	for i := range x {
		x[i] = float64(i) / 11
		y[i] = math.Sin(2*math.Pi*x[i]) + float64((i*i*29)%41)/41 - 0.5
	}
	return fatal.On(frames.Frame(frames.Col("x", x), frames.Col("y", y)))(t)
}

// Weak is a design whose first weight the data hardly determine.
func Weak(t *testing.T) *mlreg.Design {
	t.Helper()
	var a, b, y []float64
	for i := range 30 {
		a = append(a, 0.25*math.Sin(float64(5*i)))
		b = append(b, math.Cos(float64(3*i))+0.8*a[i])
		y = append(y, 2*a[i]+1.5*b[i]+0.5*math.Sin(float64(11*i)))
	}
	return fatal.On(mlreg.NewDesign(Columns(a, b), y))(t)
}

// Girolami are the data of Murphy's figures 8.5 and 8.6, without intercept.
func Girolami(t *testing.T) (dataframe.DataFrame, *mlreg.Design) {
	t.Helper()
	df := fatal.On(datasets.Girolami().Draw(30, rand.NewPCG(4, 8)))(t)
	return df, Coded(t, df, "y ~ 0 + x1 + x2")
}
