package datasets

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/regbook/regbook/frames/source"
	"github.com/regbook/regbook/mlreg"
)

// A regression on the simulated flights finds the coefficients that its documentation
// states, within five standard errors, and the noise.
func TestFlightsAreAsStated(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "flights.csv")
	if err := WriteFlights(path, 100_000, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(dir, "again.csv")
	if err := WriteFlights(again, 100_000, rand.NewPCG(1, 2)); err != nil {
		t.Fatal(err)
	}
	a := get(os.ReadFile(path))(t)
	b, err := os.ReadFile(again)
	if err != nil || !bytes.Equal(a, b) {
		t.Errorf("the same seed writes another file (%v)", err)
	}
	s := get(source.CSV(path, nil))(t)
	d := get(s.Design(context.Background(), "delay ~ carrier + I((hour - 6)^2) + distance + wind + seats + I(cos(2*pi*(month - 7)/12))"))(t)
	ols := get(mlreg.FitOLS(d, nil))(t)
	want := []float64{-8, 4, -3, -7, 8, 1, 2, 0.09, -0.004, 0.25, 0, 3}
	for j, v := range ols.Coef() {
		if math.Abs(v-want[j]) > 5*ols.StdErr()[j] {
			t.Errorf("%s is %v, want %v +- %v", ols.Names()[j], v, want[j], ols.StdErr()[j])
		}
	}
	if sd := math.Sqrt(ols.Sigma2()); math.Abs(sd-12) > .15 {
		t.Errorf("the noise has the standard deviation %v", sd)
	}
	if err := WriteFlights(path, 0, rand.NewPCG(1, 2)); !errors.Is(err, mlreg.ErrSetting) {
		t.Errorf("no flights: %v", err)
	}
	if err := WriteFlights(filepath.Join(dir, "no", "folder"), 1, rand.NewPCG(1, 2)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
}
