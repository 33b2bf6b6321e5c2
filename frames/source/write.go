package source

import (
	"context"
	"io"
	"slices"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/wholefile"
)

// WriteCSV writes all rows to a file as frames.WriteCSV does, by one pass and in memory that
// does not depend on their number, after one that finds the types if the source is a file;
// a whole number is 2.0 in a column of floats, and of a file where all cells of the column are whole numbers
// and one has a decimal mark. A
// file that exists is replaced when everything was written, and stays as it was after an
// error; it may be the file that the source reads, which is to be opened again then. Nil
// settings are the defaults.
//
//	scored, err := flights.WithPredictions(ctx, fit, "expected")
//	err = scored.WriteCSV(ctx, "scored.csv", nil)
//
// Errors are those of reading and of frames.WriteCSV; frames.ErrSetting for a column whose
// integers were rounded to float64: see CSV.
func (s *Source) WriteCSV(ctx context.Context, path string, settings *frames.WriteCSVSettings) error {
	if err := s.check(ctx); err != nil {
		return err
	}
	if path == "" {
		return errorf(frames.ErrSetting, "the name of the file is empty")
	}
	write := func() error {
		fields, point, err := s.cells(ctx)
		if err != nil {
			return err
		}
		return wholefile.Write(path, func(w io.Writer) error {
			rows, err := table.Frames.WriteCSV(w, fields, point, settings)
			if err != nil {
				return err
			}
			if _, err = each(ctx, s.e, s.query(fields, namesOf(fields)), rows); err != nil {
				return err
			}
			return s.unchanged() // before the file takes its place, which may be that of the source
		})
	}
	if err := s.unchanged(); err != nil {
		return err
	}
	err := s.again(write)
	if err != nil {
		if changed := s.unchanged(); changed != nil {
			return changed
		}
	}
	return err
}

// cells returns the columns with the types of their cells, and whether whole numbers are to
// be told from those of an int column. A file has the type that its values have.
func (s *Source) cells(ctx context.Context) (fields []table.Field, point []bool, err error) {
	if fields, err = s.e.fields(ctx); err != nil {
		return nil, nil, err
	}
	fields, point = slices.Clone(fields), make([]bool, len(fields))
	var about *Description
	if file := s.file(); file != nil {
		if about, err = newSource(file).describe(ctx); err != nil {
			return nil, nil, err
		}
	}
	added := s.added()
	for j, f := range fields {
		point[j] = true
		if about == nil || added[f.Name] {
			continue
		}
		c := about.Columns[j]
		if fields[j].Type, point[j] = c.Type, false; c.Type == series.Int && f.Type == series.Float && !c.ints {
			fields[j].Type, point[j] = series.Float, true
		}
		if c.Type != series.String && c.Note != "" {
			return nil, nil, errorf(frames.ErrSetting, "column %q: %s; read it as text (CSVSettings.Types)", f.Name, c.Note)
		}
	}
	return fields, point, nil
}

// added returns the columns that are computed from the rows.
func (s *Source) added() map[string]bool {
	names := make(map[string]bool)
	for c, ok := s.e.(*addedColumn); ok; c, ok = c.engine.(*addedColumn) {
		names[c.column] = true
	}
	return names
}

// file returns the engine of a file, whose types are found in its values; nil of others.
func (s *Source) file() engine {
	e := s.e
	for p, ok := e.(*addedColumn); ok; p, ok = e.(*addedColumn) {
		e = p.engine
	}
	if _, ok := e.(*fileEngine); ok {
		return e
	}
	return nil
}
