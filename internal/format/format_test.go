package format

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
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
		if got := strings.Join(Numbers(c.xs, 4), " "); got != c.want {
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

// Lines and tabs become spaces; what would not show, or would move what follows, is
// escaped; everything else stands.
func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		"a_b $x$ | <c> β̂₁ é":          "a_b $x$ | <c> β̂₁ é",
		"one\ntwo\r\nthree\tfour":      "one two three four",
		"\x1b[31mred\x00\x7f":          `\x1b[31mred\x00\x7f`,
		"\u0085\u202eevil\u2066\u2028": `\u0085\u202eevil\u2066\u2028`,
		"\xff\xfe ok \ufffd":           `\xff\xfe ok ` + "\ufffd",
	} {
		if got := Line(s); got != want {
			t.Errorf("Line(%q) = %q, want %q", s, got, want)
		}
	}
}

// An error of the system says its path escaped, and is still the same error.
func TestError(t *testing.T) {
	_, err := os.Open("no/\x1b[31m/such")
	got := Error(err)
	if !errors.Is(got, fs.ErrNotExist) || !strings.Contains(got.Error(), `no/\x1b[31m/such`) {
		t.Errorf("%q", got)
	}
	if Error(nil) != nil {
		t.Error("no error is one")
	}
}

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		Grouped(1234567): "1,234,567", Grouped(999): "999", Grouped(-123456): "-123,456", Plural(1, "row"): "1 row", Plural(0, "row"): "0 rows",
		Set([]string{"a", "b"}): "{a, b}", Signed(0.004): "+0.00", Signed(-1.256): "-1.26", Probability(0.99995): ">0.9999",
		HTML("<$\n\x1b"): `&lt;<span>$</span> <span>\</span>x1b`,
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPowerAbove(t *testing.T) {
	for x, want := range map[float64]string{0: "0", 3e-16: "1e-15", 1e-16: "1e-16", 2: "1e1", math.Inf(1): "Inf"} {
		if got := PowerAbove(x); got != want {
			t.Errorf("PowerAbove(%v) = %s, want %s", x, got, want)
		}
	}
}
