package source

import (
	"context"
	"slices"
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
// The shards of a Distributed table of ClickHouse have a connection each, of which n read at a time. Their blocks come by turns, and a shard reads by one
// thread, so that results have the same bits for every n as long as it does not merge the parts of its table; see [Dialect].Shards. It is so for versions that have the
// function shardByHash, as 18.16, which cannot name a shard otherwise but with its password.
//
// One connection more than n, or than there are shards, is open at a time; a pool of fewer ([sql.DB.SetMaxOpenConns]) takes n down, and has
// shards read at once. Each holds a part in memory, or a block. Other sources, whose passes read in parallel by themselves, are an error, which
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
	columns sqlColumns
	selects []string
	share   string // the snapshot of which all sessions are, "" if there is none
	readers int
	turns   chan struct{} // has a place for each shard that may read, which come block by block; nil for parts
}

// shards returns how a pass reads the servers on which the rows lie; nil if it reads them at once.
func (e *sqlEngine) shards(ctx context.Context, s *session, columns sqlColumns, selected, where string) (*partScan, error) {
	if e.d.Shards == nil {
		return nil, nil
	}
	all, err := e.d.Shards(ctx, s.each, e.opened.parts)
	if most := e.db.Stats().MaxOpenConnections; err != nil || len(all) < 2 || most > 0 && most <= len(all) {
		return nil, err
	}
	p := &partScan{e: e, columns: columns, readers: len(all), turns: make(chan struct{}, e.connections)}
	for _, shard := range all {
		p.selects = append(p.selects, "SELECT "+selected+" FROM "+shard+whereClause(where))
	}
	return p, nil
}

// parts returns how a pass over all rows is read in parts; nil if it is read at once.
func (e *sqlEngine) parts(ctx context.Context, s *session, columns sqlColumns, selected, where string) (*partScan, error) {
	if e.connections == 0 || e.opened == nil || e.relation != e.opened.relation {
		return nil, nil
	}
	if e.d.Parts == nil {
		return e.shards(ctx, s, columns, selected, where)
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

// read emits the blocks of all parts in their order, or those of shards by turns, and returns the number of rows. Of n readers,
// the first reads parts 0, n, 2n and so on, each when the one before is handed on.
func (p *partScan) read(ctx context.Context, emit func(*table.Block) error) (rows int, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer func() {
		cancel()
		all.Wait()
	}()
	readers := make([]chan part, p.readers)
	for first := range readers {
		readers[first] = make(chan part)
		all.Add(1)
		go func() {
			defer all.Done()
			p.readFrom(ctx, first, readers[first])
		}()
	}
	for len(readers) > 0 {
		for k := 0; k < len(readers); k++ {
			got, more := <-readers[k]
			switch {
			case !more:
				readers = slices.Delete(readers, k, k+1)
				k--
				continue
			case got.err != nil:
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
	}
	return rows, ctx.Err()
}

// part are blocks that are handed on, or why there are none.
type part struct {
	blocks []*table.Block
	err    error
}

// readFrom hands on the parts of a reader, or the blocks of a shard.
func (p *partScan) readFrom(ctx context.Context, first int, out chan<- part) {
	defer close(out)
	hand := func(blocks []*table.Block, err error) error {
		select {
		case out <- part{blocks, err}:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	read := p.one
	if p.turns != nil {
		read = p.shard
	}
	own := p.e.as(func(own *sqlEngine) { own.held, own.share = nil, p.share })
	err := own.within(ctx, func(s *session) error {
		for k := first; k < len(p.selects); k += p.readers {
			if err := read(ctx, s, p.selects[k], hand); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		_ = hand(nil, err) // unless nobody waits for it any more
	}
}

// one reads a part and hands it on.
func (p *partScan) one(ctx context.Context, s *session, text string, hand func([]*table.Block, error) error) error {
	var blocks []*table.Block
	r := &blockReader{columns: p.columns, b: blockFor(p.columns), emit: func(b *table.Block) error {
		blocks = append(blocks, b)
		return nil
	}}
	if err := r.all(ctx, s, text); err != nil {
		return err
	}
	return hand(blocks, nil)
}

// shard reads a shard and hands on its blocks, between which others may read.
func (p *partScan) shard(ctx context.Context, s *session, text string, hand func([]*table.Block, error) error) error {
	reads := false
	begin := func() error {
		select {
		case p.turns <- struct{}{}:
			reads = true
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	end := func() {
		if reads {
			<-p.turns
			reads = false
		}
	}
	defer end()
	if err := begin(); err != nil {
		return err
	}
	r := &blockReader{columns: p.columns, b: blockFor(p.columns), emit: func(b *table.Block) error {
		end()
		if err := hand([]*table.Block{b}, nil); err != nil {
			return err
		}
		return begin()
	}}
	s.settings = p.e.d.InOrder
	return r.all(ctx, s, text)
}
