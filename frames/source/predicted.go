package source

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// WithPredictions returns the source with one more column: the prediction of every row by
// a fit, missing where a column that the fit needs is.
//
//	scored, err := flights.WithPredictions(ctx, fit, "expected")
//	late, err := scored.Where(ctx, "expected > 30")
//	table, err := late.CreateTable(ctx, "late_flights", nil)
//
// A database computes the column itself: the terms of the formula, the coefficients with
// all their digits, about the means of the columns, and the inverse of the link are one
// SELECT, which Source.SQL returns. It reads the rows a few times when it is made, and finds
// levels that the fit does not know (frames.ErrLevel), terms that are not defined
// (frames.ErrNotFinite) and sums that would lose their digits. Rows that come to the table
// afterwards with such a level or term have no prediction. Extrapolations tells of rows beyond
// the range of a spline or polynomial.
//
// Of other sources, and of fits and formulas that SQL does not have, predictions are
// computed from the rows when they are read: those of words, rbf and conditions on missing
// values, of the probit link and those of a posterior that are not the mean at its mode.
// Source.By forces a route. Errors are those of frames.Predict, of reading, and
// frames.ErrSetting for a column that there is already.
func (s *Source) WithPredictions(ctx context.Context, fit frames.Predictor, column string) (*Source, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	var out *Source
	err := s.again(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		if err := s.freeName(column, fields); err != nil {
			return err
		}
		p, err := table.Frames.Predict(fit, fields)
		if err != nil {
			return err
		}
		e, err := s.withPredictions(ctx, fit, p, column)
		if err != nil {
			return err
		}
		out = &Source{e: e, where: s.where, route: s.route}
		return nil
	})
	return out, err
}

func (s *Source) withPredictions(ctx context.Context, fit frames.Predictor, p table.Predictor, column string) (engine, error) {
	why := ""
	switch e, ok := s.e.(*sqlEngine); {
	case s.route == Streamed:
		why = "as set"
	case !ok:
		why = fmt.Sprintf("%s computes no predictions", s.e)
	default:
		predicted, err := e.predicted(ctx, s.where, fit, p, column)
		if !refused(err) {
			return predicted, err
		}
		why = err.Error()
	}
	if s.route == Pushed {
		return nil, errorf(frames.ErrSetting, "the predictions cannot be pushed down: %s", why)
	}
	return withColumn(&addedColumn{engine: s.e, text: fmt.Sprintf("with predictions %q", column), column: column, why: why, from: func(fields []table.Field) (table.Definition, error) {
		p, err := table.Frames.Predict(fit, fields)
		return &predictions{p, column}, err
	}}), nil
}

// predictions are the column of the predictions of a fit.
type predictions struct {
	table.Predictor
	column string
}

// Field is the column.
func (p *predictions) Field() table.Field { return table.Field{Name: p.column, Type: series.Float} }

// Column returns the predictions of a block.
func (p *predictions) Column(b *table.Block) (*table.Column, error) {
	values, err := p.Predict(b)
	if err != nil {
		return nil, err
	}
	c := &table.Column{Field: p.Field(), Num: values, Missing: make([]bool, b.N)}
	for i, v := range values {
		if v != v {
			c.Missing[i] = true
			c.Count++
		}
	}
	return c, nil
}

// freeName returns an error for a name that a new column cannot have.
func (s *Source) freeName(column string, fields []table.Field) error {
	if column == "" {
		return errorf(frames.ErrSetting, "the name of the column is empty")
	}
	e, database := s.e.(*sqlEngine)
	for _, f := range fields {
		if f.Name == column || database && e.d.sameName(f.Name, column) {
			return errorf(frames.ErrSetting, "there is a column %q already", f.Name)
		}
	}
	if !database {
		return nil
	}
	_, err := e.d.ident(column)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(e.others, func(c *sqlColumn) bool { return e.d.sameName(c.Name, column) }):
		return errorf(frames.ErrSetting, "there is a column %q already", column)
	}
	return e.d.checkName(column)
}
