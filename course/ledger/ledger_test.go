package ledger

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fresh makes the cell of a test the only one, without a kernel.
func fresh(t *testing.T) {
	t.Setenv(fileEnv, "")
	t.Setenv(folderEnv, "")
	current = newSession()
}

func TestPasses(t *testing.T) {
	fresh(t)
	Near("1 values", 1e-9, []float64{5, 2, -1}, 5, 2+1e-10, -1)
	Printed("2 printed", 2.4494897, "2.45")
	Printed("3 printed", 0.7104, ".710")
	Printed("4 whole", 96.6, "97")
	True("5 holds", true)
	var out strings.Builder
	if err := current.done(&out); err != nil {
		t.Fatal(err, out.String())
	}
	for _, want := range []string{"ok  1 values   5 2 -1    want 5 2 -1\n", "ok  2 printed  2.44949   want 2.45\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
}

func TestFailures(t *testing.T) {
	fresh(t)
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
		if err := current.done(&out); err == nil {
			t.Errorf("%s: passed\n%s", name, out.String())
		}
	}
	if err := current.done(new(strings.Builder)); err == nil {
		t.Error("checks were kept")
	}
}

// Cells are programs: the last one shows what all have stated, and of a cell that
// ran twice only the second run.
func TestCellsOfASession(t *testing.T) {
	for _, env := range []string{fileEnv, folderEnv} {
		fresh(t)
		place := t.TempDir()
		if env == fileEnv {
			place = filepath.Join(place, "x")
		}
		t.Setenv(env, place)
		cell := func() {
			for before := current.run; current.run == before; { // programs start at different times
				current = newSession()
			}
		}
		cell()
		True("1 a \"tab\"\t", true)
		Bind("slope", 0.5)
		cell()
		True("2 off at first", false)
		True("2 of a loop", true)
		True("2 of a loop", true)
		cell()
		True("2 off at first", true)
		True("2 of a loop", true)
		True("2 of a loop", true)
		cell()
		True("3 last", true)
		var out strings.Builder
		if err := current.done(&out); err != nil {
			t.Fatal(err, out.String())
		}
		if got := strings.Count(out.String(), "\n"); got != 5 {
			t.Errorf("%s: %d lines, want 5:\n%s", env, got, out.String())
		}
		cell()
		True("3 last", false)
		if err := current.done(&out); err == nil || !strings.Contains(err.Error(), "1 of 5") {
			t.Errorf("%s: %v", env, err)
		}
	}
}

func TestBind(t *testing.T) {
	type method int
	fresh(t)
	file := filepath.Join(t.TempDir(), "x")
	t.Setenv(fileEnv, file)
	current = newSession()
	current.run = "r"
	Bind("slope", 1.0/3)
	Bind("slope", 1.0/3)
	Bind("n", uint8(67))
	Bind("p.x_1", -3)
	Bind("kind", method(2))
	Bind("best", "lasso, \"tab\"\t")
	Bind("share", float32(0.1))
	const want = "r\tbind\tslope\t0.3333333333333333\nr\tbind\tn\t67\nr\tbind\tp.x_1\t-3\nr\tbind\tkind\t2\n" +
		"r\tbind\tbest\t\"lasso, \\\"tab\\\"\\t\"\nr\tbind\tshare\t0.1\n"
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	for name, c := range map[string]struct {
		name  string
		value any
		want  string
	}{
		"another value": {"slope", 0.4, "0.4, and was 0.3333333333333333"},
		"no name":       {"", 1, "letters"},
		"comma":         {"a,b", 1, "letters"},
		"digit":         {"2a", 1, "letters"},
		"NaN":           {"x", math.NaN(), "NaN"},
		"infinite":      {"x", math.Inf(1), "+Inf"},
		"nil":           {"x", nil, "neither"},
		"slice":         {"x", []float64{1}, "[]float64 is neither"},
		"truth":         {"x", true, "bool is neither"},
	} {
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s: %v, want %q", name, err, c.want)
				}
			}()
			Bind(c.name, c.value)
		}()
	}
}
