package mlreg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Bands are narrowest at the (weighted) mean of the data, not at the origin.
func TestBandsNarrowestAtTheMean(t *testing.T) {
	x, y := mat.NewDense(9, 1, []float64{90, 95, 99, 100, 104, 107, 111, 113, 120}), []float64{1, 3, 2, 4, 4, 6, 5, 7, 9}
	d := mustDesign(t, x, y)
	weighted := *d
	weighted.Weights = []float64{4, 3, 3, 2, 2, 1, 1, 1, 1}
	grid := mat.NewDense(2401, 1, nil)
	for i := range 2401 {
		grid.Set(i, 0, float64(i)/20)
	}
	at := mustDesign(t, grid, nil)
	for _, d := range []*Design{d, &weighted} {
		var sum, w float64
		for i := range 9 {
			sum += d.Weight(i) * x.At(i, 0)
			w += d.Weight(i)
		}
		f := fitted(t, d, nil)
		for _, band := range []func(*Design, float64) (*Band, error){f.ConfidenceBand, f.PredictionBand} {
			b, err := band(at, 0.95)
			must(t, b, err)
			narrowest := 0
			for i := range b.Upper {
				if b.Upper[i]-b.Lower[i] < b.Upper[narrowest]-b.Lower[narrowest] {
					narrowest = i
				}
			}
			if at := grid.At(narrowest, 0); math.Abs(at-sum/w) > 0.026 {
				t.Errorf("the %v is narrowest at %v; the mean is %v", b.Kind, at, sum/w)
			}
		}
	}
}

// A prediction band has the noise besides; with sigma known, limits are z.
func TestPredictionAndConfidence(t *testing.T) {
	d := randomDesign(t, 9, 15, 2)
	d.Weights = []float64{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1}
	at := d.Rows(0, 1, 2)
	at.Weights = []float64{1, 0.25, 3}
	at.Y = nil
	for _, sigma2 := range []float64{0, 1.7} {
		f := fitted(t, d, &OLSSettings{Sigma2: sigma2})
		c, err := f.ConfidenceBand(at, 0.95)
		must(t, c, err)
		p, err := f.PredictionBand(at, 0.95)
		must(t, p, err)
		q := 2.1788128296672289 // R: qt(.975, 12)
		if sigma2 > 0 {
			q = 1.959963984540054
		}
		for i := range 3 {
			near(t, "noise", p.StdErr[i]*p.StdErr[i]-c.StdErr[i]*c.StdErr[i], f.Sigma2()/at.Weights[i], 1e-11)
			near(t, "confidence", c.Upper[i]-c.Fitted[i], q*c.StdErr[i], 1e-13)
			near(t, "prediction", p.Fitted[i]-p.Lower[i], q*p.StdErr[i], 1e-13)
		}
		if c.Kind != Confidence || p.Kind != Prediction || c.Level != 0.95 {
			t.Errorf("bands %v and %v at %v", c.Kind, p.Kind, c.Level)
		}
	}
	f := fitted(t, d, nil)
	at.Weights[1] = 0
	if _, err := f.ConfidenceBand(at, 0.95); err != nil {
		t.Error(err)
	}
	_, err := f.PredictionBand(at, 0.95)
	wantError(t, "weight zero", err, ErrSetting, "row 2")
	at.Weights[1] = -1
	_, err = f.PredictionBand(at, 0.95)
	wantError(t, "negative weight", err, ErrSetting, "row 2")
	missing, err := d.Select("x1")
	_, err2 := f.PredictionBand(must(t, missing, err), 0.95)
	wantError(t, "missing column", err2, ErrShape, `"x2"`)
}

// Bands do not depend on the units of the rows.
func TestBandsOfScaledRows(t *testing.T) {
	d := randomDesign(t, 10, 20, 3)
	standard, err := d.Standardize(nil)
	must(t, standard, err)
	a, err := fitted(t, d, nil).PredictionBand(standard.Rows(3, 4), 0.8)
	must(t, a, err)
	b, err := fitted(t, standard, nil).PredictionBand(d.Rows(3, 4), 0.8)
	must(t, b, err)
	nearAll(t, "lower limits", a.Lower, b.Lower, 1e-12)
}
