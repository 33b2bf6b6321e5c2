package source

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/regbook/regbook/frames"
	"github.com/regbook/regbook/frames/internal/table"
)

// partsOf answers what a pass over a table of PostgreSQL of 5,000 pages asks, whose five parts have the rows k, k+0.5.
func partsOf() []answer {
	answers := []answer{
		{contains: "pg_relation_size", rows: [][]driver.Value{{5000.0}}},
		{contains: "pg_export_snapshot", rows: [][]driver.Value{{"it's"}}},
	}
	for k := range 5 {
		x := float64(k)
		answers = append(answers, answer{contains: fmt.Sprintf("ctid >= '(%d,0)'", 1024*k), rows: [][]driver.Value{{x, 0.0}, {x + 0.5, 0.0}}})
	}
	return append(answers, answer{contains: "FROM \"t\"", rows: [][]driver.Value{{-1.0, 0.0}}})
}

// firsts reads the rows of y ~ x, and returns y in their order, by the numbers of the rows.
func firsts(s *Source) (y []float64, err error) {
	fields, err := s.e.fields(ctx)
	if err != nil {
		return nil, err
	}
	_, err = each(ctx, s.e, s.query(fields, []string{"y", "x"}), func(b *table.Block) error {
		if b.First != len(y) {
			return fmt.Errorf("a block starts at row %d, after %d rows", b.First, len(y))
		}
		y = append(y, b.Columns[0].Num...)
		return nil
	})
	return y, err
}

// Parts come in their order, in transactions that share the snapshot of one.
func TestPartsAreReadInOrder(t *testing.T) {
	for n := 1; n < 8; n++ {
		s, r, err := opened(t, PostgreSQL, partsOf()...)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.Connections(n); err != nil {
			t.Fatal(err)
		}
		y, err := firsts(s)
		if want := []float64{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}; err != nil || !slices.Equal(y, want) {
			t.Errorf("%d connections: %v, %v", n, y, err)
		}
		joined := 0
		for k, q := range r.asked {
			if q == "SET TRANSACTION SNAPSHOT 'it''s'" {
				joined++
				if !strings.HasPrefix(r.asked[k-1], "SE") { // SELECT of a pass or SET: no query of the session itself
					t.Errorf("before the snapshot: %s", r.asked[k-1])
				}
			}
		}
		if joined != min(n, 5) {
			t.Errorf("%d connections: %d joined", n, joined)
		}
	}
}

// A table is read at once where it has no parts, where rows are limited, and where the pool has one connection.
func TestReadAtOnce(t *testing.T) {
	few := partsOf()
	few[0].rows = [][]driver.Value{{1024.0}}
	view := partsOf()
	view[0].rows, view[0].columns = [][]driver.Value{}, []string{"pages"}
	for what, answers := range map[string][]answer{"1024 pages": few, "a view": view, "a pool of one": partsOf()} {
		r := &replay{answers: append([]answer{described}, answers...)}
		db := sql.OpenDB(r)
		defer db.Close()
		if what == "a pool of one" {
			db.SetMaxOpenConns(1)
		}
		s := connected(t, db, 3)
		var y []float64
		var err error
		ends(t, what, func() { y, err = firsts(s) })
		if err != nil || !slices.Equal(y, []float64{-1}) {
			t.Errorf("%s: %v, %v", what, y, err)
		}
	}
	s, r, err := opened(t, PostgreSQL, partsOf()...)
	if err != nil {
		t.Fatal(err)
	}
	r.answers = append([]answer{{contains: "LIMIT 1", rows: [][]driver.Value{{1.0, 2.0, "a"}}}}, r.answers...)
	by3, err := s.Connections(3)
	if err != nil {
		t.Fatal(err)
	}
	df, err := by3.Head(ctx, 1)
	if err != nil || df.Nrow() != 1 {
		t.Errorf("Head: %v, %v", df, err)
	}
}

// What a part fails by is the error of the pass, whichever part it is, and no connection stays in use.
func TestLostPart(t *testing.T) {
	for k := range 5 {
		for loss, a := range losses {
			answers := partsOf()
			a.contains = answers[2+k].contains
			answers[2+k] = a
			r := &replay{answers: append([]answer{described}, answers...)}
			db := sql.OpenDB(r)
			s := connected(t, db, 2)
			var err error
			ends(t, loss, func() { _, err = firsts(s) })
			if !errors.Is(err, ErrSource) {
				t.Errorf("%s in part %d: %v", loss, k, err)
			}
			// The other readers are cancelled, and database/sql may take their connections back after firsts returns.
			ends(t, loss, func() {
				for db.Stats().InUse > 0 {
					time.Sleep(time.Millisecond)
				}
			})
			db.Close()
		}
	}
}

func TestConnectionsRefuses(t *testing.T) {
	s, _, err := opened(t, PostgreSQL)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Connections(0); !errors.Is(err, frames.ErrSetting) {
		t.Error(err)
	}
	if _, err := (*Source)(nil).Connections(1); !errors.Is(err, frames.ErrNoRows) {
		t.Error(err)
	}
	with, err := s.With(ctx, "z = x + y")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := with.Connections(2); !errors.Is(err, frames.ErrSetting) {
		t.Error(err)
	}
}

// connected opens the table by n connections.
func connected(t *testing.T, db *sql.DB, n int) *Source {
	t.Helper()
	s, err := Open(ctx, db, PostgreSQL, "t")
	if err == nil {
		s, err = s.Connections(n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shardsOf answers what a pass over a Distributed table asks, of two shards of 3 and 2 blocks.
func shardsOf() []answer {
	answers := []answer{{contains: "engine_full", rows: [][]driver.Value{{"Distributed(two, default, part, rand())"}}},
		{contains: "system.clusters", rows: [][]driver.Value{{uint32(2)}}},
		{contains: "system.table_functions", rows: [][]driver.Value{{uint64(1)}}},
		{contains: "sipHash64", rows: [][]driver.Value{{"0", uint64(1)}, {"1", uint64(1)}, {"2", uint64(0)}}}}
	for k, n := range []int{2*blockRows + 1, blockRows + 1} {
		rows := make([][]driver.Value, n)
		for i := range rows {
			rows[i] = []driver.Value{float64(10*(i/blockRows) + k), 0.0}
		}
		answers = append(answers, answer{contains: "shardByHash('two', '" + []string{"2", "0"}[k] + "', 'default', 'part') SETTINGS skip_unavailable_shards = 0, max_threads = 1", rows: rows})
	}
	return append(answers, answer{contains: "SELECT version()", rows: [][]driver.Value{{"18.16.1"}}}, answer{contains: "number / 7", rows: knownRows()}, answer{contains: "SELECT 1", rows: [][]driver.Value{{uint8(1)}}})
}

// knownRows are those that ClickHouse is asked for when a table is opened.
func knownRows() (rows [][]driver.Value) {
	for k := range 3000 {
		var third any = uint64(k)
		if k == 3 {
			third = nil
		}
		rows = append(rows, []driver.Value{uint64(k), float64(k) / 7, fmt.Sprint(k), third})
	}
	return rows
}

// Blocks of shards come by turns, however many connections read at a time.
func TestShardsTakeTurns(t *testing.T) {
	for n := 1; n < 4; n++ {
		s, _, err := opened(t, ClickHouse, shardsOf()...)
		if err != nil {
			t.Fatal(err)
		}
		if s, err = s.Connections(n); err != nil {
			t.Fatal(err)
		}
		var y []float64
		ends(t, "shards", func() { y, err = firsts(s) })
		if want := []float64{0, 1, 10, 11, 20}; err != nil || !slices.Equal(slices.Compact(y), want) {
			t.Errorf("%d connections: %v, %v", n, slices.Compact(y), err)
		}
	}
}

// What a shard fails by is the error of the pass, and no connection stays in use; a pool of two reads at once.
func TestLostShard(t *testing.T) {
	for k := range 2 {
		for loss, a := range losses {
			answers := shardsOf()
			a.contains = answers[3+k].contains
			answers[3+k] = a
			r := &replay{answers: append([]answer{described}, answers...)}
			db := sql.OpenDB(r)
			s, err := Open(ctx, db, ClickHouse, "t")
			if err == nil {
				s, err = s.Connections(2)
			}
			if err != nil {
				t.Fatal(err)
			}
			ends(t, loss, func() { _, err = firsts(s) })
			if n := db.Stats().InUse; !errors.Is(err, ErrSource) || n != 0 {
				t.Errorf("%s in shard %d: %v; %d connections are in use", loss, k, err, n)
			}
			db.Close()
		}
	}
}
