package source

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/regbook/regbook/frames/internal/table"
)

// stamp is that of sums of the plan, "" where there is none.
func (e *sqlEngine) stamp(ctx context.Context, q query, p *table.Plan) (stamp string, err error) {
	where, err := e.whereAll(ctx, q.where)
	if err != nil {
		return "", unlessRefused(err)
	}
	w := &sqlPlan{e: e, prefix: e.prefix(), where: where}
	used := *p
	used.Weights = ""
	if p.Weights != "" && !slices.Contains(p.Used, p.Weights) {
		used.Used = append(slices.Clone(p.Used), p.Weights)
	}
	if err := w.uses(&used); err != nil {
		return "", err
	}
	err = e.within(ctx, func(s *session) error {
		_, stamp, err = w.count(ctx, s)
		return err
	})
	return stamp, err
}

// isComplete is true in complete rows.
func (w *sqlPlan) isComplete() string {
	if w.complete == "" {
		return "(1=1)"
	}
	return w.complete
}

// count counts rows and missing values, and refuses what SQL would round. The stamp has a checksum of the complete rows.
func (w *sqlPlan) count(ctx context.Context, s *session) (table.Counts, string, error) {
	d := w.e.d
	counts := table.Counts{Missing: make(map[string]int)}
	if err := w.e.checkNumbers(ctx, s, w.used, w.where); err != nil {
		return counts, "", err
	}
	if err := w.e.certain(ctx, s, w.doubts, w.where); err != nil {
		return counts, "", err
	}
	targets := []string{"count(*)", countIf(w.isComplete())}
	if h := d.stampHash(w.used); h != "" {
		targets = append(targets, d.HashSum("CASE WHEN "+w.isComplete()+" THEN "+h+" END"))
	} else {
		targets = append(targets, "''")
	}
	for _, c := range w.used {
		targets = append(targets, countIf(d.missing(c)))
	}
	for _, c := range w.alone {
		targets = append(targets, countIf(d.Inexact(&c.TypedColumn)))
	}
	row, err := w.e.totals(ctx, s, w.where, targets...)
	if err != nil {
		return counts, "", err
	}
	number := func(v any) int {
		x, _ := numberOf(v) // NULL of no rows is 0
		return int(x)
	}
	counts.N = number(row[0])
	counts.Omitted = counts.N - number(row[1])
	for j, c := range w.used {
		if k := number(row[3+j]); k > 0 {
			counts.Missing[c.Name] = k
		}
	}
	for j, c := range w.alone {
		if number(row[3+len(w.used)+j]) > 0 {
			counts.Round(c.Name)
		}
	}
	sum := fmt.Sprint(row[2])
	if low, ok := lowBits(row[2]); ok {
		sum = fmt.Sprint(low)
	}
	return counts, stampOf(counts, sum), nil
}

// stampOf is the stamp of rows that are counted, whose hashes have a sum.
func stampOf(counts table.Counts, sum string) string {
	return fmt.Sprintf(pushedStamp+"%d %d %v", counts.N, counts.Omitted, sum)
}

// lowBits are the last 64 bits of a sum of hashes, which are those of the sums of its parts; false if it is no whole number.
func lowBits(v driver.Value) (uint64, bool) {
	text, ok := textOf(v)
	if !ok {
		return 0, false
	}
	sum, ok := new(big.Int).SetString(text, 10)
	if !ok {
		return 0, false
	}
	return sum.And(sum, new(big.Int).SetUint64(1<<64-1)).Uint64(), true
}

// otherRows is the error of rows that are others than those of an earlier pass.
func (e *sqlEngine) otherRows() error {
	return errorf(ErrChanged, "%v has changed between two passes, and %v has no transactions; compute it again when nobody writes", e, e.d)
}

// unchanged returns an error if the rows have another stamp than before, where no transaction holds them still.
func (w *sqlPlan) unchanged(ctx context.Context, s *session, stamp string) error {
	if s.tx != nil {
		return nil
	}
	if _, now, err := w.count(ctx, s); err != nil || now != stamp {
		return errors.Join(err, w.e.otherRows())
	}
	return nil
}
