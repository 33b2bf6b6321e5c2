package mlreg

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

func TestStandardizeMoments(t *testing.T) {
	d := randomDesign(t, 2, 40, 4)
	for _, scale := range []float64{1, 1e200, 1e-200} {
		big := *d
		big.X = mat.DenseCopyOf(d.X)
		big.X.Scale(scale, big.X)
		for ddof := range 2 {
			z := get(big.Standardize(&StandardizeSettings{DDoF: ddof}))(t)
			for j := range 4 {
				col := mat.Col(nil, j, z.X)
				mean, variance := stat.MeanVariance(col, nil)
				if math.Abs(mean) > 1e-15 {
					t.Errorf("mean = %g, want 0", mean)
				}
				near(t, "variance", variance, 40./39*float64(40-ddof)/40, 1e-13)
			}
		}
	}
	centered, err := d.Standardize(&StandardizeSettings{CenterOnly: true})
	if err != nil || centered.Scaling.Scale[0] != 1 {
		t.Errorf("center only: %v", err)
	}
	scaled, err := d.Standardize(&StandardizeSettings{ScaleOnly: true})
	if err != nil || scaled.Scaling.Center[0] != 0 {
		t.Errorf("scale only: %v", err)
	}
}

// A design brought to a scaling and back is the design.
func TestRescaleRoundTrip(t *testing.T) {
	d := randomDesign(t, 3, 30, 3)
	z := get(d.Standardize(nil))(t)
	back := get(z.Rescale(nil))(t)
	if !mat.EqualApprox(back.X, d.X, 1e-14) {
		t.Error("the raw columns did not come back")
	}
	again, err := back.Rescale(z.Scaling)
	if err != nil || !mat.EqualApprox(again.X, z.X, 1e-13) {
		t.Errorf("the scaled columns did not come back: %v", err)
	}
}

func TestStandardizeErrors(t *testing.T) {
	d := randomDesign(t, 4, 10, 2)
	for i := range 10 {
		d.X.Set(i, 1, 0.1)
	}
	if _, err := d.Standardize(nil); !errors.Is(err, ErrConstant) || !strings.Contains(err.Error(), `"x2" is 0.1`) {
		t.Errorf("constant column: %v", err)
	}
	if _, err := d.Standardize(&StandardizeSettings{DDoF: 10}); !errors.Is(err, ErrSetting) {
		t.Errorf("ddof: %v", err)
	}
	if _, err := d.Standardize(&StandardizeSettings{CenterOnly: true, ScaleOnly: true}); !errors.Is(err, ErrSetting) {
		t.Errorf("both: %v", err)
	}
	if _, err := d.Rescale(&Scaling{Center: []float64{0}, Scale: []float64{1}}); !errors.Is(err, ErrShape) {
		t.Errorf("scaling of one column: %v", err)
	}
	if _, err := d.Rescale(&Scaling{Center: []float64{0, 0}, Scale: []float64{1, 0}}); !errors.Is(err, ErrSetting) {
		t.Errorf("scale of zero: %v", err)
	}
	d.X.Set(3, 0, math.NaN())
	if _, err := d.Standardize(nil); !errors.Is(err, ErrNotFinite) {
		t.Errorf("NaN: %v", err)
	}
}

// Integer weights count rows: weighted standardization is that of repeated rows, and
// a row of weight zero is none.
func TestStandardizeWeighted(t *testing.T) {
	d := randomDesign(t, 4, 30, 3)
	var rows []int
	for i := range 30 {
		d.Weights = append(d.Weights, float64(i%4))
		for range i % 4 {
			rows = append(rows, i)
		}
	}
	repeated := d.Rows(rows...)
	repeated.Weights = nil
	z := get(d.Standardize(&StandardizeSettings{Weighted: true}))(t)
	want := get(repeated.Standardize(nil))(t)
	nearAll(t, "centre", z.Scaling.Center, want.Scaling.Center, 1e-14)
	nearAll(t, "scale", z.Scaling.Scale, want.Scaling.Scale, 1e-14)
	n := float64(d.PositiveRows())
	ddof := get(d.Standardize(&StandardizeSettings{Weighted: true, DDoF: 1}))(t)
	near(t, "ddof", ddof.Scaling.Scale[1], z.Scaling.Scale[1]*math.Sqrt(n/(n-1)), 1e-14)
	d.Weights = make([]float64, 30)
	wantError(t, "weights", errorOf(d.Standardize(&StandardizeSettings{Weighted: true})), ErrNoData, "weight zero")
	wantError(t, "ddof", errorOf(repeated.Standardize(&StandardizeSettings{DDoF: len(rows)})), ErrSetting, "DDoF")
}

// Raw takes a center of any value out of the intercept.
func TestRawOfCenters(t *testing.T) {
	for _, center := range []float64{-2, 0, 1, 1e-9} {
		d := &Design{X: mat.NewDense(4, 1, []float64{-1, 0, 0, 1}), Names: []string{"x"}, Response: "y", Y: []float64{1, 2, 5, 3}, Scaling: &Scaling{Center: []float64{center}, Scale: []float64{1}}}
		got := get(get(FitOLS(d, nil))(t).Raw())(t)
		if want := []float64{2.75 - center, 1}; math.Abs(got.Coef()[0]-want[0]) > 1e-15 || math.Abs(got.Coef()[1]-want[1]) > 1e-15 {
			t.Errorf("centered at %g: %v, want %v", center, got.Coef(), want)
		}
	}
}
