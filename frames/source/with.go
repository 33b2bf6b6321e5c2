package source

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// With returns the source with columns added, or replaced where the name is taken, as frames.With does.
// Nothing is read yet; columns are computed from the rows when these are, by the code that computes those of
// a frame.
//
//	clean, err := sales.With(ctx, "city = trimws(tolower(city))", "big = amount > 1000")
//	perCity, err := clean.GroupBy("city").Summarise(ctx, "n()", "sum(amount)")
//
// What looks at other rows is refused by name, since a source gives rows in blocks: summaries such as
// mean(x), and row, lag, lead, cumsum, diff, rank and rolling means. A column that a condition of the source
// uses cannot be replaced. Errors are those of frames.With about the place in the expression; those about
// values come with the call that reads the rows.
func (s *Source) With(ctx context.Context, definitions ...string) (*Source, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	if len(definitions) == 0 {
		return nil, errorf(frames.ErrSetting, "no column is defined; a definition is for example \"ratio = hp/wt\"")
	}
	out := s
	for _, src := range definitions {
		next, err := out.withOne(ctx, src)
		if err != nil {
			return nil, err
		}
		out = next
	}
	return out, nil
}

// withOne adds a column.
func (s *Source) withOne(ctx context.Context, src string) (*Source, error) {
	if s.route == Pushed {
		return nil, errorf(frames.ErrSetting, "columns of With are computed from the rows, and cannot be pushed down")
	}
	var added *addedColumn
	err := s.again(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		d, err := table.Frames.With(src, fields)
		if err != nil {
			return err
		}
		name := d.Field().Name
		if k := slices.IndexFunc(s.where, func(w table.Condition) bool { return slices.Contains(w.Columns(), name) }); k >= 0 {
			return errorf(frames.ErrSetting, "the condition %s uses the column %q, which cannot be replaced then; give the new column another name", s.where[k], name)
		}
		if !slices.ContainsFunc(fields, func(f table.Field) bool { return f.Name == name }) {
			if err := s.freeName(name, fields); err != nil {
				return err
			}
		}
		added = &addedColumn{engine: s.e, text: fmt.Sprintf("with %s", strings.TrimSpace(src)), column: name, why: "columns of With are computed from the rows", from: func(fields []table.Field) (table.Definition, error) {
			return table.Frames.With(src, fields)
		}}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return &Source{e: withColumn(added), where: s.where, route: s.route}, nil
}
