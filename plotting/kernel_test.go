//go:build unix

package plotting

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot"

	"github.com/regbook/regbook/plotting/internal/fakekernel"
)

// fakeKernel runs one of kernelCells as the kernel would, in a process of its own.
func fakeKernel(t *testing.T, cell string, deaf bool) (log []string, output string, err error) {
	t.Helper()
	program := exec.Command(os.Args[0], "-test.run=^TestKernelCell$")
	program.Env = append(os.Environ(), "PLOTTING_TEST_CELL="+cell)
	return fakekernel.Run(t, program, deaf)
}

var kernelCells = map[string]func(){
	"figure": func() { Show("first", Grid(1, New("second", "", ""))) },
	"unheard": func() {
		syncTimeout = time.Second
		Show("first")
	},
	"loop": func() {
		bar := Progress("steps")
		for {
			if err := bar(1, 4); err != nil {
				Show("partial", err)
				Show(errors.Is(bar(2, 4), ErrInterrupted) && errors.Is(Progress("another")(0, 4), ErrInterrupted))
				return
			}
			untilInterrupted()
		}
	},
	"frames": func() {
		Show(Interactive("λ", make([]float64, 1000), func(i int) (*plot.Plot, error) {
			if i > 0 {
				untilInterrupted()
			}
			return New("", "", ""), nil
		}, &InteractiveSettings{Progress: Progress("frames")}))
	},
	"stuck": func() {
		patience = time.Second
		if err := Progress("steps")(1, 4); err != nil {
			panic(err)
		}
		time.Sleep(time.Hour)
	},
}

// untilInterrupted returns when the interruption has reached the computation that runs.
func untilInterrupted() {
	for reached := false; !reached; time.Sleep(time.Millisecond) {
		sinkMu.Lock()
		reached = len(running) > 0 && running[0].interrupted.Err() != nil
		sinkMu.Unlock()
	}
}

// TestKernelCell is what fakeKernel runs.
func TestKernelCell(t *testing.T) {
	cell, ok := kernelCells[os.Getenv("PLOTTING_TEST_CELL")]
	if !ok {
		t.Skip("run by the other tests of this file")
	}
	syncTimeout, patience = 5*time.Minute, 5*time.Minute
	cell()
}

func TestKernelSink(t *testing.T) {
	log, out, err := fakeKernel(t, "figure", false)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := "sync|first|sync|sync|Figure: second map[height:384 width:614]|sync"
	if got := strings.Join(log, "|"); got != want {
		t.Errorf("the kernel got %s\nwant           %s", got, want)
	}
}

func TestKernelThatDoesNotAnswer(t *testing.T) {
	_, out, err := fakeKernel(t, "unheard", true)
	if err == nil || !strings.Contains(out, "the kernel did not answer") {
		t.Errorf("the cell ended with %v: %s", err, out)
	}
}

// An interrupted computation ends, what it has is shown, and the cell goes on.
func TestKernelInterrupts(t *testing.T) {
	log, out, err := fakeKernel(t, "loop", false)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := strings.Join(slices.DeleteFunc(log, func(s string) bool { return s == "sync" }), "|")
	want := "steps: 1 of 4 (25%)|steps: interrupted at 1 of 4 (25%)|partial|true"
	if got != want {
		t.Errorf("the kernel got %s\nwant           %s", got, want)
	}
}

// An interrupted slider goes through the frames that are drawn.
func TestKernelInterruptsFrames(t *testing.T) {
	log, out, err := fakeKernel(t, "frames", false)
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	got := strings.Join(slices.DeleteFunc(log, func(s string) bool { return s == "sync" }), "|")
	want := `^frames: 1 of 1,000 \(0%\)\|frames: interrupted at [\d,]+ of 1,000 \(\d+%\)\|Figure: [^|]+\|Slider: \d+ frames, from λ = 0 to λ = 0$`
	if !regexp.MustCompile(want).MatchString(got) {
		t.Errorf("the kernel got %s", got)
	}
}

func TestKernelInterruptsWhatDoesNotReport(t *testing.T) {
	_, out, err := fakeKernel(t, "stuck", false)
	if err == nil || err.Error() != "exit status 130" {
		t.Errorf("the cell ended with %v: %s", err, out)
	}
}
