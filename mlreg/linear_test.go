package mlreg

import (
	"bytes"
	"encoding/gob"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// A Linear of the coefficients of least squares predicts as that does, on rows whose columns stand
// in another order and have other units, and so do its copies: raw, stored, and with other coefficients.
func TestLinearIsThatOfItsCoefficients(t *testing.T) {
	d := get(NewDesign(mat.NewDense(5, 2, []float64{1, 4, 2, 1, 3, 5, 4, 2, 6, 9}), []float64{3, 1, 4, 1, 5}, "a", "b"))(t)
	ols := get(FitOLS(get(d.Standardize(nil))(t), nil))(t)
	f := get(NewLinear(get(d.Standardize(nil))(t), ols.Coef(), nil))(t)
	other := get(d.Select("b", "a"))(t)
	want := get(ols.Predict(other))(t)
	nearAll(t, "predictions", get(f.Predict(other))(t), want, 1e-14)

	raw := get(f.RawLinear())(t)
	if raw.Scaling() != nil || f.Scaling() == nil {
		t.Error("RawLinear changed what it is of, or kept its scaling")
	}
	nearAll(t, "raw predictions", get(raw.Predict(other))(t), want, 1e-12)
	nearAll(t, "raw coefficients", raw.Coef(), get(ols.Raw())(t).Coef(), 1e-12)

	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(&f); err != nil {
		t.Fatal(err)
	}
	var stored Linear
	if err := gob.NewDecoder(&buf).Decode(&stored); err != nil {
		t.Fatal(err)
	}
	nearAll(t, "stored predictions", get(stored.Predict(other))(t), want, 1e-14)

	twice := get(f.With([]float64{2, 0, 0}, nil))(t)
	nearAll(t, "the constant 2", get(twice.Predict(d))(t), []float64{2, 2, 2, 2, 2}, 0)
	part := get(f.Part("b"))(t)
	if part.HasIntercept() || !slices.Equal(part.Coef(), f.Coef()[2:]) || !slices.Equal(part.Names(), []string{"b"}) {
		t.Errorf("the part of b: %v %v", part.Names(), part.Coef())
	}
	own := get(f.Columns(other))(t)
	if !slices.Equal(own.Names, d.Names) || math.Abs(mat.Sum(own.X)) > 1e-12 {
		t.Errorf("columns %v, whose sum is %v", own.Names, mat.Sum(own.X))
	}
}

func TestLinearRefuses(t *testing.T) {
	d := get(NewDesign(mat.NewDense(2, 1, []float64{1, 4}), []float64{3, 1}, "a"))(t)
	_, err := NewLinear(d, []float64{1}, nil)
	wantErr(t, err, ErrShape, "1 coefficients")
	_, err = NewLinear(d, []float64{1, 2}, []float64{0})
	wantErr(t, err, ErrShape, "1 of their low parts")
	_, err = NewLinear(d, []float64{1, math.Inf(1)}, nil)
	wantErr(t, err, ErrNotFinite, `coefficient of "a"`)
	f := get(NewLinear(d, []float64{1, 2}, nil))(t)
	_, err = f.Part("b")
	wantErr(t, err, ErrShape, `no term "b"`)
}
