//go:build unix

// Package fakekernel plays GoNB's part in tests.
package fakekernel

import (
	"encoding/gob"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/janpfeifer/gonb/gonbui/protocol"
)

// Run runs the program of a cell and plays the kernel's part on the two pipes. It
// returns what the cell sent, in order, what it printed, and how it ended. A deaf
// kernel takes outputs in and never answers; any kernel interrupts a cell that
// displays a bar.
func Run(t *testing.T, cell *exec.Cmd, deaf bool) (log []string, output string, err error) {
	t.Helper()
	dir := t.TempDir()
	there, back := filepath.Join(dir, "there"), filepath.Join(dir, "back")
	for _, path := range []string{there, back} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Skip(err)
		}
	}
	cell.Env = append(cell.Environ(), protocol.GONB_PIPE_ENV+"="+there, protocol.GONB_PIPE_BACK_ENV+"="+back)
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
		if _, ok := d.Data[protocol.MIMETextPlain]; !ok { // of gonbui
			entry = fmt.Sprint(d.Data[protocol.MIMETextHTML])
		}
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
