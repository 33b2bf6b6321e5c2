package plotting

import (
	"io"
	"os"
	"testing"
	"time"
)

// drain returns when the reader has taken all, and gives up after a time, not before.
func TestDrain(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	drain(w, time.Hour) // nothing to wait for
	if _, err := w.WriteString("text"); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	drain(w, 20*time.Millisecond)
	if took := time.Since(start); took < 20*time.Millisecond || unread(w) != 4 {
		t.Errorf("gave up after %v", took)
	}
	read := make(chan error)
	go func() {
		_, err := io.ReadFull(r, make([]byte, 4))
		read <- err
	}()
	drain(w, time.Hour)
	if n := unread(w); n != 0 {
		t.Errorf("%d bytes are unread", n)
	}
	if err := <-read; err != nil {
		t.Error(err)
	}
	file := get(os.Create(t.TempDir() + "/file"))(t)
	defer file.Close()
	drain(file, time.Hour)
}
