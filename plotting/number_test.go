package plotting

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 4, "0"}, {math.Copysign(0, -1), 4, "0"}, {1, 4, "1"}, {-2.5, 4, "-2.5"},
		{0.000123456, 3, "0.000123"}, {0.0000123456, 3, "1.23e-05"},
		{1234567, 3, "1234567"}, {12345678, 3, "1.23e+07"}, {99999.96, 5, "100000"}, {9.9996, 4, "10"},
		{math.NaN(), 4, "NA"}, {math.Inf(-1), 4, "-Inf"}, {math.Inf(1), 4, "Inf"}, {2, 0, "2"},
	} {
		if got := Number(c.x, c.digits); got != c.want {
			t.Errorf("Number(%v, %d) = %s, want %s", c.x, c.digits, got, c.want)
		}
	}
}

// What Number writes is within half a unit of the last digit asked for.
func TestNumberIsClose(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		x := r.NormFloat64() * math.Pow(10, 40*r.Float64()-20)
		digits := 1 + r.IntN(9)
		got, err := strconv.ParseFloat(Number(x, digits), 64)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-x) > 0.5*math.Pow(10, float64(1-digits))*math.Abs(x)*(1+1e-9) {
			t.Errorf("Number(%v, %d) = %v", x, digits, got)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		xs   []float64
		want string
	}{
		// The weights of the prostate data, as the lecture prints them.
		{[]float64{2.4523, 0.7111, 0.2899, -0.1410, 0.2104, 0.3072, -0.2868, -0.0207, 0.2755}, "2.452 0.711 0.290 -0.141 0.210 0.307 -0.287 -0.021 0.276"},
		{[]float64{1, 2, 300}, "1 2 300"},
		{[]float64{0.5, 0.25, math.NaN()}, "0.50 0.25 NA"},
		{[]float64{1e-9, 12.5}, "1e-09 12.5"}, // no common decimals
		{[]float64{-3482259, 15.06187, -0.0358}, "-3482259 15.06 -0.0358"},
		{[]float64{0, math.Copysign(0, -1)}, "0 0"},
		{[]float64{99.9996, 1}, "100 1"},
	} {
		if got := strings.Join(numbers(c.xs, 4), " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.xs, got, c.want)
		}
	}
}

func TestPValue(t *testing.T) {
	for p, want := range map[float64]string{0: "<0.0001", 9.9e-5: "<0.0001", 1e-4: "0.0001", 0.04999: "0.0500", 1: "1.0000", math.Inf(1): "Inf"} {
		if got := PValue(p); got != want {
			t.Errorf("PValue(%v) = %s, want %s", p, got, want)
		}
	}
	if got := PValue(math.NaN()); got != "NA" {
		t.Errorf("PValue(NaN) = %s", got)
	}
}

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
