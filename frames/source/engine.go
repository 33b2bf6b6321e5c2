package source

import (
	"context"
	"errors"
	"fmt"

	"github.com/regbook/regbook/frames/internal/table"
	"github.com/regbook/regbook/internal/format"
)

// ErrChanged says that the rows are not those of an earlier pass: a file that was
// written in between, or a table that was.
var ErrChanged = errors.New("the source has changed between passes")

// ErrSource says that rows cannot be read: a file that ends in the middle of a row, a
// connection that is gone.
var ErrSource = errors.New("cannot read the source")

// sourceError is an error of one of the kinds above with its own message.
type sourceError struct {
	kind error
	msg  string
}

func (e *sourceError) Error() string { return "source: " + format.Line(e.msg) }
func (e *sourceError) Unwrap() error { return e.kind }

func errorf(kind error, format string, args ...any) error {
	return &sourceError{kind, fmt.Sprintf(format, args...)}
}

// engine reads the rows of a source. Its methods may be called one after the other from
// several goroutines; each pass is complete in itself.
type engine interface {
	// String names the source: "CSV file flights.csv".
	String() string
	// fields returns the columns. The types of an engine that finds them in the values
	// may change while it reads: see errTypes.
	fields(ctx context.Context) ([]table.Field, error)
	// scan makes a pass over the rows in their order: it calls work with blocks, maybe
	// several at a time, and collect with what work returns, one after the other in the
	// order of the rows. A block is valid until work returns. The stamp identifies the
	// rows of a complete pass: it is equal if they are.
	scan(ctx context.Context, q query, work func(*table.Block) (any, error), collect func(any) error) (stamp string, err error)
}

// query is what a pass reads.
type query struct {
	columns []string
	stamped []string          // those that the stamp is of; nil is all
	where   []table.Condition // all of them are true
	limit   int               // rows read before the conditions, from the first; 0 is all
}

// pushedStamp is how a stamp starts that an engine computed where the rows are.
const pushedStamp = "pushed "

// errTypes is table.ErrTypes.
var errTypes = table.ErrTypes

// errStop ends a pass early.
var errStop = errors.New("source: enough rows")

// snapshotter is an engine that can hold its rows still for several passes, such as by a
// transaction.
type snapshotter interface {
	// snapshot calls f with the engine of the rows as they are now, which is of use until f returns.
	snapshot(ctx context.Context, f func(e engine) error) error
}

// held calls f with the engine of the rows as they are now, if it can hold them.
func held(ctx context.Context, e engine, f func(e engine) error) error {
	if s, ok := e.(snapshotter); ok {
		return s.snapshot(ctx, f)
	}
	return f(e)
}

// learned is what an engine that computes sums found of a formula.
type learned struct {
	stamp string     // that of sums
	how   string     // the constants were found, for Design.String; "" if there are none
	sums  *levelSums // of all rows, nil if none were needed
}

// sampler is an engine whose rows have no order, and that draws from them itself.
type sampler interface {
	// sample returns n rows of the smallest hashes. A *notPushed says that it cannot.
	sample(ctx context.Context, q query, n int, seed uint64) (*table.Block, error)
	// count returns the number of rows.
	count(ctx context.Context, q query) (int, error)
}

// folding says which fold a row is in.
type folding struct {
	k    int
	key  string // the column whose equal values stay together; "" is the number of the row
	seed uint64
	// values are columns whose values are hashed in place of the number, if rows have no
	// order.
	values []string
}

// filtered returns the rows of a block for which all conditions are true.
func filtered(b *table.Block, where []table.Condition) (*table.Block, error) {
	for _, w := range where {
		mask, err := w.Mask(b)
		if err != nil {
			return nil, err
		}
		b = b.Keep(mask)
	}
	return b, nil
}
