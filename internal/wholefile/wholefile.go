// Package wholefile writes files that are there whole or not at all.
package wholefile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/regbook/regbook/internal/format"
)

// Write writes a file beside its place and moves it there when everything is
// written, so that a failure leaves a file that existed as it was. Those who may read or
// write a file that is replaced may do so afterwards; a new one all may read.
func Write(path string, write func(io.Writer) error) error {
	return format.Error(replace(path, write))
}

func replace(path string, write func(io.Writer) error) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".*.part")
	if err != nil {
		return err
	}
	err = write(file)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		mode := os.FileMode(0o644)
		if old, missing := os.Stat(path); missing == nil {
			mode = old.Mode().Perm()
		}
		err = os.Chmod(file.Name(), mode)
	}
	if err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err == nil {
		return nil
	}
	if removeErr := os.Remove(file.Name()); removeErr != nil {
		return fmt.Errorf("%s: %w; a part of it is in %s", path, err, file.Name())
	}
	return fmt.Errorf("%s: %w", path, err)
}
