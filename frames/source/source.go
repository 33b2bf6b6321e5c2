package source

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/go-gota/gota/dataframe"
	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/format"
)

// Source is a table that stays where it is. CSV, Frame, Open and the packages below this
// one make one. Its methods read it by passes over the rows, and keep nothing of them;
// they may be called from several goroutines.
type Source struct {
	e     engine
	where []table.Condition
	route Route // of summaries

	lock  sync.Mutex
	stats *Description // of the whole table, once it was read
}

func newSource(e engine) *Source { return &Source{e: e} }

// String names the source and its conditions.
func (s *Source) String() string {
	if s == nil || s.e == nil {
		return "no source"
	}
	text := s.e.String()
	for _, w := range s.where {
		text += ", where " + w.String()
	}
	return format.Line(text)
}

// steady is again for what one pass or less reads: the rows have to be those that were
// there when the source was opened, as far as its engine knows.
func (s *Source) steady(f func() error) error {
	if err := s.unchanged(); err != nil {
		return err
	}
	err := s.again(f)
	if changed := s.unchanged(); changed != nil {
		return changed
	}
	return err
}

// unchanged returns an error if the source knows that it was written since it was opened.
func (s *Source) unchanged() error {
	if e, ok := s.e.(interface{ changed() error }); ok {
		return e.changed()
	}
	return nil
}

// again calls f, once more if the types of the columns turn out to be others, which a column
// can do some times.
func (s *Source) again(f func() error) error {
	for try := 0; ; try++ {
		err := f()
		if !errors.Is(err, errTypes) {
			return err
		}
		fields, wrong := s.e.fields(context.Background())
		if wrong != nil {
			return wrong
		}
		if try > 10*len(fields) {
			return errorf(ErrChanged, "%s: %v", s, err)
		}
	}
}

// checkContext returns an error for no context.
func checkContext(ctx context.Context) error {
	if ctx == nil {
		return errorf(frames.ErrSetting, "the context is nil; context.Background() never ends")
	}
	return ctx.Err()
}

// nilSource is the error of the methods of a nil source.
var nilSource = errorf(frames.ErrNoRows, "the source is nil")

func (s *Source) check(ctx context.Context) error {
	if s == nil || s.e == nil {
		return nilSource
	}
	return checkContext(ctx)
}

// Names returns the names of the columns.
func (s *Source) Names(ctx context.Context) ([]string, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	fields, err := s.e.fields(ctx)
	return namesOf(fields), err
}

// Where returns the rows in which a condition of the formula language is true, as
// frames.Where does. Nothing is read yet. Conditions of several calls are all true.
//
//	late, err := flights.Where(ctx, "delay > 60 & !is.na(carrier)")
//
// Summaries of whole columns, such as mean(delay), cannot be part of it: compute them
// first. Errors are those of frames.Where about the place in the condition.
func (s *Source) Where(ctx context.Context, condition string) (*Source, error) {
	if err := s.check(ctx); err != nil {
		return nil, err
	}
	var w table.Condition
	err := s.again(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		w, err = table.Frames.Where(condition, fields)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &Source{e: s.e, where: append(slices.Clone(s.where), w), route: s.route}, nil
}

// By returns the same rows with descriptions, summaries, histograms and predictions computed
// by the route given: Pushed is an error where the engine cannot, Streamed reads the rows.
// The default, Automatic, has a database compute what it can. The route of a Design is in its
// settings.
func (s *Source) By(route Route) (*Source, error) {
	switch {
	case s == nil || s.e == nil:
		return nil, nilSource
	case route < Automatic || route > Streamed:
		return nil, errorf(frames.ErrSetting, "%v is no route", route)
	}
	return &Source{e: s.e, where: s.where, route: route}, nil
}

// query returns a pass over the columns, and over those of the conditions.
func (s *Source) query(fields []table.Field, columns []string) query {
	all := slices.Clone(columns)
	for _, w := range s.where {
		all = append(all, w.Columns()...)
	}
	q := query{where: s.where}
	for _, f := range fields { // in the order of the table
		if slices.Contains(all, f.Name) {
			q.columns = append(q.columns, f.Name)
		}
	}
	return q
}

// each makes a pass in which every block is visited in order, in this goroutine.
func each(ctx context.Context, e engine, q query, visit func(*table.Block) error) (string, error) {
	return e.scan(ctx, q, func(b *table.Block) (any, error) { return owned(b), nil }, func(b any) error { return visit(b.(*table.Block)) })
}

// owned returns a block that does not share memory.
func owned(b *table.Block) *table.Block {
	out := *b
	out.Columns = make([]*table.Column, len(b.Columns))
	out.Rows = slices.Clone(b.Rows)
	for j, c := range b.Columns {
		to := *c
		to.Num, to.Low, to.Missing = slices.Clone(c.Num), slices.Clone(c.Low), slices.Clone(c.Missing)
		if c.Text != nil {
			to.Text = ownTexts(c.Text)
		}
		out.Columns[j] = &to
	}
	return &out
}

// ownTexts copies texts; those that are equal to the one before are shared.
func ownTexts(texts []string) []string {
	out := make([]string, len(texts))
	for i, s := range texts {
		if i > 0 && s == out[i-1] {
			out[i] = out[i-1]
		} else {
			out[i] = strings.Clone(s)
		}
	}
	return out
}

// Head returns the first n rows as a frame.
func (s *Source) Head(ctx context.Context, n int) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if err := s.check(ctx); err != nil {
		return none, err
	}
	if n < 1 {
		return none, errorf(frames.ErrSetting, "Head of %d rows; it is of at least one", n)
	}
	var out *gathered
	err := s.steady(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		out = gather(fields)
		q := s.query(fields, namesOf(fields))
		if len(s.where) == 0 {
			q.limit = n
		}
		_, err = each(ctx, s.e, q, func(b *table.Block) error {
			for i := range min(b.N, n-out.block.N) {
				out.add(b, i)
			}
			if out.block.N == n {
				return errStop
			}
			return nil
		})
		if errors.Is(err, errStop) {
			return nil
		}
		return err
	})
	if err != nil {
		return none, err
	}
	return out.frame()
}

func namesOf(fields []table.Field) []string {
	names := make([]string, len(fields))
	for j, f := range fields {
		names[j] = f.Name
	}
	return names
}

// Sample returns n rows drawn without replacement, in their order; all if there are no
// more. Every set of n rows is as likely as any other. The same seed draws the same rows
// of the same table. A database draws rows by a hash of their values: rows that are equal
// are drawn together.
func (s *Source) Sample(ctx context.Context, n int, seed uint64) (dataframe.DataFrame, error) {
	none := dataframe.DataFrame{}
	if err := s.check(ctx); err != nil {
		return none, err
	}
	if n < 1 {
		return none, errorf(frames.ErrSetting, "a sample of %d rows; it is of at least one", n)
	}
	var out *gathered
	err := s.steady(func() error {
		fields, err := s.e.fields(ctx)
		if err != nil {
			return err
		}
		if e, ok := s.e.(sampler); ok {
			b, err := e.sample(ctx, s.query(fields, namesOf(fields)), n, seed)
			if !refused(err) {
				out = &gathered{b}
				return err
			}
		}
		draw := newBottom(n, seed)
		pool := gather(fields)
		_, err = each(ctx, s.e, s.query(fields, namesOf(fields)), func(b *table.Block) error {
			for i := range b.N {
				if at, ok := draw.take(b.Number(i)); ok {
					pool.put(at, b, i)
				}
			}
			return nil
		})
		out = pool.sorted(draw.order())
		return err
	})
	if err != nil {
		return none, err
	}
	return out.frame()
}

// gathered is a block that grows.
type gathered struct{ block *table.Block }

func gather(fields []table.Field) *gathered {
	b := &table.Block{}
	for _, f := range fields {
		b.Columns = append(b.Columns, &table.Column{Field: f})
	}
	return &gathered{b}
}

// add appends row i of a block.
func (g *gathered) add(b *table.Block, i int) { g.put(g.block.N, b, i) }

// put sets row at to row i of a block.
func (g *gathered) put(at int, b *table.Block, i int) {
	g.block.N = max(g.block.N, at+1)
	for _, c := range g.block.Columns {
		from := b.Column(c.Name)
		if at == len(c.Missing) {
			c.AppendRow(from, i)
		}
		c.Missing[at] = from.Missing[i]
		if c.Type == series.String {
			c.Text[at] = strings.Clone(from.Text[i])
		} else {
			c.Set(at, from.Num[i], from.LowAt(i))
		}
	}
}

// sorted returns the rows in the order given.
func (g *gathered) sorted(order []int) *gathered {
	out := gather(nil)
	for _, c := range g.block.Columns {
		out.block.Columns = append(out.block.Columns, &table.Column{Field: c.Field})
	}
	for _, i := range order {
		out.add(g.block, i)
	}
	return out
}

func (g *gathered) frame() (dataframe.DataFrame, error) {
	if g.block.N == 0 {
		return dataframe.DataFrame{}, errorf(frames.ErrNoRows, "there are no rows")
	}
	df := table.Frames.Frame(g.block)
	if df.Err != nil {
		return dataframe.DataFrame{}, df.Err
	}
	return df, nil
}
