package ledger

import (
	"math"
	"strings"
	"testing"
)

func TestPasses(t *testing.T) {
	Near("1 values", 1e-9, []float64{5, 2, -1}, 5, 2+1e-10, -1)
	Printed("2 printed", 2.4494897, "2.45")
	Printed("3 printed", 0.7104, ".710")
	Printed("4 whole", 96.6, "97")
	True("5 holds", true)
	var out strings.Builder
	if err := done(&out); err != nil {
		t.Fatal(err, out.String())
	}
	for _, want := range []string{"ok  1 values   5 2 -1    want 5 2 -1\n", "ok  2 printed  2.44949   want 2.45\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestFailures(t *testing.T) {
	for name, state := range map[string]func(){
		"value":    func() { Near("x", 1e-9, []float64{1}, 1.1) },
		"length":   func() { Near("x", 1, []float64{1, 2}, 1) },
		"NaN":      func() { Near("x", 1, []float64{math.NaN()}, 1) },
		"rounding": func() { Printed("x", 2.4551, "2.45") },
		"NaN text": func() { Printed("x", math.NaN(), "2.45") },
		"no text":  func() { Printed("x", 0, "two") },
		"false":    func() { True("x", false) },
		"nothing":  func() {},
	} {
		state()
		var out strings.Builder
		if err := done(&out); err == nil {
			t.Errorf("%s: passed\n%s", name, out.String())
		}
	}
	if err := done(new(strings.Builder)); err == nil {
		t.Error("checks were kept")
	}
}
