package source

import (
	"context"
	"sync"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// Connections returns the same rows with passes over a table of a database that read its parts by up to n
// connections at a time: ranges of 1,024 pages of a table of PostgreSQL, from version 14 on, in transactions
// that see the rows of one snapshot; for other databases see [Dialect].Parts. The parts are those of the table,
// whatever n is, and their rows come in the order of the parts, so that results have the same bits for every n.
// Views, tables without parts, and what is not a pass over all rows are read by one connection.
//
// One connection more than n is open at a time; a pool of fewer ([sql.DB.SetMaxOpenConns]) takes n down. Each
// holds a part in memory. Other sources, whose passes read in parallel by themselves, are an error, which
// matches frames.ErrSetting; so is n below 1.
func (s *Source) Connections(n int) (*Source, error) {
	if s == nil || s.e == nil {
		return nil, nilSource
	}
	e, ok := s.e.(*sqlEngine)
	switch {
	case !ok:
		return nil, errorf(frames.ErrSetting, "%s is not read by connections; ask for them before columns are added", s.e)
	case n < 1:
		return nil, errorf(frames.ErrSetting, "%d connections; there is at least 1", n)
	}
	return &Source{e: e.as(func(to *sqlEngine) { to.connections = n }), where: s.where, route: s.route}, nil
}

// partScan reads the parts of a table, each by a SELECT of its own.
type partScan struct {
	e       *sqlEngine
	columns []*sqlColumn
	selects []string
	share   string // the snapshot of which all sessions are, "" if there is none
	readers int
}

// parts returns how a pass over all rows is read in parts; nil if it is read at once.
func (e *sqlEngine) parts(ctx context.Context, s *session, columns []*sqlColumn, selected, where string) (*partScan, error) {
	if e.connections == 0 || e.d.Parts == nil || e.opened == nil || e.relation != e.opened.relation {
		return nil, nil
	}
	conditions, err := e.d.Parts(ctx, s.each, e.opened.parts)
	if err != nil || len(conditions) < 2 {
		return nil, err
	}
	p := &partScan{e: e, columns: columns, readers: min(e.connections, len(conditions))}
	if most := e.db.Stats().MaxOpenConnections; most > 0 {
		p.readers = min(p.readers, most-1)
	}
	if p.readers < 1 {
		return nil, nil
	}
	for _, c := range conditions {
		p.selects = append(p.selects, "SELECT "+selected+" FROM "+e.relation+whereClause(where, c))
	}
	if e.d.Share != "" {
		row, err := s.one(ctx, e.d.Share, 1)
		if err != nil {
			return nil, err
		}
		p.share, _ = textOf(row[0])
	}
	return p, nil
}

// read emits the blocks of all parts in their order, and returns the number of rows. Of n readers, the first
// reads parts 0, n, 2n and so on, each when the one before is handed on.
func (p *partScan) read(ctx context.Context, emit func(*table.Block) error) (rows int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer func() {
		cancel()
		all.Wait()
	}()
	type part struct {
		blocks []*table.Block
		err    error
	}
	readers := make([]chan part, p.readers)
	for first := range readers {
		out := make(chan part)
		readers[first] = out
		hand := func(blocks []*table.Block, err error) error {
			select {
			case out <- part{blocks, err}:
				return err
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		all.Add(1)
		go func() {
			defer all.Done()
			err := p.e.joined(ctx, p.share, func(s *session) error {
				for k := first; k < len(p.selects); k += p.readers {
					if err := hand(p.one(ctx, s, p.selects[k])); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				_ = hand(nil, err) // of a session that failed; that of a part was handed on
			}
		}()
	}
	for k := range p.selects {
		got := <-readers[k%p.readers]
		if got.err != nil {
			return rows, got.err
		}
		for _, b := range got.blocks {
			b.First = rows
			rows += b.N
			if err := emit(b); err != nil {
				return rows, err
			}
		}
	}
	return rows, nil
}

// one reads a part.
func (p *partScan) one(ctx context.Context, s *session, text string) (blocks []*table.Block, err error) {
	r := &blockReader{columns: p.columns, b: blockFor(p.columns), emit: func(b *table.Block) error {
		blocks = append(blocks, b)
		return nil
	}}
	return blocks, r.all(ctx, s, text)
}

// joined runs f in a session of its own that sees the rows of a snapshot.
func (e *sqlEngine) joined(ctx context.Context, share string, f func(*session) error) error {
	s, end, err := e.as(func(own *sqlEngine) { own.held, own.share = nil, share }).begin(ctx)
	if err != nil {
		return err
	}
	return ending(end, func() error { return f(s) })
}

// join has the transaction of a session see the rows of a snapshot.
func (s *session) join(ctx context.Context) error {
	if s.e.share == "" {
		return nil
	}
	_, err := s.tx.ExecContext(ctx, s.e.d.Join(s.e.share))
	return err
}
