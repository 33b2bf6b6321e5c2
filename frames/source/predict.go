package source

import (
	"context"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/mlreg"
)

// Predict predicts the rows of a source by one pass, as frames.Predict does those of a
// frame: the columns are computed as those fitted were. It calls visit with the
// predictions of blocks of rows, one after the other; first is the number of rows before
// those of the block. A row in which a column that the fit needs is missing has NaN. The
// predictions belong to visit until it returns. Extrapolations tells of rows beyond the range
// of a spline or polynomial. Errors are those of frames.Predict, of
// reading and of visit.
func Predict(ctx context.Context, fit frames.Predictor, s *Source, visit func(first int, predictions []float64) error) error {
	if err := s.check(ctx); err != nil {
		return err
	}
	if visit == nil {
		return errorf(frames.ErrSetting, "the function that gets the predictions is nil")
	}
	fields, err := s.e.fields(ctx)
	if err != nil {
		return err
	}
	if _, err := table.Frames.Predict(fit, fields); err != nil {
		return err
	}
	if s.file() != nil {
		if _, err := s.Describe(ctx); err != nil { // which finds the types, before anything is handed on
			return err
		}
	}
	if fields, err = s.e.fields(ctx); err != nil {
		return err
	}
	p, err := table.Frames.Predict(fit, fields)
	if err != nil {
		return err
	}
	columns, err := p.Columns()
	if err != nil {
		return err
	}
	if len(columns) == 0 { // an intercept alone
		columns = namesOf(fields)[:1]
	}
	first := 0
	_, err = s.e.scan(ctx, s.query(fields, columns), func(b *table.Block) (any, error) { return p.Predict(b) }, func(r any) error {
		v := r.([]float64)
		err := visit(first, v)
		first += len(v)
		return err
	})
	return err
}

// Extrapolations returns the terms bs, ns and poly of which rows of a source lie beyond the
// range that the fit knows, as frames.Extrapolations does for a frame, by one pass over the
// columns that the fit needs. The predictions of a database and those of rows read here are
// the same there. Errors are those of Predict.
func Extrapolations(ctx context.Context, fit frames.Predictor, s *Source) ([]mlreg.Extrapolation, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	var terms *frames.Terms
	err := s.again(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		p, err := table.Frames.Predict(fit, fields)
		if err != nil {
			return err
		}
		coder, err := p.Coder()
		if err != nil {
			return err
		}
		columns, err := p.Columns()
		if err != nil || len(columns) == 0 {
			return err
		}
		var counts table.Counts
		_, err = s.e.scan(ctx, s.query(fields, columns), func(b *table.Block) (any, error) {
			_, c, err := coder.Code(b)
			return c, err
		}, func(r any) error {
			counts.Add(r.(table.Counts))
			return nil
		})
		terms, _ = coder.Terms(counts).(*frames.Terms)
		return err
	})
	if err != nil || terms == nil {
		return nil, err
	}
	return terms.Beyond, nil
}
