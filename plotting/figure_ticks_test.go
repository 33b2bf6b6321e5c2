package plotting

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	labels := func(min, max float64, target int) (s []string) {
		for _, tick := range (Ticks{Target: target}).Ticks(min, max) {
			s = append(s, tick.Label)
		}
		return s
	}
	for _, c := range []struct {
		min, max float64
		want     []string
	}{
		{0, 10, []string{"0", "2", "4", "6", "8", "10"}},
		{-0.1, 0.3, []string{"-0.1", "0", "0.1", "0.2", "0.3"}},
		{2e-7, 1e-6, []string{"2e-07", "4e-07", "6e-07", "8e-07", "1e-06"}},
		{0, 4e8, []string{"0", "1e+08", "2e+08", "3e+08", "4e+08"}},
	} {
		if got := labels(c.min, c.max, 5); !reflect.DeepEqual(got, c.want) {
			t.Errorf("[%v, %v]: %q, want %q", c.min, c.max, got, c.want)
		}
	}
}

// Ticks are inside the range, at equal distances, and say where they are.
func TestTicksProperties(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		min := r.NormFloat64() * math.Pow(10, 8*r.Float64()-4)
		width := math.Abs(min) * math.Pow(10, 5*r.Float64()-3)
		ticks := Ticks{Target: 2 + r.IntN(7)}.Ticks(min, min+width)
		if len(ticks) < 1 || len(ticks) > 14 {
			t.Fatalf("%d ticks on [%v, %v]", len(ticks), min, min+width)
		}
		for i, tick := range ticks {
			if tick.Value < min-1e-6*width || tick.Value > min+width*(1+1e-6) {
				t.Errorf("tick %v outside [%v, %v]", tick.Value, min, min+width)
			}
			v, err := strconv.ParseFloat(tick.Label, 64)
			if err != nil || math.Abs(v-tick.Value) > 1e-3*width {
				t.Errorf("label %q at %v, width %v", tick.Label, tick.Value, width)
			}
			if i >= 2 && math.Abs(tick.Value-2*ticks[i-1].Value+ticks[i-2].Value) > 1e-6*width {
				t.Errorf("unequal ticks %v", ticks)
			}
		}
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		min, max float64
		want     string
	}{
		{0.05, 2000, "0.1 1 10 100 1000"},
		{0.166, 5.56, "0.2 0.5 1 2 5"},
		{0.0008, 900, "0.001 0.01 0.1 1 10 100"},
		{0.00009, 20, "10⁻⁴ 10⁻³ 10⁻² 10⁻¹ 10⁰ 10¹"},
		{50, 2e11, "10² 10⁴ 10⁶ 10⁸ 10¹⁰"},
	} {
		var labels []string
		for _, tick := range (LogTicks{}).Ticks(c.min, c.max) {
			if !tick.IsMinor() {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("from %v to %v: labels %s, want %s", c.min, c.max, got, c.want)
		}
	}
	if got := len((LogTicks{}).Ticks(2, 7)); got < 3 {
		t.Errorf("%d ticks within a decade", got)
	}
	if (LogTicks{}).Ticks(0, 1) != nil {
		t.Error("ticks from 0 on")
	}
}
