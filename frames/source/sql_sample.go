package source

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/regbook/regbook/frames/internal/table"
)

// sample draws rows by the order of a hash of their values.
func (e *sqlEngine) sample(ctx context.Context, q query, n int, seed uint64) (*table.Block, error) {
	where, err := e.whereAll(ctx, q.where)
	if err != nil {
		return nil, err
	}
	h := e.d.hash(e.columns, hash(seed, 0x5a)>>1)
	if h == "" {
		return nil, refuse("%v has no hash function to draw rows by", e.d)
	}
	b := blockFor(e.columns)
	text := fmt.Sprintf("SELECT %s FROM %s%s ORDER BY %s LIMIT %d", e.selectList(e.columns), e.relation, whereClause(where), h, n)
	err = e.within(ctx, func(s *session) error {
		return s.each(ctx, text, len(e.columns), func(row []driver.Value) error {
			for j, c := range b.Columns {
				if err := appendValue(c, e.columns[j], row[j]); err != nil {
					return errorf(ErrSource, "%v: column %q: %v", e, c.Name, err)
				}
			}
			b.N++
			return nil
		})
	})
	return b, err
}

// count counts rows.
func (e *sqlEngine) count(ctx context.Context, q query) (int, error) {
	where, err := e.whereAll(ctx, q.where)
	if err != nil {
		return 0, err
	}
	var row []driver.Value
	err = e.within(ctx, func(s *session) error {
		row, err = e.totals(ctx, s, where, "count(*)")
		return err
	})
	return e.counted(row, err)
}

// counted returns the count that a query answered.
func (e *sqlEngine) counted(row []driver.Value, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	n, ok := numberOf(row[0])
	if !ok {
		return 0, errorf(ErrSource, "%v: a count is %v", e, row[0])
	}
	return int(n), nil
}

var _ sampler = (*sqlEngine)(nil)
