package mlreg

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// inverseBeside returns (A'A + lambda I)^-1 by Cholesky.
func inverseBeside(t testing.TB, a mat.Matrix, lambda float64) *mat.SymDense {
	t.Helper()
	_, k := a.Dims()
	inner := mat.NewSymDense(k, nil)
	inner.SymOuterK(1, a.T())
	for j := range k {
		inner.SetSym(j, j, inner.At(j, j)+lambda)
	}
	var c mat.Cholesky
	var inverse mat.SymDense
	if !c.Factorize(inner) || c.InverseTo(&inverse) != nil {
		t.Fatal("no inverse")
	}
	return &inverse
}

// ridgeByInverse returns the slopes of ridge regression without an intercept, and the matrix that makes fitted values
// of the response, by (X'X + lambda I)^-1.
func ridgeByInverse(t testing.TB, d *Design, lambda float64) (b []float64, hat *mat.Dense) {
	t.Helper()
	var w, h mat.Dense
	w.Mul(inverseBeside(t, d.X, lambda), d.X.T())
	h.Mul(d.X, &w)
	var slopes mat.VecDense
	slopes.MulVec(&w, mat.NewVecDense(d.NObs(), d.Y))
	return slopes.RawVector().Data, &h
}

func diagonal(a *mat.Dense) []float64 {
	n, _ := a.Dims()
	d := make([]float64, n)
	for i := range d {
		d[i] = a.At(i, i)
	}
	return d
}

// Ridge regressions and principal components of many columns with zeros, by the singular values of the rows, are
// those of the normal equations, of tall designs and of nearly square ones.
func TestPenaltiesOfSparseColumns(t *testing.T) {
	const p, lambda = 140, 5
	for _, n := range []int{200, 270, 330} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			d := sparseDesign(t, n, p)
			b, hat := ridgeByInverse(t, d, lambda)
			fit := get(FitRidge(d, lambda, nil))(t)
			nearAll(t, "slopes", fit.Coef(), b, 1e-11)
			nearAll(t, "leverages", get(fit.Leverage(d))(t), diagonal(hat), 1e-11)
			path := get(FitRidgePath(d, &RidgePathSettings{Lambda: []float64{lambda}}))(t)
			nearAll(t, "slopes of the path", path.Fit(0).Coef(), b, 1e-11)
			near(t, "RSS of the path", path.Fit(0).RSS(), fit.RSS(), 1e-11)
			near(t, "degrees of freedom of the path", path.Fit(0).DoF(), mat.Trace(hat), 1e-11)
			var eigen mat.EigenSym
			inner := mat.NewSymDense(p, nil)
			inner.SymOuterK(1, d.X.T())
			if !eigen.Factorize(inner, false) {
				t.Fatal("no eigenvalues")
			}
			values := eigen.Values(nil)
			slices.Reverse(values)
			for k, v := range values {
				values[k] = math.Sqrt(v)
			}
			nearAll(t, "singular values of the path", path.SingularValues(), values, 1e-9)
			components := get(FitPCR(d, p, nil))(t)
			nearAll(t, "singular values of the components", components.SingularValues(), values, 1e-9)
			nearAll(t, "slopes of all components", components.Coef(), get(FitOLS(d, nil))(t).Coef(), 1e-9)
		})
	}
}

// The dual of more columns than rows, with zeros in the rows, and a column so short that the dual is taken.
func TestRidgeDualOfSparseRows(t *testing.T) {
	const n, p, lambda = 140, 330, 5
	across := sparseDesign(t, p, n)
	d := get(NewDesign(mat.DenseCopyOf(across.X.T()), across.Y[:n]))(t)
	d.NoIntercept = true
	for i := range n {
		d.X.Set(i, 7, 1e-6*d.X.At(i, 7))
	}
	b, hat := ridgeByInverse(t, d, lambda)
	fit := get(FitRidge(d, lambda, nil))(t)
	if fit.Method() != "singular value decomposition" {
		t.Fatalf("by %s", fit.Method())
	}
	nearAll(t, "slopes", fit.Coef(), b, 1e-11)
	near(t, "degrees of freedom", fit.DoF(), mat.Trace(hat), 1e-11)
	nearAll(t, "leverages", get(fit.Leverage(d))(t), diagonal(hat), 1e-11)
}

// Two dummies before many numbers have the singular values, and the principal components regression, of svd of R: in
// mat.SVD, gonum 0.17.0 loses a product of the first and third reflections, since the second dummy ends before the first.
func TestPCROfDummiesAgainstR(t *testing.T) {
	var r struct {
		N, P, Components int
		Singular, Slopes []float64
	}
	readJSON(t, "svd_dummies.json", &r)
	x, y := mat.NewDense(r.N, r.P, nil), make([]float64, r.N)
	for i := range r.N {
		y[i] = float64(i*i%89 - 44)
		if i%3 == 0 || i >= r.N-20 {
			x.Set(i, 0, 1)
		} else {
			x.Set(i, 1, 1)
		}
		for j := 2; j < r.P; j++ {
			x.Set(i, j, float64((i*i*(2*j+3)+i*(j*j+5)+7*j)%9973%101-50))
		}
	}
	d := get(NewDesign(x, y))(t)
	d.NoIntercept = true
	f := get(FitPCR(d, r.Components, nil))(t)
	nearAll(t, "singular values", f.SingularValues(), r.Singular, 1e-10)
	nearAll(t, "slopes", f.Coef(), r.Slopes, 1e-12)
}
