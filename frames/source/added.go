package source

import (
	"context"
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
)

// addedColumn is an engine with a column that is computed from the rows of another: one more, or one in
// place of that of its name.
type addedColumn struct {
	engine
	text   string // for String
	column string
	why    string // SQL does not compute it
	from   func(fields []table.Field) (table.Definition, error)
}

// withColumn returns the engine with its column; that of one whose rows have no order draws rows as it does.
func withColumn(e *addedColumn) engine {
	if _, ok := e.engine.(sampler); ok {
		return &addedSampler{e}
	}
	return e
}

func (e *addedColumn) String() string { return e.engine.String() + " " + e.text }

func (e *addedColumn) fields(ctx context.Context) ([]table.Field, error) {
	fields, err := e.engine.fields(ctx)
	if err != nil {
		return nil, err
	}
	d, err := e.from(fields)
	if err != nil {
		return nil, err
	}
	fields = slices.Clone(fields)
	if k := slices.IndexFunc(fields, func(f table.Field) bool { return f.Name == e.column }); k >= 0 {
		fields[k] = d.Field()
		return fields, nil
	}
	return append(fields, d.Field()), nil
}

func (e *addedColumn) changed() error {
	if c, ok := e.engine.(interface{ changed() error }); ok {
		return c.changed()
	}
	return nil
}

func (e *addedColumn) snapshot(ctx context.Context, f func(e engine) error) error {
	return held(ctx, e.engine, func(below engine) error {
		copied := *e
		copied.engine = below
		return f(&copied)
	})
}

// below returns the pass over the rows without the column, the conditions on it, and what computes it, nil if
// it is not asked for.
func (e *addedColumn) below(ctx context.Context, q query) (query, []table.Condition, table.Definition, error) {
	fields, err := e.engine.fields(ctx)
	if err != nil {
		return q, nil, nil, err
	}
	p, err := e.from(fields)
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
	asked := slices.Contains(q.columns, e.column)
	for _, f := range fields {
		if slices.Contains(q.columns, f.Name) && f.Name != e.column || asked && slices.Contains(needs, f.Name) {
			in.columns = append(in.columns, f.Name)
		}
	}
	if q.stamped != nil {
		in.stamped = slices.DeleteFunc(slices.Clone(q.stamped), func(name string) bool { return name == e.column })
	}
	if !asked {
		p = nil
	} else if len(in.columns) == 0 { // of constants alone
		in.columns = namesOf(fields)[:1]
	}
	return in, rest, p, nil
}

// with adds the column to a block.
func (e *addedColumn) with(b *table.Block, p table.Definition) (*table.Block, error) {
	if p == nil {
		return b, nil
	}
	c, err := p.Column(b)
	if err != nil {
		return nil, err
	}
	out := *b
	out.Columns = slices.Clone(b.Columns)
	if k := slices.IndexFunc(out.Columns, func(old *table.Column) bool { return old.Name == e.column }); k >= 0 {
		out.Columns[k] = c
	} else {
		out.Columns = append(out.Columns, c)
	}
	return &out, nil
}

func (e *addedColumn) scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
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

// addedSampler is that of an engine whose rows have no order.
type addedSampler struct{ *addedColumn }

func (e *addedSampler) sample(ctx context.Context, q query, n int, seed uint64) (*table.Block, error) {
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

func (e *addedSampler) count(ctx context.Context, q query) (int, error) {
	for _, w := range q.where {
		if slices.Contains(w.Columns(), e.column) {
			return 0, refuse("%s", e.why)
		}
	}
	return e.engine.(sampler).count(ctx, q)
}

var (
	_ snapshotter = (*addedColumn)(nil)
	_ sampler     = (*addedSampler)(nil)
)
