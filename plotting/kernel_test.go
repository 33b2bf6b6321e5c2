//go:build unix

package plotting

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/janpfeifer/gonb/gonbui/protocol"
	"gonum.org/v1/plot"
)

// fakeKernel runs one of kernelCells as the kernel would, in a process of its own,
// and plays the kernel's part on the two pipes. It returns what the cell sent,
// in order, and how it ended. A deaf kernel takes outputs in and never answers;
// any kernel interrupts a cell that displays a bar.
func fakeKernel(t *testing.T, cellName string, deaf bool) (log []string, output string, err error) {
	t.Helper()
	dir := t.TempDir()
	there, back := filepath.Join(dir, "there"), filepath.Join(dir, "back")
	for _, path := range []string{there, back} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
	}
	cell := exec.Command(os.Args[0], "-test.run=^TestKernelCell$")
	cell.Env = append(os.Environ(), protocol.GONB_PIPE_ENV+"="+there, protocol.GONB_PIPE_BACK_ENV+"="+back, "PLOTTING_TEST_CELL="+cellName)
	var out strings.Builder
	cell.Stdout, cell.Stderr = &out, &out
	if err := cell.Start(); err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile(there, os.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	answer, err := os.OpenFile(back, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Close()
	decoder, encoder := gob.NewDecoder(in), gob.NewEncoder(answer)
	for {
		var d protocol.DisplayData
		if err := decoder.Decode(&d); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if v, ok := d.Data[protocol.MIMECommValue]; ok {
			log = append(log, "sync")
			if !deaf {
				id := v.(protocol.CommValue).Value
				if err := encoder.Encode(&protocol.CommValue{Address: protocol.GonbuiSyncAckAddress, Value: id}); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		entry := fmt.Sprint(d.Data[protocol.MIMETextPlain])
		if png, ok := d.Data[protocol.MIMEImagePNG].([]byte); ok && len(png) > 0 {
			entry += fmt.Sprint(" ", d.Metadata["image/png"])
		}
		log = append(log, entry)
		if html, ok := d.Data[protocol.MIMETextHTML].(string); ok && strings.Contains(html, "<progress") {
			if err := cell.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cell.Wait() // before the output is read
	return log, out.String(), err
}

var kernelCells = map[string]func(){
	"figure": func() { Show("first", Grid(1, New("second", "", ""))) },
	"loop": func() {
		bar := Progress("steps")
		for range 1000 {
			if err := bar(1, 4); err != nil {
				Show("partial", err)
				Show(errors.Is(bar(2, 4), ErrInterrupted) && errors.Is(Progress("another")(0, 4), ErrInterrupted))
				return
			}
			time.Sleep(10 * time.Millisecond)
		}
	},
	"frames": func() {
		Show(Interactive("λ", make([]float64, 1000), func(int) (*plot.Plot, error) {
			time.Sleep(10 * time.Millisecond)
			return New("", "", ""), nil
		}, &InteractiveSettings{Progress: Progress("frames")}))
	},
	"stuck": func() {
		if err := Progress("steps")(1, 4); err != nil {
			panic(err)
		}
		time.Sleep(time.Minute)
	},
}

// TestKernelCell is what fakeKernel runs.
func TestKernelCell(t *testing.T) {
	cell, ok := kernelCells[os.Getenv("PLOTTING_TEST_CELL")]
	if !ok {
		t.Skip("run by the other tests of this file")
	}
	syncTimeout, patience = time.Second, time.Second
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
	_, out, err := fakeKernel(t, "figure", true)
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
