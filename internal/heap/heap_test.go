package heap

import (
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
)

const size = 8 << 20

var kept, dropped []byte

// What is held for a while counts, what is dropped at once does not add up.
func TestPeak(t *testing.T) {
	if !Alone(t) {
		return
	}
	held := Peak(func() {
		kept = make([]byte, size)
		for range 20 {
			dropped = make([]byte, size/4)
			dropped = nil
		}
		kept = nil
	})
	if math.Abs(held-1.25*size) > size/100 {
		t.Errorf("%.2f MB, want 10", held/(1<<20))
	}
}

// What lives no longer than between two allocations counts, each of ten times.
func TestPeakOfAMoment(t *testing.T) {
	if !Alone(t) {
		return
	}
	for range 10 {
		held := Peak(func() {
			for i := range 100 {
				if dropped = make([]byte, size/8); i == 50 {
					kept = make([]byte, size)
				}
				kept, dropped = nil, nil
			}
		})
		if math.Abs(held-1.125*size) > size/100 {
			t.Fatalf("%.2f MB, want 9", held/(1<<20))
		}
	}
}

func TestGrowth(t *testing.T) {
	if !Alone(t) {
		return
	}
	if got := Growth(func() any { return make([]byte, size) }); math.Abs(got-size) > size/100 {
		t.Errorf("%.2f MB, want 8", got/(1<<20))
	}
}

// The test that TestAlone runs.
func TestThatFails(t *testing.T) {
	switch how := os.Getenv("HEAP_TEST_FAILS"); {
	case how == "":
		t.Skip("run by TestAlone")
	case Alone(t):
		t.Error("fails", how)
	}
}

// A test that fails alone fails, and says why.
func TestAlone(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestThatFails$")
	cmd.Env = append(os.Environ(), "HEAP_TEST_FAILS=thoroughly")
	if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), "fails thoroughly") {
		t.Errorf("%v\n%s", err, out)
	}
	defer func() {
		if recover() == nil {
			t.Error("Peak measures beside other tests")
		}
	}()
	Peak(func() {})
}
