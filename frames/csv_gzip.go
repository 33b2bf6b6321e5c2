package frames

import (
	"bufio"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readText reads all text, and unpacks it if it is packed by gzip.
func readText(text *strings.Builder, r io.Reader) error {
	in := bufio.NewReader(r)
	magic, err := in.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return fmt.Errorf("frames: %w", err)
	}
	if string(magic) != "\x1f\x8b" {
		if _, err := in.WriteTo(text); err != nil {
			return fmt.Errorf("frames: %w", err)
		}
		return nil
	}
	packed, err := gzip.NewReader(in)
	if err != nil {
		return errorf(ErrCSV, "the file is packed by gzip, but its beginning is damaged: %v", err)
	}
	if _, err := io.Copy(text, packed); err != nil {
		what := "is damaged"
		if errors.Is(err, io.ErrUnexpectedEOF) {
			what = "ends too early"
		}
		return errorf(ErrCSV, "the file is packed by gzip and %s (%v), after %d lines that could be read; unpack or fetch it again", what, err, strings.Count(text.String(), "\n"))
	}
	return nil
}
