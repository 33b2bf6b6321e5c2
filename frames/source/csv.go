package source

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/format"
)

// CSV returns a file of cells as a source, read by the rules and the settings of
// frames.ReadCSV, packed by gzip or not. Nil settings are the defaults. The first rows
// are read at once, the others by every pass: a megabyte at a time, on all processors,
// in memory that does not depend on the size of the file. A file that is not UTF-8 is converted
// as by frames.ReadCSV; Source.String says so.
//
// The type of a column is that of all its values. It is taken for that of the first
// rows until a pass finds a cell that does not fit; the pass is then made again. Numbers
// are float64: integers beyond 2^53 are rounded.
//
// A pass of a Design fails with ErrChanged if the file is not the one that its earlier
// passes read, by its size and its checksum; Head, Sample, Describe, summaries and
// histograms fail if it was written since it was opened, by its size and the time of the
// last write. Other errors are those of frames.ReadCSV.
func CSV(path string, settings *frames.CSVSettings) (*Source, error) {
	r, err := table.Frames.CSV(path, settings)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format.Line(path), err)
	}
	return newSource(newFileEngine("CSV file "+filepath.Base(path), r)), nil
}

func init() {
	table.Frames.Source = func(name string, r table.Reader) any { return newSource(newFileEngine(name, r)) }
}

// fileEngine reads a file.
type fileEngine struct {
	name    string
	r       table.Reader
	written string // see table.Written; "" if that is not known
}

func newFileEngine(name string, r table.Reader) *fileEngine {
	e := &fileEngine{name: name, r: r}
	e.written = e.writtenNow()
	return e
}

func (e *fileEngine) writtenNow() string {
	w, ok := e.r.(table.Written)
	if !ok {
		return ""
	}
	text, err := w.Written()
	if err != nil {
		return "" // reading tells
	}
	return text
}

// changed returns an error if the file was written since it was opened.
func (e *fileEngine) changed() error {
	if now := e.writtenNow(); now != "" && e.written != "" && now != e.written {
		return errorf(ErrChanged, "%s was written since it was opened; open it again", e.name)
	}
	return nil
}

// String returns the name of the file, and how it is converted if it is not UTF-8.
func (e *fileEngine) String() string {
	if c, ok := e.r.(table.Converted); ok && c.Converted() != "" {
		return e.name + " (" + c.Converted() + ")"
	}
	return e.name
}

func (e *fileEngine) fields(context.Context) ([]table.Field, error) { return e.r.Fields(), nil }

func (e *fileEngine) scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	stamp, err := e.r.Scan(ctx, q.columns, func(b *table.Block) (any, error) {
		b, err := filtered(b, q.where)
		if err != nil {
			return nil, err
		}
		return work(b)
	}, collect)
	if err != nil && !errors.Is(err, errTypes) && !errors.Is(err, errStop) {
		err = fmt.Errorf("%s: %w", format.Line(e.name), err)
	}
	return stamp, err
}
