package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// A file that is replaced is as private as it was, and one that fails is not there.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.csv")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	check := func(want string, mode os.FileMode) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want || info.Mode() != mode {
			t.Errorf("%q, %v; want %q, %v", got, info.Mode(), want, mode)
		}
	}
	if err := Write(path, text("one")); err != nil {
		t.Fatal(err)
	}
	check("one", 0o644)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("two")); err != nil {
		t.Fatal(err)
	}
	check("two", 0o600)
	failed := errors.New("failed")
	if err := Write(path, func(w io.Writer) error { return errors.Join(text("three")(w), failed) }); !errors.Is(err, failed) {
		t.Error(err)
	}
	check("two", 0o600)
	if all, err := os.ReadDir(dir); err != nil || len(all) != 1 {
		t.Errorf("%v: %v", all, err)
	}
}
