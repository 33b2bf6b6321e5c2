package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gota/gota/series"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/frames/source/internal/vectors"
)

// This file reads the rows of a table, in blocks.

// scan reads rows. They have no order; their numbers are those of their arrival.
func (e *sqlEngine) scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (stamp string, err error) {
	err = e.within(ctx, func(s *session) error {
		stamp, err = e.scanIn(ctx, s, q, work, collect)
		return err
	})
	return stamp, err
}

func (e *sqlEngine) scanIn(ctx context.Context, s *session, q query, work func(*table.Block) (any, error), collect func(any) error) (string, error) {
	where, rest, err := e.where(ctx, q.where)
	if err != nil {
		return "", err
	}
	columns, err := e.columnsOf(q.columns)
	if err != nil {
		return "", err
	}
	selected := "1"
	if len(columns) > 0 {
		selected = e.selectList(columns)
	}
	if err := e.checkNumbers(ctx, s, columns, where); err != nil {
		return "", err
	}
	text := "SELECT " + selected + " FROM " + e.relation + whereClause(where)
	var parts *partScan
	if q.limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", q.limit)
	} else if parts, err = e.parts(ctx, s, columns, selected, where); err != nil {
		return "", err
	}
	stamped := q.stamped
	if stamped == nil {
		stamped = q.columns
	}
	n, total := 0, uint64(0)
	err = table.InOrder(ctx, func(ctx context.Context, emit func(*table.Block) error) (err error) {
		if parts != nil {
			n, err = parts.read(ctx, emit)
			return err
		}
		r := &blockReader{columns: columns, emit: emit, b: blockFor(columns)}
		err = r.all(ctx, s, text)
		n = r.n
		return err
	}, func(b *table.Block) (summed, error) {
		part := checksum(b, stamped)
		b, err := filtered(b, rest)
		if err != nil {
			return summed{}, err
		}
		result, err := work(b)
		return summed{result, part}, err
	}, func(r summed) error {
		total += r.part
		return collect(r.result)
	})
	if err != nil {
		return "", err
	}
	if q.limit > 0 {
		return "", nil
	}
	return fmt.Sprintf("rows %d %x", n, total), nil
}

// selectList writes columns as they are read.
func (e *sqlEngine) selectList(columns sqlColumns) string {
	var all []string
	for _, c := range columns {
		all = append(all, e.readAs(c))
	}
	return strings.Join(all, ", ")
}

// totals selects values of which the rows of a condition have one.
func (e *sqlEngine) totals(ctx context.Context, s *session, where string, targets ...string) ([]driver.Value, error) {
	return s.one(ctx, "SELECT "+strings.Join(targets, ", ")+" FROM "+e.relation+whereClause(where), len(targets))
}

// blockReader makes blocks of what a database returns.
type blockReader struct {
	columns sqlColumns
	emit    func(*table.Block) error
	b       *table.Block // that is filled
	n       int          // rows before it
}

// next hands on the block.
func (r *blockReader) next() error {
	if r.b.N == 0 {
		return nil
	}
	r.b.First = r.n
	r.n += r.b.N
	full := r.b
	r.b = blockFor(r.columns)
	return r.emit(full)
}

// all reads the rows of a SELECT.
func (r *blockReader) all(ctx context.Context, s *session, text string) error {
	width := max(1, len(r.columns))
	err := s.eachVector(ctx, text, width, r.vectors)
	if errors.Is(err, vectors.ErrNot) {
		err = s.each(ctx, text, width, func(row []driver.Value) error { return r.row(s.e, row) })
	}
	if err != nil {
		return err
	}
	return r.next()
}

// vectors takes rows by columns.
func (r *blockReader) vectors(rows int, parts []vectors.Column) error {
	for from := 0; from < rows; {
		to := min(rows, from+blockRows-r.b.N)
		for j, c := range r.b.Columns {
			appendVector(c, r.columns[j], &parts[j], from, to)
		}
		r.b.N += to - from
		if from = to; r.b.N < blockRows {
			continue
		}
		if err := r.next(); err != nil {
			return err
		}
	}
	return nil
}

// row takes a row.
func (r *blockReader) row(e *sqlEngine, row []driver.Value) error {
	for j, c := range r.b.Columns {
		if err := appendValue(c, r.columns[j], row[j]); err != nil {
			return errorf(ErrSource, "%v: column %q in row %d: %v", e, c.Name, r.n+r.b.N+1, err)
		}
	}
	if r.b.N++; r.b.N < blockRows {
		return nil
	}
	return r.next()
}

type summed struct {
	result any
	part   uint64
}

// checksum adds up a hash of every row, so that the order does not matter.
func checksum(b *table.Block, names []string) uint64 {
	var total uint64
	for _, h := range rowHashes(b, names) {
		total += h
	}
	return total
}

// rowHashes returns a hash of the values of each row in the columns given.
func rowHashes(b *table.Block, names []string) []uint64 {
	rows := make([]uint64, b.N)
	for _, c := range b.Columns {
		if !slices.Contains(names, c.Name) {
			continue
		}
		for i, h := range rows {
			switch {
			case c.Missing[i]:
				rows[i] = hash(h, 0)
			case c.Text != nil:
				rows[i] = hashText(h, c.Text[i])
			default:
				if rows[i] = hash(h, math.Float64bits(c.Num[i])); c.LowAt(i) != 0 {
					rows[i] = hash(rows[i], math.Float64bits(c.Low[i]))
				}
			}
		}
	}
	return rows
}

// blockFor returns an empty block.
func blockFor(columns sqlColumns) *table.Block {
	b := &table.Block{}
	for _, c := range columns {
		to := &table.Column{Field: c.Field, Missing: make([]bool, 0, blockRows)}
		if c.Type == series.String {
			to.Text = make([]string, 0, blockRows)
		} else {
			to.Num = make([]float64, 0, blockRows)
		}
		b.Columns = append(b.Columns, to)
	}
	return b
}
