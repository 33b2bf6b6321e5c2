package datasets

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/regbook/regbook/mlreg"
	"github.com/regbook/regbook/mlreg/tsa"
)

// Least squares finds the weights that moved the hand, and the share of variance.
func TestSimulateECoG(t *testing.T) {
	e := get(SimulateECoG(7, 10, 12000, rand.NewPCG(1, 2)))(t)
	if want := []string{"e1", "e6"}; !slices.Equal(e.Active, want) {
		t.Errorf("active %q", e.Active)
	}
	var channels []tsa.ChannelLags
	for _, name := range e.Series.Names[1:] {
		channels = append(channels, tsa.ChannelLags{Channel: name, From: 1, To: 10})
	}
	l := get(tsa.NewLags(e.Series, 10, &tsa.LagsSettings{Channels: channels}))(t)
	fit := get(mlreg.FitOLS(l, nil))(t)
	robust := get(fit.HAC(l.Design(), &mlreg.HACSettings{Lags: 60}))(t)
	se, off := robust.StdErr()[1:], 0.0
	for j, b := range fit.Slopes() {
		z := (b - e.Weights.At(j/10, j%10)) / se[j]
		off += z * z / 70
	}
	if off > 2 || off < 0.3 {
		t.Errorf("mean squared error of weights in standard errors is %v", off)
	}
	if share := e.SignalVar / (e.SignalVar + e.NoiseVar); math.Abs(fit.R2()-share) > 0.05 {
		t.Errorf("R2 %v, share of the signal %v", fit.R2(), share)
	}
	again, _ := SimulateECoG(7, 10, 12000, rand.NewPCG(1, 2))
	if !slices.Equal(again.Series.Values.RawMatrix().Data, e.Series.Values.RawMatrix().Data) {
		t.Error("another recording of the same source")
	}
	for _, bad := range [][3]int{{0, 1, 10}, {1, 0, 10}, {1, 10, 10}} {
		if _, err := SimulateECoG(bad[0], bad[1], bad[2], rand.NewPCG(1, 2)); !errors.Is(err, mlreg.ErrSetting) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	if _, err := SimulateECoG(1, 1, 10, nil); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}

func TestDrivenPair(t *testing.T) {
	s := get(DrivenPair(20000, 0.8, rand.NewPCG(3, 4)))(t)
	l := get(tsa.NewLags(s, 3, &tsa.LagsSettings{Response: "driven"}))(t)
	fit := get(mlreg.FitOLS(l, nil))(t)
	want := []float64{0, 0, 0.8, 0.6, 0, 0}
	for j, b := range fit.Slopes() {
		if math.Abs(b-want[j]) > 4*fit.StdErr()[j+1] {
			t.Errorf("%s: %v, want %v", fit.Names()[j+1], b, want[j])
		}
	}
	if _, err := DrivenPair(0, 1, rand.NewPCG(1, 1)); !errors.Is(err, mlreg.ErrSetting) {
		t.Error(err)
	}
}
