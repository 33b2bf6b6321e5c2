//go:build unix

package withgonbui_test

import (
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/regbook/regbook/plotting/internal/fakekernel"
)

// build returns the program of testdata/cell.
func build(t *testing.T, tags string) *exec.Cmd {
	t.Helper()
	program := filepath.Join(t.TempDir(), "cell")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-tags="+tags, "-o", program, "./testdata/cell").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return exec.Command(program)
}

func TestBothClientsInOrder(t *testing.T) {
	log, out, err := fakekernel.Run(t, build(t, "minimal,with"), false)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := strings.Join(slices.DeleteFunc(log, func(s string) bool { return s == "sync" }), "|")
	if want := "first|second|third|fourth"; got != want {
		t.Errorf("the kernel got %s, want %s", got, want)
	}
}

// Without this package, the cell ends before plotting sends anything, and says how to
// go on.
func TestTwoClientsAreRefused(t *testing.T) {
	log, out, err := fakekernel.Run(t, build(t, "minimal"), false)
	if err == nil || !strings.Contains(out, `add import _ "github.com/regbook/regbook/plotting/withgonbui"`) {
		t.Errorf("the cell ended with %v: %s", err, out)
	}
	if !slices.Equal(log, []string{"sync"}) { // gonbui's own, by defer
		t.Errorf("the kernel got %v", log)
	}
}
