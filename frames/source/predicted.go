package source

import (
	"context"
	"errors"
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
		var not *notPushed
		if !errors.As(err, &not) {
			return predicted, err
		}
		why = not.why
	}
	if s.route == Pushed {
		return nil, errorf(frames.ErrSetting, "the predictions cannot be pushed down: %s", why)
	}
	e := &predictedRows{engine: s.e, fit: fit, column: column, why: why}
	if _, ok := s.e.(sampler); ok {
		return &predictedSampler{e}, nil
	}
	return e, nil
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
	case slices.ContainsFunc(e.others, func(c sqlColumn) bool { return e.d.sameName(c.Name, column) }):
		return errorf(frames.ErrSetting, "there is a column %q already", column)
	case e.d.isReserved(column):
		return errorf(frames.ErrSetting, "shards take the name %q for the number", column)
	case e.d.nameBytes > 0 && len(column) > e.d.nameBytes:
		return errorf(frames.ErrSetting, "the name %q has %d bytes; %v cuts names to %d", column, len(column), e.d, e.d.nameBytes)
	}
	return nil
}

// predictedRows computes predictions from the rows of an engine.
type predictedRows struct {
	engine
	fit    frames.Predictor
	column string
	why    string // SQL does not compute them
}

func (e *predictedRows) String() string {
	return fmt.Sprintf("%s with predictions %q", e.engine, e.column)
}

func (e *predictedRows) fields(ctx context.Context) ([]table.Field, error) {
	fields, err := e.engine.fields(ctx)
	return append(slices.Clone(fields), table.Field{Name: e.column, Type: series.Float}), err
}

func (e *predictedRows) changed() error {
	if c, ok := e.engine.(interface{ changed() error }); ok {
		return c.changed()
	}
	return nil
}

func (e *predictedRows) snapshot(ctx context.Context) (engine, func() error, error) {
	held, end, err := hold(ctx, e.engine)
	if err != nil {
		return nil, nil, err
	}
	copied := *e
	copied.engine = held
	return &copied, end, nil
}

// below returns the pass over the rows without predictions, the conditions on these, and
// what predicts.
func (e *predictedRows) below(ctx context.Context, q query) (query, []table.Condition, table.Predictor, error) {
	fields, err := e.engine.fields(ctx)
	if err != nil {
		return q, nil, nil, err
	}
	p, err := table.Frames.Predict(e.fit, fields)
	if err != nil {
		return q, nil, nil, err
	}
	needs, err := p.Columns()
	if err != nil {
		return q, nil, nil, err
	}
	in := q
	in.where, in.columns = nil, nil
	var rest []table.Condition
	for _, w := range q.where {
		if slices.Contains(w.Columns(), e.column) {
			rest = append(rest, w)
		} else {
			in.where = append(in.where, w)
		}
	}
	predicts := slices.Contains(q.columns, e.column)
	for _, f := range fields {
		if slices.Contains(q.columns, f.Name) || predicts && slices.Contains(needs, f.Name) {
			in.columns = append(in.columns, f.Name)
		}
	}
	if q.stamped != nil {
		in.stamped = slices.DeleteFunc(slices.Clone(q.stamped), func(name string) bool { return name == e.column })
	}
	if !predicts {
		p = nil
	} else if len(in.columns) == 0 { // an intercept alone
		in.columns = namesOf(fields)[:1]
	}
	return in, rest, p, nil
}

// with adds the predictions to a block.
func (e *predictedRows) with(b *table.Block, p table.Predictor) (*table.Block, error) {
	if p == nil {
		return b, nil
	}
	values, err := p.Predict(b)
	if err != nil {
		return nil, err
	}
	c := &table.Column{Field: table.Field{Name: e.column, Type: series.Float}, Num: values, Missing: make([]bool, b.N)}
	for i, v := range values {
		if v != v {
			c.Missing[i] = true
			c.Count++
		}
	}
	out := *b
	out.Columns = append(slices.Clone(b.Columns), c)
	return &out, nil
}

func (e *predictedRows) scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	in, rest, p, err := e.below(ctx, q)
	if err != nil {
		return "", err
	}
	return e.engine.scan(ctx, in, func(b *table.Block) (any, error) {
		b, err := e.with(b, p)
		if err == nil {
			b, err = filtered(b, rest)
		}
		if err != nil {
			return nil, err
		}
		return work(b)
	}, collect)
}

// predictedSampler is that of an engine whose rows have no order.
type predictedSampler struct{ *predictedRows }

func (e *predictedSampler) sample(ctx context.Context, q query, n int, seed uint64) (*table.Block, error) {
	in, rest, p, err := e.below(ctx, q)
	switch {
	case err != nil:
		return nil, err
	case len(rest) > 0:
		return nil, refuse("%s", e.why)
	}
	b, err := e.engine.(sampler).sample(ctx, in, n, seed)
	if err != nil {
		return nil, err
	}
	return e.with(b, p)
}

func (e *predictedSampler) count(ctx context.Context, q query) (int, error) {
	for _, w := range q.where {
		if slices.Contains(w.Columns(), e.column) {
			return 0, refuse("%s", e.why)
		}
	}
	return e.engine.(sampler).count(ctx, q)
}

var (
	_ snapshotter = (*predictedRows)(nil)
	_ sampler     = (*predictedSampler)(nil)
)
